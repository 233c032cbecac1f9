/*
 * Voronoi cells in 3D as duals of hulls (voronoi.h).  Neighbours are taken from a cube of the grid about the
 * seed, which grows until it holds the ball of twice the cell's farthest corner: nothing beyond can cut it.
 */
#include "scene/voronoi_solid.h"

#include "math/vec3.h"
#include "shape/hull.h"
#include "shape/solid.h"

#include <math.h>
#include <string.h>

/* duals of the region's six faces, about x */
static size_t faces_of_box(const voronoi *v, const double *x, double *duals)
{
    const grain_region *r = v->region;
    memset(duals, 0, 18 * sizeof *duals);
    for (size_t k = 0; k < 3; k++) {
        duals[6 * k + k] = -1 / (x[k] - r->min[k]);
        duals[6 * k + 3 + k] = 1 / (r->max[k] - x[k]);
    }
    return 6;
}

/* appends the duals of the bisectors with the seeds in a cell of the grid */
static size_t bisect_cell(const voronoi *v, size_t i, size_t cell, double *duals, size_t n)
{
    const double *a = v->seed + 3 * i;
    for (uint32_t k = v->first[cell]; k < v->first[cell + 1]; k++) {
        double d[3];
        if (v->order[k] == i)
            continue;
        vec3_sub(v->seed + 3 * (size_t)v->order[k], a, d);
        if (!(vec3_dot(d, d) > 0))
            voronoi_coincide(v);
        vec3_scale(2 / vec3_dot(d, d), d, duals + 3 * n++);
    }
    return n;
}

/* duals of all planes that bound the cell as far as the cube shows; *whole: it covers the region */
static size_t bisect(const voronoi *v, size_t i, const size_t at[3], size_t reach, bool *whole)
{
    size_t low[3], high[3], c[3], n = faces_of_box(v, v->seed + 3 * i, v->spare);
    *whole = true;
    for (size_t k = 0; k < 3; k++) {
        low[k] = at[k] >= reach ? at[k] - reach : 0;
        high[k] = at[k] + reach < v->cells[k] ? at[k] + reach : v->cells[k] - 1;
        *whole = *whole && low[k] == 0 && high[k] == v->cells[k] - 1;
    }
    for (c[2] = low[2]; c[2] <= high[2]; c[2]++)
        for (c[1] = low[1]; c[1] <= high[1]; c[1]++)
            for (c[0] = low[0]; c[0] <= high[0]; c[0]++)
                n = bisect_cell(v, i, (c[2] * v->cells[1] + c[1]) * v->cells[0] + c[0], v->spare, n);
    return n;
}

/* corner of the cell that is dual to a face: m/c of its plane m.y = c, m by the face's area */
static void corner_of(const hull *h, const double *duals, const hull_face *face, double out[3])
{
    double m[3] = {0, 0, 0}, c = 0;
    const double *o = hull_corner(h, duals, face, 0);
    for (uint32_t k = 1; k + 1 < face->count; k++) {
        double a[3], b[3], part[3];
        vec3_sub(hull_corner(h, duals, face, k), o, a);
        vec3_sub(hull_corner(h, duals, face, k + 1), o, b);
        vec3_cross(a, b, part);
        vec3_add(m, part, m);
    }
    for (uint32_t k = 0; k < face->count; k++)
        c += vec3_dot(m, hull_corner(h, duals, face, k)) / face->count;
    vec3_scale(1 / c, m, out);
}

/* corners into v->corner; far: the distance of the farthest one from the seed */
static size_t corners_of(voronoi *v, size_t i, size_t planes, double *far)
{
    hull h;
    mo_error err = {0};
    if (hull_build(v->spare, planes, &h, &err) != MO_OK)
        scene_error(v->L, v->what, "cell %zu: %s", i + 1, err.message);
    size_t n = 0;
    *far = 0;
    for (; n < h.face_count && n < 2 * v->capacity; n++) {
        double x[3];
        corner_of(&h, v->spare, &h.faces[n], x);
        *far = fmax(*far, vec3_norm(x));
        vec3_add(v->seed + 3 * i, x, v->corner + 3 * n);
    }
    hull_free(&h);
    return n;
}

static void measure_solid(voronoi *v, size_t i, size_t n)
{
    mo_shape_def def = {.kind = MO_SHAPE_CONVEX, .points = v->corner, .point_count = n};
    solid body = {0};
    mo_error err = {0};
    if (solid_build(&def, true, &body, NULL, &err) != MO_OK)
        scene_error(v->L, v->what, "cell %zu: %s", i + 1, err.message);
    v->measure = body.volume;
    vec3_copy(body.com, v->centre);
    solid_free(&body);
}

size_t solid_cell(voronoi *v, size_t i)
{
    size_t at[3], n = 0;
    bool whole = false;
    double far = HUGE_VAL;
    (void)voronoi_grid(v, v->seed + 3 * i, at);
    for (size_t reach = 2; !whole && (double)(reach - 1) * v->narrow <= 2 * far; reach++)
        n = corners_of(v, i, bisect(v, i, at, reach, &whole), &far);
    measure_solid(v, i, n);
    return n;
}
