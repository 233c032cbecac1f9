/* The lazy selector where sets become empty, and where they only come near to it. */
#include <string.h>

#include "sweep/parts.h"

/* Two balls that drift apart while the line between their centres turns. */
typedef struct lens {
    double left[2], right[2], still[2], away[2], radius;
    straight motion[2];
    mo_moving_set balls[2], set;
} lens;

static void make_lens(lens *l)
{
    *l = (lens){.left = {-1, 0}, .right = {1, 0}, .still = {0, 0.5}, .away = {0.3, -0.4}, .radius = 1.2};
    l->motion[0] = (straight){2, l->left, l->still};
    l->motion[1] = (straight){2, l->right, l->away};
    for (int i = 0; i < 2; i++)
        l->balls[i] = mo_moving_ball(2, along(&l->motion[i]), constant(&l->radius));
    l->set = mo_moving_intersection(2, l->balls);
}

// time at which the centres are two radii apart
static double closing_time(void)
{
    // (2 + 0.3 t)^2 + 0.81 t^2 = 5.76
    double a = 0.9, b = 1.2, c = 4 - 5.76;
    return (-b + sqrt(b * b - 4 * a * c)) / (2 * a);
}

// steps until one is not reached; false when all are, up to t_end
static bool ends(mo_sweep *p, double t_end)
{
    const mo_sweep_info *info = mo_sweep_info_get(p);
    while (info->time < t_end && info->outcome == MO_SWEEP_REACHED)
        step(p);
    return info->outcome != MO_SWEEP_REACHED;
}

// nearly opposite gradients allow velocities without bound: the selector alone would go on for ever
static void an_empty_set_ends_it(void **state)
{
    (void)state;
    const double steps[] = {0.02, 0.005, 0.001}, x[2] = {0.05, 0.4};
    lens l;
    make_lens(&l);
    for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
        double h = steps[k], t = closing_time();
        mo_sweep_def def = define(&l.set, x, h, MO_SWEEP_LAZY);
        mo_sweep *p = create(&def);
        assert_true(ends(p, 2));
        const mo_sweep_info *info = mo_sweep_info_get(p);
        assert_int_equal(info->outcome, MO_SWEEP_EMPTY);
        assert_non_null(strstr(info->message, "C(t) is empty"));
        assert_int_equal(info->unconverged_steps, 1);
        // not before it is, and soon after: the selector has not flown off
        assert_true(info->time > t - h && info->time < t + 4 * h);
        assert_true(info->worst_violation < 0.05);
        mo_sweep_destroy(p);
    }
}

// |x - a| has a gradient of length 1 however small the ball is: the point would swing from side to side
static void a_negative_radius_ends_it(void **state)
{
    (void)state;
    const double from = 0.5, rate = -1, centre[2] = {0, 0}, x[2] = {0.1, 0.3}, h = 0.01;
    straight s = {1, &from, &rate};
    mo_moving_set ball = mo_moving_ball(2, constant(centre), along(&s));
    mo_sweep_def def = define(&ball, x, h, MO_SWEEP_LAZY);
    mo_sweep *p = create(&def);
    assert_true(ends(p, 1));
    assert_int_equal(mo_sweep_info_get(p)->outcome, MO_SWEEP_EMPTY);
    assert_close(mo_sweep_info_get(p)->time, 0.5, 4 * h);
    mo_sweep_destroy(p);
}

static mo_status sinking_bowl(void *data, double t, const double *x, double *g, double *gx, double *gt,
                              mo_error *err)
{
    (void)data, (void)err;
    g[0] = 0.5 - t - x[0] * x[0] - x[1] * x[1];
    if (gx != NULL) {
        gx[0] = -2 * x[0];
        gx[1] = -2 * x[1];
    }
    if (gt != NULL)
        gt[0] = -1;
    return MO_OK;
}

// nothing is known of the shape of a gap by the user: a linearisation that is empty proves nothing, and the
// run goes on, but says so
static void doubt_is_told(void **state)
{
    (void)state;
    const double x[2] = {0.3, 0.5};
    mo_moving_set bowl = mo_moving_gaps(2, 1, sinking_bowl, NULL);
    mo_sweep_def def = define(&bowl, x, 0.01, MO_SWEEP_LAZY);
    mo_sweep *p = create(&def);
    const mo_sweep_info *info = mo_sweep_info_get(p);
    assert_true(ends(p, 1));
    assert_int_equal(info->outcome, MO_SWEEP_NOT_CONVERGED);
    assert_non_null(strstr(info->message, "the set may be empty"));
    assert_true(info->time > 0.5);
    double t = info->time;
    step(p);
    assert_true(info->time > t);
    mo_sweep_destroy(p);
}

