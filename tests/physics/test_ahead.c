/*
 * The scheme of Bernicot and Lefebvre-Lepot in worlds: no overlap where gaps are convex in q, little where
 * bodies turn, and the motions of the other schemes.
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

static mo_world *make_ahead(int dim, double h, double gravity, double mu, double tol)
{
    mo_world_def def = tight_def(h, 0);
    def.dim = dim;
    def.gravity[1] = 0;
    def.gravity[dim - 1] = -gravity;
    def.scheme = MO_SCHEME_BERNICOT_LEFEBVRE;
    def.solver.tol = tol;
    mo_world *w = make_world_def(&def);
    set_law(w, mu, 0, 0);
    return w;
}

// floor and side walls at distance 1 from the middle
static void add_walls(mo_world *w, int dim)
{
    for (int k = 0; k < 2 * dim - 1; k++) {
        mo_body_def def = mo_default_body_def();
        def.kind = MO_BODY_FIXED;
        def.shape.kind = dim == 2 ? MO_SHAPE_HALFPLANE : MO_SHAPE_PLANE;
        def.shape.normal[k == 0 ? dim - 1 : (k - 1) / 2] = k % 2 == 0 && k > 0 ? -1 : 1;
        def.shape.offset = k == 0 ? 0 : -1;
        add_def(w, &def);
    }
}

static mo_status breathe(void *data, double t, double *radius, double *rate, mo_error *err)
{
    (void)err;
    const double r = *(const double *)data;
    *radius = r * (1 + 0.2 * sin(6 * t));
    *rate = r * 1.2 * cos(6 * t);
    return MO_OK;
}

enum { BALLS = 60 };

static void add_balls(mo_world *w, int dim, double r[BALLS])
{
    rng random = rng_seed(5, 1);
    for (int k = 0; k < BALLS; k++) {
        r[k] = 0.06 + 0.05 * rng_uniform(&random);
        mo_body_def def = mo_default_body_def();
        def.shape = (mo_shape_def){.kind = dim == 2 ? MO_SHAPE_DISC : MO_SHAPE_SPHERE, .radius = r[k]};
        def.density = 1000;
        def.position[0] = -0.8 + 0.28 * (k % 6) + 0.01 * rng_uniform(&random);
        if (dim == 3)
            def.position[1] = -0.8 + 0.28 * (k / 6 % 5);
        def.position[dim - 1] = 0.2 + 0.28 * (dim == 2 ? k / 6 : k / 30);
        def.radius = k % 2 == 0 ? breathe : NULL;
        def.radius_data = &r[k];
        add_def(w, &def);
    }
}

// BL10 Proposition 2.1: convex gaps stay >= 0.  The solver leaves velocities wrong by tol times those that
// the load gives, some metres per second at most: overlaps below 10 h tol, with a factor for what adds up in
// one pair
static void balls_never_overlap(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        const double h = 2e-3, tol = 1e-9;
        double r[BALLS];
        mo_world *w = make_ahead(dim, h, G, 0.3, tol);
        add_walls(w, dim);
        add_balls(w, dim, r);
        for (int k = 0; k < 400; k++) {
            run_steps(w, 1, true);
            assert_true(mo_measure_max_penetration(w) <= 1e2 * h * tol * 10);
        }
        assert_true(mo_world_info_get(w).contacts > BALLS / 2);
        mo_world_destroy(w);
    }
}

// a ball falls, touches without overlap and stays: at each step either free or exactly on the floor
static void ball_lands_exactly(void **state)
{
    (void)state;
    const double h = 1e-3, r = 0.1, z0 = 0.15;
    mo_world *w = make_ahead(3, h, G, 0, 1e-12);
    mo_body_def ground = mo_default_body_def();
    ground.kind = MO_BODY_FIXED;
    ground.shape = (mo_shape_def){.kind = MO_SHAPE_PLANE, .normal = {0, 0, 1}};
    add_def(w, &ground);
    mo_body_def def = mo_default_body_def();
    def.shape = (mo_shape_def){.kind = MO_SHAPE_SPHERE, .radius = r};
    def.density = 1000;
    def.position[2] = z0;
    mo_body b = add_def(w, &def);
    double z = z0, u = 0;
    for (int k = 0; k < 300; k++) {
        // u := max(u - h g, -gap/h), z := z + h u
        u = fmax(u - h * G, -(z - r) / h);
        z += h * u;
        run_steps(w, 1, true);
        assert_close(state_of(w, b).position[2], z, 1e-12);
    }
    assert_close(z, r, 1e-13);
    mo_world_destroy(w);
}

static double worst_overlap_of_a_turning_box(double h)
{
    mo_world *w = make_ahead(2, h, G, 0.3, 1e-12);
    add_floor(w, 0);
    mo_body b = add_box(w, 0, 0.35, 0.4, 0.2, 0.3, 1000);
    set_velocity(w, b, 0, 0, 5);
    double worst = 0;
    for (int k = 0; k < (int)lround(0.3 / h); k++) {
        run_steps(w, 1, true);
        worst = fmax(worst, mo_measure_max_penetration(w));
    }
    mo_world_destroy(w);
    return worst;
}

// what a turn within a step adds to the linearised gap: at most half of size h² w², here 0.23 m and some 10
// rad/s
static void turning_box_overlaps_little(void **state)
{
    (void)state;
    for (double h = 4e-3; h > 4e-4; h /= 2)
        assert_true(worst_overlap_of_a_turning_box(h) <= 0.5 * 0.23 * h * h * 10 * 10);
}

// a plate that rises carries the box on it, and a box on a slope sticks or slides
static mo_status rise(void *data, double t, mo_motion *out, mo_error *err)
{
    (void)data;
    (void)err;
    out->q[1] = 0.1 * t;
    out->u[1] = 0.1;
    return MO_OK;
}

static void moving_plate_carries(void **state)
{
    (void)state;
    mo_world *w = make_ahead(2, 1e-3, G, 0.5, 1e-12);
    mo_shape_def plate = box_shape(2, 0.2);
    add_moved(w, &plate, rise, NULL);
    mo_body b = add_box(w, 0, 0.2, 0.2, 0.2, 0, 1000);
    run_steps(w, 1000, true);
    assert_close(state_of(w, b).position[1], 0.3, 1e-9);
    assert_close(state_of(w, b).velocity[1], 0.1, 1e-7);
    mo_world_destroy(w);
}

// impulses times 1 + e: a ball that reaches the floor leaves it with e times the speed of that step
static void restitution_scales_impulses(void **state)
{
    (void)state;
    const double h = 1e-3, e = 0.6;
    mo_world *w = make_ahead(2, h, 0, 0, 1e-12);
    set_law(w, 0, e, 0);
    add_floor(w, 0);
    mo_body b = add_disc(w, 0, 0.1 + 1e-9, 0.1, 1000);
    set_velocity(w, b, 0, -2, 0);
    run_steps(w, 1, true);
    // the projection lets it go on to the floor with 1e-9 / h
    assert_close(state_of(w, b).velocity[1], e * 2, 1e-5);
    mo_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balls_never_overlap),         cmocka_unit_test(ball_lands_exactly),
        cmocka_unit_test(turning_box_overlaps_little), cmocka_unit_test(moving_plate_carries),
        cmocka_unit_test(restitution_scales_impulses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
