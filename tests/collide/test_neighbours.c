/*
 * The list of neighbours, kept over steps and mended where few bodies have left their margins, loses no
 * contact: a world has the same bits as one that makes its list anew in every step.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/rng.h"
#include "support/build.h"
#include "world/world.h"

enum { GRAINS = 150 };

static mo_status stir(void *data, double t, mo_motion *out, mo_error *err)
{
    (void)data, (void)err;
    *out = (mo_motion){.q = {0, 0.1, 3 * t}, .u = {0, 0, 3}};
    return MO_OK;
}

static mo_status stir_in_space(void *data, double t, mo_motion *out, mo_error *err)
{
    (void)data, (void)err;
    *out = (mo_motion){.q = {0, 0, 0.1, cos(1.5 * t), 0, 0, sin(1.5 * t)}, .u = {0, 0, 0, 0, 0, 3}};
    return MO_OK;
}

static mo_shape_def plane_of(int dim)
{
    return dim == 2 ? (mo_shape_def){.kind = MO_SHAPE_HALFPLANE, .normal = {0, 1}}
                    : (mo_shape_def){.kind = MO_SHAPE_PLANE, .normal = {0, 0, 1}};
}

static mo_shape_def grain_of(int dim, int i, double r)
{
    if (i % 4 == 0)
        return dim == 2 ? box_shape(3 * r, r)
                        : (mo_shape_def){.kind = MO_SHAPE_BOX, .size = {3 * r, r, 1.5 * r}};
    // some much smaller than others
    return dim == 2 ? disc_shape(i % 4 == 1 ? r / 5 : r)
                    : (mo_shape_def){.kind = MO_SHAPE_SPHERE, .radius = i % 4 == 1 ? r / 5 : r};
}

// grains that fall side by side onto a floor with a step and a stirrer, some of them fast in any direction
static mo_world *rain(int dim, bool round, uint64_t seed, int threads)
{
    rng r = rng_seed(seed, 1);
    mo_world_def def = tight_def(1e-3, dim == 2 ? 9.81 : 0);
    def.dim = dim;
    def.threads = threads;
    def.solver.tol = 1e-4;
    if (dim == 3)
        def.gravity[2] = -9.81;
    mo_world *w = make_world_def(&def);
    set_law(w, 0.4, 0.5, 0);
    mo_body_def floor = mo_default_body_def();
    floor.kind = MO_BODY_FIXED;
    floor.shape = plane_of(dim);
    add_def(w, &floor);
    const mo_shape_def block =
        dim == 2 ? box_shape(0.4, 0.02) : (mo_shape_def){.kind = MO_SHAPE_BOX, .size = {0.4, 0.05, 0.02}};
    add_moved(w, &block, dim == 2 ? stir : stir_in_space, NULL);
    for (int i = 0; i < GRAINS; i++) {
        mo_body_def d = mo_default_body_def();
        d.shape = grain_of(dim, round ? 1 + i % 3 : i, 0.01);
        d.density = 1000;
        const int side = dim == 2 ? 15 : 5;
        d.position[0] = 0.04 * (i % side - side / 2) + 0.004 * rng_uniform(&r);
        if (dim == 3)
            d.position[1] = 0.04 * (i / side % side - side / 2) + 0.004 * rng_uniform(&r);
        d.position[dim - 1] = 0.16 + 0.04 * (dim == 2 ? i / side : i / (side * side));
        d.velocity[dim - 1] = -2;
        if (i % 17 == 0)
            for (int k = 0; k < dim; k++)
                d.velocity[k] = 10 * rng_uniform(&r) - 5;
        add_def(w, &d);
    }
    return w;
}

static void same_as_anew(int dim, bool round, uint64_t seed, int threads)
{
    mo_world *kept = rain(dim, round, seed, threads), *anew = rain(dim, round, seed, 1);
    mo_error err;
    size_t contacts = 0;
    for (int n = 0; n < 400; n++) {
        anew->neighbours.valid = false;
        assert_int_equal(mo_world_step(kept, &err), MO_OK);
        assert_int_equal(mo_world_step(anew, &err), MO_OK);
        assert_int_equal(mo_world_info_get(kept).contacts, mo_world_info_get(anew).contacts);
        assert_true(mo_world_hash(kept) == mo_world_hash(anew));
        contacts += (size_t)mo_world_info_get(kept).contacts;
    }
    // they have met
    assert_true(contacts > 20 * GRAINS);
    mo_world_destroy(kept);
    mo_world_destroy(anew);
}

static void discs(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++)
        same_as_anew(2, true, seed, 1);
}

static void discs_and_blocks(void **state)
{
    (void)state;
    for (uint64_t seed = 4; seed <= 6; seed++)
        same_as_anew(2, false, seed, 2);
}

static void spheres(void **state)
{
    (void)state;
    for (uint64_t seed = 7; seed <= 9; seed++)
        same_as_anew(3, true, seed, 2);
}

static void spheres_and_boxes(void **state)
{
    (void)state;
    for (uint64_t seed = 10; seed <= 12; seed++)
        same_as_anew(3, false, seed, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(discs),
        cmocka_unit_test(discs_and_blocks),
        cmocka_unit_test(spheres),
        cmocka_unit_test(spheres_and_boxes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
