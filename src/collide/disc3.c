/*
 * Caps of cylinders against faces, edges and other caps, along a direction n.
 *
 * The common patch of a disc and a polygon has for corners the polygon's vertices over the disc, the
 * crossings of its edges with the rim, and stretches of the rim.  These are represented by RIM_POINTS points
 * of the rim that turn with the body; the deepest point of a tilted rim is added by the caller where they
 * miss it.  The hull of these points misses the patch by less than 2 % of the radius, at the rim.
 */
#include "collide/pair3.h"

/* tie over the radius: whose point stands for a place that is on both boundaries */
static const double SAME_PLACE = 1e-10;

/* a cap, and the direction from it to the other part */
typedef struct disc {
    const view3 *s;
    const feature3 *cap;
    bool of_g;
    v3 up;
} disc;

static double height_over(const disc *d, v3 x)
{
    return v3_dot(d->cap->normal, v3_sub(x, d->cap->centre)) / v3_dot(d->cap->normal, d->up);
}

/* from the centre to the foot of x on the disc, along up */
static v3 foot_of(const disc *d, v3 x)
{
    return v3_sub(v3_along(x, -height_over(d, x), d->up), d->cap->centre);
}

static bool over_disc(const disc *d, v3 x, double tie)
{
    v3 q = foot_of(d, x);
    double r = d->s->rc + tie;
    return v3_dot(q, q) <= r * r;
}

static v3 rim_point(const disc *d, int i)
{
    return cylinder_rim_point(d->s, d->cap->cap, i);
}

/* a point of the disc's own with the height of the other surface over it */
static void put_own(const pair3 *k, const disc *d, v3 x, double height, uint32_t p, patch3 *m)
{
    patch_put(k, m, x, d->of_g, height, d->of_g ? OWNER_G : OWNER_F, p, 0);
}

/* is x over the face, seen along up, and not on its boundary, where edges cross the rim? */
static bool over_face(const view3 *s, const feature3 *face, v3 up, v3 x, double tie)
{
    for (int i = 0; i < face->count; i++) {
        v3 p = feature_corner(s, face, i), q = feature_corner(s, face, i + 1 < face->count ? i + 1 : 0);
        v3 in = v3_cross(v3_sub(q, p), up);
        if (v3_dot(in, v3_sub(x, p)) < tie * v3_length(in))
            return false;
    }
    return true;
}

static void rim_over_face(const pair3 *k, const disc *d, const view3 *s, const feature3 *face, patch3 *m)
{
    v3 o = feature_corner(s, face, 0);
    double slope = v3_dot(face->normal, d->up);
    /* a face seen from its edge has no inside */
    if (slope > -1e-6)
        return;
    for (int i = 0; i < RIM_POINTS; i++) {
        v3 x = rim_point(d, i);
        if (over_face(s, face, d->up, x, fmin(m->tie, SAME_PLACE * d->s->rc)))
            put_own(k, d, x, v3_dot(face->normal, v3_sub(o, x)) / slope,
                    d->cap->cap * RIM_POINTS + (uint32_t)i, m);
    }
}

/* where the edge from p to q crosses the rim; its ends count as inside to within the tie */
static void edge_over_rim(const pair3 *k, const disc *d, v3 p, v3 q, double tie, uint32_t name, patch3 *m)
{
    v3 a = foot_of(d, p), e = v3_sub(foot_of(d, q), a);
    double l2 = v3_dot(e, e), b = v3_dot(a, e), r = d->s->rc;
    if (!(l2 > 0))
        return;
    double closest = v3_length(v3_along(a, -b / l2, e)), root = (r - closest) * (r + closest) * l2;
    if (root <= 0)
        return;
    for (int end = 0; end < 2; end++) {
        double u = (-b + (end == 0 ? -sqrt(root) : sqrt(root))) / l2;
        if (!(u > 0 && u < 1) || over_disc(d, end == 0 ? p : q, tie))
            continue;
        v3 x = v3_along(p, u, v3_sub(q, p));
        uint32_t rim = RIM_CROSSING + 2 * d->cap->cap + (uint32_t)end;
        patch_put(k, m, x, !d->of_g, height_over(d, x), OWNER_BOTH, d->of_g ? name : rim,
                  d->of_g ? rim : name);
    }
}

/* ---- two caps ---------------------------------------------------------------------------------------------
 */

