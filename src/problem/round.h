/*
 * Contacts of round bodies, one at a time: for code that is not a sweep (problem/round_kernel.h does many at
 * once).  With r1 = -arm1 n and r2 = arm2 n, and d = v1 - v2, W = arm1 omega1 + arm2 omega2:
 *
 *   2D   U_N = n.d,  U_T = t.d - W                       t = n turned by +90°
 *   3D   U_N = n.d,  U_T = (t.d - s.W, s.d + t.W)        s = n×t
 */
#ifndef PROBLEM_ROUND_H
#define PROBLEM_ROUND_H

#include <stdbool.h>

#include "math/vec3.h"
#include "problem/step_problem.h"

/* H_nn and H_tt. */
static inline void round_block(const step_problem *p, const round_row *c, double H[2])
{
    double inv_m[2] = {0, 0}, inv_I[2] = {0, 0};
    for (int k = 0; k < 2 && c->body[k] != UINT32_MAX; k++) {
        inv_m[k] = p->dim == 2 ? p->velocity[c->body[k]].inv[0] : p->ball[c->body[k]].inv_m;
        inv_I[k] = p->dim == 2 ? p->velocity[c->body[k]].inv[2] : p->ball[c->body[k]].inv_I;
    }
    H[0] = inv_m[0] + inv_m[1];
    H[1] = H[0] + c->arm[0] * c->arm[0] * inv_I[0] + c->arm[1] * c->arm[1] * inv_I[1];
}

/* G u from the velocities of the bodies; b unused for a boundary. */
static inline void round_velocity(int dim, const round_row *c, const double *a, const double *b, double *U)
{
    const bool two = c->body[1] != UINT32_MAX;
    double d[3] = {0}, W[3] = {0}, t[3], s[3];
    const int spins = dim == 2 ? 1 : 3;
    for (int k = 0; k < dim; k++)
        d[k] = two ? a[k] - b[k] : a[k];
    for (int k = 0; k < spins; k++)
        W[k] = c->arm[0] * a[dim + k] + (two ? c->arm[1] * b[dim + k] : 0);
    if (dim == 2) {
        U[0] = c->n[0] * d[0] + c->n[1] * d[1];
        U[1] = c->n[0] * d[1] - c->n[1] * d[0] - W[0];
        return;
    }
    vec3_across(c->n, t);
    vec3_cross(c->n, t, s);
    vec3_set(U, vec3_dot(c->n, d), vec3_dot(t, d) - vec3_dot(s, W), vec3_dot(s, d) + vec3_dot(t, W));
}

/* G for body[side]: dim rows of three or six numbers. */
static inline void round_rows(int dim, const round_row *c, int side, double (*G)[6])
{
    const double sign = side == 0 ? 1 : -1, *n = c->n;
    // the arm counts with the same sign at both: the second body sits on the other side
    const double arm = c->arm[side];
    if (dim == 2) {
        G[0][0] = sign * n[0], G[0][1] = sign * n[1], G[0][2] = 0;
        G[1][0] = -sign * n[1], G[1][1] = sign * n[0], G[1][2] = -arm;
        return;
    }
    double t[3], s[3];
    vec3_across(n, t);
    vec3_cross(n, t, s);
    for (int k = 0; k < 3; k++) {
        G[0][k] = sign * n[k], G[1][k] = sign * t[k], G[2][k] = sign * s[k];
        G[0][3 + k] = 0, G[1][3 + k] = -arm * s[k], G[2][3 + k] = arm * t[k];
    }
}

#endif
