/*
 * Numbers of sparse L U factors: see sparse_lu.h.
 *
 * Left-looking by panels, as in sparse_cholesky.c: before a panel is factored every panel to its left with
 * rows among its columns takes its part off, off L from below and off U^T from the right.
 */
#include "math/sparse_lu.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/buffer.h"
#include "core/wide.h"
#include "math/panel.h"
#include "math/vec.h"

enum { NODE_COLUMNS = 8 };

/* numbers behind the last panel that tiles may reach over to: zeros */
enum { SPARE = PANEL_ROWS + PANEL_COLUMNS };

static void node_columns(sparse_lu *f, column out[NODE_COLUMNS])
{
    uint32_t **numbers[] = {&f->pivot, &f->mark, &f->head, &f->next, &f->moving};
    size_t **sizes[] = {&f->rows_at, &f->values_at};
    for (size_t k = 0; k < 5; k++)
        out[k] = (column){(void **)numbers[k], sizeof(uint32_t)};
    for (size_t k = 0; k < 2; k++)
        out[5 + k] = (column){(void **)sizes[k], sizeof(size_t)};
    out[7] = (column){(void **)&f->x, sizeof(double)};
}

static void value_columns(sparse_lu *f, column out[2])
{
    out[0] = (column){(void **)&f->L, sizeof(double)};
    out[1] = (column){(void **)&f->U, sizeof(double)};
}

void sparse_lu_free(sparse_lu *f)
{
    column nodes[NODE_COLUMNS], values[2];
    node_columns(f, nodes);
    value_columns(f, values);
    columns_free(nodes, NODE_COLUMNS);
    columns_free(values, 2);
    free(f->rows);
    free(f->update);
    sparse_cholesky_free(&f->pattern);
    *f = (sparse_lu){0};
}

// n rows in whole tiles
static size_t whole_rows(size_t n)
{
    return (n + PANEL_ROWS - 1) / PANEL_ROWS * PANEL_ROWS;
}

static uint32_t first_of(const sparse_lu *f, uint32_t panel)
{
    return f->block * f->pattern.first[panel];
}

// every row of blocks becomes `block` rows
static void expand_rows(sparse_lu *f)
{
    const sparse_cholesky *p = &f->pattern;
    size_t at = 0;
    for (uint32_t s = 0; s < p->panels; s++)
        for (size_t k = p->rows_at[s]; k < p->rows_at[s + 1]; k++)
            for (uint32_t i = 0; i < f->block; i++)
                f->rows[at++] = f->block * p->rows[k] + i;
}

bool sparse_lu_analyse(sparse_lu *f, uint32_t blocks, uint32_t block, const size_t *start,
                       const uint32_t *index)
{
    column nodes[NODE_COLUMNS], values[2], rows = {(void **)&f->rows, sizeof *f->rows},
                                           update = {(void **)&f->update, sizeof *f->update};
    const sparse_cholesky *p = &f->pattern;
    node_columns(f, nodes);
    value_columns(f, values);
    if (blocks > UINT32_MAX / block - 1 || !sparse_cholesky_analyse(&f->pattern, blocks, start, index))
        return false;
    size_t n = (size_t)block * blocks;
    if (!columns_reserve(nodes, NODE_COLUMNS, &f->room, n + 1))
        return false;
    for (uint32_t s = 0; s <= p->panels; s++) {
        f->rows_at[s] = block * p->rows_at[s];
        f->values_at[s] = block * block * p->values_at[s];
    }
    f->n = (uint32_t)n;
    f->block = block;
    f->length = f->values_at[p->panels];
    if (!columns_reserve(&rows, 1, &f->room_rows, f->rows_at[p->panels]) ||
        !columns_reserve(values, 2, &f->room_values, f->length + SPARE) ||
        !columns_reserve(&update, 1, &f->room_update, PANEL_COLUMNS * whole_rows(n)))
        return false;
    expand_rows(f);
    return true;
}

// position of a row among those of a panel
static size_t find_row(const sparse_lu *f, uint32_t panel, uint32_t row)
{
    size_t low = f->rows_at[panel], high = f->rows_at[panel + 1];
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (f->rows[middle] <= row)
            low = middle;
        else
            high = middle;
    }
    return low - f->rows_at[panel];
}

