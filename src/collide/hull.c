/*
 * Hulls against hulls: polygons and segments in any mix, without a limit on vertices.
 *
 * The difference g - f of two convex sets is convex, and the signed distance of f and g is that of the origin
 * to its boundary.  Its edges are the edges of f each with the vertex of g farthest behind it, and the other
 * way round: the facets.  Over all facets, sep is the origin's distance from the facet's line, positive
 * outside.
 *
 *   - overlapping: the distance is the largest sep, and the origin's foot lies in that facet;
 *   - apart, the largest sep's foot in its facet: that is the distance, a vertex over an edge or two edges;
 *   - apart otherwise: the nearest point is a corner, and two vertices are nearest to each other.
 *
 * A segment counts as a polygon of two edges with opposite normals.  Where the difference set has no area
 * (collinear segments) all seps are 0 up to rounding while the parts may be far apart: hence the search of
 * the nearest vertices whenever the foot is not in the facet and sep is not clearly negative.
 *
 * On a facet the edge of f is clipped against the flatter edge of g at the facet's vertex: the ends of the
 * common stretch are the contact points, each at a vertex of one of the two.  Their features do not depend on
 * which of two parallel edges carries the facet, so they do not flicker when rounding decides that.
 */
#include "collide/pair.h"

/* stretch over length within which two vertices count as one place */
static const double SAME_PLACE = 1e-9;
/* how much better, over scale, a facet of g must be than one of f */
static const double PREFER_F = 2e-15;
/* sep over scale below which parts certainly overlap */
static const double OVERLAP = -1e-14;
/* vertices above which it pays to walk instead of trying them all */
#define MANY 12

/* height of a vertex of g over g's first one, n in g's frame */
static inline double rise_of(const pair *k, xy n, uint32_t j)
{
    return n.x * (k->G[2 * (size_t)j] - k->G[0]) + n.y * (k->G[2 * (size_t)j + 1] - k->G[1]);
}

pair_facet hull_facet(const pair *k, uint32_t edge, const pair_edge *e)
{
    /* the normal turned into g's frame instead of all vertices of g into f's */
    xy n = xy_turn(k->c, -k->s, e->normal);
    double low = 0;
    uint32_t vertex = 0;
    for (uint32_t j = 1; j < k->ng; j++) {
        double h = rise_of(k, n, j);
        if (h < low)
            low = h, vertex = j;
    }
    return (pair_facet){xy_dot(e->normal, xy_sub(k->t, e->from)) + low, edge, vertex};
}

/* lowest vertex of g reached from `from` in steps of `step` (1 or ng - 1), until heights rise by more than
 * noise */
static void walk_down(const pair *k, xy n, uint32_t from, uint32_t step, double noise, double *low,
                      uint32_t *vertex)
{
    uint32_t j = from;
    for (uint32_t i = 1; i < k->ng; i++) {
        j = j + step < k->ng ? j + step : j + step - k->ng;
        double h = rise_of(k, n, j);
        if (h > *low + noise)
            return;
        if (h < *low)
            *low = h, *vertex = j;
    }
}

/* as hull_facet, for many vertices: heights along a convex hull fall, then rise, so a walk from a near one
 * suffices */
static pair_facet facet_by_walk(const pair *k, uint32_t edge, const pair_edge *e, uint32_t hint, double noise)
{
    xy n = xy_turn(k->c, -k->s, e->normal);
    double low = rise_of(k, n, hint);
    uint32_t vertex = hint;
    walk_down(k, n, hint, 1, noise, &low, &vertex);
    walk_down(k, n, hint, k->ng - 1, noise, &low, &vertex);
    return (pair_facet){xy_dot(e->normal, xy_sub(k->t, e->from)) + low, edge, vertex};
}

/* the facet of f's edges with the largest sep; stops at the first that is beyond max_gap */
static pair_facet best_facet(const pair *k, double max_gap, double noise)
{
    pair_facet best = {-HUGE_VAL, 0, 0}, facet = best;
    for (uint32_t i = 0; i < k->nf && best.sep <= max_gap; i++) {
        pair_edge e = pair_edge_of_f(k, i);
        facet = k->ng > MANY ? facet_by_walk(k, i, &e, facet.vertex, noise) : hull_facet(k, i, &e);
        if (facet.sep > best.sep)
            best = facet;
    }
    return best;
}

