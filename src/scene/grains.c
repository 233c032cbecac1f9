/*
 * Grains: what lattices, random samples, rain and compressed samples share (grains.h).
 *
 * Every body is made by body{...}, upvalue 1 of the generators, so that limits and errors are the same.
 */
#include "scene/grains.h"

#include "scene/sizes.h"
#include "shape/shape.h"
#include "shape/solid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

enum { MOST_KEYS = 40 };

/* ---- reading -------------------------------------------------------------------------------------- */

/* keys of a body that a generator sets itself */
static bool is_set_here(const char *key)
{
    static const char *const ours[] = {"shape", "position", "keep_origin"};
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++)
        if (strcmp(key, ours[i]) == 0)
            return true;
    return false;
}

static void check_keys(lua_State *L, const char *what, const char *const *own, bool sized)
{
    const char *keys[MOST_KEYS] = {"radius", "shape"};
    size_t n = sized ? 2 : 0;
    keys[n] = NULL;
    for (size_t i = 0; own[i] != NULL && n < MOST_KEYS - 1; i++)
        keys[n++] = own[i];
    for (size_t i = 0; scene_body_keys[i] != NULL && n < MOST_KEYS - 1; i++)
        if (!is_set_here(scene_body_keys[i]))
            keys[n++] = scene_body_keys[i];
    read_single_table(L, what);
    read_keys(L, 1, what, keys, false);
}

/* circumscribed radius about the centre of mass, and area or volume */
static void size_of_shape(const grains *g, const mo_shape_def *def, double *radius, double *measure)
{
    mo_error err = {0};
    shape flat = {0};
    solid body = {0};
    mo_status status =
        g->dim == 2 ? shape_build(def, true, &flat, &err) : solid_build(def, true, &body, NULL, &err);
    if (status != MO_OK)
        scene_raise(g->L, g->what, &err);
    *radius = g->dim == 2 ? flat.radius : body.radius;
    *measure = g->dim == 2 ? flat.area : body.volume;
    if (g->dim == 2)
        shape_free(&flat);
    else
        solid_free(&body);
}

/* the shape at idx fits the world and has a size */
static void measure_shape(grains *g, int idx)
{
    char path[64];
    const mo_shape_def *def = scene_shape_at(g->L, idx, g->what);
    read_path(path, sizeof path, g->what, "shape");
    if ((size_t)scene_shape_dim(def) != g->dim)
        scene_error(g->L, path, "this %s is a shape of %dD worlds, expected one of a world with dim = %d",
                    scene_shape_name(def), scene_shape_dim(def), (int)g->dim);
    if (scene_shape_radius(g->L, idx))
        scene_error(g->L, path, "a radius that depends on time is not available here");
    size_of_shape(g, def, &g->room, &g->measure);
    if (!(g->room < HUGE_VAL))
        scene_error(g->L, path, "expected a shape of finite size, got a %s", scene_shape_name(def));
}

static void read_radius(grains *g)
{
    lua_State *L = g->L;
    const sizes *z;
    g->largest = HUGE_VAL;
    if (!read_field(L, 1, "radius"))
        return;
    g->source = lua_gettop(L);
    if ((z = sizes_at(L, g->source)) != NULL) {
        g->largest = sizes_largest(z);
    } else if (lua_type(L, g->source) == LUA_TNUMBER) {
        g->largest = read_number_at(L, g->source, g->what, "radius");
        read_positive(L, g->what, "radius", g->largest);
    } else if (lua_type(L, g->source) != LUA_TFUNCTION) {
        read_wrong(L, g->what, "radius", g->source, "a number > 0, a distribution of sizes or a function(i)");
    }
}

