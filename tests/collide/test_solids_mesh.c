/*
 * Triangles of a mesh feel like one surface: no contact twice, no normal that the surface does not have.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collide/proof.h"
#include "support/close.h"

static const double NOWHERE[3] = {0, 0, 0};

/* the square [-2, 2]^2 as two triangles that share the diagonal, the second folded by `fold` about it */
static void two_triangles(test_solid *s, test_solid *t, double fold)
{
    double d = 2 * sqrt(2.0), c = d * cos(fold) / sqrt(2.0), z = -d * sin(fold);
    const double A[3] = {-2, -2, 0}, B[3] = {2, 2, 0}, C[3] = {-2, 2, 0}, D[3] = {c, -c, z};
    const double *first[6] = {B, C, A, A, A, D}, *second[6] = {A, D, B, B, B, C};
    double v[18];
    for (int i = 0; i < 18; i++)
        v[i] = first[i / 3][i % 3];
    solid_set(s, MO_PART_TRIANGLE, 6, v, 0);
    for (int i = 0; i < 18; i++)
        v[i] = second[i / 3][i % 3];
    solid_set(t, MO_PART_TRIANGLE, 6, v, 0);
    s->part.link.neighbours = t->part.link.neighbours = 4;
}

/* contacts of both triangles with a solid; every normal straight up or down, no place twice */
static int flat_contacts(const test_solid *s, const test_solid *t, const test_solid *x, double max_gap)
{
    manifold3 m[2] = {collide(x, s, max_gap), collide(x, t, max_gap)};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < m[k].count; i++) {
            assert_close(m[k].normal[0], 0, 1e-15);
            assert_close(m[k].normal[1], 0, 1e-15);
            assert_close(fabs(m[k].normal[2]), 1, 1e-15);
        }
    for (int i = 0; i < m[0].count; i++)
        for (int j = 0; j < m[1].count; j++)
            assert_true(vec3_distance(m[0].points[i].point, m[1].points[j].point) > 1e-9);
    return m[0].count + m[1].count;
}

static void flat_meshes_feel_like_one_face(void **state)
{
    (void)state;
    test_solid s, t, x;
    rng r = rng_seed(9, 1);
    two_triangles(&s, &t, 0);
    for (int i = 0; i < 3000; i++) {
        double q[4], side = i % 2 ? 1 : -1, deep = (i % 3) * 0.01,
                     place = i % 5 ? solid_between(&r, -1, 1) : 0;
        quat_about(q, 0, 0, 1, i % 7 ? solid_between(&r, -PI, PI) : 0);
        solid_box(&x, 0.8, 0.6, 0.5);
        solid_place(&x, place, i % 4 ? solid_between(&r, -1, 1) : place, side * (0.25 - deep), q);
        assert_int_equal(flat_contacts(&s, &t, &x, 1e-8), 4);
        solid_sphere(&x, 0.3);
        solid_place(&x, place, i % 4 ? solid_between(&r, -1, 1) : place, side * (0.3 - deep), NONE);
        assert_int_equal(flat_contacts(&s, &t, &x, 1e-8), 1);
    }
}

/*
 * Bodies that lean, lowered onto the two triangles near the edge that they share until the lowest point is
 * `deep` deep: as deep as in a plane.  The lowest point may be below one triangle while only the other is
 * cut.
 */
static void is_as_deep_as_in_a_plane(test_solid *x, rng *r, double deep)
{
    test_solid s, t, plane;
    const double on_edge = solid_between(r, -1, 1);
    double q[4];
    two_triangles(&s, &t, 0);
    solid_plane(&plane, 0, 0, 1, 0);
    for (int j = 0; j < 4; j++)
        q[j] = solid_between(r, -1, 1);
    solid_place(x, on_edge + solid_between(r, -0.2, 0.2), on_edge + solid_between(r, -0.2, 0.2), 1, q);
    manifold3 m = collide(x, &plane, 10);
    x->placed.p[2] -= solid_least_gap(&m) + deep;
    manifold3 a = collide(x, &s, 1e-8), b = collide(x, &t, 1e-8);
    assert_close(fmin(solid_least_gap(&a), solid_least_gap(&b)), -deep, 1e-12);
}

static void flat_meshes_are_as_deep_as_planes(void **state)
{
    (void)state;
    test_solid x;
    for (long i = 0; i < 30000; i++) {
        rng r = rng_of_pair(32, i);
        solid_random_hull(&x, &r, (size_t)(4 + i % 9), 0.1, solid_between(&r, 0.02, 0.1), 0.3);
        is_as_deep_as_in_a_plane(&x, &r, 1e-3);
    }
}