/* rim points of one cap over the other; tie < 0: strictly inside */
static void rim_over_disc(const pair3 *k, const disc *d, const disc *other, double tie, patch3 *m)
{
    for (int i = 0; i < RIM_POINTS; i++) {
        v3 x = rim_point(d, i);
        if (over_disc(other, x, tie))
            put_own(k, d, x, height_over(other, x), d->cap->cap * RIM_POINTS + (uint32_t)i, m);
    }
}

/* what is left of a vector of a's plane when it is seen on b's along up */
static v3 flatten(const disc *b, v3 d)
{
    return v3_along(d, -v3_dot(b->cap->normal, d) / v3_dot(b->cap->normal, b->up), b->up);
}

/* the point of a's rim on b's, from a first guess that holds for parallel discs; false: there is none there
 */
static bool rim_on_rim(const disc *a, const disc *b, v3 e, v3 w, double angle, double tie, v3 *out)
{
    double r = a->s->rc, most = b->s->rc + tie;
    for (int i = 0; i < 6; i++) {
        double c = cos(angle), s = sin(angle);
        *out = v3_along(v3_along(a->cap->centre, r * c, e), r * s, w);
        v3 q = foot_of(b, *out), dq = flatten(b, v3_along(v3_scale(-r * s, e), r * c, w));
        double g = v3_dot(q, q) - b->s->rc * b->s->rc, slope = 2 * v3_dot(q, dq);
        if (i == 5)
            return v3_dot(q, q) <= most * most;
        if (fabs(slope) > 1e-9 * r * r)
            angle -= g / slope;
    }
    return false;
}

/* the two corners of the lens */
static void rims_cross(const pair3 *k, const disc *a, const disc *b, double tie, patch3 *m)
{
    v3 to = foot_of(a, b->cap->centre);
    double d = v3_length(to), ra = a->s->rc, rb = b->s->rc;
    if (!(d > fabs(ra - rb) && d < ra + rb))
        return;
    double angle = acos(fmin(1, fmax(-1, (d * d + (ra - rb) * (ra + rb)) / (2 * d * ra))));
    v3 e = v3_scale(1 / d, to), w = v3_cross(a->cap->normal, e), x;
    for (uint32_t i = 0; i < 2; i++)
        if (rim_on_rim(a, b, e, w, i == 0 ? angle : -angle, tie, &x))
            patch_put(k, m, x, false, height_over(b, x), OWNER_BOTH, RIM_CROSSING + 2 * a->cap->cap + i,
                      RIM_CROSSING + 2 * b->cap->cap);
}

void patch_disc(const pair3 *k, bool disc_of_g, const feature3 *cap, const feature3 *other, patch3 *m)
{
    v3 back = v3_scale(-1, m->n);
    disc d = {disc_of_g ? &k->g : &k->f, cap, disc_of_g, disc_of_g ? back : m->n};
    const view3 *s = disc_of_g ? &k->f : &k->g;
    double tie = fmin(m->tie, SAME_PLACE * d.s->rc);
    if (other->count == 0) {
        disc b = {&k->g, other, true, back};
        rim_over_disc(k, &d, &b, tie, m);
        rim_over_disc(k, &b, &d, -tie, m);
        rims_cross(k, &d, &b, tie, m);
        return;
    }
    double slope = v3_length(v3_across(cap->normal, m->n)) +
                   (other->count > 2 ? v3_length(v3_across(other->normal, m->n)) : 1);
    tie = tie * slope > k->tol ? k->tol / slope : tie;
    for (int i = 0; i < other->count; i++) {
        v3 x = feature_corner(s, other, i);
        if (over_disc(&d, x, tie))
            patch_put(k, m, x, !disc_of_g, height_over(&d, x), disc_of_g ? OWNER_F : OWNER_G,
                      other->id != NULL ? other->id[i] : other->few_id[i], 0);
        int next = i + 1 < other->count ? i + 1 : 0;
        if (other->count == 1 || (other->count == 2 && i == 1))
            continue;
        uint32_t name = other->id != NULL ? edge_name(s->n, other->id[i], other->id[next]) : other->edge;
        edge_over_rim(k, &d, x, feature_corner(s, other, next), tie, name, m);
    }
    if (other->count > 2)
        rim_over_face(k, &d, s, other, m);
}
