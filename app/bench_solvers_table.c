/* What `moreau bench solvers` found: tables for people and programs, and a performance profile. */
#include "bench_peers.h"
#include "bench_report.h"
#include "bench_solvers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Clocks say nothing about times below this, s; smaller problems are not compared. */
static const double SHORTEST = 20e-6, FARTHEST = 100;
enum { FEWEST = 20, MOST_CURVES = 64 };

double solvers_times(const solvers_entry *e)
{
    if (e->count == 0 || e->best == NULL || !worker_solved(&e->rows[0].answer))
        return (double)NAN;
    return fmax(e->best->answer.seconds, SHORTEST) / fmax(e->rows[0].answer.seconds, SHORTEST);
}

solvers_summary solvers_summarise(const solvers_table *t)
{
    solvers_summary s = {.slowest = HUGE_VAL};
    double sum = 0;
    for (size_t k = 0; k < t->count; k++) {
        const solvers_entry *e = &t->entries[k];
        const double times = solvers_times(e);
        s.solved += e->count > 0 && worker_solved(&e->rows[0].answer);
        s.best_solved += e->best != NULL;
        if (e->contacts < FEWEST || !isfinite(times))
            continue;
        s.compared++;
        s.faster += times > 1;
        s.slowest = fmin(s.slowest, times);
        sum += log(times);
    }
    s.mean = s.compared > 0 ? exp(sum / (double)s.compared) : (double)NAN;
    return s;
}

/* ---- for people ------------------------------------------------------------------------------------- */

void solvers_print_head(const solvers_table *t)
{
    printf("tolerance %g; processor time on one thread, medians; residuals by this library\n", t->tol);
    printf("%-36s %3s %8s %10s %8s %8s %6s %-8s", "problem", "dim", "contacts", "auto, s", "residual",
           "r. fclib", "iter.", "status");
    puts(t->against ? "  fastest of others, s, r. fclib, its time over ours" : "");
}

void solvers_print_entry(const solvers_entry *e)
{
    printf("%-36.36s %3d %8zu ", e->problem, e->dim, e->contacts);
    if (e->trouble[0] != '\0') {
        puts(e->trouble);
        return;
    }
    const worker_answer *own = &e->rows[0].answer;
    printf("%10.3g %8.1e %8.1e %6d %-8s", own->seconds, own->residual, own->residual_fclib, own->iterations,
           own->status);
    if (e->best != NULL)
        printf("  %s %.3g %.1e %.3g", e->best->name, e->best->answer.seconds, e->best->answer.residual_fclib,
               solvers_times(e));
    else if (e->count > 1)
        printf("  none of %zu", e->count - 1);
    putchar('\n');
}

void solvers_print_summary(const solvers_table *t)
{
    const solvers_summary s = solvers_summarise(t);
    size_t tried = 0;
    for (size_t k = 0; k < t->count; k++)
        tried += t->entries[k].count > 0;
    printf("solved: %zu of %zu", s.solved, tried);
    if (t->against)
        printf("; by any of the others: %zu", s.best_solved);
    if (s.compared > 0)
        printf("; of %zu with %d contacts or more faster on %zu, geometric mean of ratios %.3g, least %.3g",
               s.compared, FEWEST, s.faster, s.mean, s.slowest);
    putchar('\n');
}

/* ---- for programs ----------------------------------------------------------------------------------- */

static json_t *row_json(const solvers_row *row)
{
    json_t *o = json_object();
    const worker_answer *found = &row->answer;
    const bool any = found->runs > 0;
    json_put(o, "program", json_text(row->program));
    json_put(o, "solver", json_text(row->name));
    json_put(o, "status", json_text(found->status));
    json_put(o, "seconds", json_number(found->seconds));
    json_put(o, "residual", any ? json_number(found->residual) : json_null());
    json_put(o, "residual_fclib", any ? json_number(found->residual_fclib) : json_null());
    json_put(o, "iterations", json_integer(found->iterations));
    json_put(o, "runs", json_integer(found->runs));
    return o;
}

static json_t *entry_json(const solvers_entry *e)
{
    json_t *o = json_object(), *rows = json_array();
    json_put(o, "problem", json_text(e->problem));
    json_put(o, "dimension", json_integer(e->dim));
    json_put(o, "contacts", json_unsigned(e->contacts));
    json_put(o, "trouble", json_text(e->trouble));
    for (size_t k = 0; k < e->count; k++)
        json_array_append_new(rows, row_json(&e->rows[k]));
    json_put(o, "rows", rows);
    json_put(o, "best", e->best != NULL ? json_text(e->best->name) : json_null());
    json_put(o, "times_ours", json_number(solvers_times(e)));
    return o;
}

json_t *solvers_json(const solvers_table *t)
{
    const solvers_summary s = solvers_summarise(t);
    json_t *o = json_object(), *problems = json_array();
    size_t tried = 0;
    for (size_t k = 0; k < t->count; k++) {
        json_array_append_new(problems, entry_json(&t->entries[k]));
        tried += t->entries[k].count > 0;
    }
    json_put(o, "status", json_text(s.solved == tried ? "ok" : "not every problem was solved"));
    json_put(o, "tol", json_number(t->tol));
    json_put(o, "problems", problems);
    json_put(o, "solved", json_unsigned(s.solved));
    json_put(o, "total", json_unsigned(tried));
    json_put(o, "compared", json_unsigned(s.compared));
    json_put(o, "faster", json_unsigned(s.faster));
    json_put(o, "mean_times", json_number(s.mean));
    return o;
}