sparse_lu_slot sparse_lu_find(const sparse_lu *f, uint32_t i, uint32_t j)
{
    const sparse_cholesky *p = &f->pattern;
    uint32_t a = p->place[i], b = p->place[j], panel = p->panel_of[a < b ? a : b];
    bool upper = a < b && p->panel_of[b] != panel;
    uint32_t along = upper ? a : b, across = upper ? b : a;
    uint32_t height = (uint32_t)(f->rows_at[panel + 1] - f->rows_at[panel]);
    sparse_lu_slot slot = {.upper = upper, .row = upper ? height : 1, .column = upper ? 1 : height};
    slot.at = f->values_at[panel] + (size_t)(f->block * along - first_of(f, panel)) * height +
              find_row(f, panel, f->block * across);
    return slot;
}

bool sparse_lu_clear(sparse_lu *f)
{
    // by panels: where memory is touched for the first time this may take longer than one wants to wait
    for (uint32_t s = 0; s < f->pattern.panels; s++) {
        size_t at = f->values_at[s], length = f->values_at[s + 1] - at;
        if (sparse_cholesky_stopped(&f->pattern))
            return false;
        memset(f->L + at, 0, length * sizeof *f->L);
        // of U there is only what is right of the square
        if (f->rows_at[s + 1] - f->rows_at[s] > first_of(f, s + 1) - first_of(f, s))
            memset(f->U + at, 0, length * sizeof *f->U);
    }
    memset(f->L + f->length, 0, SPARE * sizeof *f->L);
    memset(f->U + f->length, 0, SPARE * sizeof *f->U);
    return true;
}

// the rows from `begin` on of a panel, `height` apart: what they have to do with the rows [j, j + columns)
typedef struct update {
    const uint32_t *rows;
    size_t begin, end, j, columns;
} update;

// out_j[mark[row]] -= sum over k of x_k t_kj for the rows of u, out_j belonging to row j of u
static void take_off(sparse_lu *f, const update *u, size_t count, size_t height, const double *x,
                     const double *t, double *const out[PANEL_COLUMNS])
{
    const size_t n = u->end - u->begin, stride = whole_rows(n);
    const uint32_t *rows = u->rows + u->begin;
    // columns beyond those there are belong to others: they are computed and left
    panel_product(n, count, height, x + u->begin, &(panel_factor){t + u->j, height, 1}, f->update, stride);
    for (size_t j = 0; j < u->columns; j++) {
        double *restrict to = out[j];
        const double *restrict y = f->update + j * stride;
        for (size_t i = 0; i < n; i++)
            to[f->mark[rows[i]]] -= y[i];
    }
}

// takes off panel s what the panel d, whose rows from `from` to `to` are columns of s, has to do with it
static void apply(sparse_lu *f, uint32_t d, uint32_t s, size_t from, size_t to)
{
    size_t height = f->rows_at[d + 1] - f->rows_at[d], width = first_of(f, d + 1) - first_of(f, d);
    size_t target = f->rows_at[s + 1] - f->rows_at[s];
    const uint32_t *rows = f->rows + f->rows_at[d];
    const double *L = f->L + f->values_at[d], *U = f->U + f->values_at[d];
    for (size_t j = from, columns; j < to; j += columns) {
        columns = to - j < PANEL_COLUMNS ? to - j : PANEL_COLUMNS;
        double *low[PANEL_COLUMNS], *high[PANEL_COLUMNS];
        for (size_t k = 0; k < columns; k++) {
            size_t at = f->values_at[s] + (rows[j + k] - first_of(f, s)) * target;
            low[k] = f->L + at;
            high[k] = f->U + at;
        }
        take_off(f, &(update){rows, from, height, j, columns}, width, height, L, U, low);
        take_off(f, &(update){rows, to, height, j, columns}, width, height, U, L, high);
    }
}

// puts panel d, done up to the row at `from`, in the list of the panel that has this row as a column
static void wait_for(sparse_lu *f, uint32_t d, size_t from)
{
    if (f->rows_at[d] + from >= f->rows_at[d + 1])
        return;
    uint32_t s = f->pattern.panel_of[f->rows[f->rows_at[d] + from] / f->block];
    f->moving[d] = (uint32_t)from;
    f->next[d] = f->head[s];
    f->head[s] = d;
}

static void swap(double *a, double *b)
{
    double kept = *a;
    *a = *b;
    *b = kept;
}

// rows j and p of a panel's square, and of the rest of U to its right, change places
static void exchange(double *L, double *U, size_t height, size_t width, size_t j, size_t p)
{
    for (size_t k = 0; k < width; k++)
        swap(L + k * height + j, L + k * height + p);
    for (size_t i = width; i < height; i++)
        swap(U + j * height + i, U + p * height + i);
}

