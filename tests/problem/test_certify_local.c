/* The two residuals and the certificate against numbers worked out by hand and problems built from their
 * answers. */
#include <stdlib.h>

#include "core/rng.h"
#include "problem/one_contact.h"

/* W = 2 I, mu = 1/2: all numbers are exact in binary, so are the residuals */
static void open_stick_slide(void **state)
{
    (void)state;
    const double q_open[3] = {1, 0.25, 0}, none[3] = {0};
    const double q_stick[3] = {-2, 0.25, 0.5}, r_stick[3] = {1, -0.125, -0.25};
    const double q_slide[3] = {-2, 4, 0}, r_slide[3] = {1, -0.5, 0};
    for (int dim = 2; dim <= 3; dim++) {
        mo_problem_residual s = judge(one_contact(dim, 2, q_open, 0.5), none, q_open);
        assert_solved(&s, 0);
        assert_close(s.certificate.balance, 0, 0);
        s = judge(one_contact(dim, 2, q_stick, 0.5), r_stick, NULL);
        assert_solved(&s, 0);
        // here u = (0, 3, 0); P_K meets an edge whose length is rounded
        s = judge(one_contact(dim, 2, q_slide, 0.5), r_slide, NULL);
        assert_solved(&s, 1e-18);
    }
}

/* u = (0, 4), u~ = (2, 4).  rho = 1/2: r - rho u~ = (0, -2), nearest (0.8, -0.4); rho = 1: (-1, -4), the same
   nearest.  |q| = sqrt 20 */
static void wrong_answer(void **state)
{
    (void)state;
    const double q[3] = {-2, 4, 0}, r[3] = {1, 0, 0};
    for (int dim = 2; dim <= 3; dim++) {
        const mo_problem_residual s = judge(one_contact(dim, 2, q, 0.5), r, NULL);
        assert_close(s.residual, 0.2, 1e-16);
        assert_close(s.residual_fclib, 0.1, 1e-16);
        assert_close(s.certificate.bipotential_gap, 0.5 * 4, 0);
        assert_close(s.certificate.complementarity, 0, 0);
        assert_close(s.certificate.cone_violation_velocity, 0, 0);
    }
}

static void violations(void **state)
{
    (void)state;
    const double q[3] = {-3, 0, 0}, none[3] = {0}, pulls[3] = {-1, 0, 0}, outside[3] = {1, 0, 2};
    mo_problem_residual s = judge(one_contact(3, 2, q, 0.5), none, NULL);
    assert_close(s.certificate.cone_violation_velocity, 3, 0);
    s = judge(one_contact(3, 2, q, 0.5), pulls, NULL);
    assert_close(s.certificate.cone_violation_force, 1, 0);
    assert_close(s.certificate.cone_violation_velocity, 5, 0);
    assert_close(s.certificate.complementarity, 5, 0);
    // the distance from the edge (1, 1/2) is what is across it
    s = judge(one_contact(3, 2, q, 0.5), outside, NULL);
    assert_close(s.certificate.cone_violation_force, 1.5 / sqrt(1.25), 1e-15);
}

static void without_friction(void **state)
{
    (void)state;
    const double q[3] = {-1, 5, 1}, r[3] = {1, 0, 0}, pulls[3] = {-1, 0, 0};
    mo_problem_residual s = judge(one_contact(3, 1, q, 0), r, NULL);
    assert_solved(&s, 0);
    // u_N = -2: r - u~ = (1, -5, -1), nearest (1, 0, 0), off by 2
    s = judge(one_contact(3, 1, q, 0), pulls, NULL);
    assert_close(s.residual, 2 / sqrt(27), 1e-16);
    // r in the polar cone of a half-line: nearest is 0
    const double away[3] = {4, 0, 0};
    s = judge(one_contact(3, 1, away, 0), pulls, NULL);
    assert_close(s.residual, 1.0 / 4, 1e-16);
}

static void zero_block(void **state)
{
    (void)state;
    const double q[3] = {-1, 0, 0}, apart[3] = {1, 0, 0}, none[3] = {0};
    mo_problem_residual s = judge(one_contact(3, 0, apart, 0.5), none, NULL);
    assert_solved(&s, 0);
    // nothing can help: rho is 1 and the whole of q remains
    s = judge(one_contact(3, 0, q, 0.5), none, NULL);
    assert_close(s.residual, 1, 0);
    assert_close(s.residual_fclib, 1, 0);
    // no denominator at all
    s = judge(one_contact(3, 0, none, 0.5), none, none);
    assert_solved(&s, 0);
    assert_close(s.certificate.balance, 0, 0);
}

