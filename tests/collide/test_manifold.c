/*
 * Narrow phase: closed forms, an independent slow oracle in long double on many random pairs, and properties
 * that any manifold must have.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "collide/parts.h"
#include "support/close.h"

#define OWNER_B (1u << 23)

/* ---- the oracle: signed distance of two convex parts by exhaustion
 * ------------------------------------------ */

typedef struct points {
    size_t n;
    long double x[TEST_MAX_VERTICES], y[TEST_MAX_VERTICES], r;
} points;

/* corners in the world; both parts relative to the same place, which only removes a common shift */
static points world_points(const placed_part *a, const double origin[2])
{
    points p = {.n = a->part->vertex_count, .r = (long double)a->part->radius};
    for (size_t i = 0; i < p.n; i++) {
        const double *v = a->vertices + 2 * (a->part->vertex_first + i);
        long double x = (long double)v[0], y = (long double)v[1], c = (long double)a->c,
                    s = (long double)a->s;
        p.x[i] = (long double)a->p[0] - (long double)origin[0] + c * x - s * y;
        p.y[i] = (long double)a->p[1] - (long double)origin[1] + s * x + c * y;
    }
    return p;
}

static long double edge_separation(const points *a, const points *b)
{
    long double best = -HUGE_VALL;
    for (size_t i = 0; i < a->n; i++) {
        size_t k = (i + 1) % a->n;
        long double ex = a->x[k] - a->x[i], ey = a->y[k] - a->y[i], l = hypotl(ex, ey), low = HUGE_VALL;
        for (size_t j = 0; j < b->n; j++)
            low = fminl(low, (ey * (b->x[j] - a->x[i]) - ex * (b->y[j] - a->y[i])) / l);
        best = fmaxl(best, low);
    }
    return best;
}

static long double vertex_distance(const points *a, const points *b)
{
    long double best = HUGE_VALL;
    for (size_t i = 0; i < a->n; i++)
        for (size_t j = 0; j < b->n; j++) {
            size_t k = (i + 1) % a->n;
            long double ex = a->x[k] - a->x[i], ey = a->y[k] - a->y[i];
            long double dx = b->x[j] - a->x[i], dy = b->y[j] - a->y[i], l2 = ex * ex + ey * ey;
            long double u = l2 > 0 ? fminl(1, fmaxl(0, (dx * ex + dy * ey) / l2)) : 0;
            best = fminl(best, hypotl(dx - u * ex, dy - u * ey));
        }
    return best;
}

static double oracle(const placed_part *a, const placed_part *b, double size)
{
    points p = world_points(a, a->p), q = world_points(b, a->p);
    long double sep = -HUGE_VALL, apart = fminl(vertex_distance(&p, &q), vertex_distance(&q, &p));
    if (p.n > 1)
        sep = fmaxl(sep, edge_separation(&p, &q));
    if (q.n > 1)
        sep = fmaxl(sep, edge_separation(&q, &p));
    bool overlap = (p.n > 1 || q.n > 1) && sep < -1e-16L * (long double)size;
    return (double)((overlap ? sep : apart) - p.r - q.r);
}

/* ---- random pairs -----------------------------------------------------------------------------------------
 */

/* a hull of about unit size: disc, segment, box, triangle, many-gon, needle */
static void random_part(test_part *t, rng *r)
{
    switch (rng_next(r) % 7) {
    case 0:
        test_disc(t, test_between(r, 0.05, 1));
        break;
    case 1: {
        double y1 = test_between(r, -1, 1), y2 = test_between(r, -1, 1),
               v[4] = {-rng_uniform(r), y1, 0.5, y2};
        test_hull(t, 2, v, 0);
        break;
    }
    case 2:
        test_box(t, 1.3, test_between(r, 0.1, 2));
        break;
    case 3:
        test_ellipse(t, r, 3, 1, test_between(r, 0.2, 1));
        break;
    case 4:
        test_ellipse(t, r, 5 + rng_next(r) % 8, 1, 0.6);
        break;
    case 5:
        test_ellipse(t, r, 64 + rng_next(r) % 32, 1, 0.8);
        break;
    default:
        test_box(t, 2, pow(10, test_between(r, -12, -2)));
    }
}

/* a random angle, often one that makes edges parallel or exactly perpendicular */
static double random_angle(rng *r)
{
    static const double special[] = {0, 1e-16, 1e-10, 1e-6, 1.5707963267948966, 3.141592653589793, -1e-9};
    uint32_t k = rng_next(r) % 14;
    return k < 7 ? special[k] : test_between(r, -4, 4);
}

