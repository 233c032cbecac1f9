/*
 * Mesh files: the whole file into memory, the reader of its format, then corners that coincide made one.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "core/fail.h"
#include "shape/mesh_text.h"
#include "shape/solid_parts.h"

/* longer files are refused: a million triangles as text take a quarter of this */
#define MAX_BYTES ((size_t)1 << 30)

static mo_status bad_io(const char *what, const char *path, mo_error *err)
{
    mo_status status = fail(err, MO_IO, NULL, "cannot %s the mesh file: %s", what, strerror(errno));
    fail_at(err, path, 0);
    return status;
}

/* doubles the room for the file; the room beyond size holds the 0 behind the end */
static bool more_room(char **data, size_t *room)
{
    size_t wanted = *room == 0 ? (size_t)1 << 16 : 2 * *room;
    char *p = realloc(*data, wanted);
    if (p == NULL)
        return false;
    *data = p;
    *room = wanted;
    return true;
}

static mo_status load_open(FILE *file, const char *path, char **data, size_t *size, mo_error *err)
{
    size_t room = 0;
    *size = 0;
    do {
        if (*size + 1 >= room && !more_room(data, &room))
            return fail(err, MO_NO_MEMORY, NULL, "no memory for a mesh file of more than %zu bytes", *size);
        errno = 0;
        *size += fread(*data + *size, 1, room - 1 - *size, file);
        if (ferror(file))
            return bad_io("read", path, err);
        if (*size > MAX_BYTES) {
            mo_status status =
                fail(err, MO_BAD_FILE, NULL, "a mesh file of more than %zu bytes, expected at most as many",
                     MAX_BYTES);
            fail_at(err, path, 0);
            return status;
        }
    } while (!feof(file));
    (*data)[*size] = '\0';
    return MO_OK;
}

static mo_status load(const char *path, char **data, size_t *size, mo_error *err)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        return bad_io("open", path, err);
    mo_status status = load_open(file, path, data, size, err);
    fclose(file);
    return status;
}

static mo_status read_soup(mesh_text *in, mesh_soup *soup)
{
    size_t n = strlen(in->path);
    const char *ending = n < 4 ? "" : in->path + n - 4;
    mo_status status;
    if (strcasecmp(ending, ".stl") == 0)
        status = mesh_read_stl(in, soup);
    else if (strcasecmp(ending, ".obj") == 0)
        status = mesh_read_obj(in, soup);
    else
        status = fail(in->err, MO_BAD_FILE, NULL,
                      "the mesh file's name ends in \"%s\", expected .stl or .obj", ending);
    if (status == MO_OK && soup->corner_count == 0)
        status = fail(in->err, MO_BAD_FILE, NULL, "the mesh has no triangles, expected at least one");
    fail_at(status == MO_OK ? NULL : in->err, in->path, 0);
    return status;
}

/* the points that corners name, each once, in the order in which the corners come to them */
static bool number_corners(mesh_soup *soup)
{
    uint32_t *same = malloc((soup->point_count + 1) * sizeof *same);
    uint32_t *number = malloc((soup->point_count + 1) * sizeof *number);
    double *points = malloc((3 * soup->point_count + 1) * sizeof *points);
    bool ok =
        same != NULL && number != NULL && points != NULL && mesh_weld(soup->points, soup->point_count, same);
    size_t count = 0;
    for (size_t i = 0; ok && i < soup->point_count; i++)
        number[i] = UINT32_MAX;
    for (size_t i = 0; ok && i < soup->corner_count; i++) {
        uint32_t p = same[soup->corners[i]];
        if (number[p] == UINT32_MAX) {
            memcpy(points + 3 * count, soup->points + 3 * (size_t)p, 3 * sizeof *points);
            number[p] = (uint32_t)count++;
        }
        soup->corners[i] = number[p];
    }
    free(same);
    free(number);
    if (!ok) {
        free(points);
        return false;
    }
    free(soup->points);
    soup->points = points;
    soup->point_count = count;
    return true;
}

mo_status mesh_read(const char *path, double **points, size_t *point_count, uint32_t **triangles,
                    size_t *triangle_count, mo_error *err)
{
    char *data = NULL;
    size_t size = 0;
    mesh_soup soup = {0};
    mo_status status = load(path, &data, &size, err);
    if (status == MO_OK) {
        mesh_text in = {.start = data, .at = data, .end = data + size, .path = path, .line = 1, .err = err};
        // the mark some editors put before text
        if (size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0)
            in.at += 3;
        status = read_soup(&in, &soup);
    }
    free(data);
    if (status == MO_OK && !number_corners(&soup))
        status = fail(err, MO_NO_MEMORY, NULL, "no memory for a mesh of %zu points", soup.point_count);
    if (status != MO_OK) {
        free(soup.points);
        free(soup.corners);
        return status;
    }
    *points = soup.points;
    *point_count = soup.point_count;
    *triangles = soup.corners;
    *triangle_count = soup.corner_count / 3;
    return MO_OK;
}

/* ---- public -------------------------------------------------------------------------------------------- */

mo_status mo_mesh_read(const char *path, mo_mesh *out, mo_error *err)
{
    struct stat info;
    *out = (mo_mesh){0};
    if (stat(path, &info) != 0)
        return bad_io("open", path, err);
    // a pipe or device might never end
    if (!S_ISREG(info.st_mode)) {
        mo_status status = fail(err, MO_IO, NULL, "expected a regular file");
        fail_at(err, path, 0);
        return status;
    }
    return mesh_read(path, &out->points, &out->point_count, &out->triangles, &out->triangle_count, err);
}

void mo_mesh_free(mo_mesh *mesh)
{
    if (mesh == NULL)
        return;
    free(mesh->points);
    free(mesh->triangles);
    *mesh = (mo_mesh){0};
}
