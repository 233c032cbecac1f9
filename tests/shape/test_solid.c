/*
 * Solids: mass properties in closed form, principal frames, compounds, extents, and definitions that must be
 * refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "shape/solids.h"

static const double PI = 3.14159265358979323846;

static void assert_vec(const double *actual, double x, double y, double z, double tolerance)
{
    assert_close(actual[0], x, tolerance);
    assert_close(actual[1], y, tolerance);
    assert_close(actual[2], z, tolerance);
}

static void assert_no_turn(const solid *s)
{
    assert_close(s->axes[0], 1, 0);
    assert_vec(s->axes + 1, 0, 0, 0, 0);
}

/* ---- single shapes ------------------------------------------------------------------------------------ */

static void sphere(void **state)
{
    (void)state;
    mo_shape_def def = {.kind = MO_SHAPE_SPHERE, .radius = 0.5};
    solid s = build_solid(&def, true);
    assert_int_equal(s.part_count, 1);
    assert_int_equal(s.parts[0].kind, MO_PART_SPHERE);
    assert_close(s.volume, PI / 6, 1e-16);
    assert_vec(s.gyration, 0.1, 0.1, 0.1, 2e-17);
    assert_vec(s.com, 0, 0, 0, 0);
    assert_no_turn(&s);
    assert_true(s.spherical);
    assert_close(s.radius, 0.5, 0);
    assert_close(s.thickness, 0.5, 0);
    assert_close(s.size, 1, 0);
    solid_free(&s);
    assert_null(s.parts);
}

static void box(void **state)
{
    (void)state;
    mo_shape_def def = box_def(3, 1, 2);
    solid s = build_solid(&def, true);
    assert_int_equal(s.parts[0].kind, MO_PART_POLYHEDRON);
    assert_int_equal(s.parts[0].vertex_count, 8);
    assert_int_equal(s.parts[0].link.face.count, 6);
    assert_close(s.volume, 6, 0);
    assert_vec(s.gyration, 5.0 / 12, 13.0 / 12, 10.0 / 12, 2e-16);
    assert_no_turn(&s); // its own axes, in their order
    assert_false(s.spherical);
    assert_close(s.radius, sqrt(14) / 2, 1e-15);
    assert_close(s.thickness, 0.5, 0);
    assert_close(s.size, 1, 0);
    // every face is a square of its pair of lengths, and looks away from the centre
    const uint32_t *face = s.faces;
    double areas = 0;
    for (int f = 0; f < 6; f++, face += 1 + face[0]) {
        double n[3];
        assert_int_equal(face[0], 4);
        areas += face_normal(&s, s.parts, face, n);
        double out = vec3_dot(n, face_corner(&s, s.parts, face, 0));
        assert_true(out == 1.5 || out == 0.5 || out == 1);
    }
    assert_close(areas, 22, 0);
    assert_int_equal(face - s.faces, s.face_length);
    solid_free(&s);
}

static void cylinder(void **state)
{
    (void)state;
    mo_shape_def def = {.kind = MO_SHAPE_CYLINDER, .radius = 0.5, .height = 2};
    solid s = build_solid(&def, true);
    assert_int_equal(s.parts[0].kind, MO_PART_CYLINDER);
    assert_close(s.volume, PI / 2, 1e-15);
    assert_vec(s.gyration, 0.0625 + 4.0 / 12, 0.0625 + 4.0 / 12, 0.125, 2e-16);
    assert_no_turn(&s);
    assert_vec(s.vertices, 0, 0, -1, 0);
    assert_vec(s.vertices + 3, 0, 0, 1, 0);
    assert_close(s.radius, hypot(0.5, 1), 1e-15);
    assert_close(s.thickness, 0.5, 0);
    assert_close(s.size, 1, 0);
    solid_free(&s);
}

/* The capsule's integrals over slices across z: areas are of degree 2 in z on each of three pieces, so that
 * three Gauss points are exact for area times z^2, and for area^2, of which the moments across are made. */
