/*
 * Bodies in 3D that functions of a scene move, load or let grow: motions with known answers.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/run_world3.h"
#include "support/close.h"

#include <math.h>

/* the exact spin of a motion against differences of its orientations, whose error is of second order */
static void spin_of_a_motion(void **state)
{
    (void)state;
    outcome o;
    run_ok("world { dim = 3, h = 1e-4, t_end = 0.02 }\n"
           "local p = body { shape = box { 1, 1, 1 }, position = {1, 2, 3}, orientation = {0.5, 0.5, -0.5, "
           "0.5},\n"
           "  motion = function(t) return { z = 3 + t ^ 2, rotation = { math.sin(40 * t), 30 * t ^ 2,\n"
           "                                                            2 - math.exp(5 * t) } } end }\n"
           "local function times(a, b) return { a[1]*b[1] - a[2]*b[2] - a[3]*b[3] - a[4]*b[4],\n"
           "  a[1]*b[2] + a[2]*b[1] + a[3]*b[4] - a[4]*b[3], a[1]*b[3] + a[3]*b[1] + a[4]*b[2] - a[2]*b[4],\n"
           "  a[1]*b[4] + a[4]*b[1] + a[2]*b[3] - a[3]*b[2] } end\n"
           "local before, now, spin, worst = nil, nil, nil, 0\n"
           "on_step(function(t)\n"
           "  local q = p.orientation\n"
           "  if before then\n"
           "    local d = times(q, { before[1], -before[2], -before[3], -before[4] })\n"
           "    for k = 1, 3 do worst = math.max(worst, math.abs(d[k + 1] / 1e-4 - spin[k])) end\n"
           "  end\n"
           "  before, now, spin = now, q, p.spin\n"
           "end)\n"
           "at_end(function() report('worst', worst) report('v', p.velocity) report('x', p.position)\n"
           "  report('last', p.spin) end)",
           &o);
    double w[3];
    reported(&o, "last", 3, w);
    /* third derivatives of the rotation: up to 40^3 from the sine, times h^2/6 */
    assert_true(sqrt(w[0] * w[0] + w[1] * w[1] + w[2] * w[2]) > 10);
    assert_close(reported_number(&o, "worst"), 0, 64000 * 1e-8);
    expect_vector(&o, "x", 3, (double[3]){1, 2, 3.0004}, 1e-15);
    expect_vector(&o, "v", 3, (double[3]){0, 0, 0.04}, 1e-15);
    outcome_free(&o);
}

/* a rotation about one axis adds to the orientation, and its rate is the spin to rounding */
static void rotation_comes_on_top_of_the_orientation(void **state)
{
    (void)state;
    outcome o;
    run_ok(
        "world { dim = 3, h = 0.125, t_end = 1 }\n"
        "local c, s = math.cos(0.25), math.sin(0.25)\n"
        "local p = body { shape = box { 1, 1, 1 }, orientation = {2 * c, 0, 0, 2 * s},\n"
        "                 motion = function(t) return { rotation = {0, 0, t ^ 2} } end }\n"
        "local still = body { shape = box { 1, 1, 1 }, position = {5, 0, 0}, orientation = {c, 0, s, 0},\n"
        "                     motion = function(t) return { x = 5 - t } end }\n"
        "at_end(function() report('q', p.orientation) report('w', p.spin) report('q2', still.orientation)\n"
        "  report('w2', still.spin) report('v2', still.velocity) end)",
        &o);
    expect_vector(&o, "q", 4, (double[4]){cos(0.75), 0, 0, sin(0.75)}, 1e-15);
    expect_vector(&o, "w", 3, (double[3]){0, 0, 2}, 1e-15);
    expect_vector(&o, "q2", 4, (double[4]){cos(0.25), 0, sin(0.25), 0}, 1e-15);
    expect_vector(&o, "w2", 3, (double[3]){0, 0, 0}, 0);
    expect_vector(&o, "v2", 3, (double[3]){-1, 0, 0}, 0);
    outcome_free(&o);
}

/* an orientation takes the place of the body's own; its length, which changes here, does not matter */
static void orientation_by_a_function(void **state)
{
    (void)state;
    outcome o;
    run_ok("world { dim = 3, h = 0.125, t_end = 1 }\n"
           "local p = body { shape = box { 1, 1, 1 }, orientation = {0, 1, 0, 0}, motion = function(t)\n"
           "  local a, l = 0.5 * t ^ 2, 1 + 3 * t\n"
           "  return { orientation = { l * math.cos(a), 0, l * math.sin(a), 0 } } end }\n"
           "at_end(function() report('q', p.orientation) report('w', p.spin) end)",
           &o);
    expect_vector(&o, "q", 4, (double[4]){cos(0.5), 0, sin(0.5), 0}, 1e-15);
    expect_vector(&o, "w", 3, (double[3]){0, 2, 0}, 4e-15);
    outcome_free(&o);
}

