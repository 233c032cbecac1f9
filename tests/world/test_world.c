/*
 * Worlds and bodies as objects: hostile definitions, groups, starts with overlaps, bodies that come and go.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "support/build.h"
#include "support/close.h"

static const double G = 9.81;

/* ---- definitions of worlds ----------------------------------------------------------------------------- */

static void refuse_world(const mo_world_def *def, const char *key)
{
    mo_error err = {0};
    mo_world *untouched = (mo_world *)(void *)&err, *w = untouched;
    mo_status s = mo_world_create(def, &w, &err);
    if (s != MO_BAD_INPUT || strcmp(err.key, key) != 0)
        print_error("expected a refusal of '%s', found %s of '%s'\n", key, mo_status_name(s), err.key);
    assert_int_equal(s, MO_BAD_INPUT);
    assert_int_equal(err.status, MO_BAD_INPUT);
    assert_string_equal(err.key, key);
    assert_true(strlen(err.message) > 10);
    assert_ptr_equal(w, untouched);
    // the error is optional
    assert_int_equal(mo_world_create(def, &w, NULL), MO_BAD_INPUT);
}

static void bad_worlds_are_refused(void **state)
{
    (void)state;
    const double nan = (double)NAN, inf = (double)INFINITY;
    const mo_world_def good = mo_default_world_def();
    mo_world_def d;
#define REFUSE(change, key) (d = good, d.change, refuse_world(&d, key))
    REFUSE(dim = 4, "dim");
    REFUSE(dim = 0, "dim");
    REFUSE(h = 0, "h");
    REFUSE(h = -1e-3, "h");
    REFUSE(h = nan, "h");
    REFUSE(h = inf, "h");
    REFUSE(gravity[0] = nan, "gravity");
    REFUSE(gravity[1] = -inf, "gravity");
    REFUSE(scheme = (mo_scheme)9, "scheme");
    REFUSE(theta = 0.49, "theta");
    REFUSE(theta = 1.01, "theta");
    REFUSE(theta = nan, "theta");
    REFUSE(solver.name = (mo_solver_name)77, "solver");
    REFUSE(solver.tol = -1e-9, "tol");
    REFUSE(solver.tol = nan, "tol");
    REFUSE(solver.max_iter = 0, "max_iter");
    REFUSE(solver.max_iter = -5, "max_iter");
    REFUSE(solver.max_seconds = -1, "max_seconds");
    REFUSE(solver.max_seconds = nan, "max_seconds");
    REFUSE(contact_tolerance = nan, "contact_tolerance");
    REFUSE(contact_tolerance = inf, "contact_tolerance");
    REFUSE(threads = 0, "threads");
    REFUSE(threads = 1 << 20, "threads");
#undef REFUSE
    // a method for the plane alone
    d = good;
    d.dim = 3;
    d.solver.name = MO_SOLVER_LEMKE;
    refuse_world(&d, "solver");
}

/* ---- definitions of bodies ----------------------------------------------------------------------------- */

// refused by its key, with the world and the outputs as they were
static void refuse_body(mo_world *w, const mo_body_def *def, const char *key)
{
    mo_error err = {0};
    mo_body b = {12345};
    uint64_t hash = mo_world_hash(w);
    size_t count = mo_world_bodies(w).count, created = mo_world_bodies(w).created,
           groups = mo_world_group_count(w);
    mo_status s = mo_body_create(w, def, &b, &err);
    if (s != MO_BAD_INPUT || strcmp(err.key, key) != 0)
        print_error("expected a refusal of '%s', found %s of '%s'\n", key, mo_status_name(s), err.key);
    assert_int_equal(s, MO_BAD_INPUT);
    assert_string_equal(err.key, key);
    assert_true(strlen(err.message) > 10);
    assert_int_equal(b.id, 12345);
    assert_int_equal(mo_world_hash(w), hash);
    assert_int_equal(mo_world_bodies(w).count, count);
    assert_int_equal(mo_world_bodies(w).created, created);
    assert_int_equal(mo_world_group_count(w), groups);
}

static mo_status nan_motion(void *data, double t, mo_motion *out, mo_error *err)
{
    (void)data, (void)t, (void)err;
    *out = (mo_motion){{0, 0, (double)NAN}, {0}};
    return MO_OK;
}

static mo_status no_load(void *data, double t, double *load, mo_error *err)
{
    (void)data, (void)t, (void)err;
    load[0] = load[1] = load[2] = 0;
    return MO_OK;
}

