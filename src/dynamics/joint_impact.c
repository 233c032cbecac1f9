/*
 * Joints and impacts in one step.
 *
 * Rows of joints hold for the mean velocity of the step, as if their restitution were 1; contacts and stops
 * ask for the velocity after it.  Where links turn far within the step U_I of their rows is large, joints
 * throw it back, and a contact that was parting may be pushed: S.Ū > 0, energy out of nothing.  With one
 * restitution for all of them that cannot be (docs/theory/contact.md §1).  So where contacts and stops of an
 * island of joined bodies have made more than the scheme may make without joints, 1/8 |u_free - u_I|² in the
 * kinetic norm, and more than a share of the island's kinetic energy, its joints take over their restitution
 * for this step: U_F + rho U_I = 0.  What is less is left alone: contacts that last under springs and motors
 * give and take a little in every step, and U_F + rho U_I = 0 costs (omega h)² of the energy.
 */
#include <math.h>

#include "core/fail.h"
#include "dynamics/assemble.h"
#include "dynamics/contact_place.h"
#include "dynamics/joints.h"

/* Share of the kinetic energy of an island that is no gain to speak of. */
static const double SHARE = 0.02;

/* What contacts and stops did to an island; rho: no more than that of those that push. */
typedef struct island_gain {
    double gain, rho;
} island_gain;

// of a body; NO_BODY: none
static uint32_t island_of(const joints *js, const bodies *b, uint32_t slot)
{
    return slot != NO_BODY && is_dynamic(b, slot) ? js->system.island_of[slot] : NO_BODY;
}

// to the islands of two bodies, once where they are one
static void count_gain(const joints *js, const bodies *b, const uint32_t slot[2], double gain, double rho,
                       island_gain *sum)
{
    const uint32_t at[2] = {island_of(js, b, slot[0]), island_of(js, b, slot[1])};
    for (int side = 0; side < 2; side++) {
        if (at[side] == NO_BODY || (side == 1 && at[1] == at[0]))
            continue;
        sum[at[side]].gain += gain;
        sum[at[side]].rho = fmin(sum[at[side]].rho, rho);
    }
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

static void contacts_gain(const bodies *b, const law_table *laws, const contact_set *c, const stage_data *d,
                          island_gain *sum)
{
    for (size_t i = 0; i < c->count; i++) {
        const uint32_t slot[2] = {c->slot1[i], c->slot2[i]};
        if (island_of(d->joints, b, slot[0]) == NO_BODY && island_of(d->joints, b, slot[1]) == NO_BODY)
            continue;
        if (row_impulse(&d->problem, d->row[i])[0] > 0)
            count_gain(d->joints, b, slot, contact_gain(b, c, i, d), laws->list[c->law[i]].restitution, sum);
    }
}

static void stops_gain(const bodies *b, const stage_data *d, island_gain *sum)
{
    const step_extra *e = d->problem.extra;
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
        count_gain(d->joints, b, r->body, 0.5 * (U_I + U_F) * e->T[i], 0, sum);
    }
}

// of an island, what is no gain
static double allowed(const bodies *b, const stage_data *d, const island *at)
{
    double sum = 0;
    for (size_t i = at->body_first; i < at->body_end; i++) {
        const uint32_t slot = d->joints->system.body[i];
        const double *before = &d->u_start[b->nu * slot], *free = &d->u_free[b->nu * slot];
        for (size_t k = 0; k < b->dim; k++)
            sum += b->mass[slot] * (0.125 * (free[k] - before[k]) * (free[k] - before[k]) +
                                    SHARE * 0.5 * before[k] * before[k]);
    }
    return sum;
}

// the joints of one island
static void take_over(const bodies *b, const stage_data *d, uint32_t which, double rho)
{
    joints *js = d->joints;
    for (size_t n = 0; n < js->count; n++) {
        const joint *k = &js->list[n];
        if (k->block == NO_BODY || k->def.kind == MO_JOINT_SPRING)
            continue;
        if (island_of(js, b, k->slot[0]) != which && island_of(js, b, k->slot[1]) != which)
            continue;
        row_block *r = &js->system.block[k->block];
        for (uint32_t i = 0; i < r->rows; i++) {
            double U_I, w;
            joint_start(b, k, d, r->G[0][i], r->G[1][i], &U_I, &w);
            r->shift[i] = w + rho * U_I;
        }
    }
}

mo_status joints_yield(const bodies *b, const law_table *laws, const contact_set *c, const stage_data *d,
                       arena *a, bool *changed, mo_error *err)
{
    *changed = false;
    if (d->joints == NULL || d->joints->system.rows == 0 || d->cell != NULL)
        return MO_OK;
    const joined *system = &d->joints->system;
    arena_mark mark = arena_here(a);
    island_gain *sum = arena_push(a, system->islands, sizeof *sum);
    if (sum == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "out of memory for joints");
    for (size_t k = 0; k < system->islands; k++)
        sum[k] = (island_gain){0, (1 - d->theta) / d->theta};
    contacts_gain(b, laws, c, d, sum);
    stops_gain(b, d, sum);
    for (size_t k = 0; k < system->islands; k++) {
        // nothing to take over where joints have as little
        if (!(sum[k].rho < (1 - d->theta) / d->theta && sum[k].gain > 0) ||
            !(sum[k].gain > allowed(b, d, &system->island[k])))
            continue;
        take_over(b, d, (uint32_t)k, sum[k].rho);
        *changed = true;
    }
    arena_back(a, mark);
    return MO_OK;
}
