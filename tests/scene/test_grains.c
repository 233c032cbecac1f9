/*
 * Lattices and random samples: solid fractions by closed forms, no overlaps by looking at all pairs, regions,
 * keys of bodies; mistakes and hostile numbers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/grains_seen.h"
#include "scene/mistakes.h"
#include "support/close.h"

static const double PI = 3.14159265358979323846;

#define W2 "world { dim = 2, h = 1e-3, t_end = 0 }\n"
#define W3 "world { dim = 3, h = 1e-3, t_end = 0 }\n"

/* ---- lattices --------------------------------------------------------------------------------------- */

typedef struct packing {
    const char *kind;
    int dim;
    double cell[3]; /* a box that repeats, for balls of radius 1 */
    double fraction;
} packing;

/* the fraction in two cells each way, whose balls all lie inside the lattice */
static void fractions(void **state)
{
    (void)state;
    const double s2 = sqrt(2.0), s3 = sqrt(3.0), s6 = sqrt(6.0);
    const packing packings[] = {
        {"square", 2, {2, 2, 0}, PI / 4},
        {"triangular", 2, {2, 2 * s3, 0}, PI / (2 * s3)},
        {"hexagonal", 2, {2, 2 * s3, 0}, PI / (2 * s3)},
        {"cubic", 3, {2, 2, 2}, PI / 6},
        {"bcc", 3, {4 / s3, 4 / s3, 4 / s3}, PI * s3 / 8},
        {"fcc", 3, {2, 2 * s3, 2 * s6}, PI / (3 * s2)},
        {"hcp", 3, {2, 2 * s3, 4 * s6 / 3}, PI / (3 * s2)},
    };
    for (size_t i = 0; i < sizeof packings / sizeof packings[0]; i++) {
        const packing *p = &packings[i];
        char text[800];
        outcome o;
        snprintf(
            text, sizeof text,
            "%slocal g = generate.lattice { kind = '%s', radius = 1, counts = {6, 9%s}, density = 1 }\n" SEE
            "report('phi', measure.solid_fraction { min = {%.17g, %.17g, %.17g}, max = {%.17g, %.17g, "
            "%.17g} })",
            p->dim == 2 ? W2 : W3, p->kind, p->dim == 2 ? "" : ", 11", p->cell[0], p->cell[1], p->cell[2],
            3 * p->cell[0], 3 * p->cell[1], 3 * p->cell[2]);
        /* in 2D regions have two numbers */
        for (char *c = text; p->dim == 2 && (c = strstr(c, ", 0}")) != NULL;)
            memcpy(c, "}   ", 4);
        run_ok(text, &o);
        assert_close(reported_number(&o, "phi"), p->fraction, 1e-9);
        grains_seen g = see(&o, (size_t)p->dim);
        assert_int_equal(g.count, p->dim == 2 ? 54 : 594);
        assert_close(least_gap(&g), 0, 1e-14);
        unsee(&g);
        outcome_free(&o);
    }
}

/* a region that fits exactly loses no row to rounding */
static void lattices_in_regions(void **state)
{
    (void)state;
    outcome o;
    run_ok(W2 "local g = generate.lattice { kind = 'square', radius = 0.05, density = 1,\n"
              "  region = { min = {0.3, 0.3}, max = {1.3, 0.8} } }\n" SEE,
           &o);
    grains_seen g = see(&o, 2);
    assert_int_equal(g.count, 50);
    assert_true(least_margin(&g, (double[]){0.3, 0.3}, (double[]){1.3, 0.8}) > -1e-10);
    unsee(&g);
    outcome_free(&o);

    run_ok(W3 "local g = generate.lattice { kind = 'cubic', radius = 0.1, density = 1, spacing = 0.3,\n"
              "  region = { center = {1, 0, 0}, radius = 1 } }\n" SEE,
           &o);
    g = see(&o, 3);
    assert_true(g.count > 80 && g.count < 154);
    for (size_t i = 0; i < g.count; i++)
        assert_true(hypot(hypot(g.x[3 * i] - 1, g.x[3 * i + 1]), g.x[3 * i + 2]) + 0.1 < 1 + 1e-9);
    unsee(&g);
    outcome_free(&o);

    /* one that fits exactly */
    run_ok(W2 "local g = generate.lattice { radius = 0.5, region = { min = {0, 0}, max = {1, 1} } }\n"
              "report('count', #g)",
           &o);
    assert_close(reported_number(&o, "count"), 1, 0);
    outcome_free(&o);
}

