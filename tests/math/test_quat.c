/*
 * Rotations as quaternions, and eigenvalues of symmetric matrices: against matrices, trigonometry and series.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>

#include "core/rng.h"
#include "math/eigen3.h"
#include "math/quat.h"
#include "support/close.h"

static const double PI = 3.14159265358979323846;

static double draw(rng *r)
{
    return 2 * rng_uniform(r) - 1;
}

static void draw_quat(rng *r, double q[4])
{
    quat_set(q, draw(r), draw(r), draw(r), draw(r));
    quat_normalise(q);
}

static void assert_same(const double *a, const double *b, int count, double tolerance)
{
    for (int k = 0; k < count; k++)
        assert_close(a[k], b[k], tolerance);
}

/* i j = k and its like, and a quarter turn about z takes x to y */
static void units(void **state)
{
    (void)state;
    const double i[4] = {0, 1, 0, 0}, j[4] = {0, 0, 1, 0}, k[4] = {0, 0, 0, 1}, minus[4] = {-1, 0, 0, 0};
    double p[4];
    quat_multiply(i, j, p);
    assert_same(p, k, 4, 0);
    quat_multiply(j, k, p);
    assert_same(p, i, 4, 0);
    quat_multiply(k, i, p);
    assert_same(p, j, 4, 0);
    quat_multiply(i, i, p);
    assert_same(p, minus, 4, 0);
    const double quarter[3] = {0, 0, PI / 2}, x[3] = {1, 0, 0}, y[3] = {0, 1, 0};
    double v[3];
    quat_exp(quarter, p);
    quat_rotate(p, x, v);
    assert_same(v, y, 3, 4e-16);
    quat_rotate_back(p, v, v);
    assert_same(v, x, 3, 4e-16);
}

/* products turn one after the other; matrices say the same; what a matrix gives back is q or -q, w >= 0 */
static void products_and_matrices(void **state)
{
    (void)state;
    rng r = rng_seed(1, 1);
    for (int trial = 0; trial < 1000; trial++) {
        double a[4], b[4], ab[4], v[3] = {draw(&r), draw(&r), draw(&r)}, one[3], two[3], R[9], back[4];
        draw_quat(&r, a);
        draw_quat(&r, b);
        if (trial % 4 == 0) // a half turn, where w is lost
            a[0] = trial % 8 ? 0 : 1e-12 * draw(&r), quat_normalise(a);
        quat_multiply(a, b, ab);
        quat_rotate(b, v, one);
        quat_rotate(a, one, one);
        quat_rotate(ab, v, two);
        assert_same(one, two, 3, 4e-15);
        quat_to_matrix(a, R);
        mat3_apply(R, v, one);
        quat_rotate(a, v, two);
        assert_same(one, two, 3, 2e-15);
        mat3_apply_transposed(R, one, one);
        assert_same(one, v, 3, 2e-15);
        assert_close(vec3_norm(two), vec3_norm(v), 2e-15);
        quat_from_matrix(R, back);
        assert_true(back[0] >= 0);
        double same = a[0] * back[0] + a[1] * back[1] + a[2] * back[2] + a[3] * back[3];
        assert_close(fabs(same), 1, 1e-15);
        for (int k = 0; k < 4; k++)
            assert_close(back[k], same < 0 ? -a[k] : a[k], 1e-15);
    }
}

/* cos and sin of half the angle about the axis; small angles to the last digit, by the series */
static void exponentials(void **state)
{
    (void)state;
    rng r = rng_seed(2, 1);
    for (int e = -320; e <= 0; e += 5) {
        const double angle = pow(10, e), axis[3] = {0.48, -0.6, 0.64};
        double turn[3], q[4];
        vec3_scale(angle, axis, turn);
        quat_exp(turn, q);
        double half = angle / 2, sine = e < -3 ? half * (1 - half * half / 6) : sin(half);
        for (int k = 0; k < 3; k++)
            assert_close(q[1 + k], sine * axis[k], 4e-16 * half + 2 * DBL_TRUE_MIN);
        assert_close(q[0], cos(half), 2e-16);
    }
    // turns about one axis add up, and a whole turn is none
    for (int trial = 0; trial < 100; trial++) {
        double u[3] = {draw(&r), draw(&r), draw(&r)}, v[3], a[4], b[4], c[4];
        vec3_scale(0.3, u, v);
        quat_exp(u, a);
        quat_exp(v, b);
        quat_multiply(a, b, a);
        vec3_scale(1.3, u, v);
        quat_exp(v, c);
        assert_same(a, c, 4, 1e-15);
        vec3_unit(u, u);
        vec3_scale(2 * PI, u, u);
        quat_exp(u, c);
        assert_close(c[0], -1, 1e-15);
    }
}

