/*
 * How much is drawn of planes that meet the view box with a margin: the rectangle around the box as seen
 * along the normal, level above and below, cut by the other planes, whose solid sides it does not enter.  A
 * room of planes so becomes a room.
 */
#include "draw/solid_view.h"
#include "math/vec3.h"

#include <math.h>
#include <stdlib.h>

static const double margin = 0.12; /* of the view box's largest side */

enum { corners_most = 64 };

typedef struct polygon {
    double p[corners_most][3];
    size_t count;
} polygon;

/* A half-space that is kept: normal.x <= offset. */
typedef struct half {
    double normal[3], offset;
} half;

static void cut(polygon *g, const half *h)
{
    polygon out = {.count = 0};
    for (size_t i = 0; i < g->count; i++) {
        const double *a = g->p[i], *b = g->p[(i + 1) % g->count];
        double da = vec3_dot(h->normal, a) - h->offset, db = vec3_dot(h->normal, b) - h->offset;
        if (da <= 0.0 && out.count < corners_most)
            vec3_copy(a, out.p[out.count++]);
        if ((da <= 0.0) == (db <= 0.0) || out.count == corners_most)
            continue;
        double s = da / (da - db), d[3];
        vec3_sub(b, a, d);
        vec3_add_scaled(a, s, d, out.p[out.count++]);
    }
    *g = out;
}

/* where the corners of a box lie along a direction */
static void box_range(const box3d *box, const double direction[3], double *lo, double *hi)
{
    *lo = *hi = 0.0;
    for (int k = 0; k < 3; k++) {
        *lo += fmin(direction[k] * box->lo[k], direction[k] * box->hi[k]);
        *hi += fmax(direction[k] * box->lo[k], direction[k] * box->hi[k]);
    }
}

/* the rectangle of a plane before or behind a box and `extra` around it, counter-clockwise about the normal;
   nothing when the plane does not come so near */
static polygon rectangle(const half *plane, const double vertical[3], const box3d *box, double extra)
{
    polygon g = {.count = 4};
    double t[3], s[3], lo[3], hi[3];
    camera_plane_axes(plane->normal, vertical, t, s);
    box_range(box, plane->normal, &lo[0], &hi[0]);
    box_range(box, t, &lo[1], &hi[1]);
    box_range(box, s, &lo[2], &hi[2]);
    if (!(plane->offset >= lo[0] - extra && plane->offset <= hi[0] + extra))
        g.count = 0;
    for (size_t i = 0; i < g.count; i++) {
        vec3_scale(plane->offset, plane->normal, g.p[i]);
        vec3_add_scaled(g.p[i], i == 0 || i == 3 ? lo[1] - extra : hi[1] + extra, t, g.p[i]);
        vec3_add_scaled(g.p[i], i < 2 ? lo[2] - extra : hi[2] + extra, s, g.p[i]);
    }
    return g;
}

/* All planes of a scene. */
typedef struct planes {
    half *items;
    uint32_t *body;
    size_t count;
} planes;

static void find_planes(const scene3d *scene, planes *out)
{
    for (size_t i = 0; i < scene->body_count; i++) {
        const body3d *b = &scene->bodies[i];
        for (size_t j = 0; j < b->part_count && b->sound; j++) {
            half h;
            if (b->parts[j].kind != MO_PART_PLANE || !part3d_plane(b, &b->parts[j], h.normal, &h.offset))
                continue;
            if (out->items != NULL) {
                out->items[out->count] = h;
                out->body[out->count] = (uint32_t)i;
            }
            out->count++;
        }
    }
}

/* leaves of a polygon what lies outside the other planes; e: size of the view */
static void cut_by_planes(polygon *g, const planes *all, size_t self, double e)
{
    for (size_t i = 0; i < all->count && g->count > 0; i++) {
        half h;
        vec3_scale(-1.0, all->items[i].normal, h.normal);
        /* planes that lie in each other leave each other whole */
        h.offset = -all->items[i].offset + 1e-9 * e;
        if (i != self)
            cut(g, &h);
    }
}

static void add_border(facets *out, const polygon *g, uint32_t body, double radius)
{
    size_t first = out->count;
    for (size_t i = 0; i < g->count; i++)
        facets_add_bar(out, g->p[i], g->p[(i + 1) % g->count], radius, body, UINT32_MAX);
    for (size_t i = first; i < out->count; i++)
        out->items[i].finish = FINISH_LINE;
}

void solid_add_planes(const scene3d *scene, const box3d *view, double border, facets *out)
{
    planes all = {.count = 0};
    double e = box3d_side(view), vertical[3];
    camera_vertical(scene->gravity, vertical);
    find_planes(scene, &all);
    all.items = malloc((all.count + 1) * sizeof *all.items);
    all.body = malloc((all.count + 1) * sizeof *all.body);
    out->no_memory = out->no_memory || all.items == NULL || all.body == NULL;
    all.count = 0;
    if (!out->no_memory)
        find_planes(scene, &all);
    for (size_t i = 0; i < all.count; i++) {
        polygon g = rectangle(&all.items[i], vertical, view, margin * e);
        cut_by_planes(&g, &all, i, e);
        size_t first = out->count;
        if (g.count >= 3)
            facets_add_polygon(out, g.p[0], g.count, all.body[i], (uint32_t)i, false);
        for (size_t k = first; k < out->count; k++)
            out->items[k].finish = FINISH_GROUND;
        if (out->count > first && border > 0.0)
            add_border(out, &g, all.body[i], border);
    }
    free(all.items);
    free(all.body);
}
