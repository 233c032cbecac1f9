/*
 * generate.rain{...}: bodies let go one after the other while the world runs.
 *
 * Body k is due at start + (k - 1) interval and made before the first step that begins then, at a random
 * place beside `position` where it overlaps no free body's circle or sphere, in a periodic cell none of their
 * images; when there is none, it waits for
 * the next step, and those behind it too.  A rain is a function of on_step whose state (how many, which
 * bodies, the size of the one that waits) stands in every frame, so that a resumed run goes on with the same
 * bits.
 *
 * Upvalues of the function: body{...}, a copy of the table, the rain (userdata), the list of bodies.
 */
#include "scene/grains.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "measure/region.h"

static const char rains_key = 7; /* registry: list of {rain, list of bodies} */

enum { TRIES = 20, MOST_RAINS = 1000 };

typedef struct rain {
    size_t count;    /* bodies in all */
    size_t released; /* so far */
    double start, interval, speed, scatter;
    double position[3], direction[3], across[2][3]; /* direction and what is across it: unit vectors */
    double waiting;                                 /* radius of the next body, m; 0: not drawn yet */
    int line;                                       /* of the text, for messages */
    uint32_t ids[];                                 /* [released], room for count */
} rain;

/* ---- reading ---------------------------------------------------------------------------------------- */

/* along gravity unless said otherwise, down without it */
static void read_direction(const grains *g, rain *r)
{
    const scene *s = scene_of(g->L);
    double length = 0;
    memcpy(r->direction, s->world_def.gravity, sizeof r->direction);
    bool given = read_vector(g->L, 1, g->what, "direction", g->dim, r->direction);
    for (size_t k = 0; k < g->dim; k++)
        length = hypot(length, r->direction[k]);
    if (length == 0 && given)
        scene_error(g->L, "generate.rain.direction", "expected a vector other than zero");
    if (length == 0) {
        r->direction[g->dim - 1] = -1;
        length = 1;
    }
    for (size_t k = 0; k < g->dim; k++)
        r->direction[k] /= length;
    if (g->dim == 2) {
        r->across[0][0] = -r->direction[1];
        r->across[0][1] = r->direction[0];
        return;
    }
    mo_tangent(r->direction, r->across[0]);
    const double *n = r->direction, *t = r->across[0];
    for (size_t k = 0; k < 3; k++)
        r->across[1][k] = n[(k + 1) % 3] * t[(k + 2) % 3] - n[(k + 2) % 3] * t[(k + 1) % 3];
}

static void read_times_of(const grains *g, rain *r)
{
    double rate;
    bool interval = read_number(g->L, 1, g->what, "interval", &r->interval);
    bool rated = read_number(g->L, 1, g->what, "rate", &rate);
    if (interval == rated)
        scene_error(g->L, g->what, "expected either interval (s) or rate (1/s), got %s",
                    interval ? "both" : "neither");
    if (interval)
        read_range(g->L, g->what, "interval", r->interval, 0, DBL_MAX);
    if (rated) {
        read_positive(g->L, g->what, "rate", rate);
        r->interval = 1 / rate;
    }
    if (read_number(g->L, 1, g->what, "start", &r->start))
        read_range(g->L, g->what, "start", r->start, 0, DBL_MAX);
}

static void read_rain(const grains *g, rain *r)
{
    lua_State *L = g->L;
    r->count = grains_count(g, "count");
    if (!read_vector(L, 1, g->what, "position", g->dim, r->position))
        scene_error(L, "generate.rain.position", "expected {x, y%s}, got nothing", g->dim == 3 ? ", z" : "");
    read_times_of(g, r);
    read_direction(g, r);
    if (read_number(L, 1, g->what, "speed", &r->speed))
        read_range(L, g->what, "speed", r->speed, 0, 1e9);
    if (read_number(L, 1, g->what, "scatter", &r->scatter))
        read_range(L, g->what, "scatter", r->scatter, 0, 1e9);
    static const char *const wrong[] = {"velocity", "fixed", "motion", NULL};
    for (const char *const *key = wrong; *key != NULL; key++) {
        char path[64];
        read_path(path, sizeof path, g->what, *key);
        if (read_field(L, 1, *key))
            scene_error(L, path, "rain has speed and direction, and its bodies are free");
    }
    r->line = scene_line(L);
}

/* ---- releasing -------------------------------------------------------------------------------------- */

/* radius of a circle or sphere about the centre of mass of the body in this slot */
static double reach_of(const mo_bodies *b, size_t slot)
{
    double reach = 0;
    for (uint32_t p = 0; p < b->part_count[slot]; p++) {
        const mo_part *part = &b->parts[b->part_first[slot] + p];
        for (uint32_t k = 0; k < part->vertex_count; k++) {
            const double *x = b->vertices + (size_t)b->dim * (b->vertex_first[slot] + part->vertex_first + k);
            reach = fmax(reach, hypot(hypot(x[0], x[1]), b->dim == 3 ? x[2] : 0) + part->radius);
        }
    }
    return reach;
}

