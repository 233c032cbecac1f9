/*
 * Laws beyond Coulomb's in worlds, by closed forms: cohesion, glue and static friction; heaps with many laws.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "physics/sliders.h"
#include "support/close.h"

static const double G = 9.81;

/* ---- cohesion ------------------------------------------------------------------------------------ */

static mo_status lift(void *data, double t, mo_motion *out, mo_error *err)
{
    (void)err;
    const double speed = *(const double *)data;
    *out = (mo_motion){.q = {0, speed * t}, .u = {0, speed}};
    return MO_OK;
}

// what hangs from a ceiling hangs from one that moves evenly, with every scheme
static void cohesion_holds_to_what_moves(void **state)
{
    (void)state;
    const mo_scheme schemes[] = {MO_SCHEME_MOREAU, MO_SCHEME_MOREAU_JEAN, MO_SCHEME_BERNICOT_LEFEBVRE};
    for (int k = 0; k < 9; k++) {
        double speed = 1.5 * (k / 3 - 1);
        mo_world_def def = tight_def(1e-3, G);
        def.scheme = schemes[k % 3];
        mo_world *w = make_world_def(&def);
        const mo_law law = {.cohesion = 12};
        put_law(w, &law);
        mo_shape_def ceiling = {.kind = MO_SHAPE_HALFPLANE, .normal = {0, -1}};
        add_moved(w, &ceiling, lift, &speed);
        mo_body_def ball = mo_default_body_def();
        ball.shape = disc_shape(0.1);
        ball.mass = 1;
        ball.position[1] = -0.1;
        ball.velocity[1] = speed;
        mo_body b = add_def(w, &ball);
        run_steps(w, 200, true);
        assert_close(state_of(w, b).velocity[1], speed, 1e-12);
        assert_close(state_of(w, b).force[1], G, 1e-9);
        mo_world_destroy(w);
    }
}

// pulled by less than c it stays, bearing the pull; by more it goes, c having acted for one step
static void cohesion_bears_its_pull(void **state)
{
    (void)state;
    const double h = 1e-3, c = 5;
    for (int dim = 2; dim <= 3; dim++) {
        const mo_law law = {.cohesion = c, .friction = 0.2};
        const double none[3] = {0, 0, 0};
        double pull[3];
        mo_world *w = law_world(dim, h, none, &law);
        mo_body b = add_slider(w, dim);
        add_ground(w, dim);
        up(4.999, pull, dim);
        apply(w, b, pull[0], pull[1], pull[2]);
        run_steps(w, 200, true);
        assert_close(state_of(w, b).velocity[dim - 1], 0, 1e-14);
        assert_close(state_of(w, b).force[dim - 1], -4.999, 1e-11);
        assert_int_equal(only_status(w), MO_CONTACT_STICK);
        up(5.5, pull, dim);
        apply(w, b, pull[0], pull[1], pull[2]);
        run_steps(w, 1, true);
        assert_int_equal(only_status(w), MO_CONTACT_OPEN);
        assert_close(mo_world_contacts(w).impulse[0], -h * c, 1e-15);
        run_steps(w, 99, true);
        assert_close(state_of(w, b).velocity[dim - 1], 100 * h * 5.5 - h * c, 1e-12);
        assert_int_equal(mo_world_contacts(w).count, 0);
        assert_close(mo_world_info_get(w).energy.balance_error, 0, 1e-12);
        mo_world_destroy(w);
    }
}

// along a wall without any push, friction is mu c
static void cohesion_gives_friction(void **state)
{
    (void)state;
    const double h = 1e-3, c = 10, gravity[3] = {1, 0, 0};
    for (int dim = 2; dim <= 3; dim++)
        for (int slides = 0; slides < 2; slides++) {
            const mo_law law = {.friction = slides ? 0.08 : 0.11, .cohesion = c};
            mo_world *w = law_world(dim, h, gravity, &law);
            // either order of the bodies
            mo_body b = {0};
            if (slides)
                add_ground(w, dim);
            b = add_slider(w, dim);
            if (!slides)
                add_ground(w, dim);
            run_steps(w, 500, true);
            double expected = slides ? 500 * h * (1 - 0.08 * c) : 0;
            assert_close(state_of(w, b).velocity[0], expected, 1e-12);
            assert_close(state_of(w, b).force[0], slides ? -0.08 * c : -1, 1e-11);
            assert_close(mo_world_info_get(w).energy.balance_error, 0, 1e-12);
            mo_world_destroy(w);
        }
}

