/*
 * Worlds with joints and rolling: no allocation in a warm step, the same bits for any number of threads, and
 * many contacts among jointed bodies.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "support/build.h"
#include "support/close.h"
#include "support/count_allocations.h"

static mo_world *make(int dim, int threads)
{
    mo_world_def def = mo_default_world_def();
    def.dim = dim;
    def.gravity[dim - 1] = -9.81;
    def.threads = threads;
    mo_world *w = make_world_def(&def);
    mo_law law = {.friction = 0.4, .rolling = 2e-3, .spinning = dim == 3 ? 1e-3 : 0};
    mo_error err;
    assert_int_equal(mo_world_set_default_law(w, &law, &err), MO_OK);
    mo_body_def floor = mo_default_body_def();
    floor.kind = MO_BODY_FIXED;
    floor.shape.kind = dim == 2 ? MO_SHAPE_HALFPLANE : MO_SHAPE_PLANE;
    floor.shape.normal[dim - 1] = 1;
    add_def(w, &floor);
    return w;
}

/* chains of beads, hinged in the plane, on balls in space, that fall on the floor and over each other */
static mo_world *chains(int dim, int threads)
{
    mo_world *w = make(dim, threads);
    mo_error err;
    for (int c = 0; c < 3; c++) {
        mo_body last = {0};
        for (int i = 0; i < 7; i++) {
            mo_body_def b = mo_default_body_def();
            b.shape.kind = dim == 2 ? MO_SHAPE_DISC : MO_SHAPE_SPHERE;
            b.shape.radius = 0.05;
            b.density = 800;
            b.position[0] = 0.11 * i + 0.3 * c;
            b.position[dim - 1] = 0.1 + 0.2 * c + 0.01 * i;
            mo_body body = add_def(w, &b);
            mo_joint_def d = mo_default_joint_def();
            mo_joint j;
            d.kind = dim == 2 ? MO_JOINT_HINGE : MO_JOINT_BALL;
            d.body1 = body;
            d.body2 = last;
            d.at[0] = b.position[0] - 0.055;
            d.at[dim - 1] = b.position[dim - 1] - 0.005;
            d.limited = dim == 2;
            d.limits[0] = -0.9, d.limits[1] = 0.9;
            if (i > 0)
                assert_int_equal(mo_joint_create(w, &d, &j, &err), MO_OK);
            last = body;
        }
    }
    return w;
}

static void warm_steps_allocate_nothing(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        mo_world *w = chains(dim, 1);
        run_steps(w, 500, false);
        assert_true(mo_world_info_get(w).contacts > 10);
        int swept = 0;
        for (int i = 0; i < 100; i++) {
            calls = 0;
            run_steps(w, 1, true);
            /* methods that factor matrices allocate on their own */
            if (mo_world_info_get(w).solver.handed_over == 0) {
                assert_int_equal(calls, 0);
                swept++;
            }
        }
        assert_true(swept > 20);
        mo_world_info info = mo_world_info_get(w);
        assert_int_equal(info.unconverged_steps, 0);
        assert_true(fabs(info.energy.balance_error) < 1e-6);
        mo_world_destroy(w);
    }
}

static void same_bits_for_any_threads(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        uint64_t hash[2];
        for (int k = 0; k < 2; k++) {
            mo_world *w = chains(dim, k == 0 ? 1 : 4);
            run_steps(w, 300, false);
            hash[k] = mo_world_hash(w);
            mo_world_destroy(w);
        }
        assert_true(hash[0] == hash[1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warm_steps_allocate_nothing),
        cmocka_unit_test(same_bits_for_any_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
