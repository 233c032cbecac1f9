/*
 * How the solution of a step's frictional contact problem grows with the number of contacts.
 *
 *   bench_large [solver] [tolerance] [contacts ...]
 *
 * Packings of spheres at rest under gravity (packing.h), on a lattice and at random, of about 10³, 10⁴ and
 * 10⁵ contacts, friction 0.3 to 0.5, each solved from zero.  Prints contacts, blocks of W per contact,
 * iterations, residuals, processor time of the solve, by how much the solve raised the most memory that the
 * process has had (bytes per contact), and the exponent of time fitted to all sizes.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "packing.h"

enum { MOST_SIZES = 16 };

typedef struct row {
    double contacts, seconds, bytes;
} row;

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double most_bytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return 1024.0 * (double)usage.ru_maxrss;
}

static mo_problem make(packing_kind kind, size_t contacts)
{
    packing place;
    mo_problem out;
    if (!packing_make(kind, contacts, 1, &place) || !packing_problem(&place, 1e-3, 0.3, 0.5, 1, &out)) {
        fprintf(stderr, "no memory for %zu contacts\n", contacts);
        exit(1);
    }
    packing_free(&place);
    return out;
}

static row bench(packing_kind kind, size_t contacts, const char *solver, double tol)
{
    mo_problem p = make(kind, contacts);
    size_t n = 3 * p.contacts, blocks = p.start[p.contacts];
    mo_solver_settings s = mo_default_solver_settings();
    mo_problem_info info;
    mo_error err;
    double *r = calloc(n, sizeof *r), least = HUGE_VAL, begin = processor_seconds();
    s.tol = tol;
    for (int k = 0; r != NULL && k < 20 && (k == 0 || processor_seconds() - begin < 0.3); k++) {
        double from = processor_seconds();
        memset(r, 0, n * sizeof *r);
        if (mo_problem_solve(&p, solver, &s, r, NULL, &info, &err) != MO_OK) {
            fprintf(stderr, "%s\n", err.message);
            exit(1);
        }
        least = fmin(least, processor_seconds() - from);
    }
    row out = {(double)p.contacts, least, most_bytes()};
    printf("%-8s %7zu %6.2f %-3s %6d %8.1e %8.1e %9.3f %9.0f  %s\n",
           kind == PACKING_LATTICE ? "lattice" : "deposit", p.contacts, (double)blocks / out.contacts,
           info.solved ? "yes" : "NO", info.iterations, info.reached.residual, info.reached.residual_fclib,
           least, out.bytes / out.contacts, info.story[0] != 0 ? info.story : info.solver);
    fflush(stdout);
    free(r);
    mo_problem_free(&p);
    return out;
}

// the same in a process of its own, so that its memory is known
static row bench_apart(packing_kind kind, size_t contacts, const char *solver, double tol)
{
    int ends[2], status = 1;
    row out = {1, 1, 1};
    fflush(stdout);
    pid_t child = pipe(ends) == 0 ? fork() : -1;
    if (child == 0) {
        out = bench(kind, contacts, solver, tol);
        _exit(write(ends[1], &out, sizeof out) == sizeof out ? 0 : 1);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || status != 0 ||
        read(ends[0], &out, sizeof out) != sizeof out) {
        fprintf(stderr, "%zu contacts: the process failed\n", contacts);
        exit(1);
    }
    close(ends[0]);
    close(ends[1]);
    return out;
}

static void print_exponents(size_t count, const row *rows)
{
    double contacts[MOST_SIZES], seconds[MOST_SIZES], bytes[MOST_SIZES];
    for (size_t i = 0; i < count; i++) {
        contacts[i] = rows[i].contacts;
        seconds[i] = rows[i].seconds;
        bytes[i] = rows[i].bytes;
    }
    printf("time grows like contacts^%.2f, memory like contacts^%.2f\n",
           growth_exponent(count, contacts, seconds), growth_exponent(count, contacts, bytes));
}

int main(int argc, char **argv)
{
    size_t sizes[MOST_SIZES] = {1000, 10000, 100000}, count = 3;
    const char *solver = argc > 1 ? argv[1] : "auto";
    double tol = argc > 2 ? atof(argv[2]) : 1e-6;
    if (argc > 3)
        for (count = 0; count < MOST_SIZES && (int)count + 3 < argc; count++)
            sizes[count] = (size_t)atof(argv[count + 3]);
    printf("%-8s %7s %6s %-3s %6s %8s %8s %9s %9s  story\n", "packing", "cont.", "blocks", "ok", "iter.",
           "residual", "fclib", "s", "B/contact");
    for (int kind = PACKING_LATTICE; kind <= PACKING_DEPOSIT; kind++) {
        row rows[MOST_SIZES];
        for (size_t i = 0; i < count; i++)
            rows[i] = bench_apart((packing_kind)kind, sizes[i], solver, tol);
        if (count > 1)
            print_exponents(count, rows);
    }
    return 0;
}
