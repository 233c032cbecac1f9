/*
 * Points of contact along a direction n: the corners of what two features share, seen along n.
 *
 * Face on face: the polygon of one is cut by the sides of the other (Sutherland & Hodgman, Comm. ACM 17
 * (1974) 32-42); each corner has its own gap, measured along n between the two faces.  A corner is a vertex
 * of either or the crossing of two edges.  Where a vertex of g lies on a side of f's face to within a small
 * tie, it stands for the place, whichever of the two faces is the one that is cut: hence features do not
 * flicker where rounding decides which of two parallel faces carries the distance.  The tie never changes a
 * gap by more than rounding, and the distance is one that holds without it.
 *
 * Edge on face: the ends of the stretch over the face.  Edges along each other: the ends of the common
 * stretch.  Edges that cross, and vertices: one point.  Faces of more than CORNERS corners are thinned out.
 */
#include "collide/pair3.h"

enum { CORNERS = 64 };
/* tie over the shortest edge of the two polygons */
static const double SAME_PLACE = 1e-10;
/* sideways distance over length up to which edges can be said to lie along each other */
static const double ALONG = 0.1;
/* difference in height over rounding up to which points are level */
static const double LEVEL = 64;
/* distance over scale up to which support features meet */
static const double WITNESS = 1e-9;

/* a corner of the polygon that is being cut, and the edge that follows it */
typedef struct corner {
    v3 at;
    uint32_t vertex; /* of the cut part, NO_VERTEX: none */
    bool by_cutter;  /* the edge that follows is one of the cutter's */
    uint32_t edge;   /* corner of its own polygon that the edge starts from */
} corner;

typedef struct polygon {
    int count;
    corner c[2 * CORNERS + 2];
} polygon;

void patch_put(const pair3 *k, patch3 *m, v3 x, bool on_g, double height, owner3 owner, uint32_t p,
               uint32_t q)
{
    double gap = height - k->r;
    /* midway: from f's point by its radius and half the gap, from g's back */
    v3 at = on_g ? v3_along(x, -(k->g.r + 0.5 * gap), m->n) : v3_along(x, k->f.r + 0.5 * gap, m->n);
    if (m->count < PATCH_MAX)
        m->p[m->count++] = (point3){at, gap, owner, p, q};
    m->least = fmin(m->least, gap);
}

/* two faces as cutter and cut; `of_g` says that the cutter is g's */
typedef struct cutting {
    const view3 *cutter, *cut;
    const feature3 *a, *b;
    bool of_g;
    v3 up; /* from the cutter's face to the cut part */
    double tie;
    double more[3]; /* how far the face goes on beyond its sides, where it is a triangle of a mesh */
} cutting;

/* how far beyond side i a corner may be, to count */
static double reach_of(const cutting *t, int i)
{
    return t->tie + (t->a->count == 3 ? t->more[i] : 0);
}

/* every so many corners of a face are used */
static int stride_of(const feature3 *a)
{
    return (a->count + CORNERS - 1) / CORNERS;
}

static int used_corners(const feature3 *a)
{
    int stride = stride_of(a);
    return (a->count + stride - 1) / stride;
}

static double shortest_edge(const view3 *s, const feature3 *a)
{
    double least = HUGE_VAL;
    int n = used_corners(a), stride = stride_of(a);
    for (int i = 0; i < n; i++) {
        v3 d = v3_sub(feature_corner(s, a, (i + 1) % n * stride), feature_corner(s, a, i * stride));
        least = fmin(least, v3_dot(d, d));
    }
    return sqrt(least);
}

/* height of a point over the cutter's face, along up */
static double height_over(const cutting *t, v3 x)
{
    v3 o = feature_corner(t->cutter, t->a, 0);
    return v3_dot(t->a->normal, v3_sub(x, o)) / v3_dot(t->a->normal, t->up);
}

/* one side of the cutter: unit normal outward, across `up` */
typedef struct side {
    v3 from, out;
} side;

