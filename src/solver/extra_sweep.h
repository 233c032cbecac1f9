/*
 * Sweeps over step problems that have more than contacts (problem/extra.h).
 */
#ifndef SOLVER_EXTRA_SWEEP_H
#define SOLVER_EXTRA_SWEEP_H

#include "problem/apply.h"
#include "problem/extra.h"

/* Adds Z (of the contact's rows, joints felt) to the block of contact i and makes it ready again. */
void contact_feel(step_problem *p, size_t i, double (*Z)[6]);

/*
 * One sweep; relax: that of a range of contacts, which changes S and the velocities of the contact's own
 * bodies.  Contacts that joints feel come after the others, one by one, then turns, joints and boxes.
 */
void extra_sweep(step_problem *p, pool *threads, range_fn *relax);

#endif
