/*
 * Nearest points of two polytopes that are apart: Gilbert, Johnson & Keerthi (IEEE J. Robotics Automation 4
 * (1988) 193-203), finished by a certificate.
 *
 * v is the point of g - f nearest to the origin within a simplex of at most four of its vertices w = y - x.
 * |v| is never less than the distance and F(v/|v|) never more, so that their difference bounds the error: the
 * search ends when that is rounding.  It may not get there: it has a fixed number of steps, and of parts that
 * nearly touch the direction of v is not known well enough.  Then `exact` is false, and the caller either has
 * a direction whose F is |v|, or has all pairs of features tried: vertices over faces and edges with edges.
 */
#include "collide/pair3.h"

/* sine above which two directions determine a third */
static const double CROSSING = 1e-4;
/* sine below which they are parallel */
static const double PARALLEL = 1e-13;
enum { STEPS = 96, LEVEL_STEPS = 6 };
/* angle by which the vector between points may be turned to be that between the nearest, at least */
static const double TURN = 1e-6;
/* error over the pair's rounding that is accepted where the search comes to rest */
static const double STALLED = 4;
/* error over the pair's rounding of the vector between two points */
static const double BETWEEN = 16;

typedef struct simplex {
    int count;
    v3 w[4], x[4];       /* w = y - x */
    uint32_t i[4], j[4]; /* vertices of f and g */
    double weight[4];
    v3 v;
} simplex;

/* keeps the corners with positive weights */
static void keep(simplex *s, const simplex *from, const int *corner, const double *weight, int count)
{
    s->count = 0;
    s->v = (v3){{0, 0, 0}};
    for (int i = 0; i < count; i++) {
        if (!(weight[i] > 0))
            continue;
        s->w[s->count] = from->w[corner[i]];
        s->x[s->count] = from->x[corner[i]];
        s->i[s->count] = from->i[corner[i]];
        s->j[s->count] = from->j[corner[i]];
        s->v = v3_along(s->v, weight[i], from->w[corner[i]]);
        s->weight[s->count++] = weight[i];
    }
}

/* nearest of what is kept: replaced when the candidate is nearer */
static void offer(simplex *best, double *square, const simplex *from, const int *corner, const double *weight,
                  int count)
{
    simplex s;
    keep(&s, from, corner, weight, count);
    double d = v3_dot(s.v, s.v);
    if (d < *square) {
        *square = d;
        *best = s;
    }
}

static void offer_edge(simplex *best, double *square, const simplex *s, int a, int b)
{
    v3 d = v3_sub(s->w[b], s->w[a]);
    double l2 = v3_dot(d, d), u = l2 > 0 ? -v3_dot(s->w[a], d) / l2 : 0;
    u = fmin(1, fmax(0, u));
    offer(best, square, s, (const int[]){a, b}, (const double[]){1 - u, u}, 2);
}

/* the inside of a triangle, where the origin is over it */
static void offer_triangle(simplex *best, double *square, const simplex *s, int a, int b, int c)
{
    v3 n = v3_cross(v3_sub(s->w[b], s->w[a]), v3_sub(s->w[c], s->w[a]));
    double l2 = v3_dot(n, n);
    if (!(l2 > 0))
        return;
    double u = v3_dot(n, v3_cross(s->w[b], s->w[c])), v = v3_dot(n, v3_cross(s->w[c], s->w[a])),
           w = v3_dot(n, v3_cross(s->w[a], s->w[b])), sum = u + v + w;
    if (u > 0 && v > 0 && w > 0)
        offer(best, square, s, (const int[]){a, b, c}, (const double[]){u / sum, v / sum, w / sum}, 3);
}

