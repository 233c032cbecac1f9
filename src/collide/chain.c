/*
 * Chains: a row of segments must feel like one surface, without contacts that no single surface would have.
 *
 * Every segment of a chain knows the far ends of its neighbours and can work out, with the same arithmetic as
 * they do, what they see; so each contact has exactly one owner without any communication.  With a joint B
 * between an earlier segment S = AB and a later one N = BC, and a side of the chain from which it is touched,
 * the joint is flat (turn below 1e-9), convex (the chain bends away from the side) or concave.
 *
 * Points (disc centres, corners of polygons), by their projections on S and N:
 *
 *   - over one of the two only: that one's, with its straight normal;
 *
 *   - over neither: S's.  At a flat joint (where this is rounding) with S's straight normal; at a convex one
 *     with the direction from B.  At a concave one the point is behind both, and both have it, each with its
 *     own straight normal;
 *
 *   - over both: at a flat joint (rounding again) S's alone, else both have it: a concave joint is touched
 *     twice.
 *
 * Vertices of the chain against edges of polygons: a joint belongs to the segment before it and makes contact
 * only where it is convex and only along normals in its cone { v : v.(A - B) <= 0, v.(C - B) <= 0 }; a flat
 * joint never does.  Ends of the chain are ordinary vertices.
 *
 * Hence a rectangle that slides on a flat chain meets vertical normals only, whatever its overlap, and has
 * exactly its own corners as contacts, as on one long segment.  Of two chains, the one that is f (pair_order)
 * follows these rules and the other's segments count as separate.
 *
 * A polygon's contact with one segment is the best of: the straight normal on the side that needs the smaller
 * translation; edges of the polygon against the segment's vertices; two vertices.
 */
#include "collide/chain.h"

/* sine of the turn below which a joint is flat */
static const double FLAT = 1e-9;
/* slope below which an edge counts as parallel to the segment, and slack of a joint's cone */
static const double PARALLEL = 1e-7;

static const double *vertex_of(const placed_part *f, int32_t index)
{
    return f->vertices + 2 * (size_t)index;
}

typedef enum joint_kind { JOINT_CONCAVE = -1, JOINT_FLAT = 0, JOINT_CONVEX = 1 } joint_kind;

/* the joint B of AB and BC, touched from the left (side > 0) or the right of AB */
static joint_kind kind_of_joint(const double *A, const double *B, const double *C, double side)
{
    xy e = {B[0] - A[0], B[1] - A[1]}, d = {C[0] - B[0], C[1] - B[1]};
    double turn = xy_cross(e, d);
    /* a chain that folds back has a real vertex on both sides */
    if (fabs(turn) <= FLAT * xy_length(e) * xy_length(d))
        return xy_dot(e, d) > 0 ? JOINT_FLAT : JOINT_CONVEX;
    return turn * side > 0 ? JOINT_CONCAVE : JOINT_CONVEX;
}

/* projection of a vertex Y of g on the segment AB of f's chain, over the square of its length: the same bits
   whichever segment asks */
static void project(const pair *k, const double *A, const double *B, const double *Y, bool *before,
                    bool *beyond)
{
    xy e = {B[0] - A[0], B[1] - A[1]};
    double u = xy_dot(pair_offset(k->f, A, k->g, Y), e);
    *before = u <= 0;
    *beyond = u >= xy_dot(e, e);
}

/* the point is not before the first vertex A = F[0] of the segment unless `before` */
static chain_place place_at_start(const pair *k, const double *Y, double side, bool before)
{
    if (k->f->part->link.chain.before < 0)
        return before ? CHAIN_START : CHAIN_FACE;
    const double *Z = vertex_of(k->f, k->f->part->link.chain.before);
    bool ignored, beyond;
    project(k, Z, k->F, Y, &ignored, &beyond);
    joint_kind joint = kind_of_joint(Z, k->F, k->F + 2, side);
    if (before)
        return beyond && joint == JOINT_CONCAVE ? CHAIN_FACE : CHAIN_NOT;
    return !beyond && joint == JOINT_FLAT ? CHAIN_NOT : CHAIN_FACE;
}