static side side_of(const cutting *t, int i)
{
    int n = used_corners(t->a), stride = stride_of(t->a);
    v3 p = feature_corner(t->cutter, t->a, i * stride);
    v3 q = feature_corner(t->cutter, t->a, (i + 1) % n * stride), m = v3_cross(v3_sub(q, p), t->up);
    return (side){p, v3_scale(1 / v3_length(m), m)};
}

/* keeps what is on the inner side */
static void cut_by_side(const cutting *t, int i, const polygon *from, polygon *to)
{
    side s = side_of(t, i);
    const double reach = reach_of(t, i);
    to->count = 0;
    double before = v3_dot(s.out, v3_sub(from->c[0].at, s.from)) - reach, first = before;
    for (int j = 0; j < from->count; j++) {
        const corner *p = &from->c[j], *q = &from->c[j + 1 < from->count ? j + 1 : 0];
        double after = j + 1 < from->count ? v3_dot(s.out, v3_sub(q->at, s.from)) - reach : first;
        if (before <= 0)
            to->c[to->count++] = *p;
        if ((before <= 0) != (after <= 0)) {
            v3 at = v3_along(p->at, before / (before - after), v3_sub(q->at, p->at));
            bool leaves = before <= 0;
            to->c[to->count++] =
                (corner){at, NO_VERTEX, leaves || p->by_cutter, leaves ? (uint32_t)i : p->edge};
        }
        before = after;
    }
}

/* name of the edge that starts from a corner of a feature */
static uint32_t name_of(const view3 *s, const feature3 *a, uint32_t corner_number)
{
    if (a->id == NULL)
        return a->edge;
    int stride = stride_of(a), n = used_corners(a), i = (int)corner_number;
    return edge_name(s->n, a->id[i * stride], a->id[(i + 1) % n * stride]);
}

static void put_corner(const pair3 *k, const cutting *t, const corner *before, const corner *c, patch3 *m)
{
    double h = height_over(t, c->at);
    owner3 cutter = t->of_g ? OWNER_G : OWNER_F, cut = t->of_g ? OWNER_F : OWNER_G;
    if (c->vertex != NO_VERTEX) {
        patch_put(k, m, c->at, !t->of_g, h, cut, c->vertex, 0);
        return;
    }
    int n = used_corners(t->a), stride = stride_of(t->a);
    if (before->by_cutter && c->by_cutter) {
        /* two sides meet in a vertex of the cutter when they are neighbours */
        int i = (int)before->edge, j = (int)c->edge, at = (j + 1) % n == i ? i : j;
        patch_put(k, m, c->at, !t->of_g, h, cutter, t->a->id[at * stride], 0);
        return;
    }
    const corner *of_cutter = c->by_cutter ? c : before, *of_cut = c->by_cutter ? before : c;
    uint32_t a = name_of(t->cutter, t->a, of_cutter->edge), b = name_of(t->cut, t->b, of_cut->edge);
    patch_put(k, m, c->at, !t->of_g, h, OWNER_BOTH, t->of_g ? b : a, t->of_g ? a : b);
}

/* no more than lets a gap change by rounding, where it rises by `slope` over the cutter's plane; and beyond
   the cutter's side there is no plane, but the side itself, over which that plane falls as n is inclined */
static double tie_within(const pair3 *k, const cutting *t, double tie, double slope)
{
    slope += v3_length(v3_across(t->a->normal, t->up)) / fmax(v3_dot(t->a->normal, t->up), 1e-9);
    return tie * slope > k->tol ? k->tol / slope : tie;
}

static double tie_of(const pair3 *k, const cutting *t, double most)
{
    double tie = fmin(most, SAME_PLACE * fmin(shortest_edge(t->cutter, t->a), shortest_edge(t->cut, t->b)));
    v3 c = v3_cross(t->a->normal, t->b->normal);
    double slope = v3_length(c) / fmax(fabs(v3_dot(t->a->normal, t->b->normal)), 1e-9);
    tie = tie_within(k, t, tie, slope);
    return t->of_g ? -tie : tie;
}