static mo_status unit_radius(void *data, double t, double *radius, double *rate, mo_error *err)
{
    (void)data, (void)t, (void)err;
    *radius = 1;
    *rate = 0;
    return MO_OK;
}

static mo_body_def good_disc(void)
{
    mo_body_def d = mo_default_body_def();
    d.shape = disc_shape(0.1);
    d.density = 10;
    return d;
}

static mo_world *small_world(void)
{
    mo_world *w = make_world(1e-3, G);
    add_floor(w, 0);
    add_disc(w, 0, 0.1, 0.1, 100);
    run_steps(w, 3, true);
    return w;
}

#define REFUSE(change, key)                                                                                  \
    do {                                                                                                     \
        d = good_disc();                                                                                     \
        d.change;                                                                                            \
        refuse_body(w, &d, key);                                                                             \
    } while (0)

static void bad_bodies_are_refused(void **state)
{
    (void)state;
    const double nan = (double)NAN, inf = (double)INFINITY;
    static const char *const wrong[] = {""};
    char long_name[300];
    memset(long_name, 'x', sizeof long_name);
    long_name[299] = '\0';
    mo_world *w = small_world();
    mo_body_def d;
    REFUSE(density = 0, "density");
    REFUSE(density = nan, "density");
    REFUSE(density = -3, "density");
    REFUSE(density = inf, "density");
    REFUSE(mass = 2, "density"); // both
    // numbers that make a mass or an inertia which is none, or has no inverse
    REFUSE(density = 1e308; d.shape.radius = 1e3, "density");
    REFUSE(density = 1e-308; d.shape.radius = 1e-3, "density");
    REFUSE(density = 1e-300; d.shape.radius = 1e-3, "inertia");
    REFUSE(density = 1e300; d.shape.radius = 1e3, "inertia");
    REFUSE(inertia = 1e-320, "inertia");
    REFUSE(inertia = -1, "inertia");
    REFUSE(inertia = nan, "inertia");
    REFUSE(position[1] = nan, "position");
    REFUSE(position[0] = inf, "position");
    REFUSE(angle = nan, "angle");
    REFUSE(velocity[0] = inf, "velocity");
    REFUSE(spin = nan, "spin");
    REFUSE(applied_force[1] = nan, "applied_force");
    REFUSE(applied_torque = inf, "applied_torque");
    REFUSE(free = 128, "free");
    REFUSE(group = "", "group");
    REFUSE(group = long_name, "group");
    REFUSE(collides_with = wrong; d.collides_with_count = 1, "group");
    REFUSE(motion = nan_motion, "motion");
    REFUSE(free = MO_FREE_Y; d.velocity[0] = 1, "velocity");
    REFUSE(free = MO_FREE_X; d.velocity[1] = 1, "velocity");
    REFUSE(free = MO_FREE_X | MO_FREE_Y; d.spin = 1, "spin");
    d = good_disc();
    d.density = 0;
    for (int k = 0; k < 3; k++) {
        d.mass = k == 0 ? nan : k == 1 ? -1 : inf;
        refuse_body(w, &d, "mass");
    }
    // boundaries
    d.mass = 0;
    d.kind = MO_BODY_MOVED;
    refuse_body(w, &d, "motion");
    d.motion = nan_motion;
    refuse_body(w, &d, "motion");
    d.motion = NULL;
    d.kind = MO_BODY_FIXED;
    d.mass = 1;
    refuse_body(w, &d, "mass");
    d.mass = 0;
    d.load = no_load;
    refuse_body(w, &d, "applied_force");
    mo_world_destroy(w);
}

