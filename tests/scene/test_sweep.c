/*
 * sweep{...}: every set with constant and with functional entries against closed forms, callbacks, the
 * handle, trials, plots and how a run ends.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/run_text.h"
#include "support/close.h"

#include <math.h>

/* projections are good to 1e-12 of the way of a step and the size of x, here about 1, over up to 100 steps */
#define TOL 1e-10

static void expect_ok(const outcome *o)
{
    expect_reached(o);
    assert_string_equal(o->result.kind, "sweep");
}

typedef struct end_case {
    const char *text;
    size_t n;
    double x[4];
} end_case;

#define RUN(x, set) "sweep { x = " x ", h = 0.01, t_end = 1, set = " set " }"

/* where each set leaves the point at t = 1 */
static const end_case ends[] = {
    /* a ball that shrinks toward its centre takes a point of its border along the ray */
    {RUN("{3, 4}", "ball { center = {0, 0}, radius = function(t) return 5 - 2.5 * t end }"), 2, {1.5, 2}},
    {RUN("{3, 4}", "ball { center = {0, 0}, radius = 5 }"), 2, {3, 4}},
    {RUN("{1, 0}", "ball { center = function(t) return {-t, 0} end, radius = 1 }"), 2, {0, 0}},
    {RUN("{1, 0}", "ball { center = {function(t) return -t end, 0}, radius = 1 }"), 2, {0, 0}},
    {RUN("1", "ball { center = function(t) return -t end, radius = 1 }"), 1, {0}},
    /* one coordinate: a number or a table of one */
    {RUN("0", "interval { center = function(t) return 2 * t end, radius = 0.5 }"), 1, {1.5}},
    {RUN("{0}", "interval { center = {function(t) return 2 * t end}, radius = {0.5} }"), 1, {1.5}},
    {RUN("0", "interval { center = 0, radius = function(t) return 1 - t end }"), 1, {0}},
    {RUN("0.75", "interval { center = 0, radius = function(t) return 1 - t / 2 end }"), 1, {0.5}},
    /* a box, coordinate by coordinate */
    {RUN("{0, 0}", "interval { center = function(t) return {t, -2 * t} end, radius = {0.25, 0.5} }"),
     2,
     {0.75, -1.5}},
    {RUN("{0, 0}", "interval { center = {function(t) return t end, 0}, radius = 0.25 }"), 2, {0.75, 0}},
    {RUN("{0, 0}",
         "interval { center = function(t) return {t, -t} end, radius = function(t) return 0.5 end }"),
     2,
     {0.5, -0.5}},
    /* half-spaces: the point is pushed along the normal */
    {RUN("0", "halfspace { normal = 1, offset = function(t) return t end }"), 1, {1}},
    {RUN("0", "halfspace { normal = -2, offset = function(t) return t end }"), 1, {-0.5}},
    {RUN("{0, 1}", "halfspace { normal = {3, 4}, offset = function(t) return 4 + 25 * t end }"), 2, {3, 5}},
    {RUN("{0, 1}", "halfspace { normal = {3, function(t) return 4 end}, offset = 4 }"), 2, {0, 1}},
    /* a corner that runs along its bisector, in all ways of writing it */
    {RUN("{0, 0}", "polyhedron { rows = {{1, 0}, {0, 1}}, offsets = function(t) return {t, 2 * t} end }"),
     2,
     {1, 2}},
    {RUN("{0, 0}", "polyhedron { rows = {{1, 0}, {0, 1}}, offsets = {function(t) return t end, -1} }"),
     2,
     {1, 0}},
    {RUN("{0, 0}", "polyhedron { rows = {function(t) return {1, 0} end, {0, function(t) return 1 end}},\n"
                   "offsets = {function(t) return t end, function(t) return 2 * t end} }"),
     2,
     {1, 2}},
    {RUN("{0, 0}", "polyhedron { rows = function(t) return {{1, 0}, {0, 1}} end,\n"
                   "offsets = function(t) return {t, 2 * t} end }"),
     2,
     {1, 2}},
    {RUN("0", "polyhedron { rows = {1, -1}, offsets = {function(t) return t end, -2} }"), 1, {1}},
    /* translations, of one another and of what moves by itself */
    {RUN("{1, 0}", "translate(ball { center = {0, 0}, radius = 1 }, function(t) return {-t, 0} end)"),
     2,
     {0, 0}},
    {RUN("{1, 0}",
         "translate(translate(ball { center = function(t) return {-t, 0} end, radius = 1 }, {5, 5}),\n"
         "{function(t) return -5 end, -5})"),
     2,
     {0, 0}},
    {RUN("0", "translate(interval { center = 0, radius = 0.5 }, function(t) return 2 * t end)"), 1, {1.5}},
    /* gaps */
    {RUN("{0, 0}", "gaps { function(t, x) return x[1] - t end, function(t, x) return x[2] - 2 * t end }"),
     2,
     {1, 2}},
    {RUN("0", "gaps { function(t, x) return x[1] - t end, function() return 1 end }"), 1, {1}},
    {RUN("{2, 0}", "gaps { function(t, x) local s = 0 for i, v in ipairs(x) do s = s + v end\n"
                   "assert(#x == 2) return s - 2 - 2 * t end }"),
     2,
     {3, 1}},
    /* outside of a disc, which is no convex set */
    {RUN("{3, 4}", "gaps { function(t, x) return x[1]^2 + x[2]^2 - (5 + 5 * t)^2 end }"), 2, {6, 8}},
    /* of several */
    {RUN("{0, 0}", "intersection { halfspace { normal = {1, 0}, offset = function(t) return t end },\n"
                   "gaps { function(t, x) return x[2] - 2 * t end }, ball { center = {0, 0}, radius = 9 } }"),
     2,
     {1, 2}},
    {RUN("{0, 0}", "intersection { translate(intersection { interval { center = {0, 0}, radius = 1 } },\n"
                   "function(t) return {3 * t, 0} end), halfspace { normal = {0, 1}, offset = 0 } }"),
     2,
     {2, 0}},
    /* a field drives the point against what holds it */
    {"sweep { x = {0, 0}, h = 0.01, t_end = 1, field = function(t, x) return {1, 2} end,\n"
     "set = halfspace { normal = {0, -1}, offset = -0.5 } }",
     2,
     {1, 0.5}},
    {"sweep { x = 0, h = 0.01, t_end = 1, field = function(t, x) return 3 end,\n"
     "set = interval { center = 0, radius = 2 } }",
     1,
     {2}},
    {"sweep { x = {-1, 0, 1, 0}, h = 0.01, t_end = 1, set = discs { radius = 0.25, count = 2 },\n"
     "field = function(t, x) return {-x[1], 0, -x[3], 0} end, retraction = false }",
     4,
     /* |x| shrinks by 1 - h a step until they touch */
     {-0.36603234127322950, 0, 0.36603234127322950, 0}},
    {"sweep { x = {-1, 0, 1, 0}, h = 0.01, t_end = 1, set = discs { radius = {0.25, 0.75},\n"
     "walls = { {0.75, -5, 0.75, 5} } }, field = function(t, x) return {0, 0, 0, 0} end, retraction = false "
     "}",
     4,
     /* the wall through the second disc pushes it out, to the side where its centre is */
     {-1, 0, 1.5, 0}},
};

