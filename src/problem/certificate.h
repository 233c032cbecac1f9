/*
 * How well impulses S satisfy the law, from the problem's data and S alone (SPEC E4, D4).
 */
#ifndef PROBLEM_CERTIFICATE_H
#define PROBLEM_CERTIFICATE_H

#include <moreau/solver.h>

#include "core/parallel.h"
#include "problem/step_problem.h"

/*
 * Recomputes u from S (p->velocity), then everything but `balance`, which the integrator fills.  A residual
 * above `enough` is looked at again: where no more is missed than the rounding of the bodies' speeds, it is
 * what is missed over these.
 * sums: scratch of certificate_scratch(p->contacts) doubles.
 */
void certify(step_problem *p, double enough, pool *threads, double *sums, mo_certificate *out);

size_t certificate_scratch(size_t contacts);

/* The residual of one contact in sixteen by the velocities as they are: is a look at all worth while? */
double residual_of_some(const step_problem *p);

/* What the residual is made of. */
typedef struct solution_size {
    double miss; /* |S - P_K(S - rho u~)|, N s */
    double S;    /* |S|, N s */
    double q;    /* |rho q|, N s: what is missed without impulses, and more */
} solution_size;

/* Of the last certify with these sums. */
solution_size certificate_size(const step_problem *p, const double *sums);

/* 1/lambda_max of the contact's own block, 1 where that is 0, NaN where it is not finite. */
double contact_rho(const step_problem *p, size_t i);

#endif
