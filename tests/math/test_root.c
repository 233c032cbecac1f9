/* Roots of functions with simple, flat, steep and one-sided roots: found to rounding in few evaluations. */
// clang-format off
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <math.h>

#include "math/root.h"
#include "support/close.h"

static double line(double x)
{
    return 3 - x;
}

static double cosine(double x)
{
    return cos(x);
}

static double fifth(double x)
{
    return pow(x - 1, 5);
}

static double wall(double x)
{
    return atan(1e6 * (x - 2));
}

static double leap(double x)
{
    return x < 1.25 ? 1 : -1e-9;
}

static int find(double (*f)(double), double a, double b, double width, double *x)
{
    root r = root_between(a, f(a), b, f(b));
    int count = 0;
    while (root_width(&r) > width && count < 400) {
        double next = root_next(&r);
        assert_true(next >= fmin(r.low, r.high) && next <= fmax(r.low, r.high));
        root_tell(&r, next, f(next));
        assert_true(f(r.low) >= 0 && f(r.high) < 0);
        count++;
    }
    *x = r.low;
    return count;
}

static void roots_are_found(void **state)
{
    (void)state;
    const struct {
        double (*f)(double);
        double a, b, x;
        int most;
    } cases[] = {{line, 0, 10, 3, 60},
                 {cosine, 0, 3, 1.5707963267948966, 60},
                 {cosine, 6, 4, 4.71238898038469, 60},
                 {fifth, -2, 5, 1, 160},
                 {wall, 0, 100, 2, 160},
                 {leap, 0, 2, 1.25, 160}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double x;
        int count = find(cases[i].f, cases[i].a, cases[i].b, 1e-14, &x);
        assert_true(count < cases[i].most);
        assert_close(x, cases[i].x, 1e-13);
    }
}

// a smooth function takes about as many steps as Newton's method would
static void smooth_roots_take_few_steps(void **state)
{
    (void)state;
    root r = root_between(0, 1, 3, cos(3));
    int count = 0;
    double value = 1, x = 0;
    while (fabs(value) > 1e-14 && count < 50) {
        x = root_next(&r);
        value = cos(x);
        root_tell(&r, x, value);
        count++;
    }
    assert_true(count < 10);
    assert_close(x, 1.5707963267948966, 1e-13);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(roots_are_found),
                                       cmocka_unit_test(smooth_roots_take_few_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
