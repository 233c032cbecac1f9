/*
 * Accelerated projected gradients: random problems with a known solution of every kind, a column by its
 * closed form, real problems; and the scaled variables they work in, where the law must be the same with mu'.
 */
#include "solver/local_scale.h"
#include "solver/recipe.h"
#include "support/close.h"

// the scaled law holds for every pair that obeys the law: x = P(x - y - mu' |y_T| n)
static void test_scaled_law(void **state)
{
    (void)state;
    rng random = rng_seed(3, 3);
    for (int i = 0; i < 300; i++) {
        size_t dim = 2 + (size_t)i % 2, diagonal = 0;
        double a = exp(8 * sign(&random)), b = exp(8 * sign(&random)), mu = 1.5 * rng_uniform(&random),
               q[3] = {0};
        double W[9] = {0}, r[3], u[3], x[3], y[3], z[3], shift, rho = 1;
        for (size_t k = 0; k < dim; k++)
            W[(dim + 1) * k] = k == 0 ? a : b;
        mo_problem p;
        assert_int_equal(mo_problem_from_dense((int)dim, 1, W, q, &mu, &p, NULL), MO_OK);
        local_work w = {.p = &p, .n = dim, .rho = &rho, .diagonal = &diagonal};
        local_scale s;
        assert_true(local_scale_make(&w, &s));
        known_pair((int)dim, mu, &random, r, u);
        for (size_t k = 0; k < dim; k++) {
            x[k] = r[k] / s.d[k];
            y[k] = s.d[k] * u[k];
        }
        // ones on the scaled diagonal
        assert_close(s.d[0] * s.d[0] * a, a > 1e-6 * b ? 1 : a / b, 1e-14);
        local_scale_shift(&w, &s, y, &shift);
        local_scale_project(&w, &s, x, 1, y, &shift, z);
        for (size_t k = 0; k < dim; k++)
            assert_close(z[k], x[k], 1e-14 * (fabs(x[0]) + fabs(y[0]) + shift));
        arena_free(&w.memory);
        mo_problem_free(&p);
    }
}

static void test_known_solutions(void **state)
{
    (void)state;
    const recipe full[] = {{3, 12, 60, 0.1, 0, 1, 1, 0.6}, {2, 20, 60, 0.1, 0, 1, 1, 0.6}};
    const recipe flat[] = {{3, 20, 24, 0.2, 0, 1, 1, 0.5}, {2, 30, 20, 0.2, 0, 1, 1, 0.5}};
    const recipe skew[] = {{3, 15, 60, 0.1, 0.1, 1, 1, 0.5}, {2, 20, 60, 0.1, 0.1, 1, 1, 0.5}};
    const recipe smooth[] = {{3, 20, 30, 0.2, 0, 1, 1, 0}, {2, 30, 20, 0.2, 0, 1, 1, 0}};
    for (int i = 0; i < 2; i++) {
        int f = solved_of(&full[i], "apgd", 1e-10, 40), d = solved_of(&flat[i], "apgd", 1e-6, 40);
        int s = solved_of(&skew[i], "apgd", 1e-10, 40), m = solved_of(&smooth[i], "apgd", 1e-8, 40);
        assert_true(f == 40 && d >= 37 && s >= 36 && m == 40);
    }
}

static void test_scales(void **state)
{
    (void)state;
    expect_any_units("apgd");
}

// W = tridiag(-1, 2, -1), q = -1: r_c = c (n + 1 - c) / 2, c = 1 ... n, reached in a number of steps like n
static void test_column(void **state)
{
    (void)state;
    enum { N = 40 };
    double W[4 * N * N] = {0}, q[2 * N] = {0}, mu[N] = {0}, r[2 * N] = {0};
    for (size_t c = 0; c < N; c++) {
        q[2 * c] = -1;
        W[(2 * c) * 2 * N + 2 * c] = 2;
        W[(2 * c + 1) * 2 * N + 2 * c + 1] = 1;
        if (c > 0)
            W[(2 * c) * 2 * N + 2 * c - 2] = W[(2 * c - 2) * 2 * N + 2 * c] = -1;
    }
    mo_problem p;
    mo_problem_info info;
    mo_solver_settings s = {.tol = 1e-11, .max_iter = 1500};
    assert_int_equal(mo_problem_from_dense(2, N, W, q, mu, &p, NULL), MO_OK);
    assert_int_equal(mo_problem_solve(&p, "apgd", &s, r, NULL, &info, NULL), MO_OK);
    assert_true(info.solved);
    // error at most residual / least eigenvalue: 1e-11 |r| (41 / pi)²
    for (int c = 1; c <= N; c++)
        assert_close(r[2 * (c - 1)], 0.5 * c * (N + 1 - c), 1e-5);
    mo_problem_free(&p);
}

static void test_real(void **state)
{
    (void)state;
    static const real_problem files[] = {
        {"Rover1039", 2000},
        {"Confeti-ex03-Fc3D-SBM", 2000},
        {"LMGC_100_PR_PerioBox-i00361-60-03000", 5000},
        {"Spheres-i099-356-679", 2000},
        {"FrictionContactProblem00727", 5000},
        {"fc2d_granularflowonwall_00667_00000", 2000},
        {"RockPile_tob1", 10000},
        {"KaplasTower-i1061-4", 5000},
        {"fc2d_granularflowonwall_07002_00801", 5000},
    };
    check_real("apgd", 1e-4, sizeof files / sizeof *files, files);
    check_real("apgd", 1e-8, 5, files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_scaled_law), cmocka_unit_test(test_known_solutions),
        cmocka_unit_test(test_scales),     cmocka_unit_test(test_column),
        cmocka_unit_test(test_real),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