/* lengths that cannot be squared, and no length at all */
static void extreme_lengths(void **state)
{
    (void)state;
    const double lengths[] = {1e-320, 1e-200, 1, 1e200, 1e307};
    const double expected[4] = {0.5, 0.5, -0.5, 0.5}, zero[3] = {0, 0, 0};
    for (size_t i = 0; i < 5; i++) {
        double s = lengths[i], q[4] = {s, s, -s, s}, v[3] = {2 * s, -s, 2 * s}, u[3];
        quat_normalise(q);
        assert_same(q, expected, 4, 1e-16);
        assert_close(vec3_unit(v, u) / s, 3, i == 0 ? 1e-3 : 1e-15);
        assert_close(u[0], 2.0 / 3, 1e-16);
    }
    double none[4] = {0}, u[3];
    quat_normalise(none);
    assert_close(none[0], 1, 0);
    assert_close(vec3_unit(zero, u), 0, 0);
    assert_same(u, zero, 3, 0);
}

/* A x = lambda x, orthonormal axes, the trace; matrices made from known values, some alike and some far apart
 */
static void eigenvalues(void **state)
{
    (void)state;
    rng r = rng_seed(3, 1);
    for (int trial = 0; trial < 1000; trial++) {
        double values[3] = {draw(&r), draw(&r), draw(&r)}, q[4], R[9], A[9] = {0}, found[3], axes[9];
        if (trial % 5 == 1)
            values[1] = values[0];
        if (trial % 5 == 2)
            values[1] = values[2] = values[0];
        if (trial % 5 == 3)
            values[0] *= 1e-12, values[1] *= 1e9, values[2] *= 1e8;
        draw_quat(&r, q);
        quat_to_matrix(q, R);
        for (int i = 0; i < 9; i++)
            for (int k = 0; k < 3; k++)
                A[i] += R[i / 3 * 3 + k] * values[k] * R[i % 3 * 3 + k];
        eigen3(A, found, axes);
        double size = fmax(fabs(values[0]), fmax(fabs(values[1]), fabs(values[2])));
        assert_close(found[0] + found[1] + found[2], A[0] + A[4] + A[8], 4e-15 * size);
        for (int k = 0; k < 3; k++) {
            double x[3] = {axes[k], axes[3 + k], axes[6 + k]},
                   y[3] = {axes[(k + 1) % 3], axes[3 + (k + 1) % 3], axes[6 + (k + 1) % 3]};
            double Ax[3], off = HUGE_VAL;
            assert_close(vec3_norm(x), 1, 2e-15);
            assert_close(vec3_dot(x, y), 0, 2e-15);
            mat3_apply(A, x, Ax);
            vec3_add_scaled(Ax, -found[k], x, Ax);
            assert_true(vec3_norm(Ax) <= 1e-14 * size);
            for (int m = 0; m < 3; m++)
                off = fmin(off, fabs(values[k] - found[m]));
            assert_true(off <= 1e-14 * size);
        }
    }
    // what is diagonal to rounding stays as it is
    const double A[9] = {3, 1e-16, 0, 1e-16, 1, -1e-16, 0, -1e-16, 2}, one[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double found[3], axes[9];
    eigen3(A, found, axes);
    assert_same(axes, one, 9, 0);
    assert_close(found[0], 3, 0);
    assert_close(found[1], 1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(units),        cmocka_unit_test(products_and_matrices),
        cmocka_unit_test(exponentials), cmocka_unit_test(extreme_lengths),
        cmocka_unit_test(eigenvalues),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
