/*
 * Closed forms: the tractrix, the play operator, a corner, a dragged ball, penalty's lag.
 */
#include "sweep/parts.h"

/* The point behind a disc of radius R that goes right at speed 1 (SPEC's tractrix): tan(th / 2) = e^(-t / R),
   u = a + R (-cos th, sin th), lambda = cos th. */
static double tractrix_error(mo_sweep_method method, int steps, double theta, double *lambda_error)
{
    const double R = 2, from[2] = {0, 0}, rate[2] = {1, 0}, x[2] = {0, R}, T = 3;
    straight s = {2, from, rate};
    mo_moving_set set = mo_moving_ball(2, along(&s), constant(&R));
    mo_sweep_def def = define(&set, x, T / steps, method);
    def.theta = theta;
    mo_sweep *p = create(&def);
    double worst = 0;
    *lambda_error = 0;
    for (int k = 0; k < steps; k++) {
        good_step(p);
        double t = mo_sweep_info_get(p)->time, angle = 2 * atan(exp(-t / R));
        const double *u = mo_sweep_x(p), exact[2] = {t - R * cos(angle), R * sin(angle)};
        worst = fmax(worst, distance(2, u, exact));
        *lambda_error = fmax(*lambda_error, fabs(mo_sweep_lambda(p)[0] - cos(angle)));
    }
    mo_sweep_destroy(p);
    return worst;
}

// slope of log error over log h between two runs, and the error of the finer one
static void check_order(mo_sweep_method method, double theta, double order, double finest)
{
    double lambda1, lambda2, coarse = tractrix_error(method, 200, theta, &lambda1);
    double fine = tractrix_error(method, 1600, theta, &lambda2);
    assert_close(log(coarse / fine) / log(8), order, 0.05);
    assert_true(fine < finest);
    // rates are means over the step: first order against the end of it
    assert_close(log(lambda1 / lambda2) / log(8), 1, 0.1);
}

static void tractrix_orders(void **state)
{
    (void)state;
    check_order(MO_SWEEP_CATCHING_UP, 0.5, 1, 1e-3);
    check_order(MO_SWEEP_THETA, 0.5, 2, 1e-6);
    check_order(MO_SWEEP_THETA, 0.75, 1, 1e-3);
    check_order(MO_SWEEP_THETA, 1, 1, 1e-3);
    check_order(MO_SWEEP_PENALTY, 0.5, 1, 2e-3);
    check_order(MO_SWEEP_LAZY, 0.5, 1, 1e-3);
}

// theta = 1 is catching-up, to the last bit of the point
static void theta_one(void **state)
{
    (void)state;
    const double R = 2, from[2] = {0, 0}, rate[2] = {1, 0.3}, x[2] = {0, R};
    straight s = {2, from, rate};
    mo_moving_set set = mo_moving_ball(2, along(&s), constant(&R));
    mo_sweep_def def = define(&set, x, 0.01, MO_SWEEP_CATCHING_UP), def1 = def;
    def1.method = MO_SWEEP_THETA;
    def1.theta = 1;
    mo_sweep *p = create(&def), *q = create(&def1);
    good_steps(p, 100);
    good_steps(q, 100);
    assert_close(distance(2, mo_sweep_x(p), mo_sweep_x(q)), 0, 1e-14);
    mo_sweep_destroy(p);
    mo_sweep_destroy(q);
}

/* a(t) = t up to 1.5, back to -0.5 at 3.5, then up again. */
static mo_status back_and_forth(void *data, double t, double *value, double *rate, mo_error *err)
{
    (void)data, (void)err;
    value[0] = t < 1.5 ? t : t < 3.5 ? 3 - t : t - 4;
    if (rate != NULL)
        rate[0] = t < 1.5 || t >= 3.5 ? 1 : -1;
    return MO_OK;
}

// play of half-width r: the point stays until a border reaches it, and goes with it
static double play(double t, double r)
{
    double a = t < 1.5 ? t : t < 3.5 ? 3 - t : t - 4, up1 = fmax(0, fmin(t, 1.5) - r);
    if (t <= 1.5)
        return up1;
    double down = fmin(up1, (t < 3.5 ? a : -0.5) + r);
    return t <= 3.5 ? down : fmax(down, a - r);
}

static void check_play(const mo_moving_set *set, mo_sweep_method method, size_t rear, double tolerance)
{
    const double x[1] = {0}, r = 0.4, h = 0.01;
    mo_sweep_def def = define(set, x, h, method);
    def.retraction = true;
    mo_sweep *p = create(&def);
    for (int k = 1; k <= 500; k++) {
        good_step(p);
        double t = k * h, was = play(t - h, r), is = play(t, r);
        assert_close(mo_sweep_x(p)[0], is, tolerance);
        // rear gap pushes up, front gap down
        assert_close(mo_sweep_lambda(p)[rear] - mo_sweep_lambda(p)[1 - rear], (is - was) / h,
                     4 * tolerance / h);
    }
    // length of the path: up by 1.1, down by 1.2, up by 0.7
    assert_close(mo_sweep_info_get(p)->path_length, 1.1 + 1.2 + 0.7, 10 * tolerance + 1e-12);
    // the interval moves by 5 in all and never grows
    assert_true(mo_sweep_info_get(p)->retraction_exact);
    assert_close(mo_sweep_info_get(p)->retraction, 5, 1e-11);
    mo_sweep_destroy(p);
}

