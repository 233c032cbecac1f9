/*
 * Narrow phase in 3D: where two placed parts touch or nearly touch, and the exact signed gap there.
 */
#ifndef COLLIDE_MANIFOLD3_H
#define COLLIDE_MANIFOLD3_H

#include <moreau/world.h>

/* A part where it is in the world: x = p + R X. */
typedef struct placed3 {
    const mo_part *part;
    const double *vertices; /* [3 ...] the array that part->vertex_first counts in */
    const uint32_t *faces;  /* the array that part->link.face.first counts in */
    double p[3];            /* m */
    double R[9];            /* rotation, row by row */
    const double *sides;    /* of a polyhedron, as sides_fill has worked them out; NULL: unknown */
} placed3;

enum { MANIFOLD3_MAX = 32 };

typedef struct manifold3_point {
    double point[3];  /* m, midway between the two surfaces */
    double gap;       /* m, < 0 when overlapping */
    uint32_t feature; /* below 2^24: which features make the point, the same while they do */
} manifold3_point;

/* A contact of two parts.  Face on face: the corners of the polygon the faces share. */
typedef struct manifold3 {
    int count;
    double normal[3];                      /* unit, toward part a; shared by the points */
    manifold3_point points[MANIFOLD3_MAX]; /* by ascending feature */
} manifold3;

/*
 * All points of contact between a and b with gap <= max_gap: as many as the mechanics needs, i.e. every
 * resultant that the common patch can carry is a resultant of these points.  With count > 0, the smallest gap
 * is the exact signed distance of the two parts: the Euclidean distance when they are apart, minus the least
 * translation that parts them when they overlap.  Swapping a and b gives the same points and gaps and the
 * opposite normal.
 */
void collide_solids(const placed3 *a, const placed3 *b, double max_gap, manifold3 *out);

#endif