/* is the origin within the tetrahedron, or on its surface? then with its weights there */
static bool holds_origin(simplex *s)
{
    static const int face[4][4] = {{0, 1, 2, 3}, {0, 3, 1, 2}, {0, 2, 3, 1}, {1, 3, 2, 0}};
    for (int i = 0; i < 4; i++) {
        v3 a = s->w[face[i][0]], n = v3_cross(v3_sub(s->w[face[i][1]], a), v3_sub(s->w[face[i][2]], a));
        v3 up = v3_sub(s->w[face[i][3]], a);
        double own = v3_dot(n, up), origin = -v3_dot(n, a);
        /* one that is flat to rounding holds nothing */
        if (fabs(own) <= 1e-13 * v3_length(n) * v3_length(up) || (own > 0 ? origin < 0 : origin > 0))
            return false;
        s->weight[face[i][3]] = origin / own;
    }
    s->v = (v3){{0, 0, 0}};
    return true;
}

/* reduces the simplex to the face nearest to the origin; true when it holds the origin */
static bool reduce(simplex *s)
{
    if (s->count == 4 && holds_origin(s))
        return true;
    simplex best = *s;
    double square = HUGE_VAL;
    if (s->count == 1)
        offer(&best, &square, s, (const int[]){0}, (const double[]){1}, 1);
    for (int a = 0; a < s->count; a++)
        for (int b = a + 1; b < s->count; b++) {
            offer_edge(&best, &square, s, a, b);
            for (int c = b + 1; c < s->count; c++)
                offer_triangle(&best, &square, s, a, b, c);
        }
    *s = best;
    return false;
}

/* adds the vertex of g - f that is lowest along n; its height */
static double add_support(const pair3 *k, v3 n, simplex *s)
{
    uint32_t i = 0, j = 0;
    double top, low;
    view_top(&k->f, n, HUGE_VAL, &top, &i);
    view_top(&k->g, v3_scale(-1, n), HUGE_VAL, &low, &j);
    s->x[s->count] = view_vertex(&k->f, i);
    s->w[s->count] = v3_sub(view_vertex(&k->g, j), s->x[s->count]);
    s->i[s->count] = i;
    s->j[s->count] = j;
    s->count++;
    return -low - top;
}

/* n without what it has along the unit vectors d and e, which may be parallel or nearly so: of e the part
   across d is used, as far as it is known */
static v3 across_two(v3 n, v3 d, v3 e)
{
    v3 f = v3_across(e, d);
    double sine = v3_length(f);
    n = v3_across(n, d);
    return sine > PARALLEL ? v3_across(v3_across(n, v3_scale(1 / sine, f)), d) : n;
}

/*
 * The unit vector along v without what it has along the unit vectors d and e.  That is rounding where v is
 * across both.  Of two edges that are nearly parallel it need not be across the second: they may be nearest
 * at an end of it; then nothing but what it has along the first is removed, if that is rounding.
 */
static v3 unit_across(const pair3 *k, v3 v, v3 d, v3 e)
{
    double slack = BETWEEN * k->tol;
    v3 both = across_two(v, d, e), first = v3_across(v, d);
    if (vec3_distance(both.v, v.v) <= slack)
        return v3_unit(both);
    return v3_unit(vec3_distance(first.v, v.v) <= slack ? first : v);
}

/*
 * v is across all edges of the simplex, whose directions are known better than v when the parts nearly touch:
 * two of them determine it, one corrects it.
 */
static v3 direction(const pair3 *k, const simplex *s)
{
    v3 d[6] = {{{0, 0, 0}}}, n = s->v;
    int count = 0;
    for (int c = 1; c < s->count; c++) {
        if (s->i[c] != s->i[0])
            d[count++] = v3_unit(view_between(&k->f, s->i[0], s->i[c]));
        if (s->j[c] != s->j[0])
            d[count++] = v3_unit(view_between(&k->g, s->j[0], s->j[c]));
    }
    double most = 0;
    v3 first = d[0], second = d[0];
    for (int a = 0; a < count; a++)
        for (int b = a + 1; b < count; b++) {
            v3 c = v3_cross(d[a], d[b]);
            double sine = v3_length(c);
            if (sine <= most)
                continue;
            most = sine, first = d[a], second = d[b];
            if (sine > CROSSING)
                n = v3_scale(v3_dot(c, s->v) < 0 ? -1 : 1, c);
        }
    return most <= CROSSING && count > 0 ? unit_across(k, s->v, first, second) : v3_unit(n);
}

