/*
 * Cylinders: which directions n can make F(n) largest, and the contacts along the best.
 *
 * Support of a cylinder with centre c, unit axis a, half height h, radius r: n.c + h |n.a| + r |n x a|.  It
 * shows a cap (n = -a or a), a line of its side (n across a) or a point of a rim (any other n); the other
 * part a face (one n), an edge (an arc of n) or a vertex, or the same as a cylinder.  Where F is largest it
 * is stationary among the directions that show the same two features, so these are all:
 *
 *   cap or face with anything   n is given
 *   side with edge or side      n along a x d, d the edge or the other axis
 *   side with vertex            across the axis, to the vertex nearest to it: F there is the distance of the
 *                               axis from the part seen along a, less r.  Parallel sides: to the other axis
 *   rim with vertex             in the plane of axis and vertex, the nearest vertex; only when apart: of
 * parts that overlap a top of F is bent down by more than -F in every direction, and F is not bent at all in
 * that plane rim with edge or side       n across d: one unknown, below rim with rim                rims3.c
 *
 * Rim with edge: n = p cos(phi) + q sin(phi), q along a x d, p = d x q, a.p > 0.  Seen along d the rim is an
 * ellipse with half axes b = r |a.d| along p and r along q; with u from its centre to the edge,
 * F = u.n - sqrt(b^2 cos^2 + r^2 sin^2), and with t = tan(phi)
 *
 *     F'/cos(phi) = G(t) = uq - up t - (r^2 - b^2) t / sqrt(b^2 + r^2 t^2).
 *
 * Let uq >= 0 (otherwise change the sign of q).  For t > 0, G is convex and G(0) = uq.  up > 0: G falls from
 * uq to -infinity, for t < 0 it is positive: one top.  up <= 0: G falls to where
 * (b^2 + r^2 t^2)^(3/2) = (r^2 - b^2) b^2 / -up, then rises; there is a top when G is negative there, before
 * it, and none for t < 0, where G is concave and goes from - to + only.  So each half of the ellipse has one
 * top at most, on a stretch where G is convex and falls from a value >= 0: Newton's method from the left
 * rises to it monotonically, whatever the shape.
 *
 * Every direction found is judged by F over both parts (axis_try), so that one too many does no harm.
 */
#include "collide/pair3.h"

/* sine of the angle below which directions count as parallel */
static const double PARALLEL = 1e-14;
/* how far beside its part a point of a patch may be, over scale */
static const double TIE = 2e-10;
/* difference of F over rounding up to which directions are as good */
static const double LEVEL = 2;
enum { ROOT_STEPS = 100 };

double cylinder_across(const view3 *s, v3 n)
{
    return v3_length(v3_across(n, s->a));
}

v3 cylinder_radial(const view3 *s, v3 n, double *across)
{
    v3 r = v3_across(n, s->a), e2;
    *across = v3_length(r);
    /* what rounding left along the axis goes by doing it again, unless that was all there was */
    if (*across > 0) {
        r = v3_across(v3_scale(1 / *across, r), s->a);
        double length = v3_length(r);
        if (length > 0.5)
            return v3_scale(1 / length, r);
    }
    cylinder_frame(s, &r, &e2);
    return r;
}

void cylinder_frame(const view3 *s, v3 *e1, v3 *e2)
{
    *e1 = v3_turn(s->R, v3_any_across(v3_sub(v3_of(s->V + 3), v3_of(s->V))));
    *e2 = v3_cross(s->a, *e1);
}

v3 cylinder_cap(const view3 *s, uint32_t cap)
{
    return v3_along(s->c, cap == 0 ? -s->h : s->h, s->a);
}

