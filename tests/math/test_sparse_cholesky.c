/*
 * Sparse Cholesky factors: answers of systems with known solutions on patterns of every sort, patterns
 * without fill, what is not definite, and no allocation when warm.  Residuals are of the matrix, by this
 * file's sums.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "core/rng.h"
#include "math/sparse_cholesky.h"
#include "support/close.h"
#include "support/count_allocations.h"

enum { MAX_N = 700 };

/* A symmetric matrix: entries (row, column, value), i > j, the diagonal apart. */
static unsigned char full[MAX_N][MAX_N];
static double H[MAX_N][MAX_N];
static size_t start[MAX_N + 1];
static uint32_t index_of[MAX_N * MAX_N];
static sparse_cholesky f;

static void clear(uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        memset(full[i], 0, n);
}

static void edge(uint32_t i, uint32_t j)
{
    full[i][j] = full[j][i] = i != j;
}

// numbers that make the pattern definite, by rows that dominate
static void fill(uint32_t n, rng *r)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < i; j++)
            H[i][j] = H[j][i] = full[i][j] ? 2 * rng_uniform(r) - 1 : 0;
    for (uint32_t i = 0; i < n; i++) {
        H[i][i] = 0.1;
        for (uint32_t j = 0; j < n; j++)
            H[i][i] += j != i ? fabs(H[i][j]) : 0;
    }
}

static void list_pattern(uint32_t n, bool diagonal)
{
    size_t used = 0;
    for (uint32_t j = 0; j < n; j++) {
        start[j] = used;
        for (uint32_t i = 0; i < n; i++)
            if (full[j][i] || (diagonal && i == j))
                index_of[used++] = i;
    }
    start[n] = used;
}

static void assemble(uint32_t n)
{
    sparse_cholesky_clear(&f);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j <= i; j++)
            if (i == j || full[i][j])
                f.L[sparse_cholesky_slot(&f, (i + j) % 2 ? i : j, (i + j) % 2 ? j : i)] += H[i][j];
}

static void check_order(uint32_t n)
{
    static unsigned char met[MAX_N];
    memset(met, 0, sizeof met);
    for (uint32_t k = 0; k < n; k++) {
        assert_true(f.order[k] < n && !met[f.order[k]]);
        met[f.order[k]] = 1;
        assert_int_equal(f.place[f.order[k]], k);
    }
}

// H x = b for a known x: the answer, and the residual relative to the sizes of the terms
static void check_solve(uint32_t n, rng *r)
{
    static double x[MAX_N], b[MAX_N];
    for (uint32_t i = 0; i < n; i++)
        x[i] = 2 * rng_uniform(r) - 1;
    for (uint32_t i = 0; i < n; i++) {
        b[i] = 0;
        for (uint32_t j = 0; j < n; j++)
            b[i] += H[i][j] * x[j];
    }
    double y[MAX_N];
    memcpy(y, b, n * sizeof *y);
    sparse_cholesky_solve(&f, y);
    for (uint32_t i = 0; i < n; i++) {
        double miss = b[i], size = fabs(b[i]);
        for (uint32_t j = 0; j < n; j++) {
            miss -= H[i][j] * y[j];
            size += fabs(H[i][j] * y[j]);
        }
        assert_true(fabs(miss) <= 1e-14 * (size + 1));
        // dominance by 0.1 bounds the inverse by 10 in the largest-entry norm
        assert_close(y[i], x[i], 1e-11);
    }
}

static void check_pattern(uint32_t n, bool diagonal, rng *r)
{
    list_pattern(n, diagonal);
    assert_true(sparse_cholesky_analyse(&f, n, start, index_of));
    check_order(n);
    for (int k = 0; k < 2; k++) {
        fill(n, r);
        assemble(n);
        assert_true(sparse_cholesky_factor(&f));
        check_solve(n, r);
    }
}

static void random_patterns(void **state)
{
    (void)state;
    rng r = rng_seed(1, 1);
    for (int k = 0; k < 120; k++) {
        uint32_t n = 1 + (uint32_t)(rng_uniform(&r) * 120);
        double edges = (double)n * pow(10, 2 * rng_uniform(&r) - 1);
        clear(n);
        for (double e = 0; e < edges; e++)
            edge((uint32_t)(rng_uniform(&r) * n), (uint32_t)(rng_uniform(&r) * n));
        check_pattern(n, k % 2, &r);
    }
}

// cliques of four unknowns, as rows of pairs of discs make them
static void cliques(void **state)
{
    (void)state;
    rng r = rng_seed(2, 1);
    for (int k = 0; k < 10; k++) {
        uint32_t bodies = 20 + 30 * (uint32_t)k, n = 2 * bodies;
        clear(n);
        for (uint32_t i = 0; i < bodies; i++)
            for (int e = 0; e < 3; e++) {
                uint32_t j = (i + 1 + (uint32_t)(rng_uniform(&r) * 12)) % bodies;
                for (uint32_t a = 0; a < 4; a++)
                    edge(2 * i + a % 2, 2 * j + a / 2);
                edge(2 * i, 2 * i + 1);
            }
        check_pattern(n, false, &r);
    }
}