/* A diagonal entry of that share of the largest one stays the pivot: what an open contact, whose row has
 * nothing beside its diagonal, would lend to others. */
#define LARGE_ENOUGH 0.1

// the first row of the square with the largest entry of column j; j itself where that is large enough, or no
// number
static size_t largest_below(const double *a, size_t j, size_t width)
{
    // eight largest side by side
    enum { WAYS = 8 };
    double most[WAYS] = {0}, largest = fabs(a[j]);
    size_t i = j;
    for (; i + WAYS <= width; i += WAYS)
        for (size_t k = 0; k < WAYS; k++)
            most[k] = fabs(a[i + k]) > most[k] ? fabs(a[i + k]) : most[k];
    for (; i < width; i++)
        most[0] = fabs(a[i]) > most[0] ? fabs(a[i]) : most[0];
    for (size_t k = 0; k < WAYS; k++)
        largest = most[k] > largest ? most[k] : largest;
    if (fabs(a[j]) >= LARGE_ENOUGH * largest)
        return j;
    for (i = j; i < width && fabs(a[i]) < largest;)
        i++;
    return i < width ? i : j;
}

// a panel while it is factored
typedef struct panel {
    double *L, *U;
    size_t height, width;
    uint32_t *pivot; /* [width] */
    double *update;  /* scratch of take_sums */
} panel;

// to_j -= sum over k < count of t(k, j) x_k for `columns` <= PANEL_COLUMNS vectors [n], `height` apart as all
static void take_sums(const panel *p, size_t n, size_t count, const double *x, panel_factor t, double *to,
                      size_t columns)
{
    const size_t stride = whole_rows(n);
    if (columns < PANEL_COLUMNS) {
        for (size_t j = 0; j < columns; j++)
            panel_subtract(n, count, p->height, x, t.stride, t.at + j * t.across, to + j * p->height);
        return;
    }
    panel_product(n, count, p->height, x, &t, p->update, stride);
    for (size_t j = 0; j < PANEL_COLUMNS; j++)
        for (size_t i = 0; i < n; i++)
            to[j * p->height + i] -= p->update[j * stride + i];
}

// rows [from, to) of a column: u_i -= sum over k < i, k >= from, of l_ik u_k
static void solve_rows(const panel *p, size_t from, size_t to, double *a)
{
    for (size_t k = from; k < to; k++)
        for (size_t i = k + 1; i < to; i++)
            a[i] -= p->L[k * p->height + i] * a[k];
}

// the columns [from, from + columns) less what those before them have to do with them: u_kj by a few rows at
// a time, then the rest
static void update_columns(const panel *p, size_t from, size_t columns)
{
    double *a = p->L + from * p->height;
    const panel_factor t = {a, 1, p->height};
    for (size_t k = 0, rows; k < from; k += rows) {
        rows = from - k < PANEL_ROWS ? from - k : PANEL_ROWS;
        take_sums(p, rows, k, p->L + k, t, a + k, columns);
        for (size_t j = 0; j < columns; j++)
            solve_rows(p, k, k + rows, a + j * p->height);
    }
    take_sums(p, p->height - from, from, p->L + from, t, a + from, columns);
}

// finds the pivot of column j, from which those before it are taken off; returns 1 for one that was replaced,
// SIZE_MAX for one that is not finite
static size_t find_pivot(const panel *p, size_t j, double tiny)
{
    double *a = p->L + j * p->height;
    const size_t row = largest_below(a, j, p->width);
    p->pivot[j] = (uint32_t)row;
    if (row != j)
        exchange(p->L, p->U, p->height, p->width, j, row);
    if (!isfinite(a[j]))
        return SIZE_MAX;
    const bool replaced = fabs(a[j]) < tiny;
    if (replaced)
        a[j] = copysign(tiny, a[j]);
    return replaced;
}

// the same of a column from which those before `from` are taken off
static size_t factor_column(const panel *p, size_t from, size_t j, double tiny)
{
    const size_t height = p->height;
    double *a = p->L + j * height;
    solve_rows(p, from, j, a);
    panel_subtract(height - j, j - from, height, p->L + from * height + j, 1, a + from, a + j);
    const size_t replaced = find_pivot(p, j, tiny);
    const double inverse = 1 / a[j];
    for (size_t i = j + 1; i < height; i++)
        a[i] *= inverse;
    return replaced;
}

/* Panels no wider than that are factored column by column, which takes each off all to its right: they are in
 * the first cache, and blocks of few columns would be most of the work. */
