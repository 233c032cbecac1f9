/*
 * Sparse metrics: rows kept from their first entry to the diagonal, factors by math/sparse_cholesky.h.  The
 * analysis is kept while the pattern stays the same.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "convex/metric.h"
#include "core/buffer.h"
#include "core/fail.h"
#include "math/vec.h"

/* entries of a factor beyond which a matrix is refused: a gigabyte */
static const size_t MOST = (size_t)1 << 27;

static mo_status check_row(size_t n, const mo_metric *m, size_t i, mo_error *err)
{
    for (size_t k = m->start[i]; k < m->start[i + 1]; k++) {
        if (m->column[k] >= n)
            return fail(err, MO_BAD_INPUT, "column", "row %zu has an entry in column %zu of %zu", i + 1,
                        (size_t)m->column[k] + 1, n);
        if (k > m->start[i] && m->column[k] <= m->column[k - 1])
            return fail(err, MO_BAD_INPUT, "column",
                        "row %zu has column %zu after column %zu, expected rising ones", i + 1,
                        (size_t)m->column[k] + 1, (size_t)m->column[k - 1] + 1);
        if (m->column[k] <= i && !isfinite(m->entries[k]))
            return fail(err, MO_BAD_INPUT, "entries", "%g in row %zu, column %zu, expected a finite number",
                        m->entries[k], i + 1, (size_t)m->column[k] + 1);
    }
    return MO_OK;
}

mo_status metric_check_rows(size_t n, const mo_metric *m, mo_error *err)
{
    if (m->start == NULL || m->column == NULL)
        return fail(err, MO_BAD_INPUT, m->start == NULL ? "start" : "column",
                    "NULL, expected the rows of a sparse matrix");
    if (n >= INT32_MAX || m->start[0] != 0)
        return fail(err, MO_BAD_INPUT, n >= INT32_MAX ? "n" : "start", "found %zu, expected %s",
                    n >= INT32_MAX ? n : m->start[0], n >= INT32_MAX ? "fewer than 2^31" : "0 at first");
    mo_status status = MO_OK;
    for (size_t i = 0; status == MO_OK && i < n; i++) {
        if (m->start[i + 1] < m->start[i] || m->start[i + 1] - m->start[i] > n)
            return fail(err, MO_BAD_INPUT, "start",
                        "row %zu begins at %zu and ends at %zu, expected 0 to %zu entries", i + 1,
                        m->start[i], m->start[i + 1], n);
        status = check_row(n, m, i, err);
    }
    return status;
}

// entries of row i up to the diagonal, which is not among them when it is not given
static size_t entries_left(const mo_metric *m, size_t i)
{
    size_t k = m->start[i];
    while (k < m->start[i + 1] && m->column[k] < i)
        k++;
    return k - m->start[i];
}

// room; *same: the pattern is that of the last analysis
static bool reserve(metric_factor *f, size_t n, const mo_metric *m, bool *same)
{
    size_t length = n;
    for (size_t i = 0; i < n; i++)
        length += entries_left(m, i);
    column rows = {(void **)&f->start, sizeof *f->start};
    column entries[] = {{(void **)&f->column, sizeof *f->column}, {(void **)&f->slot, sizeof *f->slot}};
    column values = {(void **)&f->M, sizeof *f->M};
    if (f->cholesky == NULL)
        f->cholesky = calloc(1, sizeof *f->cholesky);
    if (f->cholesky == NULL || !columns_reserve(&rows, 1, &f->room_start, n + 1) ||
        !columns_reserve(entries, 2, &f->room_column, length) ||
        !columns_reserve(&values, 1, &f->room_M, length))
        return false;
    *same = f->cholesky->panels > 0 && f->cholesky->n == n && f->start[n] == length;
    for (size_t i = 0; *same && i < n; i++) {
        size_t left = entries_left(m, i);
        *same = f->start[i + 1] - f->start[i] == left + 1 &&
                memcmp(f->column + f->start[i], m->column + m->start[i], left * sizeof *f->column) == 0;
    }
    return true;
}

// start and column := the rows up to the diagonal
static void copy_pattern(metric_factor *f, size_t n, const mo_metric *m)
{
    f->start[0] = 0;
    for (size_t i = 0; i < n; i++) {
        size_t left = entries_left(m, i), at = f->start[i];
        memcpy(f->column + at, m->column + m->start[i], left * sizeof *f->column);
        f->column[at + left] = (uint32_t)i;
        f->start[i + 1] = at + left + 1;
    }
}