/* where the sizes come from: radius, or a shape that is the same for all */
static void read_sizes(grains *g)
{
    lua_State *L = g->L;
    char path[64];
    read_radius(g);
    if (read_field(L, 1, "shape"))
        g->shape = lua_gettop(L);
    bool makes = g->shape != 0 && lua_type(L, g->shape) == LUA_TFUNCTION;
    if (makes) {
        lua_newtable(L);
        g->shapes = lua_gettop(L);
    } else if (g->shape != 0) {
        measure_shape(g, g->shape);
        g->largest = g->room;
    }
    read_path(path, sizeof path, g->what, "radius");
    if (g->source == 0 && (g->shape == 0 || makes))
        scene_error(L, path, "expected a number > 0, a distribution of sizes or a function(i), got nothing");
    if (g->source != 0 && g->shape != 0 && !makes)
        scene_error(L, path,
                    "a given shape has its own size; expected radius or shape, or a shape that is a "
                    "function of the radius");
}

static grains new_grains(lua_State *L, const char *what)
{
    grains g = {.L = L, .what = what};
    scene_world_to_change(L, what);
    g.dim = scene_dim(L);
    luaL_checkstack(L, 20, what);
    return g;
}

grains grains_again(lua_State *L, const char *what)
{
    grains g = new_grains(L, what);
    read_sizes(&g);
    return g;
}

static void push_list(grains *g)
{
    lua_newtable(g->L);
    g->list = lua_gettop(g->L);
}

grains grains_begin(lua_State *L, const char *what, const char *const *own)
{
    scene_world_to_change(L, what);
    check_keys(L, what, own, true);
    grains g = grains_again(L, what);
    push_list(&g);
    return g;
}

grains grains_begin_shaped(lua_State *L, const char *what, const char *const *own)
{
    grains g = new_grains(L, what);
    char path[64];
    const char *turn = g.dim == 2 ? "angle" : "orientation";
    check_keys(L, what, own, false);
    read_path(path, sizeof path, what, turn);
    if (read_field(L, 1, turn))
        scene_error(L, path, "bodies that fit together cannot be turned each by itself");
    lua_newtable(L);
    g.shapes = lua_gettop(L);
    push_list(&g);
    return g;
}

void grains_check_count(const grains *g, const char *key, double count)
{
    scene_check_bodies(g->L, g->what, key, count);
}

size_t grains_count(const grains *g, const char *key)
{
    char path[64];
    read_path(path, sizeof path, g->what, key);
    if (!read_field(g->L, 1, key))
        scene_error(g->L, path, "expected a whole number >= 1, got nothing");
    lua_pop(g->L, 1);
    int n = read_whole(g->L, 1, g->what, key, 1);
    grains_check_count(g, key, n);
    return (size_t)n;
}

/* ---- drawing -------------------------------------------------------------------------------------- */

/* what the radius function gives for body i */
static double call_radius(const grains *g, lua_Integer i)
{
    lua_State *L = g->L;
    char key[48];
    snprintf(key, sizeof key, "radius(%lld)", (long long)i);
    lua_pushvalue(L, g->source);
    lua_pushinteger(L, i);
    lua_call(L, 1, 1);
    double r = read_number_at(L, -1, g->what, key);
    read_positive(L, g->what, key, r);
    lua_pop(L, 1);
    return r;
}

void grains_draw_shape(grains *g, lua_Integer i, double radius)
{
    lua_State *L = g->L;
    char path[64];
    if (g->shapes == 0)
        return;
    lua_pushvalue(L, g->shape);
    lua_pushnumber(L, radius);
    lua_pushinteger(L, i);
    lua_call(L, 2, 1);
    measure_shape(g, lua_gettop(L));
    read_path(path, sizeof path, g->what, "shape");
    if (g->room > radius * (1 + 1e-9))
        scene_error(L, path,
                    "expected a shape within the radius %g about its centre of mass, got one that "
                    "reaches %g",
                    radius, g->room);
    lua_rawseti(L, g->shapes, i);
}

