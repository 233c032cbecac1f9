/*
 * Freedoms taken away, which pairs touch and by which law, and functions of time that fail.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/build.h"
#include "support/close.h"

static const double G = 9.81;

static mo_body add_not_turning(mo_world *w, const mo_shape_def *shape, double x, double y, double vx)
{
    mo_body_def def = mo_default_body_def();
    def.shape = *shape;
    def.density = 100;
    def.position[0] = x;
    def.position[1] = y;
    def.velocity[0] = vx;
    def.free = MO_FREE_X | MO_FREE_Y;
    return add_def(w, &def);
}

// friction 0.8 would topple the tall block and roll the disc; without rotation both just slow down
static void bodies_that_cannot_turn(void **state)
{
    (void)state;
    const double mu = 0.8, v = 3, t = 0.2;
    mo_shape_def tall = box_shape(0.1, 1), disc = disc_shape(0.1);
    mo_world *w = make_world(1e-3, G);
    set_law(w, mu, 0, 0);
    add_floor(w, 0);
    mo_body b[2] = {add_not_turning(w, &tall, 0, 0.5, v), add_not_turning(w, &disc, 5, 0.1, v)};
    run_steps(w, 200, true);
    for (int k = 0; k < 2; k++) {
        mo_body_state s = state_of(w, b[k]);
        assert_close(s.velocity[0], v - mu * G * t, 1e-11);
        assert_close(s.position[0], 5 * k + v * t - 0.5 * mu * G * t * t, 1e-11);
        assert_close(s.angle, 0, 0);
        assert_close(s.spin, 0, 0);
    }
    run_steps(w, 400, true);
    for (int k = 0; k < 2; k++) {
        // stops after v²/(2 mu g) give or take the last, shorter step
        assert_close(state_of(w, b[k]).velocity[0], 0, 1e-12);
        assert_close(state_of(w, b[k]).position[0], 5 * k + v * v / (2 * mu * G), 1e-3 * mu * G * 1e-3);
    }
    mo_world_destroy(w);
}

/* walls that go along x alone, on floors and below ceilings that are boxes turned by a quarter: rounding
   leaves (±6e-17, 1) of the normal, which is nothing that a wall could follow, and stopped or threw it */
static void walls_along_turned_floors(void **state)
{
    (void)state;
    const double quarter = 1.57079632679489661923;
    const mo_scheme schemes[] = {MO_SCHEME_MOREAU, MO_SCHEME_MOREAU_JEAN, MO_SCHEME_BERNICOT_LEFEBVRE};
    const mo_shape_def shapes[] = {box_shape(0.2, 0.2), disc_shape(0.1)};
    for (int i = 0; i < 12; i++) {
        mo_world_def world = tight_def(1e-3, G);
        world.scheme = schemes[i % 3];
        mo_world *w = make_world_def(&world);
        mo_body_def floor = mo_default_body_def(), wall = mo_default_body_def();
        floor.kind = MO_BODY_FIXED;
        floor.shape = box_shape(0.2, 4);
        floor.angle = i < 6 ? quarter : -quarter;
        add_def(w, &floor);
        wall.shape = shapes[i / 3 % 2];
        wall.mass = 2;
        wall.free = MO_FREE_X;
        mo_body b[2];
        for (int k = 0; k < 2; k++) {
            wall.position[1] = k == 0 ? 0.2 : -0.2;
            wall.velocity[0] = k == 0 ? 1 : -1;
            b[k] = add_def(w, &wall);
        }
        run_steps(w, 100, true);
        for (int k = 0; k < 2; k++)
            assert_close(state_of(w, b[k]).velocity[0], k == 0 ? 1 : -1, 0);
        mo_world_destroy(w);
    }
}