static void special_patterns(void **state)
{
    (void)state;
    rng r = rng_seed(3, 1);
    // nothing, everything, a star with its centre first, two grids
    clear(40);
    check_pattern(40, false, &r);
    for (uint32_t i = 0; i < 40; i++)
        for (uint32_t j = 0; j < i; j++)
            edge(i, j);
    check_pattern(40, true, &r);
    clear(300);
    for (uint32_t i = 1; i < 300; i++)
        edge(0, i);
    check_pattern(300, false, &r);
    clear(680);
    for (uint32_t g = 0; g < 2; g++)
        for (uint32_t i = 0; i < 20; i++)
            for (uint32_t j = 0; j < 17; j++) {
                uint32_t at = 340 * g + 17 * i + j;
                if (i > 0)
                    edge(at, at - 17);
                if (j > 0)
                    edge(at, at - 1);
            }
    check_pattern(680, false, &r);
}

// entries of L that are not zero by structure, for a matrix without cancellation
static size_t entries(uint32_t n, rng *r)
{
    size_t count = 0;
    fill(n, r);
    assemble(n);
    assert_true(sparse_cholesky_factor(&f));
    for (uint32_t s = 0; s < f.panels; s++) {
        size_t height = f.rows_at[s + 1] - f.rows_at[s];
        for (size_t j = 0; j < f.first[s + 1] - f.first[s]; j++)
            for (size_t i = j; i < height; i++)
                count += f.L[f.values_at[s] + j * height + i] != 0;
    }
    return count;
}

// trees have an order without fill, and a least degree finds it; a star and a comb among them
static void trees_do_not_fill(void **state)
{
    (void)state;
    rng r = rng_seed(4, 1);
    for (int k = 0; k < 40; k++) {
        uint32_t n = 2 + (uint32_t)(rng_uniform(&r) * 400);
        clear(n);
        for (uint32_t i = 1; i < n; i++)
            edge(i, k == 0 ? 0 : k == 1 ? i - 1 : (uint32_t)(rng_uniform(&r) * i));
        list_pattern(n, false);
        assert_true(sparse_cholesky_analyse(&f, n, start, index_of));
        assert_int_equal(entries(n, &r), 2 * n - 1);
    }
}

// 30 x 23 grid: far less than the 14 000 and more of the order by lines
static void grid_fill(void **state)
{
    (void)state;
    rng r = rng_seed(5, 1);
    clear(690);
    for (uint32_t i = 0; i < 690; i++) {
        if (i % 23 > 0)
            edge(i, i - 1);
        if (i >= 23)
            edge(i, i - 23);
    }
    list_pattern(690, false);
    assert_true(sparse_cholesky_analyse(&f, 690, start, index_of));
    assert_true(entries(690, &r) < 9000);
    // panels hold a part of zeros, not a multiple
    assert_true(f.length < 20000);
}

static void not_definite(void **state)
{
    (void)state;
    rng r = rng_seed(6, 1);
    clear(30);
    for (uint32_t i = 1; i < 30; i++)
        edge(i, i / 2);
    list_pattern(30, false);
    assert_true(sparse_cholesky_analyse(&f, 30, start, index_of));
    fill(30, &r);
    H[17][17] = -1;
    assemble(30);
    assert_false(sparse_cholesky_factor(&f));
    H[17][17] = NAN;
    assemble(30);
    assert_false(sparse_cholesky_factor(&f));
    // and again a good one
    fill(30, &r);
    assemble(30);
    assert_true(sparse_cholesky_factor(&f));
    check_solve(30, &r);
}

// a pattern seen before, and smaller ones, need no memory; the order does not depend on what came before
static void warm(void **state)
{
    (void)state;
    static uint32_t order[MAX_N];
    rng r = rng_seed(7, 1);
    clear(300);
    for (uint32_t i = 0; i < 300; i++)
        for (int k = 0; k < 3; k++)
            edge(i, (uint32_t)(rng_uniform(&r) * 300));
    list_pattern(300, false);
    assert_true(sparse_cholesky_analyse(&f, 300, start, index_of));
    memcpy(order, f.order, sizeof *order * 300);
    calls = 0;
    check_pattern(300, false, &r);
    clear(100);
    for (uint32_t i = 1; i < 100; i++)
        edge(i, i / 3);
    check_pattern(100, true, &r);
    assert_int_equal(calls, 0);
    clear(300);
    r = rng_seed(7, 1);
    for (uint32_t i = 0; i < 300; i++)
        for (int k = 0; k < 3; k++)
            edge(i, (uint32_t)(rng_uniform(&r) * 300));
    list_pattern(300, false);
    assert_true(sparse_cholesky_analyse(&f, 300, start, index_of));
    assert_memory_equal(order, f.order, sizeof *order * 300);
}

static int tear_down(void **state)
{
    (void)state;
    sparse_cholesky_free(&f);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_patterns),
        cmocka_unit_test(cliques),
        cmocka_unit_test(special_patterns),
        cmocka_unit_test(trees_do_not_fill),
        cmocka_unit_test(grid_fill),
        cmocka_unit_test(not_definite),
        cmocka_unit_test(warm),
    };
    return cmocka_run_group_tests(tests, NULL, tear_down);
}
