/*
 * system{...}: the sequences of the papers, and every key against a closed form.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/run_system.h"
#include "support/close.h"

#include <math.h>

/* ---- P01's test problem (SPEC C3): d = 1, K = R+, F = 0, q = 1, u = -1
 * -------------------------------------- */

static void run_ball(const char *scheme, double e, double h, outcome *o)
{
    char text[700];
    snprintf(text, sizeof text,
             "local r = trial { q = 1, u = -1, h = %.17g, t_end = 2, scheme = '%s', restitution = %.17g,\n"
             "  gaps = { function(t, q) return q[1] end }, keep = true }\n"
             "for i = 1, #r.ts do report('q' .. i - 1, r.qs[i][1]) report('u' .. i - 1, r.us[i][1]) end\n"
             "report('steps', #r.ts - 1) report('impacts', r.impacts)\n"
             "system { q = {1}, u = {-1}, mass = {1}, force = function(t, q, u) return {0} end,\n"
             "  gaps = { function(t, q) return q[1] end }, restitution = %.17g,\n"
             "  scheme = '%s', h = %.17g, t_end = 2 }",
             h, scheme, e, e, scheme, h);
    run_ok(text, o);
    /* the trial is the run */
    int n = (int)o->result.info.steps;
    char name[20];
    assert_close(reported(o, "steps"), n, 0);
    snprintf(name, sizeof name, "q%d", n);
    assert_close(reported(o, name), o->result.q[0], 0);
}

static double reported_at(const outcome *o, char letter, int i)
{
    char name[20];
    snprintf(name, sizeof name, "%c%d", letter, i);
    return reported(o, name);
}

/* P01 3a: q^i = 1 - i h up to p, then -e q^{p-1}, -e q^p, and on with e h a step */
static void paoli_schatzman_reverses_in_two_steps(void **state)
{
    (void)state;
    static const double cases[][2] = {{0.3, 0.1}, {0.3, 0.07}, {0.9, 0.013}};
    for (size_t k = 0; k < 3; k++) {
        double e = cases[k][0], h = cases[k][1];
        outcome o;
        run_ball("paoli-schatzman", e, h, &o);
        int p = 1, outside = 0;
        while (2 * (1 - p * h) - (1 - e) * (1 - (p - 1) * h) >= 1e-13)
            p++;
        for (int i = 1; i <= (int)o.result.info.steps; i++) {
            double q = i <= p ? 1 - i * h : -e * (1 - p * h) + e * h * (i - p - 2);
            q = i == p + 1 ? -e * (1 - (p - 1) * h) : q;
            assert_close(reported_at(&o, 'q', i), q, 1e-14);
            if (i <= p || i >= p + 2)
                assert_close(reported_at(&o, 'u', i), i <= p ? -1 : e, 1e-12);
            outside += q < -1e-13;
        }
        assert_true(outside <= 2);
        assert_true(p * h > 1 - (1 - e) / (1 + e) * h && p * h <= 1 + 2 * e * h / (1 + e) + 1e-12);
        assert_close(reported(&o, "impacts"), 1, 0);
        outcome_free(&o);
    }
}

/* P01 4b: the velocity is reversed at once, at the first q^{i+1} <= 0 */
static void mabrouk_reverses_at_once(void **state)
{
    (void)state;
    static const double cases[][2] = {{0.3, 0.1}, {0.3, 0.07}, {0.9, 0.013}};
    for (size_t k = 0; k < 3; k++) {
        double e = cases[k][0], h = cases[k][1], q = 1, u = -1;
        outcome o;
        run_ball("mabrouk", e, h, &o);
        for (int i = 1; i <= (int)o.result.info.steps; i++) {
            q += h * u;
            u = q <= 1e-12 && u < 0 ? -e * u : u;
            assert_close(reported_at(&o, 'q', i), q, 1e-14);
            assert_close(reported_at(&o, 'u', i), u, 1e-14);
        }
        assert_close(u, e, 1e-15);
        outcome_free(&o);
    }
}

