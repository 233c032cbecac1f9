/*
 * Joints in space against closed forms: a door, a gyroscope, redundant hinges, sliders.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/close.h"
#include "support/joined.h"

/* a door turns freely about its hinge, however it is loaded otherwise, and keeps its speed */
static void door(void **state)
{
    (void)state;
    mo_world *w = space(1e-3, 0, 0, -G);
    mo_shape_def shape = {.kind = MO_SHAPE_BOX, .size = {0.8, 0.04, 2}};
    mo_body b = solid(w, &shape, 0.4, 0, 1, 30);
    mo_joint_def d = joint_def(MO_JOINT_HINGE, b, NOBODY, 0, 0, 1);
    d.axis[2] = 1;
    mo_joint j = add_joint_def(w, &d);
    mo_body_state s = state_of(w, b);
    mo_error err;
    s.velocity[1] = 0.4;
    s.spin3[2] = 1;
    assert_int_equal(mo_body_set(w, b, &s, &err), MO_OK);
    for (int i = 1; i <= 3000; i++) {
        run_steps(w, 1, true);
        mo_joint_state now = joint_state(w, j);
        assert_close(now.value, 1e-3 * i > PI ? 0 : 1e-3 * i, 1e-3 * i > PI ? 7 : 1e-6);
        assert_close(now.rate, 1, 1e-6);
        assert_close(now.point[0], 0, 1e-10);
    }
    mo_joint_state now = joint_state(w, j);
    assert_close(now.force[2], 30 * G, 1e-9 * 30 * G);
    /* torque of the weight about the hinge's point, and centripetal force */
    assert_close(hypot(now.torque[0], now.torque[1]), 30 * G * 0.4, 1e-3);
    assert_close(hypot(now.force[0], now.force[1]), 30 * 0.4, 1e-3);
    mo_world_destroy(w);
}

/*
 * Steady precession of a top, level, its axis along x: about the pivot I3 s P = m g l with no nutation when
 * it starts with the precession.
 */
static void gyroscope(void **state)
{
    (void)state;
    const double l = 0.3, m = 2, s = 200, h = 1e-4;
    mo_world *w = space(h, 0, 0, -G);
    mo_body_def def = mo_default_body_def();
    def.shape = (mo_shape_def){.kind = MO_SHAPE_SPHERE, .radius = 0.1};
    def.mass = m;
    def.inertia3[0] = 0.01, def.inertia3[1] = def.inertia3[2] = 0.006;
    def.position[0] = l;
    double P = m * G * l / (0.01 * s);
    def.velocity[1] = P * l;
    def.spin3[0] = s;
    def.spin3[2] = P;
    mo_body b = add_def(w, &def);
    mo_joint_def d = joint_def(MO_JOINT_BALL, b, NOBODY, 0, 0, 0);
    mo_joint j = add_joint_def(w, &d);
    double worst = 0;
    const int steps = 20000;
    for (int i = 0; i < steps; i++) {
        run_steps(w, 1, true);
        worst = fmax(worst, fabs(state_of(w, b).position[2]));
    }
    const double *x = state_of(w, b).position;
    double turned = fmod(P * h * steps, 2 * PI), angle = atan2(x[1], x[0]);
    assert_close(remainder(angle - turned, 2 * PI), 0, 1e-3);
    assert_true(worst < 1e-3 * l);
    assert_close(joint_state(w, j).force[2], m * G, 1e-3 * m * G);
    assert_close(mo_world_info_get(w).energy.balance_error, 0, 1e-8);
    mo_world_destroy(w);
}

