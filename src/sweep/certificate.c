/* Residuals of a step, from the set evaluated anew and the answer alone. */
#include <math.h>

#include "math/vec.h"
#include "sweep/process.h"

// |point - z - sum of lambda_i grad g_i|, at the point that was projected to
static double normal_residual(mo_sweep *s)
{
    const gap_rows *r = &s->m->rows;
    double *rest = s->scratch;
    for (size_t j = 0; j < s->n; j++)
        rest[j] = s->point[j] - s->z[j];
    for (size_t i = 0; i < r->count; i++)
        if (r->lambda[i] != 0)
            row_add(r, s->n, i, -r->lambda[i], rest);
    return vec_norm(s->n, rest);
}

static double largest_violation(const gap_rows *r)
{
    double largest = 0;
    for (size_t i = 0; i < r->count; i++)
        if (-r->g[i] > largest * r->norm[i])
            largest = r->norm[i] > 0 ? -r->g[i] / r->norm[i] : -r->g[i];
    return largest;
}

// sets without gaps: distance to the set, and of z - point to its normal cone
static mo_status certify_convex(mo_sweep *s, mo_error *err)
{
    moving *m = s->m;
    const moving_leaf *leaf = &m->leaves[0];
    double *x = s->scratch, *out = s->scratch + s->n, scale = 0, residual;
    for (size_t j = 0; j < s->n; j++) {
        x[j] = s->point[j] - (leaf->shifted ? leaf->shift[j] : 0);
        out[j] = s->z[j] - s->point[j];
        scale = fmax(scale, fabs(s->point[j]) + fabs(x[j]));
    }
    mo_status status =
        mo_set_normal_distance(leaf->set->convex, x, out, 1e-8 * scale, &residual, m->workspace, NULL, err);
    if (status == MO_OK)
        status = moving_set_time(m, s->t_f, false, err);
    for (size_t j = 0; j < s->n; j++)
        x[j] = s->next[j] - (leaf->shifted ? leaf->shift[j] : 0);
    s->next_info.stationarity = residual / s->span;
    if (status == MO_OK)
        status = mo_set_distance(leaf->set->convex, x, &s->next_info.violation, m->workspace, NULL, err);
    return status;
}

mo_status sweep_certify(mo_sweep *s, mo_error *err)
{
    moving *m = s->m;
    mo_sweep_info *info = &s->next_info;
    if (m->by_prox)
        return certify_convex(s, err);
    info->active = s->next_holds.count;
    info->complementarity = 0;
    for (size_t k = 0; k < s->next_holds.count; k++) {
        const mo_sweep_hold *hold = &s->next_holds.items[k];
        info->complementarity = fmax(info->complementarity, hold->lambda * fabs(hold->gap) * s->def.h);
    }
    if (s->span > 0)
        info->stationarity = normal_residual(s) / s->span;
    // catching-up leaves the rows at the end of the step; discs are looked at anew, whatever was near before
    if (s->def.method == MO_SWEEP_CATCHING_UP && !m->discs) {
        info->violation = largest_violation(&m->rows);
        return MO_OK;
    }
    mo_status status = moving_set_time(m, s->t_f, false, err);
    if (status == MO_OK)
        status = linearise_into(m, &m->spare, s->next, 0, err);
    info->violation = status == MO_OK ? largest_violation(&m->spare) : 0;
    return status;
}