/* P01 5: of the two motions that conserve energy only the one back along the x-axis is admissible */
static void the_corner_has_one_motion(void **state)
{
    (void)state;
    static const char *const schemes[] = {
        "moreau", "moreau-jean", "paoli-schatzman", "mabrouk", "bernicot-lefebvre", "event-driven", "alpha"};
    for (size_t k = 0; k < sizeof schemes / sizeof schemes[0]; k++) {
        char text[400];
        outcome o;
        snprintf(text, sizeof text,
                 "system { q = {-1, 0}, u = {1, 0}, h = 0.01, t_end = 2, scheme = '%s', restitution = 1,\n"
                 "  gaps = { function(t, q) return -q[1] end, function(t, q) return q[2] end } }",
                 schemes[k]);
        run_ok(text, &o);
        assert_close(o.result.q[1], 0, 0);
        assert_close(o.result.u[0], -1, 1e-12);
        assert_close(o.result.q[0], -1, 0.02 + 1e-12);
        assert_close(o.result.system.energy.kinetic, 0.5, 1e-12);
        assert_string_equal(o.result.solver_name, schemes[k]);
        outcome_free(&o);
    }
}

/* ---- keys ---------------------------------------------------------------------------------------------- */

typedef struct end_case {
    const char *text;
    double tol;
    size_t n;
    double q[3], u[3];
} end_case;

#define FALL "h = 0.125, t_end = 1, scheme = 'moreau'"