/* the lowest point of a cap that leans is between the points that stand for its rim: one in a hundred of
   these cylinders touched neither triangle, where a little of it was over the other one, and sank */
static void flat_meshes_find_the_lowest_point_of_a_rim(void **state)
{
    (void)state;
    test_solid x;
    for (long i = 0; i < 30000; i++) {
        rng r = rng_of_pair(34, i);
        solid_cylinder(&x, solid_between(&r, 0.02, 0.3), solid_between(&r, 0.02, 0.6));
        is_as_deep_as_in_a_plane(&x, &r, i % 2 ? 1e-5 : 1e-3);
    }
}

/* Bodies that lean by angles below the slack of directions touch along the triangles' normal with their own
   corners, and a cylinder with the deepest point of its rim, too: not along their own faces, whose directions
   would turn from triangle to triangle, so that what slides would lean more and more. */
static void bodies_that_lean_a_little_touch_along_the_normal(void **state)
{
    (void)state;
    test_solid s, t, x, plane;
    two_triangles(&s, &t, 0);
    solid_plane(&plane, 0, 0, 1, 0);
    for (long i = 0; i < 3000; i++) {
        rng r = rng_of_pair(33, i);
        const double lean = pow(10, solid_between(&r, -15, -8)), turn = solid_between(&r, -PI, PI),
                     about = solid_between(&r, -PI, PI);
        const double q[4] = {cos(turn / 2), 0.5 * lean * cos(about), 0.5 * lean * sin(about), sin(turn / 2)};
        const int corners = i % 3 == 0 ? 16 : i % 3 == 1 ? 5 : 4;
        if (corners == 16)
            solid_cylinder(&x, 0.3, 0.5);
        else if (corners == 5)
            solid_prism(&x, 5, 0.3, 0.5);
        else
            solid_box(&x, 0.6, 0.4, 0.5);
        solid_place(&x, solid_between(&r, -1, 1), solid_between(&r, -1, 1), 1, q);
        manifold3 m = collide(&x, &plane, 10);
        x.placed.p[2] -= solid_least_gap(&m);
        const int count = flat_contacts(&s, &t, &x, 1e-8);
        assert_in_range(count, corners, corners + (corners == 16));
    }
}

/* a convex edge is touched once, with a normal between those of its triangles; a concave one from both sides
 */
static void folded_meshes(void **state)
{
    (void)state;
    test_solid s, t, x;
    double f = 0.5, d = sqrt(0.5);
    two_triangles(&s, &t, f);
    solid_sphere(&x, 0.3);
    double n[3] = {d * sin(f / 2), -d * sin(f / 2), cos(f / 2)};
    solid_place(&x, 0.3 * n[0] + 0.5, 0.3 * n[1] + 0.5, 0.3 * n[2], NONE);
    manifold3 m = collide(&x, &s, 1e-8), o = collide(&x, &t, 1e-8);
    assert_int_equal(m.count + o.count, 1);
    const manifold3 *one = m.count ? &m : &o;
    for (int i = 0; i < 3; i++)
        assert_close(one->normal[i], n[i], 1e-9);
    two_triangles(&s, &t, -f);
    double h = 0.3 / cos(f / 2);
    solid_place(&x, -h * d * sin(f / 2) + 0.5, h * d * sin(f / 2) + 0.5, h * cos(f / 2), NONE);
    m = collide(&x, &s, 1e-8);
    o = collide(&x, &t, 1e-8);
    assert_int_equal(m.count, 1);
    assert_int_equal(o.count, 1);
    assert_close(m.normal[2], 1, 1e-14);
    assert_close(o.normal[2], cos(f), 1e-14);
}

/*
 * Bodies of all kinds near a roof or a valley of two triangles, in random poses: what holds of every contact,
 * judged by slow answers that know nothing of neighbours.
 *
 *   ends     half a gap along the normal each way, in the body and in the triangle.  In a valley a triangle
 *            goes on beyond the shared edge by a tenth of it; beside edges that lie along each other the ends
 *            of the common stretch may be beside an edge by a tenth of its length, too.
 *   depth    a body that is apart from the surface, along any direction, has no contact with a negative gap
 *   places   parts whose boxes are apart have no contact
 */
static const double BESIDE = 0.1;
/* rounding of gaps and places of bodies and triangles within 10 m, in what is found and in what judges it */
static const double ROUNDED = 1e-12;

