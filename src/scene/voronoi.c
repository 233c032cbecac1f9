/*
 * Voronoi cells (voronoi.h): the points, their grid, and cells in 2D.
 */
#include "scene/voronoi.h"

#include "scene/voronoi_solid.h"

#include <math.h>
#include <string.h>

/* ---- points and their grid -------------------------------------------------------------------------- */

size_t voronoi_grid(const voronoi *v, const double *x, size_t at[3])
{
    size_t number = 0;
    for (size_t k = 3; k-- > 0;) {
        double c = k < v->dim ? floor((x[k] - v->region->min[k]) / v->width[k]) : 0;
        at[k] = c <= 0 ? 0 : c >= (double)(v->cells[k] - 1) ? v->cells[k] - 1 : (size_t)c;
        number = number * v->cells[k] + at[k];
    }
    return number;
}

/* about two points a cell */
static size_t make_cells(voronoi *v)
{
    double volume = 1;
    size_t all = 1;
    for (size_t k = 0; k < v->dim; k++)
        volume *= v->region->max[k] - v->region->min[k];
    double side = pow(2 * volume / (double)v->count, 1 / (double)v->dim);
    v->narrow = HUGE_VAL;
    for (size_t k = 0; k < v->dim; k++) {
        double extent = v->region->max[k] - v->region->min[k], n = floor(extent / side);
        /* a region that is long and narrow has one layer of cells, and no more than points */
        n = fmin(fmax(n, 1), (double)v->count);
        v->cells[k] = (size_t)n;
        v->width[k] = extent / n;
        v->narrow = fmin(v->narrow, v->width[k]);
        all *= v->cells[k];
    }
    return all;
}

static void place_seeds(voronoi *v)
{
    rng *random = &scene_of(v->L)->random;
    for (size_t i = 0; i < v->count; i++) {
        if (i % 1024 == 0)
            scene_check_limits(v->L);
        grain_region_point(v->region, random, v->seed + v->dim * i);
    }
}

voronoi voronoi_begin(const grains *g, const grain_region *region, size_t count)
{
    voronoi v = {.L = g->L, .what = g->what, .region = region, .dim = g->dim, .count = count};
    luaL_checkstack(g->L, 10, g->what);
    v.cells[0] = v.cells[1] = v.cells[2] = 1;
    v.seed = lua_newuserdatauv(g->L, v.dim * count * sizeof *v.seed, 0);
    size_t all = make_cells(&v);
    v.first = lua_newuserdatauv(g->L, (all + 1) * sizeof *v.first, 0);
    v.order = lua_newuserdatauv(g->L, count * sizeof *v.order, 0);
    v.capacity = (v.dim == 2 ? region->count + 4 : 6) + count;
    v.corner = lua_newuserdatauv(g->L, 4 * v.dim * v.capacity * sizeof *v.corner, 0);
    v.spare = v.corner + 2 * v.dim * v.capacity;
    place_seeds(&v);
    voronoi_sort(&v);
    return v;
}

void voronoi_sort(voronoi *v)
{
    size_t all = v->cells[0] * v->cells[1] * v->cells[2], at[3];
    memset(v->first, 0, (all + 1) * sizeof *v->first);
    for (size_t i = 0; i < v->count; i++)
        v->first[voronoi_grid(v, v->seed + v->dim * i, at) + 1]++;
    for (size_t c = 0; c < all; c++)
        v->first[c + 1] += v->first[c];
    /* from behind, so that the order in a cell is that of the seeds; first[c] moves to its own beginning */
    for (size_t i = v->count; i-- > 0;)
        v->order[--v->first[voronoi_grid(v, v->seed + v->dim * i, at) + 1]] = (uint32_t)i;
    for (size_t c = 0; c < all; c++)
        v->first[c] = v->first[c + 1];
    v->first[all] = (uint32_t)v->count;
}

/* ---- cells in 2D ------------------------------------------------------------------------------------ */

/* the corners of the region */
static size_t whole_region(voronoi *v)
{
    const grain_region *r = v->region;
    if (r->kind == REGION_POLYGON) {
        memcpy(v->corner, r->points, 2 * r->count * sizeof *v->corner);
        return r->count;
    }
    const double corners[8] = {r->min[0], r->min[1], r->max[0], r->min[1],
                               r->max[0], r->max[1], r->min[0], r->max[1]};
    memcpy(v->corner, corners, sizeof corners);
    return 4;
}

