/* What the VTU files of frames and of paths share. */
#ifndef RECORD_VTK_H
#define RECORD_VTK_H

#include "record/text.h"

#include <moreau/record.h>

enum {
    VTK_VERTEX = 1,
    VTK_LINE = 3,
    VTK_POLY_LINE = 4,
    VTK_TRIANGLE = 5,
    VTK_POLYGON = 7,
    VTK_POLYHEDRON = 42
};

/* ParaView's reader stops at words for what is not a number: 0 for those. */
double vtk_number(double x);
void vtk_begin(FILE *out, size_t points, size_t cells);
void vtk_end(FILE *out);
/* The opening tag of an array. */
void vtk_array(FILE *out, const char *type, const char *name, int components);
/* The numbers [first, end), one a line. */
void vtk_counted(FILE *out, size_t first, size_t end);
/* The cells of a grid in which every point is one. */
void vtk_vertices(FILE *out, size_t count);

/* Opens FOLDER/NAME; the path is kept in `path` until the file is closed. */
mo_status vtk_open(const char *folder, const char *name, char *path, size_t room, text_file *out,
                   mo_error *err);
/* KIND.pvd: the files KIND_KKKKKK.vtu of frames [first, first + count) over time. */
mo_status vtk_list(mo_run *run, const char *kind, size_t first, size_t count, const char *folder,
                   mo_error *err);

/* vtk_solid.c: a part in space, which is not a plane.  Corners that show it; whether it is a polyhedron
   with faces, not a triangle. */
size_t solid_corners(const mo_part *part);
bool solid_is_closed(const mo_part *part);
/* Corner k in the frame of the body; vertices are the part's. */
void solid_corner(const mo_part *part, double radius, const double *vertices, size_t k, double out[3]);
/* Writes the faces as a polyhedron has them in VTK, the corners counted from `base`; out NULL: nothing.  How
   many numbers these are. */
size_t solid_faces(FILE *out, const mo_body_raw *raw, const mo_part *part, size_t base);

/* The run of a point into a folder that is there. */
mo_status vtk_path(mo_run *run, size_t first, size_t count, const char *folder, mo_error *err);

#endif
