#include "solver/nlgs.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "core/timer.h"
#include "problem/apply.h"
#include "problem/certificate.h"
#include "solver/contact2d.h"
#include "solver/subspace.h"

/*
 * CHUNK: contacts a thread takes at once.  FIRST: sweeps before the first look, also when the guess is good
 * enough: in an assembly at rest the impulses then become better from step to step, for little.  LONGEST:
 * most sweeps between two looks.
 */
enum { CHUNK = 512, FIRST = 8, LONGEST = 16 };

/* A residual below this that no longer falls is rounding. */
static const double ROUNDING = 1e-13;

/*
 * With friction the sweeps can run into a cycle.  A residual that in PATIENCE looks has not lost a tenth is
 * taken for one; then S becomes the mean of the next FIRST_MEAN sweeps (twice as many each time, up to
 * LAST_MEAN), which lies in the middle of the cycle, and the sweeps go on from there.
 */
enum { PATIENCE = 12, FIRST_MEAN = 64, LAST_MEAN = 1024 };

/*
 * Where plain sweeps crawl, a step in the subspace of the present statuses (solver/subspace.h) is tried after
 * SUBSPACE_AFTER sweeps, followed by SMOOTH sweeps that mend statuses; it is undone unless the residual
 * falls, and tried again after as many sweeps as were made.
 */
enum { SUBSPACE_AFTER = 64, SMOOTH = 8 };

typedef struct range_job {
    step_problem *p;
    size_t begin;
    bool two;
} range_job;

static inline void relax(const contact2 *c, velocity2 *v, double *S, bool two)
{
    double U[2], SN, ST;
    local_velocity(c, v, two, U);
    double bN = U[0] - (c->H[0] * S[0] + c->H[1] * S[1]);
    double bT = U[1] - (c->H[1] * S[0] + c->H[2] * S[1]);
    contact2_solve(c, bN, bT, &SN, &ST);
    apply_impulse(c, v, two, SN - S[0], ST - S[1]);
    S[0] = SN;
    S[1] = ST;
}

static void relax_range(void *data, size_t chunk, size_t begin, size_t end)
{
    (void)chunk;
    const range_job *job = data;
    step_problem *p = job->p;
    const contact2 *c = p->contact + job->begin;
    double *S = p->S + 2 * job->begin;
    // the flag is a constant in each loop, so that each is compiled on its own
    if (job->two)
        for (size_t i = begin; i < end; i++)
            relax(&c[i], p->velocity, &S[2 * i], true);
    else
        for (size_t i = begin; i < end; i++)
            relax(&c[i], p->velocity, &S[2 * i], false);
}

static void sweep(step_problem *p, pool *threads)
{
    for (size_t k = 0; k < p->colours; k++) {
        const colour_range *c = &p->colour[k];
        pool *pool_or_none = k < p->parallel_colours ? threads : NULL;
        range_job two = {p, c->begin, true}, one = {p, c->one_body, false};
        parallel_for(pool_or_none, c->one_body - c->begin, CHUNK, relax_range, &two);
        parallel_for(pool_or_none, c->end - c->one_body, CHUNK, relax_range, &one);
    }
}

static void sweep_times(step_problem *p, int sweeps, pool *threads, mo_solver_info *info)
{
    for (int i = 0; i < sweeps; i++)
        sweep(p, threads);
    info->iterations += sweeps;
}

// sweeps until the next look: more and more, since late sweeps gain little
static int until_next_look(int done, int looks, const mo_solver_settings *settings)
{
    int left = settings->max_iter - done, pause = looks < LONGEST ? looks : LONGEST;
    return pause < left ? pause : left;
}

// whether the residual has stopped falling
typedef struct watch {
    double best; /* least residual seen */
    int since;   /* looks since it last fell */
    int length;  /* sweeps of the next mean */
} watch;

static bool stuck(watch *w, double residual)
{
    w->since = residual < 0.9 * w->best ? 0 : w->since + 1;
    w->best = fmin(w->best, residual);
    if (w->since < PATIENCE)
        return false;
    w->since = 0;
    w->best = residual;
    return true;
}

// sweeps after which S is the mean of their results: still in the cones, which are convex
static void mean_sweeps(step_problem *p, watch *w, pool *threads, mo_solver_info *info)
{
    size_t n = 2 * p->contacts;
    for (size_t i = 0; i < n; i++)
        p->scratch[i] = 0;
    for (int k = 0; k < w->length; k++) {
        sweep_times(p, 1, threads, info);
        for (size_t i = 0; i < n; i++)
            p->scratch[i] += p->S[i];
    }
    for (size_t i = 0; i < n; i++)
        p->S[i] = p->scratch[i] / w->length;
    w->length = w->length < LAST_MEAN ? 2 * w->length : LAST_MEAN;
}

static void try_subspace(step_problem *p, double residual, pool *threads, double *sums, mo_solver_info *info)
{
    mo_certificate after;
    memcpy(p->scratch, p->S, 2 * p->contacts * sizeof *p->S);
    // no dearer than the sweeps made so far
    subspace_step(p, info->iterations / 2);
    refresh_velocities(p, threads);
    sweep_times(p, SMOOTH, threads, info);
    certify(p, threads, sums, &after);
    if (after.residual < residual)
        return;
    memcpy(p->S, p->scratch, 2 * p->contacts * sizeof *p->S);
    refresh_velocities(p, threads);
}

void nlgs_solve(step_problem *p, const mo_solver_settings *settings, pool *threads, double *sums,
                mo_solver_info *info)
{
    *info = (mo_solver_info){.converged = true, .finite = true};
    if (p->contacts == 0) {
        refresh_velocities(p, threads);
        return;
    }
    double started = settings->max_seconds > 0 ? seconds_now() : 0, before = INFINITY;
    watch w = {.best = INFINITY, .length = FIRST_MEAN};
    int subspace_at = p->spare != NULL ? SUBSPACE_AFTER : INT_MAX;
    bool fixed = settings->tol == 0 && settings->max_seconds == 0;
    refresh_velocities(p, threads);
    sweep_times(p, fixed || settings->max_iter < FIRST ? settings->max_iter : FIRST, threads, info);
    for (int looks = 1;; looks++) {
        // the look also takes the rounding of the sweeps out of the velocities
        certify(p, threads, sums, &info->certificate);
        double residual = info->certificate.residual;
        info->finite = isfinite(residual);
        info->converged = residual <= settings->tol || (residual < ROUNDING && residual > 0.5 * before);
        info->capped_time = settings->max_seconds > 0 && seconds_now() - started > settings->max_seconds;
        if (info->converged || !info->finite || info->capped_time || info->iterations >= settings->max_iter)
            return;
        before = residual;
        int left = settings->max_iter - info->iterations;
        if (info->iterations >= subspace_at && SMOOTH <= left) {
            try_subspace(p, residual, threads, sums, info);
            subspace_at = 3 * info->iterations / 2;
        } else if (stuck(&w, residual) && w.length < left)
            mean_sweeps(p, &w, threads, info);
        else
            sweep_times(p, until_next_look(info->iterations, looks, settings), threads, info);
    }
}
