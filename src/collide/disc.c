/*
 * Discs against everything: a centre's distance minus the radius.
 *
 * Normals at a distance of 0, where geometry gives none: (0, 1) from the later to the earlier of two discs
 * (pair_order), the left of a segment, the edge's own normal in a polygon.
 */
#include "collide/chain.h"
#include "collide/pair.h"

static xy world_of(const placed_part *a)
{
    const double *v = a->vertices + 2 * (size_t)a->part->vertex_first;
    xy x = xy_turn(a->c, a->s, (xy){v[0], v[1]});
    return (xy){a->p[0] + x.x, a->p[1] + x.y};
}

/* centres and the vector from b's to a's */
typedef struct disc_pair {
    xy a, b, d;
} disc_pair;

/* every step here is the same, or the same with opposite signs, when a and b are swapped; false: the centres
 * coincide */
static bool discs_meet(const disc_pair *k, double ra, double rb, double max_gap, manifold *out)
{
    double reach = ra + rb + max_gap, square = xy_dot(k->d, k->d);
    out->count = 0;
    /* a cheap test first, with room for rounding and for squares that underflow */
    if (square > 1e-280 && square > reach * reach * (1 + 1e-12) && reach > 0)
        return true;
    double distance = square > 1e-280 ? sqrt(square) : hypot(k->d.x, k->d.y), gap = distance - (ra + rb);
    if (gap > max_gap)
        return true;
    xy n = {k->d.x / distance, k->d.y / distance};
    out->count = 1;
    out->normal[0] = n.x;
    out->normal[1] = n.y;
    out->points[0] = (manifold_point){{0.5 * ((k->a.x - n.x * ra) + (k->b.x + n.x * rb)),
                                       0.5 * ((k->a.y - n.y * ra) + (k->b.y + n.y * rb))},
                                      gap,
                                      0};
    return distance > 0;
}

void collide_disc_disc(const placed_part *a, const placed_part *b, double max_gap, manifold *out)
{
    double ra = a->part->radius, rb = b->part->radius;
    const double *va = a->vertices + 2 * (size_t)a->part->vertex_first;
    const double *vb = b->vertices + 2 * (size_t)b->part->vertex_first;
    /* discs at their body's centre need no turning, and their difference is rounded once */
    bool centred = va[0] == 0 && va[1] == 0 && vb[0] == 0 && vb[1] == 0;
    disc_pair k = {world_of(a), world_of(b),
                   centred ? (xy){a->p[0] - b->p[0], a->p[1] - b->p[1]} : pair_offset_world(b, vb, a, va)};
    if (discs_meet(&k, ra, rb, max_gap, out))
        return;
    /* no normal follows from geometry */
    out->normal[0] = 0;
    out->normal[1] = pair_order(a, b) <= 0 ? 1 : -1;
    for (int i = 0; i < 2; i++) {
        double n = out->normal[i], ca = i == 0 ? k.a.x : k.a.y, cb = i == 0 ? k.b.x : k.b.y;
        out->points[0].point[i] = 0.5 * ((ca - n * ra) + (cb + n * rb));
    }
}

/* the one point of a disc g whose centre is `distance` away from f along n */
static void put_disc(const pair *k, xy centre, xy n, double distance, pair_manifold *m)
{
    double r = k->g->part->radius;
    m->count = 1;
    m->n = n;
    m->p[0] = (pair_point){xy_along(centre, -(distance + r) / 2, n), distance - r, 0, true};
}

/* what the edges seen so far say about a disc's centre */
typedef struct nearest {
    double square;   /* of the distance to the nearest edge that faces the centre, infinite when none does */
    double distance; /* its root where the foot is within that edge, else < 0 */
    xy from;         /* nearest vertex to centre, or that edge's normal */
    double height;   /* largest over an edge's line ... */
    xy edge_normal;  /* ... and that edge's normal */
} nearest;

static void see_edge(const pair *k, uint32_t i, nearest *best)
{
    pair_edge e = pair_edge_of_f(k, i);
    xy d = xy_sub(k->t, e.from);
    double h = xy_dot(e.normal, d), u = xy_dot(e.tangent, d);
    double beyond = u < 0 ? u : u > e.length ? u - e.length : 0, square = beyond * beyond + h * h;
    if (h > best->height) {
        best->height = h;
        best->edge_normal = e.normal;
    }
    if (h > 0 && square < best->square) {
        best->square = square;
        best->distance = beyond == 0 ? h : -1;
        best->from = beyond == 0 ? e.normal : u < 0 ? d : xy_sub(k->t, pair_f(k, i + 1 < k->nf ? i + 1 : 0));
    }
}

void collide_polygon_disc(const pair *k, double max_gap, pair_manifold *m)
{
    nearest best = {.square = HUGE_VAL, .height = -HUGE_VAL};
    double reach = k->g->part->radius + max_gap;
    m->count = 0;
    for (uint32_t i = 0; i < k->nf && best.height <= reach; i++)
        see_edge(k, i, &best);
    if (best.height > reach)
        return;
    double distance = best.height > 0 ? best.distance : best.height;
    xy n = best.height > 0 ? best.from : best.edge_normal;
    if (distance < 0 && best.height > 0) {
        distance = xy_length(best.from);
        n = distance > 0 ? (xy){n.x / distance, n.y / distance} : best.edge_normal;
    }
    put_disc(k, k->t, n, distance, m);
}

void collide_segment_disc(const pair *k, double max_gap, pair_manifold *m)
{
    xy b = pair_f(k, 1);
    double length = xy_length(b);
    m->count = 0;
    if (fabs(xy_cross(b, k->t)) > length * (k->g->part->radius + max_gap))
        return;
    chain_point q = chain_locate(k, 0, 0);
    double side = q.h < 0 ? -1 : 1;
    xy n = {-side * b.y / length, side * b.x / length};
    if (q.place == CHAIN_NOT)
        return;
    if (q.place == CHAIN_FACE) {
        put_disc(k, q.at, n, fabs(q.h), m);
        return;
    }
    xy d = q.place == CHAIN_START ? q.at : xy_sub(q.at, b);
    double distance = xy_length(d);
    if (distance > 0)
        n = (xy){d.x / distance, d.y / distance};
    put_disc(k, q.at, n, distance, m);
}
