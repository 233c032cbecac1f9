/*
 * Cylinders: which directions n can make F(n) largest, and the contacts along the best.
 *
 * Support of a cylinder with centre c, unit axis a, half height h, radius r: n.c + h |n.a| + r |n x a|.  The
 * largest F is where the features that support n meet:
 *
 *   closed form   a cap with anything (n = -a or a), a face of the other part, its side with an edge (n along
 *                 a x d), its side or rim with a vertex, two sides (n along a x a'; parallel: across both);
 *   one unknown   a rim with an edge or with the other's side, n across d: n = p cos(phi) + q sin(phi) with p
 *                 and q across d, and F(phi) is a point's distance to the ellipse that the rim makes seen
 * along d.  Safeguarded Newton on F' to rounding; F is flat at its top, so that an error of 1e-9 in phi is
 * below rounding in F; two unknowns  two rims: Newton on the sphere with halved steps, from the best
 * directions known and, when the cylinders overlap (F has several tops then), from a fixed star of directions
 * too.
 *
 * Every direction found is judged by F over both parts (axis_try), so that a search which fails can only
 * leave F too small.
 */
#include "collide/pair3.h"

/* sine of the angle below which directions count as parallel */
static const double PARALLEL = 1e-12;
/* overlap over the smallest length below which it is slight */
static const double SLIGHT = 1e-2;
enum { ROOT_STEPS = 80, CLIMB_STEPS = 24, STARTS = 8, BRACKETS = 24 };

v3 cylinder_radial(const view3 *s, v3 n, double *across)
{
    v3 r = v3_across(n, s->a);
    *across = v3_length(r);
    if (*across > 0)
        return v3_scale(1 / *across, r);
    v3 e2;
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

/* the cylinder c and the other part p; directions m here point from c to p */
typedef struct cyl_pair {
    const pair3 *k;
    const view3 *c, *p;
    bool flipped; /* the cylinder is g */
    axis3 *best;
} cyl_pair;

static void try_direction(const cyl_pair *w, v3 m)
{
    if (!(v3_dot(m, m) > 0.5))
        return;
    uint32_t hint = w->flipped ? w->best->hint_f : w->best->hint_g;
    uint32_t vertex = w->p->round ? NO_VERTEX : hint;
    axis_try(w->k, w->best, w->flipped ? v3_scale(-1, m) : m, w->flipped ? vertex : NO_VERTEX,
             w->flipped ? NO_VERTEX : vertex, AXIS_PREFER * w->k->scale);
}

static void try_both(const cyl_pair *w, v3 m)
{
    try_direction(w, m);
    try_direction(w, v3_scale(-1, m));
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
    try_direction(w, cylinder_radial(w->c, v3_sub(inner, w->c->c), &across));
    radial = cylinder_radial(w->c, d, &across);
    try_direction(w, in_plane(w->c, along, fabs(along) - w->c->h, radial, across - w->c->rc));
    return least;
}

/* ---- one unknown ------------------------------------------------------------------------------------------
 */

/* a point (up, uq) beside the ellipse with half axes b along p and r along q; F(phi) as above */
typedef struct ellipse {
    double up, uq, b, r;
} ellipse;

static double slope_at(const ellipse *e, double phi, double *curve)
{
    double c = cos(phi), s = sin(phi), d = (e->r - e->b) * (e->r + e->b);
    double q = sqrt(e->r * e->r * s * s + e->b * e->b * c * c);
    if (!(q > 0))
        q = 1e-300;
    *curve = -e->up * c - e->uq * s - d * ((c - s) * (c + s) / q - d * s * s * c * c / (q * q * q));
    return -e->up * s + e->uq * c - d * s * c / q;
}

/* F' changes from + to - between low and high: Newton where it halves F', else halving the bracket */
static double top_between(const ellipse *e, double low, double high)
{
    double phi = 0.5 * (low + high), curve, last = HUGE_VAL;
    double small = 1e-16 * (fabs(e->up) + fabs(e->uq) + e->r);
    for (int i = 0; i < ROOT_STEPS && high - low > 1e-16; i++) {
        double slope = slope_at(e, phi, &curve);
        if (fabs(slope) <= small)
            break;
        if (slope > 0)
            low = phi;
        else
            high = phi;
        double step = curve < 0 && fabs(slope) <= 0.5 * last ? phi - slope / curve : HUGE_VAL;
        last = step > low && step < high ? fabs(slope) : HUGE_VAL;
        phi = step > low && step < high ? step : 0.5 * (low + high);
    }
    return phi;
}

/* tops of F for one rim of c (sense +1: at c + h a) and the line through y along the unit vector d */
static void try_rim_line(const cyl_pair *w, double sense, v3 y, v3 d)
{
    const double quarter = 1.5707963267948966;
    v3 a = v3_scale(sense, w->c->a), q = v3_cross(a, d);
    double sine = v3_length(q);
    if (sine < PARALLEL)
        return;
    q = v3_scale(1 / sine, q);
    v3 p = v3_cross(d, q), u = v3_sub(y, v3_along(w->c->c, w->c->h, a));
    ellipse e = {v3_dot(u, p), v3_dot(u, q), w->c->rc * fabs(v3_dot(a, d)), w->c->rc};
    /* outside the ellipse F has one top; inside, brackets are laid along the ellipse, closer at its ends */
    double x = e.up / fmax(e.b, 1e-300), z = e.uq / e.r;
    int parts = e.up > 0 && x * x + z * z > 1 ? 1 : BRACKETS;
    double low = -quarter, ignored, before = slope_at(&e, low, &ignored);
    for (int i = 1; i <= parts; i++) {
        double theta = quarter * sin(quarter * (2.0 * i / parts - 1));
        double high = i == parts ? quarter : atan2(e.b * sin(theta), e.r * cos(theta));
        double after = slope_at(&e, high, &ignored);
        if (before > 0 && after <= 0) {
            double phi = top_between(&e, low, high);
            try_direction(w, v3_along(v3_scale(cos(phi), p), sin(phi), q));
        }
        low = high, before = after;
    }
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
        d = v3_scale(1 / length, d);
        v3 side = v3_cross(w->c->a, d);
        double sine = v3_length(side);
        if (sine > PARALLEL)
            try_both(w, v3_scale(1 / sine, side));
        try_rim_line(w, 1, y, d);
        try_rim_line(w, -1, y, d);
    }
}

