/*
 * Springs, motors, stops and ropes against closed forms, also where the ends are moved and by every scheme.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/close.h"
#include "support/joined.h"

static void spring_frequency_and_damping(void **state)
{
    (void)state;
    const double h = 1e-3, k = 400;
    for (int damped = 0; damped < 2; damped++) {
        mo_world *w = make_world(h, 0);
        mo_body b = add_disc(w, 1.1, 0, 0.1, 100);
        double m = state_of(w, b).mass, omega = sqrt(k / m), c = damped ? 0.2 * m * omega : 0;
        mo_joint_def d = joint_def(MO_JOINT_SPRING, b, NOBODY, 1.1, 0, 0);
        d.length = 1;
        d.stiffness = k;
        d.damping = c;
        mo_joint j = add_joint_def(w, &d);
        double start = 0.5 * k * 0.01;
        assert_close(mo_world_info_get(w).energy.potential, start, 1e-13);
        double delta = c / (2 * m), wd = sqrt(omega * omega - delta * delta);
        double phase = atan2(delta, wd), scale = 0.1 / cos(phase);
        for (int i = 1; i <= 1000; i++) {
            run_steps(w, 1, true);
            double t = h * i, x = scale * exp(-delta * t) * cos(wd * t - phase);
            /* second order: phase error t omega (omega h)²/12 */
            assert_close(joint_state(w, j).value, 1 + x, 0.1 * omega * t * pow(omega * h, 2) / 6 + 1e-5);
            assert_close(mo_world_info_get(w).energy.balance_error, 0, 1e-10 * start);
        }
        mo_energy e = mo_world_info_get(w).energy;
        if (!damped)
            assert_close(e.kinetic + e.potential, start, 1e-10 * start);
        mo_world_destroy(w);
    }
}

/* a stiff spring is no reason for small steps: it ends as a rod */
static void stiff_spring(void **state)
{
    (void)state;
    mo_world *w = make_world(1e-2, G);
    mo_body b = add_disc(w, 0, -1, 0.1, 1000);
    mo_joint_def d = joint_def(MO_JOINT_SPRING, b, NOBODY, 0, -1, 0);
    d.stiffness = 1e12;
    d.damping = 1e10;
    mo_joint j = add_joint_def(w, &d);
    run_steps(w, 200, true);
    double m = state_of(w, b).mass;
    assert_close(joint_state(w, j).value, 1, 1e-9);
    assert_close(joint_state(w, j).force[1], m * G, 1e-6 * m * G);
    mo_world_destroy(w);
}

/* constant torque until the speed is there, none after */
static void motor_with_limited_torque(void **state)
{
    (void)state;
    const double h = 1e-3, speed = 5, torque = 2;
    mo_world *w = make_world(h, 0);
    mo_body b = add_disc(w, 0, 0, 0.5, 100);
    double I = state_of(w, b).inertia;
    mo_joint_def d = joint_def(MO_JOINT_HINGE, b, NOBODY, 0, 0, 0);
    d.driven = true;
    d.speed = speed;
    d.max_load = torque;
    mo_joint j = add_joint_def(w, &d);
    run_steps(w, 100, true);
    assert_close(state_of(w, b).spin, torque * 100 * h / I, 1e-12);
    assert_close(joint_state(w, j).motor, torque, 1e-12);
    run_steps(w, (int)(speed * I / torque / h), true);
    assert_close(state_of(w, b).spin, speed, 1e-12);
    assert_close(joint_state(w, j).motor, 0, 1e-9);
    mo_energy e = mo_world_info_get(w).energy;
    assert_close(e.work_external, 0.5 * I * speed * speed, 1e-9);
    assert_close(e.balance_error, 0, 1e-9);
    /* brakes */
    mo_error err;
    assert_int_equal(mo_joint_drive(w, j, 0, torque, &err), MO_OK);
    run_steps(w, 100, true);
    assert_close(state_of(w, b).spin, speed - torque * 100 * h / I, 1e-12);
    mo_world_destroy(w);
}

