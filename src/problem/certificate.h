/*
 * How well impulses S satisfy the law, from the problem's data and S alone (SPEC E4, D4).
 */
#ifndef PROBLEM_CERTIFICATE_H
#define PROBLEM_CERTIFICATE_H

#include <moreau/solver.h>

#include "core/parallel.h"
#include "problem/step_problem.h"

/*
 * Recomputes u from S (p->velocity), then everything but `balance`, which the integrator fills.
 * sums: scratch of certificate_scratch(p->contacts) doubles.
 */
void certify(const step_problem *p, pool *threads, double *sums, mo_certificate *out);

size_t certificate_scratch(size_t contacts);

#endif