/* two parts near each other: touching, apart or deep, at an offset from the world's origin */
static double random_pair(test_part *a, test_part *b, rng *r)
{
    random_part(a, r);
    random_part(b, r);
    double scale = pow(10, test_between(r, -6, 4)), far = rng_next(r) % 2 ? 0 : 64 * scale;
    for (size_t i = 0; i < 2 * TEST_MAX_VERTICES; i++) {
        a->v[i] *= scale;
        b->v[i] *= scale;
    }
    a->part.radius *= scale;
    b->part.radius *= scale;
    double turn = random_angle(r);
    test_place(a, far, -far, turn);
    uint32_t kind = rng_next(r) % 4;
    double reach = kind == 0 ? 3 : kind == 1 ? 1 : kind == 2 ? 0.1 : 2;
    double x = kind == 3 ? 2 : test_between(r, -reach, reach),
           y = rng_next(r) % 4 ? test_between(r, -reach, reach) : 0;
    test_place(b, far + x * scale, -far + y * scale, turn + random_angle(r));
    return scale;
}

/* moves b along the normal until it touches a, to rounding */
static void bring_to_touch(const test_part *a, test_part *b, double by)
{
    manifold m;
    collide_parts(&a->placed, &b->placed, HUGE_VAL, &m);
    double gap = test_least_gap(&m) - by;
    b->placed.p[0] += gap * m.normal[0];
    b->placed.p[1] += gap * m.normal[1];
}

static void distance_agrees_with_exhaustion(void **state)
{
    (void)state;
    rng r = rng_seed(1, 1);
    test_part a, b;
    int deep = 0, apart = 0;
    for (int i = 0; i < 120000; i++) {
        double scale = random_pair(&a, &b, &r);
        if (i % 3 == 0)
            bring_to_touch(&a, &b, scale * (i % 2 ? 1e-9 : -1e-9) * (double)(i % 4));
        double expected = oracle(&a.placed, &b.placed, scale), found = part_distance(&a.placed, &b.placed);
        /* a few roundings of turned vertices, relative to the shapes' size alone */
        if (!(fabs(found - expected) <= 2e-14 * scale))
            print_error("pair %d: %u against %u vertices\n", i, a.part.vertex_count, b.part.vertex_count);
        assert_close(found / scale, expected / scale, 2e-14);
        deep += expected < -1e-3 * scale;
        apart += expected > 1e-3 * scale;
    }
    /* both regimes were really met */
    assert_true(deep > 20000 && apart > 20000);
}

/* ---- properties of manifolds
 * -------------------------------------------------------------------------------- */

static void check_properties(const test_part *a, const test_part *b, double scale)
{
    manifold m;
    collide_parts(&a->placed, &b->placed, HUGE_VAL, &m);
    assert_true(m.count >= 1 && m.count <= 2);
    assert_close(hypot(m.normal[0], m.normal[1]), 1, 1e-15);
    double gap = test_least_gap(&m);
    if (m.count == 2)
        assert_true(m.points[0].feature < m.points[1].feature);
    /* moving a by -gap n makes the parts touch */
    placed_part moved = a->placed;
    moved.p[0] -= gap * m.normal[0];
    moved.p[1] -= gap * m.normal[1];
    double world = fabs(a->placed.p[0]) + fabs(a->placed.p[1]) + fabs(b->placed.p[0]) + fabs(b->placed.p[1]);
    assert_close(part_distance(&moved, &b->placed) / scale, 0, 4e-14 + 4e-16 * world / scale);
}

/* midway: half the gap either way along the normal lies on the surface of each part (a disc at the place
 * tells) */
static void check_midway(const test_part *a, const test_part *b, double scale)
{
    manifold m;
    collide_parts(&a->placed, &b->placed, HUGE_VAL, &m);
    double gap = test_least_gap(&m);
    test_part probe;
    test_disc(&probe, scale);
    for (int i = 0; i < m.count; i++) {
        if (m.points[i].gap != gap)
            continue;
        const double *p = m.points[i].point;
        /* of two vertices closer than 1e-9 of an edge's length either may stand for the place */
        double tolerance = 4e-14 + 4e-16 * (fabs(p[0]) + fabs(p[1])) / scale + (m.count == 2 ? 2e-9 : 0);
        test_place(&probe, p[0] + gap / 2 * m.normal[0], p[1] + gap / 2 * m.normal[1], 0);
        assert_close(part_distance(&a->placed, &probe.placed) / scale + 1, 0, tolerance);
        test_place(&probe, p[0] - gap / 2 * m.normal[0], p[1] - gap / 2 * m.normal[1], 0);
        assert_close(part_distance(&b->placed, &probe.placed) / scale + 1, 0, tolerance);
    }
}

