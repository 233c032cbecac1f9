/*
 * Overlaps of bodies at given places, for everybody by the same code: round ones by their distances, found on
 * a grid of cells; boxes by a world of this library that holds them.
 */
#include "peers.h"

#include "core/fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 4000 }; /* along an axis */

typedef struct grid {
    double low[3], cell;
    size_t count[3];
    size_t *start;  /* [cells + 1] */
    uint32_t *body; /* [bodies] by cells */
} grid;

typedef struct tally {
    double max, sum;
    size_t count;
} tally;

static void add(tally *t, double overlap)
{
    if (!(overlap > 0))
        return;
    t->max = fmax(t->max, overlap);
    t->sum += overlap;
    t->count++;
}

static bool is_finite(const double x[3])
{
    return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

/* ---- cells ---------------------------------------------------------------------------------------- */

static size_t cell_along(const grid *g, int k, double x)
{
    double i = floor((x - g->low[k]) / g->cell);
    return i <= 0 ? 0 : i >= (double)(g->count[k] - 1) ? g->count[k] - 1 : (size_t)i;
}

static size_t cell_of(const grid *g, const double x[3])
{
    return (cell_along(g, 2, x[2]) * g->count[1] + cell_along(g, 1, x[1])) * g->count[0] +
           cell_along(g, 0, x[0]);
}

// cells as large as the largest body, larger where bodies are far apart; what lies outside is in the border
static void shape_grid(const peer_scene *s, const peer_state *x, grid *g)
{
    double high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL}, cells = 1;
    for (int k = 0; k < 3; k++)
        g->low[k] = HUGE_VAL;
    for (size_t i = 0; i < s->body_count; i++) {
        g->cell = fmax(g->cell, 2.001 * s->bodies[i].radius);
        for (int k = 0; k < 3 && is_finite(x[i].x); k++) {
            g->low[k] = fmin(g->low[k], x[i].x[k]);
            high[k] = fmax(high[k], x[i].x[k]);
        }
    }
    for (int k = 0; k < 3; k++)
        cells *= fmax((high[k] - g->low[k]) / g->cell, 1);
    if (cells > 8 * (double)s->body_count + 64)
        g->cell *= cbrt(cells / (8 * (double)s->body_count + 64));
    for (int k = 0; k < 3; k++) {
        double n = floor((high[k] - g->low[k]) / g->cell) + 1;
        g->count[k] = n >= 1 ? (size_t)fmin(n, MOST_CELLS) : 1;
    }
}

static bool fill_grid(const peer_scene *s, const peer_state *x, grid *g)
{
    shape_grid(s, x, g);
    size_t cells = g->count[0] * g->count[1] * g->count[2];
    g->start = calloc(cells + 2, sizeof *g->start);
    g->body = calloc(s->body_count + 1, sizeof *g->body);
    if (g->start == NULL || g->body == NULL)
        return false;
    for (size_t i = 0; i < s->body_count; i++)
        if (is_finite(x[i].x))
            g->start[cell_of(g, x[i].x) + 2]++;
    for (size_t c = 0; c < cells; c++)
        g->start[c + 2] += g->start[c + 1];
    for (size_t i = 0; i < s->body_count; i++)
        if (is_finite(x[i].x))
            g->body[g->start[cell_of(g, x[i].x) + 1]++] = (uint32_t)i;
    return true;
}

/* ---- round bodies --------------------------------------------------------------------------------- */

static void meet_cell(const peer_scene *s, const peer_state *x, const grid *g, size_t i, size_t cell,
                      tally *t)
{
    for (size_t k = g->start[cell]; k < g->start[cell + 1]; k++) {
        size_t j = g->body[k];
        if (j <= i)
            continue;
        double d[3] = {x[i].x[0] - x[j].x[0], x[i].x[1] - x[j].x[1], x[i].x[2] - x[j].x[2]};
        add(t, s->bodies[i].radius + s->bodies[j].radius - sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]));
    }
}

