/*
 * `moreau run`: runs a scene, shows where it stands, says how it went.
 */
#include "run.h"
#include "options.h"
#include "progress.h"
#include "scene_source.h"
#include "show.h"
#include "signals.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEPT_MESSAGES = 100, DEFAULT_THREADS = 8, MOST_THREADS = 1024 };

typedef struct request {
    arguments scenes, sets;
    const char *output, *resume, *dump;
    double until;
    int64_t steps, threads, dump_every, dump_from, dump_to;
    uint64_t seed;
    bool seed_given, json, quiet, hash, help;
    bool live, no_wait, port_given;
    show_request show;
} request;

/* What the callbacks of a run work on. */
typedef struct watch {
    progress bar;
    json_t *messages;
} watch;

static void on_progress(void *data, const scene_progress *p)
{
    watch *w = data;
    progress_update(&w->bar, p);
}

static void on_message(void *data, const char *text)
{
    watch *w = data;
    progress_clear(&w->bar);
    fprintf(stderr, "%s\n", text);
    if (json_array_size(w->messages) < KEPT_MESSAGES)
        json_array_append_new(w->messages, json_text(text));
}

static int64_t default_threads(void)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return online < 1 ? 1 : online > DEFAULT_THREADS ? DEFAULT_THREADS : online;
}

static exit_status parse(app *a, int argc, char **argv, request *r)
{
    *r = (request){.until = -1,
                   .steps = -1,
                   .threads = default_threads(),
                   .seed = 1,
                   .dump_every = -1,
                   .dump_from = -1,
                   .dump_to = -1};
    const option table[] = {
        {.name = "-o", .kind = OPTION_TEXT, .target = &r->output},
        {.name = "--set", .kind = OPTION_LIST, .target = &r->sets},
        {.name = "--until", .kind = OPTION_REAL, .target = &r->until},
        {.name = "--steps", .kind = OPTION_INTEGER, .target = &r->steps, .min = 0, .max = INT64_MAX},
        {.name = "--seed", .kind = OPTION_SEED, .target = &r->seed, .given = &r->seed_given},
        {.name = "--threads", .kind = OPTION_INTEGER, .target = &r->threads, .min = 1, .max = MOST_THREADS},
        {.name = "--json", .kind = OPTION_FLAG, .target = &r->json},
        {.name = "--quiet", .kind = OPTION_FLAG, .target = &r->quiet},
        {.name = "--resume", .kind = OPTION_TEXT, .target = &r->resume},
        {.name = "--hash", .kind = OPTION_FLAG, .target = &r->hash},
        {.name = "--dump-problems", .kind = OPTION_TEXT, .target = &r->dump},
        {.name = "--dump-every",
         .kind = OPTION_INTEGER,
         .target = &r->dump_every,
         .min = 1,
         .max = INT64_MAX},
        {.name = "--dump-from", .kind = OPTION_INTEGER, .target = &r->dump_from, .min = 1, .max = INT64_MAX},
        {.name = "--dump-to", .kind = OPTION_INTEGER, .target = &r->dump_to, .min = 1, .max = INT64_MAX},
        {.name = "--live", .kind = OPTION_FLAG, .target = &r->live},
        {.name = "--port",
         .kind = OPTION_INTEGER,
         .target = &r->show.port,
         .min = 0,
         .max = 65535,
         .given = &r->port_given},
        {.name = "--no-open", .kind = OPTION_FLAG, .target = &r->show.no_open},
        {.name = "--pace", .kind = OPTION_REAL, .target = &r->show.pace},
        {.name = "--no-wait", .kind = OPTION_FLAG, .target = &r->no_wait},
        {.name = "--page", .kind = OPTION_TEXT, .target = &r->show.page},
        {.name = "--help", .kind = OPTION_FLAG, .target = &r->help},
        {.name = "-h", .kind = OPTION_FLAG, .target = &r->help},
        {.name = NULL},
    };
    return options_parse(a, argc, argv, table, &r->scenes);
}

