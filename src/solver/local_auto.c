/*
 * `auto`: what is cheap first, what is sure last.
 *
 *   1. nlgs, which ends the easy problems and sees itself when it crawls; apgd where factors are dear;
 *   2. newton from there in 2D, where its function is piecewise linear, and where there are many contacts;
 *      elsewhere prox, which contains it, does as well;
 *   3. prox from the best point, as long as it is about to get there; in 2D lemke, and both again in turn;
 *   4. ipm, which needs no start, and newton behind it;
 *   5. prox from the best point and from zero with patience, then in its other ways, nlgs with what
 *      iterations are left;
 *   in 3D with many contacts, where factors fill, nlgs and apgd in turn instead.
 *
 * Each stage starts from the best point met so far and the best one is handed over.  What is done next
 * depends on residuals and counts only, never on a clock: the same bits every time (max_seconds aside).
 */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/fail.h"
#include "math/vec.h"
#include "solver/local_linear.h"

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
    size_t contacts; /* at least */
} stage;

static const stage STAGES[] = {
    {"nlgs", local_nlgs, 1, 250, 0},          {"newton", local_newton_solve, 1, 12, 1000},
    {"prox", local_prox, 1, 100, 0},          {"ipm", local_ipm, 0, 120, 0},
    {"newton", local_newton_solve, 1, 50, 0}, {"prox", local_prox, 1, 2500, 0},
    {"prox", local_prox, 0, 2500, 0},         {"prox", local_prox, 1, INT_MAX, 0},
    {"nlgs", local_nlgs, 1, INT_MAX, 0},
};

/* In 2D with up to so many contacts paths of pivots come to solutions that repel proximal points, and these
 * end what is a long path. */
enum { MOST_PLANE = 600 };
static const stage PLANE[] = {
    {"nlgs", local_nlgs, 1, 250, 0},   {"newton", local_newton_solve, 1, 12, 0},
    {"prox", local_prox, 1, 200, 0},   {"lemke", local_lemke, 1, 1500, 0},
    {"prox", local_prox, 1, 800, 0},   {"lemke", local_lemke, 1, 3000, 0},
    {"ipm", local_ipm, 0, 120, 0},     {"newton", local_newton_solve, 1, 50, 0},
    {"prox", local_prox, 1, 2500, 0},  {"prox", local_prox, 0, 2500, 0},
    {"prox", local_prox, 1, 10000, 0}, {"lemke", local_lemke, 1, INT_MAX, 0},
};

/* With more of them most paths are long: short ones only, and patience with proximal points before the
 * others; with more than this there are no others. */
enum { MOST_PIVOTED = 3000 };
static const stage WIDE_PLANE[] = {
    {"nlgs", local_nlgs, 1, 250, 0},   {"newton", local_newton_solve, 1, 12, 0},
    {"prox", local_prox, 1, 200, 0},   {"lemke", local_lemke, 1, 100, 0},
    {"ipm", local_ipm, 0, 120, 0},     {"newton", local_newton_solve, 1, 50, 0},
    {"prox", local_prox, 1, 2500, 0},  {"prox", local_prox, 0, 2500, 0},
    {"prox", local_prox, 1, 10000, 0}, {"lemke", local_lemke, 1, INT_MAX, 0},
};

/* In 3D with many contacts factors would fill: by products and sweeps only, in time and memory that grow with
 * the blocks of W. */
static const stage LARGE[] = {
    {"nlgs", local_nlgs, 1, 800, 0},
    {"apgd", local_apgd, 1, 3000, 0},
    {"nlgs", local_nlgs, 1, 3000, 0},
    {"apgd", local_apgd, 1, INT_MAX, 0},
};
enum { FEWEST_LARGE = 4000 };

/* Unless the factors have no more than FEW_BLOCKS for each of up to FEW_CONTACTS: towers, walls. */
enum { FEW_BLOCKS = 60, FEW_CONTACTS = 20000 };

/* With that many contacts, and where factors are at least DEAR times as dear as a product with W, apgd comes
 * before all that needs them, with as many iterations as GRADIENTS factors would pay for. */
