/* Newton's method inside other methods: on the problem with a proximal term, in the scaled variables. */
#ifndef SOLVER_LOCAL_NEWTON_H
#define SOLVER_LOCAL_NEWTON_H

#include "solver/local_linear.h"

/* What local_newton_run works on, and what it used. */
typedef struct newton_run {
    double alpha;         /* weight of the proximal term, 0: none */
    const double *centre; /* [n] its centre, scaled */
    const double *u;      /* [n] W r + q where it begins, not scaled; NULL: not known */
    double rho;           /* of the function, > 0; 1: that of the residual */
    double tol;           /* on |F| / max(|x|, |D q|), and with alpha 0 on local_residual */
    int max_iter;
    int iterations; /* out */
    double reached; /* out: the residual meant by tol */
    bool arrived;   /* out: it is at or below tol */
} newton_run;

/* Improves x (r = D x) in place; leaves the best point met. */
mo_status local_newton_run(local_work *w, newton_run *run, double *x, mo_error *err);

#endif
