/*
 * After warm-up a step allocates nothing: counted by standing in for the C library's allocator.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/build.h"
#include "support/count_allocations.h"

static mo_world *make_pile(mo_solver_name name)
{
    mo_world_def def = tight_def(1e-3, 9.81);
    def.position_projection = true;
    def.solver.tol = 1e-6;
    def.solver.name = name;
    mo_world *w = make_world_def(&def);
    set_law(w, 0.4, 0, 0);
    add_floor(w, 0);
    for (int i = 0; i < 60; i++)
        add_disc(w, 0.021 * (i % 10) + 0.003 * (i / 10), 0.011 + 0.021 * (i / 10), 0.01, 2000);
    run_steps(w, 600, false);
    assert_true(calls > 0);
    return w;
}

static void warm_step_allocates_nothing(void **state)
{
    (void)state;
    mo_world *w = make_pile(MO_SOLVER_NLGS);
    calls = 0;
    run_steps(w, 200, false);
    assert_int_equal(calls, 0);
    mo_world_destroy(w);
}

/* `auto` allocates only in steps that it hands over to methods that factor matrices */
static void only_factors_allocate(void **state)
{
    (void)state;
    mo_world *w = make_pile(MO_SOLVER_AUTO);
    int extrapolated = 0;
    for (int i = 0; i < 200; i++) {
        calls = 0;
        run_steps(w, 1, true);
        mo_solver_info info = mo_world_info_get(w).solver;
        extrapolated += info.extrapolated > 0 ? 1 : 0;
        if (info.handed_over == 0)
            assert_int_equal(calls, 0);
    }
    assert_true(extrapolated > 0);
    mo_world_destroy(w);
}

/* asleep, in the step that wakes some, and while some sleep */
static void sleepers_allocate_nothing(void **state)
{
    (void)state;
    mo_world_def def = tight_def(5e-3, 9.81);
    def.sleeping = true;
    def.solver.name = MO_SOLVER_NLGS;
    mo_world *w = make_world_def(&def);
    set_law(w, 0.4, 0, 0);
    add_floor(w, 0);
    for (int i = 0; i < 20; i++)
        add_box(w, 0.3 * (i % 10), 0.05 + 0.1 * (i / 10), 0.2, 0.1, 0, 1000);
    mo_body ball = add_disc(w, 0.01, 0.25, 0.05, 1000);
    run_steps(w, 300, false);
    assert_int_equal(mo_world_info_get(w).asleep, 21);
    mo_body_state s = state_of(w, ball);
    for (int i = 0; i < 2; i++) {
        calls = 0;
        run_steps(w, 100, false);
        assert_int_equal(calls, 0);
        // the first time, room is made for contacts that are awake
        s.velocity[1] = 0.5;
        assert_int_equal(mo_body_set(w, ball, &s, NULL), MO_OK);
        run_steps(w, 30, false);
        assert_int_equal(mo_world_info_get(w).asleep, 18);
        assert_true(i == 0 || calls == 0);
        run_steps(w, 200, false);
        assert_int_equal(mo_world_info_get(w).asleep, 21);
    }
    mo_world_destroy(w);
}

/* nor in a cell that is sheared under a stress, whose list of neighbours is made anew again and again */
static void warm_cell_allocates_nothing(void **state)
{
    (void)state;
    mo_world_def def = tight_def(1e-3, 0);
    def.solver.tol = 1e-4;
    def.solver.name = MO_SOLVER_NLGS;
    def.periodic[0] = def.periodic[1] = true;
    def.cell_max[0] = def.cell_max[1] = 0.21;
    mo_world *w = make_world_def(&def);
    set_law(w, 0.4, 0, 0);
    for (int i = 0; i < 100; i++) {
        const int row = i / 10;
        add_disc(w, 0.021 * (i % 10) + 0.003 * row, 0.011 + 0.021 * row, 0.01, 2000);
    }
    mo_cell_control c = {.rate = {[1] = 10}, .by_stress = {[4] = true}, .stress = {[4] = 500}, .damping = 10};
    mo_error err;
    assert_int_equal(mo_world_control_cell(w, &c, &err), MO_OK);
    run_steps(w, 400, false);
    calls = 0;
    run_steps(w, 100, false);
    assert_int_equal(calls, 0);
    mo_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warm_step_allocates_nothing), cmocka_unit_test(only_factors_allocate),
        cmocka_unit_test(warm_cell_allocates_nothing), cmocka_unit_test(sleepers_allocate_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