static void jitter(void **state)
{
    (void)state;
    outcome o;
    double moved = 0;
    run_ok(
        W2
        "local g = generate.lattice { kind = 'triangular', radius = sizes.uniform {0.5, 1}, spacing = 2.2,\n"
        "  jitter = 1, density = 1, region = { min = {0, 0}, max = {40, 40} } }\n" SEE,
        &o);
    grains_seen g = see(&o, 2);
    assert_true(g.count > 300);
    assert_true(least_gap(&g) >= -1e-12);
    assert_true(least_margin(&g, (double[]){0, 0}, (double[]){40, 40}) >= -1e-12);
    for (size_t i = 1; i < 10; i++)
        moved = fmax(moved, fabs(g.x[2 * i + 1] - g.x[1]));
    assert_true(moved > 0.1);
    unsee(&g);
    outcome_free(&o);
}

/* ---- random samples --------------------------------------------------------------------------------- */

static double area_of(const grains_seen *g)
{
    double sum = 0;
    for (size_t i = 0; i < g->count; i++)
        sum += g->dim == 2 ? PI * pow(g->r[i], 2) : 4 * PI / 3 * pow(g->r[i], 3);
    return sum;
}

static void samples(void **state)
{
    (void)state;
    outcome o;
    run_ok(W2 "local g = generate.random { count = 400, radius = sizes.lognormal {0.02, 0.3}, density = 1,\n"
              "  gap = 0.001, region = { min = {-1, 0}, max = {1, 1} } }\n" SEE
              "report('phi', g.solid_fraction)",
           &o);
    grains_seen g = see(&o, 2);
    assert_int_equal(g.count, 400);
    assert_true(least_gap(&g) >= 0.001 - 1e-15);
    assert_true(least_margin(&g, (double[]){-1, 0}, (double[]){1, 1}) >= -1e-15);
    assert_close(reported_number(&o, "phi"), area_of(&g) / 2, 1e-12);
    unsee(&g);
    outcome_free(&o);

    /* to a fraction: off by half a body at most */
    run_ok(
        W3
        "local g = generate.random { solid_fraction = 0.3, radius = sizes.uniform {0.05, 0.1}, density = 1,\n"
        "  region = { center = {0, 0, 2}, radius = 1 } }\n" SEE,
        &o);
    g = see(&o, 3);
    assert_close(area_of(&g), 0.3 * 4 * PI / 3, 0.5 * 4 * PI / 3 * 1e-3);
    assert_true(least_gap(&g) >= -1e-15);
    for (size_t i = 0; i < g.count; i++)
        assert_true(hypot(hypot(g.x[3 * i], g.x[3 * i + 1]), g.x[3 * i + 2] - 2) + g.r[i] <= 1 + 1e-12);
    unsee(&g);
    outcome_free(&o);
}

/* a triangle; clockwise points are as good */
static void polygon_region(void **state)
{
    (void)state;
    outcome o;
    run_ok(W2 "local g = generate.random { count = 100, radius = 0.1, density = 1,\n"
              "  region = { points = { {0, 0}, {0, 4}, {5, 0} } } }\n" SEE,
           &o);
    grains_seen g = see(&o, 2);
    assert_true(least_gap(&g) >= 0);
    for (size_t i = 0; i < g.count; i++) {
        double x = g.x[2 * i], y = g.x[2 * i + 1];
        assert_true(x >= 0.1 - 1e-12 && y >= 0.1 - 1e-12);
        assert_true((20 - 4 * x - 5 * y) / sqrt(41.0) >= 0.1 - 1e-12);
    }
    unsee(&g);
    outcome_free(&o);
}