// a chain of discs hangs from a ceiling: each contact bears what is below it
static void cohesive_chain(void **state)
{
    (void)state;
    enum { N = 8 };
    for (int falls = 0; falls < 2; falls++) {
        mo_world *w = make_world(1e-3, G);
        mo_body b[N];
        add_halfplane(w, 0, -1, 0);
        for (int i = 0; i < N; i++) {
            mo_body_def def = mo_default_body_def();
            def.shape = disc_shape(0.1);
            def.mass = 1;
            def.position[1] = -0.1 - 0.2 * i;
            b[i] = add_def(w, &def);
        }
        // the topmost contact bears N m g
        const mo_law law = {.friction = 0.5, .cohesion = N * G * (falls ? 0.99 : 1.01)};
        put_law(w, &law);
        run_steps(w, 300, true);
        mo_body_state top = state_of(w, b[0]), last = state_of(w, b[N - 1]);
        if (falls) {
            assert_true(top.position[1] < -0.15);
            assert_close(last.position[1] - top.position[1], -0.2 * (N - 1), 1e-7);
        } else {
            mo_contacts c = mo_world_contacts(w);
            assert_int_equal(c.count, N);
            assert_close(top.velocity[1], 0, 1e-10);
            for (size_t i = 0; i < c.count; i++) {
                uint32_t lower = c.id2[i] > c.id1[i] ? c.id2[i] : c.id1[i];
                assert_close(c.impulse[2 * i], -1e-3 * G * (N + b[0].id - lower), 1e-8);
            }
        }
        mo_world_destroy(w);
    }
}

/* ---- glue ---------------------------------------------------------------------------------------- */

// BL10 Remark 4.3: pushed with F for T, pulled with P, it goes T F/P after pulling began
static void glue_is_paid_back(void **state)
{
    (void)state;
    const double h = 1e-3, F = 3, P = 2;
    enum { PUSH = 200, PULL = 500 };
    for (int dim = 2; dim <= 3; dim++)
        for (int scheme = 0; scheme < 3; scheme++) {
            const mo_law law = {.gluey = true};
            mo_world_def def = tight_def(h, 0);
            double force[3];
            def.dim = dim;
            def.scheme = scheme == 2 ? MO_SCHEME_BERNICOT_LEFEBVRE : MO_SCHEME_MOREAU;
            def.position_projection = scheme == 1;
            mo_world *w = make_world_def(&def);
            put_law(w, &law);
            mo_body b = add_slider(w, dim);
            add_ground(w, dim);
            up(-F, force, dim);
            apply(w, b, force[0], force[1], force[2]);
            run_steps(w, PUSH, true);
            assert_close(mo_world_contacts(w).memory[0], -F * PUSH * h, 1e-12);
            up(P, force, dim);
            apply(w, b, force[0], force[1], force[2]);
            // 300 steps pay back what 200 have pushed
            run_steps(w, 299, true);
            assert_close(state_of(w, b).velocity[dim - 1], 0, 1e-12);
            assert_close(state_of(w, b).position[dim - 1], 0.1, 1e-12);
            run_steps(w, PULL - 299, true);
            assert_close(state_of(w, b).velocity[dim - 1], (PULL * P - PUSH * F) * h, 1e-11);
            assert_int_equal(mo_world_contacts(w).count, 0);
            assert_close(mo_world_info_get(w).energy.balance_error, 0, 1e-12);
            mo_world_destroy(w);
        }
}

// an impact is stored as well, and the glue of one contact does not hold another
static void glue_of_an_impact(void **state)
{
    (void)state;
    const double h = 1e-3, none[3] = {0, 0, 0};
    const mo_law law = {.gluey = true};
    mo_world *w = law_world(2, h, none, &law);
    mo_body b = add_slider(w, 2);
    add_ground(w, 2);
    throw_at(w, b, 0.5, -2, 0);
    apply(w, b, 0, 4, 0);
    // the pull has paid back 2 kg m/s after half a second; it slides along meanwhile
    run_steps(w, 495, true);
    assert_close(state_of(w, b).velocity[1], 0, 1e-12);
    run_steps(w, 505, true);
    assert_close(state_of(w, b).velocity[1], 4 * 1 - 2, 1e-11);
    assert_close(state_of(w, b).position[0], 0.5, 1e-12);
    mo_world_destroy(w);
}

