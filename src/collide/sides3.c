/*
 * Polyhedra: what is the same wherever they are, so that no pair has to find it again.  Numbers of a part as
 * pair3.h lists them; they have the bits that a pair would find.
 */
#include <stdlib.h>
#include <string.h>

#include "collide/neighbours.h"
#include "collide/pair3.h"
#include "core/buffer.h"

size_t sides_numbers(const mo_part *part)
{
    if (part->kind != MO_PART_POLYHEDRON || part->link.face.count > VIEW_FACES)
        return 0;
    return SIDES_NORMAL + 3 * (size_t)part->link.face.count;
}

void sides_fill(const placed3 *part, double *out)
{
    view3 s;
    directions d;
    view_alone(&s, part);
    view_keep_normals(&s);
    find_directions(&s, &d);
    out[SIDES_REACH] = s.reach;
    out[SIDES_COUNT] = d.count;
    for (int i = 0; i < FEW; i++)
        vec3_copy(i < d.count ? d.d[i].v : (double[3]){0, 0, 0}, &out[SIDES_DIRECTION + 3 * i]);
    for (uint32_t i = 0; i < s.face_count; i++)
        vec3_copy(s.normal[i].v, &out[SIDES_NORMAL + 3 * (size_t)i]);
}

// how many numbers all parts need, and where those of each begin
static size_t count_numbers(const detect_view *v, size_t parts, uint32_t *at)
{
    size_t numbers = 0;
    for (size_t k = 0; k < parts; k++) {
        const size_t n = sides_numbers(&v->parts[k]);
        const bool fits = n > 0 && numbers + n < SIDES_UNKNOWN;
        if (at != NULL)
            at[k] = fits ? (uint32_t)numbers : SIDES_UNKNOWN;
        numbers += fits ? n : 0;
    }
    return numbers;
}

bool sides_note(part_sides *s, const detect_view *v, size_t parts)
{
    column at[] = {{(void **)&s->at, sizeof *s->at}}, number[] = {{(void **)&s->number, sizeof *s->number}};
    const size_t numbers = v->dim == 3 ? count_numbers(v, parts, NULL) : 0;
    if (numbers == 0) {
        sides_free(s);
        return true;
    }
    if (!columns_reserve(at, 1, &s->at_capacity, parts) || !columns_reserve(number, 1, &s->capacity, numbers))
        return false;
    count_numbers(v, parts, s->at);
    for (size_t i = 0; i < v->count; i++)
        for (uint32_t k = v->part_first[i]; k < v->part_first[i] + v->part_count[i]; k++) {
            const placed3 part = {.part = &v->parts[k],
                                  .vertices = v->vertices + 3 * (size_t)v->vertex_first[i],
                                  .faces = v->faces + v->face_first[i]};
            if (s->at[k] != SIDES_UNKNOWN)
                sides_fill(&part, &s->number[s->at[k]]);
        }
    return true;
}

void sides_free(part_sides *s)
{
    free(s->at);
    free(s->number);
    *s = (part_sides){0};
}

size_t sides_bytes(const part_sides *s)
{
    return s->at_capacity * sizeof *s->at + s->capacity * sizeof *s->number;
}