static void manifolds_have_their_properties(void **state)
{
    (void)state;
    rng r = rng_seed(2, 1);
    test_part a, b;
    for (int i = 0; i < 30000; i++) {
        double scale = random_pair(&a, &b, &r);
        check_properties(&a, &b, scale);
        check_midway(&a, &b, scale);
    }
}

static void swapping_gives_the_same_bits(void **state)
{
    (void)state;
    rng r = rng_seed(3, 1);
    test_part a, b;
    for (int i = 0; i < 30000; i++) {
        random_pair(&a, &b, &r);
        if (i % 10 == 0)
            test_halfplane(&b, 0.6, 0.8, test_between(&r, -1, 1));
        manifold m, w;
        collide_parts(&a.placed, &b.placed, HUGE_VAL, &m);
        collide_parts(&b.placed, &a.placed, HUGE_VAL, &w);
        assert_int_equal(m.count, w.count);
        assert_true(m.normal[0] == -w.normal[0] && m.normal[1] == -w.normal[1]);
        bool discs = a.part.kind == MO_PART_DISC && b.part.kind == MO_PART_DISC;
        for (int j = 0; j < m.count; j++) {
            const manifold_point *p = &m.points[j], *q = NULL;
            for (int l = 0; l < w.count; l++)
                if (w.points[l].feature == (discs ? 0 : p->feature ^ OWNER_B))
                    q = &w.points[l];
            assert_non_null(q);
            assert_true(p->gap == q->gap && p->point[0] == q->point[0] && p->point[1] == q->point[1]);
        }
    }
}

static void max_gap_selects(void **state)
{
    (void)state;
    rng r = rng_seed(4, 1);
    test_part a, b;
    for (int i = 0; i < 30000; i++) {
        double scale = random_pair(&a, &b, &r), limit = test_between(&r, -0.5, 0.5) * scale;
        manifold all, some;
        collide_parts(&a.placed, &b.placed, HUGE_VAL, &all);
        collide_parts(&a.placed, &b.placed, limit, &some);
        int expected = 0;
        for (int j = 0; j < all.count; j++)
            expected += all.points[j].gap <= limit;
        assert_int_equal(some.count, expected);
        for (int j = 0; j < some.count; j++)
            assert_true(some.points[j].gap <= limit);
    }
}

/* the signed distance is 1-Lipschitz in a translation, and for hulls of radius R, R-Lipschitz in the angle */
static void gap_is_continuous(void **state)
{
    (void)state;
    rng r = rng_seed(5, 1);
    test_part a, b;
    for (int i = 0; i < 20000; i++) {
        double scale = random_pair(&a, &b, &r), step = pow(10, test_between(&r, -12, -1)) * scale;
        double before = part_distance(&a.placed, &b.placed), phi = test_between(&r, -4, 4);
        b.placed.p[0] += step * cos(phi);
        b.placed.p[1] += step * sin(phi);
        assert_true(fabs(part_distance(&a.placed, &b.placed) - before) <= step + 4e-14 * scale);
    }
}

/* the same pair elsewhere and turned as a whole */
static void gap_is_invariant(void **state)
{
    (void)state;
    rng r = rng_seed(6, 1);
    test_part a, b;
    for (int i = 0; i < 20000; i++) {
        double scale = random_pair(&a, &b, &r), phi = test_between(&r, -4, 4), c = cos(phi), s = sin(phi);
        double before = part_distance(&a.placed, &b.placed);
        double x = b.placed.p[0] - a.placed.p[0], y = b.placed.p[1] - a.placed.p[1];
        a.placed.p[0] = scale, a.placed.p[1] = 2 * scale;
        b.placed.p[0] = scale + c * x - s * y;
        b.placed.p[1] = 2 * scale + s * x + c * y;
        for (placed_part *t = &a.placed; t != NULL; t = t == &a.placed ? &b.placed : NULL) {
            double tc = c * t->c - s * t->s, ts = s * t->c + c * t->s;
            t->c = tc, t->s = ts;
        }
        assert_close(part_distance(&a.placed, &b.placed) / scale, before / scale, 4e-14);
    }
}

/* ---- closed forms
 * ------------------------------------------------------------------------------------------ */

