/*
 * sweep{...} and the handle it gives.
 */
#include "scene/engine.h"
#include "scene/process.h"

#include <string.h>

static int make_sweep(lua_State *L)
{
    scene *s = scene_of(L);
    scene_claim(L, &sweep_engine);
    if (s->law_line > 0)
        scene_error(L, "sweep", "law{...} on line %d is for worlds", s->law_line);
    read_single_table(L, "sweep");
    read_keys(L, 1, "sweep", process_keys, false);
    process *p = process_new(L, "sweep");
    read_record(L, "sweep", p->def.h, p->def.h);
    /* the handle lives as long as the scene */
    lua_pushvalue(L, 2);
    luaL_ref(L, LUA_REGISTRYINDEX);
    s->process = p;
    s->h = p->def.h;
    s->t_end = p->t_end;
    s->solver_name = mo_sweep_method_name(p->def.method);
    s->engine = &sweep_engine;
    s->engine_line = scene_line(L);
    return 1;
}

/* ---- the handle ----------------------------------------------------------------------------------- */

static const char *const fields[] = {"t",          "x",         "lambda", "gaps",  "path_length",
                                     "retraction", "variation", "exact",  "jumps", "largest_jump",
                                     "violation",  "active",    "steps",  "h",     "unconverged_steps",
                                     "events",     NULL};

static void push_gaps(lua_State *L, process *p)
{
    mo_error err = {0};
    double *g = lua_newuserdatauv(L, (p->m + 1) * sizeof *g, 0);
    p->s->in_step = true;
    mo_status status =
        mo_moving_set_gaps(p->set, mo_sweep_info_get(p->sweep)->time, mo_sweep_x(p->sweep), g, &err);
    p->s->in_step = false;
    if (status != MO_OK)
        scene_raise(L, "sweep.gaps", &err);
    scene_push_numbers(L, g, p->m);
}

/* a number of the run by its name; false when it is none */
static bool push_number(lua_State *L, const process *p, const mo_sweep_info *info, const char *key)
{
    const struct {
        const char *name;
        double value;
    } numbers[] = {{"t", info->time},
                   {"h", p->def.h},
                   {"path_length", info->path_length},
                   {"retraction", info->retraction},
                   {"variation", info->variation},
                   {"largest_jump", info->largest_jump},
                   {"violation", info->worst_violation}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (strcmp(numbers[i].name, key) == 0) {
            lua_pushnumber(L, numbers[i].value);
            return true;
        }
    return false;
}

static bool push_count(lua_State *L, const mo_sweep_info *info, const char *key)
{
    const struct {
        const char *name;
        int64_t value;
    } counts[] = {{"jumps", info->jumps},
                  {"active", (int64_t)info->active},
                  {"steps", info->steps},
                  {"unconverged_steps", info->unconverged_steps}};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (strcmp(counts[i].name, key) == 0) {
            lua_pushinteger(L, counts[i].value);
            return true;
        }
    return false;
}

static void push_events(lua_State *L, const process *p)
{
    size_t i, k;
    json_t *event, *gap;
    lua_newtable(L);
    json_array_foreach(p->events, i, event)
    {
        lua_createtable(L, 0, 4);
        lua_pushnumber(L, json_number_value(json_object_get(event, "t")));
        lua_setfield(L, -2, "t");
        lua_pushnumber(L, json_number_value(json_object_get(event, "size")));
        lua_setfield(L, -2, "size");
        lua_pushstring(L, json_string_value(json_object_get(event, "type")));
        lua_setfield(L, -2, "type");
        lua_newtable(L);
        json_array_foreach(json_object_get(event, "gaps"), k, gap)
        {
            lua_pushinteger(L, json_integer_value(gap));
            lua_rawseti(L, -2, (lua_Integer)k + 1);
        }
        lua_setfield(L, -2, "gaps");
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
}

void process_push_field(lua_State *L, const process *p, const char *key)
{
    const mo_sweep_info *info = mo_sweep_info_get(p->sweep);
    if (push_number(L, p, info, key) || push_count(L, info, key))
        return;
    if (strcmp(key, "exact") == 0)
        lua_pushboolean(L, info->retraction_exact);
    else if (strcmp(key, "x") == 0)
        scene_push_numbers(L, mo_sweep_x(p->sweep), p->n);
    else if (strcmp(key, "events") == 0)
        push_events(L, p);
    else
        scene_push_numbers(L, mo_sweep_lambda(p->sweep), p->m);
}

static int index_sweep(lua_State *L)
{
    process *p = luaL_checkudata(L, 1, SWEEP_TYPE);
    const char *key = read_handle_key(L, fields, "a sweep");
    if (p->s->in_step)
        scene_error(L, key, "not available inside a function of a set or field");
    if (strcmp(key, "gaps") == 0)
        push_gaps(L, p);
    else
        process_push_field(L, p, key);
    return 1;
}

static int refuse_setting(lua_State *L)
{
    scene_error(L, read_handle_key(L, fields, "a sweep"), "the fields of a sweep cannot be set");
}

static int sweep_tostring(lua_State *L)
{
    lua_pushliteral(L, "sweep");
    return 1;
}

void scene_open_sweep(lua_State *L)
{
    static const luaL_Reg methods[] = {{"__index", index_sweep},
                                       {"__newindex", refuse_setting},
                                       {"__tostring", sweep_tostring},
                                       {NULL, NULL}};
    luaL_getmetatable(L, SWEEP_TYPE);
    luaL_setfuncs(L, methods, 0);
    lua_pop(L, 1);
    lua_register(L, "sweep", make_sweep);
}
