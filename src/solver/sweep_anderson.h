/*
 * Extrapolation of sweeps r := T(r) in the metric of their contacts: Anderson, J. ACM 12 (1965) 547-560.
 *
 * With f = T(r) - r, the next point is the combination of the last images whose combination of the f is
 * least. The products of the differences of f are kept (one new row a step) instead of the orthogonal basis
 * of convex/anderson.h: a step then costs no more than a sweep.  What is lost is half of the digits, of which
 * sweeps have no need.
 */
#ifndef SOLVER_SWEEP_ANDERSON_H
#define SOLVER_SWEEP_ANDERSON_H

#include <stdbool.h>
#include <stddef.h>

#include "core/parallel.h"

/* Differences kept at most.  A step reads two vectors for each: where no cache holds them sweep_momentum.h is
   cheaper. */
enum { SWEEP_ANDERSON_DEPTH = 10 };

typedef struct sweep_anderson {
    size_t length;
    const double *weight; /* [length] of the metric, > 0 */
    int count, newest;    /* differences kept; the last one's place */
    bool begun;
    double least;          /* change of a sweep since it began */
    double *from;          /* [length] where the next image comes from */
    double *image, *f;     /* [length] of the last step */
    double *d_image, *d_f; /* [SWEEP_ANDERSON_DEPTH length] differences of successive ones, by blocks */
    double gram[SWEEP_ANDERSON_DEPTH][SWEEP_ANDERSON_DEPTH]; /* d_f . d_f, by places */
    double *products;                                        /* of differences, chunk after chunk */
    pool *threads;
    double along[SWEEP_ANDERSON_DEPTH]; /* d_f . f */
} sweep_anderson;

/* How many doubles sweep_anderson_place takes. */
size_t sweep_anderson_room(size_t length);
/* threads: may be NULL; the bits do not depend on them. */
void sweep_anderson_place(sweep_anderson *a, size_t length, const double *weight, double *room,
                          pool *threads);

/* The sweeps begin at r, nothing is known of them. */
void sweep_anderson_start(sweep_anderson *a, const double *r);

/*
 * Whether what a sweep of that change left, r, is worth an extrapolation.  When changes have grown to three
 * times the least one it is not: all is forgotten, and the sweeps go on from r.
 */
bool sweep_anderson_trusts(sweep_anderson *a, double change, const double *r);

/* Takes r = T(the last point); |f|² in the metric. */
double sweep_anderson_take(sweep_anderson *a, const double *r);
/* Makes r, which was taken, the next point. */
void sweep_anderson_next(sweep_anderson *a, double *r);

#endif
