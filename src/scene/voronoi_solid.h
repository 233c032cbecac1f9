/* Voronoi cells in 3D (voronoi.h). */
#ifndef SCENE_VORONOI_SOLID_H
#define SCENE_VORONOI_SOLID_H

#include "scene/voronoi.h"

/* Number of the grid's cell that holds x, and its place. */
size_t voronoi_grid(const voronoi *v, const double *x, size_t at[3]);
size_t solid_cell(voronoi *v, size_t i);
/* Raises: two seeds coincide. */
_Noreturn void voronoi_coincide(const voronoi *v);

#endif
