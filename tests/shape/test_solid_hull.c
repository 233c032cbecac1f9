/*
 * Hulls: which points are corners, faces as polygons, closed convex surfaces, all scales, and sets of points
 * without volume.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "shape/hull.h"
#include "shape/solids.h"

static const double PI = 3.14159265358979323846;

/* every point below every face; corners of a face in its plane and turning left; V - E + F = 2; the volume by
 * the divergence theorem, sum of area times distance from the origin over 3.  Faces with less than `sliver`
 * of area have no plane to speak of. */
static void check_surface(const solid *s, const double *points, size_t count, double sliver, double tolerance)
{
    const mo_part *part = s->parts;
    const uint32_t *face = s->faces + part->link.face.first;
    size_t sides = 0;
    double volume = 0;
    for (uint32_t f = 0; f < part->link.face.count; f++, face += 1 + face[0]) {
        double n[3], d[3], area = face_normal(s, part, face, n);
        const double *base = face_corner(s, part, face, 0);
        sides += face[0];
        volume += area * vec3_dot(n, base) / 3;
        if (area <= sliver)
            continue;
        for (size_t i = 0; i < count; i++) {
            vec3_sub(points + 3 * i, base, d);
            assert_true(vec3_dot(n, d) <= tolerance);
        }
        for (uint32_t k = 0; k < face[0]; k++) {
            double u[3], v[3];
            vec3_sub(face_corner(s, part, face, k + 1), face_corner(s, part, face, k), u);
            vec3_sub(face_corner(s, part, face, k + 2), face_corner(s, part, face, k + 1), v);
            vec3_sub(face_corner(s, part, face, k), base, d);
            assert_true(fabs(vec3_dot(n, d)) <= tolerance);
            vec3_cross(u, v, d);
            assert_true(vec3_dot(n, d) > -tolerance * fmax(vec3_norm(u), vec3_norm(v)));
        }
    }
    assert_int_equal(face - s->faces, part->link.face.first + s->face_length);
    assert_int_equal(part->vertex_count + part->link.face.count, sides / 2 + 2);
    assert_close(volume, s->volume, 1e-13 * s->volume + tolerance * s->radius * s->radius);
}

static void cube_from_its_corners(void **state)
{
    (void)state;
    const double points[24] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1};
    const uint32_t faces[30] = {4, 0, 1, 5, 4, 4, 0, 2, 3, 1, 4, 0, 4, 6, 2,
                                4, 1, 3, 7, 5, 4, 2, 6, 7, 3, 4, 4, 5, 7, 6};
    mo_shape_def def = hull_def(points, 8);
    solid s = build_solid(&def, false);
    assert_int_equal(s.vertex_count, 8);
    assert_memory_equal(s.vertices, points, sizeof points);
    assert_int_equal(s.face_length, 30);
    assert_memory_equal(s.faces, faces, sizeof faces);
    assert_close(s.volume, 1, 1e-15);
    assert_close(s.axes[0], 1, 0); // a cube's axes are its own
    assert_close(s.thickness, 0.5, 1e-15);
    solid_free(&s);
}

/* a cube as a grid of points, with points inside, on faces and on edges, each thrice: the eight corners, in
 * their order, whatever the turn, the place and the size */