static void cut_polygon(const pair3 *k, cutting *t, patch3 *m)
{
    polygon p[2];
    int n = used_corners(t->b), stride = stride_of(t->b), now = 0;
    t->tie = tie_of(k, t, m->tie);
    p[0].count = n;
    for (int i = 0; i < n; i++)
        p[0].c[i] =
            (corner){feature_corner(t->cut, t->b, i * stride), t->b->id[i * stride], false, (uint32_t)i};
    for (int i = 0; i < used_corners(t->a) && p[now].count > 0; i++, now = 1 - now)
        cut_by_side(t, i, &p[now], &p[1 - now]);
    const polygon *last = &p[now];
    m->ordered = true;
    for (int i = 0; i < last->count; i++)
        put_corner(k, t, &last->c[i > 0 ? i - 1 : last->count - 1], &last->c[i], m);
}

/* ---- segments and points over a face ----------------------------------------------------------------------
 */

typedef struct stretch {
    double from, to;             /* along the segment, 0 to 1 */
    uint32_t side_from, side_to; /* side of the face that ends it, or NO_VERTEX: the segment's own end */
} stretch;

/* the part of the segment over the face; the tie keeps its own ends where they are on a side */
static stretch stretch_over(const cutting *t, v3 p, v3 d)
{
    stretch out = {0, 1, NO_VERTEX, NO_VERTEX};
    for (int i = 0; i < used_corners(t->a); i++) {
        side s = side_of(t, i);
        double at = v3_dot(s.out, v3_sub(p, s.from)) - reach_of(t, i), rise = v3_dot(s.out, d);
        if (rise > 0 && at + rise * out.to > 0) {
            out.to = -at / rise;
            out.side_to = (uint32_t)i;
        } else if (rise < 0 && at + rise * out.from > 0) {
            out.from = -at / rise;
            out.side_from = (uint32_t)i;
        } else if (rise == 0 && at > 0) {
            out.to = -1;
        }
    }
    return out;
}

static void put_stretch_end(const pair3 *k, const cutting *t, v3 at, uint32_t ended_by, uint32_t vertex,
                            patch3 *m)
{
    double h = height_over(t, at);
    if (ended_by == NO_VERTEX) {
        patch_put(k, m, at, !t->of_g, h, t->of_g ? OWNER_F : OWNER_G, vertex, 0);
        return;
    }
    uint32_t a = name_of(t->cutter, t->a, ended_by), b = t->b->edge;
    patch_put(k, m, at, !t->of_g, h, OWNER_BOTH, t->of_g ? b : a, t->of_g ? a : b);
}

static void cut_segment(const pair3 *k, cutting *t, patch3 *m)
{
    v3 p = t->b->few[0], d = v3_sub(t->b->few[t->b->count - 1], p);
    double fall = fabs(v3_dot(t->a->normal, d)), length = v3_length(d);
    double most = fmin(m->tie, SAME_PLACE * shortest_edge(t->cutter, t->a));
    t->tie = tie_within(k, t, most, length > 0 ? fall / length : 0);
    stretch s = stretch_over(t, p, d);
    if (s.from > s.to)
        return;
    put_stretch_end(k, t, v3_along(p, s.from, d), s.side_from, t->b->few_id[0], m);
    if (t->b->count > 1)
        put_stretch_end(k, t, v3_along(p, s.to, d), s.side_to, t->b->few_id[1], m);
}

/* ---- edges and vertices
 * ------------------------------------------------------------------------------------ */

