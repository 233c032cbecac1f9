/*
 * Where functions of time leap.  A set that is moved with jumps says so nowhere: its gaps at a fixed point
 * change by more than their rates at the ends of an interval explain, however short the interval is.
 */
#ifndef SWEEP_LEAP_H
#define SWEEP_LEAP_H

#include <moreau/base.h>

/* Functions of time, such as gaps at a fixed point divided by the lengths of their gradients. */
typedef struct leap_probe {
    size_t count;
    /* value [count] and derivative [count] at t */
    mo_status (*read)(void *data, double t, double *value, double *rate, mo_error *err);
    void *data;
    double least; /* changes up to this are no leaps */
    bool below;   /* only leaps to a value below -least count */
} leap_probe;

/* The leap lies in (before, after], which are adjacent numbers or within 1e-12 of the interval searched. */
typedef struct leap {
    bool found;
    double before, after;
    size_t which; /* of the functions */
} leap;

/* Doubles of scratch that leap_find needs. */
size_t leap_scratch(size_t count);

/* First leap of any of the functions in (t0, t1].  Two leaps back and forth within a quarter of the interval
   may hide each other; a leap that is small beside what the rates change can hide as well. */
mo_status leap_find(const leap_probe *probe, double t0, double t1, double *scratch, leap *out, mo_error *err);

#endif
