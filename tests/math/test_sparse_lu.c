/* Sparse L U factors against products with known vectors. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/rng.h"
#include "math/sparse_lu.h"
#include "support/close.h"

enum { MOST = 40, MOST_BLOCK = 3, MOST_ROWS = MOST * MOST_BLOCK };

/* A full matrix and the pattern of its blocks. */
typedef struct matrix {
    uint32_t blocks, block;
    double a[MOST_ROWS][MOST_ROWS];
    size_t start[MOST + 1];
    uint32_t index[MOST * MOST];
} matrix;

static double sign(rng *random)
{
    return 2 * rng_uniform(random) - 1;
}

// pattern symmetric with about `degree` neighbours each, numbers not; the diagonal weighs `weight`
static void make(matrix *m, uint32_t blocks, uint32_t block, double degree, double weight, rng *random)
{
    bool there[MOST][MOST] = {{false}};
    *m = (matrix){.blocks = blocks, .block = block};
    for (uint32_t i = 0; i < blocks; i++)
        for (uint32_t j = 0; j < i; j++)
            there[i][j] = there[j][i] = rng_uniform(random) * blocks < degree;
    size_t length = 0;
    for (uint32_t i = 0; i < blocks; i++) {
        m->start[i] = length;
        for (uint32_t j = 0; j < blocks; j++) {
            if (!there[i][j] && i != j)
                continue;
            if (i != j)
                m->index[length++] = j;
            for (uint32_t a = 0; a < block; a++)
                for (uint32_t b = 0; b < block; b++)
                    m->a[block * i + a][block * j + b] = sign(random) + (i == j && a == b ? weight : 0);
        }
    }
    m->start[blocks] = length;
}

static void load(const matrix *m, sparse_lu *f)
{
    sparse_lu_clear(f);
    for (uint32_t i = 0; i < m->blocks; i++)
        for (size_t k = m->start[i]; k <= m->start[i + 1]; k++) {
            // after the neighbours the block on the diagonal
            uint32_t j = k < m->start[i + 1] ? m->index[k] : i;
            sparse_lu_slot s = sparse_lu_find(f, i, j);
            double *out = (s.upper ? f->U : f->L) + s.at;
            for (uint32_t a = 0; a < m->block; a++)
                for (uint32_t b = 0; b < m->block; b++)
                    out[a * s.row + b * s.column] += m->a[m->block * i + a][m->block * j + b];
        }
}

// largest error of the solution of A x = A 1, 1, ...
static double error_of(const matrix *m, sparse_lu *f)
{
    uint32_t n = m->blocks * m->block;
    double x[MOST_ROWS], worst = 0;
    for (uint32_t i = 0; i < n; i++) {
        x[i] = 0;
        for (uint32_t j = 0; j < n; j++)
            x[i] += m->a[i][j] * (1 + 0.1 * j);
    }
    sparse_lu_solve(f, x);
    for (uint32_t i = 0; i < n; i++)
        worst = fmax(worst, fabs(x[i] - (1 + 0.1 * i)));
    return worst;
}

// sizes, block sizes and densities; rows dominant, so that the error is a few hundred units of rounding
static void test_known_vectors(void **state)
{
    (void)state;
    static matrix m;
    sparse_lu f = {0};
    rng random = rng_seed(1, 1);
    for (uint32_t blocks = 1; blocks <= MOST; blocks += 3)
        for (uint32_t block = 1; block <= MOST_BLOCK; block++)
            for (double degree = 0; degree < 40; degree = 3 * degree + 1) {
                make(&m, blocks, block, degree, 3 + 2 * (double)block * fmin(degree, blocks), &random);
                assert_true(sparse_lu_analyse(&f, blocks, block, m.start, m.index));
                load(&m, &f);
                assert_int_equal(sparse_lu_factor(&f, 1e-13), 0);
                assert_true(error_of(&m, &f) < 1e-11);
                // the same again: nothing is left from before
                load(&m, &f);
                assert_int_equal(sparse_lu_factor(&f, 1e-13), 0);
                assert_true(error_of(&m, &f) < 1e-11);
            }
    sparse_lu_free(&f);
}

// zeros on the diagonal of a block: rows must change places
static void test_exchange(void **state)
{
    (void)state;
    static matrix m;
    sparse_lu f = {0};
    rng random = rng_seed(2, 1);
    make(&m, 6, 2, 1, 0, &random);
    for (uint32_t i = 0; i < 6; i++) {
        m.a[2 * i][2 * i] = m.a[2 * i + 1][2 * i + 1] = 0;
        m.a[2 * i][2 * i + 1] = 9;
        m.a[2 * i + 1][2 * i] = -8;
    }
    assert_true(sparse_lu_analyse(&f, 6, 2, m.start, m.index));
    load(&m, &f);
    assert_int_equal(sparse_lu_factor(&f, 1e-13), 0);
    assert_true(error_of(&m, &f) < 1e-12);
    sparse_lu_free(&f);
}

// full matrices without large diagonals: one panel, in which nearly every row changes its place; condition
// numbers of random matrices of n rows are some n, of one in a thousand 1000 n
static void test_exchange_in_wide_panels(void **state)
{
    (void)state;
    static matrix m;
    sparse_lu f = {0};
    rng random = rng_seed(4, 1);
    for (uint32_t blocks = 2; blocks <= MOST; blocks++) {
        make(&m, blocks, 3, 2 * MOST, 0, &random);
        assert_true(sparse_lu_analyse(&f, blocks, 3, m.start, m.index));
        load(&m, &f);
        assert_int_equal(sparse_lu_factor(&f, 1e-13), 0);
        assert_true(error_of(&m, &f) < 1e-9);
    }
    sparse_lu_free(&f);
}

// a row of zeros: one pivot is replaced, numbers stay finite; a NaN is told
static void test_singular(void **state)
{
    (void)state;
    static matrix m;
    sparse_lu f = {0};
    rng random = rng_seed(3, 1);
    make(&m, 5, 3, 2, 9, &random);
    for (uint32_t j = 0; j < 15; j++)
        m.a[4][j] = 0;
    assert_true(sparse_lu_analyse(&f, 5, 3, m.start, m.index));
    load(&m, &f);
    assert_int_equal(sparse_lu_factor(&f, 1e-13), 1);
    assert_true(isfinite(error_of(&m, &f)));
    m.a[7][7] = NAN;
    load(&m, &f);
    assert_true(sparse_lu_factor(&f, 1e-13) == SIZE_MAX);
    sparse_lu_free(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_vectors),
        cmocka_unit_test(test_exchange),
        cmocka_unit_test(test_exchange_in_wide_panels),
        cmocka_unit_test(test_singular),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
