#include "collide/detect.h"

#include <math.h>
#include <string.h>

#include "math/quat.h"

detect_reach contact_reach(double contact_tolerance)
{
    return (detect_reach){.absolute = contact_tolerance, .relative = 1e-6, .at_most = 1e-8};
}

void body_turn(const detect_view *v, size_t slot, double *turn)
{
    const double *q = &v->q[v->nq * slot];
    if (v->dim == 3) {
        quat_to_matrix(q + 3, turn);
        return;
    }
    // the angle of a lone disc does not matter
    turn[0] = v->lone[slot] ? 1 : cos(q[2]);
    turn[1] = v->lone[slot] ? 0 : sin(q[2]);
}

double pair_reach(const detect_view *v, uint32_t a, uint32_t b, const detect_reach *reach)
{
    if (reach->absolute >= 0)
        return reach->absolute;
    double least = v->size[a] < v->size[b] ? v->size[a] : v->size[b], most = reach->relative * least;
    return most < reach->at_most ? most : reach->at_most;
}

placed_part place_part(const detect_view *v, const double *turn, uint32_t part, uint32_t slot)
{
    const double *q = &v->q[3 * (size_t)slot], *vertices = v->vertices + 2 * (size_t)v->vertex_first[slot];
    return (placed_part){&v->parts[part], vertices, {q[0], q[1]}, turn[0], turn[1]};
}

placed3 place_solid(const detect_view *v, const double *turn, uint32_t part, uint32_t slot)
{
    const double *q = &v->q[7 * (size_t)slot];
    placed3 out = {.part = &v->parts[part],
                   .vertices = v->vertices + 3 * (size_t)v->vertex_first[slot],
                   .faces = v->faces != NULL ? v->faces + v->face_first[slot] : NULL,
                   .p = {q[0], q[1], q[2]}};
    memcpy(out.R, turn, sizeof out.R);
    return out;
}

// whether the bounding circles or spheres are farther apart than the reach; a half-plane has none
static inline bool apart(const detect_view *v, uint32_t a, uint32_t b, double reach)
{
    const double *p = &v->q[v->nq * a], *q = &v->q[v->nq * b];
    double x = p[0] - q[0], y = p[1] - q[1], z = v->dim == 3 ? p[2] - q[2] : 0;
    // a little wider than the exact test that follows
    double sum = (v->radius[a] + v->radius[b] + reach) * (1 + 1e-12);
    return x * x + y * y + z * z > sum * sum;
}

// two parts of the neighbour list, and the largest gap between them that counts
typedef struct candidate {
    uint32_t part[2], slot[2];
    double most;
} candidate;

// what a manifold of either dimension gives to the list of contacts
typedef struct found_point {
    const double *point, *normal;
    double gap;
    uint32_t feature;
} found_point;

static inline void append(size_t dim, contact_set *c, const detect_view *v, const candidate *k,
                          const found_point *p)
{
    uint64_t parts = (uint64_t)(k->part[0] - v->part_first[k->slot[0]]) << 44 |
                     (uint64_t)(k->part[1] - v->part_first[k->slot[1]]) << 24;
    size_t i = c->count++;
    c->slot1[i] = k->slot[0];
    c->slot2[i] = k->slot[1];
    c->feature[i] = parts | p->feature;
    for (size_t a = 0; a < dim; a++) {
        c->point[dim * i + a] = p->point[a];
        c->normal[dim * i + a] = p->normal[a];
    }
    c->gap[i] = p->gap;
}

static inline bool make_room(contact_set *c, int count)
{
    size_t need = c->count + (size_t)count;
    return need <= c->capacity || contacts_reserve(c, need + c->count / 32 + 16);
}

// the contacts of one pair of parts in 2D; false: no memory
static inline bool collide2(const detect_view *v, const double *turn, const candidate *k, contact_set *c)
{
    const uint32_t *slot = k->slot;
    manifold m;
    // the usual pair needs nothing but centres and radii
    bool discs = v->lone[slot[0]] && v->lone[slot[1]];
    if (!discs || !collide_discs(&v->q[3 * (size_t)slot[0]], v->radius[slot[0]], &v->q[3 * (size_t)slot[1]],
                                 v->radius[slot[1]], k->most, &m)) {
        placed_part a = place_part(v, &turn[2 * (size_t)slot[0]], k->part[0], slot[0]);
        placed_part b = place_part(v, &turn[2 * (size_t)slot[1]], k->part[1], slot[1]);
        collide_parts(&a, &b, k->most, &m);
    }
    if (m.count > 0 && !make_room(c, m.count))
        return false;
    for (int i = 0; i < m.count; i++) {
        const manifold_point *p = &m.points[i];
        append(2, c, v, k, &(found_point){p->point, m.normal, p->gap, p->feature});
    }
    return true;
}

// the same in 3D
static bool collide3(const detect_view *v, const double *turn, const candidate *k, contact_set *c)
{
    const uint32_t *slot = k->slot;
    manifold3 m;
    bool spheres = v->lone[slot[0]] && v->lone[slot[1]];
    if (!spheres || !collide_spheres(&v->q[7 * (size_t)slot[0]], v->radius[slot[0]],
                                     &v->q[7 * (size_t)slot[1]], v->radius[slot[1]], k->most, &m)) {
        placed3 a = place_solid(v, &turn[9 * (size_t)slot[0]], k->part[0], slot[0]);
        placed3 b = place_solid(v, &turn[9 * (size_t)slot[1]], k->part[1], slot[1]);
        collide_solids(&a, &b, k->most, &m);
    }
    if (m.count > 0 && !make_room(c, m.count))
        return false;
    for (int i = 0; i < m.count; i++) {
        const manifold3_point *p = &m.points[i];
        append(3, c, v, k, &(found_point){p->point, m.normal, p->gap, p->feature});
    }
    return true;
}

static bool collide_pairs(const neighbours *n, const detect_view *v, const double *turn, detect_reach reach,
                          contact_set *c)
{
    c->count = 0;
    for (size_t i = 0; i < n->pairs.count; i++) {
        candidate k = {.part = {(uint32_t)(n->pairs.pair[i] >> 32), (uint32_t)n->pairs.pair[i]}};
        k.slot[0] = n->slot[k.part[0]];
        k.slot[1] = n->slot[k.part[1]];
        k.most = pair_reach(v, k.slot[0], k.slot[1], &reach);
        if (apart(v, k.slot[0], k.slot[1], k.most))
            continue;
        if (!(v->dim == 2 ? collide2(v, turn, &k, c) : collide3(v, turn, &k, c)))
            return false;
    }
    return true;
}

bool detect(const neighbours *n, const detect_view *v, detect_reach reach, contact_set *c, arena *a)
{
    arena_mark mark = arena_here(a);
    size_t numbers = v->dim == 2 ? 2 : 9;
    double *turn = arena_push(a, numbers * v->count, sizeof *turn);
    if (turn == NULL)
        return false;
    for (size_t i = 0; i < v->count; i++)
        body_turn(v, i, &turn[numbers * i]);
    bool ok = collide_pairs(n, v, turn, reach, c);
    arena_back(a, mark);
    return ok;
}