static exit_status check(app *a, const request *r)
{
    if (r->scenes.count > 1)
        return app_usage(a, "run takes one scene, found %zu ('%s' and '%s')", r->scenes.count,
                         r->scenes.items[0], r->scenes.items[1]);
    if (r->scenes.count == 0 && r->resume == NULL)
        return app_usage(a, "run needs a scene: a path ending in .lua or the name of an example");
    if (r->output != NULL && strcmp(r->output, "-") == 0)
        return app_usage(a, "option -o: a run file cannot go to standard output");
    if (r->output != NULL && r->scenes.count == 1 && app_same_file(r->output, r->scenes.items[0]))
        return app_usage(a, "option -o: '%s' is the scene itself", r->output);
    if (r->dump == NULL && (r->dump_every > 0 || r->dump_from > 0 || r->dump_to > 0))
        return app_usage(a, "options --dump-every, --dump-from and --dump-to need --dump-problems DIR");
    if (r->dump_to > 0 && r->dump_from > r->dump_to)
        return app_usage(a,
                         "option --dump-to: found %" PRId64 ", expected at least --dump-from (%" PRId64 ")",
                         r->dump_to, r->dump_from);
    if (!r->live &&
        (r->port_given || r->show.no_open || r->no_wait || r->show.page != NULL || r->show.pace > 0))
        return app_usage(a, "options --port, --no-open, --no-wait, --page and --pace need --live");
    for (size_t i = 0; i < r->sets.count; i++) {
        const char *equals = strchr(r->sets.items[i], '=');
        if (equals == NULL || equals == r->sets.items[i])
            return app_usage(a, "option --set: found '%s', expected NAME=VALUE", r->sets.items[i]);
    }
    return EXIT_DONE;
}

/* where the scene of a run file lay, for files named in it: the present folder when that is not known or
   gone */
static char *recorded_path(const mo_run_info *info)
{
    const char *folder = info->scene_folder;
    return access(folder, X_OK) == 0 ? app_format("%s/%s.lua", folder, info->scene_name)
                                     : app_format("%s.lua", info->scene_name);
}

/* a run file knows its scene's text and its seed; the parameters are taken from it by scene_run itself */
static exit_status read_resumed(app *a, request *r, scene_source *source)
{
    mo_run *run = NULL;
    exit_status code = app_open_run(a, r->resume, &run);
    if (code != EXIT_DONE)
        return code;
    const mo_run_info *info = mo_run_info_get(run);
    if (r->scenes.count == 0) {
        source->path = recorded_path(info);
        source->name = app_format("%s", info->scene_name);
        source->text = app_format("%s", info->scene_text);
        source->length = strlen(source->text);
    }
    if (!r->seed_given)
        r->seed = info->seed;
    mo_run_close(run);
    return EXIT_DONE;
}

/* ---- the run ---------------------------------------------------------------------------------------------
 */

static scene_options options_for(const request *r, const scene_source *source, watch *w)
{
    return (scene_options){
        .path = source->path,
        .text = source->text,
        .text_length = source->length,
        .name = source->name,
        .sets = r->sets.items,
        .set_count = r->sets.count,
        .seed = r->seed,
        .seed_given = r->seed_given,
        .threads = (int)r->threads,
        .until = r->until,
        .steps = r->steps,
        .output = r->output,
        .resume = r->resume,
        .dump = r->dump,
        .dump_every = r->dump_every,
        .dump_from = r->dump_from,
        .dump_to = r->dump_to,
        .interrupt = &interrupted,
        .progress = on_progress,
        .message = on_message,
        .data = w,
    };
}

/* quoted so that it can be pasted into a shell */
static void print_quoted(FILE *file, const char *text)
{
    if (text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-=:,@%")] ==
        '\0') {
        fputs(text, file);
        return;
    }
    fputc('\'', file);
    for (; *text != '\0'; text++)
        fputs(*text == '\'' ? "'\\''" : (const char[]){*text, '\0'}, file);
    fputc('\'', file);
}

static void say_how_to_resume(const request *r, const char *file)
{
    if (file == NULL) {
        fputs("nothing was recorded (no -o), so there is nothing to resume\n", stderr);
        return;
    }
    fputs("go on with: moreau run ", stderr);
    if (r->scenes.count == 1) {
        print_quoted(stderr, r->scenes.items[0]);
        fputc(' ', stderr);
    }
    fputs("--resume ", stderr);
    print_quoted(stderr, file);
    fputc('\n', stderr);
}

/* prints the outcome; `status` and `err` are what scene_run said */
static exit_status conclude(app *a, const request *r, const scene_result *result, mo_status status,
                            const mo_error *err, json_t *messages)
{
    const char *file = r->output != NULL ? r->output : r->resume;
    run_facts facts = {
        .output = file, .dump = r->dump, .seed = r->seed, .threads = (int)r->threads, .messages = messages};
    exit_status code = EXIT_DONE;
    if (status != MO_OK)
        code = app_fail_error(a, status, err);
    else if (!result->reached || result->interrupted)
        code = app_fail(a, EXIT_UNREACHED, "%s", result->status);
    if (status == MO_OK && result->interrupted)
        say_how_to_resume(r, file);
    if (status == MO_OK && !r->quiet && !a->json)
        run_print_summary(result, &facts);
    if (status == MO_OK && r->hash)
        printf("%016" PRIx64 "\n", result->hash);
    // a scene that never made a step has nothing but its error
    if (a->json && (status == MO_OK || run_steps(result) > 0))
        json_print(a, run_json(result, &facts, status == MO_OK ? result->status : a->status));
    return code;
}

