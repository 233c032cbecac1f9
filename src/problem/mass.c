/* Parts of M and their factors. */
#include "problem/mass.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/fail.h"
#include "core/search.h"
#include "problem/local.h"

enum {
    SPARSE_FROM = 96,   /* a symmetric part of this size is factored sparsely */
    DENSE_UP_TO = 4096, /* 128 MiB */
};

void mass_free(mass_matrix *m)
{
    mo_problem_free(&m->A);
    free(m->first);
    free(m->member);
    free(m->part);
    free(m->place);
    free(m->lu);
    free(m->pivot);
    sparse_cholesky_free(&m->cholesky);
    *m = (mass_matrix){0};
}

/* ---- parts ------------------------------------------------------------------------------------------- */

/* M by rows with (j, i) in the pattern wherever (i, j) is */
static mo_status read_rows(const mo_sparse_matrix *M, mo_problem *A, mo_error *err)
{
    const size_t count = M->entries;
    mo_sparse_matrix both = {.rows = M->rows,
                             .columns = M->columns,
                             .entries = 2 * count,
                             .row = problem_calloc(2 * count, sizeof(size_t)),
                             .column = problem_calloc(2 * count, sizeof(size_t)),
                             .value = problem_calloc(2 * count, sizeof(double))};
    mo_status status = MO_OK;
    if (both.row == NULL || both.column == NULL || both.value == NULL)
        status = fail(err, MO_NO_MEMORY, "M", "no memory for %zu entries", 2 * count);
    for (size_t k = 0; status == MO_OK && k < count; k++) {
        both.row[k] = both.column[count + k] = M->row[k];
        both.column[k] = both.row[count + k] = M->column[k];
        both.value[k] = M->value[k];
    }
    if (status == MO_OK)
        status = problem_from_entries(&both, A, err);
    mo_sparse_matrix_free(&both);
    return status;
}

/* gives row and all that hang together with it the number of a part; stack [n] */
static void mark_part(mass_matrix *m, uint32_t row, uint32_t number, uint32_t *stack)
{
    size_t height = 0;
    m->part[row] = number;
    stack[height++] = row;
    while (height > 0) {
        const uint32_t i = stack[--height];
        for (size_t k = m->A.start[i]; k < m->A.start[i + 1]; k++) {
            const uint32_t j = m->A.column[k];
            if (m->part[j] != UINT32_MAX)
                continue;
            m->part[j] = number;
            stack[height++] = j;
        }
    }
}

/* place serves as the stack first */
static void find_parts(mass_matrix *m)
{
    const size_t n = m->A.contacts;
    for (size_t i = 0; i < n; i++)
        m->part[i] = UINT32_MAX;
    for (size_t i = 0; i < n; i++)
        if (m->part[i] == UINT32_MAX)
            mark_part(m, (uint32_t)i, (uint32_t)m->parts++, m->place);
    for (size_t i = 0; i < n; i++)
        m->first[m->part[i] + 1]++;
    for (size_t k = 0; k < m->parts; k++)
        m->first[k + 1] += m->first[k];
    for (size_t i = 0; i < n; i++)
        m->member[m->first[m->part[i]]++] = (uint32_t)i;
    // each first has moved on to the next part's
    memmove(m->first + 1, m->first, m->parts * sizeof *m->first);
    m->first[0] = 0;
    for (size_t k = 0; k < m->parts; k++)
        for (size_t i = m->first[k]; i < m->first[k + 1]; i++)
            m->place[m->member[i]] = (uint32_t)(i - m->first[k]);
}

