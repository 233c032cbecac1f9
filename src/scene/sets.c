/*
 * Moving sets of a scene: ball{...}, interval{...}, halfspace{...}, polyhedron{...}, discs{...},
 * translate(set, ...) and intersection{...} give descriptions; a process is made from them once the number of
 * coordinates is known, which a set of functions alone does not tell.  gaps{...} is in gaps.c.
 */
#include "scene/process.h"

#include <stdio.h>
#include <string.h>

enum { DEEPEST = 100, MOST_SETS = 1000000, MOST_DISCS = 1000000, POINTS_PER_DISC = 50 };

set_box *set_new(lua_State *L, mo_moving_kind kind, const char *name)
{
    set_box *box = lua_newuserdatauv(L, sizeof *box, 3);
    *box = (set_box){.kind = kind, .name = name, .total = 1};
    luaL_setmetatable(L, SET_TYPE);
    return box;
}

set_box *set_at(lua_State *L, int idx, const char *what, const char *key)
{
    set_box *box = luaL_testudata(L, idx, SET_TYPE);
    if (box == NULL)
        read_wrong(L, what, key, idx, "a set such as ball{center = {0, 0}, radius = 1}");
    return box;
}

/* ---- sets by entries --------------------------------------------------------------------------- */

/* names of the entries a and b of a kind */
typedef struct entry_names {
    entry_shape a, b;
} entry_names;

static entry_names names_of(const set_box *box)
{
    const char *w = box->name;
    switch (box->kind) {
    case MO_MOVING_BALL:
        return (entry_names){{w, "center", 1, false, false}, {w, "radius", 0, false, false}};
    case MO_MOVING_BOX:
        return (entry_names){{w, "center", 1, false, false}, {w, "radius", 1, true, false}};
    case MO_MOVING_POLYHEDRON:
        if (strcmp(w, "halfspace") == 0)
            return (entry_names){{w, "normal", 1, false, false}, {w, "offset", 0, false, false}};
        return (entry_names){{w, "rows", 2, false, false}, {w, "offsets", 1, false, false}};
    default:
        return (entry_names){{w, "by", 1, false, false}, {w, "", 0, false, false}};
    }
}

/* copies the entry of the table at 1 to user value `place` of the box at idx 2; its length and rows */
static size_t take_entry(lua_State *L, const entry_shape *shape, int place, size_t *rows)
{
    char path[64];
    read_path(path, sizeof path, shape->what, shape->key);
    if (!read_field(L, 1, shape->key))
        scene_error(L, path, "expected numbers or a function of t, got nothing");
    size_t length = entry_copy(L, -1, shape, rows);
    lua_setiuservalue(L, 2, place);
    lua_pop(L, 1);
    return length;
}

/* makes the set of the table at 1 with two entries; leaves it at 2 */
static set_box *make_from_entries(lua_State *L, mo_moving_kind kind, const char *name, size_t length[2],
                                  size_t *rows)
{
    read_single_table(L, name);
    set_box *box = set_new(L, kind, name);
    entry_names names = names_of(box);
    const char *const keys[] = {names.a.key, names.b.key, NULL};
    size_t ignored;
    read_keys(L, 1, name, keys, false);
    length[0] = take_entry(L, &names.a, 1, rows);
    length[1] = take_entry(L, &names.b, 2, &ignored);
    box->dim = length[0];
    return box;
}

static int make_ball(lua_State *L)
{
    size_t length[2], rows;
    make_from_entries(L, MO_MOVING_BALL, "ball", length, &rows);
    return 1;
}

static int make_interval(lua_State *L)
{
    size_t length[2], rows;
    set_box *box = make_from_entries(L, MO_MOVING_BOX, "interval", length, &rows);
    if (length[0] != 0 && length[1] != 0 && length[0] != length[1])
        scene_error(L, "interval.radius", "the center is in dimension %zu, the radius in dimension %zu",
                    length[0], length[1]);
    box->dim = length[0] != 0 ? length[0] : length[1];
    return 1;
}

