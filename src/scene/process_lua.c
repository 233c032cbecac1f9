/*
 * sweep{...} and system{...}, and the handles they give.
 */
#include "scene/engine.h"
#include "scene/process.h"

#include <string.h>

/* ---- making ------------------------------------------------------------------------------------------ */

static int make(lua_State *L, const scene_engine *engine, const process_ops *ops)
{
    scene *s = scene_of(L);
    const char *kind = ops->kind;
    scene_claim(L, engine);
    if (s->law_line > 0)
        scene_error(L, kind, "law{...} on line %d is for worlds", s->law_line);
    read_single_table(L, kind);
    read_keys(L, 1, kind, ops->keys, false);
    process *p = process_new(L, ops, kind);
    read_record(L, kind, p->h, p->h);
    /* the handle lives as long as the scene */
    lua_pushvalue(L, 2);
    luaL_ref(L, LUA_REGISTRYINDEX);
    s->process = p;
    s->h = p->h;
    s->t_end = p->t_end;
    s->solver_name = p->by;
    s->engine = engine;
    s->engine_line = scene_line(L);
    return 1;
}

static int make_sweep(lua_State *L)
{
    return make(L, &sweep_engine, &sweep_ops);
}

static int make_system(lua_State *L)
{
    return make(L, &system_engine, &system_ops);
}

/* ---- the handle ----------------------------------------------------------------------------------- */

bool process_push_named(lua_State *L, const named_number *numbers, size_t count, const char *key)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(numbers[i].name, key) == 0) {
            if (numbers[i].whole)
                lua_pushinteger(L, (lua_Integer)numbers[i].value);
            else
                lua_pushnumber(L, numbers[i].value);
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

void process_push_field(lua_State *L, process *p, const char *key)
{
    process_facts now = p->ops->facts(p);
    const named_number numbers[] = {{"t", now.time, false},
                                    {"h", p->h, false},
                                    {"violation", now.worst_violation, false},
                                    {"active", (double)now.active, true},
                                    {"steps", (double)now.steps, true},
                                    {"unconverged_steps", (double)now.unconverged_steps, true}};
    if (process_push_named(L, numbers, sizeof numbers / sizeof numbers[0], key))
        return;
    if (strcmp(key, "events") == 0)
        push_events(L, p);
    else if (strcmp(key, "lambda") == 0)
        scene_push_numbers(L, now.lambda, p->m);
    else
        p->ops->push_field(L, p, key);
}

/* the handle at 1 and the field that argument 2 names; upvalue 1 is the kind */
static process *check_handle(lua_State *L, const char **key)
{
    const process_ops *ops = lua_touserdata(L, lua_upvalueindex(1));
    process *p = luaL_checkudata(L, 1, ops->type);
    lua_pushfstring(L, "a %s", ops->kind);
    *key = read_handle_key(L, ops->fields, lua_tostring(L, -1));
    return p;
}

static int index_handle(lua_State *L)
{
    const char *key;
    process *p = check_handle(L, &key);
    if (p->s->in_step)
        scene_error(L, key, "not available inside a function of %s", p->ops->inside);
    process_push_field(L, p, key);
    return 1;
}

static int refuse_setting(lua_State *L)
{
    const char *key;
    process *p = check_handle(L, &key);
    scene_error(L, key, "the fields of a %s cannot be set", p->ops->kind);
}

static int handle_tostring(lua_State *L)
{
    const process_ops *ops = lua_touserdata(L, lua_upvalueindex(1));
    lua_pushstring(L, ops->kind);
    return 1;
}

static int collect(lua_State *L)
{
    const process_ops *ops = lua_touserdata(L, lua_upvalueindex(1));
    scene_close_process(luaL_checkudata(L, 1, ops->type));
    return 0;
}

static void open_kind(lua_State *L, const process_ops *ops)
{
    static const luaL_Reg methods[] = {{"__index", index_handle},
                                       {"__newindex", refuse_setting},
                                       {"__tostring", handle_tostring},
                                       {"__gc", collect},
                                       {NULL, NULL}};
    luaL_newmetatable(L, ops->type);
    lua_pushlightuserdata(L, (void *)(uintptr_t)ops);
    luaL_setfuncs(L, methods, 1);
    scene_hide_metatable(L);
    lua_pop(L, 1);
}

void scene_open_processes(lua_State *L)
{
    open_kind(L, &sweep_ops);
    open_kind(L, &system_ops);
    lua_register(L, "sweep", make_sweep);
    lua_register(L, "system", make_system);
}
