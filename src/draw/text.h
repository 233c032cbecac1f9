/*
 * Text and numbers in pictures.  A text may hold raised parts between TEXT_RAISE and TEXT_LOWER; names that
 * come from users pass through text_clean, which takes such bytes out.
 */
#ifndef DRAW_TEXT_H
#define DRAW_TEXT_H

#include <cairo.h>
#include <stdbool.h>
#include <stddef.h>

#define TEXT_RAISE "\001"
#define TEXT_LOWER "\002"
#define TEXT_MINUS "\xe2\x88\x92"
#define TEXT_TIMES "\xc3\x97"
#define TEXT_DOT "\xc2\xb7"

enum { TEXT_SIZE = 128 }; /* bytes of every text buffer below */

/* Sans of a size in pixels. */
void text_font(cairo_t *cr, double size);
double text_width(cairo_t *cr, const char *text);
/* Draws with the current font and source; anchor 0: x is the left end, 0.5: the middle, 1: the right end. */
void text_draw(cairo_t *cr, double x, double y, double anchor, const char *text);
/* Copy of a user's text that is valid UTF-8 without control characters, cut with an ellipsis after `most`
 * characters. */
void text_clean(char out[TEXT_SIZE], const char *text, size_t most);

/* A number by itself: 6 significant digits at most, powers of ten where it is very large or small. */
void text_number(char out[TEXT_SIZE], double value, int digits);
/* A round length with a unit from nm to km. */
void text_length(char out[TEXT_SIZE], double metres);

/* Round ticks of an axis.  A tick k is at first + k step and is written as (tick - offset) / 10^exponent. */
typedef struct axis {
    double lo, hi;
    double first, step, offset;
    int count, exponent, decimals;
} axis;

/* Largest of 1, 2, 5 times a power of ten that is <= x, for x > 0. */
double round_below(double x);
/* Ticks inside [lo, hi], at most about `most`; the range is widened when it is empty, and to whole steps on
 * request. */
axis axis_make(double lo, double hi, int most, bool whole);
double axis_tick(const axis *a, int k);
void axis_text(char out[TEXT_SIZE], const axis *a, int k);
/* The power of ten and offset to write beside the axis, "" when there is none. */
void axis_note(char out[TEXT_SIZE], const axis *a);
/* "name (unit)" with the axis's power of ten before the unit. */
void axis_title(char out[TEXT_SIZE], const axis *a, const char *name, const char *unit);

#endif