/* whether an entry is made of zeros alone, without functions */
static bool is_zero(lua_State *L, int entry)
{
    bool zero = true;
    if (lua_type(L, entry) != LUA_TTABLE)
        return lua_type(L, entry) == LUA_TNUMBER && lua_tonumber(L, entry) == 0;
    for (lua_Integer i = 1; zero && i <= (lua_Integer)lua_rawlen(L, entry); i++) {
        zero = lua_rawgeti(L, entry, i) == LUA_TNUMBER && lua_tonumber(L, -1) == 0;
        lua_pop(L, 1);
    }
    return zero;
}

static int make_halfspace(lua_State *L)
{
    size_t length[2], rows;
    make_from_entries(L, MO_MOVING_POLYHEDRON, "halfspace", length, &rows)->rows = 1;
    lua_getiuservalue(L, 2, 1);
    if (is_zero(L, lua_gettop(L)))
        scene_error(L, "halfspace.normal", "found zero, expected a direction");
    lua_pop(L, 1);
    return 1;
}

static int make_polyhedron(lua_State *L)
{
    size_t length[2], rows;
    set_box *box = make_from_entries(L, MO_MOVING_POLYHEDRON, "polyhedron", length, &rows);
    if (rows != 0 && length[1] != 0 && rows != length[1])
        scene_error(L, "polyhedron.offsets", "%zu rows, but %zu offsets", rows, length[1]);
    box->rows = rows != 0 ? rows : length[1];
    return 1;
}

/* ---- sets of sets --------------------------------------------------------------------------------- */

/* a set that holds the child */
static void adopt(lua_State *L, set_box *box, const set_box *child)
{
    box->total += child->total;
    box->depth = box->depth > child->depth + 1 ? box->depth : child->depth + 1;
    if (box->depth > DEEPEST)
        scene_error(L, box->name, "sets within sets more than %d deep", (int)DEEPEST);
    if (box->total > MOST_SETS)
        scene_error(L, box->name, "more than %d sets in one", (int)MOST_SETS);
}

static int make_translate(lua_State *L)
{
    if (lua_gettop(L) != 2)
        scene_error(L, "translate", "expected translate(set, function(t) ... end), got %d arguments",
                    lua_gettop(L));
    const set_box *child = set_at(L, 1, "translate", "set");
    entry_shape by = {"translate", "by", 1, false, false};
    size_t rows, length = entry_copy(L, 2, &by, &rows);
    if (child->dim != 0 && length != 0 && child->dim != length)
        scene_error(L, "translate.by", "the set is in dimension %zu, the translation in dimension %zu",
                    child->dim, length);
    set_box *box = set_new(L, MO_MOVING_TRANSLATE, "translate");
    adopt(L, box, child);
    box->dim = child->dim != 0 ? child->dim : length;
    lua_pushvalue(L, 3);
    lua_setiuservalue(L, 4, 1);
    lua_createtable(L, 1, 0);
    lua_pushvalue(L, 1);
    lua_rawseti(L, -2, 1);
    lua_setiuservalue(L, 4, 3);
    return 1;
}

static int make_intersection(lua_State *L)
{
    static const char *const no_keys[] = {NULL};
    read_single_table(L, "intersection");
    read_keys(L, 1, "intersection", no_keys, true);
    size_t n = lua_rawlen(L, 1), known = 0;
    if (n < 1 || n > MOST_SETS)
        scene_error(L, "intersection", "expected at least one set, got %zu", n);
    set_box *box = set_new(L, MO_MOVING_INTERSECTION, "intersection");
    lua_createtable(L, (int)n, 0);
    for (size_t i = 0; i < n; i++) {
        char key[32];
        snprintf(key, sizeof key, "[%zu]", i + 1);
        lua_rawgeti(L, 1, (lua_Integer)i + 1);
        const set_box *child = set_at(L, 4, "intersection", key);
        adopt(L, box, child);
        if (child->dim != 0 && box->dim != 0 && child->dim != box->dim)
            scene_error(L, "intersection", "set %zu is in dimension %zu, set %zu in dimension %zu", known,
                        box->dim, i + 1, child->dim);
        if (child->dim != 0 && box->dim == 0) {
            box->dim = child->dim;
            known = i + 1;
        }
        lua_rawseti(L, 3, (lua_Integer)i + 1);
    }
    lua_setiuservalue(L, 2, 3);
    return 1;
}

