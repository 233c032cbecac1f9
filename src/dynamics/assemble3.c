/*
 * One contact of the step problem in 3D: velocities and spins in world axes.
 */
#include "dynamics/assemble.h"
#include "math/vec3.h"
#include "problem/apply.h"
#include "solver/contact_row3.h"

// lever arm of the contact, and the velocity that the body has there at the start of the step
static void make_side(const bodies *b, const stage_data *d, const contact_set *c, size_t i, int which,
                      double arm[3], double V[3])
{
    const uint32_t slot = which == 0 ? c->slot1[i] : c->slot2[i];
    contact_arm(c, 3, i, which, &d->q_mid[7 * (size_t)slot], arm);
    vec3_set(V, 0, 0, 0);
    add_point_velocity(start_velocity(b, d, slot), arm, 1, V);
}

// components along n, t and n x t
static void components(const contact_row3 *row, const double V[3], double U[3])
{
    double s[3];
    vec3_cross(row->n, row->t, s);
    vec3_set(U, vec3_dot(row->n, V), vec3_dot(row->t, V), vec3_dot(s, V));
}

void fill_row3(const bodies *b, const mo_law *law, const contact_set *c, size_t i, const stage_data *d)
{
    contact_row3 *row = &d->problem.row3[d->row[i]];
    bool turned = is_turned(b, c, i);
    uint32_t first = turned ? c->slot2[i] : c->slot1[i], second = turned ? c->slot1[i] : c->slot2[i];
    bool two = is_dynamic(b, second);
    const double *normal = &c->normal[3 * i], sign = turned ? -1 : 1;
    double V1[3], V2[3], t[3], U_I[3], w[3] = {0, 0, 0}, rate = radius_rate(b, c, i);
    double ratio = 1;
    *row = (contact_row3){.body = {first, two ? second : UINT32_MAX}};
    if (law_is_turned(law))
        ratio = special_tangent(b, law, c, i, d->q_mid, t);
    else
        tangent_of(normal, t);
    vec3_scale(sign, normal, row->n);
    vec3_scale(sign, t, row->t);
    make_side(b, d, c, i, turned ? 1 : 0, row->r1, V1);
    make_side(b, d, c, i, turned ? 0 : 1, row->r2, V2);
    // w: what neither body's unknown velocity gives
    if (!two) {
        components(row, V2, w);
        vec3_scale(-1, w, w);
        vec3_set(row->r2, 0, 0, 0);
    }
    // the law holds for U_F + rho U_I, U_I at the start of the step (docs/theory/contact.md §3)
    vec3_sub(V1, V2, V1);
    if (d->cell != NULL) {
        double flow[3] = {0, 0, 0};
        add_flow(b, c, i, d, d->cell->before, row_sign(b, c, i), V1);
        add_flow(b, c, i, d, d->cell->after, row_sign(b, c, i), flow);
        components(row, flow, w);
    }
    components(row, V1, U_I);
    row->shift[0] =
        normal_shift(d, is_held(d, law, c, i), c->gap[i], w[0] + rate, law->restitution, U_I[0] + rate);
    row->shift[1] = w[1] + law->tangential_restitution * U_I[1];
    row->shift[2] = ratio * (w[2] + law->tangential_restitution * U_I[2]);
    contact_row3_prepare(row, &d->problem.block3[d->row[i]], d->problem.velocity3, d->problem.mu[d->row[i]],
                         ratio);
}
