/*
 * The pattern of sparse Cholesky factors: see sparse_cholesky.h.
 *
 * Row i of L has the columns met when climbing the elimination tree from the entries of row i of H up to i
 * (Liu 1990, theorem 3.1 ff.).  Climbing twice counts and then lists them, with rows in rising order.
 */
#include "math/sparse_cholesky.h"

#include <stdlib.h>
#include <string.h>

#include "core/buffer.h"

enum { COLUMN_COLUMNS = 13 };

/* panels that are joined though some entries become zeros held: width below which always, share of zeros else
 */
enum { NARROW = 4, WIDE = 48 };
static const double ZEROS_NARROW = 0.8, ZEROS_WIDE = 0.08;

static void column_columns(sparse_cholesky *f, column out[COLUMN_COLUMNS])
{
    uint32_t **arrays[] = {&f->order, &f->place, &f->parent, &f->panel_of, &f->first,
                           &f->count, &f->mark,  &f->head,   &f->next,     &f->moving};
    for (size_t k = 0; k < 10; k++)
        out[k] = (column){(void **)arrays[k], sizeof(uint32_t)};
    out[10] = (column){(void **)&f->rows_at, sizeof(size_t)};
    out[11] = (column){(void **)&f->values_at, sizeof(size_t)};
    out[12] = (column){(void **)&f->x, sizeof(double)};
}

void sparse_cholesky_free(sparse_cholesky *f)
{
    column columns[COLUMN_COLUMNS];
    column_columns(f, columns);
    columns_free(columns, COLUMN_COLUMNS);
    free(f->rows);
    free(f->L);
    free(f->update);
    min_degree_free(&f->graph);
    *f = (sparse_cholesky){0};
}

// room with an eighth to spare, so that patterns that change a little fit
static bool reserve_array(void **array, size_t entry, size_t *room, size_t need)
{
    column one = {array, entry};
    return need <= *room || columns_reserve(&one, 1, room, need + need / 8);
}

static void invert(uint32_t n, const uint32_t *order, uint32_t *place)
{
    for (uint32_t k = 0; k < n; k++)
        place[order[k]] = k;
}

// parent[k]: the first row below the diagonal of column k of L; ways up the tree are shortened in mark
static void build_tree(sparse_cholesky *f, const size_t *start, const uint32_t *index)
{
    for (uint32_t i = 0; i < f->n; i++) {
        f->parent[i] = f->mark[i] = f->n;
        for (size_t k = start[f->order[i]]; k < start[f->order[i] + 1]; k++) {
            uint32_t j = f->place[index[k]];
            while (j < i) {
                uint32_t up = f->mark[j];
                f->mark[j] = i;
                if (up == f->n)
                    f->parent[j] = i;
                j = up;
            }
        }
    }
}

// renumbers so that every subtree is one run of columns; scratch: head, next, count, moving
static void postorder(sparse_cholesky *f)
{
    uint32_t n = f->n, done = 0;
    for (uint32_t k = 0; k < n; k++)
        f->head[k] = n;
    for (uint32_t k = n; k-- > 0;) {
        if (f->parent[k] == n)
            continue;
        f->next[k] = f->head[f->parent[k]];
        f->head[f->parent[k]] = k;
    }
    for (uint32_t root = 0; root < n; root++) {
        uint32_t depth = 0;
        if (f->parent[root] != n)
            continue;
        f->moving[depth++] = root;
        while (depth > 0) {
            uint32_t k = f->moving[depth - 1], child = f->head[k];
            if (child != n) {
                f->head[k] = f->next[child];
                f->moving[depth++] = child;
            } else {
                f->count[done++] = k;
                depth--;
            }
        }
    }
    // new order, new tree
    for (uint32_t k = 0; k < n; k++) {
        f->mark[f->count[k]] = k;
        f->next[k] = f->order[f->count[k]];
    }
    for (uint32_t k = 0; k < n; k++)
        f->head[f->mark[k]] = f->parent[k] == n ? n : f->mark[f->parent[k]];
    memcpy(f->order, f->next, n * sizeof *f->order);
    memcpy(f->parent, f->head, n * sizeof *f->parent);
    invert(n, f->order, f->place);
}

// count[k] := entries of column k of L, the diagonal among them
static void count_columns(sparse_cholesky *f, const size_t *start, const uint32_t *index)
{
    for (uint32_t i = 0; i < f->n; i++) {
        f->count[i] = 1;
        f->mark[i] = i;
        for (size_t k = start[f->order[i]]; k < start[f->order[i] + 1]; k++)
            for (uint32_t j = f->place[index[k]]; j < i && f->mark[j] != i; j = f->parent[j]) {
                f->mark[j] = i;
                f->count[j]++;
            }
    }
}