static void bad_shapes_are_refused(void **state)
{
    (void)state;
    const double nan = (double)NAN, inf = (double)INFINITY;
    const double dent[] = {0, 0, 1, 0, 0.2, 0.2, 0, 1}, line[] = {0, 0, 1, 1, 2, 2}, same[] = {1, 1, 1, 1},
                 hole[] = {0, 0, 1, (double)NAN, 0, 1};
    mo_world *w = small_world();
    mo_body_def d;
    REFUSE(shape.radius = 0, "radius");
    REFUSE(shape.radius = -0.1, "radius");
    REFUSE(shape.radius = nan, "radius");
    REFUSE(shape.radius = inf, "radius");
    REFUSE(shape.radius = 1e200, "radius"); // its area overflows
    REFUSE(shape = box_shape(0, 1), "size");
    REFUSE(shape = box_shape(1, nan), "size");
    REFUSE(shape = box_shape(1, -1), "size");
    REFUSE(shape = points_shape(MO_SHAPE_POLYGON, dent, 4), "points");
    REFUSE(shape = points_shape(MO_SHAPE_POLYGON, line, 3), "points");
    REFUSE(shape = points_shape(MO_SHAPE_POLYGON, line, 2), "points");
    REFUSE(shape = points_shape(MO_SHAPE_POLYGON, hole, 3), "points");
    REFUSE(shape = points_shape(MO_SHAPE_POLYGON, NULL, 3), "points");
    REFUSE(shape = points_shape(MO_SHAPE_SEGMENT, same, 2), "points");
    REFUSE(shape = points_shape(MO_SHAPE_CHAIN, line, 1), "points");
    REFUSE(shape = points_shape(MO_SHAPE_SEGMENT, line, 2), "density"); // no area
    REFUSE(shape.kind = (mo_shape_kind)99, "shape");
    REFUSE(shape.kind = MO_SHAPE_COMPOUND, "children");
    REFUSE(shape.kind = MO_SHAPE_HALFPLANE, "normal");
    // half-planes have no mass
    d = good_disc();
    d.shape = (mo_shape_def){.kind = MO_SHAPE_HALFPLANE, .normal = {0, 1}};
    d.density = 0;
    d.mass = 1;
    refuse_body(w, &d, "shape");
    // a radius in time belongs to discs
    d = good_disc();
    d.shape = box_shape(1, 1);
    d.radius = unit_radius;
    refuse_body(w, &d, "radius");
    mo_shape_def half = {.kind = MO_SHAPE_HALFPLANE, .normal = {0, 1}};
    mo_shape_child child = {.shape = &half, .position = {0, 0}, .angle = 0};
    d = good_disc();
    d.shape = (mo_shape_def){.kind = MO_SHAPE_COMPOUND, .children = &child, .child_count = 1};
    refuse_body(w, &d, "children");
    mo_world_destroy(w);
}

static void bad_states_are_refused(void **state)
{
    (void)state;
    mo_error err;
    mo_world *w = make_world(1e-3, G);
    mo_body_def d = good_disc();
    d.free = MO_FREE_X;
    mo_body b = add_def(w, &d), ground = add_floor(w, -1), none = {0}, unknown = {77};
    mo_body_state s = state_of(w, b);
    uint64_t hash = mo_world_hash(w);
    s.position[0] = (double)NAN;
    assert_int_equal(mo_body_set(w, b, &s, &err), MO_BAD_INPUT);
    assert_string_equal(err.key, "position");
    s = state_of(w, b);
    s.velocity[1] = 1;
    assert_int_equal(mo_body_set(w, b, &s, &err), MO_BAD_INPUT);
    assert_string_equal(err.key, "velocity");
    s = state_of(w, b);
    assert_int_equal(mo_body_set(w, ground, &s, &err), MO_USAGE);
    assert_int_equal(mo_body_set(w, none, &s, &err), MO_USAGE);
    assert_int_equal(mo_body_get(w, unknown, &s, &err), MO_USAGE);
    assert_int_equal(mo_body_remove(w, none, &err), MO_USAGE);
    assert_false(mo_body_exists(w, none));
    assert_int_equal(mo_world_slot(w, unknown), SIZE_MAX);
    assert_int_equal(mo_world_hash(w), hash);
    mo_world_destroy(w);
}

// what a body tells can be set again, also where spins are held, which rounding makes other than 0 in world
// axes
static void states_can_be_set_again(void **state)
{
    (void)state;
    mo_error err;
    mo_world_def def = tight_def(1e-3, 0);
    def.dim = 3;
    mo_world *w = make_world_def(&def);
    mo_body_def d = mo_default_body_def();
    d.shape = (mo_shape_def){.kind = MO_SHAPE_BOX, .size = {0.1, 0.2, 0.3}};
    d.density = 1000;
    d.free = MO_FREE_X | MO_FREE_Y | MO_FREE_Z | MO_FREE_WZ;
    d.orientation[0] = 0.9, d.orientation[1] = 0.1, d.orientation[2] = 0.2, d.orientation[3] = 0.3;
    d.spin3[2] = 2;
    mo_body b = add_def(w, &d);
    for (int k = 0; k < 50; k++) {
        run_steps(w, 7, true);
        mo_body_state s = state_of(w, b);
        s.position[0] += 1;
        assert_int_equal(mo_body_set(w, b, &s, &err), MO_OK);
        // a turn by an angle about z alone, which the spin that is free has made: 2 rad/s
        s = state_of(w, b);
        assert_close(s.position[0], k + 1, 1e-12);
        assert_close(s.spin3[0], 0, 1e-14);
        assert_close(s.spin3[1], 0, 1e-14);
        assert_close(s.spin3[2], 2, 1e-13);
    }
    mo_body_state s = state_of(w, b);
    s.spin3[0] = 1e-9;
    assert_int_equal(mo_body_set(w, b, &s, &err), MO_BAD_INPUT);
    assert_string_equal(err.key, "spin");
    mo_world_destroy(w);
}

