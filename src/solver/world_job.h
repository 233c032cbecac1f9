/*
 * What the solvers of step problems are handed.
 */
#ifndef SOLVER_WORLD_JOB_H
#define SOLVER_WORLD_JOB_H

#include <moreau/solver.h>

#include "core/arena.h"
#include "core/parallel.h"
#include "core/timer.h"
#include "problem/step_problem.h"

typedef struct solve_job {
    step_problem *p;
    const mo_solver_settings *settings;
    pool *threads; /* NULL: one */
    double *sums;  /* scratch as for certify */
    arena *memory;
    double until; /* seconds_now() at which to stop; 0: never */
} solve_job;

/* Whether max_seconds are over. */
static inline bool job_late(const solve_job *j)
{
    return j->until > 0 && seconds_now() >= j->until;
}

static inline bool job_stopped(const solve_job *j)
{
    return j->settings->stop != NULL && j->settings->stop(j->settings->stop_data);
}

/* The same for nlgs_iterate; data: the job. */
static inline bool job_leave(void *data, const mo_solver_info *info)
{
    (void)info;
    return job_stopped(data);
}

static inline int least_int(int a, int b)
{
    return a < b ? a : b;
}

/* Whether there is nothing more to do, or no more to be done. */
static inline bool job_over(const solve_job *j, const mo_solver_info *info)
{
    return info->converged || !info->finite || info->capped_time || job_stopped(j) ||
           info->iterations >= j->settings->max_iter;
}

#endif
