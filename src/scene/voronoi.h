/*
 * Voronoi cells of points in a convex region: what lies nearer to a point than to any other.
 *
 * In 2D the region is cut by the bisectors with neighbours, ring by ring of a grid, until the next ring is
 * farther than twice the cell's farthest corner.  In 3D the cell is the dual of a convex hull: the half-space
 * n.x <= d about the point becomes the point n/d, and a face m.y = c of the hull the corner m/c.
 */
#ifndef SCENE_VORONOI_H
#define SCENE_VORONOI_H

#include "scene/grains.h"

typedef struct voronoi {
    lua_State *L;
    const char *what;
    const grain_region *region; /* a box, or in 2D a polygon */
    size_t dim, count;
    double *seed; /* [dim count], on the stack like all that follows */
    size_t cells[3];
    double width[3], narrow; /* of the grid's cells, m; the least of them */
    uint32_t *first, *order; /* [cells + 1], [count]: seeds by cell */
    double *corner, *spare;  /* [dim capacity] of the present cell, m, in the axes of the world */
    size_t capacity;
    double centre[3], measure; /* of the present cell */
} voronoi;

/* Takes `count` random points in the region. */
voronoi voronoi_begin(const grains *g, const grain_region *region, size_t count);
/* Sorts the seeds into the grid; after they were changed. */
void voronoi_sort(voronoi *v);
/* The cell of seed i; returns how many corners it has, with centre and measure set. */
size_t voronoi_cell(voronoi *v, size_t i);

#endif