/* ---- two rims ---------------------------------------------------------------------------------------------
 */

/* F(m) of two cylinders, with its gradient and, of each, the direction in which it curves and how much */
typedef struct rims {
    v3 gradient, q[2];
    double bend[2];
} rims;

static double value_of(const cyl_pair *w, v3 m, rims *out)
{
    v3 between = v3_sub(w->p->c, w->c->c);
    double f = v3_dot(m, between);
    out->gradient = between;
    for (int i = 0; i < 2; i++) {
        const view3 *c = i == 0 ? w->c : w->p;
        double along = v3_dot(m, c->a), across;
        v3 radial = cylinder_radial(c, m, &across);
        f -= c->h * fabs(along) + c->rc * across;
        out->gradient = v3_along(out->gradient, along > 0 ? -c->h : c->h, c->a);
        out->gradient = v3_along(out->gradient, -c->rc, radial);
        out->q[i] = v3_cross(c->a, radial);
        out->bend[i] = c->rc / fmax(across, 1e-12);
    }
    return f;
}

/* a step uphill in the plane across m: Newton's where F curves down, along the gradient otherwise */
static v3 uphill(v3 m, double f, const rims *r)
{
    v3 e1 = v3_any_across(m), e2 = v3_cross(m, e1);
    double g1 = v3_dot(r->gradient, e1), g2 = v3_dot(r->gradient, e2), h11 = -f, h12 = 0, h22 = -f,
           size = fabs(f);
    for (int i = 0; i < 2; i++) {
        double a = v3_dot(r->q[i], e1), b = v3_dot(r->q[i], e2);
        h11 -= r->bend[i] * a * a;
        h12 -= r->bend[i] * a * b;
        h22 -= r->bend[i] * b * b;
        size += r->bend[i];
    }
    double det = h11 * h22 - h12 * h12, s1, s2;
    if (h11 < 0 && det > 1e-14 * size * size) {
        s1 = (-g1 * h22 + g2 * h12) / det;
        s2 = (-g2 * h11 + g1 * h12) / det;
    } else {
        s1 = g1 / size;
        s2 = g2 / size;
    }
    double length = sqrt(s1 * s1 + s2 * s2), most = length > 0.5 ? 0.5 / length : 1;
    return v3_along(v3_scale(most * s1, e1), most * s2, e2);
}

