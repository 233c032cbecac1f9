/*
 * Global problems brought to local form: W = H^T M^-1 H, q = H^T M^-1 f + w; and back, v = M^-1 (H r + f).
 *
 * Part by part of M (mass.h): only the columns of H with entries in a part's rows meet there.
 */
#include "problem/local.h"

#include <stdlib.h>
#include <string.h>

#include "core/fail.h"
#include "core/search.h"
#include "problem/mass.h"

/* Most pairs of columns that meet in parts, counted with repetition. */
#define MAX_PAIRS ((size_t)1 << 26)

/* H by parts of M, each part's entries by columns. */
typedef struct parted {
    size_t *first;   /* [parts + 1] entries of a part */
    size_t *order;   /* [entries] into H, by part, then column */
    size_t *contact; /* [entries] contacts of a part, rising, from first[part] on */
    size_t *count;   /* [parts] contacts */
} parted;

void mo_sparse_matrix_free(mo_sparse_matrix *matrix)
{
    if (matrix == NULL)
        return;
    free(matrix->row);
    free(matrix->column);
    free(matrix->value);
    *matrix = (mo_sparse_matrix){0};
}

void mo_problem_file_free(mo_problem_file *file)
{
    if (file == NULL)
        return;
    mo_problem_free(&file->local);
    mo_sparse_matrix_free(&file->M);
    mo_sparse_matrix_free(&file->H);
    free(file->f);
    free(file->w);
    free(file->r);
    free(file->u);
    *file = (mo_problem_file){0};
}

/* ---- H by parts -------------------------------------------------------------------------------------- */

static void parted_free(parted *h)
{
    free(h->first);
    free(h->order);
    free(h->contact);
    free(h->count);
}

/* stable; first [keys + 1], zero before, ends as where each key begins */
static void sort_by(const size_t *key, const size_t *from, size_t count, size_t keys, size_t *first,
                    size_t *to)
{
    for (size_t k = 0; k < count; k++)
        first[key[from[k]] + 1]++;
    for (size_t k = 0; k < keys; k++)
        first[k + 1] += first[k];
    for (size_t k = 0; k < count; k++)
        to[first[key[from[k]]]++] = from[k];
    memmove(first + 1, first, keys * sizeof *first);
    first[0] = 0;
}

/* scratch: by_column [columns + 1], part and order [entries] */
static void sort_entries(const mo_sparse_matrix *H, const mass_matrix *m, parted *h, size_t *by_column,
                         size_t *part, size_t *order)
{
    for (size_t k = 0; k < H->entries; k++) {
        part[k] = m->part[H->row[k]];
        h->order[k] = k;
    }
    sort_by(H->column, h->order, H->entries, H->columns, by_column, order);
    sort_by(part, order, H->entries, m->parts, h->first, h->order);
}

static void list_contacts(const mo_sparse_matrix *H, size_t dim, size_t parts, parted *h)
{
    for (size_t p = 0; p < parts; p++) {
        size_t *list = h->contact + h->first[p];
        for (size_t k = h->first[p]; k < h->first[p + 1]; k++) {
            const size_t c = H->column[h->order[k]] / dim;
            if (h->count[p] == 0 || list[h->count[p] - 1] != c)
                list[h->count[p]++] = c;
        }
    }
}

static mo_status part_columns(const mo_sparse_matrix *H, size_t dim, const mass_matrix *m, parted *h,
                              mo_error *err)
{
    size_t *by_column = problem_calloc(H->columns + 1, sizeof *by_column);
    size_t *part = problem_calloc(H->entries, sizeof *part);
    size_t *order = problem_calloc(H->entries, sizeof *order);
    h->first = problem_calloc(m->parts + 1, sizeof *h->first);
    h->order = problem_calloc(H->entries, sizeof *h->order);
    h->contact = problem_calloc(H->entries, sizeof *h->contact);
    h->count = problem_calloc(m->parts, sizeof *h->count);
    const bool ok = by_column != NULL && part != NULL && order != NULL && h->first != NULL &&
                    h->order != NULL && h->contact != NULL && h->count != NULL;
    if (ok) {
        sort_entries(H, m, h, by_column, part, order);
        list_contacts(H, dim, m->parts, h);
    }
    free(by_column);
    free(part);
    free(order);
    return ok ? MO_OK : fail(err, MO_NO_MEMORY, "H", "no memory for %zu entries", H->entries);
}

/* ---- the blocks of W --------------------------------------------------------------------------------- */

static mo_status check_pairs(const parted *h, size_t parts, mo_error *err)
{
    size_t pairs = 0;
    for (size_t p = 0; p < parts; p++) {
        const size_t c = h->count[p];
        if (c > 0 && c > (MAX_PAIRS - pairs) / c)
            return fail(err, MO_BAD_INPUT, "H", "W would have more than %zu blocks", MAX_PAIRS);
        pairs += c * c;
    }
    return MO_OK;
}

/* one entry per block: contacts that meet in a part */
static mo_status list_blocks(const parted *h, size_t parts, size_t dim, mo_sparse_matrix *out, mo_error *err)
{
    size_t pairs = 0, at = 0;
    for (size_t p = 0; p < parts; p++)
        pairs += h->count[p] * h->count[p];
    out->entries = pairs;
    out->row = problem_calloc(pairs, sizeof *out->row);
    out->column = problem_calloc(pairs, sizeof *out->column);
    out->value = problem_calloc(pairs, sizeof *out->value);
    if (out->row == NULL || out->column == NULL || out->value == NULL)
        return fail(err, MO_NO_MEMORY, "H", "no memory for %zu pairs of contacts", pairs);
    for (size_t p = 0; p < parts; p++) {
        const size_t *list = h->contact + h->first[p], count = h->count[p];
        for (size_t i = 0; i < count * count; i++, at++) {
            out->row[at] = dim * list[i / count];
            out->column[at] = dim * list[i % count];
        }
    }
    return MO_OK;
}