// hysteresis; borders reach the point at ends of steps, so catching-up has no error but rounding
static void play_operator(void **state)
{
    (void)state;
    const double r = 0.4, rows[2] = {1, -1}, low[2] = {-0.4, -0.4};
    mo_timed a = {.function = back_and_forth};
    mo_moving_set ball = mo_moving_ball(1, a, constant(&r));
    mo_moving_set box = mo_moving_box(1, a, constant(&r));
    mo_moving_set fixed = mo_moving_polyhedron(1, 2, constant(rows), constant(low));
    mo_moving_set polyhedron = mo_moving_translate(&fixed, a);
    check_play(&box, MO_SWEEP_CATCHING_UP, 0, 1e-13);
    check_play(&polyhedron, MO_SWEEP_CATCHING_UP, 0, 1e-13);
    check_play(&polyhedron, MO_SWEEP_THETA, 0, 1.0001 * 0.01);
    check_play(&box, MO_SWEEP_LAZY, 0, 1.0001 * 0.01);
    // one gap |x - a| <= r: no sign to compare, the path alone
    double x[1] = {0};
    mo_sweep_def def = define(&ball, x, 0.01, MO_SWEEP_CATCHING_UP);
    mo_sweep *p = create(&def);
    for (int k = 1; k <= 500; k++) {
        good_step(p);
        assert_close(mo_sweep_x(p)[0], play(k * 0.01, r), 1e-13);
    }
    mo_sweep_destroy(p);
}

/*
 * A corner: two half-planes n_i.x >= v_i t with unit normals at an angle.  Once both hold, u' = W with n_i.W
 * = v_i, and W = sum lambda_i n_i: lambda = G^-1 v with G the matrix of products of normals.
 */
static void corner(void **state)
{
    (void)state;
    const double angle = 2.0, A[4] = {1, 0, cos(angle), sin(angle)}, from[2] = {0, 0}, v[2] = {1, 0.8},
                 x[2] = {0, 0}, c = cos(angle), h = 0.01;
    straight s = {2, from, v};
    mo_moving_set set = mo_moving_polyhedron(2, 2, constant(A), along(&s));
    double lambda1 = (v[0] - c * v[1]) / (1 - c * c), lambda2 = (v[1] - c * v[0]) / (1 - c * c);
    const mo_sweep_method methods[] = {MO_SWEEP_CATCHING_UP, MO_SWEEP_LAZY};
    for (size_t k = 0; k < 2; k++) {
        mo_sweep_def def = define(&set, x, h, methods[k]);
        mo_sweep *p = create(&def);
        good_steps(p, 100);
        const double *lambda = mo_sweep_lambda(p), *u = mo_sweep_x(p);
        assert_close(lambda[0], lambda1, 1e-11);
        assert_close(lambda[1], lambda2, 1e-11);
        assert_close(u[0], lambda1 + c * lambda2, 1e-12);
        assert_close(u[1], sin(angle) * lambda2, 1e-12);
        assert_int_equal(mo_sweep_info_get(p)->active, 2);
        size_t count;
        const mo_sweep_hold *holds = mo_sweep_holds(p, &count);
        assert_int_equal(count, 2);
        assert_int_equal(holds[1].first, 1);
        assert_true(holds[1].second == SIZE_MAX);
        mo_sweep_destroy(p);
    }
}

// a slow side behind a fast one never holds: the corner with an acute wedge leaves one side alone
static void one_side_alone(void **state)
{
    (void)state;
    const double angle = 0.5, A[4] = {1, 0, cos(angle), sin(angle)}, from[2] = {0, 0}, v[2] = {1, 0.5},
                 x[2] = {0, 0};
    straight s = {2, from, v};
    mo_moving_set set = mo_moving_polyhedron(2, 2, constant(A), along(&s));
    mo_sweep_def def = define(&set, x, 0.01, MO_SWEEP_CATCHING_UP);
    mo_sweep *p = create(&def);
    good_steps(p, 100);
    // cos 0.5 = 0.88 > 0.5: pushed by the first alone it leaves the second behind
    assert_close(mo_sweep_x(p)[0], 1, 1e-13);
    assert_close(mo_sweep_x(p)[1], 0, 1e-13);
    assert_true(mo_sweep_lambda(p)[1] == 0);
    mo_sweep_destroy(p);
}

