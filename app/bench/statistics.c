#include "statistics.h"

#include <math.h>

void statistics_add(statistics *s, double x, bool near)
{
    const double place = floor((x - s->low) / (s->high - s->low) * STATISTICS_BINS);
    const double bin = fmin(fmax(place, 0), STATISTICS_BINS - 1);
    s->count++;
    s->sum += x;
    s->squares += x * x;
    s->near += near;
    if (isfinite(place))
        s->bins[(size_t)bin]++;
}

void statistics_numbers(const statistics *s, double time, double *numbers)
{
    numbers[STATISTICS_MEAN] = s->sum / s->count;
    numbers[STATISTICS_RMS] = sqrt(s->squares / s->count);
    numbers[STATISTICS_NEAR] = s->near / s->count;
    numbers[STATISTICS_EVENTS] = s->events / time;
    for (size_t k = 0; k < STATISTICS_BINS; k++)
        numbers[STATISTICS_HISTOGRAM + k] = s->bins[k] / s->count;
}

double statistics_distance(const double *numbers1, const double *numbers2)
{
    double sum = 0;
    for (size_t k = STATISTICS_HISTOGRAM; k < STATISTICS_HISTOGRAM + STATISTICS_BINS; k++)
        sum += fabs(numbers1[k] - numbers2[k]);
    return 0.5 * sum;
}
