/*
 * The same bits: for any number of threads, after a restart, and without allocation once a world is warm.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/rng.h"
#include "support/build.h"

// discs, boxes and a rod fall into a box: enough contacts that colours are split among threads
static mo_world *make_heap(int threads, int columns, int rows)
{
    mo_world_def def = tight_def(1e-3, 9.81);
    def.solver.tol = 1e-6;
    def.solver.max_iter = 40;
    def.threads = threads;
    mo_world *w = make_world_def(&def);
    rng r = rng_seed(3, 3);
    double width = columns * 0.0225;
    set_law(w, 0.5, 0.2, 0.1);
    add_segment(w, 0, 0, width, 0);
    add_segment(w, 0, 0, 0, 2 * width);
    add_segment(w, width, 0, width, 2 * width);
    for (int i = 0; i < columns * rows; i++) {
        double x = (i % columns + 0.5) * 0.0225, y = (i / columns + 0.5) * 0.0225, a = rng_uniform(&r);
        if (i % 5 == 0)
            add_box(w, x, y, 0.016, 0.014, a, 2000);
        else
            add_disc(w, x, y, 0.008 + 0.003 * a, 2500);
    }
    return w;
}

static void threads_do_not_matter(void **state)
{
    (void)state;
    uint64_t hash[4];
    const int threads[4] = {1, 2, 3, 4};
    for (int k = 0; k < 4; k++) {
        // thousands of contacts: more than one chunk in the larger colours
        mo_world *w = make_heap(threads[k], 90, 40);
        run_steps(w, 300, false);
        hash[k] = mo_world_hash(w);
        assert_true(mo_world_info_get(w).contacts > 4000);
        mo_world_destroy(w);
        assert_int_equal(hash[k], hash[0]);
    }
}

static void *copy(const void *p, size_t bytes)
{
    void *c = malloc(bytes > 0 ? bytes : 1);
    assert_non_null(c);
    return bytes > 0 ? memcpy(c, p, bytes) : c;
}

static void restart_keeps_the_bits(void **state)
{
    (void)state;
    mo_world *w = make_heap(1, 12, 10), *again = make_heap(1, 12, 10);
    run_steps(w, 120, false);
    mo_error err;
    mo_bodies b = mo_world_bodies(w);
    mo_contacts c = mo_world_contacts(w);
    mo_restart r = {
        .totals = mo_world_totals_get(w),
        .body_count = b.count,
        .id = copy(b.id, b.count * sizeof *b.id),
        .q = copy(b.q, 3 * b.count * sizeof *b.q),
        .u = copy(b.u, 3 * b.count * sizeof *b.u),
        .load = copy(mo_world_loads(w), 3 * b.count * sizeof(double)),
        .force = copy(mo_world_forces(w), 3 * b.count * sizeof(double)),
        .contact_count = c.count,
        .id1 = copy(c.id1, c.count * sizeof *c.id1),
        .id2 = copy(c.id2, c.count * sizeof *c.id2),
        .feature = copy(c.feature, c.count * sizeof *c.feature),
        .point = copy(c.point, 2 * c.count * sizeof *c.point),
        .normal = copy(c.normal, 2 * c.count * sizeof *c.normal),
        .gap = copy(c.gap, c.count * sizeof *c.gap),
        .impulse = copy(c.impulse, 2 * c.count * sizeof *c.impulse),
        .velocity = copy(c.velocity, 2 * c.count * sizeof *c.velocity),
        .status = copy(c.status, c.count),
    };
    assert_int_equal(mo_world_restore(again, &r, &err), MO_OK);
    assert_int_equal(mo_world_hash(again), mo_world_hash(w));
    run_steps(w, 100, false);
    run_steps(again, 100, false);
    assert_int_equal(mo_world_hash(again), mo_world_hash(w));
    mo_energy e1 = mo_world_info_get(w).energy, e2 = mo_world_info_get(again).energy;
    assert_memory_equal(&e1, &e2, sizeof e1);
    const void *owned[] = {r.id,      r.q,     r.u,      r.load, r.force,   r.id1,      r.id2,
                           r.feature, r.point, r.normal, r.gap,  r.impulse, r.velocity, r.status};
    for (size_t i = 0; i < sizeof owned / sizeof owned[0]; i++)
        free((void *)owned[i]);
    mo_world_destroy(w);
    mo_world_destroy(again);
}

// a body removed and others added leave the rest as a world that never had it, but for numbering
static void removal_closes_the_gap(void **state)
{
    (void)state;
    mo_error err;
    mo_world *w = make_heap(1, 8, 5), *v = make_heap(1, 8, 5);
    mo_body extra = add_box(w, 0.1, 1.9, 0.01, 0.01, 0, 1000);
    run_steps(w, 20, false);
    run_steps(v, 20, false);
    assert_int_equal(mo_body_remove(w, extra, &err), MO_OK);
    assert_false(mo_body_exists(w, extra));
    assert_int_equal(mo_body_remove(w, extra, &err), MO_USAGE);
    run_steps(w, 100, false);
    run_steps(v, 100, false);
    assert_int_equal(mo_world_hash(w), mo_world_hash(v));
    mo_world_destroy(w);
    mo_world_destroy(v);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(restart_keeps_the_bits),
        cmocka_unit_test(removal_closes_the_gap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
