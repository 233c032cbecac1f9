/* The part that all workers share: requests, repetitions, medians, residuals. */
#define _XOPEN_SOURCE 700 /* setitimer */
#include "peers/worker.h"

#include "math/vec.h"
#include "peers/peers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { MOST_RUNS = 101 };

typedef struct request {
    char name[64];
    double tol, asked, limit, budget;
} request;

// the thread's clock: that of the process goes by ticks while a timer is set
double worker_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void worker_limit(double seconds)
{
    struct itimerval timer = {.it_value = {.tv_sec = (time_t)floor(seconds)}};
    timer.it_value.tv_usec = (suseconds_t)(1e6 * (seconds - floor(seconds)));
    setitimer(ITIMER_PROF, &timer, NULL);
}

static bool one_solve(const worker_backend *backend, const mo_problem *p, const request *q, double *r,
                      solve_outcome *out)
{
    memset(r, 0, (size_t)p->dim * p->contacts * sizeof *r);
    worker_limit(q->limit);
    const bool ok = backend->solve(p, q->name, q->asked, r, out);
    worker_limit(0);
    return ok;
}

// v times factor; NULL: no memory
static double *scaled(size_t n, const double *v, double factor)
{
    double *out = calloc(n + 1, sizeof *out);
    for (size_t i = 0; i < n && out != NULL; i++)
        out[i] = factor * v[i];
    return out;
}

// both residuals of r, in units of impulse that make q of size 1: mo_problem_certify does not divide by norms
// of rounding size
static void certify(const mo_problem *p, const double *r, mo_problem_residual *found)
{
    const size_t n = (size_t)p->dim * p->contacts;
    const double most = vec_max_abs(n, p->q);
    const double factor = most > 0 ? ldexp(1, -ilogb(most)) : 1;
    mo_problem same = *p;
    same.q = scaled(n, p->q, factor);
    double *impulses = scaled(n, r, factor);
    mo_error err;
    if (same.q == NULL || impulses == NULL || mo_problem_certify(&same, impulses, NULL, found, &err) != MO_OK)
        found->residual = found->residual_fclib = HUGE_VAL;
    free(same.q);
    free(impulses);
}

static bool counts(const mo_problem_residual *found, double tol)
{
    return found->residual_fclib <= tol && found->residual <= 10 * tol;
}

// at least three solves, unless they are long; more until the budget is spent
static int repeat(const worker_backend *backend, const mo_problem *p, const request *q, double *r,
                  double *seconds, solve_outcome *out)
{
    int runs = 1;
    double spent = seconds[0];
    while (runs < MOST_RUNS && (spent < q->budget || (runs < 3 && seconds[0] < 10 * q->budget))) {
        if (!one_solve(backend, p, q, r, out))
            break;
        seconds[runs++] = out->seconds;
        spent += out->seconds + 2e-5; /* what surrounds a short solve takes time too */
    }
    return runs;
}

static void answer(FILE *to, const worker_backend *backend, const mo_problem *p, const request *q, double *r)
{
    double seconds[MOST_RUNS];
    solve_outcome out = {0};
    mo_problem_residual found = {.residual = HUGE_VAL, .residual_fclib = HUGE_VAL};
    int runs = 0;
    if (one_solve(backend, p, q, r, &out)) {
        seconds[runs++] = out.seconds;
        certify(p, r, &found);
        if (counts(&found, q->tol)) {
            runs = repeat(backend, p, q, r, seconds, &out);
            certify(p, r, &found);
        }
    }
    fprintf(to, "%.9g %.6g %.6g %d %d %s\n", peer_median(seconds, (size_t)runs), found.residual,
            found.residual_fclib, out.iterations, runs, out.story);
    fflush(to);
}

static int serve(FILE *to, const char *path, const worker_backend *backend)
{
    mo_problem_file file;
    mo_error err;
    request q;
    char line[256];
    if (mo_problem_read(path, &file, &err) != MO_OK) {
        fprintf(to, "%s\n", err.message);
        return 1;
    }
    double *r = calloc((size_t)file.local.dim * file.local.contacts + 1, sizeof *r);
    if (r == NULL)
        return 1;
    fprintf(to, "problem %d %zu\n", file.local.dim, file.local.contacts);
    fflush(to);
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (sscanf(line, "%63s %lf %lf %lf %lf", q.name, &q.tol, &q.asked, &q.limit, &q.budget) != 5) {
            fprintf(to, "expected NAME TOL ASKED LIMIT BUDGET\n");
            break;
        }
        answer(to, backend, &file.local, &q, r);
    }
    free(r);
    mo_problem_file_free(&file);
    return 0;
}

int worker_main(int argc, char **argv, const worker_backend *backend)
{
    if (argc == 3 && strcmp(argv[1], "--list") == 0) {
        for (size_t i = 0; backend->name(atoi(argv[2]), i) != NULL; i++)
            puts(backend->name(atoi(argv[2]), i));
        return 0;
    }
    if (argc != 2) {
        fprintf(stderr, "usage: %s FILE.hdf5 | --list DIM\n", argv[0]);
        return 2;
    }
    // answers go where standard output went; what solvers print goes nowhere
    FILE *to = fdopen(dup(STDOUT_FILENO), "w");
    if (to == NULL || freopen("/dev/null", "w", stdout) == NULL)
        return 1;
    const int code = serve(to, argv[1], backend);
    fclose(to);
    return code;
}