/* largest coordinate of a hull relative to its first vertex */
static double reach(const double *v, uint32_t n)
{
    double r = 0;
    for (size_t i = 1; i < n; i++)
        r = fmax(r, fmax(fabs(v[2 * i] - v[0]), fabs(v[2 * i + 1] - v[1])));
    return r;
}

double hull_scale(const pair *k)
{
    return reach(k->F, k->nf) + reach(k->G, k->ng) + fabs(k->t.x) + fabs(k->t.y);
}

/* ---- clipping ---------------------------------------------------------------------------------------------
 */

uint32_t hull_flatter_neighbour(const pair *k, uint32_t vertex, xy n)
{
    uint32_t next = vertex + 1 < k->ng ? vertex + 1 : 0, before = vertex > 0 ? vertex - 1 : k->ng - 1;
    if (next == before)
        return next;
    xy q = pair_g(k, vertex), a = xy_sub(pair_g(k, next), q), b = xy_sub(pair_g(k, before), q);
    /* the smaller rise per length */
    return xy_dot(n, a) * xy_length(b) <= xy_dot(n, b) * xy_length(a) ? next : before;
}

/* a vertex of g over an edge of f: along it, above it */
typedef struct over {
    xy at;
    double u, h;
    uint32_t vertex;
} over;

static over over_edge(const pair *k, const pair_edge *e, uint32_t j)
{
    xy q = pair_g(k, j), d = xy_sub(q, e->from);
    return (over){q, xy_dot(e->tangent, d), xy_dot(e->normal, d), j};
}

static pair_point point_of_g(const pair_edge *e, const over *q)
{
    return (pair_point){xy_along(q->at, -q->h / 2, e->normal), q->h, q->vertex, true};
}

/* the end of f's edge at u = 0 or u = length, below the edge of g from a to b */
static pair_point point_of_f(const pair_edge *e, double u, uint32_t vertex, const over *a, const over *b)
{
    double part = fmin(1, fmax(0, (u - a->u) / (b->u - a->u))), h = a->h + part * (b->h - a->h);
    return (pair_point){xy_along(xy_along(e->from, u, e->tangent), h / 2, e->normal), h, vertex, false};
}

/* stretch within which two vertices are one place: none that would change a gap by more than tol */
static double tie_of(double length, const over *low, const over *high, double tol)
{
    double width = high->u - low->u, rise = fabs(high->h - low->h), tie = SAME_PLACE * fmin(length, width);
    return tie * rise > tol * width ? tol * width / rise : tie;
}

bool hull_clip(const pair *k, const pair_facet *facet, bool prefer_f, double tol, pair_manifold *m)
{
    pair_edge e = pair_edge_of_f(k, facet->edge);
    over low = over_edge(k, &e, facet->vertex), deepest = low;
    over high = over_edge(k, &e, hull_flatter_neighbour(k, facet->vertex, e.normal));
    if (low.u > high.u) {
        over other = low;
        low = high, high = other;
    }
    double tie = tie_of(e.length, &low, &high, tol) * (prefer_f ? 1 : -1);
    bool low_g = low.u > tie, high_g = high.u < e.length - tie;
    double from = low_g ? low.u : 0, to = high_g ? high.u : e.length;
    m->n = e.normal;
    if (!(from < to)) {
        m->count = 1;
        m->p[0] = point_of_g(&e, &deepest);
        return deepest.u >= -tol && deepest.u <= e.length + tol;
    }
    uint32_t after = facet->edge + 1 < k->nf ? facet->edge + 1 : 0;
    m->count = 2;
    m->p[0] = low_g ? point_of_g(&e, &low) : point_of_f(&e, 0, facet->edge, &low, &high);
    m->p[1] = high_g ? point_of_g(&e, &high) : point_of_f(&e, e.length, after, &low, &high);
    return fmin(m->p[0].gap, m->p[1].gap) <= facet->sep + tol;
}

