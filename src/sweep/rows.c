/* Lists of linearised gaps: memory, writing, choosing. */
#include "sweep/rows.h"

#include <math.h>

#include "core/buffer.h"
#include "math/vec.h"

enum { ROW_COLUMNS = 9, ENTRY_COLUMNS = 2 };

static size_t row_columns(gap_rows *r, column out[ROW_COLUMNS], bool sparse)
{
    double **numbers[] = {&r->g, &r->gt, &r->norm, &r->lambda, &r->b};
    size_t count = 0;
    for (size_t i = 0; i < 5; i++)
        out[count++] = (column){(void **)numbers[i], sizeof(double)};
    out[count++] = (column){(void **)&r->first, sizeof(size_t)};
    out[count++] = (column){(void **)&r->second, sizeof(size_t)};
    out[count++] = (column){(void **)&r->leaf, sizeof(uint32_t)};
    if (sparse)
        out[count++] = (column){(void **)&r->start, sizeof(size_t)};
    return count;
}

static size_t entry_columns(gap_rows *r, column out[ENTRY_COLUMNS], bool sparse)
{
    out[0] = (column){(void **)&r->A, sizeof(double)};
    out[1] = (column){(void **)&r->column, sizeof(uint32_t)};
    return sparse ? 2 : 1;
}

static bool reserve(gap_rows *r, size_t count, size_t entries, bool sparse)
{
    if (count < r->capacity && entries <= r->entry_capacity)
        return true;
    column rows[ROW_COLUMNS], all[ENTRY_COLUMNS];
    return columns_reserve(rows, row_columns(r, rows, sparse), &r->capacity, count + 1) &&
           columns_reserve(all, entry_columns(r, all, sparse), &r->entry_capacity, entries);
}

bool rows_reserve(gap_rows *r, size_t count, size_t entries)
{
    return reserve(r, count, entries, r->start != NULL);
}

bool rows_create(const moving *m, gap_rows *r)
{
    size_t count = 0, entries = 1;
    for (size_t i = 0; i < m->leaf_count; i++) {
        mo_moving_kind kind = m->leaves[i].set->kind;
        // discs that touch are joined by at most three pairs each: a plane graph; and some walls
        size_t rows = m->leaves[i].gap_count * (kind == MO_MOVING_DISCS ? 4 : 1);
        bool thin = m->sparse && kind == MO_MOVING_BOX;
        count += rows;
        entries += rows * (kind == MO_MOVING_DISCS ? 4 : thin ? 1 : m->n);
    }
    if (!reserve(r, count, entries, m->sparse))
        return false;
    if (m->sparse)
        r->start[0] = 0;
    return true;
}

void rows_free(gap_rows *r)
{
    column rows[ROW_COLUMNS], all[ENTRY_COLUMNS];
    columns_free(rows, row_columns(r, rows, true));
    columns_free(all, entry_columns(r, all, true));
}

void row_open(gap_rows *r, size_t n, uint32_t leaf, size_t first, size_t second)
{
    size_t i = r->count++;
    r->leaf[i] = leaf;
    r->first[i] = first;
    r->second[i] = second;
    r->gt[i] = 0;
    if (r->start != NULL)
        r->start[i + 1] = r->start[i];
    else
        vec_zero(n, r->A + i * n);
}

void row_entry(gap_rows *r, size_t n, size_t unknown, double value)
{
    size_t i = r->count - 1;
    if (r->start == NULL) {
        r->A[i * n + unknown] = value;
        return;
    }
    size_t k = r->start[i + 1]++;
    r->A[k] = value;
    r->column[k] = (uint32_t)unknown;
}

double row_dot(const gap_rows *r, size_t n, size_t i, const double *y)
{
    if (r->start == NULL)
        return vec_dot(n, r->A + i * n, y);
    double sum = 0;
    for (size_t k = r->start[i]; k < r->start[i + 1]; k++)
        sum += r->A[k] * y[r->column[k]];
    return sum;
}

void row_add(const gap_rows *r, size_t n, size_t i, double s, double *y)
{
    if (r->start == NULL) {
        vec_add(n, s, r->A + i * n, y);
        return;
    }
    for (size_t k = r->start[i]; k < r->start[i + 1]; k++)
        y[r->column[k]] += s * r->A[k];
}

mo_polyhedron rows_polyhedron(const gap_rows *r, size_t n, const double *b)
{
    return (mo_polyhedron){
        .n = n, .rows = r->count, .A = r->A, .b = b, .start = r->start, .column = r->column};
}

size_t row_partner(const moving *m, uint32_t leaf, size_t second)
{
    const moving_leaf *l = &m->leaves[leaf];
    return second != SIZE_MAX && second - l->gap_first < l->gap_count ? second : SIZE_MAX;
}

// row i of one list, with `length` entries from `start` on when sparse, becomes the last row of another; the
// two may be the same
static void copy_row(const gap_rows *from, size_t n, size_t i, size_t start, size_t length, gap_rows *to)
{
    size_t k = to->count++, at = k * n;
    to->first[k] = from->first[i];
    to->second[k] = from->second[i];
    to->leaf[k] = from->leaf[i];
    to->g[k] = from->g[i];
    to->gt[k] = from->gt[i];
    to->norm[k] = from->norm[i];
    to->lambda[k] = from->lambda[i];
    if (from->start != NULL) {
        at = to->start[k];
        to->start[k + 1] = at + length;
        for (size_t j = 0; j < length; j++)
            to->column[at + j] = from->column[start + j];
    } else {
        start = i * n;
        length = n;
    }
    for (size_t j = 0; j < length; j++)
        to->A[at + j] = from->A[start + j];
}

void rows_keep_near(gap_rows *r, size_t n, double limit)
{
    size_t count = r->count, next = 0;
    r->count = 0;
    for (size_t i = 0; i < count; i++) {
        // rows only move down, but writing one overwrites the start of the next
        size_t start = next;
        next = r->start != NULL ? r->start[i + 1] : 0;
        if (r->g[i] <= limit * r->norm[i])
            copy_row(r, n, i, start, next - start, r);
    }
}

bool rows_copy_active(const gap_rows *from, size_t n, gap_rows *to)
{
    size_t entries = from->start != NULL ? from->start[from->count] : from->count * n;
    if (!rows_reserve(to, from->count, entries))
        return false;
    to->count = 0;
    to->t = (double)NAN;
    for (size_t i = 0; i < from->count; i++) {
        size_t start = from->start != NULL ? from->start[i] : 0;
        size_t length = from->start != NULL ? from->start[i + 1] - start : 0;
        if (from->lambda[i] > 0)
            copy_row(from, n, i, start, length, to);
    }
    return true;
}

size_t rows_find(const gap_rows *r, uint32_t leaf, size_t first, size_t second)
{
    size_t low = 0, high = r->count;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        bool before = r->leaf[mid] != leaf     ? r->leaf[mid] < leaf
                      : r->first[mid] != first ? r->first[mid] < first
                                               : r->second[mid] < second;
        if (before)
            low = mid + 1;
        else
            high = mid;
    }
    bool found = low < r->count && r->leaf[low] == leaf && r->first[low] == first && r->second[low] == second;
    return found ? low : SIZE_MAX;
}