mo_status mass_create(const mo_sparse_matrix *M, mass_matrix *out, mo_error *err)
{
    const size_t n = M->rows;
    mass_matrix m = {.A = {.dim = 1, .contacts = n}};
    mo_status status = read_rows(M, &m.A, err);
    if (status != MO_OK)
        return status;
    m.first = problem_calloc(n + 2, sizeof *m.first);
    m.member = problem_calloc(n, sizeof *m.member);
    m.part = problem_calloc(n, sizeof *m.part);
    m.place = problem_calloc(n, sizeof *m.place);
    if (m.first == NULL || m.member == NULL || m.part == NULL || m.place == NULL) {
        mass_free(&m);
        return fail(err, MO_NO_MEMORY, "M", "no memory for %zu rows", n);
    }
    find_parts(&m);
    *out = m;
    return MO_OK;
}

/* ---- sparse factors ---------------------------------------------------------------------------------- */

static bool part_is_symmetric(const mass_matrix *m, size_t part)
{
    const mo_problem *A = &m->A;
    for (size_t k = m->first[part]; k < m->first[part + 1]; k++) {
        const uint32_t i = m->member[k];
        for (size_t e = A->start[i]; e < A->start[i + 1]; e++) {
            const uint32_t j = A->column[e];
            const size_t row = A->start[j];
            const double b = A->W[row + search_u32(A->column + row, A->start[j + 1] - row, i)];
            if (fabs(A->W[e] - b) > 4 * DBL_EPSILON * (fabs(A->W[e]) + fabs(b)))
                return false;
        }
    }
    return true;
}

/* pattern of the part with its own numbering; start [size + 1], index: entries of the part */
static void copy_pattern(const mass_matrix *m, size_t part, size_t *start, uint32_t *index)
{
    for (size_t k = 0; k < m->size; k++) {
        const uint32_t i = m->member[m->first[part] + k];
        start[k + 1] = start[k];
        for (size_t e = m->A.start[i]; e < m->A.start[i + 1]; e++)
            index[start[k + 1]++] = m->place[m->A.column[e]];
    }
}

static size_t entries_of(const mass_matrix *m, size_t part)
{
    size_t count = 0;
    for (size_t k = m->first[part]; k < m->first[part + 1]; k++)
        count += m->A.start[m->member[k] + 1] - m->A.start[m->member[k]];
    return count;
}

/* a pivot that is only rounding, measured by what its diagonal was */
static bool pivots_are_sound(const mass_matrix *m, size_t part)
{
    for (size_t k = 0; k < m->size; k++) {
        const uint32_t i = m->member[m->first[part] + k];
        const size_t row = m->A.start[i];
        const double diagonal = m->A.W[row + search_u32(m->A.column + row, m->A.start[i + 1] - row, i)];
        const double root = m->cholesky.L[sparse_cholesky_slot(&m->cholesky, (uint32_t)k, (uint32_t)k)];
        if (!(root * root > 4 * (double)m->size * DBL_EPSILON * diagonal))
            return false;
    }
    return true;
}

/* false: not positive definite, or no memory */
static bool factor_sparse(mass_matrix *m, size_t part)
{
    size_t *start = problem_calloc(m->size + 1, sizeof *start);
    uint32_t *index = problem_calloc(entries_of(m, part), sizeof *index);
    bool ok = start != NULL && index != NULL;
    if (ok) {
        copy_pattern(m, part, start, index);
        ok = sparse_cholesky_analyse(&m->cholesky, (uint32_t)m->size, start, index);
    }
    free(start);
    free(index);
    if (!ok)
        return false;
    sparse_cholesky_clear(&m->cholesky);
    for (size_t k = 0; k < m->size; k++) {
        const uint32_t i = m->member[m->first[part] + k];
        for (size_t e = m->A.start[i]; e < m->A.start[i + 1]; e++) {
            const uint32_t j = m->place[m->A.column[e]];
            if (j <= k)
                m->cholesky.L[sparse_cholesky_slot(&m->cholesky, (uint32_t)k, j)] += m->A.W[e];
        }
    }
    return sparse_cholesky_factor(&m->cholesky) && pivots_are_sound(m, part);
}

/* ---- dense factors ----------------------------------------------------------------------------------- */

