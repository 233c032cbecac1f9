/*
 * Triangle meshes: one part per triangle, which knows the far corners of its neighbours.
 *
 * Two triangles are neighbours across an edge when they alone have it and run along it in opposite
 * directions: they then look outward on the same side.  An edge that one triangle, or three and more have, or
 * that two have in the same direction (one of them is turned over) has no neighbours: it is a rim, for each
 * of them.  Points with the same coordinates are one point here, whatever their numbers.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "core/fail.h"
#include "math/vec3.h"
#include "shape/solid_parts.h"

/* ---- points that coincide ----------------------------------------------------------------------------- */

typedef struct numbered_point {
    double x[3];
    uint32_t number;
} numbered_point;

static int compare_points(const void *p, const void *q)
{
    const numbered_point *a = p, *b = q;
    for (int k = 0; k < 3; k++)
        if (a->x[k] != b->x[k])
            return a->x[k] < b->x[k] ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

bool mesh_weld(const double *points, size_t count, uint32_t *same)
{
    numbered_point *sorted = malloc((count + 1) * sizeof *sorted);
    if (sorted == NULL)
        return false;
    for (size_t i = 0; i < count; i++) {
        vec3_copy(points + 3 * i, sorted[i].x);
        sorted[i].number = (uint32_t)i;
    }
    qsort(sorted, count, sizeof *sorted, compare_points);
    for (size_t i = 0, first = 0; i < count; i++) {
        const double *a = sorted[i].x, *b = sorted[first].x;
        if (a[0] != b[0] || a[1] != b[1] || a[2] != b[2])
            first = i;
        same[sorted[i].number] = sorted[first].number;
    }
    free(sorted);
    return true;
}

/* ---- triangles ---------------------------------------------------------------------------------------- */

static mo_status check_mesh(const mo_shape_def *def, mo_error *err)
{
    size_t n = def->points == NULL ? 0 : def->point_count,
           m = def->triangles == NULL ? 0 : def->triangle_count;
    if (n < 3 || n >= UINT32_MAX)
        return fail(err, MO_BAD_INPUT, "points", "the mesh has %zu points, expected 3 to %u", n,
                    UINT32_MAX - 1);
    if (m < 1 || m > SOLID_MAX_PARTS)
        return fail(err, MO_BAD_INPUT, "triangles", "the mesh has %zu triangles, expected 1 to %zu", m,
                    SOLID_MAX_PARTS);
    mo_status status = solid_check_points(def->points, n, err);
    if (status != MO_OK)
        return status;
    for (size_t i = 0; i < 3 * m; i++)
        if (def->triangles[i] >= n)
            return fail(err, MO_BAD_INPUT, "triangles",
                        "triangle %zu names the point number %u, expected numbers from 0 below %zu",
                        i / 3 + 1, def->triangles[i], n);
    return MO_OK;
}

/* no area to rounding: the height over the longest edge is no more than the coordinates' errors */
static bool degenerate(const double *points, const uint32_t t[3])
{
    const double *a = points + 3 * (size_t)t[0], *b = points + 3 * (size_t)t[1],
                 *c = points + 3 * (size_t)t[2];
    double u[3], v[3], n[3], reach = 0;
    vec3_sub(b, a, u);
    vec3_sub(c, a, v);
    vec3_cross(u, v, n);
    for (int k = 0; k < 3; k++)
        reach = fmax(reach, fmax(fabs(a[k]), fmax(fabs(b[k]), fabs(c[k]))));
    double longest = fmax(vec3_norm(u), fmax(vec3_norm(v), vec3_distance(b, c)));
    // what overflows is left for the check of the mass to refuse
    return vec3_norm(n) <= 8 * DBL_EPSILON * longest * (longest + reach) && isfinite(longest);
}

/* kept[3 ...]: the triangles with area, over welded points; returns how many */
static size_t keep_triangles(const mo_shape_def *def, const uint32_t *same, uint32_t *kept)
{
    size_t count = 0;
    for (size_t i = 0; i < def->triangle_count; i++) {
        uint32_t *t = kept + 3 * count;
        for (size_t k = 0; k < 3; k++)
            t[k] = same[def->triangles[3 * i + k]];
        count += !degenerate(def->points, t);
    }
    return count;
}

/* ---- neighbours --------------------------------------------------------------------------------------- */

/* Edge k of a triangle, between its corners k and k + 1: side = 3 triangle + k. */
typedef struct edge_side {
    uint32_t low, high; /* the points at its ends */
    uint32_t side;
} edge_side;

static int compare_sides(const void *p, const void *q)
{
    const edge_side *a = p, *b = q;
    if (a->low != b->low)
        return a->low < b->low ? -1 : 1;
    if (a->high != b->high)
        return a->high < b->high ? -1 : 1;
    return (a->side > b->side) - (a->side < b->side);
}

static uint32_t next_side(uint32_t side)
{
    return side % 3 == 2 ? side - 2 : side + 1;
}

/* far[side]: the point across the edge, UINT32_MAX at a rim.  Sorted sides of the same edge follow each
 * other. */
static void pair_sides(const edge_side *sides, size_t count, const uint32_t *corners, uint32_t *far)
{
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && sides[end].low == sides[i].low && sides[end].high == sides[i].high;)
            end++;
        for (size_t j = i; j < end; j++)
            far[sides[j].side] = UINT32_MAX;
        uint32_t a = sides[i].side, b = sides[end - 1].side;
        if (end - i == 2 && corners[a] != corners[b]) {
            far[a] = corners[next_side(next_side(b))];
            far[b] = corners[next_side(next_side(a))];
        }
    }
}

