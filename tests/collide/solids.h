/*
 * Placed solids for tests of the narrow phase in 3D, and slow, obvious answers to compare with.
 *
 * The answers share nothing with the code under test: everything is in world coordinates relative to the
 * first part's position, in long double, and by trying everything.
 */
#ifndef TESTS_COLLIDE_SOLIDS_H
#define TESTS_COLLIDE_SOLIDS_H

#include <math.h>
#include <string.h>

#include "collide/manifold3.h"
#include "core/rng.h"
#include "math/quat.h"

/* The signed distance that collide_solids tells.  INFINITY of two planes. */
static inline double solid_distance(const placed3 *a, const placed3 *b)
{
    /* triangles on their own: their neighbours change which contacts exist, not the distance */
    mo_part pa = *a->part, pb = *b->part;
    if (pa.kind == MO_PART_TRIANGLE)
        pa.link.neighbours = 0;
    if (pb.kind == MO_PART_TRIANGLE)
        pb.link.neighbours = 0;
    placed3 alone_a = *a, alone_b = *b;
    alone_a.part = &pa;
    alone_b.part = &pb;
    manifold3 m;
    collide_solids(&alone_a, &alone_b, HUGE_VAL, &m);
    double gap = HUGE_VAL;
    for (int i = 0; i < m.count; i++)
        gap = fmin(gap, m.points[i].gap);
    return gap;
}

#define SOLID_VERTICES 48
#define SOLID_STREAM 512

typedef struct test_solid {
    mo_part part;
    double v[3 * SOLID_VERTICES];
    uint32_t faces[SOLID_STREAM];
    placed3 placed;
} test_solid;

typedef long double real;

static inline double solid_between(rng *r, double low, double high)
{
    return low + (high - low) * rng_uniform(r);
}

static inline void solid_place(test_solid *t, double x, double y, double z, const double q[4])
{
    double unit[4] = {q[0], q[1], q[2], q[3]};
    t->placed = (placed3){.part = &t->part, .vertices = t->v, .faces = t->faces, .p = {x, y, z}};
    quat_normalise(unit);
    quat_to_matrix(unit, t->placed.R);
}

static inline void solid_set(test_solid *t, mo_part_kind kind, size_t n, const double *v, double radius)
{
    static const double none[4] = {1, 0, 0, 0};
    t->part = (mo_part){.kind = kind, .vertex_count = (uint32_t)n, .radius = radius};
    if (n > 0)
        memcpy(t->v, v, 3 * n * sizeof *v);
    solid_place(t, 0, 0, 0, none);
}

static inline void solid_sphere(test_solid *t, double r)
{
    solid_set(t, MO_PART_SPHERE, 1, (const double[]){0, 0, 0}, r);
}

/* along z */
static inline void solid_capsule(test_solid *t, double r, double height)
{
    solid_set(t, MO_PART_CAPSULE, 2, (const double[]){0, 0, -height / 2, 0, 0, height / 2}, r);
}

static inline void solid_cylinder(test_solid *t, double r, double height)
{
    solid_set(t, MO_PART_CYLINDER, 2, (const double[]){0, 0, -height / 2, 0, 0, height / 2}, r);
}

static inline void solid_triangle(test_solid *t, const double v[9])
{
    solid_set(t, MO_PART_TRIANGLE, 3, v, 0);
}

static inline void solid_plane(test_solid *t, double nx, double ny, double nz, double offset)
{
    solid_set(t, MO_PART_PLANE, 0, NULL, 0);
    double n[3] = {nx, ny, nz};
    vec3_unit(n, t->part.normal);
    t->part.offset = offset;
}

static inline void solid_box(test_solid *t, double a, double b, double c)
{
    static const uint32_t faces[] = {4, 0, 2, 3, 1, 4, 4, 5, 7, 6, 4, 0, 1, 5, 4,
                                     4, 2, 6, 7, 3, 4, 0, 4, 6, 2, 4, 1, 3, 7, 5};
    double v[24];
    for (int i = 0; i < 8; i++)
        vec3_set(v + 3 * i, (i & 1 ? a : -a) / 2, (i & 2 ? b : -b) / 2, (i & 4 ? c : -c) / 2);
    solid_set(t, MO_PART_POLYHEDRON, 8, v, 0);
    memcpy(t->faces, faces, sizeof faces);
    t->part.link.face.first = 0;
    t->part.link.face.count = 6;
}

