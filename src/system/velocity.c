/*
 * The velocity nearest to a given one in a metric A = L L^T under rows G_a y >= bound_a.
 *
 * Few rows push at a time, so that rows enter as they are found violated, and the problem is reduced to the
 * span of Y_a = L^-1 G_a: with an orthonormal basis of it the rows have as many entries as there are rows,
 * and the projection of convex.h does the rest.  Then y = y_free + L^-T sum of lambda_a Y_a.
 */
#include <math.h>
#include <string.h>

#include "core/buffer.h"
#include "core/fail.h"
#include "math/vec.h"
#include "system/internal.h"

/* what a projection onto many gaps may miss of their bounds, relative, before it is refined */
static const double MISS = 1e-12;

mo_status activate(mo_system *s, size_t a)
{
    if (!gap_has_gradient(s, a))
        return system_trouble(s, MO_SYSTEM_NO_GRADIENT, "gap %zu is active and its gradient is zero", a + 1);
    s->J[s->J_count++] = a;
    return MO_OK;
}

mo_status active_set(mo_system *s, double slope, const double *u)
{
    s->J_count = 0;
    for (size_t a = 0; a < s->m; a++) {
        double g = s->g[a];
        if (slope != 0)
            g += slope * (gap_rate(s, a, u) + s->gt[a]);
        const mo_status status = g <= s->def.contact_tolerance ? activate(s, a) : MO_OK;
        if (status != MO_OK)
            return status;
    }
    return MO_OK;
}

void all_gaps(mo_system *s)
{
    for (size_t a = 0; a < s->m; a++)
        s->J[a] = a;
    s->J_count = s->m;
}

void bound_impact(mo_system *s, const double *u)
{
    for (size_t k = 0; k < s->J_count; k++) {
        size_t a = s->J[k];
        s->bound[a] = -s->gt[a];
        if (s->e[a] > 0)
            s->bound[a] -= s->e[a] * (gap_rate(s, a, u) + s->gt[a]);
    }
}

// rows in an orthonormal basis of their span: C [k stride]; two passes keep the basis orthogonal to rounding
static void reduce_rows(size_t n, size_t k, const double *const *Y, size_t stride, double *Q, double *C)
{
    size_t rank = 0;
    vec_zero(k * stride, C);
    for (size_t j = 0; j < k; j++) {
        double *c = C + j * stride, *v = Q + rank * n;
        double length = vec_norm(n, Y[j]);
        vec_copy(n, Y[j], v);
        for (int pass = 0; pass < 2; pass++)
            for (size_t i = 0; i < rank; i++) {
                double part = vec_dot(n, Q + i * n, v);
                c[i] += part;
                vec_add(n, -part, Q + i * n, v);
            }
        double left = vec_norm(n, v);
        if (rank == stride || !(left > 1e-14 * length))
            continue;
        for (size_t i = 0; i < n; i++)
            v[i] /= left;
        c[rank++] = left;
    }
}

mo_status numbers_out_of_range(mo_system *s)
{
    return system_trouble(s, MO_SYSTEM_NOT_FINITE, "numbers out of range in a projection at t = %.17g",
                          s->t_i);
}

mo_status nearest_by_rows(mo_system *s, size_t k, const double *const *Y, const double *d,
                          const size_t *guess, size_t guess_count, double *lambda,
                          mo_projection_outcome *outcome, mo_error *err)
{
    size_t n = s->n, stride = k < n ? k : n;
    column square = {(void **)&s->square, sizeof(double)};
    // one more row of the basis: the last one tried
    if (!columns_reserve(&square, 1, &s->square_room, (stride + 1) * n + k * stride + 2 * stride))
        return fail(err, MO_NO_MEMORY, NULL, "no memory for %zu gaps that push", k);
    double *Q = s->square, *C = Q + (stride + 1) * n, *zero = C + k * stride, *x = zero + stride;
    reduce_rows(n, k, Y, stride, Q, C);
    vec_zero(stride, zero);
    mo_polyhedron set = {.n = stride, .rows = k, .A = C, .b = d};
    mo_projection_info info = {.iterations = 0};
    mo_status status =
        mo_projector_project(s->projector, &set, zero, guess, guess_count, x, lambda, &info, err);
    s->iterations += info.iterations;
    *outcome = info.outcome;
    return status == MO_BAD_INPUT ? numbers_out_of_range(s) : status;
}

// L^-1 G_a: kept where the metric keeps them, else in `to`
static const double *metric_gradient(mo_system *s, inertia *A, size_t a, double *to)
{
    size_t n = s->n;
    bool keep = A->Y != NULL;
    double *Y = keep ? A->Y + a * n : to;
    if (keep && A->ready[a])
        return Y;
    vec_copy(n, s->G + a * n, Y);
    metric_solve_lower(&A->factor, Y);
    if (keep)
        A->ready[a] = true;
    return Y;
}