/* an end of one edge beside the other: it belongs to both as far as the edges lie along each other there */
static void put_end_along(const pair3 *k, const feature3 *own, int end, const feature3 *other, bool of_g,
                          patch3 *m)
{
    v3 x = own->few[end], d = v3_across(v3_sub(other->few[1], other->few[0]), m->n),
       r = v3_sub(x, other->few[0]);
    double l2 = v3_dot(d, d), u = v3_dot(d, r) / l2, slack = fmin(SAME_PLACE, m->tie / sqrt(l2));
    /* beyond its ends the other edge is not there, however it would go on */
    double fall = fabs(v3_dot(m->n, v3_sub(other->few[1], other->few[0])));
    slack = slack * fall > k->tol ? k->tol / fall : slack;
    /* where both end at one place it is g's vertex */
    if (u < (of_g ? -slack : slack) || u > (of_g ? 1 + slack : 1 - slack))
        return;
    v3 foot = v3_along(other->few[0], u, v3_sub(other->few[1], other->few[0])), gap = v3_sub(x, foot);
    double h = of_g ? v3_dot(m->n, gap) : -v3_dot(m->n, gap), aside = v3_length(v3_across(gap, m->n));
    if (aside > ALONG * sqrt(l2))
        return;
    /* what the roundings or the slopes beside the edges add to the gap */
    h += k->r > 0 ? aside * aside / (2 * k->r) : aside;
    patch_put(k, m, x, of_g, h, of_g ? OWNER_G : OWNER_F, own->few_id[end], 0);
}

static void edge_on_edge(const pair3 *k, const feature3 *a, const feature3 *b, patch3 *m)
{
    for (int end = 0; end < 2; end++) {
        put_end_along(k, b, end, a, true, m);
        put_end_along(k, a, end, b, false, m);
    }
}

static bool face_is(const feature3 *a)
{
    return a->count > 2;
}

static void share(const pair3 *k, const axis3 *best, const feature3 *a, const feature3 *b, patch3 *m)
{
    if (a->count == 0 || b->count == 0) {
        bool of_g = a->count != 0;
        patch_disc(k, of_g, of_g ? b : a, of_g ? a : b, m);
        return;
    }
    bool cut_f = face_is(b) && (best->kind == AXIS_FACE_G || !face_is(a));
    cutting t = {.cutter = cut_f ? &k->g : &k->f,
                 .cut = cut_f ? &k->f : &k->g,
                 .of_g = cut_f,
                 .a = cut_f ? b : a,
                 .b = cut_f ? a : b,
                 .up = cut_f ? v3_scale(-1, m->n) : m->n};
    for (int i = 0; k->mesh && !cut_f && a->count == 3 && i < 3; i++)
        t.more[i] = mesh_goes_on(k, a->id[i], a->id[(i + 1) % 3], m->n);
    if (face_is(a) && face_is(b))
        cut_polygon(k, &t, m);
    else if (face_is(a) || face_is(b))
        cut_segment(k, &t, m);
    else if (a->count == 2 && b->count == 2)
        edge_on_edge(k, a, b, m);
}

static void share_within(const pair3 *k, const axis3 *best, double tie, patch3 *m)
{
    bool of_f = best->kind == AXIS_FACE_F, of_g = best->kind == AXIS_FACE_G;
    m->count = 0;
    m->n = best->n;
    m->least = HUGE_VAL;
    m->ordered = false;
    m->tie = tie;
    feature3 a = feature_of(&k->f, best->n, best->at_f, of_f ? &best->face : NULL, of_g);
    feature3 b = feature_of(&k->g, v3_scale(-1, best->n), best->at_g, of_g ? &best->face : NULL, of_f);
    share(k, best, &a, &b, m);
    /* no gap along n is less than the separation, but for rounding */
    for (int i = 0; i < m->count; i++)
        m->p[i].gap = fmax(m->p[i].gap, best->sep - k->r);
    m->least = fmax(m->least, best->sep - k->r);
}

void patch_share(const pair3 *k, const axis3 *best, patch3 *m)
{
    share_within(k, best, HUGE_VAL, m);
    /* apart by h, a corner that is t beside the other's face is sqrt(h^2 + t^2) away: where that is more than
       rounding, some other corner must show that the distance is h */
    double h = best->sep, tie = sqrt(k->tol * (2 * h + k->tol));
    if (!(h > 0) || tie >= SAME_PLACE * k->scale || m->count == 0 || !patch_attains(k, best, m))
        return;
    patch3 narrow;
    share_within(k, best, tie, &narrow);
    if (narrow.count == 0 || !patch_attains(k, best, &narrow))
        *m = narrow;
}

bool patch_attains(const pair3 *k, const axis3 *best, const patch3 *m)
{
    return m->least <= best->sep - k->r + 8 * k->tol;
}

