/*
 * Derivatives by dual numbers against closed forms, in C and through the motions, radii and gaps of scenes.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/dual.h"
#include "scene/run_text.h"
#include "support/close.h"

#include <math.h>

/* a few roundings of numbers of this size */
static double few_ulp(double x)
{
    return 16 * 2.3e-16 * fmax(1, fabs(x));
}

static void check_dual(dual x, double v, double d)
{
    assert_close(x.v, v, few_ulp(v));
    assert_close(x.d, d, few_ulp(d));
}

static void elementary_functions(void **state)
{
    (void)state;
    for (double t = 0.05; t < 1; t += 0.1) {
        dual x = dual_make(t, 1);
        check_dual(dual_sin(x), sin(t), cos(t));
        check_dual(dual_cos(x), cos(t), -sin(t));
        check_dual(dual_tan(x), tan(t), 1 / (cos(t) * cos(t)));
        check_dual(dual_asin(x), asin(t), 1 / sqrt(1 - t * t));
        check_dual(dual_acos(x), acos(t), -1 / sqrt(1 - t * t));
        check_dual(dual_atan2(x, dual_const(1)), atan(t), 1 / (1 + t * t));
        check_dual(dual_exp(x), exp(t), exp(t));
        check_dual(dual_log(x), log(t), 1 / t);
        check_dual(dual_sqrt(x), sqrt(t), 0.5 / sqrt(t));
        check_dual(dual_pow(x, dual_const(3)), t * t * t, 3 * t * t);
        check_dual(dual_pow(dual_const(2), x), pow(2, t), log(2) * pow(2, t));
        check_dual(dual_pow(x, x), pow(t, t), pow(t, t) * (log(t) + 1));
        check_dual(dual_div(dual_sin(x), x), sin(t) / t, (t * cos(t) - sin(t)) / (t * t));
        check_dual(dual_mul(x, dual_exp(dual_neg(x))), t * exp(-t), (1 - t) * exp(-t));
    }
}

static void kinks_take_the_right_derivative(void **state)
{
    (void)state;
    dual zero = dual_make(0, -2);
    check_dual(dual_abs(zero), 0, 2);
    check_dual(dual_abs(dual_make(-3, 1)), 3, -1);
    check_dual(dual_max(dual_make(1, 1), dual_make(1, 2)), 1, 2);
    check_dual(dual_min(dual_make(1, 1), dual_make(1, 2)), 1, 1);
    check_dual(dual_mod(dual_make(-0.5, 1), dual_const(2)), 1.5, 1);
    check_dual(dual_mod(dual_make(5, 0), dual_make(3, 1)), 2, -1);
    check_dual(dual_fmod(dual_make(-5, 1), dual_const(3)), -2, 1);
}

static void constants_have_no_slope(void **state)
{
    (void)state;
    /* even where the slope of the function is infinite */
    check_dual(dual_sqrt(dual_const(0)), 0, 0);
    check_dual(dual_asin(dual_const(1)), asin(1), 0);
    check_dual(dual_pow(dual_const(0), dual_const(0)), 1, 0);
    check_dual(dual_pow(dual_make(0, 1), dual_const(0)), 1, 0);
    check_dual(dual_pow(dual_make(0, 1), dual_const(1)), 0, 1);
    assert_true(isinf(dual_sqrt(dual_make(0, 1)).d));
}

typedef struct motion_case {
    const char *expression; /* of t in Lua */
    double (*value)(double), (*rate)(double);
} motion_case;

static double f1(double t)
{
    return 0.01 * sin(30 * t) + t * t;
}
static double d1(double t)
{
    return 0.3 * cos(30 * t) + 2 * t;
}
static double f2(double t)
{
    return exp(-t) * cos(t) / (1 + t);
}
static double d2(double t)
{
    return -exp(-t) * ((cos(t) + sin(t)) * (1 + t) + cos(t)) / ((1 + t) * (1 + t));
}
static double f3(double t)
{
    return t < 0.35 ? 0 : pow(t - 0.35, 3);
}
static double d3(double t)
{
    return t < 0.35 ? 0 : 3 * pow(t - 0.35, 2);
}
static double f4(double t)
{
    return fmod(t, 0.25) + floor(t / 0.25) + 0.5;
}
static double d4(double t)
{
    (void)t;
    return 1;
}
static double f5(double t)
{
    return atan2(sin(t), cos(t) + 2) + fabs(t - 2) + log(t + 2) / log(10);
}
static double d5(double t)
{
    double c = cos(t) + 2, s = sin(t);
    return (c * cos(t) + s * s) / (c * c + s * s) - 1 + 1 / ((t + 2) * log(10));
}
static double f6(double t)
{
    return fmax(t, 0.41) + fmin(t, 0.41) + sqrt(t + 1) + asin(t / 2) + acos(t / 2) + tan(t / 2);
}
static double d6(double t)
{
    return 1 + 0.5 / sqrt(t + 1) + 0.5 * (1 + tan(t / 2) * tan(t / 2));
}

