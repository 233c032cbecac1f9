/*
 * One step of a subspace method: with every contact's status held as it is, the velocities that should vanish
 * are made to vanish by a Krylov iteration.  Stacks and walls, on which Gauss-Seidel crawls, are solved so in
 * a few dozen products.
 */
#ifndef SOLVER_SUBSPACE_H
#define SOLVER_SUBSPACE_H

#include "problem/step_problem.h"

/*
 * Changes p->S; p->velocity must be consistent with it before and is not after.  Sticking contacts: both
 * components are free; sliding ones: along the edge of the cone; frictionless ones: the normal one; open
 * ones: none.  What leaves its cone is put back.  Needs p->spare.  max_iter:
 * steps of the iteration, each as dear as two sweeps.
 */
void subspace_step(step_problem *p, int max_iter);

#endif
