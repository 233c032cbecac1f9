/*
 * Measures as scenes name them: the network of contacts, principal axes, and what is refused.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/mistakes.h"
#include "scene/run_world3.h"
#include "support/close.h"

/* two columns of three discs under their weight: contacts carry one, two and three weights */
static const char *const columns =
    "world { dim = 2, h = 1e-3, t_end = 5e-3, gravity = {0, -10}, solver = { tol = 1e-12 } }\n"
    "body { shape = halfplane { normal = {0, 1} }, fixed = true }\n"
    "generate.lattice { kind = 'square', counts = {2, 3}, spacing = 0.2, radius = 0.1, mass = 2, position = "
    "{0, 0.1} }\n"
    "at_end(function()\n"
    "  local f = measure.force_distribution { bins = 4, max = 2 }\n"
    "  report('forces', { f.count, f.mean, f.largest, f.mean_tangential, f.beyond })\n"
    "  report('x', f.x) report('density', f.density)\n"
    "  report('near', measure.force_distribution { region = { min = {-1, -1}, max = {1, 0.1} } }.mean)\n"
    "  report('fabric', measure.fabric()[2]) report('void', measure.void_ratio())\n"
    "  local values, axes = measure.principal { {1, 3}, {1, 1} }\n"
    "  report('values', values) report('axis', axes[1])\n"
    "end)";

static void a_scene_measures(void **state)
{
    (void)state;
    outcome o;
    double f[5], x[4], density[4], two[2], one;
    run_ok(columns, &o);
    reported(&o, "forces", 5, f);
    const double mean = 40, expected[5] = {6, mean, 60, 0, 0};
    for (int k = 0; k < 5; k++)
        assert_close(f[k], expected[k], 1e-8);
    reported(&o, "x", 4, x);
    reported(&o, "density", 4, density);
    for (int k = 0; k < 4; k++)
        assert_close(x[k], 0.25 + 0.5 * k, 1e-15);
    // 0.5, 1 and 1.5 of the mean lie on borders of bins of half a mean
    double sum = 0;
    for (int k = 0; k < 4; k++)
        sum += 0.5 * density[k];
    assert_close(sum, 1, 1e-12);
    reported(&o, "near", 1, &one);
    assert_close(one, 60, 1e-7);
    reported(&o, "fabric", 2, two);
    assert_close(two[0], 0, 1e-12);
    assert_close(two[1], 1, 1e-12);
    reported(&o, "void", 1, &one);
    assert_close(one, 4 / acos(-1.0) - 1, 1e-8);
    // the symmetric part {{1, 2}, {2, 1}} has 3 along (1, 1) and -1 across
    reported(&o, "values", 2, two);
    assert_close(two[0], 3, 1e-12);
    assert_close(two[1], -1, 1e-12);
    reported(&o, "axis", 2, two);
    assert_close(fabs(two[0] + two[1]), sqrt(2), 1e-12);
    outcome_free(&o);
}

/* principal values in space come in order, each with its axis */
static void principal_axes_in_space(void **state)
{
    (void)state;
    outcome o;
    double values[3], axis[3];
    const double expected[3] = {9, 2, 1};
    run_ok("world { dim = 3, h = 1, t_end = 1 }\n"
           "local v, a = measure.principal { {2, 0, 0}, {0, 5, 4}, {0, 4, 5} }\n"
           "report('values', v) report('axis', a[2])",
           &o);
    reported(&o, "values", 3, values);
    reported(&o, "axis", 3, axis);
    for (int k = 0; k < 3; k++)
        assert_close(values[k], expected[k], 1e-12);
    assert_close(fabs(axis[0]), 1, 1e-12);
    outcome_free(&o);
}

/* a disc that rolls sticks, and turns against the ground: v = -spin r */
static void rolling_is_seen(void **state)
{
    (void)state;
    outcome o;
    double rolling;
    run_ok("world { dim = 2, h = 1e-3, t_end = 0.1, gravity = {0, -10} } law { friction = 1 }\n"
           "body { shape = halfplane { normal = {0, 1} }, fixed = true }\n"
           "local b = body { shape = disc { radius = 0.5 }, density = 1, position = {0, 0.5}, velocity = {1, "
           "0}, spin = -2 }\n"
           "at_end(function() for c in contacts() do\n"
           "  report('rolling', (c.body1.id == b.id and 1 or -1) * c.rolling) report('status', c.status) end "
           "end)",
           &o);
    reported(&o, "rolling", 1, &rolling);
    assert_close(rolling, -2, 1e-9);
    assert_non_null(strstr(o.result.report_json, "\"status\":\"stick\""));
    outcome_free(&o);
}

#define BEFORE "world { dim = 2, h = 1, t_end = 1 } body { shape = disc { radius = 1 }, density = 1 }\n"

static void mistakes_are_told(void **state)
{
    (void)state;
    const mistake mistakes[] = {
        {BEFORE "measure.force_distribution { bins = 0 }", 2, "measure.force_distribution.bins",
         "from 1 to 10000"},
        {BEFORE "measure.force_distribution { bins = 1e5 }", 2, "measure.force_distribution.bins",
         "from 1 to 10000"},
        {BEFORE "measure.force_distribution { bins = 2.5 }", 2, "measure.force_distribution.bins", "whole"},
        {BEFORE "measure.force_distribution { max = -1 }", 2, "measure.force_distribution.max", "> 0"},
        {BEFORE "measure.force_distribution { max = 0/0 }", 2, "measure.force_distribution.max", "nan"},
        {BEFORE "measure.force_distribution { bin = 3 }", 2, "measure.force_distribution.bin",
         "did you mean \"bins\""},
        {BEFORE "measure.force_distribution { region = 3 }", 2, "measure.force_distribution.region", "table"},
        {BEFORE "measure.fabric { min = {0, 0}, max = {1, 0} }", 2, "measure.fabric.max", "above min"},
        {BEFORE "measure.void_ratio { min = {0, 0} }", 2, "measure.void_ratio", "expected a region"},
        {BEFORE "measure.principal()", 2, "measure.principal", "nothing"},
        {BEFORE "measure.principal { 1, 2 }", 2, "measure.principal[1]", "{x, y}"},
        {BEFORE "measure.principal { {1, 0}, {0, 0/0} }", 2, "measure.principal[2]", "finite"},
        {"world { dim = 2, h = 1, t_end = 1 }\nmeasure.stress()", 2, "measure.stress.region", "no free body"},
        // a body that lies flat has a box without height, in a cell as without one
        {"world { dim = 2, h = 1, t_end = 1 }\n"
         "body { shape = segment { {0, 0}, {1, 0} }, mass = 1 } measure.stress()",
         2, "measure.stress.region", "without area"},
        {"world { dim = 2, h = 1, t_end = 1, periodic = { x = {0, 9} } }\n"
         "body { shape = segment { {0, 0}, {1, 0} }, mass = 1 } measure.stress()",
         2, "measure.stress.region", "without area"},
    };
    expect_mistakes(mistakes, sizeof mistakes / sizeof *mistakes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_scene_measures),
        cmocka_unit_test(principal_axes_in_space),
        cmocka_unit_test(rolling_is_seen),
        cmocka_unit_test(mistakes_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
