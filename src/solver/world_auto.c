/*
 *   1. nlgs, which ends most steps;
 *   2. where at its pace it would need many more sweeps: sweeps with extrapolation or momentum
 *      (world_extrapolate.h), without a matrix like nlgs;
 *   3. in 2D, and where factors are dear, nlgs again, with means where sweeps run in circles, for what a few
 *      factors would cost, and on as long as that brings it nearer;
 *   4. where that does not do either and W has few enough blocks to be factored: the methods of the local
 *      form, the quick one first, the sure ones after it;
 *   5. nlgs with what iterations are left.
 *
 * What is done next depends on residuals and counts only, never on a clock.
 */
#include "solver/world_auto.h"

#include <math.h>

#include "problem/delassus.h"
#include "problem/delassus_root.h"
#include "problem/extra.h"
#include "solver/world_extrapolate.h"
#include "solver/world_local.h"

/* Sweeps before the first judgement, and between two at least. */
enum { JUDGE_AFTER = 40, JUDGE_EVERY = 24 };

/* More sweeps to come than this, and another method is tried: what that costs, in sweeps. */
enum { WORTH = 150 };

/* Blocks of W up to which it is formed and factored: a matter of memory.  Bodies with many contacts each have
   many blocks, but factors that are not much larger: MORE_BLOCKS for up to FEW_CONTACTS. */
enum { BLOCKS_2D = 300000, BLOCKS_3D = 100000, MORE_BLOCKS = 600000, FEW_CONTACTS = 6000 };

/* Steps of methods that factor matrices may cost that many times what max_iter sweeps would; fewer for digits
   beyond the tolerance. */
enum { DEAR_2D = 100, DEAR_3D = 30, DEAR_POLISH = 10, FEWEST = 20, FIRST_STEPS = 600 };

/* In 3D a quarter of these are for prox, or FEWEST with MANY contacts, half of them where factors are over
   bodies; then so many for interior points, which beside cheap steps of prox are to be quick. */
enum { MANY = 1000, INNER_STEPS = 120, INNER_STEPS_BODIES = 50 };

/*
 * Share of the tolerance that they aim at: near a solution a step or two more often do, the next time step
 * begins there, and stacks at rest stay at rest.  But each digit may take as many steps as the last one did:
 * in 2D, and where factors are over bodies, with more than FEW contacts this is over after BRIEF steps, and
 * what is good enough is taken.
 */
enum { FEW = 256, BRIEF = 60 };
static const double AIM_FIRST = 1e-2, AIM = 0.5;

/*
 * Sweeps before that may cost CHEAP of them; in 3D one step in twenty would end there, and they are left out
 * unless they are within NEAR tol or a step with factors costs more than COSTLY sweeps.  In 2D, and where
 * factors are over bodies, with more than FEW contacts as much again is spent within NEAR tol, or when that
 * halved the residual, up to OFTEN times and a part of max_iter.
 */
enum { CHEAP = 8, OFTEN = 25, PART = 2, COSTLY = 150 };
static const double NEAR = 10;

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

// what a step with new factors costs, in sweeps, W having so many blocks; measured on discs, boxes, balls.
// Where each contact has to do with many others rows of factors are at least that long.
static double step_cost(const step_problem *p, size_t blocks)
{
    const double contacts = (double)p->contacts, all = (double)problem_unknowns(p) / p->dim;
    const double row = contacts > 0 ? (double)blocks / contacts * all / contacts : all;
    return p->dim == 2 ? 20 + 0.05 * all + 0.005 * row * row : 20 + 0.4 * all + 0.015 * row * row;
}

// the same with factors over bodies; measured on walls, pyramids, heaps of cubes
static double step_cost_bodies(const step_problem *p, size_t bodies)
{
    return 20 + (p->dim == 2 ? 0.05 : 0.15) * (double)bodies;
}

/* What methods with factors cost. */
typedef struct price {
    size_t blocks;    /* of W */
    bool over_bodies; /* factors are */
    bool fine;        /* digits beyond the tolerance are worth while */
    double step;      /* in sweeps */
} price;

static price find_price(const solve_job *j)
{
    const size_t bodies = delassus_root_bodies(j->p, j->memory);
    price out = {.blocks = delassus_blocks(j->p, j->memory), .over_bodies = delassus_root_pays(j->p, bodies)};
    out.fine = j->p->contacts <= FEW || (j->p->dim == 3 && !out.over_bodies);
    out.step = out.over_bodies ? step_cost_bodies(j->p, bodies) : step_cost(j->p, out.blocks);
    return out;
}

// whether W has few enough blocks to be formed and factored
static bool may_factor(const step_problem *p, const price *t)
{
    const bool more = t->over_bodies || p->contacts <= FEW_CONTACTS;
    return t->blocks <= (p->dim == 2 ? BLOCKS_2D : more ? MORE_BLOCKS : BLOCKS_3D);
}

// so many steps of all are for prox
static int share_of_prox(const step_problem *p, const price *t, int steps)
{
    if (p->dim == 2)
        return steps;
    if (t->over_bodies)
        return steps / 2;
    return p->contacts > MANY ? FEWEST : steps / 4;
}

