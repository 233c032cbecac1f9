/*
 * Pieces of building solids shared inside this folder.
 */
#ifndef SHAPE_SOLID_PARTS_H
#define SHAPE_SOLID_PARTS_H

#include "shape/solid.h"

/* Parts per shape: their numbers have 20 bits in a contact's feature (docs/decisions/0001-tree.md). */
#define SOLID_MAX_PARTS ((size_t)1 << 20)

/* Mass of one part at density 1, in the frame the points were given in. */
typedef struct solid_lump {
    double weight;     /* m^3; of a triangle its area, m^2 */
    double centre[3];  /* m */
    double moments[9]; /* m^2, second moments about the centre over the weight: the mean of d d^T */
} solid_lump;

/* A solid on its way: its arrays with their room, and a lump per part. */
typedef struct solid_work {
    solid s;
    solid_lump *lumps; /* [s.part_count] */
    size_t part_room, vertex_room, face_room;
} solid_work;

/* Adds a part with room for its vertices and faces, its lump zero; NULL: no memory. */
mo_part *solid_new_part(solid_work *w, mo_part_kind kind, size_t vertex_count, size_t face_length);

/* Refuses points that are not finite. */
mo_status solid_check_points(const double *points, size_t count, mo_error *err);

/* ---- mass3.c ---- */

/* Second moments with `along` in the unit direction u and `across` in those perpendicular to it. */
void moments_about_axis(const double u[3], double along, double across, double moments[9]);
/* Volume, centre and moments of a polyhedron from its vertices and faces. */
void polyhedron_lump(const double *vertices, const uint32_t *faces, size_t face_count, solid_lump *out);
/* Distance from a point inside to the nearest face's plane, m. */
double polyhedron_depth(const double *vertices, const uint32_t *faces, size_t face_count,
                        const double point[3]);
/* Area, centre and moments of a triangle. */
void triangle_lump(const double a[3], const double b[3], const double c[3], solid_lump *out);
/* Fills volume, com, axes and gyration from the lumps. */
void solid_mass(solid_work *w);

/* ---- solid_extent.c ---- */

/* Fills radius and size from the parts as they lie. */
void solid_extent(solid *s);

/* ---- mesh.c ---- */

mo_status solid_put_mesh(solid_work *w, const mo_shape_def *def, size_t *dropped, mo_error *err);

/* same[count]: for each point the lowest number of a point with the same coordinates.  false: no memory. */
bool mesh_weld(const double *points, size_t count, uint32_t *same);

#endif
