/*
 * Pictures of recorded runs: a frame with its bodies and force chains, the path of a point, and plots.
 */
#ifndef DRAW_DRAW_H
#define DRAW_DRAW_H

#include <moreau/record.h>

typedef enum draw_format { DRAW_PNG, DRAW_SVG } draw_format;
typedef enum draw_color { DRAW_BY_SPEED, DRAW_BY_GROUP, DRAW_BY_STRESS } draw_color;

/* A part of the world, m; in 2D the last coordinate does not count. */
typedef struct draw_view {
    double lo[3], hi[3];
} draw_view;

/* Where pictures of worlds in 3D are seen from: the angle of the viewer about the vertical axis, which is the
   coordinate axis that is nearest to being against gravity, and above the horizon, in degrees. */
typedef struct draw_camera {
    double azimuth, elevation;
    bool orthographic;
} draw_camera;

/* Takes a picture as pixels, 0xRRGGBB in native order, rows of `stride` bytes. */
typedef mo_status (*draw_take)(void *data, int width, int height, const unsigned char *pixels, size_t stride,
                               mo_error *err);

typedef struct draw_options {
    draw_format format;
    draw_color color;
    bool chains;  /* force chains: lines between centres and contact points, width by normal impulse */
    bool network; /* 3D: the chains are what the picture is about; bodies are pale before them */
    int width;    /* pixels (points for SVG), > 0; the height follows from the picture's shape */
    const draw_view *view; /* what frames show, lo < hi; NULL: fitted to each */
    draw_camera camera;
    draw_take take; /* NULL: pictures go to their file; else they go here as pixels, and there is no file */
    void *take_data;
    int columns; /* of plots that a scene asked for; 0 as 1 */
} draw_options;

draw_options draw_default_options(void); /* PNG, by speed, chains, 1200, from 60 degrees to the right */

/* The view that shows what the fitted ones of frames [first, first + count) show, so that pictures of them
   make a film.  Frames without moving bodies have no say, unless there are no others. */
mo_status draw_fit_view(mo_run *run, size_t first, size_t count, draw_view *out, mo_error *err);

/* Frame k of a world run to a file; path "-" is standard output. */
mo_status draw_frame(mo_run *run, size_t k, const draw_options *options, const char *path, mo_error *err);

/* Energies in one panel, every other observed column in one panel each, against time. */
mo_status draw_series(mo_run *run, const draw_options *options, const char *path, mo_error *err);

/*
 * The run of a point: n = 1, its graph in the cavity {(t, x) : x in C(t)}, time downward (M05 27); n = 2, its
 * path in the plane with borders of the set at some times; discs, row k as a picture of them with what holds
 * them; else, and for systems, the coordinates against time.  k SIZE_MAX: the last row.
 */
mo_status draw_path(mo_run *run, size_t k, const draw_options *options, const char *path, mo_error *err);

/* As draw_fit_view for rows [first, first + count) of discs.  Other paths are drawn whole and need no view.
 */
mo_status draw_fit_path_view(mo_run *run, size_t first, size_t count, draw_view *out, mo_error *err);

/* The plots that the scene asked for (plots_json of the run), below each other or in columns. */
mo_status draw_plots(mo_run *run, const draw_options *options, const char *path, mo_error *err);
/* The same from a JSON text as in run files (docs/format.md); MO_BAD_FILE for anything else. */
mo_status draw_plots_text(const char *json, const draw_options *options, const char *path, mo_error *err);
/* Their numbers as CSV, a row for each point. */
mo_status plots_csv(mo_run *run, const char *path, mo_error *err);

#endif
