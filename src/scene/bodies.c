/*
 * body{...} and remove(b): from a table to a mo_body_def.
 */
#include "scene/internal.h"

#include <stdio.h>
#include <string.h>

static const char *const body_keys[] = {
    "shape",          "density",     "mass",          "inertia",      "group", "name",   "position",
    "angle",          "velocity",    "spin",          "free",         "fixed", "motion", "applied_force",
    "applied_torque", "keep_origin", "collides_with", "!orientation", NULL};

static unsigned read_free(lua_State *L, int idx)
{
    static const char *const names[] = {"x", "y", "angle"};
    static const unsigned bits[] = {MO_FREE_X, MO_FREE_Y, MO_FREE_ANGLE};
    char path[32];
    unsigned free_bits = 0;
    if (lua_type(L, idx) != LUA_TTABLE)
        read_wrong(L, "body", "free", idx, "a list of \"x\", \"y\", \"angle\"");
    static const char *const no_keys[] = {NULL};
    read_keys(L, idx, "body.free", no_keys, true);
    for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, idx); i++) {
        snprintf(path, sizeof path, "free[%lld]", (long long)i);
        unsigned bit = 0;
        if (lua_rawgeti(L, idx, i) == LUA_TSTRING)
            for (int k = 0; k < 3; k++)
                bit |= strcmp(lua_tostring(L, -1), names[k]) == 0 ? bits[k] : 0;
        if (bit == 0)
            read_wrong(L, "body", path, -1, "\"x\", \"y\" or \"angle\"");
        free_bits |= bit;
        lua_pop(L, 1);
    }
    return free_bits;
}

/* the array of names lies in a userdata that is left on the stack */
static void read_collides(lua_State *L, int idx, mo_body_def *def)
{
    if (lua_type(L, idx) != LUA_TTABLE)
        read_wrong(L, "body", "collides_with", idx, "a list of group names");
    static const char *const no_keys[] = {NULL};
    read_keys(L, idx, "body.collides_with", no_keys, true);
    size_t n = lua_rawlen(L, idx);
    if (n > 1000)
        scene_error(L, "body.collides_with", "expected at most 1000 groups, got %zu", n);
    const char **names = lua_newuserdatauv(L, (n + 1) * sizeof *names, 0);
    for (size_t i = 0; i < n; i++) {
        char key[48];
        snprintf(key, sizeof key, "collides_with[%zu]", i + 1);
        lua_rawgeti(L, idx, (lua_Integer)i + 1);
        names[i] = read_string_at(L, -1, "body", key);
        lua_pop(L, 1);
    }
    def->collides_with = names;
    def->collides_with_count = n;
}

static mo_body_kind read_kind(lua_State *L)
{
    bool fixed = false;
    read_boolean(L, 1, "body", "fixed", &fixed);
    bool moved = read_field(L, 1, "motion");
    if (moved && lua_type(L, -1) != LUA_TFUNCTION)
        read_wrong(L, "body", "motion", -1, "a function(t) that gives {x =, y =, angle =}");
    if (moved)
        lua_pop(L, 1);
    if (fixed && moved)
        scene_error(L, "body.motion", "a body is either fixed or moved, not both");
    return fixed ? MO_BODY_FIXED : moved ? MO_BODY_MOVED : MO_BODY_DYNAMIC;
}

static void read_mass(lua_State *L, mo_body_def *def)
{
    bool density = read_number(L, 1, "body", "density", &def->density);
    bool mass = read_number(L, 1, "body", "mass", &def->mass);
    bool inertia = read_number(L, 1, "body", "inertia", &def->inertia);
    if (density && mass)
        scene_error(L, "body.mass", "expected density or mass, not both");
    if (!density && !mass)
        scene_error(L, "body.density",
                    "expected density or mass (or fixed = true, or a motion), got nothing");
    if (inertia && !mass)
        scene_error(L, "body.inertia", "inertia goes with mass; with density it follows from the shape");
    if (density)
        read_positive(L, "body", "density", def->density);
    if (mass)
        read_positive(L, "body", "mass", def->mass);
    if (inertia)
        read_positive(L, "body", "inertia", def->inertia);
}

/* what only a free body has */
static void refuse_dynamic_keys(lua_State *L, mo_body_kind kind)
{
    static const char *const keys[] = {"density", "mass",          "inertia",        "velocity", "spin",
                                       "free",    "applied_force", "applied_torque", NULL};
    char path[64];
    for (const char *const *key = keys; *key != NULL; key++) {
        read_path(path, sizeof path, "body", *key);
        if (read_field(L, 1, *key))
            scene_error(L, path, "a %s body has no %s", kind == MO_BODY_FIXED ? "fixed" : "moved", *key);
    }
}

