/* Labels around a view of bodies: time and remarks above; length scale, force scale, and colour bar or legend
   below. */
#ifndef DRAW_LABELS_H
#define DRAW_LABELS_H

#include "draw/scene2d.h"
#include "draw/tint.h"

typedef struct labels {
    double width, left, footer; /* pixels: of the picture, where the view and the strip below it begin */
    double unit, font;          /* pixels: a fine line's width, text size */
    double time;                /* s */
    size_t body_count, dynamic; /* bodies of all, and those that move and can be drawn */
    size_t unsound, outside;    /* bodies without finite position; dynamic ones out of the view */
    double scale, shown;        /* pixels per metre; m across the view */
    double force, force_line;   /* N, mean contact force; pixels, width of its line, 0 for none */
    const tint *tint;
    const char *stress_unit;
    const char *const *groups;  /* [tint.group_count] */
    const scene2d_words *words; /* NULL for a world */
} labels;

void labels_paint(cairo_t *cr, const labels *l);

#endif
