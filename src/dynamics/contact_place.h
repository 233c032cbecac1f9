/*
 * Where a contact is, and the relative velocity there.  inline: they are the body of integrate's loops, for
 * which dim is a constant.
 */
#ifndef DYNAMICS_CONTACT_PLACE_H
#define DYNAMICS_CONTACT_PLACE_H

#include "dynamics/assemble.h"
#include "dynamics/stage.h"
#include "math/vec3.h"

// numbers in q and in u
static inline size_t nq_of(size_t dim)
{
    return dim == 2 ? 3 : 7;
}

static inline size_t nu_of(size_t dim)
{
    return dim == 2 ? 3 : 6;
}

// the bodies of a contact, its lever arms, and its axes n, t and n x t; in 2D the normal is enough
typedef struct contact_place {
    uint32_t slot[2];
    double r[2][3], axes[9];
} contact_place;

static inline void place_contact(size_t dim, const contact_set *c, size_t i, const double *q_mid,
                                 contact_place *out)
{
    const double *n = &c->normal[dim * i];
    out->slot[0] = c->slot1[i];
    out->slot[1] = c->slot2[i];
    for (int k = 0; k < 2; k++)
        contact_arm(c, dim, i, k, &q_mid[nq_of(dim) * out->slot[k]], out->r[k]);
    for (size_t a = 0; a < dim; a++)
        out->axes[a] = n[a];
    if (dim == 3)
        contact_frame(n, &out->axes[3], &out->axes[6]);
}

// velocity of a body at the lever arm r
static inline void point_velocity(size_t dim, const double *u, const double *r, double *V)
{
    if (dim == 2) {
        V[0] = u[0] - u[2] * r[1];
        V[1] = u[1] + u[2] * r[0];
        return;
    }
    double turn[3];
    vec3_cross(u + 3, r, turn);
    vec3_add(u, turn, V);
}

static inline void to_axes(size_t dim, const contact_place *p, const double *V, double *U)
{
    if (dim == 3) {
        mat3_apply(p->axes, V, U);
        return;
    }
    U[0] = p->axes[0] * V[0] + p->axes[1] * V[1];
    U[1] = p->axes[0] * V[1] - p->axes[1] * V[0];
}

// relative velocity of the contact, in its axes, for the velocities u1 and u2 of its bodies
static inline void relative_velocity(size_t dim, const contact_place *p, const double *u1, const double *u2,
                                     double *U)
{
    double V[3], second[3];
    point_velocity(dim, u1, p->r[0], V);
    point_velocity(dim, u2, p->r[1], second);
    for (size_t a = 0; a < dim; a++)
        V[a] -= second[a];
    to_axes(dim, p, V, U);
}

// the part of U that boundaries and radii give, u the velocities of bodies; dim numbers
static inline void boundary_part(size_t dim, const bodies *b, const contact_set *c, size_t i, const double *u,
                                 const contact_place *p, double *w)
{
    for (size_t a = 0; a < dim; a++)
        w[a] = 0;
    for (int k = 0; k < 2; k++) {
        double V[3], U[3];
        if (is_dynamic(b, p->slot[k]))
            continue;
        point_velocity(dim, &u[nu_of(dim) * p->slot[k]], p->r[k], V);
        to_axes(dim, p, V, U);
        for (size_t a = 0; a < dim; a++)
            w[a] += (k == 0 ? 1 : -1) * U[a];
    }
    w[0] += radius_rate(b, c, i);
}

// its normal part
static inline double boundary_speed(const bodies *b, const contact_set *c, size_t i, const stage_data *d)
{
    contact_place p;
    double w[3];
    place_contact(b->dim, c, i, d->q_mid, &p);
    boundary_part(b->dim, b, c, i, d->u_free, &p, w);
    return w[0];
}

// U_N of contact i at the start of the step, while u_start still tells it: with theta other than 1/2
static inline double speed_before(const bodies *b, const contact_set *c, size_t i, const stage_data *d)
{
    contact_place p;
    double U[3], flow[3] = {0, 0, 0};
    place_contact(b->dim, c, i, d->q_mid, &p);
    relative_velocity(b->dim, &p, start_velocity(b, d, p.slot[0]), start_velocity(b, d, p.slot[1]), U);
    if (d->cell != NULL)
        add_flow(b, c, i, d, d->cell->before, 1, flow);
    for (size_t k = 0; k < b->dim; k++)
        U[0] += p.axes[k] * flow[k];
    return U[0] + radius_rate(b, c, i);
}

// gap of contact i at the end of the step, to first order: from q_mid places go on by h/2 u_f and, with theta
// other than 1/2, by (theta - 1/2) h (u_f - u_i)
static inline double gap_after(const bodies *b, const contact_set *c, size_t i, const stage_data *d)
{
    const double gap = c->gap[i] + d->theta * d->h * c->U[b->dim * i];
    return d->theta == 0.5 ? gap : gap - (d->theta - 0.5) * d->h * speed_before(b, c, i, d);
}

#endif
