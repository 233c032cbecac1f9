/*
 * The motion that most bodies have in common: grains that fall side by side stay neighbours although all of
 * them move.
 */
#ifndef COLLIDE_DRIFT_H
#define COLLIDE_DRIFT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct detect_view;

/* Three bodies that move as most do: the middle one of their ways is the common way, whatever one of them
 * meets. */
typedef struct drift_guides {
    bool some;         /* false: few bodies, or most hardly move */
    uint32_t guide[3]; /* slots */
    double u[3];       /* m/s; 0 without drift */
} drift_guides;

/* From the velocities of some of the bodies; `time`: that they are to be good for. */
drift_guides drift_find(const struct detect_view *v, double time);
/* The common way since positions were q0, of which each body has `stride` numbers: out[3], m. */
void drift_way(const drift_guides *d, const struct detect_view *v, const double *q0, size_t stride,
               double out[3]);

#endif
