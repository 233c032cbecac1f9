/*
 * Joints and impacts in one step.
 *
 * Rows of joints hold for the mean velocity of the step, as if their restitution were 1; contacts and stops
 * ask for the velocity after it.  Where links turn far within the step U_I of their rows is large, joints
 * throw it back, and a contact that was parting may be pushed: S.Ū > 0, energy out of nothing.  With one
 * restitution for all of them that cannot be (docs/theory/contact.md §1).  So where contacts and stops of
 * joined bodies have made more than the scheme may make without joints, 1/8 |u_free - u_I|² in the kinetic
 * norm, joints take over their restitution for this step: U_F + rho U_I = 0.
 */
#include <math.h>

#include "dynamics/assemble.h"
#include "dynamics/contact_place.h"
#include "dynamics/joints.h"

/* Share of the kinetic energy that is no gain but rounding and what the solver's tolerance leaves. */
static const double NOISE = 1e-8;

static bool is_joined(const joints *js, const bodies *b, uint32_t slot)
{
    return is_dynamic(b, slot) && js->system.island_of[slot] != NO_BODY;
}

// velocity of a body after the step, world axes; a boundary's at mid step
static const double *velocity_after(const bodies *b, const stage_data *d, uint32_t slot)
{
    return is_dynamic(b, slot) ? body_velocity(&d->problem, slot) : &d->u_free[b->nu * slot];
}

// S.Ū of contact i
static double contact_gain(const bodies *b, const contact_set *c, size_t i, const stage_data *d)
{
    double S[3] = {0, 0, 0}, U_I[3], U_F[3], sum = 0;
    contact_place p;
    turn_impulse(b->dim, is_turned(b, c, i), row_impulse(&d->problem, d->row[i]), S);
    S[0] -= d->special != NULL ? d->pull[i] : 0;
    place_contact(b->dim, c, i, d->q_mid, &p);
    relative_velocity(b->dim, &p, start_velocity(b, d, p.slot[0]), start_velocity(b, d, p.slot[1]), U_I);
    relative_velocity(b->dim, &p, velocity_after(b, d, p.slot[0]), velocity_after(b, d, p.slot[1]), U_F);
    U_I[0] += 2 * radius_rate(b, c, i);
    for (size_t k = 0; k < b->dim; k++)
        sum += 0.5 * (U_I[k] + U_F[k]) * S[k];
    return sum;
}

// of all contacts at joined bodies; rho: no more than that of those that push
static double contacts_gain(const bodies *b, const law_table *laws, const contact_set *c, const stage_data *d,
                            double *rho)
{
    double sum = 0;
    for (size_t i = 0; i < c->count; i++) {
        if (!is_joined(d->joints, b, c->slot1[i]) && !is_joined(d->joints, b, c->slot2[i]))
            continue;
        if (!(row_impulse(&d->problem, d->row[i])[0] > 0))
            continue;
        sum += contact_gain(b, c, i, d);
        *rho = fmin(*rho, laws->list[c->law[i]].restitution);
    }
    return sum;
}

static double stops_gain(const bodies *b, const stage_data *d, double *rho)
{
    const step_extra *e = d->problem.extra;
    double sum = 0;
    for (size_t i = 0; i < e->boxes; i++) {
        const box_row *r = &e->box[i];
        const joint *k = &d->joints->list[d->joints->owner[i].joint];
        if (d->joints->owner[i].motor || e->T[i] == 0)
            continue;
        double U_I, U_F;
        joint_start(b, k, d, r->G[0], r->G[1], &U_I, &U_F);
        for (int side = 0; side < 2; side++)
            for (size_t n = 0; r->body[side] != NO_BODY && n < b->nu; n++)
                U_F += r->G[side][n] * body_velocity(&d->problem, r->body[side])[n];
        sum += 0.5 * (U_I + U_F) * e->T[i];
        *rho = 0;
    }
    return sum;
}

// what is no gain
static double allowed(const bodies *b, const stage_data *d)
{
    double sum = 0;
    for (size_t i = 0; i < b->count; i++) {
        if (!is_dynamic(b, (uint32_t)i))
            continue;
        const double *before = start_velocity(b, d, (uint32_t)i), *free = &d->u_free[b->nu * i];
        for (size_t k = 0; k < b->dim; k++)
            sum += b->mass[i] *
                   (0.125 * (free[k] - before[k]) * (free[k] - before[k]) + NOISE * before[k] * before[k]);
    }
    return sum;
}

static void take_over(const bodies *b, const stage_data *d, double rho)
{
    joints *js = d->joints;
    for (size_t n = 0; n < js->count; n++) {
        const joint *k = &js->list[n];
        if (k->block == NO_BODY || k->def.kind == MO_JOINT_SPRING)
            continue;
        row_block *r = &js->system.block[k->block];
        for (uint32_t i = 0; i < r->rows; i++) {
            double U_I, w;
            joint_start(b, k, d, r->G[0][i], r->G[1][i], &U_I, &w);
            r->shift[i] = w + rho * U_I;
        }
    }
}

bool joints_yield(const bodies *b, const law_table *laws, const contact_set *c, const stage_data *d)
{
    if (d->joints == NULL || d->joints->system.rows == 0 || d->cell != NULL)
        return false;
    double rho = 1, gain = contacts_gain(b, laws, c, d, &rho) + stops_gain(b, d, &rho);
    if (!(gain > 0 && gain > allowed(b, d)))
        return false;
    take_over(b, d, rho);
    return true;
}
