/*
 * A contact of the step problem in 3D made ready, and solved exactly with all others held.
 *
 * A block diag(H_nn, H_tt, H_tt), that of two balls, has a closed form and needs nothing but its row; for all
 * others see solver/contact3d.h.
 */
#ifndef SOLVER_CONTACT_ROW3_H
#define SOLVER_CONTACT_ROW3_H

#include "problem/step_problem.h"
#include "solver/contact3d.h"

/*
 * Fills what the row, whose n, t, r1, r2 and body are set, has besides from the bodies' A⁻¹, and mu.  Lever
 * arms that lie along the normal up to rounding are put straight.  A block that is not that of balls goes to
 * *block; NULL says that bodies are balls, touched along their radii.
 */
void contact_row3_prepare(contact_row3 *row, contact3 *block, const velocity3 *velocity, double mu);

/* The same with ratio n×t for the second tangent: friction ratio mu across t.  block is not NULL. */
void contact_row3_prepare_scaled(contact_row3 *row, contact3 *block, const velocity3 *velocity, double mu,
                                 double ratio);

/* Another mu for a row made ready. */
void contact_row3_set_mu(contact_row3 *row, contact3 *block, double mu);

/* The impulse `out` from the present velocity U, which belongs to S. */
static inline void contact_row3_solve(const contact_row3 *c, const contact3 *block, const double U[3],
                                      const double S[3], double out[3])
{
    if (c->general != 0) {
        const double *H = block->H;
        const double b[3] = {U[0] - (H[0] * S[0] + H[1] * S[1] + H[2] * S[2]),
                             U[1] - (H[3] * S[0] + H[4] * S[1] + H[5] * S[2]),
                             U[2] - (H[6] * S[0] + H[7] * S[1] + H[8] * S[2])};
        contact3_solve(block, b, out);
        return;
    }
    double k = c->H_nn * S[0] - U[0];
    // -b_T/H_tt, shortened to the edge of the cone where it leaves it; of 0/0 inv_tt is taken: x = y = 0 then
    double x = c->H_tt * S[1] - U[1], y = c->H_tt * S[2] - U[2];
    double rN = k > 0 ? k * c->inv_nn : 0, edge = c->mu * rN / sqrt(x * x + y * y);
    double scale = edge < c->inv_tt ? edge : c->inv_tt;
    out[0] = rN;
    out[1] = scale * x;
    out[2] = scale * y;
}

#endif
