/*
 * Proofs of the distance of two solids, for tests of the narrow phase in 3D.
 *
 * Apart, two facts prove a distance d: along the normal the supports are d apart (so it is not less), and the
 * two ends of the contact point, half a gap along the normal each way, lie in the two parts (so it is not
 * more).  Overlapping, the supports along the normal show that a translation by -d parts them; that no
 * shorter one does is checked by trying all directions that faces and edges give (polytopes), or a search
 * over the whole sphere, half of it near axes and the normal found (cylinders): slight and deep overlaps
 * alike.
 *
 * The ends of the contact point are held to the square root of rounding only: the separation along n is flat
 * at its top, where directions that are sqrt(2 e / c) apart differ by e in it (c: its curvature), and the
 * ends by c times that angle.  e = 1e-15 and c = 1 in units of the size give 5e-8.
 *
 * Every pair has random numbers of its own, which follow from the seed and its number: one can be run alone.
 */
#ifndef TESTS_COLLIDE_PROOF_H
#define TESTS_COLLIDE_PROOF_H

#include <stdio.h>

#include "collide/solids.h"

static uint64_t seed = 0;
static long this_pair, failures;
static const double END = 5e-8;

static inline rng rng_of_pair(uint64_t test, long number)
{
    uint64_t mixed = (seed + 1) * 0x9e3779b97f4a7c15u + test, n = (uint64_t)number;
    this_pair = number;
    return rng_seed((mixed ^ mixed >> 31) * 0xbf58476d1ce4e5b9u + n * 0x94d049bb133111ebu, n);
}

static inline void random_turn(rng *r, double R[9])
{
    double q[4];
    for (int i = 0; i < 4; i++)
        q[i] = solid_between(r, -1, 1);
    quat_normalise(q);
    quat_to_matrix(q, R);
}

/* the solid as it is, its own frame turned: nothing is along an axis of that any more */
static inline void turn_frame(test_solid *t, rng *r)
{
    double R[9], placed[9];
    random_turn(r, R);
    mat3_apply(R, t->part.normal, t->part.normal);
    for (uint32_t i = 0; i < t->part.vertex_count; i++)
        mat3_apply(R, t->v + 3 * i, t->v + 3 * i);
    memcpy(placed, t->placed.R, sizeof placed);
    /* a row of the product with R^T is R times the row */
    for (int i = 0; i < 3; i++)
        mat3_apply(R, placed + 3 * i, t->placed.R + 3 * i);
}

/* ---- the proof
 * --------------------------------------------------------------------------------------------- */

static inline void show(const test_solid *t)
{
    fprintf(stderr, "kind %d n %u r %.17g p %.17g %.17g %.17g\n", (int)t->part.kind, t->part.vertex_count,
            t->part.radius, t->placed.p[0], t->placed.p[1], t->placed.p[2]);
    for (int i = 0; i < 3; i++)
        fprintf(stderr, "   R %.17g %.17g %.17g\n", t->placed.R[3 * i], t->placed.R[3 * i + 1],
                t->placed.R[3 * i + 2]);
}

static inline void expect(bool ok, const char *what, double found, double wanted, double tol,
                          const test_solid *a, const test_solid *b)
{
    if (ok)
        return;
    failures++;
    if (failures > 12)
        return;
    fprintf(stderr, "pair %ld of seed %llu: %s: found %.17g, expected %.17g, tolerance %g\n", this_pair,
            (unsigned long long)seed, what, found, wanted, tol);
    show(a);
    show(b);
}

/* both solids, as they are searched and as what is found is judged */
typedef struct searched {
    const slow_solid *a, *b;
    quick_solid qa, qb;
} searched;

/* best direction around n, by shrinking random steps */
static inline real search_around(const searched *p, r3 n, real step, rng *r, int tries)
{
    double at[3] = {(double)n.x, (double)n.y, (double)n.z}, to[3], width = (double)step;
    vec3_unit(at, at);
    double best = quick_separation(&p->qa, &p->qb, at);
    int missed = 0;
    for (int i = 0; i < tries && width > 1e-11; i++) {
        for (int d = 0; d < 3; d++)
            to[d] = at[d] + width * solid_between(r, -1, 1);
        double here = vec3_unit(to, to) > 0 ? quick_separation(&p->qa, &p->qb, to) : -HUGE_VAL;
        missed++;
        if (here > best) {
            best = here;
            memcpy(at, to, sizeof at);
            missed = 0;
        }
        if (missed > 12)
            width *= 0.5, missed = 0;
    }
    return slow_separation(p->a, p->b, (r3){at[0], at[1], at[2]});
}

