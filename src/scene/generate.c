/*
 * Masonry: generate.wall{...} and generate.column{...}, and what all generators share (generate.h).
 *
 * Every block is made by body{...}, upvalue 1 of the generators, so that limits and errors are the same.
 */
#include "scene/generate.h"

#include "scene/grains.h"
#include "shape/shape.h"
#include "shape/solid.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const common_keys[] = {"position", "angle", "density", "group", "name", "collides_with"};
enum { COMMON_KEYS = 6, MOST_KEYS = 20 };

/* ---- reading --------------------------------------------------------------------------------------------
 */

static void check_keys(lua_State *L, const char *what, const char *const *own)
{
    const char *keys[MOST_KEYS] = {NULL};
    size_t n = 0;
    for (; own[n] != NULL && n < MOST_KEYS - COMMON_KEYS - 1; n++)
        keys[n] = own[n];
    memcpy(keys + n, common_keys, sizeof common_keys);
    read_single_table(L, what);
    read_keys(L, 1, what, keys, false);
}

masonry masonry_begin(lua_State *L, const char *what, const char *const *own)
{
    masonry m = {.L = L, .what = what, .density = 2000};
    scene_world_to_change(L, what);
    m.dim = scene_dim(L);
    check_keys(L, what, own);
    read_vector(L, 1, what, "position", m.dim, m.base);
    char path[64];
    read_path(path, sizeof path, what, "angle");
    if (read_number(L, 1, what, "angle", &m.angle) && m.dim == 2)
        scene_error(L, path, "masonry of a 2D world cannot be turned about the vertical");
    m.turn[0] = cos(m.angle);
    m.turn[1] = sin(m.angle);
    if (read_number(L, 1, what, "density", &m.density))
        read_positive(L, what, "density", m.density);
    read_string(L, 1, what, "group", &m.group);
    read_string(L, 1, what, "name", &m.name);
    lua_newtable(L);
    m.list = lua_gettop(L);
    return m;
}

double masonry_length(const masonry *m, const char *key, double otherwise)
{
    double x = otherwise;
    if (read_number(m->L, 1, m->what, key, &x))
        read_positive(m->L, m->what, key, x);
    return x;
}

double masonry_number(const masonry *m, const char *key, double otherwise, double min, double max)
{
    double x = otherwise;
    if (read_number(m->L, 1, m->what, key, &x))
        read_range(m->L, m->what, key, x, min, max);
    return x;
}

int masonry_count(const masonry *m, const char *key, int otherwise, int least)
{
    int n = read_whole(m->L, 1, m->what, key, otherwise);
    if (n < least)
        read_range(m->L, m->what, key, n, least, 1e9);
    return n;
}

/* ---- laying ---------------------------------------------------------------------------------------------
 */

static void set_numbers(lua_State *L, const char *key, const double *x, size_t n)
{
    scene_push_numbers(L, x, n);
    lua_setfield(L, -2, key);
}

/* place and turn of the block in the world, into the table on top of the stack */
static void set_place(const masonry *m, const double centre[3])
{
    const double *b = m->base, c = m->turn[0], s = m->turn[1];
    if (m->dim == 2) {
        set_numbers(m->L, "position", (double[2]){b[0] + centre[0], b[1] + centre[1]}, 2);
        return;
    }
    double place[3] = {b[0] + c * centre[0] - s * centre[1], b[1] + s * centre[0] + c * centre[1],
                       b[2] + centre[2]};
    set_numbers(m->L, "position", place, 3);
    if (m->angle != 0)
        set_numbers(m->L, "orientation", (double[4]){cos(0.5 * m->angle), 0, 0, sin(0.5 * m->angle)}, 4);
}

static void set_labels(const masonry *m, bool fixed)
{
    lua_State *L = m->L;
    if (m->group != NULL) {
        lua_pushstring(L, m->group);
        lua_setfield(L, -2, "group");
    }
    if (m->name != NULL) {
        if (fixed)
            lua_pushfstring(L, "%s support", m->name);
        else
            lua_pushfstring(L, "%s %I", m->name, (LUAI_UACINT)(m->laid + 1));
        lua_setfield(L, -2, "name");
    }
    if (read_field(L, 1, "collides_with"))
        lua_setfield(L, -2, "collides_with");
}

void masonry_lay(const masonry *m, const double centre[3], bool fixed)
{
    lua_State *L = m->L;
    int top = lua_gettop(L);
    luaL_checkstack(L, 10, m->what);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_newtable(L);
    lua_pushvalue(L, top);
    lua_setfield(L, -2, "shape");
    set_place(m, centre);
    set_labels(m, fixed);
    if (fixed)
        lua_pushboolean(L, 1);
    else
        lua_pushnumber(L, m->density);
    lua_setfield(L, -2, fixed ? "fixed" : "density");
    lua_call(L, 1, 1);
    lua_remove(L, top);
}

