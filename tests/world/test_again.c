/*
 * Going back: a step that fails leaves bodies as they were, and a world that is put back to an earlier state
 * is as one that never went on.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/build.h"
#include "support/close.h"

enum { NEVER = 1000000 };

/* Functions of time that fail at the call that `left` counts down to. */
typedef struct functions {
    int left;
} functions;

static mo_status grow(void *data, double t, double *radius, double *rate, mo_error *err)
{
    (void)data, (void)err;
    *radius = 0.1 + 0.02 * t;
    *rate = 0.02;
    return MO_OK;
}

// writes its load, be it good or not
static mo_status push(void *data, double t, double *load, mo_error *err)
{
    functions *f = data;
    load[0] = sin(40 * t);
    load[1] = load[2] = 0;
    if (f->left-- > 0)
        return MO_OK;
    load[0] = (double)NAN;
    *err = (mo_error){.status = MO_IO, .message = "no load today"};
    return MO_IO;
}

// a disc that grows, beside one that is pushed and one that lies there, on a floor
static mo_world *make_pushed(functions *f, mo_body b[3])
{
    mo_world_def def = tight_def(1e-3, 9.81);
    def.sleeping = true;
    mo_world *w = make_world_def(&def);
    set_law(w, 0.5, 0, 0);
    add_floor(w, 0);
    for (int i = 0; i < 3; i++) {
        mo_body_def d = mo_default_body_def();
        d.shape = disc_shape(0.1);
        d.density = 1000;
        d.position[0] = 0.25 * i;
        d.position[1] = 0.1;
        d.radius = i == 0 ? grow : NULL;
        d.load = i == 1 ? push : NULL;
        d.load_data = f;
        b[i] = add_def(w, &d);
    }
    return w;
}

static double radius_of(const mo_world *w, mo_body b)
{
    mo_body_raw raw;
    mo_body_raw_get(w, mo_world_slot(w, b), &raw);
    return raw.parts[0].radius;
}

static void failed_steps_leave_bodies_as_they_were(void **state)
{
    (void)state;
    mo_error err;
    mo_body b[3];
    functions f = {NEVER}, never = {NEVER};
    mo_world *w = make_pushed(&f, b), *other = make_pushed(&never, b);
    run_steps(w, 30, true);
    run_steps(other, 30, true);
    const uint64_t hash = mo_world_hash(w);
    const double radius = radius_of(w, b[0]), load = state_of(w, b[1]).applied_force[0];
    const uint32_t rest = mo_world_rests(w)[mo_world_slot(w, b[2])];
    assert_close(radius, 0.1 + 0.02 * 0.03, 1e-15);
    assert_true(rest > 0);
    f.left = 0;
    assert_int_equal(mo_world_step(w, &err), MO_IO);
    assert_string_equal(err.message, "no load today");
    // the radius of mid step and what the function wrote are not those of a step that was made
    assert_true(radius_of(w, b[0]) == radius);
    assert_true(state_of(w, b[1]).applied_force[0] == load);
    assert_int_equal(mo_world_rests(w)[mo_world_slot(w, b[2])], rest);
    assert_int_equal(mo_world_hash(w), hash);
    // so that a state can be read and set, as ever
    mo_body_state s = state_of(w, b[1]);
    assert_int_equal(mo_body_set(w, b[1], &s, &err), MO_OK);
    f.left = NEVER;
    run_steps(w, 30, true);
    run_steps(other, 30, true);
    assert_int_equal(mo_world_hash(w), mo_world_hash(other));
    mo_world_destroy(w);
    mo_world_destroy(other);
}

static bool no_more(void *data)
{
    return *(bool *)data;
}

// a push that begins after 600 steps
static mo_status push_late(void *data, double t, double *load, mo_error *err)
{
    (void)data, (void)err;
    load[0] = t > 0.6 ? 700 : 0;
    load[1] = t > 0.6 ? -300 : 0;
    load[2] = t > 0.6 ? 20 : 0;
    return MO_OK;
}