/* two hinges of one door are redundant: five rows each, one freedom left */
static void redundant_hinges(void **state)
{
    (void)state;
    mo_world *w = space(1e-3, 0, 0, -G);
    mo_shape_def shape = {.kind = MO_SHAPE_BOX, .size = {0.8, 0.04, 2}};
    mo_body b = solid(w, &shape, 0.4, 0, 1, 30);
    mo_joint j[2];
    for (int i = 0; i < 2; i++) {
        mo_joint_def d = joint_def(MO_JOINT_HINGE, b, NOBODY, 0, 0, 0.2 + 1.6 * i);
        d.axis[2] = 1;
        j[i] = add_joint_def(w, &d);
    }
    mo_body_state s = state_of(w, b);
    mo_error err;
    s.velocity[1] = 0.4;
    s.spin3[2] = 1;
    assert_int_equal(mo_body_set(w, b, &s, &err), MO_OK);
    run_steps(w, 1000, true);
    assert_close(joint_state(w, j[0]).rate, 1, 1e-6);
    assert_close(joint_state(w, j[0]).force[2] + joint_state(w, j[1]).force[2], 30 * G, 1e-6 * G);
    assert_true(mo_world_info_get(w).worst_residual < 1e-9);
    mo_world_destroy(w);
}

/* slider and fixed in space: a carriage on a slope of 30 degrees with a load fixed to it */
static void carriage(void **state)
{
    (void)state;
    mo_world *w = space(1e-3, 0, 0, -G);
    mo_shape_def box = {.kind = MO_SHAPE_BOX, .size = {0.4, 0.2, 0.1}},
                 ball = {.kind = MO_SHAPE_SPHERE, .radius = 0.1};
    mo_body a = solid(w, &box, 0, 0, 0, 3), b = solid(w, &ball, 0.1, 0.2, 0.5, 2);
    mo_joint_def d = joint_def(MO_JOINT_SLIDER, a, NOBODY, 0, 0, 0);
    d.axis[0] = sqrt(0.75);
    d.axis[2] = -0.5;
    mo_joint rail = add_joint_def(w, &d);
    d = joint_def(MO_JOINT_FIXED, b, a, 0.05, 0.1, 0.2);
    mo_joint mount = add_joint_def(w, &d);
    run_steps(w, 1000, true);
    mo_joint_state s = joint_state(w, rail), t = joint_state(w, mount);
    assert_close(s.value, 0.25 * G, 1e-9);
    assert_close(s.rate, 0.5 * G, 1e-9);
    /* across the rail the weight of both, along it nothing */
    assert_close(s.force[0] * sqrt(0.75) - s.force[2] * 0.5, 0, 1e-8);
    assert_close(s.force[0] * 0.5 + s.force[2] * sqrt(0.75), 5 * G * sqrt(0.75), 1e-8);
    assert_close(t.force[0] * sqrt(0.75) - t.force[2] * 0.5, 0, 1e-8);
    assert_close(mo_world_info_get(w).energy.balance_error, 0, 1e-9);
    mo_world_destroy(w);
}

/* twenty links let go from the horizontal, the last one of the given mass: how far it is from
   the first joint after 0.8 s */
static double swing_links(double last, mo_world_info *info)
{
    const mo_shape_def link = {.kind = MO_SHAPE_BOX, .size = {0.1, 0.02, 0.02}};
    mo_world *w = space(1e-3, 0, 0, -G);
    mo_body end = NOBODY;
    for (int i = 0; i < 20; i++) {
        mo_body before = end;
        end = solid(w, &link, 0.1 * i + 0.05, 0, 0, i == 19 ? last : 1);
        mo_joint_def d = joint_def(MO_JOINT_BALL, end, before, 0.1 * i, 0, 0);
        add_joint_def(w, &d);
    }
    run_steps(w, 800, false);
    *info = mo_world_info_get(w);
    mo_body_state s = state_of(w, end);
    mo_world_destroy(w);
    return hypot(s.position[0], s.position[2]);
}

/* with equal links all is well; 10^6 kg make links swing with 10^4 rad/s, which steps of 1 ms cannot follow:
   the joints let go, and it is told */
static void torn_joints_are_reported(void **state)
{
    (void)state;
    mo_world_info info;
    assert_true(swing_links(1, &info) < 1.95 + 1e-6);
    assert_true(info.joints_apart == 0 && info.unconverged_steps == 0);
    assert_true(swing_links(1e6, &info) > 2.5);
    assert_true(info.joints_apart > 1 && info.unconverged_steps > 100);
    assert_true(info.apart_time > 0 && info.apart_time < 0.8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(door),
        cmocka_unit_test(gyroscope),
        cmocka_unit_test(redundant_hinges),
        cmocka_unit_test(carriage),
        cmocka_unit_test(torn_joints_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
