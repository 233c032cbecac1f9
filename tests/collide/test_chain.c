/*
 * Chains: a flat one is one long segment for everything that slides on it, and a bent one has every contact
 * that its segments have on their own, without the ghosts at joints.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "collide/parts.h"
#include "support/close.h"

#define MAX_POINTS 64

/* a chain of segments over shared vertices, and all contacts of a part with it */
typedef struct chain {
    size_t links;
    double v[2 * MAX_POINTS];
    mo_part parts[MAX_POINTS];
    placed_part placed[MAX_POINTS];
} chain;

static void make_chain(chain *c, size_t n, const double *points, bool ring)
{
    c->links = n - 1;
    memcpy(c->v, points, 2 * n * sizeof *points);
    for (size_t i = 0; i + 1 < n; i++) {
        int32_t before = i > 0 ? (int32_t)i - 1 : ring ? (int32_t)n - 2 : -1;
        int32_t after = i + 2 < n ? (int32_t)i + 2 : ring ? 1 : -1;
        c->parts[i] = (mo_part){.kind = MO_PART_SEGMENT,
                                .vertex_first = (uint32_t)i,
                                .vertex_count = 2,
                                .link.chain.before = before,
                                .link.chain.after = after};
        c->placed[i] = (placed_part){&c->parts[i], c->v, {0, 0}, 1, 0};
    }
}

static void turn_chain(chain *c, double x, double y, double angle)
{
    for (size_t i = 0; i < c->links; i++)
        c->placed[i] = (placed_part){&c->parts[i], c->v, {x, y}, cos(angle), sin(angle)};
}

typedef struct hits {
    int count;
    double point[16][2], normal[16][2], gap[16];
} hits;

static hits all_contacts(const chain *c, const test_part *t, double max_gap)
{
    hits h = {0};
    for (size_t i = 0; i < c->links; i++) {
        manifold m;
        collide_parts(&t->placed, &c->placed[i], max_gap, &m);
        for (int j = 0; j < m.count; j++) {
            assert_true(h.count < 16);
            memcpy(h.point[h.count], m.points[j].point, sizeof h.point[0]);
            memcpy(h.normal[h.count], m.normal, sizeof h.normal[0]);
            h.gap[h.count++] = m.points[j].gap;
        }
    }
    return h;
}

static double least(const hits *h)
{
    double gap = HUGE_VAL;
    for (int i = 0; i < h->count; i++)
        gap = fmin(gap, h->gap[i]);
    return gap;
}

/* what the segments say one by one */
static double plain_distance(const chain *c, const test_part *t)
{
    double gap = HUGE_VAL;
    for (size_t i = 0; i < c->links; i++)
        gap = fmin(gap, part_distance(&t->placed, &c->placed[i]));
    return gap;
}

/* an uneven flat chain from -8 to 8 along x */
static void flat_chain(chain *c, rng *r)
{
    double v[2 * 33];
    for (size_t i = 0; i <= 32; i++) {
        v[2 * i] = -8 + 0.5 * (double)i + (i > 0 && i < 32 ? test_between(r, -0.2, 0.2) : 0);
        v[2 * i + 1] = 0;
    }
    make_chain(c, 33, v, false);
}

/* a place along the chain: often at a joint, to rounding or a little beside it */
static double place_near_joint(const chain *c, rng *r)
{
    static const double aside[] = {0, 1e-17, 1e-16, 1e-15, 1e-12, 1e-10, 1e-9, 1e-6, 1e-3, 0.1};
    double side = rng_next(r) % 2 ? 1 : -1;
    return c->v[2 * (6 + rng_next(r) % 18)] + side * aside[rng_next(r) % 10];
}

/* a disc has one contact, straight up, with the gap of one long segment: everywhere and from both sides */
static void disc_on_flat_chain(void **state)
{
    (void)state;
    rng r = rng_seed(1, 2);
    chain c;
    test_part d;
    static const double overlap[] = {-1e-9, 0, 1e-16, 1e-12, 1e-9, 1e-6, 1e-4, 0.1};
    for (int i = 0; i < 40000; i++) {
        flat_chain(&c, &r);
        double radius = test_between(&r, 0.2, 2), g = -overlap[rng_next(&r) % 8], up = i % 2 ? 1 : -1;
        test_disc(&d, radius);
        test_place(&d, place_near_joint(&c, &r), up * (radius + g), i);
        hits h = all_contacts(&c, &d, 1e-6);
        assert_int_equal(h.count, 1);
        assert_close(h.normal[0][0], 0, 1e-14);
        assert_close(h.normal[0][1], up, 0);
        assert_close(h.gap[0], fabs(d.placed.p[1]) - radius, 1e-15);
    }
}