/* ---- discs ----------------------------------------------------------------------------------------- */

static size_t read_radii(lua_State *L, double **out, size_t walls)
{
    static const char *const no_keys[] = {NULL};
    double count = 0;
    bool given = read_number(L, 1, "discs", "count", &count);
    if (!read_field(L, 1, "radius"))
        scene_error(L, "discs.radius", "expected a number > 0 or a table of such, got nothing");
    int idx = lua_gettop(L);
    bool list = lua_type(L, idx) == LUA_TTABLE;
    if (!list && !given)
        scene_error(L, "discs.count", "expected the number of discs, as radius is one number");
    if (list && given && count != (double)lua_rawlen(L, idx))
        scene_error(L, "discs.count", "%.17g discs, but %zu radii", count, (size_t)lua_rawlen(L, idx));
    if (list)
        read_keys(L, idx, "discs.radius", no_keys, true);
    /* what a disc touches counts too */
    size_t most = scene_of(L)->limits.points / POINTS_PER_DISC;
    most = most < MOST_DISCS ? most : MOST_DISCS;
    double n = list ? (double)lua_rawlen(L, idx) : count;
    read_range(L, "discs", list ? "radius" : "count", n, 1, (double)most);
    if (n != (double)(size_t)n)
        scene_error(L, "discs.count", "expected a whole number, got %.17g", n);
    *out = lua_newuserdatauv(L, ((size_t)n + 4 * walls) * sizeof(double), 0);
    for (size_t i = 0; i < (size_t)n; i++) {
        char key[32] = "radius";
        if (list)
            snprintf(key, sizeof key, "radius[%zu]", i + 1);
        lua_pushvalue(L, idx);
        if (list)
            lua_rawgeti(L, idx, (lua_Integer)i + 1);
        (*out)[i] = read_number_at(L, -1, "discs", key);
        read_positive(L, "discs", key, (*out)[i]);
        lua_settop(L, idx + 1);
    }
    return (size_t)n;
}

/* walls of the table at idx, {x1, y1, x2, y2} each */
static void read_walls(lua_State *L, int idx, size_t count, double *out)
{
    for (size_t i = 0; i < count; i++) {
        char key[32];
        snprintf(key, sizeof key, "walls[%zu]", i + 1);
        lua_rawgeti(L, idx, (lua_Integer)i + 1);
        if (lua_type(L, -1) != LUA_TTABLE || lua_rawlen(L, -1) != 4)
            read_wrong(L, "discs", key, -1, "a segment {x1, y1, x2, y2}");
        for (int k = 0; k < 4; k++) {
            lua_rawgeti(L, -1, k + 1);
            out[4 * i + (size_t)k] = read_number_at(L, -1, "discs", key);
            lua_pop(L, 1);
        }
        lua_pop(L, 1);
    }
}

static int make_discs(lua_State *L)
{
    static const char *const keys[] = {"radius", "count", "walls", NULL}, *const no_keys[] = {NULL};
    read_single_table(L, "discs");
    read_keys(L, 1, "discs", keys, false);
    size_t walls = 0;
    if (!read_field(L, 1, "walls"))
        lua_pushnil(L);
    else if (lua_type(L, 2) != LUA_TTABLE)
        read_wrong(L, "discs", "walls", 2, "a table of segments {x1, y1, x2, y2}");
    else {
        read_keys(L, 2, "discs.walls", no_keys, true);
        walls = lua_rawlen(L, 2);
        read_range(L, "discs", "walls", (double)walls, 0, (double)scene_of(L)->limits.points);
    }
    double *numbers;
    size_t n = read_radii(L, &numbers, walls);
    int memory = lua_gettop(L);
    if (walls > 0)
        read_walls(L, 2, walls, numbers + n);
    set_box *box = set_new(L, MO_MOVING_DISCS, "discs");
    box->dim = 2 * n;
    box->disc_count = n;
    box->wall_count = walls;
    lua_pushvalue(L, memory);
    lua_setiuservalue(L, -2, 3);
    return 1;
}

