/*
 * Shapes: mass properties in closed form, invariance, extents, chains, and definitions that must be refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/rng.h"
#include "shape/shape.h"
#include "support/close.h"

static const double PI = 3.14159265358979323846;

static shape build(const mo_shape_def *def, bool centre)
{
    shape s;
    mo_error err = {0};
    if (shape_build(def, centre, &s, &err) != MO_OK)
        fail_msg("refused: %s: %s", err.key, err.message);
    return s;
}

static mo_shape_def points_def(mo_shape_kind kind, size_t n, const double *points)
{
    return (mo_shape_def){.kind = kind, .points = points, .point_count = n};
}

static void disc_and_rectangle(void **state)
{
    (void)state;
    mo_shape_def disc = {.kind = MO_SHAPE_DISC, .radius = 0.5};
    shape s = build(&disc, true);
    assert_int_equal(s.part_count, 1);
    assert_int_equal(s.parts[0].kind, MO_PART_DISC);
    assert_close(s.area, PI / 4, 1e-16);
    assert_close(s.gyration2, 0.125, 0);
    assert_close(s.radius, 0.5, 0);
    assert_close(s.thickness, 0.5, 0);
    assert_close(s.size, 1, 0);
    shape_free(&s);
    assert_null(s.parts);
    mo_shape_def box = {.kind = MO_SHAPE_RECTANGLE, .size = {3, 1}};
    s = build(&box, true);
    assert_close(s.area, 3, 0);
    assert_close(s.gyration2, 10.0 / 12, 1e-15);
    assert_close(s.com[0], 0, 0);
    assert_close(s.radius, hypot(1.5, 0.5), 1e-16);
    assert_close(s.thickness, 0.5, 1e-15);
    assert_close(s.size, 1, 0);
    shape_free(&s);
}

static void triangle(void **state)
{
    (void)state;
    /* right triangle with legs a, b: centre (a, b)/3, gyration2 (a^2 + b^2)/18, inradius (a + b - c)/2 */
    double far = 1e6;
    const double v[6] = {far, far, far, far + 4, far + 3, far}; /* clockwise, far away */
    mo_shape_def def = points_def(MO_SHAPE_POLYGON, 3, v);
    shape s = build(&def, true);
    assert_close(s.area, 6, 1e-14);
    assert_close(s.com[0], far + 1, 2e-10);
    assert_close(s.com[1], far + 4.0 / 3, 2e-10);
    assert_close(s.gyration2, 25.0 / 18, 1e-14);
    assert_close(s.thickness, 1, 1e-14);
    assert_close(s.size, 3, 1e-9);
    /* turned to counter-clockwise */
    const double *w = s.vertices;
    assert_true((w[2] - w[0]) * (w[5] - w[1]) - (w[3] - w[1]) * (w[4] - w[0]) > 0);
    shape_free(&s);
    /* points kept where they are */
    s = build(&def, false);
    assert_true(s.vertices[0] >= far);
    assert_close(s.radius, hypot(far + 3, far), hypot(far, far + 4) - hypot(far + 3, far) + 1e-9);
    shape_free(&s);
}

/* an L of two rectangles: the parallel-axis theorem by hand */
static void l_shaped_compound(void **state)
{
    (void)state;
    mo_shape_def foot = {.kind = MO_SHAPE_RECTANGLE, .size = {3, 1}};
    mo_shape_def leg = {.kind = MO_SHAPE_RECTANGLE, .size = {2, 1}};
    mo_shape_child children[2] = {{.shape = &foot, .position = {1.5, 0.5}, .angle = 0},
                                  {.shape = &leg, .position = {0.5, 2}, .angle = PI / 2}};
    mo_shape_def def = {.kind = MO_SHAPE_COMPOUND, .children = children, .child_count = 2};
    shape s = build(&def, true);
    double x = (3 * 1.5 + 2 * 0.5) / 5, y = (3 * 0.5 + 2 * 2.0) / 5;
    double inertia = 3 * (10.0 / 12 + pow(1.5 - x, 2) + pow(0.5 - y, 2)) +
                     2 * (5.0 / 12 + pow(0.5 - x, 2) + pow(2 - y, 2));
    assert_int_equal(s.part_count, 2);
    assert_close(s.area, 5, 1e-14);
    assert_close(s.com[0], x, 1e-15);
    assert_close(s.com[1], y, 1e-15);
    assert_close(s.gyration2, inertia / 5, 1e-15);
    assert_close(s.radius, hypot(3 - x, y), 1e-14);
    assert_close(s.size, 3, 1e-14);
    shape_free(&s);
}

