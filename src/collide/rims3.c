/*
 * Two cylinders: the directions in which a rim of each is nearest.
 *
 * One rim has centre O, axis A, radius r, the other radius r' and points y(phi); u is the unit vector from
 * the axis A to y, rho = |(y - O) x A|, z = (y - O).A.  Where two rims carry the distance, |F| is the length
 * of the segment from x = O + r u to y, which stands on both rims.
 *
 * That segment is a *local minimum* of the distance of the two circles, with x on y's side of the axis.
 * Apart: because x and y are the nearest points of the cylinders.  Overlapping by s = -F > 0: F has a top
 * where its second derivative s I - k q q^T - k' q' q'^T on the sphere is not positive, q and q' being the
 * tangents of the rims and k = r/|n x A|, k' the same of the other; with g the angle of q and q' that says
 *
 *     k + k' >= 2 s,  (k - s)(k' - s) >= k k' cos(g)^2,
 *
 * hence k, k' >= s and (1 - s/k)(1 - s/k') >= cos(g)^2: times r^2 r'^2 the determinant of the second
 * derivative of |y - x|^2 / 2 in the two angles, whose diagonal is r^2 (1 - s/k) = r rho (so that x is on y's
 * side) and r'^2 (1 - s/k').
 *
 * So one unknown is left: all minima of E(phi) = z^2 + (rho - r)^2, the square of y's distance from the
 * circle, are wanted where z and rho - r are both positive (apart) or both negative (overlapping).  With
 * N = rho rho',
 *
 *     f = rho E'/2 = (rho - r) N + rho z z'
 *
 * goes from - to + there.  Its roots are the real ones of a polynomial of degree 8, and they are isolated
 * without forming it: the circle is cut into arcs of half width w until on each one of these is certain,
 * with a bound D of |f''| over the arc:
 *
 *     |f| > |f'| w + D w^2/2          no root
 *     |f'| > D w                      at most one root, found between brackets when f goes from - to +
 *     |y - x| - v w >= -(best F)      nothing better, v a bound of |z'| + |rho'|, with which y - x changes
 *     E changes less than rounding    any of its points will do
 *
 * Every direction is improved by Newton's method on the sphere and judged by F over both cylinders.
 */
#include "collide/pair3.h"

/* half width of an arc that is cut no more */
static const double NARROW = 1e-9;
/* length of a step on the sphere below which Newton's method has but to be finished */
static const double NEAR = 1e-5;
static const double PI = 3.141592653589793;
enum { ARCS = 6, CUTS = 4096, ROOT_STEPS = 60, CLIMB_STEPS = 24 };

/* ---- on the sphere ----------------------------------------------------------------------------------------
 */

/* F(m) of two cylinders, with its gradient and, of each, the direction in which it curves and how much */
typedef struct slopes {
    v3 gradient, q[2];
    double bend[2];
} slopes;

static double value_of(const cyl_pair *w, v3 m, slopes *out)
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
        out->bend[i] = c->rc / fmax(across, 1e-14);
    }
    return f;
}

