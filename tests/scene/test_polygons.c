/*
 * Voronoi grains: areas and volumes add up to the region's, cells are disjoint and convex (every corner of
 * one is at least as near to its own cell's seed as to any other, which is what a cell is; and the world
 * finds no overlap), shrinking scales areas, relaxing evens them out; mistakes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/mistakes.h"
#include "scene/run_world3.h"
#include "support/close.h"

#include <math.h>

#define W2 "world { dim = 2, h = 1e-3, t_end = 0 }\n"
#define W3 "world { dim = 3, h = 1e-3, t_end = 0 }\n"

/* sum, spread and centre of the masses, which are areas; overlaps as the world sees them */
#define ADD_UP                                                                                               \
    "local m, m2, mx = 0, 0, 0\n"                                                                            \
    "for _, b in ipairs(g) do m, m2, mx = m + b.mass, m2 + b.mass ^ 2, mx + b.mass * b.position[1] end\n"    \
    "report('sum', m) report('spread', m2 * #g / m ^ 2 - 1) report('centre', mx / m) report('count', #g)\n"  \
    "report('overlap', measure.max_penetration())\n"

typedef struct added {
    double sum, spread, centre, count, overlap;
} added;

static added add_up(const char *world, const char *keys)
{
    char text[1500];
    outcome o;
    snprintf(text, sizeof text, "%slocal g = generate.polygons { density = 1, %s }\n" ADD_UP, world, keys);
    run_ok(text, &o);
    added a = {reported_number(&o, "sum"), reported_number(&o, "spread"), reported_number(&o, "centre"),
               reported_number(&o, "count"), reported_number(&o, "overlap")};
    outcome_free(&o);
    return a;
}

static void cells_fill(void **state)
{
    (void)state;
    added a = add_up(W2, "count = 500, region = { min = {-1, 2}, max = {3, 5} }");
    assert_close(a.sum, 12, 1e-12);
    assert_close(a.centre, 1, 1e-12);
    assert_close(a.count, 500, 0);
    assert_true(a.overlap < 1e-14);
    /* areas of cells of random points: their variance is 0.280 of the mean squared (Gilbert 1962) */
    assert_close(a.spread, 0.28, 0.1);

    added relaxed = add_up(W2, "count = 500, relax = 20, region = { min = {-1, 2}, max = {3, 5} }");
    assert_close(relaxed.sum, 12, 1e-12);
    assert_true(relaxed.overlap < 1e-14);
    assert_true(relaxed.spread < 0.25 * a.spread);

    a = add_up(W2, "count = 500, shrink = 0.1, region = { min = {-1, 2}, max = {3, 5} }");
    assert_close(a.sum, 0.81 * 12, 1e-12);
    assert_close(a.overlap, 0, 0);

    /* a hexagon of side 2, few and single cells, a sliver of a region */
    a = add_up(W2,
               "count = 200, region = { points = { {2, 0}, {1, 3 ^ 0.5}, {-1, 3 ^ 0.5}, {-2, 0}, {-1, -3 ^ "
               "0.5}, {1, -3 ^ 0.5} } }");
    assert_close(a.sum, 6 * sqrt(3.0), 1e-12);
    for (int n = 1; n <= 5; n++) {
        char keys[100];
        snprintf(keys, sizeof keys, "count = %d, region = { min = {0, 0}, max = {1, 1} }", n);
        assert_close(add_up(W2, keys).sum, 1, 1e-14);
    }
    a = add_up(W2, "count = 300, region = { min = {0, 0}, max = {1000, 0.01} }");
    assert_close(a.sum, 10, 1e-11);
}

static void cells_fill_space(void **state)
{
    (void)state;
    added a = add_up(W3, "count = 120, region = { min = {-1, 2, 0}, max = {3, 5, 1} }");
    assert_close(a.sum, 12, 1e-10);
    assert_close(a.centre, 1, 1e-10);
    assert_true(a.overlap < 1e-13);
    /* 0.179 of the mean squared (Gilbert 1962), more at the walls */
    assert_close(a.spread, 0.18, 0.1);
    added relaxed = add_up(W3, "count = 120, relax = 5, region = { min = {-1, 2, 0}, max = {3, 5, 1} }");
    assert_close(relaxed.sum, 12, 1e-10);
    assert_true(relaxed.spread < 0.5 * a.spread);
    a = add_up(W3, "count = 3, shrink = 0.5, region = { min = {0, 0, 0}, max = {1, 1, 1} }");
    assert_close(a.sum, 0.125, 1e-12);
}

static const mistake mistakes[] = {
    {"generate.polygons { }", 1, "generate.polygons", ""},
    {W2 "generate.polygons { count = 3 }", 2, "generate.polygons.region", "got nothing"},
    {W2 "generate.polygons { region = { min = {0, 0}, max = {1, 1} } }", 2, "generate.polygons.count",
     ">= 1"},
    {W2 "generate.polygons { count = 3, region = { center = {0, 0}, radius = 1 } }", 2,
     "generate.polygons.region", "cannot be filled"},
    {W2 "generate.polygons { count = 3, radius = 1 }", 2, "generate.polygons.radius", "unknown key"},
    {W2 "generate.polygons { count = 3, angle = 1 }", 2, "generate.polygons.angle", "cannot be turned"},
    {W2 "generate.polygons { count = 3, shrink = 1 }", 2, "generate.polygons.shrink", "from 0 to 0.99"},
    {W2 "generate.polygons { count = 3, relax = 0.5 }", 2, "generate.polygons.relax", "whole number"},
    {W2 "generate.polygons { count = 1e8, region = { min = {0, 0}, max = {1, 1} } }", 2,
     "generate.polygons.count", "more than a scene"},
    /* only a few numbers lie between these */
    {W2 "generate.polygons { count = 50, region = { min = {1, 1}, max = {1 + 1e-15, 1 + 1e-15} } }", 2,
     "generate.polygons", "expected a larger region"},
};

static void mistakes_are_told(void **state)
{
    (void)state;
    expect_mistakes(mistakes, sizeof mistakes / sizeof mistakes[0]);
}

static const bomb bombs[] = {
    {"generate.polygons { count = 900, relax = 10000, region = { min = {0, 0}, max = {1, 1} } }", "seconds"},
    {"generate.polygons { count = 900, region = { points = { {0, 0}, {1e6, 1e6}, {1e6, 1e6 + 1e-3} } } }",
     ""},
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
        cmocka_unit_test(cells_fill),
        cmocka_unit_test(cells_fill_space),
        cmocka_unit_test(mistakes_are_told),
        cmocka_unit_test(bombs_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
