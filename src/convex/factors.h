/*
 * QR factors of the active rows: [g_1 ... g_q] = Q1 R, Q = [Q1 Q2] orthogonal, updated as rows come and go.
 *
 * Q is kept whole, so that the part of a new row that is independent of the active ones, Q2 Q2^T g, is known
 * to rounding even where the rows nearly depend on each other.
 */
#ifndef CONVEX_FACTORS_H
#define CONVEX_FACTORS_H

#include <stddef.h>

typedef struct factors {
    size_t n, q;    /* unknowns, active rows */
    double *Q;      /* [n n] column by column */
    double *R;      /* [n n] column by column, upper triangle of the first q */
    size_t *rows;   /* [n] which rows are active, in the order in which they came */
    double *lambda; /* [n] their multipliers */
} factors;

/* No active rows, Q = 1. */
void factors_reset(factors *f, size_t n);

/*
 * What adding g would do: dv = Q^T g [n], r = R^-1 Q1^T g [q], so that g = sum r_j g_j + Q2 Q2^T g.
 * Returns |Q2^T g|^2 and the sum of |r_j|.
 */
double factors_split(const factors *f, const double *g, double *dv, double *r, double *r_sum);

/* z := Q2 Q2^T g, from dv. */
void factors_free_part(const factors *f, const double *dv, double *z);

/* Adds row `row` with dv and z of the two functions above; z is overwritten. */
void factors_add(factors *f, size_t row, double lambda, const double *dv, double *z);

/* Removes the active row at position k. */
void factors_drop(factors *f, size_t k);

/* y in the span of the active rows with g_j.y = d_j (d indexed by position), and R^-1 R^-T d: y = sum m_j
 * g_j. */
void factors_solve(const factors *f, const double *d, double *y, double *multipliers);

#endif