enum { NARROW = 32 };

/* Numbers side by side, from any place, and as many bits. */
enum { NUMBERS = 4 };
typedef double vector
    __attribute__((vector_size(NUMBERS * sizeof(double)), aligned(sizeof(double)), may_alias));
typedef int64_t bits
    __attribute__((vector_size(NUMBERS * sizeof(int64_t)), aligned(sizeof(int64_t)), may_alias));

// divides what column j has below its diagonal by that, and takes it off the columns to the right.  By whole
// vectors: rows above and behind the last one stay as they are
WIDE static void take_column(const panel *p, size_t j, double *l)
{
    const size_t height = p->height, begin = (j + 1) / NUMBERS * NUMBERS;
    const int64_t above = (int64_t)j, end = (int64_t)height;
    double *own = p->L + j * height;
    const double inverse = 1 / own[j];
    for (size_t i = begin; i < height; i += NUMBERS) {
        const bits row = (int64_t)i + (bits){0, 1, 2, 3}, below = (row > above) & (row < end);
        const bits scaled = (bits)(*(vector *)(own + i) * inverse) & below;
        *(bits *)(l + i) = scaled;
        *(bits *)(own + i) = scaled | (*(bits *)(own + i) & ~below);
    }
    for (size_t c = j + 1; c < p->width; c++) {
        double *a = p->L + c * height;
        const double u = a[j];
        if (u == 0)
            continue;
        for (size_t i = begin; i < height; i += NUMBERS)
            *(vector *)(a + i) -= *(vector *)(l + i) * u;
    }
}

// factors a narrow panel in place but for what U has outside the square
static size_t factor_narrow(const panel *p, double tiny)
{
    size_t replaced = 0;
    for (size_t j = 0; j < p->width; j++) {
        const size_t here = find_pivot(p, j, tiny);
        if (here == SIZE_MAX)
            return SIZE_MAX;
        replaced += here;
        take_column(p, j, p->update);
    }
    return replaced;
}

// factors a panel in place but for what U has outside the square, a few columns at a time
static size_t factor_wide(const sparse_lu *f, const panel *p, double tiny)
{
    size_t replaced = 0;
    for (size_t from = 0, columns; from < p->width; from += columns) {
        columns = p->width - from < PANEL_COLUMNS ? p->width - from : PANEL_COLUMNS;
        if (sparse_cholesky_stopped(&f->pattern))
            return SIZE_MAX;
        update_columns(p, from, columns);
        for (size_t j = from; j < from + columns; j++) {
            const size_t here = factor_column(p, from, j, tiny);
            if (here == SIZE_MAX)
                return SIZE_MAX;
            replaced += here;
        }
    }
    return replaced;
}

// rows of U to the right of the square: u_j -= sum over i < j of l_ji u_i
static void finish_upper(const panel *p)
{
    const size_t n = p->height - p->width;
    double *U = p->U + p->width;
    for (size_t from = 0, columns; from < p->width; from += columns) {
        columns = p->width - from < PANEL_COLUMNS ? p->width - from : PANEL_COLUMNS;
        take_sums(p, n, from, U, (panel_factor){p->L + from, p->height, 1}, U + from * p->height, columns);
        for (size_t j = from + 1; j < from + columns; j++)
            panel_subtract(n, j - from, p->height, U + from * p->height, p->height,
                           p->L + from * p->height + j, U + j * p->height);
    }
}

// factors a panel in place: L with its square, then what U has outside the square
static size_t factor_panel(const sparse_lu *f, uint32_t s, double tiny)
{
    const panel p = {.L = f->L + f->values_at[s],
                     .U = f->U + f->values_at[s],
                     .height = f->rows_at[s + 1] - f->rows_at[s],
                     .width = first_of(f, s + 1) - first_of(f, s),
                     .pivot = f->pivot + first_of(f, s),
                     .update = f->update};
    const size_t replaced = p.width <= NARROW ? factor_narrow(&p, tiny) : factor_wide(f, &p, tiny);
    if (replaced != SIZE_MAX)
        finish_upper(&p);
    return replaced;
}

