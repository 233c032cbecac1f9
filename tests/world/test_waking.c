/*
 * Sleepers wake for everything that could move them, in time.
 */
#include "sleepers.h"

static void a_newcomer_wakes_its_island_alone(void **state)
{
    (void)state;
    mo_world *w = make_sleeping(true);
    add_floor(w, 0);
    mo_body hit = add_heap(w, 0), left = add_heap(w, 1);
    run_until_asleep(w, 12);
    double q[18];
    const size_t slot = mo_world_slot(w, left), here = mo_world_slot(w, hit);
    memcpy(q, mo_world_bodies(w).q + 3 * slot, sizeof q);
    mo_body drop = add_disc(w, 0.02, 0.1, 0.01, 1000);
    size_t least = 12;
    bool moved = false;
    for (int i = 0; i < 400; i++) {
        run_steps(w, 1, true);
        least = asleep(w) < least ? asleep(w) : least;
        moved = moved || mo_world_bodies(w).u[3 * here + 1] != 0;
        assert_memory_equal(q, mo_world_bodies(w).q + 3 * slot, sizeof q);
    }
    assert_int_equal(least, 6);
    assert_true(moved);
    assert_true(state_of(w, drop).position[1] < 0.09);
    mo_world_destroy(w);
}

// A hits B, which sleeps on a smooth floor: equal masses and restitution 1 exchange their velocities
static void a_sleeper_takes_the_whole_impulse(void **state)
{
    (void)state;
    mo_world *w = make_sleeping(true);
    set_law(w, 0, 1, 0);
    add_floor(w, 0);
    mo_body b = add_disc(w, 0, 0.01, 0.01, 1000);
    run_until_asleep(w, 1);
    mo_body a = add_disc(w, -0.05, 0.01, 0.01, 1000);
    set_velocity(w, a, 0.5, 0, 0);
    const double before = state_of(w, b).position[0];
    for (int i = 0; i < 40; i++) {
        run_steps(w, 1, true);
        const double va = state_of(w, a).velocity[0], vb = state_of(w, b).velocity[0];
        assert_close(va + vb, 0.5, 1e-12);
        assert_true(vb == 0 || fabs(vb - 0.5) < 1e-12);
    }
    assert_true(state_of(w, b).position[0] > before + 0.01);
    assert_int_equal(asleep(w), 0);
    mo_world_destroy(w);
}

// three boxes on a bench, which goes: they fall freely
static void a_support_that_is_removed_wakes(void **state)
{
    (void)state;
    mo_world *w = make_sleeping(true);
    mo_body bench = add_segment(w, -1, 0, 1, 0), box[3];
    for (int i = 0; i < 3; i++)
        box[i] = add_box(w, 0, 0.05 + 0.1 * i, 0.2, 0.1, 0, 1000);
    run_until_asleep(w, 3);
    const double y = state_of(w, box[2]).position[1];
    mo_error err;
    assert_int_equal(mo_body_remove(w, bench, &err), MO_OK);
    run_steps(w, 40, true);
    assert_int_equal(asleep(w), 0);
    // midpoint: g t²/2 is exact, and touching boxes fall side by side
    for (int i = 0; i < 3; i++)
        assert_close(state_of(w, box[i]).velocity[1], -G * 40 * H, 1e-9);
    assert_close(state_of(w, box[2]).position[1], y - 0.5 * G * (40 * H) * (40 * H), 1e-9);
    mo_world_destroy(w);
    // one that only stands beside another
    w = make_sleeping(true);
    add_floor(w, 0);
    for (int i = 0; i < 3; i++)
        box[i] = add_box(w, 0.2 * i, 0.05, 0.2, 0.1, 0, 1000);
    run_until_asleep(w, 3);
    assert_int_equal(mo_body_remove(w, box[2], &err), MO_OK);
    run_steps(w, 1, true);
    assert_int_equal(asleep(w), 0);
    mo_world_destroy(w);
}

typedef struct lift {
    double from, vx, vy; /* s, m/s */
} lift;

static mo_status lift_motion(void *data, double t, mo_motion *out, mo_error *err)
{
    const lift *l = data;
    (void)err;
    *out = (mo_motion){0};
    if (t > l->from) {
        out->q[0] = l->vx * (t - l->from);
        out->q[1] = l->vy * (t - l->from);
        out->u[0] = l->vx;
        out->u[1] = l->vy;
    }
    return MO_OK;
}

