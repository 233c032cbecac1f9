/*
 * Solvers of local problems on random problems built from a known solution, judged by mo_problem_certify,
 * which shares no code with them.
 */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <moreau/problem.h>

#include "solver/recipe.h"

static const recipe FULL3 = {3, 12, 60, 0.1, 0, 1, 1, 0.6}, FULL2 = {2, 20, 60, 0.1, 0, 1, 1, 0.6};

// every problem of a kind at three tolerances, by `auto`
static void check_auto(const recipe *k, int count)
{
    for (int seed = 1; seed <= count; seed++) {
        mo_problem p;
        mo_problem_info info;
        make(k, (uint64_t)seed, &p);
        for (double tol = 1e-4; tol > 1e-13; tol *= 1e-4)
            if (!solves(&p, NULL, tol, &info))
                fail_msg("dim %d, seed %d, tol %g: %g %g after %s", k->dim, seed, tol, info.reached.residual,
                         info.reached.residual_fclib, info.story);
        mo_problem_free(&p);
    }
}

static void test_full_rank(void **state)
{
    (void)state;
    check_auto(&FULL3, 40);
    check_auto(&FULL2, 40);
}

static void test_rank_deficient(void **state)
{
    (void)state;
    check_auto(&(recipe){3, 20, 24, 0.2, 0, 1, 1, 0.5}, 40);
    check_auto(&(recipe){2, 30, 20, 0.2, 0, 1, 1, 0.5}, 40);
    check_auto(&(recipe){3, 30, 6, 1, 0, 1, 1, 0.3}, 20);
}

static void test_unsymmetric(void **state)
{
    (void)state;
    check_auto(&(recipe){3, 15, 60, 0.1, 0.1, 1, 1, 0.5}, 40);
    check_auto(&(recipe){2, 20, 60, 0.1, 0.1, 1, 1, 0.5}, 40);
    check_auto(&(recipe){3, 20, 30, 0.2, 1e-3, 1, 1, 0.5}, 40);
}

// units of impulse and velocity, each over sixteen orders
static void test_scales(void **state)
{
    (void)state;
    for (double a = 1e-8; a < 2e8; a *= 1e4)
        for (double b = 1e-8; b < 2e8; b *= 1e4) {
            recipe three = {3, 10, 40, 0.2, 0, a, b, 0.5}, two = {2, 15, 20, 0.2, 0, a, b, 0.5};
            check_auto(&three, 4);
            check_auto(&two, 4);
        }
}

// a load at which the certificate divides by nothing, so that no impulse would pass: solved all the same,
// as a multiple of the problem shows
static void test_tiny_loads(void **state)
{
    (void)state;
    for (int seed = 1; seed <= 20; seed++) {
        recipe k = {2 + seed % 2, 12, 60, 0.1, 0, 1, 0x1p-70, 0.6};
        double r[MOST] = {0};
        mo_problem p;
        mo_problem_info info;
        mo_problem_residual found;
        mo_error err;
        mo_solver_settings s = mo_default_solver_settings();
        make(&k, (uint64_t)seed, &p);
        assert_int_equal(mo_problem_certify(&p, r, NULL, &found, &err), MO_OK);
        assert_true(fmax(found.residual, found.residual_fclib) <= 1e-8);
        assert_int_equal(mo_problem_solve(&p, NULL, &s, r, NULL, &info, &err), MO_OK);
        assert_true(info.solved);
        for (size_t i = 0; i < (size_t)p.dim * p.contacts; i++) {
            r[i] *= 0x1p70;
            p.q[i] *= 0x1p70;
        }
        assert_int_equal(mo_problem_certify(&p, r, NULL, &found, &err), MO_OK);
        assert_true(fmax(found.residual, found.residual_fclib) <= 1e-8);
        mo_problem_free(&p);
    }
}

// each method alone, where it is at home: all but a few of the problems
static void test_each(void **state)
{
    (void)state;
    for (size_t i = 0; mo_problem_solver_name(i) != NULL; i++) {
        const char *name = mo_problem_solver_name(i);
        int solved = 0;
        for (int seed = 1; seed <= 40; seed++) {
            mo_problem p;
            mo_problem_info info;
            make(seed % 2 == 0 && mo_solver_suits(name, 3) ? &FULL3 : &FULL2, (uint64_t)seed, &p);
            solved += solves(&p, name, 1e-9, &info);
            assert_string_equal(info.solver, name);
            mo_problem_free(&p);
        }
        if (solved < 36)
            fail_msg("%s solved %d of 40", name, solved);
    }
    assert_string_equal(mo_problem_solver_name(0), "auto");
}

