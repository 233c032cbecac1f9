/*
 * Sleeping: islands that rest leave the step problem and tell the same forces; who sleeps, who does not, and
 * the same bits whatever way they are come by.
 */
#include "sleepers.h"

static void a_settled_heap_costs_nothing_and_keeps_its_forces(void **state)
{
    (void)state;
    mo_world *w = make_sleeping(true);
    mo_body floor = add_floor(w, 0);
    add_heap(w, 0);
    run_until_asleep(w, 6);
    mo_world_info before = mo_world_info_get(w);
    assert_true(before.contacts >= 9);
    run_steps(w, 50, true);
    mo_world_info after = mo_world_info_get(w);
    assert_int_equal(after.contact_iterations_total, before.contact_iterations_total);
    assert_int_equal(after.contacts, before.contacts);
    // floor and walls bear the weight, by forces of bodies and by those of contacts
    mo_contacts c = mo_world_contacts(w);
    mo_bodies b = mo_world_bodies(w);
    double borne = 0, pushed = 0, on_floor = 0;
    for (size_t i = 0; i < b.count; i++)
        borne -= b.kind[i] == MO_BODY_FIXED ? mo_world_forces(w)[3 * i + 1] : 0;
    for (size_t i = 0; i < c.count; i++) {
        const double *n = &c.normal[2 * i], *S = &c.impulse[2 * i], up = (n[1] * S[0] + n[0] * S[1]) / H;
        assert_true(c.velocity[2 * i] == 0 && c.velocity[2 * i + 1] == 0);
        pushed += b.kind[c.slot1[i]] == MO_BODY_FIXED ? -up : b.kind[c.slot2[i]] == MO_BODY_FIXED ? up : 0;
        on_floor += c.id1[i] == floor.id ? -up : 0;
    }
    assert_close(borne, mass_of_discs(6) * G, 1e-9 * mass_of_discs(6) * G);
    assert_close(pushed, borne, 1e-12 * borne);
    assert_close(on_floor, -state_of(w, floor).force[1], 1e-12 * borne);
    assert_true(after.energy.kinetic == 0);
    assert_close(after.energy.balance_error, 0, 1e-12);
    assert_true(after.solver.certificate.balance < 1e-9);
    mo_world_destroy(w);
}

// what moves more slowly than rest is stopped: its energy counts as lost
static void what_falls_asleep_loses_its_energy(void **state)
{
    (void)state;
    mo_world *w = make_sleeping(true);
    set_law(w, 0, 0, 0);
    add_floor(w, 0);
    mo_body b = add_disc(w, 0, 0.1, 0.1, 1000);
    const double v = 0.9 * REST, m = 1000 * 3.14159265358979323846 * 0.01, K = 0.5 * m * v * v;
    set_velocity(w, b, v, 0, 0);
    run_steps(w, STEPS, true);
    assert_int_equal(asleep(w), 0);
    run_until_asleep(w, 1);
    mo_energy e = mo_world_info_get(w).energy;
    assert_true(e.kinetic == 0);
    assert_close(e.dissipated_impact, K, 1e-6 * K);
    assert_close(e.balance_error, 0, 1e-6 * K);
    mo_world_destroy(w);
}

// friction tan(a) on a slope of angle a: the block keeps its velocity, twice what counts as rest
static void a_slow_slide_does_not_sleep(void **state)
{
    (void)state;
    const double angle = 0.3, v = 2 * REST, c = cos(angle), s = sin(angle);
    mo_world *w = make_sleeping(true);
    set_law(w, tan(angle), 0, 0);
    add_halfplane(w, s, c, 0);
    mo_body b = add_box(w, 0.05 * s, 0.05 * c, 0.2, 0.1, -angle, 1000);
    run_steps(w, 2, true);
    set_velocity(w, b, v * c, -v * s, 0);
    const double x = state_of(w, b).position[0];
    for (int i = 0; i < 1000; i++) {
        run_steps(w, 1, true);
        assert_int_equal(asleep(w), 0);
    }
    assert_close(state_of(w, b).position[0] - x, v * c * 1000 * H, 1e-3 * v * c * 1000 * H);
    mo_world_destroy(w);
}

