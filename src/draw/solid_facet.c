/* Bodies as pieces of surface. */
#include "draw/solid_facet.h"

#include "math/vec3.h"

#include <stdlib.h>
#include <string.h>

void facets_free(facets *f)
{
    free(f->items);
    memset(f, 0, sizeof *f);
}

facet *facets_add(facets *f, facet_kind kind, uint32_t body, uint32_t surface)
{
    if (f->count == f->capacity) {
        size_t capacity = 2 * f->capacity + 256;
        facet *grown = f->count < UINT32_MAX / 2 ? realloc(f->items, capacity * sizeof *grown) : NULL;
        if (grown == NULL) {
            f->no_memory = true;
            return NULL;
        }
        f->items = grown;
        f->capacity = capacity;
    }
    facet *out = &f->items[f->count++];
    *out = (facet){.kind = kind, .body = body, .surface = surface};
    return out;
}

/* ---- flat --------------------------------------------------------------------------------------------- */

/* largest distance along an axis of a corner from the first */
static double reach(const double *corners, size_t count)
{
    double out = 0.0;
    for (size_t i = 3; i < 3 * count; i++)
        out = fmax(out, fabs(corners[i] - corners[i % 3]));
    return out;
}

/* unit normal of a polygon from its area vector about the first corner, exact for flat ones and the mean for
   others; false when it has no area */
static bool polygon_normal(const double *corners, size_t count, double out[3])
{
    double size = reach(corners, count);
    vec3_set(out, 0.0, 0.0, 0.0);
    if (!(size > 0.0) || !isfinite(size))
        return false;
    for (size_t i = 1; i + 1 < count; i++) {
        double a[3], b[3], c[3];
        vec3_sub(corners + 3 * i, corners, a);
        vec3_sub(corners + 3 * i + 3, corners, b);
        vec3_scale(1.0 / size, a, a);
        vec3_scale(1.0 / size, b, b);
        vec3_cross(a, b, c);
        vec3_add(out, c, out);
    }
    double length = vec3_norm(out);
    vec3_scale(length > 0.0 ? 1.0 / length : 0.0, out, out);
    return length > 0.0;
}

void facets_add_polygon(facets *f, const double *corners, size_t count, uint32_t body, uint32_t surface,
                        bool two_sided)
{
    double n[3];
    if (!polygon_normal(corners, count, n))
        return;
    for (size_t i = 1; i + 1 < count; i++) {
        facet *t = facets_add(f, FACET_TRIANGLE, body, surface);
        if (t == NULL)
            return;
        vec3_copy(corners, t->p[0]);
        vec3_copy(corners + 3 * i, t->p[1]);
        vec3_copy(corners + 3 * i + 3, t->p[2]);
        vec3_copy(n, t->normal);
        t->two_sided = two_sided;
    }
}

/* a face of a polyhedron from its numbers; nothing when one is out of range */
static void add_face(facets *f, const body3d *body, const mo_part *part, const double *points,
                     const uint32_t *corner, size_t count, uint32_t number, uint32_t surface)
{
    double *corners = malloc(3 * (count + 1) * sizeof *corners);
    bool sound = corners != NULL;
    f->no_memory = f->no_memory || corners == NULL;
    for (size_t i = 0; i < count && sound; i++) {
        sound = corner[i] < part->vertex_count;
        if (sound)
            body3d_place(body, points + 3 * (size_t)corner[i], corners + 3 * i);
    }
    if (sound)
        facets_add_polygon(f, corners, count, number, surface, false);
    free(corners);
}

static void add_polyhedron(facets *f, const body3d *body, const mo_part *part, const double *points,
                           uint32_t number, uint32_t surface)
{
    size_t at = part->link.face.first;
    for (uint32_t k = 0; k < part->link.face.count && at < body->face_length; k++) {
        size_t count = body->faces[at++];
        if (count > body->face_length - at)
            return;
        if (count >= 3)
            add_face(f, body, part, points, body->faces + at, count, number, surface + k);
        at += count;
    }
}

static void add_triangle(facets *f, const body3d *body, const double *points, uint32_t number,
                         uint32_t surface)
{
    double corners[9];
    for (int i = 0; i < 3; i++)
        body3d_place(body, points + 3 * i, corners + 3 * i);
    facets_add_polygon(f, corners, 3, number, surface, true);
}

/* ---- round -------------------------------------------------------------------------------------------- */

