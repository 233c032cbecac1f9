/* Set-up of large sparse projections: room, pattern of the Newton matrix, unit rows.  See large.h. */
#include "convex/large.h"

#include <stdlib.h>
#include <string.h>

#include "core/buffer.h"
#include "core/fail.h"
#include "math/vec.h"

/* below this many entries of A if it were dense, the dense method is as fast (docs/theory/convex.md §5) */
enum { SMALL = 10000 };

enum { N_COLUMNS = 9, ROW_COLUMNS = 15, ENTRY_COLUMNS = 3 };

static void n_columns(large *p, column out[N_COLUMNS])
{
    double **arrays[] = {&p->v, &p->Mv, &p->gradient, &p->step, &p->M_step, &p->side, &p->kept};
    for (size_t k = 0; k < 7; k++)
        out[k] = (column){(void **)arrays[k], sizeof(double)};
    out[7] = (column){(void **)&p->row_at, sizeof(size_t)};
    out[8] = (column){(void **)&p->near_at, sizeof(size_t)};
}

static void row_columns(large *p, column out[ROW_COLUMNS])
{
    double **arrays[] = {&p->d,     &p->inverse, &p->scale,  &p->lambda, &p->s,     &p->before,
                         &p->along, &p->y,       &p->weight, &p->dl,     &p->second};
    for (size_t k = 0; k < 11; k++)
        out[k] = (column){(void **)arrays[k], sizeof(double)};
    out[11] = (column){(void **)&p->start, sizeof(size_t)};
    out[12] = (column){(void **)&p->active, sizeof(size_t)};
    out[13] = (column){(void **)&p->on, 1};
    out[14] = (column){(void **)&p->factored, 1};
}

static void entry_columns(large *p, column out[ENTRY_COLUMNS])
{
    out[0] = (column){(void **)&p->g, sizeof(double)};
    out[1] = (column){(void **)&p->column, sizeof(uint32_t)};
    out[2] = (column){(void **)&p->row_of, sizeof(uint32_t)};
}

void large_free(large *p)
{
    column n[N_COLUMNS], row[ROW_COLUMNS], entry[ENTRY_COLUMNS];
    n_columns(p, n);
    row_columns(p, row);
    entry_columns(p, entry);
    columns_free(n, N_COLUMNS);
    columns_free(row, ROW_COLUMNS);
    columns_free(entry, ENTRY_COLUMNS);
    free(p->slot);
    free(p->metric_slot);
    free(p->near);
    sparse_cholesky_free(&p->factor);
}

// products of the entries of one row, each pair once
static size_t products(const mo_polyhedron *set)
{
    size_t sum = 0;
    for (size_t i = 0; i < set->rows; i++) {
        size_t k = set->start[i + 1] - set->start[i];
        sum += k * (k + 1) / 2;
    }
    return sum;
}

bool large_suits(const mo_polyhedron *set, const metric_factor *m)
{
    if (set->start == NULL || set->n * set->rows <= SMALL || (!m->identity && m->kind == MO_METRIC_DENSE))
        return false;
    // rows with many entries would fill the Newton matrix
    return products(set) <= set->n * set->rows / 4;
}

// room with an eighth to spare, so that problems that change a little fit
static bool reserve_more(const column *columns, size_t count, size_t *room, size_t need)
{
    return need <= *room || columns_reserve(columns, count, room, need + need / 8);
}

static bool reserve(large *p, const mo_polyhedron *set, const metric_factor *m)
{
    column n[N_COLUMNS], row[ROW_COLUMNS], entry[ENTRY_COLUMNS];
    column slot = {(void **)&p->slot, sizeof(uint32_t)},
           metric = {(void **)&p->metric_slot, sizeof(uint32_t)};
    n_columns(p, n);
    row_columns(p, row);
    entry_columns(p, entry);
    return reserve_more(n, N_COLUMNS, &p->room_n, set->n + 2) &&
           reserve_more(row, ROW_COLUMNS, &p->room_rows, set->rows + 1) &&
           reserve_more(entry, ENTRY_COLUMNS, &p->room_entries, set->start[set->rows]) &&
           reserve_more(&slot, 1, &p->room_slots, products(set)) &&
           columns_reserve(&metric, 1, &p->room_metric, m->identity ? set->n : m->length);
}