// thrown upwards; on a string with a slow swing; held by a joint on the floor; alone without gravity
static void nothing_sleeps_without_support_or_with_joints(void **state)
{
    (void)state;
    mo_world_def def = tight_def(H, G);
    def.sleeping = true;
    mo_world *w = make_world_def(&def);
    set_law(w, 0.5, 0, 0);
    add_floor(w, 0);
    mo_body ball = add_disc(w, 0, 1, 0.1, 1000), bob = add_disc(w, 3, 1, 0.1, 1000),
            box = add_box(w, 6, 0.1, 0.2, 0.2, 0, 1000);
    set_velocity(w, ball, 0, 4, 0);
    mo_joint_def string = mo_default_joint_def(), post = string;
    mo_joint joint;
    mo_error err;
    string.kind = post.kind = MO_JOINT_DISTANCE;
    string.body1 = bob;
    string.at[0] = string.at2[0] = 3;
    string.at[1] = 1;
    string.at2[1] = 21;
    post.body1 = box;
    post.at[0] = post.at2[0] = 6;
    post.at[1] = 0.1;
    post.at2[1] = 0.5;
    assert_int_equal(mo_joint_create(w, &string, &joint, &err), MO_OK);
    assert_int_equal(mo_joint_create(w, &post, &joint, &err), MO_OK);
    // below REST for all of its swing
    set_velocity(w, bob, 0.5 * REST, 0, 0);
    double top = 0;
    for (int i = 0; i < 150; i++) {
        run_steps(w, 1, true);
        top = fmax(top, state_of(w, ball).position[1]);
        assert_int_equal(asleep(w), 0);
    }
    // v²/2g above where it was thrown, up to half a step's rise
    assert_close(top, 1 + 16 / (2 * G), 0.5 * G * H * H);
    // a spring that does not pull
    mo_body other = add_box(w, 9, 0.1, 0.2, 0.2, 0, 1000);
    post.kind = MO_JOINT_SPRING;
    post.stiffness = 1;
    post.body1 = other;
    post.at[0] = post.at2[0] = 9;
    assert_int_equal(mo_joint_create(w, &post, &joint, &err), MO_OK);
    run_until_asleep(w, 1); // the ball, once it lies on the floor
    run_steps(w, 2 * STEPS, true);
    assert_int_equal(asleep(w), 1);
    assert_true(state_of(w, ball).velocity[1] == 0);
    assert_true(state_of(w, bob).velocity[0] != 0);
    mo_world_destroy(w);
    def.gravity[1] = 0;
    w = make_world_def(&def);
    add_disc(w, 0, 0, 1, 1);
    run_steps(w, 2 * STEPS, true);
    assert_int_equal(asleep(w), 0);
    mo_world_destroy(w);
}

// laws that act by more than impulses at points, schemes without rest: accepted, and nothing sleeps
static void what_cannot_sleep_goes_on_as_without(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        uint64_t hash[2];
        for (int sleeping = 0; sleeping < 2; sleeping++) {
            mo_world_def def = tight_def(H, G);
            def.sleeping = sleeping == 1;
            def.scheme = k == 1 ? MO_SCHEME_BERNICOT_LEFEBVRE : MO_SCHEME_MOREAU;
            mo_world *w = make_world_def(&def);
            mo_error err;
            const mo_law law = {.friction = 0.5, .rolling = k == 2 ? 1e-3 : 0, .gluey = k == 0};
            assert_int_equal(mo_world_set_default_law(w, &law, &err), MO_OK);
            add_floor(w, 0);
            add_disc(w, 0, 0.01, 0.01, 1000);
            run_steps(w, 3 * STEPS, true);
            assert_int_equal(asleep(w), 0);
            mo_bodies b = mo_world_bodies(w);
            hash[sleeping] = 0;
            for (size_t i = 0; i < 3 * b.count; i++) {
                uint64_t bits[2];
                memcpy(&bits[0], &b.q[i], sizeof bits[0]);
                memcpy(&bits[1], &b.u[i], sizeof bits[1]);
                hash[sleeping] = 31 * hash[sleeping] + bits[0] + 7 * bits[1];
            }
            mo_world_destroy(w);
        }
        assert_int_equal(hash[0], hash[1]);
    }
}

