/*
 * Bodies that turn in 3D: principal axes and the world's, inertia in world axes, free rotation.
 *
 * The orientation q turns the axes that the shape was given in into the world's; `axes` turns principal axes
 * into those; the product of both is the rotation R of M99 §7.1, in whose frame A is diagonal.
 */
#include <math.h>
#include <string.h>

#include "dynamics/bodies.h"
#include "dynamics/rotate.h"
#include "math/quat.h"
#include "problem/rows.h"

// the quaternion that turns principal axes into the world's
static void principal(const bodies *b, size_t slot, const double *q, double out[4])
{
    quat_multiply(q + 3, &b->axes[4 * slot], out);
}

void body_spin_world(const bodies *b, size_t slot, const double *q, const double w[3], double out[3])
{
    double p[4];
    if (!b->oriented[slot]) {
        vec3_copy(w, out);
        return;
    }
    principal(b, slot, q, p);
    quat_rotate(p, w, out);
}

void body_spin_principal(const bodies *b, size_t slot, const double *q, const double world[3], double out[3])
{
    double p[4];
    if (!b->oriented[slot]) {
        vec3_copy(world, out);
        return;
    }
    principal(b, slot, q, p);
    quat_rotate_back(p, world, out);
}

static bool spins_freely(const bodies *b, size_t slot)
{
    const unsigned all = MO_FREE_WX | MO_FREE_WY | MO_FREE_WZ;
    return (b->free[slot] & all) == all;
}

// out := R diag(d) R^T
static void turned_diagonal(const double R[9], const double d[3], double out[6])
{
    static const int ROW[6] = {0, 0, 0, 1, 1, 2}, COLUMN_OF[6] = {0, 1, 2, 1, 2, 2};
    for (int k = 0; k < 6; k++) {
        const double *x = R + 3 * ROW[k], *y = R + 3 * COLUMN_OF[k];
        out[k] = x[0] * d[0] * y[0] + x[1] * d[1] * y[1] + x[2] * d[2] * y[2];
    }
}

// inverse of the free rows and columns of a symmetric matrix, zero elsewhere
static void inverse_of_free(const double I[6], unsigned free, double out[6])
{
    static const int AT[3][3] = {{0, 1, 2}, {1, 3, 4}, {2, 4, 5}};
    int axis[3], n = 0;
    for (int k = 0; k < 3; k++)
        if (free & (unsigned)MO_FREE_WX << k)
            axis[n++] = k;
    memset(out, 0, 6 * sizeof *out);
    if (n == 1)
        out[AT[axis[0]][axis[0]]] = 1 / I[AT[axis[0]][axis[0]]];
    if (n != 2)
        return;
    int a = AT[axis[0]][axis[0]], c = AT[axis[0]][axis[1]], d = AT[axis[1]][axis[1]];
    double det = I[a] * I[d] - I[c] * I[c];
    out[a] = I[d] / det;
    out[c] = -I[c] / det;
    out[d] = I[a] / det;
}

void body_inverse_inertia(const bodies *b, size_t slot, const double *q, double out[6])
{
    const double *I = &b->inertia[3 * slot];
    double p[4], R[9], inverse[3] = {1 / I[0], 1 / I[1], 1 / I[2]}, world[6];
    memset(out, 0, 6 * sizeof *out);
    if (b->kind[slot] != MO_BODY_DYNAMIC)
        return;
    if (I[0] == I[1] && I[1] == I[2] && spins_freely(b, slot)) {
        out[0] = out[3] = out[5] = inverse[0];
        return;
    }
    principal(b, slot, q, p);
    quat_to_matrix(p, R);
    if (spins_freely(b, slot)) {
        turned_diagonal(R, inverse, out);
        return;
    }
    turned_diagonal(R, I, world);
    inverse_of_free(world, b->free[slot], out);
}

/* ---- one spin held, two free -----------------------------------------------------------------------------
 *
 * What holds the spin about one axis of the world is a moment about that axis.  So the moments of momentum
 * about the two others, L = J w with J those rows and columns of R I R^T, stay, and w = J⁻¹ L changes as the
 * body turns. The midpoint rule: R' = exp(t m) R, w' = J'⁻¹ L, m = (w + w')/2.  It is symmetric: three of it,
 * as in rotate.c, are of order four.  The kinetic energy, half L.w, is then right to that order, and w made a
 * little longer or shorter for it to stay.
 */
