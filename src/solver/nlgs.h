/*
 * Nonlinear Gauss-Seidel (MJ96 (11)(12), M99 §9.2): contact after contact, each solved exactly with all
 * others held.
 */
#ifndef SOLVER_NLGS_H
#define SOLVER_NLGS_H

#include <moreau/solver.h>

#include "core/parallel.h"
#include "problem/step_problem.h"

/*
 * Starts from p->S, leaves the answer in p->S and p->velocity.  sums: scratch as for certify.
 * Ends when the certificate's residual, recomputed from the data, is at or below tol, when it stagnates below
 * 1e-13, or at a cap; info says which.
 */
void nlgs_solve(step_problem *p, const mo_solver_settings *settings, pool *threads, double *sums,
                mo_solver_info *info);

#endif