static nearest3 result(const pair3 *k, const simplex *s, double distance, bool exact)
{
    nearest3 out = {.distance = distance, .exact = exact, .x = {{0, 0, 0}}, .n = direction(k, s)};
    for (int i = 0; i < s->count; i++)
        out.x = v3_along(out.x, s->weight[i], s->x[i]);
    out.y = v3_along(out.x, 1, s->v);
    return out;
}

/* ---- all pairs of features -------------------------------------------------------------------------------
 */

void nearest_on_segments(v3 a, v3 da, v3 b, v3 db, double *s, double *t)
{
    v3 r = v3_sub(b, a), c = v3_cross(da, db);
    double aa = v3_dot(da, da), bb = v3_dot(db, db), ab = v3_dot(da, db), cc = v3_dot(c, c);
    double ar = v3_dot(da, r), br = v3_dot(db, r);
    *s = cc > 1e-28 * aa * bb ? fmin(1, fmax(0, v3_dot(c, v3_cross(r, db)) / cc)) : 0;
    *t = bb > 0 ? (ab * *s - br) / bb : 0;
    if (*t < 0 || *t > 1 || bb == 0) {
        *t = fmin(1, fmax(0, *t));
        *s = aa > 0 ? fmin(1, fmax(0, (ar + ab * *t) / aa)) : 0;
    }
}

/* d lies across the edges that it ends on: their directions are known better than its own */
static v3 across_edges(const pair3 *k, v3 d, v3 da, bool on_a, v3 db, bool on_b)
{
    v3 c = v3_cross(da, db);
    if (on_a && on_b && v3_length(c) > CROSSING * v3_length(da) * v3_length(db))
        return v3_unit(v3_scale(v3_dot(c, d) < 0 ? -1 : 1, c));
    if (on_a && on_b)
        return unit_across(k, d, v3_unit(da), v3_unit(db));
    v3 n = v3_unit(d);
    return on_a || on_b ? v3_unit(v3_across(n, v3_unit(on_a ? da : db))) : n;
}

static void take(nearest3 *best, v3 x, v3 y, v3 n)
{
    double distance = vec3_distance(x.v, y.v);
    if (distance < best->distance)
        *best = (nearest3){distance, x, y, n, true};
}

/* the nearest points of two segments */
static void take_segments(const pair3 *k, nearest3 *best, v3 a, v3 da, v3 b, v3 db)
{
    double s, t;
    nearest_on_segments(a, da, b, db, &s, &t);
    v3 x = v3_along(a, s, da), y = v3_along(b, t, db);
    take(best, x, y, across_edges(k, v3_sub(y, x), da, s > 0 && s<1, db, t> 0 && t < 1));
}

/* vertices of b over the faces of a */
static void over_faces(const view3 *a, const view3 *b, bool swapped, double tol, nearest3 *best)
{
    face3 face;
    for (bool go = view_next_face(a, &face, true); go; go = view_next_face(a, &face, false)) {
        uint32_t count = a->faces[face.at];
        const uint32_t *id = a->faces + face.at + 1;
        for (uint32_t j = 0; j < b->n; j++) {
            v3 y = view_vertex(b, j);
            double h = v3_dot(face.normal, v3_sub(y, view_vertex(a, id[0])));
            bool inside = h >= -tol && h < best->distance;
            for (uint32_t c = 0; c < count && inside; c++) {
                v3 p = view_vertex(a, id[c]), e = view_between(a, id[c], id[c + 1 < count ? c + 1 : 0]);
                inside = v3_dot(v3_cross(face.normal, e), v3_sub(y, p)) >= 0;
            }
            v3 foot = v3_along(y, -h, face.normal);
            if (inside)
                take(best, swapped ? y : foot, swapped ? foot : y, v3_scale(swapped ? -1 : 1, face.normal));
        }
    }
}

static void over_edges(const pair3 *k, nearest3 *best)
{
    edge3 e, q;
    for (bool go = view_next_edge(&k->f, &e, true); go; go = view_next_edge(&k->f, &e, false)) {
        v3 a = view_vertex(&k->f, e.from), da = view_between(&k->f, e.from, e.to);
        for (bool on = view_next_edge(&k->g, &q, true); on; on = view_next_edge(&k->g, &q, false)) {
            v3 b = view_vertex(&k->g, q.from), db = view_between(&k->g, q.from, q.to);
            take_segments(k, best, a, da, b, db);
        }
    }
}

