/*
 * A proof that a problem has no solution, where there is one (mo_problem_witness).
 *
 * With W symmetric and positive semidefinite z.W z = 0 is W z = 0: the question is the same without friction,
 * where the problem is a convex quadratic program.  Its proximal points x_k drift away exactly when there is
 * no solution, and their steps x_{k+1} - x_k then tend to a direction d >= 0, W d = 0, d.q < 0 (Pazy, Israel
 * J. Math. 9 (1971) 235-240).  What is left of W d is taken away by proximal points
 * without load from d, which tend to the nearest vector of that kind.  mo_problem_check_witness has the last
 * word; nothing is said of a W that is not symmetric to rounding.
 */
#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "math/vec.h"
#include "problem/local.h"
#include "solver/local_newton.h"

/* Proximal steps with the load; without it; Newton's steps for one and for all.  Weights of the proximal
 * terms, in scaled variables; Newton's tolerance. */
enum { DRIFTS = 30, PURGES = 4, INNER_STEPS = 200, ALL_STEPS = 1500 };
static const double LEAST_WEIGHT = 1e-6, LIGHTER = 0.25, PURGE_WEIGHT = 1e-7, INNER_ACCURACY = 1e-15;

/* Weight times drift are the velocities that drive it.  They tend to 0 where there is a solution, and are
 * taken for that when they are so much smaller than the load; where there is none they tend to a length that
 * is not 0: while a step leaves less than FALLS of them it is too early to say.  W may change so much of a
 * drift that is worth a closer look. */
static const double STILL = 1e-9, WORTH_A_LOOK = 1e-2, FALLS = 0.5;

typedef struct drift {
    local_work *w;
    double *x, *centre, *d, *z; /* [n] scaled; z [contacts] in units of impulse */
    int left;                   /* steps of Newton's method */
    bool arrived;               /* it did in the last step */
    mo_error *err;
} drift;

// x := the proximal point of centre
static mo_status step(drift *k, double weight)
{
    int most = INNER_STEPS < k->left ? INNER_STEPS : k->left;
    newton_run run = {
        .alpha = weight, .centre = k->centre, .rho = 1, .tol = INNER_ACCURACY, .max_iter = most};
    mo_status status = local_newton_run(k->w, &run, k->x, k->err);
    k->left -= run.iterations;
    k->arrived = run.arrived;
    return status;
}

// z from d: the normal part in units of impulse, the largest 1; false: there is none
static bool set_witness(drift *k)
{
    const local_work *w = k->w;
    size_t dim = (size_t)w->p->dim;
    double largest = 0;
    for (size_t c = 0; c < w->p->contacts; c++) {
        k->z[c] = fmax(w->linear->d[c] * k->d[dim * c], 0);
        largest = fmax(largest, k->z[c]);
    }
    // what is all rounding counts as 0
    for (size_t c = 0; c < w->p->contacts; c++)
        k->z[c] = k->z[c] > 1e-12 * largest ? k->z[c] / largest : 0;
    return largest > 0 && isfinite(largest);
}

// takes from d what W changes; where Newton's method does not get there it will not the next time either
static mo_status purge(drift *k)
{
    local_linear *t = k->w->linear;
    size_t dim = (size_t)k->w->p->dim;
    double *load = t->scaled.q;
    const double size = vec_max_abs(k->w->n, k->d);
    mo_status status = MO_OK;
    for (size_t i = 0; i < k->w->n; i++)
        k->centre[i] = i % dim == 0 ? fmax(k->d[i] / size, 0) : 0;
    memcpy(k->d, k->centre, k->w->n * sizeof *k->d);
    double *x = k->x;
    k->x = k->d;
    t->scaled.q = t->zero;
    k->arrived = true;
    for (int i = 0; i < PURGES && status == MO_OK && k->arrived; i++) {
        status = step(k, PURGE_WEIGHT);
        memcpy(k->centre, k->d, k->w->n * sizeof *k->d);
    }
    t->scaled.q = load;
    k->x = x;
    return status;
}

// whether d, cleaned, proves it; k->centre: scratch
static mo_status judge(drift *k, mo_problem_witness *out)
{
    size_t n = k->w->n;
    local_linear_product(k->w, k->d, k->centre);
    if (vec_norm_in_order(n, k->centre) > WORTH_A_LOOK * vec_norm_in_order(n, k->d))
        return MO_OK;
    mo_status status = purge(k);
    if (status == MO_OK && set_witness(k))
        status = problem_witness(k->w->p, k->z, out, k->err);
    return status;
}

// looks at the drift after each step
static mo_status follow(drift *k, mo_problem_witness *out)
{
    const local_work *w = k->w;
    mo_status status = MO_OK;
    double weight = 1, driven = 0;
    const double load = vec_max_abs(w->n, w->linear->scaled.q);
    memset(k->x, 0, w->n * sizeof *k->x);
    for (int i = 0; i < DRIFTS && k->left > 0 && status == MO_OK && !out->proves; i++) {
        const double before = driven;
        memcpy(k->centre, k->x, w->n * sizeof *k->x);
        status = step(k, weight);
        for (size_t j = 0; j < w->n; j++)
            k->d[j] = k->x[j] - k->centre[j];
        driven = weight * vec_max_abs(w->n, k->d);
        if (status != MO_OK || !(driven > STILL * load) || local_late(w))
            return status;
        weight = fmax(LIGHTER * weight, LEAST_WEIGHT);
        if (driven >= FALLS * before)
            status = judge(k, out);
    }
    return status;
}

mo_status local_witness(local_work *w, double *z, mo_problem_witness *out, mo_error *err)
{
    const mo_problem *given = w->p;
    mo_problem smooth = *given;
    *out = (mo_problem_witness){0};
    mo_status status = local_linear_prepare(w, err);
    if (status != MO_OK)
        return status;
    arena_mark mark = arena_here(&w->memory);
    double *room = arena_push(&w->memory, 3 * w->n, sizeof *room);
    smooth.mu = arena_push_zero(&w->memory, given->contacts, sizeof *smooth.mu);
    if (room == NULL || smooth.mu == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for %zu contacts", given->contacts);
    drift k = {.w = w,
               .x = room,
               .centre = room + w->n,
               .d = room + 2 * w->n,
               .z = z,
               .left = ALL_STEPS,
               .err = err};
    memset(z, 0, given->contacts * sizeof *z);
    w->p = &smooth;
    status = follow(&k, out);
    w->p = given;
    arena_back(&w->memory, mark);
    return status;
}