static void cube_from_a_grid(void **state)
{
    (void)state;
    rng r = rng_seed(2, 2);
    double *points = malloc(3 * 3 * 125 * sizeof *points);
    for (int trial = 0; trial < 60; trial++) {
        double q[4], far = pow(10, 5 * signed_unit(&r)), scale = pow(10, 9 * signed_unit(&r));
        const double p[3] = {far * signed_unit(&r), far * signed_unit(&r), far * signed_unit(&r)};
        size_t n = 0;
        random_turn(&r, q);
        for (int copy = 0; copy < 3; copy++)
            for (int i = 0; i < 125; i++, n++) {
                double v[3] = {i % 5 / 4.0, i / 5 % 5 / 4.0, i / 25 / 4.0};
                quat_rotate(q, v, v);
                vec3_add(v, p, v);
                vec3_scale(scale, v, points + 3 * n);
            }
        mo_shape_def def = hull_def(points, n);
        solid s = build_solid(&def, false);
        assert_int_equal(s.vertex_count, 8);
        assert_int_equal(s.parts[0].link.face.count, 6);
        assert_int_equal(s.face_length, 30);
        assert_close(s.volume, pow(scale, 3), 1e-14 * (1 + far) * pow(scale, 3));
        assert_close(s.axes[0], 1, 0); // all axes are principal: those given stay
        check_surface(&s, points, n, 0, 2e-15 * (4 + far) * scale);
        solid_free(&s);
    }
    free(points);
}

static void points_on_a_sphere(void **state)
{
    (void)state;
    rng r = rng_seed(1, 8);
    double points[3 * 400];
    for (size_t n = 4; n <= 400; n = n * 5 / 3 + 1) {
        for (size_t i = 0; i < n; i++)
            random_direction(&r, points + 3 * i);
        mo_shape_def def = hull_def(points, n);
        solid s = build_solid(&def, false);
        // all of them, in their order
        assert_int_equal(s.vertex_count, n);
        assert_memory_equal(s.vertices, points, 3 * n * sizeof *points);
        check_surface(&s, points, n, 1e-9, 1e-14);
        assert_true(s.thickness > 0 && s.thickness <= pow(3 * s.volume / (4 * PI), 1.0 / 3));
        solid_free(&s);
    }
}

/* every solid that its faces are known of */
static void prisms(void **state)
{
    (void)state;
    rng r = rng_seed(4, 4);
    double points[6 * 64];
    for (uint32_t g = 3; g <= 64; g++) {
        double q[4];
        random_turn(&r, q);
        for (size_t i = 0; i < 2 * g; i++) {
            double angle = 2 * PI * (double)(i / 2) / g;
            vec3_set(points + 3 * i, cos(angle), sin(angle), i % 2 ? 0.3 : 0);
            quat_rotate(q, points + 3 * i, points + 3 * i);
        }
        mo_shape_def def = hull_def(points, 2 * (size_t)g);
        solid s = build_solid(&def, true);
        assert_int_equal(s.parts[0].link.face.count, g + 2);
        assert_int_equal(s.vertex_count, 2 * g);
        assert_int_equal(s.face_length, g + 2 + 6 * g);
        assert_close(s.volume, 0.15 * g * sin(2 * PI / g), 1e-14);
        // about its axis a regular polygon has the gyration (2 + cos(2 pi / g)) / 6
        double axis[3] = {0, 0, 1}, given[3];
        quat_rotate(q, axis, given);
        quat_rotate_back(s.axes, given, axis);
        int m = fabs(axis[0]) > 0.9 ? 0 : fabs(axis[1]) > 0.9 ? 1 : 2;
        // turned no farther than from the nearest of the given axes to the prism's
        double nearest = fmax(fabs(given[0]), fmax(fabs(given[1]), fabs(given[2])));
        assert_close(s.axes[0], sqrt((1 + nearest) / 2), 1e-14);
        double polar = (2 + cos(2 * PI / g)) / 6;
        assert_close(fabs(axis[m]), 1, 1e-14);
        assert_close(s.gyration[m], polar, 1e-14);
        assert_close(s.gyration[(m + 1) % 3], polar / 2 + 0.09 / 12, 1e-14);
        assert_close(s.gyration[(m + 2) % 3], polar / 2 + 0.09 / 12, 1e-14);
        solid_free(&s);
    }
}

