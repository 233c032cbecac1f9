/*
 * The largest eigenvalue of a block: matrices made from their eigenvalues, also with the two largest or all
 * of them as good as equal, in sizes at which squares overflow and vanish.
 */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/rng.h"
#include "problem/block.h"
#include "support/close.h"

static double either_way(rng *random)
{
    return 2 * rng_uniform(random) - 1;
}

// B = V diag(e) V' + skew, V: a rotation given by a random quaternion; in long double, rounded once
static void make(rng *random, const double e[3], double skew, double size, double B[9])
{
    long double q[4], n = 0, V[3][3];
    for (int i = 0; i < 4; i++) {
        q[i] = (long double)either_way(random);
        n += q[i] * q[i];
    }
    for (int i = 0; i < 4; i++)
        q[i] /= sqrtl(n);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            int k = 3 - i - j;
            long double turn = (j - i + 3) % 3 == 1 ? -1 : 1;
            V[i][j] = i == j ? 2 * (q[0] * q[0] + q[i + 1] * q[i + 1]) - 1
                             : 2 * (q[i + 1] * q[j + 1] + turn * q[0] * q[k + 1]);
        }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            long double sum = i == j ? 0 : (long double)(i < j ? skew : -skew);
            for (int k = 0; k < 3; k++)
                sum += (long double)e[k] * V[i][k] * V[j][k];
            B[3 * i + j] = (double)(sum * (long double)size);
        }
}

// entries are rounded by 2^-53 of the largest eigenvalue's size at most, which moves eigenvalues by at most
// sqrt 9 times that; the formula adds a few roundings
static void chosen_eigenvalues(void **state)
{
    (void)state;
    static const double sizes[] = {1, 1e-3, 1e6, 1e-200, 1e200, 1e-305, 1e307};
    rng random = rng_seed(2, 9);
    double worst = 0;
    for (int i = 0; i < 200000; i++) {
        double near = pow(10, -17 * rng_uniform(&random)), B[9], size = sizes[i % 7];
        const double kinds[5][3] = {{1, rng_uniform(&random), rng_uniform(&random)},
                                    {1, 1 - near, rng_uniform(&random)},
                                    {1, 1 - near, 1 - near * rng_uniform(&random)},
                                    {1, near, near * rng_uniform(&random)},
                                    {1, -1, either_way(&random)}};
        make(&random, kinds[i % 5], i % 3 == 0 ? 0.3 : 0, size, B);
        worst = fmax(worst, fabs(block3_lambda_max(B) / size - 1));
    }
    assert_true(worst < 16 * DBL_EPSILON);
}

static void simple_blocks(void **state)
{
    (void)state;
    const double none[9] = {0}, same[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2},
                 diagonal[9] = {1, 0, 0, 0, 5, 0, 0, 0, -7}, skew[9] = {1, 4, -2, -4, 1, 3, 2, -3, 3},
                 ones[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1}, negative[9] = {-3, 0, 0, 0, -2, 0, 0, 0, -4},
                 least[9] = {0, 5e-324, 0, 5e-324, 0, 0, 0, 0, 0};
    assert_close(block3_lambda_max(none), 0, 0);
    assert_close(block3_lambda_max(same), 2, 0);
    assert_close(block3_lambda_max(diagonal), 5, 0);
    assert_close(block3_lambda_max(skew), 3, 0);
    assert_close(block3_lambda_max(ones), 3, 1e-15);
    assert_close(block3_lambda_max(negative), -2, 0);
    assert_true(block3_lambda_max(least) >= 0 && block3_lambda_max(least) < 1e-300);
    assert_close(block_rho(3, negative), 1, 0);
    assert_close(block_rho(3, none), 1, 0);
    assert_close(block_rho(3, diagonal), 0.2, 0);
    // [1 2; 2 4]: 0 and 5; sizes whose squares overflow
    const double two[4] = {1, 3, 1, 4}, large[4] = {1e200, 3e200, 1e200, 4e200};
    assert_close(block2_lambda_max(two), 5, 1e-15);
    assert_close(block2_lambda_max(large) / 1e200, 5, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chosen_eigenvalues),
        cmocka_unit_test(simple_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
