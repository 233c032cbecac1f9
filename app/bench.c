/*
 * `moreau bench`: what the library measures about itself.
 */
#include "bench_peers.h"
#include "bench_report.h"
#include "bench_solvers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct request {
    arguments names; /* "schemes", then situations; or cases */
    const char *output, *against, *sizes, *problems;
    int64_t settle, steps;
    double limit, tol; /* 0: what the subject has */
    bool json, help, quick;
} request;

static exit_status parse(app *a, int argc, char **argv, request *r)
{
    *r = (request){.tol = 1e-8};
    const option table[] = {
        {.name = "--json", .kind = OPTION_FLAG, .target = &r->json},
        {.name = "--quick", .kind = OPTION_FLAG, .target = &r->quick},
        {.name = "-o", .kind = OPTION_TEXT, .target = &r->output},
        {.name = "--against", .kind = OPTION_TEXT, .target = &r->against},
        {.name = "--n", .kind = OPTION_TEXT, .target = &r->sizes},
        {.name = "--settle", .kind = OPTION_INTEGER, .target = &r->settle, .min = 1, .max = 1000000},
        {.name = "--steps", .kind = OPTION_INTEGER, .target = &r->steps, .min = 1, .max = 1000000},
        {.name = "--limit", .kind = OPTION_REAL, .target = &r->limit},
        {.name = "--problems", .kind = OPTION_TEXT, .target = &r->problems},
        {.name = "--tol", .kind = OPTION_REAL, .target = &r->tol},
        {.name = "--help", .kind = OPTION_FLAG, .target = &r->help},
        {.name = "-h", .kind = OPTION_FLAG, .target = &r->help},
        {.name = NULL},
    };
    return options_parse(a, argc, argv, table, &r->names);
}

