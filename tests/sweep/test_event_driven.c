/* The event-driven method against closed forms: paths, times of events, multipliers. */
#include "told.h"

/* ---- smooth paths --------------------------------------------------------------------------------- */

/* A disc of radius R moved along x with the point at its top: tractrix, tan(theta / 2) = exp(-t / R). */
static void tractrix(void **state)
{
    (void)state;
    const double R = 1.25, x0[] = {0, R};
    const mo_moving_set disc = mo_moving_ball(2, along(&drive), constant(&R));
    mo_sweep *s = started(&disc, x0, 0.05, MO_SWEEP_EVENT_DRIVEN);
    for (int k = 1; k <= 80; k++) {
        told_steps(s, 1);
        const double t = 0.05 * k, theta = 2 * atan(exp(-t / R));
        assert_close(mo_sweep_x(s)[0], t - R * cos(theta), 1e-11);
        assert_close(mo_sweep_x(s)[1], R * sin(theta), 1e-11);
        // g = R - |x - a| has the gradient (a - x) / R = (cos theta, -sin theta)
        assert_close(mo_sweep_lambda(s)[0], cos(theta), 1e-11);
        assert_true(mo_sweep_info_get(s)->violation <= 1e-14);
    }
    // the point touches at rest: the contact begins with the motion, and nothing else ever happens
    assert_int_equal(all.count, 1);
    expect_event(0, MO_EVENT_CONTACT, 0, 1e-12 * 0.05, 0);
    mo_sweep_destroy(s);
}

/* A point ahead of the centre rests until the rear reaches it: |x - a| = R at t = x + sqrt(R^2 - y^2). */
static void tractrix_late(void **state)
{
    (void)state;
    const double R = 1, x0[] = {0.5, 0.3};
    const mo_moving_set disc = mo_moving_ball(2, along(&drive), constant(&R));
    const double contact = 0.5 + sqrt(1 - 0.09), theta0 = asin(0.3);
    mo_sweep *s = started(&disc, x0, 0.1, MO_SWEEP_EVENT_DRIVEN);
    told_steps(s, 40);
    expect_event(0, MO_EVENT_CONTACT, contact, 1e-12 * 0.1, 0);
    assert_int_equal(all.count, 1);
    const double theta = 2 * atan(tan(theta0 / 2) * exp(-(4 - contact) / R));
    assert_close(mo_sweep_x(s)[0], 4 - R * cos(theta), 1e-11);
    assert_close(mo_sweep_x(s)[1], R * sin(theta), 1e-11);
    mo_sweep_destroy(s);
}

/*
 * A disc pushes a point that it has in front: u = a + R (cos theta, sin theta), u' = cos theta (cos, sin), so
 * that theta' = sin theta / R, tan(theta / 2) = tan(theta0 / 2) exp(t / R); it lets go at theta = pi / 2. The
 * point's set is the outside of the disc: not convex.
 */
static mo_status outside_disc(void *data, double t, const double *x, double *g, double *gx, double *gt,
                              mo_error *err)
{
    (void)err;
    const double dx = x[0] - t, d = hypot(dx, x[1]);
    g[0] = d - *(const double *)data;
    if (gx != NULL) {
        gx[0] = dx / d;
        gx[1] = x[1] / d;
    }
    if (gt != NULL)
        gt[0] = -dx / d;
    return MO_OK;
}

static void pushed_by_disc(void **state)
{
    (void)state;
    double R = 0.75, theta0 = 0.2, h = 0.1;
    const double x0[] = {R * cos(theta0), R * sin(theta0)};
    const mo_moving_set set = mo_moving_gaps(2, 1, outside_disc, &R);
    mo_sweep *s = started(&set, x0, h, MO_SWEEP_EVENT_DRIVEN);
    const double release = -R * log(tan(theta0 / 2));
    for (int k = 1; k <= 30; k++) {
        told_steps(s, 1);
        const double t = fmin(h * k, release), theta = 2 * atan(tan(theta0 / 2) * exp(t / R));
        assert_close(mo_sweep_x(s)[0], t + R * cos(theta), 1e-11);
        assert_close(mo_sweep_x(s)[1], R * sin(theta), 1e-11);
        assert_close(mo_sweep_lambda(s)[0], h * k < release ? cos(theta) : 0, 1e-11);
    }
    assert_int_equal(all.count, 2);
    expect_event(0, MO_EVENT_CONTACT, 0, 0, 0);
    // the multiplier falls through 0 with slope 1 / R; theta is known to 1e-12
    expect_event(1, MO_EVENT_RELEASE, release, 1e-11, 0);
    mo_sweep_destroy(s);
}

