/* Leaps of functions of time: true steps are found to 1e-12 of the interval, steep ramps are none. */
#include "sweep/leap.h"

#include "leaping.h"

/* Smooth motion, a step of `size` at `at` and a ramp over [ramp, ramp + width]. */
typedef struct motion {
    double speed, at, size, at2, size2, ramp, width, height;
    int calls;
} motion;

static mo_status read_motion(void *data, double t, double *value, double *rate, mo_error *err)
{
    (void)err;
    motion *m = data;
    m->calls++;
    *value = sin(m->speed * t);
    *rate = m->speed * cos(m->speed * t);
    if (t >= m->at)
        *value += m->size;
    if (t >= m->at2)
        *value += m->size2;
    if (m->width > 0) {
        // the smooth ramp 3 s^2 - 2 s^3, once differentiable
        const double s = fmin(1, fmax(0, (t - m->ramp) / m->width));
        *value += m->height * s * s * (3 - 2 * s);
        *rate += m->height * 6 * s * (1 - s) / m->width;
    }
    return MO_OK;
}

static leap find(motion *m, double t0, double t1)
{
    double scratch[32];
    const leap_probe probe = {1, read_motion, m, 1e-10, false};
    leap out = {false, 0, 0, 0};
    assert_true(leap_scratch(1) <= 32);
    assert_int_equal(leap_find(&probe, t0, t1, scratch, &out, NULL), MO_OK);
    return out;
}

static void steps_are_found(void **state)
{
    (void)state;
    rng r = rng_seed(11, 3);
    for (int k = 0; k < 300; k++) {
        const double t0 = k % 3 == 0 ? 0 : 10 * rng_uniform(&r), h = pow(10, -4 * rng_uniform(&r));
        // large beside what the rates explain: h speed < 1/10
        const double size = (rng_uniform(&r) < 0.5 ? -1 : 1) * (0.1 + rng_uniform(&r));
        motion m = {.speed = 0.1 * rng_uniform(&r) / h, .at = t0 + h * rng_uniform(&r), .size = size};
        m.at2 = HUGE_VAL;
        const leap j = find(&m, t0, t0 + h);
        assert_true(j.found && j.before < m.at && j.after >= m.at);
        // adjacent numbers where 1e-12 h is finer than rounding
        assert_true(j.after - j.before <= fmax(1e-12 * h, nextafter(t0 + h, HUGE_VAL) - (t0 + h)));
        assert_true(m.calls < 200);
    }
}

/* Once differentiable, 1e-6 wide (and wider, and narrower): no jump, and it costs little to see it. */
static void ramps_are_none(void **state)
{
    (void)state;
    rng r = rng_seed(12, 3);
    for (int k = 0; k < 300; k++) {
        const double width = pow(10, -9 + 9 * rng_uniform(&r));
        motion m = {.speed = rng_uniform(&r), .at = HUGE_VAL, .at2 = HUGE_VAL, .width = width};
        m.ramp = rng_uniform(&r);
        m.height = 2 * rng_uniform(&r) - 1;
        assert_false(find(&m, 0, 1).found);
        assert_true(m.calls < 2500);
    }
    motion m = {.speed = 0, .at = HUGE_VAL, .at2 = HUGE_VAL, .ramp = 0.3, .width = 1e-6, .height = 1};
    assert_false(find(&m, 0, 1).found);
    assert_true(m.calls < 200);
}

/* Continuous with an infinite slope: the square root of the distance to a time. */
static mo_status read_root(void *data, double t, double *value, double *rate, mo_error *err)
{
    (void)err;
    const double at = *(const double *)data, d = fmax(0, t - at);
    *value = sqrt(d);
    *rate = d > 0 ? 0.5 / sqrt(d) : 0;
    return MO_OK;
}

static void roots_are_none(void **state)
{
    (void)state;
    for (double at = 0.01; at < 1; at += 0.07) {
        double scratch[32];
        const leap_probe probe = {1, read_root, &at, 1e-10, false};
        leap out = {true, 0, 0, 0};
        assert_int_equal(leap_find(&probe, 0, 1, scratch, &out, NULL), MO_OK);
        assert_false(out.found);
    }
}

static void the_first_of_two(void **state)
{
    (void)state;
    motion m = {.speed = 1, .at = 0.8123, .size = 5, .at2 = 0.3071, .size2 = -1};
    leap j = find(&m, 0, 1);
    assert_true(j.found && j.before < m.at2 && m.at2 <= j.after);
    j = find(&m, j.after, 1);
    assert_true(j.found && j.before < m.at && m.at <= j.after);
    assert_false(find(&m, j.after, 1).found);
    // back and forth in different quarters: nothing is left at the ends
    m = (motion){.speed = 0, .at = 0.3, .size = 1, .at2 = 0.7, .size2 = -1};
    assert_true(find(&m, 0, 1).found);
    // a step before a ramp, and after one
    m = (motion){.speed = 0, .at = 0.3, .size = 1, .at2 = HUGE_VAL, .ramp = 0.29, .width = 1e-4, .height = 3};
    j = find(&m, 0, 1);
    assert_true(j.found && j.before < m.at && m.at <= j.after);
    m.ramp = 0.31;
    j = find(&m, 0, 1);
    assert_true(j.found && j.before < m.at && m.at <= j.after);
}

