/*
 * A worker of the comparison of solvers: one process with one problem, asked line by line for solutions.
 *
 * This library's own is `moreau bench worker`, that of Siconos bench/solvers/siconos.c.
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
#ifndef APP_PEERS_WORKER_H
#define APP_PEERS_WORKER_H

#include <stdio.h>
#include <sys/types.h>

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
/* The worker with this library's solvers. */
int worker_own(int argc, char **argv);

/* ---- the side that asks ---------------------------------------------------------------------------- */

/* A worker process with one problem. */
typedef struct worker {
    pid_t pid; /* 0: none */
    FILE *to, *from;
    int dim;
    size_t contacts;
} worker;

typedef struct worker_request {
    const char *name;
    double tol, asked, limit, budget;
} worker_request;

typedef struct worker_answer {
    double seconds, residual, residual_fclib; /* seconds: the limit, where it ran out */
    int iterations, runs;
    const char *status; /* "solved", "missed", "refused", "time", "crash" */
    char story[400];
} worker_answer;

/* command: the worker's path and arguments before the problem's; ends with NULL.  False: it gave no problem,
 *trouble says why. */
bool worker_start(worker *w, const char *const *command, const char *problem, char *trouble, size_t size);
/* Starts it again where it was ended. */
worker_answer worker_ask(worker *w, const char *const *command, const char *problem, const worker_request *q);
void worker_stop(worker *w);
bool worker_solved(const worker_answer *answer);
/* Names of its configurations for a dimension, each on a line; false: none. */
bool worker_list(const char *const *command, int dim, char *names, size_t size);

#endif
