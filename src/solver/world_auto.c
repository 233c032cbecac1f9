/*
 *   1. nlgs, which ends most steps;
 *   2. where at its pace it would need many more sweeps: sweeps with extrapolation
 *      (local_anderson.h), without a matrix like nlgs;
 *   3. nlgs again, with means where sweeps run in circles, for what a few factors would cost;
 *   4. where that does not do either and W has few enough blocks to be factored: the methods of the local
 *      form, the quick one first, the sure ones after it;
 *   5. nlgs with what iterations are left.
 *
 * What is done next depends on residuals and counts only, never on a clock.
 */
#include "solver/world_auto.h"

#include <math.h>

#include "problem/delassus.h"
#include "solver/world_extrapolate.h"
#include "solver/world_local.h"

/* Sweeps before the first judgement, and between two at least. */
enum { JUDGE_AFTER = 40, JUDGE_EVERY = 24 };

/* More sweeps to come than this, and another method is tried: what that costs, in sweeps. */
enum { WORTH = 150 };

/* Blocks of W up to which it is formed and factored: a matter of memory. */
enum { BLOCKS_2D = 300000, BLOCKS_3D = 100000 };

/* Steps of methods that factor matrices may cost that many times what max_iter sweeps would. */
enum { DEAR = 30, FEWEST = 20, FIRST_STEPS = 600 };

/* Sweeps before that may cost that many of them. */
enum { CHEAP = 8 };

typedef struct judge {
    const solve_job *job;
    double tol;
    int worth;
    int at, next;    /* iterations at the last judgement and at the next one */
    double residual; /* at the last one */
} judge;

// whether, at the pace since the last judgement, more than `worth` sweeps would be needed
static bool crawls(void *data, const mo_solver_info *info)
{
    judge *j = data;
    double now = info->certificate.residual;
    if (job_stopped(j->job))
        return true;
    if (j->at == 0) {
        j->at = info->iterations;
        j->residual = now;
        return false;
    }
    if (info->iterations < j->next)
        return false;
    double pace = log(j->residual / now) / (info->iterations - j->at), left = log(now / j->tol);
    j->at = info->iterations;
    j->next = info->iterations + JUDGE_EVERY;
    j->residual = now;
    return !(left <= pace * j->worth);
}

// what a step with new factors costs, in sweeps; measured on discs, boxes, balls
static double step_cost(const step_problem *p)
{
    return 20 + (p->dim == 2 ? 0.005 : 0.4) * (double)p->contacts;
}

// the methods of the local form, the quick one first, as far as they are worth while
static void direct(const solve_job *j, mo_solver_info *info)
{
    size_t most = j->p->dim == 2 ? BLOCKS_2D : BLOCKS_3D;
    int steps = (int)fmin(DEAR * (double)j->settings->max_iter / step_cost(j->p), 1e6);
    if (steps < FEWEST || delassus_blocks(j->p, j->memory) > most)
        return;
    const local_limits quick = {"prox", least_int(FIRST_STEPS, steps), 2};
    const int before = info->handed_over;
    if (!local_solve(j, &quick, info) || job_over(j, info))
        return;
    const local_limits sure = {"auto", steps - (info->handed_over - before), 3};
    if (sure.max_iter >= FEWEST)
        local_solve(j, &sure, info);
}

// nlgs up to so many iterations, with what is left of time
static void sweep_on(const solve_job *j, int max_iter, mo_solver_info *info)
{
    mo_solver_settings rest = *j->settings;
    rest.max_iter = least_int(rest.max_iter, max_iter);
    rest.max_seconds = j->until > 0 ? fmax(j->until - seconds_now(), 1e-9) : 0;
    solve_job job = *j;
    nlgs_iterate(j->p, &rest, j->threads, j->sums, job_leave, &job, info);
}

void auto_solve(const solve_job *j, mo_solver_info *info)
{
    // the tolerance that sweeps can reach
    judge leave = {.job = j, .tol = fmax(j->settings->tol, 1e-14), .worth = WORTH, .next = JUDGE_AFTER};
    double *spare = j->p->spare;
    // extrapolation does better than steps in subspaces: these are left for the end
    j->p->spare = NULL;
    nlgs_iterate(j->p, j->settings, j->threads, j->sums, crawls, &leave, info);
    j->p->spare = spare;
    if (!job_over(j, info))
        extrapolate(j, info);
    // where sweeps run in circles, means of them often end that, for less than a few steps with new factors
    j->p->spare = NULL;
    if (!job_over(j, info))
        sweep_on(j, info->iterations + (int)fmin(CHEAP * step_cost(j->p), 1e6), info);
    j->p->spare = spare;
    if (!job_over(j, info))
        direct(j, info);
    if (!job_over(j, info))
        sweep_on(j, j->settings->max_iter, info);
}
