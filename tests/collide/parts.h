/*
 * Placed parts for tests of the narrow phase: made from a list of points, with storage of their own.
 */
#ifndef TESTS_COLLIDE_PARTS_H
#define TESTS_COLLIDE_PARTS_H

#include <math.h>
#include <string.h>

#include "collide/manifold.h"
#include "core/rng.h"

/* The signed distance that collide_parts tells, of a chain's segment on its own.  INFINITY of two
 * half-planes. */
static inline double part_distance(const placed_part *a, const placed_part *b)
{
    /* chain segments as segments of their own: their neighbours change which contacts exist, not the distance
     */
    mo_part pa = *a->part, pb = *b->part;
    pa.link.chain.before = pa.link.chain.after = pb.link.chain.before = pb.link.chain.after = -1;
    placed_part alone_a = *a, alone_b = *b;
    alone_a.part = &pa;
    alone_b.part = &pb;
    manifold m;
    collide_parts(&alone_a, &alone_b, HUGE_VAL, &m);
    double gap = HUGE_VAL;
    for (int i = 0; i < m.count; i++)
        gap = fmin(gap, m.points[i].gap);
    return gap;
}

#define TEST_MAX_VERTICES 96

typedef struct test_part {
    mo_part part;
    double v[2 * TEST_MAX_VERTICES];
    placed_part placed;
} test_part;

static inline void test_place(test_part *t, double x, double y, double angle)
{
    t->placed = (placed_part){&t->part, t->v, {x, y}, cos(angle), sin(angle)};
}

/* a hull of n points (or a disc when n is 1), at the origin */
static inline void test_hull(test_part *t, size_t n, const double *points, double radius)
{
    t->part = (mo_part){.kind = n == 1   ? MO_PART_DISC
                                : n == 2 ? MO_PART_SEGMENT
                                         : MO_PART_POLYGON,
                        .vertex_count = (uint32_t)n,
                        .radius = radius,
                        .link.chain.before = -1,
                        .link.chain.after = -1};
    memcpy(t->v, points, 2 * n * sizeof *points);
    test_place(t, 0, 0, 0);
}

static inline void test_box(test_part *t, double w, double h)
{
    const double v[8] = {-w / 2, -h / 2, w / 2, -h / 2, w / 2, h / 2, -w / 2, h / 2};
    test_hull(t, 4, v, 0);
}

static inline void test_disc(test_part *t, double radius)
{
    test_hull(t, 1, (const double[2]){0, 0}, radius);
}

static inline void test_halfplane(test_part *t, double nx, double ny, double offset)
{
    t->part = (mo_part){.kind = MO_PART_HALFPLANE,
                        .normal = {nx, ny},
                        .offset = offset,
                        .link.chain.before = -1,
                        .link.chain.after = -1};
    test_place(t, 0, 0, 0);
}

static inline double test_between(rng *r, double low, double high)
{
    return low + (high - low) * rng_uniform(r);
}

/* n points on an ellipse: convex, counter-clockwise, never collinear */
static inline void test_ellipse(test_part *t, rng *r, size_t n, double a, double b)
{
    double v[2 * TEST_MAX_VERTICES], pi = acos(-1.0);
    for (size_t i = 0; i < n; i++) {
        double phi = 2 * pi * ((double)i + 0.8 * rng_uniform(r)) / (double)n;
        v[2 * i] = a * cos(phi);
        v[2 * i + 1] = b * sin(phi);
    }
    test_hull(t, n, v, 0);
}

static inline double test_least_gap(const manifold *m)
{
    double gap = HUGE_VAL;
    for (int i = 0; i < m->count; i++)
        gap = fmin(gap, m->points[i].gap);
    return gap;
}

#endif