// whether the last analysis is for this very pattern
static bool same_pattern(const large *p, const mo_polyhedron *set, const metric_factor *m)
{
    return p->analysed && p->n == set->n && p->rows == set->rows && p->metric_kind == m->kind &&
           p->metric_width == m->width && (m->kind != MO_METRIC_SPARSE || p->metric_pattern == m->pattern) &&
           memcmp(p->start, set->start, (set->rows + 1) * sizeof *set->start) == 0 &&
           memcmp(p->column, set->column, set->start[set->rows] * sizeof *set->column) == 0;
}

// row_of[row_at[j]] ...: the rows with an entry in column j, rising
static void rows_by_column(large *p)
{
    size_t *at = p->row_at;
    for (size_t j = 0; j <= p->n + 1; j++)
        at[j] = 0;
    for (size_t k = 0; k < p->start[p->rows]; k++)
        at[p->column[k] + 2]++;
    for (size_t j = 1; j <= p->n + 1; j++)
        at[j] += at[j - 1];
    for (size_t i = 0; i < p->rows; i++)
        for (size_t k = p->start[i]; k < p->start[i + 1]; k++)
            p->row_of[at[p->column[k] + 1]++] = (uint32_t)i;
}

static void add_near(large *p, uint32_t *mark, uint32_t j, uint32_t l, size_t *used)
{
    if (mark[l] == j)
        return;
    mark[l] = j;
    p->near[(*used)++] = l;
}

// the pattern of M + A^T A as lists of neighbours; mark [n] is overwritten
static void list_near(large *p, const metric_factor *m, uint32_t *mark)
{
    size_t used = 0, w = m->kind == MO_METRIC_BANDED ? m->width : 0;
    for (size_t j = 0; j < p->n; j++)
        mark[j] = UINT32_MAX;
    for (uint32_t j = 0; j < p->n; j++) {
        p->near_at[j] = used;
        add_near(p, mark, j, j, &used);
        for (size_t r = p->row_at[j]; r < p->row_at[j + 1]; r++)
            for (size_t k = p->start[p->row_of[r]]; k < p->start[p->row_of[r] + 1]; k++)
                add_near(p, mark, j, p->column[k], &used);
        size_t low = j > w ? j - w : 0, high = j + w + 1 < p->n ? j + w + 1 : p->n;
        if (m->kind == MO_METRIC_BLOCKS) {
            low = j - j % m->width;
            high = low + m->width;
        }
        for (size_t l = low; l < high; l++)
            add_near(p, mark, j, (uint32_t)l, &used);
        for (size_t k = 0; m->kind == MO_METRIC_SPARSE && k < m->near_at[j + 1] - m->near_at[j]; k++)
            add_near(p, mark, j, m->near[m->near_at[j] + k], &used);
    }
    p->near_at[p->n] = used;
}

static void find_slots(large *p, const metric_factor *m)
{
    size_t used = 0;
    for (size_t i = 0; i < p->rows; i++)
        for (size_t k = p->start[i]; k < p->start[i + 1]; k++)
            for (size_t l = p->start[i]; l <= k; l++)
                p->slot[used++] = sparse_cholesky_slot(&p->factor, p->column[k], p->column[l]);
    for (size_t i = 0; m->identity && i < p->n; i++)
        p->metric_slot[i] = sparse_cholesky_slot(&p->factor, (uint32_t)i, (uint32_t)i);
    for (size_t i = 0; m->kind == MO_METRIC_SPARSE && i < p->n; i++)
        for (size_t k = m->start[i]; k < m->start[i + 1]; k++)
            p->metric_slot[k] = sparse_cholesky_slot(&p->factor, (uint32_t)i, m->column[k]);
    for (size_t i = 0; !m->identity && m->kind != MO_METRIC_SPARSE && i < p->n; i++)
        for (size_t j = m->first[i]; j <= i; j++)
            p->metric_slot[m->row[i] + j] = sparse_cholesky_slot(&p->factor, (uint32_t)i, (uint32_t)j);
}

