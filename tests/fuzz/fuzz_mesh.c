/* Mesh files from anybody, as STL and as OBJ: reading must end with a sound mesh or an error, and a mesh
 * makes a shape or an error; its points make a hull or an error. */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "shape/solid.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* hulls of more points are not what is looked for here */
enum { HULL_POINTS = 300 };

/* what solid_build promises */
static void build(const mo_shape_def *def, bool centre)
{
    solid s;
    mo_error err;
    size_t dropped = SIZE_MAX;
    if (solid_build(def, centre, &s, &dropped, &err) != MO_OK) {
        if (err.message[0] == '\0')
            __builtin_trap();
        return;
    }
    if (s.part_count == 0 || !isfinite(s.radius) || !(s.gyration[0] > 0) ||
        (def->triangles != NULL && dropped == SIZE_MAX))
        __builtin_trap();
    for (size_t i = 0; i < 3 * s.vertex_count; i++)
        if (!isfinite(s.vertices[i]))
            __builtin_trap();
    for (size_t i = 0; i < s.part_count; i++)
        if (s.parts[i].vertex_first + (size_t)s.parts[i].vertex_count > s.vertex_count)
            __builtin_trap();
    solid_free(&s);
}

/* what mesh_read promises */
static void use(const double *points, size_t point_count, const uint32_t *triangles, size_t triangle_count)
{
    mo_shape_def def = {.kind = MO_SHAPE_MESH,
                        .points = points,
                        .point_count = point_count,
                        .triangles = triangles,
                        .triangle_count = triangle_count};
    if (triangle_count == 0 || point_count == 0)
        __builtin_trap();
    for (size_t i = 0; i < 3 * point_count; i++)
        if (!isfinite(points[i]))
            __builtin_trap();
    for (size_t i = 0; i < 3 * triangle_count; i++)
        if (triangles[i] >= point_count)
            __builtin_trap();
    build(&def, false);
    build(&def, true);
    if (point_count <= HULL_POINTS) {
        def = (mo_shape_def){.kind = MO_SHAPE_CONVEX, .points = points, .point_count = point_count};
        build(&def, true);
    }
}

static char folder[] = "/tmp/fuzz-mesh-XXXXXX", path[2][sizeof folder + 8];

static void remove_files(void)
{
    unlink(path[0]);
    unlink(path[1]);
    rmdir(folder);
}

static void make_files(void)
{
    if (mkdtemp(folder) == NULL)
        abort();
    snprintf(path[0], sizeof path[0], "%s/f.stl", folder);
    snprintf(path[1], sizeof path[1], "%s/f.obj", folder);
    atexit(remove_files);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (path[0][0] == '\0')
        make_files();
    for (int i = 0; i < 2; i++) {
        double *points;
        uint32_t *triangles;
        size_t point_count, triangle_count;
        mo_error err;
        int fd = open(path[i], O_CREAT | O_TRUNC | O_WRONLY, 0600);
        if (fd < 0 || write(fd, data, size) != (ssize_t)size || close(fd) != 0)
            abort();
        if (mesh_read(path[i], &points, &point_count, &triangles, &triangle_count, &err) == MO_OK) {
            use(points, point_count, triangles, triangle_count);
            free(points);
            free(triangles);
        } else if (err.message[0] == '\0') {
            __builtin_trap();
        }
    }
    return 0;
}