// on a lift that starts at t = 2 s; it moves more slowly than a body that counts as resting
static void what_a_moving_wall_touches_wakes(void **state)
{
    (void)state;
    const double velocity[4][2] = {{0, 1e-5}, {1e-5, 0}, {0, -1e-5}, {0.1, 0.2}};
    for (int k = 0; k < 4; k++) {
        mo_world *w = make_sleeping(true);
        lift l = {2, velocity[k][0], velocity[k][1]};
        const double points[4] = {-1, 0, 1, 0};
        mo_shape_def shape = points_shape(MO_SHAPE_SEGMENT, points, 2);
        add_moved(w, &shape, lift_motion, &l);
        mo_body low = add_box(w, 0, 0.05, 0.2, 0.1, 0, 1000), high = add_box(w, 0, 0.15, 0.2, 0.1, 0, 1000);
        run_steps(w, 400, true);
        assert_int_equal(asleep(w), 2);
        mo_body_state at[2] = {state_of(w, low), state_of(w, high)};
        run_steps(w, 200, true);
        assert_int_equal(asleep(w), 0);
        for (int i = 0; i < 2; i++) {
            mo_body_state now = state_of(w, i == 0 ? low : high);
            for (int a = 0; a < 2; a++) {
                assert_close(now.velocity[a], velocity[k][a], 1e-9);
                // the step in which it starts moves bodies by the half of it; from under them it goes first
                const double far = velocity[k][1] < 0 ? G * H * H : 1e-9;
                assert_close(now.position[a] - at[i].position[a], velocity[k][a] * (1 - 0.5 * H), far);
            }
        }
        mo_world_destroy(w);
    }
}

typedef struct pusher {
    double from, to, speed, stop; /* m, m, m/s, s; speed 0: jumps at the time `stop` */
} pusher;

static mo_status push_motion(void *data, double t, mo_motion *out, mo_error *err)
{
    const pusher *p = data;
    (void)err;
    const bool before = t < p->stop;
    *out = (mo_motion){.q = {p->from + p->speed * t}, .u = {p->speed}};
    if (p->speed == 0 || !before)
        *out = (mo_motion){.q = {before ? p->from : p->to}};
    return MO_OK;
}

// a wall comes to a box that sleeps: slowly, and then it pushes; or at once between two looks, and stays
static void a_wall_that_comes_wakes(void **state)
{
    (void)state;
    const double points[4] = {0, 0, 0, 1};
    mo_shape_def shape = points_shape(MO_SHAPE_SEGMENT, points, 2);
    pusher slow = {-0.1 - 2.5e-5, 0, 1e-5, 100}, jump = {-1, -0.0999, 0, 3 - 0.25 * H};
    mo_world *w = make_sleeping(true);
    set_law(w, 0, 0, 0);
    add_floor(w, 0);
    mo_body box = add_box(w, 0, 0.05, 0.2, 0.1, 0, 1000);
    add_moved(w, &shape, push_motion, &slow);
    run_steps(w, 400, true);
    assert_int_equal(asleep(w), 1);
    const size_t alone = mo_world_info_get(w).contacts;
    // at t = 3 s the wall is at 5 um past the box's first place; it pushes in the step in which it touches
    for (int i = 0; i < 200; i++) {
        run_steps(w, 1, true);
        const bool touched = mo_world_info_get(w).contacts > alone;
        assert_close(state_of(w, box).velocity[0], touched ? 1e-5 : 0, 1e-12);
        assert_int_equal(asleep(w), touched ? 0 : 1);
    }
    assert_close(state_of(w, box).position[0], 5e-6, 1e-7);
    mo_world_destroy(w);
    w = make_sleeping(true);
    add_floor(w, 0);
    add_box(w, 0, 0.05, 0.2, 0.1, 0, 1000);
    add_moved(w, &shape, push_motion, &jump);
    run_steps(w, 600, true);
    assert_int_equal(asleep(w), 1);
    const size_t before = mo_world_info_get(w).contacts;
    run_steps(w, 1, true);
    assert_int_equal(mo_world_info_get(w).contacts, before + 2);
    mo_world_destroy(w);
}

// a ball jumps on a stack that does not move: the impulses of the blow do not stay
static void a_blow_leaves_no_forces_behind(void **state)
{
    (void)state;
    mo_world *w = make_sleeping(true);
    mo_error err;
    const mo_law bounce = {.restitution = 1};
    assert_int_equal(mo_world_set_law(w, "ball", "default", &bounce, &err), MO_OK);
    mo_body floor = add_floor(w, 0);
    for (int i = 0; i < 3; i++)
        add_box(w, 0, 0.05 + 0.1 * i, 0.2, 0.1, 0, 1000);
    mo_body_def def = mo_default_body_def();
    def.shape = disc_shape(0.02);
    def.density = 1000;
    def.group = "ball";
    run_until_asleep(w, 3);
    def.position[1] = 1;
    mo_body ball = add_def(w, &def);
    const double weight = 60 * G;
    int blows = 0;
    for (int i = 0; i < 400; i++) {
        run_steps(w, 1, true);
        const double force = -state_of(w, floor).force[1];
        blows += force > 1.1 * weight;
        if (force <= 1.1 * weight)
            assert_close(force, weight, 1e-6 * weight);
    }
    assert_true(blows >= 2);
    assert_true(state_of(w, ball).position[1] > 0.3);
    mo_world_destroy(w);
}

static mo_status push_later(void *data, double t, double *load, mo_error *err)
{
    (void)err;
    load[0] = t > 2 ? *(const double *)data : 0;
    load[1] = load[2] = 0;
    return MO_OK;
}

