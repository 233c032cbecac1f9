/* The tangent that goes with a unit normal: unit, across, odd, to a few units of rounding. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/rng.h"
#include "math/vec3.h"
#include "support/close.h"

static void expect_tangent(const double n[3])
{
    double t[3], back[3], minus[3];
    vec3_scale(-1, n, minus);
    vec3_across(n, t);
    vec3_across(minus, back);
    assert_close(vec3_dot(t, t), 1, 1e-15);
    assert_close(vec3_dot(t, n), 0, 1e-15);
    for (int k = 0; k < 3; k++)
        assert_true(back[k] == -t[k]);
}

static void test_random_normals(void **state)
{
    (void)state;
    rng random = rng_seed(1, 1);
    for (int i = 0; i < 100000; i++) {
        double n[3];
        // also close to planes and axes
        for (int k = 0; k < 3; k++)
            n[k] = (2 * rng_uniform(&random) - 1) * pow(10, -20 * rng_uniform(&random) * (i % 2));
        vec3_scale(1 / sqrt(vec3_dot(n, n)), n, n);
        expect_tangent(n);
    }
}

// zeros have signs
static void test_axes_and_planes(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++)
        for (int sign = -1; sign <= 1; sign += 2)
            for (int zeros = -1; zeros <= 1; zeros += 2) {
                double n[3] = {zeros * 0.0, zeros * 0.0, zeros * 0.0};
                n[k] = sign;
                expect_tangent(n);
                n[k] = 0.6 * sign;
                n[(k + 1) % 3] = 0.8;
                expect_tangent(n);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_normals),
        cmocka_unit_test(test_axes_and_planes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
