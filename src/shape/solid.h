/*
 * Shapes in 3D: from a definition to convex parts in the body's frame, with mass properties.
 *
 * The frame of a dynamic body: origin at the centre of mass, axes as given.  `axes` says how the principal
 * axes of inertia, along which A is constant and diagonal (M99 §7.1), lie in it.  Fixed and moved bodies keep
 * the given origin too.  See mo_part for what a part consists of;
 * a box is a polyhedron; a mesh becomes one part per triangle.
 */
#ifndef SHAPE_SOLID_H
#define SHAPE_SOLID_H

#include <moreau/world.h>

typedef struct solid {
    mo_part *parts; /* [part_count], owned; vertex_first counts from `vertices`, face.first from `faces` */
    size_t part_count;
    double *vertices; /* [3 vertex_count], owned, m, in the body's frame */
    size_t vertex_count;
    uint32_t *faces; /* [face_length], owned: see mo_part */
    size_t face_length;
    double com[3];      /* centre of mass in the given frame, m */
    double axes[4];     /* unit quaternion w, x, y, z: turns principal axes into the frame's */
    double volume;      /* m^3, sum over parts */
    double gyration[3]; /* principal inertias over mass, m^2 (uniform density), along the principal axes */
    bool spherical;     /* a single sphere about its centre of mass: orientation does not matter */
    double radius;    /* m, of a sphere around the frame's origin that holds all parts; INFINITY for planes */
    double thickness; /* m, inradius (a lower bound) of the thickest part; 0 when every part is thin */
    double size; /* m, the smallest extent of the bounding box along the principal axes that is not 0: the
                    length that the default contact tolerance refers to */
} solid;

/*
 * `centre`: move the points so that the centre of mass (com) is at the origin; otherwise they stay, and com
 * and axes are those of mass and inertia all the same.  Hulls by qhull.  Where two or three principal
 * inertias agree to rounding, the given axes are kept as far as possible (a cube's axes are its own).
 * Refuses with MO_BAD_INPUT and the key concerned: lengths that are not finite and > 0, hulls without volume
 * (flat, collinear, coincident or fewer than 4 points), zero normals, empty compounds, compounds of planes,
 * meshes or compounds, triangles whose numbers are out of range, meshes without triangles of positive area,
 * anything not finite, more than 2^20 parts.  Degenerate triangles are dropped; `dropped` (may be NULL) says
 * how many.
 *
 * A mesh has no volume; its com, axes and gyration are those of a thin shell.  Its parts have six vertices
 * each; where there is no neighbour, the edge's first corner stands for the far vertex.  Neighbours are two
 * triangles that alone have an edge and run along it in opposite directions.
 * Faces of hulls can be arbitrarily narrow, and their normals then have few digits: take the farthest vertex
 * along the normal for the offset of a face's plane.
 */
mo_status solid_build(const mo_shape_def *def, bool centre, solid *out, size_t *dropped, mo_error *err);
void solid_free(solid *s);

/* Points and triangles of an STL (binary or text) or OBJ file, corners that coincide merged; both arrays are
   the caller's to free.  MO_BAD_FILE with the line or byte for anything unsound. */
mo_status mesh_read(const char *path, double **points, size_t *point_count, uint32_t **triangles,
                    size_t *triangle_count, mo_error *err);

#endif