// a block pushed along the floor by more than friction bears: a = F/m - mu g
static void loads_and_laws_that_change_wake(void **state)
{
    (void)state;
    mo_world *w = make_sleeping(true);
    add_floor(w, 0);
    double force = 0.6 * 20 * G;
    mo_body_def def = mo_default_body_def();
    def.shape = box_shape(0.2, 0.1);
    def.density = 1000;
    def.position[1] = 0.05;
    def.load = push_later;
    def.load_data = &force;
    mo_body pushed = add_def(w, &def), set = add_box(w, 2, 0.05, 0.2, 0.1, 0, 1000),
            left = add_box(w, 4, 0.05, 0.2, 0.1, 0, 1000);
    run_steps(w, 400, true);
    assert_int_equal(asleep(w), 3);
    run_steps(w, 1, true);
    assert_int_equal(asleep(w), 2);
    run_steps(w, 99, true);
    assert_close(state_of(w, pushed).velocity[0], 0.1 * G * 100 * H, 1e-6);
    assert_int_equal(asleep(w), 2);
    // what is set to what it is does not wake
    mo_error err;
    mo_body_state s = state_of(w, set);
    assert_int_equal(mo_body_set(w, set, &s, &err), MO_OK);
    run_steps(w, 1, true);
    assert_int_equal(asleep(w), 2);
    s.applied_force[0] = 1e-6;
    assert_int_equal(mo_body_set(w, set, &s, &err), MO_OK);
    run_steps(w, 1, true);
    assert_int_equal(asleep(w), 1);
    s.applied_force[0] = force;
    assert_int_equal(mo_body_set(w, set, &s, &err), MO_OK);
    run_steps(w, 10, true);
    assert_close(state_of(w, set).velocity[0], 0.1 * G * 10 * H, 1e-6);
    // without friction a sleeper on the floor stays, but is asked again
    set_law(w, 0, 0, 0);
    run_steps(w, 1, true);
    assert_int_equal(asleep(w), 0);
    assert_close(state_of(w, left).velocity[0], 0, 1e-12);
    mo_world_destroy(w);
}

// a block on a slope that friction held slides with g sin(a) when friction is taken away
static void a_slope_that_loses_its_friction_slides(void **state)
{
    (void)state;
    const double angle = 0.3, c = cos(angle), s = sin(angle);
    mo_world *w = make_sleeping(true);
    add_halfplane(w, s, c, 0);
    mo_body b = add_box(w, 0.05 * s, 0.05 * c, 0.2, 0.1, -angle, 1000);
    run_until_asleep(w, 1);
    set_law(w, 0, 0, 0);
    run_steps(w, 20, true);
    mo_body_state now = state_of(w, b);
    assert_close(hypot(now.velocity[0], now.velocity[1]), G * s * 20 * H, 1e-6);
    mo_world_destroy(w);
}

// those who slept in each other without projection wake in a world that has it
static void overlaps_are_projected_first(void **state)
{
    (void)state;
    mo_world_def def = tight_def(H, G);
    mo_world *w[2];
    def.sleeping = true;
    for (int k = 0; k < 2; k++) {
        def.position_projection = k == 1;
        w[k] = make_world_def(&def);
        set_law(w[k], 0.5, 0, 0);
        add_floor(w[k], 0);
        for (int i = 0; i < 3; i++)
            add_box(w[k], 0, 0.045 + 0.09 * i, 0.2, 0.1, 0, 1000);
    }
    run_until_asleep(w[0], 3);
    assert_true(mo_world_info_get(w[0]).penetration > 0.005);
    hand_over(w[0], w[1], true);
    run_steps(w[1], 1, true);
    assert_int_equal(asleep(w[1]), 0);
    run_until_asleep(w[1], 3);
    assert_true(mo_world_info_get(w[1]).penetration <= 2e-4 * 0.1);
    mo_world_destroy(w[0]);
    mo_world_destroy(w[1]);
}

// sleepers whose impulses do not hold them, here by a false state, wake and are answered
static void what_is_not_balanced_wakes(void **state)
{
    (void)state;
    mo_world *w = make_half_asleep(1), *again = make_half_asleep(1);
    run_steps(w, 150, true);
    assert_int_equal(asleep(w), 12);
    double *impulse = (double *)(uintptr_t)mo_world_contacts(w).impulse;
    impulse[0] *= 1.1;
    hand_over(w, again, true);
    run_steps(again, 1, true);
    assert_int_equal(asleep(again), 6);
    run_steps(again, 5, true);
    assert_int_equal(asleep(again), 6);
    mo_world_destroy(w);
    mo_world_destroy(again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_newcomer_wakes_its_island_alone),
        cmocka_unit_test(a_sleeper_takes_the_whole_impulse),
        cmocka_unit_test(a_support_that_is_removed_wakes),
        cmocka_unit_test(what_a_moving_wall_touches_wakes),
        cmocka_unit_test(a_wall_that_comes_wakes),
        cmocka_unit_test(a_blow_leaves_no_forces_behind),
        cmocka_unit_test(loads_and_laws_that_change_wake),
        cmocka_unit_test(a_slope_that_loses_its_friction_slides),
        cmocka_unit_test(overlaps_are_projected_first),
        cmocka_unit_test(what_is_not_balanced_wakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
