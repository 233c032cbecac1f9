/*
 * Symmetric matrices of every kind of metric by their rows left of the diagonal, their sums, and solves with
 * them.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "convex/dense.h"
#include "core/fail.h"
#include "system/internal.h"

const double *metric_row(const mo_metric *m, size_t n, size_t i, size_t *begin)
{
    static const double one = 1;
    *begin = i;
    switch (m->entries != NULL ? m->kind : MO_METRIC_IDENTITY) {
    case MO_METRIC_DIAGONAL:
        return m->entries + i;
    case MO_METRIC_DENSE:
        *begin = 0;
        return m->entries + i * n;
    case MO_METRIC_BANDED:
        *begin = i > m->width ? i - m->width : 0;
        return m->entries + i * (m->width + 1) + (m->width + *begin - i);
    case MO_METRIC_BLOCKS:
        *begin = i - i % m->width;
        return m->entries + i * m->width;
    default:
        return &one;
    }
}

void symmetric_add(const mo_metric *m, size_t n, double c, const double *x, double *y)
{
    if (m->entries == NULL)
        return;
    for (size_t i = 0; i < n; i++) {
        size_t begin, left;
        const double *row = metric_row(m, n, i, &begin);
        double sum = 0, xi = c * x[i];
        left = i - begin;
        // short rows are most of a banded matrix: no call
        for (size_t j = 0; j < left; j++) {
            sum += row[j] * x[begin + j];
            y[begin + j] += row[j] * xi;
        }
        y[i] += row[left] * xi + c * sum;
    }
}

void symmetric_add_size(const mo_metric *m, size_t n, double c, const double *x, double *y)
{
    if (m->entries == NULL)
        return;
    for (size_t i = 0; i < n; i++) {
        size_t begin;
        const double *row = metric_row(m, n, i, &begin);
        // the diagonal is the largest of its row and column where M is positive
        y[i] += c * fabs(row[i - begin] * x[i]);
    }
}

void symmetric_multiply(const mo_metric *m, size_t n, const double *x, double *y)
{
    if (m->entries == NULL) {
        vec_copy(n, x, y);
        return;
    }
    if (m->kind == MO_METRIC_DIAGONAL) {
        for (size_t i = 0; i < n; i++)
            y[i] = m->entries[i] * x[i];
        return;
    }
    vec_zero(n, y);
    symmetric_add(m, n, 1, x, y);
}

static size_t entry_count(const mo_metric *m, size_t n)
{
    switch (m->kind) {
    case MO_METRIC_DENSE:
        return n * n;
    case MO_METRIC_BANDED:
        return n * (m->width + 1);
    case MO_METRIC_BLOCKS:
        return n * m->width;
    default:
        return n;
    }
}

bool metric_copy(const mo_metric *from, size_t n, mo_metric *to, double **entries)
{
    *to = (mo_metric){.kind = from->kind, .width = from->width};
    if (from->entries == NULL) {
        to->kind = MO_METRIC_IDENTITY;
        return true;
    }
    bool identity = from->kind == MO_METRIC_IDENTITY;
    *entries = malloc(entry_count(from, n) * sizeof **entries);
    if (*entries == NULL)
        return false;
    for (size_t i = 0; identity && i < n; i++)
        (*entries)[i] = 1;
    if (!identity)
        memcpy(*entries, from->entries, entry_count(from, n) * sizeof **entries);
    to->kind = identity ? MO_METRIC_DIAGONAL : from->kind;
    to->entries = *entries;
    return true;
}

// the kind of a sum
static mo_metric join(mo_metric a, const mo_metric *b)
{
    bool none = b->entries == NULL || b->kind <= MO_METRIC_DIAGONAL;
    if (none || a.kind == MO_METRIC_DENSE)
        return a;
    if (a.kind <= MO_METRIC_DIAGONAL || b->kind == MO_METRIC_DENSE)
        return (mo_metric){.kind = b->kind, .width = b->width};
    if (a.kind == b->kind && a.width == b->width)
        return a;
    // blocks of width w lie within a band of w - 1
    size_t wa = a.kind == MO_METRIC_BLOCKS ? a.width - 1 : a.width;
    size_t wb = b->kind == MO_METRIC_BLOCKS ? b->width - 1 : b->width;
    return (mo_metric){.kind = MO_METRIC_BANDED, .width = wa > wb ? wa : wb};
}

// to += c m, in the layout of `to`
static void add_entries(const mo_metric *to, double *entries, size_t n, double c, const mo_metric *m)
{
    for (size_t i = 0; i < n; i++) {
        size_t begin, begin_m;
        double *row = entries + (metric_row(to, n, i, &begin) - to->entries);
        const double *row_m = metric_row(m, n, i, &begin_m);
        for (size_t j = begin_m; j <= i; j++)
            row[j - begin] += c * row_m[j - begin_m];
    }
}

mo_status inertia_sum(inertia *sum, size_t n, const mo_metric *M, double c, const mo_metric *C, double k,
                      const mo_metric *K, mo_error *err)
{
    mo_metric kind = {.kind = MO_METRIC_DIAGONAL};
    kind = join(join(join(kind, M), C), K);
    size_t count = entry_count(&kind, n);
    if (sum->entries == NULL)
        sum->entries = malloc(count * sizeof *sum->entries);
    if (sum->entries == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for a matrix of %zu unknowns", n);
    vec_zero(count, sum->entries);
    kind.entries = sum->entries;
    add_entries(&kind, sum->entries, n, 1, M);
    if (C->entries != NULL)
        add_entries(&kind, sum->entries, n, c, C);
    if (K->entries != NULL)
        add_entries(&kind, sum->entries, n, k, K);
    sum->matrix = kind;
    return metric_set(&sum->factor, n, &sum->matrix, err);
}

void inertia_solve(const inertia *A, double *x)
{
    metric_solve_lower(&A->factor, x);
    metric_solve_upper(&A->factor, x);
}

void inertia_free(inertia *A)
{
    metric_free(&A->factor);
    free(A->entries);
    free(A->Y);
    free(A->ready);
}
