/*
 * The pair of orders 5 and 4 of J. R. Dormand and P. J. Prince, J. Comp. Appl. Math. 6 (1980), 19-26, with
 * the continuous extension of order 4 of L. F. Shampine, Math. Comp. 46 (1986), 135-150, as weights: with the
 * slopes k_0, ..., k_6 of a step of length delta from x,
 *
 *     point of stage s = x + delta sum over j < s of stage[s][j] k_j        (that of stage 6 is the end),
 *     error            = delta sum of error[j] k_j                          (order 5 less order 4),
 *     x(theta)         = x + delta sum of w_j(theta) k_j,   0 <= theta <= 1.
 */
#ifndef MATH_DORMAND_PRINCE_H
#define MATH_DORMAND_PRINCE_H

#include <stddef.h>

enum { DP_STAGES = 7, DP_INNER = 4 /* stages strictly inside a step */ };

extern const double dp_time[DP_STAGES], dp_stage[DP_STAGES][DP_STAGES - 1], dp_error[DP_STAGES];

/* y := x + delta sum of weight_j k_j over j < count; x NULL: zero. */
void dp_combine(size_t n, const double *x, double delta, size_t count, const double *weight, double *const *k,
                double *y);
/* Weights of x(theta), and of its derivative by theta over delta: slope(theta) = sum of w_j k_j. */
void dp_dense(double theta, double w[DP_STAGES]);
void dp_dense_slope(double theta, double w[DP_STAGES]);

#endif
