/*
 * One contact of the step problem between round bodies.
 */
#include "dynamics/assemble.h"
#include "math/vec3.h"

// in 2D the angle may be held
static bool is_round(const bodies *b, uint32_t slot)
{
    const unsigned needs = b->dim == 2 ? MO_FREE_X | MO_FREE_Y : MO_FREE_ALL & ~(unsigned)MO_FREE_ANGLE;
    return body_is_round(b, slot) && (b->free[slot] & needs) == needs;
}

bool all_round(const bodies *b, const law_table *laws, const contact_set *c)
{
    if (laws->turned || laws->special)
        return false;
    for (size_t i = 0; i < c->count; i++) {
        const uint32_t s1 = c->slot1[i], s2 = c->slot2[i];
        if ((is_dynamic(b, s1) && !is_round(b, s1)) || (is_dynamic(b, s2) && !is_round(b, s2)))
            return false;
    }
    return true;
}

bool has_slip(const bodies *b, const law_table *laws, const stage_data *d)
{
    for (size_t k = 0; k < laws->law_count; k++)
        if (laws->list[k].tangential_restitution != 0)
            return true;
    for (uint32_t i = 0; i < b->count; i++)
        for (size_t k = 0; !is_dynamic(b, i) && k < b->nu; k++)
            if (d->u_free[b->nu * i + k] != 0)
                return true;
    return false;
}

// adds sign times the velocity at the contact point that a body has at the start of the step
static void add_start(const bodies *b, const stage_data *d, const double *point, uint32_t slot, double sign,
                      double V[3])
{
    const double *u = start_velocity(b, d, slot), *q = &d->q_mid[b->nq * slot];
    if (b->dim == 3) {
        double r[3];
        vec3_sub(point, q, r);
        add_point_velocity(u, r, sign, V);
        return;
    }
    V[0] += sign * (u[0] - u[2] * (point[1] - q[1]));
    V[1] += sign * (u[1] + u[2] * (point[0] - q[0]));
}

// components along n, t (and n x t)
static void components(size_t dim, const double *n, const double V[3], double U[3])
{
    if (dim == 2) {
        U[0] = n[0] * V[0] + n[1] * V[1];
        U[1] = n[0] * V[1] - n[1] * V[0];
        return;
    }
    double t[3], s[3];
    vec3_across(n, t);
    vec3_cross(n, t, s);
    vec3_set(U, vec3_dot(n, V), vec3_dot(t, V), vec3_dot(s, V));
}

// what boundaries and restitution add to U
static void fill_shift(const bodies *b, const mo_law *law, const contact_set *c, size_t i,
                       const stage_data *d, round_row *row, double *slip)
{
    const bool two = row->body[1] != UINT32_MAX;
    const uint32_t second = row->body[0] == c->slot1[i] ? c->slot2[i] : c->slot1[i];
    const double *point = &c->point[b->dim * i], rate = radius_rate(b, c, i);
    double V[3] = {0, 0, 0}, w[3] = {0, 0, 0}, U_I[3] = {0, 0, 0};
    // w: what neither body's unknown velocity gives
    if (!two) {
        add_start(b, d, point, second, -1, V);
        components(b->dim, row->n, V, w);
    }
    // the law holds for U_F + rho U_I, U_I at the start of the step (docs/theory/contact.md §3)
    if (law->restitution != 0 || law->tangential_restitution != 0) {
        add_start(b, d, point, row->body[0], 1, V);
        if (two)
            add_start(b, d, point, second, -1, V);
        components(b->dim, row->n, V, U_I);
    }
    row->shift =
        normal_shift(d, is_held(d, law, c, i), c->gap[i], w[0] + rate, law->restitution, U_I[0] + rate);
    for (size_t k = 1; slip != NULL && k < b->dim; k++)
        slip[k - 1] = w[k] + law->tangential_restitution * U_I[k];
}

void fill_round(const bodies *b, const mo_law *law, const contact_set *c, size_t i, const stage_data *d)
{
    const step_problem *p = &d->problem;
    const size_t dim = b->dim, r = d->row[i];
    const bool turned = is_turned(b, c, i);
    const uint32_t first = turned ? c->slot2[i] : c->slot1[i], second = turned ? c->slot1[i] : c->slot2[i];
    const bool two = is_dynamic(b, second);
    const double *point = &c->point[dim * i], *q1 = &d->q_mid[b->nq * first], *q2 = &d->q_mid[b->nq * second];
    round_row row = {.mu = p->mu[r], .body = {first, two ? second : UINT32_MAX}};
    for (size_t k = 0; k < dim; k++) {
        row.n[k] = turned ? -c->normal[dim * i + k] : c->normal[dim * i + k];
        row.arm[0] -= row.n[k] * (point[k] - q1[k]);
        row.arm[1] += two ? row.n[k] * (point[k] - q2[k]) : 0;
    }
    fill_shift(b, law, c, i, d, &row, p->slip != NULL ? &p->slip[(dim - 1) * r] : NULL);
    p->round[r] = row;
}
