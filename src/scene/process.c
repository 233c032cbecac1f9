/*
 * What sweeps and systems have in common from the table of the scene to the end of the run: the anchor,
 * reading, stepping, events.
 */
#include "scene/process.h"

#include "core/fail.h"
#include "core/timer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COORDINATES = 2000000, MOST_EVENTS = 1000000, MOST_NAMES = 16 };

/* ---- the anchor --------------------------------------------------------------------------------- */

int process_keep(lua_State *L, process *p)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, p);
    int place = (int)lua_rawlen(L, -1) + 1;
    lua_insert(L, -2);
    lua_rawseti(L, -2, place);
    lua_pop(L, 1);
    return place;
}

kept_function process_keep_function(lua_State *L, process *p)
{
    lua_pushvalue(L, -1);
    int line = scene_function_line(L);
    return (kept_function){process_keep(L, p), line};
}

void process_push(lua_State *L, const process *p, int place)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, p);
    lua_rawgeti(L, -1, place);
    lua_remove(L, -2);
}

void *process_memory(lua_State *L, process *p, size_t size)
{
    void *memory = lua_newuserdatauv(L, size, 0);
    process_keep(L, p);
    return memory;
}

void scene_close_process(process *p)
{
    if (p == NULL)
        return;
    p->ops->destroy(p);
    json_decref(p->events);
    p->events = NULL;
    /* setting a field that is there allocates nothing, and so cannot raise */
    if (p->anchored) {
        lua_pushnil(p->s->L);
        lua_rawsetp(p->s->L, LUA_REGISTRYINDEX, p);
    }
    p->anchored = false;
}

/* ---- reading --------------------------------------------------------------------------------------- */

named_function process_function(lua_State *L, process *p, const char *key, const char *arguments)
{
    char text[60];
    named_function f = {.key = key};
    read_path(f.what, sizeof f.what, p->what, key);
    if (!read_field(L, 1, key))
        return f;
    snprintf(text, sizeof text, "a function(%s)", arguments);
    if (lua_type(L, -1) != LUA_TFUNCTION)
        read_wrong(L, p->what, key, -1, text);
    f.kept = process_keep_function(L, p);
    return f;
}

static void check_count(lua_State *L, const char *path, size_t found, size_t n)
{
    size_t most = scene_of(L)->limits.points;
    most = most < MOST_COORDINATES ? most : MOST_COORDINATES;
    if (found > most)
        scene_error(L, path, "more than %zu coordinates", most);
    if (n > 0 && found != n)
        scene_error(L, path, "expected %zu number%s, got %zu", n, n == 1 ? "" : "s", found);
}

const double *process_numbers(lua_State *L, process *p, const char *key, size_t *n, bool spread)
{
    char path[64];
    read_path(path, sizeof path, p->what, key);
    if (!read_field(L, 1, key))
        return NULL;
    entry_shape shape = {p->what, key, 1, spread, true};
    int idx = lua_gettop(L);
    bool single = lua_type(L, idx) == LUA_TNUMBER;
    if (!single && lua_type(L, idx) != LUA_TTABLE)
        read_wrong(L, p->what, key, idx, spread ? "a number or a table of numbers" : "a table of numbers");
    if (!single || !spread)
        check_count(L, path, single ? 1 : lua_rawlen(L, idx), *n);
    if (*n == 0)
        *n = single ? 1 : lua_rawlen(L, idx);
    size_t rows;
    entry_copy(L, idx, &shape, &rows);
    mo_timed x = entry_build(L, p, -1, &shape, 1, *n);
    lua_settop(L, idx - 1);
    return x.value;
}

const double *process_start(lua_State *L, process *p, const char *key, size_t *n)
{
    char path[64];
    const double *x = process_numbers(L, p, key, n, false);
    read_path(path, sizeof path, p->what, key);
    if (x == NULL)
        scene_error(L, path, "expected the start {%s1, %s2, ...}, got nothing", key, key);
    return x;
}

bool process_choice(lua_State *L, const char *what, const char *key, const char *(*name)(int), int *out)
{
    const char *names[MOST_NAMES + 1] = {NULL};
    for (int i = 0; i < MOST_NAMES; i++) {
        names[i] = name(i);
        if (names[i] == NULL)
            break;
    }
    return read_choice(L, 1, what, key, names, out);
}

void process_options(lua_State *L, const char *what, double *tol, int *max_iter, double *theta)
{
    if (read_number(L, 1, what, "theta", theta))
        read_range(L, what, "theta", *theta, 0.5, 1);
    if (read_number(L, 1, what, "tol", tol))
        read_positive(L, what, "tol", *tol);
    *max_iter = read_whole(L, 1, what, "max_iter", *max_iter);
}

/* ---- making and stepping ------------------------------------------------------------------------------ */

static mo_status create(process *p, mo_error *err)
{
    bool before = p->s->in_step;
    p->s->in_step = true;
    mo_status status = p->ops->create(p, err);
    p->s->in_step = before;
    if (status != MO_OK)
        return status;
    p->events = json_array();
    return p->events != NULL ? MO_OK : fail(err, MO_NO_MEMORY, NULL, "out of memory");
}

process *process_new(lua_State *L, const process_ops *ops, const char *what)
{
    process *p = lua_newuserdatauv(L, sizeof *p, 0);
    *p = (process){.ops = ops, .s = scene_of(L), .what = what};
    /* the anchor first: closing needs its place */
    lua_newtable(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, p);
    p->anchored = true;
    luaL_setmetatable(L, ops->type);
    ops->read(L, p);
    mo_error err = {0};
    if (create(p, &err) != MO_OK)
        scene_raise(L, what, &err);
    return p;
}

mo_status process_step(process *p, mo_error *err)
{
    p->s->in_step = true;
    p->step_start = seconds_now();
    mo_status status = p->ops->step(p, err);
    p->s->in_step = false;
    process_facts facts = p->ops->facts(p);
    if (status == MO_OK && !facts.reached && p->trouble[0] == '\0')
        snprintf(p->trouble, sizeof p->trouble, "%s", facts.message);
    return status;
}

/* ---- events ----------------------------------------------------------------------------------------------
 */

bool process_add_event(process *p, const mo_path_event *e)
{
    if (json_array_size(p->events) >= MOST_EVENTS) {
        p->events_lost = true;
        return true;
    }
    json_t *list = json_array();
    for (size_t i = 0; i < e->gap_count; i++)
        json_array_append_new(list, json_integer((json_int_t)e->gaps[i] + 1));
    json_t *event = json_pack("{sfsssosf}", "t", e->t, "type", e->type, "gaps", list, "size", e->size);
    return event != NULL && json_array_append_new(p->events, event) == 0;
}

mo_path_event process_event(const mo_sweep_events *events, size_t i)
{
    const mo_event *e = &events->items[i];
    return (mo_path_event){.t = e->t,
                           .size = e->size,
                           .type = mo_event_type_name(e->type),
                           .gap_count = e->gap_count,
                           .gaps = events->gaps + e->gap_first};
}

bool process_take_events(process *p)
{
    mo_sweep_events events = p->ops->events(p);
    bool ok = true;
    for (size_t i = 0; i < events.count && ok; i++) {
        mo_path_event e = process_event(&events, i);
        ok = process_add_event(p, &e);
    }
    return ok;
}
