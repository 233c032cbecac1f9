/*
 * Shapes of a scene: disc{...}, rectangle{...} and so on give a userdata that holds the definition with its
 * points; what makes a shape impossible is decided by src/shape when a body is made of it.
 */
#include "scene/internal.h"

#include <string.h>

enum { MOST_POINTS = 1000000 };

/* user value 1: the radius function, or a table of the children's shapes */
typedef struct shape_box {
    mo_shape_def def;
    double points[]; /* x, y pairs */
} shape_box;

static shape_box *new_shape(lua_State *L, mo_shape_kind kind, size_t point_count)
{
    shape_box *box = lua_newuserdatauv(L, sizeof *box + 2 * point_count * sizeof(double), 1);
    memset(box, 0, sizeof *box);
    box->def.kind = kind;
    box->def.point_count = point_count;
    box->def.points = point_count > 0 ? box->points : NULL;
    luaL_setmetatable(L, SHAPE_TYPE);
    return box;
}

const mo_shape_def *scene_shape_at(lua_State *L, int idx, const char *what)
{
    const shape_box *box = luaL_testudata(L, idx, SHAPE_TYPE);
    if (box == NULL)
        read_wrong(L, what, "shape", idx, "a shape such as disc{radius = 1}");
    return &box->def;
}

bool scene_shape_radius(lua_State *L, int idx)
{
    const shape_box *box = luaL_checkudata(L, idx, SHAPE_TYPE);
    if (box->def.kind == MO_SHAPE_DISC && lua_getiuservalue(L, idx, 1) == LUA_TFUNCTION)
        return true;
    if (box->def.kind == MO_SHAPE_DISC)
        lua_pop(L, 1);
    return false;
}

size_t scene_shape_points(const mo_shape_def *shape)
{
    size_t n = shape->point_count > 0 ? shape->point_count : shape->kind == MO_SHAPE_RECTANGLE ? 4 : 1;
    for (size_t i = 0; i < shape->child_count; i++)
        n += scene_shape_points(shape->children[i].shape);
    return n;
}

static int make_disc(lua_State *L)
{
    static const char *const keys[] = {"radius", NULL};
    read_single_table(L, "disc");
    read_keys(L, 1, "disc", keys, false);
    if (!read_field(L, 1, "radius"))
        scene_error(L, "disc.radius", "expected a number > 0 or a function of time, got nothing");
    shape_box *box = new_shape(L, MO_SHAPE_DISC, 0);
    if (lua_type(L, 2) == LUA_TFUNCTION) {
        lua_pushvalue(L, 2);
        lua_setiuservalue(L, 3, 1);
        return 1;
    }
    box->def.radius = read_number_at(L, 2, "disc", "radius");
    read_positive(L, "disc", "radius", box->def.radius);
    return 1;
}

static int make_rectangle(lua_State *L)
{
    double size[2];
    static const char *const names[2] = {"[1]", "[2]"};
    read_single_table(L, "rectangle");
    read_point_at(L, 1, "rectangle", "", size);
    for (int i = 0; i < 2; i++)
        read_positive(L, "rectangle", names[i], size[i]);
    shape_box *box = new_shape(L, MO_SHAPE_RECTANGLE, 0);
    memcpy(box->def.size, size, sizeof size);
    return 1;
}

/* {{x, y}, ...} with at least min and at most max points */
static int make_points(lua_State *L, mo_shape_kind kind, const char *what, size_t min, size_t max)
{
    static const char *const no_keys[] = {NULL};
    read_single_table(L, what);
    read_keys(L, 1, what, no_keys, true);
    size_t n = lua_rawlen(L, 1);
    if (n < min || n > max)
        scene_error(L, what, "expected %s%zu points {x, y}, got %zu", min == max ? "" : "at least ", min, n);
    shape_box *box = new_shape(L, kind, n);
    for (size_t i = 0; i < n; i++) {
        char key[32];
        snprintf(key, sizeof key, "[%zu]", i + 1);
        lua_rawgeti(L, 1, (lua_Integer)i + 1);
        read_point_at(L, -1, what, key, box->points + 2 * i);
        lua_pop(L, 1);
    }
    return 1;
}

static int make_polygon(lua_State *L)
{
    return make_points(L, MO_SHAPE_POLYGON, "polygon", 3, MOST_POINTS);
}

