/*
 * The largest circle in a convex polygon: all edges move inward at the same speed, and each is dropped as it
 * vanishes, until nothing is left.
 *
 * An edge between two corners loses the tangents of half their turns with every metre inward, which changes
 * only when one beside it vanishes.  So the next to vanish is the top of a heap, and n edges take n log n
 * operations.
 */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "shape/parts.h"

/* an edge line of the shrinking polygon: unit direction, its length when the lines were `at` inward, where it
   vanishes, its neighbours and its place in the heap */
typedef struct shrinking_edge {
    double x, y, length, at, end;
    size_t before, after, place;
} shrinking_edge;

typedef struct shrinking {
    shrinking_edge *e;
    size_t *heap; /* edges; none vanishes before the one at half its place */
    size_t count;
} shrinking;

/* tangent of half the turn from a to b: how fast the corner eats its edges as the edges move inward */
static double corner_rate(const shrinking_edge *a, const shrinking_edge *b)
{
    return (a->x * b->y - a->y * b->x) / (1 + a->x * b->x + a->y * b->y);
}

static double rate_of(const shrinking *s, size_t i)
{
    const shrinking_edge *e = &s->e[i];
    return corner_rate(&s->e[e->before], e) + corner_rate(e, &s->e[e->after]);
}

/* an edge whose length at r is known */
static void note_end(const shrinking *s, size_t i)
{
    shrinking_edge *e = &s->e[i];
    const double rate = rate_of(s, i);
    e->end = rate > 0 ? e->at + e->length / rate : HUGE_VAL;
}

/* before a neighbour vanishes at r */
static void shorten(const shrinking *s, size_t i, double r)
{
    shrinking_edge *e = &s->e[i];
    e->length = fmax(0, e->length - (r - e->at) * rate_of(s, i));
    e->at = r;
}

/* ---- heap ------------------------------------------------------------------------------------------------
 */

static void put(const shrinking *s, size_t place, size_t i)
{
    s->heap[place] = i;
    s->e[i].place = place;
}

static bool sooner(const shrinking *s, size_t i, size_t j)
{
    return s->e[i].end < s->e[j].end;
}

/* to where edge i belongs, from its place */
static void sift(const shrinking *s, size_t i)
{
    size_t place = s->e[i].place;
    for (; place > 0 && sooner(s, i, s->heap[(place - 1) / 2]); place = (place - 1) / 2)
        put(s, place, s->heap[(place - 1) / 2]);
    for (size_t next; (next = 2 * place + 1) < s->count; place = next) {
        next += next + 1 < s->count && sooner(s, s->heap[next + 1], s->heap[next]);
        if (!sooner(s, s->heap[next], i))
            break;
        put(s, place, s->heap[next]);
    }
    put(s, place, i);
}

static void drop_first(shrinking *s)
{
    const size_t last = s->heap[--s->count];
    put(s, 0, last);
    sift(s, last);
}

/* ----------------------------------------------------------------------------------------------------------
 */

static double collapse(shrinking *s)
{
    double r = 0;
    while (s->count > 2) {
        const shrinking_edge gone = s->e[s->heap[0]];
        const size_t a = gone.before, b = gone.after;
        if (!isfinite(gone.end))
            break;
        r = fmax(r, gone.end);
        if (s->e[a].x * s->e[b].y - s->e[a].y * s->e[b].x <= 0)
            break;
        shorten(s, a, r);
        shorten(s, b, r);
        s->e[a].after = b;
        s->e[b].before = a;
        drop_first(s);
        note_end(s, a);
        sift(s, a);
        note_end(s, b);
        sift(s, b);
    }
    return r;
}

/* the edges of a polygon, all in the heap */
static void begin(shrinking *s, const double *xy, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const size_t k = i + 1 < count ? i + 1 : 0;
        const double x = xy[2 * k] - xy[2 * i], y = xy[2 * k + 1] - xy[2 * i + 1], length = hypot(x, y);
        s->e[i] = (shrinking_edge){.x = x / length,
                                   .y = y / length,
                                   .length = length,
                                   .before = (i > 0 ? i : count) - 1,
                                   .after = k};
        put(s, i, i);
    }
    for (size_t i = 0; i < count; i++)
        note_end(s, i);
    for (s->count = 1; s->count < count; s->count++)
        sift(s, s->count);
}

double polygon_inradius(const double *xy, size_t count)
{
    enum { FEW = 16 };
    shrinking_edge few[FEW];
    size_t places[FEW];
    const bool many = count > FEW;
    shrinking s = {.e = many ? malloc(count * sizeof *s.e) : few,
                   .heap = many ? malloc(count * sizeof *s.heap) : places};
    double r = -1;
    if (s.e != NULL && s.heap != NULL) {
        begin(&s, xy, count);
        r = collapse(&s);
    }
    if (many) {
        free(s.e);
        free(s.heap);
    }
    return r;
}