static chain_place place_at_end(const pair *k, const double *Y, double side, bool beyond)
{
    if (!beyond)
        return CHAIN_FACE;
    if (k->f->part->link.chain.after < 0)
        return CHAIN_END;
    const double *C = vertex_of(k->f, k->f->part->link.chain.after);
    bool before, ignored;
    project(k, k->F + 2, C, Y, &before, &ignored);
    if (!before)
        return CHAIN_NOT;
    return kind_of_joint(k->F, k->F + 2, C, side) == JOINT_CONVEX ? CHAIN_END : CHAIN_FACE;
}

chain_point chain_locate(const pair *k, uint32_t j, double side)
{
    const double *Y = k->G + 2 * (size_t)j;
    xy b = pair_f(k, 1);
    double length = xy_length(b);
    chain_point q = {.at = pair_offset(k->f, k->F, k->g, Y)};
    double u = xy_dot(q.at, b);
    q.u = u / length;
    q.h = xy_cross(b, q.at) / length;
    if (side == 0)
        side = q.h < 0 ? -1 : 1;
    bool before = u <= 0, beyond = u >= xy_dot(b, b);
    q.place = before ? place_at_start(k, Y, side, true) : place_at_end(k, Y, side, beyond);
    /* away from both ends' outside, the start may still claim the point for the segment before */
    if (!before && q.place != CHAIN_NOT && place_at_start(k, Y, side, false) == CHAIN_NOT)
        q.place = CHAIN_NOT;
    return q;
}

/* ---- polygons over a segment ------------------------------------------------------------------------------
 */

/* an end of the segment that is a vertex of the chain's surface on that side, and this segment's */
static bool real_end(const pair *k, uint32_t end, double side)
{
    if (end == 0)
        return k->f->part->link.chain.before < 0;
    if (k->f->part->link.chain.after < 0)
        return true;
    return kind_of_joint(k->F, k->F + 2, vertex_of(k->f, k->f->part->link.chain.after), side) == JOINT_CONVEX;
}

static void put(pair_manifold *m, xy surface, double gap, uint32_t vertex, bool of_g)
{
    if (m->count < 2)
        m->p[m->count++] =
            (pair_point){xy_along(surface, of_g ? -gap / 2 : gap / 2, m->n), gap, vertex, of_g};
}

/* ends of the segment below the edge of g between a and b; raised heights h are on the touched side */
static void put_ends(const pair *k, double side, double length, double tol, const chain_point *a,
                     const chain_point *b, pair_manifold *m)
{
    const double at[2] = {0, length};
    for (uint32_t end = 0; end < 2; end++) {
        if (!(a->u < at[end] - tol && at[end] + tol < b->u) || !real_end(k, end, side))
            continue;
        double part = (at[end] - a->u) / (b->u - a->u);
        put(m, pair_f(k, end), side * (a->h + part * (b->h - a->h)), end, false);
    }
}

/* contacts along the straight normal of one side: the polygon's lowest vertex there and the flatter edge at
 * it */
static void chain_face(const pair *k, double side, uint32_t lowest, double max_gap, double tol,
                       pair_manifold *m)
{
    xy b = pair_f(k, 1);
    double length = xy_length(b);
    m->n = (xy){-side * b.y / length, side * b.x / length};
    m->count = 0;
    uint32_t vertex[2] = {lowest, hull_flatter_neighbour(k, lowest, m->n)};
    chain_point q[2];
    for (int i = 0; i < 2; i++) {
        q[i] = chain_locate(k, vertex[i], side);
        /* a vertex on the segment's own end is over it */
        if ((q[i].place == CHAIN_START && q[i].u >= -tol) ||
            (q[i].place == CHAIN_END && q[i].u <= length + tol))
            q[i].place = CHAIN_FACE;
        if (q[i].place == CHAIN_FACE && side * q[i].h <= max_gap)
            put(m, q[i].at, side * q[i].h, vertex[i], true);
    }
    bool parallel = fabs(q[1].h - q[0].h) <= PARALLEL * fabs(q[1].u - q[0].u);
    /* the segment's own vertices join corners that touch, or stand alone under a parallel edge */
    if (m->count > 0 || parallel)
        put_ends(k, side, length, tol, q[0].u <= q[1].u ? &q[0] : &q[1], q[0].u <= q[1].u ? &q[1] : &q[0], m);
    pair_manifold_limit(m, max_gap);
}

