/*
 * The scheme of Maury, Bernicot and Lefebvre (BL10 (1.11)-(1.15)): the free velocity u~ = u^n + h M^-1 f^n is
 * projected onto
 *
 *     K_h = {u : g_a(t^{n+1}, q^n) + h grad g_a(t^{n+1}, q^n).u >= 0},
 *
 * f^n the mean of f(s, q^n) over the step by Gauss' rule with three points, exact for fifth powers of s; then
 * u^{n+1} = P(u~) - e (u~ - P(u~)), that is G u^{n+1} >= (1 + e) b - e G u~ with b = -g / h.  Metric: the
 * mass at (t^n, q^n).  Velocity in the force: u^n.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/buffer.h"
#include "core/fail.h"
#include "math/vec.h"
#include "system/internal.h"

// bounds of K_h, shifted by what the restitution gives back
static mo_status bound_linear(mo_system *s, const double *u_f, mo_error *err)
{
    (void)u_f;
    (void)err;
    for (size_t a = 0; a < s->m; a++) {
        double e = s->e[a];
        s->bound[a] = -s->g[a] / s->h;
        if (e > 0)
            s->bound[a] += e * (s->bound[a] - gap_rate(s, a, s->free));
    }
    return MO_OK;
}

// whether gap a pushes, or is within reach of the velocities before and after the step
static bool is_near(const mo_system *s, size_t a)
{
    const double *G = s->G + a * s->n;
    double reach = 0;
    for (size_t i = s->G_begin[a]; i < s->G_end[a]; i++)
        reach += fabs(G[i]) * (fabs(s->u[i]) + fabs(s->u_next[i]));
    return s->lambda_next[a] > 0 || s->g[a] <= s->h * reach;
}

// the near gaps, in s->work_set
static size_t near_gaps(mo_system *s)
{
    size_t near = 0;
    for (size_t a = 0; a < s->m; a++)
        if (is_near(s, a))
            s->work_set[near++] = a;
    return near;
}

// whether the constant of these gaps is at most one that was found before, because all of them were near then
static bool known(mo_system *s, size_t near)
{
    bool *seen = s->own, all = s->rows_known && s->mass_constant;
    for (size_t k = 0; k < near; k++)
        all = all && seen[s->work_set[k]];
    if (all)
        return true;
    memset(seen, 0, s->m * sizeof *seen);
    for (size_t k = 0; k < near; k++)
        seen[s->work_set[k]] = true;
    return false;
}

// L^-1 grad g of the near gaps made unit, in s->Y; count of those that have one
static mo_status near_rows(mo_system *s, size_t near, size_t *count, mo_error *err)
{
    size_t n = s->n;
    column memory = {(void **)&s->Y_work, sizeof(double)};
    *count = 0;
    if (!columns_reserve(&memory, 1, &s->Y_room, near * n))
        return fail(err, MO_NO_MEMORY, NULL, "no memory for %zu gaps", near);
    for (size_t k = 0; k < near; k++) {
        double *row = s->Y_work + *count * n;
        vec_copy(n, s->G + s->work_set[k] * n, row);
        metric_solve_lower(&s->M.factor, row);
        double length = vec_norm(n, row);
        for (size_t i = 0; i < n; i++)
            row[i] /= length;
        if (!(length > 0))
            continue;
        s->d[*count] = 1;
        s->Y[(*count)++] = row;
    }
    return MO_OK;
}

// multipliers of the shortest x with x.grad >= 1 for the unit gradients of the near gaps, in s->push
static mo_status push_apart(mo_system *s, size_t near, size_t *count, mo_projection_outcome *outcome,
                            mo_error *err)
{
    mo_status status = near_rows(s, near, count, err);
    if (status != MO_OK || *count < 2)
        return status;
    return nearest_by_rows(s, *count, s->Y, s->d, NULL, 0, s->push, outcome, err);
}

// the same for many gaps in a sparse metric
static mo_status push_many_apart(mo_system *s, size_t near, size_t *count, mo_projection_outcome *outcome,
                                 mo_error *err)
{
    double *row = s->scratch[0], *factor;
    column memory = {(void **)&s->Y_work, sizeof(double)};
    *count = 0;
    if (!columns_reserve(&memory, 1, &s->Y_room, near))
        return fail(err, MO_NO_MEMORY, NULL, "no memory for %zu gaps", near);
    factor = s->Y_work;
    for (size_t k = 0; k < near; k++) {
        if (!gap_has_gradient(s, s->work_set[k]))
            continue;
        vec_zero(s->n, row);
        gap_push(s, s->work_set[k], 1, row);
        metric_solve_lower(&s->M.factor, row);
        factor[*count] = 1 / vec_norm(s->n, row);
        s->d[*count] = 1;
        s->work_set[(*count)++] = s->work_set[k];
    }
    vec_zero(s->n, row);
    gap_problem problem = {
        .count = *count, .gaps = s->work_set, .factor = factor, .bound = s->d, .from = row};
    return nearest_by_gaps(s, &s->M, &problem, s->scratch[1], s->push, outcome, err);
}

/*
 * gamma of (A6): the largest sum of lambda |grad g| over |sum of lambda grad g|, that is one over the
 * distance of 0 to the hull of the unit gradients, which is the length of the shortest x with x.grad >= 1
 * for all of them; sum of its multipliers = its length squared.
 */
