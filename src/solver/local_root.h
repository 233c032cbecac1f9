/*
 * The linear systems of local_linear.h over bodies in place of contacts, where W = R R* is known
 * (problem/delassus_root.h).  With the scaled R, v = R* x and C = A + alpha B, a block per contact,
 *
 *   (A + B (R R* + alpha I)) x = b   is   (I + R* C^-1 B R) v = R* C^-1 b,   x = C^-1 (b - B R v).
 *
 * Bodies are fewer than contacts in all that is packed or built, and each has to do with its neighbours only,
 * not with all of their contacts.  For a contact that sticks C^-1 B is I / alpha: digits are lost where alpha
 * is small, which the caller sees by what is left of b.
 */
#ifndef SOLVER_LOCAL_ROOT_H
#define SOLVER_LOCAL_ROOT_H

#include "math/sparse_lu.h"
#include "problem/delassus_root.h"

/* pivots below this are all rounding: of a matrix over contacts, whose blocks have size about 1, and of one
 * over bodies, which is I and more */
#define TINY_PIVOT 1e-14

typedef struct local_root {
    const delassus_root *of;
    sparse_lu lu;              /* blocks [freedoms freedoms] of bodies */
    sparse_lu_slot (*slot)[4]; /* [contacts] of the blocks (side, side) */
    double *R;                 /* [contacts][2][dim freedoms] scaled */
    double *Ci, *E;            /* [contacts][dim dim] C^-1, C^-1 B */
    double *v, *t;             /* [bodies freedoms], [dim contacts] scratch */
} local_root;

/* Zero *r before; d [contacts]: scales of contacts; memory of all but the factors is the arena's.  false: not
 * enough. */
bool local_root_prepare(local_root *r, const delassus_root *of, const double *d, arena *memory);
void local_root_free(local_root *r);

/* Blocks of the factors for each body. */
double local_root_fill(const local_root *r);

/* A, B [contacts][dim dim].  false: some C has no inverse, not finite, or stopped (r->lu.pattern.stop). */
bool local_root_factor(local_root *r, const double *A, const double *B, double alpha);

/* y := R R* x */
void local_root_product(local_root *r, const double *x, double *y);

/* x := solution for b, without refinement. */
void local_root_solve(local_root *r, const double *b, double *x);

#endif