/* middle of g's vertices as seen from a point of f's frame */
static xy middle_from(const pair *k, const double *A)
{
    xy sum = {0, 0};
    for (uint32_t j = 0; j < k->ng; j++)
        sum = xy_along(sum, 1.0 / k->ng, pair_offset(k->f, A, k->g, k->G + 2 * (size_t)j));
    return sum;
}

/* is the middle of g on that side of the segment from A to B of the chain? */
static bool middle_on_side(const pair *k, const double *A, const double *B, double side)
{
    xy e = {B[0] - A[0], B[1] - A[1]};
    return side * xy_cross(e, middle_from(k, A)) > 0;
}

/*
 * A part that overlaps the finite segment a little may still be cut in two by its line, and then the side
 * that needs the smaller translation can be the wrong one.  A side is right when the part's middle is on it,
 * and in a concave joint also on that side of the neighbour.
 */
static bool side_is_right(const pair *k, double side)
{
    const double *A = k->F, *B = k->F + 2;
    int32_t before = k->f->part->link.chain.before, after = k->f->part->link.chain.after;
    if (!middle_on_side(k, A, B, side))
        return false;
    if (before >= 0 && kind_of_joint(vertex_of(k->f, before), A, B, side) == JOINT_CONCAVE &&
        !middle_on_side(k, vertex_of(k->f, before), A, side))
        return false;
    return !(after >= 0 && kind_of_joint(A, B, vertex_of(k->f, after), side) == JOINT_CONCAVE &&
             !middle_on_side(k, B, vertex_of(k->f, after), side));
}

static double least_gap(const pair_manifold *m)
{
    double gap = m->count > 0 ? m->p[0].gap : -HUGE_VAL;
    return m->count > 1 ? fmin(gap, m->p[1].gap) : gap;
}

/* ---- edges of the polygon over the segment's vertices
 * ------------------------------------------------------ */

/* may a vertex of the segment make contact along v (toward g)? */
static bool admissible(const pair *k, uint32_t end, xy v)
{
    xy b = pair_f(k, 1);
    double side = xy_cross(b, v) < 0 ? -1 : 1;
    if (!real_end(k, end, side))
        return false;
    if (end == 0 || k->f->part->link.chain.after < 0)
        return true;
    const double *B = k->F + 2, *C = vertex_of(k->f, k->f->part->link.chain.after);
    xy d = {C[0] - B[0], C[1] - B[1]};
    return xy_dot(v, d) <= PARALLEL * xy_length(d);
}

/* keeps the points that are this segment's */
static void keep_own(const pair *k, pair_manifold *m)
{
    double side = xy_cross(pair_f(k, 1), m->n) < 0 ? -1 : 1;
    int n = 0;
    for (int i = 0; i < m->count; i++) {
        bool own = m->p[i].of_g ? chain_locate(k, m->p[i].vertex, side).place == CHAIN_FACE
                                : admissible(k, m->p[i].vertex, m->n);
        if (own)
            m->p[n++] = m->p[i];
    }
    m->count = n;
}

