/*
 * Sparse factors L U of square matrices made of small blocks: pattern symmetric, numbers not.
 *
 * The order of elimination and the panels come from the pattern of blocks (sparse_cholesky_analyse).  Rows
 * change places only inside a panel; a pivot that stays too small there is replaced by a small number and the
 * answer mended by iterative refinement, which is the caller's affair (static pivoting: Li & Demmel, ACM
 * Trans. Math. Softw. 29 (2003) 110-140).  Sums are taken in an order fixed by the pattern.
 */
#ifndef MATH_SPARSE_LU_H
#define MATH_SPARSE_LU_H

#include "math/sparse_cholesky.h"

/* Zero it before the first use; it grows with the largest matrix seen. */
typedef struct sparse_lu {
    sparse_cholesky pattern;     /* of blocks; its numbers are not used */
    uint32_t n, block;           /* rows; rows of a block */
    size_t length;               /* of L, and of U */
    size_t *rows_at, *values_at; /* [panels + 1] into rows, and into L and U */
    uint32_t *rows;              /* rows of a panel, rising: its own, then those below */
    double *L;                   /* panels column by column, the square on the diagonal with its part of U */
    double *U;                   /* U^T in the same places, the square unused */
    uint32_t *pivot;             /* [n] row of the panel that changed places with this one */
    uint32_t *mark, *head, *next, *moving;            /* [n] scratch */
    double *x;                                        /* [n] scratch */
    double *update;                                   /* [PANEL_COLUMNS n] scratch */
    size_t room, room_rows, room_values, room_update; /* entries allocated */
} sparse_lu;

/* Where a block of the matrix is: entry (a, b) in values[a row + b column]. */
typedef struct sparse_lu_slot {
    size_t at;
    bool upper; /* values: f->U + at; else f->L + at */
    uint32_t row, column;
} sparse_lu_slot;

/*
 * Prepares for matrices of blocks x blocks blocks [block block]: block column j has blocks in the rows
 * index[start[j]] ... index[start[j + 1] - 1], without repetition, (i, j) and (j, i) both present; those on
 * the diagonal are always there.  false: no memory or too many entries.
 */
bool sparse_lu_analyse(sparse_lu *f, uint32_t blocks, uint32_t block, const size_t *start,
                       const uint32_t *index);

/* The place of block (i, j), which is in the pattern. */
sparse_lu_slot sparse_lu_find(const sparse_lu *f, uint32_t i, uint32_t j);

/* All entries zero; then the caller adds those of the matrix and factors.  false: stopped (f->pattern.stop).
 */
bool sparse_lu_clear(sparse_lu *f);

/* Factors; pivots below `tiny` in size become tiny.  Returns how many did, SIZE_MAX when not finite or
   stopped (f->pattern.stop). */
size_t sparse_lu_factor(sparse_lu *f, double tiny);

/* x := (L U)^-1 x */
void sparse_lu_solve(sparse_lu *f, double *x);

void sparse_lu_free(sparse_lu *f);

#endif
