/*
 * Worlds at their limits: position projection, fast bodies, solves that are cut short, numbers that overflow,
 * ratios of masses and sizes, and places far from the origin.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/rng.h"
#include "support/build.h"
#include "support/close.h"

static const double G = 9.81;

/* ---- position projection ------------------------------------------------------------------------------- */

// a crowd of overlapping discs with random velocities, no gravity
static mo_world *make_crowd(double speed)
{
    mo_world_def def = tight_def(1e-3, 0);
    def.position_projection = true;
    def.solver.tol = 1e-10;
    mo_world *w = make_world_def(&def);
    rng g = rng_seed(5, 2);
    for (int i = 0; i < 25; i++) {
        mo_body b = add_disc(w, 0.019 * (i % 5) + 0.001 * rng_uniform(&g), 0.019 * (i / 5), 0.01, 1000);
        set_velocity(w, b, speed * (rng_uniform(&g) - 0.5), speed * (rng_uniform(&g) - 0.5), 0);
    }
    return w;
}

static void projection_adds_no_energy(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        mo_world *w = make_crowd(k);
        double before = mo_measure_kinetic_energy(w), deep = mo_measure_max_penetration(w);
        assert_true(deep > 0.05 * 0.01);
        for (int n = 0; n < 200; n++) {
            run_steps(w, 1, true);
            double now = mo_measure_kinetic_energy(w);
            assert_true(now <= before * (1 + 1e-12));
            before = now;
        }
        assert_true(mo_measure_max_penetration(w) < 1e-3 * 0.01);
        assert_close(mo_world_info_get(w).energy.balance_error, 0, 1e-12);
        // without gravity displacements do no work
        assert_close(mo_world_info_get(w).energy.work_external, 0, 1e-15);
        mo_world_destroy(w);
    }
}

// bodies that do not overlap are not moved
static void projection_leaves_others_alone(void **state)
{
    (void)state;
    mo_world_def def = tight_def(1e-3, 0);
    def.position_projection = true;
    mo_world *w = make_world_def(&def);
    mo_body far = add_disc(w, 1, 0, 0.01, 1000), a = add_disc(w, 0, 0, 0.01, 1000),
            b = add_disc(w, 0.018, 0, 0.01, 1000);
    run_steps(w, 100, true);
    assert_close(state_of(w, far).position[0], 1, 0);
    // both give way alike, to 2e-4 of the size or better
    double gap = state_of(w, b).position[0] - state_of(w, a).position[0] - 0.02;
    assert_true(gap <= 0 && gap >= -2.01e-4 * 0.02);
    assert_close(state_of(w, b).position[0] + state_of(w, a).position[0], 0.018, 1e-16);
    mo_world_destroy(w);
}

static void dense_pile_with_projection(void **state)
{
    (void)state;
    enum { COLUMNS = 14, ROWS = 14 };
    mo_world_def def = mo_default_world_def();
    def.h = 1e-3;
    def.gravity[1] = -G;
    def.position_projection = true;
    def.solver.tol = 1e-5;
    def.solver.max_iter = 200;
    mo_world *w = make_world_def(&def);
    set_law(w, 0.4, 0, 0);
    rng g = rng_seed(8, 8);
    double width = 0.022 * COLUMNS, weight = 0;
    add_floor(w, 0);
    add_halfplane(w, 1, 0, 0);
    add_halfplane(w, -1, 0, -width);
    for (int i = 0; i < COLUMNS * ROWS; i++) {
        double r = 0.007 + 0.004 * rng_uniform(&g);
        mo_body b = add_disc(w, 0.022 * (i % COLUMNS + 0.5), 0.022 * (i / COLUMNS + 0.5), r, 2000);
        weight += state_of(w, b).mass * G;
    }
    double top = mo_measure_potential_energy(w), work[2], kinetic[2];
    for (int k = 0; k < 2; k++) {
        run_steps(w, 600, false);
        work[k] = mo_world_info_get(w).energy.work_external;
        kinetic[k] = mo_measure_kinetic_energy(w);
    }
    // a few thousandths of a radius per layer are put back, not more; and no more once the pile rests
    assert_true(fabs(work[0]) < 0.02 * top);
    assert_true(fabs(work[1] - work[0]) < 1e-3 * top);
    assert_true(kinetic[1] < 1e-5 * top && kinetic[0] < 1e-2 * top);
    assert_true(mo_measure_max_penetration(w) < 1e-3 * 0.007 * 2);
    assert_true(mo_measure_potential_energy(w) < top);
    assert_close(mo_world_info_get(w).energy.balance_error, 0, 1e-10 * weight);
    mo_world_destroy(w);
}