// near := the whole pattern, rows on both sides of the diagonal, and its analysis
static bool analyse(metric_factor *f, size_t n)
{
    free(f->near_at);
    free(f->near);
    size_t *start = f->near_at = calloc(n + 2, sizeof *start);
    uint32_t *index = f->near = malloc(2 * f->start[n] * sizeof *index);
    bool done = start != NULL && index != NULL;
    for (size_t i = 0; done && i < n; i++) {
        start[i + 2] += f->start[i + 1] - f->start[i];
        for (size_t k = f->start[i]; k + 1 < f->start[i + 1]; k++)
            start[f->column[k] + 2]++;
    }
    for (size_t i = 0; done && i < n; i++)
        start[i + 2] += start[i + 1];
    // start[i + 1] moves from where row i begins to where it ends
    for (size_t i = 0; done && i < n; i++)
        for (size_t k = f->start[i]; k < f->start[i + 1]; k++) {
            uint32_t j = f->column[k];
            index[start[i + 1]++] = j;
            if (j != i)
                index[start[j + 1]++] = (uint32_t)i;
        }
    f->cholesky->limit = MOST;
    f->cholesky->length = 0;
    return done && sparse_cholesky_analyse(f->cholesky, (uint32_t)n, start, index);
}

static mo_status prepare(metric_factor *f, size_t n, const mo_metric *m, mo_error *err)
{
    bool same = false;
    if (!reserve(f, n, m, &same))
        return fail(err, MO_NO_MEMORY, NULL, "no memory for a sparse metric of %zu unknowns", n);
    if (same)
        return MO_OK;
    f->pattern++;
    copy_pattern(f, n, m);
    if (!analyse(f, n)) {
        // nothing to compare the next pattern with
        f->cholesky->panels = 0;
        if (f->cholesky->length > MOST)
            return fail(err, MO_BAD_INPUT, "entries",
                        "the factor of the sparse metric has %zu entries, expected at most %zu",
                        f->cholesky->length, MOST);
        return fail(err, MO_NO_MEMORY, NULL, "no memory for the factor of a sparse metric of %zu unknowns",
                    n);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t k = f->start[i]; k < f->start[i + 1]; k++)
            f->slot[k] = sparse_cholesky_slot(f->cholesky, (uint32_t)i, f->column[k]);
    return MO_OK;
}

// false: a pivot is not positive to rounding, that of row *at
static bool factor(metric_factor *f, size_t n, size_t *at)
{
    sparse_cholesky *c = f->cholesky;
    sparse_cholesky_clear(c);
    for (size_t k = 0; k < f->length; k++)
        c->L[f->slot[k]] += f->M[k];
    if (!sparse_cholesky_factor(c)) {
        *at = c->stopped;
        return false;
    }
    for (size_t i = 0; i < n; i++) {
        size_t diagonal = f->start[i + 1] - 1;
        double root = c->L[f->slot[diagonal]];
        *at = i;
        if (!(root * root > 1e-15 * f->M[diagonal]) || !isfinite(1 / root))
            return false;
    }
    return true;
}

mo_status metric_set_sparse(metric_factor *f, size_t n, const mo_metric *m, mo_error *err)
{
    size_t at = 0;
    mo_status status = metric_check_rows(n, m, err);
    if (status == MO_OK)
        status = prepare(f, n, m, err);
    if (status != MO_OK)
        return status;
    f->n = n;
    f->length = f->start[n];
    for (size_t i = 0; i < n; i++) {
        size_t left = entries_left(m, i), from = m->start[i];
        bool has_diagonal = from + left < m->start[i + 1] && m->column[from + left] == i;
        vec_copy(left, m->entries + from, f->M + f->start[i]);
        f->M[f->start[i] + left] = has_diagonal ? m->entries[from + left] : 0;
    }
    if (!factor(f, n, &at))
        return fail(err, MO_BAD_INPUT, "entries",
                    "the metric is not positive definite to rounding: pivot of row %zu of %zu", at + 1, n);
    f->kind = MO_METRIC_SPARSE;
    f->identity = f->diagonal = false;
    return MO_OK;
}

void metric_free_sparse(metric_factor *f)
{
    if (f->cholesky != NULL)
        sparse_cholesky_free(f->cholesky);
    free(f->cholesky);
    free(f->start);
    free(f->column);
    free(f->slot);
    free(f->near_at);
    free(f->near);
}

void metric_multiply_sparse(const metric_factor *f, const double *x, double *y)
{
    for (size_t i = 0; i < f->n; i++) {
        double sum = 0;
        size_t last = f->start[i + 1] - 1;
        for (size_t k = f->start[i]; k < last; k++) {
            sum += f->M[k] * x[f->column[k]];
            y[f->column[k]] += f->M[k] * x[i];
        }
        y[i] = sum + f->M[last] * x[i];
    }
}
