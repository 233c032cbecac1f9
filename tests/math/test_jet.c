/*
 * Second derivatives by jets: every function against its closed form along a path with curvature of its own,
 * and kinks.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/jet.h"
#include "support/close.h"

/* along x(s) with x' = D, x'' = DD: (f(x))'' = f'' D^2 + f' DD */
#define D (-1.25)
#define DD 0.75

static void check_jet(jet r, double f, double f1, double f2)
{
    assert_close(r.v, f, 1e-15 * (1 + fabs(f)));
    assert_close(r.d, f1 * D, 4e-15 * (1 + fabs(f1)));
    assert_close(r.dd, f2 * D * D + f1 * DD, 2e-14 * (1 + fabs(f1) + fabs(f2)));
}

static void functions_have_their_second_derivatives(void **state)
{
    (void)state;
    for (double x = 0.125; x < 1; x += 0.125) {
        jet a = jet_make(x, D, DD);
        double w = 1 - x * x, root = sqrt(x);
        check_jet(jet_neg(a), -x, -1, 0);
        check_jet(jet_add(a, a), 2 * x, 2, 0);
        check_jet(jet_sub(jet_const(3), a), 3 - x, -1, 0);
        check_jet(jet_mul(a, jet_mul(a, a)), x * x * x, 3 * x * x, 6 * x);
        check_jet(jet_div(jet_const(1), a), 1 / x, -1 / (x * x), 2 / (x * x * x));
        check_jet(jet_div(a, jet_add(a, jet_const(1))), x / (1 + x), pow(1 + x, -2), -2 * pow(1 + x, -3));
        check_jet(jet_sin(a), sin(x), cos(x), -sin(x));
        check_jet(jet_cos(a), cos(x), -sin(x), -cos(x));
        check_jet(jet_tan(a), tan(x), 1 + tan(x) * tan(x), 2 * tan(x) * (1 + tan(x) * tan(x)));
        check_jet(jet_asin(a), asin(x), 1 / sqrt(w), x / (w * sqrt(w)));
        check_jet(jet_acos(a), acos(x), -1 / sqrt(w), -x / (w * sqrt(w)));
        check_jet(jet_atan2(a, jet_const(1)), atan(x), 1 / (1 + x * x), -2 * x / pow(1 + x * x, 2));
        check_jet(jet_atan2(jet_const(2), a), atan2(2, x), -2 / (4 + x * x), 4 * x / pow(4 + x * x, 2));
        check_jet(jet_exp(a), exp(x), exp(x), exp(x));
        check_jet(jet_log(a), log(x), 1 / x, -1 / (x * x));
        check_jet(jet_sqrt(a), root, 0.5 / root, -0.25 / (x * root));
        check_jet(jet_pow(a, jet_const(3)), x * x * x, 3 * x * x, 6 * x);
        check_jet(jet_pow(a, jet_const(-1)), 1 / x, -1 / (x * x), 2 / (x * x * x));
        check_jet(jet_pow(a, jet_const(1)), x, 1, 0);
        check_jet(jet_pow(a, jet_const(0)), 1, 0, 0);
        check_jet(jet_pow(jet_const(2), a), pow(2, x), log(2) * pow(2, x), log(2) * log(2) * pow(2, x));
        double y = pow(x, x), l = log(x) + 1;
        check_jet(jet_pow(a, a), y, y * l, y * (l * l + 1 / x));
        check_jet(jet_mod(a, jet_const(0.5)), fmod(x, 0.5), 1, 0);
        check_jet(jet_fmod(jet_neg(a), jet_const(0.5)), -fmod(x, 0.5), -1, 0);
        check_jet(jet_abs(jet_neg(a)), x, 1, 0);
    }
}

/* powers at zero, where the formula for other points has no value */
static void powers_at_zero(void **state)
{
    (void)state;
    jet zero = jet_make(0, D, DD);
    check_jet(jet_pow(zero, jet_const(1)), 0, 1, 0);
    check_jet(jet_pow(zero, jet_const(2)), 0, 0, 2);
    check_jet(jet_pow(zero, jet_const(3)), 0, 0, 0);
    /* along a path without slope only f' counts, and constants stay such where f' is infinite */
    jet still = jet_pow(jet_make(2, 0, 3), jet_const(2));
    assert_close(still.dd, 12, 1e-14);
    assert_close(jet_sqrt(jet_const(0)).dd, 0, 0);
    assert_close(jet_asin(jet_const(1)).dd, 0, 0);
    assert_close(jet_atan2(jet_const(0), jet_const(0)).dd, 0, 0);
    assert_true(isinf(jet_sqrt(jet_make(0, 1, 0)).d));
}

/* at a tie the branch is the one just after: by slope, then by curvature */
static void kinks_look_ahead(void **state)
{
    (void)state;
    assert_close(jet_abs(jet_make(0, -2, 1)).dd, -1, 0);
    assert_close(jet_abs(jet_make(0, 0, -3)).dd, 3, 0);
    assert_close(jet_abs(jet_make(0, 0, 3)).dd, 3, 0);
    assert_close(jet_max(jet_make(1, 0, 2), jet_make(1, 0, 5)).dd, 5, 0);
    assert_close(jet_min(jet_make(1, 0, 2), jet_make(1, 0, 5)).dd, 2, 0);
    assert_close(jet_max(jet_make(1, 1, 2), jet_make(1, 0, 5)).dd, 2, 0);
    assert_close(jet_min(jet_make(1, 1, 2), jet_make(3, 0, 5)).dd, 2, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(functions_have_their_second_derivatives),
                                       cmocka_unit_test(powers_at_zero), cmocka_unit_test(kinks_look_ahead)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