/* the same chain turned and shifted, where joints are flat only up to rounding */
static void disc_on_turned_chain(void **state)
{
    (void)state;
    rng r = rng_seed(2, 2);
    chain c;
    test_part d;
    for (int i = 0; i < 40000; i++) {
        flat_chain(&c, &r);
        double angle = test_between(&r, -3, 3), radius = test_between(&r, 0.2, 2),
               x = place_near_joint(&c, &r);
        double cosine = cos(angle), sine = sin(angle), y = radius - (i % 3) * 1e-7;
        if (i % 2) {
            turn_chain(&c, 3, -5, angle);
        } else {
            for (size_t j = 0; j <= c.links; j++) {
                double u = c.v[2 * j];
                c.v[2 * j] = 3 + cosine * u;
                c.v[2 * j + 1] = -5 + sine * u;
            }
        }
        test_disc(&d, radius);
        test_place(&d, 3 + cosine * x - sine * y, -5 + sine * x + cosine * y, 0);
        hits h = all_contacts(&c, &d, 1e-6);
        assert_int_equal(h.count, 1);
        assert_close(h.normal[0][0], -sine, 1e-14);
        assert_close(h.normal[0][1], cosine, 1e-14);
        assert_close(h.gap[0], y - radius, 1e-14);
    }
}

/* a box has exactly the contacts it has with one long segment, for any overlap and any place of its corners
 */
static void box_on_flat_chain(void **state)
{
    (void)state;
    rng r = rng_seed(3, 2);
    chain c, straight;
    test_part box;
    static const double overlap[] = {-1e-9, 0, 1e-16, 1e-12, 1e-9, 1e-7, 1e-5, 1e-4};
    static const double tilt[] = {0, 1e-17, 1e-12, 1e-10, -1e-10, 1e-9, 1e-5, 0.3};
    make_chain(&straight, 2, (const double[4]){-8, 0, 8, 0}, false);
    for (int i = 0; i < 40000; i++) {
        flat_chain(&c, &r);
        double w = test_between(&r, 0.05, 2), up = i % 2 ? 1 : -1, depth = overlap[rng_next(&r) % 8];
        double angle = tilt[rng_next(&r) % 8];
        test_box(&box, w, test_between(&r, 0.1, 1));
        double lowest = hypot(box.v[0], box.v[1]) * fabs(sin(atan2(-box.v[1], -box.v[0]) + fabs(angle)));
        test_place(&box, place_near_joint(&c, &r) + (i % 3) * w / 2, up * (lowest - depth), angle);
        hits h = all_contacts(&c, &box, 1e-8), expected = all_contacts(&straight, &box, 1e-8);
        assert_int_equal(h.count, expected.count);
        assert_true(expected.count >= 1);
        for (int j = 0; j < h.count; j++)
            assert_close(h.normal[j][1], up, 1e-15);
        assert_close(least(&h), least(&expected), 4e-15);
        double sum = 0;
        for (int j = 0; j < h.count; j++)
            sum += h.point[j][0] - expected.point[j][0];
        assert_close(sum, 0, 4e-15);
    }
}

/* the same at the ends of the chain, which are ordinary vertices: the box overhangs */
static void box_at_the_end_of_a_flat_chain(void **state)
{
    (void)state;
    rng r = rng_seed(6, 2);
    chain c, straight;
    test_part box;
    static const double overlap[] = {-1e-9, 0, 1e-12, 1e-9, 1e-7};
    static const double aside[] = {-0.3, -1e-3, 1e-3, 0.2, 0.4};
    make_chain(&straight, 2, (const double[4]){-8, 0, 8, 0}, false);
    for (int i = 0; i < 5000; i++) {
        flat_chain(&c, &r);
        double end = i % 2 ? 8 : -8, x = end + aside[rng_next(&r) % 5];
        test_box(&box, test_between(&r, 1, 3), 1);
        test_place(&box, x, 0.5 - overlap[rng_next(&r) % 5], 0);
        hits h = all_contacts(&c, &box, 1e-8), expected = all_contacts(&straight, &box, 1e-8);
        assert_int_equal(h.count, 2);
        assert_int_equal(expected.count, 2);
        for (int j = 0; j < 2; j++)
            assert_close(h.normal[j][1], 1, 0);
        assert_close(least(&h), least(&expected), 4e-15);
        assert_close(h.point[0][0] + h.point[1][0], expected.point[0][0] + expected.point[1][0], 1e-14);
    }
}

