/*
 * Recorded systems: rows, velocities, series and events where they should be, and resumed runs that give the
 * same bits as uninterrupted ones, for every scheme.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/run_files.h"
#include "support/close.h"

#include <math.h>

/* a driven point between a bowl and a lid that moves, with random numbers, state, events and reports */
#define BUSY                                                                                                 \
    "local p = system { q = {0.3, 0.5}, u = {1, -1}, h = 0.01, t_end = 2, scheme = param('scheme', "         \
    "'moreau'),\n"                                                                                           \
    "  record = { every = 0.03, series = 0.05 }, mass = {2, 1}, restitution = {0.4, 0.4}, theta = 0.75, "    \
    "stiffness_contact = 1e5,\n"                                                                             \
    "  force = function(t, q, u) return { -3 * q[1] - 0.1 * u[1], -10 + math.sin(7 * t) } end,\n"            \
    "  potential = function(t, q) return 1.5 * q[1]^2 + 10 * q[2] end,\n"                                    \
    "  gaps = { function(t, q) return q[2] - 0.2 * q[1]^2 end,\n"                                            \
    "    function(t, q) return 0.7 - 0.1 * math.cos(5 * t) - q[2] end } }\n"                                 \
    "state.sum = 0\n"                                                                                        \
    "on_step(function(t) state.sum = state.sum + math.random() * p.q[1] end)\n"                              \
    "at(0.55, function() report('half', p.q[1]) plot { curves = { { x = {1}, y = {p.u[1]} } } } end)\n"      \
    "observe('noise', function(t) return math.random() end)\n"                                               \
    "observe('loss', function(t) return p.energy.loss end)\n"                                                \
    "at_end(function(q, u) report('sum', state.sum) report('q', q) report('u', u) report('e', "              \
    "p.energy.work)\n"                                                                                       \
    "  report('worst', p.residual) end)\n"

static void run_busy(const char *scheme, double until, int output, int resume, outcome *o)
{
    run_piece(BUSY, "scheme", scheme, until, output, resume, o);
}

static void expect_same_result(const outcome *a, const outcome *b)
{
    expect_same_point(a, b);
    assert_memory_equal(a->result.u, b->result.u, 2 * sizeof(double));
    assert_int_equal(a->result.system.steps, b->result.system.steps);
    assert_int_equal(a->result.system.impacts, b->result.system.impacts);
    assert_memory_equal(&a->result.system.energy, &b->result.system.energy, sizeof a->result.system.energy);
}

/* neither a row of the path nor one of the series is due at these ends: their observers draw numbers that
   nobody else sees */
static void ends_between_rows_change_nothing(void **state)
{
    (void)state;
    outcome whole, part;
    run_busy("moreau", -1, WHOLE, -1, &whole);
    run_busy("moreau", 0.64, PARTS, -1, &part);
    outcome_free(&part);
    run_busy("moreau", 1.21, -1, PARTS, &part);
    outcome_free(&part);
    for (int again = 0; again < 2; again++) {
        run_busy("moreau", -1, -1, PARTS, &part);
        expect_same_result(&whole, &part);
        outcome_free(&part);
        expect_same_series(WHOLE, PARTS);
    }
    outcome_free(&whole);
}

static void pieces_give_the_same_bits(void **state)
{
    (void)state;
    static const char *const schemes[] = {
        "moreau",    "moreau-jean", "paoli-schatzman", "mabrouk", "bernicot-lefebvre", "event-driven",
        "compliant", "alpha"};
    for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
        outcome whole, part;
        run_busy(schemes[i], -1, WHOLE, -1, &whole);
        assert_string_equal(whole.result.solver_name, schemes[i]);
        /* stops where rows of the path and the series are due, so that the files hold the same */
        run_busy(schemes[i], 0.6, PARTS, -1, &part);
        outcome_free(&part);
        run_busy(schemes[i], 1.5, -1, PARTS, &part);
        assert_int_equal(part.result.system.steps, 150);
        outcome_free(&part);
        run_busy(schemes[i], -1, PARTS, PARTS, &part);
        expect_same_result(&whole, &part);
        expect_same_paths(WHOLE, PARTS);
        outcome_free(&part);
        outcome_free(&whole);
    }
}

static void an_interrupted_run_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    outcome whole, part;
    run_busy("moreau", -1, WHOLE, -1, &whole);
    run_until_interrupt(BUSY, 77, PARTS, &part);
    outcome_free(&part);
    run_busy("moreau", -1, -1, PARTS, &part);
    expect_same_result(&whole, &part);
    expect_same_paths(WHOLE, PARTS);
    outcome_free(&part);
    outcome_free(&whole);
}

/* the event of a start that is not admissible comes once, also in a run that was stopped before its first
 * step */