static void rods(void **state)
{
    (void)state;
    const double v[4] = {0, 1, 4, 1};
    mo_shape_def def = points_def(MO_SHAPE_SEGMENT, 2, v);
    shape s = build(&def, true);
    assert_close(s.area, 0, 0);
    assert_close(s.com[0], 2, 0);
    assert_close(s.com[1], 1, 0);
    assert_close(s.gyration2, 16.0 / 12, 1e-15);
    assert_close(s.thickness, 0, 0);
    assert_close(s.size, 4, 0);
    shape_free(&s);
    /* three sides of a unit square: rods by length */
    const double u[8] = {0, 1, 0, 0, 1, 0, 1, 1};
    def = points_def(MO_SHAPE_CHAIN, 4, u);
    s = build(&def, true);
    assert_int_equal(s.part_count, 3);
    assert_int_equal(s.vertex_count, 4);
    assert_close(s.com[0], 0.5, 1e-16);
    assert_close(s.com[1], 1.0 / 3, 1e-16);
    double inertia = 3.0 / 12 + 1.0 / 9 + 2 * (0.25 + 1.0 / 36);
    assert_close(s.gyration2, inertia / 3, 1e-15);
    shape_free(&s);
}

static void chain_neighbours(void **state)
{
    (void)state;
    const double v[10] = {0, 0, 1, 0, 1, 1, 0, 1, 0, 0};
    const int32_t open[3][2] = {{-1, 2}, {0, 3}, {1, -1}}, ring[4][2] = {{3, 2}, {0, 3}, {1, 4}, {2, 1}};
    mo_shape_def def = points_def(MO_SHAPE_CHAIN, 4, v);
    shape s = build(&def, false);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(s.parts[i].vertex_first, i);
        assert_int_equal(s.parts[i].vertex_count, 2);
        assert_int_equal(s.parts[i].link.chain.before, open[i][0]);
        assert_int_equal(s.parts[i].link.chain.after, open[i][1]);
    }
    shape_free(&s);
    /* ends that coincide close the chain */
    def.point_count = 5;
    s = build(&def, false);
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(s.parts[i].link.chain.before, ring[i][0]);
        assert_int_equal(s.parts[i].link.chain.after, ring[i][1]);
    }
    shape_free(&s);
}

static void halfplane(void **state)
{
    (void)state;
    mo_shape_def def = {.kind = MO_SHAPE_HALFPLANE, .normal = {3, 4}, .offset = 10};
    shape s = build(&def, true);
    assert_close(s.parts[0].normal[0], 0.6, 1e-16);
    assert_close(s.parts[0].offset, 2, 0);
    assert_true(isinf(s.radius) && isinf(s.size) && isinf(s.thickness));
    assert_close(s.com[0], 0, 0);
    shape_free(&s);
}

static void collinear_vertices_are_dropped(void **state)
{
    (void)state;
    const double v[16] = {0.5, 0, 1, 0, 1, 0.25, 1, 1, 0.75, 1, 0, 1, 0, 0.5, 0, 0};
    mo_shape_def def = points_def(MO_SHAPE_POLYGON, 8, v);
    shape s = build(&def, false);
    const double kept[8] = {1, 0, 1, 1, 0, 1, 0, 0};
    assert_int_equal(s.vertex_count, 4);
    assert_int_equal(s.parts[0].vertex_count, 4);
    assert_memory_equal(s.vertices, kept, sizeof kept);
    shape_free(&s);
    /* in a compound the vertices of later parts follow without a hole */
    mo_shape_child children[2] = {{.shape = &def, .position = {0, 0}, .angle = 0},
                                  {.shape = &def, .position = {2, 0}, .angle = 0}};
    mo_shape_def both = {.kind = MO_SHAPE_COMPOUND, .children = children, .child_count = 2};
    s = build(&both, false);
    assert_int_equal(s.vertex_count, 8);
    assert_int_equal(s.parts[1].vertex_first, 4);
    assert_close(s.vertices[8], 3, 0);
    shape_free(&s);
}

