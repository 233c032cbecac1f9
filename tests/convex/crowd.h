/*
 * A crowd of discs that walks to one point and jams: the rows of its non-overlap, linearised.
 *
 * Discs in the plane, x = (x_1, y_1, x_2, ...).  Row of a pair: n.(q_j - q_i) >= r_i + r_j, n from i to j
 * now.  The floor y = 0 holds too.
 */
#ifndef CONVEX_CROWD_H
#define CONVEX_CROWD_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include <moreau/convex.h>

#include "core/rng.h"

typedef struct crowd {
    size_t discs, rows, room;
    double *q, *z, *x, *radius, *lambda;
    double *A, *b;
    size_t *start;
    uint32_t *column;
    uint64_t *key, *key_before; /* i discs + j, of every row */
    double *lambda_before;
    size_t rows_before;
} crowd;

static void *crowd_array(size_t count, size_t entry)
{
    void *p = calloc(count, entry);
    if (p == NULL)
        abort();
    return p;
}

static crowd crowd_create(size_t discs, uint64_t seed)
{
    rng r = rng_seed(seed, 1);
    size_t room = 12 * discs + 8;
    crowd c = {.discs = discs, .room = room};
    double **points[] = {&c.q, &c.z, &c.x};
    for (size_t k = 0; k < 3; k++)
        *points[k] = crowd_array(2 * discs, sizeof(double));
    double **rows[] = {&c.lambda, &c.lambda_before, &c.b, &c.radius};
    for (size_t k = 0; k < 4; k++)
        *rows[k] = crowd_array(room, sizeof(double));
    c.A = crowd_array(4 * room, sizeof(double));
    c.start = crowd_array(room + 1, sizeof(size_t));
    c.column = crowd_array(4 * room, sizeof(uint32_t));
    c.key = crowd_array(room, sizeof(uint64_t));
    c.key_before = crowd_array(room, sizeof(uint64_t));
    // a loose grid, shaken
    size_t side = (size_t)ceil(sqrt((double)discs));
    for (size_t i = 0; i < discs; i++) {
        c.radius[i] = 0.2 + 0.1 * rng_uniform(&r);
        c.q[2 * i] = 0.62 * ((double)(i % side) - 0.5 * (double)side) + 0.02 * rng_uniform(&r);
        c.q[2 * i + 1] = 0.4 + 0.62 * (double)(i / side) + 0.02 * rng_uniform(&r);
    }
    return c;
}

static void crowd_destroy(crowd *c)
{
    void *all[] = {c->q, c->z,     c->x,      c->radius, c->lambda,     c->A,
                   c->b, c->start, c->column, c->key,    c->key_before, c->lambda_before};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        free(all[k]);
}

static void crowd_add(crowd *c, uint64_t key, size_t count, const uint32_t *columns, const double *a,
                      double b)
{
    if (c->rows == c->room)
        return;
    size_t at = c->start[c->rows];
    for (size_t k = 0; k < count; k++) {
        c->A[at + k] = a[k];
        c->column[at + k] = columns[k];
    }
    c->b[c->rows] = b;
    c->key[c->rows] = key;
    c->start[++c->rows] = at + count;
}

/* Rows of all pairs nearer than reach, of the floor, and the multipliers of the same pairs last time. */
static void crowd_rows(crowd *c, double reach)
{
    const double *q = c->x;
    uint64_t *key = c->key_before;
    double *lambda = c->lambda_before;
    c->key_before = c->key;
    c->lambda_before = c->lambda;
    c->rows_before = c->rows;
    c->key = key;
    c->lambda = lambda;
    c->rows = 0;
    for (size_t i = 0; i < c->discs; i++) {
        uint32_t base = (uint32_t)(2 * i);
        if (q[2 * i + 1] - c->radius[i] < reach)
            crowd_add(c, i * c->discs + i, 1, (uint32_t[]){base + 1}, (double[]){1}, c->radius[i]);
        for (size_t j = i + 1; j < c->discs; j++) {
            double dx = q[2 * j] - q[2 * i], dy = q[2 * j + 1] - q[2 * i + 1],
                   sum = c->radius[i] + c->radius[j];
            uint32_t other = (uint32_t)(2 * j);
            if (fabs(dx) > 1 + reach || fabs(dy) > 1 + reach)
                continue;
            double d = hypot(dx, dy);
            if (d - sum < reach)
                crowd_add(c, i * c->discs + j, 4, (uint32_t[]){base, base + 1, other, other + 1},
                          (double[]){-dx / d, -dy / d, dx / d, dy / d}, sum);
        }
    }
    for (size_t i = 0, k = 0; i < c->rows; i++) {
        while (k < c->rows_before && c->key_before[k] < c->key[i])
            k++;
        c->lambda[i] = k < c->rows_before && c->key_before[k] == c->key[i] ? c->lambda_before[k] : 0;
    }
}

/* Where the discs would go in a time h, at speed 1 to the origin. */
static void crowd_walk(crowd *c, double h)
{
    for (size_t i = 0; i < c->discs; i++) {
        double *q = c->q + 2 * i, d = hypot(q[0], q[1]) + 1e-9;
        c->z[2 * i] = q[0] - h * q[0] / d;
        c->z[2 * i + 1] = q[1] - h * q[1] / d;
        c->x[2 * i] = q[0];
        c->x[2 * i + 1] = q[1];
    }
}

static mo_polyhedron crowd_set(const crowd *c)
{
    return (mo_polyhedron){2 * c->discs, c->rows, 0, c->A, c->b, c->start, c->column};
}

#endif