/* a point has no edge of its own */
static void point_over_edges(const pair3 *k, const view3 *a, v3 y, bool swapped, nearest3 *best)
{
    edge3 e;
    for (bool go = view_next_edge(a, &e, true); go; go = view_next_edge(a, &e, false)) {
        v3 p = view_vertex(a, e.from), d = view_between(a, e.from, e.to);
        v3 zero = {{0, 0, 0}};
        if (swapped)
            take_segments(k, best, y, zero, p, d);
        else
            take_segments(k, best, p, d, y, zero);
    }
}

nearest3 nearest_by_trying(const pair3 *k, nearest3 best)
{
    best.exact = true;
    over_faces(&k->f, &k->g, false, k->tol, &best);
    over_faces(&k->g, &k->f, true, k->tol, &best);
    over_edges(k, &best);
    if (k->g.n == 1)
        point_over_edges(k, &k->f, k->g.t, false, &best);
    if (k->f.n == 1)
        point_over_edges(k, &k->g, k->f.t, true, &best);
    return best;
}

/* ---- the normal ------------------------------------------------------------------------------------------
 */

void nearest_normal(const pair3 *k, const nearest3 *near, axis3 *best)
{
    v3 n = near->n, level[2] = {{{0, 0, 0}}, {{0, 0, 0}}};
    /* points that are e beside the nearest are farther apart by e^2/(2 distance), which may be rounding */
    double turn = fmax(TURN, 4 * sqrt(k->tol / near->distance));
    for (int i = 0; i < LEVEL_STEPS; i++) {
        axis3 now = {.kind = AXIS_NONE, .sep = -HUGE_VAL};
        axis_try(k, best, n, NO_VERTEX, NO_VERTEX, 0);
        if (!axis_try(k, &now, n, NO_VERTEX, NO_VERTEX, 0) || now.sep >= near->distance - k->tol)
            return;
        v3 f = v3_sub(view_vertex(&k->f, now.at_f), near->x),
           g = v3_sub(near->y, view_vertex(&k->g, now.at_g));
        level[1] = level[0];
        level[0] = v3_unit(v3_dot(n, f) > v3_dot(n, g) ? f : g);
        v3 to = v3_unit(i == 0 ? v3_across(n, level[0]) : across_two(n, level[0], level[1]));
        if (vec3_distance(n.v, to.v) > turn)
            return;
        n = to;
    }
}

/* ---- the search ------------------------------------------------------------------------------------------
 */

static nearest3 of_segments(const pair3 *k)
{
    v3 a = k->f.t, b = k->g.t, zero = {{0, 0, 0}};
    v3 da = k->f.n > 1 ? view_between(&k->f, 0, 1) : zero, db = k->g.n > 1 ? view_between(&k->g, 0, 1) : zero;
    nearest3 best = {.distance = HUGE_VAL};
    take_segments(k, &best, a, da, b, db);
    return best;
}

nearest3 nearest_points(const pair3 *k, v3 start)
{
    if (k->f.n <= 2 && k->g.n <= 2)
        return of_segments(k);
    simplex s = {.count = 0};
    add_support(k, start, &s);
    reduce(&s);
    for (int step = 0; step < STEPS; step++) {
        double distance = v3_length(s.v);
        if (distance <= k->tol)
            return result(k, &s, 0, true);
        v3 n = v3_scale(1 / distance, s.v);
        simplex before = s;
        double low = add_support(k, n, &s);
        if (distance - low <= k->tol)
            return result(k, &before, distance, true);
        if (reduce(&s))
            return result(k, &s, 0, true);
        if (!(v3_dot(s.v, s.v) < v3_dot(before.v, before.v)))
            return result(k, &before, distance, distance - low <= STALLED * k->tol);
    }
    return result(k, &s, v3_length(s.v), false);
}
