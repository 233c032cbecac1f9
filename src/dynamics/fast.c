/*
 * Bodies so fast that one could pass through another within a step: the way made along the line between them
 * exceeds the gap and what both are thick.  Detection at q_mid would then find them on the wrong side, or
 * miss them.
 */
#include <math.h>

#include "collide/manifold.h"
#include "dynamics/stage.h"

static placed_part place(const bodies *b, uint32_t part, uint32_t slot)
{
    const double *q = &b->q[3 * (size_t)slot];
    const double *vertices = b->vertices + 2 * (size_t)b->vertex_first[slot];
    return (placed_part){&b->parts[part], vertices, {q[0], q[1]}, cos(q[2]), sin(q[2])};
}

// way a body makes in a step beyond its own thickness; discs do not reach farther by turning
static double excess(const bodies *b, size_t i, double h)
{
    const double *u = &b->u[3 * i];
    bool turns = isfinite(b->radius[i]) && b->thickness[i] < b->radius[i];
    double speed = sqrt(u[0] * u[0] + u[1] * u[1]) + (turns ? fabs(u[2]) * b->radius[i] : 0);
    return h * speed - b->thickness[i];
}

// the usual case: no body makes more way than it is thick
static bool all_slow(const bodies *b, double h)
{
    for (size_t i = 0; i < b->count; i++)
        if (b->kind[i] != MO_BODY_FIXED && excess(b, i, h) > 0)
            return false;
    return true;
}

static bool passes(const bodies *b, uint32_t part1, uint32_t part2, uint32_t s1, uint32_t s2, double h,
                   double thick)
{
    placed_part p1 = place(b, part1, s1), p2 = place(b, part2, s2);
    manifold m;
    collide_parts(&p1, &p2, INFINITY, &m);
    if (m.count == 0)
        return false;
    const double *x = m.points[0].point, *n = m.normal;
    double approach = 0;
    for (int k = 0; k < 2; k++) {
        uint32_t s = k == 0 ? s1 : s2;
        const double *q = &b->q[3 * (size_t)s], *u = &b->u[3 * (size_t)s];
        double vx = u[0] - u[2] * (x[1] - q[1]), vy = u[1] + u[2] * (x[0] - q[0]);
        approach += (k == 0 ? -1 : 1) * (n[0] * vx + n[1] * vy);
    }
    return h * approach > fmax(m.points[0].gap, 0) + thick;
}

fast_pairs find_fast_pairs(const bodies *b, const neighbours *n, double h, double reach)
{
    fast_pairs found = {0, 0, 0};
    if (!n->valid || all_slow(b, h))
        return found;
    for (size_t k = 0; k < n->pairs.count; k++) {
        uint32_t part1 = (uint32_t)(n->pairs.pair[k] >> 32), part2 = (uint32_t)n->pairs.pair[k];
        uint32_t s1 = n->slot[part1], s2 = n->slot[part2];
        // a half-plane cannot be passed
        bool plane = !isfinite(b->radius[s1]) || !isfinite(b->radius[s2]);
        if (plane || excess(b, s1, h) + excess(b, s2, h) <= 0)
            continue;
        if (!passes(b, part1, part2, s1, s2, h, b->thickness[s1] + b->thickness[s2] + reach))
            continue;
        if (found.count++ == 0) {
            found.slot1 = s1;
            found.slot2 = s2;
        }
    }
    return found;
}
