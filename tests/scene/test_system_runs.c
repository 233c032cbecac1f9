/*
 * system{...}: energies, the handle, callbacks, trials, and how a run ends.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/run_system.h"
#include "support/close.h"

#include <math.h>

/* ---- energies, handle, callbacks --------------------------------------------------------------------- */

static void energies_add_up(void **state)
{
    (void)state;
    outcome o;
    run_ok(
        "local g = 8\n"
        "local p = system { q = {1}, u = {0}, mass = {2}, h = 1/64, t_end = 2, scheme = 'moreau', "
        "restitution = 0.5,\n"
        "  force = function(t, q) return {-2 * g} end, potential = function(t, q) return 2 * g * q[1] end,\n"
        "  gaps = { function(t, q) return q[1] end } }\n"
        "assert(p.energy.potential == 16 and p.energy.kinetic == 0 and p.energy.loss == 0)\n"
        "at_end(function(q, u)\n"
        "  local e = p.energy\n"
        "  check('kinetic', math.abs(e.kinetic - u[1]^2) < 1e-14)\n"
        "  check('potential', math.abs(e.potential - 16 * q[1]) < 1e-13)\n"
        "  check('balance', math.abs(e.kinetic + e.potential + e.loss - e.work - 16 - e.balance_error) < "
        "1e-13)\n"
        "  check('error', math.abs(e.balance_error) < 1e-13)\n"
        "  check('lost', e.loss > 10 and math.abs(e.work) < 1e-13 and p.impacts > 1)\n"
        "end)",
        &o);
    outcome_free(&o);
}

static void the_handle_tells(void **state)
{
    (void)state;
    outcome o;
    run_ok(
        "local p = system { q = {1, 0}, u = {-1, 2}, h = 0.25, t_end = 2, scheme = 'mabrouk', restitution = "
        "0.5,\n"
        "  gaps = { function(t, q) return q[1] end, function(t, q) return 10 - q[2] end } }\n"
        "assert(p.t == 0 and p.h == 0.25 and p.steps == 0 and p.q[1] == 1 and p.u[2] == 2)\n"
        "assert(tostring(p) == 'system' and p.scheme == 'mabrouk' and #p.lambda == 2 and p.gaps[2] == 10)\n"
        "local hit\n"
        "on_step(function(t) if p.lambda[1] > 0 then hit = {p.t, p.lambda[1], p.active} end end)\n"
        "observe('speed', function(t) return p.u[1] end)\n"
        "stop_when(function(t) return p.u[1] > 0 and p.q[1] >= 0.375 end)\n"
        "at_end(function(q, u, more)\n"
        "  assert(more == nil and #q == 2 and q[1] == p.q[1] and u[2] == 2)\n"
        "  report('hit', hit) report('events', #p.events) report('t', p.t)\n"
        "  report('type', p.events[2].type) report('gap', p.events[2].gaps[1])\n"
        "  report('size', p.events[2].size)\n"
        "  assert(p.violation == 0 and p.residual < 1e-15 and p.unconverged_steps == 0)\n"
        "  assert(p.impacts == 1 and p.accumulations == 0 and p.largest_gain == 0 and p.independence >= 0)\n"
        "end)",
        &o);
    /* q = 0 at t = 1, where u turns to 0.5 by an impulse of 1.5; q1 = 0.375 at t = 1.75 */
    assert_non_null(strstr(o.result.report_json, "\"hit\":[1.0,1.5,1]"));
    assert_non_null(strstr(o.result.report_json, "\"t\":1.75"));
    assert_non_null(strstr(o.result.report_json, "\"type\":\"impact\",\"gap\":1,\"size\":1.5"));
    assert_string_equal(o.result.events_json, "[{\"t\":1.0,\"type\":\"contact\",\"gaps\":[1],\"size\":0.0},"
                                              "{\"t\":1.0,\"type\":\"impact\",\"gaps\":[1],\"size\":1.5},"
                                              "{\"t\":1.25,\"type\":\"release\",\"gaps\":[1],\"size\":0.0}]");
    outcome_free(&o);
}

/* a start that points out of the feasible set is turned by the law of impact, and told */
static void an_inadmissible_start_is_an_event(void **state)
{
    (void)state;
    outcome o;
    run_ok("local p = system { q = 0, u = -4, h = 0.25, t_end = 1, scheme = 'mabrouk', restitution = 0.25,\n"
           "  gaps = { function(t, q) return q[1] end } }\n"
           "assert(p.u[1] == 1)",
           &o);
    assert_close(o.result.q[0], 1, 1e-15);
    assert_non_null(
        strstr(o.result.events_json, "[{\"t\":0.0,\"type\":\"impact\",\"gaps\":[1],\"size\":5.0}"));
    outcome_free(&o);
}

