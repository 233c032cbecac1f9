/*
 * Sweeps with half of a symmetric W in single precision: for problems in 3D whose W no cache holds, where
 * sweeps take the time that reading it takes.
 *
 *   W~: the blocks of W on one side rounded to single precision, their transposes on the other, and the
 *   blocks H that the sweeps solve with on the diagonal
 *   r = base + unit d: base an r whose u = W r + q is known, d in single precision
 *
 * A sweep solves (u - H base_c)_base + H r_c + sum over others of unit W~ d and Coulomb's law for r_c,
 * contact after contact.  With d = 0 the velocities are those of W: the fixed point is the solution with W,
 * to as many digits as r has settled since the base was taken.  W~ may therefore differ from W, and sums be
 * as rough, as long as it is by little: rounding, unsymmetry of W, H.
 *
 * Every other tile of HALF_TILE contacts is swept first, then those between.  (From end to end of the packing
 * loads would be carried one way only, and momentum swings.)  A block is read once in a sweep: when contact c
 * is done, its part in what comes later is handed on.
 */
#ifndef SOLVER_HALF_SWEEP_H
#define SOLVER_HALF_SWEEP_H

#include <moreau/problem.h>

#include "core/arena.h"
#include "solver/contact3d.h"

/* Its places fit into the nearest caches. */
enum { HALF_TILE = 4096 };

typedef struct half_contact half_contact;
typedef struct half_place half_place;

typedef struct half_sweep {
    size_t contacts;
    double unit;            /* of d, a power of two */
    const contact3 *block3; /* [contacts] of the problem */
    uint32_t *order;        /* [contacts] of the problem, as they are swept; below in this order */
    size_t *start;          /* [contacts + 1] */
    uint32_t *column;       /* [start[contacts]] > row, and room to look ahead */
    float *block;           /* [9 start[contacts] + 1] by rows */
    half_contact *own;      /* [contacts] */
    half_place *place;      /* [contacts] d, and what others have handed on */
    float *before;          /* [4 contacts] d that the sweep before left, for momentum */
} half_sweep;

/* Of a sweep, contacts weighed with 1 / rho: |change|², |r|², and change times the way since `before`. */
typedef struct half_travel {
    double change, size, along;
} half_travel;

/* What a problem lacks for it, or memory. */
typedef enum half_answer { HALF_MADE, HALF_UNFIT, HALF_NO_MEMORY } half_answer;

/* diagonal, rho: those of local_work; block3: W_cc made ready, kept; size: of r, roughly.  Memory is the
   arena's. */
half_answer half_sweep_make(const mo_problem *p, const size_t *diagonal, const contact3 *block3,
                            const double *rho, double size, arena *memory, half_sweep *out);

/* The base becomes r [3 contacts], the r to begin with or what half_sweep_read gave, with u = W r + q. */
void half_sweep_base(half_sweep *h, const double *r, const double *u);

/* Contact after contact. */
half_travel half_sweep_run(half_sweep *h);

/* r [3 contacts] from where it is, and to there (rounded). */
void half_sweep_read(const half_sweep *h, double *r);
void half_sweep_write(half_sweep *h, const double *r);

/* r := r + beta (r - before), before := the r that was; `before` is r where momentum begins. */
void half_sweep_begin(half_sweep *h);
void half_sweep_move(half_sweep *h, double beta);

#endif