static mo_status centre_of_mass(const mo_shape_def *def, size_t dim, double out[3], mo_error *err)
{
    shape flat = {0};
    solid body = {0};
    mo_status status =
        dim == 2 ? shape_build(def, true, &flat, err) : solid_build(def, true, &body, NULL, err);
    memcpy(out, dim == 2 ? flat.com : body.com, dim * sizeof *out);
    if (status == MO_OK && dim == 2)
        shape_free(&flat);
    else if (status == MO_OK)
        solid_free(&body);
    return status;
}

void masonry_lay_corners(const masonry *m, const double *corners, size_t count, bool fixed)
{
    double centre[3] = {0, 0, 0};
    mo_error err = {0};
    shape_box *box = new_shape(m->L, m->dim == 2 ? MO_SHAPE_POLYGON : MO_SHAPE_CONVEX, count);
    memcpy(box->points, corners, m->dim * count * sizeof *corners);
    if (centre_of_mass(&box->def, m->dim, centre, &err) != MO_OK)
        scene_raise(m->L, m->what, &err);
    for (size_t i = 0; i < m->dim * count; i++)
        box->points[i] -= centre[i % m->dim];
    masonry_lay(m, centre, fixed);
}

void masonry_keep(masonry *m, int part)
{
    lua_State *L = m->L;
    if (part != 0) {
        lua_pushvalue(L, -1);
        lua_rawseti(L, part, (lua_Integer)lua_rawlen(L, part) + 1);
    }
    lua_rawseti(L, m->list, ++m->laid);
}

int masonry_table(lua_State *L, int idx, const char *key)
{
    luaL_checkstack(L, 4, "generate");
    lua_newtable(L);
    lua_pushvalue(L, -1);
    if (key != NULL)
        lua_setfield(L, idx, key);
    else
        lua_rawseti(L, idx, (lua_Integer)lua_rawlen(L, idx) + 1);
    return lua_gettop(L);
}

/* ---- walls ----------------------------------------------------------------------------------------------
 */

typedef struct wall {
    double brick[3]; /* length, depth (3D), height */
    double height;
    double bond; /* offset of every second course over the length of a brick */
    int courses, bricks;
    bool closers;
} wall;

static wall read_wall(const masonry *m)
{
    static const char *const names[3] = {"brick[1]", "brick[2]", "brick[3]"};
    wall w = {.brick = {0.25, m->dim == 2 ? 0.1 : 0.12, 0.1}, .closers = true};
    if (read_vector(m->L, 1, m->what, "brick", m->dim, w.brick))
        for (size_t k = 0; k < m->dim; k++)
            read_positive(m->L, m->what, names[k], w.brick[k]);
    w.height = w.brick[m->dim - 1];
    w.courses = masonry_count(m, "courses", 10, 1);
    w.bricks = masonry_count(m, "bricks", 10, 1);
    scene_check_bodies(m->L, m->what, "bricks", (double)w.courses * w.bricks);
    w.bond = masonry_number(m, "bond", 0.5, 0, 1);
    read_boolean(m->L, 1, m->what, "closers", &w.closers);
    return w;
}

/* a brick between two joints, in the course that begins at `bottom` */
static void lay_brick(masonry *m, const wall *w, double left, double right, double bottom, int course)
{
    double size[3] = {right - left, w->brick[1], w->height}, centre[3] = {0.5 * (left + right), 0, 0};
    centre[m->dim - 1] = bottom + 0.5 * w->height;
    shape_box *box = new_shape(m->L, m->dim == 2 ? MO_SHAPE_RECTANGLE : MO_SHAPE_BOX, 0);
    memcpy(box->def.size, size, sizeof size);
    masonry_lay(m, centre, false);
    masonry_keep(m, course);
}

/* joints of a shifted course lie at (i + bond) L; the rest at its ends is closed or left out */
static void lay_course(masonry *m, const wall *w, int row, int course)
{
    double L = w->brick[0], left = -0.5 * w->bricks * L, bottom = row * w->height;
    double shift = row % 2 == 1 ? w->bond : 0;
    bool shifted = shift > 0 && shift < 1;
    if (shifted && w->closers)
        lay_brick(m, w, left, left + shift * L, bottom, course);
    for (int i = 0; i < w->bricks - (shifted ? 1 : 0); i++)
        lay_brick(m, w, left + (i + (shifted ? shift : 0)) * L, left + (i + 1 + (shifted ? shift : 0)) * L,
                  bottom, course);
    if (shifted && w->closers)
        lay_brick(m, w, left + (w->bricks - 1 + shift) * L, left + w->bricks * L, bottom, course);
}

static int generate_wall(lua_State *L)
{
    static const char *const own[] = {"brick", "courses", "bricks", "bond", "closers", NULL};
    masonry m = masonry_begin(L, "generate.wall", own);
    wall w = read_wall(&m);
    int courses = masonry_table(L, m.list, "courses");
    for (int row = 0; row < w.courses; row++) {
        lay_course(&m, &w, row, masonry_table(L, courses, NULL));
        lua_settop(L, courses);
    }
    lua_settop(L, m.list);
    return 1;
}

