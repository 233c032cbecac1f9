/*
 * Contact manifolds in 3D: closed forms for every pair of kinds, patches of known area, symmetry, invariance.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "collide/solids.h"
#include "support/close.h"

/* one contact of given gap and normal */
static void expect_contact(const test_solid *a, const test_solid *b, int count, double gap, double nx,
                           double ny, double nz)
{
    manifold3 m = collide(a, b, gap + 1e-9);
    assert_int_equal(m.count, count);
    assert_close(solid_least_gap(&m), gap, 1e-13);
    assert_close(m.normal[0], nx, 1e-13);
    assert_close(m.normal[1], ny, 1e-13);
    assert_close(m.normal[2], nz, 1e-13);
    assert_int_equal(collide(a, b, gap - 1e-9).count, 0);
}

/* ---- closed forms
 * ------------------------------------------------------------------------------------------ */

static void spheres_with_everything(void **state)
{
    (void)state;
    test_solid s, t;
    double d = sqrt(0.5), h = sqrt(1.0 / 3);
    solid_sphere(&s, 0.5);
    solid_sphere(&t, 0.25);
    solid_place(&t, 0, 1, 0, NONE);
    expect_contact(&s, &t, 1, 0.25, 0, -1, 0);
    solid_place(&t, 0, 0, 0, NONE);
    assert_close(collide(&s, &t, 0).points[0].gap, -0.75, 0);
    /* a cube's face, edge, corner, and inside */
    solid_box(&t, 2, 2, 2);
    solid_place(&s, 0.3, 0.2, 1.75, NONE);
    expect_contact(&s, &t, 1, 0.25, 0, 0, 1);
    solid_place(&s, 1.5, 0.2, 1.5, NONE);
    expect_contact(&s, &t, 1, d - 0.5, d, 0, d);
    solid_place(&s, 1.5, -1.5, 1.5, NONE);
    expect_contact(&s, &t, 1, sqrt(0.75) - 0.5, h, -h, h);
    solid_place(&s, 0.3, 0.2, 0.7, NONE);
    expect_contact(&s, &t, 1, -0.8, 0, 0, 1);
    /* a cylinder's cap, side, rim, inside */
    solid_cylinder(&t, 1, 2);
    solid_place(&s, 0.3, 0.2, -1.75, NONE);
    expect_contact(&s, &t, 1, 0.25, 0, 0, -1);
    solid_place(&s, 0, 1.75, 0.5, NONE);
    expect_contact(&s, &t, 1, 0.25, 0, 1, 0);
    solid_place(&s, 1.5, 0, 1.5, NONE);
    expect_contact(&s, &t, 1, d - 0.5, d, 0, d);
    solid_place(&s, 0, 0.7, 0.5, NONE);
    expect_contact(&s, &t, 1, -0.8, 0, 1, 0);
    /* a triangle's face from both sides, edge, vertex */
    solid_triangle(&t, (const double[]){0, 0, 0, 2, 0, 0, 0, 2, 0});
    solid_place(&s, 0.5, 0.5, 0.75, NONE);
    expect_contact(&s, &t, 1, 0.25, 0, 0, 1);
    solid_place(&s, 0.5, 0.5, -0.4, NONE);
    expect_contact(&s, &t, 1, -0.1, 0, 0, -1);
    solid_place(&s, 1, -0.5, 0.5, NONE);
    expect_contact(&s, &t, 1, d - 0.5, 0, -d, d);
    solid_place(&s, -0.5, -0.5, 0.5, NONE);
    expect_contact(&s, &t, 1, sqrt(0.75) - 0.5, -h, -h, h);
    /* a plane */
    solid_plane(&t, 0, 3, 4, 1);
    solid_place(&s, 0.6, 1.2, 1.6, NONE);
    expect_contact(&s, &t, 1, 0.5, 0, 0.6, 0.8);
}

