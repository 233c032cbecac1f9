/*
 * A run that is watched while it is computed.  Two threads meet here: the one that steps (the functions of
 * scene_watch) and the server's.  What they share is small and behind one lock that nobody holds for long;
 * the run waits only where a viewer has paused it.
 */
#include "show.h"

#include "core/timer.h"

#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WAIT_MS = 50 };
static const double least_lead = 0.03, most_lag = 0.1; // s

typedef struct live_param {
    char *name, *type, *doc;
    json_t *value;
    bool live;
    char *next; /* a value that the run has not taken yet, as for --set; else NULL */
} live_param;

struct live {
    app *app;
    show *show;
    const show_request *request;
    scene_watch watch;
    char *folder, *path; /* folder: of a temporary file, else NULL */
    bool started;
    char *taken; /* the change that the run was given last */
    pthread_mutex_t mutex;
    pthread_cond_t asked; /* a viewer wants something */
    /* behind the lock */
    scene_progress now;
    bool paused, stepping, done;
    double pace; /* seconds of the run in one of the clock; 0: as fast as it can */
    bool paced;  /* the clock's and the run's time of the last look that belong together are known: */
    double pace_clock, pace_time;
    double lead;       /* s, by which the run is too early and waits; 0: it does not wait */
    int64_t step_from; /* frame after which a single step began */
    char status[512];
    live_param *params;
    size_t count;
};

/* ---- what viewers are told ----------------------------------------------------------------------------- */

/* values of the live parameters */
static json_t *live_values(const live *l)
{
    json_t *values = json_object();
    for (size_t i = 0; i < l->count; i++) {
        if (l->params[i].live)
            json_put(values, l->params[i].name, json_copy(l->params[i].value));
    }
    return values;
}

static char *state(void *data)
{
    live *l = data;
    json_t *object = json_object();
    pthread_mutex_lock(&l->mutex);
    json_put(object, "type", json_text("frame"));
    json_put(object, "frames", json_unsigned(l->now.frames));
    json_put(object, "time", json_number(l->now.time));
    json_put(object, "t_end", json_number(l->now.t_end));
    json_put(object, "steps", json_integer(l->now.step));
    json_put(object, "residual", json_number(l->now.residual));
    json_put(object, "iterations", json_integer(l->now.iterations));
    json_put(object, "contacts", json_unsigned(l->now.contacts));
    json_put(object, "paused", json_boolean(l->paused && !l->done));
    json_put(object, "done", json_boolean(l->done));
    json_put(object, "pace", json_number(l->pace));
    if (l->done)
        json_put(object, "status", json_text(l->status));
    json_put(object, "values", live_values(l));
    pthread_mutex_unlock(&l->mutex);
    char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(object);
    return text;
}

static char *session(void *data, uint64_t size)
{
    live *l = data;
    json_t *list = json_array();
    pthread_mutex_lock(&l->mutex);
    for (size_t i = 0; i < l->count; i++) {
        json_t *item = json_object();
        json_put(item, "name", json_text(l->params[i].name));
        json_put(item, "value", json_copy(l->params[i].value));
        json_put(item, "doc", json_text(l->params[i].doc));
        json_put(item, "live", json_boolean(l->params[i].live));
        json_array_append_new(list, item);
    }
    pthread_mutex_unlock(&l->mutex);
    return show_session(l->show, size, true, list);
}

/* ---- what viewers ask for ------------------------------------------------------------------------------ */

static char *complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
static char *complain(const char *format, ...)
{
    char message[200];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    json_t *object = json_object();
    json_put(object, "type", json_text("error"));
    json_put(object, "message", json_text(message));
    char *text = json_dumps(object, JSON_COMPACT);
    json_decref(object);
    return text;
}

/* a value as for --set, when it is one for the parameter; to be freed */
static char *value_text(const live_param *p, const json_t *value)
{
    if (strcmp(p->type, "number") == 0 && json_is_integer(value))
        return app_format("%lld", (long long)json_integer_value(value));
    if (strcmp(p->type, "number") == 0 && json_is_real(value) && isfinite(json_real_value(value)))
        return app_format("%.17g", json_real_value(value));
    if (strcmp(p->type, "boolean") == 0 && json_is_boolean(value))
        return app_format("%s", json_is_true(value) ? "true" : "false");
    if (strcmp(p->type, "string") == 0 && json_is_string(value))
        return app_format("%s", json_string_value(value));
    return NULL;
}

