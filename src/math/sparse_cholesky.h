/*
 * Sparse Cholesky factors P H P^T = L L^T of symmetric positive definite matrices.
 *
 * Three phases: analyse (pattern only: order, elimination tree, panels), add entries and factor (numbers),
 * solve.  Columns of L with the same rows below them, or nearly so, form a panel that is stored and worked on
 * as one dense matrix.  Sums are taken in an order fixed by the pattern: the same bits every time.
 * References: Liu, SIAM J. Matrix Anal. Appl. 11 (1990) 134-172; Ng & Peyton, SIAM J. Sci. Comput. 14 (1993)
 * 1034-1056.
 */
#ifndef MATH_SPARSE_CHOLESKY_H
#define MATH_SPARSE_CHOLESKY_H

#include "math/min_degree.h"

/* Zero it before the first use; it grows with the largest matrix seen. */
typedef struct sparse_cholesky {
    uint32_t n, panels;
    size_t length;               /* of L */
    uint32_t *order, *place;     /* [n] order[k] is eliminated as number k; the inverse */
    uint32_t *parent;            /* [n] elimination tree; n: a root */
    uint32_t *panel_of;          /* [n] */
    uint32_t *first;             /* [panels + 1] columns of a panel */
    size_t *rows_at, *values_at; /* [panels + 1] into rows and L */
    uint32_t *rows;              /* rows of a panel, rising: its own columns, then those below */
    double *L;                   /* panels column by column; above the diagonal: unused */
    uint32_t *count, *mark, *head, *next, *moving; /* [n] scratch */
    double *x;                                     /* [n] scratch */
    double *update;                                /* scratch: a column that one panel takes off another */
    min_degree graph;
    size_t limit; /* most entries of L that the caller wants; 0: 2^32 */
    /* asked often while numbers are factored: true ends it.  NULL: never asked; sparse_cholesky_free forgets
       it */
    bool (*stop)(const void *stop_data);
    const void *stop_data;
    uint32_t stopped; /* row of H whose pivot was not positive, when factoring failed */
    size_t room, room_rows, room_L, room_update; /* entries allocated */
} sparse_cholesky;

/*
 * Prepares for matrices with this pattern: column j has entries in the rows index[start[j]] ...
 * index[start[j + 1] - 1], without repetition, (i, j) and (j, i) both present; the diagonal need not be.
 * false: no memory, or more entries of L than the limit: `length` is beyond it then.
 */
bool sparse_cholesky_analyse(sparse_cholesky *f, uint32_t n, const size_t *start, const uint32_t *index);

/* Where the entry (i, j) of H, which is also (j, i), is added: f->L[slot] += value. */
uint32_t sparse_cholesky_slot(const sparse_cholesky *f, uint32_t i, uint32_t j);

/* All entries zero: then the caller adds those of H, each of (i, j) and (j, i) once, and factors.  false:
   stopped. */
bool sparse_cholesky_clear(sparse_cholesky *f);

/* false: a pivot is not positive, that of row `stopped`, or it was stopped (n). */
bool sparse_cholesky_factor(sparse_cholesky *f);

/* x := H^-1 x */
void sparse_cholesky_solve(sparse_cholesky *f, double *x);

/* x := L^-1 P x and x := P^T L^-T x, one after the other the same as the solve */
void sparse_cholesky_solve_lower(sparse_cholesky *f, double *x);
void sparse_cholesky_solve_upper(sparse_cholesky *f, double *x);

/* |L^-1 P a| of a vector with few entries, a[k] at column[k], in the time of the panels that it reaches.
   scratch [n] is zero before and after. */
double sparse_cholesky_length(sparse_cholesky *f, size_t count, const uint32_t *column, const double *a,
                              double *scratch);

static inline bool sparse_cholesky_stopped(const sparse_cholesky *f)
{
    return f->stop != NULL && f->stop(f->stop_data);
}

void sparse_cholesky_free(sparse_cholesky *f);

#endif
