/*
 * Shapes of a scene: disc{...}, rectangle{...} and so on give a userdata that holds the definition with its
 * points; what makes a shape impossible is decided by src/shape when a body is made of it.
 */
#include "scene/shape_box.h"

#include <string.h>

int scene_shape_dim(const mo_shape_def *shape)
{
    if (shape->kind == MO_SHAPE_COMPOUND)
        return scene_shape_dim(shape->children[0].shape);
    return shape->kind < MO_SHAPE_COMPOUND ? 2 : 3;
}

const char *scene_shape_name(const mo_shape_def *shape)
{
    static const char *const names[] = {"disc",      "rectangle", "polygon", "segment", "chain",
                                        "halfplane", "compound",  "sphere",  "box",     "cylinder",
                                        "capsule",   "convex",    "plane",   "mesh"};
    return names[shape->kind];
}

/* numbers that a point of this kind of shape has */
static size_t point_width(mo_shape_kind kind)
{
    return kind < MO_SHAPE_COMPOUND ? 2 : 3;
}

shape_box *new_shape(lua_State *L, mo_shape_kind kind, size_t point_count)
{
    size_t numbers = point_width(kind) * point_count;
    shape_box *box = lua_newuserdatauv(L, sizeof *box + numbers * sizeof(double), 1);
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
    if (box->def.kind != MO_SHAPE_DISC && box->def.kind != MO_SHAPE_SPHERE)
        return false;
    if (lua_getiuservalue(L, idx, 1) == LUA_TFUNCTION)
        return true;
    lua_pop(L, 1);
    return false;
}

size_t scene_shape_points(const mo_shape_def *shape)
{
    size_t n = shape->point_count > 0 ? shape->point_count : 1;
    if (shape->kind == MO_SHAPE_RECTANGLE || shape->kind == MO_SHAPE_BOX)
        n = shape->kind == MO_SHAPE_BOX ? 8 : 4;
    else if (shape->kind == MO_SHAPE_MESH)
        n = 6 * shape->triangle_count;
    for (size_t i = 0; i < shape->child_count; i++)
        n += scene_shape_points(shape->children[i].shape);
    return n;
}

int make_round(lua_State *L, mo_shape_kind kind, const char *name)
{
    static const char *const keys[] = {"radius", NULL};
    char path[32];
    read_path(path, sizeof path, name, "radius");
    read_single_table(L, name);
    read_keys(L, 1, name, keys, false);
    if (!read_field(L, 1, "radius"))
        scene_error(L, path, "expected a number > 0 or a function of time, got nothing");
    shape_box *box = new_shape(L, kind, 0);
    if (lua_type(L, 2) == LUA_TFUNCTION) {
        lua_pushvalue(L, 2);
        lua_setiuservalue(L, 3, 1);
        return 1;
    }
    box->def.radius = read_number_at(L, 2, name, "radius");
    read_positive(L, name, "radius", box->def.radius);
    return 1;
}

static int make_disc(lua_State *L)
{
    return make_round(L, MO_SHAPE_DISC, "disc");
}

int make_sides(lua_State *L, mo_shape_kind kind, const char *name, size_t dim)
{
    double size[3];
    static const char *const names[3] = {"[1]", "[2]", "[3]"};
    read_single_table(L, name);
    read_vector_at(L, 1, name, "", dim, size);
    for (size_t i = 0; i < dim; i++)
        read_positive(L, name, names[i], size[i]);
    shape_box *box = new_shape(L, kind, 0);
    memcpy(box->def.size, size, dim * sizeof *size);
    return 1;
}

static int make_rectangle(lua_State *L)
{
    return make_sides(L, MO_SHAPE_RECTANGLE, "rectangle", 2);
}

void read_points(lua_State *L, int t, const char *what, const char *list, size_t width, size_t n, double *out)
{
    for (size_t i = 0; i < n; i++) {
        char key[48];
        snprintf(key, sizeof key, "%s[%zu]", list, i + 1);
        lua_rawgeti(L, t, (lua_Integer)i + 1);
        read_vector_at(L, -1, what, key, width, out + width * i);
        lua_pop(L, 1);
    }
}