static void capsules(void **state)
{
    (void)state;
    test_solid a, b;
    double q[4];
    solid_capsule(&a, 0.25, 2);
    solid_capsule(&b, 0.5, 2);
    /* parallel, crossed, end to side, end to end */
    solid_place(&b, 1, 0, 0.5, NONE);
    expect_contact(&a, &b, 2, 0.25, -1, 0, 0);
    quat_about(q, 1, 0, 0, PI / 2);
    solid_place(&b, 1, 0, 0.5, q);
    expect_contact(&a, &b, 1, 0.25, -1, 0, 0);
    quat_about(q, 0, 1, 0, PI / 2);
    solid_place(&b, 2, 0, 0.5, q);
    expect_contact(&a, &b, 1, 0.25, -1, 0, 0);
    solid_place(&b, 0.6, 0, 2.8, NONE);
    expect_contact(&a, &b, 1, 0.25, -0.6, 0, -0.8);
    /* collinear and overlapping: some normal, and the sum of the radii */
    solid_place(&b, 0, 0, 0.5, NONE);
    assert_close(solid_distance(&a.placed, &b.placed), -0.75, 1e-15);
    /* lying on a face, then over its edge */
    solid_box(&b, 4, 4, 1);
    quat_about(q, 0, 1, 0, PI / 2);
    solid_place(&a, 0, 0, 1, q);
    expect_contact(&a, &b, 2, 0.25, 0, 0, 1);
    solid_place(&a, 0.3, 2.6, 1.3, q);
    expect_contact(&a, &b, 2, 0.75, 0, 0.6, 0.8);
}

/* a disc's deepest point is below its centre by r sin(tilt), a cylinder's also by half its height */
static void tilted_cylinders_on_a_plane(void **state)
{
    (void)state;
    test_solid c, p;
    solid_cylinder(&c, 0.7, 1.6);
    solid_plane(&p, 0, 0, 1, 0);
    for (int i = 0; i <= 90; i++) {
        double tilt = i * PI / 180, q[4], low = 0.8 * cos(tilt) + 0.7 * sin(tilt);
        quat_about(q, cos(i), sin(i), 0, tilt);
        solid_place(&c, 1, 2, low + 1e-9, q);
        manifold3 m = collide(&c, &p, 1e-8);
        assert_close(solid_least_gap(&m), 1e-9, 1e-15);
        assert_int_equal(m.count, i == 0 ? 16 : i == 90 ? 2 : 1);
        /* a face says the same */
        test_solid box;
        solid_box(&box, 20, 20, 1);
        solid_place(&box, 0, 0, -0.5, NONE);
        m = collide(&c, &box, 1e-8);
        assert_close(solid_least_gap(&m), 1e-9, 2e-14);
        assert_int_equal(m.count, i == 0 ? 16 : i == 90 ? 2 : 1);
        assert_close(m.normal[2], 1, 1e-14);
    }
}

static void cylinders_with_cylinders(void **state)
{
    (void)state;
    test_solid a, b;
    double q[4], d = sqrt(0.5);
    solid_cylinder(&a, 1, 2);
    solid_cylinder(&b, 0.5, 3);
    /* cap on cap: the smaller one's rim; equal discs: one set of points */
    solid_place(&b, 0.2, 0.1, 2.5, NONE);
    expect_contact(&a, &b, 16, 0, 0, 0, -1);
    solid_cylinder(&b, 1, 3);
    solid_place(&b, 0, 0, 2.5, NONE);
    expect_contact(&a, &b, 16, 0, 0, 0, -1);
    /* sides: parallel, crossed */
    solid_place(&b, 0, 2.25, 0.5, NONE);
    expect_contact(&a, &b, 2, 0.25, 0, -1, 0);
    quat_about(q, 1, 0, 0, PI / 2);
    solid_place(&b, 2.25, 0, 0.5, q);
    expect_contact(&a, &b, 1, 0.25, -1, 0, 0);
    quat_about(q, 1, 0, 0, 0.3);
    solid_place(&b, 1.75, 0, 0.1, q);
    expect_contact(&a, &b, 1, -0.25, -1, 0, 0);
    /* rim to rim of parallel axes; side lying on a cap; rim on a side */
    solid_place(&b, 2.5, 0, 3, NONE);
    expect_contact(&a, &b, 1, d, -d, 0, -d);
    quat_about(q, 0, 1, 0, PI / 2);
    solid_place(&b, 0, 0.25, 2.25, q);
    expect_contact(&a, &b, 2, 0.25, 0, 0, -1);
    quat_about(q, 0, 1, 0, PI / 4);
    solid_place(&b, 1 + 2.5 * d + 0.25, 0, 0, q);
    expect_contact(&a, &b, 1, 0.25, -1, 0, 0);
}

