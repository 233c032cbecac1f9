/* A contact of the step problem in 3D made ready (solver/contact3d.h solves it). */
#ifndef SOLVER_CONTACT_ROW3_H
#define SOLVER_CONTACT_ROW3_H

#include "problem/step_problem.h"
#include "solver/contact3d.h"

/*
 * Fills what up to ROWS3 rows, whose n, t, r1, r2, shift, body and ratio are set, have besides, and their
 * blocks, from the bodies' A⁻¹ and mu; `ratio n×t` is the second tangent: friction is ratio mu across t.
 * Lever arms that lie along the normal up to rounding are put straight, and a block that then is
 * diag(H_nn, H_tt, H_tt) up to rounding is made so.
 */
enum { ROWS3 = 16 };
void contact_rows3_prepare(contact_row3 *const *row, contact3 *const *block, size_t count,
                           const velocity3 *velocity, const double *mu);

/* The row's block H, by rows and symmetric, in place of the one it has. */
void contact_row3_set_block(contact_row3 *row, contact3 *block, const double H[9], double mu);

#endif