/* the same corners and faces whatever the order of the points; and scaled by a power of two, the same bits */
static void order_and_scale(void **state)
{
    (void)state;
    rng r = rng_seed(6, 6);
    double points[3 * 50], shuffled[3 * 50];
    for (size_t i = 0; i < 50; i++) {
        random_direction(&r, points + 3 * i);
        vec3_copy(points + 3 * i, shuffled + 3 * (17 * i % 50));
    }
    mo_shape_def def = hull_def(points, 50), other = hull_def(shuffled, 50);
    solid s = build_solid(&def, false), t = build_solid(&other, false);
    assert_int_equal(s.face_length, t.face_length);
    assert_close(s.volume, t.volume, 1e-14);
    for (size_t i = 0; i < 50; i++)
        assert_memory_equal(s.vertices + 3 * i, t.vertices + 3 * (17 * i % 50), 3 * sizeof(double));
    solid_free(&t);
    for (int e = -80; e <= 80; e += 40) {
        for (size_t i = 0; i < 150; i++)
            shuffled[i] = ldexp(points[i], e);
        t = build_solid(&other, false);
        assert_memory_equal(s.faces, t.faces, s.face_length * sizeof *s.faces);
        assert_close(t.volume, ldexp(s.volume, 3 * e), 0);
        assert_close(t.gyration[1], ldexp(s.gyration[1], 2 * e), 0);
        assert_close(t.size, ldexp(s.size, e), 0);
        solid_free(&t);
    }
    solid_free(&s);
}

/* what is nearly flat, or nearly a line, but not to rounding: volumes in closed form */
static void nearly_flat(void **state)
{
    (void)state;
    for (int e = 3; e <= 11; e++) {
        double t = pow(10, -e);
        const double corner[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0.25, 0.25, t};
        mo_shape_def def = hull_def(corner, 4);
        solid s = build_solid(&def, true);
        assert_close(s.volume, t / 6, 1e-15 * t);
        assert_true(s.thickness > 0 && s.thickness < t);
        assert_true(s.size < 2 * t && s.size > t / 2); // the principal axes are tilted by about t
        solid_free(&s);
        const double needle[12] = {0, 0, 0, 1, 0, 0, 0.5, t, 0, 0.5, 0, t};
        def = hull_def(needle, 4);
        s = build_solid(&def, true);
        assert_close(s.volume, t * t / 6, 1e-14 * t * t);
        // of the long axis: C = 3/80 (differences of corners) for a tetrahedron, mean of squares about the
        // centre
        assert_close(s.gyration[1], 1.0 / 40, 1e-5);
        solid_free(&s);
    }
}

/* bulges of a cube's faces by less and less, down to below rounding: the volume is the cube's and the
 * pyramids' */
static void bulging_faces(void **state)
{
    (void)state;
    double points[3 * 14], centre[3] = {0, 0, 0}, no_turn[4] = {1, 0, 0, 0}, l[3] = {2, 2, 2};
    for (int e = 1; e <= 20; e++) {
        double bulge = pow(10, -e);
        box_corners(l, no_turn, centre, points);
        memset(points + 24, 0, 18 * sizeof *points);
        for (size_t k = 0; k < 6; k++)
            points[24 + 3 * k + k / 2] = (1 + bulge) * (k % 2 ? 1 : -1);
        mo_shape_def def = hull_def(points, 14);
        solid s = build_solid(&def, true);
        assert_close(s.volume, 8 + 6 * 4 * bulge / 3, e == 14 || e == 15 ? 2e-13 : 2e-14);
        if (e <= 12)
            assert_int_equal(s.parts[0].link.face.count, 24);
        if (e >= 16)
            assert_int_equal(s.parts[0].link.face.count, 6);
        check_surface(&s, points, 14, 0, 2e-14);
        solid_free(&s);
    }
}

/* points of a cube's faces, edges and corners, off by amounts between nothing and 1e-8: always a closed
 * surface that holds them */
