/*
 * Complementary pivoting in 2D: random problems with a known solution of every kind, one contact by its
 * closed form, problems for which nothing but the theorem promises a solution, real ones; refused in 3D.
 */
#include "math/vec.h"
#include "solver/recipe.h"
#include "support/close.h"

static void test_known_solutions(void **state)
{
    (void)state;
    const recipe kinds[] = {
        {2, 20, 60, 0.1, 0, 1, 1, 0.6},    {2, 30, 20, 0.2, 0, 1, 1, 0.5}, {2, 40, 10, 0.5, 0, 1, 1, 0.3},
        {2, 20, 60, 0.1, 0.1, 1, 1, 0.5},  {2, 20, 60, 0.1, 0, 1, 1, 0},   {2, 30, 20, 0.2, 0, 1, 1, 0},
        {2, 20, 30, 0.2, 1e-3, 1, 1, 0.5}, {2, 1, 3, 1, 0, 1, 1, 2},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        assert_int_equal(solved_of(&kinds[i], "lemke", 1e-10, 60), 60);
}

static void test_scales(void **state)
{
    (void)state;
    for (double a = 1e-8; a < 2e8; a *= 1e8)
        for (double b = 1e-8; b < 2e8; b *= 1e8)
            assert_int_equal(solved_of(&(recipe){2, 15, 40, 0.2, 0, a, b, 0.5}, "lemke", 1e-8, 5), 5);
}

// a block diag(1, 2): r_N = -q_N; it sticks with r_T = -q_T/2 or slides with |r_T| = mu r_N, or opens
static void test_one_contact(void **state)
{
    (void)state;
    const double W[4] = {1, 0, 0, 2}, mu = 0.5;
    const struct {
        double q[2], r[2], u[2];
    } known[] = {
        {{-2, 3}, {2, -1}, {0, 1}},
        {{-2, -3}, {2, 1}, {0, -1}},
        {{-2, 1}, {2, -0.5}, {0, 0}},
        {{1, 3}, {0, 0}, {1, 3}},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        double r[2] = {0}, u[2];
        mo_problem p;
        mo_problem_info info;
        const mo_solver_settings s = {.tol = 1e-13, .max_iter = 100};
        assert_int_equal(mo_problem_from_dense(2, 1, W, known[i].q, &mu, &p, NULL), MO_OK);
        assert_int_equal(mo_problem_solve(&p, "lemke", &s, r, u, &info, NULL), MO_OK);
        assert_true(info.solved);
        // a path without corners has its factors: no answer comes for nothing
        assert_true(info.iterations > 0 || i == 3);
        for (int k = 0; k < 2; k++) {
            assert_close(r[k], known[i].r[k], 1e-12);
            assert_close(u[k], known[i].u[k], 1e-12);
        }
        mo_problem_free(&p);
    }
}

/* W = G G^T + 0.1 I with G square and anything for q and mu, up to 6: nothing is known of a solution but that
   there is one, as W is positive definite, and that the path gets there */
static void make_any(size_t contacts, uint64_t seed, mo_problem *out)
{
    rng random = rng_seed(seed, 11);
    const size_t n = 2 * contacts;
    double G[MOST * MOST], W[MOST * MOST], q[MOST], mu[MOST];
    for (size_t i = 0; i < n * n; i++)
        G[i] = sign(&random);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            W[n * i + j] = (i == j ? 0.1 : 0) + vec_dot_in_order(n, G + n * i, G + n * j);
    for (size_t i = 0; i < n; i++)
        q[i] = sign(&random) - (i % 2 == 0 ? 0.5 : 0);
    for (size_t c = 0; c < contacts; c++)
        mu[c] = 6 * rng_uniform(&random);
    assert_int_equal(mo_problem_from_dense(2, contacts, W, q, mu, out, NULL), MO_OK);
}

static void test_where_only_the_theorem_helps(void **state)
{
    (void)state;
    int others = 0, count = 0;
    for (size_t contacts = 1; contacts <= 12; contacts += contacts < 4 ? 1 : 4)
        for (uint64_t seed = 1; seed <= 300; seed++) {
            mo_problem p;
            mo_problem_info info;
            make_any(contacts, seed, &p);
            if (!solves(&p, "lemke", 1e-9, &info))
                fail_msg("%zu contacts, seed %d: %g %g", contacts, (int)seed, info.reached.residual,
                         info.reached.residual_fclib);
            others += solves(&p, "newton", 1e-9, &info);
            count++;
            mo_problem_free(&p);
        }
    // which is no small thing
    assert_true(others < count);
}

static void test_real(void **state)
{
    (void)state;
    static const real_problem files[] = {
        {"FC2D_SliderCrankLagrangian00000", 100},
        {"gfc2d_granularflowonwall_00069_00350", 100},
        {"fc2d_granularflowonwall_00667_00000", 100},
        {"fc2d_granularflowonwall_02020_00213", 1000},
    };
    check_real("lemke", 1e-8, sizeof files / sizeof *files, files);
}

// the path is cut off at any number of pivots, and the best point that there was is the answer
static void test_caps(void **state)
{
    (void)state;
    double last = HUGE_VAL;
    mo_problem p;
    make(&(recipe){2, 30, 20, 0.2, 0, 1, 1, 0.5}, 3, &p);
    for (int most = 1; most < 200; most = 2 * most + 1) {
        double r[MOST] = {0};
        mo_problem_info info;
        const mo_solver_settings s = {.tol = 1e-10, .max_iter = most};
        assert_int_equal(mo_problem_solve(&p, "lemke", &s, r, NULL, &info, NULL), MO_OK);
        assert_in_range(info.iterations, 1, most);
        assert_true(info.reached.residual <= last);
        last = info.reached.residual;
    }
    assert_true(last <= 1e-10);
    mo_problem_free(&p);
}

static void test_refused_in_space(void **state)
{
    (void)state;
    const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1, 0, 0}, mu = 0.5;
    double r[3] = {0};
    mo_problem p;
    mo_error err;
    const mo_solver_settings s = mo_default_solver_settings();
    assert_int_equal(mo_problem_from_dense(3, 1, W, q, &mu, &p, NULL), MO_OK);
    assert_int_equal(mo_problem_solve(&p, "lemke", &s, r, NULL, NULL, &err), MO_BAD_INPUT);
    assert_non_null(strstr(err.message, "found lemke for a problem in 3D, expected another one"));
    mo_problem_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_solutions),
        cmocka_unit_test(test_scales),
        cmocka_unit_test(test_one_contact),
        cmocka_unit_test(test_where_only_the_theorem_helps),
        cmocka_unit_test(test_real),
        cmocka_unit_test(test_caps),
        cmocka_unit_test(test_refused_in_space),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
