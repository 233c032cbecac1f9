/*
 * mo_world_equilibrium: forces of closed form, a world left as it was, positions of a run, and what is
 * refused.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/build.h"
#include "support/close.h"

static const double G = 9.81, H = 1e-3;

static mo_equilibrium look(mo_world *w)
{
    mo_error err = {0};
    mo_equilibrium e;
    assert_int_equal(mo_world_equilibrium(w, &e, &err), MO_OK);
    return e;
}

// three discs: the upper one lies in the gap of two that are held; each side carries W / (2 cos 30°)
static void disc_on_two(void **state)
{
    (void)state;
    const double R = 0.1, density = 100, weight = density * acos(-1.0) * R * R * G;
    mo_world *w = make_world(H, G);
    mo_body_def held = mo_default_body_def();
    held.kind = MO_BODY_FIXED;
    held.shape = disc_shape(R);
    held.position[0] = -R;
    add_def(w, &held);
    held.position[0] = R;
    add_def(w, &held);
    add_disc(w, 0, sqrt(3.0) * R, R, density);
    mo_equilibrium e = look(w);
    assert_int_equal(e.outcome, MO_EQUILIBRIUM_POSSIBLE);
    assert_int_equal(e.contacts, 2);
    assert_int_equal(e.bodies, 1);
    for (size_t i = 0; i < 2; i++) {
        assert_close(e.force[2 * i], weight / sqrt(3.0), 1e-12 * weight);
        assert_close(e.force[2 * i + 1], 0, 0);
    }
    assert_true(e.balance <= 1e-14 && e.balance_force <= 1e-13 * weight && e.cone_violation == 0);
    assert_true(e.step.solved && !e.step.moves);
    mo_equilibrium_free(&e);
    mo_world_destroy(w);
}

static mo_world *tower(void)
{
    mo_world *w = make_world(H, G);
    set_law(w, 0.4, 0, 0);
    add_floor(w, 0);
    for (int i = 0; i < 4; i++)
        add_box(w, 0.02 * i, 0.05 + 0.1 * i, 0.3, 0.1, 0, 100);
    return w;
}

// asking changes nothing: the runs that follow have the same bits
static void world_stays_as_it_was(void **state)
{
    (void)state;
    mo_world *plain = tower(), *asked = tower();
    const uint64_t start = mo_world_hash(asked);
    for (int k = 0; k < 5; k++) {
        mo_equilibrium e = look(asked);
        // velocities of the run do not matter
        assert_int_equal(e.outcome, MO_EQUILIBRIUM_POSSIBLE);
        assert_int_equal(e.contacts, 8);
        mo_equilibrium_free(&e);
        if (k == 0)
            assert_int_equal(mo_world_hash(asked), start);
        run_steps(plain, 7, true);
        run_steps(asked, 7, true);
        assert_int_equal(mo_world_hash(plain), mo_world_hash(asked));
        assert_close(mo_world_info_get(plain).energy.balance_error,
                     mo_world_info_get(asked).energy.balance_error, 0);
    }
    mo_world_destroy(plain);
    mo_world_destroy(asked);
}

// what the steps of a resting tower find is a force of the same kind: sums over each joint are the weights
// above
static void sums_are_determined(void **state)
{
    (void)state;
    mo_world *w = tower();
    run_steps(w, 20, true);
    mo_equilibrium e = look(w);
    const mo_contacts c = mo_world_contacts(w);
    const double weight = 100 * 0.3 * 0.1 * G;
    assert_int_equal(e.contacts, c.count);
    for (uint32_t below = 1; below <= 4; below++) {
        double sum = 0, found = 0;
        for (size_t i = 0; i < e.contacts; i++) {
            assert_int_equal(e.id1[i], c.id1[i]);
            sum += e.id1[i] == below ? e.force[2 * i] : 0;
            found += c.id1[i] == below ? c.impulse[2 * i] / H : 0;
        }
        assert_close(sum, (5 - below) * weight, 1e-9 * weight);
        assert_close(found, sum, 1e-7 * weight);
    }
    mo_equilibrium_free(&e);
    mo_world_destroy(w);
}

/* ---- in space
 * ---------------------------------------------------------------------------------------------- */

static mo_world *space(double gx, double gy, double gz, double friction)
{
    mo_world_def def = tight_def(H, 0);
    def.dim = 3;
    def.gravity[0] = gx;
    def.gravity[1] = gy;
    def.gravity[2] = gz;
    mo_world *w = make_world_def(&def);
    set_law(w, friction, 0, 0);
    return w;
}

static void add_plane(mo_world *w, double nx, double ny, double nz)
{
    mo_body_def def = mo_default_body_def();
    def.kind = MO_BODY_FIXED;
    def.shape = (mo_shape_def){.kind = MO_SHAPE_PLANE, .normal = {nx, ny, nz}};
    add_def(w, &def);
}

