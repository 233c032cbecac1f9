/* Keys below pictures: a bar of colours with its scale, and samples of lines and areas with their names. */
#ifndef DRAW_KEY_H
#define DRAW_KEY_H

#include "draw/chart.h"

/* The sequential colours from s = from to 1 over a scale. */
typedef struct key_bar {
    double left, top, width, unit, font; /* pixels; the title stands below the top, then the bar, 3.4 fonts */
    const axis *scale;
    const char *title; /* may have raised parts */
    palette_map map;
    double from, lightening; /* [0, 1]; towards white */
    bool over;               /* a pointed end: values lie above the scale */
} key_bar;

void key_bar_paint(cairo_t *cr, const key_bar *bar);
/* Colour of a value. */
rgb key_bar_color(const key_bar *bar, double value);

typedef enum key_kind { KEY_LINE, KEY_DASHES, KEY_AREA, KEY_DISC, KEY_RING } key_kind;

typedef struct key_item {
    key_kind kind;
    rgb color;
    double width; /* pixels: of lines, radius of discs and rings */
    const char *text;
} key_item;

/* Samples beside each other about the middle x, in rows from y on (pixels) as wide as `room`. */
void key_items_paint(cairo_t *cr, const key_item *items, size_t count, double x, double y, double room,
                     double font);
/* How many rows that takes. */
size_t key_items_rows(cairo_t *cr, const key_item *items, size_t count, double room, double font);

#endif