static void cylinders_with_boxes(void **state)
{
    (void)state;
    test_solid c, b;
    double q[4], d = sqrt(0.5);
    solid_cylinder(&c, 1, 2);
    /* an edge along the axis, across it over the side, and over the cap */
    solid_box(&b, 2, 2, 4);
    quat_about(q, 0, 0, 1, PI / 4);
    solid_place(&b, 1 + 2 * d + 0.25, 0, 0.5, q);
    expect_contact(&c, &b, 2, 0.25, -1, 0, 0);
    solid_box(&b, 2, 4, 2);
    quat_about(q, 0, 1, 0, PI / 4);
    solid_place(&b, 1 + 2 * d + 0.25, 0, 0.5, q);
    expect_contact(&c, &b, 1, 0.25, -1, 0, 0);
    solid_place(&b, 0.1, 0, 1 + 2 * d - 0.125, q);
    expect_contact(&c, &b, 2, -0.125, 0, 0, -1);
    /* a corner over the rim, and a rim over an edge across it */
    solid_box(&b, 2, 2, 2);
    solid_place(&b, 0, 1 + 0.3 + 1, 1 + 0.4 + 1, NONE);
    expect_contact(&c, &b, 1, 0.5, 0, -0.6, -0.8);
    /* a cap half over the edge of a face: all of its patch */
    solid_box(&b, 10, 10, 1);
    solid_place(&b, 5, 0, -1.5, NONE);
    manifold3 m = collide(&c, &b, 1e-8);
    double left = 1, right = -1;
    for (int i = 0; i < m.count; i++) {
        left = fmin(left, m.points[i].point[0]);
        right = fmax(right, m.points[i].point[0]);
        assert_close(m.points[i].gap, 0, 1e-15);
    }
    assert_close(left, 0, 1e-15);
    assert_close(right, 1, 1e-15);
    assert_int_equal(m.count, 9);
}

/* ---- patches of boxes
 * -------------------------------------------------------------------------------------- */

/* area of the hull of the points seen along z: sorted around their middle */
static double hull_area(const manifold3 *m)
{
    double angle[MANIFOLD3_MAX], mx = 0, my = 0, area = 0;
    int order[MANIFOLD3_MAX];
    for (int i = 0; i < m->count; i++) {
        mx += m->points[i].point[0] / m->count;
        my += m->points[i].point[1] / m->count;
    }
    for (int i = 0; i < m->count; i++) {
        double here = atan2(m->points[i].point[1] - my, m->points[i].point[0] - mx);
        int j = i;
        for (; j > 0 && angle[j - 1] > here; j--)
            angle[j] = angle[j - 1], order[j] = order[j - 1];
        angle[j] = here;
        order[j] = i;
    }
    for (int i = 0; i < m->count; i++) {
        const double *p = m->points[order[i]].point, *q = m->points[order[(i + 1) % m->count]].point;
        area += 0.5 * ((p[0] - mx) * (q[1] - my) - (q[0] - mx) * (p[1] - my));
    }
    return area;
}