/* cuts away what lies nearer to b than to a */
static size_t cut(voronoi *v, size_t n, const double *a, const double *b)
{
    double nx = b[0] - a[0], ny = b[1] - a[1];
    double offset = 0.5 * (nx * (a[0] + b[0]) + ny * (a[1] + b[1]));
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        const double *p = v->corner + 2 * i, *q = v->corner + 2 * ((i + 1) % n);
        double dp = nx * p[0] + ny * p[1] - offset, dq = nx * q[0] + ny * q[1] - offset;
        if (dp <= 0) {
            v->spare[2 * kept] = p[0];
            v->spare[2 * kept++ + 1] = p[1];
        }
        if ((dp < 0 && dq > 0) || (dp > 0 && dq < 0)) {
            double t = dp / (dp - dq);
            v->spare[2 * kept] = p[0] + t * (q[0] - p[0]);
            v->spare[2 * kept++ + 1] = p[1] + t * (q[1] - p[1]);
        }
    }
    double *swap = v->corner;
    v->corner = v->spare;
    v->spare = swap;
    return kept;
}

static double farthest(const voronoi *v, size_t n, const double *x)
{
    double most = 0;
    for (size_t i = 0; i < n; i++)
        most = fmax(most, hypot(v->corner[2 * i] - x[0], v->corner[2 * i + 1] - x[1]));
    return most;
}

void voronoi_coincide(const voronoi *v)
{
    scene_error(v->L, v->what, "two of the points coincide: expected a larger region or fewer cells");
}

/* cuts with every seed in a cell of the grid */
static size_t cut_with(voronoi *v, size_t n, size_t i, size_t cell)
{
    const double *a = v->seed + 2 * i;
    for (uint32_t k = v->first[cell]; k < v->first[cell + 1]; k++) {
        const double *b = v->seed + 2 * (size_t)v->order[k];
        if (v->order[k] == i)
            continue;
        if (a[0] == b[0] && a[1] == b[1])
            voronoi_coincide(v);
        n = cut(v, n, a, b);
    }
    return n;
}

/* the ring of the grid's cells at this distance; false: it lies outside */
static bool cut_ring(voronoi *v, size_t *n, size_t i, const size_t at[3], size_t ring)
{
    bool any = false;
    size_t high[2], low[2];
    for (size_t k = 0; k < 2; k++) {
        low[k] = at[k] >= ring ? at[k] - ring : 0;
        high[k] = at[k] + ring < v->cells[k] ? at[k] + ring : v->cells[k] - 1;
    }
    for (size_t y = low[1]; y <= high[1]; y++)
        for (size_t x = low[0]; x <= high[0]; x++) {
            size_t dx = x > at[0] ? x - at[0] : at[0] - x, dy = y > at[1] ? y - at[1] : at[1] - y;
            if (dx != ring && dy != ring) {
                /* over the inside of the ring at once */
                x = at[0] + ring <= high[0] ? at[0] + ring - 1 : high[0];
                continue;
            }
            *n = cut_with(v, *n, i, y * v->cells[0] + x);
            any = true;
        }
    return any;
}

/* corners that coincide to rounding are one */
static size_t drop_doubles(voronoi *v, size_t n)
{
    double size = 0;
    for (size_t i = 0; i < n; i++)
        size = fmax(size, farthest(v, 1, v->corner + 2 * i));
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        const double *p = v->corner + 2 * i, *q = v->corner + 2 * ((i + 1) % n);
        if (hypot(p[0] - q[0], p[1] - q[1]) <= 1e-9 * size)
            continue;
        memmove(v->corner + 2 * kept++, p, 2 * sizeof *p);
    }
    return kept;
}

/* area and centroid, about the first corner */
static void measure_cell(voronoi *v, size_t n)
{
    const double *o = v->corner;
    double area = 0, cx = 0, cy = 0;
    for (size_t i = 1; i + 1 < n; i++) {
        double ax = o[2 * i] - o[0], ay = o[2 * i + 1] - o[1];
        double bx = o[2 * i + 2] - o[0], by = o[2 * i + 3] - o[1], twice = ax * by - ay * bx;
        area += 0.5 * twice;
        cx += twice * (ax + bx) / 6;
        cy += twice * (ay + by) / 6;
    }
    v->measure = area;
    v->centre[0] = o[0] + (area > 0 ? cx / area : 0);
    v->centre[1] = o[1] + (area > 0 ? cy / area : 0);
}

static size_t flat_cell(voronoi *v, size_t i)
{
    size_t at[3], n = whole_region(v);
    const double *a = v->seed + 2 * i;
    (void)voronoi_grid(v, a, at);
    for (size_t ring = 0;; ring++) {
        bool any = cut_ring(v, &n, i, at, ring);
        if (!any || (double)ring * v->narrow > 2 * farthest(v, n, a))
            break;
    }
    n = drop_doubles(v, n);
    if (n < 3)
        scene_error(v->L, v->what, "a cell has no area: expected a larger region or fewer cells");
    measure_cell(v, n);
    return n;
}

size_t voronoi_cell(voronoi *v, size_t i)
{
    if (i % 64 == 0)
        scene_check_limits(v->L);
    return v->dim == 2 ? flat_cell(v, i) : solid_cell(v, i);
}
