/* Vectors of any length.  Sums are taken in a fixed order, so that results have the same bits everywhere. */
#ifndef MATH_VEC_H
#define MATH_VEC_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

static inline double vec_dot(size_t n, const double *a, const double *b)
{
    double s0 = 0, s1 = 0, s2 = 0, s3 = 0;
    size_t i = 0;
    // four sums: additions need not wait for each other
    for (; i + 4 <= n; i += 4) {
        s0 += a[i] * b[i];
        s1 += a[i + 1] * b[i + 1];
        s2 += a[i + 2] * b[i + 2];
        s3 += a[i + 3] * b[i + 3];
    }
    for (; i < n; i++)
        s0 += a[i] * b[i];
    return (s0 + s1) + (s2 + s3);
}

/* The same, added term after term: other bits. */
static inline double vec_dot_in_order(size_t n, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

/* Euclidean length by vec_dot_in_order; squares that leave the range of doubles are not looked after. */
static inline double vec_norm_in_order(size_t n, const double *x)
{
    return sqrt(vec_dot_in_order(n, x, x));
}

/* y += t x */
static inline void vec_add(size_t n, double t, const double *x, double *y)
{
    for (size_t i = 0; i < n; i++)
        y[i] += t * x[i];
}

static inline void vec_copy(size_t n, const double *x, double *y)
{
    for (size_t i = 0; i < n; i++)
        y[i] = x[i];
}

static inline void vec_zero(size_t n, double *x)
{
    for (size_t i = 0; i < n; i++)
        x[i] = 0;
}

static inline bool vec_all_zero(size_t n, const double *x)
{
    for (size_t i = 0; i < n; i++)
        if (x[i] != 0)
            return false;
    return true;
}

static inline double vec_max_abs(size_t n, const double *x)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(x[i]));
    return largest;
}

/* Euclidean length, also where squares would overflow or vanish. */
static inline double vec_norm(size_t n, const double *x)
{
    double square = vec_dot(n, x, x);
    if (square > 1e-280 && square < 1e280)
        return sqrt(square);
    double largest = vec_max_abs(n, x), sum = 0;
    if (!(largest > 0) || isinf(largest))
        return largest;
    for (size_t i = 0; i < n; i++)
        sum += (x[i] / largest) * (x[i] / largest);
    return largest * sqrt(sum);
}

static inline double vec_distance(size_t n, const double *x, const double *y)
{
    double largest = 0, sum = 0;
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(x[i] - y[i]));
    if (!(largest > 0) || isinf(largest))
        return largest;
    for (size_t i = 0; i < n; i++)
        sum += ((x[i] - y[i]) / largest) * ((x[i] - y[i]) / largest);
    return largest * sqrt(sum);
}

static inline bool vec_finite(size_t n, const double *x)
{
    double zero[4] = {0};
    size_t i = 0;
    // 0 * x is NaN for what is not finite
    for (; i + 4 <= n; i += 4)
        for (size_t k = 0; k < 4; k++)
            zero[k] += 0 * x[i + k];
    for (; i < n; i++)
        zero[0] += 0 * x[i];
    return zero[0] + zero[1] + zero[2] + zero[3] == 0;
}

#endif