static void capsule(void **state)
{
    (void)state;
    double r = 0.3, h = 0.8, V = 0, along = 0, across = 0;
    const double node[3] = {-sqrt(0.6), 0, sqrt(0.6)}, weight[3] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
    const double cuts[4] = {-h / 2 - r, -h / 2, h / 2, h / 2 + r};
    for (int piece = 0; piece < 3; piece++)
        for (int g = 0; g < 3; g++) {
            double half = (cuts[piece + 1] - cuts[piece]) / 2, z = cuts[piece] + half * (1 + node[g]);
            double beyond = fmax(fabs(z) - h / 2, 0), rho2 = r * r - beyond * beyond, dz = half * weight[g];
            V += PI * rho2 * dz;
            along += PI * rho2 * z * z * dz;
            across += PI * rho2 * rho2 / 4 * dz;
        }
    mo_shape_def def = {.kind = MO_SHAPE_CAPSULE, .radius = r, .height = h};
    solid s = build_solid(&def, true);
    assert_int_equal(s.parts[0].kind, MO_PART_CAPSULE);
    assert_close(s.volume, V, 1e-15);
    assert_vec(s.gyration, (along + across) / V, (along + across) / V, 2 * across / V, 1e-15);
    assert_no_turn(&s);
    assert_close(s.radius, h / 2 + r, 1e-16);
    assert_close(s.thickness, r, 0);
    assert_close(s.size, 2 * r, 0);
    solid_free(&s);
}

static void plane(void **state)
{
    (void)state;
    mo_shape_def def = {.kind = MO_SHAPE_PLANE, .normal = {0, 0, 4}, .offset = 2};
    solid s = build_solid(&def, false);
    assert_int_equal(s.parts[0].kind, MO_PART_PLANE);
    assert_vec(s.parts[0].normal, 0, 0, 1, 0);
    assert_close(s.parts[0].offset, 0.5, 0);
    assert_int_equal(s.vertex_count, 0);
    assert_non_null(s.vertices);
    assert_true(isinf(s.radius) && isinf(s.thickness) && isinf(s.size));
    assert_close(s.volume, 0, 0);
    assert_no_turn(&s);
    solid_free(&s);
    // no length of the normal is too small or large
    def = (mo_shape_def){.kind = MO_SHAPE_PLANE, .normal = {3e-200, 0, 4e-200}, .offset = 5e-200};
    s = build_solid(&def, false);
    assert_vec(s.parts[0].normal, 0.6, 0, 0.8, 1e-16);
    assert_close(s.parts[0].offset, 1, 1e-15);
    solid_free(&s);
}

/* ---- hulls -------------------------------------------------------------------------------------------- */

/* The corner of a cube of side a: C = a^2/80 (4 on the diagonal, after which -1 everywhere), so that a^2/80
 * goes with (1,1,1) and 4 a^2/80 with the rest. */
static void corner_tetrahedron(void **state)
{
    (void)state;
    const double points[12] = {1, 2, 3, 3, 2, 3, 1, 4, 3, 1, 2, 5}; // a = 2, away from the origin
    mo_shape_def def = hull_def(points, 4);
    solid s = build_solid(&def, true);
    assert_close(s.volume, 8.0 / 6, 1e-15);
    assert_vec(s.com, 1.5, 2.5, 3.5, 1e-15);
    // the single axis takes the place of the given one that is nearest, x of three that are as near
    double x[3] = {1, 0, 0};
    quat_rotate(s.axes, x, x);
    assert_vec(x, 1 / sqrt(3), 1 / sqrt(3), 1 / sqrt(3), 1e-15);
    assert_vec(s.gyration, 32.0 / 80, 20.0 / 80, 20.0 / 80, 1e-15);
    assert_int_equal(s.parts[0].link.face.count, 4);
    solid_free(&s);
}

/* side sqrt 8: gyration side^2 / 20 about every axis; inradius sqrt(24)/12 side */
static void regular_tetrahedron(void **state)
{
    (void)state;
    const double points[12] = {1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1};
    mo_shape_def def = hull_def(points, 4);
    solid s = build_solid(&def, true);
    assert_close(s.volume, 8.0 / 3, 1e-15);
    assert_vec(s.gyration, 0.4, 0.4, 0.4, 1e-15);
    assert_no_turn(&s);
    assert_close(s.thickness, sqrt(1.0 / 3), 1e-15);
    assert_close(s.radius, sqrt(3), 1e-15);
    solid_free(&s);
}

/* A turned and moved cuboid: the same principal values, axes along its own up to order and sign, and along
 * them the corners are those of the cuboid again. */
