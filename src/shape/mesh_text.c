/*
 * Words and numbers of text files, each with its line, and the soup of triangles.
 */
#include "shape/mesh_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/buffer.h"
#include "core/fail.h"
#include "shape/solid_parts.h"

/* ---- the soup ----------------------------------------------------------------------------------------- */

static mo_status no_memory(const mesh_soup *soup, mesh_text *in)
{
    return fail(in->err, MO_NO_MEMORY, NULL, "no memory for a mesh of more than %zu points",
                soup->point_count);
}

mo_status mesh_add_point(mesh_soup *soup, const double x[3], mesh_text *in)
{
    const column points = {(void **)&soup->points, 3 * sizeof *soup->points};
    if (!columns_reserve(&points, 1, &soup->point_room, soup->point_count + 1))
        return no_memory(soup, in);
    memcpy(soup->points + 3 * soup->point_count++, x, 3 * sizeof *x);
    return MO_OK;
}

mo_status mesh_add_triangle(mesh_soup *soup, uint32_t a, uint32_t b, uint32_t c, mesh_text *in)
{
    const column corners = {(void **)&soup->corners, sizeof *soup->corners};
    if (soup->corner_count >= 3 * SOLID_MAX_PARTS) {
        mo_status status = fail(in->err, MO_BAD_FILE, NULL,
                                "more than %zu triangles, expected at most as many", SOLID_MAX_PARTS);
        fail_at(in->err, in->path, in->line);
        return status;
    }
    if (!columns_reserve(&corners, 1, &soup->corner_room, soup->corner_count + 3))
        return no_memory(soup, in);
    soup->corners[soup->corner_count++] = a;
    soup->corners[soup->corner_count++] = b;
    soup->corners[soup->corner_count++] = c;
    return MO_OK;
}

/* ---- words -------------------------------------------------------------------------------------------- */

static bool blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
}

/* length of a backslash and the line's end behind it, 0 where there is none */
static size_t continuation(const mesh_text *in)
{
    const char *p = in->at;
    if (p == in->end || *p != '\\')
        return 0;
    p++;
    while (p < in->end && *p == '\r')
        p++;
    return p < in->end && *p == '\n' ? (size_t)(p + 1 - in->at) : 0;
}

/* over blanks, and line ends where they may be passed */
static void skip_blanks(mesh_text *in, bool within_line)
{
    while (in->at < in->end) {
        size_t joint = within_line ? continuation(in) : 0;
        if (blank(*in->at)) {
            in->at++;
        } else if (joint > 0 || (*in->at == '\n' && !within_line)) {
            in->at += joint > 0 ? joint : 1;
            in->line++;
        } else {
            return;
        }
    }
}

bool mesh_next_word(mesh_text *in, bool within_line, mesh_word *out)
{
    skip_blanks(in, within_line);
    if (in->at == in->end || *in->at == '\n' || (within_line && *in->at == '#'))
        return false;
    out->start = in->at;
    while (in->at < in->end && !blank(*in->at) && *in->at != '\n' && !(within_line && continuation(in) > 0))
        in->at++;
    out->length = (size_t)(in->at - out->start);
    return true;
}

void mesh_skip_line(mesh_text *in)
{
    const char *end = memchr(in->at, '\n', (size_t)(in->end - in->at));
    in->at = end == NULL ? in->end : end + 1;
    in->line += end != NULL;
}

bool mesh_word_is(mesh_word word, const char *text)
{
    return strlen(text) == word.length && strncasecmp(word.start, text, word.length) == 0;
}

/* bytes that are not letters, digits or signs would make the message unreadable */
mo_status mesh_unexpected(mesh_text *in, const char *expected, const mesh_word *found)
{
    char shown[32];
    size_t n = 0;
    for (; found != NULL && n < found->length && n + 1 < sizeof shown; n++)
        shown[n] = found->start[n] > 32 && found->start[n] < 127 ? found->start[n] : '?';
    shown[n] = '\0';
    mo_status status = found == NULL
                           ? fail(in->err, MO_BAD_FILE, NULL, "found the end, expected %s", expected)
                           : fail(in->err, MO_BAD_FILE, NULL, "found \"%s\", expected %s", shown, expected);
    fail_at(in->err, in->path, in->line);
    return status;
}

mo_status mesh_read_numbers(mesh_text *in, bool within_line, double x[3])
{
    for (int k = 0; k < 3; k++) {
        mesh_word word;
        if (!mesh_next_word(in, within_line, &word))
            return mesh_unexpected(in, "three numbers", NULL);
        // a copy of its own: what follows the word is not part of the number
        char text[64], *rest = text;
        if (word.length < sizeof text) {
            memcpy(text, word.start, word.length);
            text[word.length] = '\0';
            x[k] = strtod(text, &rest);
        }
        if (rest == text || *rest != '\0' || !isfinite(x[k]))
            return mesh_unexpected(in, "a finite number", &word);
    }
    return MO_OK;
}