/* ---- fast bodies --------------------------------------------------------------------------------------- */

static mo_world *make_shot(double speed, mo_body *bullet, mo_body *wall)
{
    mo_world *w = make_world(1e-3, 0);
    *wall = add_segment(w, 0, -1, 0, 1);
    *bullet = add_disc(w, -0.5, 0, 0.01, 1000);
    set_velocity(w, *bullet, speed, 0, 0);
    return w;
}

static void bullets_are_reported(void **state)
{
    (void)state;
    mo_body bullet, wall;
    mo_world *w = make_shot(170, &bullet, &wall);
    run_steps(w, 10, true);
    mo_world_info info = mo_world_info_get(w);
    assert_true(info.fast_bodies > 0);
    assert_int_equal(info.fast_body1.id, wall.id);
    assert_int_equal(info.fast_body2.id, bullet.id);
    // the wall is 0.49 m ahead: less than 170 m/s for three steps
    assert_true(info.fast_time <= 3e-3);
    mo_world_destroy(w);
}

// a rod of 1 kg and 2 m at 45 degrees comes with U = (-1, 0.5) m/s upon a floor with friction 0.5; its lower
// end has W = ((2.5, -1.5), (-1.5, 2.5)).  rho = 0.9, tau = 0: S = W⁻¹ (1.9, -0.5) = (1, 0.4) sticks and adds
// (U + U').S / 2 = ((-0.1) 1 + 0.5 0.4) / 2 = 0.05 J; rho = tau adds nothing
static void gains_are_reported(void **state)
{
    (void)state;
    const double ends[4] = {-1, 0, 1, 0}, h = 1e-9, pi = 3.14159265358979324;
    for (int equal = 0; equal < 2; equal++) {
        mo_world *w = make_world(h, 0);
        set_law(w, 0.5, 0.9, equal ? 0.9 : 0);
        add_floor(w, 0);
        mo_body_def def = mo_default_body_def();
        def.shape = points_shape(MO_SHAPE_SEGMENT, ends, 2);
        def.mass = 1;
        def.inertia = 1.0 / 3;
        def.position[0] = def.position[1] = sqrt(0.5);
        def.angle = pi / 4;
        def.velocity[0] = 0.5;
        def.velocity[1] = -1;
        add_def(w, &def);
        run_steps(w, 3, true);
        mo_world_info info = mo_world_info_get(w);
        // the lever arms change by h in the step
        assert_close(info.largest_gain, equal ? 0 : 0.05, 10 * h);
        assert_close(info.gain_time, equal ? 0 : h, 1e-15 * h);
        if (!equal)
            assert_close(mo_measure_kinetic_energy(w), 0.675, 10 * h);
        mo_world_destroy(w);
    }
}

static void slow_bodies_are_not_reported(void **state)
{
    (void)state;
    mo_body bullet, wall;
    // 9 mm in a step is less than the radius
    mo_world *w = make_shot(9, &bullet, &wall);
    run_steps(w, 200, true);
    assert_int_equal(mo_world_info_get(w).fast_bodies, 0);
    // stopped at the wall within one step of way
    assert_close(state_of(w, bullet).position[0], -0.01, 9e-3);
    mo_world_destroy(w);
    // fast, but along the wall or away from it
    const double v[2][2] = {{0, 500}, {-500, 0}};
    for (int k = 0; k < 2; k++) {
        w = make_shot(0, &bullet, &wall);
        set_velocity(w, bullet, v[k][0], v[k][1], 0);
        run_steps(w, 10, true);
        assert_int_equal(mo_world_info_get(w).fast_bodies, 0);
        mo_world_destroy(w);
    }
}

/* ---- solves cut short ---------------------------------------------------------------------------------- */

static mo_world *make_bricks(const mo_world_def *def)
{
    mo_world *w = make_world_def(def);
    set_law(w, 0.5, 0, 0);
    add_floor(w, 0);
    for (int i = 0; i < 40; i++)
        add_box(w, 0.2 * (i % 4) + 0.1 * (i / 4 % 2), 0.1 * (i / 4) + 0.05, 0.2, 0.1, 0, 1000);
    return w;
}