/* one of any kind, no longer than 2 m */
static void random_body(test_solid *x, rng *r, long i)
{
    const double s = solid_between(r, 0.1, 1);
    if (i % 5 == 0)
        solid_box(x, s, s * solid_between(r, 0.2, 1), s * solid_between(r, 0.2, 1));
    else if (i % 5 == 1)
        solid_random_hull(x, r, (size_t)(4 + i / 5 % 9), s / 2, s * solid_between(r, 0.1, 0.5), s / 2);
    else if (i % 5 == 2)
        solid_capsule(x, 0.2 * s, s);
    else if (i % 5 == 3)
        solid_cylinder(x, s * solid_between(r, 0.1, 0.5), s);
    else
        solid_sphere(x, s / 2);
}

/* somewhere near the two triangles, often touching or a little below them */
static void place_near(test_solid *x, rng *r, double fold)
{
    double q[4];
    for (int i = 0; i < 4; i++)
        q[i] = solid_between(r, -1, 1);
    solid_place(x, solid_between(r, -2, 2), solid_between(r, -2, 2), 0, q);
    const double across = fmax(0, x->placed.p[0] - x->placed.p[1]) / sqrt(2);
    x->placed.p[2] = solid_between(r, -0.1, 0.6) - tan(fold) * across;
}

enum { CELLS = 10, GRID_TRIANGLES = 2 * CELLS * CELLS };

/* triangle t of a flat net of squares of 0.1 m, halved along their diagonals, around the origin; no borders
 * near */
static void triangle_of_net(int t, test_solid *out)
{
    const int half = t % 2, x = t / 2 % CELLS, y = t / 2 / CELLS;
    /* corners, then those across their edges, in squares from the lower left corner of the square */
    static const int at[2][6][2] = {{{0, 0}, {1, 0}, {1, 1}, {0, -1}, {2, 1}, {0, 1}},
                                    {{0, 0}, {1, 1}, {0, 1}, {1, 0}, {1, 2}, {-1, 0}}};
    double v[18];
    for (int i = 0; i < 6; i++) {
        v[3 * i] = 0.1 * (x + at[half][i][0] - CELLS / 2);
        v[3 * i + 1] = 0.1 * (y + at[half][i][1] - CELLS / 2);
        v[3 * i + 2] = 0;
    }
    solid_set(out, MO_PART_TRIANGLE, 6, v, 0);
    out->part.link.neighbours = 7;
}

/* bodies larger than the triangles, whose lowest point may have come through a neighbour at a vertex */
static void flat_nets_are_as_deep_as_planes(void **state)
{
    (void)state;
    test_solid x, t, plane;
    solid_plane(&plane, 0, 0, 1, 0);
    for (long i = 0; i < 2000; i++) {
        rng r = rng_of_pair(36, i);
        const double deep = i % 2 ? 1e-3 : 5e-3;
        double q[4], least = HUGE_VAL;
        for (int j = 0; j < 4; j++)
            q[j] = solid_between(&r, -1, 1);
        solid_random_hull(&x, &r, (size_t)(4 + i % 9), 0.15, solid_between(&r, 0.05, 0.15), 0.2);
        solid_place(&x, solid_between(&r, -0.1, 0.1), solid_between(&r, -0.1, 0.1), 1, q);
        manifold3 m = collide(&x, &plane, 10);
        x.placed.p[2] -= solid_least_gap(&m) + deep;
        for (int k = 0; k < GRID_TRIANGLES; k++) {
            triangle_of_net(k, &t);
            m = collide(&x, &t, 1e-8);
            least = fmin(least, solid_least_gap(&m));
        }
        assert_close(least, -deep, 1e-12);
    }
}

/* the triangle i of the hull h of points in general position, as a part of a mesh */
static void triangle_of_hull(const test_solid *h, uint32_t i, test_solid *t)
{
    const uint32_t *f = h->faces + 4 * (size_t)i + 1;
    double v[18];
    for (uint32_t e = 0; e < 3; e++) {
        vec3_copy(h->v + 3 * (size_t)f[e], v + 3 * e);
        for (uint32_t j = 0; j < h->part.link.face.count; j++) {
            const uint32_t *g = h->faces + 4 * (size_t)j + 1;
            for (uint32_t d = 0; d < 3; d++)
                if (g[d] == f[(e + 1) % 3] && g[(d + 1) % 3] == f[e])
                    vec3_copy(h->v + 3 * (size_t)g[(d + 2) % 3], v + 9 + 3 * e);
        }
    }
    solid_set(t, MO_PART_TRIANGLE, 6, v, 0);
    t->part.link.neighbours = 7;
}

