#include "solver/solve.h"

#include <math.h>
#include <string.h>

#include "problem/delassus.h"
#include "problem/extra.h"
#include "solver/world_auto.h"
#include "solver/world_local.h"

static const char *const NAMES[MO_SOLVER_COUNT] = {
    [MO_SOLVER_AUTO] = "auto", [MO_SOLVER_NLGS] = "nlgs",   [MO_SOLVER_NEWTON] = "newton",
    [MO_SOLVER_IPM] = "ipm",   [MO_SOLVER_PROX] = "prox",   [MO_SOLVER_APGD] = "apgd",
    [MO_SOLVER_ADMM] = "admm", [MO_SOLVER_LEMKE] = "lemke",
};

const char *mo_solver_name_text(mo_solver_name name)
{
    return (unsigned)name < MO_SOLVER_COUNT ? NAMES[name] : NULL;
}

bool mo_solver_suits(const char *name, int dim)
{
    return dim == 2 || strcmp(name, NAMES[MO_SOLVER_LEMKE]) != 0;
}

mo_solver_settings mo_default_solver_settings(void)
{
    return (mo_solver_settings){.name = MO_SOLVER_AUTO, .tol = 1e-8, .max_iter = 10000};
}

static void sweeps_only(solve_job *j, mo_solver_info *info)
{
    nlgs_iterate(j->p, j->settings, j->threads, j->sums, job_leave, j, info);
}

// a method of the local form, once; where it cannot be had, or does not know all there is, sweeps
static void named_solve(solve_job *j, mo_solver_info *info)
{
    // where the start stands
    bool good = nlgs_look(j->p, j->settings, j->threads, j->sums, HUGE_VAL, info);
    // a start for the next step that is better than asked for
    const double aim = 1e-2;
    local_limits all = {NAMES[j->settings->name], j->settings->max_iter, 2, aim};
    if (!good && !(delassus_is_whole(j->p) && local_solve(j, &all, info)))
        sweeps_only(j, info);
}

/*
 * A stack at rest can go on for ever with u, 0, -u, 0, ...: what stops a u of the size of the tolerance is
 * the next step's guess, and throws the stack back.  And where sweeps hardly touch a mode, what is missing to
 * equilibrium lets it drift, faster from step to step, until the tolerance is passed.  So in small problems a
 * guess that is right within ALMOST tol, but not within LITTLE tol, is made better than asked for: the drift
 * and its end then stay that small.
 */
static const double ALMOST = 10, LITTLE = 1e-2, BETTER = 1e-4, LEAST = 1e-13;

/* Sweeps that this may cost. */
enum { MOST = 300 };

static void settle(const solve_job *j, mo_solver_info *info)
{
    const size_t n = problem_unknowns(j->p);
    const double tol = j->settings->tol;
    if (!info->converged || j->p->contacts > SPARE_MAX || !(j->p->guess > fmax(LITTLE * tol, LEAST)) ||
        !(j->p->guess <= ALMOST * tol) || info->certificate.residual <= LITTLE * tol)
        return;
    arena_mark mark = arena_here(j->memory);
    double *S = arena_push(j->memory, n, sizeof *S);
    if (S == NULL)
        return;
    memcpy(S, j->p->S, n * sizeof *S);
    mo_solver_settings better = *j->settings;
    better.tol = fmax(BETTER * tol, LEAST);
    better.max_iter = least_int(better.max_iter, MOST + info->iterations);
    solve_job again = *j;
    again.settings = &better;
    if (j->settings->name == MO_SOLVER_AUTO)
        auto_settle(&again, info);
    else
        sweeps_only(&again, info);
    // better or not, it was good enough
    if (!(info->certificate.residual <= tol)) {
        memcpy(j->p->S, S, n * sizeof *S);
        nlgs_look(j->p, j->settings, j->threads, j->sums, HUGE_VAL, info);
    }
    info->converged = info->certificate.residual <= tol;
    arena_back(j->memory, mark);
}

typedef struct stop_note {
    const mo_solver_settings *settings;
    bool said; /* that it is to end */
} stop_note;

static bool ask_stop(void *data)
{
    stop_note *n = data;
    n->said = n->said || n->settings->stop(n->settings->stop_data);
    return n->said;
}

void solve_step(step_problem *p, const mo_solver_settings *settings, pool *threads, double *sums, arena *a,
                mo_solver_info *info)
{
    stop_note note = {settings, false};
    mo_solver_settings noted = *settings;
    if (settings->stop != NULL) {
        noted.stop = ask_stop;
        noted.stop_data = &note;
    }
    solve_job j = {p,    &noted, threads,
                   sums, a,      settings->max_seconds > 0 ? seconds_now() + settings->max_seconds : 0};
    *info = (mo_solver_info){.converged = true, .finite = true};
    p->guess = 0;
    if (problem_unknowns(p) == 0)
        nothing_to_solve(p, settings, threads, sums, info);
    else if (settings->name == MO_SOLVER_NLGS)
        sweeps_only(&j, info);
    else if (settings->name == MO_SOLVER_AUTO)
        auto_solve(&j, info);
    else
        named_solve(&j, info);
    settle(&j, info);
    // an answer that was cut short is another one, be it good enough or not
    info->stopped = (!info->converged && job_stopped(&j)) || note.said;
}
