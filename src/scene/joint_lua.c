/*
 * joint{...}, and handles of joints: userdata with an id.
 */
#include "scene/internal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const joint_keys[] = {"kind",  "bodies",    "at",      "axis",    "length", "limits",
                                         "motor", "stiffness", "damping", "collide", NULL};
static const char *const kinds[] = {"hinge", "ball", "slider", "fixed", "distance", "spring", NULL};

/* ---- joint{...} ---------------------------------------------------------------------------------- */

static bool has_points(const mo_joint_def *def)
{
    return def->kind == MO_JOINT_DISTANCE || def->kind == MO_JOINT_SPRING;
}

static void read_kind(lua_State *L, mo_joint_def *def)
{
    int choice = -1;
    if (!read_choice(L, 1, "joint", "kind", kinds, &choice))
        scene_error(L, "joint.kind", "expected a kind such as \"hinge\", got nothing");
    def->kind = (mo_joint_kind)choice;
}

static void read_bodies(lua_State *L, mo_joint_def *def)
{
    static const char *const no_keys[] = {NULL};
    mo_body *out[2] = {&def->body1, &def->body2};
    if (!read_field(L, 1, "bodies"))
        scene_error(L, "joint.bodies", "expected {a, b}, or {a} for a joint with the world, got nothing");
    if (lua_type(L, -1) != LUA_TTABLE || lua_rawlen(L, -1) < 1 || lua_rawlen(L, -1) > 2)
        read_wrong(L, "joint", "bodies", -1, "a table of one or two bodies");
    read_keys(L, lua_gettop(L), "joint.bodies", no_keys, true);
    for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, -1); i++) {
        lua_rawgeti(L, -1, i);
        out[i - 1]->id = scene_body_at(L, -1, "joint", i == 1 ? "bodies[1]" : "bodies[2]");
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
}

/* where a body's origin is */
static void origin_of(lua_State *L, mo_body body, double out[3])
{
    mo_body_state b;
    mo_error err = {0};
    if (mo_body_get(scene_world(L, "joint"), body, &b, &err) != MO_OK)
        scene_error(L, "joint.bodies", "the body was removed");
    memcpy(out, b.position, sizeof b.position);
}

/* at = {{...}, {...}} of the field on top of the stack */
static void read_two_points(lua_State *L, mo_joint_def *def)
{
    static const char *const no_keys[] = {NULL};
    if (lua_type(L, -1) != LUA_TTABLE || lua_rawlen(L, -1) != 2)
        read_wrong(L, "joint", "at", -1, "a table of two points");
    read_keys(L, lua_gettop(L), "joint.at", no_keys, true);
    for (int i = 0; i < 2; i++) {
        lua_rawgeti(L, -1, i + 1);
        read_vector_at(L, -1, "joint", i == 0 ? "at[1]" : "at[2]", scene_dim(L), i == 0 ? def->at : def->at2);
        lua_pop(L, 1);
    }
}

static void read_place(lua_State *L, mo_joint_def *def)
{
    bool given = read_field(L, 1, "at"),
         anywhere = def->kind == MO_JOINT_SLIDER || def->kind == MO_JOINT_FIXED;
    origin_of(L, def->body1, def->at);
    if (def->body2.id != 0)
        origin_of(L, def->body2, def->at2);
    if (given && has_points(def))
        read_two_points(L, def);
    else if (given)
        read_vector_at(L, -1, "joint", "at", scene_dim(L), def->at);
    else if (has_points(def) ? def->body2.id == 0 : !anywhere)
        scene_error(L, "joint.at",
                    has_points(def) ? "expected {{...}, {...}}, a point of the body and one of "
                                      "the world, got nothing"
                                    : "expected the point of the joint, got nothing");
    if (given)
        lua_pop(L, 1);
}

/* one of two numbers, which may be infinite */
static double read_limit(lua_State *L, int i)
{
    lua_rawgeti(L, -1, i + 1);
    double x = lua_tonumber(L, -1);
    if (lua_type(L, -1) != LUA_TNUMBER || isnan(x))
        read_wrong(L, "joint", i == 0 ? "limits[1]" : "limits[2]", -1, "a number");
    lua_pop(L, 1);
    return x;
}

