/*
 * Proximal points, in the scaled variables of local_linear.h: each step solves the problem with Ws + alpha I
 * in place of Ws and D q - alpha x_k in place of D q by Newton's method from x_k (Rockafellar, SIAM J.
 * Control Optim. 14 (1976) 877-898; the law being nonassociated there is no proof).  alpha falls when Newton
 * gets there, by halves until it did not for the first time, and grows when it does not.  Where a step hardly
 * lowers the residual it is doubled: the over-relaxed method crosses regions where the residual is small
 * without a solution near.
 */
#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "solver/local_newton.h"

/* One way to go, tried one after the other. */
typedef struct way {
    double rho, alpha; /* of Newton's function; the first one */
    double fall, rise; /* of alpha, once Newton's method has failed */
    double tol;        /* Newton's, as a share of the residual */
} way;

static const way WAYS[] = {{3, 0.1, 0.8, 3, 0.5},
                           {3, 0.1, 0.5, 2, 0.1},
                           {1, 0.1, 0.5, 2, 0.1},
                           {2, 1, 0.5, 2, 0.1},
                           {5, 1, 0.5, 2, 0.1}};
enum { WAY_COUNT = sizeof WAYS / sizeof WAYS[0], INNER = 15, MOST_OF_A_WAY = 2500 };

/* A step that leaves more than SLOW of the residual is doubled. */
static const double SLOW = 0.8, FINER = 0.01, LARGEST_ALPHA = 1e6;

typedef struct walk {
    local_work *w;
    double *x, *centre, *r, *best; /* [n] */
    double residual, best_residual;
    double tol;
    bool fresh;     /* w->u is that of x */
    double finer;   /* share of what Newton's tolerance would be */
    int used, most; /* Newton steps */
    mo_error *err;
} walk;

// one proximal step; *good: it got there or is worth keeping
static mo_status step(walk *k, const way *how, double alpha, bool *good)
{
    local_work *w = k->w;
    int left = k->most - k->used;
    newton_run run = {.rho = how->rho,
                      .alpha = alpha,
                      .centre = k->centre,
                      .u = k->fresh ? w->u : NULL,
                      .tol = fmax(fmin(how->tol * k->residual, 1e-3) * k->finer, 1e-15),
                      .max_iter = left < INNER ? left : INNER};
    memcpy(k->centre, k->x, w->n * sizeof *k->x);
    mo_status status = local_newton_run(w, &run, k->x, k->err);
    if (status != MO_OK)
        return status;
    k->used += run.iterations > 0 ? run.iterations : 1;
    // nothing was left to do: what the residual asks for is not seen in Newton's function yet
    k->finer *= run.arrived && run.iterations == 0 ? FINER : 1;
    local_linear_unscale(w, k->x, k->r);
    double now = local_residual(w, k->r), before = k->residual;
    if (now < k->best_residual) {
        k->best_residual = now;
        memcpy(k->best, k->r, w->n * sizeof *k->best);
    }
    const bool twice = run.arrived && now > SLOW * before;
    *good = run.arrived || now < 0.5 * before;
    k->fresh = *good && !twice;
    if (!*good) {
        memcpy(k->x, k->centre, w->n * sizeof *k->x);
        return MO_OK;
    }
    k->residual = now;
    for (size_t i = 0; twice && i < w->n; i++)
        k->x[i] += k->x[i] - k->centre[i];
    return MO_OK;
}

// walks from r in one way until the tolerance or the end of its share
static mo_status go(walk *k, const way *how, const double *r)
{
    local_work *w = k->w;
    double alpha = how->alpha;
    bool failed = false;
    local_linear_scale(w, r, k->x);
    k->residual = local_residual(w, r);
    k->fresh = true;
    k->finer = 1;
    while (k->used < k->most && k->best_residual > k->tol && alpha < LARGEST_ALPHA && !local_late(w)) {
        bool good;
        mo_status status = step(k, how, alpha, &good);
        if (status != MO_OK)
            return status;
        failed |= !good;
        alpha *= !good ? how->rise : failed ? how->fall : 0.5;
    }
    return MO_OK;
}

mo_status local_prox(local_work *w, const mo_solver_settings *settings, int max_iter, double tol, double *r,
                     int *iterations, mo_error *err)
{
    (void)settings;
    mo_status status = local_linear_prepare(w, err);
    if (status != MO_OK)
        return status;
    arena_mark mark = arena_here(&w->memory);
    double *room = arena_push(&w->memory, 4 * w->n, sizeof *room);
    if (room == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for %zu contacts", w->p->contacts);
    walk k = {.w = w, .x = room, .centre = room + w->n, .r = room + 2 * w->n, .best = room + 3 * w->n};
    k.tol = tol;
    k.err = err;
    k.best_residual = local_residual(w, r);
    memcpy(k.best, r, w->n * sizeof *r);
    for (size_t i = 0; i < WAY_COUNT && status == MO_OK && k.best_residual > tol; i++) {
        k.most = max_iter - k.used < MOST_OF_A_WAY ? max_iter : k.used + MOST_OF_A_WAY;
        status = go(&k, &WAYS[i], r);
    }
    memcpy(r, k.best, w->n * sizeof *r);
    *iterations = k.used;
    arena_back(&w->memory, mark);
    return status;
}