/* the smallest gap between x and the triangles of the hull h */
static double gap_to_mesh(const test_solid *x, const test_solid *h, double max_gap)
{
    double least = HUGE_VAL;
    for (uint32_t f = 0; f < h->part.link.face.count; f++) {
        test_solid t;
        triangle_of_hull(h, f, &t);
        manifold3 m = collide(x, &t, max_gap);
        least = fmin(least, solid_least_gap(&m));
    }
    return least;
}

/*
 * A body near a hull of random points: the triangles of the hull as a closed mesh are as near as the solid,
 * most often with a vertex.  One in seven of these contacts was lost where each triangle around a vertex took
 * another one to have it, and a body that touched a vertex could be found deep in a triangle beside it.
 *
 * Two kinds of contact are nearer than the solid, and are left out: capsules that lie along an edge (BESIDE),
 * and bodies that reach around a hull which is thinner than they are deep in a triangle of it.
 */
static void closed_meshes_are_as_near_as_solids(void **state)
{
    (void)state;
    test_solid h, x;
    for (long i = 0; i < 30000; i++) {
        rng r = rng_of_pair(35, i);
        const double wanted = i % 3 == 0 ? 1e-7 : i % 3 == 1 ? 1e-6 : 1e-3;
        double q[4], place[3];
        for (int j = 0; j < 4; j++)
            q[j] = solid_between(&r, -1, 1);
        for (int j = 0; j < 3; j++)
            place[j] = solid_between(&r, -3, 3);
        solid_random_hull(&h, &r, (size_t)(4 + i % 7), 0.5, 0.5, solid_between(&r, 0.2, 0.5));
        random_body(&x, &r, i);
        solid_place(&x, place[0], place[1], place[2], q);
        manifold3 m = collide(&x, &h, 10);
        if (m.count == 0 || solid_least_gap(&m) < 0.01)
            continue;
        for (int j = 0; j < 3; j++)
            x.placed.p[j] += (wanted - solid_least_gap(&m)) * m.normal[j];
        const double found = gap_to_mesh(&x, &h, 2 * wanted);
        assert_true(found <= wanted + ROUNDED);
        if (i % 5 > 2)
            assert_close(found, wanted, ROUNDED);
    }
}

static void check_ends(const slow_solid *body, const slow_solid *triangle, const manifold3 *m)
{
    const double edge = 4 * sqrt(2.0);
    r3 n = {m->normal[0], m->normal[1], m->normal[2]};
    for (int i = 0; i < m->count; i++) {
        const double *p = m->points[i].point, half = m->points[i].gap / 2;
        r3 at = {p[0], p[1], p[2]};
        const double in_body = (double)slow_outside(body, r3_along(at, half, n)),
                     in_triangle = (double)slow_outside(triangle, r3_along(at, -half, n));
        expect(in_body <= BESIDE, "end in the body", in_body, 0, BESIDE, body->t, triangle->t);
        expect(in_triangle <= BESIDE * edge + ROUNDED, "end in the triangle", in_triangle, 0, BESIDE * edge,
               body->t, triangle->t);
    }
}

/* the largest separation of two solids along the axes of the world: their boxes are apart when it is positive
 */
static double boxes_apart(const slow_solid *a, const slow_solid *b)
{
    real most = -HUGE_VALL;
    for (int i = 0; i < 6; i++) {
        r3 n = {i == 0 ? 1 : i == 1 ? -1 : 0, i == 2 ? 1 : i == 3 ? -1 : 0, i == 4 ? 1 : i == 5 ? -1 : 0};
        most = fmaxl(most, slow_separation(a, b, n));
    }
    return (double)most;
}

/* the largest separation that is found: they are apart when it is positive */
static double apart_by(const slow_solid *a, const slow_solid *b, rng *r)
{
    double d = (double)search_sphere(a, b, (r3){0, 0, 1}, r);
    return polytope(a->t) && polytope(b->t) ? fmax(d, (double)slow_polytopes(a, b)) : d;
}

static void check_contacts(const test_solid *x, const test_solid s[2], double max_gap, rng *r)
{
    const slow_solid body = slow_make(x, NOWHERE),
                     triangle[2] = {slow_make(&s[0], NOWHERE), slow_make(&s[1], NOWHERE)};
    double least = HUGE_VAL, apart = HUGE_VAL;
    for (int k = 0; k < 2; k++) {
        manifold3 m = collide(x, &s[k], max_gap);
        const double boxes = boxes_apart(&body, &triangle[k]);
        least = fmin(least, solid_least_gap(&m));
        check_ends(&body, &triangle[k], &m);
        expect(m.count == 0 || boxes <= max_gap + ROUNDED, "places", m.count, boxes, ROUNDED, x, &s[k]);
    }
    if (least >= -ROUNDED)
        return;
    for (int k = 0; k < 2; k++)
        apart = fmin(apart, apart_by(&body, &triangle[k], r));
    expect(apart <= ROUNDED, "depth", least, apart, ROUNDED, x, &s[0]);
}

