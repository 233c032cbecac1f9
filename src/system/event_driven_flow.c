/*
 * Motion between events (M99 8.4): with J held, the acceleration is the one nearest to M^-1 F in the kinetic
 * metric among those with G a + c = 0 on J, a = M^-1 (F + sum of mu G), W mu = -(G M^-1 F + c), W Delassus'
 * matrix.  The pair of Dormand and Prince integrates it; after a step the point is brought back to g = g' = 0
 * on J.
 */
#include "system/event_driven.h"

#include <stdlib.h>
#include <string.h>

#include "core/buffer.h"
#include "core/fail.h"
#include "math/vec.h"

/* corrections towards g = 0 on J after a step */
enum { CORRECTIONS = 4 };

static const double EPS = 0x1p-52;

/* ---- memory ------------------------------------------------------------------------------------- */

static mo_status no_memory(mo_error *err)
{
    return fail(err, MO_NO_MEMORY, NULL, "no memory for an event-driven step");
}

static void lay_out(flight *f, double *next)
{
    double **states[] = {&f->y,    &f->end,  &f->point, &f->spare, &f->k[0], &f->k[1],
                         &f->k[2], &f->k[3], &f->k[4],  &f->k[5],  &f->k[6]};
    double **freedoms[] = {&f->free, &f->before, &f->p};
    double **gaps[] = {&f->c,     &f->g,   &f->rate, &f->bend, &f->round, &f->near,  &f->rest,
                       &f->floor, &f->hit, &f->d,    &f->push, &f->steep, &f->still, &f->shift};
    for (size_t i = 0; i < sizeof states / sizeof *states; i++, next += f->N)
        *states[i] = next;
    for (size_t i = 0; i < sizeof freedoms / sizeof *freedoms; i++, next += f->n)
        *freedoms[i] = next;
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++, next += f->m)
        *gaps[i] = next;
    for (size_t i = 0; i < FLIGHT_SAMPLES; i++, next += f->m)
        f->sample[i] = next;
}

mo_status flight_create(mo_system *s, mo_error *err)
{
    flight *f = calloc(1, sizeof *f);
    if (f == NULL)
        return no_memory(err);
    s->own = f;
    *f = (flight){.s = s, .n = s->n, .m = s->m, .N = 2 * s->n + s->m + 1};
    f->y = calloc(11 * f->N + 3 * f->n + (14 + FLIGHT_SAMPLES) * f->m, sizeof *f->y);
    f->held = calloc(6 * f->m + 1, sizeof *f->held);
    f->list = calloc(3 * f->m + 1, sizeof *f->list);
    f->Y = calloc(f->m + 1, sizeof *f->Y);
    if (f->y == NULL || f->held == NULL || f->list == NULL || f->Y == NULL)
        return no_memory(err);
    lay_out(f, f->y);
    f->rows = f->list + f->m;
    f->kept = f->list + 2 * f->m;
    bool **flags[] = {&f->told, &f->resting, &f->join, &f->due, &f->dropped};
    for (size_t i = 0; i < 5; i++)
        *flags[i] = f->held + (i + 1) * f->m;
    return MO_OK;
}

void flight_release(mo_system *s)
{
    flight *f = s->own;
    if (f == NULL)
        return;
    metric_free(&f->W);
    free(f->y);
    free(f->held);
    free(f->list);
    free((void *)f->Y);
    free(f->W_entries);
    free(f->Y_memory);
    free(f);
}

/* ---- the rows of J ------------------------------------------------------------------------------ */

void flight_list_held(flight *f)
{
    f->count = 0;
    for (size_t a = 0; a < f->m; a++)
        if (f->held[a])
            f->list[f->count++] = a;
}

mo_status flight_rows(flight *f, const size_t *list, size_t count)
{
    size_t n = f->n;
    column rows = {(void **)&f->Y_memory, sizeof(double)};
    f->kept_count = 0;
    if (!columns_reserve(&rows, 1, &f->Y_room, count * n))
        return no_memory(f->err);
    for (size_t j = 0; j < count; j++) {
        double *Y = f->Y_memory + j * n;
        vec_copy(n, f->s->G + list[j] * n, Y);
        metric_solve_lower(&f->s->M.factor, Y);
        f->Y[j] = Y;
        if (vec_max_abs(n, Y) == 0)
            return system_trouble(f->s, MO_SYSTEM_NO_GRADIENT, "gap %zu touches and its gradient is zero",
                                  list[j] + 1);
    }
    return MO_OK;
}

