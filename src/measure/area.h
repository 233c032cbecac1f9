/* Exact areas of a part inside a box with sides along the axes, and of a disc inside a polygon. */
#ifndef MEASURE_AREA_H
#define MEASURE_AREA_H

#include <stddef.h>

/* Area of the disc |x| <= r inside the polygon (counter-clockwise, x, y pairs, any place of the origin). */
double disc_in_polygon(double r, const double *points, size_t count);

/* Area of the disc |x| <= r inside the box [min, max]. */
double disc_in_box(double r, const double min[2], const double max[2]);

/* Area of the convex polygon (counter-clockwise, x, y pairs) inside the box. scratch: 4 (count + 4) doubles.
 */
double polygon_in_box(const double *points, size_t count, const double min[2], const double max[2],
                      double *scratch);

#endif
