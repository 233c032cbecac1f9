/*
 * Alternating directions: random problems with a known solution of every kind, one contact by its closed
 * form, real problems; the factors of symmetric and of unsymmetric problems lead to the same answer.
 */
#include "solver/recipe.h"
#include "support/close.h"

static void test_known_solutions(void **state)
{
    (void)state;
    const recipe full[] = {{3, 12, 60, 0.1, 0, 1, 1, 0.6}, {2, 20, 60, 0.1, 0, 1, 1, 0.6}};
    const recipe flat[] = {{3, 20, 24, 0.2, 0, 1, 1, 0.5}, {2, 30, 20, 0.2, 0, 1, 1, 0.5}};
    const recipe skew[] = {{3, 15, 60, 0.1, 0.1, 1, 1, 0.5}, {2, 20, 60, 0.1, 0.1, 1, 1, 0.5}};
    const recipe smooth[] = {{3, 20, 30, 0.2, 0, 1, 1, 0}, {2, 30, 20, 0.2, 0, 1, 1, 0}};
    for (int i = 0; i < 2; i++) {
        int f = solved_of(&full[i], "admm", 1e-10, 40), d = solved_of(&flat[i], "admm", 1e-6, 40);
        int s = solved_of(&skew[i], "admm", 1e-10, 40), m = solved_of(&smooth[i], "admm", 1e-8, 40);
        assert_true(f == 40 && d >= 36 && s == 40 && m >= 38);
    }
}

static void test_scales(void **state)
{
    (void)state;
    expect_any_units("admm");
}

// a block diag(1, 2, 2) that slides: u_T = q_T + 2 r_T, |r_T| = mu r_N, r_N = -q_N
static void test_one_contact(void **state)
{
    (void)state;
    const double W[9] = {1, 0, 0, 0, 2, 0, 0, 0, 2}, q[3] = {-2, 3, 4}, mu = 0.5,
                 expected[3] = {2, -0.6, -0.8};
    double r[3] = {0};
    mo_problem p;
    mo_problem_info info;
    mo_solver_settings s = {.tol = 1e-13, .max_iter = 1000};
    assert_int_equal(mo_problem_from_dense(3, 1, W, q, &mu, &p, NULL), MO_OK);
    assert_int_equal(mo_problem_solve(&p, "admm", &s, r, NULL, &info, NULL), MO_OK);
    assert_true(info.solved);
    for (int i = 0; i < 3; i++)
        assert_close(r[i], expected[i], 1e-11);
    mo_problem_free(&p);
}

// a unique answer, once by Cholesky and once, W changed in its tenth digit, by L U
static void test_both_factors(void **state)
{
    (void)state;
    const recipe k = {3, 12, 60, 0.3, 0, 1, 1, 0.4};
    for (int seed = 1; seed <= 10; seed++) {
        double a[MOST] = {0}, b[MOST] = {0}, size = 0;
        mo_problem p;
        mo_problem_info first, second;
        mo_solver_settings s = {.tol = 1e-9, .max_iter = 10000};
        make(&k, (uint64_t)seed, &p);
        assert_int_equal(mo_problem_solve(&p, "admm", &s, a, NULL, &first, NULL), MO_OK);
        p.W[1] *= 1 + 1e-10;
        assert_int_equal(mo_problem_solve(&p, "admm", &s, b, NULL, &second, NULL), MO_OK);
        assert_true(first.solved && second.solved);
        for (size_t i = 0; i < 36; i++)
            size = fmax(size, fabs(a[i]));
        for (size_t i = 0; i < 36; i++)
            assert_close(b[i], a[i], 1e-5 * size);
        mo_problem_free(&p);
    }
}

static void test_real(void **state)
{
    (void)state;
    static const real_problem files[] = {
        {"Rover1039", 1000},
        {"Confeti-ex03-Fc3D-SBM", 2000},
        {"LMGC_100_PR_PerioBox-i00361-60-03000", 5000},
        {"Spheres-i099-356-679", 2000},
        {"FrictionContactProblem00727", 5000},
        {"fc2d_granularflowonwall_00667_00000", 2000},
        {"KaplasTower-i1061-4", 5000},
    };
    check_real("admm", 1e-4, sizeof files / sizeof *files, files);
    check_real("admm", 1e-8, 5, files);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_solutions),
        cmocka_unit_test(test_scales),
        cmocka_unit_test(test_one_contact),
        cmocka_unit_test(test_both_factors),
        cmocka_unit_test(test_real),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
