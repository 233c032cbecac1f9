/*
 * `moreau solve`: friction-contact problems from files, each with its residuals and certificate.
 */
#include "options.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <moreau/problem.h>
#include <moreau/world.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SOLVERS = 16 };

/* What was asked. */
typedef struct solve_job {
    const char *out, *solver; /* NULL: nothing written */
    bool out_is_folder;
    mo_solver_settings settings;
    int name_width; /* of the table */
    bool warm;      /* the solvers' code is in memory */
} solve_job;

/* What came out for one file. */
typedef struct outcome {
    const char *path;
    exit_status code;
    bool answered; /* info, r and u are there */
    mo_problem_file file;
    mo_problem_info info;
    double *r, *u;
    double *z; /* why there is no solution, or NULL */
} outcome;

/* ---- what is said ------------------------------------------------------------------------------------ */

static json_t *certificate_json(const mo_certificate *c)
{
    json_t *o = json_object();
    json_put(o, "complementarity", json_number(c->complementarity));
    json_put(o, "cone_violation_force", json_number(c->cone_violation_force));
    json_put(o, "cone_violation_velocity", json_number(c->cone_violation_velocity));
    json_put(o, "bipotential_gap", json_number(c->bipotential_gap));
    json_put(o, "balance", json_number(c->balance));
    return o;
}

static json_t *witness_json(const outcome *o)
{
    if (o->z == NULL)
        return json_null();
    json_t *j = json_object(), *z = json_array();
    for (size_t c = 0; c < o->file.local.contacts; c++)
        if (json_array_append_new(z, json_number(o->z[c])) != 0)
            app_no_memory();
    json_put(j, "load", json_number(o->info.witness.load));
    json_put(j, "change", json_number(o->info.witness.change));
    json_put(j, "z", z);
    return j;
}

static json_t *problem_json(const outcome *o)
{
    const mo_problem_info *i = &o->info;
    json_t *j = json_object();
    json_put(j, "file", json_text(o->path));
    json_put(j, "dimension", json_integer(o->file.local.dim));
    json_put(j, "contacts", json_integer((json_int_t)o->file.local.contacts));
    json_put(j, "solver", json_text(i->solver));
    json_put(j, "status", json_text(i->solved ? "solved" : "not solved"));
    json_put(j, "iterations", json_integer(i->iterations));
    json_put(j, "seconds", json_number(i->seconds));
    json_put(j, "residual", json_number(i->reached.residual));
    json_put(j, "residual_fclib", json_number(i->reached.residual_fclib));
    json_put(j, "certificate", certificate_json(&i->reached.certificate));
    json_put(j, "story", json_text(i->story));
    json_put(j, "infeasible", json_boolean(i->witness.proves));
    json_put(j, "witness", witness_json(o));
    return j;
}

