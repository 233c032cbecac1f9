/*
 * Sweeps that go ahead of what they leave, on a step problem: by extrapolation (sweep_anderson.h), or with
 * momentum (sweep_momentum.h) where there are many contacts.  No matrix is formed.
 */
#ifndef SOLVER_WORLD_EXTRAPOLATE_H
#define SOLVER_WORLD_EXTRAPOLATE_H

#include "solver/world_job.h"

/*
 * Improves p->S until converged, capped or seen to get nowhere; the best point met is left in p->S, and
 * info's certificate and flags are those of it.  Without memory it does nothing.
 */
void extrapolate(const solve_job *j, mo_solver_info *info);

#endif