/* where a system stands at its end */
static const end_case ends[] = {
    /* `moreau` is exact in uniform gravity (M99 8.3 Remark 1); all mass forms give a = F/m */
    {"system { q = 3, u = 1, mass = 2, force = function() return -8 end, " FALL " }", 1e-14, 1, {2}, {-3}},
    {"system { q = {3}, u = {1}, mass = {2}, force = function() return {-8} end, " FALL " }",
     1e-14,
     1,
     {2},
     {-3}},
    {"system { q = {3, 0}, u = {1, 0}, mass = {2, 4}, force = function() return {-8, 8} end, " FALL " }",
     1e-14,
     2,
     {2, 1},
     {-3, 2}},
    {"system { q = {3, 0}, u = {1, 0}, mass = 2, force = function() return {-8, 8} end, " FALL " }",
     1e-14,
     2,
     {2, 2},
     {-3, 4}},
    /* M = (2 1; 1 3): M a = F for a = (1, -2) */
    {"system { q = {0, 0}, u = {0, 0}, mass = {{2, 1}, {1, 3}}, force = function() return {0, -5} end, " FALL
     " }",
     1e-14,
     2,
     {0.5, -1},
     {1, -2}},
    {"system { q = {0, 0}, u = {0, 0}, mass = banded { {2, 3}, {1} }, force = function() return {0, -5} "
     "end, " FALL " }",
     1e-14,
     2,
     {0.5, -1},
     {1, -2}},
    /* M = 4 on the diagonal, 1 beside it: M a = F for a = (1, 1, 1) */
    {"system { q = {0, 0, 0}, u = {0, 0, 0}, mass = banded { 4, 1 }, force = function() return {5, 6, 5} "
     "end, " FALL " }",
     1e-14,
     3,
     {0.5, 0.5, 0.5},
     {1, 1, 1}},
    {"system { q = {0, 0, 0}, u = {0, 0, 0}, mass = banded { {4, 4, 4}, 1, {0.5} },\n"
     "  force = function() return {5.5, 6, 5.5} end, " FALL " }",
     1e-14,
     3,
     {0.5, 0.5, 0.5},
     {1, 1, 1}},
    {"system { q = {0, 0, 0}, u = {0, 0, 0}, force = function() return {5, 6, 5} end,\n"
     "  mass = sparse { {1, 1, 4}, {2, 3, 1}, {2, 2, 4}, {3, 3, 4}, {2, 1, 1} }, " FALL " }",
     1e-14,
     3,
     {0.5, 0.5, 0.5},
     {1, 1, 1}},
    {"system { q = {0, 0, 0}, u = {0, 0, 0}, force = function() return {5, 6, 5} end, mass = function()\n"
     "  return sparse { {1, 1, 4}, {2, 3, 1}, {2, 2, 4}, {3, 3, 4}, {2, 1, 1} } end, " FALL " }",
     1e-14,
     3,
     {0.5, 0.5, 0.5},
     {1, 1, 1}},
    /* the same given by functions */
    {"system { q = 3, u = 1, mass = function(t, q) return 2 end, force = function() return -8 end, " FALL
     " }",
     1e-14,
     1,
     {2},
     {-3}},
    {"system { q = {0, 0}, u = {0, 0}, mass = function(t, q) return {{2, 1}, {1, 3}} end,\n"
     "  force = function() return {0, -5} end, " FALL " }",
     1e-14,
     2,
     {0.5, -1},
     {1, -2}},
    {"system { q = {0, 0, 0}, u = {0, 0, 0}, mass = function() return banded { 4, 1 } end,\n"
     "  force = function() return {5, 6, 5} end, " FALL " }",
     1e-14,
     3,
     {0.5, 0.5, 0.5},
     {1, 1, 1}},
    {"system { q = {0, 0}, u = {0, 0}, mass = function(t, q) return {2 + 0 * q[1], 4 + 0 * t} end,\n"
     "  force = function(t, q, u) assert(#q == 2 and #u == 2) return {2, -4} end, " FALL " }",
     1e-14,
     2,
     {0.5, -0.5},
     {1, -1}},
    /* nothing but inertia */
    {"system { q = {1, 2}, u = {3, 4}, " FALL " }", 1e-14, 2, {4, 6}, {3, 4}},
    {"system { q = {1, 2}, u = {3, 4}, gaps = {}, " FALL " }", 1e-14, 2, {4, 6}, {3, 4}},
    /* linear drag, by an implicit force with its derivative: exact u = exp(-t), the midpoint rule gives
       ((1 - h/2)/(1 + h/2))^8 where the force is taken at the mean velocity */
    {"system { q = 0, u = 1, force = function(t, q, u) return -u[1] end, scheme = 'moreau-jean', theta = "
     "0.5,\n"
     "  h = 0.125, t_end = 1 }",
     1e-3,
     1,
     {0.6321205588285577},
     {0.36787944117144233}},
    /* stiff springs and dashpots are treated implicitly: overdamped, at rest long before t = 1 */
    {"system { q = {1, -1}, u = {0, 0}, stiffness = 1e8, damping = {1e8, 1e8}, scheme = 'moreau-jean',\n"
     "  theta = 1, h = 0.125, t_end = 40 }",
     1e-9,
     2,
     {0, 0},
     {0, 0}},
    /* K = (2 -1; -1 2) has the mode (1, 1) of frequency 1; after one period of it all is as before */
    {"system { q = {1, 1}, u = {0, 0}, stiffness = banded { 2, -1 }, scheme = 'moreau-jean', theta = 0.5,\n"
     "  h = 2 * math.pi / 1000, t_end = 2 * math.pi }",
     3e-5,
     2,
     {1, 1},
     {0, 0}},
    {"system { q = {1, 1}, u = {0, 0}, stiffness = {{2, -1}, {-1, 2}}, scheme = 'moreau-jean', theta = 0.5,\n"
     "  h = 2 * math.pi / 1000, t_end = 2 * math.pi }",
     3e-5,
     2,
     {1, 1},
     {0, 0}},
    {"system { q = {1, 1}, u = {0, 0}, stiffness = sparse { {1, 1, 2}, {1, 2, -1}, {2, 2, 2} },\n"
     "  scheme = 'moreau-jean', theta = 0.5, h = 2 * math.pi / 1000, t_end = 2 * math.pi }",
     3e-5,
     2,
     {1, 1},
     {0, 0}},
};

static void systems_end_where_they_should(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        outcome o;
        run_ok(ends[i].text, &o);
        assert_int_equal(o.result.coordinates, ends[i].n);
        for (size_t k = 0; k < ends[i].n; k++) {
            if (fabs(o.result.q[k] - ends[i].q[k]) > ends[i].tol)
                print_error("%s: q[%zu] = %.17g\n", ends[i].text, k + 1, o.result.q[k]);
            assert_close(o.result.q[k], ends[i].q[k], ends[i].tol);
            assert_close(o.result.u[k], ends[i].u[k], ends[i].tol);
        }
        outcome_free(&o);
    }
}