/* a file that gave no problem to solve: the same keys */
static json_t *failure_json(const char *path)
{
    static const char *const unknown[] = {"dimension", "contacts", "solver"};
    static const char *const numbers[] = {"iterations",  "seconds",    "residual", "residual_fclib",
                                          "certificate", "infeasible", "witness"};
    json_t *j = json_object();
    json_put(j, "file", json_text(path));
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        json_put(j, unknown[i], json_null());
    json_put(j, "status", json_text("not solved"));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        json_put(j, numbers[i], json_null());
    return j;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

static void print_head(int width)
{
    printf("%-*s  dim contacts  solver      iterations   seconds  residual  r. fclib  status\n", width,
           "problem");
}

static void print_row(const outcome *o, int width)
{
    const mo_problem_info *i = &o->info;
    printf("%-*s  %3d %8zu  %-10s %11d %9.3g %9.2g %9.2g  %s\n", width, base_name(o->path), o->file.local.dim,
           o->file.local.contacts, i->solver, i->iterations, i->seconds, i->reached.residual,
           i->reached.residual_fclib, i->solved ? "solved" : "not solved");
}

/* why an answer whose residuals are small enough is not called solved; NULL: there is nothing to tell */
static const char *reason_of(const mo_problem_info *i, double tol)
{
    const bool small = i->reached.residual <= tol && i->reached.residual_fclib <= tol;
    return !i->solved && small ? "divided by impulses that grow without bound anything is small: no answer"
                               : NULL;
}

/* the contacts pressed together, the first few of them */
static void print_witness(const outcome *o)
{
    enum { TOLD = 8 };
    size_t count = 0;
    for (size_t c = 0; c < o->file.local.contacts; c++)
        count += o->z[c] > 0;
    printf("  no solution: whatever the impulses, %s",
           count == 1 ? "the normal velocity of contact" : "a normal velocity of the contacts");
    for (size_t c = 0, told = 0; c < o->file.local.contacts && told < TOLD; c++)
        if (o->z[c] > 0)
            printf("%s %zu", told++ > 0 ? "," : "", c);
    if (count > TOLD)
        printf(", ... (%zu)", count);
    printf(" is negative\n");
}

/* ---- where the answers go ---------------------------------------------------------------------------- */

static char *answer_path(const solve_job *job, const char *path)
{
    if (job->out_is_folder)
        return app_format("%s/%s", job->out, base_name(path));
    return app_format("%s", job->out);
}

/* no answer may overwrite a problem or another answer */
static exit_status check_answers(app *a, const solve_job *job, const arguments *files)
{
    for (size_t i = 0; i < files->count; i++) {
        char *path = answer_path(job, files->items[i]);
        bool clash = false, overwrites = false;
        for (size_t k = 0; k < files->count; k++)
            overwrites = overwrites || app_same_file(path, files->items[k]);
        for (size_t k = 0; k < i && job->out_is_folder; k++)
            clash = clash || strcmp(base_name(files->items[i]), base_name(files->items[k])) == 0;
        exit_status code = EXIT_DONE;
        if (overwrites)
            code = app_usage(a, "option -o: '%s' is one of the problem files", path);
        else if (clash)
            code = app_usage(a, "option -o: two problem files are called '%s'", base_name(files->items[i]));
        free(path);
        if (code != EXIT_DONE)
            return code;
    }
    return EXIT_DONE;
}

static exit_status prepare_output(app *a, solve_job *job, const arguments *files)
{
    struct stat about;
    if (job->out == NULL)
        return EXIT_DONE;
    const bool there = stat(job->out, &about) == 0;
    const bool folder = there && S_ISDIR(about.st_mode);
    job->out_is_folder = folder || files->count > 1;
    if (there && !folder && files->count > 1)
        return app_usage(a, "option -o: '%s' is a file, expected a folder for %zu problems", job->out,
                         files->count);
    const exit_status code = check_answers(a, job, files);
    if (code == EXIT_DONE && !there && files->count > 1 && mkdir(job->out, 0777) != 0)
        return app_fail(a, EXIT_SYSTEM, "%s: %s", job->out, strerror(errno));
    return code;
}

/* ---- one file ---------------------------------------------------------------------------------------- */

/* Brings the solvers' code into memory by problems of three blocks sliding in a row, so that the seconds of
   the first file are those of any other. */
static void warm_up(const char *solver)
{
    const mo_solver_settings settings = {.tol = 1e-8, .max_iter = 20};
    for (int dim = 2; dim <= 3; dim++) {
        double W[81] = {0}, r[9] = {0};
        const double q[9] = {-1, 0.5, -1, 1, -1, 1, -1, 0.5, 1}, mu[3] = {0.3, 0.3, 0.3};
        const int n = 3 * dim;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                W[n * i + j] = i == j ? 2 : 0.1;
        mo_problem p;
        mo_problem_info info;
        if (mo_problem_from_dense(dim, 3, W, q, mu, &p, NULL) != MO_OK)
            return;
        (void)mo_problem_solve(&p, solver, &settings, r, NULL, &info, NULL);
        mo_problem_free(&p);
    }
}

static exit_status solve_problem(app *a, solve_job *job, outcome *o)
{
    mo_error err = {0};
    const size_t n = (size_t)o->file.local.dim * o->file.local.contacts;
    o->r = app_calloc(n, sizeof *o->r);
    o->u = app_calloc(n, sizeof *o->u);
    if (!job->warm)
        warm_up(job->solver);
    job->warm = true;
    mo_status status =
        mo_problem_solve(&o->file.local, job->solver, &job->settings, o->r, o->u, &o->info, &err);
    o->answered = status == MO_OK;
    if (status == MO_OK && o->info.witness.proves) {
        o->z = app_calloc(o->file.local.contacts, sizeof *o->z);
        status = mo_problem_find_witness(&o->file.local, o->z, &o->info.witness, &err);
    }
    if (status == MO_OK && job->out != NULL) {
        char *path = answer_path(job, o->path);
        status = mo_problem_write(path, &o->file, o->r, o->u, &err);
        free(path);
    }
    if (status == MO_OK)
        return o->info.solved ? EXIT_DONE : EXIT_UNREACHED;
    // solvers know no file
    if (err.file[0] == '\0')
        snprintf(err.file, sizeof err.file, "%s", o->path);
    return app_fail_error(a, status, &err);
}

/* the worst of all files is the program's exit status */
static exit_status solve_file(app *a, solve_job *job, const char *path, json_t *problems, size_t *solved)
{
    mo_error err = {0};
    outcome o = {.path = path, .code = app_check_readable(a, path)};
    if (o.code == EXIT_DONE) {
        const mo_status status = mo_problem_read(path, &o.file, &err);
        o.code = status == MO_OK ? solve_problem(a, job, &o) : app_fail_error(a, status, &err);
    }
    *solved += o.info.solved;
    const char *reason = o.answered ? reason_of(&o.info, job->settings.tol) : NULL;
    if (a->json) {
        json_t *j = o.answered ? problem_json(&o) : failure_json(path);
        if (o.code > EXIT_UNREACHED)
            json_put(j, "error", json_text(a->status));
        if (reason != NULL)
            json_put(j, "reason", json_text(reason));
        if (json_array_append_new(problems, j) != 0)
            app_no_memory();
    } else if (o.answered) {
        print_row(&o, job->name_width);
        if (o.z != NULL)
            print_witness(&o);
        else if (reason != NULL)
            printf("  %s\n", reason);
    } else {
        printf("%-*s  not solved: %s\n", job->name_width, base_name(path), a->status);
    }
    fflush(stdout);
    mo_problem_file_free(&o.file);
    free(o.r);
    free(o.u);
    free(o.z);
    return o.code;
}

static exit_status solve_files(app *a, solve_job *job, const arguments *files)
{
    exit_status code = prepare_output(a, job, files), worst = EXIT_DONE;
    if (code != EXIT_DONE)
        return code;
    size_t solved = 0;
    char said[sizeof a->status] = "ok";
    json_t *problems = json_array();
    for (size_t i = 0; i < files->count; i++) {
        const int width = (int)strlen(base_name(files->items[i]));
        job->name_width = width > job->name_width ? width : job->name_width;
    }
    if (!a->json)
        print_head(job->name_width);
    for (size_t i = 0; i < files->count; i++) {
        code = solve_file(a, job, files->items[i], problems, &solved);
        if (code > worst)
            snprintf(said, sizeof said, "%s", code == EXIT_UNREACHED ? "not solved" : a->status);
        worst = code > worst ? code : worst;
    }
    if (a->json) {
        json_t *o = json_object();
        json_put(o, "status", json_text(said));
        json_put(o, "problems", json_incref(problems));
        json_put(o, "solved", json_integer((json_int_t)solved));
        json_put(o, "total", json_integer((json_int_t)files->count));
        json_print(a, o);
    } else {
        printf("solved %zu of %zu\n", solved, files->count);
    }
    json_decref(problems);
    return worst;
}

/* ---- the command ------------------------------------------------------------------------------------- */

static exit_status solve_main(app *a, int argc, char **argv)
{
    bool help = false, json = false;
    const char *names[SOLVERS + 1] = {NULL};
    for (size_t i = 0; i < SOLVERS && mo_problem_solver_name(i) != NULL; i++)
        names[i] = mo_problem_solver_name(i);
    int solver = 0;
    solve_job job = {.settings = mo_default_solver_settings(), .name_width = (int)strlen("problem")};
    int64_t max_iter = job.settings.max_iter, threads = 1;
    const option table[] = {
        {.name = "--solver", .kind = OPTION_CHOICE, .target = &solver, .choices = names},
        {.name = "--tol", .kind = OPTION_REAL, .target = &job.settings.tol},
        {.name = "--max-iter", .kind = OPTION_INTEGER, .target = &max_iter, .min = 1, .max = INT_MAX},
        {.name = "--threads", .kind = OPTION_INTEGER, .target = &threads, .min = 1, .max = 1024},
        {.name = "--json", .kind = OPTION_FLAG, .target = &json},
        {.name = "-o", .kind = OPTION_TEXT, .target = &job.out},
        {.name = "--help", .kind = OPTION_FLAG, .target = &help},
        {.name = "-h", .kind = OPTION_FLAG, .target = &help},
        {.name = NULL}};
    arguments files;
    exit_status code = options_parse(a, argc, argv, table, &files);
    job.settings.max_iter = (int)max_iter;
    job.solver = names[solver];
    if (code == EXIT_DONE && help)
        fputs(solve_command.help, stdout);
    else if (code == EXIT_DONE && files.count == 0)
        code = app_usage(a, "solve needs at least one problem file");
    else if (code == EXIT_DONE && job.out != NULL && strcmp(job.out, "-") == 0)
        code = app_usage(a, "option -o: a problem file cannot go to standard output");
    else if (code == EXIT_DONE)
        code = solve_files(a, &job, &files);
    arguments_free(&files);
    return code;
}

const command solve_command = {
    .name = "solve",
    .summary = "solve friction-contact problems from FCLIB files",
    .main = solve_main,
    .help =
        "usage: moreau solve FILE.hdf5... [--solver NAME] [--tol X] [--max-iter N] [--threads N]\n"
        "                    [--json] [-o OUT.hdf5]\n\n"
        "Finds impulses r and velocities u = W r + q that satisfy Coulomb's law at every contact, for\n"
        "FCLIB files in local form (W, q, mu) or global form (M, H, f, w, mu). A problem is solved when\n"
        "both residuals, recomputed from the file's data, are at or below the tolerance: the unit-free one\n"
        "and FCLIB's, which mixes units. Seconds exclude reading and writing, and loading the program.\n\n"
        "  --solver NAME  auto (default), nlgs, newton, ipm, prox, apgd, admm or, in 2D,\n"
        "                 lemke: docs/theory/solvers.md\n"
        "  --tol X        tolerance of both residuals (default 1e-8)\n"
        "  --max-iter N   most iterations (default 10000)\n"
        "  --threads N    accepted; these solvers use one thread, and the answer does not depend on it\n"
        "  --json         one object: problems, solved, total; of each problem also infeasible and witness\n"
        "  -o OUT.hdf5    writes the problem with its solution (r, u; v in global form); with several\n"
        "                 files, or when it is one, OUT is a folder\n\n"
        "A problem that has no solution at all is told from one that was not solved when there is a proof: "
        "z,\n"
        "one number >= 0 for each contact, such that no impulse changes the sum of z times the normal "
        "velocities,\n"
        "which is negative.\n\n"
        "Every file is tried, also after one that is bad or not solved; the worst exit status is the\n"
        "program's, and each file says what became of it.\n\n"
        "examples:\n"
        "  moreau solve tower.hdf5 --tol 1e-12\n"
        "  moreau solve problems/*.hdf5 --json -o answers\n\n"
        "exit status: 0 all solved; 1 a problem not solved; 2 wrong usage; 3 a bad problem file;\n"
        "4 the system failed.\n",
};