/* the seed decides */
static void seeds(void **state)
{
    (void)state;
    const char *text = W2 "local g = generate.random { count = 5, radius = 0.1, density = 1,\n"
                          "  region = { min = {0, 0}, max = {2, 2} } }\n" SEE;
    outcome o[3];
    for (int i = 0; i < 3; i++) {
        scene_options options = text_options(text, &o[i]);
        options.seed = i == 2 ? 7 : 5;
        run_options(&options, &o[i]);
        assert_int_equal(o[i].status, MO_OK);
    }
    assert_string_equal(o[0].result.report_json, o[1].result.report_json);
    assert_string_not_equal(o[0].result.report_json, o[2].result.report_json);
    for (int i = 0; i < 3; i++)
        outcome_free(&o[i]);
}

/* shapes by a function, turned at random, within their circles; keys of bodies reach them */
static void shapes_and_keys(void **state)
{
    (void)state;
    outcome o;
    run_ok(
        W2
        "local g = generate.random { count = 60, radius = sizes.uniform {0.05, 0.1}, angle = 'random',\n"
        "  shape = function(r, i) return rectangle { 1.6 * r, 1.2 * r } end, density = 3, group = 'stone',\n"
        "  name = 'stone', velocity = {0, -2}, free = {'x', 'y'}, region = { min = {0, 0}, max = {2, 2} } }\n"
        "local m, a = 0, {}\n"
        "for i, b in ipairs(g) do m = m + b.mass a[i] = b.angle end\n"
        "report('overlap', measure.max_penetration()) report('name', g[60].name) report('group', "
        "g[1].group)\n"
        "report('v', g[9].velocity) report('phi', g.solid_fraction - m / 3 / 4) report('angle', a[1] ~= "
        "a[2])",
        &o);
    assert_close(reported_number(&o, "overlap"), 0, 0);
    assert_close(reported_number(&o, "phi"), 0, 1e-12);
    assert_non_null(strstr(o.result.report_json, "\"name\":\"stone 60\""));
    assert_non_null(strstr(o.result.report_json, "\"group\":\"stone\""));
    assert_non_null(strstr(o.result.report_json, "\"angle\":true"));
    outcome_free(&o);

    /* one shape for all, in space; fixed */
    run_ok(W3 "local g = generate.lattice { counts = {2, 2, 2}, kind = 'cubic', shape = box {1, 1, 1},\n"
              "  orientation = 'random', fixed = true }\n"
              "report('spacing', g.spacing) report('kind', g[8].kind) report('count', #g)",
           &o);
    assert_close(reported_number(&o, "spacing"), sqrt(3.0), 1e-12);
    assert_non_null(strstr(o.result.report_json, "\"kind\":\"fixed\""));
    outcome_free(&o);

    /* radius by a function of the number */
    run_ok(W2 "local g = generate.lattice { counts = {3, 1}, kind = 'square', spacing = 2, density = 1,\n"
              "  radius = function(i) return i / 10 end }\n" SEE,
           &o);
    grains_seen g = see(&o, 2);
    for (size_t i = 0; i < 3; i++)
        assert_close(g.r[i], 0.1 * (double)(i + 1), 1e-14);
    unsee(&g);
    outcome_free(&o);
}

/* ---- mistakes --------------------------------------------------------------------------------------- */

#define BOX ", region = { min = {0, 0}, max = {1, 1} } }"