static void sets_take_the_point_where_they_should(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        outcome o;
        run_text(ends[i].text, &o);
        if (strcmp(o.result.status, "ok") != 0)
            print_error("%s\n", ends[i].text);
        expect_ok(&o);
        assert_int_equal(o.result.coordinates, ends[i].n);
        for (size_t k = 0; k < ends[i].n; k++) {
            if (fabs(o.result.q[k] - ends[i].x[k]) > TOL)
                print_error("%s: x[%zu] = %.17g, expected %.17g\n", ends[i].text, k + 1, o.result.q[k],
                            ends[i].x[k]);
            assert_close(o.result.q[k], ends[i].x[k], TOL);
        }
        outcome_free(&o);
    }
}

/* the play operator (M99 2.1): each step moves the point no farther than the interval makes it */
static void the_play_operator(void **state)
{
    (void)state;
    outcome o;
    run_text("sweep { x = 0, h = 0.05, t_end = 10,\n"
             "set = interval { center = function(t) return math.sin(t) end, radius = 0.4 } }",
             &o);
    expect_ok(&o);
    double u = 0, length = 0;
    for (int k = 1; k <= 200; k++) {
        double a = sin(k * 0.05), next = fmin(fmax(u, a - 0.4), a + 0.4);
        length += fabs(next - u);
        u = next;
    }
    assert_close(o.result.q[0], u, TOL);
    assert_close(o.result.sweep.path_length, length, TOL);
    assert_int_equal(o.result.sweep.steps, 200);
    assert_close(o.result.sweep.time, 10, 1e-13);
    outcome_free(&o);
}

