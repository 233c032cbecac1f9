/*
 * The convex hull of points in 3D: which of them are its corners, and its faces as polygons.
 */
#ifndef SHAPE_HULL_H
#define SHAPE_HULL_H

#include <moreau/base.h>

/* One face: its corners, counter-clockwise seen from outside, the lowest number first. */
typedef struct hull_face {
    uint32_t *corners; /* [count], into hull.corners */
    uint32_t count;
} hull_face;

typedef struct hull {
    uint32_t *vertices; /* [vertex_count], owned: the points that are corners of the hull, ascending */
    size_t vertex_count;
    hull_face *faces; /* [face_count], owned, in the order of their corners' numbers */
    size_t face_count;
    uint32_t *corners; /* [corner_count], owned: numbers into `vertices` */
    size_t corner_count;
} hull;

/*
 * points: x, y, z triples, all finite.  Facets that lie in one plane to the rounding of the coordinates
 * become one face; points that lie on a face or an edge to that rounding are not corners.  Refuses
 * (MO_BAD_INPUT, key "points") fewer than 4 points and points in one plane.
 */
mo_status hull_build(const double *points, size_t count, hull *out, mo_error *err);
void hull_free(hull *h);

/*
 * Makes the corners' loops, which are numbers into points, a hull: corners of fewer than three faces dropped,
 * faces of two corners too, numbers into `vertices`, orientation, faces convex to the tolerance (a length),
 * order. false: not the surface of a convex body (an edge without its opposite, or not simply connected); h
 * stays to be freed.  No memory: *status says so.
 */
bool hull_tidy(hull *h, const double *points, size_t count, double tolerance, mo_status *status);

/* Cuts the faces that are not convex to the tolerance.  false: it cannot be done, or no memory (*status). */
bool hull_split(hull *h, const double *points, double tolerance, mo_status *status);

/* Corner k of a face, round its loop, as a point. */
static inline const double *hull_corner(const hull *h, const double *points, const hull_face *face,
                                        uint32_t k)
{
    return points + 3 * (size_t)h->vertices[face->corners[k % face->count]];
}

#endif
