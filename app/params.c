/*
 * `moreau sweep-params`: runs a scene for every combination of parameters and seeds, into one table.
 */
#include "params.h"
#include "core/hash.h"
#include "scene/scene.h"
#include "scene_source.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct request {
    arguments scenes, sets;
    const char *seeds, *output, *until, *steps;
    int64_t at_once;
    bool json, quiet, help;
} request;

static exit_status parse(app *a, int argc, char **argv, request *r)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    *r = (request){.at_once = online > 0 ? online : 1};
    const option table[] = {
        {.name = "--set", .kind = OPTION_LIST, .target = &r->sets},
        {.name = "--seeds", .kind = OPTION_TEXT, .target = &r->seeds},
        {.name = "-j", .kind = OPTION_INTEGER, .target = &r->at_once, .min = 1, .max = 1024},
        {.name = "-o", .kind = OPTION_TEXT, .target = &r->output},
        {.name = "--until", .kind = OPTION_TEXT, .target = &r->until},
        {.name = "--steps", .kind = OPTION_TEXT, .target = &r->steps},
        {.name = "--json", .kind = OPTION_FLAG, .target = &r->json},
        {.name = "--quiet", .kind = OPTION_FLAG, .target = &r->quiet},
        {.name = "--help", .kind = OPTION_FLAG, .target = &r->help},
        {.name = "-h", .kind = OPTION_FLAG, .target = &r->help},
        {.name = NULL},
    };
    const exit_status code = options_parse(a, argc, argv, table, &r->scenes);
    if (r->output != NULL && strcmp(r->output, "-") == 0)
        r->output = NULL;
    return code;
}

/* ---- the scene and its parameters ------------------------------------------------------------------- */

/* the texts that a parameter of this type can have */
static bool fits(const char *type, const char *text)
{
    char *end;
    if (strcmp(type, "number") == 0)
        return isfinite(strtod(text, &end)) && *end == '\0' && end != text;
    return strcmp(type, "boolean") != 0 || strcmp(text, "true") == 0 || strcmp(text, "false") == 0;
}

static exit_status check_axis(app *a, const axis *x, const scene_params *params)
{
    const char **names = app_calloc(params->count + 1, sizeof *names);
    const scene_param *found = NULL;
    char hint[128];
    for (size_t i = 0; i < params->count; i++) {
        names[i] = params->items[i].name;
        if (strcmp(names[i], x->name) == 0)
            found = &params->items[i];
    }
    exit_status code = EXIT_DONE;
    for (size_t i = 0; found != NULL && i < x->count && code == EXIT_DONE; i++)
        if (!fits(found->type, x->values[i]))
            code = app_usage(a, "option --set: %s=%s: expected a %s", x->name, x->values[i], found->type);
    if (found == NULL)
        code = app_usage(a, "option --set: the scene has no parameter '%s'%s", x->name,
                         nearest_hint(x->name, names, hint, sizeof hint));
    free(names);
    return code;
}

/* every --set names a parameter and has values of its type */
static exit_status check_axes(app *a, const scene_source *source, const plan *p)
{
    scene_options options = {.path = source->path,
                             .text = source->text,
                             .text_length = source->length,
                             .name = source->name,
                             .seed = 1,
                             .threads = 1,
                             .until = -1,
                             .steps = -1};
    scene_params params = {0};
    mo_error err = {0};
    mo_status status = scene_list_params(&options, &params, &err);
    if (status != MO_OK)
        return app_fail_error(a, status, &err);
    exit_status code = EXIT_DONE;
    for (size_t i = 0; i + 1 < p->count && code == EXIT_DONE; i++)
        code = check_axis(a, &p->axes[i], &params);
    scene_params_free(&params);
    return code;
}

/* what decides a run besides its parameters and seed */
static uint64_t scene_hash(const request *r, const scene_source *source)
{
    char *bounds =
        app_format("until %s steps %s", r->until != NULL ? r->until : "", r->steps != NULL ? r->steps : "");
    uint64_t hash = hash_bytes(source->text, source->length, 0);
    hash = hash_bytes(bounds, strlen(bounds), hash);
    free(bounds);
    return hash;
}

static exit_status check(app *a, const request *r)
{
    if (r->scenes.count != 1)
        return app_usage(a, "sweep-params takes one scene, found %zu", r->scenes.count);
    if (r->output != NULL && app_same_file(r->output, r->scenes.items[0]))
        return app_usage(a, "option -o: '%s' is the scene itself", r->output);
    char *end;
    if (r->until != NULL && (!(strtod(r->until, &end) >= 0) || *end != '\0'))
        return app_usage(a, "option --until: found '%s', expected a number >= 0", r->until);
    int64_t steps;
    if (r->steps != NULL && (!parse_integer(r->steps, &steps) || steps < 0))
        return app_usage(a, "option --steps: found '%s', expected a whole number >= 0", r->steps);
    return EXIT_DONE;
}

/* ---- running ---------------------------------------------------------------------------------------- */

static size_t count_done(const params_table *t)
{
    size_t done = 0;
    for (size_t i = 0; i < t->plan->runs; i++)
        done += t->done[i];
    return done;
}

