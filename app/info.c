/*
 * `moreau info`: what a run or problem file holds.
 */
#include "info.h"
#include "options.h"

#include <inttypes.h>
#include <moreau/problem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_names[] = {"dynamic", "fixed", "moved"};
enum { KINDS = 3 };

/* What is counted out of the file. */
typedef struct digest {
    const char *path;
    const mo_run_info *info;
    mo_frame last; /* empty when there is no frame */
    size_t kinds[KINDS];
    size_t *groups; /* [info->group_count] bodies in the last frame */
    int32_t median_iterations, max_iterations;
    double worst_residual;
    size_t step_rows;
} digest;

static int compare_counts(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static mo_status digest_steps(mo_run *run, digest *d, mo_error *err)
{
    mo_run_steps steps = {0};
    mo_status status = mo_run_steps_get(run, &steps, err);
    if (status != MO_OK || steps.count == 0)
        return status;
    int32_t *sorted = app_calloc(steps.count, sizeof *sorted);
    memcpy(sorted, steps.iterations, steps.count * sizeof *sorted);
    qsort(sorted, steps.count, sizeof *sorted, compare_counts);
    d->median_iterations = sorted[steps.count / 2];
    d->max_iterations = sorted[steps.count - 1];
    free(sorted);
    for (size_t i = 0; i < steps.count; i++)
        d->worst_residual = steps.residual[i] > d->worst_residual ? steps.residual[i] : d->worst_residual;
    d->step_rows = steps.count;
    return MO_OK;
}

static void count_bodies(mo_run *run, digest *d)
{
    const mo_body_raw *bodies = mo_run_bodies(run);
    for (size_t i = 0; i < d->last.body_count; i++) {
        const mo_body_raw *b = &bodies[d->last.row[i]];
        if ((size_t)b->kind < KINDS)
            d->kinds[b->kind]++;
        for (size_t g = 0; g < d->info->group_count; g++) {
            if (strcmp(b->group, d->info->groups[g]) == 0) {
                d->groups[g]++;
                break;
            }
        }
    }
}

static mo_status digest_run(mo_run *run, digest *d, mo_error *err)
{
    d->info = mo_run_info_get(run);
    d->groups = app_calloc(d->info->group_count, sizeof *d->groups);
    if (d->info->frames > 0) {
        mo_status status = mo_run_frame(run, d->info->frames - 1, &d->last, err);
        if (status != MO_OK)
            return status;
        count_bodies(run, d);
    }
    return digest_steps(run, d, err);
}

/* ---- as text ---------------------------------------------------------------------------------------------
 */

void info_print_values(const char *label, const char *object_json)
{
    const char *name;
    json_t *value, *object = json_parsed(object_json);
    bool first = true;
    json_object_foreach(object, name, value)
    {
        char *text = json_plain(value);
        // the label stands once, before the first value
        printf("%-12s %s = %s\n", first ? label : "", name, text);
        first = false;
        free(text);
    }
    json_decref(object);
}

void info_print_series(const mo_run_info *info)
{
    printf("series       t");
    for (size_t c = 0; c < info->series_count; c++)
        printf(", %s", info->series[c]);
    printf(" (%zu rows)\n", info->series_rows);
}

size_t info_plots(const mo_run_info *info)
{
    json_t *plots = json_loads(info->plots_json, 0, NULL);
    const size_t count = json_array_size(plots);
    json_decref(plots);
    return count;
}

static void print_bodies(const digest *d)
{
    printf("bodies       %zu", d->last.body_count);
    const char *separator = ": ";
    for (size_t k = 0; k < KINDS; k++) {
        if (d->kinds[k] > 0) {
            printf("%s%zu %s", separator, d->kinds[k], kind_names[k]);
            separator = ", ";
        }
    }
    separator = "; in groups ";
    for (size_t g = 0; g < d->info->group_count; g++) {
        if (d->groups[g] > 0) {
            printf("%s%s %zu", separator, d->info->groups[g], d->groups[g]);
            separator = ", ";
        }
    }
    puts("");
}

static void print_text(const digest *d)
{
    const mo_run_info *i = d->info;
    const mo_world_totals *t = &d->last.totals;
    printf("%s: run of a %s in %dD, written by moreau %s\n", d->path, i->kind, i->dim, i->version);
    printf("status       %s\n", i->status);
    printf("scene        %s, seed %" PRIu64 "\n", i->scene_name, i->seed);
    info_print_values("parameters", i->params_json);
    printf("time         %.10g of %.10g s, %" PRId64 " steps of %.6g s\n", i->time, i->t_end, i->steps, i->h);
    printf("frames       %zu, one every %.6g s\n", i->frames, i->every);
    print_bodies(d);
    printf("contacts     %zu in the last frame\n", d->last.contact_count);
    printf("penetration  %.3g m at most\n", t->max_penetration);
    printf("solver       %s: iterations median %" PRId32 ", most %" PRId32
           "; worst residual %.3g; unconverged steps %" PRId64 "\n",
           i->solver, d->median_iterations, d->max_iterations, d->worst_residual, t->unconverged_steps);
    if (info_plots(i) > 0)
        printf("plots        %zu\n", info_plots(i));
    info_print_series(i);
    info_print_values("report", i->report_json);
}

/* ---- as JSON ---------------------------------------------------------------------------------------------
 */

static json_t *bodies_json(const digest *d)
{
    json_t *o = json_object(), *kinds = json_object(), *groups = json_object();
    for (size_t k = 0; k < KINDS; k++)
        json_put(kinds, kind_names[k], json_integer((json_int_t)d->kinds[k]));
    for (size_t g = 0; g < d->info->group_count; g++)
        json_put(groups, d->info->groups[g], json_integer((json_int_t)d->groups[g]));
    json_put(o, "count", json_integer((json_int_t)d->last.body_count));
    json_put(o, "kinds", kinds);
    json_put(o, "groups", groups);
    json_put(o, "ever", json_integer((json_int_t)d->info->body_count));
    return o;
}

static json_t *solver_json(const digest *d)
{
    json_t *o = json_object();
    json_put(o, "name", json_text(d->info->solver));
    json_put(o, "steps", json_integer((json_int_t)d->step_rows));
    json_put(o, "iterations_median", json_integer(d->median_iterations));
    json_put(o, "iterations_max", json_integer(d->max_iterations));
    json_put(o, "worst_residual", json_number(d->worst_residual));
    json_put(o, "unconverged_steps", json_integer(d->last.totals.unconverged_steps));
    return o;
}

static json_t *series_json(const mo_run_info *i)
{
    json_t *names = json_array();
    for (size_t c = 0; c < i->series_count; c++)
        json_array_append_new(names, json_text(i->series[c]));
    return names;
}

void info_put_common(json_t *object, const char *path, const mo_run_info *i)
{
    json_put(object, "status", json_text(i->status));
    json_put(object, "file", json_text(path));
    json_put(object, "kind", json_text(i->kind));
    json_put(object, "version", json_text(i->version));
    json_put(object, "scene", json_text(i->scene_name));
    json_put(object, "parameters", json_parsed(i->params_json));
    json_put(object, "seed", json_unsigned(i->seed));
    json_put(object, "dim", json_integer(i->dim));
    json_put(object, "h", json_number(i->h));
    json_put(object, "t_end", json_number(i->t_end));
    json_put(object, "time", json_number(i->time));
    json_put(object, "steps", json_integer(i->steps));
}

void info_put_end(json_t *object, const mo_run_info *i)
{
    json_put(object, "series", series_json(i));
    json_put(object, "series_rows", json_integer((json_int_t)i->series_rows));
    json_put(object, "plots", json_integer((json_int_t)info_plots(i)));
    json_put(object, "report", json_parsed(i->report_json));
}

static void print_json(app *a, const digest *d)
{
    const mo_run_info *i = d->info;
    json_t *o = json_object();
    info_put_common(o, d->path, i);
    json_put(o, "frames", json_integer((json_int_t)i->frames));
    json_put(o, "every", json_number(i->every));
    json_put(o, "bodies", bodies_json(d));
    json_put(o, "contacts", json_integer((json_int_t)d->last.contact_count));
    json_put(o, "max_penetration", json_number(d->last.totals.max_penetration));
    json_put(o, "solver", solver_json(d));
    info_put_end(o, i);
    json_print(a, o);
}

static exit_status describe_world(app *a, const char *path, mo_run *run)
{
    mo_error err = {0};
    digest d = {.path = path};
    exit_status code = EXIT_DONE;
    mo_status status = digest_run(run, &d, &err);
    if (status != MO_OK)
        code = app_fail_error(a, status, &err);
    else if (a->json)
        print_json(a, &d);
    else
        print_text(&d);
    mo_frame_free(&d.last);
    free(d.groups);
    return code;
}

static exit_status describe_file(app *a, const char *path)
{
    mo_run *run = NULL;
    if (mo_problem_probe(path))
        return info_describe_problem(a, path);
    exit_status code = app_open_run(a, path, &run);
    if (code != EXIT_DONE)
        return code;
    code = (mo_run_info_get(run)->is_path ? info_describe_path : describe_world)(a, path, run);
    mo_run_close(run);
    return code;
}

static exit_status info_main(app *a, int argc, char **argv)
{
    bool help = false, json = false;
    const option table[] = {{.name = "--json", .kind = OPTION_FLAG, .target = &json},
                            {.name = "--help", .kind = OPTION_FLAG, .target = &help},
                            {.name = "-h", .kind = OPTION_FLAG, .target = &help},
                            {.name = NULL}};
    arguments files;
    exit_status code = options_parse(a, argc, argv, table, &files);
    if (code == EXIT_DONE && help)
        fputs(info_command.help, stdout);
    else if (code == EXIT_DONE && files.count != 1)
        code = app_usage(a, "info needs one file, found %zu", files.count);
    else if (code == EXIT_DONE)
        code = describe_file(a, files.items[0]);
    arguments_free(&files);
    return code;
}

const command info_command = {
    .name = "info",
    .summary = "what a run or problem file holds",
    .main = info_main,
    .help = "usage: moreau info FILE [--json]\n\n"
            "What a run file holds: scene, parameters, seed, frames, bodies, contacts, how the solver\n"
            "fared, the observed series, how the run ended and what the scene reported; of a sweep or\n"
            "system its rows and events. A run still being written, or killed, says 'unfinished' and counts\n"
            "its complete frames. Of a friction-contact problem (FCLIB): its form, contacts, matrix and\n"
            "friction, and how good a solution is in the file.\n\n"
            "example:\n"
            "  moreau info pile.h5\n\n"
            "exit status: 0 done; 2 wrong usage; 3 not a sound run or problem file; 4 the system failed.\n",
};
