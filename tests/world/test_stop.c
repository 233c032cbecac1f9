/*
 * Steps that are asked to stop inside a solve, with every solver, in 2D and 3D: such a step has not happened,
 * and when it is made later it gives the same bits.  And solves whose seconds are over.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/build.h"
#include "support/close.h"

/* Says yes from the call on that `left` counts down to; < 0: never. */
typedef struct patience {
    long left, asked;
} patience;

static bool no_more(void *data)
{
    patience *p = data;
    p->asked++;
    if (p->left > 0)
        p->left--;
    return p->left == 0;
}

// a leaning stack that is hit: no warm start solves its steps
static mo_world *make_hit_stack(int dim, mo_solver_name name, patience *p)
{
    mo_world_def def = tight_def(1e-3, 9.81);
    def.dim = dim;
    def.solver.name = name;
    def.solver.tol = 1e-10;
    def.solver.stop = p != NULL ? no_more : NULL;
    def.solver.stop_data = p;
    mo_world *w = make_world_def(&def);
    set_law(w, 0.4, 0, 0);
    mo_body_def ground = mo_default_body_def();
    ground.kind = MO_BODY_FIXED;
    ground.shape = dim == 2 ? (mo_shape_def){.kind = MO_SHAPE_HALFPLANE, .normal = {0, 1}}
                            : (mo_shape_def){.kind = MO_SHAPE_PLANE, .normal = {0, 1, 0}};
    add_def(w, &ground);
    for (int i = 0; i < 12; i++) {
        mo_body_def b = mo_default_body_def();
        b.shape =
            dim == 2 ? box_shape(0.2, 0.1) : (mo_shape_def){.kind = MO_SHAPE_BOX, .size = {0.2, 0.1, 0.2}};
        b.density = 1000;
        b.position[0] = 0.02 * i;
        b.position[1] = 0.1 * i + 0.05;
        b.velocity[0] = i == 5 ? 1 : 0;
        add_def(w, &b);
    }
    return w;
}

static void check_stop(int dim, mo_solver_name name, long after)
{
    patience p = {.left = -1};
    mo_error err = {0};
    mo_world *w = make_hit_stack(dim, name, &p), *free_one = make_hit_stack(dim, name, NULL);
    run_steps(w, 3, false);
    run_steps(free_one, 3, false);
    uint64_t hash = mo_world_hash(w);
    mo_world_info before = mo_world_info_get(w);
    p = (patience){.left = after};
    assert_int_equal(mo_world_step(w, &err), MO_STOPPED);
    // no method goes on for long once it knows
    assert_true(p.asked >= after && p.asked < after + 50);
    assert_int_equal(mo_world_hash(w), hash);
    mo_world_info now = mo_world_info_get(w);
    assert_true(now.solver.stopped && !now.solver.converged);
    assert_int_equal(now.steps, before.steps);
    assert_int_equal(now.iterations_total, before.iterations_total);
    assert_int_equal(now.unconverged_steps, before.unconverged_steps);
    assert_memory_equal(&now.energy, &before.energy, sizeof now.energy);
    assert_true(now.max_penetration == before.max_penetration);
    p.left = -1;
    run_steps(w, 3, false);
    run_steps(free_one, 3, false);
    assert_int_equal(mo_world_hash(w), mo_world_hash(free_one));
    assert_int_equal(mo_world_info_get(w).iterations_total, mo_world_info_get(free_one).iterations_total);
    mo_world_destroy(w);
    mo_world_destroy(free_one);
}

static void stopped_steps_have_not_happened(void **state)
{
    (void)state;
    static const long after[] = {1, 2, 7};
    for (int dim = 2; dim <= 3; dim++)
        for (int name = 0; name < MO_SOLVER_COUNT; name++)
            for (int k = 0; k < 3 && mo_solver_suits(mo_solver_name_text((mo_solver_name)name), dim); k++)
                check_stop(dim, (mo_solver_name)name, after[k]);
}

// some steps, the first that is stopped made again afterwards; how often the solvers asked
static long run_with(mo_world *w, patience *p, int steps)
{
    mo_error err;
    for (int i = 0; i < steps; i++) {
        mo_status status = mo_world_step(w, &err);
        if (status == MO_STOPPED) {
            p->left = -1;
            status = mo_world_step(w, &err);
        }
        assert_int_equal(status, MO_OK);
    }
    return p->asked;
}

/* Digits beyond the tolerance are asked about as well: whichever time it is that the answer is yes, a step
   that was cut short does not count, however good it was. */
static void any_moment_will_do(void **state)
{
    (void)state;
    enum { STEPS = 12 };
    for (int dim = 2; dim <= 3; dim++) {
        patience p = {.left = -1};
        mo_world *free_one = make_hit_stack(dim, MO_SOLVER_AUTO, &p);
        const long all = run_with(free_one, &p, STEPS);
        const long stride = all / 150 + 1;
        for (long k = 1; k < all; k += stride) {
            p = (patience){.left = k};
            mo_world *w = make_hit_stack(dim, MO_SOLVER_AUTO, &p);
            run_with(w, &p, STEPS);
            assert_int_equal(mo_world_hash(w), mo_world_hash(free_one));
            mo_world_destroy(w);
        }
        mo_world_destroy(free_one);
    }
}

// a step that is solved before anybody asks again is made
static void solved_steps_count(void **state)
{
    (void)state;
    patience p = {.left = 0};
    mo_world_def def = tight_def(1e-3, 9.81);
    mo_error err;
    def.solver.stop = no_more;
    def.solver.stop_data = &p;
    mo_world *w = make_world_def(&def);
    add_floor(w, 0);
    add_disc(w, 0, 0.1, 0.1, 1000);
    assert_int_equal(mo_world_step(w, &err), MO_OK);
    assert_false(mo_world_info_get(w).solver.stopped);
    mo_world_destroy(w);
}

static void seconds_end_every_solver(void **state)
{
    (void)state;
    for (int name = 0; name < MO_SOLVER_COUNT; name++) {
        mo_world_def def = tight_def(1e-3, 9.81);
        def.solver = (mo_solver_settings){.name = (mo_solver_name)name, .tol = 1e-300, .max_iter = 1000000};
        def.solver.max_seconds = 1e-9;
        mo_world *w = make_world_def(&def);
        set_law(w, 0.5, 0, 0);
        add_floor(w, 0);
        for (int i = 0; i < 40; i++)
            add_box(w, 0.2 * (i % 4) + 0.1 * (i / 4 % 2), 0.1 * (i / 4) + 0.05, 0.2, 0.1, 0, 1000);
        run_steps(w, 2, false);
        mo_world_info info = mo_world_info_get(w);
        assert_true(info.solver.capped_time && !info.solver.converged && !info.solver.stopped);
        assert_true(info.solver.iterations < 1000);
        mo_world_destroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stopped_steps_have_not_happened),
        cmocka_unit_test(any_moment_will_do),
        cmocka_unit_test(solved_steps_count),
        cmocka_unit_test(seconds_end_every_solver),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
