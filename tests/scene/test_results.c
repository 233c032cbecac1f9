/*
 * What goes into a run from outside and comes out of it: parameters, reports, checks, messages, warnings.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/run_text.h"
#include "support/close.h"

#include <math.h>

/* ---- parameters ------------------------------------------------------------------------------------ */

static const char *const with_params =
    TEN_STEPS "report('v', { param('n', 10, 'how many'), param('x', 0.5), param('s', 'abc', 'text'), "
              "param('b', false) })\n"
              "report('types', { math.type(param('i', 1)), math.type(param('f', 1.0)) })";

static void run_sets(const char *const *sets, size_t count, outcome *o)
{
    scene_options options = text_options(with_params, o);
    options.sets = sets;
    options.set_count = count;
    options.steps = 0;
    run_options(&options, o);
}

static void sets_take_the_type_of_the_default(void **state)
{
    (void)state;
    outcome o;
    run_sets(NULL, 0, &o);
    assert_string_equal(o.result.report_json,
                        "{\"v\":[10,0.5,\"abc\",false],\"types\":[\"integer\",\"float\"]}");
    outcome_free(&o);
    const char *sets[] = {"n=1e3", "x=7", "s=a = b", "b=true", "i=2.5", "f=2", "n=20"};
    run_sets(sets, 7, &o);
    expect_reached(&o);
    assert_string_equal(o.result.report_json,
                        "{\"v\":[20,7.0,\"a = b\",true],\"types\":[\"float\",\"float\"]}");
    outcome_free(&o);
    run_sets(sets, 1, &o);
    assert_string_equal(o.result.report_json,
                        "{\"v\":[1000,0.5,\"abc\",false],\"types\":[\"integer\",\"float\"]}");
    outcome_free(&o);
}

static void sets_that_do_not_fit_are_wrong_usage(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {{"m=1", "it has n, x, s, b, i, f"}, {"n=abc", "expected a number"},
                                           {"n=1e999", "expected a number"},   {"n=", "expected a number"},
                                           {"b=1", "expected true or false"},  {"n", "expected NAME=VALUE"},
                                           {"=3", "expected NAME=VALUE"}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        outcome o;
        run_sets(&wrong[i][0], 1, &o);
        assert_int_equal(o.status, MO_USAGE);
        assert_non_null(strstr(o.err.message, wrong[i][1]));
        outcome_free(&o);
    }
    /* not even when the scene catches it */
    outcome o;
    const char *set = "n=abc";
    scene_options options = text_options(TEN_STEPS "pcall(param, 'n', 1)", &o);
    options.sets = &set;
    options.set_count = 1;
    run_options(&options, &o);
    assert_int_equal(o.status, MO_USAGE);
    outcome_free(&o);
}

static void params_are_listed(void **state)
{
    (void)state;
    outcome o;
    char text[1000];
    snprintf(text, sizeof text, "%s error('too late')", with_params);
    scene_options options = text_options(text, &o);
    scene_params params;
    assert_int_equal(scene_list_params(&options, &params, &o.err), MO_OK);
    static const char *const expected[][4] = {
        {"n", "10", "number", "how many"}, {"x", "0.5", "number", ""}, {"s", "abc", "string", "text"},
        {"b", "false", "boolean", ""},     {"i", "1", "number", ""},   {"f", "1", "number", ""}};
    assert_int_equal(params.count, 6);
    for (size_t i = 0; i < 6; i++) {
        assert_string_equal(params.items[i].name, expected[i][0]);
        assert_string_equal(params.items[i].value, expected[i][1]);
        assert_string_equal(params.items[i].type, expected[i][2]);
        assert_string_equal(params.items[i].doc, expected[i][3]);
    }
    scene_params_free(&params);
    options = text_options("x = = 1", &o);
    assert_int_equal(scene_list_params(&options, &params, &o.err), MO_BAD_INPUT);
}

/* ---- what comes out ----------------------------------------------------------------------------------- */