// W of J, factored
static mo_status factor_held(flight *f, bool *stuck)
{
    size_t k = f->count;
    bool constant = f->s->rows_known && f->s->mass_constant;
    if (constant && k == f->kept_count && memcmp(f->list, f->kept, k * sizeof *f->list) == 0)
        return MO_OK;
    column square = {(void **)&f->W_entries, sizeof(double)};
    mo_status status = flight_rows(f, f->list, k);
    if (status == MO_OK && !columns_reserve(&square, 1, &f->W_room, k * k))
        status = no_memory(f->err);
    if (status != MO_OK)
        return status;
    double dependent = 0;
    for (size_t i = 0; i < k; i++)
        for (size_t j = 0; j <= i; j++)
            f->W_entries[i * k + j] = f->W_entries[j * k + i] = vec_dot(f->n, f->Y[i], f->Y[j]);
    mo_metric W = {.kind = MO_METRIC_DENSE, .entries = f->W_entries};
    status = metric_set(&f->W, k, &W, NULL);
    for (size_t i = 0; status == MO_OK && i < k; i++)
        dependent = fmax(dependent, f->W.inverse[i] * sqrt(f->W_entries[i * k + i]));
    bool fails = status == MO_BAD_INPUT || dependent > 1e6;
    if (constant && status == MO_OK && !fails) {
        memcpy(f->kept, f->list, k * sizeof *f->kept);
        f->kept_count = k;
    }
    *stuck = *stuck || fails;
    return status == MO_BAD_INPUT ? MO_OK : status;
}

// push := W^-1 d, and x moves by M^-1 G^T push
static void push_held(flight *f, double *x)
{
    vec_copy(f->count, f->d, f->push);
    metric_solve_lower(&f->W, f->push);
    metric_solve_upper(&f->W, f->push);
    vec_zero(f->n, f->p);
    for (size_t j = 0; j < f->count; j++)
        vec_add(f->n, f->push[j], f->Y[j], f->p);
    metric_solve_upper(&f->s->M.factor, f->p);
    vec_add(f->n, 1, f->p, x);
}

/* ---- slopes ------------------------------------------------------------------------------------- */

// a := M^-1 (F - K q - C u); *power: that of F - C u
static mo_status free_acceleration(flight *f, double t, const double *q, const double *u, double *a,
                                   double *power)
{
    mo_system *s = f->s;
    size_t n = f->n;
    // differences over a small part of the trial, which the motion sets: q has no length of its own
    double inertial = 0, d = 1e-3 * fmin(s->h, f->delta);
    mo_status status = system_inertial_power(s, t, q, u, d, &inertial, f->err);
    if (status == MO_OK)
        status = system_mass(s, t, q, f->err);
    if (status == MO_OK)
        status = system_force(s, t, q, u, a, NULL, NULL, f->err);
    if (status != MO_OK)
        return status;
    symmetric_add(&s->C, n, -1, u, a);
    *power = vec_dot(n, a, u) + inertial;
    symmetric_add(&s->K, n, -1, q, a);
    inertia_solve(&s->M, a);
    s->linear_solves++;
    f->pull = fmax(f->pull, speed_norm(s, a));
    return MO_OK;
}

mo_status flight_slope(flight *f, double t, const double *y, double *k, bool *stuck)
{
    mo_system *s = f->s;
    size_t n = f->n;
    const double *q = y, *u = y + n;
    double *a = k + n, *mu = a + n, *power = k + f->N - 1;
    mo_status status = free_acceleration(f, t, q, u, a, power);
    vec_copy(n, u, k);
    vec_zero(f->m, mu);
    if (status != MO_OK || f->count == 0)
        return status;
    status = system_curvature(s, t, q, u, f->c, f->err);
    if (status == MO_OK)
        status = system_rows(s, t, q, f->err);
    if (status == MO_OK)
        status = factor_held(f, stuck);
    // the second pass takes away what rounding left of the first
    for (int pass = 0; status == MO_OK && !*stuck && pass < 2; pass++) {
        for (size_t j = 0; j < f->count; j++)
            f->d[j] = -f->c[f->list[j]] - gap_rate(s, f->list[j], a);
        push_held(f, a);
        for (size_t j = 0; j < f->count; j++)
            mu[f->list[j]] += f->push[j];
    }
    for (size_t j = 0; j < f->count; j++)
        *power -= mu[f->list[j]] * s->gt[f->list[j]];
    return status;
}