// two boxes on each other, which sleep until somebody pushes
static mo_world *make_sleepers(bool *stop)
{
    mo_world_def def = tight_def(1e-3, 9.81);
    def.sleeping = true;
    def.solver.stop = no_more;
    def.solver.stop_data = stop;
    mo_world *w = make_world_def(&def);
    set_law(w, 0.5, 0, 0);
    add_floor(w, 0);
    add_box(w, 0, 0.1, 0.4, 0.2, 0, 1000);
    mo_body_def d = mo_default_body_def();
    d.shape = box_shape(0.3, 0.2);
    d.density = 1000;
    d.position[0] = 0.02, d.position[1] = 0.3;
    d.load = push_late;
    add_def(w, &d);
    run_steps(w, 600, true);
    assert_int_equal(mo_world_info_get(w).asleep, 2);
    return w;
}

/* What a stopped step found to disturb sleepers is found again when it is made: until then they sleep. */
static void stopped_steps_wake_nobody(void **state)
{
    (void)state;
    bool stop = false, never = false;
    mo_error err;
    mo_world *w = make_sleepers(&stop), *other = make_sleepers(&never);
    const uint64_t hash = mo_world_hash(w);
    stop = true;
    assert_int_equal(mo_world_step(w, &err), MO_STOPPED);
    assert_int_equal(mo_world_hash(w), hash);
    stop = false;
    run_steps(w, 50, false);
    run_steps(other, 50, false);
    assert_int_equal(mo_world_hash(w), mo_world_hash(other));
    mo_world_destroy(w);
    mo_world_destroy(other);
}

// a rod that gains energy where it strikes the floor (test_extremes.c), and a bullet shot at a thin wall
static mo_world *make_struck(void)
{
    const double ends[4] = {-1, 0, 1, 0};
    mo_world *w = make_world(1e-4, 0);
    set_law(w, 0.5, 0.9, 0);
    add_floor(w, 0);
    mo_body_def rod = mo_default_body_def();
    rod.shape = points_shape(MO_SHAPE_SEGMENT, ends, 2);
    rod.mass = 1;
    rod.inertia = 1.0 / 3;
    rod.position[0] = sqrt(0.5), rod.position[1] = sqrt(0.5) + 1e-3;
    rod.angle = atan(1);
    rod.velocity[0] = 0.5, rod.velocity[1] = -1;
    add_def(w, &rod);
    add_segment(w, -3, 1, -3, 3);
    mo_body bullet = add_disc(w, -5, 2, 0.01, 1000);
    set_velocity(w, bullet, 1000, 0, 0);
    mo_world_keep_problem(w, true);
    return w;
}

/* What is told of the last step, and of the time since the start, is not told of steps that were taken back.
 */
static void rewound_worlds_tell_nothing_of_what_came_after(void **state)
{
    (void)state;
    mo_error err;
    mo_world *w = make_struck(), *kept = make_struck(), *fresh = make_struck();
    run_steps(w, 2, false);
    mo_restart r = restart_of(w);
    assert_int_equal(mo_world_restore(kept, &r, &err), MO_OK);
    run_steps(w, 60, false);
    const uint64_t hash = mo_world_hash(w);
    const mo_world_info later = mo_world_info_get(w);
    assert_true(later.fast_bodies > 0 && later.largest_gain > 0);
    r = restart_of(kept);
    assert_int_equal(mo_world_restore(w, &r, &err), MO_OK);
    assert_int_equal(mo_world_restore(fresh, &r, &err), MO_OK);
    const mo_world_info now = mo_world_info_get(w), expected = mo_world_info_get(fresh);
    assert_true(now.largest_gain == expected.largest_gain && now.gain_time == expected.gain_time);
    assert_int_equal(now.fast_body1.id, expected.fast_body1.id);
    assert_true(now.fast_time == expected.fast_time);
    assert_int_equal(now.solver.iterations, expected.solver.iterations);
    assert_true(now.solver.certificate.residual == expected.solver.certificate.residual);
    assert_null(mo_world_problem(w, NULL, NULL));
    run_steps(w, 60, false);
    assert_int_equal(mo_world_hash(w), hash);
    assert_true(mo_world_info_get(w).largest_gain == later.largest_gain);
    mo_world_destroy(w);
    mo_world_destroy(kept);
    mo_world_destroy(fresh);
}

