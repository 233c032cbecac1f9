/*
 * Regions of measures, and the images in which a periodic cell shows them what it holds.
 */
#ifndef MEASURE_REGION_H
#define MEASURE_REGION_H

#include <moreau/measure.h>

/* MO_BAD_INPUT unless the box is finite, has a size, and is no more than some hundred cells wide. */
mo_status region_check(const mo_world *world, const mo_region *region, mo_error *err);
/* How many images of the point x lie in the box: 0 or 1 without a cell. */
size_t region_holds(const mo_world *world, const mo_region *region, const double *x);

/* Images x + shift of a point, of which a body of this radius may reach into the box. */
typedef struct region_images {
    const mo_world *world;
    long low[3], high[3], at[3];
    bool over;
} region_images;

region_images region_begin(const mo_world *world, const mo_region *region, const double *x, double radius);
/* The next shift, [dim]; false: there is no more. */
bool region_next(region_images *images, double *shift);

#endif
