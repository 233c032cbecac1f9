/*
 * A scene from its text: opening the sandbox and running the chunk, and the list of its parameters.
 */
#include "scene/internal.h"

#include "core/fail.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void scene_say(scene *s, const char *format, ...)
{
    char text[1024];
    if (s->options->message == NULL || s->listing)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    s->options->message(s->options->data, text);
}

/* how Lua will write the place of the chunk in its messages */
static int learn_source(lua_State *L)
{
    scene *s = scene_of(L);
    lua_Debug ar;
    luaL_loadbufferx(L, "", 0, s->source, "t");
    lua_getinfo(L, ">S", &ar);
    snprintf(s->short_source, sizeof s->short_source, "%s", ar.short_src);
    return 0;
}

static int load_chunk(lua_State *L)
{
    scene *s = scene_of(L);
    const char *text = s->options->text;
    size_t length = s->options->text_length;
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3;
        length -= 3;
    }
    // a first line for the shell, as Lua itself allows; its end stays, so that lines keep their numbers
    if (length > 0 && *text == '#') {
        const char *end = memchr(text, '\n', length);
        length -= end != NULL ? (size_t)(end - text) : length;
        text = end != NULL ? end : text;
    }
    if (luaL_loadbufferx(L, text, length, s->source, "t") != LUA_OK)
        return lua_error(L);
    return 1;
}

static mo_status run_chunk(scene *s, mo_error *err)
{
    lua_pushcfunction(s->L, learn_source);
    mo_status status = scene_call(s, 0, 0, err);
    if (status != MO_OK)
        return status;
    lua_pushcfunction(s->L, load_chunk);
    status = scene_call(s, 0, 1, err);
    if (status == MO_OK)
        status = scene_call(s, 0, 0, err);
    /* wrong usage comes before what followed from it */
    if (s->usage_failed) {
        if (err != NULL)
            *err = s->usage_error;
        return MO_USAGE;
    }
    return status;
}

static mo_status allocate(scene *s, mo_error *err)
{
    s->report = json_object();
    s->failed = json_array();
    s->loads = json_object();
    s->param_values = json_object();
    s->plots = json_array();
    s->live_changes = json_array();
    s->live_new = json_array();
    s->set_used = calloc(s->options->set_count + 1, sizeof *s->set_used);
    if (s->report == NULL || s->failed == NULL || s->loads == NULL || s->param_values == NULL ||
        s->plots == NULL || s->live_changes == NULL || s->live_new == NULL || s->set_used == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "out of memory");
    return MO_OK;
}

mo_status scene_begin(scene *s, const scene_options *options, const scene_limits *limits, mo_error *err)
{
    s->options = options;
    s->limits = *limits;
    s->phase = PHASE_CHUNK;
    s->solver_name = "auto";
    snprintf(s->source, sizeof s->source, "@%s", options->path);
    snprintf(s->short_source, sizeof s->short_source, "scene");
    mo_status status = allocate(s, err);
    if (status == MO_OK)
        status = scene_open(s, err);
    return status == MO_OK ? run_chunk(s, err) : status;
}

void scene_finish(scene *s)
{
    /* what runs first: it calls nothing, but points into the Lua state */
    mo_world_destroy(s->world);
    scene_close_process(s->process);
    scene_close(s);
    scene_free_laws(s);
    scene_free_callbacks(s);
    scene_free_params(s);
    json_decref(s->report);
    json_decref(s->failed);
    json_decref(s->loads);
    json_decref(s->plots);
    json_decref(s->live_changes);
    json_decref(s->live_new);
    json_decref(s->param_values);
    json_decref(s->param_saved);
    free(s->set_used);
}

mo_status scene_list_params_limited(const scene_options *options, const scene_limits *limits,
                                    scene_params *out, mo_error *err)
{
    scene s = {.listing = true, .seed = options->seed};
    mo_status status = scene_begin(&s, options, limits, err);
    /* a chunk that fails later on still has the parameters it asked for */
    if (status == MO_OK || (status == MO_BAD_INPUT && s.param_count > 0)) {
        *out = (scene_params){s.param_count, s.params};
        s.params = NULL;
        s.param_count = 0;
        status = MO_OK;
    }
    scene_finish(&s);
    return status;
}

mo_status scene_list_params(const scene_options *options, scene_params *out, mo_error *err)
{
    scene_limits limits = scene_default_limits();
    return scene_list_params_limited(options, &limits, out, err);
}
