/*
 * `moreau bench solvers`: this library's `auto` and the solvers of other programs on contact problems of a
 * folder, in one run.
 */
#ifndef APP_BENCH_SOLVERS_H
#define APP_BENCH_SOLVERS_H

#include "options.h"
#include "peers/worker.h"

typedef struct solvers_request {
    const char *problems; /* folder of *.hdf5 files; NULL: MOREAU_FCLIB */
    const char *against;  /* NULL or "siconos" */
    const char *folder;   /* where results are kept; NULL: bench/results where there is such a folder */
    double tol, limit;    /* limit: seconds of processor time of one solve at most */
    bool quick;           /* at most 60 contacts, a second each */
} solvers_request;

/* What one configuration did with one problem. */
typedef struct solvers_row {
    const char *program;
    char name[64];
    worker_answer answer;
} solvers_row;

/* One problem by everybody; rows[0] is ours. */
typedef struct solvers_entry {
    char *problem; /* name of its file */
    int dim;
    size_t contacts;
    solvers_row *rows;
    size_t count;
    const solvers_row *best; /* the fastest of others that solved it, or NULL */
    char trouble[256];       /* why there is nothing; "" else */
} solvers_entry;

typedef struct solvers_table {
    solvers_entry *entries; /* by contacts */
    size_t count;
    double tol;
    bool against;
} solvers_table;

/* Over problems of 20 contacts and more that both solved. */
typedef struct solvers_summary {
    size_t solved, best_solved; /* of all: by ours, by anybody of the others */
    size_t compared, faster;
    double mean, slowest; /* geometric mean and least of their time over ours */
} solvers_summary;

exit_status bench_run_solvers(app *a, const solvers_request *request);

solvers_summary solvers_summarise(const solvers_table *t);
/* The fastest's time over ours, times below 20 us counting as that; NaN where one of both did not solve it.
 */
double solvers_times(const solvers_entry *e);
void solvers_print_entry(const solvers_entry *e);
void solvers_print_head(const solvers_table *t);
void solvers_print_summary(const solvers_table *t);
json_t *solvers_json(const solvers_table *t);
/* FOLDER/MACHINE/solvers-TOL.csv and the performance profile, .svg. */
exit_status solvers_keep(app *a, const char *folder, const solvers_table *t);

#endif
