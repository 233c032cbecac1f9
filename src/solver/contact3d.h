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

/* The general case for any numbers: r from k/H_nn and u*, given in the axes. */
void contact3_rare(const contact3 *c, double rN, const double u[2], double *r);

/*
 * What most contacts need comes here, so that loops over contacts hold it; contact3d.c has the rest.
 *
 * Determinants between this and its inverse, and squares of impulses from this on, are far from the ends of
 * what doubles hold.
 */
#define CONTACT3_LEAST_DET 1e-150

/* |eps_1| + |eps_2| below which there is one solution only. */
#define CONTACT3_FLAT 0.95

/* Newton steps after which contact3d.c takes over. */
enum { CONTACT3_STEPS = 8 };

static inline void contact3_to_axes(const double axis[2], double x, double y, double out[2])
{
    out[0] = axis[0] * x + axis[1] * y;
    out[1] = axis[0] * y - axis[1] * x;
}

// mu h/H_nn in the axes
static inline double contact3_eps(const contact3 *c, int i)
{
    return c->mu * c->h[i];
}

// back from the axes; r_N and r_T given there
static inline void contact3_set_r(const contact3 *c, double rN, double t0, double t1, double *r)
{
    r[0] = rN;
    r[1] = c->axis[0] * t0 - c->axis[1] * t1;
    r[2] = c->axis[0] * t1 + c->axis[1] * t0;
}

// r where the contact sticks and no number is near the ends of what doubles hold, at no division; false: it
// is not known that it does
static inline bool contact3_sticks(const contact3 *c, double rN, const double u[2], double *r)
{
    double x = (c->a * u[1] - c->s[1] * u[0]) * c->inv_det, y = -(c->a * u[0] + c->s[0] * u[1]) * c->inv_det;
    double size2 = x * x + y * y;
    if (!(size2 > CONTACT3_LEAST_DET &&
          sqrt(size2) + (contact3_eps(c, 0) * x + contact3_eps(c, 1) * y) <= c->mu * rN))
        return false;
    contact3_set_r(c, rN - (c->h[0] * x + c->h[1] * y), x, y, r);
    return true;
}

// r where a contact that does not stick slides; false: it is not known.  In units of u and of S: X = D r_T
// |S| for u* = u, E = L D |S| - eps.X, and E = |X| at the root of G, for which Newton's method goes
static inline bool contact3_slides(const contact3 *c, double rN, const double u[2], double *lambda, double *r)
{
    const double e0 = contact3_eps(c, 0), e1 = contact3_eps(c, 1), l = c->mu * rN * c->size,
                 eps_u = e0 * u[0] + e1 * u[1];
    const double square = u[0] * u[0] + u[1] * u[1], a = c->a;
    if (!(c->inv_det > 0 && fabs(e0) + fabs(e1) < CONTACT3_FLAT && square > CONTACT3_LEAST_DET &&
          square < 1 / CONTACT3_LEAST_DET))
        return false;
    double at = *lambda;
    // as if S were isotropic
    if (!(at > 0))
        at = fmax((sqrt(square) - eps_u) / l - (c->s[0] * u[0] * u[0] + c->s[1] * u[1] * u[1]) / square, 0);
    for (int i = 0; i < CONTACT3_STEPS; i++) {
        const double p = c->s[0] + at, q = c->s[1] + at, X[2] = {a * u[1] - q * u[0], -(a * u[0] + p * u[1])};
        const double N2 = X[0] * X[0] + X[1] * X[1], E = l * (p * q + a * a) - (e0 * X[0] + e1 * X[1]);
        const double step =
            (E - sqrt(N2)) * N2 / ((l * (p + q) + eps_u) * N2 + E * (X[0] * u[0] + X[1] * u[1]));
        at -= step;
        if (!(at > 0))
            return false;
        // as many digits again with the next point, where |X| = E; dX/dlambda = -u
        if (fabs(step) <= 1e-8 * (at + c->s[1])) {
            const double inv = 1 / (((c->s[0] + at) * (c->s[1] + at) + a * a) * c->size);
            const double x = (X[0] + step * u[0]) * inv, y = (X[1] + step * u[1]) * inv;
            *lambda = at;
            contact3_set_r(c, rN - (c->h[0] * x + c->h[1] * y), x, y, r);
            return true;
        }
    }
    return false;
}

/* The general case with b_N < 0: r from k = -b_N and b_T.  *lambda: where Newton's method begins if the
 * contact slides, 0: not known; then the root. */
static inline void contact3_closed(const contact3 *c, double k, const double *bT, double *lambda, double *r)
{
    double rN = k * c->inv_nn, u[2];
    contact3_to_axes(c->axis, bT[0], bT[1], u);
    u[0] += c->g[0] * k;
    u[1] += c->g[1] * k;
    if (!contact3_sticks(c, rN, u, r) && !contact3_slides(c, rN, u, lambda, r))
        contact3_rare(c, rN, u, r);
}

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

/* r from b; c is ready.  lambda: of contact3_closed. */
static inline void contact3_solve_from(const contact3 *c, const double *b, double *lambda, double *r)
{
    assert(c->ready);
    if (!(b[0] < 0)) {
        r[0] = r[1] = r[2] = 0;
        return;
    }
    if (!c->axisymmetric) {
        contact3_closed(c, -b[0], b + 1, lambda, r);
        return;
    }
    contact3_solve_round(c->inv_nn, c->inv_s, c->mu, b, r);
}

static inline void contact3_solve(const contact3 *c, const double *b, double *r)
{
    double lambda = 0;
    contact3_solve_from(c, b, &lambda, r);
}

#endif
