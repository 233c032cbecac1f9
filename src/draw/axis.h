/* Scales with round ticks, linear or by powers of ten, and the texts that go with them. */
#ifndef DRAW_AXIS_H
#define DRAW_AXIS_H

#include "draw/text.h"

typedef enum axis_kind {
    AXIS_LINEAR,
    AXIS_DECADES, /* logarithmic, ticks at powers of ten */
    AXIS_FINE,    /* logarithmic over less than two decades, ticks at 1, 2, 5 times powers of ten */
} axis_kind;

/* Linear: tick k is at first + k step and is written as (tick - offset) / 10^exponent.  Logarithmic: lo, hi,
   first and step are powers of ten, first and step of fine ones count 1, 2, 5, 10, ... */
typedef struct axis {
    double lo, hi;
    double first, step, offset;
    int count, exponent, decimals;
    axis_kind kind;
    bool down; /* runs downward, or to the left */
} axis;

/* Largest of 1, 2, 5 times a power of ten that is <= x, for x > 0. */
double round_below(double x);
/* Ticks inside [lo, hi], at most about `most`; the range is widened when it is empty, and to whole steps on
 * request. */
axis axis_make(double lo, double hi, int most, bool whole);
/* The same for the logarithmic scale of [lo, hi], 0 < lo <= hi; at least 0.7 decades. */
axis axis_make_log(double lo, double hi, int most);
double axis_tick(const axis *a, int k);
/* Values between the ticks for short strokes, some outside the range. */
int axis_minor_count(const axis *a);
double axis_minor(const axis *a, int k);
/* Where a value lies on the paper, 0 to 1 along the axis as drawn; NaN when it has no place: not finite, too
   large, or not positive on a logarithmic scale. */
double axis_at(const axis *a, double value);
void axis_text(char out[TEXT_SIZE], const axis *a, int k);
/* The power of ten and offset to write beside the axis, "" when there is none. */
void axis_note(char out[TEXT_SIZE], const axis *a);
/* "name (unit)" with the axis's power of ten before the unit. */
void axis_title(char out[TEXT_SIZE], const axis *a, const char *name, const char *unit);

/* Smallest and largest of some values. */
typedef struct range {
    double lo, hi; /* lo > hi: none yet */
} range;

static const range range_none = {1e300, -1e300};
/* Widens a range by a value that an axis of the kind can show; others are left out. */
void range_add(range *r, double value, bool log);
/* Widens it by a share of its length on each side; not when it is none or a single value. */
void range_pad(range *r, double share, bool log);

/* Into rising order. */
void sort_doubles(double *values, size_t count);

#endif