/* sin t */
static const double sine_size[] = {1}, sine_phase[] = {0};
static waves sine = {1, 1, sine_size, sine_phase};

/* ---- play ----------------------------------------------------------------------------------------- */

/* An interval [sin t - r, sin t + r] drags x: up from x = sin t - r = 0, rest from pi / 2 until sin t + r = 1
 * - r. */
static void play(void **state)
{
    (void)state;
    const double r = 0.25, x0 = 0, h = 0.1;
    const mo_moving_set interval = mo_moving_box(1, waving(&sine), constant(&r));
    const double pi = acos(-1), rise = asin(r), down = pi - asin(1 - 2 * r), up = 2 * pi + asin(2 * r - 1);
    mo_sweep *s = started(&interval, &x0, h, MO_SWEEP_EVENT_DRIVEN);
    for (int k = 1; k <= 88; k++) {
        told_steps(s, 1);
        const double t = h * k;
        double x = 0;
        if (t > rise)
            x = sin(fmin(t, pi / 2)) - r;
        if (t > down)
            x = sin(fmin(t, 3 * pi / 2)) + r;
        if (t > up)
            x = sin(fmin(t, 5 * pi / 2)) - r;
        assert_close(mo_sweep_x(s)[0], x, 1e-13);
    }
    // gaps: x - a + r and a + r - x
    assert_int_equal(all.count, 6);
    expect_event(0, MO_EVENT_CONTACT, rise, 1e-12 * h, 0);
    expect_event(1, MO_EVENT_RELEASE, pi / 2, 1e-12 * h, 0);
    expect_event(2, MO_EVENT_CONTACT, down, 1e-12 * h, 1);
    expect_event(3, MO_EVENT_RELEASE, 3 * pi / 2, 1e-12 * h, 1);
    expect_event(4, MO_EVENT_CONTACT, up, 1e-12 * h, 0);
    expect_event(5, MO_EVENT_RELEASE, 5 * pi / 2, 1e-12 * h, 0);
    mo_sweep_destroy(s);
}

/* One step over several switches: the same times. */
static void play_in_one_step(void **state)
{
    (void)state;
    const double r = 0.25, x0 = 0;
    const mo_moving_set interval = mo_moving_box(1, waving(&sine), constant(&r));
    const double pi = acos(-1);
    mo_sweep *s = started(&interval, &x0, 8.8, MO_SWEEP_EVENT_DRIVEN);
    told_steps(s, 1);
    assert_close(mo_sweep_x(s)[0], 1 - r, 1e-12);
    assert_int_equal(all.count, 6);
    expect_event(3, MO_EVENT_RELEASE, 3 * pi / 2, 1e-11, 1);
    mo_sweep_destroy(s);
}

/* Zigzag with corners: the centre goes up and down with unit speed and period 2. */
static mo_status zigzag(void *data, double t, double *value, double *rate, mo_error *err)
{
    (void)data, (void)err;
    const double phase = fmod(t, 2);
    value[0] = phase < 1 ? phase : 2 - phase;
    if (rate != NULL)
        rate[0] = phase < 1 ? 1 : -1;
    return MO_OK;
}

static void play_with_corners(void **state)
{
    (void)state;
    const double r = 0.125, x0 = 0.125, h = 0.3;
    const mo_moving_set interval = mo_moving_box(1, by_function(zigzag, NULL), constant(&r));
    mo_sweep *s = started(&interval, &x0, h, MO_SWEEP_EVENT_DRIVEN);
    told_steps(s, 8);
    // x follows a - r from t = 2 r to 1, rests at 1 - r, is taken by a + r from t = 1 + 2 r to 2, then rests
    // at r
    assert_int_equal(all.count, 5);
    expect_event(0, MO_EVENT_CONTACT, 2 * r, 1e-12 * h, 0);
    expect_event(1, MO_EVENT_RELEASE, 1, 1e-12 * h, 0);
    expect_event(2, MO_EVENT_CONTACT, 1 + 2 * r, 1e-12 * h, 1);
    expect_event(3, MO_EVENT_RELEASE, 2, 1e-12 * h, 1);
    expect_event(4, MO_EVENT_CONTACT, 2 + 2 * r, 1e-12 * h, 0);
    assert_close(mo_sweep_x(s)[0], 0.4 - r, 1e-13);
    mo_sweep_destroy(s);
}