static v3 climb(const cyl_pair *w, v3 m)
{
    rims r, next;
    double f = value_of(w, m, &r);
    for (int i = 0; i < CLIMB_STEPS; i++) {
        v3 step = uphill(m, f, &r), to = m;
        double share = 1, better = f;
        for (int half = 0; half < 12; half++, share /= 2) {
            to = v3_unit(v3_along(m, share, step));
            better = value_of(w, to, &next);
            if (better > f)
                break;
        }
        if (!(better > f))
            break;
        m = to, f = better, r = next;
    }
    return m;
}

typedef struct start {
    v3 m;
    double f;
} start;

static void keep_start(const cyl_pair *w, start *s, v3 m)
{
    rims ignored;
    start now = {m, value_of(w, m, &ignored)};
    for (int i = 0; i < STARTS; i++)
        if (now.f > s[i].f) {
            start pushed = s[i];
            s[i] = now;
            now = pushed;
        }
}

static void try_rims(const cyl_pair *w)
{
    start s[STARTS];
    for (int i = 0; i < STARTS; i++)
        s[i] = (start){{{0, 0, 1}}, -HUGE_VAL};
    v3 so_far = w->flipped ? v3_scale(-1, w->best->n) : w->best->n;
    v3 between = v3_unit(v3_sub(w->p->c, w->c->c));
    keep_start(w, s, between);
    keep_start(w, s, v3_unit(v3_along(so_far, 0.2, between)));
    keep_start(w, s, v3_unit(v3_along(so_far, 0.01, between)));
    for (int sense = -1; sense <= 1; sense += 2) {
        keep_start(w, s, v3_unit(v3_along(so_far, 0.02 * sense, w->c->a)));
        keep_start(w, s, v3_unit(v3_along(so_far, 0.02 * sense, w->p->a)));
    }
    /* apart F has one top, and of a slight overlap the top is near */
    double least = fmin(fmin(w->c->rc, w->p->rc), fmin(w->c->h, w->p->h));
    bool deep = w->best->sep < -SLIGHT * least;
    for (int i = 0; i < 27 && deep; i++)
        if (i != 13)
            keep_start(w, s, v3_unit((v3){{i / 9 - 1, i / 3 % 3 - 1, i % 3 - 1}}));
    for (int i = 0; i < (deep ? STARTS : 3); i++)
        if (s[i].f > -HUGE_VAL)
            try_direction(w, climb(w, s[i].m));
}

/*
 * Axes A and B that are nearly parallel, both along m: near A the function is, up to curvature,
 * w.x - r|x| - r'|x - t| with x = m - A, t = B - A and w the vector between the caps' centres.  Its top away
 * from A and B has r u + r' u' = w with unit vectors u from A and u' from B: a corner of the lens of the
 * caps.
 */
static void try_lens(const cyl_pair *w, v3 m)
{
    v3 A = v3_scale(v3_dot(m, w->c->a) < 0 ? -1 : 1, w->c->a),
       B = v3_scale(v3_dot(m, w->p->a) < 0 ? -1 : 1, w->p->a);
    v3 t = v3_across(B, A), between = v3_along(v3_along(v3_sub(w->p->c, w->c->c), -w->c->h, A), -w->p->h, B);
    v3 to = v3_across(between, A);
    double d = v3_length(to), r = w->c->rc, r2 = w->p->rc;
    if (v3_length(t) > 0.2 || !(d > fabs(r - r2) && d < r + r2))
        return;
    v3 e = v3_scale(1 / d, to), f = v3_cross(A, e);
    double cosine = (d * d + (r - r2) * (r + r2)) / (2 * d * r), sine = sqrt(fmax(0, 1 - cosine * cosine));
    for (int side = -1; side <= 1; side += 2) {
        v3 u = v3_along(v3_scale(cosine, e), side * sine, f), v = v3_scale(1 / r2, v3_along(to, -r, u));
        double det = v3_dot(A, v3_cross(u, v)), s = v3_dot(A, v3_cross(t, v)) / det;
        if (fabs(det) > 1e-12 && s > 0 && s < 1)
            try_direction(w, climb(w, v3_unit(v3_along(A, s, u))));
    }
}

/* F near the axis A of c: value at A + x is that at A plus g.x - r|x| less curvature: the top is at A unless
   |g| > r, and then a little beside it along g */
