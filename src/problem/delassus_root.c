/* R = G A^-1/2: see delassus_root.h. */
#include "problem/delassus_root.h"

#include <math.h>
#include <string.h>

#include "problem/rows.h"

/* Rows of bodies for each row of contacts up to which factors over bodies are cheaper: discs 1.1 and spheres
 * 1.4 (dearer), irregular polygons 0.97 (a little dearer), walls of bricks below 0.5 (twice to fifty times
 * cheaper). */
static const double MOST_ROWS = 0.85;

/* Fewer contacts have factors that cost next to nothing either way. */
enum { FEWEST_CONTACTS = 32 };

// out := g L with I = L L*, L lower triangular; what is not free has a row of zeros
static void times_root3(const double I[6], const double g[3], double out[3])
{
    const double a = I[0] > 0 ? sqrt(I[0]) : 0, to_a = a > 0 ? 1 / a : 0;
    const double b = I[1] * to_a, c = I[2] * to_a, dd = I[3] - b * b;
    const double d = dd > 0 ? sqrt(dd) : 0, e = d > 0 ? (I[4] - b * c) / d : 0, ff = I[5] - c * c - e * e;
    const double f = ff > 0 ? sqrt(ff) : 0;
    vec3_set(out, a * g[0] + b * g[1] + c * g[2], d * g[1] + e * g[2], f * g[2]);
}

// out := g A^-1/2 of one body, for one row g
static void times_root(const step_problem *p, uint32_t body, const double *g, double *out)
{
    if (p->ball != NULL) {
        for (int k = 0; k < 6; k++)
            out[k] = g[k] * sqrt(k < 3 ? p->ball[body].inv_m : p->ball[body].inv_I);
        return;
    }
    const double *inv = p->dim == 2 ? p->velocity[body].inv : p->velocity3[body].inv_m;
    for (int k = 0; k < 3; k++)
        out[k] = g[k] * sqrt(inv[k]);
    if (p->dim == 3)
        times_root3(p->velocity3[body].inv_I, g + 3, out + 3);
}

// numbers for the bodies that have contacts, in the order in which these name them
static void number_bodies(const step_problem *p, uint32_t *number, delassus_root *t)
{
    memset(number, 0xff, p->bodies * sizeof *number);
    for (size_t i = 0; i < p->contacts; i++)
        for (int side = 0; side < 2; side++) {
            const uint32_t body = row_bodies(p, i)[side];
            t->body[i][side] = ROOT_NO_BODY;
            if (body == UINT32_MAX)
                continue;
            if (number[body] == ROOT_NO_BODY)
                number[body] = (uint32_t)t->bodies++;
            t->body[i][side] = number[body];
        }
}

size_t delassus_root_bodies(const step_problem *p, arena *a)
{
    arena_mark mark = arena_here(a);
    uint8_t *seen = arena_push_zero(a, p->bodies, sizeof *seen);
    size_t count = 0;
    for (size_t i = 0; seen != NULL && i < p->contacts; i++)
        for (int side = 0; side < 2; side++) {
            const uint32_t body = row_bodies(p, i)[side];
            if (body == UINT32_MAX || seen[body])
                continue;
            seen[body] = 1;
            count++;
        }
    arena_back(a, mark);
    return seen != NULL ? count : SIZE_MAX;
}

bool delassus_root_pays(const step_problem *p, size_t bodies)
{
    // with as many rows of bodies as of contacts the blocks are larger, and more of the work is in filling
    // them
    const size_t freedoms = p->dim == 2 ? 3 : 6;
    return p->contacts >= FEWEST_CONTACTS && p->extra == NULL && p->cell == NULL && bodies < SIZE_MAX &&
           (double)(freedoms * bodies) < MOST_ROWS * (double)((size_t)p->dim * p->contacts);
}

bool delassus_root_make(const step_problem *p, arena *a, delassus_root *out)
{
    delassus_root t = {.dim = p->dim, .freedoms = p->dim == 2 ? 3 : 6, .contacts = p->contacts};
    const size_t freedoms = (size_t)t.freedoms, length = (size_t)p->dim * freedoms;
    t.length = 2 * length;
    t.body = arena_push(a, p->contacts, sizeof *t.body);
    t.R = arena_push_zero(a, p->contacts, t.length * sizeof *t.R);
    uint32_t *number = arena_push(a, p->bodies, sizeof *number);
    if (t.body == NULL || t.R == NULL || number == NULL)
        return false;
    number_bodies(p, number, &t);
    for (size_t i = 0; i < p->contacts; i++)
        for (int side = 0; side < 2; side++) {
            if (t.body[i][side] == ROOT_NO_BODY)
                continue;
            body_rows G;
            rows_of(p, i, side, &G);
            for (size_t r = 0; r < (size_t)p->dim; r++)
                times_root(p, row_bodies(p, i)[side], G.row[r],
                           t.R + (2 * i + (size_t)side) * length + r * freedoms);
        }
    *out = t;
    return true;
}