static bool analyse(large *p, const mo_polyhedron *set, const metric_factor *m)
{
    p->analysed = false;
    memcpy(p->start, set->start, (set->rows + 1) * sizeof *set->start);
    memcpy(p->column, set->column, set->start[set->rows] * sizeof *set->column);
    rows_by_column(p);
    column near = {(void **)&p->near, sizeof(uint32_t)};
    // every pair twice, the diagonal, the metric; the marks behind them
    size_t band = m->kind == MO_METRIC_BANDED ? 2 * m->width : m->kind == MO_METRIC_BLOCKS ? m->width : 0;
    size_t most = 2 * products(set) + (band + 1) * p->n + (m->kind == MO_METRIC_SPARSE ? 2 * m->length : 0);
    if (!reserve_more(&near, 1, &p->room_near, most + p->n))
        return false;
    list_near(p, m, p->near + most);
    if (!sparse_cholesky_analyse(&p->factor, (uint32_t)p->n, p->near_at, p->near))
        return false;
    find_slots(p, m);
    p->metric_kind = m->kind;
    p->metric_width = m->width;
    p->metric_pattern = m->pattern;
    p->analysed = true;
    return true;
}

// unit row i; false: not finite, or out of range
static bool load_row(large *p, size_t i, const double *a, double b, const metric_factor *m, const double *z)
{
    size_t begin = p->start[i], count = p->start[i + 1] - begin;
    const uint32_t *at = p->column + begin;
    double *g = p->g + begin, az = 0, size, largest = vec_max_abs(count, a), unit = 1;
    if (!isfinite(b) || !vec_finite(count, a))
        return false;
    // rows whose square would overflow or vanish are made smaller or larger first
    if (largest > 0 && !(largest > 1e-100 && largest < 1e100))
        unit = 1 / largest;
    size = fabs(b * unit);
    for (size_t k = 0; k < count; k++) {
        g[k] = a[k] * unit;
        az += g[k] * z[at[k]];
        size += fabs(g[k] * z[at[k]]);
    }
    double inverse = largest > 0 ? 1 / metric_row_length(m, count, at, g, p->side) : 1;
    for (size_t k = 0; k < count; k++)
        g[k] *= inverse;
    p->d[i] = (b * unit - az) * inverse;
    p->scale[i] = size * inverse;
    p->inverse[i] = largest > 0 ? unit * inverse : 0;
    return isfinite(p->scale[i]) && isfinite(p->inverse[i]) && (p->inverse[i] > 0 || largest == 0);
}

mo_status large_load(large *p, const mo_polyhedron *set, const metric_factor *m, const double *z,
                     mo_error *err)
{
    bool fits = set->n < INT32_MAX && set->rows < INT32_MAX && reserve(p, set, m);
    bool same = fits && same_pattern(p, set, m);
    p->n = set->n;
    p->rows = set->rows;
    p->equalities = set->equalities;
    if (!fits || (!same && !analyse(p, set, m)))
        return fail(err, MO_NO_MEMORY, NULL, "no memory for %zu sparse rows in %zu unknowns", set->rows,
                    set->n);
    if (!vec_finite(set->n, z))
        return fail(err, MO_BAD_INPUT, "z", "not finite");
    vec_zero(p->n, p->side);
    for (size_t i = 0; i < set->rows; i++)
        if (!load_row(p, i, set->A + set->start[i], set->b != NULL ? set->b[i] : 0, m, z))
            return fail(err, MO_BAD_INPUT, "A", "row %zu of %zu is not finite, or out of range in the metric",
                        i + 1, set->rows);
    p->has_factor = false;
    return MO_OK;
}
