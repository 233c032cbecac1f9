/*
 * Pictures of recorded runs as PNG or SVG files: a frame with its bodies and force chains, the path of a
 * point, the time series, and the plots that a scene asked for.
 */
#ifndef MOREAU_DRAW_H
#define MOREAU_DRAW_H

#include <moreau/base.h>
#include <moreau/record.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mo_draw_what {
    MO_DRAW_FRAME,  /* of a world */
    MO_DRAW_SERIES, /* energies and observed columns against time */
    MO_DRAW_PATH,   /* of a sweep or system */
    MO_DRAW_PLOTS,  /* what the scene plotted */
} mo_draw_what;

typedef enum mo_draw_color { MO_DRAW_BY_SPEED, MO_DRAW_BY_GROUP, MO_DRAW_BY_STRESS } mo_draw_color;

typedef struct mo_draw_def {
    mo_draw_what what;
    size_t frame; /* or row of a path of discs; SIZE_MAX: the last */
    bool svg;     /* PNG otherwise */
    mo_draw_color color;
    bool chains;         /* force chains: width by normal impulse */
    bool network;        /* 3D: bodies are pale before the chains */
    int width;           /* pixels (points for SVG), > 0 */
    bool framed;         /* only what lies between lo and hi, m; otherwise fitted */
    double lo[3], hi[3]; /* in 2D the last coordinate does not count */
    double azimuth;      /* 3D: degrees about the vertical axis */
    double elevation;    /* 3D: degrees above the horizon */
    bool orthographic;   /* 3D */
} mo_draw_def;

/* The last frame as PNG, 1200 wide, by speed, with chains. */
mo_draw_def mo_default_draw_def(void);

/* Draws to the file `path`, "-" for standard output.  MO_BAD_INPUT: the run holds nothing of the kind. */
mo_status mo_run_draw(mo_run *run, const mo_draw_def *def, const char *path, mo_error *err);

#ifdef __cplusplus
}
#endif
#endif