/* how well a support feature says where the contact is: a vertex, a point of a rim, an edge or line, a cap */
static int uniqueness(const view3 *s, const feature3 *a)
{
    return a->count == 1 ? (s->round ? 3 : 4) : a->count == 2 ? 1 : 0;
}

/* the point of a segment nearest to c */
static v3 nearest_on(v3 p, v3 q, v3 c)
{
    v3 d = v3_sub(q, p);
    double l2 = v3_dot(d, d), u = l2 > 0 ? fmin(1, fmax(0, v3_dot(d, v3_sub(c, p)) / l2)) : 0;
    return v3_along(p, u, d);
}

/* of the points of s that support n, across a cap, one nearest to the cap's centre */
static v3 nearest_to_cap(const pair3 *k, const view3 *s, v3 n, const feature3 *shown, v3 centre)
{
    if (s->round && shown->count == 0) {
        v3 d = v3_across(v3_sub(centre, shown->centre), s->a);
        return v3_along(shown->centre, fmin(1, s->rc / fmax(v3_length(d), 1e-300)), d);
    }
    v3 best = nearest_on(shown->few[0], shown->few[shown->count - 1], centre);
    double height = v3_dot(n, shown->few[0]) - LEVEL * k->tol;
    edge3 e;
    for (bool go = view_next_edge(s, &e, true); go; go = view_next_edge(s, &e, false)) {
        v3 p = view_vertex(s, e.from), q = view_vertex(s, e.to);
        if (v3_dot(n, p) < height || v3_dot(n, q) < height)
            continue;
        v3 x = nearest_on(p, q, centre);
        best = vec3_distance(x.v, centre.v) < vec3_distance(best.v, centre.v) ? x : best;
    }
    return best;
}

/* distance of a point from a support feature: a vertex, an edge, a line of the side, a cap */
static double beside(const view3 *s, const feature3 *a, v3 x)
{
    if (a->count == 0) {
        v3 d = v3_sub(x, a->centre);
        return hypot(v3_dot(d, s->a), fmax(0, v3_length(v3_across(d, s->a)) - s->rc));
    }
    return vec3_distance(nearest_on(a->few[0], a->few[a->count - 1], x).v, x.v);
}

void patch_witness(const pair3 *k, const axis3 *best, const v3 *x, patch3 *m)
{
    feature3 a = feature_sharp(&k->f, best->n, best->at_f);
    feature3 b = feature_sharp(&k->g, v3_scale(-1, best->n), best->at_g);
    bool edges = a.count == 2 && b.count == 2;
    /* the side that has one support point; a vertex is known better than a point of a rim */
    int score_a = uniqueness(&k->f, &a), score_b = uniqueness(&k->g, &b);
    bool by_g = score_b >= score_a;
    v3 at = by_g ? v3_along(b.few[0], -best->sep, m->n) : a.few[0];
    if (edges) {
        v3 da = v3_sub(a.few[1], a.few[0]), db = v3_sub(b.few[1], b.few[0]);
        double s, t;
        nearest_on_segments(a.few[0], da, v3_along(b.few[0], -best->sep, m->n), db, &s, &t);
        at = v3_along(a.few[0], s, da);
    }
    if (a.count == 0)
        at = v3_along(nearest_to_cap(k, &k->g, v3_scale(-1, m->n), &b, a.centre), -best->sep, m->n);
    else if (b.count == 0)
        at = nearest_to_cap(k, &k->f, m->n, &a, b.centre);
    const double tie = WITNESS * k->scale;
    if (k->mesh && x == NULL &&
        (beside(&k->f, &a, at) > tie || beside(&k->g, &b, v3_along(at, best->sep, m->n)) > tie))
        return;
    patch_put(k, m, x != NULL ? *x : at, false, best->sep,
              edges  ? OWNER_BOTH
              : by_g ? OWNER_G
                     : OWNER_F,
              edges  ? a.edge
              : by_g ? b.few_id[0]
                     : a.few_id[0],
              edges ? b.edge : 0);
}