static void turned_cuboid(void **state)
{
    (void)state;
    rng r = rng_seed(7, 1);
    for (int trial = 0; trial < 100; trial++) {
        const double l[3] = {0.2 + rng_uniform(&r), 1.5 + rng_uniform(&r), 3 + rng_uniform(&r)};
        const double p[3] = {signed_unit(&r), signed_unit(&r), signed_unit(&r)};
        double q[4], points[24];
        random_turn(&r, q);
        box_corners(l, q, p, points);
        mo_shape_def def = hull_def(points, 8);
        solid s = build_solid(&def, true);
        assert_int_equal(s.parts[0].link.face.count, 6);
        assert_close(s.volume, l[0] * l[1] * l[2], 5e-14);
        assert_vec(s.com, p[0], p[1], p[2], 1e-14);
        double R[9];
        quat_to_matrix(s.axes, R);
        for (int k = 0; k < 3; k++) {
            // which of the cuboid's own axes lies along the body's axis k
            double axis[3] = {R[k], R[3 + k], R[6 + k]}, own[3];
            quat_rotate_back(q, axis, own);
            int m = fabs(own[0]) > 0.9 ? 0 : fabs(own[1]) > 0.9 ? 1 : 2;
            assert_close(fabs(own[m]), 1, 1e-14);
            double a = l[(m + 1) % 3], b = l[(m + 2) % 3];
            assert_close(s.gyration[k], (a * a + b * b) / 12, 1e-14);
            for (size_t i = 0; i < 8; i++)
                assert_close(fabs(vec3_dot(s.vertices + 3 * i, axis)), l[m] / 2, 1e-14);
        }
        // right-handed, and no more than needed: the largest rotation of the 24 is 62.8 degrees
        assert_true(s.axes[0] > cos(62.9 / 2 * PI / 180));
        solid_free(&s);
    }
}

/* Under x -> A x + b volume goes with det A, the centre along, and C becomes A C A^T; here by the traces of
 * the gyrations, tr C = sum / 2, for A that stretches along the body's own axes. */
static void stretched_hull(void **state)
{
    (void)state;
    rng r = rng_seed(11, 3);
    double points[3 * 60], again[3 * 60];
    for (size_t i = 0; i < 60; i++)
        random_direction(&r, points + 3 * i);
    mo_shape_def def = hull_def(points, 60);
    solid s = build_solid(&def, true);
    const double stretch[3] = {2, 0.5, 3};
    for (size_t i = 0; i < 60; i++) {
        double v[3];
        vec3_sub(points + 3 * i, s.com, v);
        quat_rotate_back(s.axes, v, v);
        for (size_t k = 0; k < 3; k++)
            again[3 * i + k] = stretch[k] * v[k] + 5;
    }
    def = hull_def(again, 60);
    solid t = build_solid(&def, false);
    assert_close(t.volume, 3 * s.volume, 1e-13);
    assert_vec(t.com, 5, 5, 5, 1e-14);
    double C[3];
    for (int k = 0; k < 3; k++)
        C[k] =
            stretch[k] * stretch[k] * ((s.gyration[0] + s.gyration[1] + s.gyration[2]) / 2 - s.gyration[k]);
    assert_vec(t.gyration, C[1] + C[2], C[2] + C[0], C[0] + C[1], 1e-13);
    assert_vec(t.axes + 1, 0, 0, 0, 1e-14);
    solid_free(&s);
    solid_free(&t);
}

/* centre or not: the same mass, and the points stay */
static void frames(void **state)
{
    (void)state;
    rng r = rng_seed(5, 5);
    double points[3 * 20];
    for (size_t i = 0; i < 20; i++)
        random_direction(&r, points + 3 * i);
    mo_shape_def def = hull_def(points, 20);
    solid s = build_solid(&def, true), t = build_solid(&def, false);
    assert_memory_equal(s.axes, t.axes, sizeof s.axes);
    assert_memory_equal(s.com, t.com, sizeof s.com);
    assert_memory_equal(s.gyration, t.gyration, sizeof s.gyration);
    assert_int_equal(s.vertex_count, t.vertex_count);
    for (size_t i = 0; i < s.vertex_count; i++) {
        double v[3];
        vec3_add(s.vertices + 3 * i, s.com, v);
        assert_vec(v, t.vertices[3 * i], t.vertices[3 * i + 1], t.vertices[3 * i + 2], 1e-15);
        assert_close(vec3_norm(t.vertices + 3 * i), 1, 1e-15);
        assert_true(vec3_norm(s.vertices + 3 * i) <= s.radius && s.radius < 2);
    }
    assert_close(t.radius, 1, 1e-15);
    solid_free(&s);
    solid_free(&t);
}

/* ---- compounds ---------------------------------------------------------------------------------------- */