/* a motor at the end of an arm lifts it against its weight: what it bears is m g L cos a */
static void motor_holds_an_arm(void **state)
{
    (void)state;
    const double L = 2;
    mo_world *w = make_world(1e-3, G);
    mo_body b = add_disc(w, L, 0, 0.05, 1000);
    mo_joint_def d = joint_def(MO_JOINT_HINGE, b, NOBODY, 0, 0, 0);
    d.driven = true;
    d.max_load = HUGE_VAL;
    mo_joint j = add_joint_def(w, &d);
    run_steps(w, 100, true);
    double m = state_of(w, b).mass;
    assert_close(joint_state(w, j).motor, m * G * L, 1e-8 * m * G * L);
    assert_close(joint_state(w, j).value, 0, 1e-12);
    mo_world_destroy(w);
}

/* whatever solver is named, a motor turns a wheel with all of its torque; a disc lies on the floor */
static void every_solver_drives(void **state)
{
    (void)state;
    const double torque = 2;
    for (int name = 0; name < MO_SOLVER_COUNT; name++) {
        mo_world_def def = mo_default_world_def();
        def.h = 1e-3;
        def.gravity[1] = -G;
        def.solver.name = (mo_solver_name)name;
        mo_world *w = make_world_def(&def);
        add_floor(w, 0);
        add_disc(w, 3, 0.1, 0.1, 1000);
        mo_body b = add_disc(w, 0, 1, 0.5, 100);
        mo_joint_def d = joint_def(MO_JOINT_HINGE, b, NOBODY, 0, 1, 0);
        d.driven = true;
        d.speed = 5;
        d.max_load = torque;
        mo_joint j = add_joint_def(w, &d);
        run_steps(w, 50, true);
        assert_close(state_of(w, b).spin, torque * 50e-3 / state_of(w, b).inertia, 1e-12);
        assert_close(joint_state(w, j).motor, torque, 1e-12);
        mo_world_destroy(w);
    }
}

static void limit_stops_without_rebound(void **state)
{
    (void)state;
    mo_world *w = make_world(1e-3, G);
    mo_body b = add_box(w, 0.5, 0, 1, 0.1, 0, 1000);
    mo_joint_def d = joint_def(MO_JOINT_HINGE, b, NOBODY, 0, 0, 0);
    d.limited = true;
    d.limits[0] = -0.7;
    d.limits[1] = 0.2;
    mo_joint j = add_joint_def(w, &d);
    double m = state_of(w, b).mass, fallen = m * G * 0.5 * sin(0.7);
    run_steps(w, 1500, true);
    mo_joint_state s = joint_state(w, j);
    assert_close(s.value, -0.7, 1e-12);
    assert_close(s.rate, 0, 1e-12);
    /* the stop bears the moment of the weight; all that it fell is lost */
    assert_close(s.torque[0], m * G * 0.5 * cos(0.7), 1e-8);
    mo_energy e = mo_world_info_get(w).energy;
    assert_close(e.dissipated_impact, fallen, 1e-2 * fallen);
    assert_close(e.balance_error, 0, 1e-9 * fallen);
    mo_world_destroy(w);
}

/* a rope: slack, then taut */
static void rope(void **state)
{
    (void)state;
    mo_world *w = make_world(1e-3, G);
    mo_body b = add_disc(w, 0.1, -0.2, 0.05, 1000);
    mo_joint_def d = joint_def(MO_JOINT_DISTANCE, b, NOBODY, 0.1, -0.2, 0);
    d.limited = true;
    d.limits[0] = 0;
    d.limits[1] = 1;
    mo_joint j = add_joint_def(w, &d);
    run_steps(w, 100, true);
    assert_close(joint_state(w, j).force[1], 0, 0);
    assert_close(state_of(w, b).velocity[1], -G * 0.1, 1e-12);
    double longest = 0;
    for (int i = 0; i < 3000; i++) {
        run_steps(w, 1, true);
        longest = fmax(longest, joint_state(w, j).value);
    }
    assert_true(longest <= 1 + 1e-9);
    mo_world_destroy(w);
}

