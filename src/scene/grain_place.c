/*
 * Random sequential addition: balls are put at random places of a region one after the other, the largest
 * first, each where it overlaps none of those before it.  A grid of cells as wide as the largest ball finds
 * the neighbours.
 */
#include "scene/grains.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct place_grid {
    const grain_region *region;
    size_t cells[3];
    double width[3]; /* of a cell, m */
    int32_t *head;   /* [cells], ball or -1 */
    int32_t *next;   /* [n] */
} place_grid;

static size_t cell_along(const place_grid *grid, size_t k, double x)
{
    double c = floor((x - grid->region->min[k]) / grid->width[k]);
    return c <= 0 ? 0 : c >= (double)(grid->cells[k] - 1) ? grid->cells[k] - 1 : (size_t)c;
}

/* cells at least as wide as the reach of two balls, and not many more of them than balls */
static place_grid make_grid(lua_State *L, const grain_region *region, size_t n, double reach)
{
    place_grid grid = {.region = region, .cells = {1, 1, 1}, .width = {1, 1, 1}};
    double volume = 1, dim = (double)region->dim;
    for (size_t k = 0; k < region->dim; k++)
        volume *= region->max[k] - region->min[k];
    double side = fmax(reach, pow(volume / (2 * (double)n + 8), 1 / dim));
    size_t all = 1;
    for (size_t k = 0; k < region->dim; k++) {
        double extent = region->max[k] - region->min[k], most = floor(extent / side);
        grid.cells[k] = most < 1 ? 1 : most > 1e6 ? 1000000 : (size_t)most;
        grid.width[k] = extent / (double)grid.cells[k];
        all *= grid.cells[k];
    }
    grid.head = lua_newuserdatauv(L, all * sizeof *grid.head, 0);
    grid.next = lua_newuserdatauv(L, n * sizeof *grid.next, 0);
    memset(grid.head, 0xff, all * sizeof *grid.head);
    return grid;
}

static size_t cell_number(const place_grid *grid, const size_t c[3])
{
    return (c[2] * grid->cells[1] + c[1]) * grid->cells[0] + c[0];
}

/* whether a ball in this cell comes too near */
static bool meets(const place_grid *grid, size_t cell, const double *centre, const double *radius,
                  const double *x, double room)
{
    size_t dim = grid->region->dim;
    for (int32_t j = grid->head[cell]; j >= 0; j = grid->next[j]) {
        double d2 = 0, reach = radius[j] + room;
        for (size_t k = 0; k < dim; k++) {
            double d = x[k] - centre[dim * (size_t)j + k];
            d2 += d * d;
        }
        if (d2 < reach * reach)
            return true;
    }
    return false;
}

static bool is_free(const place_grid *grid, const double *centre, const double *radius, const double *x,
                    double room)
{
    size_t low[3] = {0, 0, 0}, high[3] = {0, 0, 0}, c[3];
    for (size_t k = 0; k < grid->region->dim; k++) {
        size_t at = cell_along(grid, k, x[k]);
        low[k] = at > 0 ? at - 1 : 0;
        high[k] = at + 1 < grid->cells[k] ? at + 1 : at;
    }
    for (c[2] = low[2]; c[2] <= high[2]; c[2]++)
        for (c[1] = low[1]; c[1] <= high[1]; c[1]++)
            for (c[0] = low[0]; c[0] <= high[0]; c[0]++)
                if (meets(grid, cell_number(grid, c), centre, radius, x, room))
                    return false;
    return true;
}

static void enter(const place_grid *grid, size_t i, const double *x)
{
    size_t c[3] = {0, 0, 0};
    for (size_t k = 0; k < grid->region->dim; k++)
        c[k] = cell_along(grid, k, x[k]);
    size_t cell = cell_number(grid, c);
    grid->next[i] = grid->head[cell];
    grid->head[cell] = (int32_t)i;
}

/* a place for ball i; false: none found */
static bool find_place(lua_State *L, const place_grid *grid, size_t i, const double *radius, double gap,
                       int tries, double *centre)
{
    rng *random = &scene_of(L)->random;
    const grain_region *region = grid->region;
    double *x = centre + region->dim * i;
    for (int t = 0; t < tries; t++) {
        if (t % 1024 == 0)
            scene_check_limits(L);
        for (size_t k = 0; k < region->dim; k++) {
            double room = region->max[k] - region->min[k] - 2 * radius[i];
            x[k] = region->min[k] + radius[i] + fmax(room, 0) * rng_uniform(random);
        }
        if (grain_region_holds(region, x, radius[i], 0) &&
            is_free(grid, centre, radius, x, radius[i] + gap)) {
            enter(grid, i, x);
            return true;
        }
    }
    return false;
}

typedef struct ranked {
    double radius;
    size_t i;
} ranked;

static int compare_ranked(const void *pa, const void *pb)
{
    const ranked *a = pa, *b = pb;
    if (a->radius != b->radius)
        return a->radius > b->radius ? -1 : 1;
    return (a->i > b->i) - (a->i < b->i);
}

size_t grains_place(lua_State *L, const grain_region *region, size_t n, const double *radius, double gap,
                    int tries, double *centre)
{
    int top = lua_gettop(L);
    luaL_checkstack(L, 4, "generate");
    ranked *order = lua_newuserdatauv(L, n * sizeof *order, 0);
    for (size_t i = 0; i < n; i++)
        order[i] = (ranked){radius[i], i};
    qsort(order, n, sizeof *order, compare_ranked);
    place_grid grid = make_grid(L, region, n, 2 * order[0].radius + gap);
    size_t placed = 0;
    while (placed < n && find_place(L, &grid, order[placed].i, radius, gap, tries, centre))
        placed++;
    lua_settop(L, top);
    return placed;
}
