/*
 * Local problems in memory: freeing, checking, building W in blocks by rows of contacts.
 */
#include "problem/local.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/fail.h"
#include "math/vec.h"

void *problem_calloc(size_t count, size_t size)
{
    return calloc(count > 0 ? count : 1, size);
}

void mo_problem_free(mo_problem *problem)
{
    if (problem == NULL)
        return;
    free(problem->start);
    free(problem->column);
    free(problem->W);
    free(problem->q);
    free(problem->mu);
    *problem = (mo_problem){0};
}

/* ---- checking ---------------------------------------------------------------------------------------- */

static mo_status check_rows(const mo_problem *p, mo_error *err)
{
    if (p->start[0] != 0)
        return fail(err, MO_BAD_INPUT, "start", "found %zu first, expected 0", p->start[0]);
    for (size_t c = 0; c < p->contacts; c++)
        if (p->start[c + 1] < p->start[c] || p->start[c + 1] - p->start[c] > p->contacts)
            return fail(err, MO_BAD_INPUT, "start", "row %zu goes from %zu to %zu, expected 0 to %zu blocks",
                        c, p->start[c], p->start[c + 1], p->contacts);
    for (size_t c = 0; c < p->contacts; c++)
        for (size_t k = p->start[c]; k < p->start[c + 1]; k++) {
            if (p->column[k] >= p->contacts)
                return fail(err, MO_BAD_INPUT, "column", "found %lu in row %zu, expected less than %zu",
                            (unsigned long)p->column[k], c, p->contacts);
            if (k > p->start[c] && p->column[k] <= p->column[k - 1])
                return fail(err, MO_BAD_INPUT, "column",
                            "found %lu after %lu in row %zu, expected it to rise",
                            (unsigned long)p->column[k], (unsigned long)p->column[k - 1], c);
        }
    return MO_OK;
}

mo_status problem_check_finite(const double *values, size_t count, const char *key, mo_error *err)
{
    if (vec_finite(count, values))
        return MO_OK;
    for (size_t i = 0; i < count; i++)
        if (!isfinite(values[i]))
            return fail(err, MO_BAD_INPUT, key, "found %g at place %zu, expected a finite number", values[i],
                        i);
    return MO_OK;
}

static mo_status check_friction(const mo_problem *p, mo_error *err)
{
    mo_status status = problem_check_finite(p->mu, p->contacts, "mu", err);
    for (size_t c = 0; c < p->contacts && status == MO_OK; c++)
        if (p->mu[c] < 0)
            status = fail(err, MO_BAD_INPUT, "mu", "found %g at contact %zu, expected >= 0", p->mu[c], c);
    return status;
}

static mo_status check_size(int dim, size_t contacts, mo_error *err)
{
    if (dim != 2 && dim != 3)
        return fail(err, MO_BAD_INPUT, "dim", "found %d, expected 2 or 3", dim);
    if (contacts >= UINT32_MAX / 3)
        return fail(err, MO_BAD_INPUT, "contacts", "found %zu, expected less than %lu", contacts,
                    (unsigned long)(UINT32_MAX / 3));
    return MO_OK;
}

mo_status mo_problem_check(const mo_problem *problem, mo_error *err)
{
    const mo_problem *p = problem;
    mo_status status = check_size(p->dim, p->contacts, err);
    if (status == MO_OK && p->contacts == 0)
        return MO_OK;
    if (status == MO_OK && (p->start == NULL || p->q == NULL || p->mu == NULL))
        status = fail(err, MO_BAD_INPUT, NULL, "start, q or mu is missing");
    if (status == MO_OK && p->start[p->contacts] > 0 && (p->column == NULL || p->W == NULL))
        status = fail(err, MO_BAD_INPUT, "W", "the blocks are missing");
    if (status == MO_OK)
        status = check_rows(p, err);
    const size_t dim = (size_t)p->dim;
    if (status == MO_OK)
        status = problem_check_finite(p->W, p->start[p->contacts] * dim * dim, "W", err);
    if (status == MO_OK)
        status = problem_check_finite(p->q, dim * p->contacts, "q", err);
    return status == MO_OK ? check_friction(p, err) : status;
}

/* ---- building ---------------------------------------------------------------------------------------- */

/* Scratch of the conversion from entries to blocks. */
typedef struct sorting {
    size_t *first, *order; /* [contacts + 1] entries of a row of blocks; [entries] their numbers */
    size_t *slot;          /* [contacts] place + 1 of a column's block in the present row, 0: none */
} sorting;

static void sorting_free(sorting *s)
{
    free(s->first);
    free(s->order);
    free(s->slot);
}

/* entries by rows of blocks, those of a row in the order given */
static void sort_by_row(const mo_sparse_matrix *e, size_t dim, size_t contacts, sorting *s)
{
    for (size_t k = 0; k < e->entries; k++)
        s->first[e->row[k] / dim + 1]++;
    for (size_t c = 0; c < contacts; c++)
        s->first[c + 1] += s->first[c];
    for (size_t k = 0; k < e->entries; k++)
        s->order[s->first[e->row[k] / dim]++] = k;
    // each first has moved on to the next row's
    memmove(s->first + 1, s->first, contacts * sizeof *s->first);
    s->first[0] = 0;
}