static void reports_are_json(void **state)
{
    (void)state;
    outcome o;
    run_text(
        TEN_STEPS
        "report('z', 0.1) report('a', 3) report('s', 'x\\n\"y') report('b', true)\n"
        "report('list', {1, 2.5, 'x', false}) report('empty', {}) report('nan', 0/0) report('inf', {1/0})\n"
        "report('a', 4)",
        &o);
    expect_reached(&o);
    assert_string_equal(
        o.result.report_json,
        "{\"z\":0.10000000000000001,\"a\":4,\"s\":\"x\\n\\\"y\",\"b\":true,\"list\":[1,2.5,\"x\",false],"
        "\"empty\":[],\"nan\":null,\"inf\":[null]}");
    outcome_free(&o);
}

static void failed_checks_are_told(void **state)
{
    (void)state;
    outcome o;
    run_text(TEN_STEPS "check('fine', 1 == 1)\ncheck('height', false, 'too high')", &o);
    assert_int_equal(o.status, MO_OK);
    assert_false(o.result.reached);
    assert_string_equal(o.result.status, "check failed: height: too high");
    assert_int_equal(o.result.info.steps, 10);
    outcome_free(&o);
    run_text(TEN_STEPS "on_step(function(t) check('a', false) check('b', nil) end)", &o);
    assert_string_equal(o.result.status, "check failed: a (and 1 more)");
    outcome_free(&o);
}

static void random_numbers_follow_the_seed(void **state)
{
    (void)state;
    const char *text =
        TEN_STEPS "local r = {}\n"
                  "for i = 1, 1000 do\n"
                  "  local x, n, k = math.random(), math.random(6), math.random(-3, 3)\n"
                  "  assert(x >= 0 and x < 1 and n >= 1 and n <= 6 and k >= -3 and k <= 3)\n"
                  "  assert(math.type(n) == 'integer') r[i] = x end\n"
                  "local sum = 0 for i = 1, 1000 do sum = sum + r[i] end\n"
                  /* six standard deviations of the mean of 1000 uniform numbers */
                  "check('mean', math.abs(sum / 1000 - 0.5) < 6 * math.sqrt(1 / 12 / 1000))\n"
                  "report('r', { r[1], r[1000], math.random(0), math.random(math.mininteger, "
                  "math.maxinteger) })\n"
                  "math.randomseed(7) local a = math.random() math.randomseed(7)\n"
                  "check('seed', a == math.random())\n"
                  "math.randomseed() check('own', math.random() == r[1])\n"
                  "check('empty', not pcall(math.random, 2, 1) and not pcall(math.random, 1, 2, 3))";
    outcome a, b, c;
    run_text(text, &a);
    run_text(text, &b);
    scene_options options = text_options(text, &c);
    options.seed = 2;
    run_options(&options, &c);
    expect_reached(&a);
    expect_reached(&c);
    assert_string_equal(a.result.report_json, b.result.report_json);
    assert_string_not_equal(a.result.report_json, c.result.report_json);
    outcome_free(&a);
    outcome_free(&b);
    outcome_free(&c);
}

static void print_goes_to_messages(void **state)
{
    (void)state;
    outcome o;
    run_text(TEN_STEPS "print('a', 1, nil, true, 0.5)\nprint()", &o);
    expect_reached(&o);
    assert_string_equal(o.said, "a\t1\tnil\ttrue\t0.5\n\n");
    outcome_free(&o);
}

static void overlaps_are_reported_or_refused(void **state)
{
    (void)state;
    static const char *const bodies =
        "body { shape = disc { radius = 1 }, density = 1 }\n"
        "body { shape = disc { radius = 1 }, density = 1, position = {1.5, 0} }";
    static const char *const worlds[] = {"", "overlaps = 'resolve',", "overlaps = 'refuse',"};
    static const char *const told[] = {
        "bodies overlap at the start, by up to 0.5 m; overlaps = \"resolve\" in world{...} moves them apart "
        "first",
        "bodies overlap at the start, by up to 0.5 m; they were moved apart first"};
    for (int i = 0; i < 3; i++) {
        char text[400];
        outcome o;
        snprintf(text, sizeof text, "world { dim = 2, h = 0.1, %s t_end = 0.3 }\n%s", worlds[i], bodies);
        run_text(text, &o);
        assert_int_equal(o.status, i < 2 ? MO_OK : MO_BAD_INPUT);
        if (i < 2)
            assert_non_null(strstr(o.said, told[i]));
        else
            assert_non_null(strstr(o.err.message, "overlap"));
        outcome_free(&o);
    }
}