/* n-gon round a circle: many corners, and regular ones have inradius R cos(pi/n) */
static void many_corners(void **state)
{
    (void)state;
    static double v[2 * 1000];
    const size_t sizes[] = {5, 64, 1000};
    for (size_t k = 0; k < 3; k++) {
        double n = (double)sizes[k];
        for (size_t i = 0; i < sizes[k]; i++) {
            v[2 * i] = 2 * cos(2 * PI * (double)i / n);
            v[2 * i + 1] = 2 * sin(2 * PI * (double)i / n);
        }
        mo_shape_def def = points_def(MO_SHAPE_POLYGON, sizes[k], v);
        shape s = build(&def, true);
        assert_int_equal(s.vertex_count, sizes[k]);
        assert_close(s.area, 2 * n * sin(2 * PI / n), 1e-13);
        assert_close(s.gyration2, 4 * (2 + cos(2 * PI / n)) / 6, 1e-13);
        assert_close(s.thickness, 2 * cos(PI / n), 1e-12);
        shape_free(&s);
    }
}

/* work that grows as the square of the corners would take a quarter of an hour */
static void very_many_corners(void **state)
{
    (void)state;
    const size_t n = 500000;
    double *v = malloc(2 * n * sizeof *v);
    assert_non_null(v);
    for (size_t i = 0; i < n; i++) {
        v[2 * i] = 2 * cos(2 * PI * (double)i / (double)n);
        v[2 * i + 1] = 2 * sin(2 * PI * (double)i / (double)n);
    }
    mo_shape_def def = points_def(MO_SHAPE_POLYGON, n, v);
    shape s = build(&def, true);
    assert_int_equal(s.vertex_count, n);
    // n edges round, each by an eps or two of the size
    assert_close(s.thickness, 2 * cos(PI / (double)n), 1e-9);
    shape_free(&s);
    free(v);
}

/* the largest circle inside: no point is farther from all edges (coarse search), and some point is as far */
static void inradius_against_search(void **state)
{
    (void)state;
    rng r = rng_seed(1, 3);
    for (int i = 0; i < 300; i++) {
        double v[2 * 9], b = 0.1 + rng_uniform(&r);
        size_t n = 3 + (size_t)(rng_next(&r) % 7);
        for (size_t k = 0; k < n; k++) {
            double phi = 2 * PI * ((double)k + 0.9 * rng_uniform(&r)) / (double)n;
            v[2 * k] = cos(phi), v[2 * k + 1] = b * sin(phi);
        }
        mo_shape_def def = points_def(MO_SHAPE_POLYGON, n, v);
        shape s = build(&def, false);
        double best = 0, step = 0.02;
        for (double x = -1; x <= 1; x += step)
            for (double y = -b; y <= b; y += step * b) {
                double d = HUGE_VAL;
                for (size_t k = 0; k < n; k++) {
                    const double *p = v + 2 * k, *q = v + 2 * ((k + 1) % n);
                    d = fmin(d, ((q[0] - p[0]) * (y - p[1]) - (q[1] - p[1]) * (x - p[0])) /
                                    hypot(q[0] - p[0], q[1] - p[1]));
                }
                best = fmax(best, d);
            }
        assert_true(best <= s.thickness + 1e-12);
        assert_close(s.thickness, best, step);
        shape_free(&s);
    }
}

/* turning and shifting a compound's children turns and shifts its centre and nothing else */
static void invariance(void **state)
{
    (void)state;
    rng r = rng_seed(2, 3);
    const double tri[6] = {0, 0, 1, 0.2, 0.3, 1}, seg[4] = {-1, 0, 1, 0.5};
    mo_shape_def shapes[4] = {{.kind = MO_SHAPE_DISC, .radius = 0.4},
                              {.kind = MO_SHAPE_RECTANGLE, .size = {1, 0.3}},
                              points_def(MO_SHAPE_POLYGON, 3, tri),
                              points_def(MO_SHAPE_SEGMENT, 2, seg)};
    for (int i = 0; i < 500; i++) {
        mo_shape_child a[4], b[4];
        double phi = 6 * rng_uniform(&r), dx = 10 * rng_uniform(&r), dy = -7 * rng_uniform(&r);
        for (size_t k = 0; k < 4; k++) {
            double x = 2 * rng_uniform(&r), y = 2 * rng_uniform(&r), angle = 6 * rng_uniform(&r);
            a[k] = (mo_shape_child){.shape = &shapes[k], .position = {x, y}, .angle = angle};
            b[k] = (mo_shape_child){
                .shape = &shapes[k],
                .position = {dx + cos(phi) * x - sin(phi) * y, dy + sin(phi) * x + cos(phi) * y},
                .angle = angle + phi};
        }
        mo_shape_def da = {.kind = MO_SHAPE_COMPOUND, .children = a, .child_count = 4}, db = da;
        db.children = b;
        shape s = build(&da, true), t = build(&db, true);
        assert_close(t.area, s.area, 1e-14);
        assert_close(t.gyration2, s.gyration2, 1e-13);
        assert_close(t.radius, s.radius, 1e-13);
        assert_close(t.thickness, s.thickness, 1e-14);
        assert_close(t.com[0], dx + cos(phi) * s.com[0] - sin(phi) * s.com[1], 1e-13);
        for (size_t k = 0; k < s.vertex_count; k++)
            assert_close(t.vertices[2 * k], cos(phi) * s.vertices[2 * k] - sin(phi) * s.vertices[2 * k + 1],
                         1e-13);
        shape_free(&s);
        shape_free(&t);
    }
}

