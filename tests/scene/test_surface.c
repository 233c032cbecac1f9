/*
 * Meshes that a scene makes itself: mistakes, and that they are where their points say.
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

#define W "world { dim = 3, h = 0.1, t_end = 1 }\n"
#define P "points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}"

static const mistake mistakes[] = {
    {W "mesh { " P " }", 2, "mesh.triangles", "expected a table of triangles {i, j, k}, got nothing"},
    {W "mesh { triangles = {{1, 2, 3}} }", 2, "mesh.points",
     "expected a table of points {x, y, z}, got nothing"},
    {W "mesh { " P ", triangles = {{1, 2, 3}}, file = 'a.obj' }", 2, "mesh.file", "either a file or points"},
    {W "mesh { points = 3, triangles = {{1, 2, 3}} }", 2, "mesh.points", "expected a table"},
    {W "mesh { points = {{0, 0, 0}, {1, 0, 0}}, triangles = {{1, 2, 1}} }", 2, "mesh.points", "got 2"},
    {W "mesh { " P ", triangles = {} }", 2, "mesh.triangles", "got 0"},
    {W "mesh { " P ", triangles = {{1, 2}} }", 2, "mesh.triangles[1]", "got 2 numbers"},
    {W "mesh { " P ", triangles = {{1, 2, 3}, {1, 2, 4}} }", 2, "mesh.triangles[2]", "counted from 1"},
    {W "mesh { " P ", triangles = {{0, 1, 2}} }", 2, "mesh.triangles[1]", "counted from 1"},
    {W "mesh { " P ", triangles = {{1, 2, 2.5}} }", 2, "mesh.triangles[1]", "counted from 1"},
    {W "mesh { " P ", triangles = {{1, 2, 1e300}} }", 2, "mesh.triangles[1]", "counted from 1"},
    {W "mesh { " P ", triangles = {{1, 2, 3}, n = 2} }", 2, "n", ""},
    {W "mesh { points = {{0, 0, 0}, {1, 0 / 0, 0}, {0, 1, 0}}, triangles = {{1, 2, 3}} }", 2,
     "mesh.points[2]", "finite numbers"},
    /* what the shapes refuse themselves: all corners on a line */
    {W "body { shape = mesh { points = {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, triangles = {{1, 2, 3}} }, fixed = "
       "true }",
     2, "body.shape", ""},
};

static void mistakes_are_told(void **state)
{
    (void)state;
    expect_mistakes(mistakes, sizeof mistakes / sizeof mistakes[0]);
}

/* a table of two triangles at height 2: a ball dropped from 1 cm comes to rest on it, one beside it falls
 * past */
static void a_ball_lies_on_it(void **state)
{
    (void)state;
    outcome o;
    run_ok("world { dim = 3, h = 1e-3, t_end = 0.5, gravity = {0, 0, -10} }\n"
           "body { fixed = true, shape = mesh { points = {{-1, -1, 2}, {1, -1, 2}, {1, 1, 2}, {-1, 1, 2}},\n"
           "                                    triangles = {{1, 2, 3}, {1, 3, 4}} } }\n"
           "local on = body { shape = sphere { radius = 0.1 }, density = 1, position = {0.3, 0.2, 2.11} }\n"
           "local off = body { shape = sphere { radius = 0.1 }, density = 1, position = {3, 0.2, 2.11} }\n"
           "at_end(function() report('on', on.position) report('off', off.position) end)",
           &o);
    double on[3], off[3];
    reported(&o, "on", 3, on);
    reported(&o, "off", 3, off);
    /* an impact at 0.45 m/s is seen at most one step late */
    assert_close(on[2], 2.1, 0.45e-3);
    assert_close(on[0], 0.3, 1e-12);
    assert_close(off[2], 2.11 - 0.5 * 10 * 0.25, 1e-12);
    outcome_free(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_are_told),
        cmocka_unit_test(a_ball_lies_on_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
