/*
 * servo{...}: stresses in equilibrium, rates of strain, switching, what handles tell and what is refused, and
 * runs that go on from a file.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/mistakes.h"
#include "scene/run_files.h"
#include "scene/run_world3.h"
#include "support/close.h"

/* five discs above each other under a lid of 0.5 kg */
#define COLUMN                                                                                               \
    "world { dim = 2, h = 1e-3, t_end = 1, gravity = {0, -9.81}, record = { every = 0.1 } }\n"               \
    "body { shape = halfplane { normal = {0, 1} }, fixed = true }\n"                                         \
    "for i = 1, 5 do body { shape = disc { radius = 0.01 }, density = 2600, free = {'y'},\n"                 \
    "  position = {0, 0.021 * i - 0.01} } end\n"                                                             \
    "local lid = body { shape = rectangle { 0.1, 0.02 }, mass = 0.5, free = {'y'}, position = {0, 0.13} }\n" \
    "local s = servo { body = lid, axis = '-y', stress = 1e3, length = function(t) return 0.02 end, size = " \
    "0.12 }\n"

static const char *const switched =
    COLUMN "local r = report\n"
           "at(0.599, function() r('first', s.stress_now) end)\n"
           "at(0.6, function() s.strain_rate = -0.5 r('begin', s.size) end)\n"
           "at(0.7, function() r('moved', s.size) r('none', s.stress == nil)\n"
           "  r('bare', s.stress_now) r('speed', lid.velocity[2]) end)\n"
           "at(0.8, function() s.stress = 2e3 end)\n"
           "at_end(function() r('last', s.stress_now) r('strain', s.strain)\n"
           "  r('size', s.size) r('mode', s.mode) r('axis', s.axis) end)";

/* the discs bear stress and weight of the lid; between, the wall goes off at the rate that was asked for */
static void a_wall_holds_its_stress_and_its_rate(void **state)
{
    (void)state;
    outcome o;
    const double weight = 0.5 * 9.81 / 0.02;
    run_ok(switched, &o);
    assert_close(reported_number(&o, "first"), 1e3 + weight, 1e-7 * 1e3);
    assert_close(reported_number(&o, "last"), 2e3 + weight, 1e-7 * 2e3);
    assert_close(reported_number(&o, "bare"), 0, 1e-12);
    /* every step with the speed of its beginning: L (1 + h/2)^100 */
    double begin = reported_number(&o, "begin"), moved = begin * pow(1 + 0.5e-3, 100);
    assert_close(reported_number(&o, "moved"), moved, 1e-12);
    assert_close(reported_number(&o, "speed"), 0.5 * moved / (1 + 0.5e-3), 1e-12);
    assert_close(reported_number(&o, "strain"), log(0.12 / reported_number(&o, "size")), 1e-14);
    assert_non_null(strstr(o.result.report_json, "\"mode\":\"stress\",\"axis\":\"-y\""));
    assert_non_null(strstr(o.result.report_json, "\"none\":true"));
    /* the work of the wall in both modes is in the balance */
    assert_close(o.result.info.energy.balance_error, 0, 1e-12);
    outcome_free(&o);
}

/* by rate the wall drives the discs, and what it needs is work of the outside */
static void a_moved_wall_does_work(void **state)
{
    (void)state;
    outcome o;
    run_ok(
        "world { dim = 2, h = 1e-3, t_end = 0.1, gravity = {0, -10} }\n"
        "local lift = body { shape = rectangle { 1, 0.1 }, mass = 3, free = {'y'}, position = {0, -0.05} }\n"
        "local ball = body { shape = disc { radius = 0.1 }, mass = 2, position = {0, 0.1} }\n"
        "local s = servo { body = lift, axis = 'y', strain_rate = function(t) return 0.1 / (1 - 0.1 * t) "
        "end, size = 1, length = 1 }\n"
        "at_end(function() report('v', lift.velocity[2]) report('p', s.stress_now) report('x', "
        "ball.position[2]) end)",
        &o);
    /* the rate grows as the size shrinks: the speed stays 0.1 m/s but for what the explicit rule misses */
    assert_close(reported_number(&o, "v"), 0.1, 1e-5);
    /* the ball is at rest in the first half of the first step */
    assert_close(reported_number(&o, "x"), 0.11 - 0.5e-4, 1e-6);
    assert_close(reported_number(&o, "p"), 20, 1e-3);
    /* 5 kg raised by 0.01 m, a wall of 3 kg set going, and a ball taken along: half of its m v^2 is lost */
    assert_close(o.result.info.energy.work_external, 5 * 10 * 0.01 + 0.5 * 3 * 0.01 + 2 * 0.01, 1e-4);
    assert_close(o.result.info.energy.balance_error, 0, 1e-12);
    outcome_free(&o);
}

static void a_free_wall_is_damped_and_limited(void **state)
{
    (void)state;
    outcome o;
    const char *text =
        "world { dim = 3, h = 1e-2, t_end = 0.5 }\n"
        "local a = body { shape = box { 0.1, 1, 1 }, mass = 2, free = {'x'} }\n"
        "local b = body { shape = box { 0.1, 1, 1 }, mass = 2, free = {'x'}, position = {0, 5, 0} }\n"
        "local c = body { shape = box { 0.1, 1, 1 }, mass = 2, free = {'x'}, position = {0, 10, 0} }\n"
        "servo { body = a, axis = '-x', stress = 10, area = 1, damping = 4 }\n"
        "servo { body = b, axis = 'x', stress = 10, area = 1, max_speed = 0.7 }\n"
        "servo { body = c, axis = 'x', stress = 10, area = 1, damping = 1e9 }\n"
        "at_end(function() report('a', a.velocity[1]) report('b', b.velocity[1]) report('c', c.velocity[1]) "
        "end)";
    run_ok(text, &o);
    double v = 0;
    for (int i = 0; i < 50; i++)
        v = v / (1 + 1e-2 * 4 / 2) + 1e-2 * 10 / 2;
    assert_close(reported_number(&o, "a"), -v, 1e-13);
    assert_close(reported_number(&o, "b"), 0.7, 1e-13);
    /* so much damping that nothing is left of a speed after a step */
    assert_close(reported_number(&o, "c"), 1e-2 * 10 / 2, 1e-7);
    outcome_free(&o);
}

