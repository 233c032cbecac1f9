/*
 * OBJ files: the lines `v x y z` and `f a b c ...`; all others are passed over.  A corner of a face is a
 * number of a vertex, from 1, or from -1 backwards from the last one so far, with or without /texture/normal
 * behind it.  Faces of more than three corners become a fan from their first corner.
 */
#include <string.h>

#include "core/fail.h"
#include "shape/mesh_text.h"

/* the highest number of a vertex that a face has named, and where */
typedef struct highest_corner {
    uint32_t number; /* from 0 */
    int line;
    bool any;
} highest_corner;

/* a corner's number, from 0, as a word gives it; UINT32_MAX: it gives none */
static uint32_t corner_number(mesh_word word, size_t so_far)
{
    size_t i = 0;
    uint64_t n = 0;
    bool back = word.start[0] == '-';
    for (i = back; i < word.length && word.start[i] >= '0' && word.start[i] <= '9' && n < UINT32_MAX; i++)
        n = 10 * n + (uint64_t)(word.start[i] - '0');
    if ((i < word.length && word.start[i] != '/') || n == 0 || n >= UINT32_MAX || (back && n > so_far))
        return UINT32_MAX;
    return (uint32_t)(back ? so_far - n : n - 1);
}

static mo_status read_face(mesh_text *in, mesh_soup *soup, highest_corner *top)
{
    uint32_t first = 0, last = 0;
    size_t count = 0;
    mo_status status = MO_OK;
    for (mesh_word word; status == MO_OK && mesh_next_word(in, true, &word); count++) {
        uint32_t number = corner_number(word, soup->point_count);
        if (number == UINT32_MAX)
            return mesh_unexpected(in, "the number of a vertex", &word);
        if (!top->any || number > top->number)
            *top = (highest_corner){number, in->line, true};
        if (count == 0)
            first = number;
        if (count > 1)
            status = mesh_add_triangle(soup, first, last, number, in);
        last = number;
    }
    if (status == MO_OK && count < 3) {
        status = fail(in->err, MO_BAD_FILE, NULL, "a face of %zu corners, expected at least 3", count);
        fail_at(in->err, in->path, in->line);
    }
    return status;
}

mo_status mesh_read_obj(mesh_text *in, mesh_soup *soup)
{
    highest_corner top = {0, 0, false};
    mo_status status = MO_OK;
    while (in->at < in->end && status == MO_OK) {
        mesh_word word;
        bool some = mesh_next_word(in, true, &word);
        if (some && mesh_word_is(word, "v")) {
            double x[3];
            status = mesh_read_numbers(in, true, x);
            if (status == MO_OK)
                status = mesh_add_point(soup, x, in);
        } else if (some && mesh_word_is(word, "f")) {
            status = read_face(in, soup, &top);
        }
        // what else the line has: colours, weights, comments
        while (mesh_next_word(in, true, &word))
            ;
        mesh_skip_line(in);
    }
    // faces may come before their vertices
    if (status == MO_OK && top.any && top.number >= soup->point_count) {
        status = fail(in->err, MO_BAD_FILE, NULL,
                      "a face with vertex %llu, expected at most %zu: so many are there",
                      (unsigned long long)top.number + 1, soup->point_count);
        fail_at(in->err, in->path, top.line);
    }
    return status;
}