/* what is said at the end; kept: runs that the table had before */
static exit_status conclude(app *a, const request *r, const params_table *t, size_t kept, bool interrupted)
{
    size_t runs = t->plan->runs, done = count_done(t), failed = table_failed(t);
    exit_status code = EXIT_DONE;
    if (interrupted)
        code = app_fail(a, EXIT_UNREACHED, "interrupted: %zu of %zu runs are done%s%s", done, runs,
                        r->output != NULL ? " and stay in " : "", r->output != NULL ? r->output : "");
    else if (failed > 0)
        code =
            app_fail(a, EXIT_UNREACHED, "%zu of %zu runs failed; the column status says how", failed, runs);
    if (a->json) {
        json_t *object = json_object();
        json_put(object, "status", json_text(code == EXIT_DONE ? "ok" : a->status));
        json_put(object, "runs", json_integer((json_int_t)runs));
        json_put(object, "done", json_integer((json_int_t)(done - kept)));
        json_put(object, "kept", json_integer((json_int_t)kept));
        json_put(object, "failed", json_integer((json_int_t)failed));
        if (r->output != NULL)
            json_put(object, "table", json_text(r->output));
        else
            json_put(object, "rows", table_json(t));
        json_print(a, object);
    } else if (r->output != NULL && !r->quiet) {
        printf("%zu runs: %zu done, %zu kept, %zu failed; table %s\n", runs, done - kept, kept, failed,
               r->output);
    }
    return code;
}

static exit_status run_plan(app *a, const request *r, const plan *p)
{
    const char *passed[4];
    size_t n = 0;
    if (r->until != NULL)
        passed[n++] = "--until", passed[n++] = r->until;
    if (r->steps != NULL)
        passed[n++] = "--steps", passed[n++] = r->steps;
    jobs_request jobs = {r->scenes.items[0], passed, n, (size_t)r->at_once, r->quiet};
    params_table t;
    bool interrupted = false;
    exit_status code = table_open(a, p, r->output, &t);
    size_t kept = code == EXIT_DONE ? count_done(&t) : 0;
    if (code == EXIT_DONE)
        code = jobs_run(a, &jobs, &t, &interrupted);
    if (code == EXIT_DONE)
        code = table_finish(a, &t);
    if (code == EXIT_DONE)
        code = conclude(a, r, &t, kept, interrupted);
    table_close(&t);
    return code;
}

static exit_status sweep_request(app *a, const request *r)
{
    if (r->help) {
        fputs(sweep_params_command.help, stdout);
        return EXIT_DONE;
    }
    scene_source source = {0};
    plan p = {0};
    exit_status code = check(a, r);
    if (code == EXIT_DONE)
        code = plan_read(a, &r->sets, r->seeds, &p);
    if (code == EXIT_DONE)
        code = scene_source_load(a, r->scenes.items[0], &source);
    if (code == EXIT_DONE)
        code = check_axes(a, &source, &p);
    if (code == EXIT_DONE) {
        p.scene = scene_hash(r, &source);
        code = run_plan(a, r, &p);
    }
    scene_source_free(&source);
    plan_free(&p);
    return code;
}

static exit_status sweep_main(app *a, int argc, char **argv)
{
    request r;
    exit_status code = parse(a, argc, argv, &r);
    if (code == EXIT_DONE)
        code = sweep_request(a, &r);
    arguments_free(&r.scenes);
    arguments_free(&r.sets);
    return code;
}

const command sweep_params_command = {
    .name = "sweep-params",
    .summary = "run a scene for every combination of parameters, into one table",
    .main = sweep_main,
    .help =
        "usage: moreau sweep-params SCENE [OPTION]...\n\n"
        "Runs SCENE (see `moreau help run`) for every combination of the values given, each run in a "
        "process\n"
        "of its own with one thread, and collects what the scene reports.\n\n"
        "  --set NAME=V1,V2,...   values of a parameter; may be repeated for others\n"
        "  --set NAME=A:B:N       N values from A to B, evenly\n"
        "  --seeds A..B           every seed from A to B; or a list S1,S2,... (1)\n"
        "  -j N                   runs at once (processors)\n"
        "  -o TABLE.csv           the table; rows that it has already are not run again; without -o, or\n"
        "                         with -o -, it goes to standard output at the end\n"
        "  --until T, --steps N   as in `moreau run`\n"
        "  --json                 one JSON object on the last line of standard output\n"
        "  --quiet                no progress bar, no summary\n\n"
        "Columns: the parameters, seed, status (\"ok\" or what went wrong), scene (a hash of the scene's "
        "text and\n"
        "of --until and --steps), then every number and boolean (0 or 1) that the scene reported; arrays "
        "entry by\n"
        "entry as name[1], name[2]; one reported under the name of a column before it is called "
        "report.NAME.\n"
        "Rows are written as runs end, and sorted when all have.  Ctrl-C ends "
        "the\n"
        "runs and keeps the rows of those that are done; the same command goes on.\n\n"
        "examples:\n"
        "  moreau sweep-params slope --set friction=0.2:0.6:9 -o slope.csv\n"
        "  moreau sweep-params mine.lua --set radius=0.01,0.02 --set law=a,b --seeds 1..10 -j 4 -o "
        "mine.csv\n\n"
        "exit status: 0 every run ended with \"ok\"; 1 some did not, or interrupted; 2 wrong usage; 3 bad "
        "scene or\n"
        "table; 4 the system failed (no space, no permission).\n",
};