static mo_status estimate_independence(mo_system *s, mo_error *err)
{
    size_t near = near_gaps(s), count = 0;
    mo_projection_outcome outcome = MO_PROJECTION_UNDECIDED;
    if (near < 2 || known(s, near))
        return MO_OK;
    int iterations = s->iterations;
    bool many = gaps_are_many(s, &s->M, near, s->work_set);
    mo_status status =
        many ? push_many_apart(s, near, &count, &outcome, err) : push_apart(s, near, &count, &outcome, err);
    s->iterations = iterations;
    if (status != MO_OK || count < 2)
        return status;
    double square = 0;
    for (size_t k = 0; k < count; k++)
        square += s->push[k];
    double gamma = outcome == MO_PROJECTION_EMPTY ? HUGE_VAL : sqrt(square);
    s->independence = fmax(s->independence, fmax(gamma, 1));
    return status;
}

static mo_status bernicot_lefebvre_step(mo_system *s, mo_error *err)
{
    static const double node = 0.77459666924148337704; /* sqrt(3/5) */
    double h = s->h, middle = s->t_i + 0.5 * h;
    stage_set(s, middle, s->q, 0, 0);
    if (s->def.force != NULL) {
        s->stage.times = 3;
        for (size_t k = 0; k < 3; k++) {
            s->stage.t[k] = middle + ((double)k - 1) * 0.5 * h * node;
            s->stage.share[k] = k == 1 ? 8.0 / 18 : 5.0 / 18;
        }
    }
    mo_status status = system_rows(s, s->t_f, s->q, err);
    if (status == MO_OK)
        status = system_restitution(s, s->t_f, s->q, err);
    if (status == MO_OK)
        status = system_mass(s, s->t_i, s->q, err);
    if (status != MO_OK)
        return status;
    all_gaps(s);
    s->stage.fixed_rows = true;
    status = system_solve(s, bound_linear, err);
    if (status == MO_OK && s->m > 1)
        status = estimate_independence(s, err);
    advance(s->n, s->q, h, s->u_next, s->q_next);
    return status;
}

static mo_status bernicot_lefebvre_begin(mo_system *s, mo_error *err)
{
    s->own = calloc(s->m + 1, sizeof(bool));
    return s->own != NULL ? MO_OK : fail(err, MO_NO_MEMORY, NULL, "no memory for %zu gaps", s->m);
}

static void bernicot_lefebvre_release(mo_system *s)
{
    free(s->own);
}

const scheme_ops bernicot_lefebvre_ops = {.name = "bernicot-lefebvre",
                                          .begin = bernicot_lefebvre_begin,
                                          .step = bernicot_lefebvre_step,
                                          .release = bernicot_lefebvre_release};
