/* Runs `moreau bench solvers`: which problems, which configurations, how long each may take. */
#include "bench_solvers.h"

#include "bench_peers.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A solve may take so many times what the fastest took, but LEAST at least; spent on repetitions, s. */
static const double CUT = 100, LEAST = 0.2, BUDGET = 0.1, QUICK_LIMIT = 1, LIMIT = 20;
enum { QUICK_CONTACTS = 60, LIST_ROOM = 8192 };

/* Commands of workers; each ends with NULL. */
typedef struct workers {
    char self[PATH_MAX], other_path[PATH_MAX + 32];
    const char *own[4], *other[2];
} workers;

static exit_status find_workers(app *a, const solvers_request *r, workers *w)
{
    char folder[PATH_MAX];
    bench_program_path(w->self, sizeof w->self);
    bench_driver_folder(folder, sizeof folder);
    snprintf(w->other_path, sizeof w->other_path, "%s/solvers_siconos", folder);
    w->own[0] = w->self, w->own[1] = "bench", w->own[2] = "worker", w->own[3] = NULL;
    w->other[0] = w->other_path, w->other[1] = NULL;
    if (r->against != NULL && strcmp(r->against, "siconos") != 0)
        return app_usage(a, "solvers are compared with siconos alone, found '%s'", r->against);
    if (r->against != NULL && access(w->other_path, X_OK) != 0)
        return app_fail(a, EXIT_UNREACHED, "siconos: no worker %s; run `make bench-solvers`", w->other_path);
    return EXIT_DONE;
}

/* ---- problems --------------------------------------------------------------------------------------- */

static bool is_problem(const char *name)
{
    const size_t length = strlen(name);
    return length > 5 && strcmp(name + length - 5, ".hdf5") == 0 && name[0] != '.';
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const solvers_entry *)a)->problem, ((const solvers_entry *)b)->problem);
}

static int by_size(const void *a, const void *b)
{
    const solvers_entry *x = a, *y = b;
    return x->contacts != y->contacts ? (x->contacts > y->contacts) - (x->contacts < y->contacts)
                                      : by_name(a, b);
}

static exit_status list_problems(app *a, const char *folder, solvers_table *t)
{
    DIR *d = opendir(folder);
    if (d == NULL)
        return app_fail(a, EXIT_SYSTEM, "%s: %s", folder, strerror(errno));
    for (const struct dirent *file; (file = readdir(d)) != NULL;) {
        if (!is_problem(file->d_name))
            continue;
        solvers_entry *entries = realloc(t->entries, (t->count + 1) * sizeof *entries);
        if (entries == NULL)
            app_no_memory();
        t->entries = entries;
        entries[t->count++] = (solvers_entry){.problem = app_format("%s", file->d_name)};
    }
    closedir(d);
    if (t->count == 0)
        return app_fail(a, EXIT_BAD_INPUT, "%s: found no *.hdf5 files, expected FCLIB problems", folder);
    return EXIT_DONE;
}

// sizes, so that small problems come first; what cannot be read says so
static void measure_problems(const char *folder, const workers *w, solvers_table *t)
{
    for (size_t k = 0; k < t->count; k++) {
        solvers_entry *e = &t->entries[k];
        char *path = app_format("%s/%s", folder, e->problem);
        worker own;
        if (worker_start(&own, w->own, path, e->trouble, sizeof e->trouble)) {
            e->dim = own.dim;
            e->contacts = own.contacts;
            worker_stop(&own);
        }
        free(path);
    }
    qsort(t->entries, t->count, sizeof *t->entries, by_size);
}

/* ---- solves ----------------------------------------------------------------------------------------- */

static void add_row(solvers_entry *e, const char *program, const char *name, const worker_answer *answer)
{
    solvers_row *rows = realloc(e->rows, (e->count + 1) * sizeof *rows);
    if (rows == NULL)
        app_no_memory();
    e->rows = rows;
    rows[e->count] = (solvers_row){.program = program, .answer = *answer};
    snprintf(rows[e->count++].name, sizeof rows->name, "%s", name);
}

// where a configuration stops short of the tolerance it is asked for less
static worker_answer ask(worker *w, const char *const *program, const char *path, worker_request q,
                         bool again)
{
    worker_answer first = worker_ask(w, program, path, &q);
    for (int k = 0; k < 2 && again && strcmp(first.status, "missed") == 0; k++) {
        q.asked *= 0.1;
        worker_answer finer = worker_ask(w, program, path, &q);
        if (worker_solved(&finer))
            return finer;
    }
    return first;
}

