#include "collide/detect.h"

#include <math.h>

#include "collide/manifold.h"

detect_reach contact_reach(double contact_tolerance)
{
    return (detect_reach){.absolute = contact_tolerance, .relative = 1e-6, .at_most = 1e-8};
}

// cosine and sine of every body's angle; (1, 0) for lone discs, whose angle does not matter
static void find_turns(const detect_view *v, double *turn)
{
    for (size_t i = 0; i < v->count; i++) {
        double angle = v->q[3 * i + 2];
        turn[2 * i] = v->lone[i] ? 1 : cos(angle);
        turn[2 * i + 1] = v->lone[i] ? 0 : sin(angle);
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

// the contacts of one pair of parts
static void collide_pair_of_parts(const detect_view *v, const double *turn, uint32_t part1, uint32_t part2,
                                  const uint32_t slot[2], double most, manifold *m)
{
    // the usual pair needs nothing but centres and radii
    bool discs = v->lone[slot[0]] && v->lone[slot[1]];
    if (discs && collide_discs(&v->q[3 * (size_t)slot[0]], v->radius[slot[0]], &v->q[3 * (size_t)slot[1]],
                               v->radius[slot[1]], most, m))
        return;
    placed_part a = place(v, turn, part1, slot[0]), b = place(v, turn, part2, slot[1]);
    collide_parts(&a, &b, most, m);
}

static bool collide_pairs(const neighbours *n, const detect_view *v, const double *turn, detect_reach reach,
                          contact_set *c)
{
    c->count = 0;
    for (size_t k = 0; k < n->pairs.count; k++) {
        uint32_t part1 = (uint32_t)(n->pairs.pair[k] >> 32), part2 = (uint32_t)n->pairs.pair[k];
        uint32_t slot[2] = {n->slot[part1], n->slot[part2]};
        double most = pair_reach(v, slot[0], slot[1], &reach);
        if (circles_apart(v, slot[0], slot[1], most))
            continue;
        manifold m;
        collide_pair_of_parts(v, turn, part1, part2, slot, most, &m);
        if (m.count == 0)
            continue;
        if (c->count + 2 > c->capacity && !contacts_reserve(c, c->count + c->count / 32 + 16))
            return false;
        append(c, v, &m, slot[0], slot[1], part1, part2);
    }
    return true;
}

bool detect(const neighbours *n, const detect_view *v, detect_reach reach, contact_set *c, arena *a)
{
    arena_mark mark = arena_here(a);
    double *turn = arena_push(a, 2 * v->count, sizeof *turn);
    if (turn == NULL)
        return false;
    find_turns(v, turn);
    bool ok = collide_pairs(n, v, turn, reach, c);
    arena_back(a, mark);
    return ok;
}