static void discs(void **state)
{
    (void)state;
    test_part a, b;
    manifold m;
    test_disc(&a, 1);
    test_disc(&b, 2);
    test_place(&a, 3, 4, 0.3);
    collide_parts(&a.placed, &b.placed, 2, &m);
    assert_int_equal(m.count, 1);
    assert_close(m.points[0].gap, 2, 0);
    assert_close(m.normal[0], 0.6, 1e-16);
    assert_close(m.points[0].point[0], 1.8, 1e-15);
    assert_close(m.points[0].point[1], 2.4, 1e-15);
    collide_parts(&a.placed, &b.placed, 1.999, &m);
    assert_int_equal(m.count, 0);
    /* one centre on the other: a definite normal, opposite from the other's view */
    test_place(&a, 0, 0, 0);
    manifold w;
    collide_parts(&a.placed, &b.placed, 0, &m);
    collide_parts(&b.placed, &a.placed, 0, &w);
    assert_close(m.points[0].gap, -3, 0);
    assert_close(fabs(m.normal[1]), 1, 0);
    assert_true(m.normal[1] == -w.normal[1]);
}

static void discs_and_hulls(void **state)
{
    (void)state;
    test_part box, d, s, plane;
    manifold m;
    test_box(&box, 2, 1);
    test_disc(&d, 0.25);
    const struct {
        double x, y, gap, nx, ny; /* normal toward the disc */
    } cases[] = {
        {0.3, 1, 0.25, 0, 1},       /* over an edge */
        {1.3, 0.9, 0.25, 0.6, 0.8}, /* off a corner */
        {0.9, 0, -0.35, 1, 0},      /* centre inside */
        {1, 0.5, -0.25, 1, 0},      /* centre on a corner: the first edge there */
        {-1, 0.1, -0.25, -1, 0},    /* centre on an edge */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        test_place(&d, cases[i].x, cases[i].y, 1);
        collide_parts(&d.placed, &box.placed, 1, &m);
        assert_int_equal(m.count, 1);
        assert_close(m.points[0].gap, cases[i].gap, 1e-15);
        assert_close(m.normal[0], cases[i].nx, 1e-15);
        assert_close(m.normal[1], cases[i].ny, 1e-15);
        assert_int_equal(m.points[0].feature, 0);
    }
    /* a segment from both sides, beyond its end, and with the centre on it */
    test_hull(&s, 2, (const double[4]){0, 0, 2, 0}, 0);
    const double on_segment[][5] = {{1, 0.5, 0.25, 0, 1}, {1, -0.5, 0.25, 0, -1}, {2.3, 0.4, 0.25, 0.6, 0.8},
                                    {1, 0, -0.25, 0, 1},  {-0.5, 0, 0.25, -1, 0}, {0, 0, -0.25, 0, 1}};
    for (size_t i = 0; i < 6; i++) {
        const double *c = on_segment[i];
        test_place(&d, c[0], c[1], 0);
        collide_parts(&d.placed, &s.placed, 1, &m);
        assert_close(m.points[0].gap, c[2], 1e-15);
        assert_close(m.normal[0], c[3], 1e-15);
        assert_close(m.normal[1], c[4], 1e-15);
    }
    test_halfplane(&plane, 0, 1, -0.5);
    test_place(&d, 7, 0, 0);
    collide_parts(&d.placed, &plane.placed, 1, &m);
    assert_close(m.points[0].gap, 0.25, 0);
    assert_close(m.points[0].point[1], -0.375, 1e-16);
    assert_close(m.normal[1], 1, 0);
}

/* boxes at rest: two corners, the right vertices, gaps of their own when tilted */
static void boxes_at_rest(void **state)
{
    (void)state;
    test_part ground, box;
    manifold m;
    for (int kind = 0; kind < 3; kind++) {
        if (kind == 0)
            test_box(&ground, 10, 2), test_place(&ground, 0, -1, 0);
        else if (kind == 1)
            test_hull(&ground, 2, (const double[4]){-5, 0, 5, 0}, 0);
        else
            test_halfplane(&ground, 0, 1, 0);
        test_box(&box, 2, 1);
        double tilt = 1e-9;
        test_place(&box, 0.25, 0.5 + 1e-10, tilt);
        collide_parts(&box.placed, &ground.placed, 1e-8, &m);
        assert_int_equal(m.count, 2);
        assert_close(m.normal[1], 1, 1e-15);
        assert_int_equal(m.points[0].feature, 0);
        assert_int_equal(m.points[1].feature, 1);
        assert_close(m.points[0].gap, 1e-10 - tilt, 1e-15);
        assert_close(m.points[1].gap, 1e-10 + tilt, 1e-15);
        assert_close(m.points[0].point[0], -0.75, 1e-8);
        /* tilted for good, only the low corner is left */
        test_place(&box, 0.25, 0.5, 1e-3);
        collide_parts(&box.placed, &ground.placed, 1e-8, &m);
        assert_int_equal(m.count, 1);
        assert_int_equal(m.points[0].feature, 0);
    }
}

