/*
 * The scheme of Paoli and Schatzman (P01 (3.1)-(3.3)) with the velocity u^i = (q^i - q^{i-1}) / h as unknown:
 * q^{i+1} = q^i + h u^{i+1} and
 *
 *     M(q^i) (u^{i+1} - u^i) = h F^i + G^T lambda,   g_a(t_a, w_a) >= 0,
 *     w_a = (q^{i+1} + e_a q^{i-1}) / (1 + e_a) = q^i + h (u^{i+1} - e_a u^i) / (1 + e_a),
 *
 * which is (3.2) where all e_a are the same e.  t_a is the same mean of t_{i+1} and t_{i-1}, so that the
 * scheme looks the same from a moving frame; the paper's gaps do not depend on time.  Curved gaps are
 * linearised at every iterate.  F^i is taken at the centred velocity (u^{i+1} + u^i) / 2, or at u^{i+1}
 * (Remark 4.4).  With stiffness or damping F^i is that of 3(c), Newmark's scheme: means over t_{i-1}, t_i,
 * t_i, t_{i+1}, K at q^i + h (u^{i+1} - u^i) / 4, and the metric of the projection is M + h^2 K / 4 + h C
 * / 2.
 */
#include <stdlib.h>

#include "core/fail.h"
#include "math/vec.h"
#include "system/internal.h"

static bool newmark(const mo_system *s)
{
    return s->K.entries != NULL || s->C.entries != NULL;
}

// room for the rows of gaps with several e
static mo_status paoli_schatzman_begin(mo_system *s, mo_error *err)
{
    if (s->m < 2 || s->def.linear)
        return MO_OK;
    s->own = malloc(s->m * (s->n + 1) * sizeof(double));
    return s->own != NULL ? MO_OK : fail(err, MO_NO_MEMORY, NULL, "no memory for %zu gaps", s->m);
}

static void paoli_schatzman_release(mo_system *s)
{
    free(s->own);
}

// rows and bounds of the gaps with restitution e, linearised at the iterate u_f
static mo_status rows_for(mo_system *s, double e, const double *u_f, mo_error *err)
{
    double *w = s->q_next, c = s->h / (1 + e);
    for (size_t i = 0; i < s->n; i++)
        w[i] = s->q[i] + c * (u_f[i] - e * s->u[i]);
    // (t_{i+1} + e t_{i-1}) / (1 + e)
    mo_status status = system_rows(s, s->t_i + c * (1 - e), w, err);
    for (size_t a = 0; status == MO_OK && a < s->m; a++)
        if (s->e[a] == e)
            s->bound[a] = gap_rate(s, a, u_f) - s->g[a] / c;
    return status;
}

// gaps of several e: rows are gathered from one call for each of them
static mo_status rows_for_all(mo_system *s, const double *u_f, mo_error *err)
{
    size_t n = s->n;
    double *kept = s->own, *kept_gt = kept != NULL ? kept + s->m * n : NULL;
    mo_status status = MO_OK;
    for (size_t a = 0; status == MO_OK && a < s->m; a++) {
        bool done = false;
        for (size_t b = 0; b < a; b++)
            done = done || s->e[b] == s->e[a];
        if (done)
            continue;
        status = rows_for(s, s->e[a], u_f, err);
        for (size_t b = a; !s->rows_known && b < s->m; b++) {
            if (s->e[b] != s->e[a])
                continue;
            vec_copy(n, s->G + b * n, kept + b * n);
            kept_gt[b] = s->gt[b];
        }
    }
    if (!s->rows_known && status == MO_OK) {
        vec_copy(s->m * n, kept, s->G);
        rows_find_ends(s);
        vec_copy(s->m, kept_gt, s->gt);
    }
    return status;
}

static mo_status linearise(mo_system *s, const double *u_f, mo_error *err)
{
    all_gaps(s);
    for (size_t a = 1; a < s->m; a++)
        if (s->e[a] != s->e[0])
            return rows_for_all(s, u_f, err);
    return s->m > 0 ? rows_for(s, s->e[0], u_f, err) : MO_OK;
}

// q^1 = q_0 + h v_0 + h^2 M^-1 f_0 / 2; in the Newmark form K and C are implicit here too, with the same
// metric, since stiff parts would be kicked otherwise
static void name_first_force(mo_system *s)
{
    bool stiff = newmark(s);
    stage_set(s, s->t_i, s->q, stiff ? 0.5 * s->h : 0, stiff ? 1 : 0);
    s->stage.weight = 0.5 * s->h;
}

// F at (t_i, q^i), or its means over three times
static void name_force(mo_system *s)
{
    double h = s->h, t = s->t_i;
    stage_set(s, t, s->q, 0, s->def.backward_velocity ? 1 : 0.5);
    if (!newmark(s))
        return;
    s->stage.along = 0.25 * h;
    s->stage.blend = 0.5;
    s->stage.times = 3;
    for (size_t k = 0; k < 3; k++) {
        s->stage.t[k] = t + ((double)k - 1) * h;
        s->stage.share[k] = k == 1 ? 0.5 : 0.25;
    }
}

static mo_status paoli_schatzman_step(mo_system *s, mo_error *err)
{
    bool first = s->info.steps == 0;
    if (first)
        name_first_force(s);
    else
        name_force(s);
    mo_status status = system_mass(s, s->t_i, s->q, err);
    if (status == MO_OK)
        status = scheme_metric(s, 0.5 * s->h, 0.25 * s->h * s->h, err);
    if (status == MO_OK)
        status = system_restitution(s, s->t_i, s->q, err);
    if (status == MO_OK)
        status = system_solve(s, first ? NULL : linearise, err);
    advance(s->n, s->q, s->h, s->u_next, s->q_next);
    return status;
}

const scheme_ops paoli_schatzman_ops = {.name = "paoli-schatzman",
                                        .begin = paoli_schatzman_begin,
                                        .step = paoli_schatzman_step,
                                        .release = paoli_schatzman_release};
