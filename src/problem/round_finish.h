/*
 * The end of a step at contacts of round bodies, for the width of the file that includes this (core/lanes.h).
 * The lever arms are r1 = -a1 n, r2 = a2 n, so that with d = v1 - v2, W = a1 omega1 + a2 omega2 (3D: s = n x
 * t)
 *
 *   U_N = n.d,   U_t = t.d - s.W,   U_s = s.d + t.W        (2D: U_T = t.d - W)
 *   torque on either body = -a T,   T = n x P = s S_t - t S_s     (2D: T = S_T)
 *
 * What is lost is -S.(U_I + U_F)/2, U_I before and U_F after (M99 (48)).
 */
#include "problem/round_kernel.h"

// velocity of the contact along its axes
KERNEL_INLINE void velocity_along(int dim, const lanes n[3], const lanes t[3], const lanes s[3],
                                  const lanes d[3], const lanes W[3], lanes U[3])
{
    if (dim == 2) {
        U[0] = n[0] * d[0] + n[1] * d[1];
        U[1] = n[0] * d[1] - n[1] * d[0] - W[0];
        return;
    }
    U[0] = dot3(n, d);
    U[1] = dot3(t, d) - dot3(s, W);
    U[2] = dot3(s, d) + dot3(t, W);
}

// d and W of the velocities of both bodies
KERNEL_INLINE void parting(int dim, const round_end *c, bool after, const lanes a[2], lanes d[3], lanes W[3])
{
    const double *one[WIDTH], *two[WIDTH];
    lanes u1[8], u2[8];
    for (size_t l = 0; l < WIDTH; l++) {
        one[l] = after ? c[l].after[0] : c[l].before[0];
        two[l] = after ? c[l].after[1] : c[l].before[1];
    }
    lines_load_part(one, dim == 2 ? 3 : 6, u1);
    lines_load_part(two, dim == 2 ? 3 : 6, u2);
    for (int k = 0; k < dim; k++)
        d[k] = u1[k] - u2[k];
    for (int k = 0; k < (dim == 2 ? 1 : 3); k++)
        W[k] = a[0] * u1[dim + k] + a[1] * u2[dim + k];
}

KERNEL_INLINE void store_velocity(int dim, const round_end *c, const lanes U[3])
{
    double each[3][WIDTH];
    // of contacts that follow each other at once
    if (c[WIDTH - 1].U - c[0].U == (ptrdiff_t)(WIDTH - 1) * dim) {
        store_impulse(dim, c[0].U, U);
        return;
    }
    for (int k = 0; k < dim; k++)
        lanes_store(each[k], U[k]);
    for (size_t l = 0; l < WIDTH; l++)
        for (int k = 0; k < dim; k++)
            c[l].U[k] = each[k][l];
}

// impulse on the first body and torques on both
KERNEL_INLINE void store_shove(int dim, const round_end *c, const lanes P[3], const lanes T[3],
                               const lanes a[2])
{
    double *line[WIDTH], last[WIDTH];
    for (size_t l = 0; l < WIDTH; l++)
        line[l] = c[l].shove;
    if (dim == 2) {
        fours_store(line, 0, (const lanes[4]){P[0], P[1], -a[0] * T[0], -a[1] * T[0]});
        return;
    }
    fours_store(line, 0, (const lanes[4]){P[0], P[1], P[2], -a[0] * T[0]});
    fours_store(line, 4, (const lanes[4]){-a[0] * T[1], -a[0] * T[2], -a[1] * T[0], -a[1] * T[1]});
    lanes_store(last, -a[1] * T[2]);
    for (size_t l = 0; l < WIDTH; l++)
        line[l][8] = last[l];
}

// WIDTH contacts; loss: by impacts and by friction, from lane on
KERNEL_INLINE void finish_group(int dim, const round_end *c, double loss[2][LANES], size_t lane)
{
    const double *line[WIDTH];
    lanes n[4], S[4], arm[4], t[3], s[3], d[3], W[3], d2[3], W2[3], U[3], mean[3], P[3], T[3];
    for (size_t l = 0; l < WIDTH; l++)
        line[l] = c[l].n;
    fours_load(line, 0, dim, n);
    for (size_t l = 0; l < WIDTH; l++)
        line[l] = c[l].S;
    fours_load(line, 0, dim, S);
    for (size_t l = 0; l < WIDTH; l++)
        line[l] = c[l].arm;
    fours_load(line, 0, 2, arm);
    parting(dim, c, true, arm, d, W);
    parting(dim, c, false, arm, d2, W2);
    for (int k = 0; k < dim; k++)
        d2[k] = d[k] + d2[k];
    for (int k = 0; k < (dim == 2 ? 1 : 3); k++)
        W2[k] = W[k] + W2[k];
    if (dim == 3)
        round_frame(n, t, s);
    velocity_along(dim, n, t, s, d, W, U);
    velocity_along(dim, n, t, s, d2, W2, mean);
    if (dim == 2) {
        P[0] = n[0] * S[0] - n[1] * S[1];
        P[1] = n[1] * S[0] + n[0] * S[1];
        T[0] = S[1];
    }
    for (int k = 0; dim == 3 && k < 3; k++) {
        P[k] = n[k] * S[0] + t[k] * S[1] + s[k] * S[2];
        T[k] = s[k] * S[1] - t[k] * S[2];
    }
    lanes friction = mean[1] * S[1];
    if (dim == 3)
        friction = friction + mean[2] * S[2];
    add_to(&loss[0][lane], lanes_of(-0.5) * mean[0] * S[0]);
    add_to(&loss[1][lane], lanes_of(-0.5) * friction);
    store_velocity(dim, c, U);
    store_shove(dim, c, P, T, arm);
}

// whole groups of WIDTH
static void finish2(const round_end *c, size_t count, double loss[2][LANES])
{
    for (size_t i = 0; i < count; i += WIDTH)
        finish_group(2, &c[i], loss, i % LANES);
}

static void finish3(const round_end *c, size_t count, double loss[2][LANES])
{
    for (size_t i = 0; i < count; i += WIDTH)
        finish_group(3, &c[i], loss, i % LANES);
}
