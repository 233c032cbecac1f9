/*
 * Recorded sweeps: rows, series and events where they should be, and resumed runs that give the same bits as
 * uninterrupted ones.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/run_files.h"
#include "support/close.h"

#include <math.h>

/* a point between things that move, with random numbers, state, events and reports on the way */
#define BUSY                                                                                                 \
    "local p = sweep { x = {0, 0.5}, h = 0.01, t_end = 2, method = param('method', 'catching-up'),\n"        \
    "  record = { every = 0.03, series = 0.05 },\n"                                                          \
    "  field = function(t, x) return { -0.3 * x[2], 0.3 * x[1] } end,\n"                                     \
    "  set = intersection { ball { center = function(t) return {math.sin(3 * t), 0} end, radius = 1 },\n"    \
    "    gaps { function(t, x) return x[2] + 0.2 + 0.5 * math.cos(5 * t) + 0.1 * x[1]^2 end } } }\n"         \
    "state.sum = 0\n"                                                                                        \
    "on_step(function(t) state.sum = state.sum + math.random() * p.x[1] end)\n"                              \
    "at(0.55, function() report('half', p.x[1]) plot { curves = { { x = {1}, y = {p.x[1]} } } } end)\n"      \
    "observe('noise', function(t) return math.random() end)\n"                                               \
    "observe('length', function(t) return p.path_length end)\n"                                              \
    "at_end(function(x) report('sum', state.sum) report('x', x) report('ret', p.retraction) end)\n"

static void run_busy(const char *method, double until, int output, int resume, outcome *o)
{
    run_piece(BUSY, "method", method, until, output, resume, o);
}

static void expect_same_result(const outcome *a, const outcome *b)
{
    expect_same_point(a, b);
    assert_int_equal(a->result.sweep.steps, b->result.sweep.steps);
    assert_true(a->result.sweep.path_length == b->result.sweep.path_length);
    assert_true(a->result.sweep.retraction == b->result.sweep.retraction);
}

static void pieces_give_the_same_bits(void **state)
{
    (void)state;
    static const char *const methods[] = {"catching-up", "theta", "penalty", "lazy", "event-driven"};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        outcome whole, part;
        run_busy(methods[i], -1, WHOLE, -1, &whole);
        assert_string_equal(whole.result.solver_name, methods[i]);
        /* stops where rows of the path and the series are due, so that the files hold the same */
        run_busy(methods[i], 0.6, PARTS, -1, &part);
        outcome_free(&part);
        run_busy(methods[i], 1.5, -1, PARTS, &part);
        assert_int_equal(part.result.sweep.steps, 150);
        outcome_free(&part);
        run_busy(methods[i], -1, PARTS, PARTS, &part);
        expect_same_result(&whole, &part);
        expect_same_paths(WHOLE, PARTS);
        outcome_free(&part);
        outcome_free(&whole);
    }
}

/* between rows; nothing in the file tells afterwards that it happened */
static void an_interrupted_run_goes_on_with_the_same_bits(void **state)
{
    (void)state;
    outcome whole, part;
    run_busy("catching-up", -1, WHOLE, -1, &whole);
    run_until_interrupt(BUSY, 77, PARTS, &part);
    outcome_free(&part);
    /* into a file of its own, whose first row is the point taken over */
    run_busy("catching-up", -1, OTHER, PARTS, &part);
    expect_same_result(&whole, &part);
    outcome_free(&part);
    mo_run *run;
    mo_error err;
    assert_int_equal(mo_run_open(path_of(OTHER), &run, &err), MO_OK);
    assert_close(mo_run_times(run)[0], 0.77, 1e-14);
    assert_close(mo_run_times(run)[1], 0.78, 1e-14);
    mo_run_close(run);
    /* the first file goes on too */
    run_busy("catching-up", -1, -1, PARTS, &part);
    expect_same_result(&whole, &part);
    expect_same_paths(WHOLE, PARTS);
    outcome_free(&part);
    outcome_free(&whole);
}