static mo_shape_def compound_def(const mo_shape_child *children, size_t count)
{
    return (mo_shape_def){.kind = MO_SHAPE_COMPOUND, .children = children, .child_count = count};
}

static void dumb_bell(void **state)
{
    (void)state;
    mo_shape_def ball = {.kind = MO_SHAPE_SPHERE, .radius = 0.5};
    mo_shape_child ends[2] = {{.shape = &ball, .position = {1, 2, 1}},
                              {.shape = &ball, .position = {1, 2, 4}}};
    mo_shape_def def = compound_def(ends, 2);
    solid s = build_solid(&def, true);
    assert_int_equal(s.part_count, 2);
    assert_close(s.volume, PI / 3, 1e-15);
    assert_vec(s.com, 1, 2, 2.5, 1e-15);
    assert_vec(s.gyration, 0.1 + 2.25, 0.1 + 2.25, 0.1, 1e-15);
    assert_no_turn(&s);
    assert_close(s.radius, 2, 1e-15);
    assert_close(s.size, 1, 1e-15);
    assert_false(s.spherical);
    // at one place: twice the mass, the same gyration
    ends[1].position[2] = 1;
    solid_free(&s);
    s = build_solid(&def, true);
    assert_close(s.volume, PI / 3, 1e-15);
    assert_vec(s.gyration, 0.1, 0.1, 0.1, 1e-16);
    solid_free(&s);
    // one sphere that the frame follows, or not
    def.child_count = 1;
    s = build_solid(&def, true);
    assert_true(s.spherical);
    solid_free(&s);
    s = build_solid(&def, false);
    assert_false(s.spherical);
    assert_close(s.radius, sqrt(6) + 0.5, 1e-15);
    solid_free(&s);
}

/* a box cut into a box, a hull and a box turned by a right angle is the box */
static void box_of_pieces(void **state)
{
    (void)state;
    const double no_turn[4] = {1, 0, 0, 0}, here[3] = {0, 0, 0}, l[3] = {1, 2, 3};
    double corners[24];
    box_corners(l, no_turn, here, corners);
    mo_shape_def flat = box_def(1, 2, 3), hull = hull_def(corners, 8), lying = box_def(3, 2, 2);
    const mo_shape_child children[3] = {
        {.shape = &flat, .position = {-1.5, 0, 0}},
        {.shape = &hull, .position = {-0.5, 0, 0}},
        {.shape = &lying, .position = {1, 0, 0}, .orientation = {sqrt(0.5), 0, sqrt(0.5), 0}}};
    mo_shape_def def = compound_def(children, 3), whole = box_def(4, 2, 3);
    solid s = build_solid(&def, true), t = build_solid(&whole, true);
    assert_close(s.volume, 24, 1e-14);
    assert_vec(s.com, 0, 0, 0, 1e-15);
    assert_vec(s.gyration, t.gyration[0], t.gyration[1], t.gyration[2], 1e-14);
    assert_close(s.axes[0], 1, 1e-15);
    assert_close(s.radius, t.radius, 1e-15);
    assert_close(s.size, 2, 1e-15);
    assert_int_equal(s.parts[2].vertex_first, 16);
    assert_int_equal(s.parts[2].link.face.first, 60);
    solid_free(&s);
    solid_free(&t);
}

/* a turned child: the same as the child alone, with its axes */
static void turned_child(void **state)
{
    (void)state;
    rng r = rng_seed(3, 9);
    for (int trial = 0; trial < 50; trial++) {
        double q[4];
        random_turn(&r, q);
        mo_shape_def rod = {
            .kind = trial % 2 ? MO_SHAPE_CYLINDER : MO_SHAPE_CAPSULE, .radius = 0.2, .height = 1};
        mo_shape_child child = {.shape = &rod, .orientation = {2 * q[0], 2 * q[1], 2 * q[2], 2 * q[3]}};
        mo_shape_def def = compound_def(&child, 1);
        solid s = build_solid(&def, true), alone = build_solid(&rod, true);
        double axis[3] = {0, 0, 1}, back[3];
        quat_rotate(q, axis, axis);
        quat_rotate_back(s.axes, axis, back);
        // the rod's axis is one of the body's axes, its ends lie on it
        int m = fabs(back[0]) > 0.9 ? 0 : fabs(back[1]) > 0.9 ? 1 : 2;
        assert_close(fabs(back[m]), 1, 1e-14);
        assert_close(s.gyration[m], alone.gyration[2], 1e-15);
        assert_close(s.gyration[(m + 1) % 3], alone.gyration[0], 1e-15);
        assert_close(fabs(vec3_dot(s.vertices, axis)), 0.5, 1e-15);
        assert_close(s.radius, alone.radius, 1e-15);
        assert_close(s.size, alone.size, 1e-14);
        solid_free(&s);
        // whether its points are moved or not
        s = build_solid(&def, false);
        assert_close(s.size, alone.size, 1e-14);
        assert_close(s.radius, alone.radius, 1e-15);
        solid_free(&s);
        solid_free(&alone);
    }
}