/* area common to the square [-1, 1]^2 and one of half side s about (x, y) turned by an angle, by strips */
static double common_area(double s, double x, double y, double angle)
{
    const int n = 4000;
    double c = cos(angle), w = sin(angle), sum = 0;
    for (int i = 0; i < n; i++) {
        double v = -1 + 2 * (i + 0.5) / n - y, low = -1, high = 1;
        /* |c (u) + w v| <= s and |-w u + c v| <= s with u = X - x */
        double k[2] = {c, -w}, o[2] = {w * v, c * v};
        for (int j = 0; j < 2; j++) {
            if (fabs(k[j]) < 1e-12) {
                if (fabs(o[j]) > s)
                    high = -2;
                continue;
            }
            double a = (-s - o[j]) / k[j] + x, b = (s - o[j]) / k[j] + x;
            low = fmax(low, fmin(a, b));
            high = fmin(high, fmax(a, b));
        }
        sum += fmax(0, high - low) * 2 / n;
    }
    return sum;
}

static void boxes_share_their_whole_patch(void **state)
{
    (void)state;
    test_solid a, b;
    rng r = rng_seed(5, 1);
    for (int i = 0; i < 2000; i++) {
        double s = solid_between(&r, 0.3, 1.5), angle = solid_between(&r, -PI, PI), q[4];
        double x = solid_between(&r, -1.2, 1.2), y = solid_between(&r, -1.2, 1.2), gap = (i % 3 - 1) * 1e-9;
        solid_box(&a, 2, 2, 1);
        solid_box(&b, 2 * s, 2 * s, 1);
        quat_about(q, 0, 0, 1, angle);
        solid_place(&b, x, y, 1 + gap, q);
        double area = common_area(s, x, y, angle);
        if (area < 0.02)
            continue;
        manifold3 m = collide(&a, &b, 1e-8);
        assert_true(m.count >= 3 && m.count <= 8);
        assert_close(hull_area(&m), area, 2e-3);
        for (int k = 0; k < m.count; k++)
            assert_close(m.points[k].gap, gap, 1e-15);
        assert_close(m.normal[2], -1, 1e-15);
    }
}

/* bricks with sides in line have four corners, the same ones whatever the rounding and the tiny tilt */
static void aligned_boxes_keep_their_corners(void **state)
{
    (void)state;
    test_solid a, b;
    rng r = rng_seed(6, 1);
    static const double offset[] = {0, 0.5, 1, -0.5};
    for (int k = 0; k < 16; k++) {
        uint32_t feature[4] = {0};
        for (int i = 0; i < 200; i++) {
            double q[4], turn[3];
            for (int d = 0; d < 3; d++)
                turn[d] = (i % 2 ? 1e-13 : 1e-16) * solid_between(&r, -1, 1);
            quat_exp(turn, q);
            solid_box(&a, 2, 2, 1);
            solid_box(&b, 2, 2, 1);
            solid_place(&b, offset[k % 4] + 1e-13 * rng_uniform(&r), offset[k / 4] + 1e-13 * rng_uniform(&r),
                        1 + 1e-12 * solid_between(&r, -1, 1), q);
            manifold3 m = collide(&a, &b, 1e-8);
            assert_int_equal(m.count, 4);
            for (int j = 0; j < 4; j++) {
                if (i == 0)
                    feature[j] = m.points[j].feature;
                assert_int_equal(m.points[j].feature, feature[j]);
            }
        }
    }
}

/* edge on face: two points; corner on face: one; edges crossed: one; edges along each other: two */
static void edges_and_corners(void **state)
{
    (void)state;
    test_solid a, b;
    double q[4], d = sqrt(0.5);
    solid_box(&a, 4, 4, 1);
    solid_box(&b, 1, 1, 1);
    quat_about(q, 1, 0, 0, PI / 4);
    solid_place(&b, 0, 0, 0.5 + d, q);
    expect_contact(&a, &b, 2, 0, 0, 0, -1);
    solid_place(&b, 2, 0, 0.5 + d, q);
    expect_contact(&a, &b, 2, 0, 0, 0, -1);
    double turn[4];
    quat_about(turn, 0, 1, 0, atan(d));
    quat_multiply(turn, q, q);
    solid_place(&b, 0, 0, 0.5 + sqrt(0.75), q);
    expect_contact(&a, &b, 1, 0, 0, 0, -1);
    quat_about(q, 1, 0, 0, PI / 4);
    quat_about(turn, 0, 1, 0, PI / 4);
    solid_box(&a, 1, 3, 1);
    solid_place(&a, 0, 0, 0, turn);
    solid_box(&b, 3, 1, 1);
    solid_place(&b, 0.1, 0.2, 2 * d, q);
    expect_contact(&a, &b, 1, 0, 0, 0, -1);
    quat_about(q, 0, 1, 0, PI / 4);
    solid_box(&b, 1, 3, 1);
    solid_place(&b, 0, 1, 2 * d + 0.1, q);
    expect_contact(&a, &b, 2, 0.1, 0, 0, -1);
}