// t² at multiples of a quarter, joined by lines
static double f7(double t)
{
    double k = floor(t / 0.25);
    return (k * k + (2 * k + 1) * (t / 0.25 - k)) / 16;
}
static double d7(double t)
{
    return (2 * floor(t / 0.25) + 1) / 4;
}

/* a moved body has the value and rate of its motion at the end of each step */
static void motions_have_exact_rates(void **state)
{
    (void)state;
    const motion_case cases[] = {
        {"0.01 * math.sin(30 * t) + t^2", f1, d1},
        {"math.exp(-t) * math.cos(t) / (1 + t)", f2, d2},
        {"t < 0.35 and 0 or (t - 0.35)^3", f3, d3},
        {"(t % 0.25) + (t // 0.25) + 0.5", f4, d4},
        {"math.atan(math.sin(t), math.cos(t) + 2) + math.abs(t - 2) + math.log(t + 2, 10)", f5, d5},
        {"math.max(t, 0.41) + math.min(0.41, t) + math.sqrt(t + 1) + math.asin(t / 2) + math.acos(t / 2) + "
         "math.tan(t / "
         "2)",
         f6, d6},
        {"0.01 * math.sin(math.rad(math.deg(30 * t))) + math.deg(math.rad(t)) ^ 2", f1, d1},
        {"select(2, math.modf(t / 0.25)) * 0.25 + math.floor(t / 0.25) + 1 - math.ceil(0.5)*0.5", f4, d4},
        // records: whole parts of times are plain numbers, and find entries of tables
        {"(function(k) return d[k + 1] + (t / 0.25 - k) * (d[k + 2] - d[k + 1]) end)(t // 0.25)", f7, d7},
        {"(function(k) return d[k] + (t / 0.25 - k + 1) * (d[k + 1] - d[k]) end)(math.floor(t / 0.25) + 1)",
         f7, d7},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        for (int k = 1; k <= 9; k += 2) {
            char text[1000];
            outcome o;
            snprintf(
                text, sizeof text,
                TEN_STEPS
                "local d = {0, 0.0625, 0.25, 0.5625, 1, 1.5625}\n"
                "local b = body { shape = disc { radius = 1 }, position = {7, 8}, angle = 0.5,\n"
                "  motion = function(t) return { x = %s } end }\n"
                "at_end(function() report('x', b.position[1]) report('v', b.velocity[1])\n"
                "  check('rest', b.position[2] == 8 and b.velocity[2] == 0 and b.angle == 0.5 and b.spin "
                "== 0) end)",
                cases[i].expression);
            scene_options options = text_options(text, &o);
            options.steps = k;
            run_options(&options, &o);
            assert_string_equal(o.result.status, "ok");
            double t = k * 0.1, x, v;
            assert_int_equal(sscanf(o.result.report_json, "{\"x\":%lf,\"v\":%lf}", &x, &v), 2);
            assert_close(x, cases[i].value(t), few_ulp(x));
            assert_close(v, cases[i].rate(t), 4 * few_ulp(v));
            outcome_free(&o);
        }
    }
}

/* comparisons, printing and conversions of a time that carries a derivative */
static void duals_behave_as_numbers(void **state)
{
    (void)state;
    outcome o;
    run_text(TEN_STEPS
             "local seen = 0\n"
             "body { shape = disc { radius = 1 }, motion = function(t)\n"
             "  assert(t >= 0 and t <= 1.0001 and not (t < 0) and 2 > t and t == t + 0)\n"
             "  assert(math.type(t) == 'float' and tonumber(t) < 2 and math.tointeger(t - t) == 0)\n"
             "  assert(tostring(t * 0 + 0.5) == '0.5' and getmetatable(t) == false)\n"
             "  assert(not pcall(function() return t .. 'x' end) and not pcall(math.sin, {}))\n"
             "  assert(-(-t) == t and '2' * t == 2 * t)\n"
             "  seen = seen + 1\n"
             "  return { x = -t, angle = t } end }\n"
             "at_end(function() check('seen', seen >= 10) end)",
             &o);
    assert_string_equal(o.err.message, "");
    assert_string_equal(o.result.status, "ok");
    outcome_free(&o);
}

