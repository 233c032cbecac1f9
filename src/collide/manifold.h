/*
 * Narrow phase in 2D: where two placed parts touch or nearly touch, and the exact signed gap there.
 */
#ifndef COLLIDE_MANIFOLD_H
#define COLLIDE_MANIFOLD_H

#include <moreau/world.h>

/* A part where it is in the world: x = p + R(c, s) X. */
typedef struct placed_part {
    const mo_part *part;
    const double *vertices; /* the array that part->vertex_first counts in */
    double p[2];            /* m */
    double c, s;            /* cosine and sine of the angle */
} placed_part;

typedef struct manifold_point {
    double point[2];  /* m, midway between the two surfaces */
    double gap;       /* m, < 0 when overlapping */
    uint32_t feature; /* below 2^24: which vertex of which part, the same while the same features touch */
} manifold_point;

typedef struct manifold {
    int count;                /* 0, 1 or 2 */
    double normal[2];         /* unit, toward part a; shared by the points */
    manifold_point points[2]; /* by ascending feature */
} manifold;

/*
 * All points of contact between a and b with gap <= max_gap.  With count > 0, the smallest gap is the exact
 * signed distance of the two parts: the Euclidean distance when they are apart, minus the least translation
 * that parts them when they overlap.  Swapping a and b gives the same points and gaps and the opposite
 * normal.
 */
void collide_parts(const placed_part *a, const placed_part *b, double max_gap, manifold *out);

#endif
