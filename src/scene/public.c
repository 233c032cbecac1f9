/*
 * Scenes as moreau/scene.h has them: a session with its own copy of what it was asked for.
 */
#include <moreau/scene.h>

#include "core/fail.h"
#include "scene/session.h"

#include <stdlib.h>
#include <string.h>

struct mo_scene {
    scene_options options; /* strings owned, in the order of `texts` */
    char **sets;           /* [options.set_count] owned */
    scene_session session;
    bool concluded;
    mo_status status; /* of the calls so far */
    mo_error error;
    scene_result result;
};

mo_scene_def mo_default_scene_def(void)
{
    return (mo_scene_def){
        .path = "scene.lua", .text = "", .name = "scene", .seed = 1, .threads = 1, .until = -1, .steps = -1};
}

static scene_options options_of(const mo_scene_def *def)
{
    return (scene_options){.path = def->path,
                           .text = def->text,
                           .text_length = def->text_length,
                           .name = def->name,
                           .sets = def->sets,
                           .set_count = def->set_count,
                           .seed = def->seed,
                           .threads = def->threads,
                           .until = def->until,
                           .steps = def->steps,
                           .output = def->output,
                           .resume = def->resume,
                           .foreground = true,
                           .stop = def->stop,
                           .message = def->message,
                           .data = def->data};
}

static mo_status check_def(const mo_scene_def *def, mo_error *err)
{
    if (def->path == NULL || def->text == NULL)
        return fail(err, MO_USAGE, "text", "found none, expected a path and the text of a scene");
    if (def->threads < 1 || def->threads > 1024)
        return fail(err, MO_USAGE, "threads", "found %d, expected 1 to 1024", def->threads);
    for (size_t i = 0; i < def->set_count; i++) {
        const char *equals = strchr(def->sets[i], '=');
        if (equals == NULL || equals == def->sets[i])
            return fail(err, MO_USAGE, "sets", "found '%s', expected NAME=VALUE", def->sets[i]);
    }
    return MO_OK;
}

/* a copy with a zero behind it; NULL stays NULL */
static bool keep(const char **text, size_t length)
{
    if (*text == NULL)
        return true;
    char *copy = malloc(length + 1);
    if (copy != NULL) {
        memcpy(copy, *text, length);
        copy[length] = '\0';
    }
    *text = copy;
    return copy != NULL;
}

static bool keep_all(mo_scene *x, const mo_scene_def *def)
{
    scene_options *o = &x->options;
    const char **texts[] = {&o->path, &o->name, &o->output, &o->resume};
    bool kept = keep(&o->text, def->text_length);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        kept = keep(texts[i], *texts[i] != NULL ? strlen(*texts[i]) : 0) && kept;
    x->sets = calloc(def->set_count + 1, sizeof *x->sets);
    o->sets = (const char *const *)x->sets;
    if (x->sets == NULL)
        return false;
    for (size_t i = 0; i < def->set_count; i++) {
        const char *text = def->sets[i];
        kept = keep(&text, strlen(text)) && kept;
        x->sets[i] = (char *)text;
    }
    return kept;
}

static void free_kept(mo_scene *x)
{
    scene_options *o = &x->options;
    const char *texts[] = {o->text, o->path, o->name, o->output, o->resume};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        free((char *)texts[i]);
    for (size_t i = 0; x->sets != NULL && i < o->set_count; i++)
        free(x->sets[i]);
    free(x->sets);
    free(x);
}

mo_status mo_scene_open(const mo_scene_def *def, mo_scene **out, mo_error *err)
{
    mo_status status = check_def(def, err);
    if (status != MO_OK)
        return status;
    mo_scene *x = calloc(1, sizeof *x);
    if (x == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "out of memory for a scene");
    x->options = options_of(def);
    if (!keep_all(x, def)) {
        free_kept(x);
        return fail(err, MO_NO_MEMORY, NULL, "out of memory for a scene");
    }
    scene_limits limits = scene_default_limits();
    mo_error local = {0};
    status = session_open(&x->session, &x->options, &limits, &local);
    if (status != MO_OK) {
        // as a run that failed: its file, if there is one already, says so
        status = session_conclude(&x->session, status, &x->result, &local);
        if (err != NULL)
            *err = local;
        x->concluded = true;
        mo_scene_close(x);
        return status;
    }
    *out = x;
    return MO_OK;
}

void mo_scene_close(mo_scene *x)
{
    if (x == NULL)
        return;
    session_close(&x->session);
    scene_result_free(&x->result);
    free_kept(x);
}

mo_scene_progress mo_scene_progress_get(const mo_scene *x)
{
    const scene_session *run = &x->session;
    return (mo_scene_progress){.kind = run->s.engine->kind,
                               .h = run->s.h,
                               .time = (double)run->loop.step * run->s.h,
                               .t_end = (double)run->loop.last * run->s.h,
                               .step = run->loop.step,
                               .steps = run->loop.last,
                               .over = x->concluded || x->status != MO_OK || !session_goes_on(run)};
}

mo_status mo_scene_step(mo_scene *x, mo_error *err)
{
    if (x->status == MO_OK && !x->concluded && session_goes_on(&x->session))
        x->status = session_step(&x->session, &x->error);
    if (x->status != MO_OK && err != NULL)
        *err = x->error;
    return x->status;
}

mo_world *mo_scene_world(const mo_scene *x)
{
    return x->session.s.world;
}

mo_status mo_scene_finish(mo_scene *x, mo_scene_outcome *out, mo_error *err)
{
    scene_session *run = &x->session;
    if (!x->concluded) {
        // who ends a run before its end interrupts it
        run->loop.interrupted |= x->status == MO_OK && session_goes_on(run);
        if (x->status == MO_OK)
            x->status = session_end(run, &x->error);
        x->status = session_conclude(run, x->status, &x->result, &x->error);
        x->concluded = true;
    }
    const scene_result *r = &x->result;
    *out = (mo_scene_outcome){.status = r->status,
                              .reached = r->reached,
                              .interrupted = r->interrupted,
                              .hash = r->hash,
                              .report_json = r->report_json != NULL ? r->report_json : "{}",
                              .events_json = r->events_json,
                              .coordinates = r->coordinates,
                              .multipliers = r->multipliers,
                              .q = r->q,
                              .u = r->u,
                              .lambda = r->lambda};
    if (x->status != MO_OK && err != NULL)
        *err = x->error;
    return x->status;
}

mo_status mo_scene_params(const mo_scene_def *def, void (*take)(void *data, const mo_scene_param *param),
                          void *data, mo_error *err)
{
    mo_status status = check_def(def, err);
    if (status != MO_OK)
        return status;
    scene_options options = options_of(def);
    scene_params list = {0};
    status = scene_list_params(&options, &list, err);
    for (size_t i = 0; status == MO_OK && i < list.count; i++) {
        const scene_param *p = &list.items[i];
        take(data, &(mo_scene_param){p->name, p->value, p->type, p->doc != NULL ? p->doc : ""});
    }
    scene_params_free(&list);
    return status;
}