/* a pendulum with the other schemes: it stays on its circle; energy is lost, never won */
static void other_schemes(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        mo_world_def def = tight_def(1e-3, G);
        def.scheme = i == 0 ? MO_SCHEME_MOREAU_JEAN : MO_SCHEME_BERNICOT_LEFEBVRE;
        def.theta = 0.6;
        mo_world *w = make_world_def(&def);
        mo_body b = add_disc(w, 1, 0, 0.1, 1000);
        mo_joint_def d = joint_def(MO_JOINT_HINGE, b, NOBODY, 0, 0, 0);
        d.limited = true;
        d.limits[0] = -1.2;
        mo_joint j = add_joint_def(w, &d);
        double m = state_of(w, b).mass, top = 0;
        for (int n = 0; n < 2000; n++) {
            run_steps(w, 1, true);
            mo_joint_state s = joint_state(w, j);
            assert_close(hypot(s.point[0], s.point[1]), 0, 1e-10);
            assert_true(s.value > -1.2 - 1e-9);
            mo_energy e = mo_world_info_get(w).energy;
            top = fmax(top, e.kinetic + e.potential);
        }
        assert_true(top < 1e-2 * m * G);
        assert_close(joint_state(w, j).value, -1.2, 1e-9);
        mo_world_destroy(w);
    }
}

/* an arm that rests on its stop, while a second one swings from its end: what the hinge between them takes
   away at the end of a step does not turn the arm into the stop, whether or not the step passed it */
static void stops_hold_beside_joints(void **state)
{
    (void)state;
    const mo_scheme schemes[] = {MO_SCHEME_MOREAU, MO_SCHEME_MOREAU_JEAN, MO_SCHEME_BERNICOT_LEFEBVRE};
    for (int i = 0; i < 3; i++) {
        mo_world_def def = tight_def(1e-3, G);
        def.scheme = schemes[i];
        def.theta = i == 1 ? 0.6 : 0.5;
        mo_world *w = make_world_def(&def);
        mo_body arm = add_box(w, 0.2, 0, 0.4, 0.06, 0, 1000), swung = add_box(w, 0.6, 0, 0.4, 0.06, 0, 1000);
        mo_joint_def d = joint_def(MO_JOINT_HINGE, arm, NOBODY, 0, 0, 0);
        d.limited = true;
        d.limits[0] = -0.4;
        mo_joint stop = add_joint_def(w, &d);
        add_joint(w, MO_JOINT_HINGE, swung, arm, 0.4, 0);
        /* another that falls onto its own stop on the way */
        mo_body weight = add_box(w, -1, 0, 0.1, 0.1, 0, 1000);
        d = joint_def(MO_JOINT_SLIDER, weight, NOBODY, -1, 0, 0);
        d.axis[0] = d.axis[1] = 1;
        d.limited = true;
        d.limits[0] = -0.2;
        add_joint_def(w, &d);
        int held = 0;
        for (int n = 0; n < 1000; n++) {
            run_steps(w, 1, true);
            mo_joint_state s = joint_state(w, stop);
            if (s.value > -0.4 + 1e-10)
                continue;
            held++;
            assert_true(s.rate > -1e-10);
        }
        assert_true(held > 100);
        mo_world_destroy(w);
    }
}

static mo_status drawn_along(void *data, double t, mo_motion *out, mo_error *err)
{
    (void)err;
    out->q[0] = *(const double *)data * t;
    out->u[0] = *(const double *)data;
    return MO_OK;
}

static mo_world *make_scheme(mo_scheme scheme, double theta)
{
    mo_world_def def = tight_def(1e-3, 0);
    def.scheme = scheme;
    def.theta = theta;
    return make_world_def(&def);
}