static void read_limits(lua_State *L, mo_joint_def *def)
{
    static const char *const no_keys[] = {NULL};
    if (!read_field(L, 1, "limits"))
        return;
    if (lua_type(L, -1) != LUA_TTABLE || lua_rawlen(L, -1) != 2)
        read_wrong(L, "joint", "limits", -1, "a table {low, high}");
    read_keys(L, lua_gettop(L), "joint.limits", no_keys, true);
    def->limited = true;
    for (int i = 0; i < 2; i++)
        def->limits[i] = read_limit(L, i);
    lua_pop(L, 1);
}

static void read_motor(lua_State *L, mo_joint_def *def)
{
    static const char *const turning[] = {"speed", "max_torque", NULL}, *const sliding[] = {
                                                                            "speed", "max_force", NULL};
    if (!read_field(L, 1, "motor"))
        return;
    const char *const *keys = def->kind == MO_JOINT_SLIDER ? sliding : turning;
    int t = lua_gettop(L);
    if (lua_type(L, t) != LUA_TTABLE)
        read_wrong(L, "joint", "motor", t,
                   "a table {speed =, max_torque =}, for a slider {speed =, max_force =}");
    read_keys(L, t, "joint.motor", keys, false);
    def->driven = true;
    def->max_load = HUGE_VAL;
    if (!read_number(L, t, "joint.motor", "speed", &def->speed))
        scene_error(L, "joint.motor.speed", "expected a speed, got nothing");
    if (read_number(L, t, "joint.motor", keys[1], &def->max_load))
        read_range(L, "joint.motor", keys[1], def->max_load, 0, HUGE_VAL);
    lua_pop(L, 1);
}

/* a key that only some kinds have */
static bool read_own(lua_State *L, const char *key, bool has, const char *whose, double *out)
{
    char path[40];
    if (!read_number(L, 1, "joint", key, out))
        return false;
    snprintf(path, sizeof path, "joint.%s", key);
    if (!has)
        scene_error(L, path, "only %s", whose);
    read_range(L, "joint", key, *out, 0, HUGE_VAL);
    return true;
}

static void read_numbers(lua_State *L, mo_joint_def *def)
{
    bool spring = def->kind == MO_JOINT_SPRING;
    bool length = read_own(L, "length", has_points(def), "distances and springs have a length", &def->length);
    if (length && def->limited)
        scene_error(L, "joint.length", "a distance has a length or limits, not both");
    read_own(L, "stiffness", spring, "springs have a stiffness", &def->stiffness);
    read_own(L, "damping", spring, "springs have damping", &def->damping);
    read_boolean(L, 1, "joint", "collide", &def->collide);
    read_vector(L, 1, "joint", "axis", scene_dim(L), def->axis);
}

/* a resumed run builds joints from the text alone */
static void note_late(scene *s)
{
    s->late_functions = s->late_functions || s->phase != PHASE_CHUNK;
}

static int make_joint(lua_State *L)
{
    scene *s = scene_of(L);
    scene_check_limits(L);
    mo_world *world = scene_world_to_change(L, "joint");
    read_single_table(L, "joint");
    read_keys(L, 1, "joint", joint_keys, false);
    mo_joint_def def = mo_default_joint_def();
    mo_joint made;
    mo_error err = {0};
    read_kind(L, &def);
    read_bodies(L, &def);
    read_place(L, &def);
    read_limits(L, &def);
    read_motor(L, &def);
    read_numbers(L, &def);
    if (mo_joint_create(world, &def, &made, &err) != MO_OK)
        scene_raise(L, "joint", &err);
    note_late(s);
    s->joint_line = scene_line(L);
    uint32_t *handle = lua_newuserdatauv(L, sizeof *handle, 0);
    *handle = made.id;
    luaL_setmetatable(L, JOINT_TYPE);
    return 1;
}

/* ---- handles --------------------------------------------------------------------------------------- */

static mo_joint joint_at(lua_State *L, int idx)
{
    const uint32_t *p = luaL_testudata(L, idx, JOINT_TYPE);
    if (p == NULL)
        read_wrong(L, "joint", "", idx, "a joint");
    return (mo_joint){*p};
}

static void push_bodies(lua_State *L, const mo_joint_state *j)
{
    lua_createtable(L, 2, 0);
    scene_push_body(L, j->body1.id);
    lua_rawseti(L, -2, 1);
    if (j->body2.id == 0)
        return;
    scene_push_body(L, j->body2.id);
    lua_rawseti(L, -2, 2);
}