/* the best facet of g's edges whose vertex of the segment may make contact; all seps go into *sep */
static double chain_vertex(const pair *k, const pair *flipped, double max_gap, double tol, double *sep,
                           pair_manifold *m)
{
    double best = -HUGE_VAL;
    m->count = 0;
    for (uint32_t i = 0; i < flipped->nf && *sep <= max_gap; i++) {
        pair_edge e = pair_edge_of_f(flipped, i);
        pair_facet facet = hull_facet(flipped, i, &e);
        *sep = fmax(*sep, facet.sep);
        xy n = xy_turn(k->c, k->s, e.normal), v = {-n.x, -n.y};
        if (facet.sep <= best || facet.sep > max_gap || !admissible(k, facet.vertex, v))
            continue;
        pair_manifold here;
        if (!hull_clip(flipped, &facet, true, tol, &here))
            continue;
        pair_manifold_flip(k, &here);
        keep_own(k, &here);
        if (here.count > 0) {
            best = facet.sep;
            *m = here;
        }
    }
    return best;
}

/* is a vertex of the segment within g, and nearer to the edge it makes contact with than g's middle is? */
static bool vertex_is_right(const pair *k, const pair *flipped, const pair_manifold *m, double tol)
{
    uint32_t end = m->p[m->count > 1 && m->p[0].of_g ? 1 : 0].vertex;
    xy at = pair_g(flipped, end);
    for (uint32_t i = 0; i < flipped->nf; i++) {
        pair_edge e = pair_edge_of_f(flipped, i);
        if (xy_dot(e.normal, xy_sub(at, e.from)) > tol)
            return false;
    }
    return xy_dot(m->n, middle_from(k, k->F + 2 * (size_t)end)) > 0;
}

/* two vertices, when nearer than `gap` and the segment's may make contact in that direction */
static void chain_vertex_vertex(const pair *k, const pair *flipped, double gap, double tol, pair_manifold *m)
{
    hull_nearest near = hull_closest(k, flipped, tol);
    if (near.end < 0 || !(near.distance < gap) || near.distance <= tol)
        return;
    pair_manifold here;
    hull_vertex_vertex(k, &near, &here);
    uint32_t own = here.p[0].vertex;
    uint32_t other = near.of_g ? near.vertex : (near.edge + (uint32_t)near.end) % k->ng;
    chain_place place = chain_locate(k, other, 0).place;
    if (place == (own == 0 ? CHAIN_START : CHAIN_END))
        *m = here;
}

/* ---- the whole --------------------------------------------------------------------------------------------
 */

void collide_chain_hull(const pair *k, double max_gap, pair_manifold *m)
{
    m->count = 0;
    /* the two straight normals: edge 0 of the segment looks to its right, edge 1 to its left */
    pair_edge right = pair_edge_of_f(k, 0), left = pair_edge_of_f(k, 1);
    pair_facet below = hull_facet(k, 0, &right), above = hull_facet(k, 1, &left);
    double sep = fmax(below.sep, above.sep);
    if (sep > max_gap)
        return;
    double tol = HULL_ROUNDING * hull_scale(k);
    pair flipped = pair_flip(k);
    pair_manifold face, vertex;
    double by_vertex = chain_vertex(k, &flipped, max_gap, tol, &sep, &vertex);
    if (sep > max_gap)
        return;
    /* no contact is nearer than the parts are; one deeper than another direction says needs a second look */
    if (vertex.count > 0 && by_vertex < sep - tol &&
        (sep > tol || !vertex_is_right(k, &flipped, &vertex, tol)))
        vertex.count = 0;
    double side = above.sep >= below.sep ? 1 : -1;
    chain_face(k, side, side > 0 ? above.vertex : below.vertex, max_gap, tol, &face);
    if (face.count > 0 && least_gap(&face) < sep - tol && (sep > tol || !side_is_right(k, side)))
        face.count = 0;
    *m = face;
    if (vertex.count > 0 && by_vertex > least_gap(&face) + tol)
        *m = vertex;
    /* apart, and what was found is not the distance: two vertices may be nearer */
    double gap = m->count > 0 ? least_gap(m) : HUGE_VAL;
    if (sep > 0 && gap > sep + tol)
        chain_vertex_vertex(k, &flipped, gap, tol, m);
}
