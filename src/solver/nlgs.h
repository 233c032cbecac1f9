/*
 * Nonlinear Gauss-Seidel (MJ96 (11)(12), M99 §9.2): contact after contact, each solved exactly with all
 * others held.
 */
#ifndef SOLVER_NLGS_H
#define SOLVER_NLGS_H

#include <moreau/solver.h>

#include "core/parallel.h"
#include "problem/certificate.h"
#include "problem/step_problem.h"

/*
 * Starts from p->S, leaves the answer in p->S and p->velocity.  sums: scratch as for certify.
 * Ends when the certificate's residual, recomputed from the data, is at or below tol, when it stagnates below
 * 1e-13, or at a cap; info says which.
 */
void nlgs_solve(step_problem *p, const mo_solver_settings *settings, pool *threads, double *sums,
                mo_solver_info *info);

/* Asked at every look that does not end the iteration: whether to leave it as it is. */
typedef bool nlgs_leave(void *data, const mo_solver_info *info);

/* The same from where info->iterations stands, whose velocities need not belong to S; leave may be NULL. */
void nlgs_iterate(step_problem *p, const mo_solver_settings *settings, pool *threads, double *sums,
                  nlgs_leave *leave, void *data, mo_solver_info *info);

/* Certifies S: fills info's certificate, converged and finite; true: there is nothing more to do. */
bool nlgs_look(step_problem *p, const mo_solver_settings *settings, pool *threads, double *sums,
               double before, mo_solver_info *info);

/* Without unknowns: velocities, and a look where joints hold them. */
void nothing_to_solve(step_problem *p, const mo_solver_settings *settings, pool *threads, double *sums,
                      mo_solver_info *info);

/* One sweep; velocities belong to S before and after, up to rounding. */
void nlgs_sweep(step_problem *p, pool *threads);

/*
 * Where there is no solution impulses that grow without bound make the residual, which is divided by their
 * size, as small as one likes.  Methods that take long steps are believed only when what is divided has
 * fallen too, and impulses are not so large that it drowns in their rounding.
 */
bool honest_since(const step_problem *p, const double *sums, solution_size before);

#endif
