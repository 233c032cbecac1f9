/*
 * Parts of bodies in space as VTK cells: triangles of meshes as they are, everything else as a closed
 * polyhedron.  Round parts are rings of corners about their axis, from its first end to its second, and where
 * they end in a point a pole before and after; the corners lie on the part's surface.
 */
#include "record/vtk.h"

#include "math/vec3.h"

#include <math.h>

#define QUARTER 1.5707963267948966

/* Rings about the axis, corners of each, and whether poles close them; otherwise flat ends do. */
typedef struct ring_grid {
    uint32_t rings, corners;
    bool poles;
} ring_grid;

static ring_grid grid_of(const mo_part *part)
{
    switch (part->kind) {
    case MO_PART_SPHERE:
        return (ring_grid){5, 12, true};
    case MO_PART_CAPSULE:
        return (ring_grid){6, 12, true};
    case MO_PART_CYLINDER:
        return (ring_grid){2, 24, false};
    default:
        return (ring_grid){0, 0, false};
    }
}

size_t solid_corners(const mo_part *part)
{
    const ring_grid g = grid_of(part);
    if (part->kind == MO_PART_TRIANGLE)
        return 3;
    return g.rings > 0 ? (size_t)g.rings * g.corners + (g.poles ? 2 : 0) : part->vertex_count;
}

bool solid_is_closed(const mo_part *part)
{
    return part->kind != MO_PART_TRIANGLE;
}

/* how far a ring lies from its end's centre, as an angle from the equator; its end is 0 or 1 */
static double ring_latitude(const mo_part *part, uint32_t ring, int *end)
{
    *end = part->kind != MO_PART_SPHERE && ring >= grid_of(part).rings / 2;
    if (part->kind == MO_PART_CYLINDER)
        return 0;
    if (part->kind == MO_PART_SPHERE)
        return ((double)ring - 2) / 3 * QUARTER;
    return (*end == 0 ? (double)ring - 2 : (double)ring - 3) / 3 * QUARTER;
}

/* e[0], e[1] across the axis e[2], right-handed; the axis of a sphere is z */
static void ring_axes(const mo_part *part, const double *vertices, double e[3][3])
{
    vec3_set(e[2], 0, 0, 1);
    if (part->kind != MO_PART_SPHERE) {
        vec3_sub(vertices + 3, vertices, e[2]);
        vec3_unit(e[2], e[2]);
    }
    mo_tangent(e[2], e[0]);
    vec3_cross(e[2], e[0], e[1]);
}

void solid_corner(const mo_part *part, double radius, const double *vertices, size_t k, double out[3])
{
    const ring_grid g = grid_of(part);
    if (g.rings == 0) {
        vec3_copy(vertices + 3 * k, out);
        return;
    }
    const uint32_t ring = (uint32_t)(k / g.corners);
    int end = k == (size_t)g.rings * g.corners + 1; // the second pole
    double e[3][3] = {{0}}, latitude = end ? QUARTER : -QUARTER, turn = 0;
    ring_axes(part, vertices, e);
    if (ring < g.rings) {
        latitude = ring_latitude(part, ring, &end);
        turn = 4 * QUARTER * (double)(k % g.corners) / g.corners;
    }
    const double across = ring < g.rings ? radius * cos(latitude) : 0;
    vec3_copy(vertices + (part->kind == MO_PART_SPHERE ? 0 : 3 * end), out);
    vec3_add_scaled(out, across * cos(turn), e[0], out);
    vec3_add_scaled(out, across * sin(turn), e[1], out);
    vec3_add_scaled(out, radius * sin(latitude), e[2], out);
}

/* ---- faces ----------------------------------------------------------------------------------------- */

/* A stream of numbers that is written or only counted. */
typedef struct face_stream {
    FILE *out; /* NULL: counted */
    size_t base, count;
} face_stream;

static void put_number(face_stream *s, size_t number)
{
    s->count++;
    if (s->out != NULL)
        fprintf(s->out, "%zu ", number);
}

static void put_face(face_stream *s, const uint32_t *corner, uint32_t corners)
{
    put_number(s, corners);
    for (uint32_t c = 0; c < corners; c++)
        put_number(s, s->base + corner[c]);
}

static void put_sides(face_stream *s, const ring_grid *g)
{
    const uint32_t n = g->corners;
    for (uint32_t r = 0; r + 1 < g->rings; r++)
        for (uint32_t k = 0; k < n; k++) {
            const uint32_t a = r * n + k, b = r * n + (k + 1) % n, face[4] = {a, b, b + n, a + n};
            put_face(s, face, 4);
        }
}

static void put_pole_caps(face_stream *s, const ring_grid *g)
{
    const uint32_t n = g->corners, pole = g->rings * n, top = pole - n;
    for (uint32_t k = 0; k < n; k++) {
        const uint32_t next = (k + 1) % n;
        const uint32_t low[3] = {pole, next, k}, high[3] = {pole + 1, top + k, top + next};
        put_face(s, low, 3);
        put_face(s, high, 3);
    }
}

static void put_flat_caps(face_stream *s, const ring_grid *g)
{
    const uint32_t n = g->corners;
    put_number(s, n);
    for (uint32_t k = n; k-- > 0;)
        put_number(s, s->base + k);
    put_number(s, n);
    for (uint32_t k = 0; k < n; k++)
        put_number(s, s->base + (size_t)(g->rings - 1) * n + k);
}

static void put_given(face_stream *s, const mo_body_raw *raw, const mo_part *part)
{
    const uint32_t *at = raw->faces + part->link.face.first;
    for (uint32_t f = 0; f < part->link.face.count; f++, at += 1 + at[0])
        put_face(s, at + 1, at[0]);
}

size_t solid_faces(FILE *out, const mo_body_raw *raw, const mo_part *part, size_t base)
{
    const ring_grid g = grid_of(part);
    face_stream s = {out, base, 0};
    if (!solid_is_closed(part))
        return 0;
    if (g.rings == 0) {
        put_number(&s, part->link.face.count);
        put_given(&s, raw, part);
    } else {
        put_number(&s, (g.rings - 1) * g.corners + (g.poles ? 2 * g.corners : 2));
        put_sides(&s, &g);
        (g.poles ? put_pole_caps : put_flat_caps)(&s, &g);
    }
    if (out != NULL)
        fputc('\n', out);
    return s.count;
}
