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

/* a tilted block of the dimension that comes down on a corner with theta = 1, after the step in which it does
 */
static mo_body_state block_after_impact(int dim, bool projection)
{
    mo_world_def def = tight_def(1e-3, 0);
    def.dim = dim;
    def.scheme = MO_SCHEME_MOREAU_JEAN;
    def.theta = 1;
    def.position_projection = projection;
    mo_world *w = make_world_def(&def);
    mo_body_def floor = mo_default_body_def(), block = mo_default_body_def();
    floor.kind = MO_BODY_FIXED;
    floor.shape = dim == 2 ? (mo_shape_def){.kind = MO_SHAPE_HALFPLANE, .normal = {0, 1}}
                           : (mo_shape_def){.kind = MO_SHAPE_PLANE, .normal = {0, 1, 0}};
    add_def(w, &floor);
    block.shape =
        dim == 2 ? box_shape(0.02, 0.01) : (mo_shape_def){.kind = MO_SHAPE_BOX, .size = {0.02, 0.01, 0.015}};
    block.density = 1000;
    block.angle = 0.3;
    block.orientation[0] = cos(0.15);
    block.orientation[3] = sin(0.15);
    // its lowest corner is 1e-4 above the floor, and 1.4e-3 below it in the middle of the step
    block.position[1] = 0.01 * sin(0.3) + 0.005 * cos(0.3) + 1e-4;
    block.velocity[1] = -3;
    mo_body b = add_def(w, &block);
    run_steps(w, 1, true);
    assert_true(mo_world_info_get(w).contacts > 0);
    mo_body_state s = state_of(w, b);
    mo_world_destroy(w);
    return s;
}

/* with theta = 1 a step ends where the velocity found leads from its start: nothing overlaps there */
static void nothing_is_pushed_that_ends_apart(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        mo_body_state plain = block_after_impact(dim, false), projected = block_after_impact(dim, true);
        for (int k = 0; k < dim; k++)
            assert_close(projected.position[k], plain.position[k], 0);
        assert_close(projected.angle, plain.angle, 0);
        for (int k = 0; k < 4; k++)
            assert_close(projected.orientation[k], plain.orientation[k], 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(projection_counts_springs),
        cmocka_unit_test(nothing_is_pushed_that_ends_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
