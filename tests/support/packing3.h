/*
 * Step problems in 3D made by hand: balls or lumps on a jittered lattice in an open box, pressed by gravity.
 * For tests and benchmarks.
 */
#ifndef SUPPORT_PACKING3_H
#define SUPPORT_PACKING3_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/rng.h"
#include "dynamics/stage.h"
#include "problem/certificate.h"
#include "problem/rows.h"
#include "solver/contact_row3.h"

/* one row by contact_rows3_prepare */
static inline void contact_row3_prepare(contact_row3 *row, contact3 *block, const velocity3 *velocity,
                                        double mu, double ratio)
{
    row->ratio = ratio;
    contact_rows3_prepare(&row, &block, 1, velocity, &mu);
}

typedef struct packing3 {
    arena memory;
    step_problem p;
    double *sums;
} packing3;

/* What to build: `side`³ bodies. */
typedef struct packing3_def {
    int side;
    double mu;
    double lumpiness; /* 0: balls; otherwise inertias and lever arms that differ by this share */
    double shake;     /* m/s, random free velocities */
    uint64_t seed;
} packing3_def;

static inline double random_sign(rng *r)
{
    return 2 * rng_uniform(r) - 1;
}

/* Room for a problem; bodies and rows are cleared. */
static inline packing3 packing3_room(size_t count, size_t contacts)
{
    packing3 k = {0};
    arena *a = &k.memory;
    step_problem *p = &k.p;
    *p = (step_problem){.dim = 3, .bodies = count, .contacts = contacts, .owners = 2};
    p->row3 = arena_push_zero(a, contacts, sizeof *p->row3);
    p->block3 = arena_push_zero(a, contacts, sizeof *p->block3);
    p->mu = arena_push_zero(a, contacts, sizeof *p->mu);
    p->S = arena_push_zero(a, 3 * contacts, sizeof *p->S);
    p->scratch = arena_push_zero(a, 3 * contacts, sizeof *p->scratch);
    p->spare =
        contacts <= SPARE_MAX ? arena_push_zero(a, 3 * SPARE_VECTORS * contacts, sizeof *p->spare) : NULL;
    p->velocity3 = arena_push_zero(a, count, sizeof *p->velocity3);
    p->u_free = arena_push_zero(a, 6 * count, sizeof *p->u_free);
    k.sums = arena_push_zero(a, certificate_scratch(contacts), sizeof *k.sums);
    return k;
}

/* The free velocities, to be written. */
static inline double *packing3_free(packing3 *k, size_t body)
{
    return (double *)(uintptr_t)k->p.u_free + 6 * body;
}

/* A ball's A⁻¹, with inertia 2/5 m r². */
static inline void packing3_ball(packing3 *k, size_t body, double mass, double radius)
{
    velocity3 *v = &k->p.velocity3[body];
    double inv = 1 / (0.4 * mass * radius * radius);
    *v = (velocity3){.inv_m = {1 / mass, 1 / mass, 1 / mass}, .inv_I = {inv, 0, 0, inv, 0, inv}};
}

/* A unit vector across n. */
static inline void tangent3(const double n[3], double t[3])
{
    int least = fabs(n[0]) < fabs(n[1]) ? 0 : 1;
    least = fabs(n[2]) < fabs(n[least]) ? 2 : least;
    double e[3] = {0, 0, 0}, c[3];
    e[least] = 1;
    vec3_cross(n, e, c);
    vec3_unit(c, t);
}

/* Writes contact i between balls of radii r1 and r2 (body2 UINT32_MAX: a boundary) with unit normal n. */
static inline void packing3_touch(packing3 *k, size_t i, uint32_t body1, uint32_t body2, const double n[3],
                                  double r1, double r2)
{
    contact_row3 *c = &k->p.row3[i];
    *c = (contact_row3){.n = {n[0], n[1], n[2]}, .body = {body1, body2}};
    tangent3(n, c->t);
    for (int j = 0; j < 3; j++) {
        c->r1[j] = -r1 * n[j];
        c->r2[j] = body2 != UINT32_MAX ? r2 * n[j] : 0;
    }
}

