/*
 * A step problem handed to the methods of include/moreau/problem.h.
 */
#ifndef SOLVER_WORLD_LOCAL_H
#define SOLVER_WORLD_LOCAL_H

#include "solver/world_job.h"

typedef struct local_limits {
    const char *name; /* of the method */
    int max_iter;     /* of the method, in each round */
    int rounds;       /* while the method is content and the step's own residual is not: each with a finer
                         tolerance */
    double aim;       /* share of the tolerance aimed at first */
} local_limits;

/*
 * Forms W and q, solves from p->S and takes the answer if its residual, certified anew, is below that in
 * info.  p->velocity belongs to p->S afterwards.  true: info's certificate and flags are those of p->S;
 * false: nothing could be done (no memory, no such method), p->S is as it was.
 */
bool local_solve(const solve_job *j, const local_limits *limits, mo_solver_info *info);

#endif