// a restart with the memory goes on with the same bits; without it the glue is lost
static void glue_survives_a_restart(void **state)
{
    (void)state;
    const double h = 1e-3, none[3] = {0, 0, 0};
    const mo_law law = {.gluey = true, .friction = 0.1};
    mo_world *w[3];
    mo_body b = {0};
    for (int i = 0; i < 3; i++) {
        w[i] = law_world(2, h, none, &law);
        b = add_slider(w[i], 2);
        add_ground(w[i], 2);
        apply(w[i], b, 0, -3, 0);
    }
    run_steps(w[0], 150, true);
    apply(w[0], b, 0.01, 5, 0);
    for (int i = 1; i < 3; i++) {
        mo_restart r = restart_of(w[0]);
        r.memory = i == 1 ? mo_world_contacts(w[0]).memory : NULL;
        assert_int_equal(mo_world_restore(w[i], &r, NULL), MO_OK);
    }
    assert_true(mo_world_hash(w[0]) == mo_world_hash(w[1]));
    for (int i = 0; i < 3; i++)
        run_steps(w[i], 80, true);
    assert_true(mo_world_hash(w[0]) == mo_world_hash(w[1]));
    assert_close(state_of(w[0], b).velocity[1], 0, 1e-12);
    assert_close(state_of(w[2], b).velocity[1], 80 * h * 5, 1e-12);
    for (int i = 0; i < 3; i++)
        mo_world_destroy(w[i]);
}

/* ---- static friction ----------------------------------------------------------------------------- */

// on a slope between the two angles: at rest it stays, once pushed it goes on
static void slope_between_the_angles(void **state)
{
    (void)state;
    const double h = 1e-3, angle = atan(0.4), gravity[3] = {G * sin(angle), 0, -G * cos(angle)};
    for (int dim = 2; dim <= 3; dim++) {
        const mo_law law = {.friction = 0.3, .static_friction = 0.5};
        const double plane[3] = {gravity[0], dim == 2 ? gravity[2] : 0, dim == 2 ? 0 : gravity[2]};
        mo_world *w = law_world(dim, h, plane, &law);
        add_ground(w, dim);
        mo_body b = add_slider(w, dim);
        run_steps(w, 200, true);
        assert_close(state_of(w, b).velocity[0], 0, 1e-13);
        assert_int_equal(only_status(w), MO_CONTACT_STICK);
        throw_at(w, b, 0.01, 0, 0);
        run_steps(w, 1000, true);
        double a = G * (sin(angle) - 0.3 * cos(angle));
        assert_close(state_of(w, b).velocity[0], 0.01 + a, 1e-10);
        assert_int_equal(only_status(w), MO_CONTACT_SLIDE);
        // pushed up the slope it comes to rest, and stays there
        throw_at(w, b, -0.5, 0, 0);
        run_steps(w, 1000, true);
        assert_close(state_of(w, b).velocity[0], 0, 1e-12);
        mo_world_destroy(w);
    }
}

// the pull at which it begins to move
static void static_limit_is_exact(void **state)
{
    (void)state;
    const double gravity[3] = {0, -10, 0};
    const mo_law law = {.friction = 0.3, .static_friction = 0.5};
    mo_world *w = law_world(2, 1e-3, gravity, &law);
    mo_body b = add_slider(w, 2);
    add_ground(w, 2);
    apply(w, b, 5 * (1 - 1e-6), 0, 0);
    run_steps(w, 100, true);
    assert_close(state_of(w, b).velocity[0], 0, 1e-13);
    apply(w, b, 5 * (1 + 1e-6), 0, 0);
    run_steps(w, 100, true);
    // kinetic friction from the first step on
    assert_close(state_of(w, b).velocity[0], 100e-3 * (5 * (1 + 1e-6) - 3), 1e-10);
    mo_world_destroy(w);
}

