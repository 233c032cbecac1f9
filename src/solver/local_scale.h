/*
 * Scaled variables of first-order methods: r = D x, y = D u with
 *
 *   D_c = diag(a, b, b),  a = W_NN^-1/2,  b = lambda_max(W_TT)^-1/2,   mu' = mu a / b.
 *
 * The law in x and y is that in r and u with mu' in place of mu, the shift with it; the diagonal blocks of
 * D W D have ones at the normals and at most ones at the tangents.
 */
#ifndef SOLVER_LOCAL_SCALE_H
#define SOLVER_LOCAL_SCALE_H

#include "solver/local.h"

typedef struct local_scale {
    double *d;  /* [n] */
    double *mu; /* [contacts] mu' */
} local_scale;

/* From w->memory; false: none left. */
bool local_scale_make(local_work *w, local_scale *out);

/* y := D (W D x + q), w->u := W D x + q, r := D x */
void local_scale_velocity(local_work *w, const local_scale *s, const double *x, double *r, double *y);

/* shift [contacts] := mu' |y_T| */
void local_scale_shift(const local_work *w, const local_scale *s, const double *y, double *shift);

/* out := P(z - step (y + shift n)), contact by contact; shift NULL: none */
void local_scale_project(const local_work *w, const local_scale *s, const double *z, double step,
                         const double *y, const double *shift, double *out);

/* |r - P(r - rho u~)| and FCLIB's, as local_residual, from y = D u; r: scratch for D x */
double local_scale_residual(local_work *w, const local_scale *s, const double *x, const double *y, double *r);

#endif
