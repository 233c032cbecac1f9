/*
 * Meshes that a scene makes itself: mistakes, and that they are where their points say.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

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

#define REST "world { dim = 3, h = 1e-3, t_end = 0.2, gravity = {0, 0, -10} }\n"
#define TIP                                                                                                  \
    "convex {{0, 0, 0}, {0.05, 0.05, 0.1}, {-0.05, 0.05, 0.1}, {0.05, -0.05, 0.1}, {-0.05, -0.05, 0.1}}"

// a body put down at a height stays there
static void stays(const char *scene, double height, double tolerance)
{
    outcome o;
    double z;
    run_ok(scene, &o);
    reported(&o, "z", 1, &z);
    assert_close(z, height, tolerance);
    outcome_free(&o);
}

/* on the middle of a ridge with valleys at its end; on the end of a ridge; a box on a peak with creases */
static void bodies_lie_on_ridges(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        static const char *const place[] = {"0, 0", "0.003, 0.1", "0, 1"};
        char scene[1200];
        snprintf(scene, sizeof scene,
                 REST "body { fixed = true, shape = mesh { points = {{0, -1, 0}, {0, 1, 0}, {-1, 0, -0.2},\n"
                      "       {1, 0, -0.2}, {1, 1, 0.5}, {-1, 1, 0.5}, {0, 3, 0}},\n"
                      "       triangles = {{1, 4, 2}, {1, 2, 3}%s} } }\n"
                      "local b = body { shape = sphere { radius = 0.06 }, density = 1000, free = {'z'},\n"
                      "                 position = {%s, 0.06} }\n"
                      "at_end(function() report('z', b.position[3]) end)",
                 k < 2 ? ", {2, 4, 5}, {2, 6, 3}" : ", {2, 4, 7}, {2, 7, 3}", place[k]);
        // beside the ridge it lies lower, by less than the slope there
        stays(scene, 0.06, k == 1 ? 0.003 * 0.25 : 1e-9);
    }
    stays(REST "local points, triangles = {{0, 0, 0}}, {}\n"
               "for k = 0, 7 do\n"
               "    local a = k * math.pi / 4\n"
               "    points[k + 2] = { math.cos(a), math.sin(a), k % 2 == 0 and -0.05 or -0.4 }\n"
               "    triangles[k + 1] = { 1, 2 + k, 2 + (k + 1) % 8 }\n"
               "end\n"
               "body { fixed = true, shape = mesh { points = points, triangles = triangles } }\n"
               "local b = body { shape = box {0.2, 0.2, 0.1}, density = 1000, position = {0, 0, 0.05},\n"
               "                 free = {'z'} }\n"
               "at_end(function() report('z', b.position[3]) end)",
          0.05, 1e-9);
}

/* a tip beside the seam of two triangles in one plane, by as much as rounding and as much as none */
static void a_tip_stands_on_a_seam(void **state)
{
    (void)state;
    static const double beside[] = {0, 1e-15, 1e-12, 1e-11, 3e-11, 1e-10, 1e-9, 3e-9, 1e-8};
    for (size_t k = 0; k < 2 * sizeof beside / sizeof *beside; k++) {
        char scene[900];
        snprintf(scene, sizeof scene,
                 REST "body { fixed = true, shape = mesh { triangles = {{1, 2, 3}, {1, 3, 4}},\n"
                      "       points = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}} } }\n"
                      "local b = body { shape = " TIP ", density = 1000, position = {-0.25 + %.17g, -0.25, "
                      "0.075},\n                 free = {'x', 'y', 'z'} }\n"
                      "at_end(function() report('z', b.position[3]) end)",
                 (k % 2 == 0 ? 1 : -1) * beside[k / 2]);
        stays(scene, 0.075, 1e-9);
    }
}

/* a tip slides to the bottom of a valley and stays there */
static void a_tip_stays_in_a_valley(void **state)
{
    (void)state;
    stays(REST "body { fixed = true, shape = mesh { triangles = {{1, 2, 3}, {1, 3, 4}},\n"
               "       points = {{-1, -1, 0}, {1, -1, 0.3}, {1, 1, 0}, {-1, 1, 0.4}} } }\n"
               "local b = body { shape = " TIP ", density = 1000, position = {0.001, 0, 0.0752},\n"
               "                 free = {'x', 'y', 'z'} }\n"
               "at_end(function() report('z', b.position[3]) end)",
          // the centre of mass is 0.075 above the tip; what speeds of 0.06 m/s leave in a step
          0.075, 1e-4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_are_told),       cmocka_unit_test(a_ball_lies_on_it),
        cmocka_unit_test(bodies_lie_on_ridges),    cmocka_unit_test(a_tip_stands_on_a_seam),
        cmocka_unit_test(a_tip_stays_in_a_valley),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
