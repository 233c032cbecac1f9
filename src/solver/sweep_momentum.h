/*
 * Sweeps r := T(r) with momentum, for problems with many contacts:
 *
 *   r_{k+1} = T(y_k),   y_{k+1} = r_{k+1} + beta_k (r_{k+1} - r_k),   beta_k = (t_k - 1) / t_{k+1},
 *   t_{k+1} = (1 + sqrt(1 + 4 t_k²)) / 2,   t_0 = 1
 *
 * after Nesterov, Soviet Mathematics Doklady 27 (1983) 372-376.  When a sweep changes r against the way that
 * r has gone, (T(y_k) - y_k).(r_{k+1} - r_k) < 0 in the metric of the contacts, or changes |T(y_k) - y_k|
 * grow, it begins anew, t_k = 1 (O'Donoghue & Candès, Foundations of Computational Mathematics 15 (2015)
 * 715-732).  It keeps two vectors and moves them once a sweep.  Velocities that belong to r, being affine in
 * it, follow with the same beta.
 */
#ifndef SOLVER_SWEEP_MOMENTUM_H
#define SOLVER_SWEEP_MOMENTUM_H

#include <stddef.h>

#include "core/parallel.h"

/* Its numbers alone, for vectors that somebody else keeps. */
typedef struct momentum_rule {
    double t, least; /* least: change of a sweep since it began, squared */
    int swings;      /* how often changes have grown */
} momentum_rule;

momentum_rule momentum_begin(void);
/* beta_k after a sweep: along: (T(y_k) - y_k).(r_{k+1} - r_k), change: |T(y_k) - y_k|². */
double momentum_next(momentum_rule *rule, double along, double change);

typedef struct sweep_momentum {
    size_t length;
    const double *weight; /* [length] of the metric, > 0 */
    double *from;         /* [length] y_k */
    double *before;       /* [length] r_k */
    double *products;     /* of the chunks, two each */
    momentum_rule rule;
    pool *threads;
} sweep_momentum;

/* How many doubles sweep_momentum_place takes. */
size_t sweep_momentum_room(size_t length);
/* threads: may be NULL; the bits do not depend on them. */
void sweep_momentum_place(sweep_momentum *m, size_t length, const double *weight, double *room,
                          pool *threads);

/* The sweeps begin at r. */
void sweep_momentum_start(sweep_momentum *m, const double *r);

/* r = T(y_k) becomes y_{k+1}; returns beta_k. */
double sweep_momentum_next(sweep_momentum *m, double *r);

#endif
