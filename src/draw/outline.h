/*
 * Outlines on the paper.  Cairo's coordinates are 24.8 fixed point, so everything is cut to the neighbourhood
 * of the view before it gets there.
 */
#ifndef DRAW_OUTLINE_H
#define DRAW_OUTLINE_H

#include "draw/view.h"

#include <cairo.h>

/* Working space for cutting polygons; starts as {0}. */
typedef struct outline_space {
    double *points[2]; /* [2 capacity] each */
    size_t capacity;   /* points */
    bool no_memory;    /* what was asked for could not be drawn */
} outline_space;

void outline_space_free(outline_space *space);

/* Adds the closed outline of a disc or polygon part to the path, shrunk by `inset` pixels for discs.
   False when nothing of it is near the view. */
bool outline_part(cairo_t *cr, const view2d *view, outline_space *space, const body2d *body,
                  const mo_part *part, double inset);
/* Adds the line between two world points, cut to the view's neighbourhood; false when nothing is left. */
bool outline_line(cairo_t *cr, const view2d *view, const double a[2], const double b[2]);
/* Adds the region of the view where normal.x <= offset; false when it is empty. */
bool outline_halfplane(cairo_t *cr, const view2d *view, const double normal[2], double offset);
/* Ends of the half-plane's edge within the view, on the paper; false when it is not seen. */
bool outline_edge(const view2d *view, const double normal[2], double offset, double from[2], double to[2]);

#endif
