/*
 * A metric M = L L^T, L by Cholesky inside the envelope of M: dense, banded and block-diagonal matrices are
 * all rows that begin at some column first[i] <= i, and so is L.
 */
#ifndef CONVEX_METRIC_H
#define CONVEX_METRIC_H

#include <moreau/convex.h>

typedef struct metric_factor {
    bool identity, diagonal; /* identity: for any n */
    size_t n;
    double *inverse;     /* [n] 1 / L(i, i) */
    double *L;           /* envelope row by row, diagonal included */
    size_t *first, *row; /* [n] first column of row i; L(i, j) is L[row[i] + j] */
    size_t room, room_L; /* entries allocated */
} metric_factor;

/* Factors the metric; on failure the old factor is lost and the identity takes its place. */
mo_status metric_set(metric_factor *f, size_t n, const mo_metric *metric, mo_error *err);
void metric_free(metric_factor *f);

/* x := L^-1 x and x := L^-T x */
void metric_solve_lower(const metric_factor *f, double *x);
void metric_solve_upper(const metric_factor *f, double *x);

#endif
