/* Means of a chaotic motion: of one quantity, its square, its histogram, and of how often something is true.
 */
#ifndef APP_BENCH_STATISTICS_H
#define APP_BENCH_STATISTICS_H

#include "situations.h"

enum { STATISTICS_BINS = 32 };

typedef struct statistics {
    double low, high;   /* of the histogram */
    double begin;       /* s, before which nothing counts */
    size_t every, step; /* samples are taken every so many steps */
    double count, sum, squares, bins[STATISTICS_BINS];
    double events; /* impulse, or impacts, after the beginning */
    double near;   /* samples where it is true */
} statistics;

void statistics_add(statistics *s, double x, bool near);
/* mean, root of the mean square, share of `near`, events by time, then the histogram: numbers of a reference
 */
enum { STATISTICS_MEAN, STATISTICS_RMS, STATISTICS_NEAR, STATISTICS_EVENTS, STATISTICS_HISTOGRAM };
void statistics_numbers(const statistics *s, double time, double *numbers);
/* Half the sum of the differences of two histograms: 0 for the same, 1 for disjoint ones. */
double statistics_distance(const double *numbers1, const double *numbers2);

#endif