/* whether a point is nearer than reach to q or one of its images */
static bool comes_near(const mo_world *world, size_t dim, const double *x, const double *q, double reach)
{
    mo_region point = {{0}, {0}};
    double shift[3];
    memcpy(point.min, x, dim * sizeof *x);
    memcpy(point.max, x, dim * sizeof *x);
    for (region_images i = region_begin(world, &point, q, reach); region_next(&i, shift);) {
        double d2 = 0;
        for (size_t k = 0; k < dim; k++)
            d2 += (x[k] - q[k] - shift[k]) * (x[k] - q[k] - shift[k]);
        if (d2 < reach * reach)
            return true;
    }
    return false;
}

/* whether a ball overlaps no free body's */
static bool is_free(const mo_world *world, const double *x, double radius)
{
    mo_bodies b = mo_world_bodies(world);
    const size_t dim = b.dim == 2 ? 2 : 3, nq = dim == 2 ? 3 : 7;
    for (size_t i = 0; i < b.count; i++)
        if (b.kind[i] == MO_BODY_DYNAMIC && comes_near(world, dim, x, &b.q[nq * i], radius + reach_of(&b, i)))
            return false;
    return true;
}

/* uniform over the segment or disc across the direction */
static void scatter(const rain *r, size_t dim, rng *random, double x[3])
{
    double a, b;
    do {
        a = 2 * rng_uniform(random) - 1;
        b = dim == 3 ? 2 * rng_uniform(random) - 1 : 0;
    } while (a * a + b * b > 1);
    for (size_t k = 0; k < dim; k++)
        x[k] = r->position[k] + r->scatter * (a * r->across[0][k] + b * r->across[1][k]);
}

/* the next body, if there is room */
static bool release(grains *g, rain *r, int list)
{
    scene *s = scene_of(g->L);
    lua_Integer i = (lua_Integer)r->released + 1;
    double x[3] = {0, 0, 0}, velocity[3];
    if (r->waiting == 0)
        r->waiting = grains_draw(g, i, NULL);
    else
        grains_draw_shape(g, i, r->waiting);
    bool found = false;
    for (int t = 0; t < TRIES && !found; t++) {
        scatter(r, g->dim, &s->random, x);
        found = is_free(s->world, x, r->waiting);
    }
    if (!found)
        return false;
    for (size_t k = 0; k < g->dim; k++)
        velocity[k] = r->speed * r->direction[k];
    grains_lay(g, i, x, r->waiting, velocity);
    r->ids[r->released++] = scene_body_at(g->L, -1, g->what, "");
    lua_rawseti(g->L, list, i);
    r->waiting = 0;
    return true;
}

/* argument 1: the time at which a step begins; index 1 is then the table, as a generator has it */
static int rain_step(lua_State *L)
{
    scene *s = scene_of(L);
    double t = luaL_checknumber(L, 1);
    lua_settop(L, 0);
    lua_pushvalue(L, lua_upvalueindex(2));
    rain *r = lua_touserdata(L, lua_upvalueindex(3));
    lua_pushvalue(L, lua_upvalueindex(4));
    if (r->released >= r->count || t + 1e-9 * s->h < r->start + (double)r->released * r->interval)
        return 0;
    s->callee_line = r->line;
    grains g = grains_again(L, "generate.rain");
    bool going = true;
    while (going && r->released < r->count &&
           t + 1e-9 * s->h >= r->start + (double)r->released * r->interval) {
        scene_check_limits(L);
        going = release(&g, r, 2);
    }
    s->callee_line = 0;
    return 0;
}

/* ---- beginning -------------------------------------------------------------------------------------- */

/* pushes the list of all rains */
static int push_rains(lua_State *L)
{
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &rains_key) == LUA_TNIL) {
        lua_pop(L, 1);
        lua_newtable(L);
        lua_pushvalue(L, -1);
        lua_rawsetp(L, LUA_REGISTRYINDEX, &rains_key);
    }
    return lua_gettop(L);
}

/* the rain and its list join the others */
static void keep_rain(lua_State *L, int rain_at, int list)
{
    int rains = push_rains(L);
    lua_Integer n = (lua_Integer)lua_rawlen(L, rains) / 2;
    if (n >= MOST_RAINS)
        scene_error(L, "generate.rain", "more than %d rains", (int)MOST_RAINS);
    lua_pushvalue(L, rain_at);
    lua_rawseti(L, rains, 2 * n + 1);
    lua_pushvalue(L, list);
    lua_rawseti(L, rains, 2 * n + 2);
    lua_settop(L, rains - 1);
}

