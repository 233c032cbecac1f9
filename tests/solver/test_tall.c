/*
 * What is tall, from nothing: sweeps carry an impulse down one body at a time.
 *
 * A tower of a thousand boxes in space has far more contacts than factors are formed for in a packing, but in
 * a tower they stay sparse.  Columns of spheres are left to sweeps with momentum.
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

/* Columns of spheres that stand apart, side x side of them. */
typedef struct columns {
    int side, height;
    double tol;
} columns;

static mo_world *columns_make(const columns *c)
{
    mo_world_def def = tight_def(1e-3, 0);
    def.dim = 3;
    def.gravity[2] = -9.81;
    def.solver = (mo_solver_settings){.name = MO_SOLVER_AUTO, .tol = c->tol, .max_iter = 5000};
    mo_world *w = make_world_def(&def);
    mo_body_def d = mo_default_body_def();
    d.kind = MO_BODY_FIXED;
    d.shape = (mo_shape_def){.kind = MO_SHAPE_PLANE, .normal = {0, 0, 1}};
    add_def(w, &d);
    d = mo_default_body_def();
    d.shape = (mo_shape_def){.kind = MO_SHAPE_SPHERE, .radius = 0.5};
    d.mass = 1;
    for (int i = 0; i < c->side * c->side * c->height; i++) {
        d.position[0] = 3 * (i % c->side);
        d.position[1] = 3 * (i / c->side % c->side);
        d.position[2] = 0.5 + i / (c->side * c->side);
        add_def(w, &d);
    }
    return w;
}

/*
 * Momentum carries a load down a column of n spheres in some multiple of n sweeps, plain sweeps in one of n².
 * It does so as long as velocities and impulses belong together, however many sweeps there are, and as long
 * as a residual that falls steadily, by little from look to look, is worth going on for: the sweeps end each
 * of these steps, and nothing else is tried.  MOST: sweeps for each sphere of a column.
 *
 * With |U| <= tol |r| / rho, |r| = W sqrt(columns n / 3) and rho = m / 2 the momentum that is left,
 * m sum (n - k) |U_k|, is W tol (2/3) n² sqrt(columns) at most: what the ground may lack of the weight W of a
 * column.
 */
static void columns_are_left_to_sweeps(void **state)
{
    (void)state;
    enum { MOST = 8 };
    const columns all[] = {{6, 60, 1e-6}, {6, 60, 1e-8}, {5, 80, 1e-6}, {4, 100, 1e-8}};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        const columns *c = &all[k];
        mo_world *w = columns_make(c);
        mo_error err;
        assert_int_equal(mo_world_step(w, &err), MO_OK);
        const mo_solver_info info = mo_world_info_get(w).solver;
        assert_true(info.converged && info.handed_over == 0);
        assert_true(info.iterations <= MOST * c->height);
        const double weight = c->height * 9.81 * 1e-3, sure = 2.0 / 3 * c->height * c->height * c->side;
        const mo_contacts contacts = mo_world_contacts(w);
        assert_int_equal(contacts.count, c->side * c->side * c->height);
        int grounds = 0;
        for (size_t i = 0; i < contacts.count; i++)
            if (contacts.slot1[i] == 0) {
                assert_close(contacts.impulse[3 * i], weight, c->tol * sure * weight);
                grounds++;
            }
        assert_int_equal(grounds, c->side * c->side);
        mo_world_destroy(w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tower_is_solved),
        cmocka_unit_test(columns_are_left_to_sweeps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
