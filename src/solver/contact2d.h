/*
 * One contact in 2D, solved exactly for any positive semidefinite block H: U = H S + b, Coulomb's law between
 * U and S. Derivation and proof that the cases are complete: docs/theory/contact.md §4.
 *
 *   k = (-b_N)+                        k = 0: open, S = 0
 *   S_N = (k - H_nt S_T) / H_nn        from U_N = 0
 *   U_T = u* + s S_T,  u* = b_T + H_nt k / H_nn,  s = H_tt - H_nt²/H_nn >= 0
 *   S_T = -(u*) / s clamped to [-mu k/(H_nn - mu H_nt), mu k/(H_nn + mu H_nt)]
 *
 * Inside the bounds it sticks, at a bound it slides.  Where mu |H_nt| >= H_nn one bound is absent: then of
 * the possible solutions open comes first, stick next, sliding last.
 */
#ifndef SOLVER_CONTACT2D_H
#define SOLVER_CONTACT2D_H

#include "problem/step_problem.h"

/* Stands for infinity in inv_s and limit, yet 0 times it is 0. */
#define HUGE_SLOPE 1e300

/* Below this share of H_tt the slope s counts as 0: it is then all rounding (a few units of 2^-52). */
#define SLOPE_ROUNDING 1e-15

/* Fills inv_nn, inv_s and limit from H and mu. */
static inline void contact2_prepare(contact2 *c, double mu)
{
    double Hnn = c->H[0], Hnt = c->H[1], Htt = c->H[2];
    c->inv_nn = c->inv_s = c->limit[0] = c->limit[1] = 0;
    // a contact that nothing can move along its normal gets no impulse; the certificate tells if it needs one
    if (!(Hnn > 0))
        return;
    double s = Htt - Hnt * Hnt / Hnn;
    int singular = !(s > SLOPE_ROUNDING * Htt);
    c->inv_nn = 1 / Hnn;
    c->inv_s = singular ? HUGE_SLOPE : 1 / s;
    for (int side = 0; side < 2; side++) {
        double d = side == 0 ? Hnn - mu * Hnt : Hnn + mu * Hnt;
        // no bound on this side; with s = 0 the problem may have no solution: keep at least U_N = 0
        double none = singular ? 0 : HUGE_SLOPE;
        c->limit[side] = d > 0 ? mu / d : none;
    }
}

/* S from b. */
static inline void contact2_solve(const contact2 *c, double bN, double bT, double *SN, double *ST)
{
    double k = bN < 0 ? -bN : 0;
    double stick = -(bT + c->H[1] * c->inv_nn * k) * c->inv_s;
    double low = -c->limit[0] * k, high = c->limit[1] * k;
    stick = stick > low ? stick : low;
    stick = stick < high ? stick : high;
    *ST = stick;
    *SN = (k - c->H[1] * stick) * c->inv_nn;
}

#endif