static void blurred_cubes(void **state)
{
    (void)state;
    rng r = rng_seed(13, 1);
    double points[3 * 162];
    for (int trial = 0; trial < 100; trial++) {
        double blur = pow(10, -18 + 10 * rng_uniform(&r)), q[4];
        random_turn(&r, q);
        for (size_t i = 0; i < 162; i++) {
            double v[3] = {(double)(i % 9) / 8, (double)(i / 9 % 9) / 8, i < 81 ? 0 : 1};
            for (int k = 0; k < 3; k++)
                v[k] += blur * signed_unit(&r);
            quat_rotate(q, v, points + 3 * i);
        }
        mo_shape_def def = hull_def(points, 162);
        solid s = build_solid(&def, true);
        assert_close(s.volume, 1, 1e-13 + 6 * blur);
        solid_free(&s);
        s = build_solid(&def, false);
        check_surface(&s, points, 162, 0.01, 1e-13);
        solid_free(&s);
    }
}

/* n random points on the unit sphere hold 4 pi / 3 (n-1)(n-2)(n-3) / ((n+1)(n+2)(n+3)) on the average, 4 pi /
 * 105 for a tetrahedron (Kingman 1969), and here within a hundredth of what they leave out */
static void large_hull(void **state)
{
    (void)state;
    rng r = rng_seed(1, 2);
    const size_t n = 100000;
    double *points = malloc(3 * n * sizeof *points);
    for (size_t i = 0; i < n; i++)
        random_direction(&r, points + 3 * i);
    mo_shape_def def = hull_def(points, n);
    solid s = build_solid(&def, true);
    assert_int_equal(s.vertex_count, n);
    assert_int_equal(s.parts[0].vertex_count + s.parts[0].link.face.count,
                     (s.face_length - s.parts[0].link.face.count) / 2 + 2);
    const double ball = 4 * PI / 3, m = (double)n;
    double left = ball * (1 - (m - 1) / (m + 1) * ((m - 2) / (m + 2)) * ((m - 3) / (m + 3)));
    assert_close(ball - s.volume, left, 0.01 * left);
    assert_close(s.gyration[0], 0.4, 1e-4);
    solid_free(&s);
    free(points);
}

/* a cube's loops over the points 0 to 7, with point 8 on the edge 01 in two of them; numbers of points before
 */
static hull cube_loops(size_t face_count)
{
    static const uint32_t loops[26] = {8, 1, 5, 4, 0, 2, 3, 1, 8, 0, 0, 4, 6,
                                       2, 1, 3, 7, 5, 2, 6, 7, 3, 4, 5, 7, 6};
    static const uint32_t counts[6] = {5, 5, 4, 4, 4, 4};
    hull h = {
        .faces = malloc(6 * sizeof *h.faces), .corners = malloc(sizeof loops), .face_count = face_count};
    assert_true(h.faces != NULL && h.corners != NULL);
    memcpy(h.corners, loops, sizeof loops);
    for (size_t f = 0; f < 6; f++) {
        h.faces[f] = (hull_face){h.corners + h.corner_count, counts[f]};
        h.corner_count += counts[f];
    }
    return h;
}

/* a corner that only two faces have is none; faces turned inward all together are turned over; a face too few
 * is no surface */
static void loops_made_a_hull(void **state)
{
    (void)state;
    double points[27], no_turn[4] = {1, 0, 0, 0}, here[3] = {0, 0, 0}, l[3] = {2, 2, 2};
    mo_status status = MO_OK;
    box_corners(l, no_turn, here, points);
    vec3_set(points + 24, 0, -1, -1);
    for (int mirrored = 0; mirrored < 2; mirrored++) {
        hull h = cube_loops(6);
        for (size_t i = 0; i < 9 && mirrored; i++)
            points[3 * i] = -points[3 * i];
        assert_true(hull_tidy(&h, points, 9, 1e-14, &status));
        assert_int_equal(h.vertex_count, 8);
        assert_int_equal(h.face_count, 6);
        for (size_t f = 0; f < 6; f++) {
            double u[3], v[3], n[3];
            assert_int_equal(h.faces[f].count, 4);
            vec3_sub(hull_corner(&h, points, &h.faces[f], 1), hull_corner(&h, points, &h.faces[f], 0), u);
            vec3_sub(hull_corner(&h, points, &h.faces[f], 2), hull_corner(&h, points, &h.faces[f], 1), v);
            vec3_cross(u, v, n);
            assert_close(vec3_dot(n, hull_corner(&h, points, &h.faces[f], 0)), 4, 0);
        }
        hull_free(&h);
    }
    hull h = cube_loops(5);
    assert_false(hull_tidy(&h, points, 9, 1e-14, &status));
    assert_int_equal(status, MO_OK);
    hull_free(&h);
}