/* ---- for a process ----------------------------------------------------------------------------------- */

/* the entry in user value `place` of the box at idx */
static mo_timed build_entry(lua_State *L, process *p, int idx, int place, const entry_shape *shape,
                            size_t rows, size_t cols)
{
    lua_getiuservalue(L, idx, place);
    mo_timed timed = entry_build(L, p, -1, shape, rows, cols);
    lua_pop(L, 1);
    return timed;
}

/* rows of a polyhedron; where both entries are functions they tell at t = 0 */
static size_t count_rows(lua_State *L, int idx, const set_box *box)
{
    if (box->rows != 0)
        return box->rows;
    entry_names names = names_of(box);
    lua_getiuservalue(L, idx, 2);
    size_t rows = entry_probe(L, lua_gettop(L), &names.b);
    lua_pop(L, 1);
    if (rows < 1)
        scene_error(L, "polyhedron.offsets", "the function gave no offsets at t = 0");
    return rows;
}

static const mo_moving_set *build_children(lua_State *L, process *p, int idx, size_t n, size_t *count)
{
    luaL_checkstack(L, 8, "set");
    lua_getiuservalue(L, idx, 3);
    int list = lua_gettop(L);
    *count = lua_rawlen(L, list);
    mo_moving_set *children = process_memory(L, p, *count * sizeof *children);
    for (size_t i = 0; i < *count; i++) {
        lua_rawgeti(L, list, (lua_Integer)i + 1);
        set_build(L, p, list + 1, n, &children[i]);
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return children;
}

void set_build(lua_State *L, process *p, int idx, size_t n, mo_moving_set *out)
{
    const set_box *box = lua_touserdata(L, idx);
    entry_names names = names_of(box);
    size_t count;
    const double *numbers;
    const mo_moving_set *children;
    switch (box->kind) {
    case MO_MOVING_BALL:
        *out = mo_moving_ball(n, build_entry(L, p, idx, 1, &names.a, 1, n),
                              build_entry(L, p, idx, 2, &names.b, 1, 1));
        break;
    case MO_MOVING_BOX:
        *out = mo_moving_box(n, build_entry(L, p, idx, 1, &names.a, 1, n),
                             build_entry(L, p, idx, 2, &names.b, 1, n));
        break;
    case MO_MOVING_POLYHEDRON:
        count = count_rows(L, idx, box);
        *out = mo_moving_polyhedron(n, count, build_entry(L, p, idx, 1, &names.a, count, n),
                                    build_entry(L, p, idx, 2, &names.b, 1, count));
        break;
    case MO_MOVING_GAPS:
        gaps_build(L, p, idx, n, out);
        break;
    case MO_MOVING_DISCS:
        lua_getiuservalue(L, idx, 3);
        numbers = lua_touserdata(L, -1);
        process_keep(L, p);
        *out = mo_moving_discs(box->disc_count, numbers, box->wall_count,
                               box->wall_count > 0 ? numbers + box->disc_count : NULL);
        break;
    case MO_MOVING_TRANSLATE:
        children = build_children(L, p, idx, n, &count);
        *out = mo_moving_translate(children, build_entry(L, p, idx, 1, &names.a, 1, n));
        break;
    default:
        children = build_children(L, p, idx, n, &count);
        *out = mo_moving_intersection(count, children);
    }
}

void scene_open_sets(lua_State *L)
{
    static const luaL_Reg functions[] = {{"ball", make_ball},           {"interval", make_interval},
                                         {"halfspace", make_halfspace}, {"polyhedron", make_polyhedron},
                                         {"translate", make_translate}, {"intersection", make_intersection},
                                         {"discs", make_discs},         {NULL, NULL}};
    scene_new_type(L, SET_TYPE, NULL);
    lua_getglobal(L, LUA_GNAME);
    luaL_setfuncs(L, functions, 0);
    lua_pop(L, 1);
}
