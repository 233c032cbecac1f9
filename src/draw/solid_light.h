/* Light on surfaces: sky from above, some light from the viewer, and a lamp over the viewer's left shoulder
 * that throws shadows. */
#ifndef DRAW_SOLID_LIGHT_H
#define DRAW_SOLID_LIGHT_H

#include "draw/solid_raster.h"

typedef struct light {
    const camera *camera; /* that the picture is seen with */
    double lamp[3];       /* unit, towards it, view coordinates */
    double sky[3];        /* unit, upwards, view coordinates */
    camera from;          /* as the lamp sees the scene */
    band map;             /* what it sees first */
} light;

/* Shadows are as fine as a picture so wide (pixels) shows.  False without memory; freed by light_free. */
bool light_create(light *l, const camera *c, const double vertical[3], const box3d *around,
                  const facets *casters, double width);
void light_free(light *l);
/* How bright a surface is, 0 to about 1, at a point with a unit normal in view coordinates. */
double light_on(const light *l, const double view[3], const double normal[3]);

#endif
