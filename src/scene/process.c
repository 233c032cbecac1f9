/*
 * A process from the table of sweep{...} or trial{...}: reading, making, stepping, events.
 */
#include "scene/process.h"

#include "core/fail.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PROCESS_TYPE SWEEP_TYPE

enum { MOST_COORDINATES = 2000000, MOST_EVENTS = 1000000, MOST_METHODS = 16 };

const char *const process_keys[] = {"x",     "h",      "t_end", "set",      "method",     "theta", "lambda",
                                    "field", "record", "tol",   "max_iter", "retraction", NULL};

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
    mo_sweep_destroy(p->sweep);
    json_decref(p->events);
    free(p->hold_pair);
    free(p->hold_lambda);
    p->sweep = NULL;
    p->events = NULL;
    p->hold_pair = NULL;
    p->hold_lambda = NULL;
    p->hold_capacity = 0;
    /* setting a field that is there allocates nothing, and so cannot raise */
    if (p->anchored) {
        lua_pushnil(p->s->L);
        lua_rawsetp(p->s->L, LUA_REGISTRYINDEX, p);
    }
    p->anchored = false;
}

static int collect(lua_State *L)
{
    scene_close_process(luaL_checkudata(L, 1, PROCESS_TYPE));
    return 0;
}

/* ---- reading --------------------------------------------------------------------------------------- */

static const double *read_start(lua_State *L, process *p)
{
    char path[64];
    read_path(path, sizeof path, p->what, "x");
    if (!read_field(L, 1, "x"))
        scene_error(L, path, "expected the start {x1, x2, ...}, got nothing");
    entry_shape shape = {p->what, "x", 1, false};
    int idx = lua_gettop(L);
    if (lua_type(L, idx) != LUA_TTABLE && lua_type(L, idx) != LUA_TNUMBER)
        read_wrong(L, p->what, "x", idx, "a table of numbers");
    p->n = lua_type(L, idx) == LUA_TTABLE ? lua_rawlen(L, idx) : 1;
    size_t most = scene_of(L)->limits.points;
    most = most < MOST_COORDINATES ? most : MOST_COORDINATES;
    if (p->n > most)
        scene_error(L, path, "more than %zu coordinates", most);
    size_t rows;
    entry_copy(L, idx, &shape, &rows);
    mo_timed x = entry_build(L, p, -1, &shape, 1, p->n);
    if (x.function != NULL)
        scene_error(L, path, "expected numbers, got a function");
    lua_settop(L, idx - 1);
    return x.value;
}

static mo_sweep_method read_method(lua_State *L, const char *what)
{
    const char *names[MOST_METHODS + 1] = {NULL};
    int choice = 0;
    for (int i = 0; i < MOST_METHODS; i++) {
        names[i] = mo_sweep_method_name((mo_sweep_method)i);
        if (names[i] == NULL)
            break;
    }
    read_choice(L, 1, what, "method", names, &choice);
    return (mo_sweep_method)choice;
}

static void read_options(lua_State *L, process *p)
{
    mo_sweep_def *def = &p->def;
    read_times(L, p->what, &def->h, &p->t_end);
    def->method = read_method(L, p->what);
    if (read_number(L, 1, p->what, "theta", &def->theta))
        read_range(L, p->what, "theta", def->theta, 0.5, 1);
    if (read_number(L, 1, p->what, "lambda", &def->lambda))
        read_positive(L, p->what, "lambda", def->lambda);
    if (read_number(L, 1, p->what, "tol", &def->tol))
        read_positive(L, p->what, "tol", def->tol);
    def->max_iter = read_whole(L, 1, p->what, "max_iter", def->max_iter);
    read_boolean(L, 1, p->what, "retraction", &def->retraction);
    if (!read_field(L, 1, "field"))
        return;
    if (lua_type(L, -1) != LUA_TFUNCTION)
        read_wrong(L, p->what, "field", -1, "a function(t, x)");
    p->field = process_keep(L, p);
    def->field = process_field;
    def->data = p;
}