static char *set_param(live *l, const json_t *message)
{
    const char *name = json_string_value(json_object_get(message, "name"));
    const json_t *value = json_object_get(message, "value");
    live_param *p = NULL;
    for (size_t i = 0; i < l->count && name != NULL; i++) {
        if (strcmp(l->params[i].name, name) == 0)
            p = &l->params[i];
    }
    if (p == NULL)
        return complain("set: the scene has no parameter '%.60s'", name != NULL ? name : "");
    if (!p->live)
        return complain("set: '%.60s' cannot change during the run: it is a param, not live", name);
    char *text = value_text(p, value);
    if (text == NULL)
        return complain("set: '%.60s' expects a %s", name, p->type);
    free(p->next);
    p->next = text;
    json_decref(p->value);
    p->value = json_copy((json_t *)value);
    return NULL;
}

static char *set_pace(live *l, const json_t *message)
{
    const json_t *value = json_object_get(message, "value");
    const double pace = json_number_value(value);
    if (!json_is_number(value) || !(pace >= 0 && isfinite(pace)))
        return complain("pace: expected a value >= 0, seconds of the run in a second; 0: as fast as it can");
    l->pace = pace;
    return NULL;
}

/* what a message asks for; its answer, or NULL */
static char *obey(live *l, const char *type, const json_t *message)
{
    l->paced = false;
    if (strcmp(type, "pause") == 0) {
        l->paused = true;
        l->stepping = false;
    } else if (strcmp(type, "resume") == 0) {
        l->paused = l->stepping = false;
    } else if (strcmp(type, "step") == 0) {
        l->paused = l->stepping = true;
        l->step_from = l->now.frame_step;
    } else if (strcmp(type, "set") == 0) {
        return set_param(l, message);
    } else if (strcmp(type, "pace") == 0) {
        return set_pace(l, message);
    } else {
        return complain("unknown type '%.60s', expected pause, resume, step, set or pace", type);
    }
    return NULL;
}

static char *message(void *data, const char *text, size_t length)
{
    live *l = data;
    json_t *object = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
    const char *type = json_string_value(json_object_get(object, "type"));
    char *reply;
    pthread_mutex_lock(&l->mutex);
    if (type == NULL)
        reply = complain("expected a JSON object with a type");
    else if (l->done)
        reply = complain("the run is over");
    else
        reply = obey(l, type, object);
    pthread_cond_signal(&l->asked);
    pthread_mutex_unlock(&l->mutex);
    json_decref(object);
    // everybody hears what it has become
    if (reply == NULL)
        server_wake(l->show->server);
    return reply;
}

/* ---- the run's side ------------------------------------------------------------------------------------ */

static void take_params(live *l, const scene_params *params, const char *values_json)
{
    json_t *values = json_parsed(values_json);
    l->params = app_calloc(params->count, sizeof *l->params);
    l->count = params->count;
    for (size_t i = 0; i < params->count; i++) {
        const scene_param *p = &params->items[i];
        json_t *value = json_copy(json_object_get(values, p->name));
        l->params[i] = (live_param){.name = app_format("%s", p->name),
                                    .type = app_format("%s", p->type),
                                    .doc = app_format("%s", p->doc),
                                    .value = value != NULL ? value : json_null(),
                                    .live = p->live};
    }
    json_decref(values);
}

static mo_status begin(void *data, const scene_params *params, const char *values_json, mo_error *err)
{
    live *l = data;
    take_params(l, params, values_json);
    mo_status status = show_open_file(l->show, l->path, err);
    const server_content content = {.page = l->show->page.bytes,
                                    .page_size = l->show->page.size,
                                    .file = l->show->file,
                                    .session = session,
                                    .state = state,
                                    .message = message,
                                    .data = l};
    if (status == MO_OK)
        status = server_start(l->show->server, &content, err);
    if (status != MO_OK)
        return status;
    l->started = true;
    show_announce(l->app, l->show, l->request, false);
    return MO_OK;
}

/* whether the run is ahead of its pace.  Waiting begins at some lead, since a run that waits puts all it has
   into its file; one that cannot keep up does not hurry afterwards. */
static bool is_early(live *l, double time)
{
    const bool waits = l->lead > 0;
    const double now = seconds_now();
    l->lead = 0;
    if (l->pace <= 0 || l->paused)
        return false;
    const double lead = (time - l->pace_time) / l->pace - (now - l->pace_clock);
    if (!l->paced || lead < -most_lag) {
        l->paced = true;
        l->pace_clock = now;
        l->pace_time = time;
    } else if (lead > (waits ? 0 : least_lead)) {
        l->lead = lead;
    }
    return l->lead > 0;
}

