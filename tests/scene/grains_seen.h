/*
 * Balls that a scene generated, as the test sees them: places and sizes reported one by one, and relations
 * between all pairs looked at without the program's help.
 */
#ifndef TESTS_SCENE_GRAINS_SEEN_H
#define TESTS_SCENE_GRAINS_SEEN_H

#include "scene/run_world3.h"

#include <math.h>

/* reports places and radii of the discs or spheres in the list g, made with density 1 */
#define SEE                                                                                                  \
    "local x, r = {}, {}\n"                                                                                  \
    "for i, b in ipairs(g) do\n"                                                                             \
    "  local p = b.position\n"                                                                               \
    "  r[i] = #p == 2 and (b.mass / math.pi) ^ 0.5 or (b.mass / (4 / 3 * math.pi)) ^ (1 / 3)\n"              \
    "  for _, v in ipairs(p) do x[#x + 1] = v end\n"                                                         \
    "end\n"                                                                                                  \
    "report('count', #g) report('x', x) report('r', r)\n"

typedef struct grains_seen {
    size_t dim, count;
    double *x, *r; /* [dim count], [count], owned */
} grains_seen;

static inline grains_seen see(const outcome *o, size_t dim)
{
    grains_seen g = {.dim = dim, .count = (size_t)reported_number(o, "count")};
    g.x = calloc(g.dim * g.count + 1, sizeof *g.x);
    g.r = calloc(g.count + 1, sizeof *g.r);
    reported(o, "x", g.dim * g.count, g.x);
    reported(o, "r", g.count, g.r);
    return g;
}

static inline void unsee(grains_seen *g)
{
    free(g->x);
    free(g->r);
}

static inline double gap_between(const grains_seen *g, size_t i, size_t j)
{
    double d2 = 0;
    for (size_t k = 0; k < g->dim; k++)
        d2 += pow(g->x[g->dim * i + k] - g->x[g->dim * j + k], 2);
    return sqrt(d2) - g->r[i] - g->r[j];
}

/* smallest gap between any two */
static inline double least_gap(const grains_seen *g)
{
    double least = HUGE_VAL;
    for (size_t i = 0; i < g->count; i++)
        for (size_t j = 0; j < i; j++)
            least = fmin(least, gap_between(g, i, j));
    return least;
}

/* smallest distance of a surface from the faces of a box, negative outside */
static inline double least_margin(const grains_seen *g, const double *min, const double *max)
{
    double least = HUGE_VAL;
    for (size_t i = 0; i < g->dim * g->count; i++) {
        size_t k = i % g->dim;
        least = fmin(least, fmin(g->x[i] - min[k], max[k] - g->x[i]) - g->r[i / g->dim]);
    }
    return least;
}

#endif
