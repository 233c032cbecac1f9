/*
 * Body handles: userdata with an id.  There is one handle per body at a time, so that handles can be keys of
 * tables.
 */
#include "scene/internal.h"

#include <stdio.h>
#include <string.h>

static const char handles_key = 3; /* registry: id -> handle, weak */

static const char *const fields[] = {"position", "velocity",      "angle",          "spin", "force", "torque",
                                     "mass",     "inertia",       "group",          "name", "id",    "kind",
                                     "exists",   "applied_force", "applied_torque", NULL};

void scene_push_body(lua_State *L, uint32_t id)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &handles_key);
    if (lua_rawgeti(L, -1, id) == LUA_TNIL) {
        lua_pop(L, 1);
        uint32_t *p = lua_newuserdatauv(L, sizeof *p, 0);
        *p = id;
        luaL_setmetatable(L, BODY_TYPE);
        lua_pushvalue(L, -1);
        lua_rawseti(L, -3, id);
    }
    lua_remove(L, -2);
}

uint32_t scene_body_at(lua_State *L, int idx, const char *what, const char *key)
{
    const uint32_t *p = luaL_testudata(L, idx, BODY_TYPE);
    if (p == NULL)
        read_wrong(L, what, key, idx, "a body");
    return *p;
}

static void get_state(lua_State *L, uint32_t id, const char *key, mo_body_state *out)
{
    mo_world *world = scene_world(L, "body");
    mo_error err = {0};
    mo_body body = {id};
    if (!mo_body_exists(world, body))
        scene_error(L, key, "the body was removed");
    if (mo_body_get(world, body, out, &err) != MO_OK)
        scene_raise(L, "body", &err);
}

static void push_field(lua_State *L, const char *key, const mo_body_state *b)
{
    static const char *const kinds[] = {"dynamic", "fixed", "moved"};
    const struct {
        const char *name;
        const double *value;
        bool pair;
    } numbers[] = {{"position", b->position, true},
                   {"velocity", b->velocity, true},
                   {"angle", &b->angle, false},
                   {"spin", &b->spin, false},
                   {"force", b->force, true},
                   {"torque", &b->torque, false},
                   {"mass", &b->mass, false},
                   {"inertia", &b->inertia, false},
                   {"applied_force", b->applied_force, true},
                   {"applied_torque", &b->applied_torque, false}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (strcmp(numbers[i].name, key) != 0)
            continue;
        if (numbers[i].pair)
            scene_push_numbers(L, numbers[i].value, 2);
        else
            lua_pushnumber(L, *numbers[i].value);
        return;
    }
    const char *text = strcmp(key, "group") == 0  ? b->group
                       : strcmp(key, "kind") == 0 ? kinds[b->kind]
                                                  : (b->name[0] != '\0' ? b->name : NULL);
    lua_pushstring(L, text);
}

static int index_body(lua_State *L)
{
    uint32_t id = scene_body_at(L, 1, "body", "");
    const char *key = read_handle_key(L, fields, "a body");
    if (strcmp(key, "id") == 0) {
        lua_pushinteger(L, id);
        return 1;
    }
    if (strcmp(key, "exists") == 0) {
        lua_pushboolean(L, mo_body_exists(scene_world(L, "body"), (mo_body){id}));
        return 1;
    }
    mo_body_state b;
    get_state(L, id, key, &b);
    push_field(L, key, &b);
    return 1;
}

static void refuse_driven(lua_State *L, uint32_t id, const char *key)
{
    const body_functions *f = scene_functions_of(L, id);
    if (f != NULL && (f->has_force || f->has_torque))
        scene_error(L, key, "the load of this body is given by a function");
}

static int set_field(lua_State *L)
{
    mo_world *world = scene_world_to_change(L, "body");
    uint32_t id = scene_body_at(L, 1, "body", "");
    const char *key = read_handle_key(L, fields, "a body");
    mo_body_state b;
    get_state(L, id, key, &b);
    if (b.kind != MO_BODY_DYNAMIC)
        scene_error(L, key, "only free bodies can be set, this one is %s",
                    b.kind == MO_BODY_FIXED ? "fixed" : "moved by its motion");
    if (strcmp(key, "position") == 0)
        read_point_at(L, 3, "body", key, b.position);
    else if (strcmp(key, "velocity") == 0)
        read_point_at(L, 3, "body", key, b.velocity);
    else if (strcmp(key, "applied_force") == 0)
        read_point_at(L, 3, "body", key, b.applied_force);
    else if (strcmp(key, "angle") == 0)
        b.angle = read_number_at(L, 3, "body", key);
    else if (strcmp(key, "spin") == 0)
        b.spin = read_number_at(L, 3, "body", key);
    else if (strcmp(key, "applied_torque") == 0)
        b.applied_torque = read_number_at(L, 3, "body", key);
    else
        scene_error(L, key, "this field of a body cannot be set");
    if (strncmp(key, "applied_", 8) == 0)
        refuse_driven(L, id, key);
    mo_error err = {0};
    if (mo_body_set(world, (mo_body){id}, &b, &err) != MO_OK)
        scene_raise(L, "body", &err);
    return 0;
}

static int body_tostring(lua_State *L)
{
    lua_pushfstring(L, "body %d", (int)scene_body_at(L, 1, "body", ""));
    return 1;
}

void scene_open_handles(lua_State *L)
{
    static const luaL_Reg methods[] = {
        {"__index", index_body}, {"__newindex", set_field}, {"__tostring", body_tostring}, {NULL, NULL}};
    luaL_newmetatable(L, BODY_TYPE);
    luaL_setfuncs(L, methods, 0);
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
    lua_newtable(L);
    lua_newtable(L);
    lua_pushliteral(L, "v");
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &handles_key);
}
