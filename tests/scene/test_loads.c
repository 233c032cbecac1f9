/*
 * Loads that are given by functions, and set while the world runs; impulses.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/run_text.h"
#include "support/close.h"

/* loads become functions and numbers again; each is exact by the midpoint rule */
static void loads_by_functions_are_set(void **state)
{
    (void)state;
    outcome o;
    run_text("world { dim = 2, h = 0.01, t_end = 1 }\n"
             "local D = disc { radius = 1 }\n"
             "local a = body { shape = D, mass = 1, inertia = 1, position = {0, 9}, applied_torque = 2 }\n"
             "local b = body { shape = D, mass = 1, applied_force = function(t) return {t, 0} end }\n"
             "a.applied_force = function(t) return {0, 2 * t} end\n"
             "at(0.5, function() b.applied_force = {0, 1}\n"
             "  a.applied_torque = function(t) return -2 * t end end)\n"
             "at(0.75, function() a.applied_force = {1, 0} end)\n"
             "at_end(function() report('r', { a.velocity[1], a.velocity[2], a.spin, b.velocity[1],\n"
             "                                b.velocity[2] }) end)",
             &o);
    assert_int_equal(o.status, MO_OK);
    assert_string_equal(o.result.status, "ok");
    double r[5];
    assert_int_equal(
        sscanf(o.result.report_json, "{\"r\":[%lf,%lf,%lf,%lf,%lf]}", &r[0], &r[1], &r[2], &r[3], &r[4]), 5);
    const double expected[5] = {0.25, 0.5625, 1 - 0.75, 0.125, 0.5};
    for (int k = 0; k < 5; k++)
        assert_close(r[k], expected[k], 1e-12);
    outcome_free(&o);
}

/* an impulse has its entries under names too, and is an array all the same: 2 kg at rest, h g */
static void impulses_are_reported(void **state)
{
    (void)state;
    outcome o;
    run_text("world { dim = 2, h = 0.5, t_end = 1, gravity = {0, -8} }\n"
             "body { shape = halfplane { normal = {0, 1} }, fixed = true }\n"
             "body { shape = disc { radius = 1 }, mass = 2, position = {0, 1} }\n"
             "at_end(function() for c in contacts() do report('S', c.impulse) end\n"
             "  report('packed', table.pack(1, 2)) end)",
             &o);
    assert_int_equal(o.status, MO_OK);
    assert_string_equal(o.result.report_json, "{\"S\":[8.0,0.0],\"packed\":[1,2]}");
    outcome_free(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(loads_by_functions_are_set),
                                       cmocka_unit_test(impulses_are_reported)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
