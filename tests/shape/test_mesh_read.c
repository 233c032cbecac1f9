/*
 * Mesh files: STL as text and binary, OBJ, in the ways in which programs write them; and files that must be
 * refused, with the line or byte.
 */
#define _XOPEN_SOURCE 700 /* mkdtemp */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "shape/solid.h"
#include "support/close.h"

static char folder[] = "/tmp/moreau-mesh-XXXXXX";

typedef struct mesh {
    double *points;
    uint32_t *triangles;
    size_t points_count, triangles_count;
    mo_error err;
    mo_status status;
} mesh;

/* a file of these bytes under a name that ends so, read and removed */
static mesh read_bytes(const char *ending, const void *bytes, size_t size)
{
    char path[64];
    mesh m = {0};
    snprintf(path, sizeof path, "%s/mesh%s", folder, ending);
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
    m.status = mesh_read(path, &m.points, &m.points_count, &m.triangles, &m.triangles_count, &m.err);
    unlink(path);
    if (m.status != MO_OK) {
        assert_null(m.points);
        assert_null(m.triangles);
        assert_true(strlen(m.err.message) > 5);
        assert_string_equal(m.err.file, path);
    }
    return m;
}

static mesh read_text(const char *ending, const char *text)
{
    return read_bytes(ending, text, strlen(text));
}

static void free_mesh(mesh *m)
{
    free(m->points);
    free(m->triangles);
}

/* numbers of the corners in the order of the triangles */
static void assert_mesh(mesh m, size_t points, const char *corners)
{
    char found[256] = "";
    if (m.status != MO_OK)
        fail_msg("line %d: %s", m.err.line, m.err.message);
    assert_int_equal(m.points_count, points);
    for (size_t i = 0; i < 3 * m.triangles_count; i++)
        snprintf(found + strlen(found), sizeof found - strlen(found), "%u", m.triangles[i]);
    assert_string_equal(found, corners);
    for (size_t i = 0; i < 3 * points; i++)
        assert_true(isfinite(m.points[i]));
}

static void assert_bad(const char *ending, const char *text, int line, const char *words)
{
    mesh m = read_text(ending, text);
    assert_int_equal(m.status, MO_BAD_FILE);
    assert_int_equal(m.err.line, line);
    if (strstr(m.err.message, words) == NULL)
        fail_msg("\"%s\" not in \"%s\"", words, m.err.message);
}

/* ---- OBJ ---------------------------------------------------------------------------------------------- */

