/*
 * `moreau bench`: what the library measures about itself.
 */
#include "bench_report.h"
#include "options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct request {
    arguments names; /* "schemes", then situations */
    const char *output;
    bool json, help, quick;
} request;

static exit_status parse(app *a, int argc, char **argv, request *r)
{
    *r = (request){0};
    const option table[] = {
        {.name = "--json", .kind = OPTION_FLAG, .target = &r->json},
        {.name = "--quick", .kind = OPTION_FLAG, .target = &r->quick},
        {.name = "-o", .kind = OPTION_TEXT, .target = &r->output},
        {.name = "--help", .kind = OPTION_FLAG, .target = &r->help},
        {.name = "-h", .kind = OPTION_FLAG, .target = &r->help},
        {.name = NULL},
    };
    return options_parse(a, argc, argv, table, &r->names);
}

// without a subject: what there is
static exit_status list(app *a)
{
    json_t *names = json_array();
    if (!a->json)
        puts("schemes: every scheme for finite-freedom systems in");
    for (size_t k = 0; bench_situations[k] != NULL; k++) {
        const bench_situation *s = bench_situations[k];
        json_array_append_new(names, json_text(s->name));
        if (!a->json)
            printf("  %-18s %s\n", s->name, s->title);
    }
    if (a->json) {
        json_t *o = json_object();
        json_put(o, "status", json_text("ok"));
        json_put(o, "schemes", names);
        json_print(a, o);
    } else {
        json_decref(names);
    }
    return EXIT_DONE;
}

static exit_status unknown_situation(app *a, const char *name)
{
    const char *names[64] = {NULL};
    char hint[128];
    for (size_t k = 0; bench_situations[k] != NULL && k < 63; k++)
        names[k] = bench_situations[k]->name;
    return app_usage(a, "no situation '%s'%s", name, nearest_hint(name, names, hint, sizeof hint));
}

static exit_status check(app *a, const request *r)
{
    const char *const subjects[] = {"schemes", NULL};
    char hint[128];
    const char *subject = r->names.items[0];
    if (strcmp(subject, "schemes") != 0)
        return app_usage(a, "nothing to measure called '%s'%s", subject,
                         nearest_hint(subject, subjects, hint, sizeof hint));
    for (size_t k = 1; k < r->names.count; k++)
        if (bench_find(r->names.items[k]) == NULL)
            return unknown_situation(a, r->names.items[k]);
    return EXIT_DONE;
}

static bool is_wanted(const request *r, const char *name)
{
    for (size_t k = 1; k < r->names.count; k++)
        if (strcmp(r->names.items[k], name) == 0)
            return true;
    return r->names.count == 1;
}

// *count tables, in the order of the page, printed as they come
static exit_status run_tables(app *a, const request *r, bench_table *tables, size_t *count)
{
    mo_error err = {0};
    for (size_t k = 0; bench_situations[k] != NULL; k++) {
        if (!is_wanted(r, bench_situations[k]->name))
            continue;
        mo_status status = bench_run(bench_situations[k], r->quick, &tables[(*count)++], &err);
        if (status != MO_OK)
            return app_fail_error(a, status, &err);
        if (!a->json)
            bench_print(&tables[*count - 1]);
    }
    return EXIT_DONE;
}

static void print_json(app *a, const bench_table *tables, size_t count)
{
    json_t *o = json_object(), *situations = json_array();
    for (size_t k = 0; k < count; k++)
        json_array_append_new(situations, bench_json(&tables[k]));
    json_put(o, "status", json_text("ok"));
    json_put(o, "situations", situations);
    json_print(a, o);
}

static exit_status run_schemes(app *a, const request *r)
{
    size_t most = 0, count = 0;
    while (bench_situations[most] != NULL)
        most++;
    bench_table *tables = app_calloc(most, sizeof *tables);
    exit_status code = run_tables(a, r, tables, &count);
    if (code == EXIT_DONE && r->output != NULL)
        code = bench_write_page(a, r->output, tables, count);
    if (code == EXIT_DONE && a->json)
        print_json(a, tables, count);
    for (size_t k = 0; k < count; k++)
        bench_table_free(&tables[k]);
    free(tables);
    return code;
}

static exit_status bench_main(app *a, int argc, char **argv)
{
    request r;
    exit_status code = parse(a, argc, argv, &r);
    if (code == EXIT_DONE && r.help)
        fputs(bench_command.help, stdout);
    else if (code == EXIT_DONE && r.names.count == 0)
        code = r.output != NULL || r.quick ? app_usage(a, "bench needs what to measure: schemes") : list(a);
    else if (code == EXIT_DONE && (code = check(a, &r)) == EXIT_DONE)
        code = run_schemes(a, &r);
    arguments_free(&r.names);
    return code;
}

const command bench_command = {
    .name = "bench",
    .summary = "errors, orders and work of the schemes",
    .main = bench_main,
    .help = "usage: moreau bench [schemes [SITUATION]...] [--quick] [-o FOLDER] [--json]\n\n"
            "Runs every scheme for finite-freedom systems in various dynamical situations over a ladder of\n"
            "steps and prints, against a reference: the error in position, in velocity (between completed\n"
            "graphs), in energy, the violation of constraints, evaluations of the force, linear solves,\n"
            "processor time, and the fitted orders. Chaotic situations compare statistics instead. Without\n"
            "SITUATION all of them, which takes minutes; without `schemes` a list of what there is.\n\n"
            "  --quick        coarse steps and short runs: seconds\n"
            "  -o FOLDER      writes FOLDER/schemes.md and a picture of each table in FOLDER/schemes\n\n"
            "examples:\n"
            "  moreau bench\n"
            "  moreau bench schemes bouncing-ball grazing\n"
            "  moreau bench schemes -o docs/benchmarks\n\n"
            "exit status: 0 done, also where a scheme fails in a situation, which the table says; 2 wrong\n"
            "usage; 4 the system failed.\n",
};
