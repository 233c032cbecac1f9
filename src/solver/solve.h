/*
 * The table of solvers and the one call that a world's step makes.
 */
#ifndef SOLVER_SOLVE_H
#define SOLVER_SOLVE_H

#include <moreau/solver.h>

#include "core/parallel.h"
#include "problem/step_problem.h"

/* Solves p with the algorithm that settings name; see nlgs.h for what is read and written. */
void solve_step(step_problem *p, const mo_solver_settings *settings, pool *threads, double *sums,
                mo_solver_info *info);

#endif