/* pushes a copy of the table at 1, which the scene cannot change */
static void copy_table(lua_State *L)
{
    lua_newtable(L);
    int copy = lua_gettop(L);
    for (lua_pushnil(L); lua_next(L, 1) != 0;) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, copy);
    }
}

int generate_rain(lua_State *L)
{
    static const char *const own[] = {"count",     "position", "interval", "rate", "start",
                                      "direction", "speed",    "scatter",  NULL};
    grains g = grains_begin(L, "generate.rain", own);
    if (scene_of(L)->phase != PHASE_CHUNK)
        scene_error(L, g.what, "rain must begin while the scene is built; start = a time lets it wait");
    rain given = {0};
    read_rain(&g, &given);
    lua_pushvalue(L, lua_upvalueindex(1));
    copy_table(L);
    rain *r = lua_newuserdatauv(L, sizeof *r + given.count * sizeof *r->ids, 0);
    *r = given;
    keep_rain(L, lua_gettop(L), g.list);
    lua_pushvalue(L, g.list);
    lua_pushcclosure(L, rain_step, 4);
    scene_add_on_step(L, lua_gettop(L));
    lua_settop(L, g.list);
    return 1;
}

/* ---- run files -------------------------------------------------------------------------------------- */

/* ids as runs [first, count, ...]: bodies of one rain are mostly made one after the other */
static json_t *ids_as_json(const rain *r)
{
    json_t *runs = json_array();
    for (size_t i = 0, n; i < r->released; i += n) {
        for (n = 1; i + n < r->released && r->ids[i + n] == r->ids[i] + n;)
            n++;
        json_array_append_new(runs, json_integer(r->ids[i]));
        json_array_append_new(runs, json_integer((json_int_t)n));
    }
    return runs;
}

json_t *scene_rains_as_json(const scene *s)
{
    lua_State *L = s->L;
    json_t *all = json_array();
    int top = lua_gettop(L);
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &rains_key) == LUA_TTABLE)
        for (lua_Integer k = 1; lua_rawgeti(L, -1, k) != LUA_TNIL; k += 2) {
            const rain *r = lua_touserdata(L, -1);
            json_array_append_new(all, json_pack("[fo]", r->waiting, ids_as_json(r)));
            lua_pop(L, 1);
        }
    lua_settop(L, top);
    return all;
}

/* false: it is no state of this rain */
static bool take_rain(rain *r, const json_t *saved, uint32_t created)
{
    const json_t *waiting = json_array_get(saved, 0), *runs = json_array_get(saved, 1);
    size_t n = 0;
    if (!json_is_number(waiting) || !json_is_array(runs) || json_array_size(runs) % 2 != 0)
        return false;
    r->waiting = json_number_value(waiting);
    json_int_t last = 0;
    for (size_t i = 0; i < json_array_size(runs); i += 2) {
        json_int_t first = json_integer_value(json_array_get(runs, i));
        json_int_t count = json_integer_value(json_array_get(runs, i + 1));
        if (first <= last || count < 1 || count > (json_int_t)(r->count - n) || first > (json_int_t)created ||
            count > (json_int_t)created - first + 1)
            return false;
        for (json_int_t k = 0; k < count; k++)
            r->ids[n++] = (uint32_t)(first + k);
        last = first + count - 1;
    }
    r->released = n;
    return r->waiting >= 0 && isfinite(r->waiting);
}

/* fills the lists with handles of the bodies */
static int fill_lists(lua_State *L)
{
    int rains = push_rains(L);
    for (lua_Integer k = 1; lua_rawgeti(L, rains, k) != LUA_TNIL; k += 2) {
        const rain *r = lua_touserdata(L, -1);
        lua_rawgeti(L, rains, k + 1);
        for (size_t i = 0; i < r->released; i++) {
            scene_push_body(L, r->ids[i]);
            lua_rawseti(L, -2, (lua_Integer)i + 1);
        }
        lua_settop(L, rains);
    }
    return 0;
}

mo_status scene_take_rains(scene *s, const json_t *saved, uint32_t created, mo_error *err)
{
    lua_State *L = s->L;
    size_t n = 0;
    int top = lua_gettop(L);
    bool sound = true;
    if (lua_rawgetp(L, LUA_REGISTRYINDEX, &rains_key) == LUA_TTABLE)
        for (; lua_rawgeti(L, -1, (lua_Integer)(2 * n + 1)) != LUA_TNIL && sound; n++) {
            sound = take_rain(lua_touserdata(L, -1), json_array_get(saved, n), created);
            lua_pop(L, 1);
        }
    lua_settop(L, top);
    if (!sound || n != json_array_size(saved))
        return scene_differs(s, err, "its rain is another one");
    lua_pushcfunction(L, fill_lists);
    return scene_call(s, 0, 0, err);
}
