/*
 * A panel of a plot: a rectangle of the paper with a scale along each side, its grid, its axes, and lines and
 * markers inside.  Everything that plots numbers against numbers is painted with this.
 */
#ifndef DRAW_CHART_H
#define DRAW_CHART_H

#include "draw/axis.h"
#include "draw/palette.h"

typedef struct chart {
    double left, top, width, height; /* pixels */
    double unit, font;               /* pixels: a fine line's width, text size */
    axis x, y;
} chart;

/* Points (x[i x_stride], y[i y_stride]), borrowed. */
typedef struct chart_line {
    const double *x, *y;
    size_t count, x_stride, y_stride;
} chart_line;

typedef enum chart_marker {
    MARKER_DISC,
    MARKER_SQUARE,
    MARKER_TRIANGLE,
    MARKER_DIAMOND,
    MARKER_CROSS,
    MARKER_RING,
    MARKER_WEDGE, /* a triangle on its tip */
    MARKER_PLUS,
    MARKER_COUNT,
} chart_marker;

/* Width of fine lines, pixels, in a picture so wide. */
double chart_unit(double width);
void set_rgb(cairo_t *cr, rgb color);
/* The point on the paper; false when a value has no place on its axis. */
bool chart_point(const chart *c, double x, double y, double paper[2]);

/* Grid, ticks and numbers along both axes with the power of ten or offset they need. */
void chart_grid(cairo_t *cr, const chart *c);
void chart_x_numbers(cairo_t *cr, const chart *c);
void chart_y_numbers(cairo_t *cr, const chart *c);
/* What an axis shows: a user's text, cut to the room there is. */
void chart_x_title(cairo_t *cr, const chart *c, const char *label);
void chart_y_title(cairo_t *cr, const chart *c, const char *label);

/* Strokes lines rising to the right over a box of the paper, `step` pixels apart; the clip shows where. */
void chart_hatch(cairo_t *cr, const double lo[2], const double hi[2], double step);

/* Clips to the panel and a little more; undone by cairo_restore. */
void chart_clip(cairo_t *cr, const chart *c);
/* Strokes the line through the points with the current colour, width and dashes; points without a place break
   it, and a lone point is a dot. */
void chart_stroke(cairo_t *cr, const chart *c, const chart_line *line);
/* Markers of a size (radius, pixels) at the points; with spacing > 0 only at points so far apart on the way
   (pixels), the first after `phase` of it. */
void chart_markers(cairo_t *cr, const chart *c, const chart_line *line, chart_marker marker, double size,
                   double spacing, double phase);
void chart_mark(cairo_t *cr, chart_marker marker, double x, double y, double size);

static const rgb chart_quiet = {0.42, 0.43, 0.46};

#endif
