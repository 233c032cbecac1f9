/*
 * on_step, at, stop_when, observe, observe_bodies and at_end: registering functions and calling them from the
 * run loop.
 *
 * Order around a step from t to t + h: at (due by t), on_step(t), the step, stop_when(t + h), observe(t + h)
 * when a row of the series is due.
 */
#include "scene/engine.h"

#include "core/fail.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_FUNCTIONS = 100000, MOST_OBSERVERS = 1000 };

/* ---- registering ---------------------------------------------------------------------------- */

static void check_function(lua_State *L, int idx, const char *what)
{
    if (lua_type(L, idx) != LUA_TFUNCTION)
        read_wrong(L, what, "", idx, "a function");
    scene *s = scene_of(L);
    if (s->phase == PHASE_END)
        scene_error(L, what, "the run is over");
    /* a resumed run could not know what was registered on the way */
    s->late_functions = s->late_functions || s->phase != PHASE_CHUNK;
}

static void add_ref(lua_State *L, ref_list *list, int idx, const char *what)
{
    if (list->count >= MOST_FUNCTIONS)
        scene_error(L, what, "more than %d functions", MOST_FUNCTIONS);
    if (list->count == list->capacity) {
        size_t capacity = 2 * list->capacity + 8;
        int *grown = realloc(list->items, capacity * sizeof *grown);
        if (grown == NULL)
            scene_error(L, what, "out of memory");
        list->items = grown;
        list->capacity = capacity;
    }
    lua_pushvalue(L, idx);
    list->items[list->count] = luaL_ref(L, LUA_REGISTRYINDEX);
    list->count++;
}

void scene_add_on_step(lua_State *L, int idx)
{
    check_function(L, idx, "on_step");
    add_ref(L, &scene_of(L)->on_step, idx, "on_step");
}

static int on_step(lua_State *L)
{
    scene_add_on_step(L, 1);
    return 0;
}

static int stop_when(lua_State *L)
{
    check_function(L, 1, "stop_when");
    add_ref(L, &scene_of(L)->stop_when, 1, "stop_when");
    return 0;
}

static int at_end(lua_State *L)
{
    check_function(L, 1, "at_end");
    add_ref(L, &scene_of(L)->at_end, 1, "at_end");
    return 0;
}

/* a name that can head a column: no control characters, commas or quotes */
static bool is_column_name(const char *name)
{
    for (const char *p = name; *p != '\0'; p++)
        if (iscntrl((unsigned char)*p) || *p == ',' || *p == '"')
            return false;
    return true;
}

/* a named column and its function, at 1 and 2; taken: names of columns that there are besides */
static void add_column(lua_State *L, ref_list *functions, char ***names, const char *what,
                       const char *const *taken)
{
    const char *name = read_string_at(L, 1, what, "name");
    for (; *taken != NULL; taken++)
        if (strcmp(name, *taken) == 0)
            read_wrong(L, what, "name", 1, "a name other than \"t\" and those of the columns that there are");
    if (!is_column_name(name))
        read_wrong(L, what, "name", 1, "a name without commas, quotes and control characters");
    if (scene_of(L)->phase != PHASE_CHUNK)
        scene_error(L, what, "%s must be called while the scene is built", what);
    check_function(L, 2, what);
    for (size_t i = 0; i < functions->count; i++)
        if (strcmp((*names)[i], name) == 0)
            scene_error(L, what, "\"%s\" is observed already", name);
    if (functions->count >= MOST_OBSERVERS)
        scene_error(L, what, "more than %d columns", MOST_OBSERVERS);
    char **grown = realloc(*names, (functions->count + 1) * sizeof *grown);
    if (grown == NULL)
        scene_error(L, what, "out of memory");
    *names = grown;
    size_t before = functions->count;
    add_ref(L, functions, 2, what);
    (*names)[before] = strdup(name);
    if ((*names)[before] == NULL) {
        functions->count = before;
        scene_error(L, what, "out of memory");
    }
}