static void contacts_are_where_the_parts_are(void **state)
{
    (void)state;
    test_solid s[2], x;
    failures = 0;
    for (long i = 0; i < 60000; i++) {
        rng r = rng_of_pair(31, i);
        const double fold = i % 7 ? solid_between(&r, -1, 1) : 0;
        two_triangles(&s[0], &s[1], fold);
        random_body(&x, &r, i);
        place_near(&x, &r, fold);
        check_contacts(&x, s, i % 2 ? 1e-8 : 1e-3, &r);
    }
    assert_int_equal(failures, 0);
}

/*
 * A roof with the ridge from (0, 0, 0) to (1, 1, 0) and eaves 0.05 lower, and a box 11.5 mm over one slope,
 * below the plane of the other.  Only directions along which the ridge is the highest of that other triangle,
 * or its own normal, are admitted there; along the best of them the box is 41 mm too low, and half a metre
 * beside the ridge.  A contact used to be made up between the two.
 */
static void boxes_over_one_slope_do_not_touch_the_other(void **state)
{
    (void)state;
    static const double A[3] = {0, 0, 0}, B[3] = {1, 0, -0.05}, C[3] = {1, 1, 0}, D[3] = {0, 1, -0.05};
    const double *first[6] = {A, B, C, A, A, D}, *second[6] = {A, C, D, B, B, B};
    double v[18], w[18];
    test_solid s, t, x;
    for (int i = 0; i < 18; i++)
        v[i] = first[i / 3][i % 3], w[i] = second[i / 3][i % 3];
    solid_set(&s, MO_PART_TRIANGLE, 6, v, 0);
    solid_set(&t, MO_PART_TRIANGLE, 6, w, 0);
    s.part.link.neighbours = 4;
    t.part.link.neighbours = 1;
    solid_box(&x, 0.07, 0.07, 0.063);
    solid_place(&x, 0.449032095211, 0.99141694796189, 0.035738196633992,
                (const double[]){-0.61481857098781, 0.032959208337886, 0.67549602060893, -0.40573013382759});
    const slow_solid body = slow_make(&x, NOWHERE), slope = slow_make(&t, NOWHERE);
    assert_true(slow_polytopes(&body, &slope) > 0.011);
    assert_int_equal(collide(&x, &s, 1e-8).count, 0);
    assert_int_equal(collide(&x, &t, 1e-8).count, 0);
}

/* A hull that leans around the rim of a mesh, its middle behind the plane of a triangle and one vertex in
   front of it: 56 mm beside the triangle, which it does not cut, nor does it cut the neighbour. */
static void hulls_around_the_rim_do_not_touch(void **state)
{
    (void)state;
    static const double v[15] = {1.564059,  -0.889587, 1.912409,  1.169719,  -0.575133,
                                 2.054833,  1.855042,  -0.881277, 2.113490,  1.673592,
                                 -0.899437, 1.948119,  1.510357,  -1.143844, 2.179341};
    test_solid s[2], x;
    two_triangles(&s[0], &s[1], -0.939905);
    solid_hull(&x, 5, v);
    solid_place(&x, 0, 0, 0, NONE);
    const slow_solid body = slow_make(&x, NOWHERE);
    for (int k = 0; k < 2; k++) {
        const slow_solid triangle = slow_make(&s[k], NOWHERE);
        assert_true(slow_polytopes(&body, &triangle) > 0.056);
        assert_int_equal(collide(&x, &s[k], 1e-8).count, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_meshes_feel_like_one_face),
        cmocka_unit_test(flat_meshes_are_as_deep_as_planes),
        cmocka_unit_test(flat_meshes_find_the_lowest_point_of_a_rim),
        cmocka_unit_test(flat_nets_are_as_deep_as_planes),
        cmocka_unit_test(closed_meshes_are_as_near_as_solids),
        cmocka_unit_test(bodies_that_lean_a_little_touch_along_the_normal),
        cmocka_unit_test(folded_meshes),
        cmocka_unit_test(contacts_are_where_the_parts_are),
        cmocka_unit_test(boxes_over_one_slope_do_not_touch_the_other),
        cmocka_unit_test(hulls_around_the_rim_do_not_touch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
