/*
 * Resistance to rolling and spinning against closed forms.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/close.h"
#include "support/joined.h"

static void set_spin(mo_world *w, mo_body b, double x, double y, double z)
{
    mo_body_state s = state_of(w, b);
    mo_error err;
    s.spin3[0] = x, s.spin3[1] = y, s.spin3[2] = z;
    assert_int_equal(mo_body_set(w, b, &s, &err), MO_OK);
}

static void disc_slows_by_rolling_resistance(void **state)
{
    (void)state;
    const double r = 0.2, l = 0.01, h = 1e-3;
    mo_world *w = make_world(h, G);
    mo_law law = {.friction = 0.8, .rolling = l};
    mo_error err;
    assert_int_equal(mo_world_set_default_law(w, &law, &err), MO_OK);
    add_floor(w, 0);
    mo_body b = add_disc(w, 0, r, r, 1000);
    set_velocity(w, b, 1, 0, -1 / r);
    run_steps(w, 1000, true);
    double a = l * G / (r * 1.5);
    assert_close(state_of(w, b).velocity[0], 1 - a, 1e-9);
    assert_close(state_of(w, b).spin, -(1 - a) / r, 1e-8);
    mo_energy e = mo_world_info_get(w).energy;
    assert_close(e.balance_error, 0, 1e-9);
    run_steps(w, 3000, true);
    assert_close(state_of(w, b).velocity[0], 0, 1e-12);
    assert_close(state_of(w, b).position[0], 0.5 / a, 2e-3);
    mo_world_destroy(w);
}

/* stays if tan a < l/r, rolls with (g sin a - l g cos a / r) / (1 + I/(m r²)) otherwise */
static void disc_on_a_slope(void **state)
{
    (void)state;
    const double r = 0.2, l = 0.02, a[] = {atan(0.09), atan(0.12)};
    for (int i = 0; i < 2; i++) {
        mo_world *w = make_world(1e-3, G);
        mo_law law = {.friction = 0.8, .rolling = l};
        mo_error err;
        assert_int_equal(mo_world_set_default_law(w, &law, &err), MO_OK);
        add_halfplane(w, -sin(a[i]), cos(a[i]), 0);
        mo_body b = add_disc(w, -r * sin(a[i]), r * cos(a[i]), r, 1000);
        run_steps(w, 1000, true);
        mo_body_state s = state_of(w, b);
        double along = -(s.velocity[0] * cos(a[i]) + s.velocity[1] * sin(a[i]));
        double rolls = (G * sin(a[i]) - l * G * cos(a[i]) / r) / 1.5;
        assert_close(along, i == 0 ? 0 : rolls, i == 0 ? 1e-12 : 1e-8);
        mo_world_destroy(w);
    }
}

static mo_body ball_on_plane(mo_world *w, double r, double m)
{
    mo_body_def plane = mo_default_body_def();
    plane.kind = MO_BODY_FIXED;
    plane.shape = (mo_shape_def){.kind = MO_SHAPE_PLANE, .normal = {0, 0, 1}};
    add_def(w, &plane);
    mo_shape_def ball = {.kind = MO_SHAPE_SPHERE, .radius = r};
    return solid(w, &ball, 0, 0, r, m);
}

