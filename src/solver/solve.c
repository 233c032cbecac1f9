#include "solver/solve.h"

#include "solver/nlgs.h"

typedef void (*solve_fn)(step_problem *p, const mo_solver_settings *settings, pool *threads, double *sums,
                         mo_solver_info *info);

static const solve_fn SOLVERS[] = {
    [MO_SOLVER_AUTO] = nlgs_solve,
    [MO_SOLVER_NLGS] = nlgs_solve,
};

mo_solver_settings mo_default_solver_settings(void)
{
    return (mo_solver_settings){.name = MO_SOLVER_AUTO, .tol = 1e-8, .max_iter = 10000};
}

void solve_step(step_problem *p, const mo_solver_settings *settings, pool *threads, double *sums,
                mo_solver_info *info)
{
    SOLVERS[settings->name](p, settings, threads, sums, info);
}
