/*
 * Solvers of local problems on random problems built from a known solution, judged by mo_problem_certify,
 * which shares no code with them.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <moreau/problem.h>

#include "core/rng.h"

enum { MOST = 90 };

/* How a random problem is made. */
typedef struct recipe {
    int dim;
    size_t contacts, freedoms; /* fewer freedoms than dim contacts: W lacks rank */
    double share;              /* of freedoms that a contact touches */
    double skew;               /* unsymmetric part, of the size of W */
    double size_W, size_q;     /* units */
    double mu;                 /* largest; some are 0 */
} recipe;

static double sign(rng *random)
{
    return 2 * rng_uniform(random) - 1;
}

// a third each open, sticking, sliding
static void known_pair(int dim, double mu, rng *random, double *r, double *u)
{
    double kind = rng_uniform(random), angle = 6.283185307179586 * rng_uniform(random);
    double t[2] = {dim == 3 ? cos(angle) : (angle > 3 ? 1 : -1), dim == 3 ? sin(angle) : 0};
    double rn = 0.1 + rng_uniform(random), speed = 0.1 + rng_uniform(random);
    memset(r, 0, (size_t)dim * sizeof *r);
    memset(u, 0, (size_t)dim * sizeof *u);
    if (kind < 0.33) {
        u[0] = 0.1 + rng_uniform(random);
        for (int i = 1; i < dim; i++)
            u[i] = sign(random);
        return;
    }
    bool stick = kind < 0.66;
    r[0] = rn;
    for (int i = 1; i < dim; i++) {
        r[i] = (stick ? 0.9 * rng_uniform(random) : 1) * mu * rn * t[i - 1] * (stick && dim == 3 ? 0.7 : 1);
        u[i] = stick ? 0 : -speed * t[i - 1];
    }
}

static void make(const recipe *k, uint64_t seed, mo_problem *out)
{
    rng random = rng_seed(seed, 7);
    size_t n = (size_t)k->dim * k->contacts;
    double *G = calloc(n * k->freedoms, sizeof *G), *W = calloc(n * n, sizeof *W);
    double q[MOST], mu[MOST], r[MOST], u[MOST];
    assert_true(G != NULL && W != NULL && n <= MOST);
    for (size_t c = 0; c < k->contacts; c++) {
        mu[c] = rng_uniform(&random) < 0.1 ? 0 : k->mu * (0.2 + 0.8 * rng_uniform(&random));
        known_pair(k->dim, mu[c], &random, r + (size_t)k->dim * c, u + (size_t)k->dim * c);
        for (size_t f = 0; f < k->freedoms; f++)
            if (f == c % k->freedoms || rng_uniform(&random) < k->share)
                for (int i = 0; i < k->dim; i++)
                    G[((size_t)k->dim * c + (size_t)i) * k->freedoms + f] = sign(&random);
    }
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            for (size_t f = 0; f < k->freedoms; f++)
                W[n * i + j] += G[i * k->freedoms + f] * G[j * k->freedoms + f];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < i; j++) {
            double s = W[n * i + j] == 0 ? 0 : k->skew * sign(&random);
            W[n * i + j] += s;
            W[n * j + i] -= s;
        }
    for (size_t i = 0; i < n; i++) {
        q[i] = u[i];
        for (size_t j = 0; j < n; j++)
            q[i] -= W[n * i + j] * r[j];
        q[i] *= k->size_q;
    }
    for (size_t i = 0; i < n * n; i++)
        W[i] *= k->size_W;
    mo_error err;
    assert_int_equal(mo_problem_from_dense(k->dim, k->contacts, W, q, mu, out, &err), MO_OK);
    free(G);
    free(W);
}

// solves with tol and lets the certificate, taken anew, say whether that is so
static bool solves(const mo_problem *p, const char *solver, double tol, mo_problem_info *info)
{
    double r[MOST] = {0}, u[MOST];
    mo_solver_settings s = mo_default_solver_settings();
    mo_problem_residual found;
    mo_error err;
    s.tol = tol;
    assert_int_equal(mo_problem_solve(p, solver, &s, r, u, info, &err), MO_OK);
    assert_int_equal(mo_problem_certify(p, r, u, &found, &err), MO_OK);
    assert_true(found.certificate.balance < 1e-13);
    bool good = found.residual <= tol && found.residual_fclib <= tol;
    assert_int_equal(info->solved, good);
    return good;
}

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
            make(seed % 2 == 0 ? &FULL3 : &FULL2, (uint64_t)seed, &p);
            solved += solves(&p, name, 1e-9, &info);
            assert_string_equal(info.solver, name);
            mo_problem_free(&p);
        }
        if (solved < 36)
            fail_msg("%s solved %d of 40", name, solved);
    }
    assert_string_equal(mo_problem_solver_name(0), "auto");
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
    for (size_t i = 0; mo_problem_solver_name(i) != NULL; i++)
        assert_false(solves(&p, mo_problem_solver_name(i), 1e-8, &info));
    mo_problem_free(&p);
    assert_int_equal(mo_problem_from_dense(3, 0, none, q, &mu, &p, &err), MO_OK);
    assert_true(solves(&p, NULL, 1e-8, &info));
    mo_problem_free(&p);
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
        cmocka_unit_test(test_full_rank),   cmocka_unit_test(test_rank_deficient),
        cmocka_unit_test(test_unsymmetric), cmocka_unit_test(test_scales),
        cmocka_unit_test(test_each),        cmocka_unit_test(test_degenerate),
        cmocka_unit_test(test_mistakes),    cmocka_unit_test(test_repeatable_and_honest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