/* At the very end it counts, at the beginning it has been. */
static void ends(void **state)
{
    (void)state;
    motion m = {.speed = 0, .at = 1, .size = 1, .at2 = HUGE_VAL};
    const leap j = find(&m, 0, 1);
    assert_true(j.found && j.after == 1);
    m.at = 0;
    assert_false(find(&m, 0, 1).found);
    // below what counts
    m = (motion){.speed = 0, .at = 0.5, .size = 1e-11, .at2 = HUGE_VAL};
    assert_false(find(&m, 0, 1).found);
    // not a number: no jump, and an end
    m = (motion){.speed = 0, .at = 0.5, .size = (double)NAN, .at2 = HUGE_VAL};
    assert_false(find(&m, 0, 1).found);
    // far from the origin of time numbers are coarse
    m = (motion){.speed = 0, .at = 1e9 + 0.3, .size = 1, .at2 = HUGE_VAL};
    const leap far = find(&m, 1e9, 1e9 + 1);
    assert_true(far.found && far.after == m.at);
}

/* The earliest over several functions. */
static mo_status read_three(void *data, double t, double *value, double *rate, mo_error *err)
{
    (void)err;
    const double *at = data;
    for (int i = 0; i < 3; i++) {
        value[i] = t >= at[i] ? 1 : 0;
        rate[i] = 0;
    }
    return MO_OK;
}

static mo_status read_broken(void *data, double t, double *value, double *rate, mo_error *err)
{
    (void)data, (void)err;
    *value = t > 0.6 ? 1 : 0;
    *rate = 0;
    return t > 0.6 && t < 0.61 ? MO_BAD_INPUT : MO_OK;
}

static void several(void **state)
{
    (void)state;
    double at[3] = {0.71, 0.111, 0.112}, scratch[64];
    leap_probe probe = {3, read_three, at, 1e-10, false};
    leap out;
    assert_true(leap_scratch(3) <= 64);
    assert_int_equal(leap_find(&probe, 0, 1, scratch, &out, NULL), MO_OK);
    assert_true(out.found && out.which == 1);
    assert_close(out.after, 0.111, 1e-12);
    // a failing function ends the search
    probe = (leap_probe){1, read_broken, NULL, 1e-10, false};
    assert_int_equal(leap_find(&probe, 0, 1, scratch, &out, NULL), MO_BAD_INPUT);
}

/* ---- sets --------------------------------------------------------------------------------------- */

/* jumps told in 20 steps of 0.05 with catching-up; their times lie within 1e-12 steps of `at` */
static size_t jumps_told(const mo_moving_set *set, const double *x, double at)
{
    const mo_sweep_def def = define(set, x, 0.05, MO_SWEEP_CATCHING_UP);
    mo_sweep *s = create(&def);
    size_t count = 0;
    for (int k = 0; k < 20; k++) {
        good_step(s);
        const mo_sweep_events e = mo_sweep_events_get(s);
        for (size_t i = 0; i < e.count; i++)
            if (e.items[i].type == MO_EVENT_JUMP) {
                assert_close(e.items[i].t, at, 1e-12 * 0.05);
                count++;
            }
    }
    mo_sweep_destroy(s);
    return count;
}

/* Sets with gaps and without, and a leap away from the point, which is no jump. */
static void sets_that_leap(void **state)
{
    (void)state;
    leaping l = {0.4321, 2};
    const mo_timed by = leaps(&l);
    const double r = 1, x[] = {0, 0.5};
    const mo_moving_set ball = mo_moving_ball(2, by, constant(&r));
    assert_int_equal(jumps_told(&ball, x, l.at), 1);
    const mo_set disc = mo_set_ball(2, NULL, 1);
    mo_moving_set child = mo_moving_convex(&disc);
    const mo_moving_set moved = mo_moving_translate(&child, by);
    assert_int_equal(jumps_told(&moved, x, l.at), 1);
    // y >= -1 leaps up over the point, or down and away from it
    const double normal[] = {0, 1}, b = -1;
    child = mo_moving_polyhedron(2, 1, constant(normal), constant(&b));
    assert_int_equal(jumps_told(&moved, x, l.at), 1);
    l.by = -2;
    assert_int_equal(jumps_told(&moved, x, l.at), 0);
}

/* The first step from outside lands on the nearest point also with theta, which would go past it. */
static void theta_from_outside(void **state)
{
    (void)state;
    const double center[] = {2, 0}, r = 1, x[] = {0, 0};
    const mo_moving_set ball = mo_moving_ball(2, constant(center), constant(&r));
    const mo_sweep_def def = define(&ball, x, 0.1, MO_SWEEP_THETA);
    mo_sweep *s = create(&def);
    for (int k = 0; k < 5; k++) {
        good_step(s);
        assert_close(mo_sweep_x(s)[0], 1, 1e-14);
    }
    assert_close(mo_sweep_info_get(s)->path_length, 1, 1e-14);
    mo_sweep_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_found),
        cmocka_unit_test(ramps_are_none),
        cmocka_unit_test(roots_are_none),
        cmocka_unit_test(the_first_of_two),
        cmocka_unit_test(ends),
        cmocka_unit_test(sets_that_leap),
        cmocka_unit_test(several),
        cmocka_unit_test(theta_from_outside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
