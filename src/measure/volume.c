/*
 * Volumes of parts inside a box.
 *
 * Polyhedra are cut into tetrahedra, and these by the planes of the box into smaller ones until each piece
 * lies inside or outside: no piece of the surface has to be closed again, whatever coincides.
 *
 * Spheres, capsules and cylinders are solids of revolution.  With s along the axis, V = integral of A(s) ds,
 * A the area of a disc of radius r(s) inside the slice of the box, a convex polygon, which is exact
 * (measure/area.h).  A is smooth between the places where the slice changes its corners, where one of them
 * crosses the circle and where a side touches it, all known in closed form; at such a place A grows like a
 * power of a half, which s = a + (b - a) x^2 (3 - 2 x) makes smooth.  Gauss's rule with 16 points, and
 * intervals halved until that changes nothing, does the rest.
 */
#include "measure/volume.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"
#include "measure/area.h"

static const double PI = 3.14159265358979323846;

/* ---- extent ------------------------------------------------------------------------------------------- */

void part_widen(const solid_part *p, double min[3], double max[3])
{
    double r[3] = {p->radius, p->radius, p->radius}, u[3];
    if (p->kind == MO_PART_CYLINDER) {
        // a disc across u reaches r sin(angle between u and the axis) along an axis
        vec3_sub(p->points + 3, p->points, u);
        vec3_unit(u, u);
        vec3_set(r, r[0] * hypot(u[1], u[2]), r[1] * hypot(u[2], u[0]), r[2] * hypot(u[0], u[1]));
    }
    for (size_t i = 0; i < p->count; i++)
        for (int k = 0; k < 3; k++) {
            min[k] = fmin(min[k], p->points[3 * i + (size_t)k] - r[k]);
            max[k] = fmax(max[k], p->points[3 * i + (size_t)k] + r[k]);
        }
}

/* ---- polyhedra ---------------------------------------------------------------------------------------- */

typedef struct cut_box {
    const double *min, *max;
} cut_box;

static double tetrahedron_volume(double x[4][3])
{
    double a[3], b[3], c[3], n[3];
    vec3_sub(x[1], x[0], a);
    vec3_sub(x[2], x[0], b);
    vec3_sub(x[3], x[0], c);
    vec3_cross(b, c, n);
    return fabs(vec3_dot(a, n)) / 6;
}

static double tetrahedron_in_box(double x[4][3], const cut_box *box, int side);

// volume of a triangular prism of any shape, whose corners k and k + 3 are joined
static double prism_in_box(double x[6][3], const cut_box *box, int side)
{
    static const int CORNERS[3][4] = {{0, 1, 2, 3}, {1, 2, 3, 4}, {2, 3, 4, 5}};
    double sum = 0, piece[4][3];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 4; k++)
            vec3_copy(x[CORNERS[i][k]], piece[k]);
        sum += tetrahedron_in_box(piece, box, side);
    }
    return sum;
}

// where the edge from a, at depth da, crosses the plane on its way to b
static void crossing(const double a[3], double da, const double b[3], double db, double out[3])
{
    double d[3];
    vec3_sub(b, a, d);
    vec3_add_scaled(a, da / (da - db), d, out);
}

// the part of a tetrahedron within the sides of the box from `side` on: 2 k is max[k], 2 k + 1 min[k]
static double tetrahedron_in_box(double x[4][3], const cut_box *box, int side)
{
    int in[4], out[4], ins = 0, outs = 0;
    double depth[4];
    if (side == 6)
        return tetrahedron_volume(x);
    int k = side / 2;
    for (int i = 0; i < 4; i++) {
        depth[i] = side % 2 == 0 ? box->max[k] - x[i][k] : x[i][k] - box->min[k];
        if (depth[i] >= 0)
            in[ins++] = i;
        else
            out[outs++] = i;
    }
    if (outs == 0 || ins == 0)
        return ins == 0 ? 0 : tetrahedron_in_box(x, box, side + 1);
    double p[6][3];
    if (ins == 1) {
        // a smaller one at the corner inside
        vec3_copy(x[in[0]], p[0]);
        for (int i = 0; i < 3; i++)
            crossing(x[in[0]], depth[in[0]], x[out[i]], depth[out[i]], p[i + 1]);
        return tetrahedron_in_box(p, box, side + 1);
    }
    if (ins == 3) {
        // all without the corner outside
        for (int i = 0; i < 3; i++) {
            vec3_copy(x[in[i]], p[i]);
            crossing(x[in[i]], depth[in[i]], x[out[0]], depth[out[0]], p[i + 3]);
        }
        return prism_in_box(p, box, side + 1);
    }
    // a wedge along the edge inside: its ends are triangles
    for (int i = 0; i < 2; i++) {
        vec3_copy(x[in[i]], p[3 * i]);
        for (int j = 0; j < 2; j++)
            crossing(x[in[i]], depth[in[i]], x[out[j]], depth[out[j]], p[3 * i + j + 1]);
    }
    return prism_in_box(p, box, side + 1);
}