static int make_segment(lua_State *L)
{
    return make_points(L, MO_SHAPE_SEGMENT, "segment", 2, 2);
}

static int make_chain(lua_State *L)
{
    return make_points(L, MO_SHAPE_CHAIN, "chain", 2, MOST_POINTS);
}

static int make_halfplane(lua_State *L)
{
    static const char *const keys[] = {"normal", "offset", NULL};
    read_single_table(L, "halfplane");
    read_keys(L, 1, "halfplane", keys, false);
    double normal[2], offset = 0;
    if (!read_point(L, 1, "halfplane", "normal", normal))
        scene_error(L, "halfplane.normal", "expected {x, y}, got nothing");
    if (normal[0] == 0 && normal[1] == 0)
        scene_error(L, "halfplane.normal", "expected a vector other than {0, 0}");
    read_number(L, 1, "halfplane", "offset", &offset);
    shape_box *box = new_shape(L, MO_SHAPE_HALFPLANE, 0);
    memcpy(box->def.normal, normal, sizeof normal);
    box->def.offset = offset;
    return 1;
}

/* reads the child table on top of the stack; its shape is left there instead */
static void read_child(lua_State *L, size_t i, mo_shape_child *child)
{
    static const char *const keys[] = {"shape", "position", "angle", NULL};
    char what[32];
    snprintf(what, sizeof what, "compound[%zu]", i + 1);
    if (lua_type(L, -1) != LUA_TTABLE)
        read_wrong(L, what, "", -1, "a table {shape =, position =, angle =}");
    int t = lua_absindex(L, -1);
    read_keys(L, t, what, keys, false);
    read_point(L, t, what, "position", child->position);
    read_number(L, t, what, "angle", &child->angle);
    if (!read_field(L, t, "shape"))
        scene_error(L, what, "expected shape = ..., got nothing");
    child->shape = scene_shape_at(L, -1, what);
    mo_shape_kind kind = child->shape->kind;
    if (kind == MO_SHAPE_CHAIN || kind == MO_SHAPE_HALFPLANE || kind == MO_SHAPE_COMPOUND)
        scene_error(L, what, "a compound is made of discs, rectangles, polygons and segments");
    if (scene_shape_radius(L, -1))
        scene_error(L, what, "a radius that depends on time is available for a disc of its own only");
    lua_remove(L, t);
}

static int make_compound(lua_State *L)
{
    static const char *const no_keys[] = {NULL};
    read_single_table(L, "compound");
    read_keys(L, 1, "compound", no_keys, true);
    size_t n = lua_rawlen(L, 1);
    if (n < 1 || n > MOST_POINTS)
        scene_error(L, "compound", "expected at least one {shape =, position =, angle =}, got %zu", n);
    shape_box *box = new_shape(L, MO_SHAPE_COMPOUND, 0);
    int me = lua_gettop(L);
    /* the children and their shapes live as long as the compound does */
    lua_newtable(L);
    mo_shape_child *children = lua_newuserdatauv(L, n * sizeof *children, 0);
    memset(children, 0, n * sizeof *children);
    lua_rawseti(L, me + 1, 0);
    for (size_t i = 0; i < n; i++) {
        lua_rawgeti(L, 1, (lua_Integer)i + 1);
        read_child(L, i, &children[i]);
        lua_rawseti(L, me + 1, (lua_Integer)i + 1);
    }
    lua_setiuservalue(L, me, 1);
    box->def.children = children;
    box->def.child_count = n;
    return 1;
}

void scene_open_shapes(lua_State *L)
{
    static const luaL_Reg functions[] = {{"disc", make_disc},         {"rectangle", make_rectangle},
                                         {"polygon", make_polygon},   {"segment", make_segment},
                                         {"chain", make_chain},       {"halfplane", make_halfplane},
                                         {"compound", make_compound}, {NULL, NULL}};
    static const char *const later[] = {"sphere", "box",  "cylinder", "capsule", "convex",
                                        "plane",  "mesh", "joint",    NULL};
    luaL_newmetatable(L, SHAPE_TYPE);
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
    lua_getglobal(L, LUA_GNAME);
    luaL_setfuncs(L, functions, 0);
    for (const char *const *name = later; *name != NULL; name++) {
        lua_pushstring(L, *name);
        lua_pushcclosure(L, read_unavailable, 1);
        lua_setfield(L, -2, *name);
    }
    lua_pop(L, 1);
}