static void meet_others(const peer_scene *s, const peer_state *x, const grid *g, size_t i, tally *t)
{
    size_t low[3], high[3];
    for (int k = 0; k < 3; k++) {
        size_t at = cell_along(g, k, x[i].x[k]);
        low[k] = at > 0 ? at - 1 : 0;
        high[k] = at + 1 < g->count[k] ? at + 1 : at;
    }
    for (size_t c = low[2]; c <= high[2]; c++)
        for (size_t b = low[1]; b <= high[1]; b++)
            for (size_t a = low[0]; a <= high[0]; a++)
                meet_cell(s, x, g, i, (c * g->count[1] + b) * g->count[0] + a, t);
}

static double height(const peer_plane *p, const double x[3])
{
    return p->normal[0] * x[0] + p->normal[1] * x[1] + p->normal[2] * x[2] - p->offset;
}

static void meet_walls(const peer_scene *s, const peer_state *x, size_t i, tally *t)
{
    for (size_t k = 0; k < s->plane_count; k++)
        add(t, s->bodies[i].radius - height(&s->planes[k], x[i].x));
}

static bool measure_round(const peer_scene *s, const peer_state *x, tally *t)
{
    grid g = {0};
    bool ok = fill_grid(s, x, &g);
    for (size_t i = 0; ok && i < s->body_count; i++)
        if (is_finite(x[i].x)) {
            meet_others(s, x, &g, i, t);
            meet_walls(s, x, i, t);
        }
    free(g.start);
    free(g.body);
    return ok;
}

/* ---- boxes ---------------------------------------------------------------------------------------- */

static mo_status add_box(mo_world *w, const peer_body *b, const peer_state *x, mo_error *err)
{
    mo_body body;
    mo_body_def def = mo_default_body_def();
    def.shape =
        (mo_shape_def){.kind = MO_SHAPE_BOX, .size = {2 * b->half[0], 2 * b->half[1], 2 * b->half[2]}};
    def.mass = b->mass;
    memcpy(def.position, x->x, sizeof x->x);
    memcpy(def.orientation, x->q, sizeof x->q);
    return mo_body_create(w, &def, &body, err);
}

static mo_status measure_boxes(const peer_scene *s, const peer_state *x, tally *t, mo_error *err)
{
    mo_world_def def = mo_default_world_def();
    mo_world *w = NULL;
    def.dim = 3;
    mo_status status = mo_world_create(&def, &w, err);
    for (size_t i = 0; status == MO_OK && i < s->body_count; i++)
        if (is_finite(x[i].x))
            status = add_box(w, &s->bodies[i], &x[i], err);
    for (size_t k = 0; status == MO_OK && k < s->plane_count; k++) {
        mo_body body;
        mo_body_def wall = mo_default_body_def();
        wall.kind = MO_BODY_FIXED;
        wall.shape = (mo_shape_def){.kind = MO_SHAPE_PLANE, .offset = s->planes[k].offset};
        memcpy(wall.shape.normal, s->planes[k].normal, sizeof wall.shape.normal);
        status = mo_body_create(w, &wall, &body, err);
    }
    if (status == MO_OK)
        add(t, mo_measure_max_penetration(w));
    mo_world_destroy(w);
    return status;
}

static size_t count_lost(const peer_scene *s, const peer_state *x)
{
    size_t lost = 0;
    for (size_t i = 0; i < s->body_count; i++) {
        bool out = !is_finite(x[i].x);
        for (size_t k = 0; k < s->plane_count; k++)
            out = out || height(&s->planes[k], x[i].x) < 0;
        lost += out;
    }
    return lost;
}

mo_status peer_measure_overlaps(const peer_scene *scene, const peer_state *states, peer_overlaps *out,
                                mo_error *err)
{
    tally t = {0};
    mo_status status = MO_OK;
    if (scene->body_count > 0 && scene->bodies[0].radius == 0)
        status = measure_boxes(scene, states, &t, err);
    else if (!measure_round(scene, states, &t))
        status = fail(err, MO_NO_MEMORY, "", "no memory to look for overlaps");
    if (status == MO_OK)
        *out = (peer_overlaps){.max = t.max / scene->size,
                               .mean = t.count > 0 ? t.sum / (double)t.count / scene->size : 0,
                               .count = t.count,
                               .lost = count_lost(scene, states)};
    return status;
}