/* rows of an error's run are there, and it goes on from the last checkpoint once it is mended */
static void an_error_keeps_the_rows(void **state)
{
    (void)state;
    outcome o, whole;
    scene_options options = text_options(BUSY "local bad = true\n"
                                              "on_step(function(t) if t > 1.2 then error('enough') end end)",
                                         &o);
    options.output = path_of(PARTS);
    run_options(&options, &o);
    assert_int_equal(o.status, MO_BAD_INPUT);
    assert_int_equal(o.result.sweep.steps, 121);
    outcome_free(&o);
    mo_run *run;
    mo_error err;
    mo_run_path path;
    assert_int_equal(mo_run_open(path_of(PARTS), &run, &err), MO_OK);
    assert_int_equal(mo_run_path_get(run, &path, &err), MO_OK);
    assert_int_equal(path.rows, 41);
    assert_close(path.t[40], 1.2, 1e-14);
    assert_non_null(strstr(mo_run_info_get(run)->status, "enough"));
    mo_run_close(run);
    run_busy("catching-up", -1, WHOLE, -1, &whole);
    run_busy("catching-up", -1, -1, PARTS, &o);
    assert_non_null(strstr(o.said, "not the one"));
    expect_same_result(&whole, &o);
    expect_same_paths(WHOLE, PARTS);
    outcome_free(&o);
    outcome_free(&whole);
}

