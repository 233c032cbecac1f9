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

enum { TEXT_SIZE = 128 }; /* bytes of every text buffer below */

/* Size of text, pixels, in a picture so wide: 1/64 of it, but legible in small ones. */
double text_size(double width);
/* Sans of a size in pixels. */
void text_font(cairo_t *cr, double size);
double text_width(cairo_t *cr, const char *text);
/* Draws with the current font and source; anchor 0: x is the left end, 0.5: the middle, 1: the right end. */
void text_draw(cairo_t *cr, double x, double y, double anchor, const char *text);
/* Copy of a user's text that is valid UTF-8 without control characters, cut with an ellipsis after `most`
 * characters. */
void text_clean(char out[TEXT_SIZE], const char *text, size_t most);

/* As text_clean, cut so that it is at most so wide in the current font. */
void text_fit(cairo_t *cr, char out[TEXT_SIZE], const char *text, double width);

/* A printed number with a true minus sign. */
void text_minus(char out[TEXT_SIZE], const char *number);
/* 10 with a raised exponent. */
void text_power(char out[TEXT_SIZE], int exponent);
/* A number by itself: 6 significant digits at most, powers of ten where it is very large or small. */
void text_number(char out[TEXT_SIZE], double value, int digits);
/* A round length with a unit from nm to km. */
void text_length(char out[TEXT_SIZE], double metres);

#endif