v3 cylinder_rim_point(const view3 *s, uint32_t cap, int i)
{
    /* cosines of multiples of 22.5 degrees */
    static const double c[RIM_POINTS] = {1,  0.92387953251128676,  0.70710678118654752,  0.38268343236508977,
                                         0,  -0.38268343236508977, -0.70710678118654752, -0.92387953251128676,
                                         -1, -0.92387953251128676, -0.70710678118654752, -0.38268343236508977,
                                         0,  0.38268343236508977,  0.70710678118654752,  0.92387953251128676};
    v3 e1, e2;
    cylinder_frame(s, &e1, &e2);
    double across = c[(i + 3 * RIM_POINTS / 4) % RIM_POINTS];
    return v3_along(v3_along(cylinder_cap(s, cap), s->rc * c[i], e1), s->rc * across, e2);
}

/* how much better than the best a direction must be */
static double margin_of(const cyl_pair *w)
{
    double level = LEVEL * w->k->tol;
    return w->best->proven ? level : w->best->kind == AXIS_OTHER ? 0 : AXIS_PREFER * w->k->scale;
}

void cylinder_try(const cyl_pair *w, v3 m)
{
    if (!(v3_dot(m, m) > 0.5))
        return;
    uint32_t hint = w->flipped ? w->best->hint_f : w->best->hint_g;
    uint32_t vertex = w->p->round ? NO_VERTEX : hint;
    axis_try(w->k, w->best, w->flipped ? v3_scale(-1, m) : m, w->flipped ? vertex : NO_VERTEX,
             w->flipped ? NO_VERTEX : vertex, margin_of(w));
}

static void try_both(const cyl_pair *w, v3 m)
{
    cylinder_try(w, m);
    cylinder_try(w, v3_scale(-1, m));
}

void cylinder_try_points(const cyl_pair *w, v3 m, double distance)
{
    double level = LEVEL * w->k->tol;
    axis3 before = *w->best;
    if (!w->apart || before.proven) {
        cylinder_try(w, m);
        return;
    }
    double need = w->best->sep = before.sep - level;
    cylinder_try(w, m);
    if (w->best->sep > need && distance - w->best->sep <= level)
        w->best->proven = true;
    else if (!(w->best->sep > before.sep))
        *w->best = before;
}

/* the unit vector across the unit vectors d and e, along d x e; false: they are parallel */
static bool across_both(v3 d, v3 e, v3 *out)
{
    v3 c = v3_cross(d, e);
    double sine = v3_length(c);
    if (!(sine > PARALLEL))
        return false;
    *out = v3_scale(1 / sine, c);
    if (sine < V3_CROSSING)
        *out = v3_across_first(*out, d);
    return true;
}

/* ---- vertices ---------------------------------------------------------------------------------------------
 */

/* distance of a point from the cylinder, and from its axis */
static double point_distance(const view3 *c, v3 y, double *rho)
{
    v3 d = v3_sub(y, c->c);
    double z = fabs(v3_dot(d, c->a)) - c->h;
    *rho = v3_length(v3_across(d, c->a));
    double out = *rho - c->rc;
    if (z > 0 && out > 0)
        return sqrt(z * z + out * out);
    return fmax(z, out);
}

/* the direction with components `up` along the axis, toward `along`, and `out` along the radial vector: it
   has no part along the rim, whatever the rounding of two small numbers */
static v3 in_plane(const view3 *c, double along, double up, v3 radial, double out)
{
    return v3_unit(v3_along(v3_scale(along < 0 ? -up : up, c->a), out, radial));
}

/* side with vertex: the one nearest to the axis; rim with vertex: the nearest one.  Returns its distance. */
static double try_vertices(const cyl_pair *w)
{
    double least = HUGE_VAL, least_rho = HUGE_VAL;
    v3 nearest = w->p->t, inner = w->p->t;
    for (uint32_t j = 0; j < w->p->n; j++) {
        v3 y = view_vertex(w->p, j);
        double rho, distance = point_distance(w->c, y, &rho);
        if (distance < least)
            least = distance, nearest = y;
        if (rho < least_rho)
            least_rho = rho, inner = y;
    }
    v3 d = v3_sub(nearest, w->c->c), radial;
    double along = v3_dot(d, w->c->a), across;
    cylinder_try_points(w, cylinder_radial(w->c, v3_sub(inner, w->c->c), &across),
                        point_distance(w->c, inner, &least_rho));
    radial = cylinder_radial(w->c, d, &across);
    cylinder_try_points(w, in_plane(w->c, along, fabs(along) - w->c->h, radial, across - w->c->rc), least);
    return least;
}