/* ---- symmetry and invariance
 * ------------------------------------------------------------------------------- */

static void random_kind(test_solid *t, rng *r, int kind)
{
    switch (kind) {
    case 0:
        solid_sphere(t, 0.6);
        break;
    case 1:
        solid_capsule(t, 0.3, 1);
        break;
    case 2:
        solid_cylinder(t, 0.5, 1.2);
        break;
    case 3:
        solid_box(t, 1, 1.3, 0.8);
        break;
    case 4:
        solid_random_hull(t, r, 12, 0.7, 0.8, 0.6);
        break;
    case 5:
        solid_triangle(t, (const double[]){-1, -1, 0, 1, -1, 0.2, 0, 1, 0.1});
        break;
    default:
        solid_plane(t, 0.3, 0.5, 0.8, 0.1);
    }
}

static void place_at_random(test_solid *t, rng *r, double reach)
{
    double q[4];
    for (int i = 0; i < 4; i++)
        q[i] = solid_between(r, -1, 1);
    solid_place(t, solid_between(r, -reach, reach), solid_between(r, -reach, reach),
                solid_between(r, -reach, reach), q);
}

/* the same points, in whatever order the features put them */
static bool has_point(const manifold3 *m, const manifold3_point *p)
{
    for (int i = 0; i < m->count; i++)
        if (m->points[i].gap == p->gap && m->points[i].point[0] == p->point[0] &&
            m->points[i].point[1] == p->point[1] && m->points[i].point[2] == p->point[2])
            return true;
    return false;
}

static void swapping_changes_no_bit(void **state)
{
    (void)state;
    rng r = rng_seed(7, 1);
    test_solid a, b;
    for (int i = 0; i < 20000; i++) {
        random_kind(&a, &r, i % 7);
        random_kind(&b, &r, i / 7 % 7);
        place_at_random(&a, &r, 1);
        place_at_random(&b, &r, i % 5 ? 1 : 0);
        if (i % 11 == 0)
            b.placed.p[0] = a.placed.p[0], b.placed.p[1] = a.placed.p[1], b.placed.p[2] = a.placed.p[2];
        manifold3 m = collide(&a, &b, 0.1), n = collide(&b, &a, 0.1);
        assert_int_equal(m.count, n.count);
        for (int k = 0; k < m.count; k++) {
            assert_true(has_point(&n, &m.points[k]));
            assert_true(m.normal[0] == -n.normal[0] && m.normal[1] == -n.normal[1] &&
                        m.normal[2] == -n.normal[2]);
        }
    }
}

/* moved and turned together, two solids have the same gaps */
static void motion_changes_nothing(void **state)
{
    (void)state;
    rng r = rng_seed(8, 1);
    for (int i = 0; i < 5000; i++) {
        test_solid a, b;
        random_kind(&a, &r, i % 6);
        random_kind(&b, &r, i / 6 % 6);
        place_at_random(&a, &r, 1);
        place_at_random(&b, &r, 1);
        double before = solid_distance(&a.placed, &b.placed), q[4], R[9], x[3] = {3, -5, 7}, T[9];
        for (int k = 0; k < 4; k++)
            q[k] = solid_between(&r, -1, 1);
        quat_normalise(q);
        quat_to_matrix(q, R);
        for (int s = 0; s < 2; s++) {
            placed3 *p = s == 0 ? &a.placed : &b.placed;
            mat3_apply(R, p->p, p->p);
            vec3_add(p->p, x, p->p);
            for (int k = 0; k < 9; k++)
                T[k] = R[k / 3 * 3] * p->R[k % 3] + R[k / 3 * 3 + 1] * p->R[3 + k % 3] +
                       R[k / 3 * 3 + 2] * p->R[6 + k % 3];
            for (int k = 0; k < 9; k++)
                p->R[k] = T[k];
        }
        bool deep_cylinder = before < -0.05 && (i % 6 == 2 || i / 6 % 6 == 2);
        assert_close(solid_distance(&a.placed, &b.placed), before, deep_cylinder ? 1e-3 : 1e-13);
    }
}