/* A disc between walls that are nearer than its diameter stays in both. */
static void overlaps_without_room_are_told(void **state)
{
    (void)state;
    outcome o;
    run_text("world { dim = 2, h = 0.1, t_end = 0.3, overlaps = 'resolve' }\n"
             "body { shape = halfplane { normal = {0, 1} }, fixed = true }\n"
             "body { shape = halfplane { normal = {0, -1}, offset = -1.5 }, fixed = true }\n"
             "body { shape = disc { radius = 1 }, density = 1, position = {0, 0.6} }",
             &o);
    expect_reached(&o);
    assert_non_null(strstr(o.said, "by up to 0.4 m; they were moved, and still overlap by up to 0."));
    outcome_free(&o);
}

static void unconverged_steps_are_told(void **state)
{
    (void)state;
    outcome o;
    run_text("world { dim = 2, h = 1e-3, t_end = 0.05, gravity = {0, -9.81}, solver = { tol = 1e-14, "
             "max_iter = 1 } }\n"
             "law { friction = 0.5 }\n"
             "body { shape = halfplane { normal = {0, 1} }, fixed = true }\n"
             "for i = 0, 5 do body { shape = rectangle { 0.1, 0.1 }, density = 1000,\n"
             "  position = {0.01 * (i % 2), 0.05 + 0.1 * i} } end",
             &o);
    assert_int_equal(o.status, MO_OK);
    assert_false(o.result.reached);
    assert_true(o.result.info.unconverged_steps > 0);
    assert_non_null(strstr(o.result.status, "of 50 steps did not reach the tolerance (worst residual"));
    assert_non_null(strstr(o.said, "did not reach the tolerance"));
    outcome_free(&o);
}

static void infinities_end_the_run(void **state)
{
    (void)state;
    outcome o;
    run_text(TEN_STEPS "body { shape = disc { radius = 1 }, mass = 1e-300, applied_force = {1e308, 0} }", &o);
    assert_int_equal(o.status, MO_OK);
    assert_false(o.result.reached);
    assert_string_equal(o.result.status, "NaN at step 1: body 1 has a velocity that is no finite number");
    outcome_free(&o);
}

/* where nothing moves it is a mass or an impulse that was too large, not the first body's velocity of 0 */
static void large_numbers_are_named(void **state)
{
    (void)state;
    static const struct {
        const char *body, *told;
    } cases[] = {{"mass = 1e300", "body 2 has the largest mass, 1e+300 kg"},
                 {"mass = 1, applied_force = {0, -1e300}",
                  "the contact of bodies 1 and 2 has the largest impulse, 1e+297 N s"}};
    for (int i = 0; i < 2; i++) {
        char text[400];
        outcome o;
        snprintf(text, sizeof text,
                 "world { dim = 2, h = 1e-3, t_end = 0.01, gravity = {0, -9.81} }\n"
                 "law { friction = 0.5 }\n"
                 "body { shape = halfplane { normal = {0, 1} }, fixed = true }\n"
                 "body { shape = disc { radius = 0.1 }, position = {0, 0.1}, %s }",
                 cases[i].body);
        run_text(text, &o);
        assert_int_equal(o.status, MO_OK);
        assert_false(o.result.reached);
        assert_non_null(strstr(o.result.status, "NaN at step 1: numbers are too large; "));
        assert_non_null(strstr(o.result.status, cases[i].told));
        outcome_free(&o);
    }
}

