/*
 * Euler's equations dL/dt = L × w, L = I w in principal axes, and dR/dt = R w^.
 *
 * Two inertias equal (I1 = I2 = I, I3 about the axis e): in closed form.  w = L/I + nu e with nu = w3 (1 -
 * I3/I), so that R(t) = R exp(t L/I) exp(t nu e) and w turns back about e by t nu.
 *
 * No two equal: the midpoint rule
 *
 *     I (w' - w) = t (I m) × m,   m = (w + w')/2,     R' = R cay(t m),  cay(x) = (1 - x^/2)⁻¹ (1 + x^/2).
 *
 * Multiplied by m and by I m it shows that w.I w and |I w| stay; and cay(t m) I w' = I w is the same equation
 * again, so that the momentum in space R I w stays as a vector.  The rule is symmetric: three of it with t
 * times a, 1 - 2a, a, a = 1/(2 - 2^(1/3)), are of order four (Yoshida 1990) and keep the same invariants.
 */
#include "dynamics/rotate.h"

#include <stdbool.h>

#include "math/quat.h"

/* inertias this close count as equal: the closed form then errs by no more than their own rounding */
static const double EQUAL = 1e-13;
/* a piece turns by at most so much, rad: Newton's method then converges from w */
static const double LONGEST_TURN = 0.5;
enum { MOST_PIECES = 4096, MOST_NEWTON = 20 };

static bool equal(double a, double b)
{
    return fabs(a - b) <= EQUAL * fmax(a, b);
}

// q := q δ, of unit length again
static void turn_within(double q[4], const double delta[4])
{
    quat_multiply(q, delta, q);
    quat_mend_unit(q);
}

void rotate_by(const double turn[3], double q[4])
{
    double delta[4];
    quat_exp(turn, delta);
    quat_multiply(delta, q, q);
    quat_mend_unit(q);
}

// all inertias equal: about the spin, which stays
static void rotate_ball(double t, double q[4], const double w[3])
{
    double turn[3], delta[4];
    vec3_scale(t, w, turn);
    quat_exp(turn, delta);
    turn_within(q, delta);
}

// closed form; k: the axis of the inertia that may differ
static void rotate_symmetric(const double I[3], int k, double t, double q[4], double w[3])
{
    int a = (k + 1) % 3, b = (k + 2) % 3;
    double across = 0.5 * (I[a] + I[b]), nu = w[k] * (1 - I[k] / across), turn[3], spin[3] = {0}, d[4];
    turn[a] = t * w[a];
    turn[b] = t * w[b];
    turn[k] = t * I[k] * w[k] / across;
    spin[k] = t * nu;
    quat_exp(turn, d);
    turn_within(q, d);
    quat_exp(spin, d);
    turn_within(q, d);
    // cos and sin of t nu from those of its half
    double c = 1 - 2 * d[1 + k] * d[1 + k], s = 2 * d[0] * d[1 + k], wa = w[a], wb = w[b];
    w[a] = c * wa + s * wb;
    w[b] = c * wb - s * wa;
}

// x := J⁻¹ f by Cramer's rule; J by rows
static void solve3(const double J[9], const double f[3], double x[3])
{
    double c0[3], c1[3], c2[3];
    vec3_cross(J + 3, J + 6, c0);
    vec3_cross(J + 6, J, c1);
    vec3_cross(J, J + 3, c2);
    double det = vec3_dot(J, c0);
    for (int i = 0; i < 3; i++)
        x[i] = (c0[i] * f[0] + c1[i] * f[1] + c2[i] * f[2]) / det;
}

// one step of Newton's method on I (m - w) - t/2 (I m) × m = 0; returns the largest change over the largest m
static double newton_step(const double I[3], double t, const double w[3], double m[3])
{
    double L[3] = {I[0] * m[0], I[1] * m[1], I[2] * m[2]}, c[3], f[3], dm[3], h = t / 2;
    vec3_cross(L, m, c);
    for (int i = 0; i < 3; i++)
        f[i] = I[i] * (m[i] - w[i]) - h * c[i];
    // derivative of (I m) × m: component i has m_j m_k (I_j - I_k)
    const double J[9] = {
        I[0], -h * m[2] * (I[1] - I[2]), -h * m[1] * (I[1] - I[2]), -h * m[2] * (I[2] - I[0]),
        I[1], -h * m[0] * (I[2] - I[0]), -h * m[1] * (I[0] - I[1]), -h * m[0] * (I[0] - I[1]),
        I[2],
    };
    solve3(J, f, dm);
    double change = 0, size = 0;
    for (int i = 0; i < 3; i++) {
        m[i] -= dm[i];
        change = fmax(change, fabs(dm[i]));
        size = fmax(size, fabs(m[i]));
    }
    return size > 0 ? change / size : 0;
}

static void midpoint(const double I[3], double t, double q[4], double w[3])
{
    double m[3] = {w[0], w[1], w[2]}, before = HUGE_VAL;
    for (int k = 0; k < MOST_NEWTON; k++) {
        double change = newton_step(I, t, w, m);
        // quadratic convergence has ended in rounding
        if (change < 1e-15 || (change < 1e-12 && change >= before))
            break;
        before = change;
    }
    double cay[4] = {1, t / 2 * m[0], t / 2 * m[1], t / 2 * m[2]};
    quat_normalise(cay);
    turn_within(q, cay);
    for (int i = 0; i < 3; i++)
        w[i] = 2 * m[i] - w[i];
}

int rotate_pieces(double speed, double longest, double *t)
{
    double pieces = ceil(fabs(*t) * speed / longest);
    if (pieces > MOST_PIECES)
        *t *= MOST_PIECES / pieces;
    return !(pieces > 1) ? 1 : pieces < MOST_PIECES ? (int)pieces : MOST_PIECES;
}

static void rotate_asymmetric(const double I[3], double t, double q[4], double w[3])
{
    const double a = ROTATE_YOSHIDA;
    int n = rotate_pieces(vec3_norm(w), LONGEST_TURN, &t);
    for (int k = 0; k < n; k++) {
        midpoint(I, a * t / n, q, w);
        midpoint(I, (1 - 2 * a) * t / n, q, w);
        midpoint(I, a * t / n, q, w);
    }
}

void rotate_free(const double I[3], double t, double q[4], double w[3])
{
    if (equal(I[0], I[1]) && equal(I[1], I[2]))
        rotate_ball(t, q, w);
    else if (equal(I[0], I[1]))
        rotate_symmetric(I, 2, t, q, w);
    else if (equal(I[1], I[2]))
        rotate_symmetric(I, 0, t, q, w);
    else if (equal(I[2], I[0]))
        rotate_symmetric(I, 1, t, q, w);
    else
        rotate_asymmetric(I, t, q, w);
}
