/* Parts of the projection onto a moving set. */
#ifndef SWEEP_PROJECT_H
#define SWEEP_PROJECT_H

#include "sweep/rows.h"

/*
 * p := the point with A p >= r->b (equal: =) nearest to `from`; lambda its multipliers, may be NULL: for
 * sparse rows also where to start.  Dense m->rows start from m->guess.
 */
mo_status rows_nearest(moving *m, const gap_rows *r, bool equal, const double *from, double *p,
                       double *lambda, mo_projection_info *info, mo_error *err);

/* The outcome EMPTY, told with gaps that have multipliers. */
mo_status empty_told(moving *m);
/* Nearest point of a convex set by half-spaces that contain it, when all else failed; m->rows at any point.
 */
mo_status project_outer(moving *m, const double *z, double *x, mo_error *err);

/* out := K v, K = sum of lambda_i Hess g_i over m->rows, by central differences of `step` about x; v has
   length 1, moved [n] is scratch.  The rows are left elsewhere. */
mo_status curvature_apply(moving *m, const double *x, double step, const double *v, double *moved,
                          double *out, mo_error *err);
/* Length of those differences at x, for a point at this distance from it. */
double curvature_step(const moving *m, const double *x, double distance);

enum { NEWTON_MAX = 64 }; /* unknowns up to which Hessians are worth their price */
/*
 * Puts the Hessian 1 - K of the Lagrangian at x, plus as much of 1 as makes it positive definite, into
 * m->newton and the metric of the projector; m->rows stay at x.  *done false: it cannot be used.
 */
mo_status newton_metric(moving *m, const double *x, double distance, bool *done, mo_error *err);

/*
 * Whether x, the answer for z with m->rows at x, is a nearest point at least among its neighbours: |x - z|^2
 * / 2 - lambda.g is curved upwards along the tangent space of the gaps that hold.  Outcome NOT_UNIQUE when
 * not.
 */
mo_status curvature_check(moving *m, const double *z, const double *x, mo_error *err);

#endif