/* the page of a run that is over stays until Ctrl-C */
static void stay(const app *a, const request *r, const scene_result *result)
{
    if (result->interrupted || r->no_wait)
        return;
    if (!a->json && !r->quiet)
        puts("the viewer stays until Ctrl-C");
    fflush(stdout);
    wait_for_signal();
}

/* "interrupted" becomes "interrupted at t = 0.25 s" */
static void add_time(scene_result *result)
{
    size_t length = strlen(result->status);
    snprintf(result->status + length, sizeof result->status - length, " at t = %.10g s", run_time(result));
}

static exit_status run_options(app *a, const request *r, scene_options options, live *viewer)
{
    watch w = {.messages = json_array()};
    options.data = &w;
    scene_result result = {0};
    mo_error err = {0};
    progress_start(&w.bar, !r->quiet);
    catch_signals();
    mo_status status = scene_run(&options, &result, &err);
    if (viewer == NULL)
        release_signals();
    progress_clear(&w.bar);
    if (status == MO_OK && result.interrupted)
        add_time(&result);
    const bool seen = viewer != NULL && live_finish(viewer, &result);
    exit_status code = conclude(a, r, &result, status, &err, w.messages);
    if (seen)
        stay(a, r, &result);
    release_signals();
    scene_result_free(&result);
    json_decref(w.messages);
    return code;
}

/* a run that is watched: where it goes, and who watches */
static exit_status run_live(app *a, const request *r, const scene_source *source, scene_options options)
{
    show shown;
    live *viewer = NULL;
    const char *file = r->output != NULL ? r->output : r->resume;
    char *name = file != NULL ? app_format("%s", file) : app_format("%s.h5", source->name);
    exit_status code = show_begin(a, &r->show, name, &shown);
    if (code == EXIT_DONE)
        code = live_create(a, &shown, &r->show, file, &viewer);
    if (code == EXIT_DONE) {
        options.watch = live_watch(viewer);
        if (file == NULL)
            options.output = live_path(viewer);
        code = run_options(a, r, options, viewer);
    }
    show_end(&shown);
    live_destroy(viewer);
    free(name);
    return code;
}

static exit_status run_scene(app *a, const request *r, const scene_source *source)
{
    const scene_options options = options_for(r, source, NULL);
    return r->live ? run_live(a, r, source, options) : run_options(a, r, options, NULL);
}

/* ---- the scene's parameters ------------------------------------------------------------------------------
 */

static void print_params_json(app *a, const scene_params *params)
{
    json_t *object = json_object(), *list = json_array();
    for (size_t i = 0; i < params->count; i++) {
        json_t *item = json_object();
        json_put(item, "name", json_text(params->items[i].name));
        json_put(item, "type", json_text(params->items[i].type));
        json_put(item, "default", json_text(params->items[i].value));
        json_put(item, "doc", json_text(params->items[i].doc != NULL ? params->items[i].doc : ""));
        json_put(item, "live", json_boolean(params->items[i].live));
        json_array_append_new(list, item);
    }
    json_put(object, "status", json_text("ok"));
    json_put(object, "parameters", list);
    json_print(a, object);
}

/* characters that name and value take on the screen: in UTF-8 all bytes but those that continue one */
static int shown_width(const scene_param *p)
{
    int width = 0;
    for (const char *c = p->name; *c != '\0'; c++)
        width += ((unsigned char)*c & 0xC0) != 0x80;
    for (const char *c = p->value; *c != '\0'; c++)
        width += ((unsigned char)*c & 0xC0) != 0x80;
    return width;
}

static void print_params(const scene_source *source, const scene_params *params)
{
    printf("parameters of %s%s\n", source->path,
           params->count > 0 ? " (change with --set NAME=VALUE):" : ": none");
    int width = 0;
    for (size_t i = 0; i < params->count; i++) {
        int length = shown_width(&params->items[i]);
        width = length > width ? length : width;
    }
    for (size_t i = 0; i < params->count; i++) {
        const scene_param *p = &params->items[i];
        const char *doc = p->doc != NULL ? p->doc : "";
        printf("  %s = %s%*s  (%s%s)%s%s\n", p->name, p->value, width - shown_width(p), "",
               p->live ? "live " : "", p->type, *doc != '\0' ? " " : "", doc);
    }
}

