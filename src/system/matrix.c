/*
 * Symmetric matrices of every kind of metric by their rows left of the diagonal, their sums, and solves with
 * them.  Sparse ones are kept without what is right of the diagonal and with the diagonal, zero or not; all
 * their arrays are one block of memory that begins with the entries.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/fail.h"
#include "math/vec.h"
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

double metric_diagonal(const mo_metric *m, size_t n, size_t i)
{
    size_t begin;
    if (m->entries != NULL && m->kind == MO_METRIC_SPARSE)
        return m->entries[m->start[i + 1] - 1];
    return metric_row(m, n, i, &begin)[i - begin];
}

static void sparse_add(const mo_metric *m, size_t n, double c, const double *x, double *y)
{
    for (size_t i = 0; i < n; i++) {
        size_t last = m->start[i + 1] - 1;
        double sum = 0, xi = c * x[i];
        for (size_t k = m->start[i]; k < last; k++) {
            sum += m->entries[k] * x[m->column[k]];
            y[m->column[k]] += m->entries[k] * xi;
        }
        y[i] += m->entries[last] * xi + c * sum;
    }
}

void symmetric_add(const mo_metric *m, size_t n, double c, const double *x, double *y)
{
    if (m->entries == NULL)
        return;
    if (m->kind == MO_METRIC_SPARSE) {
        sparse_add(m, n, c, x, y);
        return;
    }
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
    // the diagonal is the largest of its row and column where M is positive
    for (size_t i = 0; i < n; i++)
        y[i] += c * fabs(metric_diagonal(m, n, i) * x[i]);
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

// one block for the three arrays of a sparse matrix
static bool sparse_block(size_t n, size_t count, double **entries, size_t **start, uint32_t **column)
{
    *entries = malloc(count * (sizeof **entries + sizeof **column) + (n + 1) * sizeof **start);
    if (*entries == NULL)
        return false;
    *start = (size_t *)(*entries + count);
    *column = (uint32_t *)(*start + n + 1);
    return true;
}

static bool sparse_copy(const mo_metric *from, size_t n, mo_metric *to, double **entries)
{
    size_t *start, used = 0;
    uint32_t *column;
    // no more than all of them and the diagonal
    if (!sparse_block(n, from->start[n] + n, entries, &start, &column))
        return false;
    for (size_t i = 0; i < n; i++) {
        double diagonal = 0;
        start[i] = used;
        for (size_t k = from->start[i]; k < from->start[i + 1] && from->column[k] <= i; k++) {
            if (from->column[k] == i) {
                diagonal = from->entries[k];
                continue;
            }
            (*entries)[used] = from->entries[k];
            column[used++] = from->column[k];
        }
        (*entries)[used] = diagonal;
        column[used++] = (uint32_t)i;
    }
    start[n] = used;
    *to = (mo_metric){.kind = MO_METRIC_SPARSE, .entries = *entries, .start = start, .column = column};
    return true;
}

bool metric_copy(const mo_metric *from, size_t n, mo_metric *to, double **entries)
{
    *to = (mo_metric){.kind = from->kind, .width = from->width};
    if (from->entries == NULL) {
        to->kind = MO_METRIC_IDENTITY;
        return true;
    }
    if (from->kind == MO_METRIC_SPARSE)
        return sparse_copy(from, n, to, entries);
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
    if (a.kind == MO_METRIC_SPARSE || b->kind == MO_METRIC_SPARSE)
        return (mo_metric){.kind = MO_METRIC_SPARSE};
    if (a.kind == b->kind && a.width == b->width)
        return a;
    // blocks of width w lie within a band of w - 1
    size_t wa = a.kind == MO_METRIC_BLOCKS ? a.width - 1 : a.width;
    size_t wb = b->kind == MO_METRIC_BLOCKS ? b->width - 1 : b->width;
    return (mo_metric){.kind = MO_METRIC_BANDED, .width = wa > wb ? wa : wb};
}

/* Entries of a row up to the diagonal: x[k] in column begin + k, or column[k]. */
typedef struct row_view {
    const double *x;
    const uint32_t *column;
    size_t begin, count;
} row_view;

static row_view view_row(const mo_metric *m, size_t n, size_t i)
{
    row_view row = {.count = 0};
    if (m->entries != NULL && m->kind == MO_METRIC_SPARSE) {
        row.x = m->entries + m->start[i];
        row.column = m->column + m->start[i];
        row.count = m->start[i + 1] - m->start[i];
        return row;
    }
    row.x = metric_row(m, n, i, &row.begin);
    row.count = i - row.begin + 1;
    return row;
}

static size_t view_column(const row_view *row, size_t k)
{
    return row->column != NULL ? row->column[k] : row->begin + k;
}