/* angle of a hinge, length of the others */
static void check_value(lua_State *L, const char *key, mo_joint_kind kind)
{
    bool angle = strcmp(key, "angle") == 0, some = kind != MO_JOINT_BALL && kind != MO_JOINT_FIXED;
    if (!some || (strcmp(key, "rate") != 0 && angle != (kind == MO_JOINT_HINGE)))
        scene_error(L, key, "a joint of kind \"%s\" has no %s", kinds[kind], key);
}

static void push_field(lua_State *L, const char *key, const mo_joint_state *j)
{
    size_t dim = scene_dim(L);
    if (strcmp(key, "kind") == 0) {
        lua_pushstring(L, kinds[j->kind]);
    } else if (strcmp(key, "bodies") == 0) {
        push_bodies(L, j);
    } else if (strcmp(key, "point") == 0) {
        scene_push_numbers(L, j->point, dim);
    } else if (strcmp(key, "force") == 0) {
        scene_push_numbers(L, j->force, dim);
    } else if (strcmp(key, "torque") == 0 && dim == 3) {
        scene_push_numbers(L, j->torque, dim);
    } else if (strcmp(key, "torque") == 0) {
        lua_pushnumber(L, j->torque[0]);
    } else if (strcmp(key, "motor") == 0) {
        lua_pushnumber(L, j->motor);
    } else {
        check_value(L, key, j->kind);
        lua_pushnumber(L, strcmp(key, "rate") == 0 ? j->rate : j->value);
    }
}

static int index_joint(lua_State *L)
{
    static const char *const fields[] = {"kind",   "bodies", "point", "force", "torque", "angle",
                                         "length", "rate",   "motor", "id",    "exists", NULL};
    mo_joint which = joint_at(L, 1);
    mo_world *world = scene_world(L, "joint");
    const char *key = read_handle_key(L, fields, "a joint");
    mo_joint_state state;
    mo_error err = {0};
    if (strcmp(key, "id") == 0)
        lua_pushinteger(L, which.id);
    else if (strcmp(key, "exists") == 0)
        lua_pushboolean(L, mo_joint_exists(world, which));
    else if (mo_joint_get(world, which, &state, &err) != MO_OK)
        scene_error(L, key, "the joint was removed");
    else
        push_field(L, key, &state);
    return 1;
}

static int set_joint(lua_State *L)
{
    joint_at(L, 1);
    const char *key = luaL_checkstring(L, 2);
    scene_error(L, key, "the fields of a joint cannot be set; drive(joint, speed) changes its motor");
}

/* drive(joint, speed [, largest load]) */
static int drive_joint(lua_State *L)
{
    mo_world *world = scene_world_to_change(L, "drive");
    mo_joint which = joint_at(L, 1);
    double speed = read_number_at(L, 2, "drive", "speed");
    mo_joint_state state;
    mo_error err = {0};
    if (mo_joint_get(world, which, &state, &err) != MO_OK)
        scene_error(L, "drive", "the joint was removed");
    double load = lua_isnoneornil(L, 3) ? state.max_load : read_number_at(L, 3, "drive", "largest load");
    if (mo_joint_drive(world, which, speed, load, &err) != MO_OK)
        scene_raise(L, "drive", &err);
    note_late(scene_of(L));
    return 0;
}

bool scene_remove_joint(lua_State *L)
{
    mo_error err = {0};
    if (luaL_testudata(L, 1, JOINT_TYPE) == NULL)
        return false;
    mo_world *world = scene_world_to_change(L, "remove");
    if (mo_joint_remove(world, joint_at(L, 1), &err) != MO_OK)
        scene_error(L, "remove", "the joint was removed already");
    note_late(scene_of(L));
    return true;
}

static int joint_tostring(lua_State *L)
{
    lua_pushfstring(L, "joint %d", (int)joint_at(L, 1).id);
    return 1;
}

void scene_open_joints(lua_State *L)
{
    static const luaL_Reg methods[] = {
        {"__index", index_joint}, {"__newindex", set_joint}, {"__tostring", joint_tostring}, {NULL, NULL}};
    scene_new_type(L, JOINT_TYPE, methods);
    lua_register(L, "joint", make_joint);
    lua_register(L, "drive", drive_joint);
}