/* a piece turns by at most so much, rad: what it misses of the energy is below 1e-6 */
static const double HELD_TURN = 0.1;
enum { MOST_ROUNDS = 60 };

// R I R^T, R by the quaternion p
static void inertia_at(const double I[3], const double p[4], double out[6])
{
    double R[9];
    quat_to_matrix(p, R);
    turned_diagonal(R, I, out);
}

// spins w and L about the world's axes
static void held_midpoint(const double I[3], unsigned free, const double L[3], double t, double p[4],
                          double w[3])
{
    double m[3] = {w[0], w[1], w[2]}, at[4], after[3], before = HUGE_VAL;
    for (int k = 0; k < MOST_ROUNDS; k++) {
        double turn[3], J[6], inverse[6], mean[3];
        vec3_scale(t, m, turn);
        quat_set(at, p[0], p[1], p[2], p[3]);
        rotate_by(turn, at);
        inertia_at(I, at, J);
        inverse_of_free(J, free, inverse);
        symmetric3_times(inverse, L, after);
        for (int c = 0; c < 3; c++)
            mean[c] = 0.5 * (w[c] + after[c]);
        double change = vec3_distance(mean, m);
        vec3_copy(mean, m);
        // it contracts until only rounding is left
        if (change <= 1e-16 * vec3_norm(m) || (k > 5 && change >= before))
            break;
        before = change;
    }
    quat_set(p, at[0], at[1], at[2], at[3]);
    vec3_copy(after, w);
}

// w: spin about the world's axes
static void rotate_held(const double I[3], unsigned free, double t, double p[4], double w[3])
{
    const double a = ROTATE_YOSHIDA;
    double J[6], L[3];
    inertia_at(I, p, J);
    symmetric3_times(J, w, L);
    const double energy = vec3_dot(L, w);
    int n = rotate_pieces(vec3_norm(w), HELD_TURN, &t);
    for (int k = 0; k < n; k++) {
        held_midpoint(I, free, L, a * t / n, p, w);
        held_midpoint(I, free, L, (1 - 2 * a) * t / n, p, w);
        held_midpoint(I, free, L, a * t / n, p, w);
    }
    inertia_at(I, p, J);
    symmetric3_times(J, w, L);
    const double now = vec3_dot(L, w);
    if (now > 0)
        vec3_scale(sqrt(energy / now), w, w);
}

static bool holds_one(unsigned free)
{
    return ((free & MO_FREE_WX) != 0) + ((free & MO_FREE_WY) != 0) + ((free & MO_FREE_WZ) != 0) == 2;
}

void body_rotate(const bodies *b, size_t slot, double t, double *q, double w[3])
{
    double p[4], back[4], turn[3];
    if (!b->oriented[slot]) {
        // a ball keeps its spin
        vec3_scale(t, w, turn);
        rotate_by(turn, q + 3);
        return;
    }
    principal(b, slot, q, p);
    if (spins_freely(b, slot)) {
        rotate_free(&b->inertia[3 * slot], t, p, w);
    } else if (holds_one(b->free[slot])) {
        double world[3];
        quat_rotate(p, w, world);
        rotate_held(&b->inertia[3 * slot], b->free[slot], t, p, world);
        quat_rotate_back(p, world, w);
    } else {
        // one free spin or none: about the same axis in space
        quat_rotate(p, w, turn);
        double world[3] = {turn[0], turn[1], turn[2]};
        vec3_scale(t, turn, turn);
        rotate_by(turn, p);
        quat_rotate_back(p, world, w);
    }
    quat_conjugate(&b->axes[4 * slot], back);
    quat_multiply(p, back, q + 3);
    quat_normalise(q + 3);
}

void body_turn_by(const bodies *b, size_t slot, const double turn[3], double *q, const double w[3])
{
    double by[3] = {turn[0], turn[1], turn[2]}, spin[3];
    body_spin_world(b, slot, q, w, spin);
    // held spins: about the axis of the spin, so that it stays in the world's axes as well
    double square = vec3_dot(spin, spin);
    if (!spins_freely(b, slot) && square > 0)
        vec3_scale(vec3_dot(turn, spin) / square, spin, by);
    rotate_by(by, q + 3);
}
