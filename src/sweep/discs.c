/*
 * Discs in the plane: gaps |p_i - p_j| - r_i - r_j between two of them, d(p_i, wall) - r_i to a segment.
 *
 * Neighbours: cells of a square grid at least as wide as the largest diameter plus the margin, the discs
 * sorted by cell (strip by strip), so that whoever may be near stands in three runs of the sorted list.
 */
#include "sweep/discs.h"

#include <math.h>
#include <stdlib.h>

#include "core/buffer.h"
#include "core/fail.h"
#include "core/sort.h"
#include "math/vec.h"
#include "sweep/rows.h"

static const double CELLS_MAX = 65533; /* along one direction: a cell's number has 16 bits */

struct disc_grid {
    uint64_t *keys, *scratch; /* [discs] strip << 48 | row << 32 | disc */
    size_t key_capacity;
    uint64_t *pairs, *pair_scratch;
    size_t pair_count, pair_capacity, pair_most;
    double origin[2], width; /* of the cells */
    size_t count;            /* discs */
    double largest;          /* radius */
};

bool grid_create(disc_grid **out)
{
    *out = calloc(1, sizeof **out);
    return *out != NULL;
}

void grid_destroy(disc_grid *grid)
{
    if (grid == NULL)
        return;
    free(grid->keys);
    free(grid->scratch);
    free(grid->pairs);
    free(grid->pair_scratch);
    free(grid);
}

static uint64_t cell(const disc_grid *grid, size_t axis, double x)
{
    double k = floor((x - grid->origin[axis]) / grid->width) + 1;
    return (uint64_t)fmax(0, fmin(k, CELLS_MAX + 1));
}

// sorts the discs into cells at least `reach` wide
static bool grid_fill(disc_grid *grid, const mo_moving_set *set, const double *y, double reach)
{
    column columns[] = {{(void **)&grid->keys, sizeof(uint64_t)},
                        {(void **)&grid->scratch, sizeof(uint64_t)}};
    double high[2] = {-HUGE_VAL, -HUGE_VAL};
    grid->count = set->dim / 2;
    grid->origin[0] = grid->origin[1] = HUGE_VAL;
    if (!columns_reserve(columns, 2, &grid->key_capacity, grid->count))
        return false;
    for (size_t i = 0; i < set->dim; i++) {
        grid->origin[i % 2] = fmin(grid->origin[i % 2], y[i]);
        high[i % 2] = fmax(high[i % 2], y[i]);
    }
    double extent = fmax(high[0] - grid->origin[0], high[1] - grid->origin[1]);
    grid->width = fmax(reach, extent / CELLS_MAX * (1 + 1e-9));
    for (size_t i = 0; i < grid->count; i++)
        grid->keys[i] = cell(grid, 0, y[2 * i]) << 48 | cell(grid, 1, y[2 * i + 1]) << 32 | (uint64_t)i;
    sort_u64(grid->keys, grid->scratch, grid->count);
    return true;
}

