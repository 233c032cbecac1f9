/*
 * Sweeps with half of W: one is the sweep of Gauss and Seidel with W~ written out in full; swept until
 * nothing changes, with loads taken anew, they solve the problem with W itself, by the certificate; what they
 * are not for is refused.  Problems: a row of contacts, each of which has to do with the three before and
 * after it, W = the blocks of spheres or any others on the diagonal and small ones beside it.
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
#include "solver/half_sweep.h"

enum { BAND = 3, ROW = 2 * BAND + 1 };

static double either_way(rng *random)
{
    return 2 * rng_uniform(random) - 1;
}

static size_t find(const mo_problem *p, size_t c, size_t d)
{
    size_t k = p->start[c];
    while (p->column[k] != d)
        k++;
    return k;
}

// blocks right of the diagonal: random, of the size `beside`; left of it their transposes
static void fill(mo_problem *p, bool spheres, double beside, rng *random)
{
    for (size_t c = 0; c < p->contacts; c++)
        for (size_t k = p->start[c]; k < p->start[c + 1]; k++) {
            const size_t d = p->column[k], of = d < c ? find(p, d, c) : 0;
            for (size_t i = 0; i < 9; i++)
                p->W[9 * k + i] = d < c ? p->W[9 * of + 3 * (i % 3) + i / 3] : beside * either_way(random);
            for (size_t i = 0; i < 3 && d == c; i++) {
                for (size_t j = 0; j < 3; j++)
                    p->W[9 * k + 3 * i + j] = spheres ? 0 : 0.2 * (i == j ? 0 : 1);
                p->W[9 * k + 4 * i] = i == 0 ? 1 : 3.5;
            }
        }
}

static mo_problem make(size_t contacts, bool spheres, double beside)
{
    mo_problem p = {.dim = 3, .contacts = contacts};
    rng random = rng_seed(7, 1);
    p.start = calloc(contacts + 1, sizeof *p.start);
    p.column = calloc(ROW * contacts, sizeof *p.column);
    p.W = calloc(ROW * contacts, 9 * sizeof *p.W);
    p.q = calloc(contacts, 3 * sizeof *p.q);
    p.mu = calloc(contacts, sizeof *p.mu);
    assert_true(p.start != NULL && p.column != NULL && p.W != NULL && p.q != NULL && p.mu != NULL);
    for (size_t c = 0, k = 0; c < contacts; c++) {
        for (size_t d = c < BAND ? 0 : c - BAND; d <= c + BAND && d < contacts; d++)
            p.column[k++] = (uint32_t)d;
        p.start[c + 1] = k;
        p.mu[c] = 0.1 + 0.4 * rng_uniform(&random);
        p.q[3 * c] = -0.2 + either_way(&random);
        p.q[3 * c + 1] = either_way(&random);
        p.q[3 * c + 2] = either_way(&random);
    }
    fill(&p, spheres, beside, &random);
    return p;
}

/* What a solver has ready. */
typedef struct ready {
    mo_problem p;
    size_t *diagonal;
    contact3 *block3;
    double *rho, *r, *u; /* r: one number more */
    arena memory;
    half_sweep half;
} ready;

static half_answer prepare(ready *s)
{
    const size_t contacts = s->p.contacts;
    s->memory = (arena){0};
    s->diagonal = arena_push(&s->memory, contacts, sizeof *s->diagonal);
    s->block3 = arena_push(&s->memory, contacts, sizeof *s->block3);
    s->rho = arena_push(&s->memory, contacts, sizeof *s->rho);
    s->r = arena_push_zero(&s->memory, 3 * contacts + 1, sizeof *s->r);
    s->u = arena_push_zero(&s->memory, 3 * contacts, sizeof *s->u);
    assert_true(s->diagonal != NULL && s->block3 != NULL && s->rho != NULL && s->r != NULL && s->u != NULL);
    for (size_t c = 0; c < contacts; c++) {
        s->diagonal[c] = find(&s->p, c, c);
        s->rho[c] = 1 / 3.5;
        contact3_prepare(&s->block3[c], s->p.W + 9 * s->diagonal[c], s->p.mu[c]);
    }
    return half_sweep_make(&s->p, s->diagonal, s->block3, s->rho, &s->memory, &s->half);
}

static void finish(ready *s)
{
    arena_free(&s->memory);
    mo_problem_free(&s->p);
}

// u := W r + q, or W~ r + q
static void product(const mo_problem *p, const contact3 *own, const double *r, double *u)
{
    for (size_t c = 0; c < p->contacts; c++) {
        memcpy(u + 3 * c, p->q + 3 * c, 3 * sizeof *u);
        for (size_t k = p->start[c]; k < p->start[c + 1]; k++)
            for (size_t i = 0; i < 9; i++) {
                double w = p->W[9 * k + i];
                if (own != NULL)
                    w = p->column[k] == c ? own[c].H[i] : (double)(float)w;
                u[3 * c + i / 3] += w * r[3 * p->column[k] + i % 3];
            }
    }
}