static void the_event_of_the_start_comes_once(void **state)
{
    (void)state;
    outcome o;
    const char *text = "system { q = 0, u = -1, h = 0.5, t_end = 1, scheme = 'moreau', restitution = 1,\n"
                       "  gaps = { function(t, q) return q[1] end } }";
    for (int part = 0; part < 2; part++) {
        scene_options options = text_options(text, &o);
        options.output = part == 0 ? path_of(WHOLE) : NULL;
        options.resume = part == 1 ? path_of(WHOLE) : NULL;
        options.steps = part == 0 ? 0 : -1;
        run_options(&options, &o);
        assert_string_equal(o.err.message, "");
        if (part == 1) {
            const char *first = strstr(o.result.events_json, "\"impact\"");
            assert_non_null(first);
            assert_null(strstr(first + 1, "\"impact\""));
            assert_close(o.result.q[0], 1, 1e-15);
        }
        outcome_free(&o);
    }
}

static void rows_and_events_are_where_they_should_be(void **state)
{
    (void)state;
    outcome o;
    scene_options options =
        text_options("system { q = {1, 0}, u = {-1, 2}, h = 0.25, t_end = 2, scheme = 'mabrouk',\n"
                     "  restitution = 0.5, gaps = { function(t, q) return q[1] end } }\n"
                     "observe('ten', function(t) return 10 * t end)",
                     &o);
    options.output = path_of(WHOLE);
    run_options(&options, &o);
    assert_string_equal(o.err.message, "");
    outcome_free(&o);
    mo_run *run;
    mo_error err;
    mo_run_path path;
    mo_run_events events;
    assert_int_equal(mo_run_open(path_of(WHOLE), &run, &err), MO_OK);
    const mo_run_info *info = mo_run_info_get(run);
    assert_string_equal(info->kind, "system");
    assert_string_equal(info->solver, "mabrouk");
    assert_true(info->velocities);
    assert_int_equal(info->coordinates, 2);
    assert_int_equal(info->multipliers, 1);
    assert_int_equal(mo_run_path_get(run, &path, &err), MO_OK);
    assert_int_equal(path.rows, 9);
    for (int k = 0; k <= 8; k++) {
        assert_close(path.x[2 * k], k <= 4 ? 1 - 0.25 * k : 0.125 * (k - 4), 1e-15);
        assert_close(path.x[2 * k + 1], 0.5 * k, 1e-15);
        assert_close(path.u[2 * k], k < 4 ? -1 : 0.5, 1e-15);
        assert_close(path.lambda[k], k == 4 ? 1.5 : 0, 1e-15);
    }
    assert_int_equal(mo_run_events_get(run, &events, &err), MO_OK);
    assert_int_equal(events.count, 3);
    assert_string_equal(events.type[1], "impact");
    assert_close(events.t[1], 1, 0);
    assert_close(events.size[1], 1.5, 1e-15);
    mo_run_close(run);
}

#define FIRST "system { q = {1}, u = {1}, h = 0.1, t_end = 2, scheme = 'moreau' }"

static void what_does_not_fit_is_refused(void **state)
{
    (void)state;
    expect_refusal(FIRST, "system { q = {1}, u = {1}, h = 0.2, t_end = 2, scheme = 'moreau' }", "h is 0.2");
    expect_refusal(FIRST, "system { q = {1}, u = {1}, h = 0.1, t_end = 2, scheme = 'mabrouk' }",
                   "the scheme is mabrouk in the scene and moreau in the file");
    expect_refusal(FIRST, "system { q = {1, 1}, u = {1, 1}, h = 0.1, t_end = 2, scheme = 'moreau' }",
                   "2 coordinates and 0 gaps");
    expect_refusal(
        FIRST,
        "system { q = 1, u = 1, h = 0.1, t_end = 2, scheme = 'moreau', gaps = { function() return 1 end } }",
        "1 coordinates and 1 gaps");
    expect_refusal(FIRST, "sweep { x = 1, h = 0.1, t_end = 2, set = interval { center = 0, radius = 9 } }",
                   "it is the run of a system");
    expect_refusal(FIRST, "world { dim = 2, h = 0.1, t_end = 2 }", "it is the run of a system");
    expect_refusal(FIRST, "system { q = {1}, u = {1}, h = 0.1, t_end = 2, scheme = 'moreau', tol = 1e-9 }",
                   "definition");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pieces_give_the_same_bits),
                                       cmocka_unit_test(ends_between_rows_change_nothing),
                                       cmocka_unit_test(an_interrupted_run_goes_on_with_the_same_bits),
                                       cmocka_unit_test(the_event_of_the_start_comes_once),
                                       cmocka_unit_test(rows_and_events_are_where_they_should_be),
                                       cmocka_unit_test(what_does_not_fit_is_refused)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
