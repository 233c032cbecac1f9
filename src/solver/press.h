/*
 * Contacts pressed apart without friction: min ½ u.A u with G_N u + shift_N >= 0, by sweeps from u = 0.  The
 * velocities of p become u; friction, tangential shifts and whatever stands beside the contacts are not
 * looked at.
 */
#ifndef SOLVER_PRESS_H
#define SOLVER_PRESS_H

#include "core/parallel.h"
#include "problem/step_problem.h"

/* Impulses go to p->press.  false: what was found is not finite. */
bool press_apart(step_problem *p, int sweeps, pool *threads);

#endif
