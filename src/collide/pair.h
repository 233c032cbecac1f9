/*
 * Two placed parts seen from one of them: what the routines for each pair of kinds share.
 *
 * f is the part whose own frame everything is computed in, g the other.  Coordinates are those of f's frame
 * relative to f's first vertex F[0], so that gaps carry the rounding of the shapes' size, not of where they
 * are in the world. A vertex of g is t + R (G[j] - G[0]).  Normals in here point from f to g.
 */
#ifndef COLLIDE_PAIR_H
#define COLLIDE_PAIR_H

#include <math.h>

#include "collide/manifold.h"

typedef struct xy {
    double x, y;
} xy;

static inline xy xy_sub(xy a, xy b)
{
    return (xy){a.x - b.x, a.y - b.y};
}

/* a + k b */
static inline xy xy_along(xy a, double k, xy b)
{
    return (xy){a.x + k * b.x, a.y + k * b.y};
}

static inline double xy_dot(xy a, xy b)
{
    return a.x * b.x + a.y * b.y;
}

static inline double xy_cross(xy a, xy b)
{
    return a.x * b.y - a.y * b.x;
}

static inline double xy_length(xy a)
{
    return sqrt(a.x * a.x + a.y * a.y);
}

/* R(c, s) a */
static inline xy xy_turn(double c, double s, xy a)
{
    return (xy){c * a.x - s * a.y, s * a.x + c * a.y};
}

typedef struct pair {
    const placed_part *f, *g;
    const double *F, *G; /* first vertex of each; a half-plane's is the origin */
    uint32_t nf, ng;     /* vertices of each */
    xy t;                /* g's first vertex */
    double c, s;         /* R: from g's frame to f's */
} pair;

/* Point of contact in f's frame relative to F[0]. */
typedef struct pair_point {
    xy at; /* midway between the surfaces */
    double gap;
    uint32_t vertex; /* the vertex that makes the contact ... */
    bool of_g;       /* ... and whose it is */
} pair_point;

typedef struct pair_manifold {
    int count;
    xy n; /* unit, from f to g */
    pair_point p[2];
} pair_manifold;

/* The pair seen from f; vertices are looked up, not copied. */
pair pair_make(const placed_part *f, const placed_part *g);
/* The same pair seen from g. */
pair pair_flip(const pair *k);
/* Turns a manifold computed in the flipped pair into one of k. */
void pair_manifold_flip(const pair *k, pair_manifold *m);
/* Drops points with gap > max_gap. */
void pair_manifold_limit(pair_manifold *m, double max_gap);

/*
 * The vector from the point X of f's frame to the point Y of g's, in f's axes: exact differences are summed
 * with their rounding errors, so that it is accurate relative to its own length as far as the rotations
 * allow, and swapping the parts gives the opposite bits before the turn into f's axes.
 */
xy pair_offset_world(const placed_part *f, const double *X, const placed_part *g, const double *Y);
xy pair_offset(const placed_part *f, const double *X, const placed_part *g, const double *Y);

static inline xy pair_f(const pair *k, uint32_t i)
{
    return (xy){k->F[2 * (size_t)i] - k->F[0], k->F[2 * (size_t)i + 1] - k->F[1]};
}

static inline xy pair_g(const pair *k, uint32_t j)
{
    xy d = {k->G[2 * (size_t)j] - k->G[0], k->G[2 * (size_t)j + 1] - k->G[1]};
    return xy_along(k->t, 1, xy_turn(k->c, k->s, d));
}

/* an edge of f: from vertex i to the next, with unit tangent and outward unit normal */
typedef struct pair_edge {
    xy from, tangent, normal;
    double length;
} pair_edge;

static inline pair_edge pair_edge_of_f(const pair *k, uint32_t i)
{
    xy a = pair_f(k, i), d = xy_sub(pair_f(k, i + 1 < k->nf ? i + 1 : 0), a);
    double length = xy_length(d);
    xy e = {d.x / length, d.y / length};
    return (pair_edge){a, e, {e.y, -e.x}, length};
}

/* ---- one routine per pair of kinds; f first; points with gap > max_gap may be left out but need not be
 * ------- */

void collide_disc_disc(const placed_part *a, const placed_part *b, double max_gap, manifold *out);
void collide_polygon_disc(const pair *k, double max_gap, pair_manifold *m);
void collide_segment_disc(const pair *k, double max_gap, pair_manifold *m);
void collide_halfplane_disc(const pair *k, double max_gap, pair_manifold *m);
void collide_halfplane_hull(const pair *k, double max_gap, pair_manifold *m);
void collide_hull_hull(const pair *k, double max_gap, pair_manifold *m);
void collide_chain_hull(const pair *k, double max_gap, pair_manifold *m);

/* Order of two parts that does not depend on how they were passed: < 0 when a comes first, 0 when they are
 * alike. */
int pair_order(const placed_part *a, const placed_part *b);

/* ---- pieces of the hull routine that the chain's shares (hull.c) ------------------------------------------
 */

/* an edge of f with the vertex of g that is farthest behind it */
typedef struct pair_facet {
    double sep; /* distance of that vertex from the edge's line, > 0 outside */
    uint32_t edge, vertex;
} pair_facet;

/* The facet of one edge. */
pair_facet hull_facet(const pair *k, uint32_t edge, const pair_edge *e);
/* Of the two edges of g at a vertex, the one that lies flatter on the direction n: the vertex at its other
 * end. */
uint32_t hull_flatter_neighbour(const pair *k, uint32_t vertex, xy n);
/* Points of contact on a facet. True when the facet's least gap is attained within both edges up to tol, i.e.
   when the facet carries the distance of the parts.  prefer_f: whose vertex stands for a place where both
   have one. */
bool hull_clip(const pair *k, const pair_facet *facet, bool prefer_f, double tol, pair_manifold *m);

/* the nearest vertex of one hull and edge of the other, of hulls that are apart */
typedef struct hull_nearest {
    double distance;
    bool of_g;             /* the vertex is g's */
    uint32_t vertex, edge; /* edge of the other hull */
    int end;               /* -1: within the edge; else 0 or 1: at that end of it */
} hull_nearest;

hull_nearest hull_closest(const pair *k, const pair *flipped, double tol);
/* Length that rounding errors of the pair refer to. */
double hull_scale(const pair *k);
/* The manifold of two vertices at a distance > 0: one point, its normal along the line between them. */
void hull_vertex_vertex(const pair *k, const hull_nearest *near, pair_manifold *m);

/* rounding allowed in a gap, over hull_scale */
#define HULL_ROUNDING 1e-15

#endif