// boxes that start deep in each other sleep once projection is done with them, and stay where they are
static void projection_comes_before_sleep(void **state)
{
    (void)state;
    mo_world_def def = tight_def(H, G);
    def.sleeping = def.position_projection = true;
    mo_world *w = make_world_def(&def);
    set_law(w, 0.5, 0, 0);
    add_floor(w, 0);
    for (int i = 0; i < 3; i++)
        add_box(w, 0, 0.045 + 0.09 * i, 0.2, 0.1, 0, 1000);
    run_until_asleep(w, 3);
    mo_world_info info = mo_world_info_get(w);
    assert_true(info.start_overlap > 0.0099);
    assert_true(info.penetration <= 2e-4 * 0.1);
    assert_close(info.energy.balance_error, 0, 1e-10);
    double q[12];
    memcpy(q, mo_world_bodies(w).q, sizeof q);
    // another that is pushed out of the ground far from them
    add_box(w, 1, 0.04, 0.2, 0.1, 0, 1000);
    for (int i = 0; i < 30; i++) {
        run_steps(w, 1, true);
        assert_int_equal(asleep(w), 3);
        assert_memory_equal(q, mo_world_bodies(w).q, sizeof q);
    }
    assert_true(mo_world_bodies(w).q[13] > 0.045);
    // and one that a wall pushes toward them, from a place where it is near
    mo_shape_def wall = box_shape(0.2, 0.1);
    add_box(w, 0.20005, 0.05, 0.2, 0.1, 0, 1000);
    add_shape(w, &wall, 0.20005 + 0.199, 0.05, 0, 0);
    run_steps(w, 1, true);
    assert_int_equal(asleep(w), 3);
    assert_memory_equal(q, mo_world_bodies(w).q, sizeof q);
    mo_world_destroy(w);
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    mo_world *one = make_half_asleep(1), *three = make_half_asleep(3);
    unsigned seen = 0;
    for (int i = 0; i < 40; i++) {
        run_steps(one, 10, true);
        run_steps(three, 10, true);
        assert_int_equal(mo_world_hash(one), mo_world_hash(three));
        seen |= 1u << asleep(one);
        assert_int_equal(asleep(one), asleep(three));
    }
    // none yet, both heaps, one of them, all with the newcomer
    assert_true(seen & 1u && seen & 1u << 12 && seen & 1u << 6 && seen & 1u << 13);
    mo_world_destroy(one);
    mo_world_destroy(three);
}

// while counting, while asleep, and between the hit and falling asleep again
static void a_restart_keeps_the_bits(void **state)
{
    (void)state;
    const int stops[3] = {60, 150, 250};
    for (int k = 0; k < 3; k++) {
        mo_world *w = make_half_asleep(1), *again = make_half_asleep(1);
        run_steps(w, stops[k], true);
        hand_over(w, again, true);
        assert_int_equal(mo_world_hash(w), mo_world_hash(again));
        for (int i = 0; i < 30; i++) {
            run_steps(w, 10, true);
            run_steps(again, 10, true);
            assert_int_equal(mo_world_hash(w), mo_world_hash(again));
            assert_int_equal(asleep(w), asleep(again));
        }
        mo_energy e1 = mo_world_info_get(w).energy, e2 = mo_world_info_get(again).energy;
        assert_memory_equal(&e1, &e2, sizeof e1);
        mo_world_destroy(w);
        mo_world_destroy(again);
    }
}

