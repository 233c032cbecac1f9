/*
 * body{...} and remove(b): from a table to a mo_body_def.
 */
#include "scene/internal.h"

#include "math/quat.h"

#include <stdio.h>
#include <string.h>

const char *const scene_body_keys[] = {
    "shape",          "density",     "mass",          "inertia",     "group", "name",   "position",
    "angle",          "velocity",    "spin",          "free",        "fixed", "motion", "applied_force",
    "applied_torque", "keep_origin", "collides_with", "orientation", NULL};

/* freedoms by dimension, as they are called in a scene */
typedef struct freedoms {
    const char *names[6];
    unsigned bits[6];
    int count;
    const char *list, *any; /* for messages */
} freedoms;

static const freedoms freedoms_2d = {{"x", "y", "angle"},
                                     {MO_FREE_X, MO_FREE_Y, MO_FREE_ANGLE},
                                     3,
                                     "a list of \"x\", \"y\", \"angle\"",
                                     "\"x\", \"y\" or \"angle\""};
static const freedoms freedoms_3d = {{"x", "y", "z", "wx", "wy", "wz"},
                                     {MO_FREE_X, MO_FREE_Y, MO_FREE_Z, MO_FREE_WX, MO_FREE_WY, MO_FREE_WZ},
                                     6,
                                     "a list of \"x\", \"y\", \"z\", \"wx\", \"wy\", \"wz\"",
                                     "\"x\", \"y\", \"z\", \"wx\", \"wy\" or \"wz\""};