static int compare_columns(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* columns of blocks, rising in each row; column has room for one per entry */
static void find_blocks(const mo_sparse_matrix *e, size_t dim, size_t contacts, sorting *s, size_t *start,
                        uint32_t *column)
{
    for (size_t c = 0; c < contacts; c++) {
        size_t end = start[c];
        for (size_t k = s->first[c]; k < s->first[c + 1]; k++) {
            const size_t j = e->column[s->order[k]] / dim;
            if (s->slot[j] == 0)
                column[end++] = (uint32_t)j;
            s->slot[j] = 1;
        }
        qsort(column + start[c], end - start[c], sizeof *column, compare_columns);
        for (size_t k = start[c]; k < end; k++)
            s->slot[column[k]] = 0;
        start[c + 1] = end;
    }
}

static void add_values(const mo_sparse_matrix *e, size_t dim, size_t contacts, sorting *s,
                       const size_t *start, const uint32_t *column, double *W)
{
    for (size_t c = 0; c < contacts; c++) {
        for (size_t k = start[c]; k < start[c + 1]; k++)
            s->slot[column[k]] = k;
        for (size_t k = s->first[c]; k < s->first[c + 1]; k++) {
            const size_t n = s->order[k], i = e->row[n] % dim, j = e->column[n] % dim;
            W[s->slot[e->column[n] / dim] * dim * dim + i * dim + j] += e->value[n];
        }
    }
}

mo_status problem_from_entries(const mo_sparse_matrix *entries, mo_problem *out, mo_error *err)
{
    const size_t dim = (size_t)out->dim, contacts = out->contacts;
    sorting s = {.first = problem_calloc(contacts + 1, sizeof *s.first),
                 .order = problem_calloc(entries->entries, sizeof *s.order),
                 .slot = problem_calloc(contacts, sizeof *s.slot)};
    size_t *start = problem_calloc(contacts + 1, sizeof *start);
    uint32_t *column = problem_calloc(entries->entries, sizeof *column);
    double *W = NULL;
    if (s.first != NULL && s.order != NULL && s.slot != NULL && start != NULL && column != NULL) {
        sort_by_row(entries, dim, contacts, &s);
        find_blocks(entries, dim, contacts, &s, start, column);
        W = problem_calloc(start[contacts], dim * dim * sizeof *W);
    }
    if (W == NULL) {
        sorting_free(&s);
        free(start);
        free(column);
        return fail(err, MO_NO_MEMORY, "W", "no memory for a matrix of %zu entries", entries->entries);
    }
    add_values(entries, dim, contacts, &s, start, column, W);
    sorting_free(&s);
    out->start = start;
    out->column = column;
    out->W = W;
    return MO_OK;
}

/* the block (c, d) of a full matrix has an entry other than 0; NaN is one */
static bool block_is_there(const double *W, size_t dim, size_t contacts, size_t c, size_t d)
{
    for (size_t i = 0; i < dim; i++)
        for (size_t j = 0; j < dim; j++)
            if (!(W[(dim * c + i) * dim * contacts + dim * d + j] == 0))
                return true;
    return false;
}

/* copies the blocks that are there; column and out NULL: only counts them */
static size_t copy_blocks(const double *W, size_t dim, size_t contacts, size_t *start, uint32_t *column,
                          double *out)
{
    size_t count = 0;
    for (size_t c = 0; c < contacts; c++) {
        for (size_t d = 0; d < contacts; d++) {
            if (!block_is_there(W, dim, contacts, c, d))
                continue;
            for (size_t k = 0; k < dim * dim && out != NULL; k++)
                out[count * dim * dim + k] = W[(dim * c + k / dim) * dim * contacts + dim * d + k % dim];
            if (column != NULL)
                column[count] = (uint32_t)d;
            count++;
        }
        start[c + 1] = count;
    }
    return count;
}

mo_status mo_problem_from_dense(int dim, size_t contacts, const double *W, const double *q, const double *mu,
                                mo_problem *out, mo_error *err)
{
    mo_status status = check_size(dim, contacts, err);
    if (status != MO_OK)
        return status;
    const size_t d = (size_t)dim, n = d * contacts;
    mo_problem p = {.dim = dim, .contacts = contacts};
    p.start = problem_calloc(contacts + 1, sizeof *p.start);
    const size_t blocks = p.start != NULL ? copy_blocks(W, d, contacts, p.start, NULL, NULL) : 0;
    p.column = problem_calloc(blocks, sizeof *p.column);
    p.W = problem_calloc(blocks, d * d * sizeof *p.W);
    p.q = problem_calloc(n, sizeof *p.q);
    p.mu = problem_calloc(contacts, sizeof *p.mu);
    if (p.start == NULL || p.column == NULL || p.W == NULL || p.q == NULL || p.mu == NULL) {
        mo_problem_free(&p);
        return fail(err, MO_NO_MEMORY, "W", "no memory for %zu contacts", contacts);
    }
    copy_blocks(W, d, contacts, p.start, p.column, p.W);
    if (contacts > 0) {
        memcpy(p.q, q, n * sizeof *q);
        memcpy(p.mu, mu, contacts * sizeof *mu);
    }
    status = mo_problem_check(&p, err);
    if (status != MO_OK)
        mo_problem_free(&p);
    else
        *out = p;
    return status;
}