/* ---- one unknown ------------------------------------------------------------------------------------------
 */

/* a point (up, uq) beside the ellipse with half axes b along p and r >= b along q */
typedef struct ellipse {
    double up, uq, b, r;
} ellipse;

/* G(t) of the head comment for uq >= 0 and t >= 0 */
static double slope_at(const ellipse *e, double t, double *curve)
{
    double d = (e->r - e->b) * (e->r + e->b), q = sqrt(e->b * e->b + e->r * e->r * t * t);
    *curve = -e->up - d * (e->b / q) * (e->b / q) / q;
    return e->uq - e->up * t - d * t / q;
}

/* a t not beyond the root of G: G is not less than what it is with t/q replaced by 1/b or 1/r */
static double root_from(const ellipse *e)
{
    double d = (e->r - e->b) * (e->r + e->b), steep = e->up * e->b + d;
    double low = steep > 0 ? e->uq * e->b / steep : 0;
    return e->up > 0 ? fmax(low, (e->uq - d / e->r) / e->up) : low;
}

/* the top of F with p.n > 0, for uq >= 0: its t >= 0; false: there is none */
static bool ellipse_top(const ellipse *e, double *at)
{
    double d = (e->r - e->b) * (e->r + e->b), curve;
    if (e->up <= 0) {
        double q = cbrt(e->b * e->b * d / fabs(e->up));
        if (!(q > e->b))
            return false;
        double last = sqrt((q - e->b) * (q + e->b)) / e->r;
        if (last < HUGE_VAL ? !(slope_at(e, last, &curve) < 0) : !(e->uq < d / e->r))
            return false;
    }
    double t = root_from(e);
    for (int i = 0; i < ROOT_STEPS && t > 0 && t < HUGE_VAL; i++) {
        double slope = slope_at(e, t, &curve), next = t - slope / curve;
        if (!(next > t))
            break;
        t = next;
    }
    *at = t;
    return true;
}

/* a segment from y along the unit vector d, and its radius */
typedef struct rod {
    v3 y, d;
    double length, r;
} rod;

/* distance of a point from a rod */
static double rod_distance(const rod *e, v3 x)
{
    double along = fmin(e->length, fmax(0, v3_dot(e->d, v3_sub(x, e->y))));
    return vec3_distance(v3_along(e->y, along, e->d).v, x.v) - e->r;
}

/* the top of F for one rim of c (sense +1: at c + h a) and an edge or the other's side */
static void try_rim_line(const cyl_pair *w, double sense, const rod *edge)
{
    v3 a = v3_scale(sense, w->c->a), q;
    if (!across_both(edge->d, v3_scale(-1, a), &q))
        return;
    v3 p = v3_cross(edge->d, q), centre = v3_along(w->c->c, w->c->h, a), u = v3_sub(edge->y, centre);
    double uq = v3_dot(u, q), t, across;
    ellipse e = {v3_dot(u, p), fabs(uq), w->c->rc * fabs(v3_dot(a, edge->d)), w->c->rc};
    if (!ellipse_top(&e, &t))
        return;
    q = v3_scale(uq < 0 ? -1 : 1, q);
    v3 m = v3_unit(t > 1 ? v3_along(q, 1 / t, p) : v3_along(p, t, q));
    v3 x = v3_along(centre, w->c->rc, cylinder_radial(w->c, m, &across));
    cylinder_try_points(w, m, rod_distance(edge, x));
}