// the methods of the local form, the quick one first, as far as they are worth while: so many steps
static void direct(const solve_job *j, const price *t, int steps, mo_solver_info *info)
{
    if (steps < FEWEST)
        return;
    const int before = info->handed_over;
    const bool finely = t->fine;
    const int share = share_of_prox(j->p, t, steps);
    const local_limits first = {"prox", least_int(finely ? FIRST_STEPS : BRIEF, share), 2, AIM_FIRST};
    if (!local_solve(j, &first, info))
        return;
    const int within = t->over_bodies ? INNER_STEPS_BODIES : INNER_STEPS;
    const local_limits inner = {"ipm", least_int(within, steps - (info->handed_over - before)), 2, AIM};
    if (!job_over(j, info) && j->p->dim == 3 && inner.max_iter >= FEWEST)
        local_solve(j, &inner, info);
    const local_limits then = {"prox", least_int(FIRST_STEPS, steps) - (info->handed_over - before), 2, AIM};
    if (!job_over(j, info) && !finely && then.max_iter >= FEWEST)
        local_solve(j, &then, info);
    const local_limits sure = {"auto", steps - (info->handed_over - before), 3, finely ? AIM_FIRST : AIM};
    if (!job_over(j, info) && sure.max_iter >= FEWEST)
        local_solve(j, &sure, info);
}

// nlgs up to so many iterations, with what is left of time
static void sweep_on(const solve_job *j, int max_iter, nlgs_leave *leave, void *data, mo_solver_info *info)
{
    mo_solver_settings rest = *j->settings;
    rest.max_iter = least_int(rest.max_iter, max_iter);
    rest.max_seconds = j->until > 0 ? fmax(j->until - seconds_now(), 1e-9) : 0;
    // extrapolation does better than steps in subspaces: these are left for the end
    double *spare = j->p->spare;
    j->p->spare = leave == job_leave ? spare : NULL;
    nlgs_iterate(j->p, &rest, j->threads, j->sums, leave, data, info);
    j->p->spare = spare;
}

// nlgs as long as its pace does
static void first_sweeps(const solve_job *j, mo_solver_info *info)
{
    // the tolerance that sweeps can reach
    judge pace = {.job = j, .tol = fmax(j->settings->tol, 1e-14), .worth = WORTH, .next = JUDGE_AFTER};
    sweep_on(j, j->settings->max_iter, crawls, &pace, info);
}

typedef struct hope {
    const solve_job *job;
    int every, next;        /* iterations between two judgements, at the next one */
    double least, residual; /* least one seen, that at the last judgement */
} hope;

// whether sweeps have been given what they were worth
static bool spent(void *data, const mo_solver_info *info)
{
    hope *h = data;
    h->least = fmin(h->least, info->certificate.residual);
    if (job_stopped(h->job))
        return true;
    if (info->iterations < h->next)
        return false;
    bool good = h->least <= fmax(NEAR * h->job->settings->tol, 0.5 * h->residual);
    h->residual = h->least;
    h->next += h->every;
    return !good;
}

// sweeps, with means where they run in circles: often that does, for less than a few steps with new factors
static void means(const solve_job *j, const price *t, mo_solver_info *info)
{
    // something is left for factors
    const int every = least_int((int)fmin(CHEAP * t->step, 1e6), j->settings->max_iter / PART);
    const int most = t->fine ? every : least_int(OFTEN * every, j->settings->max_iter / PART);
    hope h = {.job = j, .every = every, .next = info->iterations + every};
    h.least = h.residual = info->certificate.residual;
    sweep_on(j, info->iterations + (most > every ? most : every), spent, &h, info);
}

// the stages that are dear, whose steps with factors may cost `dear` times what max_iter sweeps would
static void slow_stages(const solve_job *j, int dear, mo_solver_info *info)
{
    const price t = find_price(j);
    if (j->p->dim == 2 || t.step > COSTLY || info->certificate.residual <= NEAR * j->settings->tol)
        means(j, &t, info);
    if (!job_over(j, info) && may_factor(j->p, &t))
        direct(j, &t, (int)fmin(dear * (double)j->settings->max_iter / t.step, 1e6), info);
}

// nlgs, then ahead of it
static void quick_stages(const solve_job *j, mo_solver_info *info)
{
    first_sweeps(j, info);
    if (!job_over(j, info))
        extrapolate(j, info);
}

void auto_settle(const solve_job *j, mo_solver_info *info)
{
    quick_stages(j, info);
    // no more than polish: all of them only where they are cheap
    if ((j->p->dim == 3 || j->p->contacts <= FEW) && !job_over(j, info))
        slow_stages(j, DEAR_POLISH, info);
}

void auto_solve(const solve_job *j, mo_solver_info *info)
{
    solve_job job = *j;
    quick_stages(j, info);
    if (!job_over(j, info))
        slow_stages(j, j->p->dim == 2 ? DEAR_2D : DEAR_3D, info);
    if (!job_over(j, info))
        sweep_on(j, j->settings->max_iter, job_leave, &job, info);
}