/* a direction near the axis of s when it has one, near n otherwise, at any scale of angles */
static inline r3 beside(const slow_solid *s, r3 n, rng *r)
{
    if (s->t->part.kind == MO_PART_CYLINDER)
        n = r3_sub(s->v[1], s->v[0]);
    real by = powl(10, solid_between(r, -7, 0)) * sqrtl(r3_dot(n, n)) * (rng_next(r) % 2 ? 1 : -1);
    r3 d = {solid_between(r, -1, 1), solid_between(r, -1, 1), solid_between(r, -1, 1)};
    if (by < 0)
        n = (r3){-n.x, -n.y, -n.z};
    return r3_along(n, by, d);
}

/* n: the direction found */
static inline real search_sphere(const slow_solid *a, const slow_solid *b, r3 n, rng *r)
{
    searched p = {a, b, quick_make(a), quick_make(b)};
    real best = search_around(&p, n, 0.5L, r, 200);
    for (int i = 0; i < 8; i++) {
        r3 any = {solid_between(r, -1, 1), solid_between(r, -1, 1), solid_between(r, -1, 1)};
        best = fmaxl(best, search_around(&p, any, 0.5L, r, 400));
        r3 near = beside(i % 2 ? a : b, n, r);
        real step = powl(10, solid_between(r, -6, -1));
        best = fmaxl(best, search_around(&p, near, step, r, 400));
    }
    return best;
}

static inline bool polytope(const test_solid *t)
{
    return t->part.kind != MO_PART_CYLINDER && t->part.kind != MO_PART_PLANE;
}

static inline void check_apart(const slow_solid *sa, const slow_solid *sb, const manifold3 *m, double tol)
{
    int at = 0;
    for (int i = 1; i < m->count; i++)
        at = m->points[i].gap < m->points[at].gap ? i : at;
    const double *o = sa->t->placed.p, *p = m->points[at].point;
    r3 x = {(real)p[0] - o[0], (real)p[1] - o[1], (real)p[2] - o[2]},
       n = {m->normal[0], m->normal[1], m->normal[2]};
    double half = m->points[at].gap / 2;
    double in_a = (double)slow_outside(sa, r3_along(x, half, n)),
           in_b = (double)slow_outside(sb, r3_along(x, -half, n));
    expect(in_a <= tol, "end in a", in_a, 0, tol, sa->t, sb->t);
    expect(in_b <= tol, "end in b", in_b, 0, tol, sa->t, sb->t);
}

static inline void check_pair(const test_solid *a, const test_solid *b, double size, rng *r)
{
    manifold3 m;
    collide_solids(&a->placed, &b->placed, HUGE_VAL, &m);
    double d = solid_least_gap(&m), far = vec3_norm(a->placed.p);
    double tol = 1e-12 * (size + fabs(d)) + 1e-15 * far;
    slow_solid sa = slow_make(a, a->placed.p), sb = slow_make(b, a->placed.p);
    expect(m.count > 0 && isfinite(d), "points", m.count, 1, 0, a, b);
    if (m.count == 0)
        return;
    expect(fabs(vec3_norm(m.normal) - 1) < 1e-14, "unit normal", vec3_norm(m.normal), 1, 1e-14, a, b);
    for (int i = 1; i < m.count; i++)
        expect(m.points[i].feature > m.points[i - 1].feature && m.points[i].feature < 1u << 24, "features",
               m.points[i].feature, m.points[i - 1].feature, 0, a, b);
    if (a->part.kind != MO_PART_PLANE && b->part.kind != MO_PART_PLANE) {
        double along = (double)slow_separation(&sa, &sb, (r3){m.normal[0], m.normal[1], m.normal[2]});
        expect(fabs(along - d) <= tol, "supports", along, d, tol, a, b);
    }
    if (d > tol)
        check_apart(&sa, &sb, &m, END * size);
    if (d <= tol && polytope(a) && polytope(b) && (a->part.vertex_count > 2 || b->part.vertex_count > 2)) {
        real r_sum = sa.r + sb.r, best = slow_polytopes(&sa, &sb);
        /* rounded parts whose cores are apart are the business of check_apart's facts alone */
        if (best + r_sum < -(real)tol)
            expect(fabs((double)best - d) <= tol, "least translation", d, (double)best, tol, a, b);
    } else if (a->part.kind == MO_PART_CYLINDER || b->part.kind == MO_PART_CYLINDER) {
        if (a->part.kind == MO_PART_PLANE || b->part.kind == MO_PART_PLANE)
            return;
        double best = (double)search_sphere(&sa, &sb, (r3){m.normal[0], m.normal[1], m.normal[2]}, r);
        expect(best <= d + tol, "search of the sphere", d, best, tol, a, b);
    }
}

#endif
