/*
 * Numbers of sparse Cholesky factors: see sparse_cholesky.h.
 *
 * Left-looking by panels: before a panel is factored every panel d to its left with rows among its columns
 * takes its part off.  A panel waits in the list of the next one that it has to do with (head, next), with
 * the position in its rows where that begins (moving).
 */
#include "math/sparse_cholesky.h"

#include <math.h>

#include "math/panel.h"

bool sparse_cholesky_clear(sparse_cholesky *f)
{
    // by panels: where memory is touched for the first time this may take longer than one wants to wait
    for (uint32_t s = 0; s < f->panels; s++) {
        if (sparse_cholesky_stopped(f))
            return false;
        for (size_t k = f->values_at[s]; k < f->values_at[s + 1]; k++)
            f->L[k] = 0;
    }
    return true;
}

// factors a dense panel in place, column by column, up to a pivot that is not positive; the columns done
static size_t factor_panel(const sparse_cholesky *f, double *L, size_t height, size_t width)
{
    for (size_t j = 0; j < width; j++) {
        double *a = L + j * height;
        if (sparse_cholesky_stopped(f))
            return j;
        panel_subtract(height - j, j, height, L + j, height, L + j, a + j);
        if (!(a[j] > 0) || !isfinite(a[j]))
            return j;
        double pivot = sqrt(a[j]), inverse = 1 / pivot;
        a[j] = pivot;
        for (size_t i = j + 1; i < height; i++)
            a[i] *= inverse;
    }
    return width;
}

// takes off panel s what the panel d, whose rows from `from` to `to` are columns of s, has to do with it
static void apply(sparse_cholesky *f, uint32_t d, uint32_t s, size_t from, size_t to)
{
    size_t height = f->rows_at[d + 1] - f->rows_at[d], width = f->first[d + 1] - f->first[d];
    size_t target = f->rows_at[s + 1] - f->rows_at[s], left = height - from;
    const uint32_t *rows = f->rows + f->rows_at[d];
    const double *Ld = f->L + f->values_at[d] + from;
    for (size_t j = 0; j < to - from; j++) {
        double *restrict out = f->L + f->values_at[s] + (rows[from + j] - f->first[s]) * target;
        double *restrict y = f->update;
        for (size_t i = j; i < left; i++)
            y[i] = 0;
        panel_subtract(left - j, width, height, Ld + j, height, Ld + j, y + j);
        for (size_t i = j; i < left; i++)
            out[f->mark[rows[from + i]]] += y[i];
    }
}

// puts panel d, done up to the row at `from`, in the list of the panel that has this row as a column
static void wait_for(sparse_cholesky *f, uint32_t d, size_t from)
{
    if (f->rows_at[d] + from >= f->rows_at[d + 1])
        return;
    uint32_t s = f->panel_of[f->rows[f->rows_at[d] + from]];
    f->moving[d] = (uint32_t)from;
    f->next[d] = f->head[s];
    f->head[s] = d;
}

bool sparse_cholesky_factor(sparse_cholesky *f)
{
    for (uint32_t s = 0; s < f->panels; s++)
        f->head[s] = f->n;
    for (uint32_t s = 0; s < f->panels; s++) {
        const uint32_t *rows = f->rows + f->rows_at[s];
        size_t height = f->rows_at[s + 1] - f->rows_at[s], width = f->first[s + 1] - f->first[s];
        for (size_t i = 0; i < height; i++)
            f->mark[rows[i]] = (uint32_t)i;
        for (uint32_t d = f->head[s], after; d != f->n; d = after) {
            const uint32_t *its = f->rows + f->rows_at[d];
            size_t from = f->moving[d], to = from + 1, all = f->rows_at[d + 1] - f->rows_at[d];
            while (to < all && its[to] < f->first[s + 1])
                to++;
            after = f->next[d];
            if (sparse_cholesky_stopped(f)) {
                f->stopped = f->n;
                return false;
            }
            apply(f, d, s, from, to);
            wait_for(f, d, to);
        }
        size_t done = factor_panel(f, f->L + f->values_at[s], height, width);
        if (done < width) {
            f->stopped = sparse_cholesky_stopped(f) ? f->n : f->order[f->first[s] + done];
            return false;
        }
        wait_for(f, s, width);
    }
    return true;
}