static void obj(void **state)
{
    (void)state;
    mesh m = read_text(
        ".obj", "# a square\nmtllib none.mtl\no square\nv 0 0 0\nv 1 0 0 1.0\n"
                "v 1.0e0 +1 0 0.5 0.5 0.5 # red\n\nv 0 1 -.25\nvt 0 0\nvn 0 0 1\ns off\nf 1 2 3\nf 1 3 4\n");
    assert_mesh(m, 4, "012023");
    assert_close(m.points[11], -0.25, 0);
    free_mesh(&m);
    // a fan; textures and normals; line ends of all kinds; no end of the last line; capital ending
    m = read_text(".OBJ", "v 0 0 0\r\nv 1 0 0\r\nv 2 1 0\r\nv 1 2 0\r\nv 0 2 0\r\nf 1/1 2/2/1 3//1 4 5/1/1");
    assert_mesh(m, 5, "012023034");
    free_mesh(&m);
    // backwards from where the face stands; faces before their vertices; a line in two pieces
    m = read_text(".obj",
                  "f 1 2 4\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 5 5 5\n\tf \\\r\n 1 \\\n 3 4\\\n");
    assert_mesh(m, 4, "012013032");
    free_mesh(&m);
    // vertices that coincide, and vertices that no face has
    m = read_text(".obj",
                  "v 9 9 9\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 -0 -0\nv 1 1 0\nf 2 3 4\nf 4 3 6\nf 5 3 6\n");
    assert_mesh(m, 4, "012213013");
    free_mesh(&m);
    m = read_text(".obj", "\xef\xbb\xbfv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    assert_mesh(m, 3, "012");
    free_mesh(&m);
}

static void bad_obj(void **state)
{
    (void)state;
    const char *three = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    static const char *const corners[] = {
        "1 2 0",  "1 2 -4",  "1 2 x", "1 2 3x",         "1 2 /1",         "1 2 99999999999999999999",
        "1 2 +3", "1 2 3.5", "1 2 -", "1 2 4294967296", "1 2 4294967295", "1 2 --1"};
    char text[256];
    for (size_t i = 0; i < sizeof corners / sizeof *corners; i++) {
        snprintf(text, sizeof text, "%s\nf %s\n", three, corners[i]);
        assert_bad(".obj", text, 5, "number of a vertex");
    }
    snprintf(text, sizeof text, "%sf 1 2 3\nf 1 2 4\nf 1 2 3\n", three);
    assert_bad(".obj", text, 5, "vertex 4, expected at most 3");
    snprintf(text, sizeof text, "%sf 1 2\n", three);
    assert_bad(".obj", text, 4, "2 corners");
    assert_bad(".obj", "v 0 0 0\nv 0 nan 0\n", 2, "finite number");
    assert_bad(".obj", "v 0 0 inf\n", 1, "finite number");
    assert_bad(".obj", "v 0 0 1e999\n", 1, "finite number");
    assert_bad(".obj", "v 0 0 1,5\n", 1, "finite number");
    assert_bad(".obj", "v 0 0\nv 1\n", 1, "three numbers");
    assert_bad(".obj", three, 0, "no triangles");
    assert_bad(".obj", "", 0, "no triangles");
    assert_bad(".ply", three, 0, ".stl or .obj");
    // a number longer than any
    memset(text, '1', sizeof text);
    memcpy(text, "v 0 0 ", 6);
    text[sizeof text - 1] = '\0';
    assert_bad(".obj", text, 1, "finite number");
}

/* ---- STL ---------------------------------------------------------------------------------------------- */

#define FACET(a, b, c)                                                                                       \
    "facet normal 0 0 1\nouter loop\nvertex " a "\nvertex " b "\nvertex " c "\nendloop\nendfacet\n"

static void text_stl(void **state)
{
    (void)state;
    mesh m = read_text(".stl", "solid a name of facets\n" FACET("0 0 0", "1 0 0", "0 1 0")
                                   FACET("1 0 0", "1 1 0", "0 1 0") "endsolid a name\n");
    assert_mesh(m, 4, "012132");
    free_mesh(&m);
    // capitals, line ends of all kinds, blanks before, normals that are none, several solids, no names
    m = read_text(
        ".STL",
        "\n  SOLID\r\nFacet Normal nan nan nan\r\n Outer Loop\r\n\tVertex 0 0 0\r\n Vertex 1e0 0 0\r\n"
        "vertex 0 1.0 0\r\nEndLoop EndFacet\r\nendsolid\r\nsolid b\n" FACET("0 0 0", "0 1 0",
                                                                            "0 0 1") "endsolid b");
    assert_mesh(m, 4, "012023");
    free_mesh(&m);
}

static void bad_text_stl(void **state)
{
    (void)state;
    const char *whole = "solid s\n" FACET("0 0 0", "1 0 0", "0 1 0") "endsolid s";
    // cut anywhere: refused, but for blanks and the name at the end
    for (size_t n = 0; n < strlen(whole); n++) {
        mesh m = read_bytes(".stl", whole, n);
        assert_int_equal(m.status, n + 2 < strlen(whole) ? MO_BAD_FILE : MO_OK);
        free_mesh(&m);
    }
    assert_bad(".stl", "solid s\n" FACET("0 0 0", "1 0 0", "0 inf 0") "endsolid\n", 6, "finite number");
    assert_bad(".stl", "solid s\n" FACET("0 0 0", "1 0 0", "0 0") "endsolid\n", 7, "finite number");
    assert_bad(".stl", "solid s\n" FACET("0 0 0", "1 0 0", "0 0 1\nvertex 1 1 1") "endsolid\n", 7, "endloop");
    assert_bad(".stl", "solid s\nendsolid\n", 0, "no triangles");
    assert_bad(".stl", "solid s\nendsolid\nvertex\n", 3, "expected solid");
    assert_bad(".stl", "solid s\nendfacet\n", 2, "facet or endsolid");
}

static void put_u32(unsigned char *p, uint32_t x)
{
    for (int k = 0; k < 4; k++)
        p[k] = (unsigned char)(x >> 8 * k);
}

static void put_float(unsigned char *p, float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    put_u32(p, bits);
}

enum { TWO = 84 + 2 * 50 };

/* two triangles of a square, under a header of these bytes */
static void make_binary(unsigned char file[TWO], int header)
{
    static const float corners[2][9] = {{0, 0, 0, 1, 0, 0, 1, 0.5F, 0}, {0, 0, 0, 1, 0.5F, 0, 0, 0.5F, 0}};
    memset(file, header, TWO);
    put_u32(file + 80, 2);
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 9; k++)
            put_float(file + 84 + 50 * i + 12 + 4 * k, corners[i][k]);
}