static int observe(lua_State *L)
{
    static const char *const taken[] = {"t", NULL};
    scene *s = scene_of(L);
    add_column(L, &s->observers, &s->observed, "observe", taken);
    return 0;
}

/* names that the table of bodies has of its own */
static int observe_bodies(lua_State *L)
{
    static const char *const taken[] = {"t",  "body", "x",  "y",  "z",  "angle", "spin", "qw", "qx",
                                        "qy", "qz",   "vx", "vy", "vz", "wx",    "wy",   "wz", NULL};
    scene *s = scene_of(L);
    scene_world(L, "observe_bodies");
    add_column(L, &s->body_observers, &s->body_observed, "observe_bodies", taken);
    return 0;
}

static int at(lua_State *L)
{
    scene *s = scene_of(L);
    double time = read_number_at(L, 1, "at", "time");
    if (time < 0)
        scene_error(L, "at.time", "expected a time >= 0, got %.17g", time);
    check_function(L, 2, "at");
    if (s->timed_count - s->timed_next >= MOST_FUNCTIONS)
        scene_error(L, "at", "more than %d functions", MOST_FUNCTIONS);
    timed_call *grown = realloc(s->timed, (s->timed_count + 1) * sizeof *grown);
    if (grown == NULL)
        scene_error(L, "at", "out of memory");
    s->timed = grown;
    lua_pushvalue(L, 2);
    timed_call call = {time, luaL_ref(L, LUA_REGISTRYINDEX)};
    /* after those of the same time, never before what has fired */
    size_t place = s->timed_count;
    while (place > s->timed_next && s->timed[place - 1].time > time)
        place--;
    memmove(s->timed + place + 1, s->timed + place, (s->timed_count - place) * sizeof *s->timed);
    s->timed[place] = call;
    s->timed_count++;
    return 0;
}

void scene_open_callbacks(lua_State *L)
{
    static const luaL_Reg functions[] = {
        {"on_step", on_step}, {"stop_when", stop_when},           {"at_end", at_end}, {"observe", observe},
        {"at", at},           {"observe_bodies", observe_bodies}, {NULL, NULL}};
    lua_getglobal(L, LUA_GNAME);
    luaL_setfuncs(L, functions, 0);
    lua_pop(L, 1);
}

void scene_free_callbacks(scene *s)
{
    for (size_t i = 0; i < s->observers.count; i++)
        free(s->observed[i]);
    for (size_t i = 0; i < s->body_observers.count; i++)
        free(s->body_observed[i]);
    free(s->body_observed);
    free(s->body_observers.items);
    free(s->observed);
    free(s->timed);
    free(s->on_step.items);
    free(s->stop_when.items);
    free(s->observers.items);
    free(s->at_end.items);
}

/* ---- calling ---------------------------------------------------------------------------------- */

static mo_status call_ref(scene *s, int ref, const double *t, int results, mo_error *err)
{
    lua_rawgeti(s->L, LUA_REGISTRYINDEX, ref);
    if (t != NULL)
        lua_pushnumber(s->L, *t);
    return scene_call(s, t != NULL, results, err);
}

/* the list may grow while it runs: what is added begins with the next step */
static mo_status call_list(scene *s, const ref_list *list, const double *t, mo_error *err)
{
    size_t n = list->count;
    mo_status status = MO_OK;
    for (size_t i = 0; i < n && status == MO_OK; i++)
        status = call_ref(s, list->items[i], t, 0, err);
    return status;
}

/* slack for times that are a multiple of h up to rounding */
static double due_by(const scene *s, double t)
{
    return t + 1e-9 * s->h;
}

mo_status scene_fire_timed(scene *s, double t, mo_error *err)
{
    mo_status status = MO_OK;
    /* entries added on the way for now or earlier fire with the next step, so that this ends */
    size_t n = s->timed_next;
    while (n < s->timed_count && s->timed[n].time <= due_by(s, t))
        n++;
    for (; s->timed_next < n && status == MO_OK;) {
        int ref = s->timed[s->timed_next++].ref;
        status = call_ref(s, ref, NULL, 0, err);
        luaL_unref(s->L, LUA_REGISTRYINDEX, ref);
    }
    return status;
}