/* ---- degenerate
 * -------------------------------------------------------------------------------------------- */

static void touching_and_coincident(void **state)
{
    (void)state;
    test_solid a, b;
    for (int e = -6; e <= 6; e += 3) {
        double s = pow(10, e);
        solid_box(&a, s, s, s);
        solid_box(&b, s, s, s);
        solid_place(&b, s, s, s, NONE);
        assert_close(solid_distance(&a.placed, &b.placed), 0, 1e-14 * s);
        solid_place(&b, s, s, 0, NONE);
        assert_close(solid_distance(&a.placed, &b.placed), 0, 1e-14 * s);
        solid_place(&b, 0, 0, 0, NONE);
        assert_close(solid_distance(&a.placed, &b.placed), -s, 1e-14 * s);
        solid_box(&b, 1e-6 * s, 1e-6 * s, s);
        solid_place(&b, 0, 0, s, NONE);
        manifold3 m = collide(&a, &b, 1e-9 * s);
        assert_int_equal(m.count, 4);
        solid_cylinder(&a, s, s);
        solid_cylinder(&b, s, s);
        assert_close(solid_distance(&a.placed, &b.placed), -s, 1e-14 * s);
        solid_place(&b, 2 * s, 0, s, NONE);
        assert_close(solid_distance(&a.placed, &b.placed), 0, 1e-14 * s);
        solid_triangle(&a, (const double[]){0, 0, 0, s, 0, 0, 0, s, 0});
        solid_triangle(&b, (const double[]){0, 0, 0, s, 0, 0, 0, s, 0});
        assert_close(solid_distance(&a.placed, &b.placed), 0, 1e-14 * s);
        solid_place(&b, 3 * s, 0, 0, NONE);
        assert_close(solid_distance(&a.placed, &b.placed), 2 * s, 1e-14 * s);
    }
    solid_plane(&a, 0, 0, 1, 0);
    solid_plane(&b, 1, 0, 0, 0);
    assert_true(solid_distance(&a.placed, &b.placed) == HUGE_VAL);
}

/* more corners than fit: the deepest stays and the hull keeps nearly all of its area */
static void many_corners_are_thinned(void **state)
{
    (void)state;
    test_solid a, b;
    double q[4], turn = PI / 24;
    solid_prism(&a, 24, 1, 1);
    solid_prism(&b, 24, 1, 1);
    quat_about(q, 0, 0, 1, turn);
    solid_place(&b, 0.01, 0, 1, q);
    manifold3 m = collide(&a, &b, 1e-8);
    assert_int_equal(m.count, MANIFOLD3_MAX);
    assert_true(hull_area(&m) > 0.97 * 24 / 2.0 * sin(2 * turn));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_with_everything),
        cmocka_unit_test(capsules),
        cmocka_unit_test(tilted_cylinders_on_a_plane),
        cmocka_unit_test(cylinders_with_cylinders),
        cmocka_unit_test(cylinders_with_boxes),
        cmocka_unit_test(boxes_share_their_whole_patch),
        cmocka_unit_test(aligned_boxes_keep_their_corners),
        cmocka_unit_test(edges_and_corners),
        cmocka_unit_test(swapping_changes_no_bit),
        cmocka_unit_test(motion_changes_nothing),
        cmocka_unit_test(touching_and_coincident),
        cmocka_unit_test(many_corners_are_thinned),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