// a contact that opens has no impulse at all, whatever method was at work, and none is outside of its cone
static void test_open_contacts_have_no_impulse(void **state)
{
    (void)state;
    mo_solver_settings s = mo_default_solver_settings();
    int open = 0;
    const char *name;
    for (size_t i = 0; (name = mo_problem_solver_name(i)) != NULL; i++)
        for (int seed = 1; seed <= 20; seed++) {
            double r[MOST] = {0}, u[MOST];
            mo_problem p;
            mo_problem_info info;
            mo_error err;
            make(seed % 2 == 0 && mo_solver_suits(name, 3) ? &FULL3 : &FULL2, (uint64_t)seed, &p);
            assert_int_equal(mo_problem_solve(&p, name, &s, r, u, &info, &err), MO_OK);
            for (size_t c = 0; info.solved && c < p.contacts; c++) {
                const double *x = r + (size_t)p.dim * c, third = p.dim == 3 ? x[2] : 0;
                double slip = sqrt(x[1] * x[1] + third * third);
                // both are at most rounding of the largest impulse, about 1
                assert_true(x[0] >= 0 && slip <= p.mu[c] * x[0] + 1e-15);
                if (u[(size_t)p.dim * c] > 1e-3) {
                    open++;
                    assert_true(x[0] == 0 && slip == 0);
                }
            }
            mo_problem_free(&p);
        }
    assert_true(open > 500);
}

// no load, no contact, nothing to move, given answer
static void test_degenerate(void **state)
{
    (void)state;
    double W[9] = {2, 0, 0, 0, 1, 0, 0, 0, 1}, none[9] = {0}, q[3] = {-1, 0, 0}, zero[3] = {0}, mu = 0.5;
    double r[3] = {0};
    mo_problem p;
    mo_problem_info info;
    mo_error err;
    mo_solver_settings s = mo_default_solver_settings();
    // no load: no impulse
    assert_int_equal(mo_problem_from_dense(3, 1, W, zero, &mu, &p, &err), MO_OK);
    assert_true(solves(&p, NULL, 1e-12, &info));
    mo_problem_free(&p);
    // the answer given: nothing to do
    assert_int_equal(mo_problem_from_dense(3, 1, W, q, &mu, &p, &err), MO_OK);
    r[0] = 0.5;
    assert_int_equal(mo_problem_solve(&p, NULL, &s, r, NULL, &info, &err), MO_OK);
    assert_true(info.solved && info.iterations == 0 && r[0] == 0.5);
    mo_problem_free(&p);
    // W = 0 with a load that needs an impulse: no solution, and told so by every method
    assert_int_equal(mo_problem_from_dense(3, 1, none, q, &mu, &p, &err), MO_OK);
    const char *name;
    for (size_t i = 0; (name = mo_problem_solver_name(i)) != NULL; i++)
        if (mo_solver_suits(name, 3))
            assert_false(solves(&p, name, 1e-8, &info));
    mo_problem_free(&p);
    assert_int_equal(mo_problem_from_dense(3, 0, none, q, &mu, &p, &err), MO_OK);
    assert_true(solves(&p, NULL, 1e-8, &info));
    mo_problem_free(&p);
}

/*
 * Boxes on top of each other, light and heavy in turn: at rest after a step of gravity contact c carries g h
 * times the mass above it, ten million times what the load at the lowest contact is with the mass of the
 * lowest box.  What rounding leaves of impulses of that size is no sign that they run away.  With residual e
 * velocities at contacts are at most 2 e |r| (rho is at least half the least mass, 1), those of boxes
 * TALL times that, and impulses are right within TALL times the largest mass times these.
 */
static void test_light_bodies_carry_heavy_ones(void **state)
{
    (void)state;
    enum { TALL = 20 };
    const double heavy = 1e6, speed = 9.81e-3;
    double W[2 * TALL][2 * TALL] = {{0}}, q[2 * TALL] = {0}, mu[TALL], mass[TALL], above = 0;
    mo_problem p;
    mo_error err;
    q[0] = -speed;
    for (size_t c = 0; c < TALL; c++) {
        mass[c] = c % 2 == 0 ? 1 : heavy;
        mu[c] = 0.4;
        for (size_t i = 2 * c; i < 2 * c + 2; i++) {
            W[i][i] = 1 / mass[c] + (c > 0 ? 1 / mass[c - 1] : 0);
            if (c > 0)
                W[i][i - 2] = W[i - 2][i] = -1 / mass[c - 1];
        }
    }
    assert_int_equal(mo_problem_from_dense(2, TALL, &W[0][0], q, mu, &p, &err), MO_OK);
    for (double tol = 1e-4; tol > 1e-13; tol *= 1e-4) {
        double r[2 * TALL] = {0}, size = 0;
        mo_solver_settings s = mo_default_solver_settings();
        mo_problem_info info;
        s.tol = tol;
        assert_int_equal(mo_problem_solve(&p, NULL, &s, r, NULL, &info, &err), MO_OK);
        if (!info.solved)
            fail_msg("tol %g: %g %g after %s", tol, info.reached.residual, info.reached.residual_fclib,
                     info.story);
        for (size_t i = 0; i < 2 * TALL; i++)
            size += r[i] * r[i];
        const double error = 2 * TALL * TALL * heavy * info.reached.residual * sqrt(size);
        above = 0;
        for (size_t c = TALL; c-- > 0;) {
            above += mass[c];
            assert_true(fabs(r[2 * c] - speed * above) <= error);
        }
    }
    mo_problem_free(&p);
}

