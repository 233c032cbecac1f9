/* Colours of pictures: sequential maps for speed and stress, qualitative palettes for groups and lines. */
#ifndef DRAW_PALETTE_H
#define DRAW_PALETTE_H

#include <stddef.h>

typedef struct rgb {
    double r, g, b; /* sRGB, 0 to 1 */
} rgb;

typedef enum palette_map { PALETTE_SPEED, PALETTE_STRESS } palette_map;

/* Colour at s in [0, 1] (clamped); a neutral grey for NaN. */
rgb palette_sequential(palette_map map, double s);
/* Colour of the k-th category. */
rgb palette_category(size_t k);
/* Colour of the k-th line on white; PALETTE_LINES differ. */
enum { PALETTE_LINES = 8 };
rgb palette_line(size_t k);
/* (1 - s) a + s b. */
rgb rgb_mix(rgb a, rgb b, double s);

static const rgb rgb_white = {1.0, 1.0, 1.0};
static const rgb rgb_ink = {0.13, 0.14, 0.17};

#endif
