/*
 * on_step, at, stop_when, observe and at_end: registering functions and calling them from the run loop.
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

static int observe(lua_State *L)
{
    scene *s = scene_of(L);
    const char *name = read_string_at(L, 1, "observe", "name");
    if (!is_column_name(name) || strcmp(name, "t") == 0)
        read_wrong(L, "observe", "name", 1,
                   "a name other than \"t\" without commas, quotes and control characters");
    if (s->phase != PHASE_CHUNK)
        scene_error(L, "observe", "observe must be called while the scene is built");
    check_function(L, 2, "observe");
    for (size_t i = 0; i < s->observers.count; i++)
        if (strcmp(s->observed[i], name) == 0)
            scene_error(L, "observe", "\"%s\" is observed already", name);
    if (s->observers.count >= MOST_OBSERVERS)
        scene_error(L, "observe", "more than %d columns", MOST_OBSERVERS);
    char **grown = realloc(s->observed, (s->observers.count + 1) * sizeof *grown);
    if (grown == NULL)
        scene_error(L, "observe", "out of memory");
    s->observed = grown;
    size_t before = s->observers.count;
    add_ref(L, &s->observers, 2, "observe");
    s->observed[before] = strdup(name);
    if (s->observed[before] == NULL) {
        s->observers.count = before;
        scene_error(L, "observe", "out of memory");
    }
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
    static const luaL_Reg functions[] = {{"on_step", on_step}, {"stop_when", stop_when},
                                         {"at_end", at_end},   {"observe", observe},
                                         {"at", at},           {NULL, NULL}};
    lua_getglobal(L, LUA_GNAME);
    luaL_setfuncs(L, functions, 0);
    lua_pop(L, 1);
}

void scene_free_callbacks(scene *s)
{
    for (size_t i = 0; i < s->observers.count; i++)
        free(s->observed[i]);
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

mo_status scene_run_observers(scene *s, double t, double *values, mo_error *err)
{
    for (size_t i = 0; i < s->observers.count; i++) {
        mo_status status = call_ref(s, s->observers.items[i], &t, 1, err);
        if (status != MO_OK)
            return status;
        char found[80];
        bool number = lua_type(s->L, -1) == LUA_TNUMBER;
        values[i] = number ? lua_tonumber(s->L, -1) : 0;
        scene_describe(s->L, -1, found, sizeof found);
        lua_pop(s->L, 1);
        if (!number) {
            fail(err, MO_BAD_INPUT, "observe",
                 "the function of \"%s\" gave %s at t = %.17g, expected a number", s->observed[i], found, t);
            lua_rawgeti(s->L, LUA_REGISTRYINDEX, s->observers.items[i]);
            fail_at(err, s->options->path, scene_function_line(s->L));
            return MO_BAD_INPUT;
        }
    }
    return MO_OK;
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
