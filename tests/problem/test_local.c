/* Problems in memory: from full matrices, and what is refused. */
#include <stdlib.h>

#include "problem/local.h"
#include "problem/one_contact.h"

/* three contacts in the plane; contact 1 touches nothing, not even itself */
static const double full[36] = {
    4, 1, 0, 0, 0,  5, //
    1, 3, 0, 0, -2, 0, //
    0, 0, 0, 0, 0,  0, //
    0, 0, 0, 0, 0,  0, //
    0, 0, 0, 0, 2,  0, //
    7, 0, 0, 0, 0,  9,
};
static const double some_q[6] = {1, 2, 3, 4, 5, 6}, some_mu[3] = {0, 0.5, 2};

static void from_dense(void **state)
{
    (void)state;
    mo_problem p;
    mo_error err;
    assert_int_equal(mo_problem_from_dense(2, 3, full, some_q, some_mu, &p, &err), MO_OK);
    const size_t start[4] = {0, 2, 2, 4};
    const uint32_t column[4] = {0, 2, 0, 2};
    const double W[16] = {4, 1, 1, 3, 0, 5, -2, 0, 0, 0, 7, 0, 2, 0, 0, 9};
    assert_int_equal(p.dim, 2);
    assert_int_equal(p.contacts, 3);
    assert_memory_equal(p.start, start, sizeof start);
    assert_memory_equal(p.column, column, sizeof column);
    assert_memory_equal(p.W, W, sizeof W);
    assert_memory_equal(p.q, some_q, sizeof some_q);
    assert_memory_equal(p.mu, some_mu, sizeof some_mu);
    assert_int_equal(mo_problem_check(&p, &err), MO_OK);
    mo_problem_free(&p);
    assert_null(p.W);
    mo_problem_free(&p);
    mo_problem_free(NULL);
    assert_int_equal(mo_problem_from_dense(3, 0, NULL, NULL, NULL, &p, &err), MO_OK);
    assert_int_equal(mo_problem_check(&p, &err), MO_OK);
    mo_problem_free(&p);
}

/* the same matrix from its entries in reverse, some of them in two pieces */
static void from_entries(void **state)
{
    (void)state;
    size_t row[80], column[80], count = 0;
    double value[80];
    for (size_t k = 36; k-- > 0;)
        for (int piece = 0; piece < 2 && full[k] != 0; piece++, count++) {
            row[count] = k / 6;
            column[count] = k % 6;
            value[count] = full[k] / 2;
        }
    const mo_sparse_matrix entries = {6, 6, count, row, column, value};
    mo_problem p = {.dim = 2, .contacts = 3}, q;
    mo_error err;
    assert_int_equal(problem_from_entries(&entries, &p, &err), MO_OK);
    assert_int_equal(mo_problem_from_dense(2, 3, full, some_q, some_mu, &q, &err), MO_OK);
    assert_memory_equal(p.start, q.start, 4 * sizeof *p.start);
    assert_memory_equal(p.column, q.column, 4 * sizeof *p.column);
    for (size_t k = 0; k < 16; k++)
        assert_close(p.W[k], q.W[k], 0);
    mo_problem_free(&p);
    mo_problem_free(&q);
}

/* ---- what is refused ---------------------------------------------------------------------------------- */

static void assert_refused(const mo_problem *p, const char *key)
{
    mo_error err = {.key = ""};
    assert_int_equal(mo_problem_check(p, &err), MO_BAD_INPUT);
    assert_string_equal(err.key, key);
    assert_true(err.message[0] != '\0');
    mo_problem_residual out;
    const double r[6] = {0};
    assert_int_equal(mo_problem_certify(p, r, NULL, &out, NULL), MO_BAD_INPUT);
}

static void bad_structure(void **state)
{
    (void)state;
    mo_problem p;
    mo_error err;
    assert_int_equal(mo_problem_from_dense(2, 3, full, some_q, some_mu, &p, &err), MO_OK);
    mo_problem wrong = p;
    wrong.dim = 4;
    assert_refused(&wrong, "dim");
    wrong = p;
    wrong.contacts = (size_t)1 << 40;
    assert_refused(&wrong, "contacts");
    wrong = p;
    wrong.q = NULL;
    assert_refused(&wrong, "");
    wrong = p;
    wrong.column = NULL;
    assert_refused(&wrong, "W");
    size_t falls[4] = {0, 3, 2, 4}, late[4] = {1, 2, 2, 4}, huge[4] = {0, SIZE_MAX, SIZE_MAX, 4};
    size_t *const starts[] = {falls, late, huge};
    for (size_t k = 0; k < 3; k++) {
        wrong = p;
        wrong.start = starts[k];
        assert_refused(&wrong, "start");
    }
    uint32_t outside[4] = {0, 3, 0, 2}, same[4] = {0, 0, 0, 2}, back[4] = {2, 0, 0, 2};
    uint32_t *const columns[] = {outside, same, back};
    for (size_t k = 0; k < 3; k++) {
        wrong = p;
        wrong.column = columns[k];
        assert_refused(&wrong, "column");
    }
    mo_problem_free(&p);
}

static void bad_values(void **state)
{
    (void)state;
    const double bad[] = {strtod("nan", NULL), HUGE_VAL, -HUGE_VAL};
    mo_problem p;
    mo_error err;
    assert_int_equal(mo_problem_from_dense(2, 3, full, some_q, some_mu, &p, &err), MO_OK);
    for (size_t k = 0; k < 3; k++) {
        p.W[15] = bad[k];
        assert_refused(&p, "W");
        p.W[15] = 9;
        p.q[5] = bad[k];
        assert_refused(&p, "q");
        p.q[5] = 6;
        p.mu[2] = bad[k];
        assert_refused(&p, "mu");
        p.mu[2] = 2;
    }
    p.mu[0] = -1e-300;
    assert_refused(&p, "mu");
    mo_problem_free(&p);
    // outputs stay as they were
    const double negative[3] = {0, -1, 0};
    assert_int_equal(mo_problem_from_dense(2, 3, full, some_q, negative, &p, &err), MO_BAD_INPUT);
    assert_null(p.W);
    assert_int_equal(mo_problem_from_dense(5, 3, full, some_q, some_mu, &p, &err), MO_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(from_dense),
        cmocka_unit_test(from_entries),
        cmocka_unit_test(bad_structure),
        cmocka_unit_test(bad_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
