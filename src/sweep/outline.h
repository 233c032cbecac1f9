/*
 * Borders of moving sets as lines, for pictures.
 */
#ifndef SWEEP_OUTLINE_H
#define SWEEP_OUTLINE_H

#include <moreau/sweep.h>

/* Receives one line of the border: points [2 count], count >= 2; closed when the last point is the first. */
typedef mo_status (*outline_emit)(void *data, const double *points, size_t count, mo_error *err);

/*
 * n = 1: border of {(t, x) : x in C(t)} within [t0, t1] x [x_lo, x_hi], points (t, x).  Where the set leaps
 * the border goes along x.
 */
mo_status cavity_outline(const mo_moving_set *set, double t0, double t1, double x_lo, double x_hi,
                         outline_emit emit, void *data, mo_error *err);

/* n = 2: border of C(t) within [lo, hi], points (x1, x2). */
mo_status set_outline(const mo_moving_set *set, double t, const double lo[2], const double hi[2],
                      outline_emit emit, void *data, mo_error *err);

#endif