/* signed distance of a point from the cylinder: F of an edge is never more than that of any of its points */
static double edge_bound(const view3 *c, v3 y, v3 d)
{
    double rho, l2 = v3_dot(d, d), u = fmin(1, fmax(0, v3_dot(d, v3_sub(c->c, y)) / l2));
    double bound = point_distance(c, v3_along(y, u, d), &rho);
    v3 across = v3_across(d, c->a);
    double a2 = v3_dot(across, across);
    u = a2 > 0 ? fmin(1, fmax(0, v3_dot(across, v3_sub(c->c, y)) / a2)) : 0;
    bound = fmin(bound, point_distance(c, v3_along(y, u, d), &rho));
    bound = fmin(bound, point_distance(c, y, &rho));
    return fmin(bound, point_distance(c, v3_along(y, 1, d), &rho));
}

/* how far an edge is from the cylinder at least: by the ball around that */
static double edge_far(const view3 *c, v3 y, v3 d)
{
    double l2 = v3_dot(d, d), u = fmin(1, fmax(0, v3_dot(d, v3_sub(c->c, y)) / l2));
    return vec3_distance(v3_along(y, u, d).v, c->c.v) - sqrt(c->h * c->h + c->rc * c->rc);
}

/* sides and rims of c with the edges of p that come within `near` of it */
static void try_edges(const cyl_pair *w, double near)
{
    edge3 e;
    for (bool go = view_next_edge(w->p, &e, true); go; go = view_next_edge(w->p, &e, false)) {
        v3 y = view_vertex(w->p, e.from), d = view_between(w->p, e.from, e.to);
        double length = v3_length(d);
        if (!(length > 0) || edge_far(w->c, y, d) > fmax(near, -w->best->sep) + w->k->tol ||
            edge_bound(w->c, y, d) <= w->best->sep)
            continue;
        rod edge = {y, v3_scale(1 / length, d), length, 0};
        v3 side;
        if (across_both(edge.d, w->c->a, &side))
            try_both(w, side);
        try_rim_line(w, 1, &edge);
        try_rim_line(w, -1, &edge);
    }
}

/* parallel axes: rim with rim in the plane of both */
static void try_corner(const cyl_pair *w)
{
    v3 d = v3_sub(w->p->c, w->c->c);
    double along = v3_dot(d, w->c->a), across;
    v3 radial = cylinder_radial(w->c, d, &across);
    cylinder_try(
        w, in_plane(w->c, along, fabs(along) - w->c->h - w->p->h, radial, across - w->c->rc - w->p->rc));
}

static rod rod_of(const view3 *c)
{
    return (rod){cylinder_cap(c, 0), c->a, 2 * c->h, c->rc};
}

/* two cylinders: sides, rims with sides, rims with rims; both ways round */
static void try_cylinders(const cyl_pair *w)
{
    cyl_pair back = {w->k, w->p, w->c, !w->flipped, w->overlap, w->apart, w->best};
    rod rod_c = rod_of(w->c), rod_p = rod_of(w->p);
    v3 cross;
    bool parallel = !across_both(w->c->a, w->p->a, &cross);
    if (!parallel)
        try_both(w, cross);
    double across;
    cylinder_try(w, cylinder_radial(w->c, v3_sub(w->p->c, w->c->c), &across));
    cylinder_try(&back, cylinder_radial(w->p, v3_sub(w->c->c, w->p->c), &across));
    for (int sense = -1; sense <= 1; sense += 2) {
        try_rim_line(w, sense, &rod_p);
        try_rim_line(&back, sense, &rod_c);
    }
    if (parallel)
        try_corner(w);
    else
        cylinder_rims(w);
}

