/*
 * Position projection and the balance of energies.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/build.h"
#include "support/close.h"
#include "support/joined.h"

/* a disc falls on a floor that it enters within the step and is pushed out again: what the way up costs its
   spring is work.  In straight motion springs keep the balance to rounding */
static void projection_counts_springs(void **state)
{
    (void)state;
    mo_world_def def = tight_def(2e-3, 9.81);
    def.position_projection = true;
    mo_world *w = make_world_def(&def);
    set_law(w, 0, 0.5, 0);
    add_floor(w, 0);
    mo_body b = add_disc(w, 0, 0.3, 0.1, 100);
    mo_joint_def d = joint_def(MO_JOINT_SPRING, b, NOBODY, 0, 0.3, 0);
    d.at2[1] = 1;
    d.length = 0.2;
    d.stiffness = 30;
    add_joint_def(w, &d);
    const double start = fabs(mo_world_info_get(w).energy.potential);
    for (int i = 0; i < 600; i++) {
        run_steps(w, 1, true);
        assert_close(mo_world_info_get(w).energy.balance_error, 0, 1e-12 * start);
    }
    // deep enough for the projection to start
    assert_true(mo_world_info_get(w).max_penetration > 1e-2 * 0.1);
    mo_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(projection_counts_springs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