// from a corner of the polyhedron to the triangles of its faces
static double polyhedron_in_box(const solid_part *p, const double min[3], const double max[3])
{
    const cut_box box = {min, max};
    const uint32_t *face = p->faces;
    double sum = 0, x[4][3];
    vec3_copy(p->points, x[0]);
    for (uint32_t f = 0; f < p->face_count; f++, face += 1 + face[0]) {
        vec3_copy(p->points + 3 * (size_t)face[1], x[1]);
        for (uint32_t k = 2; k < face[0]; k++) {
            vec3_copy(p->points + 3 * (size_t)face[k], x[2]);
            vec3_copy(p->points + 3 * (size_t)face[k + 1], x[3]);
            sum += tetrahedron_in_box(x, &box, 0);
        }
    }
    return sum;
}

/* ---- solids of revolution ------------------------------------------------------------------------------ */

enum { MOST_BREAKS = 160, GAUSS = 8, DEEPEST = 24 };

/* Box and solid in the frame of the axis: s along it, x and y across. */
typedef struct turned {
    double radius, length; /* the centres of the ends lie at s = 0 and s = length */
    bool capped;           /* with half balls at its ends, from s = -radius to length + radius */
    double n[6][3];        /* the box: n.(x, y, s) <= d */
    double d[6];
    double corner[8][3];
    double breaks[MOST_BREAKS];
    size_t break_count;
} turned;

// r^2 = c[0] + c[1] s + c[2] s^2 on the piece: the middle, or the ball about the lower or upper end
static void radius_squared(const turned *t, int piece, double c[3])
{
    double centre = piece == 2 ? t->length : 0, r2 = t->radius * t->radius;
    if (piece == 0)
        vec3_set(c, r2, 0, 0);
    else
        vec3_set(c, r2 - centre * centre, 2 * centre, -1);
}

static double radius_at(const turned *t, double s)
{
    double beyond = fmax(0, fmax(-s, s - t->length));
    return beyond > 0 ? sqrt(fmax(0, (t->radius - beyond) * (t->radius + beyond))) : t->radius;
}

// keeps the part of a convex polygon with n.x <= d; returns the new count
static size_t clip_side(const double *in, size_t count, const double n[2], double d, double *out)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        const double *p = &in[2 * i], *q = &in[2 * ((i + 1) % count)];
        double dp = n[0] * p[0] + n[1] * p[1] - d, dq = n[0] * q[0] + n[1] * q[1] - d;
        if (dp <= 0)
            memcpy(&out[2 * kept++], p, 2 * sizeof *out);
        if ((dp < 0 && dq > 0) || (dp > 0 && dq < 0)) {
            double w = dp / (dp - dq);
            out[2 * kept] = p[0] + w * (q[0] - p[0]);
            out[2 * kept++ + 1] = p[1] + w * (q[1] - p[1]);
        }
    }
    return kept;
}

// area of the disc at s inside the box: a square around the disc, cut by the sides of the box
static double slice_area(const turned *t, double s)
{
    double r = radius_at(t, s), w = 2 * r;
    double a[24] = {-w, -w, w, -w, w, w, -w, w}, b[24];
    size_t count = 4;
    for (int k = 0; k < 6 && count > 0; k++) {
        count = clip_side(a, count, t->n[k], t->d[k] - t->n[k][2] * s, b);
        memcpy(a, b, sizeof a);
    }
    return disc_in_polygon(r, a, count);
}