/* what lies on a turntable that shakes and turns gently goes along: its velocity is the table's there */
static void plate_carries_a_box(void **state)
{
    (void)state;
    outcome o;
    run_ok("world { dim = 3, h = 1e-3, t_end = 0.5, gravity = {0, 0, -9.81} }\n"
           "law { friction = 1 }\n"
           "local function x(t) return 0.02 * math.sin(5 * t) end\n"
           "local p = body { shape = box { 2, 2, 0.1 }, position = {0, 0, -0.05},\n"
           "                 motion = function(t) return { x = x(t), rotation = {0, 0, 0.5 * t ^ 2} } end }\n"
           "local b = body { shape = box { 0.2, 0.2, 0.2 }, density = 500, position = {0.5, 0, 0.1},\n"
           "                 velocity = {0.1, 0, 0} }\n"
           "at_end(function() report('x', b.position) report('u', b.velocity) report('w', b.spin)\n"
           "  report('table', p.velocity) report('spin', p.spin) end)",
           &o);
    expect_vector(&o, "table", 3, (double[3]){0.1 * cos(2.5), 0, 0}, 1e-15);
    expect_vector(&o, "spin", 3, (double[3]){0, 0, 0.5}, 1e-15);
    /* contacts are made at the middle of the step, with the velocity that the table has there */
    double x[3], u[3], w[3], half = 5e-4, t = 0.5 - half;
    reported(&o, "x", 3, x);
    reported(&o, "u", 3, u);
    reported(&o, "w", 3, w);
    const double r[2] = {x[0] - half * u[0] - 0.02 * sin(5 * t), x[1] - half * u[1]};
    assert_close(w[2], t, 1e-7);
    assert_close(u[0], 0.1 * cos(5 * t) - t * r[1], 1e-6);
    assert_close(u[1], t * r[0], 1e-6);
    assert_close(u[2], 0, 1e-7);
    /* and the way, turned by t^2/2 about the table's centre: it lags by half a step of the change of
       velocity, of 0.25 m/s */
    assert_close(r[0], 0.5 * cos(0.5 * t * t), 0.3 * half);
    assert_close(r[1], 0.5 * sin(0.5 * t * t), 0.3 * half);
    outcome_free(&o);
}

static void loads_by_functions(void **state)
{
    (void)state;
    outcome o;
    run_ok("world { dim = 3, h = 1e-3, t_end = 1 }\n"
           "local b = body { shape = sphere { radius = 0.5 }, mass = 2,\n"
           "  applied_force = function(t) return { math.cos(t), t, -1 } end,\n"
           "  applied_torque = function(t) return { 0, 2 * t, 0.1 } end }\n"
           "local c = body { shape = box { 1, 1, 1 }, mass = 6, position = {9, 0, 0}, applied_force = {6, 0, "
           "12},\n"
           "  applied_torque = {0, 0, 3} }\n"
           "at(0.5, function() c.applied_torque = {0, 0, -3} end)\n"
           "at_end(function() report('v', b.velocity) report('w', b.spin) report('load', b.applied_force)\n"
           "  report('cv', c.velocity) report('cw', c.spin) report('q', c.orientation) end)",
           &o);
    /* inertias: (2/5) m r^2 = 0.2, and m/6 = 1 of the cube; loads are taken at one time of the step */
    expect_vector(&o, "v", 3, (double[3]){sin(1) / 2, 0.25, -0.5}, 1e-3);
    expect_vector(&o, "w", 3, (double[3]){0, 1 / 0.2, 0.5}, 1e-2);
    expect_vector(&o, "cv", 3, (double[3]){1, 0, 2}, 1e-13);
    expect_vector(&o, "cw", 3, (double[3]){0, 0, 0}, 1e-13);
    /* turned by 2 . (1/2) 3 . 0.5^2 */
    expect_vector(&o, "q", 4, (double[4]){cos(0.375), 0, 0, sin(0.375)}, 1e-12);
    outcome_free(&o);
}

/* a growing ball on the floor rises at the rate of its radius, without a gap */
static void growing_ball(void **state)
{
    (void)state;
    outcome o;
    run_ok(
        "world { dim = 3, h = 1e-3, t_end = 1, gravity = {0, 0, -10} }\n" FLOOR
        "local b = body { shape = sphere { radius = function(t) return 0.1 + 0.05 * t end }, mass = 1,\n"
        "                 position = {0, 0, 0.1} }\n"
        "at_end(function() report('z', b.position[3]) report('v', b.velocity[3]) report('f', b.force) end)",
        &o);
    assert_close(reported_number(&o, "z"), 0.15, 1e-4);
    assert_close(reported_number(&o, "v"), 0.05, 1e-7);
    expect_vector(&o, "f", 3, (double[3]){0, 0, 10}, 1e-4);
    outcome_free(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spin_of_a_motion),
        cmocka_unit_test(rotation_comes_on_top_of_the_orientation),
        cmocka_unit_test(orientation_by_a_function),
        cmocka_unit_test(plate_carries_a_box),
        cmocka_unit_test(loads_by_functions),
        cmocka_unit_test(growing_ball),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