/* entries of a record that are not joined leap, and carry nothing along: the run says so, with the largest */
static void leaps_are_told(void **state)
{
    (void)state;
    const struct {
        const char *motion, *said;
    } cases[] = {{"({0, 0.01, 0.04})[math.floor(t / 0.45) + 1]",
                  "warning: the motion of body 1 leaps by up to 0.03 m in a step, first at t = 0.5 s"},
                 {"(t // 0.45) * 0.01 + 1e-9 * t", "leaps by up to 0.01 m"},
                 {"0.3 * math.abs(t - 0.45)", NULL},
                 {"math.max(0, t - 0.46) ^ 0.5001", NULL},
                 {"1000 + 0.1 * math.sin(30 * t)", NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[500];
        outcome o;
        snprintf(text, sizeof text,
                 TEN_STEPS "body { shape = disc { radius = 1 }, motion = function(t) return { x = %s } end }",
                 cases[i].motion);
        run_text(text, &o);
        assert_string_equal(o.result.status, "ok");
        if (cases[i].said != NULL)
            assert_non_null(strstr(o.said, cases[i].said));
        else
            assert_null(strstr(o.said, "leap"));
        outcome_free(&o);
    }
}

/* what is not a number is told as such */
static void no_numbers_are_told(void **state)
{
    (void)state;
    outcome o;
    run_text(TEN_STEPS
             "local d = {1}\n"
             "body { shape = disc { radius = 1 }, motion = function(t) return { x = t * d[5] } end }",
             &o);
    assert_non_null(strstr(o.err.message, "attempt to calculate with a nil value"));
    outcome_free(&o);
}

/* a growing disc pushes what it touches at the rate of its radius */
static void a_growing_disc_pushes(void **state)
{
    (void)state;
    outcome o;
    run_text("world { dim = 2, h = 0.01, t_end = 0.5 }\n"
             "body { shape = disc { radius = function(t) return 1 + 0.5 * t end }, fixed = true }\n"
             "local b = body { shape = disc { radius = 1 }, density = 1, position = {2, 0} }\n"
             "at_end(function() report('x', b.position[1]) report('v', b.velocity[1]) end)",
             &o);
    assert_string_equal(o.err.message, "");
    assert_string_equal(o.result.status, "ok");
    double x, v;
    assert_int_equal(sscanf(o.result.report_json, "{\"x\":%lf,\"v\":%lf}", &x, &v), 2);
    assert_close(v, 0.5, 1e-7);
    /* the contact's gap after a step is at most the way of half a step */
    assert_close(x, 2.25, 0.5 * 0.01);
    outcome_free(&o);
}

/* gaps and their derivatives by x and t, closed forms */
typedef struct gap_case {
    const char *expression; /* of t and x in Lua */
    void (*slopes)(double t, const double x[3], double by_x[3], double *by_t);
} gap_case;

static void s1(double t, const double x[3], double by_x[3], double *by_t)
{
    by_x[0] = 2 * x[0] * x[1];
    by_x[1] = x[0] * x[0] + t;
    by_x[2] = -sin(x[2]);
    *by_t = x[1] + 3;
}
static void s2(double t, const double x[3], double by_x[3], double *by_t)
{
    double r = sqrt(x[0] * x[0] + pow(x[1] - t, 2) + 1);
    by_x[0] = x[0] / r;
    by_x[1] = (x[1] - t) / r;
    by_x[2] = exp(x[2]) / (2 + t);
    *by_t = -(x[1] - t) / r - exp(x[2]) / ((2 + t) * (2 + t));
}
static void s3(double t, const double x[3], double by_x[3], double *by_t)
{
    /* atan2(x1 + t, x2) * x3 + x1^x2 */
    double r2 = (x[0] + t) * (x[0] + t) + x[1] * x[1];
    by_x[0] = x[1] / r2 * x[2] + x[1] * pow(x[0], x[1] - 1);
    by_x[1] = -(x[0] + t) / r2 * x[2] + pow(x[0], x[1]) * log(x[0]);
    by_x[2] = atan2(x[0] + t, x[1]);
    *by_t = x[1] / r2 * x[2];
}
static void s4(double t, const double x[3], double by_x[3], double *by_t)
{
    /* the larger branch of max and the sign of abs hold for all variables */
    (void)t;
    by_x[0] = 2;
    by_x[1] = -1;
    by_x[2] = 1 / x[2] / log(10);
    *by_t = 5;
}
static void s5(double t, const double x[3], double by_x[3], double *by_t)
{
    (void)t;
    double c = cos(x[0] * x[1]);
    by_x[0] = x[1] / (c * c);
    by_x[1] = x[0] / (c * c);
    by_x[2] = 1;
    *by_t = 1;
}

/* one step of the explicit method goes by h times the least velocity that keeps the gap: -g_t grad / |grad|^2
 */
static void gaps_have_exact_gradients(void **state)
{
    (void)state;
    static const gap_case cases[] = {
        {"x[1]^2 * x[2] + t * x[2] + math.cos(x[3]) + 3 * t", s1},
        {"math.sqrt(x[1] * x[1] + (x[2] - t)^2 + 1) + math.exp(x[3]) / (2 + t)", s2},
        {"math.atan(x[1] + t, x[2]) * x[3] + x[1]^x[2]", s3},
        {"math.max(2 * x[1] + 5 * t, x[1]) + math.abs(-5 + x[2]) + math.log(x[3], 10)", s4},
        {"math.tan(x[1] * x[2]) + (x[3] + t) % 7 + math.floor(x[1] + t) - (x[1] // 1)", s5}};
    const double x[3] = {0.7, 0.4, 1.3}, h = 0.125;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[600];
        outcome o;
        double by_x[3], by_t, square = 0;
        cases[i].slopes(0, x, by_x, &by_t);
        for (int k = 0; k < 3; k++)
            square += by_x[k] * by_x[k];
        snprintf(text, sizeof text,
                 "local function e(t, x) return %s end\n"
                 "local e0 = e(0, {0.7, 0.4, 1.3})\n"
                 "sweep { x = {0.7, 0.4, 1.3}, h = 0.125, t_end = 0.125, method = 'lazy',\n"
                 "  set = gaps { function(t, x) return %s(e(t, x) - e0) end } }",
                 cases[i].expression, by_t > 0 ? "-" : "");
        run_text(text, &o);
        assert_string_equal(o.err.message, "");
        for (int k = 0; k < 3; k++)
            assert_close(o.result.q[k], x[k] - h * by_t * by_x[k] / square, 16 * few_ulp(1));
        outcome_free(&o);
    }
}