static void trials_of_both_kinds(void **state)
{
    (void)state;
    outcome o;
    run_ok(
        "local gaps_list = { function(t, q) return q[1] end }\n"
        "local a = trial { q = 1, u = -1, h = 0.01, t_end = 2, scheme = 'moreau', gaps = gaps_list }\n"
        "assert(a.steps == 200 and a.status == 'ok' and a.qs == nil and a.impacts == 1 and a.x == nil)\n"
        "assert(math.abs(a.q[1]) < 0.01 and math.abs(a.u[1]) < 1e-14 and #a.lambda == 1 and #a.gaps == 1)\n"
        "assert(math.abs(a.energy.loss - 0.5) < 1e-14 and a.violation < 0.01 and #a.events > 0)\n"
        "assert(a.unconverged_steps == 0 and a.t == 2)\n"
        "local b = trial { q = {1, 2}, u = {0, 1}, h = 0.5, t_end = 1, scheme = 'moreau', keep = true }\n"
        "assert(#b.ts == 3 and #b.qs == 3 and #b.us == 3 and b.qs[3][2] == 3 and b.us[1][2] == 1 and b.ts[2] "
        "== 0.5)\n"
        "local c = trial { x = 0, h = 0.5, t_end = 1, set = interval { center = function(t) return t end, "
        "radius = 0.5 } }\n"
        "assert(c.x[1] == 0.5 and c.q == nil)\n"
        "local d = trial { q = 0, u = 1, h = 0.5, t_end = 1, scheme = 'moreau', gaps = {\n"
        "  function(t, q) return q[1] + 1 end, function(t, q) return t > 0.1 and 0/0 or 1 end } }\n"
        "assert(d.status:find('gap') and d.steps == 0)\n"
        "system { q = 1, u = 0, h = 1, t_end = 1, scheme = 'alpha' == '' and '' or 'moreau' }",
        &o);
    outcome_free(&o);
}

/* ---- how runs end ------------------------------------------------------------------------------------- */

typedef struct trouble {
    const char *keys, *message;
} trouble;

/* the run ends where the step cannot be made, and says why: exit status 1, not an error of the scene */
static void what_cannot_be_computed_ends_the_run(void **state)
{
    (void)state;
    static const trouble troubles[] = {
        {"force = function(t, q, u) return t > 0.45 and 0/0 or 0 end", "force"},
        {"force = function(t, q, u) return 1e308 * 10 ^ (100 * t) end", "force"},
        {"mass = function(t, q) return 0.45 - t end", "not positive definite"},
        {"mass = function(t, q) return t > 0.45 and 1/0 or 1 end", "mass"},
        {"gaps = { function(t, q) return t > 0.45 and 0/0 or 1 end }", "gap"},
        {"potential = function(t, q) return t > 0.45 and 0/0 or 1 end", "potential"},
        /* two walls that close in on the point until there is no room */
        {"scheme = 'bernicot-lefebvre', gaps = { function(t, q) return q[1] - 0.5 * t end,\n"
         "  function(t, q) return 0.2 - 0.25 * t - q[1] end }",
         ""},
        /* a gap that holds but does not push */
        {"gaps = { function(t, q) return 0.5 - t end }", "gradient"},
        {"gaps = { function(t, q) return 1 - q[1] end }, u = 4, restitution = function(t, q) return t > 0 "
         "and 2 or 0 end",
         "restitution"}};
    for (size_t i = 0; i < sizeof troubles / sizeof troubles[0]; i++) {
        char text[500];
        outcome o;
        const char *scheme = strstr(troubles[i].keys, "scheme") == NULL ? "scheme = 'moreau', " : "";
        const char *speed = strstr(troubles[i].keys, "u = 4") == NULL ? "u = 0, " : "";
        snprintf(text, sizeof text,
                 "system { q = 0.1, %s%sh = 0.1, t_end = 2, %s }\nat_end(function() error('no') end)", speed,
                 scheme, troubles[i].keys);
        run_text(text, &o);
        if (o.status != MO_OK || o.result.reached || strstr(o.result.status, troubles[i].message) == NULL)
            print_error("%s\n%s %s\n", text, o.err.message, o.result.status);
        assert_int_equal(o.status, MO_OK);
        assert_false(o.result.reached);
        assert_non_null(strstr(o.result.status, troubles[i].message));
        assert_true(o.result.info.steps < 20);
        outcome_free(&o);
    }
}

static void missed_tolerances_are_told(void **state)
{
    (void)state;
    outcome o;
    run_text("system { q = 0, u = 1, h = 0.5, t_end = 1, scheme = 'moreau-jean', max_iter = 1,\n"
             "  force = function(t, q, u) return -3 * u[1]^3 end }",
             &o);
    assert_int_equal(o.status, MO_OK);
    assert_false(o.result.reached);
    assert_non_null(strstr(o.result.status, "steps did not reach the tolerance"));
    assert_true(o.result.system.unconverged_steps > 0);
    assert_int_equal(o.result.info.steps, 2);
    outcome_free(&o);
}

static void until_and_steps_count(void **state)
{
    (void)state;
    outcome o;
    scene_options options =
        text_options("system { q = 0, u = 1, h = 0.25, t_end = 3, scheme = 'moreau' }", &o);
    options.until = 0.5;
    run_options(&options, &o);
    assert_close(o.result.q[0], 0.5, 1e-15);
    outcome_free(&o);
    options.until = -1;
    options.steps = 7;
    run_options(&options, &o);
    assert_close(o.result.q[0], 1.75, 1e-15);
    outcome_free(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(energies_add_up),
                                       cmocka_unit_test(the_handle_tells),
                                       cmocka_unit_test(an_inadmissible_start_is_an_event),
                                       cmocka_unit_test(trials_of_both_kinds),
                                       cmocka_unit_test(what_cannot_be_computed_ends_the_run),
                                       cmocka_unit_test(missed_tolerances_are_told),
                                       cmocka_unit_test(until_and_steps_count)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