// a bead on a vertical wire: x is not free, gravity across the wire does nothing
static void bead_on_a_wire(void **state)
{
    (void)state;
    mo_world_def def = tight_def(1e-3, G);
    def.gravity[0] = 4;
    mo_world *w = make_world_def(&def);
    mo_body_def bead = mo_default_body_def();
    bead.shape = disc_shape(0.1);
    bead.mass = 2;
    bead.free = MO_FREE_Y;
    bead.applied_force[0] = 30;
    bead.applied_force[1] = 2;
    mo_body b = add_def(w, &bead);
    run_steps(w, 500, true);
    assert_close(state_of(w, b).position[0], 0, 0);
    assert_close(state_of(w, b).position[1], 0.5 * (1 - G) * 0.25, 1e-12);
    assert_close(mo_world_info_get(w).energy.balance_error, 0, 1e-11 * 2 * G);
    mo_world_destroy(w);
}

/* ---- groups -------------------------------------------------------------------------------------------- */

static void masks_choose_pairs(void **state)
{
    (void)state;
    static const char *const only_floor[] = {"floor"};
    // one body's list is enough to keep a pair apart, whichever was made first
    for (int k = 0; k < 3; k++) {
        mo_world *w = make_world(1e-3, G);
        mo_body_def ground = mo_default_body_def(), shelf = mo_default_body_def(), b = mo_default_body_def();
        ground.kind = shelf.kind = MO_BODY_FIXED;
        ground.shape = (mo_shape_def){.kind = MO_SHAPE_HALFPLANE, .normal = {0, 1}};
        ground.group = "floor";
        shelf.shape = box_shape(1, 0.1);
        shelf.position[1] = 0.5;
        shelf.group = "shelf";
        b.shape = disc_shape(0.1);
        b.density = 10;
        b.position[1] = 1;
        if (k == 1)
            b.collides_with = only_floor, b.collides_with_count = 1;
        if (k == 2)
            shelf.collides_with = only_floor, shelf.collides_with_count = 1;
        add_def(w, &ground);
        add_def(w, &shelf);
        mo_body disc = add_def(w, &b);
        run_steps(w, 1000, true);
        // falls at 3 m/s at the most and sinks in by at most one step of it
        assert_close(state_of(w, disc).position[1], k == 0 ? 0.65 : 0.1, 5e-3);
        assert_close(state_of(w, disc).velocity[1], 0, 1e-12);
        mo_world_destroy(w);
    }
}

static void laws_by_groups(void **state)
{
    (void)state;
    mo_error err;
    mo_world *w = make_world(1e-3, G);
    mo_law rough = {.friction = 0.4}, ice = {.friction = 0.05}, fallback = {.friction = 0.2};
    set_law(w, 0.9, 0, 0);
    // named in either order, before any body of the group exists
    assert_int_equal(mo_world_set_law(w, "stone", "ground", &rough, &err), MO_OK);
    assert_int_equal(mo_world_set_law(w, "ground", "skate", &rough, &err), MO_OK);
    assert_int_equal(mo_world_set_law(w, "skate", "ground", &ice, &err), MO_OK);
    static const char *const groups[3] = {"stone", "skate", "wood"};
    const double mu[3] = {0.4, 0.05, 0.2};
    mo_body_def ground = mo_default_body_def();
    ground.kind = MO_BODY_FIXED;
    ground.shape = (mo_shape_def){.kind = MO_SHAPE_HALFPLANE, .normal = {0, 1}};
    ground.group = "ground";
    add_def(w, &ground);
    mo_body b[3];
    for (int k = 0; k < 3; k++) {
        mo_body_def def = mo_default_body_def();
        def.shape = box_shape(0.4, 0.1);
        def.density = 100;
        def.position[0] = 10 * k;
        def.position[1] = 0.05;
        def.velocity[0] = 2;
        def.group = groups[k];
        b[k] = add_def(w, &def);
    }
    assert_int_equal(mo_world_set_default_law(w, &fallback, &err), MO_OK);
    run_steps(w, 100, true);
    for (int k = 0; k < 3; k++) {
        assert_close(state_of(w, b[k]).velocity[0], 2 - mu[k] * G * 0.1, 1e-11);
        assert_string_equal(state_of(w, b[k]).group, groups[k]);
    }
    mo_contacts c = mo_world_contacts(w);
    assert_int_equal(c.count, 6);
    for (size_t i = 0; i < c.count; i++)
        assert_close(mo_world_law(w, c.law[i]).friction, mu[i / 2], 0);
    mo_world_destroy(w);
}