/* ---- refusals ----------------------------------------------------------------------------------------- */

static void refused_lengths(void **state)
{
    (void)state;
    const double bad[] = {0, -1, NAN, HUGE_VAL};
    for (size_t i = 0; i < 4; i++) {
        mo_shape_def def = {.kind = MO_SHAPE_SPHERE, .radius = bad[i]};
        assert_refused(&def, "radius");
        def = (mo_shape_def){.kind = MO_SHAPE_CYLINDER, .radius = bad[i], .height = 1};
        assert_refused(&def, "radius");
        def = (mo_shape_def){.kind = MO_SHAPE_CYLINDER, .radius = 1, .height = bad[i]};
        assert_refused(&def, "height");
        def = (mo_shape_def){.kind = MO_SHAPE_CAPSULE, .radius = 1, .height = bad[i]};
        assert_refused(&def, "height");
        for (int k = 0; k < 3; k++) {
            def = box_def(1, 1, 1);
            def.size[k] = bad[i];
            assert_refused(&def, "size");
        }
    }
    // finite numbers whose products are not, or vanish
    mo_shape_def def = {.kind = MO_SHAPE_SPHERE, .radius = 1e200};
    assert_refused(&def, "radius");
    def.radius = 1e-170;
    assert_refused(&def, "radius");
    def = (mo_shape_def){.kind = MO_SHAPE_DISC, .radius = 1};
    assert_refused(&def, "shape");
}

static void refused_planes(void **state)
{
    (void)state;
    mo_shape_def def = {.kind = MO_SHAPE_PLANE};
    assert_refused(&def, "normal");
    def.normal[1] = NAN;
    assert_refused(&def, "normal");
    def.normal[0] = 1;
    assert_refused(&def, "normal");
    vec3_set(def.normal, 0, HUGE_VAL, 0);
    assert_refused(&def, "normal");
    vec3_set(def.normal, 0, 1, 0);
    def.offset = NAN;
    assert_refused(&def, "offset");
}

static void refused_compounds(void **state)
{
    (void)state;
    mo_shape_def ball = {.kind = MO_SHAPE_SPHERE, .radius = 1},
                 half = {.kind = MO_SHAPE_PLANE, .normal = {0, 0, 1}};
    mo_shape_child child = {.shape = &ball};
    mo_shape_def def = {.kind = MO_SHAPE_COMPOUND}, inner = compound_def(&child, 1);
    assert_refused(&def, "children");
    def = compound_def(&child, 1);
    child.shape = NULL;
    assert_refused(&def, "children");
    child.shape = &half;
    assert_refused(&def, "children");
    mo_shape_child nested = {.shape = &inner};
    child.shape = &ball;
    def = compound_def(&nested, 1);
    assert_refused(&def, "children");
    nested = (mo_shape_child){.shape = &ball, .position = {0, NAN, 0}};
    assert_refused(&def, "position");
    nested = (mo_shape_child){.shape = &ball, .orientation = {1, 0, HUGE_VAL, 0}};
    assert_refused(&def, "orientation");
    ball.radius = -1;
    nested = (mo_shape_child){.shape = &ball};
    assert_refused(&def, "radius");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sphere),
        cmocka_unit_test(box),
        cmocka_unit_test(cylinder),
        cmocka_unit_test(capsule),
        cmocka_unit_test(plane),
        cmocka_unit_test(corner_tetrahedron),
        cmocka_unit_test(regular_tetrahedron),
        cmocka_unit_test(turned_cuboid),
        cmocka_unit_test(stretched_hull),
        cmocka_unit_test(frames),
        cmocka_unit_test(dumb_bell),
        cmocka_unit_test(box_of_pieces),
        cmocka_unit_test(turned_child),
        cmocka_unit_test(refused_lengths),
        cmocka_unit_test(refused_planes),
        cmocka_unit_test(refused_compounds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