// a world that is made anew at every step from what a file keeps
static void restarts_at_every_step_keep_the_bits(void **state)
{
    (void)state;
    mo_world *w = make_half_asleep(1), *last = make_half_asleep(1);
    for (int i = 0; i < 330; i++) {
        mo_world *next = make_half_asleep(1);
        run_steps(w, 1, true);
        run_steps(last, 1, true);
        assert_int_equal(mo_world_hash(w), mo_world_hash(last));
        hand_over(last, next, true);
        mo_world_destroy(last);
        last = next;
    }
    assert_int_equal(asleep(w), 13);
    mo_world_destroy(last);
    mo_world_destroy(w);
}

static void same_places(const mo_world *a, const mo_world *b, size_t dim)
{
    const mo_contacts x = mo_world_contacts(a), y = mo_world_contacts(b);
    assert_int_equal(x.count, y.count);
    assert_memory_equal(x.id1, y.id1, x.count * sizeof *x.id1);
    assert_memory_equal(x.id2, y.id2, x.count * sizeof *x.id2);
    assert_memory_equal(x.feature, y.feature, x.count * sizeof *x.feature);
    assert_memory_equal(x.point, y.point, dim * x.count * sizeof *x.point);
    assert_memory_equal(x.normal, y.normal, dim * x.count * sizeof *x.normal);
    assert_memory_equal(x.gap, y.gap, x.count * sizeof *x.gap);
}

// contacts of sleepers are not looked for: those that are would be the same, also between others
static void contacts_stay_what_detection_finds(void **state)
{
    (void)state;
    mo_world *w = make_half_asleep(1);
    for (int i = 0; i < 350; i++) {
        run_steps(w, 1, true);
        if (i % 10 != 0)
            continue;
        mo_world *looks = make_half_asleep(1);
        hand_over(w, looks, false);
        mo_world *goes = make_half_asleep(1);
        hand_over(w, goes, true);
        run_steps(looks, 1, true);
        run_steps(goes, 1, true);
        assert_int_equal(asleep(looks), 0);
        same_places(looks, goes, 2);
        mo_world_destroy(looks);
        mo_world_destroy(goes);
    }
    assert_int_equal(asleep(w), 13);
    // what comes to a sleeper is found at once, also when it does not move
    const size_t before = mo_world_info_get(w).contacts;
    add_shape(w, &(mo_shape_def){.kind = MO_SHAPE_DISC, .radius = 0.01}, 1.02, 0.01 + 0.02 * sqrt(3) + 0.02,
              0, 0);
    run_steps(w, 1, true);
    assert_int_equal(mo_world_info_get(w).contacts, before + 1);
    mo_world_destroy(w);
}

// until the first sleeps, nothing is other than without
static void what_does_not_rest_is_as_without(void **state)
{
    (void)state;
    mo_world *with = make_sleeping(true), *without = make_sleeping(false);
    for (int k = 0; k < 2; k++) {
        add_floor(k == 0 ? with : without, 0);
        add_heap(k == 0 ? with : without, 0);
    }
    run_steps(with, STEPS - 1, true);
    run_steps(without, STEPS - 1, true);
    mo_bodies a = mo_world_bodies(with), b = mo_world_bodies(without);
    assert_memory_equal(a.q, b.q, 3 * a.count * sizeof *a.q);
    assert_memory_equal(a.u, b.u, 3 * a.count * sizeof *a.u);
    assert_null(mo_world_rests(without));
    mo_world_destroy(with);
    mo_world_destroy(without);
}