// y = k t: a plate that comes up or down
static mo_status close_in(void *data, double t, mo_motion *out, mo_error *err)
{
    (void)err;
    const double speed = *(const double *)data;
    *out = (mo_motion){.q = {0, speed * t, 0}, .u = {0, speed, 0}};
    return MO_OK;
}

// a disc between two plates, 0.2 m apart, that close on it
static mo_world *make_press(double radius, double *up, double *down)
{
    mo_world_def def = tight_def(1e-3, 0);
    def.solver.tol = 1e-4;
    def.overlap = MO_OVERLAP_RESOLVE;
    mo_world *w = make_world_def(&def);
    const mo_shape_def below = {.kind = MO_SHAPE_HALFPLANE, .normal = {0, 1}};
    const mo_shape_def above = {.kind = MO_SHAPE_HALFPLANE, .normal = {0, -1}, .offset = -0.2};
    add_moved(w, &below, close_in, up);
    add_moved(w, &above, close_in, down);
    add_disc(w, 0, 0.1, radius, 1000);
    return w;
}

// neither that impulses held nothing, nor that there was no room at the start
static void rewound_presses_tell_nothing_of_what_came_after(void **state)
{
    (void)state;
    mo_error err;
    double up = 0.2, down = -0.2;
    for (int overlap = 0; overlap <= 1; overlap++) {
        const double radius = overlap ? 0.11 : 0.1;
        mo_world *w = make_press(radius, &up, &down), *kept = make_press(radius, &up, &down);
        run_steps(w, 20, false);
        const mo_world_info later = mo_world_info_get(w);
        if (overlap)
            assert_true(later.overlap_left > 0);
        else
            assert_true(later.unheld_steps > 0 && later.unheld_time > 0);
        const mo_restart r = restart_of(kept);
        assert_int_equal(mo_world_restore(w, &r, &err), MO_OK);
        const mo_world_info now = mo_world_info_get(w);
        assert_int_equal(now.unheld_steps, 0);
        assert_true(now.unheld_time == 0 && now.overlap_left == 0);
        run_steps(w, 20, false);
        assert_int_equal(mo_world_info_get(w).unheld_steps, later.unheld_steps);
        mo_world_destroy(w);
        mo_world_destroy(kept);
    }
}

// a disc that a motor turns about a point of the world beside it
static mo_world *make_driven(mo_joint *joint)
{
    mo_error err;
    mo_world *w = make_world(1e-3, 9.81);
    mo_joint_def def = mo_default_joint_def();
    def.kind = MO_JOINT_HINGE;
    def.body1 = add_disc(w, 0.3, 0, 0.1, 1000);
    def.driven = true;
    def.speed = 2;
    def.max_load = HUGE_VAL;
    assert_int_equal(mo_joint_create(w, &def, joint, &err), MO_OK);
    return w;
}

static void rewound_joints_bear_nothing_yet(void **state)
{
    (void)state;
    mo_error err;
    mo_joint joint;
    mo_joint_state s;
    mo_world *w = make_driven(&joint), *kept = make_driven(&joint);
    run_steps(w, 10, true);
    assert_int_equal(mo_joint_get(w, joint, &s, &err), MO_OK);
    assert_true(s.force[1] > 0 && s.torque[0] != 0 && s.motor != 0);
    const mo_restart r = restart_of(kept);
    assert_int_equal(mo_world_restore(w, &r, &err), MO_OK);
    assert_int_equal(mo_joint_get(w, joint, &s, &err), MO_OK);
    assert_true(s.force[0] == 0 && s.force[1] == 0 && s.torque[0] == 0 && s.motor == 0);
    mo_world_destroy(w);
    mo_world_destroy(kept);
}