static void a_resumed_run_has_the_same_bits(void **state)
{
    (void)state;
    outcome whole, part;
    scene_options options = text_options(switched, &whole);
    options.output = path_of(WHOLE);
    run_options(&options, &whole);
    assert_int_equal(whole.status, MO_OK);
    /* in the midst of the motion by rate */
    run_until_interrupt(switched, 700, PARTS, &part);
    outcome_free(&part);
    options = text_options(switched, &part);
    options.resume = path_of(PARTS);
    run_options(&options, &part);
    assert_int_equal(part.status, MO_OK);
    assert_int_equal(part.result.hash, whole.result.hash);
    assert_string_equal(part.result.report_json, whole.result.report_json);
    assert_memory_equal(&part.result.info.energy, &whole.result.info.energy, sizeof part.result.info.energy);
    outcome_free(&part);
    outcome_free(&whole);
}

#define W "world { dim = 2, h = 1e-3, t_end = 0.01 }\n"
#define B "local b = body { shape = rectangle { 1, 1 }, mass = 1, free = {'x'} } "

static const mistake mistakes[] = {
    {W B "servo { body = b }", 2, "servo.axis", "got nothing"},
    {W B "servo { body = b, axis = 'w' }", 2, "servo.axis", "\"-x\""},
    {W B "servo { body = b, axis = 'z', stress = 1, length = 1 }", 2, "servo.axis", "2D"},
    {W B "servo { axis = 'x', stress = 1, length = 1 }", 2, "servo.body", "got nothing"},
    {W B "servo { body = b, axis = 'y', stress = 1, length = 1 }", 2, "servo.body", "free along"},
    {W
     "local b = body { shape = disc { radius = 1 }, fixed = true } servo { body = b, axis = 'x', stress = 1, "
     "length = 1 }",
     2, "servo.body", "a mass"},
    {W "local b = body { shape = disc { radius = 1 }, mass = 1, applied_force = function(t) return {0, 0} "
       "end } "
       "servo { body = b, axis = 'x', stress = 1, length = 1 }",
     2, "servo.body", "given by a function"},
    {W B "servo { body = b, axis = 'x', length = 1 }", 2, "servo", "got neither"},
    {W B "servo { body = b, axis = 'x', length = 1, size = 1, stress = 1, strain_rate = 1 }", 2, "servo",
     "both"},
    {W B "servo { body = b, axis = 'x', stress = 1 }", 2, "servo", "`length`"},
    {W B "servo { body = b, axis = 'x', stress = 1, area = 1 }", 2, "servo", "takes `length`"},
    {W B "servo { body = b, axis = 'x', stress = 1, length = 0 }", 2, "servo.length", "> 0"},
    {W B "servo { body = b, axis = 'x', strain_rate = 1 }", 2, "servo", "`size`"},
    {W B "servo { body = b, axis = 'x', stress = 'a', length = 1 }", 2, "servo.stress", "a number"},
    {W B "servo { body = b, axis = 'x', stress = 1, length = 1, damping = -1 }", 2, "servo.damping", ">= 0"},
    {W B "servo { body = b, axis = 'x', stress = 1, length = 1, max_speed = 0 }", 2, "servo.max_speed",
     "> 0"},
    {W B "servo { body = b, axis = 'x', stress = 1, lenght = 1 }", 2, "servo.lenght", "did you mean"},
    {W B "for i = 1, 2 do servo { body = b, axis = 'x', stress = 1, length = 1 } end", 2, "servo.body",
     "already"},
    {W B "local s = servo { body = b, axis = 'x', stress = 1, length = 1 } s.strain_rate = 1", 2,
     "strain_rate", "without `size`"},
    {W B "local s = servo { body = b, axis = 'x', stress = 1, length = 1 } s.speed = 1", 2, "speed",
     "`stress` and `strain_rate`"},
    {W B "local s = servo { body = b, axis = 'x', stress = 1, length = 1 } print(s.strian)", 2, "strian",
     "has no field"},
    {W B "servo { body = b, axis = 'x', stress = 1, length = function(t) return -t end }", 2, "servo.length",
     "expected a number > 0"},
    /* 1e4 per second for 1e-3 s */
    {W B "servo { body = b, axis = 'x', strain_rate = 1e4, size = 1 }", 2, "servo.size",
     "the wall has moved by 10 m, expected less than the size 1 m of the sample"},
};

static void mistakes_are_told(void **state)
{
    (void)state;
    expect_mistakes(mistakes, sizeof mistakes / sizeof mistakes[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wall_holds_its_stress_and_its_rate),
        cmocka_unit_test(a_moved_wall_does_work),
        cmocka_unit_test(a_free_wall_is_damped_and_limited),
        cmocka_unit_test(a_resumed_run_has_the_same_bits),
        cmocka_unit_test(mistakes_are_told),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