/* the steps of catching-up for the ball are known: along the ray to the new centre */
static void tractrix_steps(int n, double h, double x[2])
{
    x[0] = 0;
    x[1] = 1;
    for (int k = 1; k <= n; k++) {
        double dx = x[0] - k * h, r = sqrt(dx * dx + x[1] * x[1]);
        if (r > 1) {
            x[0] = k * h + dx / r;
            x[1] /= r;
        }
    }
}

static void the_tractrix_by_ball_and_by_gaps(void **state)
{
    (void)state;
    static const char *const sets[] = {
        "ball { center = function(t) return {t, 0} end, radius = 1 }",
        "translate(ball { center = {0, 0}, radius = 1 }, function(t) return {t, 0} end)",
        "gaps { function(t, x) return 1 - math.sqrt((x[1] - t)^2 + x[2]^2) end }",
        "gaps { function(t, x) return 1 - (x[1] - t)^2 - x[2] * x[2] end }"};
    double expected[2];
    tractrix_steps(150, 0.02, expected);
    double theta = 2 * atan(exp(-3));
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        char text[400];
        outcome o;
        snprintf(text, sizeof text, "sweep { x = {0, 1}, h = 0.02, t_end = 3, set = %s }", sets[i]);
        run_text(text, &o);
        expect_ok(&o);
        /* 150 projections, each good to 1e-12 */
        assert_close(o.result.q[0], expected[0], 150e-12);
        assert_close(o.result.q[1], expected[1], 150e-12);
        /* first order in h: the closed form (SPEC B5) within h */
        assert_close(o.result.q[0], 3 - cos(theta), 0.02);
        assert_close(o.result.q[1], sin(theta), 0.02);
        /* the last gap is not of unit slope: |grad| = 2 on the border */
        assert_int_equal(o.result.multipliers, 1);
        assert_close(o.result.lambda[0], (i == 3 ? 0.5 : 1) * cos(theta), 0.02);
        outcome_free(&o);
    }
}