static void try_beside_axis(const cyl_pair *w, const view3 *c, double sense)
{
    v3 A = v3_scale(sense, c->a);
    rims r;
    double f = value_of(w, A, &r), across;
    int own = c == w->c ? 0 : 1, other = 1 - own;
    v3 radial = cylinder_radial(c, A, &across), g = v3_across(v3_along(r.gradient, c->rc, radial), A);
    double length = v3_length(g);
    if (!(length > c->rc))
        return;
    v3 u = v3_scale(1 / length, g);
    double q = v3_dot(r.q[other], u), bend = f + r.bend[other] * q * q;
    double s = (length - c->rc) / fmax(bend, 1e-3 * length);
    try_direction(w, climb(w, v3_unit(v3_along(A, fmin(s, 0.3), u))));
}

/* parallel axes: rim with rim in the plane of both */
static void try_corner(const cyl_pair *w)
{
    v3 d = v3_sub(w->p->c, w->c->c);
    double along = v3_dot(d, w->c->a), across;
    v3 radial = cylinder_radial(w->c, d, &across);
    try_direction(
        w, in_plane(w->c, along, fabs(along) - w->c->h - w->p->h, radial, across - w->c->rc - w->p->rc));
}

/* two cylinders: sides, rims with sides, rims with rims; both ways round */
static void try_cylinders(const cyl_pair *w)
{
    cyl_pair back = {w->k, w->p, w->c, !w->flipped, w->best};
    v3 cross = v3_cross(w->c->a, w->p->a);
    double sine = v3_length(cross);
    if (sine > PARALLEL)
        try_both(w, v3_scale(1 / sine, cross));
    double across;
    try_direction(w, cylinder_radial(w->c, v3_sub(w->p->c, w->c->c), &across));
    try_direction(&back, cylinder_radial(w->p, v3_sub(w->c->c, w->p->c), &across));
    for (int sense = -1; sense <= 1; sense += 2) {
        try_rim_line(w, sense, w->p->c, w->p->a);
        try_rim_line(&back, sense, w->c->c, w->c->a);
    }
    try_corner(w);
    try_rims(w);
    for (int sense = -1; sense <= 1; sense += 2) {
        try_beside_axis(w, w->c, sense);
        try_beside_axis(w, w->p, sense);
    }
    try_lens(w, w->flipped ? v3_scale(-1, w->best->n) : w->best->n);
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
    /* the other part's point there is within the cylinder */
    double half = k->f.r + 0.5 * m->p[at].gap, other = c_is_g ? -half : k->g.r + 0.5 * m->p[at].gap, rho;
    *overlap = point_distance(c, v3_along(m->p[at].at, other, m->n), &rho) <= k->tol;
    return false;
}

/* m: the patch along the best direction when that was found on the way; m->count is 0 otherwise */
static void axis_cylinder(const pair3 *k, axis3 *best, patch3 *m)
{
    bool of_g = !k->f.round, overlap = false;
    cyl_pair w = {k, of_g ? &k->g : &k->f, of_g ? &k->f : &k->g, of_g, best};
    double most = k->max_gap + k->r, near = HUGE_VAL;
    m->count = 0;
    axis_faces(k, best);
    try_both(&w, w.c->a);
    if (w.p->round)
        try_both(&w, w.p->a);
    else
        near = fmax(0, try_vertices(&w));
    if (best->sep > most || (!k->mesh && settled(k, w.c, of_g, best, m, &overlap)))
        return;
    m->count = 0;
    if (w.p->round)
        try_cylinders(&w);
    else
        try_edges(&w, overlap ? 0 : near);
}

/* a direction that the neighbours of a triangle admit need not be the one in which it is nearest */
static bool is_nearest(const pair3 *k, const axis3 *best)
{
    if (!k->mesh)
        return true;
    pair3 alone = *k;
    alone.mesh = false;
    axis3 other = {.kind = AXIS_NONE, .sep = -HUGE_VAL};
    patch3 ignored;
    axis_cylinder(&alone, &other, &ignored);
    return best->kind == AXIS_OTHER && other.sep <= fmax(best->sep, 0) + 8 * k->tol;
}

void collide_cylinder(const pair3 *k, patch3 *m)
{
    axis3 best = {.kind = AXIS_NONE, .sep = -HUGE_VAL};
    axis_cylinder(k, &best, m);
    if (m->count > 0)
        return;
    if (best.kind == AXIS_NONE || best.sep > k->max_gap + k->r)
        return;
    patch_share(k, &best, m);
    if (!patch_attains(k, &best, m) && is_nearest(k, &best))
        patch_witness(k, &best, NULL, m);
}
