/*
 * One contact with a law of its own (problem/law.h), solved exactly with all others held.
 *
 * Given threshold L: in the letters of contact3d.h, u_N = 0 where b_N < 0, and r_T is the solution of
 *
 *   u_T = u* + S r_T,   |r_T| <= L,   u_T = -lambda r_T with lambda >= 0 where |r_T| = L:
 *
 * the conic with eps = 0 and L constant.  Then r_N = (k - h.r_T)/H_nn; where that is negative the contact
 * grazes (docs/theory/laws.md §4): r_T is shortened until r_N is as good as 0.
 */
#ifndef SOLVER_LAW_ROW_H
#define SOLVER_LAW_ROW_H

#include "problem/law.h"
#include "problem/step_problem.h"
#include "solver/contact3d.h"

/* The impulse of contact i and the velocities after it. */
void law_row_relax(const step_problem *p, size_t i, bool two);

/* S from b with a given threshold L >= 0, N s. */
void threshold2_solve(const contact2 *c, double L, const double b[2], double S[2]);
void threshold3_solve(const contact3 *c, double L, const double b[3], double S[3]);

#endif