/* events of a run: 1-based gaps, in the order of time */
static void events_and_multipliers_come_out(void **state)
{
    (void)state;
    outcome o;
    run_text(
        "local p = sweep { x = {0, 0}, h = 0.25, t_end = 2, set = intersection {\n"
        "  halfspace { normal = {1, 0}, offset = -1 },\n"
        "  halfspace { normal = {0, 2}, offset = function(t) return math.min(t - 0.5, 1) end } } }\n"
        "at_end(function(x)\n"
        "  report('x', x) report('lambda', p.lambda) report('gaps', p.gaps) report('active', p.active)\n"
        "  check('events', #p.events == 2 and p.events[2].type == 'release' and p.events[2].gaps[1] == 2)\n"
        "  report('t', p.t) report('jumps', p.jumps) report('exact', p.exact) end)",
        &o);
    expect_ok(&o);
    /* the second gap is 2 y - (t - 0.5); at t = 0.75 it begins to push, at 1.75 it has ceased to */
    assert_string_equal(o.result.events_json, "[{\"t\":0.75,\"type\":\"contact\",\"gaps\":[2],\"size\":0.0},"
                                              "{\"t\":1.75,\"type\":\"release\",\"gaps\":[2],\"size\":0.0}]");
    assert_non_null(strstr(o.result.report_json, "\"x\":[0.0,0.5]"));
    assert_non_null(strstr(o.result.report_json, "\"lambda\":[0.0,0.0]"));
    assert_non_null(strstr(o.result.report_json, "\"gaps\":[1.0,0.0]"));
    assert_non_null(strstr(o.result.report_json, "\"active\":0"));
    assert_non_null(strstr(o.result.report_json, "\"t\":2.0"));
    outcome_free(&o);
}

static void callbacks_are_called(void **state)
{
    (void)state;
    outcome o;
    run_text("local log = {}\n"
             "local p = sweep { x = 0, h = 0.1, t_end = 1, record = { every = 0.5 },\n"
             "  set = interval { center = function(t) return t end, radius = 0.25 } }\n"
             "assert(p.t == 0 and p.x[1] == 0 and p.steps == 0 and tostring(p) == 'sweep')\n"
             "on_step(function(t) log[#log + 1] = 's' assert(math.abs(p.t - t) < 1e-12) end)\n"
             "at(0.35, function() log[#log + 1] = 'a' end)\n"
             "observe('x', function(t) log[#log + 1] = 'o' return p.x[1] end)\n"
             "stop_when(function(t) return p.x[1] > 0.5 end)\n"
             "at_end(function(x, more) assert(more == nil and #x == 1 and x[1] == p.x[1])\n"
             "  report('log', table.concat(log)) check('t', math.abs(p.t - 0.8) < 1e-12) end)",
             &o);
    expect_ok(&o);
    /* rows at 0, 0.5 and the end, 0.8, the first time with x > 0.5; at(0.35) fires before
     * the step that begins at 0.4 */
    assert_string_equal(o.result.report_json, "{\"log\":\"ossssasossso\"}");
    outcome_free(&o);
}

static void until_and_steps_count(void **state)
{
    (void)state;
    outcome o;
    scene_options options =
        text_options(RUN("0", "halfspace { normal = 1, offset = function(t) return t end }"), &o);
    options.until = 0.25;
    run_options(&options, &o);
    expect_ok(&o);
    assert_int_equal(o.result.sweep.steps, 25);
    outcome_free(&o);
    options.until = -1;
    options.steps = 7;
    run_options(&options, &o);
    expect_ok(&o);
    assert_int_equal(o.result.sweep.steps, 7);
    assert_close(o.result.q[0], 0.07, TOL);
    outcome_free(&o);
}

typedef struct method_case {
    const char *options, *name;
    double tol;
} method_case;

/* every method drags the point along; explicit and penalty ones lag by what their theory says */
static void methods_are_chosen(void **state)
{
    (void)state;
    static const method_case methods[] = {{"", "catching-up", TOL},
                                          {", method = 'catching-up'", "catching-up", TOL},
                                          {", method = 'theta'", "theta", TOL},
                                          {", method = 'theta', theta = 0.75", "theta", TOL},
                                          /* behind by rate / lambda */
                                          {", method = 'penalty', lambda = 1e6", "penalty", 1.1e-6},
                                          {", method = 'lazy'", "lazy", TOL},
                                          {", method = 'event-driven'", "event-driven", TOL}};
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        char text[400];
        outcome o;
        snprintf(text, sizeof text,
                 "sweep { x = {0, 0}, h = 0.01, t_end = 1, tol = 1e-12, max_iter = 50, retraction = true,\n"
                 "set = halfspace { normal = {1, 0}, offset = function(t) return t end }%s }",
                 methods[i].options);
        run_text(text, &o);
        expect_ok(&o);
        assert_string_equal(o.result.solver_name, methods[i].name);
        assert_close(o.result.q[0], 1, methods[i].tol);
        assert_close(o.result.q[1], 0, TOL);
        outcome_free(&o);
    }
}