static void rows_and_events_are_where_they_should_be(void **state)
{
    (void)state;
    outcome o;
    scene_options options =
        text_options("sweep { x = 0, h = 0.1, t_end = 1,\n"
                     "set = interval { center = function(t) return 2 * t end, radius = 0.5 } }\n"
                     "observe('ten', function(t) return 10 * t end)\n"
                     "plot { title = 'a', x = 'time', curves = { { x = {1, 1/0}, y = {0/0, 2} } } }",
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
    assert_string_equal(info->kind, "sweep");
    assert_string_equal(info->solver, "catching-up");
    assert_int_equal(info->coordinates, 1);
    assert_int_equal(info->multipliers, 2);
    assert_int_equal(mo_run_path_get(run, &path, &err), MO_OK);
    assert_int_equal(path.rows, 11);
    for (int k = 0; k <= 10; k++) {
        assert_close(path.t[k], 0.1 * k, 1e-15);
        assert_close(path.x[k], fmax(0, 0.2 * k - 0.5), 1e-12);
        /* the lower gap pushes at the interval's own rate, from the first step on which it does */
        assert_close(path.lambda[2 * k], k == 3 ? 1 : k > 3 ? 2 : 0, 1e-10);
        assert_close(path.lambda[2 * k + 1], 0, 1e-10);
    }
    assert_int_equal(mo_run_events_get(run, &events, &err), MO_OK);
    assert_int_equal(events.count, 1);
    assert_string_equal(events.type[0], "contact");
    assert_int_equal(events.gaps[0], 0);
    assert_int_equal(info->series_rows, 11);
    assert_string_equal(
        info->plots_json,
        "[{\"title\":\"a\",\"x\":{\"label\":\"time\",\"log\":false,\"down\":false},"
        "\"y\":{\"label\":\"\",\"log\":false,\"down\":false},\"equal\":false,"
        "\"curves\":[{\"name\":\"\",\"x\":[1.0,null],\"y\":[null,2.0],\"style\":\"line\"}]}]");
    mo_run_close(run);
}

/* discs: what touches what, and the discs themselves */
static void discs_are_recorded(void **state)
{
    (void)state;
    outcome o;
    scene_options options =
        text_options("sweep { x = {-1, 0, 1, 0}, h = 0.25, t_end = 2, retraction = false,\n"
                     "set = discs { radius = {0.25, 0.5}, walls = { {-3, -1, 3, -1} } },\n"
                     "field = function(t, x) return {1, 0, -1, 0} end }",
                     &o);
    options.output = path_of(WHOLE);
    run_options(&options, &o);
    assert_string_equal(o.err.message, "");
    assert_string_equal(o.result.status, "ok");
    assert_close(o.result.q[2] - o.result.q[0], 0.75, 1e-10);
    outcome_free(&o);
    mo_run *run;
    mo_error err;
    mo_run_path path;
    assert_int_equal(mo_run_open(path_of(WHOLE), &run, &err), MO_OK);
    assert_int_equal(mo_run_path_get(run, &path, &err), MO_OK);
    assert_int_equal(path.disc_count, 2);
    assert_int_equal(path.wall_count, 1);
    assert_close(path.radius[1], 0.5, 0);
    assert_close(path.walls[1], -1, 0);
    assert_int_equal(path.rows, 9);
    assert_int_equal(path.hold_first[9] - path.hold_first[8], 1);
    assert_int_equal(path.hold_pair[2 * path.hold_first[8]], 0);
    assert_int_equal(path.hold_pair[2 * path.hold_first[8] + 1], 1);
    /* the pair shares the wishes: sum of 1 and 1 over |grad|^2 = 2 */
    assert_close(path.hold_lambda[path.hold_first[8]], 1, 1e-10);
    mo_run_close(run);
}

/* plots stand in the files of worlds too, those of before going on included */
static void plots_of_worlds_are_recorded(void **state)
{
    (void)state;
    outcome o;
    const char *text = TEN_STEPS "plot { curves = { { x = {1}, y = {2} } } }\n"
                                 "at(0.2, function() plot { curves = { { x = {3}, y = {4} } } } end)\n"
                                 "at_end(function() plot { curves = { { x = {5}, y = {6} } } } end)";
    for (int part = 0; part < 2; part++) {
        scene_options options = text_options(text, &o);
        options.output = path_of(WHOLE);
        options.resume = part == 1 ? path_of(WHOLE) : NULL;
        options.steps = part == 0 ? 5 : -1;
        run_options(&options, &o);
        assert_string_equal(o.err.message, "");
        outcome_free(&o);
        mo_run *run;
        mo_error err;
        assert_int_equal(mo_run_open(path_of(WHOLE), &run, &err), MO_OK);
        const char *plots = mo_run_info_get(run)->plots_json;
        const char *first = strstr(plots, "\"x\":[1.0]"), *second = strstr(plots, "\"x\":[3.0]"),
                   *third = strstr(plots, "\"x\":[5.0]");
        assert_true(first != NULL && second > first && third > second);
        assert_null(strstr(third + 1, "\"x\":["));
        mo_run_close(run);
    }
}

static void open_outlines(const char *text, mo_run **run, mo_run_outlines *lines, outcome *o)
{
    mo_error err;
    scene_options options = text_options(text, o);
    options.output = path_of(WHOLE);
    run_options(&options, o);
    assert_string_equal(o->err.message, "");
    assert_string_equal(o->result.status, "ok");
    assert_int_equal(mo_run_open(path_of(WHOLE), run, &err), MO_OK);
    assert_int_equal(mo_run_outlines_get(*run, lines, &err), MO_OK);
}

/* circles in the plane whole though the path is on one side of them; on the line both ends of the interval */
static void borders_are_recorded(void **state)
{
    (void)state;
    outcome o;
    mo_run *run;
    mo_run_outlines lines;
    open_outlines("sweep { x = {0, 1}, h = 0.02, t_end = 3,\n"
                  "set = ball { center = function(t) return {t, 0} end, radius = 1 } }",
                  &run, &lines, &o);
    assert_int_equal(lines.count, 6);
    double lowest = 0;
    for (size_t i = 0; i < lines.count; i++)
        for (size_t k = lines.first[i]; k < lines.first[i + 1]; k++) {
            const double *x = lines.points + 2 * k;
            assert_close(hypot(x[0] - lines.t[i], x[1]), 1, 1e-3);
            lowest = fmin(lowest, x[1]);
        }
    assert_close(lines.t[0], 0, 0);
    assert_close(lines.t[5], 3, 1e-12);
    assert_close(lowest, -1, 1e-2);
    mo_run_close(run);
    outcome_free(&o);
    open_outlines("sweep { x = 0, h = 0.02, t_end = 3,\n"
                  "set = interval { center = function(t) return t / 4 end, radius = 1 } }",
                  &run, &lines, &o);
    double low = 0, high = 0;
    assert_true(lines.count >= 2);
    for (size_t k = 0; k < lines.first[lines.count]; k++) {
        double t = lines.points[2 * k], x = lines.points[2 * k + 1];
        assert_close(fabs(x - t / 4), 1, 1e-3);
        low = fmin(low, x);
        high = fmax(high, x);
    }
    assert_close(low, -1, 1e-2);
    assert_close(high, 1.75, 1e-2);
    mo_run_close(run);
    outcome_free(&o);
}

/* functions that fail or never end once the run is over leave it as it is */
static void a_border_that_fails_does_no_harm(void **state)
{
    (void)state;
    static const char *const harms[] = {"error('not again')", "while true do end", "return 'a'"};
    for (size_t i = 0; i < sizeof harms / sizeof harms[0]; i++) {
        char text[400];
        outcome o;
        mo_run *run;
        mo_run_outlines lines;
        snprintf(text, sizeof text,
                 "local over = false\n"
                 "sweep { x = 0, h = 0.1, t_end = 1,\n"
                 "  set = gaps { function(t, x) if over then %s end return x[1] - t end } }\n"
                 "at_end(function() over = true end)",
                 harms[i]);
        open_outlines(text, &run, &lines, &o);
        assert_int_equal(lines.count, 0);
        assert_non_null(strstr(o.said, "the border of the set is left out of pictures"));
        assert_int_equal(mo_run_info_get(run)->frames, 11);
        assert_string_equal(mo_run_info_get(run)->status, "ok");
        mo_run_close(run);
        outcome_free(&o);
    }
}

#define LINE "set = interval { center = 0, radius = 1 } }"

static void what_does_not_match_is_refused(void **state)
{
    (void)state;
    const char *one = "sweep { x = 0, h = 0.1, t_end = 1, " LINE;
    expect_refusal(one, "sweep { x = 0, h = 0.2, t_end = 1, " LINE, "h is");
    expect_refusal(one, "sweep { x = 0, h = 0.1, t_end = 1, method = 'lazy', " LINE, "the method is lazy");
    expect_refusal(one, TEN_STEPS, "it is the run of a sweep");
    expect_refusal(TEN_STEPS, one, "it is the run of a world");
    expect_refusal(one, "sweep { x = 0, h = 0.1, t_end = 1, set = halfspace { normal = 1, offset = -1 } }",
                   "1 coordinates and 1 gaps in the scene, 1 and 2 in the file");
    expect_refusal(one,
                   "sweep { x = {0, 0}, h = 0.1, t_end = 1, set = ball { center = {0, 0}, radius = 1 } }",
                   "2 coordinates");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pieces_give_the_same_bits),
                                       cmocka_unit_test(an_interrupted_run_goes_on_with_the_same_bits),
                                       cmocka_unit_test(an_error_keeps_the_rows),
                                       cmocka_unit_test(rows_and_events_are_where_they_should_be),
                                       cmocka_unit_test(discs_are_recorded),
                                       cmocka_unit_test(plots_of_worlds_are_recorded),
                                       cmocka_unit_test(borders_are_recorded),
                                       cmocka_unit_test(a_border_that_fails_does_no_harm),
                                       cmocka_unit_test(what_does_not_match_is_refused)};
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