static void caps_are_reported(void **state)
{
    (void)state;
    mo_world_def def = tight_def(1e-3, G);
    def.solver.max_iter = 3;
    mo_world *w = make_bricks(&def);
    run_steps(w, 4, false);
    mo_world_info info = mo_world_info_get(w);
    assert_int_equal(info.unconverged_steps, 4);
    assert_int_equal(info.solver.iterations, 3);
    assert_int_equal(info.iterations_total, 12);
    assert_false(info.solver.converged);
    assert_true(info.solver.finite && !info.solver.capped_time);
    assert_true(info.solver.certificate.residual > 1e-12 &&
                info.worst_residual >= info.solver.certificate.residual);
    mo_world_destroy(w);
    def.solver.max_iter = 1000000;
    def.solver.max_seconds = 1e-9;
    w = make_bricks(&def);
    run_steps(w, 1, false);
    info = mo_world_info_get(w);
    assert_true(info.solver.capped_time && !info.solver.converged);
    assert_int_equal(info.unconverged_steps, 1);
    assert_true(info.solver.iterations < 1000);
    mo_world_destroy(w);
}

// contacts that open without friction and without any tangential velocity are solved like all others
static void open_frictionless_contacts_converge(void **state)
{
    (void)state;
    mo_world *w = make_world(1e-3, 0);
    set_law(w, 0, 0.1, 0);
    add_floor(w, 0);
    mo_body b = add_disc(w, 0, 0.1001, 0.1, 100);
    set_velocity(w, b, 0, -1, 0);
    run_steps(w, 1, true);
    // sunk in by 0.35 mm, it leaves with 0.1 m/s: still in contact for some steps
    for (int n = 0; n < 3; n++) {
        run_steps(w, 1, true);
        assert_int_equal(mo_world_info_get(w).contacts, 1);
        assert_close(state_of(w, b).velocity[1], 0.1, 1e-15);
    }
    mo_world_destroy(w);
}

/* ---- numbers that overflow ----------------------------------------------------------------------------- */

static void huge_velocities_end(void **state)
{
    (void)state;
    const double speeds[] = {1e10, 1e100, 1e160, 1e200, 1e300, 1.7e308};
    for (size_t k = 0; k < sizeof speeds / sizeof speeds[0]; k++) {
        mo_body bullet, wall;
        mo_world *w = make_shot(speeds[k], &bullet, &wall);
        mo_body second = add_disc(w, -0.5, 0.1, 0.05, 1000);
        set_velocity(w, second, 0, 0, speeds[k]);
        add_floor(w, -0.02);
        add_box(w, 0, 1.2, 0.1, 0.1, 0.3, 100);
        mo_error err;
        for (int n = 0; n < 20; n++)
            assert_int_equal(mo_world_step(w, &err), MO_OK);
        mo_measure_max_penetration(w);
        assert_int_equal(mo_world_info_get(w).steps, 20);
        mo_world_destroy(w);
    }
}

// an impulse beyond the largest number is an outcome, and said
static void overflow_is_reported(void **state)
{
    (void)state;
    mo_world *w = make_world(1e-3, 0);
    add_floor(w, 0);
    mo_body b = add_disc(w, 0, 0.1, 0.1, 1e20);
    set_velocity(w, b, 0, -1e300, 0);
    mo_error err;
    assert_int_equal(mo_world_step(w, &err), MO_OK);
    mo_world_info info = mo_world_info_get(w);
    assert_false(info.solver.finite);
    assert_false(info.solver.converged);
    assert_int_equal(info.unconverged_steps, 1);
    assert_false(info.worst_residual <= 1);
    for (int n = 0; n < 5; n++)
        assert_int_equal(mo_world_step(w, &err), MO_OK);
    mo_world_destroy(w);
}

/* ---- ratios -------------------------------------------------------------------------------------------- */

// a light block on a heavy one
static void mass_ratio(void **state)
{
    (void)state;
    mo_world_def def = tight_def(1e-3, G);
    def.solver.tol = 1e-10;
    mo_world *w = make_world_def(&def);
    set_law(w, 0.5, 0, 0);
    mo_body ground = add_floor(w, 0);
    double weight = 0;
    const double density[3] = {1e9, 1e6, 1e3};
    mo_body b[3];
    for (int k = 0; k < 3; k++) {
        b[k] = add_box(w, 0, 0.1 + 0.2 * k, 0.2, 0.2, 0, density[k]);
        weight += state_of(w, b[k]).mass * G;
    }
    run_steps(w, 200, true);
    assert_close(state_of(w, ground).force[1], -weight, 1e-9 * weight);
    for (int k = 0; k < 3; k++)
        assert_close(state_of(w, b[k]).position[1], 0.1 + 0.2 * k, 1e-8);
    mo_world_destroy(w);
}

