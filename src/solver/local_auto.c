/*
 * `auto`: what is cheap first, what is sure last.
 *
 *   1. nlgs, which ends the easy problems and sees itself when it crawls;
 *   2. newton from there, which ends most others in a few steps;
 *   3. prox from the best point;
 *   4. ipm, which needs no start, and newton behind it;
 *   5. prox from zero, prox in its other ways, nlgs with what iterations are left.
 *
 * Each stage starts from the best point met so far and the best one is handed over.  What is done next
 * depends on residuals and counts only, never on a clock: the same bits every time (max_seconds aside).
 */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "core/fail.h"
#include "solver/local.h"

typedef struct plan {
    local_work *w;
    const mo_solver_settings *s;
    double tol;
    double *best, *trial; /* [n] */
    double residual;      /* of best */
    int used, left;       /* iterations */
    size_t told;          /* characters of the story */
    mo_error *err;
} plan;

/* One stage: a method, from a multiple of the best point so far, with at most so many iterations. */
typedef struct stage {
    const char *name;
    local_method *solve;
    double factor;
    int max_iter;
} stage;

static const stage STAGES[] = {
    {"nlgs", local_nlgs, 1, 250},     {"newton", local_newton_solve, 1, 12}, {"prox", local_prox, 1, 2500},
    {"ipm", local_ipm, 0, 120},       {"newton", local_newton_solve, 1, 50}, {"prox", local_prox, 0, 2500},
    {"prox", local_prox, 1, INT_MAX}, {"nlgs", local_nlgs, 1, INT_MAX},
};

static void tell(plan *p, const char *name, int iterations, double residual)
{
    char *at = p->w->story;
    if (at == NULL || p->told + 40 > p->w->story_room)
        return;
    int length = snprintf(at + p->told, p->w->story_room - p->told, "%s%s %d (%.0e)", p->told > 0 ? ", " : "",
                          name, iterations, residual);
    p->told += length > 0 ? (size_t)length : 0;
}

// runs a stage; the best point is kept
static mo_status attempt(plan *p, const stage *now)
{
    int iterations = 0, most = now->max_iter < p->left ? now->max_iter : p->left;
    if (p->residual <= p->tol || most <= 0 || local_late(p->w))
        return MO_OK;
    for (size_t i = 0; i < p->w->n; i++)
        p->trial[i] = now->factor * p->best[i];
    mo_status status = now->solve(p->w, p->s, most, p->tol, p->trial, &iterations, p->err);
    if (status != MO_OK)
        return status;
    double residual = local_residual(p->w, p->trial);
    tell(p, now->name, iterations, residual);
    p->used += iterations;
    p->left -= iterations;
    if (residual < p->residual) {
        p->residual = residual;
        memcpy(p->best, p->trial, p->w->n * sizeof *p->best);
    }
    return MO_OK;
}

mo_status local_auto(local_work *w, const mo_solver_settings *s, int max_iter, double tol, double *r,
                     int *iterations, mo_error *err)
{
    plan p = {.w = w, .s = s, .tol = tol, .left = max_iter, .err = err};
    p.best = arena_push(&w->memory, w->n, sizeof *p.best);
    p.trial = arena_push(&w->memory, w->n, sizeof *p.trial);
    if (p.best == NULL || p.trial == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for %zu contacts", w->p->contacts);
    memcpy(p.best, r, w->n * sizeof *r);
    p.residual = local_residual(w, r);
    mo_status status = MO_OK;
    for (size_t k = 0; k < sizeof STAGES / sizeof STAGES[0] && status == MO_OK; k++)
        status = attempt(&p, &STAGES[k]);
    if (status == MO_OK)
        memcpy(r, p.best, w->n * sizeof *r);
    *iterations = p.used;
    return status;
}
