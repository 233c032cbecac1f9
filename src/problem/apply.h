/*
 * The two products of the step problem: U = G u + shift, and u += A⁻¹ G* S.
 * inline: they are the body of every sweep.
 */
#ifndef PROBLEM_APPLY_H
#define PROBLEM_APPLY_H

#include <stdbool.h>

#include "core/parallel.h"
#include "problem/step_problem.h"

/* Whether contact i has two dynamic bodies, not one and a boundary. */
static inline bool has_two(const step_problem *p, size_t i)
{
    return p->contact[i].body[1] != UINT32_MAX;
}

/* G u + shift of one contact for a shift of one's own; two: whether body[1] takes part. */
static inline void shifted_velocity(const contact2 *c, const velocity2 *v, bool two, const double shift[2],
                                    double U[2])
{
    const double *a = v[c->body[0]].u;
    double ux = a[0], uy = a[1], un = c->arm[0] * a[2], ut = c->arm[1] * a[2];
    if (two) {
        const double *b = v[c->body[1]].u;
        ux -= b[0];
        uy -= b[1];
        un -= c->arm[2] * b[2];
        ut -= c->arm[3] * b[2];
    }
    U[0] = (c->n[0] * ux + c->n[1] * uy) + (un + shift[0]);
    U[1] = (c->n[0] * uy - c->n[1] * ux) + (ut + shift[1]);
}

/* U of one contact. */
static inline void local_velocity(const contact2 *c, const velocity2 *v, bool two, double U[2])
{
    shifted_velocity(c, v, two, c->shift, U);
}

/* u += A⁻¹ G* dS of one contact. */
static inline void apply_impulse(const contact2 *c, velocity2 *v, bool two, double dN, double dT)
{
    double px = c->n[0] * dN - c->n[1] * dT, py = c->n[1] * dN + c->n[0] * dT;
    velocity2 *a = &v[c->body[0]];
    a->u[0] += a->inv[0] * px;
    a->u[1] += a->inv[1] * py;
    a->u[2] += a->inv[2] * (c->arm[0] * dN + c->arm[1] * dT);
    if (two) {
        velocity2 *b = &v[c->body[1]];
        b->u[0] -= b->inv[0] * px;
        b->u[1] -= b->inv[1] * py;
        b->u[2] -= b->inv[2] * (c->arm[2] * dN + c->arm[3] * dT);
    }
}

/* u = u_free + A⁻¹ G* S from the data alone: takes away the rounding a long iteration leaves (M99 (8)). */
void refresh_velocities(const step_problem *p, pool *threads);

#endif
