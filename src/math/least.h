/*
 * The least of many numbers, taken in eight chains side by side, since each comparison has to wait for the
 * last one.  NaN is passed over.
 */
#ifndef MATH_LEAST_H
#define MATH_LEAST_H

#include <math.h>
#include <stddef.h>

static inline double least_of(const double *x, size_t count)
{
    enum { CHAINS = 8 };
    double least[CHAINS], all = HUGE_VAL;
    for (size_t j = 0; j < CHAINS; j++)
        least[j] = HUGE_VAL;
    size_t i = 0;
    for (; i + CHAINS <= count; i += CHAINS)
        for (size_t j = 0; j < CHAINS; j++)
            least[j] = x[i + j] < least[j] ? x[i + j] : least[j];
    for (; i < count; i++)
        least[0] = x[i] < least[0] ? x[i] : least[0];
    for (size_t j = 0; j < CHAINS; j++)
        all = least[j] < all ? least[j] : all;
    return all;
}

#endif