static void sphere_slows_and_stops_spinning(void **state)
{
    (void)state;
    const double r = 0.1, m = 2, l = 0.004, k = 0.003, I = 0.4 * m * r * r;
    mo_world *w = space(1e-3, 0, 0, -G);
    mo_law law = {.friction = 0.7, .rolling = l, .spinning = k};
    mo_error err;
    assert_int_equal(mo_world_set_default_law(w, &law, &err), MO_OK);
    mo_body b = ball_on_plane(w, r, m);
    set_spin(w, b, 0, 0, 10);
    /* spins on the spot: stops after I s / (k m g) */
    double T = I * 10 / (k * m * G);
    run_steps(w, (int)(0.5 * T / 1e-3), true);
    assert_close(state_of(w, b).spin3[2], 10 - k * m * G / I * 1e-3 * (int)(0.5 * T / 1e-3), 1e-8);
    run_steps(w, (int)(0.51 * T / 1e-3), true);
    assert_close(state_of(w, b).spin3[2], 0, 1e-12);
    /* rolls in a direction of its own */
    mo_body_state s = state_of(w, b);
    s.velocity[0] = 0.6, s.velocity[1] = 0.8;
    s.spin3[0] = -0.8 / r, s.spin3[1] = 0.6 / r, s.spin3[2] = 0;
    assert_int_equal(mo_body_set(w, b, &s, &err), MO_OK);
    run_steps(w, 500, true);
    double v = 1 - 0.5 * l * G / (r * 1.4);
    s = state_of(w, b);
    assert_close(s.velocity[0], 0.6 * v, 1e-8);
    assert_close(s.velocity[1], 0.8 * v, 1e-8);
    assert_close(mo_world_info_get(w).energy.balance_error, 0, 1e-9);
    mo_world_destroy(w);
}

/* the moment of a body that is not round in its inertia opposes its spin, and is ℓ S_N however that turns */
static void moment_opposes_the_spin(void **state)
{
    (void)state;
    const double r = 0.1, l = 0.01, h = 1e-3;
    mo_world *w = space(h, 0, 0, -G);
    mo_law law = {.friction = 0, .rolling = l};
    mo_error err;
    assert_int_equal(mo_world_set_default_law(w, &law, &err), MO_OK);
    mo_body_def plane = mo_default_body_def();
    plane.kind = MO_BODY_FIXED;
    plane.shape = (mo_shape_def){.kind = MO_SHAPE_PLANE, .normal = {0, 0, 1}};
    add_def(w, &plane);
    mo_body_def def = mo_default_body_def();
    def.shape = (mo_shape_def){.kind = MO_SHAPE_SPHERE, .radius = r};
    def.mass = 1;
    def.inertia3[0] = 0.002, def.inertia3[1] = 0.004, def.inertia3[2] = 0.005;
    def.position[2] = r;
    def.spin3[0] = 30, def.spin3[1] = 40;
    mo_body b = add_def(w, &def);
    run_steps(w, 1, true);
    mo_body_state s = state_of(w, b);
    /* the law holds for the spin of the middle, which the free halves turn a little */
    double size = hypot(s.torque3[0], s.torque3[1]), spin = hypot(s.spin3[0], s.spin3[1]);
    assert_close(size, l * G, 1e-9);
    assert_close(-(s.torque3[0] * s.spin3[0] + s.torque3[1] * s.spin3[1]) / (size * spin), 1, 1e-3);
    assert_close(s.torque3[2], 0, 1e-12);
    mo_world_destroy(w);
}

// sticky balls in rows, at rest: nothing turns but rounding, which is no missed tolerance
static void balls_at_rest_are_certified(void **state)
{
    (void)state;
    const double r = 0.03, m = 0.3;
    mo_world *w = space(1e-3, 0, 0, -G);
    mo_law law = {.friction = 0.5, .cohesion = 1, .rolling = 0.002, .spinning = 0.002};
    mo_error err;
    assert_int_equal(mo_world_set_default_law(w, &law, &err), MO_OK);
    const mo_shape_def ball = {.kind = MO_SHAPE_SPHERE, .radius = r};
    mo_body b[9] = {ball_on_plane(w, r, m)};
    for (int i = 1; i < 9; i++)
        b[i] = solid(w, &ball, 2 * r * (i % 2), 2 * r * (i / 2), r, m);
    run_steps(w, 300, true);
    for (int i = 0; i < 9; i++) {
        mo_body_state s = state_of(w, b[i]);
        assert_close(s.force[2], m * G, 1e-8 * m * G);
        for (int k = 0; k < 3; k++)
            assert_close(fabs(s.velocity[k]) + r * fabs(s.spin3[k]), 0, 1e-12);
    }
    mo_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(disc_slows_by_rolling_resistance), cmocka_unit_test(disc_on_a_slope),
        cmocka_unit_test(sphere_slows_and_stops_spinning),  cmocka_unit_test(moment_opposes_the_spin),
        cmocka_unit_test(balls_at_rest_are_certified),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