static mo_status make_blocks(const parted *h, size_t parts, mo_problem *out, mo_error *err)
{
    mo_sparse_matrix pairs = {0};
    mo_status status = check_pairs(h, parts, err);
    if (status == MO_OK)
        status = list_blocks(h, parts, (size_t)out->dim, &pairs, err);
    if (status == MO_OK)
        status = problem_from_entries(&pairs, out, err);
    mo_sparse_matrix_free(&pairs);
    return status;
}

/* ---- values ------------------------------------------------------------------------------------------ */

/* the entries of one column in a part end here */
static size_t column_end(const mo_sparse_matrix *H, const parted *h, size_t k, size_t end)
{
    const size_t column = H->column[h->order[k]];
    while (k < end && H->column[h->order[k]] == column)
        k++;
    return k;
}

/* entries [k, end) of one column, times x */
static double dot(const mo_sparse_matrix *H, const parted *h, const mass_matrix *m, size_t k, size_t end,
                  const double *x)
{
    double sum = 0;
    for (; k < end; k++)
        sum += H->value[h->order[k]] * x[m->place[H->row[h->order[k]]]];
    return sum;
}

/* column j of W: products of all columns of the part with x = M^-1 H_j */
static void add_column(const mo_sparse_matrix *H, const parted *h, const mass_matrix *m, size_t part,
                       size_t j, const double *x, mo_problem *p)
{
    const size_t dim = (size_t)p->dim, end = h->first[part + 1];
    for (size_t k = h->first[part], next; k < end; k = next) {
        next = column_end(H, h, k, end);
        const size_t i = H->column[h->order[k]], row = p->start[i / dim];
        const size_t at = row + search_u32(p->column + row, p->start[i / dim + 1] - row, (uint32_t)(j / dim));
        p->W[at * dim * dim + (i % dim) * dim + j % dim] += dot(H, h, m, k, next, x);
    }
}

/* x [rows of the largest part] */
static void add_part(const mo_problem_file *file, const parted *h, mass_matrix *m, size_t part, double *x,
                     mo_problem *p)
{
    const mo_sparse_matrix *H = &file->H;
    const size_t end = h->first[part + 1];
    for (size_t k = 0; k < m->size; k++)
        x[k] = file->f[m->member[m->first[part] + k]];
    mass_solve(m, x);
    for (size_t k = h->first[part], next; k < end; k = next) {
        next = column_end(H, h, k, end);
        p->q[H->column[h->order[k]]] += dot(H, h, m, k, next, x);
    }
    for (size_t k = h->first[part], next; k < end; k = next) {
        next = column_end(H, h, k, end);
        memset(x, 0, m->size * sizeof *x);
        for (size_t e = k; e < next; e++)
            x[m->place[H->row[h->order[e]]]] += H->value[h->order[e]];
        mass_solve(m, x);
        add_column(H, h, m, part, H->column[h->order[k]], x, p);
    }
}

static mo_status fill_values(const mo_problem_file *file, const parted *h, mass_matrix *m, mo_problem *p,
                             mo_error *err)
{
    const size_t n = (size_t)p->dim * p->contacts;
    double *x = problem_calloc(file->M.rows, sizeof *x);
    p->q = problem_calloc(n, sizeof *p->q);
    mo_status status = MO_OK;
    if (x == NULL || p->q == NULL)
        status = fail(err, MO_NO_MEMORY, "q", "no memory for %zu numbers", n);
    else if (n > 0)
        memcpy(p->q, file->w, n * sizeof *p->q);
    for (size_t part = 0; status == MO_OK && part < m->parts; part++) {
        status = mass_factor(m, part, err);
        if (status == MO_OK && h->count[part] > 0)
            add_part(file, h, m, part, x, p);
    }
    free(x);
    return status;
}

mo_status problem_condense(mo_problem_file *file, mo_error *err)
{
    mo_problem *p = &file->local;
    mass_matrix m = {0};
    parted h = {0};
    mo_status status = mass_create(&file->M, &m, err);
    if (status == MO_OK)
        status = part_columns(&file->H, (size_t)p->dim, &m, &h, err);
    if (status == MO_OK)
        status = make_blocks(&h, m.parts, p, err);
    if (status == MO_OK)
        status = fill_values(file, &h, &m, p, err);
    parted_free(&h);
    mass_free(&m);
    return status;
}

mo_status problem_global_velocity(const mo_problem_file *file, const double *r, double *v, mo_error *err)
{
    mass_matrix m = {0};
    const size_t n = file->M.rows;
    mo_status status = mass_create(&file->M, &m, err);
    double *load = problem_calloc(n, 2 * sizeof *load), *x = load != NULL ? load + n : NULL;
    if (status == MO_OK && load == NULL)
        status = fail(err, MO_NO_MEMORY, "v", "no memory for %zu numbers", n);
    if (status == MO_OK && n > 0)
        memcpy(load, file->f, n * sizeof *load);
    for (size_t k = 0; status == MO_OK && k < file->H.entries; k++)
        load[file->H.row[k]] += file->H.value[k] * r[file->H.column[k]];
    for (size_t part = 0; status == MO_OK && part < m.parts; part++) {
        status = mass_factor(&m, part, err);
        for (size_t k = 0; k < m.size; k++)
            x[k] = load[m.member[m.first[part] + k]];
        if (status == MO_OK)
            mass_solve(&m, x);
        for (size_t k = 0; k < m.size; k++)
            v[m.member[m.first[part] + k]] = x[k];
    }
    free(load);
    mass_free(&m);
    return status;
}