/* at most 2.2e-16: the error as it is; above: divided */
static void small_denominators(void **state)
{
    (void)state;
    const double none[2] = {0}, small[2] = {-2.2e-16, 0}, larger[2] = {-2.3e-16, 0};
    mo_problem_residual s = judge(one_contact(2, 1, small, 0.5), none, NULL);
    assert_close(s.residual, 2.2e-16, 1e-30);
    assert_close(s.residual_fclib, 2.2e-16, 1e-30);
    s = judge(one_contact(2, 1, larger, 0.5), none, NULL);
    assert_close(s.residual, 1, 1e-15);
    assert_close(s.residual_fclib, 1, 1e-15);
    // with W = 2^-60 rho q is of order one, q is not
    s = judge(one_contact(2, 0x1p-60, small, 0.5), none, NULL);
    assert_close(s.residual, 1, 1e-15);
    assert_close(s.residual_fclib, 2.2e-16, 1e-30);
}

/* mu = 0 and u_N = v: the residual is rho v as long as |rho q| < 1 and rho v < 1 */
static void scale_is_largest_eigenvalue(void **state)
{
    (void)state;
    // eigenvalues 2, 2 ± sqrt 2; an antisymmetric part that does not count; -1 and 3; both negative
    const double chain[9] = {2, -1, 0, -1, 2, -1, 0, -1, 2}, turned[9] = {2, -1.5, 0, -0.5, 2, -1, 0, -1, 2};
    const double mixed[4] = {1, 2, 2, 1}, negative[4] = {-2, 0, 0, -3};
    const struct {
        int dim;
        const double *W;
        double rho;
    } cases[] = {
        {3, chain, 1 / (2 + sqrt(2))}, {3, turned, 1 / (2 + sqrt(2))}, {2, mixed, 1.0 / 3}, {2, negative, 1}};
    for (size_t k = 0; k < 4; k++) {
        const double r[3] = {1, 0, 0}, mu = 0, v = 0.125;
        double q[3] = {v - cases[k].W[0], 0, 0};
        // u_T = 0
        for (int i = 1; i < cases[k].dim; i++)
            q[i] = -cases[k].W[i * cases[k].dim];
        mo_problem p;
        mo_error err;
        assert_int_equal(mo_problem_from_dense(cases[k].dim, 1, cases[k].W, q, &mu, &p, &err), MO_OK);
        const double size = fmax(1, cases[k].rho * hypot(hypot(q[0], q[1]), q[2]));
        const mo_problem_residual s = judge(p, r, NULL);
        assert_close(s.residual, cases[k].rho * v / size, 1e-16);
    }
}

static void given_velocities(void **state)
{
    (void)state;
    // W r = (2, 0), q = (-2, 4): |W r| + |q| = 2 + sqrt 20
    const double q[2] = {-2, 4}, r[2] = {1, 0}, u[2] = {0, 4}, off[2] = {3, 0};
    assert_close(judge(one_contact(2, 2, q, 0.5), r, u).certificate.balance, 0, 0);
    assert_close(judge(one_contact(2, 2, q, 0.5), r, off).certificate.balance, 5 / (2 + sqrt(20)), 1e-16);
}

static void not_a_number(void **state)
{
    (void)state;
    const double q[3] = {-1, 0, 0}, bad = strtod("nan", NULL);
    const double values[] = {bad, HUGE_VAL, -HUGE_VAL};
    for (size_t k = 0; k < 3; k++)
        for (int i = 0; i < 3; i++) {
            double r[3] = {1, 0, 0};
            r[i] = values[k];
            const mo_problem_residual s = judge(one_contact(3, 1, q, 0.5), r, NULL);
            assert_false(s.residual <= 1e300);
            assert_false(s.residual_fclib <= 1e300);
            assert_false(s.certificate.cone_violation_force <= 1e300);
        }
}

static void no_contacts(void **state)
{
    (void)state;
    mo_problem p = {.dim = 3};
    mo_problem_residual s;
    mo_error err;
    assert_int_equal(mo_problem_certify(&p, NULL, NULL, &s, &err), MO_OK);
    assert_solved(&s, 0);
}

/* ---- random problems with known answers ------------------------------------------------------------- */

enum { CONTACTS = 40 };

typedef struct known {
    mo_problem p;
    double r[3 * CONTACTS], u[3 * CONTACTS];
} known;

static double symmetric_uniform(rng *g)
{
    return 2 * rng_uniform(g) - 1;
}

/* W = B B^T with B [n n/2]: half of the rank is missing */
static void fill_W(rng *g, size_t n, double *W)
{
    const size_t half = n / 2;
    double *B = malloc(n * half * sizeof *B);
    assert_non_null(B);
    for (size_t k = 0; k < n * half; k++)
        B[k] = symmetric_uniform(g);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            W[i * n + j] = 0;
            for (size_t k = 0; k < half; k++)
                W[i * n + j] += B[i * half + k] * B[j * half + k];
        }
    free(B);
}

