/* A picture of a world in space: planned first, then painted: the rendered bodies, then labels as lines and
   text. */
#ifndef DRAW_SOLID_PICTURE_H
#define DRAW_SOLID_PICTURE_H

#include "draw/labels.h"
#include "draw/solid_shade.h"

typedef struct solid_picture {
    const scene3d *scene;
    draw_options options;
    double width, height;                      /* pixels */
    double unit, font;                         /* pixels: a fine line's width, text size */
    double left, top, view_width, view_height; /* pixels, where the view lies */
    double footer;                             /* pixels, where the strip below it begins */
    tint tint;
    double radius;           /* m, median of the dynamic bodies' radii */
    double impulse;          /* N s, mean of the positive normal ones; 0 when there are none */
    size_t dynamic;          /* bodies that move and can be drawn */
    size_t unsound, outside; /* bodies without finite position; dynamic ones out of the view */
    rgb *color;              /* [body_count] */
    float *ink;              /* [body_count] */
    stage stage;
} solid_picture;

/* The picture borrows the scene.  Freed by solid_picture_free, also after a failure. */
mo_status solid_picture_plan(solid_picture *p, const scene3d *scene, const draw_options *options,
                             mo_error *err);
void solid_picture_free(solid_picture *p);
/* Paints on a surface of the planned size, on white; false without memory.  `data` is a const solid_picture.
 */
bool solid_picture_paint(cairo_t *cr, const void *data);

#endif
