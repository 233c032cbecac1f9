/*
 * A metric M = L L^T, L by Cholesky inside the envelope of M: dense, banded and block-diagonal matrices are
 * all rows that begin at some column first[i] <= i, and so is L.
 */
#ifndef CONVEX_METRIC_H
#define CONVEX_METRIC_H

#include <moreau/convex.h>

typedef struct metric_factor {
    bool identity, diagonal; /* identity: for any n */
    mo_metric_kind kind;
    size_t n, width;
    double *inverse;             /* [n] 1 / L(i, i) */
    double *L;                   /* envelope row by row, diagonal included */
    double *M;                   /* the same of the metric itself, for kinds that are not dense */
    size_t *first, *row;         /* [n] first column of row i; L(i, j) is L[row[i] + j] */
    size_t room, room_L, room_M; /* entries allocated */
} metric_factor;

/* Factors the metric; on failure the old factor is lost and the identity takes its place. */
mo_status metric_set(metric_factor *f, size_t n, const mo_metric *metric, mo_error *err);
void metric_free(metric_factor *f);

/* y := M x, for kinds that are not dense; arrays of n unknowns. */
void metric_multiply(const metric_factor *f, size_t n, const double *x, double *y);

/* |L^-1 a| of a sparse row, for kinds that are not dense; scratch [n] is zero before and after. */
double metric_row_length(const metric_factor *f, size_t count, const uint32_t *column, const double *a,
                         double *scratch);

/* x := L^-1 x and x := L^-T x */
void metric_solve_lower(const metric_factor *f, double *x);
void metric_solve_upper(const metric_factor *f, double *x);

#endif