/* M99 (4)(5): any z is x + y with x = r in K, y = -u~ in the polar cone, x.y = 0; u from u~ */
static void answer_of(rng *g, int dim, double mu, double *r, double *u)
{
    double z[3] = {0}, zt = 0;
    for (int i = 0; i < dim; i++) {
        z[i] = symmetric_uniform(g);
        zt = i > 0 ? hypot(zt, z[i]) : 0;
    }
    const double edge = (z[0] + mu * zt) / (1 + mu * mu);
    double normal = z[0], across = 1; // r_N, and the part of z_T that r_T is
    if (mu * zt <= -z[0])
        normal = across = 0;
    else if (zt > mu * z[0]) {
        normal = edge;
        across = mu * edge / zt;
    }
    r[0] = normal;
    double sliding = 0;
    for (int i = 1; i < dim; i++) {
        r[i] = across * z[i];
        u[i] = r[i] - z[i];
        sliding = hypot(sliding, u[i]);
    }
    u[0] = r[0] - z[0] - mu * sliding;
}

static void make_known(uint64_t seed, int dim, known *out)
{
    rng g = rng_seed(seed, 7);
    const size_t n = (size_t)dim * CONTACTS;
    double *W = malloc(n * n * sizeof *W), q[3 * CONTACTS], mu[CONTACTS];
    assert_non_null(W);
    fill_W(&g, n, W);
    for (size_t c = 0; c < CONTACTS; c++) {
        mu[c] = c % 5 == 0 ? 0 : 2 * rng_uniform(&g);
        answer_of(&g, dim, mu[c], out->r + (size_t)dim * c, out->u + (size_t)dim * c);
    }
    for (size_t i = 0; i < n; i++) {
        long double sum = (long double)out->u[i];
        for (size_t j = 0; j < n; j++)
            sum -= (long double)W[i * n + j] * (long double)out->r[j];
        q[i] = (double)sum;
    }
    mo_error err;
    assert_int_equal(mo_problem_from_dense(dim, CONTACTS, W, q, mu, &out->p, &err), MO_OK);
    free(W);
}

static void known_answers(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 10; seed++)
        for (int dim = 2; dim <= 3; dim++) {
            known k;
            mo_problem_residual s;
            mo_error err;
            make_known(seed, dim, &k);
            assert_int_equal(mo_problem_certify(&k.p, k.r, k.u, &s, &err), MO_OK);
            // q is rounded where |q| is about 10 |r|, everything else is nearly exact
            assert_close(s.residual, 0, 1e-15);
            assert_close(s.residual_fclib, 0, 1e-15);
            assert_close(s.certificate.balance, 0, 1e-15);
            assert_close(s.certificate.bipotential_gap, 0, 1e-13);
            // a change of one impulse by a part of itself shows at that size
            size_t largest = 0;
            for (size_t c = 0; c < CONTACTS; c++)
                if (k.r[(size_t)dim * c] > k.r[(size_t)dim * largest])
                    largest = c;
            k.r[(size_t)dim * largest] *= 1 + 1e-6;
            assert_int_equal(mo_problem_certify(&k.p, k.r, NULL, &s, &err), MO_OK);
            assert_in_range((uint64_t)(1e12 * s.residual), 1000, 100000000);
            mo_problem_free(&k.p);
        }
}

/* other units of force and velocity: W (velocity/force), q (velocity), r (force) */
static void units(void **state)
{
    (void)state;
    const double force = 0x1p13, velocity = 0x1p-9;
    known k;
    mo_problem_residual before, after;
    mo_error err;
    make_known(3, 3, &k);
    for (size_t i = 0; i < 3 * CONTACTS; i++)
        k.r[i] += i % 2 == 0 ? 0.01 : -0.02;
    assert_int_equal(mo_problem_certify(&k.p, k.r, NULL, &before, &err), MO_OK);
    for (size_t i = 0; i < k.p.start[CONTACTS] * 9; i++)
        k.p.W[i] *= velocity / force;
    for (size_t i = 0; i < 3 * CONTACTS; i++) {
        k.p.q[i] *= velocity;
        k.r[i] *= force;
    }
    assert_int_equal(mo_problem_certify(&k.p, k.r, NULL, &after, &err), MO_OK);
    assert_true(before.residual > 1e-3);
    assert_close(after.residual, before.residual, 1e-15);
    assert_close(after.certificate.bipotential_gap, force * velocity * before.certificate.bipotential_gap,
                 1e-12);
    assert_true(fabs(after.residual_fclib - before.residual_fclib) > 1e-6);
    mo_problem_free(&k.p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(open_stick_slide),
        cmocka_unit_test(wrong_answer),
        cmocka_unit_test(violations),
        cmocka_unit_test(without_friction),
        cmocka_unit_test(zero_block),
        cmocka_unit_test(small_denominators),
        cmocka_unit_test(scale_is_largest_eigenvalue),
        cmocka_unit_test(given_velocities),
        cmocka_unit_test(not_a_number),
        cmocka_unit_test(no_contacts),
        cmocka_unit_test(known_answers),
        cmocka_unit_test(units),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