/* Sorts the contacts by colour and prepares them with friction mu. */
static inline void packing3_finish(packing3 *k, double mu)
{
    step_problem *p = &k->p;
    size_t m = p->contacts;
    uint8_t *kind = calloc(p->bodies + 1, 1);
    uint32_t *slot = malloc(2 * m * sizeof *slot + 1), *order = malloc(m * sizeof *order + 1);
    contact_row3 *rows = malloc(m * sizeof *rows + 1);
    memset(kind, MO_BODY_DYNAMIC, p->bodies);
    kind[p->bodies] = MO_BODY_FIXED;
    for (size_t i = 0; i < m; i++)
        for (size_t s = 0; s < 2; s++)
            slot[s * m + i] = p->row3[i].body[s] < p->bodies ? p->row3[i].body[s] : (uint32_t)p->bodies;
    bodies b = {.count = p->bodies + 1, .kind = kind};
    contact_set c = {.count = m, .slot1 = slot, .slot2 = slot + m};
    order_contacts(&b, &c, &k->memory, p, order);
    memcpy(rows, p->row3, m * sizeof *rows);
    for (size_t i = 0; i < m; i++) {
        p->row3[order[i]] = rows[i];
        p->mu[order[i]] = mu;
        contact_row3_prepare(&p->row3[order[i]], &p->block3[order[i]], p->velocity3, mu, 1);
    }
    free(kind);
    free(slot);
    free(order);
    free(rows);
}

static inline size_t packing3_at(int side, int x, int y, int z)
{
    return ((size_t)z * (size_t)side + (size_t)y) * (size_t)side + (size_t)x;
}

/* inertia and lever arms of lumps */
static inline void packing3_make_lumps(packing3 *k, const packing3_def *def, rng *r)
{
    for (size_t i = 0; i < k->p.bodies; i++) {
        double *I = k->p.velocity3[i].inv_I, size = I[0], L[3][3];
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                L[a][b] = (a == b ? 1 : 0) + def->lumpiness * random_sign(r);
        for (int a = 0, e = 0; a < 3; a++)
            for (int b = a; b < 3; b++, e++)
                I[e] = size * (L[a][0] * L[b][0] + L[a][1] * L[b][1] + L[a][2] * L[b][2]);
    }
    for (size_t i = 0; i < k->p.contacts; i++)
        for (int a = 0; a < 3; a++) {
            contact_row3 *c = &k->p.row3[i];
            c->r1[a] += 0.5 * def->lumpiness * random_sign(r);
            c->r2[a] += c->body[1] != UINT32_MAX ? 0.5 * def->lumpiness * random_sign(r) : 0;
        }
}

/* contacts of body (x, y, z) with the floor, the walls and the bodies after it along the axes */
static inline size_t packing3_touch_all(packing3 *k, const packing3_def *def, const double *centre,
                                        const int at[3], size_t next)
{
    size_t one = packing3_at(def->side, at[0], at[1], at[2]);
    for (int axis = 0; axis < 3; axis++) {
        double n[3] = {0, 0, 0};
        if (at[axis] == 0 || (at[axis] == def->side - 1 && axis < 2)) {
            n[axis] = at[axis] == 0 ? 1 : -1;
            packing3_touch(k, next++, (uint32_t)one, UINT32_MAX, n, 1, 0);
        }
        if (at[axis] == def->side - 1)
            continue;
        int to[3] = {at[0], at[1], at[2]};
        to[axis]++;
        size_t two = packing3_at(def->side, to[0], to[1], to[2]);
        vec3_sub(&centre[3 * one], &centre[3 * two], n);
        vec3_unit(n, n);
        packing3_touch(k, next++, (uint32_t)one, (uint32_t)two, n, 1, 1);
    }
    return next;
}

/* Balls of radius 1 and mass 1, g h = 0.01 downwards; to be freed with packing3_free_all. */
static inline packing3 packing3_make(const packing3_def *def)
{
    size_t side = (size_t)def->side, count = side * side * side;
    // each body and its next along the axes; the floor, and walls on four sides
    packing3 k = packing3_room(count, 3 * side * side * (side - 1) + 5 * side * side);
    rng r = rng_seed(def->seed, 3);
    double *centre = malloc(3 * count * sizeof *centre);
    for (size_t i = 0; i < count; i++) {
        size_t at[3] = {i % side, i / side % side, i / side / side};
        double *u = packing3_free(&k, i);
        packing3_ball(&k, i, 1, 1);
        for (size_t a = 0; a < 3; a++)
            centre[3 * i + a] = 2 * (double)at[a] + 0.15 * random_sign(&r);
        for (int a = 0; a < 6; a++)
            u[a] = def->shake * random_sign(&r);
        u[2] -= 0.01;
    }
    size_t next = 0;
    for (int z = 0; z < def->side; z++)
        for (int y = 0; y < def->side; y++)
            for (int x = 0; x < def->side; x++)
                next = packing3_touch_all(&k, def, centre, (const int[3]){x, y, z}, next);
    k.p.contacts = next;
    if (def->lumpiness > 0)
        packing3_make_lumps(&k, def, &r);
    packing3_finish(&k, def->mu);
    free(centre);
    return k;
}

static inline void packing3_free_all(packing3 *k)
{
    arena_free(&k->memory);
}

#endif
