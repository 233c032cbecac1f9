/*
 * One contact of the step problem between round bodies.
 */
#include "dynamics/assemble.h"
#include "math/vec3.h"

// in 2D the angle may be held
static inline bool is_round(const bodies *b, uint32_t slot)
{
    const unsigned needs = b->dim == 2 ? MO_FREE_X | MO_FREE_Y : MO_FREE_ALL & ~(unsigned)MO_FREE_ANGLE;
    return (b->free[slot] & needs) == needs && body_is_round(b, slot);
}

// a boundary may have any shape
static inline bool is_round_or_fixed(const bodies *b, uint32_t slot)
{
    return !is_dynamic(b, slot) || is_round(b, slot);
}

bool all_round(const bodies *b, const law_table *laws, const contact_set *c)
{
    bool all = true;
    if (laws->turned || laws->special)
        return false;
    for (uint32_t i = 0; i < b->count && all; i++)
        all = is_round_or_fixed(b, i);
    // bodies of other shapes that touch nothing do not matter
    for (size_t i = 0; i < c->count && !all; i++)
        if (!is_round_or_fixed(b, c->slot1[i]) || !is_round_or_fixed(b, c->slot2[i]))
            return false;
    return true;
}

bool has_slip(const bodies *b, const law_table *laws, const stage_data *d)
{
    if (d->cell != NULL)
        return true;
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
static void add_start(const bodies *b, const stage_data *d, const contact_set *c, size_t i, uint32_t slot,
                      double sign, double V[3])
{
    const double *u = start_velocity(b, d, slot);
    double r[3];
    contact_arm(c, b->dim, i, slot == c->slot2[i], &d->q_mid[b->nq * slot], r);
    if (b->dim == 3) {
        add_point_velocity(u, r, sign, V);
        return;
    }
    V[0] += sign * (u[0] - u[2] * r[1]);
    V[1] += sign * (u[1] + u[2] * r[0]);
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

// what boundaries, radii and restitution add to U
static void fill_shift(const bodies *b, const mo_law *law, const contact_set *c, size_t i,
                       const stage_data *d, round_row *row, double *slip)
{
    const bool two = row->body[1] != UINT32_MAX;
    const uint32_t second = row->body[0] == c->slot1[i] ? c->slot2[i] : c->slot1[i];
    const double rate = radius_rate(b, c, i);
    double V[3] = {0, 0, 0}, w[3] = {0, 0, 0}, U_I[3] = {0, 0, 0};
    // w: what neither body's unknown velocity gives
    if (!two) {
        add_start(b, d, c, i, second, -1, V);
        components(b->dim, row->n, V, w);
    }
    if (d->cell != NULL) {
        double flow[3] = {0, 0, 0};
        add_flow(b, c, i, d, d->cell->after, row_sign(b, c, i), flow);
        components(b->dim, row->n, flow, w);
    }
    // the law holds for U_F + rho U_I, U_I at the start of the step (docs/theory/contact.md §3)
    if (law->restitution != 0 || law->tangential_restitution != 0) {
        add_start(b, d, c, i, row->body[0], 1, V);
        if (two)
            add_start(b, d, c, i, second, -1, V);
        if (d->cell != NULL)
            add_flow(b, c, i, d, d->cell->before, row_sign(b, c, i), V);
        components(b->dim, row->n, V, U_I);
    }
    row->shift =
        normal_shift(d, is_held(d, law, c, i), c->gap[i], w[0] + rate, law->restitution, U_I[0] + rate);
    for (size_t k = 1; slip != NULL && k < b->dim; k++)
        slip[k - 1] = w[k] + law->tangential_restitution * U_I[k];
}

// the way from a body's centre to contact i, against the normal
static inline double arm_of(size_t dim, const double *n, const contact_set *c, size_t i, int side,
                            const double *q)
{
    double arm = 0, r[3];
    contact_arm(c, dim, i, side, q, r);
    for (size_t k = 0; k < dim; k++)
        arm -= n[k] * r[k];
    return arm;
}

// normal, arms and bodies of contact i; dim is a constant where it is called
static inline void fill_geometry(size_t dim, const bodies *b, const contact_set *c, size_t i,
                                 const stage_data *d, round_row *row)
{
    const bool turned = is_turned(b, c, i);
    const uint32_t first = turned ? c->slot2[i] : c->slot1[i], second = turned ? c->slot1[i] : c->slot2[i];
    const double *normal = &c->normal[dim * i], sign = turned ? -1 : 1, half = 0.5 * c->gap[i];
    row->n[2] = 0;
    for (size_t k = 0; k < dim; k++)
        row->n[k] = sign * normal[k];
    // two round bodies touch in the middle of the gap
    const bool two = is_dynamic(b, second);
    const size_t nq = dim == 2 ? 3 : 7;
    row->arm[0] =
        two ? b->radius[first] + half : arm_of(dim, row->n, c, i, turned ? 1 : 0, &d->q_mid[nq * first]);
    row->arm[1] = two ? b->radius[second] + half : 0;
    row->body[0] = first;
    row->body[1] = two ? second : UINT32_MAX;
}

/* contacts between asking for the place of one and writing it */
enum { AHEAD = 24 };

static inline void fill_rows(size_t dim, const bodies *b, const law_table *laws, const contact_set *c,
                             const stage_data *d, bool plain, size_t begin, size_t end)
{
    const step_problem *p = &d->problem;
    for (size_t i = begin; i < end; i++) {
        const size_t r = d->row[i], later = i + AHEAD < end ? d->row[i + AHEAD] : r;
        __builtin_prefetch(&p->round[later], 1);
        __builtin_prefetch(&p->S[dim * later], 1);
        const mo_law *law = &laws->list[c->law[i]];
        round_row *row = &p->round[r];
        row->mu = law->friction;
        fill_geometry(dim, b, c, i, d, row);
        if (plain)
            row->shift = normal_shift(d, d->hold, c->gap[i], 0, 0, 0);
        else
            fill_shift(b, law, c, i, d, row, p->slip != NULL ? &p->slip[(dim - 1) * r] : NULL);
        turn_impulse(dim, is_turned(b, c, i), &c->S[dim * i], &p->S[dim * r]);
    }
}

// whether gaps alone give shifts: nothing bounces, breathes or moves by itself
static bool is_plain(const bodies *b, const law_table *laws, const stage_data *d)
{
    if (d->cell != NULL || d->problem.slip != NULL || b->function_count > 0)
        return false;
    for (size_t k = 0; k < laws->law_count; k++)
        if (laws->list[k].restitution != 0)
            return false;
    return laws->law_count > 0;
}

void fill_round(const bodies *b, const law_table *laws, const contact_set *c, const stage_data *d,
                size_t begin, size_t end)
{
    const bool plain = is_plain(b, laws, d);
    // constants in each loop, so that each is compiled on its own
    if (b->dim == 2 && plain)
        fill_rows(2, b, laws, c, d, true, begin, end);
    else if (b->dim == 2)
        fill_rows(2, b, laws, c, d, false, begin, end);
    else if (plain)
        fill_rows(3, b, laws, c, d, true, begin, end);
    else
        fill_rows(3, b, laws, c, d, false, begin, end);
}