/* ---- corners -------------------------------------------------------------------------------------- */

/*
 * Walls x >= t and y >= x / 2 - 1: from (0, -0.9) the first pushes along x until the second holds at t = 0.2,
 * then the point goes along the corner (t, t / 2 - 1): u' = (1, 1/2) = l1 (1, 0) + l2 (-1/2, 1), l2 = 1/2, l1
 * = 5/4.
 */
static void corner(void **state)
{
    (void)state;
    const double A[] = {1, 0, -0.5, 1}, x0[] = {0, -0.9}, h = 0.15;
    const double offset[] = {0, -1}, speed[] = {1, 0};
    straight offsets = {2, offset, speed};
    const mo_moving_set walls = mo_moving_polyhedron(2, 2, constant(A), along(&offsets));
    mo_sweep *s = started(&walls, x0, h, MO_SWEEP_EVENT_DRIVEN);
    told_steps(s, 1);
    assert_close(mo_sweep_lambda(s)[0], 1, 1e-13);
    assert_close(mo_sweep_lambda(s)[1], 0, 0);
    told_steps(s, 9);
    assert_close(mo_sweep_x(s)[0], 1.5, 1e-14);
    assert_close(mo_sweep_x(s)[1], -0.25, 1e-14);
    assert_close(mo_sweep_lambda(s)[0], 1.25, 1e-13);
    assert_close(mo_sweep_lambda(s)[1], 0.5, 1e-13);
    assert_int_equal(all.count, 2);
    expect_event(0, MO_EVENT_CONTACT, 0, 0, 0);
    expect_event(1, MO_EVENT_CONTACT, 0.2, 1e-12 * h, 1);
    size_t count;
    const mo_sweep_hold *hold = mo_sweep_holds(s, &count);
    assert_true(count == 2 && hold[0].first == 0 && hold[1].first == 1 && hold[0].second == SIZE_MAX);
    mo_sweep_destroy(s);
}

/* Rows given twice, three times, scaled and a wall along the motion: the path stays, the multipliers add up.
 */
static void redundant_walls(void **state)
{
    (void)state;
    const double A[] = {1, 0, 2, 0, 1, 0, -0.5, 1, 0, 0}, x0[] = {0, -0.9}, h = 0.15;
    const double offset[] = {0, 0, 0, -1, 0}, speed[] = {1, 2, 1, 0, 0};
    straight offsets = {5, offset, speed};
    const mo_moving_set walls = mo_moving_polyhedron(2, 5, constant(A), along(&offsets));
    mo_sweep *s = started(&walls, x0, h, MO_SWEEP_EVENT_DRIVEN);
    told_steps(s, 10);
    const double *l = mo_sweep_lambda(s);
    assert_close(mo_sweep_x(s)[0], 1.5, 1e-14);
    assert_close(mo_sweep_x(s)[1], -0.25, 1e-14);
    assert_close(l[0] + 2 * l[1] + l[2], 1.25, 1e-13);
    assert_close(l[3], 0.5, 1e-13);
    assert_int_equal(all.count, 2);
    mo_sweep_destroy(s);
}

/* ---- fields --------------------------------------------------------------------------------------- */

static mo_sweep *started_in_field(const mo_moving_set *set, const double *x, double h,
                                  mo_status (*field)(void *, double, const double *, double *, mo_error *))
{
    mo_sweep_def def = define(set, x, h, MO_SWEEP_EVENT_DRIVEN);
    def.field = field;
    all.count = 0;
    return create(&def);
}

static mo_status fall(void *data, double t, const double *u, double *f, mo_error *err)
{
    (void)data, (void)t, (void)u, (void)err;
    f[0] = 1;
    f[1] = -2;
    return MO_OK;
}