/* ---- callbacks that fail ------------------------------------------------------------------------------- */

static mo_status breaking_motion(void *data, double t, mo_motion *out, mo_error *err)
{
    *out = (mo_motion){{0, -1, 0}, {0}};
    if (t < *(double *)data)
        return MO_OK;
    err->status = MO_STOPPED;
    return MO_STOPPED;
}

static mo_status nan_load(void *data, double t, double *load, mo_error *err)
{
    (void)data, (void)err;
    load[0] = load[2] = 0;
    load[1] = t > 0.0095 ? (double)NAN : 0;
    return MO_OK;
}

// radius a + b t
static mo_status growing(void *data, double t, double *radius, double *rate, mo_error *err)
{
    (void)err;
    const double *ab = data;
    *radius = ab[0] + ab[1] * t;
    *rate = ab[1];
    return MO_OK;
}

static void failing_functions_stop_the_step(void **state)
{
    (void)state;
    double shrinking[2] = {0.1, -10}, until = 0.0102;
    const mo_status expected[3] = {MO_STOPPED, MO_BAD_INPUT, MO_BAD_INPUT};
    const char *const keys[3] = {"", "applied_force", "radius"};
    for (int k = 0; k < 3; k++) {
        mo_error err = {0};
        mo_world *w = make_world(1e-3, G);
        mo_body_def def = mo_default_body_def();
        def.shape = disc_shape(0.1);
        def.mass = 1;
        def.load = k == 1 ? nan_load : NULL;
        mo_shape_def plate = box_shape(1, 0.1);
        if (k == 0)
            add_moved(w, &plate, breaking_motion, &until);
        if (k == 2)
            def.radius = growing, def.radius_data = shrinking;
        add_def(w, &def);
        mo_status s = MO_OK;
        uint64_t hash = 0;
        for (int n = 0; n < 20 && s == MO_OK; n++) {
            hash = mo_world_hash(w);
            s = mo_world_step(w, &err);
        }
        assert_int_equal(s, expected[k]);
        assert_string_equal(err.key, keys[k]);
        // the step that failed did not happen; the radius would be 0 at the end of the tenth
        assert_int_equal(mo_world_info_get(w).steps, k == 0 ? 10 : 9);
        assert_int_equal(mo_world_hash(w), hash);
        mo_world_destroy(w);
    }
}

// fails only between the middle of the eleventh step and its end: that step did not happen either
static void failure_at_the_end_of_a_step(void **state)
{
    (void)state;
    double until = 0.0108;
    mo_error err = {0};
    mo_world *w = make_world(1e-3, G);
    mo_shape_def plate = box_shape(1, 0.1);
    add_moved(w, &plate, breaking_motion, &until);
    mo_body b = add_disc(w, 0, 1, 0.1, 10);
    run_steps(w, 10, true);
    uint64_t hash = mo_world_hash(w);
    double y = state_of(w, b).position[1];
    for (int k = 0; k < 3; k++) {
        assert_int_equal(mo_world_step(w, &err), MO_STOPPED);
        assert_int_equal(mo_world_info_get(w).steps, 10);
        assert_close(state_of(w, b).position[1], y, 0);
        assert_int_equal(mo_world_hash(w), hash);
    }
    mo_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_that_cannot_turn),
        cmocka_unit_test(walls_along_turned_floors),
        cmocka_unit_test(bead_on_a_wire),
        cmocka_unit_test(masks_choose_pairs),
        cmocka_unit_test(laws_by_groups),
        cmocka_unit_test(failing_functions_stop_the_step),
        cmocka_unit_test(failure_at_the_end_of_a_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