static void add_break(turned *t, double s)
{
    if (isfinite(s) && t->break_count < MOST_BREAKS)
        t->breaks[t->break_count++] = s;
}

// places x with c[0] + c[1] x + c[2] x^2 = 0; returns how many
static int roots(const double c[3], double x[2])
{
    if (c[2] == 0) {
        x[0] = -c[0] / c[1];
        return c[1] != 0;
    }
    double half = -c[1] / 2, under = half * half - c[2] * c[0];
    if (!(under >= 0))
        return 0;
    double big = half + copysign(sqrt(under), half);
    x[0] = big / c[2];
    x[1] = big != 0 ? c[0] / big : 0;
    return 2;
}

// where a side of the slice touches the circle: distance^2 = r^2
static void break_at_sides(turned *t, const double c[3])
{
    double x[2];
    for (int k = 0; k < 6; k++) {
        const double *n = t->n[k], d = t->d[k], across = n[0] * n[0] + n[1] * n[1];
        const double equation[3] = {d * d - across * c[0], -2 * d * n[2] - across * c[1],
                                    n[2] * n[2] - across * c[2]};
        for (int i = roots(equation, x); i > 0; i--)
            add_break(t, x[i - 1]);
    }
}

// where a corner of the slice crosses the circle: it runs along an edge of the box
static void break_at_edges(turned *t, const double c[3])
{
    double x[2];
    for (int i = 0; i < 8; i++)
        for (int bit = 1; bit < 8; bit *= 2) {
            if (i & bit)
                continue;
            const double *p = t->corner[i];
            double e[3];
            vec3_sub(t->corner[i | bit], p, e);
            const double equation[3] = {p[0] * p[0] + p[1] * p[1] - (c[0] + p[2] * (c[1] + p[2] * c[2])),
                                        2 * (p[0] * e[0] + p[1] * e[1]) - e[2] * (c[1] + 2 * p[2] * c[2]),
                                        e[0] * e[0] + e[1] * e[1] - e[2] * e[2] * c[2]};
            for (int k = roots(equation, x); k > 0; k--)
                if (x[k - 1] > 0 && x[k - 1] < 1)
                    add_break(t, p[2] + x[k - 1] * e[2]);
        }
}

static int by_size(const void *p, const void *q)
{
    const double *a = p, *b = q;
    return (*a > *b) - (*a < *b);
}

static void find_breaks(turned *t)
{
    double c[3], cap = t->capped ? t->radius : 0;
    t->break_count = 0;
    // the ends, then the corners of the box, then what happens on each piece of the surface
    add_break(t, -cap);
    add_break(t, t->length + cap);
    if (t->capped && t->length > 0) {
        add_break(t, 0);
        add_break(t, t->length);
    }
    for (int i = 0; i < 8; i++)
        add_break(t, t->corner[i][2]);
    for (int piece = t->length > 0 ? 0 : 1; piece < (t->capped ? (t->length > 0 ? 3 : 2) : 1); piece++) {
        radius_squared(t, piece, c);
        break_at_sides(t, c);
        break_at_edges(t, c);
    }
    qsort(t->breaks, t->break_count, sizeof *t->breaks, by_size);
}

// Gauss's rule with 16 points in x, s = a + (b - a) x^2 (3 - 2 x), for the part of a break's interval
// between the fractions x0 and x1
static double gauss(const turned *t, double a, double b, double x0, double x1)
{
    static const double NODE[GAUSS] = {0.0950125098376374, 0.2816035507792589, 0.4580167776572274,
                                       0.6178762444026438, 0.7554044083550030, 0.8656312023878318,
                                       0.9445750230732326, 0.9894009349916499};
    static const double WEIGHT[GAUSS] = {0.1894506104550685, 0.1826034150449236, 0.1691565193950025,
                                         0.1495959888165767, 0.1246289712555339, 0.0951585116824928,
                                         0.0622535239386479, 0.0271524594117541};
    double middle = (x0 + x1) / 2, half = (x1 - x0) / 2, sum = 0;
    for (int i = 0; i < 2 * GAUSS; i++) {
        double x = middle + (i % 2 == 0 ? half : -half) * NODE[i / 2];
        sum += WEIGHT[i / 2] * 6 * x * (1 - x) * slice_area(t, a + (b - a) * x * x * (3 - 2 * x));
    }
    return half * (b - a) * sum;
}

