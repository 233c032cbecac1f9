/* Worker of the comparison with this library's own solvers of problems in local form. */
#include "peers/worker.h"

#include <stdio.h>
#include <string.h>

static const char *name_of(int dim, size_t i)
{
    const char *name;
    for (size_t k = 0; (name = mo_problem_solver_name(k)) != NULL; k++)
        if (mo_solver_suits(name, dim) && i-- == 0)
            return name;
    return NULL;
}

static bool solve(const mo_problem *problem, const char *name, double asked, double *r, solve_outcome *out)
{
    mo_solver_settings settings = mo_default_solver_settings();
    mo_problem_info info = {0};
    mo_error err;
    settings.tol = asked;
    const double from = worker_clock();
    const mo_status status = mo_problem_solve(problem, name, &settings, r, NULL, &info, &err);
    out->seconds = worker_clock() - from;
    out->iterations = info.iterations;
    snprintf(out->story, sizeof out->story, "%s", info.story);
    return status == MO_OK;
}

int worker_own(int argc, char **argv)
{
    const worker_backend backend = {.name = name_of, .solve = solve};
    return worker_main(argc, argv, &backend);
}
