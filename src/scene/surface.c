/*
 * mesh{points = {{x, y, z}, ...}, triangles = {{i, j, k}, ...}}: a mesh that the scene itself makes, corners
 * counted from 1.
 */
#include "scene/shape_box.h"

#include <stdio.h>

enum { MOST_TRIANGLES = 1 << 20 };

/* the length of the list t[key], whose entries are `of` */
static size_t list_length(lua_State *L, const char *key, const char *of, size_t min, size_t max)
{
    static const char *const no_keys[] = {NULL};
    char path[32];
    read_path(path, sizeof path, "mesh", key);
    if (!read_field(L, 1, key))
        scene_error(L, path, "expected a table of %s, got nothing", of);
    if (lua_type(L, -1) != LUA_TTABLE)
        read_wrong(L, "mesh", key, -1, "a table");
    read_keys(L, lua_gettop(L), path, no_keys, true);
    size_t n = lua_rawlen(L, -1);
    if (n < min || n > max)
        scene_error(L, path, "expected %zu to %zu %s, got %zu", min, max, of, n);
    return n;
}

/* the corners of one triangle, on top of the stack */
static void read_corners(lua_State *L, const char *key, size_t points, uint32_t out[3])
{
    double corner[3];
    read_vector_at(L, -1, "mesh", key, 3, corner);
    for (int k = 0; k < 3; k++) {
        if (!(corner[k] >= 1 && corner[k] <= (double)points) || corner[k] != (double)(uint32_t)corner[k])
            read_wrong(L, "mesh", key, -1, "three numbers of points, counted from 1");
        out[k] = (uint32_t)corner[k] - 1;
    }
}

int make_surface(lua_State *L)
{
    size_t points = list_length(L, "points", "points {x, y, z}", 3, MOST_POINTS);
    size_t triangles = list_length(L, "triangles", "triangles {i, j, k}", 1, MOST_TRIANGLES);
    int lists = lua_gettop(L) - 1;
    shape_box *box = new_shape(L, MO_SHAPE_MESH, points);
    read_points(L, lists, "mesh", "points", 3, points, box->points);
    uint32_t *corners = lua_newuserdatauv(L, 3 * triangles * sizeof *corners, 0);
    for (size_t i = 0; i < triangles; i++) {
        char key[32];
        snprintf(key, sizeof key, "triangles[%zu]", i + 1);
        lua_rawgeti(L, lists + 1, (lua_Integer)i + 1);
        read_corners(L, key, points, corners + 3 * i);
        lua_pop(L, 1);
    }
    lua_setiuservalue(L, -2, 1);
    box->def.triangles = corners;
    box->def.triangle_count = triangles;
    return 1;
}