/* hills and valleys with slopes below 45 degrees; some joints are flat */
static void rough_chain(chain *c, rng *r)
{
    double v[2 * 33], slope = 0;
    v[0] = -8, v[1] = 0;
    for (size_t i = 1; i <= 32; i++) {
        slope = rng_next(r) % 4 ? test_between(r, -1, 1) : slope;
        double step = 0.5;
        v[2 * i] = v[2 * i - 2] + step;
        v[2 * i + 1] = v[2 * i - 1] + step * slope;
    }
    make_chain(c, 33, v, false);
}

/* kinds: 3 leaves out segments */
static void random_shape(test_part *t, rng *r, uint32_t kinds)
{
    double a = test_between(r, 0.1, 2), b = test_between(r, 0.2, 1);
    switch (rng_next(r) % kinds) {
    case 0:
        test_disc(t, a);
        break;
    case 1:
        test_box(t, 1.5 * a, b);
        break;
    case 2:
        test_ellipse(t, r, 3 + rng_next(r) % 6, a + 0.1, b);
        break;
    default:
        test_hull(t, 2, (const double[4]){-a, 0, b, 0}, 0);
    }
}

/* lowers the part onto the chain until their distance is `gap`; gap 0 is reached from above to rounding */
static void lower_onto(const chain *c, test_part *t, double gap)
{
    for (int i = 0; i < 200; i++) {
        double d = plain_distance(c, t) - gap;
        if (d < 1e-13)
            return;
        t->placed.p[1] -= d;
    }
}

/* apart: the nearest point of the chain is the nearest contact, so nothing real is lost */
static void rough_chain_keeps_the_distance(void **state)
{
    (void)state;
    rng r = rng_seed(4, 2);
    chain c;
    test_part t;
    for (int i = 0; i < 10000; i++) {
        rough_chain(&c, &r);
        random_shape(&t, &r, 4);
        double x = test_between(&r, -7.9, 7.9), angle = test_between(&r, -4, 4);
        test_place(&t, x, 12, angle);
        double gap = pow(10, test_between(&r, -9, 0));
        lower_onto(&c, &t, gap);
        double d = plain_distance(&c, &t);
        hits h = all_contacts(&c, &t, d * (1 + 1e-9) + 1e-9);
        assert_true(h.count >= 1);
        assert_close(least(&h), d, 1e-13);
        for (int j = 0; j < h.count; j++)
            assert_close(hypot(h.normal[j][0], h.normal[j][1]), 1, 1e-15);
    }
}

/* thick parts overlapping a little (two thin ones have no inside to tell): contacts remain, all of them push
 * up, none is deeper than the overlap allows */
static void rough_chain_holds_what_overlaps(void **state)
{
    (void)state;
    rng r = rng_seed(5, 2);
    chain c;
    test_part t;
    for (int i = 0; i < 10000; i++) {
        rough_chain(&c, &r);
        random_shape(&t, &r, 3);
        double x = test_between(&r, -5, 5), angle = test_between(&r, -4, 4);
        test_place(&t, x, 12, angle);
        lower_onto(&c, &t, 0);
        double depth = pow(10, test_between(&r, -12, -4));
        t.placed.p[1] -= depth;
        hits h = all_contacts(&c, &t, 1e-9);
        assert_true(h.count >= 1);
        /* slopes are below 45 degrees: lowering by depth closes a gap by more than depth / sqrt 2 */
        assert_true(least(&h) <= -0.7 * depth + 1e-12);
        for (int j = 0; j < h.count; j++) {
            assert_true(h.normal[j][1] > 0.7);
            assert_true(h.gap[j] >= -depth - 1e-12);
        }
    }
}