void scene_skip_timed(scene *s, int64_t k)
{
    double last = (double)(k - 1) * s->h;
    while (k > 0 && s->timed_next < s->timed_count && s->timed[s->timed_next].time <= due_by(s, last))
        s->timed_next++;
}

mo_status scene_run_on_step(scene *s, double t, mo_error *err)
{
    return call_list(s, &s->on_step, &t, err);
}

mo_status scene_run_stop_when(scene *s, double t, bool *stop, mo_error *err)
{
    for (size_t i = 0; i < s->stop_when.count; i++) {
        mo_status status = call_ref(s, s->stop_when.items[i], &t, 1, err);
        if (status != MO_OK)
            return status;
        *stop = *stop || lua_toboolean(s->L, -1);
        lua_pop(s->L, 1);
    }
    return MO_OK;
}

/* the number on top of the stack, which goes; nothing is no number where that is allowed */
static mo_status take_number(scene *s, int ref, const char *what, const char *name, bool optional,
                             double *out, mo_error *err)
{
    char found[80];
    const bool none = optional && lua_isnil(s->L, -1), number = lua_type(s->L, -1) == LUA_TNUMBER;
    *out = number ? lua_tonumber(s->L, -1) : none ? (double)NAN : 0;
    scene_describe(s->L, -1, found, sizeof found);
    lua_pop(s->L, 1);
    if (number || none)
        return MO_OK;
    fail(err, MO_BAD_INPUT, what, "the function of \"%s\" gave %s at t = %.17g, expected a number%s", name,
         found, (double)s->engine->steps(s) * s->h, optional ? " or nil" : "");
    lua_rawgeti(s->L, LUA_REGISTRYINDEX, ref);
    fail_at(err, s->options->path, scene_function_line(s->L));
    return MO_BAD_INPUT;
}

mo_status scene_run_observers(scene *s, double t, double *values, mo_error *err)
{
    mo_status status = MO_OK;
    for (size_t i = 0; i < s->observers.count && status == MO_OK; i++) {
        const int ref = s->observers.items[i];
        status = call_ref(s, ref, &t, 1, err);
        if (status == MO_OK)
            status = take_number(s, ref, "observe", s->observed[i], false, &values[i], err);
    }
    return status;
}

mo_status scene_run_body_observers(scene *s, double *values, mo_error *err)
{
    const size_t columns = s->body_observers.count, count = mo_world_bodies(s->world).count;
    const double t = (double)s->engine->steps(s) * s->h;
    mo_status status = MO_OK;
    for (size_t k = 0; k < columns * count && status == MO_OK; k++) {
        const mo_bodies bodies = mo_world_bodies(s->world);
        const int ref = s->body_observers.items[k % columns];
        const char *name = s->body_observed[k % columns];
        if (bodies.count != count)
            return fail(err, MO_BAD_INPUT, "observe_bodies",
                        "the function of \"%s\" adds or removes bodies, expected it to look only", name);
        lua_rawgeti(s->L, LUA_REGISTRYINDEX, ref);
        scene_push_body(s->L, bodies.id[k / columns]);
        lua_pushnumber(s->L, t);
        status = scene_call(s, 2, 1, err);
        if (status == MO_OK)
            status = take_number(s, ref, "observe_bodies", name, true, &values[k], err);
    }
    return status;
}

/* argument 1: the function; its own arguments are the engine's */
static int call_at_end(lua_State *L)
{
    lua_call(L, scene_of(L)->engine->push_end(L), 0);
    return 0;
}

mo_status scene_run_at_end(scene *s, mo_error *err)
{
    size_t n = s->at_end.count;
    mo_status status = MO_OK;
    for (size_t i = 0; i < n && status == MO_OK; i++) {
        lua_pushcfunction(s->L, call_at_end);
        lua_rawgeti(s->L, LUA_REGISTRYINDEX, s->at_end.items[i]);
        status = scene_call(s, 1, 0, err);
    }
    return status;
}