static void binary_stl(void **state)
{
    (void)state;
    unsigned char file[TWO];
    for (int header = 0; header < 256; header += 32) {
        make_binary(file, header);
        mesh m = read_bytes(".stl", file, sizeof file);
        assert_mesh(m, 4, "012023");
        assert_close(m.points[7], 0.5, 0);
        free_mesh(&m);
    }
    // one that begins like text
    make_binary(file, ' ');
    memcpy(file, "solid binary all the same\nfacet ", 32);
    mesh m = read_bytes(".stl", file, sizeof file);
    assert_mesh(m, 4, "012023");
    free_mesh(&m);
}

static void bad_binary_stl(void **state)
{
    (void)state;
    unsigned char file[TWO + 1];
    make_binary(file, 0);
    file[TWO] = 0;
    for (size_t size = 0; size <= TWO + 1; size++) {
        mesh m = read_bytes(".stl", file, size);
        assert_int_equal(m.status, size == TWO ? MO_OK : MO_BAD_FILE);
        free_mesh(&m);
    }
    // counts that the file does not have
    const uint32_t counts[] = {0, 1, 3, 0x7fffffff, 0xffffffff, 0x051eb852 /* 50 of these wrap to 16 */};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        put_u32(file + 80, counts[i]);
        mesh m = read_bytes(".stl", file, TWO);
        assert_int_equal(m.status, MO_BAD_FILE);
        assert_non_null(strstr(m.err.message, "bytes"));
    }
    // a text beginning does not hide a binary file that was cut
    make_binary(file, 0);
    memcpy(file, "solid x", 7);
    mesh m = read_bytes(".stl", file, TWO - 50);
    assert_int_equal(m.status, MO_BAD_FILE);
    assert_non_null(strstr(m.err.message, "binary"));
    for (int k = 0; k < 9; k++)
        for (int what = 0; what < 2; what++) {
            make_binary(file, 0);
            put_u32(file + 84 + 50 + 12 + 4 * k, what ? 0x7fc00000 : 0xff800000); // nan, -inf
            m = read_bytes(".stl", file, TWO);
            assert_int_equal(m.status, MO_BAD_FILE);
            char place[16];
            snprintf(place, sizeof place, "byte %d", 84 + 50 + 12 + 12 * (k / 3));
            assert_non_null(strstr(m.err.message, place));
        }
    // no triangles at all
    make_binary(file, 0);
    put_u32(file + 80, 0);
    m = read_bytes(".stl", file, 84);
    assert_int_equal(m.status, MO_BAD_FILE);
}

static void no_file(void **state)
{
    (void)state;
    double *points = NULL;
    uint32_t *triangles = NULL;
    size_t n, m;
    mo_error err;
    assert_int_equal(mesh_read("/nowhere/mesh.stl", &points, &n, &triangles, &m, &err), MO_IO);
    assert_string_equal(err.file, "/nowhere/mesh.stl");
    assert_int_equal(mesh_read(folder, &points, &n, &triangles, &m, &err), MO_IO);
    assert_int_equal(mesh_read("/nowhere", &points, &n, &triangles, &m, NULL), MO_IO);
    assert_null(points);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(obj),          cmocka_unit_test(bad_obj),    cmocka_unit_test(text_stl),
        cmocka_unit_test(bad_text_stl), cmocka_unit_test(binary_stl), cmocka_unit_test(bad_binary_stl),
        cmocka_unit_test(no_file),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
