/* Problems of one contact, by hand. */
#ifndef PROBLEM_ONE_CONTACT_H
#define PROBLEM_ONE_CONTACT_H

#include <moreau/problem.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/close.h"

/* W = size times the unit matrix; size 0: no block at all */
static inline mo_problem one_contact(int dim, double size, const double *q, double mu)
{
    double W[9] = {0};
    mo_problem p;
    mo_error err;
    for (int i = 0; i < dim; i++)
        W[i * dim + i] = size;
    assert_int_equal(mo_problem_from_dense(dim, 1, W, q, &mu, &p, &err), MO_OK);
    return p;
}

/* frees the problem */
static inline mo_problem_residual judge(mo_problem p, const double *r, const double *u)
{
    mo_problem_residual out;
    mo_error err;
    assert_int_equal(mo_problem_certify(&p, r, u, &out, &err), MO_OK);
    mo_problem_free(&p);
    return out;
}

static inline void assert_solved(const mo_problem_residual *s, double tolerance)
{
    assert_close(s->residual, 0, tolerance);
    assert_close(s->residual_fclib, 0, tolerance);
    assert_close(s->certificate.residual, 0, tolerance);
    assert_close(s->certificate.complementarity, 0, tolerance);
    assert_close(s->certificate.cone_violation_force, 0, tolerance);
    assert_close(s->certificate.cone_violation_velocity, 0, tolerance);
    assert_close(s->certificate.bipotential_gap, 0, tolerance);
}

#endif
