/*
 * Whether numbers z prove that a local problem has no solution (include/moreau/problem.h), from the problem
 * alone.  The changes W^T (z n) are at most 1e-14 of the sums of their terms' sizes, so that changes of W of
 * that share of each entry make them 0 (Oettli & Prager, Numer. Math. 6 (1964) 405-409); what z.q_N then is
 * cannot be mended by any impulse.
 */
#include <moreau/problem.h>

#include <math.h>
#include <stdlib.h>

#include "core/fail.h"
#include "problem/local.h"

/* Share of the data that may be rounding; least load, in units of the sum of its terms' sizes. */
#define WITNESS_ROUNDING 1e-14
#define WITNESS_LOAD 1e-10

/* terms: [2 dim contacts] cleared; the sums of a column and of their sizes */
static void add_columns(const mo_problem *p, const double *z, long double *terms)
{
    const size_t dim = (size_t)p->dim;
    for (size_t c = 0; c < p->contacts; c++)
        for (size_t k = p->start[c]; k < p->start[c + 1] && z[c] > 0; k++)
            for (size_t i = 0; i < dim; i++) {
                const long double term = (long double)z[c] * (long double)p->W[k * dim * dim + i];
                long double *at = terms + 2 * (dim * p->column[k] + i);
                at[0] += term;
                at[1] += fabsl(term);
            }
}

static mo_problem_witness judge(const mo_problem *p, const double *z, const long double *terms)
{
    const size_t dim = (size_t)p->dim;
    long double load = 0, size = 0, change = 0;
    bool sound = true;
    for (size_t c = 0; c < p->contacts; c++) {
        const long double term = (long double)z[c] * (long double)p->q[dim * c];
        load += term;
        size += fabsl(term);
        sound = sound && z[c] >= 0;
    }
    for (size_t i = 0; i < dim * p->contacts; i++)
        if (fabsl(terms[2 * i]) > change * terms[2 * i + 1])
            change = fabsl(terms[2 * i]) / terms[2 * i + 1];
    mo_problem_witness out = {.load = size > 0 ? (double)(load / size) : 0, .change = (double)change};
    out.proves = sound && out.load < -WITNESS_LOAD && out.change <= WITNESS_ROUNDING;
    return out;
}

mo_status problem_witness(const mo_problem *problem, const double *z, mo_problem_witness *out, mo_error *err)
{
    long double *terms = problem_calloc(2 * (size_t)problem->dim * problem->contacts, sizeof *terms);
    if (terms == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for %zu contacts", problem->contacts);
    add_columns(problem, z, terms);
    *out = judge(problem, z, terms);
    free(terms);
    return MO_OK;
}

mo_status mo_problem_check_witness(const mo_problem *problem, const double *z, mo_problem_witness *out,
                                   mo_error *err)
{
    mo_status status = mo_problem_check(problem, err);
    if (status == MO_OK && z == NULL && problem->contacts > 0)
        status = fail(err, MO_BAD_INPUT, "z", "is missing");
    if (status == MO_OK)
        status = problem_check_finite(z, problem->contacts, "z", err);
    return status == MO_OK ? problem_witness(problem, z, out, err) : status;
}