// the problem that a step hands out is that of what is awake
static void a_kept_problem_is_of_the_awake(void **state)
{
    (void)state;
    mo_world *w = make_sleeping(true);
    add_floor(w, 0);
    add_heap(w, 0);
    run_until_asleep(w, 6);
    mo_body b = add_disc(w, 1, 0.01, 0.01, 1000);
    mo_world_keep_problem(w, true);
    run_steps(w, 1, true);
    const double *r;
    const mo_problem *p = mo_world_problem(w, &r, NULL);
    assert_int_equal(asleep(w), 6);
    assert_non_null(p);
    assert_int_equal(p->contacts, 1);
    assert_close(r[0], mass_of_discs(1) * G * H, 1e-12);
    assert_close(state_of(w, b).force[1], mass_of_discs(1) * G, 1e-9);
    run_until_asleep(w, 7);
    p = mo_world_problem(w, NULL, NULL);
    assert_true(p == NULL || p->contacts == 0);
    mo_world_destroy(w);
}

static mo_body add_cube(mo_world *w, double x, double z)
{
    mo_body_def def = mo_default_body_def();
    def.shape = (mo_shape_def){.kind = MO_SHAPE_BOX, .size = {0.1, 0.1, 0.1}};
    def.density = 1000;
    def.position[0] = x;
    def.position[2] = z;
    // about the vertical, by angles whose quaternions are not of length 1 to the last bit
    def.orientation[0] = cos(0.35 + x);
    def.orientation[3] = sin(0.35 + x);
    return add_def(w, &def);
}

// cubes in 3D keep position and orientation to the last bit, and follow a blow
static void cubes_sleep_and_wake(void **state)
{
    (void)state;
    mo_world_def def = tight_def(H, 0);
    def.dim = 3;
    def.gravity[2] = -G;
    def.sleeping = true;
    mo_world *w = make_world_def(&def);
    set_law(w, 0.5, 0, 0);
    mo_body_def ground = mo_default_body_def();
    ground.kind = MO_BODY_FIXED;
    ground.shape = (mo_shape_def){.kind = MO_SHAPE_PLANE, .normal = {0, 0, 1}};
    enum { CUBES = 24 };
    mo_body floor = add_def(w, &ground), cube[CUBES];
    for (int i = 0; i < CUBES; i++)
        cube[i] = add_cube(w, i / 2, i % 2 == 0 ? 0.05 : 0.15);
    run_until_asleep(w, CUBES);
    double q[7 * (CUBES + 1)];
    memcpy(q, mo_world_bodies(w).q, sizeof q);
    run_steps(w, 200, true);
    assert_memory_equal(q, mo_world_bodies(w).q, sizeof q);
    assert_close(state_of(w, floor).force[2], -CUBES * G, 1e-6);
    assert_close(state_of(w, cube[0]).force[2], G, 1e-6);
    // 0.1 m/s along x on the upper cube: friction mu m g stops it after v²/(2 mu g)
    mo_body_state s = state_of(w, cube[1]);
    s.velocity[0] = 0.1;
    mo_error err;
    assert_int_equal(mo_body_set(w, cube[1], &s, &err), MO_OK);
    run_steps(w, 1, true);
    assert_int_equal(asleep(w), CUBES - 2);
    assert_memory_equal(q + 21, mo_world_bodies(w).q + 21, sizeof q - 21 * sizeof *q);
    run_until_asleep(w, CUBES);
    assert_close(state_of(w, cube[1]).position[0] - s.position[0], 0.01 / G, 0.1 * H);
    assert_close(mo_world_info_get(w).energy.balance_error, 0, 1e-12);
    mo_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_settled_heap_costs_nothing_and_keeps_its_forces),
        cmocka_unit_test(what_falls_asleep_loses_its_energy),
        cmocka_unit_test(a_slow_slide_does_not_sleep),
        cmocka_unit_test(nothing_sleeps_without_support_or_with_joints),
        cmocka_unit_test(what_cannot_sleep_goes_on_as_without),
        cmocka_unit_test(projection_comes_before_sleep),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(a_restart_keeps_the_bits),
        cmocka_unit_test(restarts_at_every_step_keep_the_bits),
        cmocka_unit_test(contacts_stay_what_detection_finds),
        cmocka_unit_test(what_does_not_rest_is_as_without),
        cmocka_unit_test(a_kept_problem_is_of_the_awake),
        cmocka_unit_test(cubes_sleep_and_wake),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
