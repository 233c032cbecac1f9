/*
 * Which piece of surface is nearest behind every sample of a band of the paper.
 *
 * The paper of the camera counts samples here.  A band holds whole rows; pictures are made of several, so
 * that wide ones need no more memory than narrow ones.
 */
#ifndef DRAW_SOLID_RASTER_H
#define DRAW_SOLID_RASTER_H

#include "draw/camera.h"
#include "draw/solid_facet.h"

static const uint32_t facet_none = UINT32_MAX;

typedef struct band {
    int width, height; /* samples */
    int first_row;     /* on the paper; may be negative */
    float *nearness;   /* [width height], -HUGE_VALF where there is nothing */
    uint32_t *facet;   /* [width height] facet_none where there is nothing */
} band;

/* Where on the paper a piece lies (samples; hi < lo: nowhere) and its order. */
typedef struct facet_place {
    float lo[2], hi[2];
    float nearest; /* no sample of it is nearer */
    uint32_t facet;
} facet_place;

/* False without memory; freed by band_free. */
bool band_create(band *b, int width, int height);
void band_free(band *b);
void band_clear(band *b, int first_row);

/* Places of all pieces, the nearest ones first; NULL without memory.  To be freed. */
facet_place *raster_places(const camera *c, const facets *f);
/* Draws all pieces that lie in the band. */
void raster_draw(const camera *c, const facets *f, const facet_place *places, band *b);

/* Unit normal, towards the viewer for two-sided pieces, in view coordinates at a point of the piece. */
void raster_normal(const camera *c, const facet *f, const double view[3], double normal[3]);

#endif
