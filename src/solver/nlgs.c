#include "solver/nlgs.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "core/timer.h"
#include "problem/apply.h"
#include "problem/certificate.h"
#include "problem/kernels.h"
#include "problem/step_cell.h"
#include "solver/contact3d.h"
#include "solver/extra_sweep.h"
#include "solver/law_row.h"
#include "solver/subspace.h"

/*
 * FIRST: sweeps before the first look, also when the guess is good enough: in an assembly at rest the
 * impulses then become better from step to step, for little.  LONGEST: most sweeps between two looks.
 */
enum { FIRST = 8, LONGEST = 16 };

/*
 * With more than SPARE_MAX contacts errors of the size of tol keep an assembly that could rest trembling,
 * which costs more than it saves: where few sweeps do, up to EASY of them go on to SURE tol.  Once it rests,
 * EARLY of the first sweeps get there.
 */
enum { EASY = 24, EARLY = 4 };
static const double SURE = 0.1;

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

// a contact in 3D that kernels leave
static void solve_row3(const step_problem *p, size_t row, const double b[3], double S[3])
{
    contact3_make_ready(&p->block3[row]);
    contact3_solve(&p->block3[row], b, S);
}

static void relax_range(const contact_range *r)
{
    kernels_for(r->p, r->grouped)->relax[r->p->dim - 2](r, solve_row3);
}

// where some contacts have laws of their own
static void relax_range_laws(const contact_range *r)
{
    const step_problem *p = r->p;
    for (size_t i = r->begin; i < r->end; i++) {
        if (!is_coulomb(&p->law[i]))
            law_row_relax(p, i, r->two);
        else
            relax_range(&(contact_range){p, i, i + 1, r->two, false, NULL});
    }
}

static range_fn *relax_of(const step_problem *p)
{
    return p->law != NULL ? relax_range_laws : relax_range;
}

static void sweep(step_problem *p, int sweeps, pool *threads)
{
    if (p->extra == NULL && p->cell == NULL) {
        for_contacts(p, threads, (size_t)sweeps, relax_of(p), NULL);
        return;
    }
    for (int i = 0; i < sweeps; i++) {
        if (p->extra == NULL)
            for_contacts(p, threads, 1, relax_of(p), NULL);
        else
            extra_sweep(p, threads, relax_of(p));
        if (p->cell != NULL)
            step_cell_refresh(p, threads);
    }
}

void nlgs_sweep(step_problem *p, pool *threads)
{
    sweep(p, 1, threads);
}

static void sweep_times(step_problem *p, int sweeps, pool *threads, mo_solver_info *info)
{
    sweep(p, sweeps, threads);
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
    size_t n = problem_unknowns(p);
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

bool honest_since(const step_problem *p, const double *sums, solution_size before)
{
    solution_size now = certificate_size(p, sums);
    return now.miss <= 0.9 * before.miss && (now.S <= 1e3 * before.S || now.S <= 1e10 * before.miss);
}

static void try_subspace(step_problem *p, double residual, pool *threads, double *sums, mo_solver_info *info)
{
    mo_certificate after;
    solution_size before = certificate_size(p, sums);
    memcpy(p->scratch, p->S, (size_t)p->dim * p->contacts * sizeof *p->S);
    // no dearer than the sweeps made so far
    subspace_step(p, info->iterations / 2);
    refresh_velocities(p, threads);
    sweep_times(p, SMOOTH, threads, info);
    certify(p, HUGE_VAL, threads, sums, &after);
    if (after.residual < residual && honest_since(p, sums, before))
        return;
    memcpy(p->S, p->scratch, (size_t)p->dim * p->contacts * sizeof *p->S);
    refresh_velocities(p, threads);
}

// whether a few sweeps more are worth while, although the tolerance is reached
static bool is_easy(const step_problem *p, const mo_solver_settings *settings, const mo_solver_info *info)
{
    return p->contacts > SPARE_MAX && info->converged && info->certificate.residual > SURE * settings->tol &&
           info->iterations < EASY && settings->max_iter > 4 * EASY;
}

bool nlgs_look(step_problem *p, const mo_solver_settings *settings, pool *threads, double *sums,
               double before, mo_solver_info *info)
{
    // the look also takes the rounding of the sweeps out of the velocities
    certify(p, settings->tol > 0 ? settings->tol : HUGE_VAL, threads, sums, &info->certificate);
    double residual = info->certificate.residual;
    info->finite = isfinite(residual);
    info->converged = residual <= settings->tol || (residual < ROUNDING && residual > 0.5 * before);
    return info->converged || !info->finite || info->iterations >= settings->max_iter;
}

// the first sweeps; true: that was all
static bool begin_sweeps(step_problem *p, const mo_solver_settings *settings, int sweeps, pool *threads,
                         double *sums, mo_solver_info *info)
{
    if (sweeps == FIRST && p->contacts > SPARE_MAX) {
        mo_solver_settings sure = *settings;
        sure.tol *= SURE;
        sweep_times(p, EARLY, threads, info);
        if (residual_of_some(p) <= sure.tol && nlgs_look(p, &sure, threads, sums, HUGE_VAL, info))
            return true;
        sweeps -= EARLY;
    }
    sweep_times(p, sweeps, threads, info);
    return false;
}

void nlgs_iterate(step_problem *p, const mo_solver_settings *settings, pool *threads, double *sums,
                  nlgs_leave *leave, void *data, mo_solver_info *info)
{
    double started = settings->max_seconds > 0 ? seconds_now() : 0, before = HUGE_VAL;
    watch w = {.best = HUGE_VAL, .length = FIRST_MEAN};
    int subspace_at = p->spare != NULL ? SUBSPACE_AFTER : INT_MAX,
        left = settings->max_iter - info->iterations;
    bool fixed = settings->tol == 0 && settings->max_seconds == 0, first = info->iterations == 0;
    refresh_velocities(p, threads);
    if (begin_sweeps(p, settings, fixed || left < FIRST ? left : FIRST, threads, sums, info))
        return;
    for (int looks = 1;; looks++) {
        bool end = nlgs_look(p, settings, threads, sums, before, info) && !is_easy(p, settings, info);
        info->capped_time = settings->max_seconds > 0 && seconds_now() - started > settings->max_seconds;
        if (first && looks == 1)
            p->guess = info->certificate.residual;
        if (end || info->capped_time || (leave != NULL && leave(data, info)))
            return;
        before = info->certificate.residual;
        left = settings->max_iter - info->iterations;
        if (info->iterations >= subspace_at && SMOOTH <= left) {
            try_subspace(p, before, threads, sums, info);
            subspace_at = 3 * info->iterations / 2;
        } else if (stuck(&w, before) && w.length < left)
            mean_sweeps(p, &w, threads, info);
        else
            sweep_times(p, until_next_look(info->iterations, looks, settings), threads, info);
    }
}

void nothing_to_solve(step_problem *p, const mo_solver_settings *settings, pool *threads, double *sums,
                      mo_solver_info *info)
{
    if (p->extra == NULL)
        refresh_velocities(p, threads);
    else
        nlgs_look(p, settings, threads, sums, HUGE_VAL, info);
}

void nlgs_solve(step_problem *p, const mo_solver_settings *settings, pool *threads, double *sums,
                mo_solver_info *info)
{
    *info = (mo_solver_info){.converged = true, .finite = true};
    if (problem_unknowns(p) == 0)
        nothing_to_solve(p, settings, threads, sums, info);
    else
        nlgs_iterate(p, settings, threads, sums, NULL, NULL, info);
}