/* a point that hits a wall at t = 1/2 with the speed 1: u+ = -e u-, whatever way e is given */
static void restitution_in_every_form(void **state)
{
    (void)state;
    static const struct {
        const char *keys;
        double e1, e2;
    } cases[] = {{"", 0, 0},
                 {"restitution = 0.25", 0.25, 0.25},
                 {"restitution = {0.25, 0.75}", 0.25, 0.75},
                 {"restitution = function(t, q) return 0.5 end", 0.5, 0.5},
                 {"restitution = function(t, q) return {q[1] < 5 and 0.5 or 1, t < 0.4 and 1 or 0.125} end",
                  0.5, 0.125},
                 /* e = (1 - d)/(1 + d) */
                 {"dissipation_index = 0.6", 0.25, 0.25},
                 {"dissipation_index = {1, 0}", 0, 1},
                 {"dissipation_index = function(t, q) return {0.6, 1/3} end", 0.25, 0.5}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[500];
        outcome o;
        snprintf(
            text, sizeof text,
            "system { q = {0.5, 0.5}, u = {-1, -1}, h = 0.0625, t_end = 1, scheme = 'event-driven', %s%s\n"
            "  gaps = { function(t, q) return q[1] end, function(t, q) return q[2] end } }",
            cases[i].keys, cases[i].keys[0] != '\0' ? "," : "");
        run_ok(text, &o);
        assert_close(o.result.u[0], cases[i].e1, 1e-12);
        assert_close(o.result.u[1], cases[i].e2, 1e-12);
        assert_close(o.result.q[0], 0.5 * cases[i].e1, 1e-12);
        assert_close(o.result.q[1], 0.5 * cases[i].e2, 1e-12);
        outcome_free(&o);
    }
}

/* a block pushed along a floor with the friction mu: it stops after v/(mu g), having gone v^2/(2 mu g) */
static void friction_stops_a_block(void **state)
{
    (void)state;
    static const char *const forms[] = {"friction = 0.5", "friction = {0.5}, tangential_restitution = 0",
                                        "friction = 0.5, tangential_restitution = {0}"};
    for (size_t i = 0; i < 3; i++) {
        char text[500];
        outcome o;
        snprintf(
            text, sizeof text,
            "system { q = {0, 0}, u = {2, 0}, h = 1/1024, t_end = 0.75, scheme = 'moreau', mass = 3,\n"
            "  force = function(t, q) return {0, -30} end, %s,\n"
            "  gaps = { function(t, q) return q[2] end }, tangents = { function(t, q) return {1, 0} end } }",
            forms[i]);
        run_ok(text, &o);
        assert_close(o.result.u[0], 0, 1e-12);
        assert_close(o.result.q[0], 0.4, 2.0 / 1024);
        assert_close(o.result.q[1], 0, 1e-12);
        assert_close(o.result.lambda[0], 30.0 / 1024, 1e-12);
        outcome_free(&o);
    }
}

/*
 * Second derivatives of gaps: a point without force that slides along y = f(x), on the hollow side, keeps its
 * speed, pressed by m v^2 times the curvature.  f is written with every function that has one.
 */