// a load that is a function no more does not keep a body from being copied
static void loads_that_were_functions_can_be_copied(void **state)
{
    (void)state;
    mo_error err;
    functions f = {NEVER};
    mo_body b[3], copy;
    mo_world *w = make_pushed(&f, b), *other = make_world(1e-3, 9.81);
    run_steps(w, 3, true);
    assert_int_equal(mo_body_copy(other, w, b[1], &copy, &err), MO_BAD_INPUT);
    assert_int_equal(mo_body_set_load_function(w, b[1], NULL, NULL, &err), MO_OK);
    assert_int_equal(mo_body_copy(other, w, b[1], &copy, &err), MO_OK);
    assert_true(state_of(other, copy).applied_force[0] == state_of(w, b[1]).applied_force[0]);
    // the functions of others are still theirs
    assert_int_equal(mo_body_copy(other, w, b[0], &copy, &err), MO_BAD_INPUT);
    run_steps(w, 3, true);
    assert_close(radius_of(w, b[0]), 0.1 + 0.02 * 0.006, 1e-15);
    mo_world_destroy(w);
    mo_world_destroy(other);
}

// what makes no world leaves the world as it was
static void refused_states_change_nothing(void **state)
{
    (void)state;
    mo_error err;
    mo_world_def def = tight_def(1e-3, 0);
    def.periodic[0] = def.periodic[1] = true;
    def.cell_max[0] = def.cell_max[1] = 2;
    mo_world *w = make_world_def(&def), *other = make_world_def(&def);
    for (int i = 0; i < 3; i++)
        add_disc(w, 0.5 * i + 0.3, 1, 0.1, 100);
    for (int i = 0; i < 3; i++)
        add_disc(other, 0.5 * i + 0.3, 1, 0.1, 100);
    assert_int_equal(mo_body_remove(other, (mo_body){2}, &err), MO_OK);
    const uint64_t hash = mo_world_hash(w);
    mo_restart r = restart_of(other);
    const double flat[9] = {1, 1, 0, 1, 1, 0, 0, 0, 1}, still[9] = {0};
    r.edges = flat;
    r.rate = still;
    assert_int_equal(mo_world_restore(w, &r, &err), MO_BAD_INPUT);
    assert_string_equal(err.key, "edges");
    assert_int_equal(mo_world_bodies(w).count, 3);
    assert_int_equal(mo_world_hash(w), hash);
    // a body without a name that is taken, and one of a new group that is refused
    mo_body_raw raw;
    mo_body_raw_get(w, 0, &raw);
    raw.name = NULL;
    raw.group = "late";
    assert_int_equal(mo_body_restore(w, &raw, &err), MO_BAD_INPUT);
    assert_string_equal(err.key, "id");
    assert_int_equal(mo_world_group_count(w), 1);
    mo_body_raw_get(other, 0, &raw);
    raw.name = NULL;
    raw.id = 9;
    assert_int_equal(mo_body_restore(w, &raw, &err), MO_OK);
    assert_string_equal(mo_world_body_name(w, 3), "");
    mo_world_destroy(w);
    mo_world_destroy(other);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failed_steps_leave_bodies_as_they_were),
        cmocka_unit_test(stopped_steps_wake_nobody),
        cmocka_unit_test(rewound_worlds_tell_nothing_of_what_came_after),
        cmocka_unit_test(rewound_presses_tell_nothing_of_what_came_after),
        cmocka_unit_test(rewound_joints_bear_nothing_yet),
        cmocka_unit_test(loads_that_were_functions_can_be_copied),
        cmocka_unit_test(refused_states_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