static bool look(void *data, const scene_progress *p)
{
    live *l = data;
    pthread_mutex_lock(&l->mutex);
    bool news = p->frames != l->now.frames;
    l->now = *p;
    // a single step goes on to the next frame: there is nothing to see before
    if (l->stepping && p->frame_step != l->step_from) {
        l->stepping = false;
        news = true;
    }
    const bool early = is_early(l, p->time), hold = early || (l->paused && !l->stepping);
    pthread_mutex_unlock(&l->mutex);
    if (news)
        server_wake(l->show->server);
    return hold;
}

static void wait_for_viewer(void *data)
{
    live *l = data;
    struct timespec until;
    pthread_mutex_lock(&l->mutex);
    const double ms = l->lead > 0 ? fmin(1e3 * l->lead + 0.5, WAIT_MS) : WAIT_MS;
    pthread_mutex_unlock(&l->mutex);
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += (long)(ms * 1e6);
    if (until.tv_nsec >= 1000000000L) {
        until.tv_sec++;
        until.tv_nsec -= 1000000000L;
    }
    pthread_mutex_lock(&l->mutex);
    pthread_cond_timedwait(&l->asked, &l->mutex, &until);
    pthread_mutex_unlock(&l->mutex);
}

static bool change(void *data, const char **name, const char **value)
{
    live *l = data;
    bool found = false;
    pthread_mutex_lock(&l->mutex);
    for (size_t i = 0; i < l->count && !found; i++) {
        live_param *p = &l->params[i];
        if (p->next == NULL)
            continue;
        free(l->taken);
        l->taken = p->next;
        p->next = NULL;
        *name = p->name;
        *value = l->taken;
        found = true;
    }
    pthread_mutex_unlock(&l->mutex);
    return found;
}

/* ---- beginning and end --------------------------------------------------------------------------------- */

/* a folder for a run that nobody wanted to keep */
static exit_status make_temporary(live *l)
{
    const char *place = getenv("TMPDIR");
    l->folder = app_format("%s/moreau-XXXXXX", place != NULL && place[0] != '\0' ? place : "/tmp");
    if (mkdtemp(l->folder) == NULL) {
        exit_status code = app_fail(l->app, EXIT_SYSTEM, "%s: cannot make a folder for the run: %s",
                                    l->folder, strerror(errno));
        free(l->folder);
        l->folder = NULL;
        return code;
    }
    l->path = app_format("%s/run.h5", l->folder);
    return EXIT_DONE;
}

exit_status live_create(app *a, show *s, const show_request *request, const char *path, live **out)
{
    live *l = app_calloc(1, sizeof *l);
    *l = (live){.app = a, .show = s, .request = request, .now = {.frame_step = -1}, .pace = request->pace};
    l->watch =
        (scene_watch){.begin = begin, .look = look, .wait = wait_for_viewer, .change = change, .data = l};
    pthread_mutex_init(&l->mutex, NULL);
    pthread_cond_init(&l->asked, NULL);
    *out = l;
    if (path == NULL)
        return make_temporary(l);
    l->path = app_format("%s", path);
    return EXIT_DONE;
}

const scene_watch *live_watch(const live *l)
{
    return &l->watch;
}

const char *live_path(const live *l)
{
    return l->path;
}

bool live_finish(live *l, const scene_result *result)
{
    if (!l->started)
        return false;
    pthread_mutex_lock(&l->mutex);
    l->done = true;
    l->now.frames = result->frames;
    l->now.step = result->info.steps;
    l->now.time = result->info.time;
    snprintf(l->status, sizeof l->status, "%s", result->status);
    pthread_mutex_unlock(&l->mutex);
    server_wake(l->show->server);
    return true;
}

void live_destroy(live *l)
{
    if (l == NULL)
        return;
    if (l->folder != NULL) {
        char *beside = app_format("%s/run.xdmf", l->folder);
        unlink(l->path);
        unlink(beside);
        rmdir(l->folder);
        free(beside);
    }
    for (size_t i = 0; i < l->count; i++) {
        free(l->params[i].name);
        free(l->params[i].type);
        free(l->params[i].doc);
        free(l->params[i].next);
        json_decref(l->params[i].value);
    }
    free(l->params);
    free(l->taken);
    free(l->folder);
    free(l->path);
    pthread_cond_destroy(&l->asked);
    pthread_mutex_destroy(&l->mutex);
    free(l);
}
