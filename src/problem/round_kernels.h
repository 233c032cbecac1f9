/*
 * What is done to many contacts of round bodies at once, for every width of the processor's registers; all of
 * them give the same bits.
 */
#ifndef PROBLEM_ROUND_KERNELS_H
#define PROBLEM_ROUND_KERNELS_H

#include "problem/apply.h"

/* Sums over contacts that a certificate is made of, LANES of each: contact i of a range adds to lane i %
 * LANES. */
enum { SUM_ERROR2, SUM_S2, SUM_Q2, SUM_COMPLEMENTARITY, SUM_GAP, MOST_FORCE, MOST_VELOCITY, ROUND_SUMS };

typedef void round_judge(const contact_range *r, double sum[ROUND_SUMS][LANES]);

/* [0]: 2D, [1]: 3D.  Ranges that are not a multiple of LANES are for the plain ones alone. */
typedef struct round_kernels_of {
    range_fn *relax[2];    /* contact after contact solved exactly: one sweep over the range */
    range_fn *apply[2];    /* u += A⁻¹ G* S */
    round_judge *judge[2]; /* adds what the certificate needs; r->two is not looked at */
} round_kernels_of;

/* The widest that the processor has, or where the range is not made of groups the plain ones. */
const round_kernels_of *round_kernels(bool grouped);

/* Those of one width (1, 4 or 8); NULL: not in this build, or not in this processor. */
const round_kernels_of *round_kernels_wide(int width);

#endif