// sets that move far in a step, turn round and nearly close are not empty
static void others_go_on(void **state)
{
    (void)state;
    const double steps[] = {0.2, 0.05, 0.01}, radius = 1, x[2] = {0, 0.5};
    const double size[2] = {2, 3}, phase[2] = {0, 1}, left[2] = {0, 0}, right[2] = {1.98, 0};
    waves w = {2, 3, size, phase};
    mo_moving_set balls[2] = {mo_moving_ball(2, constant(left), constant(&radius)),
                              mo_moving_ball(2, constant(right), constant(&radius))};
    mo_moving_set thin = mo_moving_intersection(2, balls), sliver = mo_moving_translate(&thin, waving(&w));
    mo_moving_set ball = mo_moving_ball(2, waving(&w), constant(&radius));
    const mo_moving_set *sets[] = {&sliver, &ball};
    for (size_t i = 0; i < 2; i++)
        for (size_t k = 0; k < sizeof steps / sizeof *steps; k++) {
            mo_sweep_def def = define(sets[i], x, steps[k], MO_SWEEP_LAZY);
            mo_sweep *p = create(&def);
            assert_false(ends(p, 6));
            mo_sweep_destroy(p);
        }
}

static mo_status breathe(void *data, double t, double *value, double *rate, mo_error *err)
{
    (void)data, (void)err;
    value[0] = 1e-3 + 5e-4 * sin(5 * t);
    if (rate != NULL)
        rate[0] = 2.5e-3 * cos(5 * t);
    return MO_OK;
}

// an interval much thinner than its motion in a step touches the point from both sides, and while it gets
// thinner no velocity keeps both gaps from closing; it is never empty
static void thin_sets_are_caught_up(void **state)
{
    (void)state;
    const double size = 1, phase = 0, x = 0, h = 0.05;
    waves w = {1, 2, &size, &phase};
    mo_moving_set thin = mo_moving_box(1, waving(&w), (mo_timed){.function = breathe});
    mo_sweep_def def = define(&thin, &x, h, MO_SWEEP_LAZY);
    mo_sweep *p = create(&def);
    while (mo_sweep_info_get(p)->time < 3) {
        good_step(p);
        // a side that arrives is let through by its motion in the step
        double t = mo_sweep_info_get(p)->time;
        assert_close(mo_sweep_x(p)[0], sin(2 * t), 2 * h);
    }
    mo_sweep_destroy(p);
}

// what is looked at is in the state: a process that was saved on the way ends at the same step
static void saved_on_the_way(void **state)
{
    (void)state;
    const double x[2] = {0.05, 0.4};
    lens l;
    make_lens(&l);
    mo_sweep_def def = define(&l.set, x, 0.005, MO_SWEEP_LAZY);
    mo_sweep *p = create(&def), *q = create(&def);
    mo_error err;
    unsigned char bytes[4096];
    const mo_sweep_info *info = mo_sweep_info_get(p);
    for (int k = 0; k < 400 && info->outcome == MO_SWEEP_REACHED; k++) {
        size_t size = mo_sweep_state_size(p);
        assert_true(size <= sizeof bytes);
        mo_sweep_save(p, bytes);
        assert_int_equal(mo_sweep_restore(q, bytes, size, &err), MO_OK);
        step(p);
    }
    assert_int_equal(info->outcome, MO_SWEEP_EMPTY);
    // q is at the state before the last step
    step(q);
    assert_true(mo_sweep_hash(p) == mo_sweep_hash(q));
    assert_string_equal(info->message, mo_sweep_info_get(q)->message);
    mo_sweep_destroy(p);
    mo_sweep_destroy(q);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_set_ends_it),    cmocka_unit_test(a_negative_radius_ends_it),
        cmocka_unit_test(doubt_is_told),           cmocka_unit_test(others_go_on),
        cmocka_unit_test(thin_sets_are_caught_up), cmocka_unit_test(saved_on_the_way)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