static void read_place(lua_State *L, mo_body_def *def)
{
    read_point(L, 1, "body", "position", def->position);
    read_number(L, 1, "body", "angle", &def->angle);
    read_string(L, 1, "body", "group", &def->group);
    read_string(L, 1, "body", "name", &def->name);
    read_boolean(L, 1, "body", "keep_origin", &def->keep_origin);
    if (def->kind != MO_BODY_DYNAMIC) {
        refuse_dynamic_keys(L, def->kind);
        return;
    }
    read_mass(L, def);
    read_point(L, 1, "body", "velocity", def->velocity);
    read_number(L, 1, "body", "spin", &def->spin);
    if (read_field(L, 1, "free")) {
        def->free = read_free(L, lua_gettop(L));
        lua_pop(L, 1);
    }
}

static void read_loads(lua_State *L, mo_body_def *def, body_functions *f)
{
    if (read_field(L, 1, "applied_force")) {
        f->has_force = lua_type(L, -1) == LUA_TFUNCTION;
        if (f->has_force)
            scene_keep_function(L, &f->has_force, -1);
        else
            read_point_at(L, -1, "body", "applied_force", def->applied_force);
        lua_pop(L, 1);
    }
    if (read_field(L, 1, "applied_torque")) {
        f->has_torque = lua_type(L, -1) == LUA_TFUNCTION;
        if (f->has_torque)
            scene_keep_function(L, &f->has_torque, -1);
        else
            def->applied_torque = read_number_at(L, -1, "body", "applied_torque");
        lua_pop(L, 1);
    }
    memcpy(f->force, def->applied_force, sizeof f->force);
    f->torque = def->applied_torque;
    if (f->has_force || f->has_torque) {
        def->load = scene_load;
        def->load_data = f;
    }
}

static void read_motion_and_radius(lua_State *L, mo_body_def *def, body_functions *f, int shape)
{
    const double rest[3] = {def->position[0], def->position[1], def->angle};
    memcpy(f->rest, rest, sizeof rest);
    if (def->kind == MO_BODY_MOVED && read_field(L, 1, "motion")) {
        scene_keep_function(L, &f->has_motion, -1);
        lua_pop(L, 1);
        f->has_motion = true;
        def->motion = scene_motion;
        def->motion_data = f;
    }
    if (!scene_shape_radius(L, shape))
        return;
    scene_keep_function(L, &f->has_radius, -1);
    lua_pop(L, 1);
    f->has_radius = true;
    def->radius = scene_radius;
    def->radius_data = f;
    /* the size the body is born with */
    double rate;
    mo_error err;
    if (scene_radius(f, mo_world_info_get(f->s->world).time, &def->shape.radius, &rate, &err) != MO_OK)
        scene_raise(L, "disc", &err);
}

static void count_points(lua_State *L, const mo_shape_def *shape)
{
    scene *s = scene_of(L);
    s->points_used += scene_shape_points(shape);
    if (s->points_used > s->limits.points)
        scene_error(L, "body", "more than %zu points in all bodies together", s->limits.points);
}

static int make_body(lua_State *L)
{
    scene *s = scene_of(L);
    scene_check_limits(L);
    mo_world *world = scene_world_to_change(L, "body");
    read_single_table(L, "body");
    read_keys(L, 1, "body", body_keys, false);
    mo_body_def def = mo_default_body_def();
    if (!read_field(L, 1, "shape"))
        scene_error(L, "body.shape", "expected a shape such as disc{radius = 1}, got nothing");
    int shape = lua_gettop(L);
    def.shape = *scene_shape_at(L, shape, "body");
    count_points(L, &def.shape);
    def.kind = read_kind(L);
    read_place(L, &def);
    if (read_field(L, 1, "collides_with"))
        read_collides(L, lua_gettop(L), &def);
    body_functions *f = lua_newuserdatauv(L, sizeof *f, 0);
    int block = lua_gettop(L);
    memset(f, 0, sizeof *f);
    f->s = s;
    snprintf(f->name, sizeof f->name, "body %.30s", def.name != NULL ? def.name : "without a name");
    read_loads(L, &def, f);
    read_motion_and_radius(L, &def, f, shape);

    mo_body body;
    mo_error err = {0};
    if (mo_body_create(world, &def, &body, &err) != MO_OK)
        scene_raise(L, "body", &err);
    if (def.name == NULL)
        snprintf(f->name, sizeof f->name, "body %u", body.id);
    if (def.load != NULL || def.motion != NULL || def.radius != NULL)
        scene_anchor_functions(L, body.id, block);
    scene_push_body(L, body.id);
    return 1;
}

static int remove_body(lua_State *L)
{
    mo_world *world = scene_world_to_change(L, "remove");
    uint32_t id = scene_body_at(L, 1, "remove", "");
    mo_error err = {0};
    mo_body body = {id};
    if (!mo_body_exists(world, body))
        scene_error(L, "remove", "the body was removed already");
    if (mo_body_remove(world, body, &err) != MO_OK)
        scene_raise(L, "remove", &err);
    scene_drop_functions(L, id);
    return 0;
}

void scene_open_bodies(lua_State *L)
{
    lua_register(L, "body", make_body);
    lua_register(L, "remove", remove_body);
}
