/*
 * The run loop: numbers of steps, the order of callbacks, bodies and laws.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/run_text.h"
#include "support/close.h"

#include <math.h>

/* ---- steps -------------------------------------------------------------------------------------- */

static void steps_are_rounded(void **state)
{
    (void)state;
    static const struct {
        const char *world;
        int64_t steps;
    } cases[] = {{"h = 0.1, t_end = 1", 10},   {"h = 0.1, t_end = 0", 0},      {"h = 0.1, t_end = 0.96", 10},
                 {"h = 0.1, t_end = 0.94", 9}, {"h = 1e-3, t_end = 0.3", 300}, {"h = 1, t_end = 0.4", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[200];
        outcome o;
        snprintf(text, sizeof text, "world { dim = 2, %s }", cases[i].world);
        run_text(text, &o);
        expect_reached(&o);
        assert_int_equal(o.result.info.steps, cases[i].steps);
        assert_string_equal(o.result.kind, "world");
        assert_string_equal(o.result.solver_name, "auto");
        assert_string_equal(o.result.report_json, "{}");
        outcome_free(&o);
    }
}

static void until_and_steps_override(void **state)
{
    (void)state;
    outcome o;
    scene_options options = text_options(TEN_STEPS, &o);
    options.until = 0.5;
    run_options(&options, &o);
    expect_reached(&o);
    assert_int_equal(o.result.info.steps, 5);
    outcome_free(&o);
    options.steps = 3;
    run_options(&options, &o);
    assert_int_equal(o.result.info.steps, 3);
    assert_close(o.result.info.time, 0.3, 1e-15);
    outcome_free(&o);
    options.steps = -1;
    options.until = 2;
    run_options(&options, &o);
    assert_int_equal(o.result.info.steps, 20);
    outcome_free(&o);
}

static void callbacks_come_in_order(void **state)
{
    (void)state;
    outcome o;
    run_text(
        "world { dim = 2, h = 0.1, t_end = 0.3, record = { every = 0.1 } }\n"
        "local log = {}\n"
        "local function note(what, t) log[#log + 1] = t and string.format('%s%.1f', what, t) or what end\n"
        "at(0.1, function() note('B') end)\n"
        "at(0, function() note('A') end)\n"
        "at(0.1, function() note('C') end)\n"
        "on_step(function(t) note('s', t) end)\n"
        "on_step(function(t) note('S', t) end)\n"
        "stop_when(function(t) note('w', t) return false end)\n"
        "observe('x', function(t) note('o', t) return t end)\n"
        "at_end(function(...) note('end' .. select('#', ...)) report('log', table.concat(log, ' ')) end)",
        &o);
    expect_reached(&o);
    assert_string_equal(
        o.result.report_json,
        "{\"log\":\"o0.0 A s0.0 S0.0 w0.1 o0.1 B C s0.1 S0.1 w0.2 o0.2 s0.2 S0.2 w0.3 o0.3 end0\"}");
    outcome_free(&o);
}

/* what is due at the end of the last step is called there */
static void at_fires_before_the_first_step_that_is_due(void **state)
{
    (void)state;
    outcome o;
    run_text(TEN_STEPS "local t0\n"
                       "on_step(function(t) t0 = t end)\n"
                       "local fired = {}\n"
                       "for _, time in ipairs { 0.3, 0.25, 0.7000000000001, 1, 0.95, 1.05 } do\n"
                       "  at(time, function() fired[#fired + 1] = time fired[#fired + 1] = t0 end) end\n"
                       "at_end(function() report('fired', fired) end)",
             &o);
    expect_reached(&o);
    /* each with the start of the last step done before it */
    double v[10];
    assert_int_equal(sscanf(o.result.report_json, "{\"fired\":[%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf,%lf]}",
                            &v[0], &v[1], &v[2], &v[3], &v[4], &v[5], &v[6], &v[7], &v[8], &v[9]),
                     10);
    const double expected[] = {0.25, 0.2, 0.3, 0.2, 0.7, 0.6, 0.95, 0.9, 1, 0.9};
    for (int i = 0; i < 10; i++)
        assert_close(v[i], expected[i], 1e-9);
    outcome_free(&o);
    /* a last step that ends before t_end */
    run_text("world { dim = 2, h = 0.1, t_end = 0.94 }\nat(0.93, function() report('called', 1) end)", &o);
    expect_reached(&o);
    assert_string_equal(o.result.report_json, "{}");
    assert_non_null(strstr(o.said, "at(0.93, ...) was not called"));
    outcome_free(&o);
}

/* a first line for the shell, after a byte order mark too, and alone; lines keep their numbers */
static void first_line_may_be_for_the_shell(void **state)
{
    (void)state;
    outcome o;
    run_text("\xef\xbb\xbf#!/usr/bin/env -S moreau run\n" TEN_STEPS, &o);
    expect_reached(&o);
    outcome_free(&o);
    run_text("#!moreau\n" TEN_STEPS "body { shape = disc { radius = -1 }, density = 1 }", &o);
    assert_int_equal(o.status, MO_BAD_INPUT);
    assert_int_equal(o.err.line, 3);
    outcome_free(&o);
    run_text("#", &o);
    assert_int_equal(o.status, MO_BAD_INPUT);
    assert_non_null(strstr(o.err.message, "world"));
    outcome_free(&o);
}

static void stop_when_stops(void **state)
{
    (void)state;
    outcome o;
    run_text(TEN_STEPS "stop_when(function(t) return t > 0.35 end)", &o);
    expect_reached(&o);
    assert_int_equal(o.result.info.steps, 4);
    outcome_free(&o);
}

static void series_may_be_rarer_or_finer_than_frames(void **state)
{
    (void)state;
    static const struct {
        const char *record;
        const char *times;
    } cases[] = {{"every = 0.3", "0 3 6 9 10"},
                 {"every = 0.3, series = 0.5", "0 5 10"},
                 {"every = 1, series = 0.2", "0 2 4 6 8 10"},
                 {"every = 0.001", "0 1 2 3 4 5 6 7 8 9 10"},
                 {"every = 0.25", "0 2 5 7 10"},
                 {"every = 5", "0 10"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[500];
        outcome o;
        snprintf(text, sizeof text,
                 "world { dim = 2, h = 0.1, t_end = 1, record = { %s } }\n"
                 "local s = {}\n"
                 "observe('x', function(t) s[#s + 1] = math.floor(t / 0.1 + 0.5) return 0 end)\n"
                 "at_end(function() check('times', table.concat(s, ' ') == '%s', table.concat(s, ' ')) end)",
                 cases[i].record, cases[i].times);
        run_text(text, &o);
        expect_reached(&o);
        outcome_free(&o);
    }
}

static int progress_calls;
static void note_progress(void *data, const scene_progress *p)
{
    (void)data;
    progress_calls++;
    assert_int_equal(p->step, progress_calls);
    assert_int_equal(p->steps, 10);
    assert_close(p->time, 0.1 * progress_calls, 1e-14);
    assert_close(p->t_end, 1, 1e-14);
}

static void progress_is_told_after_each_step(void **state)
{
    (void)state;
    outcome o;
    scene_options options = text_options(TEN_STEPS, &o);
    options.progress = note_progress;
    progress_calls = 0;
    run_options(&options, &o);
    expect_reached(&o);
    assert_int_equal(progress_calls, 10);
    outcome_free(&o);
}

/* ---- bodies ------------------------------------------------------------------------------------- */

/* free flight is exact for the midpoint scheme (M99 §8.3, Remark 1) */
static void a_body_flies(void **state)
{
    (void)state;
    outcome o;
    run_text(
        "world { dim = 2, h = 0.01, t_end = 1, gravity = {0, -10} }\n"
        "local b = body { shape = rectangle { 2, 1 }, density = 3, position = {1, 2}, velocity = {3, 4}, "
        "spin = 2,\n"
        "                 name = 'brick', group = 'bricks', angle = 0.25 }\n"
        "check('start', b.position[1] == 1 and b.velocity[2] == 4 and b.spin == 2 and b.angle == 0.25)\n"
        "check('mass', b.mass == 6 and math.abs(b.inertia - 6 * 5 / 12) < 1e-12)\n"
        "check('names', b.name == 'brick' and b.group == 'bricks' and b.kind == 'dynamic' and b.id == 1 and "
        "b.exists)\n"
        "at_end(function() report('b', { b.position[1], b.position[2], b.velocity[2], b.angle }) end)",
        &o);
    expect_reached(&o);
    double x, y, v, a;
    assert_int_equal(sscanf(o.result.report_json, "{\"b\":[%lf,%lf,%lf,%lf]}", &x, &y, &v, &a), 4);
    assert_close(x, 4, 1e-12);
    assert_close(y, 1, 1e-12);
    assert_close(v, -6, 1e-12);
    assert_close(a, 2.25, 1e-12);
    outcome_free(&o);
}

static void loads_and_setting(void **state)
{
    (void)state;
    outcome o;
    run_text("world { dim = 2, h = 0.01, t_end = 1 }\n"
             "local a = body { shape = disc { radius = 1 }, mass = 2, applied_force = {4, 0} }\n"
             "local b = body { shape = disc { radius = 1 }, mass = 2, inertia = 3, position = {0, 9},\n"
             "                 applied_force = function(t) return { 2 * t, 0 } end, applied_torque = 6 }\n"
             "local c = body { shape = disc { radius = 1 }, mass = 1, position = {0, 20}, free = { 'x' } }\n"
             "at(0.5, function() a.applied_force = {0, 0} c.velocity = {1, 0} end)\n"
             "at_end(function() report('r', { a.velocity[1], b.velocity[1], b.spin, c.position[1] }) end)",
             &o);
    expect_reached(&o);
    double a, b, spin, c;
    assert_int_equal(sscanf(o.result.report_json, "{\"r\":[%lf,%lf,%lf,%lf]}", &a, &b, &spin, &c), 4);
    assert_close(a, 1, 1e-12);
    /* the integral of t, by the midpoint rule: exact */
    assert_close(b, 0.5, 1e-12);
    assert_close(spin, 2, 1e-12);
    assert_close(c, 0.5, 1e-12);
    outcome_free(&o);
}

static void contacts_and_measures(void **state)
{
    (void)state;
    outcome o;
    run_text(
        "world { dim = 2, h = 1e-3, t_end = 0.1, gravity = {0, -10} }\n"
        "law { friction = 0.5 }\n"
        "local floor = body { shape = halfplane { normal = {0, 2}, offset = 0 }, fixed = true, group = "
        "'floor' }\n"
        "local box = body { shape = rectangle { 1, 1 }, density = 2, position = {0, 0.5} }\n"
        "at_end(function()\n"
        "  local n, sum, seen = 0, 0, {}\n"
        "  for c in contacts() do\n"
        "    n = n + 1 sum = sum + c.impulse.n seen[c.body2] = true\n"
        "    check('pair', c.body1 == floor and c.body2 == box and c.normal[2] == -1)\n"
        "    check('same', c.impulse[1] == c.impulse.n and c.impulse[2] == c.impulse.t and c.status == "
        "'stick')\n"
        "    check('place', math.abs(math.abs(c.point[1]) - 0.5) < 1e-9 and math.abs(c.gap) < 1e-9 and "
        "c.friction == 0.5)\n"
        "  end\n"
        "  check('count', n == 2 and measure.contact_count() == 2 and measure.sliding_count() == 0 and "
        "seen[box])\n"
        "  check('weight', math.abs(sum - 2 * 10 * 1e-3) < 1e-9, tostring(sum))\n"
        "  check('force', math.abs(box.force[2] - 20) < 1e-6 and math.abs(measure.force_on(floor)[2] + 20) < "
        "1e-6)\n"
        "  check('energy', measure.kinetic_energy() < 1e-12 and math.abs(measure.potential_energy() - 10) < "
        "1e-6)\n"
        "  local e = measure.energy()\n"
        "  check('energies', e.kinetic == measure.kinetic_energy() and e.potential == "
        "measure.potential_energy() "
        "and math.abs(e.kinetic + e.potential + e.dissipated_friction + e.dissipated_impact - "
        "e.work_external - "
        "10 - e.balance_error) < 1e-12 and math.abs(e.balance_error) < 1e-12)\n"
        "  check('fraction', math.abs(measure.solid_fraction { min = {-1, 0}, max = {1, 1} } - 0.5) < 1e-6)\n"
        "  check('stress', #measure.stress() == 2 and #measure.stress()[1] == 2)\n"
        "  check('coordination', measure.coordination() == 2 and measure.max_penetration() < 1e-9)\n"
        "end)",
        &o);
    expect_reached(&o);
    assert_int_equal(o.result.info.bodies, 2);
    outcome_free(&o);
}

/* what callbacks give before the first step is work beside the row of t = 0, as it is later: 2 kg at 3 m/s,
   and 2 kg at 1 m/s that come along */
static void what_is_set_at_the_start_is_work(void **state)
{
    (void)state;
    outcome o;
    run_text("world { dim = 2, h = 0.125, t_end = 1 }\n"
             "local b = body { shape = disc { radius = 0.1 }, mass = 2 }\n"
             "at(0, function()\n"
             "  body { shape = disc { radius = 0.1 }, mass = 2, position = {0, 3}, velocity = {1, 0} } end)\n"
             "on_step(function(t) if t == 0 then b.velocity = {3, 0} end end)\n"
             "at_end(function() local e = measure.energy()\n"
             "  check('work', e.work_external == 10 and e.kinetic == 10 and e.balance_error == 0) end)",
             &o);
    expect_reached(&o);
    outcome_free(&o);
}

/* the weight of the upper box passes through the cut between the two */
static void a_cut_carries_the_weight_above(void **state)
{
    (void)state;
    outcome o;
    run_text("world { dim = 2, h = 1e-3, t_end = 0.1, gravity = {0, -10} }\n"
             "body { shape = halfplane { normal = {0, 1} }, fixed = true }\n"
             "for i = 0, 1 do body { shape = rectangle { 1, 1 }, density = 2, position = {0, 0.5 + i} } end\n"
             "at_end(function() report('cut', measure.resultant { point = {0, 1}, normal = {0, 1} }) end)",
             &o);
    expect_reached(&o);
    double x, y;
    assert_int_equal(sscanf(o.result.report_json, "{\"cut\":[%lf,%lf]}", &x, &y), 2);
    assert_close(x, 0, 1e-6);
    assert_close(y, -20, 1e-6);
    outcome_free(&o);
}

static void bodies_come_and_go(void **state)
{
    (void)state;
    outcome o;
    run_text(TEN_STEPS "local first = body { shape = disc { radius = 0.1 }, density = 1 }\n"
                       "local n = 0\n"
                       "on_step(function(t) n = n + 1\n"
                       "  local b = body { shape = disc { radius = 0.1 }, density = 1, position = {n, 0},\n"
                       "                   applied_force = function(t) return {0, 0} end }\n"
                       "  if n % 2 == 0 then remove(b) check('gone', not b.exists) end end)\n"
                       "at(0.5, function() remove(first) end)",
             &o);
    expect_reached(&o);
    assert_int_equal(o.result.info.bodies, 5);
    outcome_free(&o);
}

/* absent keys of a pair follow the default pair, also when that comes later */
static void laws_follow_the_default(void **state)
{
    (void)state;
    outcome o;
    run_text("world { dim = 2, h = 1e-3, t_end = 0.01, gravity = {0, -10} }\n"
             "law { between = {'a', 'floor'}, restitution = 0.5 }\n"
             "law { friction = 0.75 }\n"
             "body { shape = halfplane { normal = {0, 1}, offset = 0 }, fixed = true, group = 'floor' }\n"
             "body { shape = rectangle { 1, 1 }, density = 2, position = {0, 0.5}, group = 'a' }\n"
             "at_end(function() for c in contacts() do report('mu', c.friction) end end)",
             &o);
    expect_reached(&o);
    assert_string_equal(o.result.report_json, "{\"mu\":0.75}");
    outcome_free(&o);
}

/* keys of laws beyond friction: what a pair does not give it takes from the default pair */
static void laws_have_more_keys(void **state)
{
    (void)state;
    outcome o;
    /* pulled with 2 N: c holds the first, glue the second after a push, nothing the third */
    run_text("world { dim = 2, h = 1e-3, t_end = 0.2 }\n"
             "law { friction = 0.2, static_friction = 0.3, cohesion = 3 }\n"
             "law { between = {'b', 'floor'}, cohesion = 0, gluey = true }\n"
             "law { between = {'c', 'floor'}, cohesion = 0, friction = 0.9 }\n"
             "law { between = {'d', 'floor'}, threshold = 1, cohesion = 0 }\n"
             "body { shape = halfplane { normal = {0, 1}, offset = 0 }, fixed = true, group = 'floor' }\n"
             "local y = {}\n"
             "for i, g in ipairs { 'a', 'b', 'c' } do y[i] = body { shape = disc { radius = 0.1 }, mass = 1, "
             "group = g, position = {i, 0.1}, applied_force = {0, -2} } end\n"
             "local d = body { shape = rectangle { 1, 0.1 }, mass = 1, group = 'd', position = {5, 0.05}, "
             "applied_force = {0, -9}, velocity = {1, 0} }\n"
             "at(0.1, function() for i = 1, 3 do y[i].applied_force = {0, 1} end end)\n"
             "at_end(function() report('v', { y[1].velocity[2], y[2].velocity[2], y[3].velocity[2] })\n"
             "report('slid', d.velocity[1]) end)",
             &o);
    expect_reached(&o);
    double v[3], slid;
    assert_int_equal(
        sscanf(o.result.report_json, "{\"v\":[%lf,%lf,%lf],\"slid\":%lf", &v[0], &v[1], &v[2], &slid), 4);
    assert_close(v[0], 0, 1e-9);
    assert_close(v[1], 0, 1e-9);
    assert_close(v[2], 0.1, 1e-3);
    /* two corners, 1 N each */
    assert_close(slid, 1 - 0.2 * 2, 1e-6);
    outcome_free(&o);
}

/* the heap slides along the rail's axis, not across */
static void friction_may_have_an_axis(void **state)
{
    (void)state;
    outcome o;
    run_text("world { dim = 3, h = 1e-3, t_end = 0.5, gravity = {2, 0, -10} }\n"
             "law { friction2 = 0.9, axis = {1, 1, 0} }\n"
             "body { shape = plane { normal = {0, 0, 1}, offset = 0 }, fixed = true }\n"
             "local b = body { shape = box { 0.4, 0.4, 0.02 }, mass = 1, position = {0, 0, 0.01} }\n"
             "at_end(function() report('v', { b.velocity[1], b.velocity[2] }) end)",
             &o);
    expect_reached(&o);
    double v[2];
    assert_int_equal(sscanf(o.result.report_json, "{\"v\":[%lf,%lf", &v[0], &v[1]), 2);
    assert_close(v[0], 0.5, 1e-6);
    assert_close(v[1], 0.5, 1e-6);
    outcome_free(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_rounded),
        cmocka_unit_test(until_and_steps_override),
        cmocka_unit_test(callbacks_come_in_order),
        cmocka_unit_test(at_fires_before_the_first_step_that_is_due),
        cmocka_unit_test(first_line_may_be_for_the_shell),
        cmocka_unit_test(stop_when_stops),
        cmocka_unit_test(series_may_be_rarer_or_finer_than_frames),
        cmocka_unit_test(progress_is_told_after_each_step),
        cmocka_unit_test(a_body_flies),
        cmocka_unit_test(loads_and_setting),
        cmocka_unit_test(contacts_and_measures),
        cmocka_unit_test(what_is_set_at_the_start_is_work),
        cmocka_unit_test(a_cut_carries_the_weight_above),
        cmocka_unit_test(bodies_come_and_go),
        cmocka_unit_test(laws_follow_the_default),
        cmocka_unit_test(laws_have_more_keys),
        cmocka_unit_test(friction_may_have_an_axis),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