static mo_status reserve_rows(mo_system *s, size_t rows, mo_error *err)
{
    column memory = {(void **)&s->Y_work, sizeof(double)};
    if (!columns_reserve(&memory, 1, &s->Y_room, rows * s->n))
        return fail(err, MO_NO_MEMORY, NULL, "no memory for %zu gaps that push", rows);
    return MO_OK;
}

static mo_status no_gradient(mo_system *s, size_t a)
{
    return system_trouble(s, MO_SYSTEM_NO_GRADIENT, "gap %zu is violated and its gradient is zero", a + 1);
}

// one row: lambda = (bound - G y) / |L^-1 G|^2
static mo_status project_on_one(mo_system *s, inertia *A, const double *y_free, double *y, mo_error *err)
{
    size_t n = s->n, a = s->work_set[0];
    mo_status status = A->Y == NULL ? reserve_rows(s, 1, err) : MO_OK;
    if (status != MO_OK)
        return status;
    const double *Y = metric_gradient(s, A, a, s->Y_work);
    double square = vec_dot(n, Y, Y);
    if (!(square > 0))
        return no_gradient(s, a);
    double lambda = (s->bound[a] - gap_rate(s, a, y_free)) / square;
    s->lambda_next[a] = lambda;
    for (size_t i = 0; i < n; i++)
        y[i] = lambda * Y[i];
    metric_solve_upper(&A->factor, y);
    vec_add(n, 1, y_free, y);
    return isfinite(lambda) ? MO_OK : no_gradient(s, a);
}

// rows, right sides and those that pushed in the step before
static mo_status load_rows(mo_system *s, inertia *A, size_t k, const double *y_free, size_t *guess_count,
                           mo_error *err)
{
    mo_status status = A->Y == NULL ? reserve_rows(s, k, err) : MO_OK;
    for (size_t j = 0; status == MO_OK && j < k; j++) {
        size_t a = s->work_set[j];
        s->Y[j] = metric_gradient(s, A, a, A->Y == NULL ? s->Y_work + j * s->n : NULL);
        s->d[j] = s->bound[a] - gap_rate(s, a, y_free);
        if (s->lambda[a] > 0 && *guess_count < s->n)
            s->guess[(*guess_count)++] = j;
        if (vec_max_abs(s->n, s->Y[j]) == 0)
            return no_gradient(s, a);
    }
    return status;
}

static mo_status judge(mo_system *s, mo_projection_outcome outcome, size_t k)
{
    if (outcome == MO_PROJECTION_EMPTY)
        return system_trouble(s, MO_SYSTEM_INFEASIBLE,
                              "no velocity satisfies %zu gaps at once in the step from t = %.17g", k, s->t_i);
    if (outcome == MO_PROJECTION_UNDECIDED)
        return system_trouble(s, MO_SYSTEM_NOT_CONVERGED, "projection onto %zu gaps missed its tolerance", k);
    return MO_OK;
}

static mo_status project_on_some(mo_system *s, inertia *A, size_t k, const double *y_free, double *y,
                                 mo_error *err)
{
    size_t n = s->n, guess_count = 0;
    mo_projection_outcome outcome;
    mo_status status = load_rows(s, A, k, y_free, &guess_count, err);
    if (status == MO_OK)
        status = nearest_by_rows(s, k, s->Y, s->d, s->guess, guess_count, s->push, &outcome, err);
    if (status == MO_OK)
        status = judge(s, outcome, k);
    if (status != MO_OK)
        return status;
    vec_zero(n, y);
    for (size_t j = 0; j < k; j++) {
        s->lambda_next[s->work_set[j]] = s->push[j];
        if (s->push[j] != 0)
            vec_add(n, s->push[j], s->Y[j], y);
    }
    metric_solve_upper(&A->factor, y);
    vec_add(n, 1, y_free, y);
    return MO_OK;
}

// y := y_free + A^-1 G^T lambda: the dynamics to rounding, whatever the tolerance of the multipliers
static void push_on(mo_system *s, const inertia *A, size_t k, const double *y_free, double *y)
{
    vec_zero(s->n, y);
    for (size_t j = 0; j < k; j++)
        gap_push(s, s->work_set[j], s->lambda_next[s->work_set[j]], y);
    inertia_solve(A, y);
    vec_add(s->n, 1, y_free, y);
}

// the gaps of the work set, those that push first; d := what y misses of their bounds; equal: how many push
static bool list_misses(mo_system *s, size_t k, const double *y_free, const double *y, size_t *equal)
{
    size_t count = 0;
    double worst = 0, scale = 0;
    for (int rest = 0; rest < 2; rest++) {
        for (size_t j = 0; j < k; j++) {
            size_t a = s->work_set[j];
            if ((s->lambda_next[a] > 0) == (rest == 1))
                continue;
            double miss = s->bound[a] - gap_rate(s, a, y);
            s->guess[count] = a;
            s->d[count++] = miss;
            worst = fmax(worst, rest ? miss : fabs(miss));
            scale = fmax(scale, fabs(s->bound[a]) + fabs(gap_rate(s, a, y_free)));
        }
        *equal = rest ? *equal : count;
    }
    return worst > MISS * scale;
}

