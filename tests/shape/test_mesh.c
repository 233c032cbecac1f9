/*
 * Triangle meshes as parts: neighbours across edges, rims, triangles without area, thin shells, refusals.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "shape/solids.h"

/* the unit cube, outward */
static const double cube_points[24] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0,
                                       0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1};
static const uint32_t cube_triangles[36] = {0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4,
                                            2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5};

static mo_shape_def mesh_def(const double *points, size_t point_count, const uint32_t *triangles,
                             size_t count)
{
    return (mo_shape_def){.kind = MO_SHAPE_MESH,
                          .points = points,
                          .point_count = point_count,
                          .triangles = triangles,
                          .triangle_count = count};
}

static const double *vertex(const solid *s, size_t part, size_t k)
{
    return s->vertices + 3 * (s->parts[part].vertex_first + k);
}

static bool same(const double *a, const double *b)
{
    return a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
}

/* every neighbour's far vertex belongs to exactly one triangle that has the edge the other way round */
static void check_neighbours(const solid *s)
{
    for (size_t i = 0; i < s->part_count; i++)
        for (size_t k = 0; k < 3; k++) {
            const double *a = vertex(s, i, k), *b = vertex(s, i, (k + 1) % 3), *far = NULL;
            int having = 0;
            for (size_t j = 0; j < s->part_count; j++)
                for (size_t m = 0; m < 3; m++)
                    if (same(vertex(s, j, m), b) && same(vertex(s, j, (m + 1) % 3), a)) {
                        far = vertex(s, j, (m + 2) % 3);
                        having++;
                    }
            bool bit = s->parts[i].link.neighbours >> k & 1;
            assert_int_equal(bit, having == 1);
            assert_true(same(vertex(s, i, 3 + k), bit ? far : a));
        }
}

static void cube(void **state)
{
    (void)state;
    mo_shape_def def = mesh_def(cube_points, 8, cube_triangles, 12);
    solid s = build_solid(&def, false);
    assert_int_equal(s.part_count, 12);
    assert_int_equal(s.vertex_count, 72);
    for (size_t i = 0; i < 12; i++) {
        assert_int_equal(s.parts[i].kind, MO_PART_TRIANGLE);
        assert_int_equal(s.parts[i].vertex_count, 6);
        assert_int_equal(s.parts[i].link.neighbours, 7);
        for (size_t k = 0; k < 3; k++)
            assert_true(same(vertex(&s, i, k), cube_points + 3 * cube_triangles[3 * i + k]));
    }
    check_neighbours(&s);
    // a thin shell: a cube's is 5/18 of its side squared
    assert_close(s.com[0], 0.5, 1e-16);
    for (int k = 0; k < 3; k++)
        assert_close(s.gyration[k], 5.0 / 18, 1e-15);
    assert_close(s.axes[0], 1, 0);
    assert_close(s.volume, 0, 0);
    assert_close(s.thickness, 0, 0);
    assert_close(s.radius, sqrt(3), 1e-15);
    assert_close(s.size, 1, 0);
    solid_free(&s);
    s = build_solid(&def, true);
    assert_close(s.radius, sqrt(3) / 2, 1e-15);
    solid_free(&s);
}

/* corners of their own for every triangle, as a file has them, are the same mesh */
static void triangle_soup(void **state)
{
    (void)state;
    double points[108];
    uint32_t triangles[36];
    for (uint32_t i = 0; i < 36; i++) {
        vec3_copy(cube_points + 3 * cube_triangles[i], points + 3 * i);
        triangles[i] = i;
        if (i % 2)
            for (int k = 0; k < 3; k++) // both zeros are one coordinate
                points[3 * i + (uint32_t)k] =
                    points[3 * i + (uint32_t)k] == 0 ? -0.0 : points[3 * i + (uint32_t)k];
    }
    mo_shape_def def = mesh_def(points, 36, triangles, 12),
                 whole = mesh_def(cube_points, 8, cube_triangles, 12);
    solid s = build_solid(&def, false), t = build_solid(&whole, false);
    check_neighbours(&s);
    for (size_t i = 0; i < 12; i++)
        assert_int_equal(s.parts[i].link.neighbours, 7);
    for (size_t i = 0; i < 216; i++)
        assert_close(s.vertices[i], t.vertices[i], 0);
    solid_free(&s);
    solid_free(&t);
}

/* a square field has rims at its sides, and is flat: its smallest extent is the other one */
static void field(void **state)
{
    (void)state;
    rng r = rng_seed(4, 2);
    double points[3 * 36], q[4];
    uint32_t triangles[150], n = 0, rims = 0;
    for (int turned = 0; turned < 2; turned++) {
        n = rims = 0;
        random_turn(&r, q);
        for (uint32_t i = 0; i < 36; i++) {
            vec3_set(points + 3 * i, i % 6, 2 * (i / 6), 0);
            if (turned)
                quat_rotate(q, points + 3 * i, points + 3 * i);
        }
        for (uint32_t i = 0; i < 25; i++) {
            uint32_t a = i / 5 * 6 + i % 5, cell[6] = {a, a + 1, a + 7, a, a + 7, a + 6};
            for (int k = 0; k < 6; k++)
                triangles[n++] = cell[k];
        }
        mo_shape_def def = mesh_def(points, 36, triangles, 50);
        solid s = build_solid(&def, true);
        for (size_t i = 0; i < 50; i++)
            for (int k = 0; k < 3; k++)
                rims += !(s.parts[i].link.neighbours >> k & 1);
        assert_int_equal(rims, 20);
        // a plate of 5 by 10
        double g[3] = {25.0 / 12, 100.0 / 12, 125.0 / 12};
        for (int k = 0; k < 3; k++) {
            double off = HUGE_VAL;
            for (int m = 0; m < 3; m++)
                off = fmin(off, fabs(s.gyration[k] - g[m]));
            assert_true(off < 1e-13);
        }
        assert_close(s.size, 5, 1e-14);
        solid_free(&s);
        if (!turned) {
            s = build_solid(&def, false);
            check_neighbours(&s);
            solid_free(&s);
        }
    }
}

