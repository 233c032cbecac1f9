/* Cholesky factors inside an envelope: see metric.h. */
#include "convex/metric.h"

#include <stdint.h>
#include <stdlib.h>

#include "core/fail.h"
#include "math/vec.h"

static size_t first_column(const mo_metric *m, size_t i)
{
    switch (m->kind) {
    case MO_METRIC_DENSE:
        return 0;
    case MO_METRIC_BANDED:
        return i > m->width ? i - m->width : 0;
    case MO_METRIC_BLOCKS:
        return i - i % m->width;
    default:
        return i;
    }
}

static double entry(const mo_metric *m, size_t n, size_t i, size_t j)
{
    switch (m->kind) {
    case MO_METRIC_DIAGONAL:
        return m->entries[i];
    case MO_METRIC_DENSE:
        return m->entries[i * n + j];
    case MO_METRIC_BANDED:
        return m->entries[i * (m->width + 1) + (m->width + j - i)];
    case MO_METRIC_BLOCKS:
        return m->entries[i * m->width + j % m->width];
    default:
        return 1;
    }
}

static mo_status check_shape(size_t n, const mo_metric *m, mo_error *err)
{
    if (m->entries == NULL)
        return fail(err, MO_BAD_INPUT, "entries", "NULL, expected the entries of the metric");
    if (m->kind > MO_METRIC_SPARSE)
        return fail(err, MO_BAD_INPUT, "kind", "%d is no kind of metric", (int)m->kind);
    if (m->kind == MO_METRIC_BLOCKS && (m->width == 0 || n % m->width != 0))
        return fail(err, MO_BAD_INPUT, "width", "%zu, expected a divisor of n = %zu", m->width, n);
    return MO_OK;
}

// keep: the metric itself too
static bool reserve(metric_factor *f, size_t n, size_t length, bool keep)
{
    if (n > f->room) {
        double *inverse = realloc(f->inverse, n * sizeof *inverse);
        f->inverse = inverse != NULL ? inverse : f->inverse;
        size_t *first = realloc(f->first, n * sizeof *first);
        f->first = first != NULL ? first : f->first;
        size_t *row = realloc(f->row, n * sizeof *row);
        f->row = row != NULL ? row : f->row;
        if (inverse == NULL || first == NULL || row == NULL)
            return false;
        f->room = n;
    }
    if (length > f->room_L) {
        double *L = realloc(f->L, length * sizeof *L);
        if (L == NULL)
            return false;
        f->L = L;
        f->room_L = length;
    }
    if (keep && length > f->room_M) {
        double *M = realloc(f->M, length * sizeof *M);
        if (M == NULL)
            return false;
        f->M = M;
        f->room_M = length;
    }
    return true;
}

// lays the envelope out; returns its length
static size_t envelope(const mo_metric *m, size_t n, size_t *first, size_t *row)
{
    size_t length = 0;
    for (size_t i = 0; i < n; i++) {
        size_t begin = first_column(m, i);
        if (first != NULL) {
            first[i] = begin;
            row[i] = length - begin;
        }
        length += i - begin + 1;
    }
    return length;
}

// row i of L from the rows above; false when the pivot is not positive to rounding
static bool factor_row(metric_factor *f, const mo_metric *m, size_t i)
{
    double *Li = f->L + f->row[i];
    double diagonal = entry(m, f->n, i, i), pivot = diagonal;
    for (size_t j = f->first[i]; j < i; j++) {
        const double *Lj = f->L + f->row[j];
        size_t begin = f->first[i] > f->first[j] ? f->first[i] : f->first[j];
        double sum = entry(m, f->n, i, j) - vec_dot(j - begin, Li + begin, Lj + begin);
        Li[j] = sum * f->inverse[j];
        pivot -= Li[j] * Li[j];
    }
    if (!(pivot > 1e-15 * diagonal) || !isfinite(pivot))
        return false;
    Li[i] = sqrt(pivot);
    f->inverse[i] = 1 / Li[i];
    return isfinite(f->inverse[i]);
}

