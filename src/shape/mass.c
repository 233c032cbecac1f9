/*
 * Mass properties and extents of a shape's parts, at unit density.
 *
 * Polygon, from triangles with one corner at the first vertex (coordinates relative to it, so that far-away
 * polygons lose no digits):  A = sum a_i / 2,  A x_c = sum a_i (x_i + x_{i+1}) / 6, J_0 = sum a_i (x_i.x_i +
 * x_i.x_{i+1} + x_{i+1}.x_{i+1}) / 12,  a_i = x_i cross x_{i+1},  J = J_0 - A |x_c|^2. Compound: the
 * parallel-axis sum.  Shapes whose every part is thin: rods, weighted by length.
 */
#include <math.h>

#include "core/fail.h"
#include "shape/parts.h"

/* weight (area, or length of a rod), centre and gyration2 of one part */
typedef struct lump {
    double weight, x, y, gyration2;
} lump;

static lump polygon_lump(const double *v, size_t n)
{
    double a = 0, mx = 0, my = 0, j = 0;
    for (size_t i = 1; i + 1 < n; i++) {
        double x1 = v[2 * i] - v[0], y1 = v[2 * i + 1] - v[1];
        double x2 = v[2 * i + 2] - v[0], y2 = v[2 * i + 3] - v[1];
        double cross = x1 * y2 - y1 * x2;
        a += cross / 2;
        mx += cross * (x1 + x2) / 6;
        my += cross * (y1 + y2) / 6;
        j += cross * (x1 * x1 + x1 * x2 + x2 * x2 + y1 * y1 + y1 * y2 + y2 * y2) / 12;
    }
    double cx = mx / a, cy = my / a;
    return (lump){a, v[0] + cx, v[1] + cy, j / a - (cx * cx + cy * cy)};
}

/* area-weighted lump of a part, or the rod's when `rods` */
static lump part_lump(const shape *s, const mo_part *part, bool rods)
{
    const double *v = s->vertices + 2 * (size_t)part->vertex_first;
    switch (part->kind) {
    case MO_PART_DISC:
        return (lump){rods ? 0 : acos(-1.0) * part->radius * part->radius, v[0], v[1],
                      part->radius * part->radius / 2};
    case MO_PART_POLYGON:
        return polygon_lump(v, part->vertex_count);
    case MO_PART_SEGMENT: {
        double dx = v[2] - v[0], dy = v[3] - v[1], length = hypot(dx, dy);
        return (lump){rods ? length : 0, v[0] + dx / 2, v[1] + dy / 2, length * length / 12};
    }
    default: // a half-plane
        break;
    }
    return (lump){0};
}

static bool all_thin(const shape *s)
{
    for (size_t i = 0; i < s->part_count; i++)
        if (s->parts[i].kind != MO_PART_SEGMENT)
            return false;
    return true;
}

void shape_mass(shape *s)
{
    bool rods = all_thin(s);
    lump first = part_lump(s, &s->parts[0], rods);
    double weight = 0, mx = 0, my = 0;
    for (size_t i = 0; i < s->part_count; i++) {
        lump l = part_lump(s, &s->parts[i], rods);
        weight += l.weight;
        mx += l.weight * (l.x - first.x);
        my += l.weight * (l.y - first.y);
    }
    s->area = rods ? 0 : weight;
    s->com[0] = s->com[1] = s->gyration2 = 0;
    if (weight <= 0)
        return;
    s->com[0] = first.x + mx / weight;
    s->com[1] = first.y + my / weight;
    double inertia = 0;
    for (size_t i = 0; i < s->part_count; i++) {
        lump l = part_lump(s, &s->parts[i], rods);
        double dx = (l.x - first.x) - mx / weight, dy = (l.y - first.y) - my / weight;
        inertia += l.weight * (l.gyration2 + dx * dx + dy * dy);
    }
    s->gyration2 = inertia / weight;
}

/* inradius of one part, -1 without memory */
static double part_thickness(const shape *s, const mo_part *part)
{
    switch (part->kind) {
    case MO_PART_DISC:
        return part->radius;
    case MO_PART_POLYGON:
        return polygon_inradius(s->vertices + 2 * (size_t)part->vertex_first, part->vertex_count);
    case MO_PART_SEGMENT:
        return 0;
    default: // a half-plane
        break;
    }
    return HUGE_VAL;
}

mo_status shape_extent(shape *s, mo_error *err)
{
    double low[2] = {HUGE_VAL, HUGE_VAL}, high[2] = {-HUGE_VAL, -HUGE_VAL};
    s->radius = s->thickness = 0;
    for (size_t i = 0; i < s->part_count; i++) {
        const mo_part *part = &s->parts[i];
        double t = part_thickness(s, part);
        if (t < 0)
            return fail(err, MO_NO_MEMORY, NULL, "no memory for a polygon of %u vertices",
                        part->vertex_count);
        s->thickness = fmax(s->thickness, t);
        if (part->kind == MO_PART_HALFPLANE)
            s->radius = HUGE_VAL, low[0] = low[1] = -HUGE_VAL, high[0] = high[1] = HUGE_VAL;
        for (uint32_t j = part->vertex_first; j < part->vertex_first + part->vertex_count; j++) {
            const double *v = s->vertices + 2 * (size_t)j;
            s->radius = fmax(s->radius, hypot(v[0], v[1]) + part->radius);
            for (int k = 0; k < 2; k++) {
                low[k] = fmin(low[k], v[k] - part->radius);
                high[k] = fmax(high[k], v[k] + part->radius);
            }
        }
    }
    double w = high[0] - low[0], h = high[1] - low[1];
    s->size = fmin(w, h) > 0 ? fmin(w, h) : fmax(w, h);
    return MO_OK;
}
