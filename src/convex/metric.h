/*
 * A metric M = L L^T, L by Cholesky inside the envelope of M: dense, banded and block-diagonal matrices are
 * all rows that begin at some column first[i] <= i, and so is L.  Sparse matrices are P^T L L^T P instead
 * (math/sparse_cholesky.h), and what is called L below is P^T L: lengths and products of L^-1 x do not know
 * the difference.
 */
#ifndef CONVEX_METRIC_H
#define CONVEX_METRIC_H

#include <moreau/convex.h>

#include "math/sparse_cholesky.h"

typedef struct metric_factor {
    bool identity, diagonal; /* identity: for any n */
    mo_metric_kind kind;
    size_t n, width;
    size_t length;               /* of M below */
    double *inverse;             /* [n] 1 / L(i, i) */
    double *L;                   /* envelope row by row, diagonal included */
    double *M;                   /* the same of the metric itself, for kinds that are not dense */
    size_t *first, *row;         /* [n] first column of row i; L(i, j) is L[row[i] + j] */
    size_t room, room_L, room_M; /* entries allocated */
    /* sparse: M(i, column[k]) is M[k], start[i] <= k < start[i + 1], columns rising, the last the diagonal */
    sparse_cholesky *cholesky;
    size_t *start;    /* [n + 1] */
    uint32_t *column; /* [length] */
    uint32_t *slot;   /* [length] place in the factor */
    size_t *near_at;  /* [n + 1] near[near_at[i]] ...: all columns of row i, on both sides of the diagonal */
    uint32_t *near;
    size_t pattern; /* counts the patterns analysed */
    size_t room_start, room_column;
} metric_factor;

/* Factors the metric; on failure the old factor is lost and the identity takes its place. */
mo_status metric_set(metric_factor *f, size_t n, const mo_metric *metric, mo_error *err);
void metric_free(metric_factor *f);

/* y := M x, for kinds that are not dense; arrays of n unknowns. */
void metric_multiply(const metric_factor *f, size_t n, const double *x, double *y);

/* |L^-1 a| of a sparse row, for kinds that are not dense; scratch [n] is zero before and after. */
double metric_row_length(const metric_factor *f, size_t count, const uint32_t *column, const double *a,
                         double *scratch);

/* MO_BAD_INPUT names what is wrong with the rows of a sparse matrix: start, column or entries. */
mo_status metric_check_rows(size_t n, const mo_metric *metric, mo_error *err);

/* metric_set, metric_free and metric_multiply of sparse matrices (metric_sparse.c). */
mo_status metric_set_sparse(metric_factor *f, size_t n, const mo_metric *metric, mo_error *err);
void metric_free_sparse(metric_factor *f);
void metric_multiply_sparse(const metric_factor *f, const double *x, double *y);

/* x := L^-1 x and x := L^-T x */
void metric_solve_lower(const metric_factor *f, double *x);
void metric_solve_upper(const metric_factor *f, double *x);

#endif