/* the faces of the hull of points in general position: all triangles with everything on one side */
static inline void solid_hull(test_solid *t, size_t n, const double *v)
{
    solid_set(t, MO_PART_POLYHEDRON, n, v, 0);
    uint32_t *out = t->faces, count = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i + 1; j < n; j++)
            for (uint32_t k = j + 1; k < n; k++) {
                double a[3], b[3], c[3], d[3];
                vec3_sub(v + 3 * j, v + 3 * i, a);
                vec3_sub(v + 3 * k, v + 3 * i, b);
                vec3_cross(a, b, c);
                int above = 0, below = 0;
                for (uint32_t l = 0; l < n; l++) {
                    vec3_sub(v + 3 * l, v + 3 * i, d);
                    double h = l == i || l == j || l == k ? 0 : vec3_dot(c, d);
                    above += h > 0;
                    below += h < 0;
                }
                if (above > 0 && below > 0)
                    continue;
                *out++ = 3;
                *out++ = i;
                *out++ = above > 0 ? k : j;
                *out++ = above > 0 ? j : k;
                count++;
            }
    t->part.link.face.count = count;
}

/* points on an ellipsoid: all of them are corners */
static inline void solid_random_hull(test_solid *t, rng *r, size_t n, double a, double b, double c)
{
    double v[3 * SOLID_VERTICES];
    for (size_t i = 0; i < n; i++) {
        double z = solid_between(r, -1, 1), phi = solid_between(r, 0, 6.283185307179586), s = sqrt(1 - z * z);
        vec3_set(v + 3 * i, a * s * cos(phi), b * s * sin(phi), c * z);
    }
    solid_hull(t, n, v);
}

/* a right prism over a regular n-gon, along z */
static inline void solid_prism(test_solid *t, uint32_t n, double radius, double height)
{
    double v[3 * SOLID_VERTICES];
    uint32_t *out = t->faces;
    for (uint32_t i = 0; i < n; i++) {
        double phi = 6.283185307179586 * i / n;
        vec3_set(v + 6 * i, radius * cos(phi), radius * sin(phi), -height / 2);
        vec3_set(v + 6 * i + 3, radius * cos(phi), radius * sin(phi), height / 2);
    }
    solid_set(t, MO_PART_POLYHEDRON, 2 * n, v, 0);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t k = (i + 1) % n, face[5] = {4, 2 * i, 2 * k, 2 * k + 1, 2 * i + 1};
        memcpy(out, face, sizeof face);
        out += 5;
    }
    *out++ = n;
    for (uint32_t i = 0; i < n; i++)
        *out++ = 2 * i + 1;
    *out++ = n;
    for (uint32_t i = 0; i < n; i++)
        *out++ = 2 * (n - 1 - i);
    t->part.link.face.count = n + 2;
}

static inline void solid_scale(test_solid *t, double by)
{
    for (int i = 0; i < 3 * SOLID_VERTICES; i++)
        t->v[i] *= by;
    t->part.radius *= by;
    t->part.offset *= by;
}

static inline double solid_least_gap(const manifold3 *m)
{
    double gap = HUGE_VAL;
    for (int i = 0; i < m->count; i++)
        gap = fmin(gap, m->points[i].gap);
    return gap;
}

static const double NONE[4] = {1, 0, 0, 0};
static const double PI = 3.141592653589793;

static inline void quat_about(double q[4], double x, double y, double z, double angle)
{
    double n[3] = {x, y, z};
    vec3_unit(n, n);
    vec3_scale(angle, n, n);
    quat_exp(n, q);
}

static inline manifold3 collide(const test_solid *a, const test_solid *b, double max_gap)
{
    manifold3 m;
    collide_solids(&a->placed, &b->placed, max_gap, &m);
    return m;
}

/* ---- slow answers
 * ------------------------------------------------------------------------------------------ */

typedef struct r3 {
    real x, y, z;
} r3;

static inline r3 r3_sub(r3 a, r3 b)
{
    return (r3){a.x - b.x, a.y - b.y, a.z - b.z};
}