/* ---- columns --------------------------------------------------------------------------------------------
 */

typedef struct column {
    double radius, height,
        taper;         /* of the shaft at its foot, of a drum, radius at the top over that at the foot */
    double capital[2]; /* radius, height; 0: none */
    int drums, sides;  /* sides 0: round */
} column;

static void read_capital(const masonry *m, column *c)
{
    static const char *const keys[] = {"radius", "height", NULL};
    const char *what = "generate.column.capital";
    lua_State *L = m->L;
    if (!read_field(L, 1, "capital"))
        return;
    int idx = lua_gettop(L);
    if (lua_type(L, idx) != LUA_TTABLE)
        read_wrong(L, what, "", idx, "a table {radius =, height =}");
    read_keys(L, idx, what, keys, false);
    c->capital[0] = 1.3 * c->radius;
    c->capital[1] = c->height;
    for (int k = 0; k < 2; k++)
        if (read_number(L, idx, what, keys[k], &c->capital[k]))
            read_positive(L, what, keys[k], c->capital[k]);
    lua_pop(L, 1);
}

static column read_column(const masonry *m)
{
    column c = {0};
    c.drums = masonry_count(m, "drums", 10, 1);
    scene_check_bodies(m->L, m->what, "drums", c.drums);
    c.radius = masonry_length(m, "radius", 0.5);
    c.height = masonry_length(m, "height", c.radius);
    bool prism = read_field(m->L, 1, "sides");
    if (prism)
        lua_pop(m->L, 1);
    c.sides = prism ? masonry_count(m, "sides", 3, 3) : 0;
    c.taper = masonry_length(m, "taper", 1);
    if (c.taper != 1 && !prism)
        scene_error(m->L, "generate.column.taper",
                    "drums of a tapered column are prisms: expected sides = a number >= 3 as well, got none");
    if (c.sides > 1000)
        read_range(m->L, m->what, "sides", c.sides, 3, 1000);
    read_capital(m, &c);
    return c;
}

/* corners of a regular polygon at height z */
static void ring_of_corners(double radius, int sides, double z, double *out)
{
    for (int i = 0; i < sides; i++) {
        double a = 2 * acos(-1.0) * i / sides;
        out[3 * i] = radius * cos(a);
        out[3 * i + 1] = radius * sin(a);
        out[3 * i + 2] = z;
    }
}

static void lay_drum(masonry *m, const column *c, double r0, double r1, double z0, double z1)
{
    if (c->sides == 0) {
        shape_box *box = new_shape(m->L, MO_SHAPE_CYLINDER, 0);
        box->def.radius = r0;
        box->def.height = z1 - z0;
        masonry_lay(m, (double[3]){0, 0, 0.5 * (z0 + z1)}, false);
        return;
    }
    double corners[6 * 1000];
    ring_of_corners(r0, c->sides, z0, corners);
    ring_of_corners(r1, c->sides, z1, corners + 3 * c->sides);
    masonry_lay_corners(m, corners, 2 * (size_t)c->sides, false);
}

static int generate_column(lua_State *L)
{
    static const char *const own[] = {"drums", "radius", "height", "sides", "taper", "capital", NULL};
    masonry m = masonry_begin(L, "generate.column", own);
    if (m.dim == 2)
        scene_error(L, m.what, "columns are for 3D worlds; a wall with bricks = 1 and bond = 0 is one in 2D");
    column c = read_column(&m);
    double slope = (c.taper - 1) * c.radius / c.drums;
    for (int i = 0; i < c.drums; i++) {
        lay_drum(&m, &c, c.radius + i * slope, c.radius + (i + 1) * slope, i * c.height, (i + 1) * c.height);
        masonry_keep(&m, 0);
    }
    if (c.capital[0] > 0) {
        double top = c.drums * c.height;
        lay_drum(&m, &c, c.capital[0], c.capital[0], top, top + c.capital[1]);
        lua_pushvalue(L, -1);
        lua_setfield(L, m.list, "capital");
        masonry_keep(&m, 0);
    }
    lua_settop(L, m.list);
    return 1;
}

void scene_open_generate(lua_State *L)
{
    static const luaL_Reg functions[] = {{"wall", generate_wall},
                                         {"column", generate_column},
                                         {"arch", generate_arch},
                                         {"dome", generate_dome},
                                         {"lattice", generate_lattice},
                                         {"random", generate_random},
                                         {"compressed", generate_compressed},
                                         {"polygons", generate_polygons},
                                         {"rain", generate_rain},
                                         {NULL, NULL}};
    lua_newtable(L);
    lua_getglobal(L, "body");
    luaL_setfuncs(L, functions, 1);
    lua_setglobal(L, "generate");
}
