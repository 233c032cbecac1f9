/*
 * The table of solvers and the one call that a world's step makes.
 */
#ifndef SOLVER_SOLVE_H
#define SOLVER_SOLVE_H

#include <moreau/solver.h>

#include "core/arena.h"
#include "core/parallel.h"
#include "problem/step_problem.h"

/*
 * Solves p with the algorithm that settings name; see nlgs.h for what is read and written.  Sweeps allocate
 * nothing; the matrix, extrapolation and momentum, where they come to be needed, take memory from the arena,
 * which is left as it was, and methods that factor matrices allocate and free on their own.
 */
void solve_step(step_problem *p, const mo_solver_settings *settings, pool *threads, double *sums, arena *a,
                mo_solver_info *info);

#endif