/* ---- no volume ---------------------------------------------------------------------------------------- */

static void refuse(const double *points, size_t count)
{
    mo_shape_def def = hull_def(points, count);
    assert_refused(&def, "points");
}

/* nothing is printed either: qhull would say a page about each of these */
static void no_volume(void **state)
{
    (void)state;
    rng r = rng_seed(9, 9);
    double points[3 * 100] = {0}, u[3], v[3];
    FILE *printed = tmpfile();
    int out = dup(1), err = dup(2);
    assert_non_null(printed);
    fflush(NULL);
    dup2(fileno(printed), 1);
    dup2(fileno(printed), 2);
    for (int e = -9; e <= 9; e += 3)
        for (int trial = 0; trial < 5; trial++) {
            random_direction(&r, u);
            random_direction(&r, v);
            for (size_t i = 0; i < 100; i++) // one plane
                for (size_t k = 0; k < 3; k++)
                    points[3 * i + k] =
                        pow(10, e) * (1 + (double)(i * i % 37) / 37 * u[k] + (double)(i % 10) * v[k]);
            refuse(points, 100);
            for (size_t i = 0; i < 100; i++) // one line
                vec3_scale(pow(10, e) * (double)(1 + i), u, points + 3 * i);
            refuse(points, 100);
            for (size_t i = 0; i < 100; i++) // one point
                vec3_copy(u, points + 3 * i);
            refuse(points, 100);
            refuse(points, 3);
        }
    refuse(NULL, 0);
    const double thin[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0.3, 0.3, 1e-17};
    refuse(thin, 4);
    fflush(NULL);
    dup2(out, 1);
    dup2(err, 2);
    close(out);
    close(err);
    assert_int_equal(lseek(fileno(printed), 0, SEEK_END), 0);
    fclose(printed);
}

static void not_finite(void **state)
{
    (void)state;
    const double bad[3] = {NAN, HUGE_VAL, -HUGE_VAL};
    for (size_t i = 0; i < 36; i++) {
        double points[12] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
        points[i % 12] = bad[i / 12];
        refuse(points, 4);
    }
    const double huge[12] = {0, 0, 0, 1e308, 0, 0, 0, 1e308, 0, -1e308, 0, 1e308};
    const double tiny[12] = {0, 0, 0, 1e-308, 0, 0, 0, 1e-308, 0, 0, 0, 1e-308};
    const double small[12] = {0, 0, 0, 1e-150, 0, 0, 0, 1e-150, 0, 0, 0, 1e-150};
    refuse(huge, 4);
    refuse(tiny, 4);
    refuse(small, 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cube_from_its_corners),
        cmocka_unit_test(cube_from_a_grid),
        cmocka_unit_test(points_on_a_sphere),
        cmocka_unit_test(prisms),
        cmocka_unit_test(order_and_scale),
        cmocka_unit_test(nearly_flat),
        cmocka_unit_test(bulging_faces),
        cmocka_unit_test(blurred_cubes),
        cmocka_unit_test(large_hull),
        cmocka_unit_test(loops_made_a_hull),
        cmocka_unit_test(no_volume),
        cmocka_unit_test(not_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
