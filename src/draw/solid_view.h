/* What part of the world in space a picture shows, and how much is drawn of planes without end. */
#ifndef DRAW_SOLID_VIEW_H
#define DRAW_SOLID_VIEW_H

#include "draw/camera.h"
#include "draw/solid_facet.h"

/* Box around the dynamic bodies but for a few that flew away (around the walls when there are none), and the
   same with the walls near them.  Never empty. */
mo_status solid_view_fit(const scene3d *scene, box3d *heap, box3d *view, mo_error *err);
/* Whether solid_view_fit has moving bodies to go by. */
bool solid_view_has_heap(const scene3d *scene);
/* Widens a box so that it holds another. */
void box3d_join(box3d *box, const box3d *other);
double box3d_side(const box3d *box); /* the largest */

/* Planes near the view box as flat polygons: a rectangle around it, on the free sides of the other planes.
   Borders are bars of a radius (m). */
void solid_add_planes(const scene3d *scene, const box3d *view, double border, facets *out);

/* Edges of the faces through which a periodic cell goes on, at most 12, each from one corner to another;
   along axes without a period from one side of the view box to the other. */
enum { cell_edges_most = 12 };
size_t solid_cell_edges(const scene3d *scene, const box3d *view, double out[cell_edges_most][2][3]);
/* The same as dashed lines: bars of a radius (m). */
void solid_add_cell(const scene3d *scene, const box3d *view, double radius, facets *out);

#endif
