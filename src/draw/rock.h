/*
 * The cavity {(t, x) : x in C(t)} of a process on the line, known by lines of its border: which side of them
 * is inside.  Drawn as the rock around it.
 */
#ifndef DRAW_ROCK_H
#define DRAW_ROCK_H

#include "draw/axis.h"

#include <moreau/record.h>

/* Levels of time, each with the places where the border crosses it; C(t) and its complement alternate. */
typedef struct rock {
    size_t levels;
    range time;    /* level r is at lo + (r + 1/2) (hi - lo) / levels */
    size_t *first; /* [levels + 1] */
    double *x;     /* [first[levels]] crossings, rising within a level */
    bool *open;    /* [levels] whether C(t) reaches to the left end */
} rock;

/* Points (t, u) of a path in C(t), for what is inside.  Freed by rock_free, also after a failure. */
mo_status rock_make(rock *out, size_t levels, range time, range x, const mo_run_outlines *border,
                    size_t points, const double *t, const double *u, mo_error *err);
void rock_free(rock *r);

double rock_time(const rock *r, size_t level);
/* Whether the j-th of the intervals between crossings, from 0 on the left, lies outside C(t). */
bool rock_solid(const rock *r, size_t level, size_t j);

#endif
