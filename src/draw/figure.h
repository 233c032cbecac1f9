/*
 * Line plots below each other, or in columns, as plain data: filled from what a scene asked for, from the
 * path of a run, or by hand in tests; planned, then painted.
 */
#ifndef DRAW_FIGURE_H
#define DRAW_FIGURE_H

#include "draw/chart.h"
#include "draw/draw.h"

typedef enum curve_style {
    CURVE_LINE,
    CURVE_POINTS,
    CURVE_BOTH,
    CURVE_DASHED,
    CURVE_ARROWS, /* from the points by (dx, dy) */
    CURVE_DISCS,  /* about the points, radius `size` */
    CURVE_STYLES,
} curve_style;

typedef struct figure_curve {
    const char *name; /* in the legend; "" for none */
    chart_line line;
    curve_style style;
    /* [line.count] each or NULL, in the units of the axes; borrowed */
    const double *error;   /* half length of a bar along y through each point */
    const double *dx, *dy; /* of arrows */
    const double *size;    /* of discs, along x */
} figure_curve;

typedef struct figure_axis {
    const char *label;
    bool log, down;
} figure_axis;

/* Texts and curves are borrowed. */
typedef struct figure_plot {
    const char *title;
    figure_axis x, y;
    bool equal; /* the same length on paper for both units */
    size_t curve_count;
    const figure_curve *curves;
    /* the plan */
    chart chart;
    double left;                      /* pixels: of its column */
    double title_y, legend_y;         /* pixels: baseline of the title, middle of the legend's first row */
    double legend_left, legend_width; /* pixels, of the first column and of each */
    size_t legend_columns;            /* 0: no legend */
} figure_plot;

typedef struct figure {
    size_t plot_count;
    figure_plot *plots; /* [plot_count], borrowed */
    bool shared;        /* low panels that share the scale of x, written below the last */
    const char *remark; /* at the bottom; "" for none */
    /* the plan */
    double width, height; /* pixels */
    double room;          /* pixels: width of a column */
    double unit, font;
} figure;

mo_status figure_plan(figure *f, const draw_options *options, mo_error *err);
/* Paints on a surface of the planned size, on white.  `data` is a const figure; always true. */
bool figure_paint(cairo_t *cr, const void *data);

/* Scales of a chart whose place and font are set; for equal ones it shrinks to their shape, about its middle.
 */
void figure_scales(chart *c, const figure_axis *x, range rx, const figure_axis *y, range ry, bool equal);

/* What a curve carries beside line and markers: error bars, arrows, or discs (draw/extras.c). */
void figure_errors(cairo_t *cr, const chart *c, const figure_curve *curve);
void figure_arrows(cairo_t *cr, const chart *c, const figure_curve *curve);
void figure_discs(cairo_t *cr, const chart *c, const figure_curve *curve, rgb color);
/* An arrow or a disc of the legend, in a place of that length. */
void figure_sample(cairo_t *cr, const chart *c, curve_style style, rgb color, double x, double y,
                   double length);
/* Widens a range by all of that. */
void figure_extras_range(const figure_curve *curve, bool x, bool log, range *r);

/* Markers and colours go through all combinations before one comes back. */
chart_marker figure_marker(size_t k);

#endif