/* ---- laws and groups ----------------------------------------------------------------------------------- */

static void bad_laws_are_refused(void **state)
{
    (void)state;
    const double nan = (double)NAN;
    const struct {
        mo_law law;
        const char *key;
    } bad[] = {{{.friction = -0.1}, "friction"},
               {{.friction = nan}, "friction"},
               {{.friction = (double)INFINITY}, "friction"},
               {{.restitution = -0.1}, "restitution"},
               {{.restitution = 1.1}, "restitution"},
               {{.restitution = nan}, "restitution"},
               {{.tangential_restitution = -1.1}, "tangential_restitution"},
               {{.tangential_restitution = 1.1}, "tangential_restitution"}};
    mo_world *w = make_world(1e-3, G);
    set_law(w, 0.25, 0.5, -0.5);
    for (size_t k = 0; k < sizeof bad / sizeof bad[0]; k++) {
        mo_error err;
        assert_int_equal(mo_world_set_default_law(w, &bad[k].law, &err), MO_BAD_INPUT);
        assert_string_equal(err.key, bad[k].key);
        assert_int_equal(mo_world_set_law(w, "a", "b", &bad[k].law, &err), MO_BAD_INPUT);
        assert_string_equal(err.key, bad[k].key);
    }
    assert_int_equal(mo_world_group_count(w), 1);
    mo_law now = mo_world_default_law(w);
    assert_true(now.friction == 0.25 && now.restitution == 0.5 && now.tangential_restitution == -0.5);
    mo_world_destroy(w);
}

// what is refused leaves no group behind
static void refusals_add_no_groups(void **state)
{
    (void)state;
    static const char *const wrong[] = {"seen", ""};
    mo_error err;
    mo_world *w = make_world(1e-3, G);
    mo_law law = {0};
    mo_body_def d;
    REFUSE(group = "fresh"; d.collides_with = wrong; d.collides_with_count = 2, "group");
    assert_int_equal(mo_world_set_law(w, "a", "", &law, &err), MO_BAD_INPUT);
    assert_string_equal(err.key, "group");
    assert_int_equal(mo_world_group_count(w), 1);
    mo_world_destroy(w);
}

static void groups_are_limited(void **state)
{
    (void)state;
    mo_error err;
    mo_world *w = make_world(1e-3, G);
    mo_body_def d = good_disc();
    mo_body b;
    char name[16];
    d.group = name;
    // "default" is the first of 64
    for (int k = 1; k < 64; k++) {
        snprintf(name, sizeof name, "group %d", k);
        d.position[0] = k;
        b = add_def(w, &d);
        assert_int_equal(mo_world_group_count(w), k + 1);
        assert_string_equal(state_of(w, b).group, name);
        assert_string_equal(mo_world_group_name(w, (size_t)k), name);
    }
    snprintf(name, sizeof name, "one more");
    refuse_body(w, &d, "group");
    mo_law law = {0};
    assert_int_equal(mo_world_set_law(w, "default", "one more", &law, &err), MO_BAD_INPUT);
    assert_string_equal(err.key, "group");
    // the known ones go on
    snprintf(name, sizeof name, "group 63");
    add_def(w, &d);
    run_steps(w, 3, true);
    mo_world_destroy(w);
}

/* ---- overlaps at the start ----------------------------------------------------------------------------- */

static mo_world *overlapping(mo_overlap mode, mo_body b[2])
{
    mo_world_def def = tight_def(1e-3, 0);
    def.overlap = mode;
    mo_world *w = make_world_def(&def);
    b[0] = add_disc(w, 0, 0, 0.1, 100);
    b[1] = add_disc(w, 0.15, 0, 0.1, 300);
    return w;
}