// a sphere in the corner of three planes across each other: each carries W / sqrt(3)
static void sphere_in_a_corner(void **state)
{
    (void)state;
    const double g = G / sqrt(3.0), mass = 3;
    for (int rough = 0; rough < 2; rough++) {
        mo_world *w = space(-g, -g, -g, rough ? 0.3 : 0);
        mo_body_def def = mo_default_body_def();
        def.shape = (mo_shape_def){.kind = MO_SHAPE_SPHERE, .radius = 0.1};
        def.mass = mass;
        for (int k = 0; k < 3; k++)
            def.position[k] = 0.1;
        add_def(w, &def);
        add_plane(w, 1, 0, 0);
        add_plane(w, 0, 1, 0);
        add_plane(w, 0, 0, 1);
        mo_equilibrium e = look(w);
        assert_int_equal(e.dim, 3);
        assert_int_equal(e.contacts, 3);
        assert_int_equal(e.outcome, MO_EQUILIBRIUM_POSSIBLE);
        for (size_t i = 0; i < 3; i++) {
            assert_true(e.force[3 * i] > 0);
            if (!rough)
                assert_close(e.force[3 * i], mass * g, 1e-10 * mass * g);
        }
        assert_true(e.balance_force <= 1e-9 * mass * G && e.balance_torque <= 1e-10 * mass * G);
        assert_true(e.step.solved && !e.step.moves);
        mo_equilibrium_free(&e);
        mo_world_destroy(w);
    }
}

// a box on a plane, gravity tilted by alpha along a slanted direction: stands when mu > tan(alpha)
static void box_on_a_slope(void **state)
{
    (void)state;
    const double mu = 0.4, turn = 0.7, mass = 2;
    for (int side = -1; side <= 1; side += 2) {
        const double alpha = atan(mu + side * 1e-6);
        mo_world *w = space(G * sin(alpha) * cos(turn), G * sin(alpha) * sin(turn), -G * cos(alpha), mu);
        mo_body_def def = mo_default_body_def();
        def.shape = (mo_shape_def){.kind = MO_SHAPE_BOX, .size = {0.6, 0.8, 0.1}};
        def.mass = mass;
        def.position[2] = 0.05;
        mo_body box = add_def(w, &def);
        add_plane(w, 0, 0, 1);
        mo_equilibrium e = look(w);
        assert_int_equal(e.contacts, 4);
        assert_int_equal(e.outcome, side < 0 ? MO_EQUILIBRIUM_POSSIBLE : MO_EQUILIBRIUM_NONE);
        double normal = 0;
        for (size_t i = 0; i < 4; i++)
            normal += e.force[3 * i];
        if (side < 0) {
            assert_close(normal, mass * G * cos(alpha), 1e-8 * mass * G);
        } else {
            // down the slope, off the plane by mu times that
            assert_int_equal(e.id[0], box.id);
            const double *v = e.velocity, slip = hypot(v[0], v[1]);
            assert_close(v[0], slip * cos(turn), 1e-3);
            assert_close(v[1], slip * sin(turn), 1e-3);
            assert_true(v[2] >= 0 && e.power > 0 && e.motion_violation <= 1e-12);
        }
        mo_equilibrium_free(&e);
        mo_world_destroy(w);
    }
}

enum { POSTS = 12 };

// a plate on POSTS² balls that are held, gravity tilted by alpha along a slanted direction, with a torque
// about y; the points of contact are 0.1 apart and the plate is so thin that its weight acts at their height
static mo_world *make_table(double alpha, double turn, double mu, double torque)
{
    mo_world *w = space(G * sin(alpha) * cos(turn), G * sin(alpha) * sin(turn), -G * cos(alpha), mu);
    mo_body_def post = mo_default_body_def(), plate = mo_default_body_def();
    post.kind = MO_BODY_FIXED;
    post.shape = (mo_shape_def){.kind = MO_SHAPE_SPHERE, .radius = 0.02};
    post.position[2] = -0.02;
    for (int i = 0; i < POSTS * POSTS; i++) {
        post.position[0] = 0.1 * (i % POSTS - 0.5 * (POSTS - 1));
        post.position[1] = 0.1 * (i / POSTS - 0.5 * (POSTS - 1));
        add_def(w, &post);
    }
    plate.shape = (mo_shape_def){.kind = MO_SHAPE_BOX, .size = {2, 2, 2e-6}};
    plate.mass = 3;
    plate.position[2] = 1e-6;
    plate.applied_torque3[1] = torque;
    add_def(w, &plate);
    return w;
}

