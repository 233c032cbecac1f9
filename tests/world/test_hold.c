/*
 * Contacts that stay although they are open: detection that leaves the others out finds the same as one that
 * takes all within reach, of which those are picked that touch or stay, one by one.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "collide/detect.h"
#include "core/rng.h"
#include "support/build.h"
#include "world/world.h"

/* grains and blocks of the dimension in a heap */
static mo_world *heap_of(int dim, rng *r)
{
    mo_world_def def = tight_def(2e-3, dim == 2 ? 9.81 : 0);
    def.dim = dim;
    if (dim == 3)
        def.gravity[2] = -9.81;
    def.position_projection = true;
    def.solver.tol = 1e-4;
    mo_world *w = make_world_def(&def);
    set_law(w, 0.4, 0, 0);
    mo_body_def floor = mo_default_body_def();
    floor.kind = MO_BODY_FIXED;
    floor.shape = dim == 2 ? (mo_shape_def){.kind = MO_SHAPE_HALFPLANE, .normal = {0, 1}}
                           : (mo_shape_def){.kind = MO_SHAPE_PLANE, .normal = {0, 0, 1}};
    add_def(w, &floor);
    for (int i = 0; i < 90; i++) {
        mo_body_def d = mo_default_body_def();
        const double size = 0.01 * (0.8 + 0.4 * rng_uniform(r));
        if (i % 3 == 0)
            d.shape = dim == 2 ? box_shape(2 * size, 1.5 * size)
                               : (mo_shape_def){.kind = MO_SHAPE_BOX, .size = {2 * size, size, 1.5 * size}};
        else
            d.shape = (mo_shape_def){.kind = dim == 2 ? MO_SHAPE_DISC : MO_SHAPE_SPHERE, .radius = size};
        d.density = 2000;
        // in space they lean on each other
        const double apart = dim == 2 ? 0.03 : 0.025;
        d.position[0] = apart * (i % 5) + 0.004 * rng_uniform(r);
        d.position[1] = dim == 2 ? 0.02 + 0.03 * (i / 5) : apart * (i / 5 % 3) + 0.004 * rng_uniform(r);
        d.position[2] = 0.02 + 0.03 * (i / 15);
        add_def(w, &d);
    }
    return w;
}

static bool has_pushed(const contact_memory *m, size_t i, const void *data)
{
    (void)data;
    double sum = 0;
    for (size_t k = 0; k < m->dim; k++)
        sum += m->S[m->dim * i + k] * m->S[m->dim * i + k];
    return sum > 0;
}

/* by a look at every entry of the memory */
static bool pushed_before(const contact_memory *m, const contact_set *c, size_t i)
{
    for (size_t k = 0; k < m->count; k++)
        if (m->slot1[k] == c->slot1[i] && m->slot2[k] == c->slot2[i] && m->feature[k] == c->feature[i])
            return has_pushed(m, k, NULL);
    return false;
}

/* the number of contacts left out and of those open that stay is added to the counts */
static void compare(mo_world *w, int *out, int *open)
{
    const detect_reach wide = {.absolute = -1, .relative = 0.01, .at_most = 1};
    const detect_view v = bodies_view(&w->bodies, w->bodies.q);
    contact_memory last;
    assert_true(memory_take(&last, &w->contacts, &w->arena, NULL));
    const detect_hold hold = {contact_reach(-1), &last, has_pushed, NULL};
    contact_set all = {.dim = w->contacts.dim}, some = all;
    assert_true(neighbours_update(&w->neighbours, &v, w->def.h, 0, &w->arena, NULL));
    assert_true(detect(&w->neighbours, &v, wide, NULL, &all, &w->arena, NULL));
    assert_true(detect(&w->neighbours, &v, wide, &hold, &some, &w->arena, NULL));
    size_t k = 0;
    for (size_t i = 0; i < all.count; i++) {
        const bool touches = all.gap[i] <= pair_reach(&v, all.slot1[i], all.slot2[i], &hold.counts);
        if (!touches && !pushed_before(&last, &all, i)) {
            ++*out;
            continue;
        }
        *open += !touches;
        assert_true(k < some.count);
        assert_int_equal(some.slot1[k], all.slot1[i]);
        assert_int_equal(some.slot2[k], all.slot2[i]);
        assert_int_equal(some.feature[k], all.feature[i]);
        assert_true(some.gap[k] == all.gap[i]);
        assert_memory_equal(&some.normal[some.dim * k], &all.normal[all.dim * i], all.dim * sizeof(double));
        k++;
    }
    assert_int_equal(k, some.count);
    contacts_free(&all);
    contacts_free(&some);
}

static void the_same_as_picked_one_by_one(void **state)
{
    (void)state;
    rng r = rng_seed(5, 0);
    for (int dim = 2; dim <= 3; dim++) {
        mo_world *w = heap_of(dim, &r);
        int out = 0, open = 0;
        for (int k = 0; k < 60; k++) {
            run_steps(w, 5, false);
            compare(w, &out, &open);
        }
        // both kinds were there
        assert_true(out > 10);
        assert_true(open > 10);
        mo_world_destroy(w);
    }
}

/* wherever one begins to look */
static void found_from_everywhere(void **state)
{
    (void)state;
    enum { COUNT = 40 };
    uint32_t slot1[COUNT], slot2[COUNT];
    uint64_t feature[COUNT];
    contact_memory m = {.dim = 2, .count = COUNT, .slot1 = slot1, .slot2 = slot2, .feature = feature};
    for (uint32_t i = 0; i < COUNT; i++) {
        slot1[i] = i / 8;
        slot2[i] = 10 + 2 * (i % 8 / 2);
        feature[i] = 2 * (i % 2);
    }
    for (size_t from = 0; from <= COUNT + 3; from++) {
        for (size_t i = 0; i < COUNT; i++) {
            size_t at = from;
            assert_true(memory_find(&m, &at, slot1[i], slot2[i], feature[i]));
            assert_int_equal(at, i);
            at = from;
            assert_false(memory_find(&m, &at, slot1[i], slot2[i], feature[i] + 1));
            assert_int_equal(at, i + 1);
        }
        size_t at = from;
        assert_false(memory_find(&m, &at, 99, 0, 0));
        assert_int_equal(at, COUNT);
    }
    m.count = 0;
    size_t at = 0;
    assert_false(memory_find(&m, &at, 0, 0, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_as_picked_one_by_one),
        cmocka_unit_test(found_from_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