double grains_draw(grains *g, lua_Integer i, double *area)
{
    scene *s = scene_of(g->L);
    double r = g->room, measure;
    const sizes *z = g->source != 0 ? sizes_at(g->L, g->source) : NULL;
    if (z != NULL)
        r = sizes_draw(z, g->dim, &s->random);
    else if (g->source != 0)
        r = lua_type(g->L, g->source) == LUA_TFUNCTION ? call_radius(g, i) : g->largest;
    measure = g->dim == 2 ? PI * r * r : 4 * PI / 3 * r * r * r;
    grains_draw_shape(g, i, r);
    if (g->shape != 0)
        measure = g->measure;
    if (area != NULL)
        *area = measure;
    return r;
}

/* ---- laying --------------------------------------------------------------------------------------- */

static void push_shape(const grains *g, lua_Integer i, double radius)
{
    if (g->shapes != 0) {
        lua_rawgeti(g->L, g->shapes, i);
    } else if (g->shape != 0) {
        lua_pushvalue(g->L, g->shape);
    } else {
        shape_box *box = new_shape(g->L, g->dim == 2 ? MO_SHAPE_DISC : MO_SHAPE_SPHERE, 0);
        box->def.radius = radius;
    }
}

/* a turn at random, uniform over all (Shoemake 1992), into the table on top of the stack */
static void set_random_turn(const grains *g)
{
    lua_State *L = g->L;
    rng *random = &scene_of(L)->random;
    double u = rng_uniform(random), a = 2 * PI * rng_uniform(random);
    if (g->dim == 2) {
        lua_pushnumber(L, a);
        lua_setfield(L, -2, "angle");
        return;
    }
    double b = 2 * PI * rng_uniform(random), s = sqrt(1 - u), c = sqrt(u);
    scene_push_numbers(L, (double[4]){s * sin(a), s * cos(a), c * sin(b), c * cos(b)}, 4);
    lua_setfield(L, -2, "orientation");
}

static bool is_random(const grains *g, const char *key)
{
    if (!read_field(g->L, 1, key))
        return false;
    const char *word = lua_type(g->L, -1) == LUA_TSTRING ? lua_tostring(g->L, -1) : "";
    bool random = strcmp(word, "random") == 0;
    lua_pop(g->L, 1);
    return random;
}

/* the generator's keys that are a body's go to the table on top of the stack */
static void copy_keys(const grains *g)
{
    lua_State *L = g->L;
    bool weighed = false;
    for (const char *const *key = scene_body_keys; *key != NULL; key++) {
        if (is_set_here(*key) || !read_field(L, 1, *key))
            continue;
        lua_setfield(L, -2, *key);
        weighed = weighed || strcmp(*key, "density") == 0 || strcmp(*key, "mass") == 0 ||
                  strcmp(*key, "fixed") == 0 || strcmp(*key, "motion") == 0;
    }
    if (weighed)
        return;
    lua_pushnumber(L, 2000);
    lua_setfield(L, -2, "density");
}

/* the name with the body's number */
static void set_name(const grains *g, lua_Integer i)
{
    const char *name;
    if (!read_string(g->L, 1, g->what, "name", &name))
        return;
    lua_pushfstring(g->L, "%s %I", name, (LUAI_UACINT)i);
    lua_setfield(g->L, -2, "name");
}

void grains_lay(grains *g, lua_Integer i, const double *centre, double radius, const double *velocity)
{
    lua_State *L = g->L;
    luaL_checkstack(L, 10, g->what);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_newtable(L);
    copy_keys(g);
    if (is_random(g, g->dim == 2 ? "angle" : "orientation"))
        set_random_turn(g);
    set_name(g, i);
    push_shape(g, i, radius);
    lua_setfield(L, -2, "shape");
    scene_push_numbers(L, centre, g->dim);
    lua_setfield(L, -2, "position");
    if (velocity != NULL) {
        scene_push_numbers(L, velocity, g->dim);
        lua_setfield(L, -2, "velocity");
    }
    lua_call(L, 1, 1);
}

void grains_keep(grains *g)
{
    lua_rawseti(g->L, g->list, ++g->laid);
}
