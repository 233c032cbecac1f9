/*
 * Sparse metrics: projections the same as in the dense form, by the method for small problems and by that for
 * large ones; factors kept and renewed as the pattern stays or changes; what is refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "convex/metric.h"
#include "core/rng.h"
#include "math/vec.h"
#include "support/close.h"
#include "support/count_allocations.h"

enum { N = 121, ROWS = 160, PER_ROW = 3 };

typedef struct sparse {
    size_t start[N + 1];
    uint32_t column[N * N];
    double entries[N * N];
    double full[N * N];
    mo_metric metric, dense;
} sparse;

static double spread(rng *r)
{
    return 2 * rng_uniform(r) - 1;
}

// compressed rows of s->full up to the diagonal, or whole
static void compress(sparse *s, bool whole)
{
    size_t used = 0;
    for (uint32_t i = 0; i < N; i++) {
        s->start[i] = used;
        for (uint32_t j = 0; j < N && (whole || j <= i); j++)
            if (s->full[i * N + j] != 0) {
                s->column[used] = j;
                s->entries[used++] = s->full[i * N + j];
            }
    }
    s->start[N] = used;
    s->metric =
        (mo_metric){.kind = MO_METRIC_SPARSE, .entries = s->entries, .start = s->start, .column = s->column};
    s->dense = (mo_metric){.kind = MO_METRIC_DENSE, .entries = s->full};
}

// random pairs anywhere, the diagonal heavier than what is beside it; condition of about 10^decades
static void random_metric(rng *r, size_t pairs, double decades, sparse *s)
{
    memset(s->full, 0, sizeof s->full);
    for (size_t i = 0; i < N; i++)
        s->full[i * N + i] = 0.1 * pow(10, decades * rng_uniform(r));
    for (size_t k = 0; k < pairs; k++) {
        size_t i = rng_next(r) % N, j = rng_next(r) % N;
        double x = spread(r);
        if (i == j || s->full[i * N + j] != 0)
            continue;
        s->full[i * N + j] = s->full[j * N + i] = x;
        s->full[i * N + i] += fabs(x);
        s->full[j * N + j] += fabs(x);
    }
    compress(s, false);
}

// factors: L L^T = M, lengths, products
static void factors(void **state)
{
    (void)state;
    rng r = rng_seed(701, 1);
    static sparse s;
    metric_factor f = {0};
    double x[N], y[N], z[N], scratch[N] = {0};
    for (int round = 0; round < 20; round++) {
        random_metric(&r, (size_t)(round * 20), 3, &s);
        assert_int_equal(metric_set(&f, N, &s.metric, NULL), MO_OK);
        for (size_t i = 0; i < N; i++)
            x[i] = spread(&r);
        metric_multiply(&f, N, x, y);
        for (size_t i = 0; i < N; i++)
            assert_close(y[i], vec_dot(N, s.full + i * N, x), 1e-12 * (1 + fabs(y[i])));
        // x.M^-1 x by either half of the solve
        vec_copy(N, y, z);
        metric_solve_lower(&f, z);
        double square = vec_dot(N, z, z);
        assert_close(square / vec_dot(N, x, y), 1, 1e-12);
        metric_solve_upper(&f, z);
        for (size_t i = 0; i < N; i++)
            assert_close(z[i], x[i], 1e-11);
        // a row with few entries
        uint32_t column[4] = {3, 40, 41, 119};
        double a[4] = {1, -2, 0.5, 3}, row[N] = {0};
        for (int k = 0; k < 4; k++)
            row[column[k]] = a[k];
        metric_solve_lower(&f, row);
        assert_close(metric_row_length(&f, 4, column, a, scratch) / vec_norm(N, row), 1, 1e-13);
        assert_true(vec_max_abs(N, scratch) == 0);
    }
    metric_free(&f);
}

typedef struct problem {
    size_t start[ROWS + 1];
    uint32_t column[ROWS * PER_ROW];
    double A[ROWS * PER_ROW], b[ROWS], z[N], full[ROWS * N];
} problem;

static void random_problem(rng *r, problem *p)
{
    memset(p->full, 0, sizeof p->full);
    for (size_t i = 0; i < ROWS; i++) {
        uint32_t at = rng_next(r) % (N - 2 * PER_ROW);
        p->start[i] = i * PER_ROW;
        for (size_t k = 0; k < PER_ROW; k++) {
            size_t e = i * PER_ROW + k;
            p->column[e] = at += 1 + rng_next(r) % 2;
            p->A[e] = p->full[i * N + at] = spread(r);
        }
        p->b[i] = -rng_uniform(r);
    }
    p->start[ROWS] = ROWS * PER_ROW;
    for (size_t j = 0; j < N; j++)
        p->z[j] = 3 * spread(r);
}

// the largest of what the conditions for x and lambda leave
static double kkt(const problem *p, const sparse *s, const double *x, const double *lambda)
{
    double worst = 0, force[N];
    for (size_t i = 0; i < N; i++) {
        force[i] = 0;
        for (size_t j = 0; j < N; j++)
            force[i] += s->full[i * N + j] * (x[j] - p->z[j]);
    }
    for (size_t i = 0; i < ROWS; i++) {
        double gap = vec_dot(N, p->full + i * N, x) - p->b[i];
        worst = fmax(worst, fmax(-gap, -lambda[i]));
        worst = fmax(worst, lambda[i] > 0 ? fabs(gap) : 0);
        vec_add(N, -lambda[i], p->full + i * N, force);
    }
    return fmax(worst, vec_max_abs(N, force) / 100);
}

// one projector, metrics of ever new patterns and the same; sparse rows go to the large method, dense ones
// not
static void projections(void **state)
{
    (void)state;
    rng r = rng_seed(703, 1);
    static sparse s;
    static problem p;
    double x[N], y[N], lambda[ROWS];
    mo_projector *projector;
    mo_projection_info info;
    assert_int_equal(mo_projector_create(&projector, NULL), MO_OK);
    random_problem(&r, &p);
    for (int round = 0; round < 12; round++) {
        mo_polyhedron rows = {.n = N, .rows = ROWS, .A = p.A, .b = p.b, .start = p.start, .column = p.column};
        mo_polyhedron table = {.n = N, .rows = ROWS, .A = p.full, .b = p.b};
        // the rows stay while the metric becomes another
        random_metric(&r, 200, 2, &s);
        assert_int_equal(mo_polyhedron_project(&table, &s.dense, p.z, y, NULL, NULL, NULL), MO_OK);
        assert_int_equal(mo_projector_set_metric(projector, N, &s.metric, NULL), MO_OK);
        assert_int_equal(mo_projector_project(projector, &rows, p.z, NULL, 0, x, lambda, &info, NULL), MO_OK);
        assert_int_equal(info.outcome, MO_PROJECTION_SOLVED);
        assert_true(info.large && info.active_count > 5);
        assert_true(kkt(&p, &s, x, lambda) < 1e-9);
        for (size_t j = 0; j < N; j++)
            assert_close(x[j], y[j], 1e-9);
        assert_int_equal(mo_projector_project(projector, &table, p.z, NULL, 0, x, lambda, &info, NULL),
                         MO_OK);
        assert_true(!info.large && info.outcome == MO_PROJECTION_SOLVED);
        assert_true(kkt(&p, &s, x, lambda) < 1e-11);
        for (size_t j = 0; j < N; j++)
            assert_close(x[j], y[j], 1e-11);
        // then new rows
        if (round % 3 == 2)
            random_problem(&r, &p);
    }
    mo_projector_destroy(projector);
}

// what is right of the diagonal may be given, and is not read
static void upper_half_is_not_read(void **state)
{
    (void)state;
    rng r = rng_seed(705, 1);
    static sparse s;
    metric_factor f = {0};
    double x[N], y[N];
    random_metric(&r, 200, 2, &s);
    for (size_t i = 0; i < N; i++)
        x[i] = y[i] = spread(&r);
    assert_int_equal(metric_set(&f, N, &s.metric, NULL), MO_OK);
    metric_solve_lower(&f, x);
    compress(&s, true);
    for (size_t i = 0; i < N; i++)
        for (size_t k = s.start[i]; k < s.start[i + 1]; k++)
            s.entries[k] = s.column[k] > i ? nan("") : s.entries[k];
    assert_int_equal(metric_set(&f, N, &s.metric, NULL), MO_OK);
    metric_solve_lower(&f, y);
    assert_memory_equal(x, y, sizeof x);
    metric_free(&f);
}

// new numbers in an old pattern cost no memory, neither in the factor nor in the projections
static void warm_metrics_do_not_allocate(void **state)
{
    (void)state;
    rng r = rng_seed(707, 1);
    static sparse s;
    static problem p;
    double x[N];
    mo_projector *projector;
    mo_polyhedron rows = {.n = N, .rows = ROWS, .A = p.A, .b = p.b, .start = p.start, .column = p.column};
    random_metric(&r, 200, 2, &s);
    random_problem(&r, &p);
    assert_int_equal(mo_projector_create(&projector, NULL), MO_OK);
    for (int round = 0; round < 20; round++) {
        calls = 0;
        for (size_t i = 0; i < N; i++)
            s.entries[s.start[i + 1] - 1] *= 1 + rng_uniform(&r);
        assert_int_equal(mo_projector_set_metric(projector, N, &s.metric, NULL), MO_OK);
        assert_int_equal(mo_projector_project(projector, &rows, p.z, NULL, 0, x, NULL, NULL, NULL), MO_OK);
        assert_true(round == 0 ? calls > 0 : calls == 0);
    }
    mo_projector_destroy(projector);
}

static void expect_refusal(metric_factor *f, size_t n, const mo_metric *m, const char *key, const char *part)
{
    mo_error err = {0};
    assert_int_equal(metric_set(f, n, m, &err), MO_BAD_INPUT);
    if (strcmp(err.key, key) != 0 || strstr(err.message, part) == NULL)
        fail_msg("[%s] %s, expected [%s] ...%s...", err.key, err.message, key, part);
    assert_true(f->identity);
}

static void refused(void **state)
{
    (void)state;
    metric_factor f = {0};
    size_t start[4] = {0, 1, 3, 5};
    uint32_t column[5] = {0, 0, 1, 1, 2};
    double entries[5] = {2, -1, 2, -1, 2}, x[3] = {1, 0, 1};
    mo_metric m = {.kind = MO_METRIC_SPARSE, .entries = entries, .start = start, .column = column}, other = m;
    other.start = NULL;
    expect_refusal(&f, 3, &other, "start", "NULL");
    other = m;
    other.column = NULL;
    expect_refusal(&f, 3, &other, "column", "NULL");
    other.entries = NULL;
    expect_refusal(&f, 3, &other, "entries", "NULL");
    start[0] = 1;
    expect_refusal(&f, 3, &m, "start", "0 at first");
    start[0] = 0, start[2] = (size_t)-1;
    expect_refusal(&f, 3, &m, "start", "row 2");
    start[2] = 3, column[2] = 0;
    expect_refusal(&f, 3, &m, "column", "row 2 has column 1 after column 1");
    column[2] = UINT32_MAX;
    expect_refusal(&f, 3, &m, "column", "row 2");
    column[2] = 1, entries[4] = HUGE_VAL;
    expect_refusal(&f, 3, &m, "entries", "row 3, column 3");
    // pivots: zero, negative, lost in rounding, none
    entries[4] = 2. / 3;
    expect_refusal(&f, 3, &m, "entries", "not positive definite");
    entries[4] = -1;
    expect_refusal(&f, 3, &m, "entries", "row 3 of 3");
    start[3] = 4;
    expect_refusal(&f, 3, &m, "entries", "row 3 of 3");
    start[3] = 5, entries[4] = 2;
    // and it works after all that: 2 -1; -1 2 -1; -1 2 times (1 1 1) is (1 0 1)
    assert_int_equal(metric_set(&f, 3, &m, NULL), MO_OK);
    metric_solve_lower(&f, x);
    metric_solve_upper(&f, x);
    for (int i = 0; i < 3; i++)
        assert_close(x[i], 1, 1e-15);
    metric_free(&f);
}

// pairs anywhere among 60 000 unknowns: the factor would take more than a gigabyte, and is not begun
static void factors_that_fill_are_refused(void **state)
{
    (void)state;
    enum { MANY = 60000 };
    rng r = rng_seed(709, 1);
    size_t *start = calloc(MANY + 1, sizeof *start), used = 0;
    uint32_t *column = calloc(5 * MANY, sizeof *column);
    double *entries = calloc(5 * MANY, sizeof *entries);
    metric_factor f = {0};
    assert_true(start != NULL && column != NULL && entries != NULL);
    for (uint32_t i = 0; i < MANY; i++) {
        // four columns, one from every quarter to the left
        for (uint32_t k = 0; k < 4 && i >= 4; k++) {
            column[used] = k * (i / 4) + rng_next(&r) % (i / 4);
            entries[used++] = 0.1;
        }
        column[used] = i;
        entries[used++] = 10;
        start[i + 1] = used;
    }
    mo_metric m = {.kind = MO_METRIC_SPARSE, .entries = entries, .start = start, .column = column};
    expect_refusal(&f, MANY, &m, "entries", "expected at most 134217728");
    metric_free(&f);
    free(start);
    free(column);
    free(entries);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(factors),
        cmocka_unit_test(projections),
        cmocka_unit_test(upper_half_is_not_read),
        cmocka_unit_test(warm_metrics_do_not_allocate),
        cmocka_unit_test(refused),
        cmocka_unit_test(factors_that_fill_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