mo_status metric_set(metric_factor *f, size_t n, const mo_metric *metric, mo_error *err)
{
    f->identity = true;
    f->kind = MO_METRIC_IDENTITY;
    f->width = 0;
    if (metric == NULL || metric->kind == MO_METRIC_IDENTITY)
        return MO_OK;
    mo_status status = check_shape(n, metric, err);
    if (status != MO_OK)
        return status;
    if (n == 0 || n > SIZE_MAX / sizeof(double) / n)
        return fail(err, MO_BAD_INPUT, "n", "%zu unknowns, expected at least 1 and n^2 in memory", n);
    if (metric->kind == MO_METRIC_SPARSE)
        return metric_set_sparse(f, n, metric, err);
    bool keep = metric->kind != MO_METRIC_DENSE;
    if (!reserve(f, n, envelope(metric, n, NULL, NULL), keep))
        return fail(err, MO_NO_MEMORY, NULL, "no memory for a metric of %zu unknowns", n);
    f->length = envelope(metric, n, f->first, f->row);
    f->n = n;
    for (size_t i = 0; i < n; i++)
        if (!factor_row(f, metric, i))
            return fail(err, MO_BAD_INPUT, "entries",
                        "the metric is not positive definite to rounding: pivot %zu of %zu", i + 1, n);
    for (size_t i = 0; keep && i < n; i++)
        for (size_t j = f->first[i]; j <= i; j++)
            f->M[f->row[i] + j] = entry(metric, n, i, j);
    f->kind = metric->kind;
    f->width = metric->width;
    f->identity = false;
    f->diagonal = metric->kind == MO_METRIC_DIAGONAL;
    return MO_OK;
}

void metric_free(metric_factor *f)
{
    free(f->inverse);
    free(f->first);
    free(f->row);
    free(f->L);
    free(f->M);
    metric_free_sparse(f);
}

void metric_multiply(const metric_factor *f, size_t n, const double *x, double *y)
{
    if (f->identity) {
        vec_copy(n, x, y);
        return;
    }
    if (f->kind == MO_METRIC_SPARSE) {
        metric_multiply_sparse(f, x, y);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        size_t begin = f->first[i];
        const double *Mi = f->M + (f->row[i] + begin);
        y[i] = Mi[i - begin] * x[i] + vec_dot(i - begin, Mi, x + begin);
        vec_add(i - begin, x[i], Mi, y + begin);
    }
}

// L^-1 a from the first entry of a on, until nothing is left of it; the last row done.  Rows of the envelope
// begin ever farther right, so that a run of negligible entries stays negligible.
static size_t solve_row(const metric_factor *f, size_t first, size_t last, double *x)
{
    size_t i = first, reach = last;
    double largest = 0;
    for (; i < f->n && (i <= last || f->first[i] <= reach); i++) {
        size_t begin = f->first[i] > first ? f->first[i] : first;
        double sum = x[i];
        if (begin < i)
            sum -= vec_dot(i - begin, f->L + (f->row[i] + begin), x + begin);
        x[i] = sum * f->inverse[i];
        largest = fmax(largest, fabs(x[i]));
        if (i > reach && fabs(x[i]) > 1e-18 * largest)
            reach = i;
    }
    return i;
}

double metric_row_length(const metric_factor *f, size_t count, const uint32_t *column, const double *a,
                         double *scratch)
{
    double square = 0;
    if (count == 0)
        return 0;
    if (f->identity || f->diagonal) {
        for (size_t k = 0; k < count; k++) {
            double g = f->identity ? a[k] : a[k] * f->inverse[column[k]];
            square += g * g;
        }
        return sqrt(square);
    }
    if (f->kind == MO_METRIC_SPARSE)
        return sparse_cholesky_length(f->cholesky, count, column, a, scratch);
    for (size_t k = 0; k < count; k++)
        scratch[column[k]] = a[k];
    size_t end = solve_row(f, column[0], column[count - 1], scratch);
    double length = vec_norm(end - column[0], scratch + column[0]);
    vec_zero(end - column[0], scratch + column[0]);
    return length;
}

void metric_solve_lower(const metric_factor *f, double *x)
{
    if (f->identity)
        return;
    if (f->kind == MO_METRIC_SPARSE) {
        sparse_cholesky_solve_lower(f->cholesky, x);
        return;
    }
    for (size_t i = 0; i < f->n; i++) {
        size_t begin = f->first[i];
        x[i] = (x[i] - vec_dot(i - begin, f->L + (f->row[i] + begin), x + begin)) * f->inverse[i];
    }
}

void metric_solve_upper(const metric_factor *f, double *x)
{
    if (f->identity)
        return;
    if (f->kind == MO_METRIC_SPARSE) {
        sparse_cholesky_solve_upper(f->cholesky, x);
        return;
    }
    for (size_t i = f->n; i-- > 0;) {
        size_t begin = f->first[i];
        x[i] *= f->inverse[i];
        vec_add(i - begin, -x[i], f->L + (f->row[i] + begin), x + begin);
    }
}