static inline real r3_dot(r3 a, r3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline r3 r3_cross(r3 a, r3 b)
{
    return (r3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static inline r3 r3_along(r3 a, real k, r3 b)
{
    return (r3){a.x + k * b.x, a.y + k * b.y, a.z + k * b.z};
}

/* a solid in the world, relative to an origin */
typedef struct slow_solid {
    const test_solid *t;
    size_t n;
    r3 v[SOLID_VERTICES];
    real r;
    r3 normal; /* plane */
    real offset;
} slow_solid;

static inline r3 slow_turn(const double R[9], const double *v)
{
    r3 a = {R[0], R[1], R[2]}, b = {R[3], R[4], R[5]}, c = {R[6], R[7], R[8]}, x = {v[0], v[1], v[2]};
    return (r3){r3_dot(a, x), r3_dot(b, x), r3_dot(c, x)};
}

static inline slow_solid slow_make(const test_solid *t, const double origin[3])
{
    slow_solid s = {.t = t, .n = t->part.vertex_count, .r = t->part.radius};
    r3 p = {(real)t->placed.p[0] - origin[0], (real)t->placed.p[1] - origin[1],
            (real)t->placed.p[2] - origin[2]};
    for (size_t i = 0; i < s.n; i++)
        s.v[i] = r3_along(p, 1, slow_turn(t->placed.R, t->v + 3 * i));
    if (t->part.kind == MO_PART_TRIANGLE)
        s.n = 3;
    s.normal = slow_turn(t->placed.R, t->part.normal);
    s.offset = t->part.offset + r3_dot(s.normal, p);
    return s;
}

/* largest n.x */
static inline real slow_support(const slow_solid *s, r3 n)
{
    real most = -HUGE_VALL, length = sqrtl(r3_dot(n, n));
    if (s->t->part.kind == MO_PART_PLANE)
        return r3_dot(n, s->normal) > length * (1 - 1e-14L) ? s->offset * length : HUGE_VALL;
    for (size_t i = 0; i < s->n; i++)
        most = fmaxl(most, r3_dot(n, s->v[i]));
    if (s->t->part.kind == MO_PART_CYLINDER) {
        r3 axis = r3_sub(s->v[1], s->v[0]), c = r3_cross(n, axis);
        return most + s->r * sqrtl(r3_dot(c, c) / r3_dot(axis, axis));
    }
    return most + s->r * length;
}

/* separation along n from b to a, n not necessarily unit */
static inline real slow_separation(const slow_solid *a, const slow_solid *b, r3 n)
{
    r3 back = {-n.x, -n.y, -n.z};
    return (-slow_support(a, back) - slow_support(b, n)) / sqrtl(r3_dot(n, n));
}

/* the same in double, for searches of many directions: what they find is judged by slow_separation */
typedef struct quick_solid {
    int n;
    double x[SOLID_VERTICES], y[SOLID_VERTICES], z[SOLID_VERTICES], axis[3], r;
    bool cylinder;
} quick_solid;

static inline quick_solid quick_make(const slow_solid *s)
{
    quick_solid q = {.n = (int)s->n, .r = (double)s->r, .cylinder = s->t->part.kind == MO_PART_CYLINDER};
    for (size_t i = 0; i < s->n; i++)
        q.x[i] = (double)s->v[i].x, q.y[i] = (double)s->v[i].y, q.z[i] = (double)s->v[i].z;
    if (q.cylinder) {
        r3 d = r3_sub(s->v[1], s->v[0]);
        real l = sqrtl(r3_dot(d, d));
        vec3_set(q.axis, (double)(d.x / l), (double)(d.y / l), (double)(d.z / l));
    }
    return q;
}

/* largest n.x, n a unit vector */
static inline double quick_support(const quick_solid *s, const double n[3])
{
    double most = -HUGE_VAL, c[3];
    for (int i = 0; i < s->n; i++) {
        double h = n[0] * s->x[i] + n[1] * s->y[i] + n[2] * s->z[i];
        most = h > most ? h : most;
    }
    vec3_cross(n, s->axis, c);
    return most + s->r * (s->cylinder ? vec3_norm(c) : 1);
}

static inline double quick_separation(const quick_solid *a, const quick_solid *b, const double n[3])
{
    double back[3] = {-n[0], -n[1], -n[2]};
    return -quick_support(a, back) - quick_support(b, n);
}

static inline real slow_to_segment(r3 x, r3 a, r3 b)
{
    r3 d = r3_sub(b, a), e = r3_sub(x, a);
    real l2 = r3_dot(d, d), u = l2 > 0 ? fminl(1, fmaxl(0, r3_dot(d, e) / l2)) : 0;
    r3 out = r3_along(e, -u, d);
    return sqrtl(r3_dot(out, out));
}

static inline real slow_to_triangle(r3 x, r3 a, r3 b, r3 c)
{
    r3 n = r3_cross(r3_sub(b, a), r3_sub(c, a)), d = r3_sub(x, a);
    real best = fminl(slow_to_segment(x, a, b), fminl(slow_to_segment(x, b, c), slow_to_segment(x, c, a)));
    real l2 = r3_dot(n, n);
    if (l2 > 0 && r3_dot(r3_cross(n, r3_sub(b, a)), d) >= 0 &&
        r3_dot(r3_cross(n, r3_sub(c, b)), r3_sub(x, b)) >= 0 &&
        r3_dot(r3_cross(n, r3_sub(a, c)), r3_sub(x, c)) >= 0)
        best = fminl(best, fabsl(r3_dot(n, d)) / sqrtl(l2));
    return best;
}

/* how far outside the solid a point is, 0 inside */
static inline real slow_outside(const slow_solid *s, r3 x)
{
    const mo_part *p = &s->t->part;
    if (p->kind == MO_PART_PLANE)
        return fmaxl(0, r3_dot(s->normal, x) - s->offset);
    if (p->kind == MO_PART_SPHERE || p->kind == MO_PART_CAPSULE)
        return fmaxl(0, slow_to_segment(x, s->v[0], s->v[s->n - 1]) - s->r);
    if (p->kind == MO_PART_TRIANGLE)
        return slow_to_triangle(x, s->v[0], s->v[1], s->v[2]);
    if (p->kind == MO_PART_CYLINDER) {
        r3 axis = r3_sub(s->v[1], s->v[0]), d = r3_sub(x, s->v[0]), c = r3_cross(d, axis);
        real l = sqrtl(r3_dot(axis, axis)), z = r3_dot(d, axis) / l, rho = sqrtl(r3_dot(c, c)) / l;
        real up = fmaxl(0, fmaxl(-z, z - l)), out = fmaxl(0, rho - s->r);
        return sqrtl(up * up + out * out);
    }
    real least = HUGE_VALL;
    bool inside = true;
    const uint32_t *f = s->t->faces;
    for (uint32_t k = 0; k < p->link.face.count; k++, f += f[0] + 1) {
        r3 a = s->v[f[1]];
        for (uint32_t c = 2; c < f[0]; c++)
            least = fminl(least, slow_to_triangle(x, a, s->v[f[c]], s->v[f[c + 1]]));
        r3 n = r3_cross(r3_sub(s->v[f[2]], a), r3_sub(s->v[f[3]], a));
        inside = inside && r3_dot(n, r3_sub(x, a)) <= 0;
    }
    return inside ? 0 : least;
}

/* ends of all edges, each once; false: a cylinder */
static inline size_t slow_edges(const slow_solid *s, uint32_t (*out)[2])
{
    size_t count = 0;
    if (s->t->part.kind == MO_PART_TRIANGLE || s->t->part.kind == MO_PART_CAPSULE)
        for (uint32_t i = 0; i < s->n; i++)
            for (uint32_t j = i + 1; j < s->n; j++, count++)
                out[count][0] = i, out[count][1] = j;
    if (s->t->part.kind != MO_PART_POLYHEDRON)
        return count;
    const uint32_t *f = s->t->faces;
    for (uint32_t k = 0; k < s->t->part.link.face.count; k++, f += f[0] + 1)
        for (uint32_t c = 0; c < f[0]; c++) {
            uint32_t i = f[1 + c], j = f[1 + (c + 1) % f[0]];
            if (i < j)
                out[count][0] = i, out[count][1] = j, count++;
        }
    return count;
}

/* a x b; the rounding of the product is that of their lengths, and what of it is along the longer is removed:
   what is along the other is less by their sine */
static inline r3 slow_across(r3 a, r3 b)
{
    r3 n = r3_cross(a, b), longer = r3_dot(a, a) > r3_dot(b, b) ? a : b;
    return r3_along(n, -r3_dot(n, longer) / r3_dot(longer, longer), longer);
}

static inline real slow_best_face(const slow_solid *a, const slow_solid *b, const slow_solid *of, real best)
{
    if (of->t->part.kind == MO_PART_TRIANGLE) {
        r3 n = slow_across(r3_sub(of->v[1], of->v[0]), r3_sub(of->v[2], of->v[0])), back = {-n.x, -n.y, -n.z};
        return fmaxl(best, fmaxl(slow_separation(a, b, n), slow_separation(a, b, back)));
    }
    if (of->t->part.kind != MO_PART_POLYHEDRON)
        return best;
    const uint32_t *f = of->t->faces;
    for (uint32_t k = 0; k < of->t->part.link.face.count; k++, f += f[0] + 1) {
        r3 o = of->v[f[1]], n = slow_across(r3_sub(of->v[f[2]], o), r3_sub(of->v[f[3]], o)),
           back = {-n.x, -n.y, -n.z};
        best = fmaxl(best, slow_separation(a, b, of == a ? back : n));
    }
    return best;
}

/* the largest separation over all normals of faces and all cross products of edges: exact where polytopes
   overlap, a lower bound of the signed distance always */
static inline real slow_polytopes(const slow_solid *a, const slow_solid *b)
{
    static uint32_t ea[SOLID_STREAM][2], eb[SOLID_STREAM][2];
    size_t na = slow_edges(a, ea), nb = slow_edges(b, eb);
    real best = slow_best_face(a, b, b, slow_best_face(a, b, a, -HUGE_VALL));
    for (size_t i = 0; i < na; i++)
        for (size_t j = 0; j < nb; j++) {
            r3 d = r3_sub(a->v[ea[i][1]], a->v[ea[i][0]]), e = r3_sub(b->v[eb[j][1]], b->v[eb[j][0]]);
            r3 n = slow_across(d, e), back = {-n.x, -n.y, -n.z};
            if (r3_dot(n, n) > 1e-30L * r3_dot(d, d) * r3_dot(e, e))
                best = fmaxl(best, fmaxl(slow_separation(a, b, n), slow_separation(a, b, back)));
        }
    return best;
}

#endif