// without a subject: what there is
static exit_status list(app *a)
{
    json_t *names = json_array(), *cases = json_array();
    for (size_t k = 0; peer_scene_name(k) != NULL; k++) {
        json_array_append_new(cases, json_text(peer_scene_name(k)));
        if (!a->json)
            printf("%-20s %s\n", peer_scene_name(k), peer_scene_about(k));
    }
    if (!a->json)
        puts("C                    the four above that begin with C:\n"
             "solvers              contact problems of a folder of FCLIB files\n"
             "schemes: every scheme for finite-freedom systems in");
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
        json_put(o, "cases", cases);
        json_print(a, o);
    } else {
        json_decref(names);
        json_decref(cases);
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

static bool is_subject(const request *r, const char *name)
{
    return strcmp(r->names.items[0], name) == 0;
}

static exit_status check_solvers(app *a, const request *r)
{
    if (r->names.count > 1)
        return app_usage(a, "solvers are measured alone, found '%s'", r->names.items[1]);
    if (r->sizes != NULL || r->settle != 0 || r->steps != 0)
        return app_usage(a, "solvers have neither sizes nor steps");
    if (!(r->tol > 0 && r->tol < 1))
        return app_usage(a, "option --tol: found %g, expected a number between 0 and 1", r->tol);
    return EXIT_DONE;
}

// all cases, or `schemes` and situations, or `solvers`
static exit_status check(app *a, const request *r)
{
    const char *subjects[32] = {"schemes", "solvers"};
    char hint[128];
    const bool schemes = is_subject(r, "schemes");
    if (is_subject(r, "solvers"))
        return check_solvers(a, r);
    if (r->problems != NULL)
        return app_usage(a, "option --problems is for solvers");
    for (size_t k = 0; bench_case_names()[k] != NULL && k < 29; k++)
        subjects[k + 2] = bench_case_names()[k];
    for (size_t k = 0; k < r->names.count; k++) {
        const char *name = r->names.items[k];
        if (schemes && k > 0 && bench_find(name) == NULL)
            return unknown_situation(a, name);
        if (!schemes && !bench_is_case(name))
            return app_usage(a, "nothing to measure called '%s'%s", name,
                             nearest_hint(name, subjects, hint, sizeof hint));
    }
    if (schemes && (r->against != NULL || r->sizes != NULL || r->settle != 0 || r->steps != 0))
        return app_usage(a, "schemes are not compared with other programs and have no sizes");
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

static exit_status run_cases(app *a, const request *r)
{
    const peers_request wanted = {.cases = &r->names,
                                  .against = r->against,
                                  .sizes = r->sizes,
                                  .folder = r->output,
                                  .settle = r->settle,
                                  .steps = r->steps,
                                  .limit = r->limit > 0 ? r->limit : 1800,
                                  .quick = r->quick};
    return bench_run_peers(a, &wanted);
}

static exit_status run_solvers(app *a, const request *r)
{
    const solvers_request wanted = {.problems = r->problems,
                                    .against = r->against,
                                    .folder = r->output,
                                    .tol = r->tol,
                                    .limit = r->limit,
                                    .quick = r->quick};
    return bench_run_solvers(a, &wanted);
}

static exit_status run_subject(app *a, const request *r)
{
    if (is_subject(r, "solvers"))
        return run_solvers(a, r);
    return is_subject(r, "schemes") ? run_schemes(a, r) : run_cases(a, r);
}

static exit_status bench_main(app *a, int argc, char **argv)
{
    request r;
    // a process of `solvers`, see peers/worker.h
    if (argc > 0 && strcmp(argv[0], "worker") == 0)
        return worker_own(argc, argv) == 0 ? EXIT_DONE : EXIT_BAD_INPUT;
    exit_status code = parse(a, argc, argv, &r);
    if (code == EXIT_DONE && r.help)
        fputs(bench_command.help, stdout);
    else if (code == EXIT_DONE && r.names.count == 0)
        code = argc > 0 && !(argc == 1 && r.json) ? app_usage(a, "bench needs what to measure") : list(a);
    else if (code == EXIT_DONE && (code = check(a, &r)) == EXIT_DONE)
        code = run_subject(a, &r);
    arguments_free(&r.names);
    return code;
}

const command bench_command = {
    .name = "bench",
    .summary = "time and accuracy beside other programs; errors and orders of the schemes",
    .main = bench_main,
    .help =
        "usage: moreau bench [CASE]... [--against bullet,ode,box2d,mujoco,lammps] [--n N,...] [--settle K]\n"
        "                    [--steps K] [--limit SECONDS] [--quick] [-o FOLDER] [--json]\n"
        "       moreau bench solvers [--problems FOLDER] [--against siconos] [--tol X] [--limit SECONDS]\n"
        "                    [--quick] [-o FOLDER] [--json]\n"
        "       moreau bench schemes [SITUATION]... [--quick] [-o FOLDER] [--json]\n\n"
        "Runs piles (A, B), cubes (C: stack, pyramid, two slopes), a second of a pile (drop) and a column\n"
        "that is let go (collapse), by this library and by the programs named, in one run, and prints of\n"
        "everybody: processor time of a step on one thread (median; +- half the distance of the quartiles\n"
        "over it), seconds of it for a second of motion, contacts, iterations, time per contact and\n"
        "iteration, overlaps in percent of r by one analyser, bodies lost, drift, and the residual of a "
        "step\n"
        "by this library's certificate: of the problem that the program set itself, and of the law itself.\n"
        "`times`: its time over that of the fastest of ours with a residual of 1e-4 and no more overlap.\n"
        "Other programs are run by drivers that `make bench-peers` builds (MOREAU_PEERS: another folder).\n\n"
        "`solvers` solves the contact problems of a folder of FCLIB files by `auto`, and by every\n"
        "configuration of Siconos (`make bench-solvers` builds its worker), each on one thread from zero:\n"
        "median processor times, both residuals of everybody recomputed by this library, ratios to the\n"
        "fastest of the others, a performance profile.\n\n"
        "`schemes` runs every scheme for finite-freedom systems in various dynamical situations over a\n"
        "ladder of steps and prints, against a reference: the error in position, in velocity (between\n"
        "completed graphs), in energy, the violation of constraints, evaluations of the force, linear\n"
        "solves, processor time, and the fitted orders. Chaotic situations compare statistics instead.\n"
        "Without SITUATION all of them, which takes minutes; without anything a list of what there is.\n\n"
        "  --against LIST  programs to compare with, with commas between\n"
        "  --n LIST        numbers of bodies of piles\n"
        "  --settle K      steps before the measured ones; --steps K: those\n"
        "  --problems F    folder of FCLIB problems (MOREAU_FCLIB); --tol X: their tolerance (1e-8)\n"
        "  --limit S       seconds of processor time after which another program is stopped (1800), or a\n"
        "                  solve (20)\n"
        "  --quick         few steps, coarse ones of schemes: seconds\n"
        "  -o FOLDER       cases: FOLDER/MACHINE/CASE-N.csv and .svg (bench/results, where there is one);\n"
        "                  schemes: FOLDER/schemes.md and a picture of each table in FOLDER/schemes\n\n"
        "examples:\n"
        "  moreau bench\n"
        "  moreau bench A B --against bullet,ode --n 1000,8000\n"
        "  moreau bench solvers --problems build/problems --against siconos\n"
        "  moreau bench schemes bouncing-ball grazing\n"
        "  moreau bench schemes -o docs/benchmarks\n\n"
        "exit status: 0 done, also where a scheme fails in a situation, which the table says; 1 a program\n"
        "that was asked for gave no result, or a problem was not solved; 2 wrong usage; 3 no problems; 4 "
        "the\n"
        "system failed.\n",
};
