/* The pair of Dormand and Prince: order conditions of its numbers, orders of its end, error and dense output.
 */
// clang-format off
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <math.h>

#include "math/dormand_prince.h"
#include "support/close.h"

// quadrature: sum of w_j c_j^p = theta^(p + 1) / (p + 1), for p < 4 inside and p < 5 at the end
static void weights_integrate_powers(void **state)
{
    (void)state;
    double w[DP_STAGES], slope[DP_STAGES];
    for (int i = 0; i <= 10; i++) {
        double theta = i / 10.0;
        dp_dense(theta, w);
        dp_dense_slope(theta, slope);
        for (int p = 0; p < 4; p++) {
            double sum = 0, rate = 0;
            for (int j = 0; j < DP_STAGES; j++) {
                sum += w[j] * pow(dp_time[j], p);
                rate += slope[j] * pow(dp_time[j], p);
            }
            assert_close(sum, pow(theta, p + 1) / (p + 1), 1e-14);
            assert_close(rate, pow(theta, p), 1e-13);
        }
    }
    dp_dense(1, w);
    for (int j = 0; j < DP_STAGES; j++)
        assert_close(w[j], j < DP_STAGES - 1 ? dp_stage[DP_STAGES - 1][j] : 0, 1e-15);
    for (int p = 0; p < 5; p++) {
        double sum = 0;
        for (int j = 0; j < DP_STAGES; j++)
            sum += w[j] * pow(dp_time[j], p);
        assert_close(sum, 1.0 / (p + 1), 1e-14);
    }
}

static void stages_lie_at_their_times(void **state)
{
    (void)state;
    double total = 0;
    for (int s = 0; s < DP_STAGES; s++) {
        double sum = 0;
        for (int j = 0; j < s; j++)
            sum += dp_stage[s][j];
        assert_close(sum, dp_time[s], 1e-14);
        total += dp_error[s];
    }
    assert_close(total, 0, 1e-15);
}

/* u' = v, v' = -sin u */
static void slope_of(const double *x, double *k)
{
    k[0] = x[1];
    k[1] = -sin(x[0]);
}

// one step of length delta; what is asked for at theta, and the error estimate
static void step(double delta, double theta, const double *x, double *at, double *error)
{
    double memory[DP_STAGES][2], point[2], w[DP_STAGES], e[2], *k[DP_STAGES];
    for (int s = 0; s < DP_STAGES; s++) {
        k[s] = memory[s];
        dp_combine(2, x, delta, (size_t)s, dp_stage[s], k, point);
        slope_of(point, k[s]);
    }
    dp_dense(theta, w);
    dp_combine(2, x, delta, DP_STAGES, w, k, at);
    dp_combine(2, NULL, delta, DP_STAGES, dp_error, k, e);
    *error = hypot(e[0], e[1]);
}

// error at theta of a step of length delta, against the same way in many small steps
static double error_at(double delta, double theta, double *estimate)
{
    const double start[2] = {1, 0.4};
    double x[2] = {start[0], start[1]}, at[2], ignored;
    for (int n = 0; n < 200; n++) {
        double next[2];
        step(theta * delta / 200, 1, x, next, &ignored);
        x[0] = next[0], x[1] = next[1];
    }
    step(delta, theta, start, at, estimate);
    return hypot(at[0] - x[0], at[1] - x[1]);
}

// local errors fall like delta^6 at the end, delta^5 inside (the largest), and so does the estimate
static void local_orders(void **state)
{
    (void)state;
    double inside[2] = {0, 0}, end[2], estimate[2];
    for (int k = 0; k < 2; k++) {
        double delta = k == 0 ? 0.2 : 0.1;
        for (int i = 1; i < 10; i++)
            inside[k] = fmax(inside[k], error_at(delta, i / 10.0, &estimate[k]));
        end[k] = error_at(delta, 1, &estimate[k]);
    }
    assert_close(log2(inside[0] / inside[1]), 5, 0.3);
    assert_close(log2(end[0] / end[1]), 6, 0.3);
    assert_close(log2(estimate[0] / estimate[1]), 5, 0.3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(weights_integrate_powers),
        cmocka_unit_test(stages_lie_at_their_times),
        cmocka_unit_test(local_orders),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