// implicit Euler on a border of speed v lags by v / lambda exactly once settled: u_f = u_i + hv
static void penalty_lag(void **state)
{
    (void)state;
    const double A[1] = {1}, from[1] = {0}, v[1] = {1.5}, x[1] = {0}, h = 0.01;
    straight s = {1, from, v};
    mo_moving_set set = mo_moving_polyhedron(1, 1, constant(A), along(&s));
    for (double lambda = 1; lambda < 1e9; lambda *= 10) {
        mo_sweep_def def = define(&set, x, h, MO_SWEEP_PENALTY);
        def.lambda = lambda;
        mo_sweep *p = create(&def);
        // what is left of the start decays by 1 / (1 + h lambda) a step
        good_steps(p, 4000);
        double t = mo_sweep_info_get(p)->time;
        assert_close(v[0] * t - mo_sweep_x(p)[0], v[0] / lambda,
                     1e-11 + 2 * pow(1 + h * lambda, -4000) / lambda);
        assert_close(mo_sweep_lambda(p)[0], v[0], 1e-9);
        assert_close(mo_sweep_info_get(p)->violation, v[0] / lambda, 1e-11);
        mo_sweep_destroy(p);
    }
}

// a point inside that nothing reaches does not move, bit for bit; nor has it events
static void rest(void **state)
{
    (void)state;
    const double R = 1, size[2] = {0.3, 0.4}, phase[2] = {0, 1}, x[2] = {0.1, 0.2};
    waves w = {2, 1, size, phase};
    mo_moving_set set = mo_moving_ball(2, waving(&w), constant(&R));
    for (int method = MO_SWEEP_CATCHING_UP; method <= MO_SWEEP_LAZY; method++) {
        mo_sweep_def def = define(&set, x, 0.01, (mo_sweep_method)method);
        mo_sweep *p = create(&def);
        for (int k = 0; k < 500; k++) {
            good_step(p);
            assert_int_equal(mo_sweep_events_get(p).count, 0);
        }
        assert_true(mo_sweep_x(p)[0] == x[0] && mo_sweep_x(p)[1] == x[1]);
        assert_true(mo_sweep_info_get(p)->path_length == 0);
        mo_sweep_destroy(p);
    }
}

// round a fixed border from outside, carried by a field: the lazy selector stays within O(h^2) of the circle,
// because what a step lets through is brought back by the next
static mo_status to_the_right(void *data, double t, const double *u, double *f, mo_error *err)
{
    (void)data, (void)t, (void)u, (void)err;
    f[0] = 1;
    f[1] = 0;
    return MO_OK;
}

static void lazy_comes_back(void **state)
{
    (void)state;
    // inside a disc, pushed right: it slides along the border to (1, 0)
    const double zero[2] = {0, 0}, R = 1, x[2] = {0, 0.9};
    double last = 0;
    mo_moving_set set = mo_moving_ball(2, constant(zero), constant(&R));
    for (int k = 0; k < 2; k++) {
        double h = k == 0 ? 0.02 : 0.005, deepest = 0;
        mo_sweep_def def = define(&set, x, h, MO_SWEEP_LAZY);
        def.field = to_the_right;
        mo_sweep *p = create(&def);
        for (int i = 0; i * h < 8; i++) {
            good_step(p);
            // arrival lets through up to h; later on only the curvature of a step does
            if (i * h > 1)
                deepest = fmax(deepest, mo_sweep_info_get(p)->violation);
        }
        assert_true(deepest <= h * h);
        assert_close(distance(2, mo_sweep_x(p), (double[2]){1, 0}), 0, 0.01);
        assert_true(k == 0 || deepest < last / 8);
        last = deepest;
        mo_sweep_destroy(p);
    }
}

static mo_status turn(void *data, double t, const double *u, double *f, mo_error *err)
{
    (void)data, (void)t, (void)err;
    f[0] = -u[1];
    f[1] = u[0];
    return MO_OK;
}

// a field that runs against a wall slides along it: u' = f + lambda n
static void field_on_wall(void **state)
{
    (void)state;
    const double A[2] = {0, 1}, b[1] = {0}, x[2] = {1, 0.5}, h = 1e-3;
    mo_moving_set set = mo_moving_polyhedron(2, 1, constant(A), constant(b));
    mo_sweep_def def = define(&set, x, h, MO_SWEEP_CATCHING_UP);
    def.field = turn;
    mo_sweep *p = create(&def);
    // round to the negative axis, where f = (-y, x) pushes down with |x|: x stays, lambda = |x|
    good_steps(p, 4000);
    double reach = sqrt(1.25);
    assert_close(mo_sweep_x(p)[0], -reach, 5e-3);
    assert_close(mo_sweep_x(p)[1], 0, 1e-15);
    assert_close(mo_sweep_lambda(p)[0], reach, 5e-3);
    mo_sweep_destroy(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(tractrix_orders),
                                       cmocka_unit_test(theta_one),
                                       cmocka_unit_test(play_operator),
                                       cmocka_unit_test(corner),
                                       cmocka_unit_test(one_side_alone),
                                       cmocka_unit_test(penalty_lag),
                                       cmocka_unit_test(rest),
                                       cmocka_unit_test(lazy_comes_back),
                                       cmocka_unit_test(field_on_wall)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
