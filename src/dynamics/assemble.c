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
#include "solver/contact_row3.h"

/* bodies and contacts of a chunk */
enum { BODIES = 1024, CONTACTS = 32 * ROWS3 };

static void fill_velocities2(const bodies *b, const stage_data *d, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        velocity2 *v = &d->problem.velocity[i];
        *v = (velocity2){.inv = {b->inv[3 * i], b->inv[3 * i + 1], b->inv[3 * i + 2]}};
        for (size_t k = 0; k < 3; k++)
            v->u[k] = d->u_free[3 * i + k];
    }
}

static void fill_velocities3(const bodies *b, const stage_data *d, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        velocity3 *v = &d->problem.velocity3[i];
        *v = (velocity3){.inv_m = {b->inv[3 * i], b->inv[3 * i + 1], b->inv[3 * i + 2]}};
        body_inverse_inertia(b, i, &d->q_mid[7 * i], v->inv_I);
        memcpy(v->u, &d->u_free[6 * i], sizeof v->u);
    }
}

static void fill_balls(const bodies *b, const stage_data *d, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++) {
        ball3 *v = &d->problem.ball[i];
        memcpy(v->u, &d->u_free[6 * i], sizeof v->u);
        v->inv_m = b->inv[3 * i];
        v->inv_I = b->kind[i] == MO_BODY_DYNAMIC ? 1 / b->inertia[3 * i] : 0;
    }
}

/* What rows and bodies of a problem are filled from. */
typedef struct filling {
    const bodies *b;
    const law_table *laws;
    contact_set *c;
    stage_data *d;
} filling;

static void body_chunk(void *data, size_t chunk, size_t begin, size_t end)
{
    const filling *f = data;
    (void)chunk;
    if (f->b->dim == 2)
        fill_velocities2(f->b, f->d, begin, end);
    else if (f->d->problem.ball != NULL)
        fill_balls(f->b, f->d, begin, end);
    else
        fill_velocities3(f->b, f->d, begin, end);
}

void fill_velocities(const bodies *b, const stage_data *d, pool *threads)
{
    parallel_for(threads, b->count, BODIES, body_chunk, &(filling){.b = b, .d = (stage_data *)d});
}

// contacts and bodies of a problem of round bodies; false: no memory
static bool push_round(const bodies *b, size_t contacts, bool slip, arena *a, step_problem *p)
{
    p->round = arena_push(a, contacts, sizeof *p->round);
    p->slip = slip ? arena_push(a, (b->dim - 1) * contacts, sizeof *p->slip) : NULL;
    if (b->dim == 2)
        p->velocity = arena_push(a, b->count, sizeof *p->velocity);
    else
        p->ball = arena_push(a, b->count, sizeof *p->ball);
    return p->round != NULL && (!slip || p->slip != NULL) && (p->velocity != NULL || p->ball != NULL);
}

// of any other problem
static bool push_general(const bodies *b, size_t contacts, arena *a, step_problem *p)
{
    p->mu = arena_push(a, contacts, sizeof *p->mu);
    if (p->mu == NULL)
        return false;
    if (b->dim == 2) {
        p->contact = arena_push(a, contacts, sizeof *p->contact);
        p->velocity = arena_push(a, b->count, sizeof *p->velocity);
        return p->contact != NULL && p->velocity != NULL;
    }
    p->row3 = arena_push(a, contacts, sizeof *p->row3);
    p->block3 = arena_push(a, contacts, sizeof *p->block3);
    p->velocity3 = arena_push(a, b->count, sizeof *p->velocity3);
    return p->row3 != NULL && p->velocity3 != NULL && p->block3 != NULL;
}

// the arrays of the problem; false: no memory
static bool push_problem(const bodies *b, const law_table *laws, contact_set *c, arena *a, stage_data *d)
{
    step_problem *p = &d->problem;
    // U is written only after the solve, and S is not looked at between its being a guess and an answer
    p->S = p->extra == NULL ? c->U : arena_push(a, problem_unknowns(p), sizeof *p->S);
    p->scratch = p->extra == NULL ? c->S : arena_push(a, problem_unknowns(p), sizeof *p->scratch);
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
    bool rows = p->extra == NULL && all_round(b, laws, c)
                    ? push_round(b, c->count, has_slip(b, laws, d), a, p)
                    : push_general(b, c->count, a, p);
    return rows && (p->extra == NULL || (p->S != NULL && p->scratch != NULL)) && d->sums != NULL;
}

// rows of the contacts [begin, end) of a problem of the general form, with their impulses
static void fill_general(const bodies *b, const law_table *laws, const contact_set *c, size_t begin,
                         size_t end, stage_data *d)
{
    step_problem *p = &d->problem;
    for (size_t i = begin; i < end; i++) {
        const mo_law *law = &laws->list[c->law[i]];
        p->mu[d->row[i]] =
            d->special == NULL ? law->friction : special_mu(law, c->status[i] == MO_CONTACT_SLIDE);
        if (b->dim == 2)
            fill_row2(b, law, c, i, d);
        else
            fill_row3(b, law, c, i, d);
    }
    if (b->dim == 3)
        prepare_rows3(d, begin, end);
    for (size_t i = begin; i < end; i++)
        if (d->special == NULL)
            turn_impulse(b->dim, is_turned(b, c, i), &c->S[b->dim * i], &p->S[b->dim * d->row[i]]);
        else
            special_row(b, c, i, d);
}

static void law_chunk(void *data, size_t chunk, size_t begin, size_t end)
{
    const filling *f = data;
    const contact_set *c = f->c;
    const uint8_t *group = f->b->group;
    (void)chunk;
    for (size_t i = begin; i < end; i++)
        c->law[i] = f->laws->pair[group[c->slot1[i]]][group[c->slot2[i]]];
}

static void row_chunk(void *data, size_t chunk, size_t begin, size_t end)
{
    const filling *f = data;
    (void)chunk;
    if (f->d->problem.round != NULL) {
        fill_round(f->b, f->laws, f->c, f->d, begin, end);
        return;
    }
    for (size_t i = begin; i < end; i += ROWS3)
        fill_general(f->b, f->laws, f->c, i, i + ROWS3 < end ? i + ROWS3 : end, f->d);
}

mo_status assemble(const bodies *b, const law_table *laws, contact_set *c, arena *a, stage_data *d,
                   pool *threads, mo_error *err)
{
    step_problem *p = &d->problem;
    filling f = {b, laws, c, d};
    *p = (step_problem){.dim = (int)b->dim, .contacts = c->count, .bodies = b->count, .owners = d->threads};
    parallel_for(threads, c->count, CONTACTS, law_chunk, &f);
    // the order first: it gives its scratch back before the problem needs room
    const bool ordered = keep_order(d->order, b, c, a, p);
    d->row = d->order->row;
    if (!ordered || !joints_assemble(b, laws, c, a, d) || !push_problem(b, laws, c, a, d))
        return fail(err, MO_NO_MEMORY, NULL, "out of memory for %zu contacts", c->count);
    fill_velocities(b, d, threads);
    parallel_for(threads, c->count, CONTACTS, row_chunk, &f);
    if (d->special != NULL)
        special_free(b, c, d);
    if (p->extra != NULL && !joints_assemble_end(b, laws, c, a, d))
        return fail(err, MO_NO_MEMORY, NULL, "out of memory for joints");
    return cell_assemble(b, c, a, d) ? MO_OK : fail(err, MO_NO_MEMORY, NULL, "out of memory for the cell");
}
