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

static void warm_step_allocates_nothing(void **state)
{
    (void)state;
    mo_world_def def = tight_def(1e-3, 9.81);
    def.position_projection = true;
    def.solver.tol = 1e-6;
    mo_world *w = make_world_def(&def);
    set_law(w, 0.4, 0, 0);
    add_floor(w, 0);
    for (int i = 0; i < 60; i++)
        add_disc(w, 0.021 * (i % 10) + 0.003 * (i / 10), 0.011 + 0.021 * (i / 10), 0.01, 2000);
    run_steps(w, 600, false);
    assert_true(calls > 0);
    calls = 0;
    run_steps(w, 200, false);
    assert_int_equal(calls, 0);
    mo_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(warm_step_allocates_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
