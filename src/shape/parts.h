/*
 * Pieces of shape building shared inside this folder.
 */
#ifndef SHAPE_PARTS_H
#define SHAPE_PARTS_H

#include "shape/shape.h"

/* Vertices per shape: vertex numbers have to fit in a contact's feature (collide/manifold.h). */
#define SHAPE_MAX_VERTICES ((size_t)1 << 23)

/*
 * Cleans a polygon in place: counter-clockwise order, collinear vertices dropped.  xy holds 2 *count numbers,
 * all finite.  Refuses (MO_BAD_INPUT, key "points") coincident neighbours, no area, what is not convex, or
 * fewer than 3 corners.
 */
mo_status polygon_clean(double *xy, size_t *count, mo_error *err);

/* Radius of the largest circle inside a cleaned polygon, m; -1 when there is no memory for the work. */
double polygon_inradius(const double *xy, size_t count);

/* Fills com, area and gyration2 from the parts, whose vertices are in the frame they were given in. */
void shape_mass(shape *s);

/* Fills radius, thickness and size from the parts.  MO_NO_MEMORY is the only failure. */
mo_status shape_extent(shape *s, mo_error *err);

#endif