/* a rod that a turning body takes along by a stop is carried at the stop */
static void stops_of_turning_bodies(void **state)
{
    (void)state;
    double speed = 2;
    const mo_scheme schemes[] = {MO_SCHEME_MOREAU, MO_SCHEME_MOREAU_JEAN, MO_SCHEME_BERNICOT_LEFEBVRE};
    for (int i = 0; i < 3; i++) {
        mo_world *w = make_scheme(schemes[i], i == 1 ? 1 : 0.5);
        mo_shape_def disc = disc_shape(0.01);
        mo_body axle = add_moved(w, &disc, turning, &speed), rod = add_box(w, 0, 0, 1, 0.1, 0, 10);
        mo_joint_def d = joint_def(MO_JOINT_HINGE, rod, axle, 0, 0, 0);
        d.limited = true;
        d.limits[0] = -0.5;
        d.limits[1] = 0.5;
        mo_joint j = add_joint_def(w, &d);
        run_steps(w, 500, true);
        assert_close(joint_state(w, j).value, -0.5, 1e-10);
        assert_close(state_of(w, rod).spin, speed, 1e-10);
        mo_world_destroy(w);
    }
}

/* where a ball is that is drawn along by a spring, after a second */
static double drawn_by_a_spring(mo_scheme scheme, double theta)
{
    double speed = 0.3;
    mo_world *w = make_scheme(scheme, theta);
    mo_shape_def disc = disc_shape(0.01);
    mo_body hand = add_moved(w, &disc, drawn_along, &speed), ball = add_disc(w, 1, 0, 0.1, 50);
    mo_joint_def d = joint_def(MO_JOINT_SPRING, ball, hand, 1, 0, 0);
    d.length = 1;
    d.stiffness = 50;
    add_joint_def(w, &d);
    run_steps(w, 1000, true);
    const double x = state_of(w, ball).position[0];
    mo_world_destroy(w);
    return x;
}

/* both schemes move with the velocity of the end, and springs pull with the length of the end: the same */
static void springs_of_moving_ends(void **state)
{
    (void)state;
    assert_close(drawn_by_a_spring(MO_SCHEME_BERNICOT_LEFEBVRE, 0.5),
                 drawn_by_a_spring(MO_SCHEME_MOREAU_JEAN, 1), 1e-12);
}

/* a dashpot takes what kinetic energy is lost, no more, whatever mean of the rate it pulls with */
static void dashpots_lose_what_is_lost(void **state)
{
    (void)state;
    for (int k = 0; k < 4; k++) {
        const mo_scheme scheme = k == 3 ? MO_SCHEME_BERNICOT_LEFEBVRE : MO_SCHEME_MOREAU_JEAN;
        mo_world *w = make_scheme(scheme, k == 3 ? 0.5 : 0.5 + 0.25 * k);
        mo_body ball = add_disc(w, 1, 0, 0.1, 50);
        const double m = state_of(w, ball).mass;
        set_velocity(w, ball, 2, 0, 0);
        mo_joint_def d = joint_def(MO_JOINT_SPRING, ball, NOBODY, 1, 0, 0);
        d.damping = 500 * m;
        add_joint_def(w, &d);
        run_steps(w, 100, true);
        const mo_energy e = mo_world_info_get(w).energy;
        assert_close(e.dissipated_friction, 2 * m - e.kinetic, 1e-12 * m);
        assert_close(e.balance_error, 0, 1e-12 * m);
        assert_true(e.kinetic < 1e-6 * m);
        mo_world_destroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spring_frequency_and_damping),
        cmocka_unit_test(stiff_spring),
        cmocka_unit_test(motor_with_limited_torque),
        cmocka_unit_test(motor_holds_an_arm),
        cmocka_unit_test(every_solver_drives),
        cmocka_unit_test(limit_stops_without_rebound),
        cmocka_unit_test(rope),
        cmocka_unit_test(other_schemes),
        cmocka_unit_test(stops_hold_beside_joints),
        cmocka_unit_test(stops_of_turning_bodies),
        cmocka_unit_test(springs_of_moving_ends),
        cmocka_unit_test(dashpots_lose_what_is_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
