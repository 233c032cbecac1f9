/*
 * Nearest points of Coulomb's cone: the decomposition of Moreau (M99 (4)(5)), and that prox is idempotent and
 * non-expansive, on random points and on every border case.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "convex/cone.h"
#include "core/rng.h"
#include "support/close.h"

// z = x + y, x in K, y in the polar cone {y : y_N + mu |y_T| <= 0}, x.y = 0
static void check_decomposition(double mu, const double z[2])
{
    double x[2], again[2], size = hypot(z[0], z[1]), tol = 1e-15 * (1 + mu) * size;
    cone2_prox(mu, z, x);
    double y[2] = {z[0] - x[0], z[1] - x[1]};
    if (!(x[0] >= 0))
        print_error("mu = %g, z = (%g, %g): prox (%g, %g)\n", mu, z[0], z[1], x[0], x[1]);
    assert_true(x[0] >= 0);
    assert_true(fabs(x[1]) <= mu * x[0] + tol);
    assert_true(y[0] + mu * fabs(y[1]) <= (1 + mu) * tol);
    assert_close(x[0] * y[0] + x[1] * y[1], 0, (1 + mu) * tol * size);
    cone2_prox(mu, x, again);
    assert_close(hypot(again[0] - x[0], again[1] - x[1]), 0, tol);
}

static const double MU[] = {0, 1e-9, 0.1, 0.5, 1, 3, 1e6};
enum { MUS = sizeof MU / sizeof MU[0] };

static void border_cases(void **state)
{
    (void)state;
    const double values[] = {-2, -1e-300, -0.0, 0, 1e-300, 2};
    for (int m = 0; m < MUS; m++)
        for (int i = 0; i < 36; i++)
            check_decomposition(MU[m], (double[2]){values[i % 6], values[i / 6]});
}

static void any_point(void **state)
{
    (void)state;
    rng r = rng_seed(21, 4);
    for (int k = 0; k < 20000; k++) {
        double mu = MU[k % MUS], a[2], b[2], pa[2], pb[2];
        for (int d = 0; d < 2; d++) {
            a[d] = 2 * rng_uniform(&r) - 1;
            b[d] = 2 * rng_uniform(&r) - 1;
        }
        check_decomposition(mu, a);
        cone2_prox(mu, a, pa);
        cone2_prox(mu, b, pb);
        assert_true(hypot(pa[0] - pb[0], pa[1] - pb[1]) <= hypot(a[0] - b[0], a[1] - b[1]) * (1 + 1e-14));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(border_cases), cmocka_unit_test(any_point)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