// first place in the sorted list with a key of at least `key`
static size_t lower_bound(const disc_grid *grid, uint64_t key)
{
    size_t low = 0, high = grid->count;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (grid->keys[mid] < key)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* Discs in the rows low ... high of a strip of cells. */
typedef struct run {
    size_t first, end;
} run;

static run run_of(const disc_grid *grid, uint64_t strip, uint64_t low, uint64_t high)
{
    return (run){lower_bound(grid, strip << 48 | low << 32),
                 lower_bound(grid, strip << 48 | (high + 1) << 32)};
}

static double pair_gap(const mo_moving_set *set, const double *y, size_t i, size_t j)
{
    return hypot(y[2 * i] - y[2 * j], y[2 * i + 1] - y[2 * j + 1]) - (set->radius[i] + set->radius[j]);
}

// from the nearest point of a wall to the disc's centre; returns its length
static double wall_arrow(const double *wall, const double *p, double arrow[2])
{
    double along[2] = {wall[2] - wall[0], wall[3] - wall[1]}, from[2] = {p[0] - wall[0], p[1] - wall[1]};
    double square = along[0] * along[0] + along[1] * along[1];
    double s = square > 0 ? (along[0] * from[0] + along[1] * from[1]) / square : 0;
    if (s >= 1) {
        arrow[0] = p[0] - wall[2];
        arrow[1] = p[1] - wall[3];
        return hypot(arrow[0], arrow[1]);
    }
    if (s <= 0 || square == 0) {
        arrow[0] = from[0];
        arrow[1] = from[1];
        return hypot(arrow[0], arrow[1]);
    }
    // beside the segment: along its normal, so that the direction stays right near it
    double length = sqrt(square), side = (along[0] * from[1] - along[1] * from[0]) / length;
    arrow[0] = -along[1] / length * side;
    arrow[1] = along[0] / length * side;
    return fabs(side);
}

static double wall_gap(const mo_moving_set *set, const double *y, size_t i, size_t w)
{
    double arrow[2];
    return wall_arrow(set->walls + 4 * w, y + 2 * i, arrow) - set->radius[i];
}

// discs that do not overlap have three neighbours each on average; a margin takes in a few rings of them
static size_t most_pairs(size_t discs, size_t walls)
{
    return 4000000 + 200 * (discs + walls);
}

static bool add_pair(disc_grid *grid, size_t first, size_t second)
{
    column columns[] = {{(void **)&grid->pairs, sizeof(uint64_t)},
                        {(void **)&grid->pair_scratch, sizeof(uint64_t)}};
    if (grid->pair_count >= grid->pair_most ||
        !columns_reserve(columns, 2, &grid->pair_capacity, grid->pair_count + 1))
        return false;
    grid->pairs[grid->pair_count++] = (uint64_t)first << 32 | (uint64_t)second;
    return true;
}

// partners of the disc at place k of the list: the rest of its own run and the next strip, so that each pair
// is met once
static bool add_partners(disc_grid *grid, const mo_moving_set *set, const double *y, size_t k, double margin)
{
    uint64_t key = grid->keys[k], strip = key >> 48, row = key >> 32 & 0xffff;
    size_t i = (size_t)(key & UINT32_MAX);
    uint64_t low = row > 0 ? row - 1 : 0;
    run runs[2] = {{k + 1, lower_bound(grid, strip << 48 | (row + 2) << 32)},
                   run_of(grid, strip + 1, low, row + 1)};
    for (size_t side = 0; side < 2; side++) {
        for (size_t at = runs[side].first; at < runs[side].end; at++) {
            size_t j = (size_t)(grid->keys[at] & UINT32_MAX);
            if (pair_gap(set, y, i, j) <= margin && !add_pair(grid, i < j ? i : j, i < j ? j : i))
                return false;
        }
    }
    return true;
}

// part of a wall in one strip of cells, as rows of cells; reach: how far from the wall
static void wall_rows(const disc_grid *grid, const double *wall, uint64_t strip, double reach, uint64_t *low,
                      uint64_t *high)
{
    double left = grid->origin[0] + ((double)strip - 1) * grid->width - reach,
           right = left + grid->width + 2 * reach, dx = wall[2] - wall[0], dy = wall[3] - wall[1];
    double s0 = 0, s1 = 1;
    if (fabs(dx) > 0) {
        double a = (left - wall[0]) / dx, b = (right - wall[0]) / dx;
        s0 = fmax(0, fmin(1, fmin(a, b)));
        s1 = fmax(0, fmin(1, fmax(a, b)));
    }
    double y0 = wall[1] + s0 * dy, y1 = wall[1] + s1 * dy, slack = reach + 1e-9 * (grid->width + fabs(dy));
    *low = cell(grid, 1, fmin(y0, y1) - slack);
    *high = cell(grid, 1, fmax(y0, y1) + slack);
}

static bool add_wall(disc_grid *grid, const mo_moving_set *set, const double *y, size_t w, double margin)
{
    const double *wall = set->walls + 4 * w;
    double reach = grid->largest + fmax(margin, 0), slack = reach + 1e-9 * grid->width;
    // strips of the wall that hold discs
    uint64_t strip = cell(grid, 0, fmin(wall[0], wall[2]) - slack), first = grid->keys[0] >> 48;
    uint64_t last = cell(grid, 0, fmax(wall[0], wall[2]) + slack), end = grid->keys[grid->count - 1] >> 48;
    last = last < end ? last : end;
    for (strip = strip > first ? strip : first; strip <= last; strip++) {
        uint64_t low, high;
        wall_rows(grid, wall, strip, slack, &low, &high);
        run near = run_of(grid, strip, low, high);
        for (size_t at = near.first; at < near.end; at++) {
            size_t i = (size_t)(grid->keys[at] & UINT32_MAX);
            if (wall_gap(set, y, i, w) <= margin && !add_pair(grid, i, grid->count + w))
                return false;
        }
    }
    return true;
}

// a margin that takes in everything
static double whole(const mo_moving_set *set, const double *y)
{
    return 4 * fmax(vec_max_abs(set->dim, y), vec_max_abs(4 * set->wall_count, set->walls));
}

static bool find_pairs(disc_grid *grid, const mo_moving_set *set, const double *y, double margin)
{
    margin = isinf(margin) ? whole(set, y) : margin;
    grid->largest = 0;
    for (size_t i = 0; i < set->dim / 2; i++)
        grid->largest = fmax(grid->largest, set->radius[i]);
    grid->pair_count = 0;
    grid->pair_most = most_pairs(set->dim / 2, set->wall_count);
    if (!grid_fill(grid, set, y, 2 * grid->largest + fmax(margin, 0)))
        return false;
    for (size_t k = 0; k < grid->count; k++)
        if (!add_partners(grid, set, y, k, margin))
            return false;
    for (size_t w = 0; w < set->wall_count; w++)
        if (!add_wall(grid, set, y, w, margin))
            return false;
    sort_u64(grid->pairs, grid->pair_scratch, grid->pair_count);
    return true;
}

mo_status discs_near(moving *m, const moving_leaf *leaf, const double *y, double margin,
                     const uint64_t **pairs, size_t *count, mo_error *err)
{
    for (size_t i = 0; i < m->n; i++)
        if (!isfinite(y[i]))
            return moving_trouble(m, MO_SWEEP_NOT_FINITE, "disc %zu is at %g at t = %.17g", i / 2 + 1, y[i],
                                  m->t);
    bool found = find_pairs(m->grid, leaf->set, y, margin);
    if (!found && m->grid->pair_count >= m->grid->pair_most)
        return fail(
            err, MO_BAD_INPUT, "discs",
            "more than %zu pairs of %zu discs are near each other at t = %.17g: they overlap too much, "
            "or the time step is too long",
            m->grid->pair_most, m->n / 2, m->t);
    if (!found)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for the neighbours of %zu discs", m->n / 2);
    *pairs = m->grid->pairs;
    *count = m->grid->pair_count;
    return MO_OK;
}

void discs_row(const moving *m, gap_rows *r, const moving_leaf *leaf, size_t second, const double *y)
{
    const mo_moving_set *set = leaf->set;
    size_t row = r->count - 1, n = m->n, discs = n / 2, i = r->first[row] - leaf->gap_first,
           j = second - leaf->gap_first;
    double arrow[2], length, apart;
    if (j < discs) {
        arrow[0] = y[2 * i] - y[2 * j];
        arrow[1] = y[2 * i + 1] - y[2 * j + 1];
        length = hypot(arrow[0], arrow[1]);
        apart = set->radius[i] + set->radius[j];
    } else {
        length = wall_arrow(set->walls + 4 * (j - discs), y + 2 * i, arrow);
        apart = set->radius[i];
    }
    r->g[row] = length - apart;
    for (size_t k = 0; length > 0 && k < 2; k++)
        row_entry(r, n, 2 * i + k, arrow[k] / length);
    for (size_t k = 0; length > 0 && j < discs && k < 2; k++)
        row_entry(r, n, 2 * j + k, -arrow[k] / length);
}

// smallest gap of disc i over everything
static double smallest_gap(const mo_moving_set *set, const double *y, size_t i)
{
    double smallest = HUGE_VAL;
    for (size_t j = 0; j < set->dim / 2; j++)
        if (j != i)
            smallest = fmin(smallest, pair_gap(set, y, i, j));
    for (size_t w = 0; w < set->wall_count; w++)
        smallest = fmin(smallest, wall_gap(set, y, i, w));
    return smallest;
}

mo_status discs_gaps(moving *m, const moving_leaf *leaf, const double *y, double *g, mo_error *err)
{
    const mo_moving_set *set = leaf->set;
    const uint64_t *pairs;
    size_t count, discs = set->dim / 2;
    double margin = 0;
    for (size_t i = 0; i < discs; i++) {
        g[i] = HUGE_VAL;
        margin = fmax(margin, set->radius[i]);
    }
    mo_status status = discs_near(m, leaf, y, margin, &pairs, &count, err);
    for (size_t k = 0; status == MO_OK && k < count; k++) {
        size_t i = (size_t)(pairs[k] >> 32), j = (size_t)(pairs[k] & UINT32_MAX);
        double gap = j < discs ? pair_gap(set, y, i, j) : wall_gap(set, y, i, j - discs);
        g[i] = fmin(g[i], gap);
        if (j < discs)
            g[j] = fmin(g[j], gap);
    }
    // who has nothing near looks at all
    for (size_t i = 0; status == MO_OK && i < discs; i++)
        if (isinf(g[i]))
            g[i] = smallest_gap(set, y, i);
    return status;
}