/* ---- steps -------------------------------------------------------------------------------------- */

// error over what is allowed: a part of the lengths and speeds at hand, or that the forces would make
static double relative_error(const flight *f, double delta)
{
    const mo_system *s = f->s;
    const double *e = f->point, *u = f->y + f->n, gained = delta * f->pull;
    double fast = fmax(fmax(speed_norm(s, u), speed_norm(s, f->end + f->n)), gained);
    double far = fmax(fmax(speed_norm(s, f->y), speed_norm(s, f->end)), delta * fast);
    // at a turning point the speed is that of the motion around it
    fast = fmax(fast, sqrt(speed_norm(s, f->k[0] + f->n) * far));
    // a small part of the tolerance of contacts in a step is nothing
    double nothing = 1e-4 * s->def.contact_tolerance * vec_max_abs(f->n, s->unit), part = 0.01 * s->def.tol;
    double allowed_q = part * far + nothing * fmin(1, delta / s->h), allowed_u = part * fast + nothing / s->h;
    double error_q = speed_norm(s, e), error_u = speed_norm(s, e + f->n);
    return fmax(error_q > 0 ? error_q / allowed_q : 0, error_u > 0 ? error_u / allowed_u : 0);
}

mo_status flight_trial(flight *f, double t_end, bool *stuck)
{
    double delta = t_end - f->t;
    mo_status status = MO_OK;
    f->trials++;
    f->pull = 0;
    for (size_t i = 1; i < DP_STAGES && status == MO_OK && !*stuck; i++) {
        dp_combine(f->N, f->y, delta, i, dp_stage[i], f->k, f->end);
        status = flight_slope(f, dp_time[i] < 1 ? f->t + dp_time[i] * delta : t_end, f->end, f->k[i], stuck);
    }
    if (status != MO_OK || *stuck)
        return status;
    dp_combine(2 * f->n, NULL, delta, DP_STAGES, dp_error, f->k, f->point);
    f->error = relative_error(f, delta);
    return MO_OK;
}

void flight_dense(const flight *f, double delta, double theta, double *y)
{
    double w[DP_STAGES];
    dp_dense(theta, w);
    dp_combine(f->N, f->y, delta, DP_STAGES, w, f->k, y);
}

/* ---- back to J ---------------------------------------------------------------------------------- */

// whether the gaps of J are closed to rounding; d := what is missing
static bool held_closed(flight *f, const double *q)
{
    const mo_system *s = f->s;
    bool closed = true;
    for (size_t j = 0; j < f->count; j++) {
        size_t a = f->list[j];
        double size = 0;
        for (size_t i = 0; i < f->n; i++)
            size += fabs(s->G[a * f->n + i] * q[i]);
        f->d[j] = -s->g[a];
        closed = closed && fabs(s->g[a]) <= 2 * EPS * size;
    }
    return closed;
}

static mo_status return_position(flight *f, bool *stuck)
{
    mo_system *s = f->s;
    double *q = f->y;
    for (int i = 0;; i++) {
        mo_status status = system_rows(s, f->t, q, f->err);
        if (status == MO_OK && i == 0)
            status = system_mass(s, f->t, q, f->err);
        if (status == MO_OK && (i == 0 || !s->rows_known))
            status = factor_held(f, stuck);
        if (status != MO_OK || *stuck || held_closed(f, q) || i == CORRECTIONS)
            return status;
        push_held(f, q);
    }
}

mo_status flight_return(flight *f, bool *stuck)
{
    mo_system *s = f->s;
    size_t n = f->n;
    double *u = f->y + n, *impulse = u + n;
    if (f->count == 0)
        return MO_OK;
    mo_status status = return_position(f, stuck);
    for (int pass = 0; status == MO_OK && !*stuck && pass < 2; pass++) {
        for (size_t j = 0; j < f->count; j++)
            f->d[j] = -gap_rate(s, f->list[j], u) - s->gt[f->list[j]];
        push_held(f, u);
        for (size_t j = 0; j < f->count; j++) {
            size_t a = f->list[j];
            impulse[a] += f->push[j];
            // rates before are -d, rates after are 0
            f->loss += 0.5 * f->d[j] * f->push[j];
            f->y[f->N - 1] -= s->gt[a] * f->push[j];
        }
    }
    return status;
}