/* at a tie the gradient is that of one branch, the one just after; a mixture would move both coordinates */
static void kinks_of_gaps_take_one_branch(void **state)
{
    (void)state;
    outcome o;
    run_text("sweep { x = {0, 0}, h = 0.25, t_end = 0.25, method = 'lazy',\n"
             "  set = gaps { function(t, x) return math.min(x[1] - t, x[2] - 2 * t, 5) end } }",
             &o);
    assert_string_equal(o.err.message, "");
    assert_close(o.result.q[0], 0, 1e-15);
    assert_close(o.result.q[1], 0.5, 1e-15);
    outcome_free(&o);
}

/* one gap of many coordinates: sum of i x_i >= t moves them along (1, 2, 3, ...) */
static void gaps_of_many_coordinates(void **state)
{
    (void)state;
    outcome o;
    run_text(
        "local n, x = 300, {}\n"
        "for i = 1, n do x[i] = 0 end\n"
        "sweep { x = x, h = 0.5, t_end = 0.5, method = 'lazy', retraction = false,\n"
        "  set = gaps { function(t, y) local s = 0 for i = 1, #y do s = s + i * y[i] end return s - t end,\n"
        "               function(t, y) return y[n] + y[1] + 1 end } }",
        &o);
    assert_string_equal(o.err.message, "");
    assert_int_equal(o.result.coordinates, 300);
    double squares = 300.0 * 301 * 601 / 6;
    for (int i = 1; i <= 300; i++)
        assert_close(o.result.q[i - 1], 0.5 * i / squares, 1e-16);
    outcome_free(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(elementary_functions),
                                       cmocka_unit_test(kinks_take_the_right_derivative),
                                       cmocka_unit_test(constants_have_no_slope),
                                       cmocka_unit_test(motions_have_exact_rates),
                                       cmocka_unit_test(duals_behave_as_numbers),
                                       cmocka_unit_test(a_growing_disc_pushes),
                                       cmocka_unit_test(leaps_are_told),
                                       cmocka_unit_test(no_numbers_are_told),
                                       cmocka_unit_test(gaps_have_exact_gradients),
                                       cmocka_unit_test(kinks_of_gaps_take_one_branch),
                                       cmocka_unit_test(gaps_of_many_coordinates)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
