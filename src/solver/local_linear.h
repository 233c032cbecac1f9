/*
 * The linear systems of Newton's method and of interior points: (A + B (Ws + alpha I)) x = b, with one block
 * of A and of B per contact and the scaled matrix Ws = D W D, D_c = sqrt(rho_c) I, whose diagonal blocks have
 * size 1: r = D x, y = D u.  Cones are the same in scaled variables, D_c being a number per contact.
 */
#ifndef SOLVER_LOCAL_LINEAR_H
#define SOLVER_LOCAL_LINEAR_H

#include "math/sparse_lu.h"
#include "solver/local.h"
#include "solver/local_root.h"

enum { NEWTON_ARRAYS = 7 };

struct local_linear {
    local_root root;      /* factors over bodies, where w->root is there */
    bool over_bodies;     /* the last factors are these */
    bool rough;           /* they will do although they have lost digits */
    sparse_lu lu;         /* factors over contacts, made ready when first needed */
    sparse_lu_slot *slot; /* [start[contacts]] of the blocks of W; NULL: not ready */
    sparse_lu_slot *own;  /* [contacts] of the blocks on the diagonal */
    double *d;            /* [contacts] sqrt(rho) */
    mo_problem scaled;    /* Ws, D q */
    double *zero;         /* [n] */
    double *A, *B;        /* [contacts][dim dim] by rows, set by the caller before local_linear_factor */
    double alpha;         /* of the last factors */
    double *rest, *Wx;    /* [n] scratch */
    double *newton;       /* [NEWTON_ARRAYS n] scratch of local_newton_run, which is called very often */
    arena memory;
};

/* w->linear, made on the first call: pattern, order, scales. */
mo_status local_linear_prepare(local_work *w, mo_error *err);

/* How many blocks the factors would have for each contact, or body; HUGE_VAL: no memory.  Takes as long as a
 * few sweeps. */
double local_linear_fill(local_work *w);
/* How many times dearer factors are than a product with W, by their products of blocks; takes as long. */
double local_linear_dearness(local_work *w);

/* local_late for the stop of factors. */
bool local_linear_stop(const void *work);

/* r := D x, and back; in place too.  D takes u to y as well. */
void local_linear_unscale(const local_work *w, const double *x, double *r);
void local_linear_scale(const local_work *w, const double *r, double *x);

/* y := Ws x, and that + D q */
void local_linear_product(const local_work *w, const double *x, double *y);
void local_linear_velocity(const local_work *w, const double *x, double *y);

/* Factors A + B (Ws + alpha I); false: not finite, or late. */
bool local_linear_factor(local_work *w, double alpha);

/* x := solution of (A + B (Ws + alpha I)) x = b, at most `mend` steps of iterative refinement. */
void local_linear_solve(local_work *w, const double *b, int mend, double *x);

#endif
