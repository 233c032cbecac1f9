/*
 * Contacts near joints that are put right: as rows g + G_N Δq >= 0 beside those of the joints, so that
 * nothing is pulled into what it touches, step after step.  Open ones may close, those that overlap go no
 * deeper.
 */
#include <math.h>
#include <string.h>

#include "dynamics/contact_place.h"
#include "dynamics/joint_settle.h"
#include "math/vec3.h"
#include "problem/apply.h"

/* Contacts take part of bodies that so many contacts join to a joint. */
enum { RINGS = 3 };

// which bodies joints hold or contacts join to these: 1, 2, ... rings away; 0: others and those that sleep
static void mark_near(const settling *t, uint8_t *ring)
{
    const bodies *b = t->b;
    const contact_set *c = t->c;
    const joints *js = t->d->joints;
    for (size_t n = 0; n < js->count; n++)
        for (int side = 0; side < 2; side++)
            if (js->list[n].slot[side] != NO_BODY && is_dynamic(b, js->list[n].slot[side]))
                ring[js->list[n].slot[side]] = 1;
    for (uint8_t r = 1; r <= RINGS; r++)
        for (size_t i = 0; i < c->count; i++) {
            const uint32_t slot[2] = {c->slot1[i], c->slot2[i]};
            for (int side = 0; side < 2; side++)
                if (ring[slot[1 - side]] == r && ring[slot[side]] == 0 && is_dynamic(b, slot[side]) &&
                    !sleep_has(t->sleep, b, slot[side]))
                    ring[slot[side]] = r + 1;
        }
}

// gap of contact i at the end of the step, to first order; ahead, boundaries and radii are those of the end
// already, and one that opens counts as it was
static double held_gap(const bodies *b, const contact_set *c, size_t i, const stage_data *step)
{
    if (!step->ahead)
        return gap_after(b, c, i, step);
    return c->gap[i] + step->h * fmin(c->U[b->dim * i] - boundary_speed(b, c, i, step), 0);
}

// contact i as the step left it; its arms are those of q_mid, where it was found
static void hold(const bodies *b, const contact_set *c, size_t i, const stage_data *step, const uint8_t *ring,
                 held *out)
{
    const double *n = &c->normal[b->dim * i];
    *out = (held){.gap = fmax(held_gap(b, c, i, step), 0)};
    for (int side = 0; side < 2; side++) {
        const uint32_t slot = side == 0 ? c->slot1[i] : c->slot2[i];
        double r[3], turn[3] = {0, 0, 0}, sign = side == 0 ? 1 : -1, *G = out->G[side];
        out->body[side] = ring[slot] > 0 ? slot : NO_BODY;
        contact_arm(c, b->dim, i, side, &step->q_mid[b->nq * slot], r);
        if (b->dim == 3)
            vec3_cross(r, n, turn);
        for (size_t k = 0; k < b->dim; k++)
            G[k] = sign * n[k];
        if (b->dim == 2)
            G[2] = sign * (r[0] * n[1] - r[1] * n[0]);
        for (size_t k = 0; b->dim == 3 && k < 3; k++)
            G[3 + k] = sign * turn[k];
    }
}

// the contacts near the joints; false: no memory
static bool find_helds(settling *t)
{
    const contact_set *c = t->c;
    uint8_t *ring = arena_push_zero(t->memory, t->b->count, sizeof *ring);
    if (ring == NULL)
        return false;
    mark_near(t, ring);
    size_t most = 0;
    for (size_t i = 0; i < c->count; i++)
        most += ring[c->slot1[i]] > 0 || ring[c->slot2[i]] > 0;
    t->held = arena_push(t->memory, most, sizeof *t->held);
    if (t->held == NULL || !push_boxes(t->memory, JOINT_BOXES * t->d->joints->count + most, &t->d->problem))
        return false;
    for (size_t i = 0; i < c->count; i++)
        if (ring[c->slot1[i]] > 0 || ring[c->slot2[i]] > 0)
            hold(t->b, c, i, t->step, ring, &t->held[t->helds++]);
    t->looked = true;
    return true;
}

bool add_helds(settling *t)
{
    if (!t->looked && !find_helds(t))
        return false;
    step_extra *e = t->d->problem.extra;
    for (size_t i = 0; i < t->helds; i++) {
        const held *from = &t->held[i];
        box_row *r = &e->box[e->boxes++];
        *r = (box_row){.shift = from->gap, .low = 0, .high = HUGE_VAL};
        memcpy(r->body, from->body, sizeof r->body);
        memcpy(r->G, from->G, sizeof r->G);
    }
    return true;
}

void move_helds(settling *t)
{
    const step_problem *p = &t->d->problem;
    for (size_t i = 0; i < t->helds; i++) {
        held *h = &t->held[i];
        for (int side = 0; side < 2; side++)
            for (size_t k = 0; h->body[side] != NO_BODY && k < t->b->nu; k++)
                h->gap += h->G[side][k] * body_velocity(p, h->body[side])[k];
        h->gap = fmax(h->gap, 0);
    }
}