/* a step uphill in the plane across m: Newton's where F curves down, along the gradient otherwise */
static v3 uphill(v3 m, double f, const slopes *r)
{
    v3 e1 = r->bend[0] > r->bend[1] ? r->q[0] : r->q[1], e2 = v3_cross(m, e1);
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

/* to the top of F from m.  F is flat there, and the last steps are taken though they change F by rounding
 * only
 */
static v3 climb(const cyl_pair *w, v3 m)
{
    slopes r, next;
    double f = value_of(w, m, &r);
    int last = 0;
    for (int i = 0; i < CLIMB_STEPS && last < 2; i++) {
        v3 step = uphill(m, f, &r), to = v3_unit(v3_along(m, 1, step));
        double share = 1, better = value_of(w, to, &next);
        bool near = v3_dot(step, step) < NEAR * NEAR && better > f - w->k->tol;
        for (int half = 0; half < 12 && !near && !(better > f); half++) {
            share /= 2;
            to = v3_unit(v3_along(m, share, step));
            better = value_of(w, to, &next);
        }
        if (!near && !(better > f))
            break;
        last += near ? 1 : 0;
        m = to, f = better, r = next;
    }
    return m;
}

/* ---- on the circle ----------------------------------------------------------------------------------------
 */

/* y(phi) = W + r2 (g1 cos, sin, g3 cos) in the axes e1, e2, A from the centre of the first rim */
typedef struct rims {
    const cyl_pair *w;
    v3 e1, e2, A;
    double r, r2, g1, g3, W1, W2, W3;
    int left;      /* arcs that may still be cut */
    double toward; /* 1: directions with A point from c to p, -1: from p to c */
} rims;

/* at one angle */
typedef struct place {
    double c, s, rho, z, z1, N, N1, f, f1, distance;
} place;

static place place_at(const rims *k, double phi)
{
    place p = {.c = cos(phi), .s = sin(phi)};
    double y1 = k->W1 + k->r2 * k->g1 * p.c, y2 = k->W2 + k->r2 * p.s, flat = k->r2 * k->g3 * k->g3;
    p.rho = sqrt(y1 * y1 + y2 * y2);
    p.z = k->W3 + k->r2 * k->g3 * p.c;
    p.z1 = -k->r2 * k->g3 * p.s;
    p.N = k->r2 * (-k->W1 * k->g1 * p.s + k->W2 * p.c + flat * p.s * p.c);
    p.N1 = k->r2 * (-k->W1 * k->g1 * p.c - k->W2 * p.s + flat * (p.c - p.s) * (p.c + p.s));
    double out = p.rho - k->r, z2 = -k->r2 * k->g3 * p.c;
    p.f = out * p.N + p.rho * p.z * p.z1;
    p.f1 = (p.rho > 0 ? p.N / p.rho : 0) * (p.N + p.z * p.z1) + out * p.N1 + p.rho * (p.z1 * p.z1 + p.z * z2);
    p.distance = sqrt(p.z * p.z + out * out);
    return p;
}

/* tries the direction of the segment at an angle: across both rims, and along itself */
static void try_place(const rims *k, double phi)
{
    place p = place_at(k, phi);
    if (!(p.rho > 0))
        return;
    double u1 = (k->W1 + k->r2 * k->g1 * p.c) / p.rho, u2 = (k->W2 + k->r2 * p.s) / p.rho;
    v3 u = v3_along(v3_scale(u1, k->e1), u2, k->e2), q = v3_along(v3_scale(-u2, k->e1), u1, k->e2);
    v3 tangent = v3_along(v3_along(v3_scale(-k->g1 * p.s, k->e1), p.c, k->e2), -k->g3 * p.s, k->A);
    v3 m = v3_cross(q, tangent), along = v3_along(v3_scale(p.z, k->A), p.rho - k->r, u);
    m = v3_unit(v3_scale(v3_dot(m, k->A) < 0 ? -k->toward : k->toward, m));
    along = v3_unit(v3_scale(p.z < 0 ? -k->toward : k->toward, along));
    slopes ignored;
    bool across = value_of(k->w, m, &ignored) > value_of(k->w, along, &ignored);
    cylinder_try_points(k->w, climb(k->w, across ? m : along), p.distance);
}

/* f goes from - to + between low and high, once: Newton where that halves f, else halving the bracket */
static double root_between(const rims *k, double low, double high)
{
    double phi = 0.5 * (low + high), last = HUGE_VAL;
    for (int i = 0; i < ROOT_STEPS && high - low > 1e-15; i++) {
        place p = place_at(k, phi);
        if (p.f == 0)
            break;
        if (p.f < 0)
            low = phi;
        else
            high = phi;
        double step = p.f1 > 0 && fabs(p.f) <= 0.5 * last ? phi - p.f / p.f1 : HUGE_VAL;
        bool newton = step > low && step < high;
        last = newton ? fabs(p.f) : HUGE_VAL;
        double next = newton ? step : 0.5 * (low + high);
        if (fabs(next - phi) < 1e-14)
            break;
        phi = next;
    }
    return phi;
}

/* bounds over an arc of half width w: |f''|, least rho, change of the distance */
typedef struct bounds {
    double bend, low, room;
} bounds;

static bounds bounds_over(const rims *k, const place *p, double w)
{
    double flat = k->r2 * k->g3 * k->g3, z1 = k->r2 * fabs(k->g3), z = fabs(p->z) + z1 * w;
    double wide = sqrt(k->W1 * k->W1 * k->g1 * k->g1 + k->W2 * k->W2);
    double N2 = k->r2 * (wide + 2 * flat), N1 = fabs(p->N1) + N2 * w, N = fabs(p->N) + N1 * w;
    double low = p->rho - k->r2 * w;
    if (!(low > 0))
        return (bounds){HUGE_VAL, 0, k->r2 * w};
    double rho1 = fmin(k->r2, N / low), rho2 = N1 / low + rho1 * rho1 / low, high = p->rho + rho1 * w;
    double bend = rho2 * (N + z * z1) + 2 * rho1 * (N1 + z1 * z1 + z * z1) +
                  (fabs(p->rho - k->r) + rho1 * w) * N2 + high * (3 * z1 * z1 + z * z1);
    return (bounds){bend, low, fmin(k->r2, rho1 + z1) * w};
}

/* may an arc of half width w hold a segment that is better than the best by more than rounding? */
static bool worth(const rims *k, const place *p, double w, double room)
{
    double tol = k->w->k->tol, best = k->w->best->sep + 0.25 * tol, out = p->rho - k->r;
    double z = k->r2 * fabs(k->g3) * w + 4 * tol, aside = room + 4 * tol;
    bool under = p->z < z && out < aside && fmax(0, p->distance - room) < -best;
    bool over = !k->w->overlap && p->z > -z && out > -aside && p->distance + room > best;
    return under || over;
}

static void try_arc(rims *k, double middle, double w)
{
    place p = place_at(k, middle);
    bounds b = bounds_over(k, &p, w);
    double change = fabs(p.f1) * w + 0.5 * b.bend * w * w;
    if (!worth(k, &p, w, b.room) || fabs(p.f) > change)
        return;
    /* flat: the distance's derivative is f / (rho distance) */
    bool flat =
        b.room <= 0.1 * k->w->k->tol || (fabs(p.f) + change) * w <= 0.1 * k->w->k->tol * b.low * p.distance;
    if (w < NARROW || flat || k->left-- <= 0) {
        try_place(k, middle);
        return;
    }
    if (fabs(p.f1) > b.bend * w) {
        if (p.f1 > 0 && place_at(k, middle - w).f <= 0 && place_at(k, middle + w).f >= 0)
            try_place(k, root_between(k, middle - w, middle + w));
        return;
    }
    try_arc(k, middle - 0.5 * w, 0.5 * w);
    try_arc(k, middle + 0.5 * w, 0.5 * w);
}

/* the rims that face each other along directions with A and B, one end of each axis; x: the wider */
static void try_rims(const cyl_pair *w, double sense, double sense2)
{
    v3 A = v3_scale(sense, w->c->a), B = v3_scale(sense2, w->p->a), e2 = v3_cross(A, B);
    double sine = v3_length(e2);
    v3 W = v3_along(v3_along(v3_sub(w->p->c, w->c->c), -w->p->h, B), -w->c->h, A);
    bool swap = w->c->rc < w->p->rc;
    if (swap) {
        /* seen from the other cylinder everything points the other way */
        v3 other = v3_scale(-1, A);
        A = v3_scale(-1, B), B = other, W = v3_scale(-1, W);
    }
    rims k = {.w = w,
              .left = CUTS,
              .toward = swap ? -1 : 1,
              .A = A,
              .r = fmax(w->c->rc, w->p->rc),
              .r2 = fmin(w->c->rc, w->p->rc)};
    k.e2 = v3_across_first(v3_scale(1 / sine, e2), A);
    k.e1 = v3_cross(k.e2, A);
    v3 g = v3_cross(k.e2, B);
    k.g1 = v3_dot(g, k.e1), k.g3 = v3_dot(g, A);
    k.W1 = v3_dot(W, k.e1), k.W2 = v3_dot(W, k.e2), k.W3 = v3_dot(W, A);
    for (int i = 0; i < ARCS; i++)
        try_arc(&k, PI * (2 * i + 1) / ARCS, PI / ARCS);
}

void cylinder_rims(const cyl_pair *w)
{
    for (int i = 0; i < 4; i++)
        try_rims(w, i & 1 ? 1 : -1, i & 2 ? 1 : -1);
}
