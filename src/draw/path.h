/*
 * Pictures of the run of a point: plain data as the reader of run files gives them (filled by hand in tests),
 * and one picture for each kind of run.
 */
#ifndef DRAW_PATH_H
#define DRAW_PATH_H

#include "draw/figure.h"
#include "draw/key.h"
#include "draw/rock.h"
#include "draw/scene2d.h"

/* Arrays are borrowed. */
typedef struct path2d {
    size_t n, m; /* coordinates, multipliers */
    mo_run_path path;
    mo_run_events events;
    mo_run_outlines outlines;
} path2d;

enum { PATH_KEYS = 6 };

/* What pictures of paths on the line and in the plane have in common. */
typedef struct path_picture {
    const path2d *source;
    double width, height; /* pixels */
    chart chart;
    double *jump; /* [rows] time of a jump in the step that ends with the row, else NaN */
    bool jumps;   /* there are some */
    key_item keys[PATH_KEYS];
    size_t key_count;
    double key_y; /* pixels, middle of the first row */
    /* on the line */
    rock rock;       /* without levels when no border is known */
    double *running; /* [rows] 1 when something holds the point in the step that ends with the row */
    /* in the plane */
    axis time;
    key_bar bar;
    char bar_title[TEXT_SIZE];
} path_picture;

void path_picture_free(path_picture *p);

/* n = 1: the water picture (M99 end of 2.1, M05 27-28).  Freed by path_picture_free, also after a failure. */
mo_status water_plan(path_picture *p, const path2d *source, const draw_options *options, mo_error *err);
bool water_paint(cairo_t *cr, const void *data);

/* n = 2: the path in the plane. */
mo_status plane_plan(path_picture *p, const path2d *source, const draw_options *options, mo_error *err);
bool plane_paint(cairo_t *cr, const void *data);

/* Shared: sets up the picture with its jumps; lays it out over scales and keys that are set. */
mo_status path_picture_start(path_picture *p, const path2d *source, const draw_options *options,
                             mo_error *err);
void path_picture_lay_out(path_picture *p, double footer);
void path_picture_key(path_picture *p, key_kind kind, rgb color, double width, const char *text);
/* Grid, axes and keys. */
void path_picture_frame(cairo_t *cr, const path_picture *p, const char *x, const char *y);
/* Dashes for jumps; width 0 ends them. */
void path_picture_dashes(cairo_t *cr, double width);

/* n > 2, and systems: coordinates against time, then velocities if there are any, multipliers in the last
   panel. */
enum { PATH_PANELS = 12, PATH_MULTIPLIERS = 12 };
typedef struct path_panels {
    figure figure;
    figure_plot plots[PATH_PANELS + 2];
    figure_curve curves[2 * PATH_PANELS + PATH_MULTIPLIERS];
    char names[2 * PATH_PANELS + PATH_MULTIPLIERS][24];
    char remark[TEXT_SIZE];
} path_panels;
void path_panels_fill(path_panels *p, const path2d *source);

/* Discs: a row as a scene with its own values. */
typedef struct disc_row {
    scene2d scene;
    mo_part *parts;
    double *values; /* multipliers, the sum over what touches a disc; NaN for walls */
} disc_row;
/* Freed by disc_row_free, also after a failure. */
mo_status disc_row_make(disc_row *out, const path2d *source, size_t row, mo_error *err);
void disc_row_free(disc_row *d);

#endif