static const mistake mistakes[] = {
    {"generate.lattice { }", 1, "generate.lattice", ""},
    {W2 "generate.lattice { counts = {2, 2} }", 2, "generate.lattice.radius", "got nothing"},
    {W2 "generate.lattice { radius = 1 }", 2, "generate.lattice", "either counts"},
    {W2 "generate.lattice { radius = 1, counts = {1, 1}" BOX, 2, "generate.lattice", "got both"},
    {W2 "generate.lattice { radius = 0, counts = {1, 1} }", 2, "generate.lattice.radius", "> 0"},
    {W2 "generate.lattice { radius = 0/0, counts = {1, 1} }", 2, "generate.lattice.radius", "finite"},
    {W2 "generate.lattice { radius = 'x', counts = {1, 1} }", 2, "generate.lattice.radius", "a distribution"},
    {W2 "generate.lattice { radius = 1, counts = {1, 1}, kind = 'fcc' }", 2, "generate.lattice.kind",
     "\"square\" or \"triangular\""},
    {W3 "generate.lattice { radius = 1, counts = {1, 1} }", 2, "generate.lattice.counts", "got 2 numbers"},
    {W2 "generate.lattice { radius = 1, counts = {1, 1.5} }", 2, "generate.lattice.counts[2]",
     "whole number"},
    {W2 "generate.lattice { radius = 1, counts = {1, 0/0} }", 2, "generate.lattice.counts", "finite"},
    {W2 "generate.lattice { radius = 1, counts = {-1, -1} }", 2, "generate.lattice.counts[1]", ">= 1"},
    {W2 "generate.lattice { radius = 1, counts = {1e9, 1e9} }", 2, "generate.lattice.counts",
     "more than a scene may have"},
    {W2 "generate.lattice { radius = 1e-9" BOX, 2, "generate.lattice.spacing", "more than a scene may have"},
    {W2 "generate.lattice { radius = 1, spacing = 1, counts = {1, 1} }", 2, "generate.lattice.spacing",
     "twice the largest radius"},
    {W2 "generate.lattice { radius = function() return 1 end, counts = {1, 1} }", 2,
     "generate.lattice.spacing", "got nothing"},
    {W2 "generate.lattice { radius = function() return 1 end, spacing = 1, counts = {1, 1} }", 2,
     "generate.lattice.radius", "half the spacing"},
    {W2 "generate.lattice { radius = function() return 'a' end, spacing = 1, counts = {1, 1} }", 2,
     "generate.lattice.radius(1)", "a number"},
    {W2 "generate.lattice { radius = 1, jitter = 2, counts = {1, 1} }", 2, "generate.lattice.jitter",
     "from 0 to 1"},
    {W2 "generate.lattice { radius = 1, position = {0, 0}" BOX, 2, "generate.lattice.position", "says where"},
    {W2 "generate.lattice { radius = 1, densty = 3, counts = {1, 1} }", 2, "generate.lattice.densty",
     "\"density\""},
    {W2 "generate.lattice { radius = 1, density = -3, counts = {1, 1} }", 2, "body.density", "> 0"},
    {W2 "generate.lattice { radius = 1, shape = disc { radius = 1 }, counts = {1, 1} }", 2,
     "generate.lattice.radius", "its own size"},
    {W2 "generate.lattice { shape = sphere { radius = 1 }, counts = {1, 1} }", 2, "generate.lattice.shape",
     "3D worlds"},
    {W2 "generate.lattice { shape = halfplane { normal = {0, 1} }, counts = {1, 1} }", 2,
     "generate.lattice.shape", "finite size"},
    {W2 "generate.lattice { shape = disc { radius = function(t) return 1 end }, counts = {1, 1} }", 2,
     "generate.lattice.shape", "depends on time"},
    {W2 "generate.lattice { radius = 1, shape = function(r) return disc { radius = 2 * r } end, counts = {1, "
        "1} }",
     2, "generate.lattice.shape", "within the radius"},
    {W2 "generate.lattice { radius = 1, shape = function(r) return 3 end, counts = {1, 1} }", 2,
     "generate.lattice.shape", "expected a shape"},
    {W2 "generate.lattice { radius = 0.51" BOX, 2, "generate.lattice.region",
     "radius 0.51 in a region that is 1 wide"},
    // with all the jitter there is, it stays within half the spacing
    {W2 "generate.lattice { radius = 0.4, spacing = 1.1, jitter = 1" BOX, 2, "generate.lattice.region",
     "radius 0.55"},
    {W3 "generate.lattice { radius = 1, region = { min = {0, 0, 0}, max = {9, 9, 1.9} } }", 2,
     "generate.lattice.region", "1.9 wide"},
    // the box around it has room, the triangle with its inscribed circle of radius 1 - sqrt(1/2) has not
    {W2 "generate.lattice { radius = 0.3, region = { points = { {0, 0}, {1, 0}, {0, 1} } } }", 2,
     "generate.lattice.region", "has room"},
    {W2 "generate.random { radius = 0.1, count = 3 }", 2, "generate.random.region", "got nothing"},
    {W2 "generate.random { radius = 0.1" BOX, 2, "generate.random", "either count or solid_fraction"},
    {W2 "generate.random { radius = 0.1, count = 3, solid_fraction = 0.1" BOX, 2, "generate.random",
     "got both"},
    {W2 "generate.random { radius = 0.1, count = 2e10" BOX, 2, "generate.random.count", ""},
    {W2 "generate.random { radius = 0.1, count = 1e8" BOX, 2, "generate.random.count", "more than a scene"},
    {W2 "generate.random { radius = 1e-9, solid_fraction = 0.5" BOX, 2, "generate.random.solid_fraction",
     "more than a scene"},
    {W2 "generate.random { radius = 0.1, solid_fraction = 0/0" BOX, 2, "generate.random.solid_fraction",
     "finite"},
    {W2 "generate.random { radius = 0.1, solid_fraction = 1.5" BOX, 2, "generate.random.solid_fraction",
     "0 to 1"},
    {W2 "generate.random { radius = 0.1, count = 30, tries = 100" BOX, 2, "generate.random.count",
     "of 30 bodies fit"},
    {W2 "generate.random { radius = 0.02, solid_fraction = 0.8, tries = 100" BOX, 2,
     "generate.random.solid_fraction", "generate.compressed"},
    {W2 "generate.random { radius = 2, count = 1, tries = 5" BOX, 2, "generate.random.region",
     "fits nowhere"},
    {W2 "generate.random { radius = 0.1, count = 1, region = 3 }", 2, "generate.random.region", "a table"},
    {W2 "generate.random { radius = 0.1, count = 1, region = { } }", 2, "generate.random.region",
     "none of them"},
    {W2 "generate.random { radius = 0.1, count = 1, region = { min = {0, 0}, radius = 1 } }", 2,
     "generate.random.region", "a mixture"},
    {W2 "generate.random { radius = 0.1, count = 1, region = { min = {0, 0} } }", 2, "generate.random.region",
     "both min and max"},
    {W2 "generate.random { radius = 0.1, count = 1, region = { min = {0, 0}, max = {1, 0} } }", 2,
     "generate.random.region.max", "max above min"},
    {W2
     "generate.random { radius = 0.1, count = 1, region = { min = {-1e308, -1e308}, max = {1e308, 1e308} } }",
     2, "generate.random.region", "finite size"},
    {W2 "generate.random { radius = 0.1, count = 1, region = { center = {0, 0} } }", 2,
     "generate.random.region", "radius"},
    {W2 "generate.random { radius = 0.1, count = 1, region = { points = { {0, 0}, {1, 0} } } }", 2,
     "generate.random.region.points", "at least 3"},
    {W2
     "generate.random { radius = 0.1, count = 1, region = { points = { {0, 0}, {4, 0}, {1, 1}, {0, 4} } } }",
     2, "generate.random.region.points", "convex"},
    {W3 "generate.random { radius = 0.1, count = 1, region = { points = { {0, 0}, {1, 0}, {0, 1} } } }", 2,
     "generate.random.region", "2D worlds"},
};