// a box on four corners, whose shares of the friction nothing determines: whatever the tolerance it holds
// below the static limit 0.6 m g = 72 N, and slides above it, with 0.4 m g
static void box_holds_at_any_tolerance(void **state)
{
    (void)state;
    const mo_law law = {.friction = 0.4, .static_friction = 0.6};
    for (double tol = 1e-10; tol <= 2e-5; tol *= 10)
        for (double pull = 50; pull < 80; pull += 8) {
            mo_world_def world = tight_def(1e-3, 0);
            world.dim = 3;
            world.gravity[2] = -10;
            world.solver.tol = tol;
            mo_world *w = make_world_def(&world);
            put_law(w, &law);
            add_ground(w, 3);
            mo_body_def def = mo_default_body_def();
            def.shape = (mo_shape_def){.kind = MO_SHAPE_BOX, .size = {0.3, 0.2, 0.2}};
            def.density = 1000;
            def.position[2] = 0.1;
            def.applied_force[0] = pull;
            mo_body b = add_def(w, &def);
            run_steps(w, 20, true);
            // 12 kg; the steps may each leave the tolerance of what pulls
            const double speed = pull < 72 ? 0 : 20e-3 * (pull - 48) / 12;
            assert_close(state_of(w, b).velocity[0], speed, 20 * tol * 1e-3 * pull / 12 + 1e-9);
            mo_world_destroy(w);
        }
}

/*
 * A block drawn by a spring whose end moves with V.  It sticks until k d = mu_s m g.  Then y = d - mu_k m g/k
 * swings, y(0) = A = (mu_s - mu_k) m g/k, y'(0) = V, until the block stops, y' = V: at y = -A, after
 * (pi + 2 atan(V/(A omega)))/omega.  The spring has become 2 A shorter.  The force of a step is that of its
 * start: what is left is a few omega h of each number.
 */
static void stick_slip(void **state)
{
    (void)state;
    const double h = 1e-4, k = 100, V = 0.02, mu_s = 0.5, mu_k = 0.3, gravity[3] = {0, -10, 0};
    const mo_law law = {.friction = mu_k, .static_friction = mu_s};
    const double A = (mu_s - mu_k) * 10 / k, omega = sqrt(k),
                 lasts = (acos(-1.0) + 2 * atan(V / (A * omega))) / omega;
    mo_world *w = law_world(2, h, gravity, &law);
    mo_body b = add_slider(w, 2);
    add_ground(w, 2);
    int slips = 0, steps = 0;
    double from = 0, end = 0.9 * mu_s * 10 / k;
    for (int i = 0; i < 100000 && slips < 3; i++) {
        double before = state_of(w, b).position[0];
        apply(w, b, k * (end - before), 0, 0);
        run_steps(w, 1, true);
        bool moves = state_of(w, b).velocity[0] > 1e-9;
        if (moves && steps++ == 0) {
            assert_close(k * (end - before), mu_s * 10, 1.1 * k * V * h);
            from = before;
        }
        if (!moves && steps > 0) {
            assert_close(steps * h, lasts, 3 * h);
            assert_close(before - from, 2 * A + V * lasts, 3 * omega * h * A);
            steps = 0;
            slips++;
        }
        end += V * h;
    }
    assert_int_equal(slips, 3);
    mo_world_destroy(w);
}

// a row of blocks pushed against each other: one release makes the next slide, all in one step
static void release_spreads(void **state)
{
    (void)state;
    enum { N = 6 };
    const double h = 1e-3, gravity[3] = {0, -10, 0};
    mo_world *w = law_world(2, h, gravity, &(mo_law){.friction = 0.2, .static_friction = 0.5});
    assert_int_equal(mo_world_set_law(w, "block", "block", &(mo_law){0}, NULL), MO_OK);
    mo_body b[N];
    add_ground(w, 2);
    for (int i = 0; i < N; i++) {
        mo_body_def def = mo_default_body_def();
        def.shape = disc_shape(0.1);
        def.mass = 1;
        def.group = "block";
        def.free = MO_FREE_X | MO_FREE_Y;
        def.position[0] = 0.2 * i;
        def.position[1] = 0.1;
        b[i] = add_def(w, &def);
    }
    apply(w, b[0], N * 5 * 0.999, 0, 0);
    run_steps(w, 50, true);
    assert_close(state_of(w, b[N - 1]).velocity[0], 0, 1e-12);
    apply(w, b[0], N * 5 * 1.001, 0, 0);
    run_steps(w, 1, true);
    for (int i = 0; i < N; i++)
        assert_close(state_of(w, b[i]).velocity[0], h * (5 * 1.001 - 2), 1e-10);
    mo_world_destroy(w);
}

/* ---- all together --------------------------------------------------------------------------------- */