/* How the pieces of a round part show that it turns: the same for all of them. */
typedef struct round_mark {
    double middle[3], axis[2][3]; /* as of facet */
} round_mark;

/* the axes are fixed to the body: of a ball its first two, else across its length from a to b, both in the
   frame of the body */
static round_mark mark_of(const body3d *body, const double *a, const double *b)
{
    round_mark m;
    double along[3], axis[2][3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}}, middle[3];
    vec3_sub(b, a, along);
    vec3_add_scaled(a, 0.5, along, middle);
    const double length = vec3_norm(along);
    if (length > 0.0) {
        vec3_scale(1.0 / length, along, along);
        mo_tangent(along, axis[0]);
        vec3_cross(along, axis[0], axis[1]);
    }
    body3d_place(body, middle, m.middle);
    for (int k = 0; k < 2; k++)
        mat3_apply(body->turn, axis[k], m.axis[k]);
    return m;
}

static void mark_from(facets *f, size_t first, const round_mark *m)
{
    for (size_t i = first; i < f->count; i++) {
        facet *p = &f->items[i];
        p->marked = true;
        vec3_copy(m->middle, p->middle);
        for (int k = 0; k < 2; k++)
            vec3_copy(m->axis[k], p->axis[k]);
    }
}

static void add_ball(facets *f, const double centre[3], double radius, uint32_t body, uint32_t surface)
{
    facet *b = facets_add(f, FACET_BALL, body, surface);
    if (b == NULL)
        return;
    vec3_copy(centre, b->p[0]);
    b->radius = radius;
}

static void add_tube(facets *f, const double from[3], const double to[3], double radius, uint32_t body,
                     uint32_t surface)
{
    facet *t = facets_add(f, FACET_TUBE, body, surface);
    if (t == NULL)
        return;
    vec3_copy(from, t->p[0]);
    vec3_copy(to, t->p[1]);
    t->radius = radius;
}

/* the flat end of a cylinder at `centre`, the other one at `other` */
static void add_disc(facets *f, const double centre[3], const double other[3], double radius, uint32_t body,
                     uint32_t surface)
{
    double n[3];
    vec3_sub(centre, other, n);
    double length = vec3_norm(n);
    facet *d = length > 0.0 ? facets_add(f, FACET_DISC, body, surface) : NULL;
    if (d == NULL)
        return;
    vec3_copy(centre, d->p[0]);
    vec3_scale(1.0 / length, n, d->normal);
    d->radius = radius;
}

void facets_add_bar(facets *f, const double from[3], const double to[3], double radius, uint32_t body,
                    uint32_t surface)
{
    add_ball(f, from, radius, body, surface);
    add_ball(f, to, radius, body, surface);
    add_tube(f, from, to, radius, body, surface);
}

static void add_round(facets *f, const body3d *body, const mo_part *part, const double *points,
                      uint32_t number, uint32_t surface)
{
    double a[3], b[3], r = part3d_radius(body, part);
    if (!(r > 0.0))
        return;
    const bool ball = part->kind == MO_PART_SPHERE;
    const double *end = ball ? points : points + 3;
    const round_mark mark = mark_of(body, points, end);
    const size_t first = f->count;
    body3d_place(body, points, a);
    body3d_place(body, end, b);
    if (ball) {
        add_ball(f, a, r, number, surface);
    } else if (part->kind == MO_PART_CAPSULE) {
        facets_add_bar(f, a, b, r, number, surface);
    } else {
        add_tube(f, a, b, r, number, surface);
        add_disc(f, a, b, r, number, surface + 1);
        add_disc(f, b, a, r, number, surface + 2);
    }
    mark_from(f, first, &mark);
}

void facets_add_body(facets *f, const body3d *body, uint32_t number)
{
    uint32_t surface = 0;
    for (size_t i = 0; i < body->part_count && body->sound; i++) {
        const mo_part *part = &body->parts[i];
        const double *points = part3d_points(body, part);
        if (points == NULL)
            continue;
        if (part->kind == MO_PART_POLYHEDRON)
            add_polyhedron(f, body, part, points, number, surface);
        else if (part->kind == MO_PART_TRIANGLE)
            add_triangle(f, body, points, number, surface);
        else
            add_round(f, body, part, points, number, surface);
        surface += part->kind == MO_PART_POLYHEDRON ? part->link.face.count : 3;
    }
}