/* f = (1, -2) above y >= 0: down to the floor at t = 1/2, then along it with f projected. */
static void field_onto_a_wall(void **state)
{
    (void)state;
    const double A[] = {0, 3}, b = 0, x0[] = {0, 1}, h = 0.2;
    const mo_moving_set floor = mo_moving_polyhedron(2, 1, constant(A), constant(&b));
    mo_sweep *s = started_in_field(&floor, x0, h, fall);
    told_steps(s, 10);
    assert_close(mo_sweep_x(s)[0], 2, 1e-14);
    assert_close(mo_sweep_x(s)[1], 0, 1e-15);
    // du = f dt + (0, 3) dlambda
    assert_close(mo_sweep_lambda(s)[0], 2. / 3, 1e-14);
    assert_int_equal(all.count, 1);
    expect_event(0, MO_EVENT_CONTACT, 0.5, 1e-12 * h, 0);
    mo_sweep_destroy(s);
}

/*
 * f = (0, -1) outside the unit disc at the origin: the point slides off.  With x = (sin a, cos a) the
 * tangential part of f gives a' = sin a, tan(a / 2) = tan(a0 / 2) e^t, multiplier cos a, release at a = pi
 * / 2.
 */
static mo_status down(void *data, double t, const double *u, double *f, mo_error *err)
{
    (void)data, (void)t, (void)u, (void)err;
    f[0] = 0;
    f[1] = -1;
    return MO_OK;
}

static mo_status unit_disc_out(void *data, double t, const double *x, double *g, double *gx, double *gt,
                               mo_error *err)
{
    (void)data, (void)t, (void)err;
    const double d = hypot(x[0], x[1]);
    g[0] = d - 1;
    if (gx != NULL) {
        gx[0] = x[0] / d;
        gx[1] = x[1] / d;
    }
    if (gt != NULL)
        gt[0] = 0;
    return MO_OK;
}

static void sliding_off(void **state)
{
    (void)state;
    const double a0 = 0.1, x0[] = {sin(a0), cos(a0) + 0.5}, h = 0.25;
    const mo_moving_set set = mo_moving_gaps(2, 1, unit_disc_out, NULL);
    mo_sweep *s = started_in_field(&set, x0, h, down);
    told_steps(s, 20);
    const double release = 0.5 - log(tan(a0 / 2));
    assert_int_equal(all.count, 2);
    expect_event(0, MO_EVENT_CONTACT, 0.5, 1e-12 * h, 0);
    expect_event(1, MO_EVENT_RELEASE, release, 1e-11, 0);
    assert_close(mo_sweep_x(s)[0], 1, 1e-12);
    assert_close(mo_sweep_x(s)[1], release - 5, 1e-11);
    mo_sweep_destroy(s);
}

/* ---- order ---------------------------------------------------------------------------------------- */

/* Catching-up converges to the event-driven answer with order 1 on the tractrix; the latter does not depend
 * on h. */
static void order_of_catching_up(void **state)
{
    (void)state;
    const double R = 1, x0[] = {0, 1};
    const mo_moving_set disc = mo_moving_ball(2, along(&drive), constant(&R));
    const double theta = 2 * atan(exp(-1.)), exact[] = {1 - cos(theta), sin(theta)};
    double before = 0;
    for (int k = 3; k <= 9; k++) {
        const int steps = 1 << k;
        mo_sweep *a = started(&disc, x0, 1. / steps, MO_SWEEP_CATCHING_UP);
        mo_sweep *b = started(&disc, x0, 1. / steps, MO_SWEEP_EVENT_DRIVEN);
        good_steps(a, steps);
        good_steps(b, steps);
        assert_close(hypot(mo_sweep_x(b)[0] - exact[0], mo_sweep_x(b)[1] - exact[1]), 0, 1e-12);
        const double error = hypot(mo_sweep_x(a)[0] - exact[0], mo_sweep_x(a)[1] - exact[1]);
        if (k > 5)
            assert_close(log2(before / error), 1, 0.05);
        before = error;
        mo_sweep_destroy(a);
        mo_sweep_destroy(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tractrix),
        cmocka_unit_test(tractrix_late),
        cmocka_unit_test(pushed_by_disc),
        cmocka_unit_test(play),
        cmocka_unit_test(play_in_one_step),
        cmocka_unit_test(play_with_corners),
        cmocka_unit_test(corner),
        cmocka_unit_test(redundant_walls),
        cmocka_unit_test(field_onto_a_wall),
        cmocka_unit_test(sliding_off),
        cmocka_unit_test(order_of_catching_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