/* three on an edge, and one turned over: rims on that edge, nothing else is lost */
static void unsound_edges(void **state)
{
    (void)state;
    const double points[15] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, -1, 1, 0, -1, -1};
    const uint32_t book[9] = {0, 1, 2, 1, 0, 3, 1, 0, 4}, over[6] = {0, 1, 2, 0, 1, 3},
                   right[6] = {0, 1, 2, 1, 0, 3};
    mo_shape_def def = mesh_def(points, 5, book, 3);
    solid s = build_solid(&def, false);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(s.parts[i].link.neighbours, 0);
    solid_free(&s);
    def = mesh_def(points, 5, over, 2);
    s = build_solid(&def, false);
    assert_int_equal(s.parts[0].link.neighbours, 0);
    assert_int_equal(s.parts[1].link.neighbours, 0);
    solid_free(&s);
    def = mesh_def(points, 5, right, 2);
    s = build_solid(&def, false);
    assert_int_equal(s.parts[0].link.neighbours, 1);
    assert_true(same(vertex(&s, 0, 3), points + 9));
    assert_true(same(vertex(&s, 1, 3), points + 6));
    solid_free(&s);
    // a cube with one triangle turned over keeps the neighbours of all edges but its three
    uint32_t flipped[36];
    memcpy(flipped, cube_triangles, sizeof flipped);
    flipped[1] = 3, flipped[2] = 2;
    def = mesh_def(cube_points, 8, flipped, 12);
    s = build_solid(&def, false);
    int rims = 0;
    for (size_t i = 0; i < 12; i++)
        for (int k = 0; k < 3; k++)
            rims += !(s.parts[i].link.neighbours >> k & 1);
    assert_int_equal(rims, 6);
    assert_int_equal(s.parts[0].link.neighbours, 0);
    solid_free(&s);
}

/* triangles without area: a corner twice, two corners at one place, three on a line, at any scale */
static void dropped_triangles(void **state)
{
    (void)state;
    const double base[18] = {0, 0, 0, 1,   0.1,  0.7,  0.3,     1,       0,
                             0, 0, 0, 0.5, 0.05, 0.35, 1.0 / 3, 0.1 / 3, 0.7 / 3};
    const uint32_t triangles[15] = {0, 0, 1, 0, 1, 2, 0, 3, 2, 0, 1, 4, 5, 1, 0};
    for (int e = -9; e <= 9; e += 3) {
        double points[18];
        size_t dropped = 99;
        solid s;
        for (int i = 0; i < 18; i++)
            points[i] = pow(10, e) * base[i];
        mo_shape_def def = mesh_def(points, 6, triangles, 5);
        assert_int_equal(solid_build(&def, false, &s, &dropped, NULL), MO_OK);
        assert_int_equal(dropped, 4);
        assert_int_equal(s.part_count, 1);
        solid_free(&s);
        // narrow, but not to rounding
        points[13] += 1e-9 * pow(10, e);
        assert_int_equal(solid_build(&def, false, &s, &dropped, NULL), MO_OK);
        assert_int_equal(dropped, 3);
        solid_free(&s);
        const uint32_t none[3] = {0, 1, 5};
        def = mesh_def(points, 6, none, 1);
        assert_refused(&def, "triangles");
    }
}

static void refused(void **state)
{
    (void)state;
    mo_shape_def def = mesh_def(cube_points, 7, cube_triangles, 12);
    assert_refused(&def, "triangles"); // number 7 of 7
    def = mesh_def(cube_points, 8, cube_triangles, 0);
    assert_refused(&def, "triangles");
    def = mesh_def(cube_points, 8, NULL, 12);
    assert_refused(&def, "triangles");
    def = mesh_def(NULL, 8, cube_triangles, 12);
    assert_refused(&def, "points");
    def = mesh_def(cube_points, 8, cube_triangles, ((size_t)1 << 20) + 1);
    assert_refused(&def, "triangles");
    double points[24];
    memcpy(points, cube_points, sizeof points);
    points[23] = NAN;
    def = mesh_def(points, 8, cube_triangles, 12);
    assert_refused(&def, "points");
    points[23] = 1e200;
    assert_refused(&def, "points");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cube),          cmocka_unit_test(triangle_soup),     cmocka_unit_test(field),
        cmocka_unit_test(unsound_edges), cmocka_unit_test(dropped_triangles), cmocka_unit_test(refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