static bool reserve_dense(mass_matrix *m)
{
    if (m->size <= m->room)
        return true;
    free(m->lu);
    free(m->pivot);
    m->lu = problem_calloc(m->size * m->size, sizeof *m->lu);
    m->pivot = problem_calloc(m->size, sizeof *m->pivot);
    m->room = m->lu != NULL && m->pivot != NULL ? m->size : 0;
    return m->room > 0;
}

/* exchanges rows so that the largest entry of column k on or below the diagonal stands on it */
static void exchange_rows(mass_matrix *m, size_t k)
{
    const size_t n = m->size;
    size_t best = k;
    for (size_t i = k + 1; i < n; i++)
        if (fabs(m->lu[i * n + k]) > fabs(m->lu[best * n + k]))
            best = i;
    m->pivot[k] = (uint32_t)best;
    for (size_t j = 0; best != k && j < n; j++) {
        const double swap = m->lu[k * n + j];
        m->lu[k * n + j] = m->lu[best * n + j];
        m->lu[best * n + j] = swap;
    }
}

/* false: singular to rounding, measured by each column's own size */
static bool factor_dense(mass_matrix *m, size_t part)
{
    const size_t n = m->size;
    memset(m->lu, 0, n * n * sizeof *m->lu);
    for (size_t k = 0; k < n; k++) {
        const uint32_t i = m->member[m->first[part] + k];
        for (size_t e = m->A.start[i]; e < m->A.start[i + 1]; e++)
            m->lu[k * n + m->place[m->A.column[e]]] = m->A.W[e];
    }
    for (size_t k = 0; k < n; k++) {
        // what has become of the column, above and below the diagonal
        double size = 0;
        for (size_t i = 0; i < n; i++)
            size = fmax(size, fabs(m->lu[i * n + k]));
        exchange_rows(m, k);
        const double pivot = m->lu[k * n + k];
        if (!(fabs(pivot) > 4 * (double)n * DBL_EPSILON * size) || !isfinite(pivot))
            return false;
        for (size_t i = k + 1; i < n; i++) {
            const double factor = m->lu[i * n + k] /= pivot;
            for (size_t j = k + 1; factor != 0 && j < n; j++)
                m->lu[i * n + j] -= factor * m->lu[k * n + j];
        }
    }
    return true;
}

static void solve_dense(const mass_matrix *m, double *x)
{
    const size_t n = m->size;
    for (size_t k = 0; k < n; k++) {
        const double swap = x[k];
        x[k] = x[m->pivot[k]];
        x[m->pivot[k]] = swap;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++)
            x[i] -= m->lu[i * n + j] * x[j];
    for (size_t i = n; i-- > 0;) {
        for (size_t j = i + 1; j < n; j++)
            x[i] -= m->lu[i * n + j] * x[j];
        x[i] /= m->lu[i * n + i];
    }
}

/* ---- either ------------------------------------------------------------------------------------------ */

mo_status mass_factor(mass_matrix *m, size_t part, mo_error *err)
{
    m->size = m->first[part + 1] - m->first[part];
    m->sparse = m->size >= SPARSE_FROM && part_is_symmetric(m, part) && factor_sparse(m, part);
    if (m->sparse)
        return MO_OK;
    if (m->size > DENSE_UP_TO)
        return fail(err, MO_BAD_INPUT, "M",
                    "found %zu rows that hang together and are not symmetric positive definite, expected at "
                    "most %d such",
                    m->size, DENSE_UP_TO);
    if (!reserve_dense(m))
        return fail(err, MO_NO_MEMORY, "M", "no memory for %zu rows that hang together", m->size);
    if (!factor_dense(m, part))
        return fail(err, MO_BAD_INPUT, "M", "singular in row %lu and the %zu that hang together with it",
                    (unsigned long)m->member[m->first[part]], m->size - 1);
    return MO_OK;
}

void mass_solve(mass_matrix *m, double *x)
{
    if (m->sparse)
        sparse_cholesky_solve(&m->cholesky, x);
    else
        solve_dense(m, x);
}
