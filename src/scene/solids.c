/*
 * Shapes in 3D: sphere{...}, box{...}, cylinder{...}, capsule{...}, convex{...}, plane{...}, mesh{...}.
 *
 * A mesh comes from a file beside the scene.  Of the file system a scene can reach regular files that are
 * meshes, and of these as many bytes as scene_limits says.
 */
#include "scene/shape_box.h"

#include "shape/solid.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static int make_sphere(lua_State *L)
{
    return make_round(L, MO_SHAPE_SPHERE, "sphere");
}

static int make_box(lua_State *L)
{
    return make_sides(L, MO_SHAPE_BOX, "box", 3);
}

/* name{radius =, height =} */
static int make_long(lua_State *L, mo_shape_kind kind, const char *name)
{
    static const char *const keys[] = {"radius", "height", NULL};
    double sizes[2];
    read_single_table(L, name);
    read_keys(L, 1, name, keys, false);
    for (int i = 0; i < 2; i++) {
        char path[32];
        read_path(path, sizeof path, name, keys[i]);
        if (!read_number(L, 1, name, keys[i], &sizes[i]))
            scene_error(L, path, "expected a number > 0, got nothing");
        read_positive(L, name, keys[i], sizes[i]);
    }
    shape_box *box = new_shape(L, kind, 0);
    box->def.radius = sizes[0];
    box->def.height = sizes[1];
    return 1;
}

static int make_cylinder(lua_State *L)
{
    return make_long(L, MO_SHAPE_CYLINDER, "cylinder");
}

static int make_capsule(lua_State *L)
{
    return make_long(L, MO_SHAPE_CAPSULE, "capsule");
}

static int make_convex(lua_State *L)
{
    return make_points(L, MO_SHAPE_CONVEX, "convex", 4, MOST_POINTS);
}

static int make_plane(lua_State *L)
{
    return make_half(L, MO_SHAPE_PLANE, "plane");
}

/* ---- meshes ----------------------------------------------------------------------------------------------
 */

/* what mesh_read gives, freed with the userdata it lies in */
typedef struct mesh_arrays {
    double *points;
    uint32_t *triangles;
    size_t point_count, triangle_count;
} mesh_arrays;

static int free_arrays(lua_State *L)
{
    mesh_arrays *m = lua_touserdata(L, 1);
    free(m->points);
    free(m->triangles);
    memset(m, 0, sizeof *m);
    return 0;
}

static mesh_arrays *new_arrays(lua_State *L)
{
    mesh_arrays *m = lua_newuserdatauv(L, sizeof *m, 0);
    memset(m, 0, sizeof *m);
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, free_arrays);
    lua_setfield(L, -2, "__gc");
    lua_setmetatable(L, -2);
    return m;
}

/* pushes the path of a file named in the scene: relative ones begin at the scene's folder */
static const char *push_path(lua_State *L, const char *file)
{
    const char *scene_path = scene_of(L)->options->path, *slash = strrchr(scene_path, '/');
    if (file[0] == '/' || slash == NULL)
        return lua_pushstring(L, file);
    lua_pushlstring(L, scene_path, (size_t)(slash - scene_path) + 1);
    lua_pushstring(L, file);
    lua_concat(L, 2);
    return lua_tostring(L, -1);
}

/* the name of the mesh's file; paths may be longer than other strings of a scene */
static const char *read_file(lua_State *L)
{
    enum { LONGEST_PATH = 4000 };
    if (!read_field(L, 1, "file"))
        scene_error(L, "mesh.file", "expected the name of an STL or OBJ file, got nothing");
    size_t length = 0;
    const char *file = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &length) : NULL;
    if (file == NULL || length == 0 || length > LONGEST_PATH || strlen(file) != length)
        read_wrong(L, "mesh", "file", -1, "a string, the name of an STL or OBJ file");
    return file;
}

/* a regular file, and not more of them than a scene may read */
static void check_file(lua_State *L, const char *path)
{
    scene *s = scene_of(L);
    struct stat info;
    if (stat(path, &info) != 0)
        scene_error(L, "mesh.file", "cannot open %.200s: %s", path, strerror(errno));
    if (!S_ISREG(info.st_mode))
        scene_error(L, "mesh.file", "expected a regular file, got %.200s, which is none", path);
    size_t left = s->limits.mesh_bytes - s->mesh_bytes;
    if ((uintmax_t)info.st_size > left)
        scene_error(L, "mesh.file", "%.200s has %lld bytes, expected at most %zu in all mesh files together",
                    path, (long long)info.st_size, s->limits.mesh_bytes);
    s->mesh_bytes += (size_t)info.st_size;
}

static void read_mesh(lua_State *L, const char *path, mesh_arrays *m)
{
    mo_error err = {0};
    check_file(L, path);
    if (mesh_read(path, &m->points, &m->point_count, &m->triangles, &m->triangle_count, &err) == MO_OK) {
        scene_check_limits(L);
        return;
    }
    if (err.line > 0)
        scene_error(L, "mesh.file", "%.200s:%d: %s", path, err.line, err.message);
    scene_error(L, "mesh.file", "%.200s: %s", path, err.message);
}

/* the arrays as Lua's own data, which its limit counts */
static void take_arrays(lua_State *L, const mesh_arrays *m)
{
    shape_box *box = new_shape(L, MO_SHAPE_MESH, m->point_count);
    memcpy(box->points, m->points, 3 * m->point_count * sizeof(double));
    size_t bytes = 3 * m->triangle_count * sizeof(uint32_t);
    uint32_t *triangles = lua_newuserdatauv(L, bytes, 0);
    memcpy(triangles, m->triangles, bytes);
    lua_setiuservalue(L, -2, 1);
    box->def.triangles = triangles;
    box->def.triangle_count = m->triangle_count;
}

static int make_mesh(lua_State *L)
{
    static const char *const keys[] = {"file", "points", "triangles", NULL};
    scene_check_limits(L);
    read_single_table(L, "mesh");
    read_keys(L, 1, "mesh", keys, false);
    if (read_field(L, 1, "points") || read_field(L, 1, "triangles")) {
        lua_pop(L, 1);
        if (read_field(L, 1, "file"))
            scene_error(L, "mesh.file", "a mesh has either a file or points and triangles");
        return make_surface(L);
    }
    const char *path = push_path(L, read_file(L));
    mesh_arrays *m = new_arrays(L);
    int holder = lua_gettop(L);
    read_mesh(L, path, m);
    take_arrays(L, m);
    /* at once, not when Lua gets to it */
    lua_pushcfunction(L, free_arrays);
    lua_pushvalue(L, holder);
    lua_call(L, 1, 0);
    return 1;
}

void scene_open_solids(lua_State *L)
{
    lua_register(L, "sphere", make_sphere);
    lua_register(L, "box", make_box);
    lua_register(L, "cylinder", make_cylinder);
    lua_register(L, "capsule", make_capsule);
    lua_register(L, "convex", make_convex);
    lua_register(L, "plane", make_plane);
    lua_register(L, "mesh", make_mesh);
}