static unsigned read_free(lua_State *L, int idx)
{
    const freedoms *all = scene_dim(L) == 2 ? &freedoms_2d : &freedoms_3d;
    char path[32];
    unsigned free_bits = 0;
    if (lua_type(L, idx) != LUA_TTABLE)
        read_wrong(L, "body", "free", idx, all->list);
    static const char *const no_keys[] = {NULL};
    read_keys(L, idx, "body.free", no_keys, true);
    for (lua_Integer i = 1; i <= (lua_Integer)lua_rawlen(L, idx); i++) {
        snprintf(path, sizeof path, "free[%lld]", (long long)i);
        unsigned bit = 0;
        if (lua_rawgeti(L, idx, i) == LUA_TSTRING)
            for (int k = 0; k < all->count; k++)
                bit |= strcmp(lua_tostring(L, -1), all->names[k]) == 0 ? all->bits[k] : 0;
        if (bit == 0)
            read_wrong(L, "body", path, -1, all->any);
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
        read_wrong(L, "body", "motion", -1,
                   scene_dim(L) == 2 ? "a function(t) that gives {x =, y =, angle =}"
                                     : "a function(t) that gives {x =, y =, z =, rotation =}");
    if (moved)
        lua_pop(L, 1);
    if (fixed && moved)
        scene_error(L, "body.motion", "a body is either fixed or moved, not both");
    return fixed ? MO_BODY_FIXED : moved ? MO_BODY_MOVED : MO_BODY_DYNAMIC;
}

static bool read_inertia(lua_State *L, mo_body_def *def)
{
    static const char *const names[] = {"inertia[1]", "inertia[2]", "inertia[3]"};
    if (scene_dim(L) == 2) {
        bool given = read_number(L, 1, "body", "inertia", &def->inertia);
        if (given)
            read_positive(L, "body", "inertia", def->inertia);
        return given;
    }
    bool given = read_vector(L, 1, "body", "inertia", 3, def->inertia3);
    for (int k = 0; given && k < 3; k++)
        read_positive(L, "body", names[k], def->inertia3[k]);
    return given;
}

static void read_mass(lua_State *L, mo_body_def *def)
{
    bool density = read_number(L, 1, "body", "density", &def->density);
    bool mass = read_number(L, 1, "body", "mass", &def->mass);
    bool inertia = read_inertia(L, def);
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

/* keys that bodies of the other dimension have */
static void refuse_other_keys(lua_State *L)
{
    static const char *const of_2d[] = {"angle", NULL}, *const of_3d[] = {"orientation", NULL};
    bool flat = scene_dim(L) == 2;
    char path[64];
    for (const char *const *key = flat ? of_3d : of_2d; *key != NULL; key++) {
        read_path(path, sizeof path, "body", *key);
        if (read_field(L, 1, *key))
            scene_error(L, path, "a body of a %s world has no %s, expected %s", flat ? "2D" : "3D", *key,
                        flat ? "angle" : "orientation = {qw, qx, qy, qz}");
    }
}

static void read_place(lua_State *L, mo_body_def *def)
{
    size_t dim = scene_dim(L);
    refuse_other_keys(L);
    read_vector(L, 1, "body", "position", dim, def->position);
    read_number(L, 1, "body", "angle", &def->angle);
    read_quaternion(L, 1, "body", "orientation", def->orientation);
    read_string(L, 1, "body", "group", &def->group);
    read_string(L, 1, "body", "name", &def->name);
    read_boolean(L, 1, "body", "keep_origin", &def->keep_origin);
    if (def->kind != MO_BODY_DYNAMIC) {
        refuse_dynamic_keys(L, def->kind);
        return;
    }
    read_mass(L, def);
    read_vector(L, 1, "body", "velocity", dim, def->velocity);
    if (dim == 2)
        read_number(L, 1, "body", "spin", &def->spin);
    else
        read_vector(L, 1, "body", "spin", 3, def->spin3);
    if (read_field(L, 1, "free")) {
        def->free = read_free(L, lua_gettop(L));
        lua_pop(L, 1);
    }
}

static void read_loads(lua_State *L, mo_body_def *def, body_functions *f)
{
    size_t dim = scene_dim(L);
    if (read_field(L, 1, "applied_force")) {
        if (!scene_take_load(L, &f->has_force, -1))
            read_vector_at(L, -1, "body", "applied_force", dim, def->applied_force);
        lua_pop(L, 1);
    }
    if (read_field(L, 1, "applied_torque")) {
        bool given = scene_take_load(L, &f->has_torque, -1);
        if (!given && dim == 2)
            def->applied_torque = read_number_at(L, -1, "body", "applied_torque");
        else if (!given)
            read_vector_at(L, -1, "body", "applied_torque", 3, def->applied_torque3);
        lua_pop(L, 1);
    }
    memcpy(f->force, def->applied_force, sizeof f->force);
    memcpy(f->torque, def->applied_torque3, sizeof f->torque);
    if (dim == 2)
        f->torque[0] = def->applied_torque;
    if (f->has_force || f->has_torque) {
        def->load = scene_load;
        def->load_data = f;
    }
}

static void read_motion_and_radius(lua_State *L, mo_body_def *def, body_functions *f, int shape)
{
    size_t dim = scene_dim(L);
    memcpy(f->rest, def->position, dim * sizeof *f->rest);
    if (dim == 2) {
        f->rest[2] = def->angle;
    } else {
        memcpy(f->rest + 3, def->orientation, sizeof def->orientation);
        quat_normalise(f->rest + 3);
    }
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
        scene_raise(L, scene_shape_name(&def->shape), &err);
}

void scene_check_bodies(lua_State *L, const char *what, const char *key, double count)
{
    const scene *s = scene_of(L);
    const size_t left = s->limits.points - s->points_used;
    char path[64];
    read_path(path, sizeof path, what, key);
    if (!(count <= (double)left))
        scene_error(L, path, "%.6g bodies are more than a scene may have: expected at most %zu", count, left);
}

static void count_points(lua_State *L, const mo_shape_def *shape)
{
    scene *s = scene_of(L);
    s->points_used += scene_shape_points(shape);
    if (s->points_used > s->limits.points)
        scene_error(L, "body", "more than %zu points in all bodies together", s->limits.points);
}

static void check_dimension(lua_State *L, const mo_shape_def *shape)
{
    int found = scene_shape_dim(shape), dim = (int)scene_dim(L);
    if (found != dim)
        scene_error(L, "body.shape",
                    "this %s is a shape of %dD worlds, expected one of a world with dim = %d",
                    scene_shape_name(shape), found, dim);
}

static int make_body(lua_State *L)
{
    scene_check_limits(L);
    mo_world *world = scene_world_to_change(L, "body");
    read_single_table(L, "body");
    read_keys(L, 1, "body", scene_body_keys, false);
    mo_body_def def = mo_default_body_def();
    if (!read_field(L, 1, "shape"))
        scene_error(L, "body.shape", "expected a shape such as %s{radius = 1}, got nothing",
                    scene_dim(L) == 2 ? "disc" : "sphere");
    int shape = lua_gettop(L);
    def.shape = *scene_shape_at(L, shape, "body");
    check_dimension(L, &def.shape);
    count_points(L, &def.shape);
    def.kind = read_kind(L);
    read_place(L, &def);
    if (read_field(L, 1, "collides_with"))
        read_collides(L, lua_gettop(L), &def);
    body_functions *f = scene_new_functions(L, def.name != NULL ? def.name : "without a name");
    int block = lua_gettop(L);
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
    if (scene_remove_joint(L))
        return 0;
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
