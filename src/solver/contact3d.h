/*
 * One contact in 3D, solved exactly: r with u = H r + b and Coulomb's law, for any block H with x.H x >= 0.
 *
 *   H = [H_nn h; g A],  k = (-b_N)+         k = 0: open, r = 0
 *   r_N = (k - h.r_T) / H_nn                from u_N = 0, which holds whenever r is not 0
 *   u_T = u* + S r_T,  u* = b_T + g k/H_nn,  S = A - g h'/H_nn
 *   |r_T| + eps.r_T <= L,  eps = mu h/H_nn,  L = mu k/H_nn      the cone, seen from here: a conic
 *
 * H need not be symmetric (h != g): nothing above asks for it, and x.S x >= 0 still, since x.S x is the form
 * of H at (-h.x/H_nn, x).  In the axes of the symmetric part of S, S = diag(s1, s2) + a [0 1; -1 0], whose
 * determinant s1 s2 + a² is a sum of terms >= 0: no digits are lost in S⁻¹.
 *
 * Stick: r_T = -S⁻¹ u*, if it is in the cone.  Slide: u_T = -lambda r_T, lambda >= 0, so that
 *
 *   r_T(lambda) = -(S + lambda I)⁻¹ u*,     G(lambda) = L/|r_T| - (1 + eps.r_T/|r_T|) = 0.
 *
 * Where sticking fails G(0) < 0, and G grows to +infinity with lambda: there is always a root when S is
 * regular, whatever eps is.  G is linear in lambda when S is isotropic and close to it in any case, so that
 * Newton's method, kept in a bracket, needs few steps.  Orders of magnitude do not matter: S is divided by
 * its size, u* by its own, and one number L |S|/|u*| remains.
 *
 * With |eps| >= 1 the law may have several solutions: open comes first, stick next, sliding last.  If besides
 * S is singular there may be none (docs/theory/contact.md §4): then r_T = 0 and u_N = 0 are kept.  H_nn = 0:
 * r = 0.  In both cases the residual tells.
 *
 * Should S not be positive semidefinite, as happens with data of few digits, its negative eigenvalue is taken
 * as 0.  c->H is the block after that; who computes b as u - c->H r iterates towards the law with the
 * block given, as towards the one with any other block.
 */
#ifndef SOLVER_CONTACT3D_H
#define SOLVER_CONTACT3D_H

#include <assert.h>
#include <math.h>
#include <stdbool.h>

/* A block made ready; the axes are those of the symmetric part of S.  What every contact needs comes first.
 */
typedef struct contact3 {
    bool ready;        /* all but mu and H follows from these; false: it is not there yet */
    bool axisymmetric; /* g = h = 0, S = s I */
    double inv_nn;     /* 1/H_nn; 0 when H_nn is 0 */
    double mu;         /* >= 0 */
    double inv_s;      /* axisymmetric: 1/s of S = s I; 0 when s is 0 */
    double axis[2];
    double g[2], h[2]; /* g/H_nn, h/H_nn in the axes */
    double s[2], a;    /* of S/size, s[0] >= s[1] */
    double size;       /* of S */
    double
        inv_det; /* 1/((s[0] s[1] + a²) size); 0 where S is singular or its inverse would not fit a double */
    double H[9]; /* by rows, component 0 normal */
} contact3;

/* Fills c from a block by rows and mu: at once, or in two steps where many contacts will not be asked. */
void contact3_prepare(contact3 *c, const double H[9], double mu);
static inline void contact3_set(contact3 *c, const double H[9], double mu)
{
    c->ready = false;
    c->mu = mu;
    for (int i = 0; i < 9; i++)
        c->H[i] = H[i];
}
/* Nothing where it is ready already. */
void contact3_make_ready(contact3 *c);

/* The general case with b_N < 0: r from k = -b_N and b_T. */
void contact3_closed(const contact3 *c, double k, const double *bT, double *r);

/* The axisymmetric case with b_N < 0, S = s I. */
static inline void contact3_solve_round(double inv_nn, double inv_s, double mu, const double *b, double *r)
{
    double rN = -b[0] * inv_nn, L = mu * rN, length = sqrt(b[1] * b[1] + b[2] * b[2]);
    // -b_T/s, or against b_T on the edge of the cone
    bool stick = inv_s > 0 && length * inv_s <= L;
    double scale = stick ? inv_s : length > 0 ? L / length : 0;
    r[0] = rN;
    r[1] = -scale * b[1];
    r[2] = -scale * b[2];
}

/* r from b; c is ready. */
static inline void contact3_solve(const contact3 *c, const double *b, double *r)
{
    assert(c->ready);
    if (!(b[0] < 0)) {
        r[0] = r[1] = r[2] = 0;
        return;
    }
    if (!c->axisymmetric) {
        contact3_closed(c, -b[0], b + 1, r);
        return;
    }
    contact3_solve_round(c->inv_nn, c->inv_s, c->mu, b, r);
}

#endif
