/*
 * Volumes of parts inside a box with sides along the axes.
 */
#ifndef MEASURE_VOLUME_H
#define MEASURE_VOLUME_H

#include <moreau/world.h>

/* A convex part in the world's frame. */
typedef struct solid_part {
    mo_part_kind kind;
    const double *points; /* [3 count]: vertices, centres of ends, or the centre */
    size_t count;
    double radius;         /* m */
    const uint32_t *faces; /* polyhedron: see mo_part */
    uint32_t face_count;
} solid_part;

/* Widens the box by the part. */
void part_widen(const solid_part *p, double min[3], double max[3]);

/*
 * Volume of the part inside the box, m^3.  Polyhedra: exact to rounding.  Spheres, capsules and cylinders:
 * to 1e-9 of the part's volume, and exact where the box holds all of it.  Planes and triangles have none.
 */
double part_in_box(const solid_part *p, const double min[3], const double max[3]);

#endif