/* a smaller box across the edge of a larger one touches with its own corner and with the larger one's */
static void overhanging_box(void **state)
{
    (void)state;
    test_part low, high;
    manifold m;
    test_box(&low, 2, 1);
    test_box(&high, 2, 1);
    test_place(&high, 1.5, 1, 0);
    collide_parts(&low.placed, &high.placed, 1e-9, &m);
    assert_int_equal(m.count, 2);
    assert_close(m.normal[1], -1, 0);
    assert_int_equal(m.points[0].feature, 2);           /* low's upper right corner */
    assert_int_equal(m.points[1].feature, OWNER_B | 0); /* high's lower left corner */
    assert_close(m.points[0].point[0], 1, 1e-15);
    assert_close(m.points[1].point[0], 0.5, 1e-15);
    /* corner to corner: one point, its normal along the line between the corners */
    test_place(&high, 2.3, 1.4, 0);
    collide_parts(&high.placed, &low.placed, 1, &m);
    assert_int_equal(m.count, 1);
    assert_close(m.points[0].gap, 0.5, 1e-15);
    assert_close(m.normal[0], 0.6, 1e-15);
}

/* equal boxes exactly on each other and side by side: tiny motions must not rename the contacts */
static void features_do_not_flicker(void **state)
{
    (void)state;
    rng r = rng_seed(7, 1);
    const double place[4][2] = {{0, 1}, {2, 0}, {0.5, 1}, {2, 0.25}};
    for (int kind = 0; kind < 4; kind++) {
        test_part a, b;
        test_box(&a, 2, 1);
        test_box(&b, 2, 1);
        manifold first, m;
        test_place(&b, place[kind][0], place[kind][1], 0);
        collide_parts(&a.placed, &b.placed, 1e-7, &first);
        assert_int_equal(first.count, 2);
        for (int i = 0; i < 2000; i++) {
            double e[6];
            for (int j = 0; j < 6; j++)
                e[j] = test_between(&r, -1e-10, 1e-10);
            test_place(&b, place[kind][0] + e[0], place[kind][1] + e[1], e[2]);
            test_place(&a, e[3], e[4], e[5]);
            collide_parts(&a.placed, &b.placed, 1e-7, &m);
            assert_int_equal(m.count, 2);
            assert_int_equal(m.points[0].feature, first.points[0].feature);
            assert_int_equal(m.points[1].feature, first.points[1].feature);
        }
    }
}

/* parts far from their own origin, as a fixed body's are that keeps its points: no digits lost to where they
 * are */
static void far_parts_keep_their_digits(void **state)
{
    (void)state;
    test_part ground, box;
    manifold m;
    const double x = 8192, y = 4096, g = 0x1p-38;
    test_hull(&ground, 4, (const double[8]){x - 1, y - 1, x + 1, y - 1, x + 1, y, x - 1, y}, 0);
    test_box(&box, 0.5, 0.5);
    test_place(&box, x, y + 0.25 + g, 0);
    collide_parts(&box.placed, &ground.placed, 1e-6, &m);
    assert_int_equal(m.count, 2);
    assert_close(m.points[0].gap, g, 0);
    assert_close(m.points[1].gap, g, 0);
    test_disc(&box, 0.25);
    test_place(&box, x, y + 0.25 + g, 0.7);
    assert_close(part_distance(&box.placed, &ground.placed), g, 0);
}

static void halfplanes_never_touch(void **state)
{
    (void)state;
    test_part a, b;
    manifold m;
    test_halfplane(&a, 0, 1, 5);
    test_halfplane(&b, 1, 0, 5);
    collide_parts(&a.placed, &b.placed, HUGE_VAL, &m);
    assert_int_equal(m.count, 0);
    assert_true(isinf(part_distance(&a.placed, &b.placed)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(discs),
        cmocka_unit_test(discs_and_hulls),
        cmocka_unit_test(boxes_at_rest),
        cmocka_unit_test(overhanging_box),
        cmocka_unit_test(features_do_not_flicker),
        cmocka_unit_test(far_parts_keep_their_digits),
        cmocka_unit_test(halfplanes_never_touch),
        cmocka_unit_test(distance_agrees_with_exhaustion),
        cmocka_unit_test(manifolds_have_their_properties),
        cmocka_unit_test(swapping_gives_the_same_bits),
        cmocka_unit_test(max_gap_selects),
        cmocka_unit_test(gap_is_continuous),
        cmocka_unit_test(gap_is_invariant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