static void trials_compare_methods(void **state)
{
    (void)state;
    outcome o;
    run_text("local set = ball { center = function(t) return {t, 0} end, radius = 1 }\n"
             "local a = trial { x = {0, 1}, h = 0.02, t_end = 3, set = set }\n"
             "local b = trial { x = {0, 1}, h = 0.02, t_end = 3, set = set, method = 'theta', keep = true }\n"
             "sweep { x = {0, 1}, h = 0.02, t_end = 3, set = set }\n"
             "assert(a.steps == 150 and a.unconverged_steps == 0 and a.status == 'ok' and a.ts == nil)\n"
             "assert(#b.ts == 151 and #b.xs == 151 and b.ts[1] == 0 and b.xs[1][2] == 1)\n"
             "assert(b.xs[151][1] == b.x[1] and math.abs(b.ts[151] - 3) < 1e-12 and b.t == b.ts[151])\n"
             "assert(#a.lambda == 1 and a.exact == true and a.jumps == 0 and a.active == 1)\n"
             "assert(a.events[1].type == 'contact' and a.events[1].gaps[1] == 1 and a.events[1].size == 0)\n"
             "assert(math.abs(a.retraction - 3) < 1e-9 and math.abs(a.variation - 3) < 1e-9)\n"
             "assert(a.path_length <= a.retraction and a.violation < 1e-9)\n"
             "at_end(function(x) check('same', x[1] == a.x[1] and x[2] == a.x[2])\n"
             "  local c = trial { x = {0, 1}, h = 0.02, t_end = 3, set = set }\n"
             "  check('again', c.x[1] == a.x[1] and c.x[2] == a.x[2]) end)",
             &o);
    expect_ok(&o);
    outcome_free(&o);
}

/* trials also stand in a world */
static void trials_and_plots_in_a_world(void **state)
{
    (void)state;
    outcome o;
    run_text(TEN_STEPS "local r = trial { x = 0, h = 0.5, t_end = 1,\n"
                       "  set = halfspace { normal = 1, offset = function(t) return t end } }\n"
                       "report('x', r.x[1])\n"
                       "plot { curves = { { x = {1, 2}, y = {3, 4} } } }\n"
                       "at_end(function() plot { title = 'late', x = 't', y = { label = 'y', log = true },\n"
                       "  equal = true, curves = { { name = 'c', x = {}, y = {}, style = 'dashed' } } } end)",
             &o);
    assert_string_equal(o.err.message, "");
    assert_string_equal(o.result.status, "ok");
    assert_string_equal(o.result.report_json, "{\"x\":1.0}");
    assert_string_equal(o.result.kind, "world");
    outcome_free(&o);
}

/* ---- how a run ends ------------------------------------------------------------------------------- */

static void an_empty_set_ends_the_run(void **state)
{
    (void)state;
    outcome o;
    run_text("local p = sweep { x = 0, h = 0.1, t_end = 1, set = intersection {\n"
             "  halfspace { normal = 1, offset = function(t) return t end },\n"
             "  halfspace { normal = -1, offset = -0.45 } } }\n"
             "at_end(function() error('not reached') end)",
             &o);
    assert_int_equal(o.status, MO_OK);
    assert_false(o.result.reached);
    assert_int_equal(o.result.sweep.outcome, MO_SWEEP_EMPTY);
    assert_non_null(strstr(o.result.status, "empty"));
    assert_non_null(strstr(o.result.status, "0.5"));
    /* the step was not made */
    assert_int_equal(o.result.sweep.steps, 4);
    assert_close(o.result.q[0], 0.4, TOL);
    outcome_free(&o);
}