/* ---- files ------------------------------------------------------------------------------------------ */

static void write_rows(FILE *file, const void *table)
{
    const solvers_table *t = table;
    fputs("problem,dim,contacts,program,solver,tol,seconds,residual,residual_fclib,iterations,runs,status\n",
          file);
    for (size_t k = 0; k < t->count; k++)
        for (size_t i = 0; i < t->entries[k].count; i++) {
            const solvers_entry *e = &t->entries[k];
            const worker_answer *found = &e->rows[i].answer;
            fprintf(file, "%s,%d,%zu,%s,%s,%g,%.4g,%.4g,%.4g,%d,%d,%s\n", e->problem, e->dim, e->contacts,
                    e->rows[i].program, e->rows[i].name, t->tol, found->seconds, found->residual,
                    found->residual_fclib, found->iterations, found->runs, found->status);
        }
}

// the row of a configuration, or NULL
static const solvers_row *find_row(const solvers_entry *e, const char *name)
{
    for (size_t i = 0; i < e->count; i++)
        if (strcmp(e->rows[i].name, name) == 0)
            return &e->rows[i];
    return NULL;
}

// time of a row over the least of its problem; HUGE_VAL where it did not solve it
static double ratio_of(const solvers_entry *e, const solvers_row *row)
{
    double least = HUGE_VAL;
    for (size_t i = 0; i < e->count; i++)
        if (worker_solved(&e->rows[i].answer))
            least = fmin(least, fmax(e->rows[i].answer.seconds, SHORTEST));
    return row != NULL && worker_solved(&row->answer) ? fmax(row->answer.seconds, SHORTEST) / least
                                                      : HUGE_VAL;
}

static int by_value(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// share of the problems that a configuration solves within so many times the least time: a staircase
static json_t *curve_json(const solvers_table *t, const char *name)
{
    double *ratios = app_calloc(t->count + 1, sizeof *ratios);
    size_t tried = 0, within = 0;
    json_t *curve = json_object(), *x = json_array(), *y = json_array();
    for (size_t k = 0; k < t->count; k++)
        if (t->entries[k].count > 0)
            ratios[tried++] = ratio_of(&t->entries[k], find_row(&t->entries[k], name));
    qsort(ratios, tried, sizeof *ratios, by_value);
    for (; within < tried && ratios[within] <= FARTHEST; within++) {
        json_array_append_new(x, json_number(ratios[within]));
        json_array_append_new(y, json_number((double)within / (double)tried));
        json_array_append_new(x, json_number(ratios[within]));
        json_array_append_new(y, json_number((double)(within + 1) / (double)tried));
    }
    json_array_append_new(x, json_number(FARTHEST));
    json_array_append_new(y, json_number(tried > 0 ? (double)within / (double)tried : 0));
    json_put(curve, "name", json_text(name));
    json_put(curve, "x", x);
    json_put(curve, "y", y);
    free(ratios);
    return curve;
}

// ours, and of the others those that are the fastest on some problem
static json_t *curves_json(const solvers_table *t)
{
    const char *names[MOST_CURVES] = {"auto"};
    size_t count = 1;
    for (size_t k = 0; k < t->count; k++) {
        const solvers_row *best = t->entries[k].best;
        size_t i = 0;
        while (best != NULL && i < count && strcmp(names[i], best->name) != 0)
            i++;
        if (best != NULL && i == count && count < MOST_CURVES)
            names[count++] = best->name;
    }
    json_t *curves = json_array();
    for (size_t i = 0; i < count; i++)
        json_array_append_new(curves, curve_json(t, names[i]));
    return curves;
}

static exit_status write_profile(app *a, const char *path, const solvers_table *t)
{
    json_t *plot = json_object(), *plots = json_array(), *share = json_object();
    char title[64];
    snprintf(title, sizeof title, "performance profile, tolerance %g", t->tol);
    json_put(share, "label", json_text("share of the problems"));
    json_put(plot, "title", json_text(title));
    json_put(plot, "x", bench_axis("time over the least"));
    json_put(plot, "y", share);
    json_put(plot, "equal", json_false());
    json_put(plot, "curves", curves_json(t));
    json_array_append_new(plots, plot);
    return bench_draw_plots(a, plots, path);
}

exit_status solvers_keep(app *a, const char *folder, const solvers_table *t)
{
    exit_status code;
    char *machine = bench_result_folder(a, folder, &code);
    if (machine == NULL)
        return code;
    char *csv = app_format("%s/solvers-%g.csv", machine, t->tol),
         *svg = app_format("%s/solvers-%g.svg", machine, t->tol);
    code = bench_write_file(a, csv, write_rows, t);
    if (code == EXIT_DONE && t->against)
        code = write_profile(a, svg, t);
    if (code == EXIT_DONE && !a->json)
        printf("kept: %s%s%s\n", csv, t->against ? ", " : "", t->against ? svg : "");
    free(csv);
    free(svg);
    free(machine);
    return code;
}
