/*
 * Linear systems in 2D whose rows change one at a time: M x = b, where each of the two rows of a contact is
 * one of
 *
 *   ROW_VELOCITY   (Ws x + alpha x)_i                its velocity
 *   ROW_NOTHING    x_N                               its normal impulse
 *   ROW_PLUS       x_T - mu x_N,   ROW_MINUS   x_T + mu x_N      the distance to a border of its cone
 *
 * M is factored (local_linear.h); a row that is replaced then is a change of rank one, M' = M + e v^T, so
 * that with z = M^-1 e
 *
 *   M'^-1 b = x - z (v.x) / (1 + v.z),    x = M^-1 b                         (Sherman & Morrison 1950),
 *
 * one change after the other, in the order in which they were made.
 */
#ifndef SOLVER_REPLACED_ROWS_H
#define SOLVER_REPLACED_ROWS_H

#include "solver/local_linear.h"

typedef enum row_kind { ROW_VELOCITY, ROW_NOTHING, ROW_PLUS, ROW_MINUS } row_kind;

/* Rows replaced before factors are made anew: solving costs about as much more as the factors then. */
enum { ROWS_MOST = 32 };

typedef struct replaced_row {
    uint32_t row;
    uint8_t before, after; /* row_kind */
    double scale;          /* 1 / (1 + v.z) */
} replaced_row;

typedef struct replaced_rows {
    local_work *w;
    double alpha;
    uint8_t *kind; /* [n] row_kind */
    double *z;     /* [ROWS_MOST][n] */
    double *unit;  /* [n] zeros */
    int count;
    replaced_row replaced[ROWS_MOST];
} replaced_rows;

/* From w->memory; false: none left. */
bool replaced_rows_make(replaced_rows *m, local_work *w);

/* Factors the matrix of the kinds as they are; false: not finite, or late. */
bool replaced_rows_factor(replaced_rows *m);

/* Changes a row; its z and scale are the last ones then.  false: there is no room, or M is too nearly
   singular for it: the kind has changed, the factors have to be made anew. */
bool replaced_rows_change(replaced_rows *m, size_t row, row_kind kind);

/* The row applied to x [n]. */
double replaced_rows_apply(const replaced_rows *m, size_t row, row_kind kind, const double *x);

/* x := M^-1 b, the rows just factored; with a step of refinement. */
void replaced_rows_solve(const replaced_rows *m, const double *b, double *x);

/* y := Ws x + alpha x + load */
void replaced_rows_velocity(const replaced_rows *m, const double *x, const double *load, double *y);

#endif