static void curved_walls_turn_without_work(void **state)
{
    (void)state;
    static const char *const curves[] = {
        "x^2",
        "x * x * x + 2 / (1 + x)",
        "math.exp(x)",
        "-math.log(x)",
        "-math.log(x, 2)",
        "-math.sqrt(x)",
        "-2 * math.sin(x)",
        "-2 * math.cos(x - 0.5)",
        "math.tan(x)",
        "math.asin(x / 2)",
        "-math.acos(x / 2)",
        "-3 * math.atan(x, 1)",
        "2 * math.atan(1, x)",
        "x^x + x^2",
        "2^x + x^-2",
        "math.max(x^2, x - 5)",
        "-math.min(5, math.sqrt(x))",
        "math.abs(-x)^2.5",
        "(x % 10)^2",
        "math.fmod(x, 10)^2",
        "x^2 + x // 10 + math.floor(x / 10)",
        "(select(2, math.modf(x / 10)) * 10)^2",
    };
    for (size_t i = 0; i < sizeof curves / sizeof curves[0]; i++) {
        char text[700];
        outcome o;
        snprintf(
            text, sizeof text,
            "local function f(x) return %s end\n"
            "local d = 1e-6\n"
            "local s = (f(0.5 + d) - f(0.5 - d)) / (2 * d)\n"
            "system { q = {0.5, f(0.5)}, u = {0.5, 0.5 * s}, h = 0.0625, t_end = 0.5, mass = 2,\n"
            "  scheme = 'event-driven', gaps = { function(t, q) return q[2] - f(q[1]) end } }\n"
            "at_end(function(q, u) report('speed', math.sqrt((u[1]^2 + u[2]^2) / (0.25 + 0.25 * s * s)))\n"
            "  report('gap', q[2] - f(q[1])) end)",
            curves[i]);
        run_ok(text, &o);
        /* the start is tangential to 1e-10 by the difference quotient; the integrator keeps 1e-9 or so */
        if (fabs(reported(&o, "speed") - 1) > 1e-8 || fabs(reported(&o, "gap")) > 1e-8 ||
            !(o.result.lambda[0] > 0))
            print_error("%s: speed %.17g, gap %g, lambda %g\n", curves[i], reported(&o, "speed"),
                        reported(&o, "gap"), o.result.lambda[0]);
        assert_close(reported(&o, "speed"), 1, 1e-8);
        assert_close(reported(&o, "gap"), 0, 1e-8);
        assert_true(o.result.lambda[0] > 0);
        outcome_free(&o);
    }
}

/* gaps that move: a point in a pipe that turns with the rate w is thrown outward as cosh(w t) */
static void a_turning_pipe_throws_outward(void **state)
{
    (void)state;
    outcome o;
    run_ok("local w = 1.5\n"
           "local function across(t, q) return -q[1] * math.sin(w * t) + q[2] * math.cos(w * t) end\n"
           "system { q = {1, 0}, u = {0, w}, h = 0.01, t_end = 1, scheme = 'event-driven',\n"
           "  gaps = { across, function(t, q) return -across(t, q) end } }",
           &o);
    double w = 1.5, r = cosh(w);
    assert_close(o.result.q[0], r * cos(w), 1e-8);
    assert_close(o.result.q[1], r * sin(w), 1e-8);
    outcome_free(&o);
}

/* derivatives of the force by q and u are exact: one Newton step solves a linear law, however stiff */
static void implicit_forces_use_exact_derivatives(void **state)
{
    (void)state;
    outcome o;
    run_ok("system { q = {1, 0}, u = {0, 1}, h = 0.01, t_end = 1, scheme = 'moreau-jean', theta = 1,\n"
           "  force = function(t, q, u) return { -1e6 * u[1] - 1e4 * q[1], -1e6 * math.sin(u[2]) } end }",
           &o);
    /* u1 follows -q1/100, u2 is gone after some steps; q1 = exp(-t/100) to the order of the scheme */
    assert_close(o.result.q[0], exp(-0.01), 1e-6);
    assert_close(o.result.u[1], 0, 1e-12);
    assert_int_equal(o.result.system.unconverged_steps, 0);
    outcome_free(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(paoli_schatzman_reverses_in_two_steps),
                                       cmocka_unit_test(mabrouk_reverses_at_once),
                                       cmocka_unit_test(the_corner_has_one_motion),
                                       cmocka_unit_test(systems_end_where_they_should),
                                       cmocka_unit_test(restitution_in_every_form),
                                       cmocka_unit_test(friction_stops_a_block),
                                       cmocka_unit_test(curved_walls_turn_without_work),
                                       cmocka_unit_test(a_turning_pipe_throws_outward),
                                       cmocka_unit_test(implicit_forces_use_exact_derivatives)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