static void fast_bodies_are_told(void **state)
{
    (void)state;
    outcome o;
    run_text(TEN_STEPS
             "body { shape = segment { {0, -1}, {0, 1} }, fixed = true }\n"
             "body { shape = disc { radius = 0.01 }, density = 1, position = {-1, 0}, velocity = {50, 0} }",
             &o);
    assert_int_equal(o.status, MO_OK);
    assert_non_null(strstr(o.said, "to pass through another in one step, first bodies 1 and 2"));
    outcome_free(&o);
}

// told from a ratio of 0.1/tol on, here 1e5, and of bodies in contact only
static void masses_far_apart_are_told(void **state)
{
    (void)state;
    static const struct {
        double mass, x;
        bool told;
    } cases[] = {{1.1e5, 2, true}, {0.9e5, 2, false}, {1.1e5, 3, false}};
    for (int i = 0; i < 3; i++) {
        char text[400];
        outcome o;
        snprintf(text, sizeof text,
                 "world { dim = 2, h = 0.1, t_end = 0.3, solver = { tol = 1e-6 } }\n"
                 "body { shape = disc { radius = 1 }, mass = 1 }\n"
                 "body { shape = disc { radius = 1 }, mass = %g, position = {%g, 0} }",
                 cases[i].mass, cases[i].x);
        run_text(text, &o);
        expect_reached(&o);
        assert_int_equal(strstr(o.said, "bodies 1 and 2 of the contacts at the end have masses") != NULL,
                         cases[i].told);
        outcome_free(&o);
    }
}

// a wall that comes down on a disc, or rises from it
static void presses_without_room_are_told(void **state)
{
    (void)state;
    for (int closes = 0; closes <= 1; closes++) {
        char text[400];
        outcome o;
        snprintf(text, sizeof text,
                 "world { dim = 2, h = 1e-3, t_end = 0.02, solver = { tol = 1e-4 } }\n"
                 "body { shape = halfplane { normal = {0, 1} }, fixed = true }\n"
                 "body { shape = halfplane { normal = {0, -1}, offset = -2 },\n"
                 "       motion = function(t) return { y = %g * t } end }\n"
                 "body { shape = disc { radius = 1 }, mass = 1, position = {0, 1} }",
                 closes ? -0.5 : 0.5);
        run_text(text, &o);
        expect_reached(&o);
        assert_int_equal(
            strstr(o.said, "in 20 steps, first at t = 0.001 s, contacts closed whatever") != NULL, closes);
        outcome_free(&o);
    }
}

/* rows of rows, as measure.stress gives them, are arrays too */
static void reports_hold_arrays_of_arrays(void **state)
{
    (void)state;
    outcome o;
    run_text(TEN_STEPS "report('m', { {1, 2.5}, {}, 'x', { {true} } })\n"
                       "report('s', measure.stress { min = {0, 0}, max = {1, 1} })",
             &o);
    expect_reached(&o);
    assert_string_equal(o.result.report_json,
                        "{\"m\":[[1,2.5],[],\"x\",[[true]]],\"s\":[[0.0,0.0],[0.0,0.0]]}");
    outcome_free(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets_take_the_type_of_the_default),
        cmocka_unit_test(sets_that_do_not_fit_are_wrong_usage),
        cmocka_unit_test(params_are_listed),
        cmocka_unit_test(reports_are_json),
        cmocka_unit_test(failed_checks_are_told),
        cmocka_unit_test(random_numbers_follow_the_seed),
        cmocka_unit_test(print_goes_to_messages),
        cmocka_unit_test(overlaps_are_reported_or_refused),
        cmocka_unit_test(overlaps_without_room_are_told),
        cmocka_unit_test(unconverged_steps_are_told),
        cmocka_unit_test(infinities_end_the_run),
        cmocka_unit_test(large_numbers_are_named),
        cmocka_unit_test(fast_bodies_are_told),
        cmocka_unit_test(masses_far_apart_are_told),
        cmocka_unit_test(presses_without_room_are_told),
        cmocka_unit_test(reports_hold_arrays_of_arrays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
