/*
 * A tower of a thousand boxes in space, from nothing: far more contacts than factors are formed for in a
 * packing, but in a tower they stay sparse, and sweeps carry an impulse down one box at a time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <moreau/problem.h>

#include "support/build.h"
#include "support/close.h"

enum { BOXES = 1010 };

static mo_world *tower(void)
{
    mo_world_def def = tight_def(1e-3, 0);
    def.dim = 3;
    def.gravity[2] = -9.81;
    def.solver = (mo_solver_settings){.name = MO_SOLVER_NLGS, .max_iter = 1};
    mo_world *w = make_world_def(&def);
    set_law(w, 0.5, 0, 0);
    for (int i = 0; i <= BOXES; i++) {
        mo_body_def d = mo_default_body_def();
        d.kind = i == 0 ? MO_BODY_FIXED : MO_BODY_DYNAMIC;
        d.shape = (mo_shape_def){.kind = MO_SHAPE_BOX, .size = {1, 1, 1}};
        d.density = i == 0 ? 0 : 1000;
        d.position[2] = i;
        add_def(w, &d);
    }
    return w;
}

static void a_tower_is_solved(void **state)
{
    (void)state;
    mo_world *w = tower();
    mo_error err;
    mo_world_keep_problem(w, true);
    assert_int_equal(mo_world_step(w, &err), MO_OK);
    const mo_problem *p = mo_world_problem(w, NULL, NULL);
    assert_non_null(p);
    assert_true(p->contacts >= 4 * BOXES);
    double *r = calloc(3 * p->contacts, sizeof *r), ground = 0;
    mo_solver_settings settings = mo_default_solver_settings();
    mo_problem_info info;
    assert_int_equal(mo_problem_solve(p, "auto", &settings, r, NULL, &info, &err), MO_OK);
    assert_true(info.solved);
    assert_true(info.iterations < 1000);
    // the ground carries the weight: contacts are ordered by bodies, its own come first.  |du| <= tol |r| /
    // rho adds up to m (2/3) BOXES^(3/2) |du| of momentum, with |r| ~ weight sqrt(BOXES/12), rho ~ m/2: 0.4 %
    for (size_t c = 0; c < 4; c++)
        ground += r[3 * c];
    const double weight = BOXES * 1000.0 * 9.81 * 1e-3;
    assert_close(ground, weight, 4e-3 * weight);
    free(r);
    mo_world_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tower_is_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
