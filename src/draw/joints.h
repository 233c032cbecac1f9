/*
 * Joints in pictures: a ring at each of a joint's points, and a fine line between them where they are apart,
 * a zigzag for springs.  One can see through them.
 */
#ifndef DRAW_JOINTS_H
#define DRAW_JOINTS_H

#include "collide/periodic.h"

#include <cairo.h>
#include <moreau/record.h>

typedef struct joint_line {
    mo_joint_kind kind;
    double at[2][3]; /* m: its points on both bodies, in the world */
} joint_line;

typedef struct joint_lines {
    joint_line *items; /* [count] */
    size_t count;
} joint_lines;

/* Those that frame k of a run has, where they are in it; in a cell (dim 0: none) those that go through its
   faces are there twice.  Freed by joint_lines_free. */
mo_status joint_lines_of_frame(const mo_run *run, size_t k, const mo_frame *frame, const periodic_cell *cell,
                               joint_lines *out, mo_error *err);
void joint_lines_free(joint_lines *lines);

/* Whether its points can be drawn, in dim coordinates. */
bool joint_line_sound(const joint_line *line, size_t dim);
/* Widens a view lo, hi [dim] by those of which one point lies in the box around the heap, lo and hi beside
   each other. */
void joint_lines_include(const joint_lines *lines, size_t dim, const double *heap, double *lo, double *hi);

/* Radius of the rings, pixels, from the bodies' median radius and a fine line's width. */
double joint_mark(double radius, double unit);
/* Paints a joint whose points are a and b on the paper. */
void joint_paint(cairo_t *cr, mo_joint_kind kind, const double a[2], const double b[2], double mark);

#endif
