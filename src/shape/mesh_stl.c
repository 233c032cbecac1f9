/*
 * STL files.  Text: facets of an outer loop of three vertices each; names and line ends are free.  Binary: 80
 * bytes of anything, the number of triangles, then 50 bytes for each: its normal and corners as 32-bit
 * floats, and two bytes of anything; little-endian throughout.  The order of the corners says which side is
 * outside; the normals are not used.
 *
 * Binary files often begin like text ones, with "solid": a file is binary when its length is what the number
 * of triangles asks for, or when it has a byte 0 near its beginning.
 */
#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "shape/mesh_text.h"

enum { HEADER = 84, RECORD = 50, NEAR_BEGINNING = 512 };

/* ---- binary ------------------------------------------------------------------------------------------- */

static uint32_t little_endian(const char *p)
{
    const unsigned char *b = (const unsigned char *)p;
    return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static double float_at(const char *p)
{
    uint32_t bits = little_endian(p);
    float x;
    memcpy(&x, &bits, sizeof x);
    return (double)x;
}

static mo_status bad_bytes(mesh_text *in, mo_status status)
{
    fail_at(in->err, in->path, 0);
    return status;
}

static mo_status read_corner(mesh_text *in, const char *p, mesh_soup *soup)
{
    const double x[3] = {float_at(p), float_at(p + 4), float_at(p + 8)};
    if (isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]))
        return mesh_add_point(soup, x, in);
    return bad_bytes(in, fail(in->err, MO_BAD_FILE, NULL,
                              "at byte %zu the corner (%g, %g, %g), expected finite numbers",
                              (size_t)(p - in->start), x[0], x[1], x[2]));
}

static mo_status read_binary(mesh_text *in, mesh_soup *soup)
{
    size_t size = (size_t)(in->end - in->start);
    size_t count = size < HEADER ? 0 : little_endian(in->start + HEADER - 4);
    if (size < HEADER || size != HEADER + RECORD * count)
        return bad_bytes(
            in, fail(in->err, MO_BAD_FILE, NULL,
                     "a binary STL file of %zu bytes that says it has %zu triangles, expected %zu bytes",
                     size, count, HEADER + RECORD * count));
    mo_status status = MO_OK;
    for (size_t i = 0; i < count && status == MO_OK; i++) {
        uint32_t first = (uint32_t)soup->point_count;
        for (size_t k = 0; k < 3 && status == MO_OK; k++)
            status = read_corner(in, in->start + HEADER + RECORD * i + 12 * (k + 1), soup);
        if (status == MO_OK)
            status = mesh_add_triangle(soup, first, first + 1, first + 2, in);
    }
    return status;
}

/* ---- text --------------------------------------------------------------------------------------------- */

static mo_status expect(mesh_text *in, const char *text)
{
    mesh_word word;
    if (!mesh_next_word(in, false, &word))
        return mesh_unexpected(in, text, NULL);
    return mesh_word_is(word, text) ? MO_OK : mesh_unexpected(in, text, &word);
}

/* what follows the word facet */
static mo_status read_facet(mesh_text *in, mesh_soup *soup)
{
    double x[3];
    uint32_t first = (uint32_t)soup->point_count;
    mesh_word word;
    mo_status status = expect(in, "normal");
    // some writers put words that are no numbers where a triangle has no area
    for (int k = 0; k < 3 && status == MO_OK; k++)
        if (!mesh_next_word(in, false, &word))
            status = mesh_unexpected(in, "a normal", NULL);
    if (status == MO_OK)
        status = expect(in, "outer");
    if (status == MO_OK)
        status = expect(in, "loop");
    for (int k = 0; k < 3 && status == MO_OK; k++) {
        status = expect(in, "vertex");
        if (status == MO_OK)
            status = mesh_read_numbers(in, false, x);
        if (status == MO_OK)
            status = mesh_add_point(soup, x, in);
    }
    if (status == MO_OK)
        status = expect(in, "endloop");
    if (status == MO_OK)
        status = expect(in, "endfacet");
    return status == MO_OK ? mesh_add_triangle(soup, first, first + 1, first + 2, in) : status;
}

/* any number of solids, each of any number of facets */
static mo_status read_text(mesh_text *in, mesh_soup *soup)
{
    bool inside = false;
    mo_status status = MO_OK;
    for (mesh_word word; status == MO_OK && mesh_next_word(in, false, &word);) {
        if (inside && mesh_word_is(word, "facet")) {
            status = read_facet(in, soup);
        } else if (mesh_word_is(word, inside ? "endsolid" : "solid")) {
            inside = !inside;
            mesh_skip_line(in);
        } else {
            return mesh_unexpected(in, inside ? "facet or endsolid" : "solid", &word);
        }
    }
    return status == MO_OK && inside ? mesh_unexpected(in, "facet or endsolid", NULL) : status;
}

mo_status mesh_read_stl(mesh_text *in, mesh_soup *soup)
{
    size_t size = (size_t)(in->end - in->start);
    bool exact = size >= HEADER && size == HEADER + RECORD * (size_t)little_endian(in->start + HEADER - 4);
    size_t beginning = size < NEAR_BEGINNING ? size : NEAR_BEGINNING;
    bool zeros = memchr(in->start, 0, beginning) != NULL;
    mesh_text ahead = *in;
    mesh_word word;
    bool text = mesh_next_word(&ahead, false, &word) && mesh_word_is(word, "solid");
    return exact || zeros || !text ? read_binary(in, soup) : read_text(in, soup);
}