static double integrate(const turned *t, double a, double b, double x0, double x1, double whole, double tol,
                        int depth)
{
    double middle = (x0 + x1) / 2;
    double left = gauss(t, a, b, x0, middle), right = gauss(t, a, b, middle, x1);
    if (fabs(left + right - whole) <= tol || depth == DEEPEST)
        return left + right;
    return integrate(t, a, b, x0, middle, left, tol / 2, depth + 1) +
           integrate(t, a, b, middle, x1, right, tol / 2, depth + 1);
}

static double whole_volume(const solid_part *p)
{
    double r = p->radius, ball = 4.0 / 3 * PI * r * r * r;
    double length = p->count == 2 ? vec3_distance(p->points, p->points + 3) : 0;
    return (p->kind == MO_PART_CYLINDER ? 0 : ball) + PI * r * r * length;
}

// the frame of the axis: rows of R are its x, y and s directions, its origin at the first end
static void axis_frame(const solid_part *p, double R[9], double *length)
{
    vec3_set(R + 6, 0, 0, 1);
    *length = 0;
    if (p->count == 2) {
        vec3_sub(p->points + 3, p->points, R + 6);
        *length = vec3_unit(R + 6, R + 6);
    }
    mo_tangent(R + 6, R);
    vec3_cross(R + 6, R, R + 3);
}

static void turn_box(const solid_part *p, const double R[9], const double min[3], const double max[3],
                     turned *t)
{
    for (int k = 0; k < 6; k++) {
        double n[3] = {0, 0, 0}, sign = k % 2 == 0 ? 1 : -1;
        int axis = k / 2;
        n[axis] = sign;
        mat3_apply(R, n, t->n[k]);
        t->d[k] = sign * ((sign > 0 ? max[axis] : min[axis]) - p->points[axis]);
    }
    for (int i = 0; i < 8; i++) {
        double x[3];
        for (int k = 0; k < 3; k++)
            x[k] = (i & (1 << k) ? max[k] : min[k]) - p->points[k];
        mat3_apply(R, x, t->corner[i]);
    }
}

static double turned_in_box(const solid_part *p, const double min[3], const double max[3])
{
    turned t = {.radius = p->radius, .capped = p->kind != MO_PART_CYLINDER};
    double R[9], sum = 0, low = HUGE_VAL, high = -HUGE_VAL;
    axis_frame(p, R, &t.length);
    turn_box(p, R, min, max, &t);
    find_breaks(&t);
    // where both are
    for (int i = 0; i < 8; i++) {
        low = fmin(low, t.corner[i][2]);
        high = fmax(high, t.corner[i][2]);
    }
    double cap = t.capped ? t.radius : 0, whole = whole_volume(p);
    low = fmax(low, -cap);
    high = fmin(high, t.length + cap);
    for (size_t i = 0; i + 1 < t.break_count; i++) {
        double a = fmax(low, t.breaks[i]), b = fmin(high, t.breaks[i + 1]);
        if (a < b)
            sum += integrate(&t, a, b, 0, 1, gauss(&t, a, b, 0, 1), 1e-12 * whole, 0);
    }
    // rounding does not lead out of what is possible
    double box = (max[0] - min[0]) * (max[1] - min[1]) * (max[2] - min[2]);
    return fmax(0, fmin(sum, fmin(whole, box)));
}

/* ---- both --------------------------------------------------------------------------------------------- */

double part_in_box(const solid_part *p, const double min[3], const double max[3])
{
    if (p->kind == MO_PART_PLANE || p->kind == MO_PART_TRIANGLE)
        return 0;
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    bool inside = true, apart = false;
    part_widen(p, low, high);
    for (int k = 0; k < 3; k++) {
        inside = inside && low[k] >= min[k] && high[k] <= max[k];
        apart = apart || low[k] >= max[k] || high[k] <= min[k];
    }
    if (apart)
        return 0;
    if (p->kind == MO_PART_POLYHEDRON)
        return polyhedron_in_box(p, min, max);
    return inside ? whole_volume(p) : turned_in_box(p, min, max);
}