/* ---- what is refused -------------------------------------------------------------------------------------
 */

static void expect_refused(const mo_shape_def *def, const char *key)
{
    shape s, before;
    memset(&s, 0x5a, sizeof s);
    before = s;
    mo_error err = {0};
    assert_int_equal(shape_build(def, true, &s, &err), MO_BAD_INPUT);
    assert_int_equal(err.status, MO_BAD_INPUT);
    assert_string_equal(err.key, key);
    assert_true(err.message[0] != '\0');
    assert_memory_equal(&s, &before, sizeof s);
    assert_int_equal(shape_build(def, true, &s, NULL), MO_BAD_INPUT);
}

static void bad_sizes(void **state)
{
    (void)state;
    const double bad[] = {0, -1, (double)NAN, HUGE_VAL, 1e200, 1e-200};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        mo_shape_def disc = {.kind = MO_SHAPE_DISC, .radius = bad[i]};
        expect_refused(&disc, "radius");
        mo_shape_def wide = {.kind = MO_SHAPE_RECTANGLE, .size = {bad[i], bad[i]}};
        expect_refused(&wide, "size");
    }
    mo_shape_def tall = {.kind = MO_SHAPE_RECTANGLE, .size = {1, -1}};
    expect_refused(&tall, "size");
    mo_shape_def unknown = {.kind = (mo_shape_kind)99};
    expect_refused(&unknown, "shape");
}