static void overlaps_are_reported(void **state)
{
    (void)state;
    mo_body b[2];
    mo_world *w = overlapping(MO_OVERLAP_REPORT, b);
    run_steps(w, 5, true);
    assert_close(mo_world_info_get(w).start_overlap, 0.05, 1e-16);
    // nothing is pushed out
    assert_close(state_of(w, b[0]).position[0], 0, 0);
    assert_close(mo_world_info_get(w).energy.kinetic, 0, 0);
    mo_world_destroy(w);
}

static void overlaps_are_resolved(void **state)
{
    (void)state;
    mo_body b[2];
    mo_world *w = overlapping(MO_OVERLAP_RESOLVE, b);
    run_steps(w, 5, true);
    assert_close(mo_world_info_get(w).start_overlap, 0.05, 1e-16);
    // apart by the least displacement in the kinetic metric: shares go against the masses 1 : 3
    assert_close(state_of(w, b[0]).position[0], -0.05 * 3 / 4, 1e-9);
    assert_close(state_of(w, b[1]).position[0], 0.15 + 0.05 / 4, 1e-9);
    assert_true(mo_measure_max_penetration(w) <= 2e-9 * 0.2);
    assert_close(mo_world_info_get(w).overlap_left, 0, 0);
    assert_close(mo_world_info_get(w).energy.kinetic, 0, 0);
    assert_close(mo_world_info_get(w).energy.balance_error, 0, 0);
    mo_world_destroy(w);
}

/* what is set after mo_world_begin is work, and so is lifting a disc out of the floor */
static void the_balance_begins_when_told(void **state)
{
    (void)state;
    for (int told = 0; told < 2; told++) {
        mo_error err;
        mo_world_def def = tight_def(1e-3, G);
        def.overlap = MO_OVERLAP_RESOLVE;
        mo_world *w = make_world_def(&def);
        add_floor(w, 0);
        mo_body b = add_disc(w, 0, 0.05, 0.1, 100);
        if (told)
            mo_world_begin(w);
        mo_body_state s = state_of(w, b);
        s.velocity[0] = 3;
        assert_int_equal(mo_body_set(w, b, &s, &err), MO_OK);
        run_steps(w, 1, true);
        const double work = told ? 0.5 * s.mass * 9 + s.mass * G * 0.05 : 0;
        // bodies are moved apart to within 1e-9 of their size
        assert_close(mo_world_info_get(w).energy.work_external, work, 2e-9 * s.mass * G);
        assert_close(mo_world_info_get(w).energy.balance_error, 0, 1e-12 * s.mass);
        mo_world_destroy(w);
    }
}

static void overlaps_are_refused(void **state)
{
    (void)state;
    mo_error err;
    mo_body b[2];
    mo_world *w = overlapping(MO_OVERLAP_REFUSE, b);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(mo_world_step(w, &err), MO_BAD_INPUT);
        assert_string_equal(err.key, "overlaps");
        assert_int_equal(mo_world_info_get(w).steps, 0);
    }
    mo_body_state s = state_of(w, b[1]);
    s.position[0] = 0.2;
    assert_int_equal(mo_body_set(w, b[1], &s, &err), MO_OK);
    // touching is no overlap, and the start that was refused was none
    run_steps(w, 3, true);
    assert_close(mo_world_info_get(w).start_overlap, 0, 0);
    mo_world_destroy(w);
}

/* ---- contact tolerance --------------------------------------------------------------------------------- */

static void tolerance_is_literal(void **state)
{
    (void)state;
    const struct {
        double tolerance, gap;
        bool touches;
    } cases[] = {{0, 0, true},      {0, 1e-9, false},   {0, 1e-15, false},    {-1, 1e-9, true},
                 {-1, 2e-8, false}, {1e-3, 9e-4, true}, {1e-3, 1.1e-3, false}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        mo_world_def def = tight_def(1e-3, G);
        def.contact_tolerance = cases[k].tolerance;
        mo_world *w = make_world_def(&def);
        add_floor(w, 0);
        mo_body b = add_disc(w, 0, 0.125 + cases[k].gap, 0.125, 100);
        run_steps(w, 1, true);
        assert_close(state_of(w, b).velocity[1], cases[k].touches ? 0 : -G * 1e-3, 1e-17);
        mo_world_destroy(w);
    }
}

/* ---- coming and going ---------------------------------------------------------------------------------- */

