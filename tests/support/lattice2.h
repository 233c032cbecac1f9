/* Step problems in 2D made by hand, for tests. */
#ifndef SUPPORT_LATTICE2_H
#define SUPPORT_LATTICE2_H

#include <math.h>
#include <string.h>

#include "dynamics/stage.h"
#include "solver/contact2d.h"

/* A square lattice of discs in 2D whose columns lean: rows of both forms. */
typedef struct lattice2 {
    step_problem general, round;
    arena memory;
} lattice2;

static inline void lattice2_touch(lattice2 *d, const uint32_t *order, size_t i, uint32_t a, uint32_t b,
                                  double angle)
{
    const double n[2] = {cos(angle), sin(angle)}, mu = i % 5 == 0 ? 0 : 0.3,
                 arm[2] = {0.9, b == UINT32_MAX ? 0 : 1.1};
    contact2 *c = &d->general.contact[order[i]];
    *c = (contact2){.n = {n[0], n[1]}, .arm = {0, -arm[0], 0, arm[1]}, .body = {a, b}};
    const uint32_t body[2] = {a, b};
    for (int s = 0; s < 2 && body[s] != UINT32_MAX; s++) {
        const double *inv = d->general.velocity[body[s]].inv;
        c->H[0] += inv[0];
        c->H[2] += inv[0] + inv[2] * arm[s] * arm[s];
    }
    c->shift[0] = 1e-3 * sin(5.0 * (double)i);
    c->shift[1] = 1e-3 * cos(3.0 * (double)i);
    contact2_prepare(c, mu);
    d->general.mu[order[i]] = mu;
    d->round.slip[order[i]] = c->shift[1];
    d->round.round[order[i]] = (round_row){
        .n = {n[0], n[1]}, .arm = {arm[0], arm[1]}, .shift = c->shift[0], .mu = mu, .body = {a, b}};
}

/* The order of a sweep for contacts at the points given of bodies [0, count) and of a fixed one, number
 * count. */
static inline void order_of(const uint32_t *one, const uint32_t *two, const double *point, size_t contacts,
                            size_t count, arena *a, step_problem *p, uint32_t *order)
{
    uint8_t *kind = arena_push_zero(a, count + 1, 1);
    memset(kind, MO_BODY_DYNAMIC, count);
    kind[count] = MO_BODY_FIXED;
    bodies b = {.dim = (size_t)p->dim, .count = count + 1, .kind = kind};
    contact_set c = {.dim = (size_t)p->dim,
                     .point = (double *)(uintptr_t)point,
                     .count = contacts,
                     .slot1 = (uint32_t *)(uintptr_t)one,
                     .slot2 = (uint32_t *)(uintptr_t)two};
    assert_true(order_contacts(&b, &c, a, p, order));
}

/* To be freed with arena_free(&memory). */
static inline lattice2 lattice2_make(size_t side)
{
    const size_t count = side * side, most = 2 * count + side;
    lattice2 d = {.memory = {0}};
    arena *a = &d.memory;
    uint32_t *one = arena_push(a, 3 * most, sizeof *one), *two = one + most, *order = two + most;
    double *u = arena_push(a, 3 * count, sizeof *u);
    size_t m = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i < side)
            one[m] = i, two[m++] = (uint32_t)count;
        if (i % side + 1 < side)
            one[m] = i, two[m++] = i + 1;
        if (i + side < count)
            one[m] = i, two[m++] = i + (uint32_t)side;
        u[3 * i] = 0.1 * sin(7.0 * i), u[3 * i + 1] = -0.01, u[3 * i + 2] = 0.2 * cos(2.0 * i);
    }
    step_problem *p = &d.general;
    *p = (step_problem){.dim = 2, .contacts = m, .bodies = count, .u_free = u};
    order_of(one, two, u, m, count, a, p, order);
    p->contact = arena_push(a, m, sizeof *p->contact);
    p->mu = arena_push(a, m, sizeof *p->mu);
    p->velocity = arena_push_zero(a, count, sizeof *p->velocity);
    p->S = arena_push_zero(a, 2 * m, sizeof *p->S);
    d.round = *p;
    d.round.round = arena_push(a, m, sizeof *d.round.round);
    d.round.slip = arena_push(a, m, sizeof *d.round.slip);
    d.round.velocity = arena_push_zero(a, count, sizeof *p->velocity);
    d.round.S = arena_push_zero(a, 2 * m, sizeof *p->S);
    d.round.contact = NULL;
    for (size_t b = 0; b < count; b++)
        for (int k = 0; k < 3; k++)
            p->velocity[b].inv[k] = d.round.velocity[b].inv[k] = k < 2 ? 1 + 0.1 * (double)(b % 3) : 2;
    for (size_t i = 0; i < m; i++)
        lattice2_touch(&d, order, i, one[i], two[i] == count ? UINT32_MAX : two[i],
                       two[i] == one[i] + 1 ? 3.1 : -1.5);
    return d;
}

#endif