static void bad_polygons(void **state)
{
    (void)state;
    const struct {
        size_t n;
        double v[12];
    } cases[] = {
        {0, {0}},
        {2, {0, 0, 1, 0}},
        {3, {0, 0, 1, 1, 2, 2}},                                   /* on a line */
        {3, {0, 0, 1, 0, 1, 0}},                                   /* coincident */
        {4, {0, 0, 1, 0, 1, 1, 0, 0}},                             /* closed by hand */
        {4, {0, 0, 1, 0, 0.1, 0.1, 0, 1}},                         /* dented */
        {4, {0, 0, 1, 1, 1, 0, 0, 1}},                             /* crossing itself */
        {5, {0, 1, -0.6, -0.8, 0.95, 0.3, -0.95, 0.3, 0.6, -0.8}}, /* a star winds twice */
        {4, {0, 0, 1, 0, 0.5, 0, 0.5, 1}},                         /* a spike */
        {3, {0, 0, 1, 0, (double)NAN, 1}},
        {3, {0, 0, 1, 0, HUGE_VAL, 1}},
        {3, {-1e300, 0, 1e300, 0, 0, 1e300}},
        {3, {0, 0, 1e-200, 0, 0, 1e-200}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        mo_shape_def def = points_def(MO_SHAPE_POLYGON, cases[i].n, cases[i].v);
        expect_refused(&def, "points");
    }
    mo_shape_def none = points_def(MO_SHAPE_POLYGON, 5, NULL);
    expect_refused(&none, "points");
}

static void bad_lines(void **state)
{
    (void)state;
    const double v[8] = {0, 0, 1, 0, 1, 0, 2, 0}, w[4] = {0, 0, (double)NAN, 1};
    mo_shape_def def = points_def(MO_SHAPE_SEGMENT, 3, v);
    expect_refused(&def, "points");
    def = points_def(MO_SHAPE_SEGMENT, 2, v + 2);
    expect_refused(&def, "points");
    def = points_def(MO_SHAPE_SEGMENT, 2, w);
    expect_refused(&def, "points");
    def = points_def(MO_SHAPE_CHAIN, 4, v);
    expect_refused(&def, "points");
    def = points_def(MO_SHAPE_CHAIN, 1, v);
    expect_refused(&def, "points");
    def = points_def(MO_SHAPE_CHAIN, 0, v);
    expect_refused(&def, "points");
    def = (mo_shape_def){.kind = MO_SHAPE_HALFPLANE, .normal = {0, 0}};
    expect_refused(&def, "normal");
    def = (mo_shape_def){.kind = MO_SHAPE_HALFPLANE, .normal = {0, (double)NAN}};
    expect_refused(&def, "normal");
    def = (mo_shape_def){.kind = MO_SHAPE_HALFPLANE, .normal = {0, 1}, .offset = HUGE_VAL};
    expect_refused(&def, "offset");
}

static void bad_compounds(void **state)
{
    (void)state;
    const double v[4] = {0, 0, 1, 0};
    mo_shape_def disc = {.kind = MO_SHAPE_DISC, .radius = 1}, small = {.kind = MO_SHAPE_DISC, .radius = -1};
    mo_shape_def chain = points_def(MO_SHAPE_CHAIN, 2, v),
                 plane = {.kind = MO_SHAPE_HALFPLANE, .normal = {0, 1}};
    mo_shape_child one = {.shape = &disc, .position = {0, 0}, .angle = 0};
    mo_shape_def nested = {.kind = MO_SHAPE_COMPOUND, .children = &one, .child_count = 1}, def = nested;
    def.child_count = 0;
    expect_refused(&def, "children");
    def.child_count = 1;
    const mo_shape_def *wrong[] = {&chain, &plane, &nested, NULL};
    mo_shape_child child = one;
    def.children = &child;
    for (size_t i = 0; i < 4; i++) {
        child.shape = wrong[i];
        expect_refused(&def, "children");
    }
    child.shape = &small;
    expect_refused(&def, "radius");
    child = (mo_shape_child){.shape = &disc, .position = {(double)NAN, 0}, .angle = 0};
    expect_refused(&def, "position");
    child = (mo_shape_child){.shape = &disc, .position = {0, 0}, .angle = HUGE_VAL};
    expect_refused(&def, "angle");
}

/* whatever is asked, the answer is a sound shape or a refusal */
static void random_polygons_are_safe(void **state)
{
    (void)state;
    rng r = rng_seed(4, 3);
    int accepted = 0;
    for (int i = 0; i < 20000; i++) {
        double v[12];
        size_t n = 3 + (size_t)(rng_next(&r) % 4);
        for (size_t k = 0; k < 2 * n; k++)
            v[k] = i % 2 ? (double)(rng_next(&r) % 3) : rng_uniform(&r);
        mo_shape_def def = points_def(MO_SHAPE_POLYGON, n, v);
        shape s;
        if (shape_build(&def, true, &s, NULL) != MO_OK)
            continue;
        accepted++;
        assert_true(s.area > 0 && s.gyration2 > 0 && s.thickness > 0 && s.vertex_count >= 3);
        assert_true(s.thickness <= s.size / 2 + 1e-12 && s.size <= 2 * s.radius);
        for (size_t k = 0; k < s.vertex_count; k++) {
            const double *a = s.vertices + 2 * k, *b = s.vertices + 2 * ((k + 1) % s.vertex_count);
            for (size_t j = 0; j < s.vertex_count; j++)
                assert_true((b[0] - a[0]) * (s.vertices[2 * j + 1] - a[1]) -
                                (b[1] - a[1]) * (s.vertices[2 * j] - a[0]) >
                            -1e-14);
        }
        shape_free(&s);
    }
    assert_true(accepted > 2000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(disc_and_rectangle),
        cmocka_unit_test(triangle),
        cmocka_unit_test(l_shaped_compound),
        cmocka_unit_test(rods),
        cmocka_unit_test(chain_neighbours),
        cmocka_unit_test(halfplane),
        cmocka_unit_test(collinear_vertices_are_dropped),
        cmocka_unit_test(many_corners),
        cmocka_unit_test(very_many_corners),
        cmocka_unit_test(inradius_against_search),
        cmocka_unit_test(invariance),
        cmocka_unit_test(bad_sizes),
        cmocka_unit_test(bad_polygons),
        cmocka_unit_test(bad_lines),
        cmocka_unit_test(bad_compounds),
        cmocka_unit_test(random_polygons_are_safe),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
