/*
 * Sweeps with half of a symmetric W in single precision: for problems in 3D whose W no cache holds, where
 * sweeps take the time that reading it takes.
 *
 *   W~: the blocks of W right of the diagonal rounded to single precision, their transposes left of it, and
 *   the blocks H that the sweeps solve with on the diagonal
 *
 * A block is read once in a sweep: when contact c is done its part in b_c of the contacts to come is added,
 * and what the new r_c does to them is handed on.  A sweep solves u = W~ r + load; with load = u - W~ r of an
 * r whose u = W r + q is known, the fixed point is the solution with W, to as many digits as r has settled
 * since.  W~ may therefore differ from W as long as it does so by little: rounding, unsymmetry of W, H.
 */
#ifndef SOLVER_HALF_SWEEP_H
#define SOLVER_HALF_SWEEP_H

#include <moreau/problem.h>

#include "core/arena.h"
#include "solver/contact3d.h"

typedef struct half_contact half_contact;

typedef struct half_sweep {
    size_t contacts;
    size_t *start;          /* [contacts + 1] */
    uint32_t *column;       /* [start[contacts]] > row, rising */
    float *block;           /* [9 start[contacts] + 1] by rows */
    half_contact *own;      /* [contacts] */
    const contact3 *block3; /* [contacts] */
    double *load, *ahead; /* [4 contacts] the fourth number is nobody's; ahead: load and what is handed on */
} half_sweep;

/* |change|² and |r|² of a sweep, contacts weighed with 1 / rho. */
typedef struct half_travel {
    double change, size;
} half_travel;

/* What a problem lacks for it, or memory. */
typedef enum half_answer { HALF_MADE, HALF_UNFIT, HALF_NO_MEMORY } half_answer;

/* diagonal, rho: those of local_work; block3: W_cc made ready, kept.  Memory is the arena's. */
half_answer half_sweep_make(const mo_problem *p, const size_t *diagonal, const contact3 *block3,
                            const double *rho, arena *memory, half_sweep *out);

/* load from r [3 contacts + 1] and u = W r + q [3 contacts]. */
void half_sweep_load(half_sweep *h, const double *r, const double *u);

/* Contact after contact; r [3 contacts + 1]. */
half_travel half_sweep_run(half_sweep *h, double *r);

#endif
