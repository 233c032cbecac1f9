/* Plots of time series: panels above each other that share the time axis. */
#ifndef DRAW_SERIES_H
#define DRAW_SERIES_H

#include "draw/axis.h"
#include "draw/draw.h"

enum { PLOT_COLUMNS = 12, PLOT_CURVES = 5 };

typedef struct plot_panel {
    double top, height; /* pixels */
    axis scale;
    size_t curve[PLOT_CURVES]; /* columns */
    int style[PLOT_CURVES];    /* which energy, -1 for an observed column */
    size_t count;
} plot_panel;

typedef struct plot2d {
    const char *const *names; /* [columns], borrowed */
    size_t columns, rows;
    const double *t, *values; /* [rows], [rows * columns], borrowed */
    double width, height;     /* pixels */
    double unit, font;        /* pixels: a fine line's width, text size */
    double left, right;       /* pixels, ends of the time axis */
    axis time;
    plot_panel panels[PLOT_COLUMNS + 1];
    size_t panel_count, left_out;
    double balance_error;   /* J, largest; NaN when it was not recorded */
    double potential_least; /* J: the potential energy is drawn from here */
} plot2d;

/* Plan of a plot; borrows its arrays, holds no memory. */
mo_status plot2d_plan(plot2d *p, const char *const *names, size_t columns, size_t rows, const double *t,
                      const double *values, const draw_options *options, mo_error *err);
/* Paints on a surface of the planned size, on white.  `data` is a const plot2d; always true. */
bool plot2d_paint(cairo_t *cr, const void *data);

#endif
