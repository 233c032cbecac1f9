/*
 * Reading meshes: the soup of triangles that the readers of STL and OBJ fill, and words of text files.
 */
#ifndef SHAPE_MESH_TEXT_H
#define SHAPE_MESH_TEXT_H

#include <moreau/base.h>

/* Triangles as a file has them: points may coincide or be superfluous. */
typedef struct mesh_soup {
    double *points; /* [3 point_count] */
    size_t point_count, point_room;
    uint32_t *corners; /* [corner_count], three to a triangle: numbers into points */
    size_t corner_count, corner_room;
} mesh_soup;

/* A file in memory, and how far it is read. */
typedef struct mesh_text {
    const char *start, *at, *end; /* *end is 0 */
    const char *path;
    int line; /* of `at`, 1-based */
    mo_error *err;
} mesh_text;

typedef struct mesh_word {
    const char *start;
    size_t length;
} mesh_word;

/* Adds a point, or a triangle; failures are reported at the present line. */
mo_status mesh_add_point(mesh_soup *soup, const double x[3], mesh_text *in);
mo_status mesh_add_triangle(mesh_soup *soup, uint32_t a, uint32_t b, uint32_t c, mesh_text *in);

/* The next word; `within_line`: not beyond the end of the line, nor into a comment, and lines that end in a
   backslash go on.  false: none. */
bool mesh_next_word(mesh_text *in, bool within_line, mesh_word *out);
/* Moves to the beginning of the next line. */
void mesh_skip_line(mesh_text *in);
/* Whether a word is this one, in letters of any size. */
bool mesh_word_is(mesh_word word, const char *text);
/* Three finite numbers. */
mo_status mesh_read_numbers(mesh_text *in, bool within_line, double x[3]);

/* MO_BAD_FILE at the present line: what was expected, and the word found. */
mo_status mesh_unexpected(mesh_text *in, const char *expected, const mesh_word *found);

mo_status mesh_read_stl(mesh_text *in, mesh_soup *soup);
mo_status mesh_read_obj(mesh_text *in, mesh_soup *soup);

#endif
