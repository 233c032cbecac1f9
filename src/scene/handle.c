/*
 * Body handles: userdata with an id.  There is one handle per body at a time, so that handles can be keys of
 * tables.
 */
#include "scene/internal.h"

#include "core/search.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char handles_key = 3; /* registry: id -> handle, weak */

static const char *const fields_2d[] = {
    "position", "velocity", "angle", "spin", "force",  "torque",        "mass",           "inertia",
    "group",    "name",     "id",    "kind", "exists", "applied_force", "applied_torque", NULL};
static const char *const fields_3d[] = {
    "position", "velocity", "orientation", "spin", "force",  "torque",        "mass",           "inertia",
    "group",    "name",     "id",          "kind", "exists", "applied_force", "applied_torque", NULL};

/* a field of numbers: where it lies in the state, and whether a scene can set it */
typedef struct number_field {
    const char *name;
    double *value;
    size_t count;
    bool set;
} number_field;

/* the field with this name, or one without */
static number_field find_field(const char *key, size_t dim, mo_body_state *b)
{
    bool flat = dim == 2;
    size_t turns = flat ? 1 : 3;
    const number_field all[] = {
        {"position", b->position, dim, true},
        {"velocity", b->velocity, dim, true},
        {"angle", &b->angle, 1, true},
        {"orientation", b->orientation, 4, true},
        {"spin", flat ? &b->spin : b->spin3, turns, true},
        {"force", b->force, dim, false},
        {"torque", flat ? &b->torque : b->torque3, turns, false},
        {"mass", &b->mass, 1, false},
        {"inertia", flat ? &b->inertia : b->inertia3, turns, false},
        {"applied_force", b->applied_force, dim, true},
        {"applied_torque", flat ? &b->applied_torque : b->applied_torque3, turns, true},
    };
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(all[i].name, key) == 0)
            return all[i];
    return (number_field){NULL, NULL, 0, false};
}

/* the field that argument 2 names; one of the other dimension is told apart from one that does not exist */
static const char *read_field_name(lua_State *L)
{
    bool flat = scene_dim(L) == 2;
    const char *key = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
    if (strcmp(key, flat ? "orientation" : "angle") == 0)
        scene_error(L, key, "a body of a %s world has no %s, but %s", flat ? "2D" : "3D", key,
                    flat ? "an angle" : "an orientation");
    return read_handle_key(L, flat ? fields_2d : fields_3d, "a body");
}

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

static void push_field(lua_State *L, const char *key, mo_body_state *b)
{
    static const char *const kinds[] = {"dynamic", "fixed", "moved"};
    number_field field = find_field(key, scene_dim(L), b);
    if (field.count == 1)
        lua_pushnumber(L, *field.value);
    if (field.count > 1)
        scene_push_numbers(L, field.value, field.count);
    if (field.count > 0)
        return;
    const char *text = strcmp(key, "group") == 0  ? b->group
                       : strcmp(key, "kind") == 0 ? kinds[b->kind]
                                                  : (b->name[0] != '\0' ? b->name : NULL);
    lua_pushstring(L, text);
}