// the least forces of many feet: S_N linear in the place, a + b x with n a = weight and b sum x² = torque
static void least_forces_of_many_feet(void **state)
{
    (void)state;
    const double weight = 3 * G, n = POSTS * POSTS, torque = 0.1 * weight * 0.1 * POSTS;
    mo_world *w = make_table(0, 0, 0.4, torque);
    mo_equilibrium e = look(w);
    double squares = 0;
    assert_int_equal(e.outcome, MO_EQUILIBRIUM_POSSIBLE);
    assert_int_equal(e.contacts, POSTS * POSTS);
    for (size_t i = 0; i < e.contacts; i++)
        squares += e.point[3 * i] * e.point[3 * i];
    for (size_t i = 0; i < e.contacts; i++) {
        // a force up at x turns by -x about y
        const double expected = weight / n + torque / squares * e.point[3 * i];
        assert_true(expected > 0);
        assert_close(e.force[3 * i], expected, 1e-9 * weight);
        assert_close(hypot(e.force[3 * i + 1], e.force[3 * i + 2]), 0, 1e-9 * weight);
    }
    assert_true(e.balance <= 1e-12 && e.cone_violation == 0);
    mo_equilibrium_free(&e);
    mo_world_destroy(w);
}

// on both sides of the limit tan(alpha) = mu; beyond it the imbalance is sin(alpha - atan(mu))
static void many_feet_on_a_slope(void **state)
{
    (void)state;
    const double mu = 0.4, turn = 0.7;
    static const double more[] = {-1e-2, -1e-6, 1e-6, 1e-4, 1e-2, 1};
    for (size_t k = 0; k < sizeof more / sizeof *more; k++) {
        const double alpha = atan(mu + more[k]);
        mo_world *w = make_table(alpha, turn, mu, 0);
        mo_equilibrium e = look(w);
        assert_int_equal(e.outcome, more[k] < 0 ? MO_EQUILIBRIUM_POSSIBLE : MO_EQUILIBRIUM_NONE);
        if (more[k] < 0) {
            assert_true(e.balance <= 1e-10 && e.cone_violation == 0);
        } else {
            const double *v = e.velocity, slip = hypot(v[0], v[1]);
            assert_true(e.power > 0 && e.motion_violation <= 1e-12);
            // a mechanism proves no more than the truth; most of it even next to the limit
            const double exact = sin(alpha - atan(mu));
            assert_true(e.imbalance <= exact * (1 + 1e-6) &&
                        e.imbalance >= (more[k] < 1e-3 ? 0.5 : 0.999) * exact);
            assert_close(v[0], slip * cos(turn), more[k] < 1e-3 ? 0.1 : 1e-3);
        }
        mo_equilibrium_free(&e);
        mo_world_destroy(w);
    }
}

// a box on edge falls unless it cannot turn that way; the freedom it lacks is told apart in world axes
static void locked_spins(void **state)
{
    (void)state;
    for (int locked = 0; locked < 2; locked++) {
        mo_world *w = space(0, 0, -G, 0.5);
        mo_body_def def = mo_default_body_def();
        def.shape = (mo_shape_def){.kind = MO_SHAPE_BOX, .size = {0.4, 0.2, 0.2}};
        def.mass = 2;
        // turned by 0.1 about its long axis x: one edge on the plane
        def.orientation[0] = cos(0.05);
        def.orientation[1] = sin(0.05);
        def.position[2] = 0.1 * (cos(0.1) + sin(0.1));
        if (locked)
            def.free = MO_FREE_ALL & ~(unsigned)MO_FREE_WX;
        add_def(w, &def);
        add_plane(w, 0, 0, 1);
        mo_equilibrium e = look(w);
        assert_int_equal(e.contacts, 2);
        assert_int_equal(e.outcome, locked ? MO_EQUILIBRIUM_POSSIBLE : MO_EQUILIBRIUM_NONE);
        if (locked) {
            assert_close(e.force[0] + e.force[3], 2 * G, 1e-9);
        } else {
            assert_true(fabs(e.velocity[3]) > 1);
            assert_close(e.velocity[4], 0, 1e-9);
        }
        mo_equilibrium_free(&e);
        mo_world_destroy(w);
    }
}

static mo_status bad_load(void *data, double t, double *load, mo_error *err)
{
    (void)data, (void)t, (void)err;
    load[0] = load[1] = load[2] = (double)NAN;
    return MO_OK;
}

static void refusals_leave_the_answer_untouched(void **state)
{
    (void)state;
    mo_error err = {0};
    mo_equilibrium e, before;
    memset(&e, 7, sizeof e);
    before = e;
    mo_world *w = make_world(H, G);
    mo_body_def def = mo_default_body_def();
    def.shape = disc_shape(1);
    def.mass = 1;
    def.load = bad_load;
    add_def(w, &def);
    assert_int_equal(mo_world_equilibrium(w, &e, &err), MO_BAD_INPUT);
    assert_string_equal(err.key, "applied_force");
    assert_memory_equal(&e, &before, sizeof e);
    mo_world_destroy(w);
    mo_equilibrium_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(disc_on_two),
        cmocka_unit_test(world_stays_as_it_was),
        cmocka_unit_test(sums_are_determined),
        cmocka_unit_test(sphere_in_a_corner),
        cmocka_unit_test(box_on_a_slope),
        cmocka_unit_test(least_forces_of_many_feet),
        cmocka_unit_test(many_feet_on_a_slope),
        cmocka_unit_test(locked_spins),
        cmocka_unit_test(refusals_leave_the_answer_untouched),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
