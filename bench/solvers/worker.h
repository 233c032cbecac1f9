/*
 * A worker of the comparison of solvers: one process with one problem, asked line by line for solutions.
 *
 *   worker FILE.hdf5        says "problem DIM CONTACTS", then answers the requests on its standard input
 *   worker --list DIM       the names of its configurations, one per line
 *
 * A request is "NAME TOL ASKED LIMIT BUDGET": the tolerance that counts, the one handed to the solver,
 * seconds of processor time for one solve (the process is ended by a signal beyond them), and seconds to
 * spend on repetitions.  The answer is "SECONDS RESIDUAL RESIDUAL_FCLIB ITERATIONS RUNS STORY": the median
 * processor time of the solves alone, each from zero, both residuals recomputed by mo_problem_certify from
 * the impulses handed back.  A result that does not count (residual_fclib above tol, or residual above ten
 * times tol) is not repeated.
 */
#ifndef BENCH_SOLVERS_WORKER_H
#define BENCH_SOLVERS_WORKER_H

#include <moreau/problem.h>

/* What one solve took and said; the solver itself puts the impulses into r. */
typedef struct solve_outcome {
    double seconds;
    int iterations;
    char story[400]; /* one line, may be empty */
} solve_outcome;

typedef struct worker_backend {
    /* Name of configuration i for problems of a dimension; NULL when out of range. */
    const char *(*name)(int dim, size_t i);
    /* From r = 0; false when there is nothing to count (unknown name, too large a matrix, no answer). */
    bool (*solve)(const mo_problem *problem, const char *name, double asked, double *r, solve_outcome *out);
} worker_backend;

/* Processor time of this thread, s; all solvers here have one thread. */
double worker_clock(void);
/* Seconds of processor time after which SIGPROF ends the process; 0: none. */
void worker_limit(double seconds);
int worker_main(int argc, char **argv, const worker_backend *backend);

#endif
