/*
 * The two products of the step problem: U = G u + shift, and u += A⁻¹ G* S.
 * inline: they are the body of every sweep.
 */
#ifndef PROBLEM_APPLY_H
#define PROBLEM_APPLY_H

#include <math.h>
#include <stdbool.h>

#include "core/parallel.h"
#include "problem/rows.h"
#include "problem/step_problem.h"

/* Whether contact i has two dynamic bodies, not one and a boundary. */
static inline bool has_two(const step_problem *p, size_t i)
{
    return row_bodies(p, i)[1] != UINT32_MAX;
}

/* |x_T| */
static inline double tangential_size(int dim, const double *x)
{
    return dim == 2 ? fabs(x[1]) : sqrt(x[1] * x[1] + x[2] * x[2]);
}

/* ---- 2D ------------------------------------------------------------------------------------------- */

/* G u + shift of one contact for a shift of one's own; two: whether body[1] takes part. */
static inline void shifted_velocity2(const contact2 *c, const velocity2 *v, bool two, const double shift[2],
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

/* u += A⁻¹ G* dS of one contact. */
static inline void apply_impulse2(const contact2 *c, velocity2 *v, bool two, double dN, double dT)
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

/* ---- 3D ------------------------------------------------------------------------------------------- */

/* d += sign (v + omega×r) of one body, u = (v, omega) */
static inline void add_point_velocity(const double *u, const double r[3], double sign, double d[3])
{
    double turn[3];
    vec3_cross(u + 3, r, turn);
    for (int k = 0; k < 3; k++)
        d[k] += sign * (u[k] + turn[k]);
}

/* G u + shift of one contact from the velocities (v, omega) of its bodies; b unused for a boundary. */
static inline void row3_velocity(const contact_row3 *c, const double *a, const double *b, bool two,
                                 const double shift[3], double U[3])
{
    double s[3], d[3] = {0, 0, 0};
    vec3_cross(c->n, c->t, s);
    add_point_velocity(a, c->r1, 1, d);
    if (two)
        add_point_velocity(b, c->r2, -1, d);
    vec3_set(U, vec3_dot(c->n, d), vec3_dot(c->t, d), c->ratio * vec3_dot(s, d));
    vec3_add(U, shift, U);
}

static inline void shifted_velocity3(const contact_row3 *c, const velocity3 *v, bool two,
                                     const double shift[3], double U[3])
{
    row3_velocity(c, v[c->body[0]].u, two ? v[c->body[1]].u : NULL, two, shift, U);
}

/* u += A⁻¹ (linear P, angular M) */
static inline void push_body(velocity3 *v, double linear, const double P[3], double angular,
                             const double M[3])
{
    double spin[3];
    symmetric3_times(v->inv_I, M, spin);
    for (int k = 0; k < 3; k++) {
        v->u[k] += linear * (v->inv_m[k] * P[k]);
        v->u[3 + k] += angular * spin[k];
    }
}

static inline void apply_impulse3(const contact_row3 *c, velocity3 *v, bool two, const double dS[3])
{
    double s[3], P[3], M[3];
    vec3_cross(c->n, c->t, s);
    for (int k = 0; k < 3; k++)
        P[k] = c->n[k] * dS[0] + c->t[k] * dS[1] + s[k] * (c->ratio * dS[2]);
    vec3_cross(c->r1, P, M);
    push_body(&v[c->body[0]], 1, P, 1, M);
    if (two) {
        vec3_cross(c->r2, P, M);
        push_body(&v[c->body[1]], -1, P, -1, M);
    }
}

/* ---- round bodies --------------------------------------------------------------------------------- */

static inline void shifted_velocity_round(int dim, const step_problem *p, size_t i, const double *shift,
                                          double *U)
{
    const round_row *c = &p->round[i];
    round_velocity(dim, c, body_velocity(p, c->body[0]),
                   c->body[1] != UINT32_MAX ? body_velocity(p, c->body[1]) : NULL, U);
    for (int k = 0; k < dim; k++)
        U[k] += shift[k];
}

static inline void apply_impulse_round(int dim, const step_problem *p, size_t i, const double *dS)
{
    const round_row *c = &p->round[i];
    for (int side = 0; side < 2 && c->body[side] != UINT32_MAX; side++) {
        double G[3][6], P[6] = {0}, change[6] = {0};
        const int freedoms = dim == 2 ? 3 : 6;
        double *u = body_velocity(p, c->body[side]);
        round_rows(dim, c, side, G);
        for (int r = 0; r < dim; r++)
            for (int k = 0; k < freedoms; k++)
                P[k] += G[r][k] * dS[r];
        row_times_inverse(p, c->body[side], P, change);
        for (int k = 0; k < freedoms; k++)
            u[k] += change[k];
    }
}

/* ---- either: dim is a constant where it is called from a loop -------------------------------------- */

/* G u + shift of contact i from p's velocities for a shift of one's own. */
static inline void shifted_velocity(int dim, const step_problem *p, size_t i, bool two, const double *shift,
                                    double *U)
{
    if (p->round != NULL)
        shifted_velocity_round(dim, p, i, shift, U);
    else if (dim == 2)
        shifted_velocity2(&p->contact[i], p->velocity, two, shift, U);
    else
        shifted_velocity3(&p->row3[i], p->velocity3, two, shift, U);
}

/* U of contact i. */
static inline void contact_velocity(int dim, const step_problem *p, size_t i, bool two, double *U)
{
    double shift[3];
    row_shift(p, i, shift);
    shifted_velocity(dim, p, i, two, shift, U);
}

/* u += A⁻¹ G* dS of contact i. */
static inline void apply_impulse(int dim, const step_problem *p, size_t i, bool two, const double *dS)
{
    if (p->round != NULL)
        apply_impulse_round(dim, p, i, dS);
    else if (dim == 2)
        apply_impulse2(&p->contact[i], p->velocity, two, dS[0], dS[1]);
    else
        apply_impulse3(&p->row3[i], p->velocity3, two, dS);
}

/* ---- all contacts ---------------------------------------------------------------------------------- */

/* Rows [begin, end); two: all of them have two bodies; grouped: they are groups of LANES that share no body.
 */
typedef struct contact_range {
    const step_problem *p;
    size_t begin, end;
    bool two, grouped;
    const void *data;
} contact_range;

typedef void range_fn(const contact_range *r);

/*
 * Calls fn `times` times for all contacts, block after block, on as many threads as the blocks have owners,
 * with the same result as on one.  data: for fn.
 */
void for_contacts(const step_problem *p, pool *threads, size_t times, range_fn *fn, const void *data);

/* u = u_free + A⁻¹ G* S from the data alone: takes away the rounding a long iteration leaves (M99 (8)). */
void refresh_velocities(const step_problem *p, pool *threads);

#endif
