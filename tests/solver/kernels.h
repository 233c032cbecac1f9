/* Kernels of every width on a problem: they have to give the same bits. */
#ifndef TESTS_SOLVER_KERNELS_H
#define TESTS_SOLVER_KERNELS_H

#include <stdlib.h>
#include <string.h>

#include "problem/kernels.h"
#include "solver/contact3d.h"

/* What nlgs gives to kernels. */
static inline void solve_row(const step_problem *p, size_t row, const double b[3], double S[3])
{
    contact3_make_ready(&p->block3[row]);
    contact3_solve(&p->block3[row], b, S);
}

// groups by the kernels that are given, the rest by the plain ones
static inline void relax_with(const contact_range *r)
{
    const contact_kernels *k = r->grouped ? r->data : kernels_wide(1);
    kernels_of(r->p, k)->relax[r->p->dim - 2](r, solve_row);
}

static inline void apply_with(const contact_range *r)
{
    const contact_kernels *k = r->grouped ? r->data : kernels_wide(1);
    kernels_of(r->p, k)->apply[r->p->dim - 2](r);
}

static inline void press_with(const contact_range *r)
{
    const contact_kernels *k = r->grouped ? r->data : kernels_wide(1);
    kernels_of(r->p, k)->press[r->p->dim - 2](r);
}

// sweeps, then S added once more, then the sums of a certificate: everything kernels do
static inline void run_kernels(step_problem *p, const contact_kernels *k, double sum[JUDGE_SUMS][LANES])
{
    memset(p->S, 0, (size_t)p->dim * p->contacts * sizeof *p->S);
    refresh_velocities(p, NULL);
    for (int sweep = 0; sweep < 10; sweep++)
        for_contacts(p, NULL, 1, relax_with, k);
    for_contacts(p, NULL, 1, apply_with, k);
    kernels_of(p, k)->judge[p->dim - 2](&(contact_range){.p = p, .end = p->contacts / LANES * LANES}, sum);
}

/* After sweeps, another application of S, and a certificate. */
static inline void assert_same_for_all_widths(step_problem *p)
{
    const size_t n = (size_t)p->dim * p->contacts, freedoms = p->dim == 2 ? 3 : 6;
    double *S = malloc(n * sizeof *S), *u = malloc(freedoms * p->bodies * sizeof *u);
    double first[JUDGE_SUMS][LANES] = {{0}};
    run_kernels(p, kernels_wide(1), first);
    memcpy(S, p->S, n * sizeof *S);
    for (uint32_t b = 0; b < p->bodies; b++)
        memcpy(u + freedoms * b, body_velocity(p, b), freedoms * sizeof *u);
    assert_true(first[SUM_S2][0] > 0 && first[SUM_ERROR2][7] > 0);
    for (int width = 4; width <= 8; width += 4) {
        double sum[JUDGE_SUMS][LANES] = {{0}};
        if (kernels_wide(width) == NULL)
            continue;
        run_kernels(p, kernels_wide(width), sum);
        assert_memory_equal(sum, first, sizeof sum);
        assert_memory_equal(p->S, S, n * sizeof *S);
        for (uint32_t b = 0; b < p->bodies; b++)
            assert_memory_equal(u + freedoms * b, body_velocity(p, b), freedoms * sizeof *u);
    }
    free(S);
    free(u);
}

#endif