// |u - W r - q| / (|W r| + |q|) of the r and u handed over, summed here from the rows of W
static double imbalance(const mo_problem *p, const double *r, const double *u)
{
    const size_t dim = (size_t)p->dim;
    long double missing = 0, Wr2 = 0, q2 = 0;
    for (size_t i = 0; i < dim * p->contacts; i++) {
        long double Wr = 0;
        for (size_t k = p->start[i / dim]; k < p->start[i / dim + 1]; k++)
            for (size_t j = 0; j < dim; j++)
                Wr += (long double)p->W[dim * dim * k + dim * (i % dim) + j] *
                      (long double)r[dim * p->column[k] + j];
        const long double q = (long double)p->q[i], off = (long double)u[i] - (Wr + q);
        missing += off * off;
        Wr2 += Wr * Wr;
        q2 += q * q;
    }
    return (double)(sqrtl(missing) / (sqrtl(Wr2) + sqrtl(q2)));
}

// the certificate tells how far the velocities that were handed over are from W r + q: their rounding.  Sums
// of at most 60 products in long doubles, in another order, differ by less than 100 units of theirs
static void test_balance(void **state)
{
    (void)state;
    double largest = 0;
    for (int seed = 1; seed <= 10; seed++) {
        double r[MOST] = {0}, u[MOST], expected;
        mo_solver_settings s = mo_default_solver_settings();
        mo_problem p;
        mo_problem_info info;
        mo_error err;
        make(seed % 2 == 0 ? &FULL3 : &FULL2, (uint64_t)seed, &p);
        assert_int_equal(mo_problem_solve(&p, NULL, &s, r, u, &info, &err), MO_OK);
        expected = imbalance(&p, r, u);
        assert_true(fabs(info.reached.certificate.balance - expected) <= 100 * (double)LDBL_EPSILON);
        largest = fmax(largest, expected);
        mo_problem_free(&p);
    }
    assert_true(largest > 0 && largest < 60 * DBL_EPSILON);
}

static void test_mistakes(void **state)
{
    (void)state;
    double r[MOST] = {0};
    mo_problem p;
    mo_problem_info info = {.iterations = 77};
    mo_error err;
    mo_solver_settings s = mo_default_solver_settings();
    make(&FULL3, 1, &p);
    assert_int_equal(mo_problem_solve(&p, "magic", &s, r, NULL, &info, &err), MO_BAD_INPUT);
    assert_string_equal(err.key, "solver");
    s.tol = -1;
    assert_int_equal(mo_problem_solve(&p, NULL, &s, r, NULL, &info, &err), MO_BAD_INPUT);
    assert_string_equal(err.key, "tol");
    s.tol = 1e-8;
    s.max_iter = 0;
    assert_int_equal(mo_problem_solve(&p, NULL, &s, r, NULL, &info, &err), MO_BAD_INPUT);
    s.max_iter = 10;
    r[1] = NAN;
    assert_int_equal(mo_problem_solve(&p, NULL, &s, r, NULL, &info, &err), MO_BAD_INPUT);
    assert_string_equal(err.key, "r");
    assert_int_equal(info.iterations, 77);
    mo_problem_free(&p);
}

// the same bits twice; one iteration is not enough and is not said to be
static void test_repeatable_and_honest(void **state)
{
    (void)state;
    recipe k = {3, 25, 30, 0.2, 0, 1, 1, 0.5};
    double a[MOST] = {0}, b[MOST] = {0}, c[MOST] = {0};
    mo_problem p;
    mo_problem_info info;
    mo_error err;
    mo_solver_settings s = mo_default_solver_settings();
    make(&k, 5, &p);
    assert_int_equal(mo_problem_solve(&p, NULL, &s, a, NULL, &info, &err), MO_OK);
    assert_int_equal(mo_problem_solve(&p, NULL, &s, b, NULL, &info, &err), MO_OK);
    assert_memory_equal(a, b, sizeof a);
    s.max_iter = 1;
    s.tol = 1e-12;
    assert_int_equal(mo_problem_solve(&p, NULL, &s, c, NULL, &info, &err), MO_OK);
    assert_false(info.solved);
    assert_true(info.iterations <= 1);
    mo_problem_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_full_rank),
        cmocka_unit_test(test_rank_deficient),
        cmocka_unit_test(test_unsymmetric),
        cmocka_unit_test(test_scales),
        cmocka_unit_test(test_tiny_loads),
        cmocka_unit_test(test_each),
        cmocka_unit_test(test_open_contacts_have_no_impulse),
        cmocka_unit_test(test_degenerate),
        cmocka_unit_test(test_light_bodies_carry_heavy_ones),
        cmocka_unit_test(test_balance),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_repeatable_and_honest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
