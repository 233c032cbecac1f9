/*
 * Global problems made local.  M and Y are chosen, H = M Y and f = M g follow, so that M^-1 H = Y and
 * M^-1 f = g without a factorisation: W = H^T Y, q = H^T g + w, v = Y r + g.
 */
#include <stdlib.h>

#include "core/rng.h"
#include "problem/local.h"
#include "problem/one_contact.h"

enum { CONTACTS = 4, COLUMNS = 3 * CONTACTS, ROWS = 400 };

typedef struct global {
    mo_problem_file file;
    double M[ROWS][ROWS], Y[ROWS][COLUMNS], g[ROWS], H[ROWS][COLUMNS];
} global;

typedef double entry_of_M(rng *random, size_t i, size_t j);

static mo_sparse_matrix triplets(size_t rows, size_t columns, const double *full)
{
    mo_sparse_matrix m = {.rows = rows, .columns = columns};
    m.row = calloc(rows * columns, sizeof *m.row);
    m.column = calloc(rows * columns, sizeof *m.column);
    m.value = calloc(rows * columns, sizeof *m.value);
    for (size_t k = 0; k < rows * columns; k++)
        if (full[k] != 0) {
            m.row[m.entries] = k / columns;
            m.column[m.entries] = k % columns;
            m.value[m.entries++] = full[k];
        }
    return m;
}

/* Y has few entries, each contact's in its own stretch of rows that overlaps with the next one's */
static void choose(global *t, entry_of_M *entry, rng *random)
{
    for (size_t i = 0; i < ROWS; i++) {
        t->g[i] = rng_uniform(random) - 0.5;
        for (size_t j = 0; j < ROWS; j++)
            t->M[i][j] = entry(random, i, j);
        for (size_t j = 0; j < COLUMNS; j++) {
            const size_t middle = 40 + 80 * (j / 3);
            const bool near = i + 50 > middle && i < middle + 50 && i % 3 == j % 3;
            t->Y[i][j] = near ? rng_uniform(random) - 0.5 : 0;
        }
    }
}

static global *make(entry_of_M *entry)
{
    rng random = rng_seed(11, 3);
    global *t = calloc(1, sizeof *t);
    assert_non_null(t);
    choose(t, entry, &random);
    mo_problem_file *file = &t->file;
    *file = (mo_problem_file){.global = true, .local = {.dim = 3, .contacts = CONTACTS}};
    file->f = calloc(ROWS, sizeof(double));
    file->w = calloc(COLUMNS, sizeof(double));
    file->local.mu = calloc(CONTACTS, sizeof(double));
    for (size_t i = 0; i < ROWS; i++)
        for (size_t k = 0; k < ROWS; k++) {
            if (t->M[i][k] == 0)
                continue;
            file->f[i] += t->M[i][k] * t->g[k];
            for (size_t j = 0; j < COLUMNS; j++)
                t->H[i][j] += t->M[i][k] * t->Y[k][j];
        }
    for (size_t j = 0; j < COLUMNS; j++)
        file->w[j] = (double)j;
    file->M = triplets(ROWS, ROWS, &t->M[0][0]);
    file->H = triplets(ROWS, COLUMNS, &t->H[0][0]);
    return t;
}

static void drop(global *t)
{
    mo_problem_file_free(&t->file);
    free(t);
}

static double block_entry(const mo_problem *p, size_t i, size_t j)
{
    for (size_t k = p->start[i / 3]; k < p->start[i / 3 + 1]; k++)
        if (p->column[k] == j / 3)
            return p->W[9 * k + 3 * (i % 3) + j % 3];
    return 0;
}

static void check_all(entry_of_M *entry, double tolerance)
{
    global *t = make(entry);
    mo_error err;
    assert_int_equal(problem_condense(&t->file, &err), MO_OK);
    assert_int_equal(mo_problem_check(&t->file.local, &err), MO_OK);
    double r[COLUMNS], v[ROWS];
    for (size_t i = 0; i < COLUMNS; i++) {
        double q = (double)i;
        for (size_t k = 0; k < ROWS; k++)
            q += t->H[k][i] * t->g[k];
        assert_close(t->file.local.q[i], q, tolerance);
        for (size_t j = 0; j < COLUMNS; j++) {
            double w = 0;
            for (size_t k = 0; k < ROWS; k++)
                w += t->H[k][i] * t->Y[k][j];
            assert_close(block_entry(&t->file.local, i, j), w, tolerance);
        }
        r[i] = cos((double)i);
    }
    assert_int_equal(problem_global_velocity(&t->file, r, v, &err), MO_OK);
    for (size_t k = 0; k < ROWS; k++) {
        double expected = t->g[k];
        for (size_t j = 0; j < COLUMNS; j++)
            expected += t->Y[k][j] * r[j];
        assert_close(v[k], expected, tolerance);
    }
    drop(t);
}

static double diagonal(rng *random, size_t i, size_t j)
{
    return i == j ? 1 + rng_uniform(random) : 0;
}

/* blocks of five, unsymmetric, far from dominated by their diagonals */
static double blocks(rng *random, size_t i, size_t j)
{
    return i / 5 == j / 5 ? rng_uniform(random) - 0.5 + ((i + 1) % 5 == j % 5) : 0;
}

