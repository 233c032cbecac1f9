/* A packing of balls in the form for round bodies. */
#ifndef TESTS_SOLVER_COMPACT_H
#define TESTS_SOLVER_COMPACT_H

#include "support/packing3.h"

// the same problem with a line for each contact and ball; S in the tangents of vec3_across
static inline step_problem compact(packing3 *k, bool slip)
{
    step_problem p = k->p;
    arena *a = &k->memory;
    p.round = arena_push(a, p.contacts, sizeof *p.round);
    p.slip = slip ? arena_push_zero(a, 2 * p.contacts, sizeof *p.slip) : NULL;
    p.ball = arena_push(a, p.bodies, sizeof *p.ball);
    p.S = arena_push_zero(a, 3 * p.contacts, sizeof *p.S);
    for (size_t i = 0; i < p.contacts; i++) {
        const contact_row3 *c = &p.row3[i];
        p.round[i] = (round_row){.n = {c->n[0], c->n[1], c->n[2]},
                                 .arm = {-vec3_dot(c->r1, c->n), vec3_dot(c->r2, c->n)},
                                 .shift = c->shift[0],
                                 .mu = p.mu[i],
                                 .body = {c->body[0], c->body[1]}};
    }
    for (size_t b = 0; b < p.bodies; b++) {
        p.ball[b].inv_m = p.velocity3[b].inv_m[0];
        p.ball[b].inv_I = p.velocity3[b].inv_I[0];
    }
    p.row3 = NULL;
    p.block3 = NULL;
    p.velocity3 = NULL;
    return p;
}

#endif
