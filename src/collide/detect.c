#include "collide/detect.h"

#include <math.h>

#include "collide/manifold.h"

detect_reach contact_reach(double contact_tolerance)
{
    return (detect_reach){.absolute = contact_tolerance, .relative = 1e-6, .at_most = 1e-8};
}

static bool lone_disc(const detect_view *v, size_t i)
{
    const mo_part *p = &v->parts[v->part_first[i]];
    const double *centre = &v->vertices[2 * (size_t)(v->vertex_first[i] + p->vertex_first)];
    return v->part_count[i] == 1 && p->kind == MO_PART_DISC && centre[0] == 0 && centre[1] == 0;
}

// cos and sin of every body's angle; (1, 0) for a lone centred disc, whose angle does not matter
static void detect_turns(const detect_view *v, double *turn)
{
    for (size_t i = 0; i < v->count; i++) {
        double angle = v->q[3 * i + 2];
        bool lone = lone_disc(v, i);
        turn[2 * i] = lone ? 1 : cos(angle);
        turn[2 * i + 1] = lone ? 0 : sin(angle);
    }
}

double pair_reach(const detect_view *v, uint32_t a, uint32_t b, const detect_reach *reach)
{
    if (reach->absolute >= 0)
        return reach->absolute;
    double least = v->size[a] < v->size[b] ? v->size[a] : v->size[b], most = reach->relative * least;
    return most < reach->at_most ? most : reach->at_most;
}

static placed_part place(const detect_view *v, const double *turn, uint32_t part, uint32_t slot)
{
    const double *q = &v->q[3 * (size_t)slot], *t = &turn[2 * (size_t)slot];
    const double *vertices = v->vertices + 2 * (size_t)v->vertex_first[slot];
    return (placed_part){&v->parts[part], vertices, {q[0], q[1]}, t[0], t[1]};
}

// whether the bounding circles are farther apart than the reach; a half-plane has none
static bool circles_apart(const detect_view *v, uint32_t a, uint32_t b, double reach)
{
    double x = v->q[3 * (size_t)a] - v->q[3 * (size_t)b],
           y = v->q[3 * (size_t)a + 1] - v->q[3 * (size_t)b + 1];
    // a little wider than the exact test that follows
    double sum = (v->radius[a] + v->radius[b] + reach) * (1 + 1e-12);
    return x * x + y * y > sum * sum;
}

static void append(contact_set *c, const detect_view *v, const manifold *m, uint32_t slot1, uint32_t slot2,
                   uint32_t part1, uint32_t part2)
{
    uint64_t parts = (uint64_t)(part1 - v->part_first[slot1]) << 44 | (uint64_t)(part2 - v->part_first[slot2])
                                                                          << 24;
    for (int k = 0; k < m->count; k++) {
        const manifold_point *p = &m->points[k];
        size_t i = c->count++;
        c->slot1[i] = slot1;
        c->slot2[i] = slot2;
        c->feature[i] = parts | p->feature;
        c->point[2 * i] = p->point[0];
        c->point[2 * i + 1] = p->point[1];
        c->normal[2 * i] = m->normal[0];
        c->normal[2 * i + 1] = m->normal[1];
        c->gap[i] = p->gap;
    }
}

static bool collide_pairs(const neighbours *n, const detect_view *v, const double *turn, detect_reach reach,
                          contact_set *c)
{
    c->count = 0;
    for (size_t k = 0; k < n->pairs.count; k++) {
        uint32_t part1 = (uint32_t)(n->pairs.pair[k] >> 32), part2 = (uint32_t)n->pairs.pair[k];
        uint32_t slot1 = n->slot[part1], slot2 = n->slot[part2];
        double most = pair_reach(v, slot1, slot2, &reach);
        if (circles_apart(v, slot1, slot2, most))
            continue;
        placed_part a = place(v, turn, part1, slot1), b = place(v, turn, part2, slot2);
        manifold m;
        collide_parts(&a, &b, most, &m);
        if (m.count == 0)
            continue;
        if (c->count + 2 > c->capacity && !contacts_reserve(c, c->count + c->count / 32 + 16))
            return false;
        append(c, v, &m, slot1, slot2, part1, part2);
    }
    return true;
}

bool detect(const neighbours *n, const detect_view *v, detect_reach reach, contact_set *c, arena *a)
{
    arena_mark mark = arena_here(a);
    double *turn = arena_push(a, 2 * v->count, sizeof *turn);
    if (turn == NULL)
        return false;
    detect_turns(v, turn);
    bool ok = collide_pairs(n, v, turn, reach, c);
    arena_back(a, mark);
    return ok;
}
