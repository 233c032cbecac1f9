/*
 * Coulomb's problem at the first instant of motion: A v = F + G* S, U = G v, with the law between the
 * accelerations U and the forces S, bodies being at rest before (docs/theory/equilibrium.md §5).
 */
#ifndef SOLVER_ACCELERATIONS_H
#define SOLVER_ACCELERATIONS_H

#include <moreau/problem.h>

#include "problem/statics.h"

/* v [freedoms]: accelerations of one solution, found by `auto` from S = 0, to the tolerance if info->solved.
 */
mo_status accelerations(const statics *p, const mo_solver_settings *settings, double *v,
                        mo_problem_info *info, mo_error *err);

#endif