static int index_body(lua_State *L)
{
    uint32_t id = scene_body_at(L, 1, "body", "");
    scene_world(L, "body");
    const char *key = read_field_name(L);
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

/* the block of a body's functions, made when there is none */
static body_functions *functions_of(lua_State *L, uint32_t id, const mo_body_state *b)
{
    body_functions *f = scene_functions_of(L, id);
    if (f != NULL)
        return f;
    char number[16];
    snprintf(number, sizeof number, "%u", id);
    f = scene_new_functions(L, b->name[0] != '\0' ? b->name : number);
    scene_anchor_functions(L, id, -1);
    lua_pop(L, 1);
    return f;
}

/* While the world runs: a function is lost on resuming; numbers are in the frames, and which of the loads are
   functions still is noted. */
static void note_load(lua_State *L, uint32_t id, const body_functions *f, bool function)
{
    scene *s = scene_of(L);
    char key[16];
    if (s->phase == PHASE_CHUNK)
        return;
    s->late_functions = s->late_functions || function;
    snprintf(key, sizeof key, "%u", id);
    if (json_object_set_new(s->loads, key, json_pack("[bb]", f->has_force, f->has_torque)) != 0)
        scene_error(L, "body", "out of memory");
}

/* A load that becomes a function, or was one: the value at 3 in its place.  false: numbers only, now as
   before. */
static bool set_load_function(lua_State *L, mo_world *world, uint32_t id, const char *key,
                              const mo_body_state *b)
{
    const body_functions *now = scene_functions_of(L, id);
    const bool was = now != NULL && (now->has_force || now->has_torque),
               force = strcmp(key, "applied_force") == 0;
    if (!was && lua_type(L, 3) != LUA_TFUNCTION)
        return false;
    const bool flat = scene_dim(L) == 2;
    body_functions *f = functions_of(L, id, b);
    scene_take_load(L, force ? &f->has_force : &f->has_torque, 3);
    // what is given by numbers
    if (!f->has_force)
        memcpy(f->force, b->applied_force, sizeof f->force);
    if (!f->has_torque)
        memcpy(f->torque, flat ? &b->applied_torque : b->applied_torque3, (flat ? 1 : 3) * sizeof(double));
    note_load(L, id, f, lua_type(L, 3) == LUA_TFUNCTION);
    mo_error err = {0};
    bool driven = f->has_force || f->has_torque;
    if (mo_body_set_load_function(world, (mo_body){id}, driven ? scene_load : NULL, f, &err) != MO_OK)
        scene_raise(L, "body", &err);
    return true;
}

/* forgets functions that the chunk gave and numbers have replaced, with the numbers of the frame */
static mo_status restore_load(scene *s, uint32_t id, const json_t *still, const double *load, mo_error *err)
{
    const size_t dim = (size_t)s->world_def.dim, torques = dim == 2 ? 1 : 3;
    body_functions *f = scene_functions_of(s->L, id);
    if (f == NULL)
        return MO_OK;
    bool *fields[] = {&f->has_force, &f->has_torque};
    for (size_t i = 0; i < 2; i++) {
        if (json_is_true(json_array_get(still, i)))
            continue;
        lua_pushnil(s->L);
        scene_take_load(s->L, fields[i], -1);
        lua_pop(s->L, 1);
    }
    if (!f->has_force)
        memcpy(f->force, load, dim * sizeof *load);
    if (!f->has_torque)
        memcpy(f->torque, load + dim, torques * sizeof *load);
    const bool driven = f->has_force || f->has_torque;
    return mo_body_set_load_function(s->world, (mo_body){id}, driven ? scene_load : NULL, f, err);
}

mo_status scene_restore_loads(scene *s, const mo_frame *frame, mo_error *err)
{
    const size_t nu = frame->dim == 2 ? 3 : 6;
    const char *key;
    json_t *still;
    mo_status status = MO_OK;
    json_object_foreach(s->loads, key, still)
    {
        const uint32_t id = (uint32_t)strtoul(key, NULL, 10);
        const size_t i = search_u32(frame->id, frame->body_count, id);
        // those that were removed since need none
        if (i != SIZE_MAX && status == MO_OK)
            status = restore_load(s, id, still, frame->load + nu * i, err);
    }
    return status;
}

/* the numbers at 3 */
static void read_value(lua_State *L, const char *key, const number_field *field)
{
    if (field->count == 1)
        *field->value = read_number_at(L, 3, "body", key);
    else if (field->count == 4)
        read_quaternion_at(L, 3, "body", key, field->value);
    else
        read_vector_at(L, 3, "body", key, field->count, field->value);
}

static int set_field(lua_State *L)
{
    mo_world *world = scene_world_to_change(L, "body");
    uint32_t id = scene_body_at(L, 1, "body", "");
    const char *key = read_field_name(L);
    mo_body_state b;
    get_state(L, id, key, &b);
    if (b.kind != MO_BODY_DYNAMIC)
        scene_error(L, key, "only free bodies can be set, this one is %s",
                    b.kind == MO_BODY_FIXED ? "fixed" : "moved by its motion");
    number_field field = find_field(key, scene_dim(L), &b);
    if (!field.set)
        scene_error(L, key, "this field of a body cannot be set");
    const bool load = strncmp(key, "applied_", 8) == 0, function = load && lua_type(L, 3) == LUA_TFUNCTION;
    if (!function)
        read_value(L, key, &field);
    if (load && set_load_function(L, world, id, key, &b) && function)
        return 0;
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
    scene_new_type(L, BODY_TYPE, methods);
    lua_newtable(L);
    lua_newtable(L);
    lua_pushliteral(L, "v");
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &handles_key);
}