static exit_status list_params(app *a, const request *r, const scene_source *source)
{
    watch w = {.messages = json_array()};
    scene_options options = options_for(r, source, &w);
    scene_params params = {0};
    mo_error err = {0};
    mo_status status = scene_list_params(&options, &params, &err);
    json_decref(w.messages);
    if (status != MO_OK)
        return app_fail_error(a, status, &err);
    if (a->json)
        print_params_json(a, &params);
    else
        print_params(source, &params);
    scene_params_free(&params);
    return EXIT_DONE;
}

static exit_status run_request(app *a, request *r)
{
    if (r->help && r->scenes.count == 0 && r->resume == NULL) {
        fputs(run_command.help, stdout);
        return EXIT_DONE;
    }
    scene_source source = {0};
    exit_status code = check(a, r);
    if (code == EXIT_DONE && r->scenes.count == 1)
        code = scene_source_load(a, r->scenes.items[0], &source);
    if (code == EXIT_DONE && r->resume != NULL)
        code = read_resumed(a, r, &source);
    if (code == EXIT_DONE)
        code = r->help ? list_params(a, r, &source) : run_scene(a, r, &source);
    scene_source_free(&source);
    return code;
}

static exit_status run_main(app *a, int argc, char **argv)
{
    request r;
    exit_status code = parse(a, argc, argv, &r);
    if (code == EXIT_DONE)
        code = run_request(a, &r);
    arguments_free(&r.scenes);
    arguments_free(&r.sets);
    return code;
}

const command run_command = {
    .name = "run",
    .summary = "run a scene",
    .main = run_main,
    .help =
        "usage: moreau run SCENE [OPTION]...\n\n"
        "SCENE is a path to a .lua file (it ends in .lua or has a slash) or the bare name of a shipped\n"
        "example. `moreau run SCENE --help` lists the scene's own parameters.\n\n"
        "  -o RUN.h5          record the run; without -o no file is written\n"
        "  --set NAME=VALUE   change a parameter of the scene; may be repeated\n"
        "  --until T          stop at T seconds instead of the scene's t_end\n"
        "  --steps N          stop after N steps\n"
        "  --seed N           seed of the scene's random numbers (1)\n"
        "  --threads N        threads; the result does not depend on it (processors, at most 8)\n"
        "  --resume RUN.h5    go on from the last frame of a run (a sweep: its last checkpoint), in the "
        "same\n"
        "                     file unless -o names another;\n"
        "                     the seed and the parameters are the recorded ones unless given, and SCENE may\n"
        "                     be left out for the recorded text\n"
        "  --dump-problems DIR  write the contact problem of every step with contacts, with the step's\n"
        "                     answer, as DIR/step-NNNNNNNN.hdf5 for `moreau solve` (worlds); steps count "
        "from 1\n"
        "  --dump-every N     only every Nth step\n"
        "  --dump-from K, --dump-to K   only steps from K, up to K\n"
        "  --live             show the run in the browser while it is computed: pause, single steps, and "
        "the\n"
        "                     scene's live parameters; goes to a temporary file without -o; after its end\n"
        "                     the page stays until Ctrl-C\n"
        "  --port N, --no-open, --page FILE   with --live, as for `moreau view`\n"
        "  --pace X           with --live: at most X seconds of the run in a second (0: as fast as it can); "
        "the\n"
        "                     page can change it\n"
        "  --no-wait          with --live: end with the run\n"
        "  --json             one JSON object on the last line of standard output\n"
        "  --hash             print the hash of the final state, 16 hexadecimal digits\n"
        "  --quiet            no progress bar, no summary\n\n"
        "Ctrl-C ends the run cleanly, and it can be resumed; a second Ctrl-C kills it.\n\n"
        "examples:\n"
        "  moreau run sandpile -o pile.h5\n"
        "  moreau run mine.lua --set radius=0.02 --until 0.5 --json\n"
        "  moreau run mine.lua --resume run.h5\n"
        "  moreau run sandpile --live\n"
        "  moreau run sandpile --steps 2000 --dump-problems problems --dump-every 100\n\n"
        "exit status: 0 done; 1 unconverged steps, a failed check, not finite, or interrupted; 2 wrong\n"
        "usage; 3 bad scene or run file; 4 the system failed (no space, no permission).\n",
};
