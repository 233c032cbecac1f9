/*
 * The residual that the solvers go by, which is taken of groups of contacts side by side: that of
 * mo_problem_certify, which is computed contact after contact in long double, for any number of contacts.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/rng.h"
#include "problem/block.h"
#include "solver/local.h"
#include "support/close.h"

enum { MOST = 70, MOST_ROWS = 3 * MOST };

static double sign(rng *random)
{
    return 2 * rng_uniform(random) - 1;
}

// a row of bodies, each in touch with the next: W is block tridiagonal, its diagonal blocks 2 I and more
static void make(int dim, size_t contacts, rng *random, mo_problem *p)
{
    static double W[MOST_ROWS * MOST_ROWS];
    double q[MOST_ROWS], mu[MOST];
    const size_t n = (size_t)dim * contacts;
    memset(W, 0, sizeof W);
    for (size_t i = 0; i < n; i++) {
        q[i] = sign(random);
        for (size_t j = 0; j < n; j++)
            if (i / (size_t)dim <= j / (size_t)dim + 1 && j / (size_t)dim <= i / (size_t)dim + 1)
                W[n * i + j] = 0.3 * sign(random) + (i == j ? 2 : 0);
    }
    for (size_t c = 0; c < contacts; c++)
        mu[c] = rng_uniform(random) < 0.2 ? 0 : rng_uniform(random);
    assert_int_equal(mo_problem_from_dense(dim, contacts, W, q, mu, p, NULL), MO_OK);
}

// what local.c prepares
static void prepare(const mo_problem *p, double room[5 * MOST_ROWS], local_work *w)
{
    const size_t dim = (size_t)p->dim, n = dim * p->contacts;
    *w = (local_work){.p = p, .n = n, .answer = -1};
    w->rho = room;
    w->u = room + n;
    w->asked = room + 2 * n;
    for (size_t c = 0; c < p->contacts; c++)
        for (size_t k = p->start[c]; k < p->start[c + 1]; k++)
            if (p->column[k] == c)
                w->rho[c] = block_rho(p->dim, p->W + dim * dim * k);
    for (size_t i = 0; i < n; i++) {
        w->norm_q = hypot(w->norm_q, p->q[i]);
        w->norm_rho_q = hypot(w->norm_rho_q, w->rho[i / dim] * p->q[i]);
    }
}

// impulses of contacts that are open, inside their cones, on them, far beside them and pulling
static void impulses(const mo_problem *p, rng *random, double *r)
{
    const size_t dim = (size_t)p->dim;
    for (size_t c = 0; c < p->contacts; c++) {
        const double N = sign(random), T = p->mu[c] * (c % 3 == 0 ? 1 : 2 * rng_uniform(random)),
                     turn = 6 * rng_uniform(random);
        const double one[3] = {N, dim == 3 ? N * T * cos(turn) : N * T, N * T * sin(turn)};
        for (size_t i = 0; i < dim; i++)
            r[dim * c + i] = c % 5 == 4 ? 0 : one[i];
    }
}

// the larger residual of the certificate, and the share of the load that pushes in where it counts
static double expected(const mo_problem *p, const local_work *w, const double *r)
{
    const size_t dim = (size_t)p->dim;
    mo_problem_residual judged;
    double u[MOST_ROWS], inward = 0;
    assert_int_equal(mo_problem_certify(p, r, NULL, &judged, NULL), MO_OK);
    local_velocity(p, r, u);
    for (size_t c = 0; c < p->contacts; c++)
        inward = hypot(inward, fmax(-w->rho[c] * u[dim * c], 0));
    const double share = inward / w->norm_rho_q;
    return fmax(fmax(judged.residual, judged.residual_fclib), share > 0.1 ? share : 0);
}

static void is_that_of_the_certificate(void **state)
{
    (void)state;
    static const size_t COUNTS[] = {1, 2, 7, 31, 32, 33, 63, 64, 65, MOST};
    rng random = rng_seed(21, 4);
    for (size_t k = 0; k < 2 * sizeof COUNTS / sizeof *COUNTS; k++) {
        double room[5 * MOST_ROWS], r[MOST_ROWS];
        mo_problem p;
        local_work w;
        make(2 + (int)(k % 2), COUNTS[k / 2], &random, &p);
        prepare(&p, room, &w);
        for (int i = 0; i < 20; i++) {
            impulses(&p, &random, r);
            const double answer = local_residual(&w, r);
            // a few roundings of a sum of 70 contacts and of u, whose row has three blocks
            assert_close(answer, expected(&p, &w, r), 1e-13 * answer);
        }
        mo_problem_free(&p);
    }
}

// asked for the same point again it says the same; for another one, also after u was used otherwise, what
// that has
static void remembers_one_point(void **state)
{
    (void)state;
    rng random = rng_seed(22, 4);
    double room[5 * MOST_ROWS], a[MOST_ROWS], b[MOST_ROWS], u[MOST_ROWS];
    mo_problem p;
    local_work w;
    make(3, 40, &random, &p);
    prepare(&p, room, &w);
    impulses(&p, &random, a);
    impulses(&p, &random, b);
    const double of_a = local_residual(&w, a), of_b = local_residual(&w, b);
    assert_true(of_a != of_b);
    assert_true(local_residual(&w, b) == of_b);
    assert_true(local_residual(&w, a) == of_a && local_residual(&w, a) == of_a);
    local_velocity(&p, a, u);
    assert_memory_equal(u, w.u, w.n * sizeof *u);
    // one number changed where it is kept
    a[17] += 1e-9;
    assert_true(local_residual(&w, a) != of_a);
    mo_problem_free(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_that_of_the_certificate),
        cmocka_unit_test(remembers_one_point),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
