/* Vectors of any length: the order of sums, lengths whose squares leave the range, what is finite. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/vec.h"

// (big + 1) - big is 0 in that order, and 1 where the ones are summed by themselves
static void test_order_of_sums(void **state)
{
    (void)state;
    const double big = 0x1p60, x[4] = {big, 1, -big, 0}, ones[4] = {1, 1, 1, 1};
    assert_true(vec_dot_in_order(4, x, ones) == 0);
    const double rows[8] = {big, 1, 0, 0, -big, 0, 0, 0}, eight[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    // four sums: the first is big - big, the second 1
    assert_true(vec_dot(8, rows, eight) == 1);
    assert_true(vec_dot_in_order(8, rows, eight) == 0);
    assert_true(vec_dot_in_order(0, NULL, NULL) == 0);
}

// 3, 4, 12 and multiples by powers of two: roots without rounding
static void test_lengths(void **state)
{
    (void)state;
    const double x[3] = {3, -4, 12}, far[3] = {0x3p600, -0x4p600, 0xcp600}, small[2] = {0x3p-600, 0x4p-600};
    assert_true(vec_norm_in_order(3, x) == 13);
    assert_true(vec_norm(3, x) == 13);
    assert_true(fabs(vec_norm(3, far) - 0xdp600) <= 0x1p-50 * 0xdp600);
    assert_true(fabs(vec_norm(2, small) - 0x5p-600) <= 0x1p-50 * 0x5p-600);
    assert_true(vec_max_abs(3, x) == 12);
}

static void test_finite(void **state)
{
    (void)state;
    const double bad[3] = {NAN, HUGE_VAL, -HUGE_VAL};
    for (size_t n = 0; n < 10; n++) {
        double x[10] = {1, -2, 1e308, 1e308, 1e308, 0, -0.0, 1e-320, 7, -1e308};
        assert_true(vec_finite(n, x));
        for (size_t i = 0; i < n; i++)
            for (size_t k = 0; k < 3; k++) {
                const double kept = x[i];
                x[i] = bad[k];
                assert_false(vec_finite(n, x));
                x[i] = kept;
            }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order_of_sums),
        cmocka_unit_test(test_lengths),
        cmocka_unit_test(test_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
