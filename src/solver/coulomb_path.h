/*
 * A path of solutions of Coulomb's law in 2D, followed exactly: docs/theory/solvers.md.
 *
 * In scaled variables (local_linear.h) the pairs (X, Y) of a contact that meet the law make four pieces of
 * planes, joined along half lines:
 */
// clang-format off
/*
 *   open    X = 0,                   Y_N >= 0              joins plus where Y_T < 0, minus where Y_T > 0
 *   stick   |X_T| <= mu X_N,         Y = 0                 joins plus and minus
 *   plus    X_T =  mu X_N >= 0,      Y_N = 0,  Y_T <= 0
 *   minus   X_T = -mu X_N <= 0,      Y_N = 0,  Y_T >= 0
 */
// clang-format on
/*
 * so that (Ws + alpha I) X + q - Y = t d, with the law, is linear in each choice of pieces: its solutions are
 * a path of straight segments.  At each corner one contact changes its piece, which replaces one or two rows
 * of the linear system (replaced_rows.h); t may rise on the way.
 */
#ifndef SOLVER_COULOMB_PATH_H
#define SOLVER_COULOMB_PATH_H

#include "solver/replaced_rows.h"

typedef enum piece { PIECE_OPEN, PIECE_STICK, PIECE_PLUS, PIECE_MINUS } piece;

typedef enum path_end {
    PATH_ARRIVED, /* at t = 0 */
    PATH_LONG,    /* not there after as many pivots as were allowed */
    PATH_LOST     /* by rounding, or late */
} path_end;

typedef struct coulomb_path {
    replaced_rows rows;
    size_t contacts, n;
    double alpha;
    uint8_t *piece;              /* [contacts] */
    double *X, *Y, *dX, *dY, *d; /* [n] point; its change with t; load */
    double *q;                   /* [n] of the scaled problem */
    double *load;                /* [n] scratch */
    double t;
    int sense;   /* of t: 1, -1 */
    int allowed; /* rows replaced before factors are made anew; fewer where digits are lost */
    long pivots; /* in all */
    uint8_t *piece_then, *kind_then; /* where factors were made last, to go back to: [contacts], [n] */
    double t_then;
    int sense_then;
} coulomb_path;

/* From w->memory; false: none left. */
bool coulomb_path_make(coulomb_path *p, local_work *w);

/* The load d for which the path passes through X, Y, which meet the law, at t = 1. */
void coulomb_path_load(coulomb_path *p);

/* Follows it from t = 1 in the sense of falling t, for at most so many pivots; X, Y where it ends. */
path_end coulomb_path_follow(coulomb_path *p, long most);

#endif