// row i of to += c row; place: [n] scratch
static void add_to_sparse(const mo_metric *to, double *entries, size_t i, double c, const row_view *row,
                          size_t *place)
{
    for (size_t k = to->start[i]; k < to->start[i + 1]; k++)
        place[to->column[k]] = k;
    for (size_t k = 0; k < row->count; k++)
        entries[place[view_column(row, k)]] += c * row->x[k];
}

// to += c m, in the layout of `to`; place: [n] scratch where that is sparse
static void add_entries(const mo_metric *to, double *entries, size_t n, double c, const mo_metric *m,
                        size_t *place)
{
    for (size_t i = 0; i < n; i++) {
        row_view row_m = view_row(m, n, i);
        size_t begin;
        if (to->kind == MO_METRIC_SPARSE) {
            add_to_sparse(to, entries, i, c, &row_m, place);
            continue;
        }
        double *row = entries + (metric_row(to, n, i, &begin) - to->entries);
        for (size_t k = 0; k < row_m.count; k++)
            row[view_column(&row_m, k) - begin] += c * row_m.x[k];
    }
}

size_t metric_not_positive(const mo_metric *matrix, size_t n)
{
    size_t i = 0;
    while (i < n && metric_diagonal(matrix, n, i) > 0)
        i++;
    return i;
}

void metric_add_dense(const mo_metric *m, size_t n, double *D)
{
    mo_metric dense = {.kind = MO_METRIC_DENSE, .entries = D};
    add_entries(&dense, D, n, 1, m, NULL);
}

static int compare_columns(const void *a, const void *b)
{
    uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
    return i < j ? -1 : i > j;
}

// columns of row i of the sum, rising, those with a mark other than i only; returns how many
static size_t join_row(const mo_metric *const part[3], size_t n, size_t i, size_t *mark, uint32_t *column)
{
    size_t count = 0;
    bool rising = true;
    for (int p = 0; p < 3; p++) {
        row_view row = {.count = 0};
        if (p == 0 || part[p]->entries != NULL)
            row = view_row(part[p], n, i);
        for (size_t k = 0; k < row.count; k++) {
            size_t j = view_column(&row, k);
            if (mark[j] == i)
                continue;
            mark[j] = i;
            rising = rising && (count == 0 || j > column[count - 1]);
            column[count++] = (uint32_t)j;
        }
    }
    if (!rising)
        qsort(column, count, sizeof *column, compare_columns);
    return count;
}

// pattern of the sum, entries not set
static bool join_patterns(inertia *sum, size_t n, const mo_metric *const part[3], size_t *mark)
{
    size_t *start, most = 0;
    uint32_t *column;
    for (size_t i = 0; i < n; i++)
        for (int p = 0; p < 3; p++)
            most += p == 0 || part[p]->entries != NULL ? view_row(part[p], n, i).count : 0;
    if (!sparse_block(n, most, &sum->entries, &start, &column))
        return false;
    for (size_t i = 0; i < n; i++)
        mark[i] = n;
    start[0] = 0;
    for (size_t i = 0; i < n; i++)
        start[i + 1] = start[i] + join_row(part, n, i, mark, column + start[i]);
    sum->matrix =
        (mo_metric){.kind = MO_METRIC_SPARSE, .entries = sum->entries, .start = start, .column = column};
    return true;
}

// sum->matrix := the matrix of the kind that holds all parts; entries are made at first
static bool prepare_sum(inertia *sum, size_t n, const mo_metric *const part[3], size_t **place)
{
    mo_metric kind = {.kind = MO_METRIC_DIAGONAL};
    for (int p = 0; p < 3; p++)
        kind = join(kind, part[p]);
    if (kind.kind == MO_METRIC_SPARSE) {
        *place = malloc(n * sizeof **place);
        return *place != NULL && (sum->entries != NULL || join_patterns(sum, n, part, *place));
    }
    if (sum->entries == NULL)
        sum->entries = malloc(entry_count(&kind, n) * sizeof *sum->entries);
    kind.entries = sum->entries;
    sum->matrix = kind;
    return sum->entries != NULL;
}

mo_status inertia_sum(inertia *sum, size_t n, const mo_metric *M, double c, const mo_metric *C, double k,
                      const mo_metric *K, mo_error *err)
{
    const mo_metric *const part[3] = {M, C, K};
    const double factor[3] = {1, c, k};
    size_t *place = NULL;
    bool fits = prepare_sum(sum, n, part, &place);
    if (fits) {
        bool sparse = sum->matrix.kind == MO_METRIC_SPARSE;
        vec_zero(sparse ? sum->matrix.start[n] : entry_count(&sum->matrix, n), sum->entries);
        for (int p = 0; p < 3; p++)
            if (p == 0 || part[p]->entries != NULL)
                add_entries(&sum->matrix, sum->entries, n, factor[p], part[p], place);
    }
    free(place);
    if (!fits)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for a matrix of %zu unknowns", n);
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
    gap_rows_free(A->rows);
}