/* far[3 count] of the triangles corners[3 count]; false: no memory */
static bool find_neighbours(const uint32_t *corners, size_t count, uint32_t *far)
{
    edge_side *sides = malloc((3 * count + 1) * sizeof *sides);
    if (sides == NULL)
        return false;
    for (uint32_t i = 0; i < 3 * count; i++) {
        uint32_t a = corners[i], b = corners[next_side(i)];
        sides[i] = (edge_side){a < b ? a : b, a < b ? b : a, i};
    }
    qsort(sides, 3 * count, sizeof *sides, compare_sides);
    pair_sides(sides, 3 * count, corners, far);
    free(sides);
    return true;
}

/* ---- parts -------------------------------------------------------------------------------------------- */

/* one part: its corners, then the far ones; at a rim the edge's first corner fills the place */
static bool put_triangle(solid_work *w, const double *points, const uint32_t *t, const uint32_t *far)
{
    mo_part *part = solid_new_part(w, MO_PART_TRIANGLE, 6, 0);
    if (part == NULL)
        return false;
    part->link.neighbours = 0;
    double *v = w->s.vertices + 3 * (size_t)part->vertex_first;
    for (uint32_t k = 0; k < 3; k++) {
        bool rim = far[k] == UINT32_MAX;
        part->link.neighbours |= rim ? 0 : 1u << k;
        vec3_copy(points + 3 * (size_t)t[k], v + 3 * k);
        vec3_copy(points + 3 * (size_t)(rim ? t[k] : far[k]), v + 9 + 3 * k);
    }
    triangle_lump(v, v + 3, v + 6, &w->lumps[w->s.part_count - 1]);
    return true;
}

static bool put_triangles(solid_work *w, const mo_shape_def *def, uint32_t *same, uint32_t *kept,
                          uint32_t *far, size_t *count)
{
    if (!mesh_weld(def->points, def->point_count, same))
        return false;
    *count = keep_triangles(def, same, kept);
    bool ok = find_neighbours(kept, *count, far);
    for (size_t i = 0; i < *count && ok; i++)
        ok = put_triangle(w, def->points, kept + 3 * i, far + 3 * i);
    return ok;
}

mo_status solid_put_mesh(solid_work *w, const mo_shape_def *def, size_t *dropped, mo_error *err)
{
    mo_status status = check_mesh(def, err);
    if (status != MO_OK)
        return status;
    size_t count = 0;
    uint32_t *same = calloc(def->point_count + 1, sizeof *same);
    uint32_t *kept = calloc(3 * def->triangle_count + 1, sizeof *kept);
    uint32_t *far = calloc(3 * def->triangle_count + 1, sizeof *far);
    bool ok = same != NULL && kept != NULL && far != NULL && put_triangles(w, def, same, kept, far, &count);
    free(same);
    free(kept);
    free(far);
    if (!ok)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for a mesh of %zu triangles", def->triangle_count);
    *dropped = def->triangle_count - count;
    if (count == 0)
        return fail(err, MO_BAD_INPUT, "triangles",
                    "none of the %zu triangles has an area, expected at least one", def->triangle_count);
    return MO_OK;
}
