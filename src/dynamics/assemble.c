/*
 * assemble: contacts -> the step problem.
 */
#include "dynamics/assemble.h"

#include <stdint.h>
#include <string.h>

#include "core/fail.h"
#include "problem/certificate.h"
#include "solver/contact3d.h"

static void fill_velocities2(const bodies *b, const stage_data *d)
{
    for (size_t i = 0; i < b->count; i++) {
        velocity2 *v = &d->problem.velocity[i];
        *v = (velocity2){.inv = {b->inv[3 * i], b->inv[3 * i + 1], b->inv[3 * i + 2]}};
        for (size_t k = 0; k < 3; k++)
            v->u[k] = d->u_free[3 * i + k];
    }
}

static void fill_velocities3(const bodies *b, const stage_data *d)
{
    for (size_t i = 0; i < b->count; i++) {
        velocity3 *v = &d->problem.velocity3[i];
        *v = (velocity3){.inv_m = {b->inv[3 * i], b->inv[3 * i + 1], b->inv[3 * i + 2]}};
        body_inverse_inertia(b, i, &d->q_mid[7 * i], v->inv_I);
        memcpy(v->u, &d->u_free[6 * i], sizeof v->u);
    }
}

// whether some contact needs a general block: one that is not between balls touched along their radii
static bool needs_blocks(const bodies *b, const contact_set *c)
{
    for (size_t i = 0; i < c->count; i++)
        for (int k = 0; k < 2; k++) {
            uint32_t slot = k == 0 ? c->slot1[i] : c->slot2[i];
            bool ball = b->lone[slot] && (b->free[slot] | MO_FREE_ANGLE) == MO_FREE_ALL;
            if (is_dynamic(b, slot) && !ball)
                return true;
        }
    return false;
}

// contacts and bodies of the problem; false: no memory
static bool push_rows(const bodies *b, const contact_set *c, arena *a, step_problem *p)
{
    if (b->dim == 2) {
        p->contact = arena_push(a, c->count, sizeof *p->contact);
        p->velocity = arena_push(a, b->count, sizeof *p->velocity);
        return p->contact != NULL && p->velocity != NULL;
    }
    bool blocks = needs_blocks(b, c);
    p->row3 = arena_push(a, c->count, sizeof *p->row3);
    p->block3 = blocks ? arena_push(a, c->count, sizeof *p->block3) : NULL;
    p->velocity3 = arena_push(a, b->count, sizeof *p->velocity3);
    return p->row3 != NULL && p->velocity3 != NULL && (!blocks || p->block3 != NULL);
}

// the arrays of the problem; false: no memory
static bool push_problem(const bodies *b, contact_set *c, arena *a, stage_data *d)
{
    step_problem *p = &d->problem;
    p->mu = arena_push(a, c->count, sizeof *p->mu);
    p->S = arena_push(a, b->dim * c->count, sizeof *p->S);
    p->scratch = c->U; // written only after the solve
    p->u_free = d->u_free;
    p->spare =
        c->count <= SPARE_MAX ? arena_push(a, SPARE_VECTORS * b->dim * c->count, sizeof *p->spare) : NULL;
    d->sums = arena_push(a, certificate_scratch(c->count), sizeof *d->sums);
    return push_rows(b, c, a, p) && p->mu != NULL && p->S != NULL && d->sums != NULL;
}

mo_status assemble(const bodies *b, const law_table *laws, contact_set *c, arena *a, stage_data *d,
                   mo_error *err)
{
    step_problem *p = &d->problem;
    *p = (step_problem){.dim = (int)b->dim, .contacts = c->count, .bodies = b->count};
    // colours first: they give their scratch back before the problem needs room
    d->row = arena_push(a, c->count, sizeof *d->row);
    if (d->row == NULL || !colour_contacts(b, c, a, p, d->row) || !push_problem(b, c, a, d))
        return fail(err, MO_NO_MEMORY, NULL, "out of memory for %zu contacts", c->count);
    if (b->dim == 2)
        fill_velocities2(b, d);
    else
        fill_velocities3(b, d);
    for (size_t i = 0; i < c->count; i++) {
        uint32_t r = d->row[i];
        c->law[i] = laws->pair[b->group[c->slot1[i]]][b->group[c->slot2[i]]];
        const mo_law *law = &laws->list[c->law[i]];
        p->mu[r] = law->friction;
        if (b->dim == 2)
            fill_row2(b, law, c, i, d);
        else
            fill_row3(b, law, c, i, d);
        turn_impulse(b->dim, is_turned(b, c, i), &c->S[b->dim * i], &p->S[b->dim * r]);
    }
    return MO_OK;
}