int make_points(lua_State *L, mo_shape_kind kind, const char *what, size_t min, size_t max)
{
    static const char *const no_keys[] = {NULL};
    read_single_table(L, what);
    read_keys(L, 1, what, no_keys, true);
    size_t n = lua_rawlen(L, 1), width = point_width(kind);
    if (n < min || n > max)
        scene_error(L, what, "expected %s%zu points {x, y%s}, got %zu", min == max ? "" : "at least ", min,
                    width == 3 ? ", z" : "", n);
    shape_box *box = new_shape(L, kind, n);
    read_points(L, 1, what, "", width, n, box->points);
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

int make_half(lua_State *L, mo_shape_kind kind, const char *name)
{
    static const char *const keys[] = {"normal", "offset", NULL};
    size_t width = point_width(kind);
    char path[32];
    read_path(path, sizeof path, name, "normal");
    read_single_table(L, name);
    read_keys(L, 1, name, keys, false);
    double normal[3] = {0, 0, 0}, offset = 0;
    if (!read_vector(L, 1, name, "normal", width, normal))
        scene_error(L, path, "expected {x, y%s}, got nothing", width == 3 ? ", z" : "");
    if (normal[0] == 0 && normal[1] == 0 && normal[2] == 0)
        scene_error(L, path, "expected a vector other than {0, 0%s}", width == 3 ? ", 0" : "");
    read_number(L, 1, name, "offset", &offset);
    shape_box *box = new_shape(L, kind, 0);
    memcpy(box->def.normal, normal, sizeof normal);
    box->def.offset = offset;
    return 1;
}

static int make_halfplane(lua_State *L)
{
    return make_half(L, MO_SHAPE_HALFPLANE, "halfplane");
}

/* what a compound of this dimension is made of */
static void check_child(lua_State *L, const char *what, const mo_shape_def *shape, int dim)
{
    mo_shape_kind kind = shape->kind;
    bool none = kind == MO_SHAPE_CHAIN || kind == MO_SHAPE_HALFPLANE || kind == MO_SHAPE_COMPOUND ||
                kind == MO_SHAPE_PLANE || kind == MO_SHAPE_MESH;
    if (none && dim == 2)
        scene_error(L, what, "a compound is made of discs, rectangles, polygons and segments");
    if (none)
        scene_error(L, what, "a compound is made of spheres, boxes, cylinders, capsules and convex hulls");
    if (scene_shape_dim(shape) != dim)
        scene_error(L, what, "the first part of the compound is %s-dimensional, this %s is not",
                    dim == 2 ? "two" : "three", scene_shape_name(shape));
}

/* where a part lies: an angle in the plane, an orientation in space */
static void read_child_place(lua_State *L, int t, const char *what, int dim, mo_shape_child *child)
{
    char path[64];
    const char *wrong = dim == 2 ? "orientation" : "angle";
    read_path(path, sizeof path, what, wrong);
    if (read_field(L, t, wrong))
        scene_error(L, path, "a part in %dD has no %s, expected %s", dim, wrong,
                    dim == 2 ? "angle" : "orientation");
    read_vector(L, t, what, "position", (size_t)dim, child->position);
    if (dim == 2)
        read_number(L, t, what, "angle", &child->angle);
    else
        read_quaternion(L, t, what, "orientation", child->orientation);
}

/* reads the child table on top of the stack; its shape is left there instead */
static void read_child(lua_State *L, size_t i, const mo_shape_def *first, mo_shape_child *child)
{
    static const char *const keys[] = {"shape", "position", "angle", "orientation", NULL};
    char what[32];
    snprintf(what, sizeof what, "compound[%zu]", i + 1);
    if (lua_type(L, -1) != LUA_TTABLE)
        read_wrong(L, what, "", -1, "a table {shape =, position =, angle =}");
    int t = lua_absindex(L, -1);
    read_keys(L, t, what, keys, false);
    if (!read_field(L, t, "shape"))
        scene_error(L, what, "expected shape = ..., got nothing");
    child->shape = scene_shape_at(L, -1, what);
    int dim = scene_shape_dim(first != NULL ? first : child->shape);
    check_child(L, what, child->shape, dim);
    if (scene_shape_radius(L, -1))
        scene_error(L, what, "a radius that depends on time is available for a %s of its own only",
                    scene_shape_name(child->shape));
    read_child_place(L, t, what, dim, child);
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
        read_child(L, i, i > 0 ? children[0].shape : NULL, &children[i]);
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
    scene_new_type(L, SHAPE_TYPE, NULL);
    lua_getglobal(L, LUA_GNAME);
    luaL_setfuncs(L, functions, 0);
    scene_open_solids(L);
    lua_pop(L, 1);
}