// whether panel s, whose columns end before `begin`, had better be one with the panel that begins there
static bool worth_joining(const sparse_cholesky *f, uint32_t s, uint32_t begin, uint32_t end, size_t zeros,
                          size_t *joined_zeros)
{
    size_t a = begin - f->first[s], w = a + (end - begin), below = f->count[end - 1] - 1;
    // entries of the panel before and after; count of the last column of s is exact for all of s but zeros
    size_t before = a * (f->count[begin - 1] - 1), after = a * (below + (end - begin));
    *joined_zeros = zeros + (after - before);
    size_t all = w * (w + 1) / 2 + w * below;
    if (w <= NARROW)
        return (double)*joined_zeros <= ZEROS_NARROW * (double)all;
    return w <= WIDE ? (double)*joined_zeros <= 2 * ZEROS_WIDE * (double)all
                     : (double)*joined_zeros <= ZEROS_WIDE * (double)all;
}

// cuts the columns into panels; scratch next: zeros held by a panel
static void cut_panels(sparse_cholesky *f)
{
    uint32_t s = 0;
    f->first[0] = 0;
    f->next[0] = 0;
    for (uint32_t begin = 0; begin < f->n;) {
        uint32_t end = begin + 1;
        while (end < f->n && f->parent[end - 1] == end && f->count[end] + 1 == f->count[end - 1])
            end++;
        f->first[s] = begin;
        f->next[s] = 0;
        // the last child of this panel lies just before it
        size_t zeros;
        while (s > 0 && f->parent[f->first[s] - 1] < end && f->parent[f->first[s] - 1] >= f->first[s] &&
               worth_joining(f, s - 1, f->first[s], end, (size_t)f->next[s - 1] + f->next[s], &zeros)) {
            s--;
            f->next[s] = (uint32_t)zeros;
        }
        s++;
        begin = end;
    }
    f->panels = s;
    f->first[s] = f->n;
    for (uint32_t p = 0; p < s; p++)
        for (uint32_t k = f->first[p]; k < f->first[p + 1]; k++)
            f->panel_of[k] = p;
}

static bool lay_out(sparse_cholesky *f)
{
    size_t rows = 0, length = 0, widest = 0;
    for (uint32_t s = 0; s < f->panels; s++) {
        size_t width = f->first[s + 1] - f->first[s], below = f->count[f->first[s + 1] - 1] - 1;
        f->rows_at[s] = rows;
        f->values_at[s] = length;
        rows += width + below;
        length += width * (width + below);
        widest = below > widest ? below : widest;
    }
    f->rows_at[f->panels] = rows;
    f->values_at[f->panels] = f->length = length;
    size_t limit = f->limit > 0 ? f->limit : UINT32_MAX - 1;
    return length <= limit && reserve_array((void **)&f->rows, sizeof *f->rows, &f->room_rows, rows) &&
           reserve_array((void **)&f->L, sizeof *f->L, &f->room_L, length) &&
           reserve_array((void **)&f->update, sizeof *f->update, &f->room_update, widest);
}

// rows of every panel: its columns, and row i wherever the way up from row i's entries passes
static void list_rows(sparse_cholesky *f, const size_t *start, const uint32_t *index)
{
    for (uint32_t s = 0; s < f->panels; s++) {
        f->count[s] = 0;
        f->mark[s] = UINT32_MAX;
    }
    for (uint32_t i = 0; i < f->n; i++) {
        uint32_t own = f->panel_of[i];
        f->rows[f->rows_at[own] + f->count[own]++] = i;
        for (size_t k = start[f->order[i]]; k < start[f->order[i] + 1]; k++) {
            uint32_t j = f->place[index[k]];
            if (j >= i)
                continue;
            for (uint32_t s = f->panel_of[j]; s != own && f->mark[s] != i;) {
                f->mark[s] = i;
                f->rows[f->rows_at[s] + f->count[s]++] = i;
                s = f->panel_of[f->parent[f->first[s + 1] - 1]];
            }
        }
    }
}

bool sparse_cholesky_analyse(sparse_cholesky *f, uint32_t n, const size_t *start, const uint32_t *index)
{
    column columns[COLUMN_COLUMNS];
    column_columns(f, columns);
    if (!columns_reserve(columns, COLUMN_COLUMNS, &f->room, (size_t)n + 1))
        return false;
    f->n = n;
    f->panels = 0;
    if (!min_degree_order(&f->graph, n, start, index, f->order))
        return false;
    invert(n, f->order, f->place);
    build_tree(f, start, index);
    postorder(f);
    count_columns(f, start, index);
    cut_panels(f);
    if (!lay_out(f))
        return false;
    list_rows(f, start, index);
    return true;
}

uint32_t sparse_cholesky_slot(const sparse_cholesky *f, uint32_t i, uint32_t j)
{
    uint32_t a = f->place[i], b = f->place[j], column_number = a < b ? a : b, row = a < b ? b : a;
    uint32_t s = f->panel_of[column_number], first = f->first[s];
    const uint32_t *rows = f->rows + f->rows_at[s];
    size_t height = f->rows_at[s + 1] - f->rows_at[s], low = 0, high = height;
    // rows[low] <= row < rows[high]
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (rows[middle] <= row)
            low = middle;
        else
            high = middle;
    }
    return (uint32_t)(f->values_at[s] + (column_number - first) * height + low);
}
