/*
 * From pieces of surface to an image: light and shade, thin dark lines along edges and around bodies, and
 * bodies, walls and force chains laid over each other.
 */
#ifndef DRAW_SOLID_SHADE_H
#define DRAW_SOLID_SHADE_H

#include "draw/palette.h"
#include "draw/solid_raster.h"

/* What lies over what. */
enum {
    LAYER_BODIES, /* and ground: opaque */
    LAYER_WALLS,  /* large fixed bodies: bodies behind them are seen through them */
    LAYER_CHAINS, /* force chains: seen through bodies, the paler the deeper they lie */
    LAYERS
};

/* The pieces of the layers and how they look. */
typedef struct stage {
    facets layers[LAYERS];
    camera camera;      /* paper: pixels of the image */
    const rgb *color;   /* [bodies] */
    const float *ink;   /* [bodies] how dark the lines of a body are, 0 to 1 */
    double vertical[3]; /* unit, world */
    double radius;      /* m, median of the bodies */
    double grid;        /* m, of planes; 0: none */
    double unit;        /* pixels, a fine line's width */
    bool deep_chains;   /* chains do not fade */
    box3d around;       /* m: what throws shadows lies in it */
} stage;

/* Renders width x height pixels, rows of `stride` bytes, as 0xRRGGBB in native order over white; false
   without memory. */
bool stage_render(const stage *s, int width, int height, unsigned char *pixels, size_t stride);

#endif