static void a_gap_without_gradient_ends_the_run(void **state)
{
    (void)state;
    outcome o;
    run_text("sweep { x = {0, 0}, h = 0.1, t_end = 1,\n"
             "  set = gaps { function(t, x) return 1 + x[2] end,\n"
             "               function(t, x) return x[1]^2 + x[2]^2 - t end } }",
             &o);
    assert_int_equal(o.status, MO_OK);
    assert_false(o.result.reached);
    assert_int_equal(o.result.sweep.outcome, MO_SWEEP_NO_GRADIENT);
    assert_non_null(strstr(o.result.status, "gap 2"));
    outcome_free(&o);
}

static void an_unconverged_step_is_told(void **state)
{
    (void)state;
    outcome o;
    run_text("local p = sweep { x = {0, 2}, h = 0.5, t_end = 1, max_iter = 1,\n"
             "  set = gaps { function(t, x) return 1 - (x[1] - t)^2 - x[2]^4 end } }\n"
             "at_end(function() report('n', p.unconverged_steps) end)",
             &o);
    assert_int_equal(o.status, MO_OK);
    assert_false(o.result.reached);
    assert_true(o.result.sweep.unconverged_steps > 0);
    assert_non_null(strstr(o.result.status, "steps did not reach the tolerance"));
    assert_non_null(strstr(o.said, "warning"));
    outcome_free(&o);
}

static void a_start_outside_is_told(void **state)
{
    (void)state;
    outcome o;
    run_text(RUN("{0, 3}", "ball { center = {0, 0}, radius = 1 }"), &o);
    expect_ok(&o);
    assert_non_null(strstr(o.said, "warning: the start lies outside the set, by 2"));
    assert_non_null(strstr(o.result.events_json, "\"type\":\"outside\""));
    assert_close(o.result.q[1], 1, TOL);
    outcome_free(&o);
}

/* the set leaps at t = 0.5 over the point, wherever steps end */
static void a_jump_is_told(void **state)
{
    (void)state;
    outcome o;
    run_text("sweep { x = 0, h = 0.3, t_end = 1.2,\n"
             "  set = interval { center = function(t) return t < 0.5 and 0 or 4 end, radius = 1 } }",
             &o);
    expect_ok(&o);
    assert_int_equal(o.result.sweep.jumps, 1);
    assert_close(o.result.sweep.largest_jump, 3, TOL);
    assert_close(o.result.q[0], 3, TOL);
    const char *jump = strstr(o.result.events_json, "\"type\":\"jump\"");
    assert_non_null(jump);
    double t = 0;
    const char *start = jump;
    while (start > o.result.events_json && *start != '{')
        start--;
    assert_int_equal(sscanf(start, "{\"t\":%lf", &t), 1);
    assert_close(t, 0.5, 1e-11);
    outcome_free(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sets_take_the_point_where_they_should),
                                       cmocka_unit_test(the_play_operator),
                                       cmocka_unit_test(the_tractrix_by_ball_and_by_gaps),
                                       cmocka_unit_test(events_and_multipliers_come_out),
                                       cmocka_unit_test(callbacks_are_called),
                                       cmocka_unit_test(until_and_steps_count),
                                       cmocka_unit_test(methods_are_chosen),
                                       cmocka_unit_test(trials_compare_methods),
                                       cmocka_unit_test(trials_and_plots_in_a_world),
                                       cmocka_unit_test(an_empty_set_ends_the_run),
                                       cmocka_unit_test(a_gap_without_gradient_ends_the_run),
                                       cmocka_unit_test(an_unconverged_step_is_told),
                                       cmocka_unit_test(a_start_outside_is_told),
                                       cmocka_unit_test(a_jump_is_told)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
