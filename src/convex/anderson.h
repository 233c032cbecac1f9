/*
 * Extrapolation of a fixed-point iteration p := T(p): Anderson, J. ACM 12 (1965) 547-560.
 *
 * With f = T(p) - p, the next point is the combination of the last images T(p) whose combination of the f is
 * least.  For linear T in N unknowns the answer comes after N steps.
 */
#ifndef CONVEX_ANDERSON_H
#define CONVEX_ANDERSON_H

#include "convex/set.h"

enum { ANDERSON_DEPTH = 10 };

typedef struct anderson {
    size_t length;
    int count, newest;     /* differences kept; the last one's place */
    bool begun;            /* image and f hold the last pair */
    double *from;          /* [length] where the next image comes from */
    double *image, *f;     /* [length] of the last step */
    double *d_image, *d_f; /* [ANDERSON_DEPTH length] differences of successive ones */
    double *Q;             /* [ANDERSON_DEPTH length] scratch */
} anderson;

mo_status anderson_create(set_context *c, size_t length, anderson *out);

/* The iteration begins at p, also anew. */
void anderson_start(anderson *a, const double *p);

/* Takes p = T(the last point given) and makes it the next point; false: that is p itself. */
bool anderson_next(anderson *a, double *p);

#endif
