/*
 * Distance of completed graphs of functions of time given at samples.  A sample with an entry that is not a
 * number is missing; no segment is drawn to it.
 */
#ifndef SWEEP_GRAPH_H
#define SWEEP_GRAPH_H

#include <stddef.h>

typedef struct graph_samples {
    size_t dim, count;
    const double *t; /* [count], never falling */
    const double *u; /* [count dim] */
} graph_samples;

/*
 * Hausdorff distance over the common time in the norm sqrt((rate dt)^2 + |du|^2): samples of one, and its
 * points at the ends of the common time, against the segments of the other, both ways.  0 where there is
 * nothing to compare.  A sample is compared with what lies no farther in time than in space: the cost is
 * nearly linear for graphs that are near each other, quadratic at worst (rate 0).
 */
double graph_distance(double rate, const graph_samples *a, const graph_samples *b);

#endif
