/* Two placed parts seen from one of them: see pair.h. */
#include "collide/pair.h"

#include "math/two_sum.h"

static const double ORIGIN[2] = {0, 0};

static double sum(double a, double b, double *lost)
{
    return two_difference(a, -b, lost);
}

xy pair_offset_world(const placed_part *f, const double *X, const placed_part *g, const double *Y)
{
    xy x = xy_turn(f->c, f->s, (xy){X[0], X[1]}), y = xy_turn(g->c, g->s, (xy){Y[0], Y[1]});
    double e1, e2, e3, e4, e5, e6;
    double px = two_difference(g->p[0], f->p[0], &e1), vx = two_difference(y.x, x.x, &e2);
    double py = two_difference(g->p[1], f->p[1], &e4), vy = two_difference(y.y, x.y, &e5);
    double sx = sum(px, vx, &e3), sy = sum(py, vy, &e6);
    return (xy){sx + ((e1 + e2) + e3), sy + ((e4 + e5) + e6)};
}

xy pair_offset(const placed_part *f, const double *X, const placed_part *g, const double *Y)
{
    return xy_turn(f->c, -f->s, pair_offset_world(f, X, g, Y));
}

static const double *first_vertex(const placed_part *a)
{
    return a->part->vertex_count > 0 ? a->vertices + 2 * (size_t)a->part->vertex_first : ORIGIN;
}

pair pair_make(const placed_part *f, const placed_part *g)
{
    pair k = {.f = f, .g = g, .F = first_vertex(f), .G = first_vertex(g)};
    k.nf = f->part->vertex_count;
    k.ng = g->part->vertex_count;
    k.t = pair_offset(f, k.F, g, k.G);
    k.c = f->c * g->c + f->s * g->s;
    k.s = f->c * g->s - f->s * g->c;
    return k;
}

pair pair_flip(const pair *k)
{
    xy t = xy_turn(k->c, -k->s, k->t);
    return (pair){k->g, k->f, k->G, k->F, k->ng, k->nf, {-t.x, -t.y}, k->c, -k->s};
}

void pair_manifold_flip(const pair *k, pair_manifold *m)
{
    xy n = xy_turn(k->c, k->s, m->n);
    m->n = (xy){-n.x, -n.y};
    for (int i = 0; i < m->count; i++) {
        m->p[i].at = xy_along(k->t, 1, xy_turn(k->c, k->s, m->p[i].at));
        m->p[i].of_g = !m->p[i].of_g;
    }
}

void pair_manifold_limit(pair_manifold *m, double max_gap)
{
    int n = 0;
    for (int i = 0; i < m->count; i++)
        if (m->p[i].gap <= max_gap)
            m->p[n++] = m->p[i];
    m->count = n;
}

/* ---- order ------------------------------------------------------------------------------------------------
 */

/* whose frame is used: half-planes, then chains, segments, polygons, discs */
static int rank_of(const mo_part *part)
{
    switch (part->kind) {
    case MO_PART_HALFPLANE:
        return 0;
    case MO_PART_SEGMENT:
        return part->link.chain.before >= 0 || part->link.chain.after >= 0 ? 1 : 2;
    case MO_PART_POLYGON:
        return 3;
    default: // a disc
        break;
    }
    return 4;
}

static int compare(double a, double b)
{
    return (a > b) - (a < b);
}

static int compare_vertices(const placed_part *a, const placed_part *b)
{
    const double *x = first_vertex(a), *y = first_vertex(b);
    int order = 0;
    for (size_t i = 0; i < 2 * (size_t)a->part->vertex_count && order == 0; i++)
        order = compare(x[i], y[i]);
    return order;
}

/* parts at the very same place: by what they are */
static int compare_alike(const placed_part *a, const placed_part *b)
{
    int order =
        (a->part->vertex_count > b->part->vertex_count) - (a->part->vertex_count < b->part->vertex_count);
    if (order == 0)
        order = compare(a->part->radius, b->part->radius);
    if (order == 0)
        order = compare(a->c, b->c);
    if (order == 0)
        order = compare(a->s, b->s);
    return order != 0 ? order : compare_vertices(a, b);
}

int pair_order(const placed_part *a, const placed_part *b)
{
    int order = rank_of(a->part) - rank_of(b->part);
    if (order != 0)
        return order;
    /* along a direction that no usual arrangement is perpendicular to, so that resting bodies keep their
     * order */
    double dx = a->p[0] - b->p[0], dy = a->p[1] - b->p[1];
    order = compare(0.3420736 * dx + 0.9396765 * dy, 0);
    return order != 0 ? order : compare_alike(a, b);
}