// the part of panel s in x := L^-1 x; zeros, which most of a right side with few entries is, cost nothing
static void solve_panel(const sparse_cholesky *f, uint32_t s, double *x)
{
    size_t height = f->rows_at[s + 1] - f->rows_at[s], width = f->first[s + 1] - f->first[s];
    const uint32_t *rows = f->rows + f->rows_at[s];
    const double *L = f->L + f->values_at[s];
    for (size_t j = 0; j < width; j++, L += height) {
        if (x[rows[j]] == 0)
            continue;
        double xj = x[rows[j]] /= L[j];
        for (size_t i = j + 1; i < height; i++)
            x[rows[i]] -= L[i] * xj;
    }
}

// x := L^-1 x
static void solve_lower(const sparse_cholesky *f, double *x)
{
    for (uint32_t s = 0; s < f->panels; s++)
        solve_panel(f, s, x);
}

// x := L^-T x
static void solve_upper(const sparse_cholesky *f, double *x)
{
    for (uint32_t s = f->panels; s-- > 0;) {
        size_t height = f->rows_at[s + 1] - f->rows_at[s], width = f->first[s + 1] - f->first[s];
        const uint32_t *rows = f->rows + f->rows_at[s];
        for (size_t j = width; j-- > 0;) {
            const double *L = f->L + f->values_at[s] + j * height;
            double even = 0, odd = 0;
            size_t i = j + 1;
            for (; i + 2 <= height; i += 2) {
                even += L[i] * x[rows[i]];
                odd += L[i + 1] * x[rows[i + 1]];
            }
            if (i < height)
                even += L[i] * x[rows[i]];
            x[rows[j]] = (x[rows[j]] - (even + odd)) / L[j];
        }
    }
}

// x := P x, in f->x
static void gather(sparse_cholesky *f, const double *x)
{
    for (uint32_t k = 0; k < f->n; k++)
        f->x[k] = x[f->order[k]];
}

// x := P^T of f->x
static void scatter(const sparse_cholesky *f, double *x)
{
    for (uint32_t k = 0; k < f->n; k++)
        x[f->order[k]] = f->x[k];
}

void sparse_cholesky_solve(sparse_cholesky *f, double *x)
{
    gather(f, x);
    solve_lower(f, f->x);
    solve_upper(f, f->x);
    scatter(f, x);
}

void sparse_cholesky_solve_lower(sparse_cholesky *f, double *x)
{
    gather(f, x);
    solve_lower(f, f->x);
    for (uint32_t k = 0; k < f->n; k++)
        x[k] = f->x[k];
}

void sparse_cholesky_solve_upper(sparse_cholesky *f, double *x)
{
    solve_upper(f, x);
    for (uint32_t k = 0; k < f->n; k++)
        f->x[k] = x[k];
    scatter(f, x);
}

// panel s joins those that wait
static uint32_t wait_once(uint32_t *waiting, uint32_t count, uint32_t s)
{
    for (uint32_t k = 0; k < count; k++)
        if (waiting[k] == s)
            return count;
    waiting[count] = s;
    return count + 1;
}

// takes the first panel from those that wait
static uint32_t take_first(uint32_t *waiting, uint32_t *count)
{
    uint32_t least = 0;
    for (uint32_t k = 1; k < *count; k++)
        least = waiting[k] < waiting[least] ? k : least;
    uint32_t s = waiting[least];
    waiting[least] = waiting[--*count];
    return s;
}

double sparse_cholesky_length(sparse_cholesky *f, size_t count, const uint32_t *column, const double *a,
                              double *x)
{
    uint32_t *waiting = f->moving, waits = 0;
    double square = 0;
    for (size_t k = 0; k < count; k++) {
        x[f->place[column[k]]] = a[k];
        waits = wait_once(waiting, waits, f->panel_of[f->place[column[k]]]);
    }
    // up the tree from every entry
    while (waits > 0) {
        uint32_t s = take_first(waiting, &waits), up = f->parent[f->first[s + 1] - 1];
        solve_panel(f, s, x);
        for (uint32_t k = f->first[s]; k < f->first[s + 1]; k++) {
            square += x[k] * x[k];
            x[k] = 0;
        }
        if (up != f->n)
            waits = wait_once(waiting, waits, f->panel_of[up]);
    }
    return sqrt(square);
}
