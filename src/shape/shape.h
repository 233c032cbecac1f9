/*
 * Shapes in 2D: from a definition to convex parts in the body's frame, with mass properties.
 *
 * A part is the convex hull of its vertices, widened by its radius: a disc is one vertex with a radius, a
 * segment two vertices, a polygon three or more in counter-clockwise order; a half-plane has no vertices. A
 * chain becomes one segment per link, each knowing its neighbours' far ends.
 */
#ifndef SHAPE_SHAPE_H
#define SHAPE_SHAPE_H

#include <moreau/world.h>

typedef struct shape {
    mo_part *parts; /* [part_count], owned; vertex_first counts from `vertices` */
    size_t part_count;
    double *vertices; /* [2 vertex_count], owned, m, relative to `com` unless the shape keeps its origin */
    size_t vertex_count;
    double com[2];    /* centre of mass in the frame the points were given in, m */
    double area;      /* m^2, sum over parts (overlaps between parts counted twice) */
    double gyration2; /* polar inertia about the centre of mass over mass, m^2 (uniform density; thin rods for
                         shapes without area) */
    double radius; /* m, of the smallest circle around the frame's origin that holds all parts; INFINITY for
                      half-planes */
    double thickness; /* m, inradius of the thickest part; 0 when every part is thin */
    double size;      /* m, the smaller extent of the bounding box, the larger one when that is 0 (segment):
                         the length that the default contact tolerance refers to */
} shape;

/*
 * Builds the parts.  `centre`: move the points so that the centre of mass is at the origin (com says by how
 * much). Refuses with MO_BAD_INPUT and the key concerned: radii, widths and heights that are not finite and >
 * 0; fewer than 3 polygon vertices, coincident ones, polygons that are not convex or have no area;
 * zero-length segments; coincident neighbours in a chain; zero normals; empty compounds; compounds of chains,
 * half-planes or compounds; anything not finite.  Collinear polygon vertices are dropped.  Clockwise polygons
 * are reversed.
 */
mo_status shape_build(const mo_shape_def *def, bool centre, shape *out, mo_error *err);
void shape_free(shape *s);

/* "a sphere" and the like, for messages. */
const char *shape_kind_name(mo_shape_kind kind);

#endif