static void kinks(void **state)
{
    (void)state;
    chain c;
    test_part d;
    /* a valley at a right angle holds a disc twice; the same joint from below is a ridge, touched once */
    make_chain(&c, 3, (const double[6]){-2, 2, 0, 0, 2, 2}, false);
    test_disc(&d, 0.5);
    test_place(&d, 0, sqrt(0.5), 0);
    hits h = all_contacts(&c, &d, 1e-9);
    assert_int_equal(h.count, 2);
    assert_close(h.gap[0], 0, 1e-15);
    assert_close(h.normal[0][0], sqrt(0.5), 1e-15);
    assert_close(h.normal[1][0], -sqrt(0.5), 1e-15);
    test_place(&d, 0.1, -0.5, 0);
    h = all_contacts(&c, &d, 1);
    assert_int_equal(h.count, 1);
    assert_close(h.gap[0], hypot(0.1, 0.5) - 0.5, 1e-15);
    /* a corner wedged in the valley leans on both walls, also a little behind them */
    for (int i = 0; i < 5; i++) {
        test_part wedge;
        test_hull(&wedge, 3, (const double[6]){0, 0, 0.5, 1, -0.5, 1}, 0);
        test_place(&wedge, i == 4 ? 0 : i * 1e-8, i == 4 ? 0 : -1e-7, 0);
        h = all_contacts(&c, &wedge, 1e-6);
        assert_int_equal(h.count, 2);
        assert_close(h.normal[0][0], sqrt(0.5), 1e-15);
        assert_close(h.normal[1][0], -sqrt(0.5), 1e-15);
    }
    /* a box balanced on the ridge: one contact, at the joint, along the box's own normal */
    test_part box;
    make_chain(&c, 3, (const double[6]){-2, -1, 0, 0, 2, -1}, false);
    test_box(&box, 2, 1);
    test_place(&box, 0.1, 0.5 - 1e-7, 0.1);
    h = all_contacts(&c, &box, 0.1);
    assert_int_equal(h.count, 1);
    assert_close(h.normal[0][0], -sin(0.1), 1e-15);
    assert_close(h.point[0][0], 0, 0.1);
    /* flat on one slope and beyond the ridge: its corner and the joint */
    double a = atan(0.5);
    test_place(&box, -0.5 * cos(a) - 0.5 * sin(a), -0.5 * sin(a) + 0.5 * cos(a), a);
    h = all_contacts(&c, &box, 1e-9);
    assert_int_equal(h.count, 2);
    test_place(&box, 0.5 * cos(a) + 0.5 * sin(a), -0.5 * sin(a) + 0.5 * cos(a), -a);
    h = all_contacts(&c, &box, 1e-9);
    assert_int_equal(h.count, 2);
    assert_close(fmin(h.point[0][0], h.point[1][0]), 0, 1e-12);
}

/* a ring has no ends: a disc rolling round its outside and its inside has one contact everywhere but in
 * corners */
static void ring(void **state)
{
    (void)state;
    chain c;
    test_part d;
    make_chain(&c, 5, (const double[10]){0, 0, 2, 0, 2, 2, 0, 2, 0, 0}, true);
    test_disc(&d, 0.1);
    for (int i = 0; i < 4; i++) {
        double x = c.v[2 * i], y = c.v[2 * i + 1], out_x = x > 0 ? 0.06 : -0.06, out_y = y > 0 ? 0.08 : -0.08;
        test_place(&d, x + out_x, y + out_y, 0);
        hits h = all_contacts(&c, &d, 1e-9);
        assert_int_equal(h.count, 1);
        assert_close(h.gap[0], 0, 1e-15);
        test_place(&d, x + (x > 0 ? -0.1 : 0.1), y + (y > 0 ? -0.1 : 0.1), 0);
        h = all_contacts(&c, &d, 1e-9);
        assert_int_equal(h.count, 2);
    }
}

/* a chain on a half-plane: every vertex once */
static void chain_on_halfplane(void **state)
{
    (void)state;
    chain c;
    test_part plane;
    make_chain(&c, 4, (const double[8]){0, 0, 1, 0, 2, 0, 3, 0}, false);
    test_halfplane(&plane, 0, 1, 0);
    hits h = all_contacts(&c, &plane, 1e-9);
    assert_int_equal(h.count, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(disc_on_flat_chain),
        cmocka_unit_test(disc_on_turned_chain),
        cmocka_unit_test(box_on_flat_chain),
        cmocka_unit_test(box_at_the_end_of_a_flat_chain),
        cmocka_unit_test(rough_chain_keeps_the_distance),
        cmocka_unit_test(rough_chain_holds_what_overlaps),
        cmocka_unit_test(kinks),
        cmocka_unit_test(ring),
        cmocka_unit_test(chain_on_halfplane),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