/* memory for gradients is rows times columns; only discs keep theirs sparse */
static void check_size(lua_State *L, const process *p)
{
    size_t most = scene_of(L)->limits.points;
    size_t m = mo_moving_set_multipliers(p->set);
    if (p->set->kind != MO_MOVING_DISCS && m > 0 && (p->n > most / m || m > most / (p->n + m)))
        scene_error(L, p->what, "%zu gaps of %zu coordinates are more than fit", m, p->n);
}

static void read_set(lua_State *L, process *p)
{
    char path[64];
    read_path(path, sizeof path, p->what, "set");
    if (!read_field(L, 1, "set"))
        scene_error(L, path, "expected a set such as ball{center = {0, 0}, radius = 1}, got nothing");
    int idx = lua_gettop(L);
    const set_box *box = set_at(L, idx, p->what, "set");
    if (box->dim != 0 && box->dim != p->n)
        scene_error(L, path, "the set is in dimension %zu, x has %zu number%s", box->dim, p->n,
                    p->n == 1 ? "" : "s");
    mo_moving_set *set = process_memory(L, p, sizeof *set);
    set_build(L, p, idx, p->n, set);
    p->set = p->def.set = set;
    lua_settop(L, idx - 1);
    mo_error err = {0};
    if (mo_moving_set_check(set, &err) != MO_OK)
        scene_raise(L, path, &err);
    check_size(L, p);
}

/* ---- making and stepping ------------------------------------------------------------------------------ */

static mo_status create(process *p, mo_error *err)
{
    bool before = p->s->in_step;
    p->s->in_step = true;
    mo_status status = mo_sweep_create(&p->def, &p->sweep, err);
    p->s->in_step = before;
    if (status != MO_OK)
        return status;
    p->m = mo_moving_set_multipliers(p->set);
    p->events = json_array();
    for (int i = 0; i < 2; i++) {
        p->low[i] = HUGE_VAL;
        p->high[i] = -HUGE_VAL;
    }
    process_widen(p, p->def.x);
    return p->events != NULL ? MO_OK : fail(err, MO_NO_MEMORY, NULL, "out of memory");
}

process *process_new(lua_State *L, const char *what)
{
    process *p = lua_newuserdatauv(L, sizeof *p, 0);
    *p = (process){.s = scene_of(L), .what = what, .def = mo_default_sweep_def()};
    /* the anchor first: closing needs its place */
    lua_newtable(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, p);
    p->anchored = true;
    luaL_setmetatable(L, PROCESS_TYPE);
    p->def.x = read_start(L, p);
    read_options(L, p);
    read_set(L, p);
    mo_error err = {0};
    if (create(p, &err) != MO_OK)
        scene_raise(L, what, &err);
    return p;
}

mo_status process_step(process *p, mo_error *err)
{
    p->s->in_step = true;
    mo_status status = mo_sweep_step(p->sweep, err);
    p->s->in_step = false;
    process_widen(p, mo_sweep_x(p->sweep));
    const mo_sweep_info *info = mo_sweep_info_get(p->sweep);
    if (status == MO_OK && info->outcome != MO_SWEEP_REACHED && p->trouble[0] == '\0')
        snprintf(p->trouble, sizeof p->trouble, "%s", info->message);
    return status;
}

bool process_sound(const process *p)
{
    return mo_sweep_info_get(p->sweep)->outcome < MO_SWEEP_EMPTY;
}

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
    mo_sweep_events events = mo_sweep_events_get(p->sweep);
    bool ok = true;
    for (size_t i = 0; i < events.count && ok; i++) {
        mo_path_event e = process_event(&events, i);
        ok = process_add_event(p, &e);
    }
    return ok;
}

void scene_open_process(lua_State *L)
{
    luaL_newmetatable(L, PROCESS_TYPE);
    lua_pushcfunction(L, collect);
    lua_setfield(L, -2, "__gc");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
}
