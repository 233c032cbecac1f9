/*
 * Projectors and workspaces allocate while they see larger problems than before, and then never again:
 * counted by standing in for the C library's allocator.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "convex/catalogue.h"
#include "core/rng.h"
#include "support/count_allocations.h"

static double spread(rng *r)
{
    return 2 * rng_uniform(r) - 1;
}

// one problem of n unknowns and 4 n rows with a diagonal metric
static void project(mo_projector *p, rng *r, size_t n)
{
    double A[4 * 20 * 20], b[80], z[20], x[20], diagonal[20];
    for (size_t i = 0; i < 4 * n * n; i++)
        A[i] = spread(r);
    for (size_t i = 0; i < 4 * n; i++)
        b[i] = spread(r) - 1;
    for (size_t j = 0; j < n; j++) {
        z[j] = 3 * spread(r);
        diagonal[j] = 1 + rng_uniform(r);
    }
    mo_polyhedron set = {.n = n, .rows = 4 * n, .A = A, .b = b};
    mo_metric metric = {.kind = MO_METRIC_DIAGONAL, .entries = diagonal};
    assert_int_equal(mo_projector_set_metric(p, n, &metric, NULL), MO_OK);
    assert_int_equal(mo_projector_project(p, &set, z, NULL, 0, x, NULL, NULL, NULL), MO_OK);
}

static void warm_projector(void **state)
{
    (void)state;
    mo_projector *p;
    rng r = rng_seed(51, 1);
    assert_int_equal(mo_projector_create(&p, NULL), MO_OK);
    calls = 0;
    project(p, &r, 20);
    assert_true(calls > 0);
    calls = 0;
    for (size_t k = 0; k < 200; k++)
        project(p, &r, 1 + k % 20);
    assert_int_equal(calls, 0);
    mo_projector_destroy(p);
}

// every function on every set
static void use_all(mo_set_workspace *w, const entry *all, size_t count, rng *r)
{
    for (size_t i = 0; i < count; i++) {
        double z[DIM_MAX], x[DIM_MAX], value;
        for (size_t j = 0; j < DIM_MAX; j++)
            z[j] = spread(r);
        assert_int_equal(mo_set_prox(&all[i].set, z, x, w, NULL, NULL), MO_OK);
        assert_int_equal(mo_set_support(&all[i].set, z, 1e-9, &value, w, NULL, NULL), MO_OK);
        assert_int_equal(mo_set_normal_distance(&all[i].set, x, z, 1e-6, &value, w, NULL, NULL), MO_OK);
    }
}

static void warm_workspace(void **state)
{
    (void)state;
    entry all[CATALOGUE_MAX];
    size_t count = catalogue(all);
    mo_set_workspace *w;
    rng r = rng_seed(52, 1);
    assert_int_equal(mo_set_workspace_create(&w, NULL), MO_OK);
    for (int k = 0; k < 20; k++)
        use_all(w, all, count, &r);
    calls = 0;
    for (int k = 0; k < 10; k++)
        use_all(w, all, count, &r);
    assert_int_equal(calls, 0);
    mo_set_workspace_destroy(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(warm_projector), cmocka_unit_test(warm_workspace)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
