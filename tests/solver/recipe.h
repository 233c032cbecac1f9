/*
 * Random frictional contact problems built around a known solution, and whether a solver solves one, judged
 * by mo_problem_certify, which shares no code with the solvers.
 */
#ifndef TESTS_SOLVER_RECIPE_H
#define TESTS_SOLVER_RECIPE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <moreau/problem.h>

#include "core/rng.h"
#include "support/collection.h"

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

static inline double sign(rng *random)
{
    return 2 * rng_uniform(random) - 1;
}

// a third each open, sticking, sliding
static inline void known_pair(int dim, double mu, rng *random, double *r, double *u)
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

static inline void make(const recipe *k, uint64_t seed, mo_problem *out)
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
static inline bool solves(const mo_problem *p, const char *solver, double tol, mo_problem_info *info)
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

// how many of `count` problems of a kind a method solves
static inline int solved_of(const recipe *k, const char *solver, double tol, int count)
{
    int solved = 0;
    for (int seed = 1; seed <= count; seed++) {
        mo_problem p;
        mo_problem_info info;
        make(k, (uint64_t)seed, &p);
        solved += solves(&p, solver, tol, &info);
        mo_problem_free(&p);
    }
    return solved;
}

// units of impulse and velocity over sixteen orders do not matter
static inline void expect_any_units(const char *solver)
{
    for (double a = 1e-8; a < 2e8; a *= 1e8)
        for (double b = 1e-8; b < 2e8; b *= 1e8) {
            const recipe three = {3, 10, 40, 0.2, 0, a, b, 0.5}, two = {2, 15, 40, 0.2, 0, a, b, 0.5};
            assert_int_equal(solved_of(&three, solver, 1e-8, 5), 5);
            assert_int_equal(solved_of(&two, solver, 1e-8, 5), 5);
        }
}

/* A problem of the collection and the iterations that it may take. */
typedef struct real_problem {
    const char *name;
    int max_iter;
} real_problem;

// solves problems of the collection, or skips where there is none
static inline void check_real(const char *solver, double tol, size_t count, const real_problem *files)
{
    if (collection_folder() == NULL)
        skip();
    for (size_t i = 0; i < count; i++) {
        char path[1200];
        mo_problem_file file;
        mo_problem_info info;
        mo_solver_settings s = {.tol = tol, .max_iter = files[i].max_iter};
        snprintf(path, sizeof path, "%s/%s.hdf5", collection_folder(), files[i].name);
        assert_int_equal(mo_problem_read(path, &file, NULL), MO_OK);
        double *r = calloc((size_t)file.local.dim * file.local.contacts + 1, sizeof *r);
        assert_int_equal(mo_problem_solve(&file.local, solver, &s, r, NULL, &info, NULL), MO_OK);
        if (!info.solved)
            fail_msg("%s: %g %g after %d", files[i].name, info.reached.residual, info.reached.residual_fclib,
                     info.iterations);
        free(r);
        mo_problem_file_free(&file);
    }
}

#endif
