/*
 * The contact problem that a step in space solved: its axes are those of the contacts that are told, also
 * where the ground was made before what lies on it.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <moreau/problem.h>

#include "support/close.h"
#include "support/joined.h"

static mo_world *boxes_on_ground(bool ground_first)
{
    const mo_shape_def ground = {.kind = MO_SHAPE_PLANE, .normal = {0, 0, 1}},
                       box = {.kind = MO_SHAPE_BOX, .size = {0.2, 0.3, 0.1}};
    mo_body_def fixed = mo_default_body_def();
    fixed.kind = MO_BODY_FIXED;
    fixed.shape = ground;
    mo_world *w = space(1e-3, 2, 1, -G);
    const mo_law law = {.friction = 0.2};
    mo_error err = {0};
    assert_int_equal(mo_world_set_default_law(w, &law, &err), MO_OK);
    if (ground_first)
        add_def(w, &fixed);
    solid(w, &box, 0, 0, 0.05, 3);
    solid(w, &box, 0.03, 0.02, 0.15, 2);
    if (!ground_first)
        add_def(w, &fixed);
    return w;
}

/* the second tangent of contacts that begin with the ground was the other way round in W, q and r */
static void axes_are_those_of_the_contacts(void **state)
{
    (void)state;
    for (int first = 0; first < 2; first++) {
        mo_world *w = boxes_on_ground(first != 0);
        mo_error err = {0};
        mo_world_keep_problem(w, true);
        for (int n = 0; n < 5; n++)
            assert_int_equal(mo_world_step(w, &err), MO_OK);
        const double *r, *u;
        const mo_problem *p = mo_world_problem(w, &r, &u);
        const mo_contacts c = mo_world_contacts(w);
        double across = 0;
        assert_non_null(p);
        assert_int_equal(p->contacts, c.count);
        assert_int_equal(mo_problem_check(p, &err), MO_OK);
        for (size_t k = 0; k < 3 * c.count; k++) {
            assert_close(r[k], c.impulse[k], 0);
            /* velocities are those at the end of the step, along the same axes */
            assert_close(u[k], c.velocity[k], 1e-12);
            across = k % 3 == 2 ? fmax(across, fabs(r[k])) : across;
        }
        assert_true(across > 1e-5);
        mo_world_destroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(axes_are_those_of_the_contacts)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
