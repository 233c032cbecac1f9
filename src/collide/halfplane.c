/*
 * Half-planes: the gap of a vertex is its height n.x - offset over the boundary line.
 */
#include "collide/pair.h"

/* height of g's first vertex: f's frame starts at its origin */
static double first_height(const pair *k, xy n)
{
    return xy_dot(n, k->t) - k->f->part->offset;
}

static xy normal_of(const pair *k)
{
    return (xy){k->f->part->normal[0], k->f->part->normal[1]};
}

static void put_point(pair_manifold *m, xy at, double height, double gap, uint32_t vertex)
{
    m->p[m->count++] = (pair_point){xy_along(at, gap / 2 - height, m->n), gap, vertex, true};
}

void collide_halfplane_disc(const pair *k, double max_gap, pair_manifold *m)
{
    m->n = normal_of(k);
    m->count = 0;
    double height = first_height(k, m->n), gap = height - k->g->part->radius;
    if (gap <= max_gap)
        put_point(m, k->t, height, gap, 0);
}

/* height of a vertex of g: n turned into g's frame, so that only differences of vertices are multiplied */
static double height_of(const pair *k, double h0, xy n_g, uint32_t j)
{
    const double *v = k->G + 2 * (size_t)j;
    return h0 + xy_dot(n_g, (xy){v[0] - k->G[0], v[1] - k->G[1]});
}

/* the lowest vertex and the lower of its neighbours */
void collide_halfplane_hull(const pair *k, double max_gap, pair_manifold *m)
{
    m->n = normal_of(k);
    m->count = 0;
    xy n_g = xy_turn(k->c, -k->s, m->n);
    double h0 = first_height(k, m->n), low = HUGE_VAL;
    uint32_t j = 0;
    for (uint32_t i = 0; i < k->ng; i++) {
        double h = height_of(k, h0, n_g, i);
        if (h < low)
            low = h, j = i;
    }
    if (low > max_gap)
        return;
    uint32_t next = j + 1 < k->ng ? j + 1 : 0, before = j > 0 ? j - 1 : k->ng - 1;
    double h_next = height_of(k, h0, n_g, next), h_before = height_of(k, h0, n_g, before);
    uint32_t second = h_next <= h_before ? next : before;
    double h_second = fmin(h_next, h_before);
    /* a joint of a chain is the earlier segment's */
    bool skip_first = k->g->part->link.chain.before >= 0;
    if (!(skip_first && j == 0))
        put_point(m, pair_g(k, j), low, low, j);
    if (h_second <= max_gap && !(skip_first && second == 0))
        put_point(m, pair_g(k, second), h_second, h_second, second);
}
