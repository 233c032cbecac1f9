#include "solver/solve.h"

#include <math.h>

#include "problem/extra.h"
#include "solver/world_auto.h"
#include "solver/world_local.h"

static const char *const NAMES[MO_SOLVER_COUNT] = {
    [MO_SOLVER_AUTO] = "auto", [MO_SOLVER_NLGS] = "nlgs", [MO_SOLVER_NEWTON] = "newton",
    [MO_SOLVER_IPM] = "ipm",   [MO_SOLVER_PROX] = "prox", [MO_SOLVER_APGD] = "apgd",
    [MO_SOLVER_ADMM] = "admm",
};

const char *mo_solver_name_text(mo_solver_name name)
{
    return (unsigned)name < MO_SOLVER_COUNT ? NAMES[name] : NULL;
}

mo_solver_settings mo_default_solver_settings(void)
{
    return (mo_solver_settings){.name = MO_SOLVER_AUTO, .tol = 1e-8, .max_iter = 10000};
}

static void sweeps_only(solve_job *j, mo_solver_info *info)
{
    nlgs_iterate(j->p, j->settings, j->threads, j->sums, job_leave, j, info);
}

// a method of the local form, once; where it cannot be had, sweeps
static void named_solve(solve_job *j, mo_solver_info *info)
{
    // where the start stands
    bool good = nlgs_look(j->p, j->settings, j->threads, j->sums, HUGE_VAL, info);
    local_limits all = {.name = NAMES[j->settings->name], .max_iter = j->settings->max_iter, .rounds = 2};
    if (!good && !local_solve(j, &all, info))
        sweeps_only(j, info);
}

void solve_step(step_problem *p, const mo_solver_settings *settings, pool *threads, double *sums, arena *a,
                mo_solver_info *info)
{
    solve_job j = {p,    settings, threads,
                   sums, a,        settings->max_seconds > 0 ? seconds_now() + settings->max_seconds : 0};
    *info = (mo_solver_info){.converged = true, .finite = true};
    if (problem_unknowns(p) == 0)
        nothing_to_solve(p, settings, threads, sums, info);
    else if (settings->name == MO_SOLVER_NLGS)
        sweeps_only(&j, info);
    else if (settings->name == MO_SOLVER_AUTO)
        auto_solve(&j, info);
    else
        named_solve(&j, info);
    info->stopped = !info->converged && job_stopped(&j);
}
