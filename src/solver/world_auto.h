/*
 * `auto` of worlds: sweeps as long as they do, then what else there is.
 */
#ifndef SOLVER_WORLD_AUTO_H
#define SOLVER_WORLD_AUTO_H

#include "solver/nlgs.h"
#include "solver/world_job.h"

/* The problem has contacts, info is cleared. */
void auto_solve(const solve_job *j, mo_solver_info *info);

/* The same from what was solved already, as long as it is cheap. */
void auto_settle(const solve_job *j, mo_solver_info *info);

#endif