/* do the parts touch along the best direction, so that it is the distance, or overlap for certain? */
static bool settled(const pair3 *k, const view3 *c, bool c_is_g, const axis3 *best, patch3 *m, bool *overlap)
{
    patch_share(k, best, m);
    if (m->count == 0 || !patch_attains(k, best, m))
        return false;
    if (best->sep > k->tol)
        return true;
    int at = 0;
    for (int i = 1; i < m->count; i++)
        at = m->p[i].gap < m->p[at].gap ? i : at;
    /* the other part's point there is within the cylinder, by more than a tie may have put it beside its part
     */
    double half = k->f.r + 0.5 * m->p[at].gap, other = c_is_g ? -half : k->g.r + 0.5 * m->p[at].gap, rho;
    *overlap = point_distance(c, v3_along(m->p[at].at, other, m->n), &rho) < -TIE * k->scale;
    return false;
}

/* the rows of two features that both have a direction; near: distance of the nearest vertex */
static void try_rows(const cyl_pair *w, double near)
{
    if (w->p->round)
        try_cylinders(w);
    else
        try_edges(w, w->overlap ? 0 : near);
}

/*
 * The parts are apart, and share no point along the best direction of a face, a cap or a vertex: another one
 * carries the distance, though F, which is flat at its top, may not tell it from this one.
 */
static void try_rows_apart(cyl_pair *w, double near)
{
    axis3 known = *w->best;
    w->apart = true;
    w->best->kind = AXIS_OTHER;
    if (!w->p->round)
        try_vertices(w);
    try_rows(w, near);
    if (!w->best->proven && w->best->sep <= known.sep)
        *w->best = known;
    w->best->sep = fmax(w->best->sep, known.sep);
}

/* m: the patch along the best direction when that was found on the way; m->count is 0 otherwise */
static void axis_cylinder(pair3 *k, axis3 *best, patch3 *m)
{
    bool of_g = !k->f.round;
    cyl_pair w = {k, of_g ? &k->g : &k->f, of_g ? &k->f : &k->g, of_g, false, false, best};
    double most = k->max_gap + k->r, near = HUGE_VAL;
    m->count = 0;
    axis_faces(k, best);
    try_both(&w, w.c->a);
    if (w.p->round)
        try_both(&w, w.p->a);
    else
        near = fmax(0, try_vertices(&w));
    if (best->sep > most || (!k->mesh && settled(k, w.c, of_g, best, m, &w.overlap)))
        return;
    m->count = 0;
    if (k->mesh || w.overlap || best->sep <= k->tol)
        try_rows(&w, near);
    else
        try_rows_apart(&w, near);
}

/* a direction that the neighbours of a triangle admit need not be the one in which it is nearest */
static bool is_nearest(const pair3 *k, const axis3 *best)
{
    return !k->mesh || (best->kind == AXIS_OTHER && best->refused <= fmax(best->sep, 0) + 8 * k->tol);
}

/* the deepest point of a tilted cap, along a triangle's own normal: none of the points that stand for a rim.
   It may be over a neighbour, whose it is then (mesh_keep_own). */
static void put_deepest(const pair3 *k, const axis3 *best, patch3 *m)
{
    feature3 cap = feature_sharp(&k->g, v3_scale(-1, best->n), best->at_g);
    if (cap.count == 1 && mesh_within_border(k, cap.few[0]))
        patch_put(k, m, cap.few[0], true, best->sep, OWNER_G, cap.few_id[0], 0);
}

void collide_cylinder(pair3 *k, patch3 *m)
{
    axis3 best = {.kind = AXIS_NONE, .sep = -HUGE_VAL};
    axis_cylinder(k, &best, m);
    if (m->count > 0)
        return;
    if (best.kind == AXIS_NONE || best.sep > k->max_gap + k->r || (best.refused > 0 && mesh_boxes_apart(k)))
        return;
    patch_share(k, &best, m);
    if (k->mesh && mesh_is_beside(k, &best))
        m->count = 0;
    if (patch_attains(k, &best, m))
        return;
    if (is_nearest(k, &best))
        patch_witness(k, &best, NULL, m);
    else if (best.kind == AXIS_FACE_F)
        put_deepest(k, &best, m);
}
