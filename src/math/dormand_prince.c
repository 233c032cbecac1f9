/* The numbers of the pair of Dormand and Prince. */
#include "math/dormand_prince.h"

const double dp_time[DP_STAGES] = {0, 1. / 5, 3. / 10, 4. / 5, 8. / 9, 1, 1};

const double dp_stage[DP_STAGES][DP_STAGES - 1] = {
    {0},
    {1. / 5},
    {3. / 40, 9. / 40},
    {44. / 45, -56. / 15, 32. / 9},
    {19372. / 6561, -25360. / 2187, 64448. / 6561, -212. / 729},
    {9017. / 3168, -355. / 33, 46732. / 5247, 49. / 176, -5103. / 18656},
    {35. / 384, 0, 500. / 1113, 125. / 192, -2187. / 6784, 11. / 84},
};

const double dp_error[DP_STAGES] = {71. / 57600,      0,         -71. / 16695, 71. / 1920,
                                    -17253. / 339200, 22. / 525, -1. / 40};

/* what makes x(theta) of order 4 inside: the factor of theta^2 (1 - theta)^2 */
static const double INSIDE[DP_STAGES] = {-12715105075. / 11282082432.,  0,
                                         87487479700. / 32700410799.,   -10690763975. / 1880347072.,
                                         701980252875. / 199316789632., -1453857185. / 822651844.,
                                         69997945. / 29380423.};

void dp_combine(size_t n, const double *x, double delta, size_t count, const double *weight, double *const *k,
                double *y)
{
    for (size_t i = 0; i < n; i++)
        y[i] = 0;
    for (size_t j = 0; j < count; j++)
        for (size_t i = 0; weight[j] != 0 && i < n; i++)
            y[i] += weight[j] * k[j][i];
    // the increment first: it is small against x
    for (size_t i = 0; i < n; i++)
        y[i] = (x != NULL ? x[i] : 0) + delta * y[i];
}

// b: weights of the end; Hermite's cubic through values and slopes at both ends, and the part inside
void dp_dense(double theta, double w[DP_STAGES])
{
    double rest = 1 - theta;
    for (size_t j = 0; j < DP_STAGES; j++) {
        double b = j < DP_STAGES - 1 ? dp_stage[DP_STAGES - 1][j] : 0;
        double first = j == 0, last = j == DP_STAGES - 1;
        w[j] = theta * (b + rest * (first - b + theta * (2 * b - first - last + rest * INSIDE[j])));
    }
}

void dp_dense_slope(double theta, double w[DP_STAGES])
{
    for (size_t j = 0; j < DP_STAGES; j++) {
        double b = j < DP_STAGES - 1 ? dp_stage[DP_STAGES - 1][j] : 0;
        double first = j == 0, last = j == DP_STAGES - 1;
        w[j] = b + (1 - 2 * theta) * (first - b) + theta * (2 - 3 * theta) * (2 * b - first - last) +
               2 * theta * (1 - theta) * (1 - 2 * theta) * INSIDE[j];
    }
}