size_t sparse_lu_factor(sparse_lu *f, double tiny)
{
    uint32_t panels = f->pattern.panels;
    size_t replaced = 0;
    for (uint32_t s = 0; s < panels; s++)
        f->head[s] = f->n;
    for (uint32_t s = 0; s < panels; s++) {
        const uint32_t *rows = f->rows + f->rows_at[s];
        size_t height = f->rows_at[s + 1] - f->rows_at[s], width = first_of(f, s + 1) - first_of(f, s);
        for (size_t i = 0; i < height; i++)
            f->mark[rows[i]] = (uint32_t)i;
        for (uint32_t d = f->head[s], after; d != f->n; d = after) {
            const uint32_t *its = f->rows + f->rows_at[d];
            size_t from = f->moving[d], to = from + 1, all = f->rows_at[d + 1] - f->rows_at[d];
            while (to < all && its[to] < first_of(f, s + 1))
                to++;
            after = f->next[d];
            if (sparse_cholesky_stopped(&f->pattern))
                return SIZE_MAX;
            apply(f, d, s, from, to);
            wait_for(f, d, to);
        }
        size_t here = factor_panel(f, s, tiny);
        if (here == SIZE_MAX)
            return SIZE_MAX;
        replaced += here;
        wait_for(f, s, width);
    }
    return replaced;
}

// those of x in the rows of a panel below its square, side by side
static size_t gather(sparse_lu *f, uint32_t s, const double *x)
{
    const size_t width = first_of(f, s + 1) - first_of(f, s), n = f->rows_at[s + 1] - f->rows_at[s] - width;
    const uint32_t *rows = f->rows + f->rows_at[s] + width;
    for (size_t i = 0; i < n; i++)
        f->update[i] = x[rows[i]];
    return n;
}

// x := T^-1 x, T the lower part of a panel's square with ones on its diagonal
static inline void solve_square_lower(size_t width, size_t height, const double *restrict L,
                                      double *restrict x)
{
    for (size_t j = 0; j + 1 < width; j++)
        for (size_t i = j + 1; i < width; i++)
            x[i] -= L[j * height + i] * x[j];
}

// x := T^-1 x, T the upper part of a panel's square
static inline void solve_square_upper(size_t width, size_t height, const double *restrict L,
                                      double *restrict x)
{
    for (size_t j = width; j-- > 0;) {
        const double xj = x[j] /= L[j * height + j];
        for (size_t i = 0; i < j; i++)
            x[i] -= L[j * height + i] * xj;
    }
}

// x := L^-1 P x
static void solve_lower(sparse_lu *f, double *x)
{
    for (uint32_t s = 0; s < f->pattern.panels; s++) {
        size_t height = f->rows_at[s + 1] - f->rows_at[s], first = first_of(f, s);
        size_t width = first_of(f, s + 1) - first;
        const uint32_t *below = f->rows + f->rows_at[s] + width;
        const double *L = f->L + f->values_at[s];
        // right-hand sides of few numbers meet few panels
        if (vec_all_zero(width, x + first))
            continue;
        for (size_t j = 0; j < width; j++)
            swap(x + first + j, x + first + f->pivot[first + j]);
        solve_square_lower(width, height, L, x + first);
        const size_t n = gather(f, s, x);
        panel_subtract(n, width, height, L + width, 1, x + first, f->update);
        for (size_t i = 0; i < n; i++)
            x[below[i]] = f->update[i];
    }
}

// sum of a_i b_i, four sums side by side
static inline double product(size_t n, const double *restrict a, const double *restrict b)
{
    double sum[4] = {0};
    size_t i = 0;
    for (; i + 4 <= n; i += 4)
        for (size_t k = 0; k < 4; k++)
            sum[k] += a[i + k] * b[i + k];
    for (; i < n; i++)
        sum[0] += a[i] * b[i];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// x := U^-1 x
static void solve_upper(sparse_lu *f, double *x)
{
    for (uint32_t s = f->pattern.panels; s-- > 0;) {
        size_t height = f->rows_at[s + 1] - f->rows_at[s], first = first_of(f, s);
        size_t width = first_of(f, s + 1) - first;
        const double *U = f->U + f->values_at[s] + width;
        const size_t n = gather(f, s, x);
        for (size_t j = 0; j < width; j++)
            x[first + j] -= product(n, U + j * height, f->update);
        solve_square_upper(width, height, f->L + f->values_at[s], x + first);
    }
}

void sparse_lu_solve(sparse_lu *f, double *x)
{
    const uint32_t *order = f->pattern.order;
    for (uint32_t k = 0; k < f->n; k++)
        f->x[k] = x[f->block * order[k / f->block] + k % f->block];
    solve_lower(f, f->x);
    solve_upper(f, f->x);
    for (uint32_t k = 0; k < f->n; k++)
        x[f->block * order[k / f->block] + k % f->block] = f->x[k];
}