static void test_one_sweep(void **state)
{
    (void)state;
    for (int spheres = 0; spheres < 2; spheres++) {
        ready s = {.p = make(50, spheres != 0, 0.1)};
        double plain[150] = {0}, u[150];
        assert_int_equal(prepare(&s), HALF_MADE);
        half_sweep_load(&s.half, s.r, s.p.q);
        for (int sweep = 0; sweep < 3; sweep++) {
            double change = 0, size = 0;
            for (size_t c = 0; c < 50; c++) {
                const double *H = s.block3[c].H, *x = plain + 3 * c;
                double b[3], new[3];
                product(&s.p, s.block3, plain, u);
                for (size_t i = 0; i < 3; i++)
                    b[i] = u[3 * c + i] - (H[3 * i] * x[0] + H[3 * i + 1] * x[1] + H[3 * i + 2] * x[2]);
                contact3_solve(&s.block3[c], b, new);
                for (size_t i = 0; i < 3; i++) {
                    change += 3.5 * (new[i] - plain[3 * c + i]) * (new[i] - plain[3 * c + i]);
                    size += 3.5 * new[i] * new[i];
                    plain[3 * c + i] = new[i];
                }
            }
            half_travel t = half_sweep_run(&s.half, s.r);
            // sums of at most 22 terms of size 4, in another order, and a solution that hardly enlarges that
            for (size_t i = 0; i < 150; i++)
                assert_true(fabs(s.r[i] - plain[i]) <= 1e-13);
            assert_true(fabs(t.change - change) <= 1e-12 && fabs(t.size - size) <= 1e-12 && size > 1);
        }
        finish(&s);
    }
}

// sweeps from loads of the exact W until nothing changes
static double swept_residual(ready *s)
{
    mo_problem_residual found;
    mo_error err;
    for (int k = 0; k < 12; k++) {
        product(&s->p, NULL, s->r, s->u);
        half_sweep_load(&s->half, s->r, s->u);
        for (int sweep = 0; sweep < 30; sweep++)
            half_sweep_run(&s->half, s->r);
    }
    assert_int_equal(mo_problem_certify(&s->p, s->r, NULL, &found, &err), MO_OK);
    return fmax(found.residual, found.residual_fclib);
}

// W need be neither representable in single precision nor symmetric to rounding
static void test_fixed_point(void **state)
{
    (void)state;
    for (int spheres = 0; spheres < 2; spheres++) {
        ready s = {.p = make(200, spheres != 0, 0.05)};
        rng random = rng_seed(3, 1);
        for (size_t i = 0; i < 9 * s.p.start[200]; i++)
            s.p.W[i] *= 1 + 1e-8 * either_way(&random);
        assert_int_equal(prepare(&s), HALF_MADE);
        assert_true(swept_residual(&s) < 1e-14);
        finish(&s);
    }
}

static void refuse(ready s)
{
    assert_int_equal(prepare(&s), HALF_UNFIT);
    finish(&s);
}

static void test_unfit(void **state)
{
    (void)state;
    ready s = {.p = make(20, true, 0.1)};
    s.p.W[9 * find(&s.p, 5, 7) + 2] += 1e-3;
    refuse(s);
    // beyond what single precision holds
    s = (ready){.p = make(20, true, 0.1)};
    for (size_t i = 0; i < 9 * s.p.start[20]; i++)
        s.p.W[i] *= 1e32;
    refuse(s);
    // a block without its transpose, on either side of the diagonal
    for (uint32_t side = 0; side < 2; side++) {
        s = (ready){.p = make(20, true, 0.1)};
        const size_t gone = side == 0 ? find(&s.p, 10, 12) : find(&s.p, 12, 10), all = s.p.start[20];
        memmove(s.p.column + gone, s.p.column + gone + 1, (all - gone - 1) * sizeof *s.p.column);
        memmove(s.p.W + 9 * gone, s.p.W + 9 * (gone + 1), 9 * (all - gone - 1) * sizeof *s.p.W);
        for (size_t c = side == 0 ? 11 : 13; c <= 20; c++)
            s.p.start[c]--;
        refuse(s);
    }
}

// where no cache holds W: by nlgs, which then sweeps with half of it
static void test_large(void **state)
{
    (void)state;
    for (double tol = 1e-6; tol > 1e-13; tol *= 1e-6) {
        mo_problem p = make(60000, true, 0.1);
        mo_solver_settings settings = mo_default_solver_settings();
        mo_problem_info info;
        mo_error err;
        double *r = calloc(3 * p.contacts, sizeof *r);
        assert_non_null(r);
        settings.tol = tol;
        assert_int_equal(mo_problem_solve(&p, "nlgs", &settings, r, NULL, &info, &err), MO_OK);
        assert_true(info.solved && info.iterations < 60);
        free(r);
        mo_problem_free(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_sweep),
        cmocka_unit_test(test_fixed_point),
        cmocka_unit_test(test_unfit),
        cmocka_unit_test(test_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