static void solve_by_others(const char *path, const workers *w, const solvers_request *r, double limit,
                            solvers_entry *e)
{
    char names[LIST_ROOM], *rest = NULL;
    worker other = {.pid = 0};
    double fastest = worker_solved(&e->rows[0].answer) ? e->rows[0].answer.seconds : HUGE_VAL;
    if (!worker_list(w->other, e->dim, names, sizeof names))
        return;
    for (char *name = strtok_r(names, "\n", &rest); name != NULL; name = strtok_r(NULL, "\n", &rest)) {
        const double most = fmin(limit, fmax(LEAST, CUT * fastest));
        const worker_request q = {name, r->tol, r->tol, most, BUDGET};
        const worker_answer answer = ask(&other, w->other, path, q, true);
        add_row(e, "siconos", name, &answer);
        if (worker_solved(&answer))
            fastest = fmin(fastest, answer.seconds);
    }
    worker_stop(&other);
}

static void choose_best(solvers_entry *e)
{
    for (size_t k = 1; k < e->count; k++)
        if (worker_solved(&e->rows[k].answer) &&
            (e->best == NULL || e->rows[k].answer.seconds < e->best->answer.seconds))
            e->best = &e->rows[k];
}

static void solve_entry(const char *folder, const workers *w, const solvers_request *r, solvers_entry *e)
{
    char *path = app_format("%s/%s", folder, e->problem);
    const double limit = r->limit > 0 ? r->limit : r->quick ? QUICK_LIMIT : LIMIT;
    const worker_request q = {"auto", r->tol, r->tol, limit, BUDGET};
    worker own = {.pid = 0};
    const worker_answer answer = ask(&own, w->own, path, q, false);
    worker_stop(&own);
    add_row(e, "moreau", "auto", &answer);
    if (r->against != NULL)
        solve_by_others(path, w, r, limit, e);
    choose_best(e);
    free(path);
}

static void solve_all(app *a, const char *folder, const workers *w, const solvers_request *r,
                      solvers_table *t)
{
    if (!a->json)
        solvers_print_head(t);
    for (size_t k = 0; k < t->count; k++) {
        solvers_entry *e = &t->entries[k];
        if (r->quick && e->contacts > QUICK_CONTACTS) {
            snprintf(e->trouble, sizeof e->trouble, "left out: more than %d contacts", QUICK_CONTACTS);
            continue;
        }
        if (e->trouble[0] == '\0')
            solve_entry(folder, w, r, e);
        if (!a->json)
            solvers_print_entry(e);
        fflush(stdout);
    }
}

static void free_table(solvers_table *t)
{
    for (size_t k = 0; k < t->count; k++) {
        free(t->entries[k].problem);
        free(t->entries[k].rows);
    }
    free(t->entries);
}

static exit_status finish(app *a, const solvers_request *r, const solvers_table *t)
{
    size_t tried = 0;
    const size_t solved = solvers_summarise(t).solved;
    for (size_t k = 0; k < t->count; k++)
        tried += t->entries[k].count > 0;
    if (!a->json)
        solvers_print_summary(t);
    exit_status code = solvers_keep(a, r->folder, t);
    if (code == EXIT_DONE && a->json)
        json_print(a, solvers_json(t));
    return code == EXIT_DONE && solved < tried ? EXIT_UNREACHED : code;
}

exit_status bench_run_solvers(app *a, const solvers_request *r)
{
    const char *folder = r->problems != NULL ? r->problems : getenv("MOREAU_FCLIB");
    solvers_table t = {.tol = r->tol, .against = r->against != NULL};
    workers w;
    if (folder == NULL || folder[0] == '\0')
        return app_usage(a, "solvers need a folder of FCLIB problems: --problems FOLDER, or MOREAU_FCLIB "
                            "(`make problems` writes some)");
    // a worker that is ended while it is asked is a row, not the end of the program
    signal(SIGPIPE, SIG_IGN);
    exit_status code = find_workers(a, r, &w);
    if (code == EXIT_DONE)
        code = list_problems(a, folder, &t);
    if (code == EXIT_DONE) {
        measure_problems(folder, &w, &t);
        solve_all(a, folder, &w, r, &t);
        code = finish(a, r, &t);
    }
    free_table(&t);
    return code;
}