// where the multipliers of many gaps leave too much, what is left is a problem of the same kind, whose
// relative tolerance is one of much smaller numbers: gaps that push are held, none of the others is entered
static mo_status refine_many(mo_system *s, inertia *A, size_t k, const double *y_free, double *y,
                             mo_error *err)
{
    size_t equal = 0;
    mo_projection_outcome outcome;
    if (!list_misses(s, k, y_free, y, &equal))
        return MO_OK;
    double *zero = s->scratch[1];
    vec_zero(s->n, zero);
    gap_problem problem = {.count = k, .equalities = equal, .gaps = s->guess, .bound = s->d, .from = zero};
    mo_status status = nearest_by_gaps(s, A, &problem, s->scratch[2], s->push, &outcome, err);
    if (status != MO_OK || outcome != MO_PROJECTION_SOLVED)
        return status;
    for (size_t j = 0; j < k; j++)
        s->lambda_next[s->guess[j]] = fmax(s->lambda_next[s->guess[j]] + s->push[j], 0);
    push_on(s, A, k, y_free, y);
    return MO_OK;
}

// the same for many gaps in a sparse metric
static mo_status project_on_many(mo_system *s, inertia *A, size_t k, const double *y_free, double *y,
                                 mo_error *err)
{
    double *first = s->push;
    gap_problem problem = {.count = k, .gaps = s->work_set, .bound = s->d, .from = y_free, .first = first};
    mo_projection_outcome outcome;
    for (size_t j = 0; j < k; j++) {
        size_t a = s->work_set[j];
        if (!gap_has_gradient(s, a))
            return no_gradient(s, a);
        s->d[j] = s->bound[a];
        // of the last round, or of the step before
        first[j] = s->lambda_next[a] > 0 ? s->lambda_next[a] : s->lambda[a];
    }
    mo_status status = nearest_by_gaps(s, A, &problem, y, s->push, &outcome, err);
    if (status == MO_OK)
        status = judge(s, outcome, k);
    if (status != MO_OK)
        return status;
    for (size_t j = 0; j < k; j++)
        s->lambda_next[s->work_set[j]] = s->push[j];
    push_on(s, A, k, y_free, y);
    return refine_many(s, A, k, y_free, y, err);
}

static mo_status project_on(mo_system *s, inertia *A, size_t k, const double *y_free, double *y,
                            mo_error *err)
{
    if (k == 1)
        return project_on_one(s, A, y_free, y, err);
    return gaps_are_many(s, A, k, s->work_set) ? project_on_many(s, A, k, y_free, y, err)
                                               : project_on_some(s, A, k, y_free, y, err);
}

// gaps of J that y violates join the work set
static size_t add_violated(mo_system *s, size_t k, const double *y)
{
    for (size_t j = 0; j < s->J_count; j++) {
        size_t a = s->J[j];
        if (s->in_work[a] || !(gap_rate(s, a, y) < s->bound[a]))
            continue;
        s->in_work[a] = true;
        s->work_set[k++] = a;
    }
    return k;
}

mo_status velocity_project(mo_system *s, inertia *A, double *y, mo_error *err)
{
    double *y_free = s->scratch[0];
    mo_status status = MO_OK;
    if (s->J_count == 0)
        return MO_OK;
    for (size_t j = 0; j < s->J_count; j++) {
        s->in_work[s->J[j]] = false;
        s->lambda_next[s->J[j]] = 0;
    }
    size_t k = 0, next = add_violated(s, 0, y);
    if (next > 0)
        vec_copy(s->n, y, y_free);
    while (status == MO_OK && next > k) {
        k = next;
        s->linear_solves++;
        status = project_on(s, A, k, y_free, y, err);
        next = status == MO_OK && s->J_count > k ? add_violated(s, k, y) : k;
    }
    return status;
}

mo_status impact_apply(mo_system *s, double t, const double *q, double *u, bool *changed, mo_error *err)
{
    *changed = false;
    vec_zero(s->m, s->lambda_next);
    mo_status status = system_rows(s, t, q, err);
    if (status == MO_OK)
        status = active_set(s, 0, u);
    if (status == MO_OK)
        status = system_restitution(s, t, q, err);
    if (status == MO_OK)
        status = system_mass(s, t, q, err);
    bool outward = false;
    for (size_t j = 0; status == MO_OK && j < s->J_count; j++)
        outward = outward || gap_rate(s, s->J[j], u) + s->gt[s->J[j]] < 0;
    if (status != MO_OK || !outward)
        return status;
    bound_impact(s, u);
    *changed = true;
    if (s->T == NULL)
        return velocity_project(s, &s->M, u, err);
    status = system_tangents(s, t, q, err);
    return status == MO_OK ? velocity_friction(s, &s->M, s->u, u, err) : status;
}