/* all in one piece: a chain, condition below 7 */
static double chain(rng *random, size_t i, size_t j)
{
    (void)random;
    return i == j ? 2.7 : i + 1 == j || j + 1 == i ? -1 : 0;
}

/* symmetric and in one piece, but not definite */
static double indefinite(rng *random, size_t i, size_t j)
{
    return chain(random, i, j) * (i == j && i % 2 == 1 ? -1 : 1);
}

static double skew_chain(rng *random, size_t i, size_t j)
{
    return chain(random, i, j) * (i < j ? -0.5 : 1);
}

/* row exchanges or nothing: the diagonal is zero */
static double antidiagonal(rng *random, size_t i, size_t j)
{
    (void)random;
    return i / 2 == j / 2 && i != j ? 3 : 0;
}

/* sums of at most a few dozen products of order one; the blocks of five have conditions up to some 1e3 */
static void every_kind(void **state)
{
    (void)state;
    check_all(diagonal, 1e-14);
    check_all(blocks, 1e-10);
    check_all(chain, 1e-13);
    check_all(indefinite, 1e-13);
    check_all(skew_chain, 1e-13);
    check_all(antidiagonal, 1e-14);
}

/* contacts that share no part have no block */
static void only_what_meets(void **state)
{
    (void)state;
    mo_error err;
    global *t = make(diagonal);
    assert_int_equal(problem_condense(&t->file, &err), MO_OK);
    assert_int_equal(t->file.local.start[CONTACTS], 4 + 2 * 3);
    drop(t);
    t = make(chain);
    assert_int_equal(problem_condense(&t->file, &err), MO_OK);
    assert_int_equal(t->file.local.start[CONTACTS], 16);
    drop(t);
}

/* ---- what is refused ---------------------------------------------------------------------------------- */

/* 1 2 3, 4 5 6, 7 8 9 down the diagonal: singular, though elimination leaves a number other than 0 */
static double singular(rng *random, size_t i, size_t j)
{
    (void)random;
    if (i >= 300)
        return i == j;
    return i / 3 == j / 3 ? (double)(3 * (i % 3) + j % 3 + 1) : 0;
}

static double empty_row(rng *random, size_t i, size_t j)
{
    return i == 399 ? 0 : diagonal(random, i, j);
}

/* the matrix of a free chain: constants are its null space */
static double floating(rng *random, size_t i, size_t j)
{
    (void)random;
    return i == j ? (i == 0 || i == ROWS - 1 ? 1 : 2) : i + 1 == j || j + 1 == i ? -1 : 0;
}

/* the same with springs whose sums are rounded: what elimination leaves is not 0 */
static double floating_rounded(rng *random, size_t i, size_t j)
{
    (void)random;
    const size_t k = i < j ? i : j;
    const double before = i > 0 ? 1 / (double)(3 * i) : 0, after = i + 1 < ROWS ? 1 / (double)(3 * i + 3) : 0;
    if (i == j)
        return before + after;
    return i + 1 == j || j + 1 == i ? -1 / (double)(3 * k + 3) : 0;
}

static void refuses_singular(void **state)
{
    (void)state;
    entry_of_M *const entries[] = {singular, empty_row, floating, floating_rounded};
    for (size_t k = 0; k < 4; k++) {
        global *t = make(entries[k]);
        mo_error err;
        assert_int_equal(problem_condense(&t->file, &err), MO_BAD_INPUT);
        assert_string_equal(err.key, "M");
        double r[COLUMNS] = {0}, v[ROWS];
        assert_int_equal(problem_global_velocity(&t->file, r, v, &err), MO_BAD_INPUT);
        drop(t);
    }
}

/* one freedom that every contact touches: a file of some kilobytes asks for a full W */
static void refuses_what_no_memory_holds(void **state)
{
    (void)state;
    enum { TOUCHING = 8193 };
    static size_t zeros[2 * TOUCHING], column[2 * TOUCHING];
    static double ones[2 * TOUCHING], w[2 * TOUCHING], mu[TOUCHING];
    for (size_t k = 0; k < 2 * TOUCHING; k++) {
        column[k] = k;
        ones[k] = 1;
    }
    mo_problem_file file = {.local = {.dim = 2, .contacts = TOUCHING, .mu = mu},
                            .global = true,
                            .M = {1, 1, 1, zeros, zeros, ones},
                            .H = {1, 2 * TOUCHING, 2 * TOUCHING, zeros, column, ones},
                            .f = ones,
                            .w = w};
    mo_error err;
    assert_int_equal(problem_condense(&file, &err), MO_BAD_INPUT);
    assert_string_equal(err.key, "H");
    assert_non_null(strstr(err.message, "W would have more than"));
}

/* nothing is freed twice, and nothing is nothing to free */
static void freeing_again_does_nothing(void **state)
{
    (void)state;
    mo_sparse_matrix m = {.rows = 1, .columns = 1, .entries = 1, .value = calloc(1, sizeof(double))};
    mo_sparse_matrix_free(&m);
    assert_true(m.value == NULL && m.entries == 0);
    mo_sparse_matrix_free(&m);
    mo_sparse_matrix_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind),
        cmocka_unit_test(only_what_meets),
        cmocka_unit_test(refuses_singular),
        cmocka_unit_test(refuses_what_no_memory_holds),
        cmocka_unit_test(freeing_again_does_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
