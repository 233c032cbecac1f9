/*
 * assemble: contacts -> the step problem.
 */
#include "dynamics/assemble.h"

#include <stdint.h>
#include <string.h>

#include "core/fail.h"
#include "dynamics/joints.h"
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

void fill_velocities(const bodies *b, const stage_data *d)
{
    if (b->dim == 2)
        fill_velocities2(b, d);
    else
        fill_velocities3(b, d);
}

// whether some contact needs a general block: one that is not between balls touched along their radii, with
// one friction
static bool needs_blocks(const bodies *b, const law_table *laws, const contact_set *c)
{
    if (laws->turned)
        return true;
    for (size_t i = 0; i < c->count; i++)
        for (int k = 0; k < 2; k++) {
            uint32_t slot = k == 0 ? c->slot1[i] : c->slot2[i];
            bool ball = body_is_round(b, slot) && (b->free[slot] | MO_FREE_ANGLE) == MO_FREE_ALL;
            if (is_dynamic(b, slot) && !ball)
                return true;
        }
    return false;
}

// contacts and bodies of the problem; false: no memory
static bool push_rows(const bodies *b, const law_table *laws, const contact_set *c, arena *a, step_problem *p)
{
    if (b->dim == 2) {
        p->contact = arena_push(a, c->count, sizeof *p->contact);
        p->velocity = arena_push(a, b->count, sizeof *p->velocity);
        return p->contact != NULL && p->velocity != NULL;
    }
    bool blocks = p->extra != NULL || needs_blocks(b, laws, c);
    p->row3 = arena_push(a, c->count, sizeof *p->row3);
    p->block3 = blocks ? arena_push(a, c->count, sizeof *p->block3) : NULL;
    p->velocity3 = arena_push(a, b->count, sizeof *p->velocity3);
    return p->row3 != NULL && p->velocity3 != NULL && (!blocks || p->block3 != NULL);
}

// the arrays of the problem; false: no memory
static bool push_problem(const bodies *b, const law_table *laws, contact_set *c, arena *a, stage_data *d)
{
    step_problem *p = &d->problem;
    p->mu = arena_push(a, c->count, sizeof *p->mu);
    p->S = arena_push(a, problem_unknowns(p), sizeof *p->S);
    // U is written only after the solve
    p->scratch = p->extra == NULL ? c->U : arena_push(a, problem_unknowns(p), sizeof *p->scratch);
    p->u_free = d->u_free;
    p->spare = c->count <= SPARE_MAX && p->extra == NULL
                   ? arena_push(a, SPARE_VECTORS * b->dim * c->count, sizeof *p->spare)
                   : NULL;
    d->sums = arena_push(a, certificate_scratch(c->count), sizeof *d->sums);
    d->special = laws->special ? laws : NULL;
    if (laws->special) {
        d->u_pulled = arena_push(a, b->nu * b->count, sizeof *d->u_pulled);
        if (d->u_pulled == NULL || !special_push(c, a, d))
            return false;
    }
    return push_rows(b, laws, c, a, p) && p->mu != NULL && p->S != NULL &&
           (p->extra == NULL || p->scratch != NULL) && d->sums != NULL;
}

mo_status assemble(const bodies *b, const law_table *laws, contact_set *c, arena *a, stage_data *d,
                   mo_error *err)
{
    step_problem *p = &d->problem;
    *p = (step_problem){.dim = (int)b->dim, .contacts = c->count, .bodies = b->count};
    for (size_t i = 0; i < c->count; i++)
        c->law[i] = laws->pair[b->group[c->slot1[i]]][b->group[c->slot2[i]]];
    // colours first: they give their scratch back before the problem needs room
    d->row = arena_push(a, c->count, sizeof *d->row);
    if (d->row == NULL || !colour_contacts(b, c, a, p, d->row) || !joints_assemble(b, laws, c, a, d) ||
        !push_problem(b, laws, c, a, d))
        return fail(err, MO_NO_MEMORY, NULL, "out of memory for %zu contacts", c->count);
    fill_velocities(b, d);
    for (size_t i = 0; i < c->count; i++) {
        uint32_t r = d->row[i];
        const mo_law *law = &laws->list[c->law[i]];
        p->mu[r] = d->special == NULL ? law->friction : special_mu(law, c->status[i] == MO_CONTACT_SLIDE);
        if (b->dim == 2)
            fill_row2(b, law, c, i, d);
        else
            fill_row3(b, law, c, i, d);
        if (d->special == NULL)
            turn_impulse(b->dim, is_turned(b, c, i), &c->S[b->dim * i], &p->S[b->dim * r]);
        else
            special_row(b, c, i, d);
    }
    if (d->special != NULL)
        special_free(b, c, d);
    if (p->extra != NULL && !joints_assemble_end(b, laws, c, a, d))
        return fail(err, MO_NO_MEMORY, NULL, "out of memory for joints");
    return MO_OK;
}