static void mistakes_are_told(void **state)
{
    (void)state;
    expect_mistakes(mistakes, sizeof mistakes / sizeof mistakes[0]);
}

static const bomb bombs[] = {
    {"generate.lattice { radius = 1, counts = {1000, 1000} }", "more than a scene may have"},
    {"generate.random { radius = 1e-5, solid_fraction = 0.4" BOX, "more than a scene may have"},
    {"generate.random { radius = 0.4, count = 900, tries = 1000000000" BOX, "seconds"},
    {"generate.random { radius = function(i) while true do end end, count = 2" BOX, "instructions"},
    {"generate.lattice { radius = 1e-5, region = { points = { {0, 0}, {1, 0}, {0.5, 1e-300} } } }", ""},
    {"generate.lattice { radius = 1e-3, region = { points = { {0, 0}, {100, 99.9}, {100, 100} } } }", ""},
};

static void bombs_end(void **state)
{
    (void)state;
    scene_limits limits = small_limits();
    expect_bombs(W2, bombs, sizeof bombs / sizeof bombs[0], &limits);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fractions),       cmocka_unit_test(lattices_in_regions), cmocka_unit_test(jitter),
        cmocka_unit_test(samples),         cmocka_unit_test(polygon_region),      cmocka_unit_test(seeds),
        cmocka_unit_test(shapes_and_keys), cmocka_unit_test(mistakes_are_told),   cmocka_unit_test(bombs_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
