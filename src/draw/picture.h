/*
 * A picture of a scene: planned first (what is shown, where, in which colours), then painted in layers:
 * ground, walls, bodies, joints, force chains, labels.
 */
#ifndef DRAW_PICTURE_H
#define DRAW_PICTURE_H

#include "draw/key.h"
#include "draw/labels.h"
#include "draw/outline.h"

typedef struct picture {
    const scene2d *scene;
    draw_options options;
    double width, height; /* pixels */
    double unit, font;    /* pixels: a fine line's width, text size */
    double footer;        /* pixels, where the strip below the view begins */
    view2d view;
    tint tint;
    double radius;           /* m, median of the dynamic bodies' equivalent radii */
    double impulse;          /* N s, mean of the positive normal ones; 0 when there are none */
    size_t dynamic;          /* bodies that move and can be drawn */
    size_t unsound, outside; /* bodies without finite position; dynamic ones out of the view */
} picture;

/* The picture borrows the scene.  Freed by picture_free, also after a failure. */
mo_status picture_plan(picture *p, const scene2d *scene, const draw_options *options, mo_error *err);
void picture_free(picture *p);
/* Paints on a surface of the planned size, on white; false without memory.  `data` is a const picture. */
bool picture_paint(cairo_t *cr, const void *data);

/* Equivalent radius: of the disc with the same area, half the larger extent for thin bodies; 0 when it has
 * none. */
double body2d_radius(const body2d *body);
/* Fill colour of a body as painted (lightened under force chains). */
rgb picture_color(const picture *p, size_t body);
/* Whether the line of a contact ends at the contact instead of the body's centre: walls and very large
 * bodies. */
bool picture_is_wall(const picture *p, size_t body);

/* layers */
void paint_walls(cairo_t *cr, const picture *p, outline_space *space);
void paint_bodies(cairo_t *cr, const picture *p, outline_space *space);
void paint_cell(cairo_t *cr, const picture *p);
void paint_chains(cairo_t *cr, const picture *p);

/* Width on paper of the line of a contact with a normal impulse (N s). */
double chain_width(const picture *p, double impulse);

#endif