enum { FEWEST_DEAR = 300, DEAR = 80, GRADIENTS = 8, MOST_GRADIENTS = 3000 };

/* Stages one after the other, and how many before it is asked whether there is a solution at all. */
typedef struct sequence {
    const stage *stages;
    size_t count, patient;
} sequence;

static const sequence SPACE_SEQUENCE = {STAGES, sizeof STAGES / sizeof *STAGES, 5},
                      PLANE_SEQUENCE = {PLANE, sizeof PLANE / sizeof *PLANE, 4},
                      WIDE_PLANE_SEQUENCE = {WIDE_PLANE, sizeof WIDE_PLANE / sizeof *WIDE_PLANE, 4},
                      LARGE_SEQUENCE = {LARGE, sizeof LARGE / sizeof *LARGE, 3};

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
    if (p->w->p->contacts < now->contacts)
        return MO_OK;
    for (size_t i = 0; i < p->w->n; i++)
        p->trial[i] = now->factor * p->best[i];
    p->w->known = HUGE_VAL;
    mo_status status = now->solve(p->w, p->s, most, p->tol, p->trial, &iterations, p->err);
    if (status != MO_OK)
        return status;
    double residual = p->w->known < HUGE_VAL ? p->w->known : local_residual(p->w, p->trial);
    tell(p, now->name, iterations, residual);
    p->used += iterations;
    p->left -= iterations;
    if (residual < p->residual) {
        p->residual = residual;
        memcpy(p->best, p->trial, p->w->n * sizeof *p->best);
    }
    return MO_OK;
}

// after some stages: no other will do where there is a proof that nothing does
static mo_status doubt(plan *p)
{
    if (p->residual <= p->tol || p->w->explained || local_late(p->w))
        return MO_OK;
    mo_status status = local_explain(p->w, p->best, p->err);
    if (p->w->witness.proves)
        p->left = 0;
    return status;
}

static bool has_many(const local_work *w)
{
    return w->p->dim == 3 && w->p->contacts >= FEWEST_LARGE;
}

// whether factors would fill; takes as long as a few sweeps
static bool fills(local_work *w)
{
    return w->p->contacts > FEW_CONTACTS || local_linear_fill(w) > FEW_BLOCKS;
}

// gradients where sweeps have not done and factors are dear: walls of bricks
static mo_status spare_factors(plan *p)
{
    if (p->residual <= p->tol || p->w->p->contacts < FEWEST_DEAR || local_late(p->w))
        return MO_OK;
    const double dear = local_linear_dearness(p->w);
    if (!isfinite(dear) || dear < DEAR)
        return MO_OK;
    return attempt(p, &(stage){"apgd", local_apgd, 1, (int)fmin(GRADIENTS * dear, MOST_GRADIENTS), 0});
}

// those after the first stage, whose sweeps may have done
static const sequence *choose(const plan *p)
{
    if (p->w->p->dim == 2 && p->w->p->contacts <= MOST_PIVOTED)
        return p->w->p->contacts <= MOST_PLANE ? &PLANE_SEQUENCE : &WIDE_PLANE_SEQUENCE;
    return has_many(p->w) && p->residual > p->tol && fills(p->w) ? &LARGE_SEQUENCE : &SPACE_SEQUENCE;
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
    // from nothing the first sweep is as cheap as a look
    p.residual = vec_all_zero(w->n, r) ? HUGE_VAL : local_residual(w, r);
    mo_status status = attempt(&p, has_many(w) ? &LARGE[0] : &STAGES[0]);
    const sequence *order = choose(&p);
    if (status == MO_OK && order != &LARGE_SEQUENCE)
        status = spare_factors(&p);
    for (size_t k = 1; k < order->count && status == MO_OK; k++) {
        status = attempt(&p, &order->stages[k]);
        if (k + 1 == order->patient && status == MO_OK)
            status = doubt(&p);
    }
    if (status == MO_OK)
        memcpy(r, p.best, w->n * sizeof *r);
    *iterations = p.used;
    return status;
}