static void empty_worlds_step(void **state)
{
    (void)state;
    mo_world *w = make_world(1e-3, G);
    run_steps(w, 10, true);
    mo_world_info info = mo_world_info_get(w);
    assert_int_equal(info.steps, 10);
    assert_close(info.time, 0.01, 1e-17);
    assert_true(info.energy.balance_error == 0 && info.contacts == 0);
    assert_close(mo_measure_max_penetration(w), 0, 0);
    add_floor(w, 0);
    add_segment(w, -1, 0, 1, 0);
    run_steps(w, 10, true);
    assert_int_equal(mo_world_info_get(w).contacts, 0);
    mo_world_destroy(w);
    mo_world_destroy(NULL);
}

// what comes and goes leaves no memory behind, and others keep their names
static void names_come_and_go(void **state)
{
    (void)state;
    mo_error err;
    mo_world *w = make_world(1e-3, G);
    mo_body_def d = mo_default_body_def();
    d.shape = disc_shape(0.1);
    d.density = 1;
    mo_body kept[3] = {{0}};
    size_t bytes = 0;
    for (int i = 0; i < 3000; i++) {
        char name[64];
        snprintf(name, sizeof name, "a body with a name of its own, number %04d", i);
        d.name = i % 2 == 0 ? name : NULL;
        mo_body b = add_def(w, &d);
        if (i == 10 || i == 11 || i == 500)
            kept[i == 10 ? 0 : i == 11 ? 1 : 2] = b;
        else
            assert_int_equal(mo_body_remove(w, b, &err), MO_OK);
        if (i == 600)
            bytes = mo_world_info_get(w).bytes;
    }
    assert_int_equal(mo_world_info_get(w).bytes, bytes);
    assert_int_equal(mo_body_remove(w, kept[0], &err), MO_OK);
    assert_string_equal(state_of(w, kept[1]).name, "");
    assert_string_equal(state_of(w, kept[2]).name, "a body with a name of its own, number 0500");
    mo_world_destroy(w);
}

static void bodies_come_and_go(void **state)
{
    (void)state;
    mo_error err;
    mo_world *w = make_world(1e-3, G);
    set_law(w, 0.5, 0.3, 0);
    add_floor(w, 0);
    mo_body a = add_disc(w, 0, 0.5, 0.1, 100);
    run_steps(w, 100, true);
    double work = 0, scale = 0;
    for (int round = 0; round < 20; round++) {
        mo_body b = add_box(w, 0.05, 1 + 0.3 * round, 0.2, 0.2, 0.1 * round, 50);
        mo_body_state s = state_of(w, b);
        work += s.mass * G * s.position[1];
        scale += s.mass * G * s.position[1];
        assert_close(mo_world_info_get(w).energy.work_external, work, 1e-12 * scale);
        run_steps(w, 60, false);
        if (round % 2 == 0)
            continue;
        s = state_of(w, b);
        assert_int_equal(mo_body_remove(w, b, &err), MO_OK);
        work -= s.mass * G * s.position[1] + 0.5 * s.inertia * s.spin * s.spin +
                0.5 * s.mass * (s.velocity[0] * s.velocity[0] + s.velocity[1] * s.velocity[1]);
        assert_close(mo_world_info_get(w).energy.work_external, work, 1e-12 * scale);
        assert_false(mo_body_exists(w, b));
        assert_true(mo_body_exists(w, a));
    }
    // ids are never used again
    assert_int_equal(add_disc(w, 3, 3, 0.1, 1).id, 23);
    run_steps(w, 500, false);
    assert_close(mo_world_info_get(w).energy.balance_error, 0, 1e-12 * scale);
    // what stands on a body that is taken away falls
    mo_contacts c = mo_world_contacts(w);
    for (size_t i = 0; i < c.count; i++)
        assert_true(c.slot1[i] < mo_world_bodies(w).count && c.slot2[i] < mo_world_bodies(w).count);
    mo_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_worlds_are_refused), cmocka_unit_test(bad_bodies_are_refused),
        cmocka_unit_test(bad_shapes_are_refused), cmocka_unit_test(bad_states_are_refused),
        cmocka_unit_test(bad_laws_are_refused),   cmocka_unit_test(groups_are_limited),
        cmocka_unit_test(refusals_add_no_groups), cmocka_unit_test(overlaps_are_reported),
        cmocka_unit_test(overlaps_are_resolved),  cmocka_unit_test(the_balance_begins_when_told),
        cmocka_unit_test(overlaps_are_refused),   cmocka_unit_test(tolerance_is_literal),
        cmocka_unit_test(empty_worlds_step),      cmocka_unit_test(bodies_come_and_go),
        cmocka_unit_test(names_come_and_go),      cmocka_unit_test(states_can_be_set_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