/* ---- nearest vertices -------------------------------------------------------------------------------------
 */

/* nearest vertex of g to f's edges, kept when nearer than what is there; edges seen from behind do not count
 */
static void nearest_to_edges(const pair *k, bool of_g, double tol, hull_nearest *best)
{
    for (uint32_t i = 0; i < k->nf; i++) {
        pair_edge e = pair_edge_of_f(k, i);
        for (uint32_t j = 0; j < k->ng; j++) {
            over q = over_edge(k, &e, j);
            if (q.h < -tol)
                continue;
            double beyond = q.u < 0 ? q.u : q.u > e.length ? q.u - e.length : 0;
            double distance = beyond == 0 ? fabs(q.h) : sqrt(beyond * beyond + q.h * q.h);
            if (distance < best->distance)
                *best = (hull_nearest){distance, of_g, j, i, q.u < 0 ? 0 : q.u > e.length ? 1 : -1};
        }
    }
}

hull_nearest hull_closest(const pair *k, const pair *flipped, double tol)
{
    hull_nearest best = {.distance = HUGE_VAL, .end = -1};
    nearest_to_edges(k, true, tol, &best);
    nearest_to_edges(flipped, false, tol, &best);
    return best;
}

void hull_vertex_vertex(const pair *k, const hull_nearest *near, pair_manifold *m)
{
    uint32_t n = near->of_g ? k->nf : k->ng, other = (near->edge + (uint32_t)near->end) % n;
    uint32_t i = near->of_g ? other : near->vertex, j = near->of_g ? near->vertex : other;
    xy p = pair_f(k, i), d = xy_sub(pair_g(k, j), p);
    double distance = xy_length(d);
    m->count = 1;
    m->n = (xy){d.x / distance, d.y / distance};
    m->p[0] = (pair_point){xy_along(p, 0.5, d), distance, i, false};
}

/* one point at the nearest vertex, along the normal that is there */
static void touch_at_vertex(const pair *k, const hull_nearest *near, double gap, pair_manifold *m)
{
    xy at = near->of_g ? pair_g(k, near->vertex) : pair_f(k, near->vertex);
    m->count = 1;
    m->p[0] = (pair_point){at, gap, near->vertex, near->of_g};
}

/* ---- the whole --------------------------------------------------------------------------------------------
 */

/* clips on a facet of f or of g; the manifold is k's in both cases */
static bool clip_either(const pair *k, const pair *flipped, const pair_facet *facet, bool of_g, double tol,
                        pair_manifold *m)
{
    if (!of_g)
        return hull_clip(k, facet, true, tol, m);
    bool valid = hull_clip(flipped, facet, false, tol, m);
    pair_manifold_flip(k, m);
    return valid;
}

void collide_hull_hull(const pair *k, double max_gap, pair_manifold *m)
{
    m->count = 0;
    pair flipped = pair_flip(k);
    double scale = hull_scale(k), tol = HULL_ROUNDING * scale;
    pair_facet by_f = best_facet(k, max_gap, tol);
    if (by_f.sep > max_gap)
        return;
    pair_facet by_g = best_facet(&flipped, max_gap, tol);
    if (by_g.sep > max_gap)
        return;
    bool of_g = by_g.sep > by_f.sep + PREFER_F * scale;
    const pair_facet *best = of_g ? &by_g : &by_f;
    if (clip_either(k, &flipped, best, of_g, tol, m) || best->sep < OVERLAP * scale)
        return;
    /* apart, and nearest at vertices; or touching there, where no direction is better than the facet's */
    hull_nearest near = hull_closest(k, &flipped, tol);
    if (near.distance <= tol)
        touch_at_vertex(k, &near, best->sep, m);
    else if (near.end < 0)
        clip_either(k, &flipped, &(pair_facet){near.distance, near.edge, near.vertex}, !near.of_g, tol, m);
    else
        hull_vertex_vertex(k, &near, m);
}