// a heap of discs with these laws between its groups; what it ended with
static uint64_t mixed_heap(int threads, const mo_law laws[6], mo_world_info *out)
{
    static const char *const groups[] = {"a", "b", "c"};
    mo_world_def def = tight_def(1e-3, G);
    def.threads = threads;
    def.solver.tol = 1e-9;
    mo_world *w = make_world_def(&def);
    int next = 0;
    for (int i = 0; i < 3; i++)
        for (int j = i; j < 3; j++)
            assert_int_equal(mo_world_set_law(w, groups[i], groups[j], &laws[next++], NULL), MO_OK);
    set_law(w, 0.4, 0, 0);
    add_floor(w, 0);
    add_halfplane(w, 1, 0, -1);
    add_halfplane(w, -1, 0, -1);
    for (int i = 0; i < 80; i++) {
        mo_body_def d = mo_default_body_def();
        d.shape = disc_shape(0.08 + 0.002 * (i % 9));
        d.density = 100;
        d.group = groups[i % 3];
        d.position[0] = -0.8 + 0.2 * (i % 9) + 0.01 * (i % 2);
        d.position[1] = 0.15 + 0.21 * (i / 9);
        d.velocity[1] = -1;
        add_def(w, &d);
    }
    run_steps(w, 400, false);
    *out = mo_world_info_get(w);
    assert_true(out->solver.finite);
    assert_close(out->energy.balance_error, 0, 1e-6);
    assert_true(out->contacts > 60);
    uint64_t hash = mo_world_hash(w);
    mo_world_destroy(w);
    return hash;
}

static void heap_with_many_laws(void **state)
{
    (void)state;
    const mo_law laws[6] = {{.friction = 0.3, .static_friction = 0.6},
                            {.friction = 0.3, .cohesion = 2},
                            {.gluey = true, .friction = 0.2},
                            {.friction = 0.5, .restitution = 0.1},
                            {.cohesion = 1},
                            {.friction = 0.1, .cohesion = 5}};
    mo_world_info one, three;
    uint64_t hash = mixed_heap(1, laws, &one);
    assert_int_equal(one.unconverged_steps, 0);
    assert_true(hash == mixed_heap(3, laws, &three));
}

// with thresholds the sweeps may not settle; every law goes on all the same
static void heap_with_thresholds(void **state)
{
    (void)state;
    const mo_law laws[6] = {{.friction = 0.3, .static_friction = 0.6}, {.threshold = 1},
                            {.gluey = true, .friction = 0.2},          {.cohesion = 1, .threshold = 0.5},
                            {.friction = 0.5, .restitution = 0.3},     {.friction = 0.1, .cohesion = 5}};
    mo_world_info one, three;
    uint64_t hash = mixed_heap(1, laws, &one);
    assert_true(one.unconverged_steps < 20);
    assert_true(hash == mixed_heap(3, laws, &three));
}

// a law that comes or goes while the world runs
static void laws_may_change(void **state)
{
    (void)state;
    const double none[3] = {0, 0, 0};
    mo_world *w = law_world(2, 1e-3, none, &(mo_law){0});
    mo_body b = add_slider(w, 2);
    add_ground(w, 2);
    apply(w, b, 0, -3, 0);
    run_steps(w, 50, true);
    assert_null(mo_world_contacts(w).memory);
    put_law(w, &(mo_law){.gluey = true});
    // the push of before was not stored
    run_steps(w, 50, true);
    assert_close(mo_world_contacts(w).memory[0], -0.15, 1e-13);
    put_law(w, &(mo_law){0});
    apply(w, b, 0, 1, 0);
    run_steps(w, 100, true);
    assert_close(state_of(w, b).velocity[1], 0.1, 1e-13);
    mo_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cohesion_bears_its_pull),
        cmocka_unit_test(cohesion_holds_to_what_moves),
        cmocka_unit_test(cohesion_gives_friction),
        cmocka_unit_test(cohesive_chain),
        cmocka_unit_test(glue_is_paid_back),
        cmocka_unit_test(glue_of_an_impact),
        cmocka_unit_test(glue_survives_a_restart),
        cmocka_unit_test(slope_between_the_angles),
        cmocka_unit_test(static_limit_is_exact),
        cmocka_unit_test(box_holds_at_any_tolerance),
        cmocka_unit_test(stick_slip),
        cmocka_unit_test(release_spreads),
        cmocka_unit_test(heap_with_many_laws),
        cmocka_unit_test(heap_with_thresholds),
        cmocka_unit_test(laws_may_change),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
