/* Runs the cases of `moreau bench` by this library and by the programs that are asked for. */
#include "bench_peers.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const case_names[] = {"A",           "B",           "C",    "stack",    "pyramid",
                                         "slope-stick", "slope-slide", "drop", "collapse", NULL};
static const char *const cubes[] = {"stack", "pyramid", "slope-stick", "slope-slide", NULL};

enum { MOST_SIZES = 8, MOST_DRIVERS = 4 };

const char *const *bench_case_names(void)
{
    return case_names;
}

static bool is_among(const char *name, const char *const *names)
{
    while (*names != NULL && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

bool bench_is_case(const char *name)
{
    return is_among(name, case_names);
}

/* ---- rows ----------------------------------------------------------------------------------------- */

static peers_row *add_row(peers_table *t)
{
    if (t->count == t->room) {
        t->room = 2 * t->room + 8;
        peers_row *rows = realloc(t->rows, t->room * sizeof *rows);
        if (rows == NULL)
            app_no_memory();
        t->rows = rows;
    }
    t->rows[t->count] = (peers_row){.times = (double)NAN};
    return &t->rows[t->count++];
}

// a run that went wrong is a row that says so
static void take(peers_table *t, const peer_scene *scene, peer_result *result, mo_status status,
                 mo_error *err, const char *program, const char *setting)
{
    peers_row *row = add_row(t);
    if (status == MO_OK)
        status = peer_analyse(scene, result, &row->found, err);
    row->result = *result;
    peer_result_drop(&row->result);
    if (status == MO_OK)
        return;
    snprintf(row->trouble, sizeof row->trouble, "%.255s", err->message);
    snprintf(row->result.program, sizeof row->result.program, "%s", program);
    snprintf(row->result.setting, sizeof row->result.setting, "%s", setting);
}

static bool is_ours(const peers_row *row)
{
    return strcmp(row->result.program, "moreau") == 0;
}

static double cost_of(const peers_table *t, const peers_row *row)
{
    return t->scene.resting ? row->found.ms : row->found.cost;
}

// a residual of 1e-4, and overlaps (of cubes: drift) that are no larger
static bool is_as_good(const peers_table *t, const peers_row *own, const peers_row *other)
{
    const double residual = fmin(own->found.residual, own->found.law);
    const bool accurate = t->round ? own->found.overlaps.max <= other->found.overlaps.max
                                   : !t->scene.resting || own->found.drift <= other->found.drift;
    return own->trouble[0] == '\0' && residual <= 1e-4 && accurate;
}

static void compare(peers_table *t)
{
    for (size_t i = 0; i < t->count; i++) {
        peers_row *row = &t->rows[i];
        double best = HUGE_VAL;
        for (size_t k = 0; k < t->count && !is_ours(row) && row->trouble[0] == '\0'; k++)
            if (is_ours(&t->rows[k]) && is_as_good(t, &t->rows[k], row))
                best = fmin(best, cost_of(t, &t->rows[k]));
        row->times = isfinite(best) ? cost_of(t, row) / best : (double)NAN;
    }
}

/* ---- programs ------------------------------------------------------------------------------------- */

void bench_program_path(char *out, size_t size)
{
    const ssize_t length = readlink("/proc/self/exe", out, size - 1);
    out[length > 0 ? length : 0] = '\0';
}

// drivers lie beside the program where it was built, and under libexec where it was installed
void bench_driver_folder(char *out, size_t size)
{
    const char *given = getenv("MOREAU_PEERS");
    char self[PATH_MAX];
    bench_program_path(self, sizeof self);
    char *slash = strrchr(self, '/');
    if (slash != NULL)
        *slash = '\0';
    if (given != NULL && given[0] != '\0') {
        snprintf(out, size, "%s", given);
        return;
    }
    char *built = app_format("%s/bench/peers", self),
         *installed = app_format("%s/../libexec/moreau/peers", self);
    snprintf(out, size, "%s", access(built, X_OK) == 0 ? built : installed);
    free(built);
    free(installed);
}

static void run_driver(peers_table *t, const peer_scene *scene, const peer_driver *driver,
                       const char *program, double limit)
{
    char settings[sizeof driver->settings], *rest = NULL;
    snprintf(settings, sizeof settings, "%s", driver->settings);
    for (char *name = strtok_r(settings, "\n", &rest); name != NULL; name = strtok_r(NULL, "\n", &rest)) {
        peer_result result = {.body_count = 0};
        mo_error err = {0};
        const mo_status status = peer_run_driver(driver, name, scene, limit, &result, &err);
        take(t, scene, &result, status, &err, program, name);
        t->missing += status != MO_OK;
    }
}

static void run_program(app *a, peers_table *t, const peer_scene *scene, const char *program, double limit)
{
    peer_driver drivers[MOST_DRIVERS];
    char folder[PATH_MAX];
    size_t there = 0;
    bench_driver_folder(folder, sizeof folder);
    const size_t count = peer_find_drivers(folder, program, scene, drivers, MOST_DRIVERS, &there);
    if (there == 0) {
        app_fail(a, EXIT_UNREACHED, "%s: no driver in %s; run `make bench-peers`", program, folder);
        t->missing++;
    }
    for (size_t k = 0; k < count; k++)
        run_driver(t, scene, &drivers[k], program, limit);
}

static void run_own(peers_table *t, const peer_scene *scene)
{
    const peer_setting *setting;
    for (size_t i = 0; (setting = peer_own_setting(scene, i)) != NULL; i++) {
        peer_result result = {.body_count = 0};
        mo_error err = {0};
        const mo_status status = peer_run_own(scene, setting, &result, &err);
        take(t, scene, &result, status, &err, "moreau", setting->name);
    }
}

static void run_against(app *a, const peers_request *r, const peer_scene *scene, peers_table *t)
{
    char names[256] = "", *rest = NULL;
    snprintf(names, sizeof names, "%s", r->against != NULL ? r->against : "");
    for (char *name = strtok_r(names, ",", &rest); name != NULL; name = strtok_r(NULL, ",", &rest))
        run_program(a, t, scene, name, r->limit);
}

/* ---- cases ---------------------------------------------------------------------------------------- */

static exit_status run_scene(app *a, const peers_request *r, const char *name, size_t n, peers_table *t)
{
    mo_error err = {0};
    peer_scene scene;
    const peer_size size = {n, (size_t)r->settle, (size_t)r->steps};
    const mo_status status = peer_scene_make(name, &size, r->quick, &scene, &err);
    if (status != MO_OK)
        return app_fail_error(a, status, &err);
    t->round = scene.bodies[0].radius > 0;
    t->scene = scene;
    t->scene.bodies = NULL;
    run_own(t, &scene);
    run_against(a, r, &scene, t);
    compare(t);
    peer_scene_free(&scene);
    if (!a->json)
        peers_print(t);
    fflush(stdout);
    return EXIT_DONE;
}

/* Tables as they come. */
typedef struct collection {
    peers_table *tables;
    size_t count;
} collection;

static exit_status run_sizes(app *a, const peers_request *r, const char *name, const size_t *sizes,
                             size_t count, collection *c)
{
    exit_status code = EXIT_DONE;
    for (size_t k = 0; k < count && code == EXIT_DONE; k++) {
        peers_table *tables = realloc(c->tables, (c->count + 1) * sizeof *tables);
        if (tables == NULL)
            app_no_memory();
        c->tables = tables;
        tables[c->count] = (peers_table){.count = 0};
        code = run_scene(a, r, name, sizes[k], &tables[c->count++]);
    }
    return code;
}

// sizes are for piles; the numbers of cubes are part of their scenes
static exit_status run_case(app *a, const peers_request *r, const char *name, const size_t *sizes,
                            size_t count, collection *c)
{
    const size_t own = 0;
    exit_status code = EXIT_DONE;
    if (is_among(name, cubes))
        return run_sizes(a, r, name, &own, 1, c);
    if (strcmp(name, "C") != 0)
        return run_sizes(a, r, name, sizes, count, c);
    for (size_t k = 0; cubes[k] != NULL && code == EXIT_DONE; k++)
        code = run_sizes(a, r, cubes[k], &own, 1, c);
    return code;
}

static exit_status read_sizes(app *a, const char *text, size_t *sizes, size_t *count)
{
    char copy[256] = "", *rest = NULL;
    sizes[0] = 0;
    *count = 1;
    if (text == NULL)
        return EXIT_DONE;
    snprintf(copy, sizeof copy, "%s", text);
    *count = 0;
    for (char *word = strtok_r(copy, ",", &rest); word != NULL && *count < MOST_SIZES;
         word = strtok_r(NULL, ",", &rest)) {
        int64_t n;
        if (!parse_integer(word, &n) || n < 1 || n > 10000000)
            return app_usage(a, "option --n: found '%s', expected whole numbers from 1 to 10000000", word);
        sizes[(*count)++] = (size_t)n;
    }
    return *count > 0 ? EXIT_DONE : app_usage(a, "option --n: found '%s', expected whole numbers", text);
}

static exit_status check_programs(app *a, const char *text)
{
    char copy[256] = "", hint[128], *rest = NULL;
    const char *names[16] = {NULL};
    for (size_t i = 0; i < 15 && (names[i] = peer_program_name(i)) != NULL; i++)
        ;
    if (text != NULL && strlen(text) >= sizeof copy)
        return app_usage(a, "option --against: too long");
    snprintf(copy, sizeof copy, "%s", text != NULL ? text : "");
    for (char *name = strtok_r(copy, ",", &rest); name != NULL; name = strtok_r(NULL, ",", &rest)) {
        if (strcmp(name, "siconos") == 0)
            return app_usage(
                a, "siconos solves contact problems, not scenes: `moreau bench solvers --against siconos`");
        if (!is_among(name, names))
            return app_usage(a, "no program '%s' to compare with%s", name,
                             nearest_hint(name, names, hint, sizeof hint));
    }
    return EXIT_DONE;
}

static void print_object(app *a, const collection *c, bool missing)
{
    char slug[64], processor[128];
    long cores;
    json_t *o = json_object(), *tables = json_array(), *machine = json_object();
    peer_machine(slug, sizeof slug, processor, sizeof processor, &cores);
    json_put(machine, "name", json_text(slug));
    json_put(machine, "processor", json_text(processor));
    json_put(machine, "cores", json_integer((json_int_t)cores));
    for (size_t k = 0; k < c->count; k++)
        json_array_append_new(tables, peers_json(&c->tables[k]));
    json_put(o, "status", json_text(missing ? "not every program that was asked for gave a result" : "ok"));
    json_put(o, "machine", machine);
    json_put(o, "cases", tables);
    json_print(a, o);
}

static exit_status finish(app *a, const peers_request *r, const collection *c)
{
    size_t missing = 0;
    for (size_t k = 0; k < c->count; k++)
        missing += c->tables[k].missing;
    exit_status code = peers_keep(a, r->folder, c->tables, c->count);
    if (code == EXIT_DONE && a->json)
        print_object(a, c, missing > 0);
    return code == EXIT_DONE && missing > 0 ? EXIT_UNREACHED : code;
}

exit_status bench_run_peers(app *a, const peers_request *r)
{
    size_t sizes[MOST_SIZES], count;
    collection c = {NULL, 0};
    exit_status code = check_programs(a, r->against);
    if (code == EXIT_DONE)
        code = read_sizes(a, r->sizes, sizes, &count);
    for (size_t k = 0; code == EXIT_DONE && k < r->cases->count; k++)
        code = run_case(a, r, r->cases->items[k], sizes, count, &c);
    if (code == EXIT_DONE)
        code = finish(a, r, &c);
    for (size_t k = 0; k < c.count; k++)
        free(c.tables[k].rows);
    free(c.tables);
    return code;
}