// a heavy disc on a light one: Gauss-Seidel gains 1e-6 per sweep; either it converges or it says so
static void heavy_on_light_is_honest(void **state)
{
    (void)state;
    mo_world_def def = tight_def(1e-3, G);
    def.solver.tol = 1e-10;
    def.solver.max_iter = 1000;
    mo_world *w = make_world_def(&def);
    mo_body ground = add_floor(w, 0), light = add_disc(w, 0, 0.1, 0.1, 1e-3);
    mo_body heavy = add_disc(w, 0, 0.3, 0.1, 1e3);
    double weight = (state_of(w, light).mass + state_of(w, heavy).mass) * G;
    run_steps(w, 100, false);
    mo_world_info info = mo_world_info_get(w);
    double off = fabs(state_of(w, ground).force[1] + weight);
    if (info.solver.converged)
        assert_true(off < 1e-8 * weight);
    else
        assert_true(info.unconverged_steps > 0 && info.solver.certificate.residual > 1e-10);
    mo_world_destroy(w);
}

static void size_ratio(void **state)
{
    (void)state;
    const double R = 1, r = 1e-3;
    mo_world *w = make_world(1e-4, G);
    set_law(w, 0.5, 0, 0);
    add_floor(w, 0);
    mo_body big = add_disc(w, 0, R, R, 1000), top = add_disc(w, 0, 2 * R + r + 1e-4, r, 1000);
    // in the notch between floor and big disc: touches both at x = 2 sqrt(R r)
    mo_body notch = add_disc(w, 2 * sqrt(R * r), r, r, 1000);
    run_steps(w, 1000, true);
    assert_int_equal(mo_world_info_get(w).contacts, 4);
    // lands at 0.044 m/s and sinks in by one step of that at most
    assert_close(state_of(w, top).position[1], 2 * R + r, 5e-6);
    assert_close(state_of(w, notch).position[0], 2 * sqrt(R * r), 1e-9);
    double m = 1000 * 3.14159265358979 * r * r;
    assert_close(state_of(w, top).force[1], m * G, 1e-8 * m * G);
    assert_close(state_of(w, notch).force[1], m * G, 1e-8 * m * G);
    assert_close(state_of(w, big).position[1], R, 1e-8);
    mo_world_destroy(w);
}

static void far_from_the_origin(void **state)
{
    (void)state;
    const double away = 1e4;
    mo_world *w = make_world(1e-3, G);
    set_law(w, 0.5, 0, 0);
    mo_body ground = add_floor(w, -away), b[4];
    double weight = 0;
    for (int k = 0; k < 3; k++)
        b[k] = add_box(w, away, -away + 0.05 + 0.1 * k, 0.2, 0.1, 0, 1000);
    b[3] = add_disc(w, away - 1, -away + 0.05, 0.05, 1000);
    set_velocity(w, b[3], -1, 0, 20);
    for (int k = 0; k < 4; k++)
        weight += state_of(w, b[k]).mass * G;
    run_steps(w, 1000, true);
    assert_close(state_of(w, ground).force[1], -weight, 1e-8 * weight);
    // 1e4 m has a spacing of 2e-12; a thousand steps may round a thousand times
    for (int k = 0; k < 3; k++) {
        assert_close(state_of(w, b[k]).position[0], away, 2e-9);
        assert_close(state_of(w, b[k]).position[1], -away + 0.05 + 0.1 * k, 2e-9);
        assert_close(state_of(w, b[k]).angle, 0, 1e-9);
    }
    assert_close(state_of(w, b[3]).position[0], away - 2, 2e-9);
    assert_close(state_of(w, b[3]).spin, 20, 1e-9);
    mo_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(projection_adds_no_energy),
        cmocka_unit_test(projection_leaves_others_alone),
        cmocka_unit_test(dense_pile_with_projection),
        cmocka_unit_test(bullets_are_reported),
        cmocka_unit_test(slow_bodies_are_not_reported),
        cmocka_unit_test(gains_are_reported),
        cmocka_unit_test(caps_are_reported),
        cmocka_unit_test(open_frictionless_contacts_converge),
        cmocka_unit_test(huge_velocities_end),
        cmocka_unit_test(overflow_is_reported),
        cmocka_unit_test(mass_ratio),
        cmocka_unit_test(heavy_on_light_is_honest),
        cmocka_unit_test(size_ratio),
        cmocka_unit_test(far_from_the_origin),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
