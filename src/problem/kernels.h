/*
 * What is done to many contacts at once, for every width of the processor's registers; all of them give the
 * same bits.
 */
#ifndef PROBLEM_KERNELS_H
#define PROBLEM_KERNELS_H

#include "problem/apply.h"

/* Sums over contacts that a certificate is made of, LANES of each: contact i of a range adds to lane i %
 * LANES. */
enum { SUM_ERROR2, SUM_S2, SUM_Q2, SUM_COMPLEMENTARITY, SUM_GAP, MOST_FORCE2, MOST_VELOCITY, JUDGE_SUMS };

typedef void judge_fn(const contact_range *r, double sum[JUDGE_SUMS][LANES]);

/* Coulomb's law at one contact in 3D: S from b = U - H S (solver/contact3d.h). */
typedef void row_solver(const step_problem *p, size_t row, const double b[3], double S[3]);

typedef void relax_fn(const contact_range *r, row_solver *solve);

/*
 * [0]: 2D, [1]: 3D.  Ranges that are not a multiple of LANES are for the plain ones alone.
 *
 * relax: contact after contact solved exactly, one sweep over the range.  Contacts in 3D that slide, or whose
 * block is close to singular, are left to the solver given; others do not need it.
 * press: the same without friction, for impulses of one number, p->press.
 * apply: u += A⁻¹ G* S.
 * judge: adds what the certificate needs; r->two is not looked at.
 */
typedef struct kernel_set {
    relax_fn *relax[2];
    range_fn *press[2], *apply[2];
    judge_fn *judge[2];
} kernel_set;

/* Contacts of two round bodies at the end of a step, and where results go. */
typedef struct round_ends {
    size_t count;                  /* of all contacts */
    const uint32_t *slot1, *slot2; /* [count] */
    const double *normal, *S;      /* [dim count] */
    const double *gap;             /* [count] m */
    const double *radius;          /* [bodies] m */
    const double *after, *before;  /* [freedoms bodies] velocities */
    const double *force;           /* [freedoms bodies] is going to be added to */
    double *U;                     /* [dim count] velocities after */
    double *shove; /* impulse on the first body in world axes, torques on both: 4 numbers in 2D, 9 in 3D; of
                      contacts from number `first` on */
    size_t first;
} round_ends;

/* Of the contacts at[count].  loss: by impacts and by friction, J; the i-th adds to lane i % LANES. */
typedef void finish_fn(const round_ends *c, const uint32_t *at, size_t count, double loss[2][LANES]);

typedef struct contact_kernels {
    const kernel_set *round, *general;
    finish_fn *finish[2]; /* for 2D and 3D; of counts that are multiples of LANES, but for the plain ones */
} contact_kernels;

/* Those of one width (1, 4 or 8); NULL: not in this build, or not in this processor. */
const contact_kernels *kernels_wide(int width);

/* U, shoves and losses of contacts in two or three dimensions, with what the processor has. */
void finish_round(int dim, const round_ends *c, const uint32_t *at, size_t count, double loss[2][LANES]);

/* The widest that the processor has, or where the range is not made of groups the plain ones; of p's form. */
const kernel_set *kernels_for(const step_problem *p, bool grouped);

/* The same of one width that is there. */
static inline const kernel_set *kernels_of(const step_problem *p, const contact_kernels *k)
{
    return p->round != NULL ? k->round : k->general;
}

#endif
