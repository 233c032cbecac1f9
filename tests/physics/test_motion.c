/*
 * Motions with closed forms: free flight, slope, collisions, rocking, rest.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/build.h"
#include "support/close.h"

// the midpoint scheme follows the parabola at every step to rounding (M99 §8.3 Remark 1)
static void free_flight_is_exact(void **state)
{
    (void)state;
    const double h = 1e-3, g = 9.81;
    const int n = 2000;
    mo_world *w = make_world(h, g);
    mo_body b = add_box(w, 0.1, 5, 0.2, 0.3, 0.4, 1000);
    set_velocity(w, b, 1.5, 7, 3);
    run_steps(w, n, true);
    mo_body_state s = state_of(w, b);
    double t = n * h;
    // each step rounds a number below 10 three times: n * 3 * 2^-53 * 10 at the very most
    double tol = n * 3 * 0x1p-53 * 10;
    assert_close(s.position[0], 0.1 + 1.5 * t, tol);
    assert_close(s.position[1], 5 + 7 * t - 0.5 * g * t * t, tol);
    assert_close(s.angle, 0.4 + 3 * t, tol);
    assert_close(s.velocity[1], 7 - g * t, tol);
    assert_close(mo_world_info_get(w).energy.balance_error, 0, tol * 60 * g * 10);
    mo_world_destroy(w);
}

static double slid_distance(double alpha, double mu, double t, double h)
{
    mo_world_def def = tight_def(h, 0);
    def.gravity[0] = 9.81 * sin(alpha);
    def.gravity[1] = -9.81 * cos(alpha);
    mo_world *w = make_world_def(&def);
    set_law(w, mu, 0, 0);
    add_floor(w, 0);
    mo_body b = add_box(w, 0, 0.05, 0.4, 0.1, 0, 2000);
    run_steps(w, (int)lround(t / h), true);
    double x = state_of(w, b).position[0];
    mo_world_destroy(w);
    return x;
}

static void block_sticks_and_slides(void **state)
{
    (void)state;
    const double alpha = 0.35, t = 1, h = 1e-3;
    // stays: what is left is rounding of the velocity times the time
    assert_close(slid_distance(alpha, tan(alpha) * 1.01, t, h), 0, 1e-12);
    // slides with a = g (sin - mu cos); the scheme follows a constant acceleration exactly
    double mu = 0.5 * tan(alpha), a = 9.81 * (sin(alpha) - mu * cos(alpha));
    assert_close(slid_distance(alpha, mu, t, h), 0.5 * a * t * t, 1e-9);
}

// three equal discs in a row, the first strikes with v: with rho = 1 and all contacts at once -1/3, 2/3, 2/3
static void cradle(void **state)
{
    (void)state;
    mo_world_def def = tight_def(1e-3, 0);
    def.contact_tolerance = 1e-9;
    def.solver.tol = 1e-14;
    mo_world *w = make_world_def(&def);
    set_law(w, 0, 1, 0);
    mo_body a = add_disc(w, -0.0205, 0, 0.01, 1000), b = add_disc(w, 0, 0, 0.01, 1000),
            c = add_disc(w, 0.02, 0, 0.01, 1000);
    set_velocity(w, a, 1, 0, 0);
    run_steps(w, 3, true);
    // tolerance of the solve times the speed
    assert_close(state_of(w, a).velocity[0], -1.0 / 3, 1e-12);
    assert_close(state_of(w, b).velocity[0], 2.0 / 3, 1e-12);
    assert_close(state_of(w, c).velocity[0], 2.0 / 3, 1e-12);
    assert_close(mo_world_info_get(w).energy.dissipated_impact, 0, 1e-12);
    mo_world_destroy(w);
}

// a block that rocks from one corner to the other keeps 1 - 1.5 sin²(alpha) of its spin (MJ96 §5)
static void rocking_block(void **state)
{
    (void)state;
    for (int k = 2; k <= 6; k++) {
        double b = 0.1, half = 0.1 * k, alpha = atan2(b, half), tilt = 0.02;
        mo_world *w = make_world(1e-4, 9.81);
        set_law(w, 2, 0, 0);
        add_floor(w, 0);
        // stands on its left corner, tilted by `tilt` to the left... it falls back to the right
        double r = hypot(b, half), x = -b + r * sin(alpha - tilt), y = r * cos(alpha - tilt);
        mo_body body = add_box(w, x, y, 2 * b, 2 * half, tilt, 1000);
        double before = 0, after = 0;
        for (int i = 0; i < 20000 && after == 0; i++) {
            double spin = state_of(w, body).spin;
            run_steps(w, 1, true);
            double now = state_of(w, body).spin;
            // the impact is the only step in which the spin loses a lot
            if (spin < -1e-3 && now > spin * 0.99) {
                before = spin;
                after = now;
            }
        }
        // gravity turns by h g/r during the step of the impact: relative h g / (r |before|)
        double tol = 4 * 1e-4 * 9.81 / (r * fabs(before));
        assert_true(before < 0);
        assert_close(after / before, 1 - 1.5 * sin(alpha) * sin(alpha), tol);
        mo_world_destroy(w);
    }
}

// a wall of bricks stands still and its ground carries its weight
static void brick_wall_rests(void **state)
{
    (void)state;
    const double bw = 0.2, bh = 0.1;
    double weight = 0;
    mo_world *w = make_world(1e-3, 9.81);
    set_law(w, 0.6, 0, 0);
    mo_body ground = add_floor(w, 0);
    for (int row = 0; row < 8; row++)
        for (int i = 0; i < 4 - row % 2; i++) {
            double x = (i + 0.5 * (row % 2)) * bw, y = (row + 0.5) * bh;
            weight += state_of(w, add_box(w, x, y, bw, bh, 0, 2000)).mass * 9.81;
        }
    run_steps(w, 200, true);
    mo_body_state s = state_of(w, ground);
    // momentum balance holds at the last step to the tolerance of the solve
    assert_close(-s.force[1], weight, 1e-8 * weight);
    assert_true(mo_world_info_get(w).energy.kinetic < 1e-16);
    mo_world_destroy(w);
}

// a ball with restitution e returns with e v, and loses (1 - e²)/2 m v²
static void ball_bounces(void **state)
{
    (void)state;
    const double e = 0.7;
    mo_world *w = make_world(1e-3, 0);
    set_law(w, 0, e, 0);
    add_floor(w, 0);
    mo_body b = add_disc(w, 0, 0.0105, 0.01, 1000);
    set_velocity(w, b, 0.3, -1, 0);
    run_steps(w, 10, true);
    mo_body_state s = state_of(w, b);
    assert_close(s.velocity[1], e, 1e-14);
    assert_close(s.velocity[0], 0.3, 1e-15);
    assert_close(mo_world_info_get(w).energy.dissipated_impact, 0.5 * s.mass * (1 - e * e), 1e-15);
    mo_world_destroy(w);
}

// oblique impact of a disc with friction: sticking gives tau, sliding gives mu (three-parameter model, 2D
// disc)
static void oblique_impact(void **state)
{
    (void)state;
    const double e = 0.8, tau = 0.4, vn = 1;
    for (int k = 0; k < 2; k++) {
        double mu = k == 0 ? 1.0 : 0.05, vt = 0.5, r = 0.01;
        mo_world *w = make_world(1e-3, 0);
        set_law(w, mu, e, tau);
        add_floor(w, 0);
        mo_body b = add_disc(w, 0, 0.0105, r, 1000);
        set_velocity(w, b, vt, -vn, 0);
        run_steps(w, 10, true);
        mo_body_state s = state_of(w, b);
        double slip = s.velocity[0] + r * s.spin; // contact point below the centre: v + spin x (0, -r)
        // H_tt = 1/m + r²/I = 3/m; sliding impulse mu m (1 + e) vn
        double expected = k == 0 ? -tau * vt : vt - 3 * mu * (1 + e) * vn;
        assert_close(slip, expected, 1e-13);
        assert_close(s.velocity[1], e * vn, 1e-13);
        mo_world_destroy(w);
    }
}

// a disc let go on a rough slope rolls with a = (2/3) g sin(alpha); slips with g (sin - mu cos) when mu <
// tan/3
static void disc_rolls(void **state)
{
    (void)state;
    const double alpha = 0.3, h = 1e-3, t = 0.5;
    for (int k = 0; k < 2; k++) {
        double mu = k == 0 ? tan(alpha) / 3 * 1.1 : tan(alpha) / 3 * 0.5;
        mo_world_def def = tight_def(h, 0);
        def.gravity[0] = 9.81 * sin(alpha);
        def.gravity[1] = -9.81 * cos(alpha);
        mo_world *w = make_world_def(&def);
        set_law(w, mu, 0, 0);
        add_floor(w, 0);
        mo_body b = add_disc(w, 0, 0.05, 0.05, 1000);
        run_steps(w, (int)lround(t / h), true);
        double a = k == 0 ? 9.81 * sin(alpha) * 2 / 3 : 9.81 * (sin(alpha) - mu * cos(alpha));
        assert_close(state_of(w, b).position[0], 0.5 * a * t * t, 1e-9);
        mo_world_destroy(w);
    }
}

// a tower of boxes, the first thing people build: solved at every step with the settings one gets unasked
static void tower_with_default_settings(void **state)
{
    (void)state;
    mo_world_def def = mo_default_world_def();
    def.gravity[1] = -9.81;
    mo_world *w = make_world_def(&def);
    set_law(w, 0.5, 0, 0);
    mo_body ground = add_floor(w, 0), top = {0};
    for (int i = 0; i < 20; i++)
        top = add_box(w, 0, 0.05 + 0.1 * i, 0.2, 0.1, 0, 2000);
    double weight = 20 * state_of(w, top).mass * 9.81;
    run_steps(w, 300, true);
    // each solve is right to 1e-8 of the impulses; the top carries them up to nothing in 300 steps of g h
    assert_close(-state_of(w, ground).force[1], weight, 1e-7 * weight);
    assert_close(state_of(w, top).position[1], 1.95, 1e-8);
    assert_true(mo_world_info_get(w).iterations_total < 300 * 100);
    mo_world_destroy(w);
}

// over the top of a hump without friction at v² = R g/2: where the contact lasts, U_I = v² h/R opens it in
// every step, and 1/2 U_I S_N = m (g h)²/8, the most there can be, is gained; where contacts that open are
// let go, nothing is
static void energy_over_a_hump(void **state)
{
    (void)state;
    const double R = 10, r = 0.01, g = 9.81, v = sqrt(0.5 * g * R);
    for (int k = 0; k < 4; k++) {
        const double h = k % 2 == 0 ? 1e-3 : 5e-4;
        mo_world_def def = tight_def(h, g);
        def.contact_tolerance = k < 2 ? 1e-4 : -1;
        mo_world *w = make_world_def(&def);
        mo_body_def hump = mo_default_body_def();
        hump.kind = MO_BODY_FIXED;
        hump.shape = disc_shape(R - r);
        hump.position[1] = -R;
        add_def(w, &hump);
        mo_body b = add_disc(w, 0, 0, r, 1000);
        set_velocity(w, b, v, 0, 0);
        run_steps(w, 20, true);
        mo_energy e = mo_world_info_get(w).energy;
        const double most = 20 * state_of(w, b).mass * (g * h) * (g * h) / 8;
        // at first U_I = 0
        if (k < 2)
            assert_true(-e.dissipated_impact <= most && -e.dissipated_impact >= 0.93 * most);
        else
            assert_true(e.dissipated_impact >= 0);
        mo_world_destroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_flight_is_exact),
        cmocka_unit_test(block_sticks_and_slides),
        cmocka_unit_test(cradle),
        cmocka_unit_test(rocking_block),
        cmocka_unit_test(brick_wall_rests),
        cmocka_unit_test(ball_bounces),
        cmocka_unit_test(tower_with_default_settings),
        cmocka_unit_test(oblique_impact),
        cmocka_unit_test(disc_rolls),
        cmocka_unit_test(energy_over_a_hump),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
