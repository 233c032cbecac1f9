/*
 * The signed distance of every pair of kinds is exact to 1e-12 of the size, on random and degenerate pairs.
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
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "collide/solids.h"
#include "support/close.h"

static long pairs_wanted = 6000, first_pair = 0;
static uint64_t seed = 0; /* of all tests; a pair's own numbers follow from it and the pair's number */
static long this_pair;
static const double END = 5e-8;

/* ---- random pairs
 * ------------------------------------------------------------------------------------------ */

static rng rng_of_pair(uint64_t test, long number)
{
    uint64_t mixed = (seed + 1) * 0x9e3779b97f4a7c15u + test, n = (uint64_t)number;
    this_pair = number;
    return rng_seed((mixed ^ mixed >> 31) * 0xbf58476d1ce4e5b9u + n * 0x94d049bb133111ebu, n);
}

static void random_solid(test_solid *t, rng *r)
{
    switch (rng_next(r) % 13) {
    case 0:
        solid_sphere(t, solid_between(r, 0.05, 1));
        break;
    case 1:
        solid_capsule(t, solid_between(r, 0.05, 0.6), solid_between(r, 0.1, 2));
        break;
    case 2:
        solid_cylinder(t, solid_between(r, 0.1, 1), solid_between(r, 0.1, 2));
        break;
    case 3:
        solid_cylinder(t, solid_between(r, 0.5, 1), 0.01);
        break;
    case 4:
        solid_cylinder(t, 0.02, solid_between(r, 1, 2));
        break;
    case 5:
    case 6:
        solid_box(t, solid_between(r, 0.2, 1.5), solid_between(r, 0.2, 1.5), 1);
        break;
    case 7:
        solid_random_hull(t, r, 4, 1, 1, 1);
        break;
    case 8:
        solid_random_hull(t, r, 5 + rng_next(r) % 16, 1, 0.7, 0.5);
        break;
    case 9:
        solid_prism(t, 3 + rng_next(r) % 10, 0.7, solid_between(r, 0.1, 1));
        break;
    case 10: {
        double v[9];
        for (int i = 0; i < 9; i++)
            v[i] = solid_between(r, -1, 1);
        solid_triangle(t, v);
        break;
    }
    case 11:
        solid_box(t, 2, pow(10, solid_between(r, -6, -1)), pow(10, solid_between(r, -6, -1)));
        break;
    default:
        solid_plane(t, solid_between(r, -1, 1), solid_between(r, -1, 1), solid_between(r, -1, 1), 0.1);
    }
}

/* often a rotation that makes faces or edges parallel, exactly or nearly */
static void random_rotation(rng *r, double q[4])
{
    static const double tilt[] = {0, 1e-16, 1e-12, 1e-9, 1e-6, 1e-3};
    if (rng_next(r) % 2) {
        for (int i = 0; i < 4; i++)
            q[i] = solid_between(r, -1, 1);
        return;
    }
    double turn[3] = {0, 0, 0}, by[4], small[3];
    turn[rng_next(r) % 3] =
        rng_next(r) % 3 ? 1.5707963267948966 * (rng_next(r) % 4) : solid_between(r, -3, 3);
    quat_exp(turn, q);
    for (int i = 0; i < 3; i++)
        small[i] = tilt[rng_next(r) % 6] * solid_between(r, -1, 1);
    quat_exp(small, by);
    quat_multiply(by, q, q);
}

static void random_turn(rng *r, double R[9])
{
    double q[4];
    for (int i = 0; i < 4; i++)
        q[i] = solid_between(r, -1, 1);
    quat_normalise(q);
    quat_to_matrix(q, R);
}

/* the solid as it is, its own frame turned: nothing is along an axis of that any more */
static void turn_frame(test_solid *t, rng *r)
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

/* two solids near each other; returns their size */
static double random_pair(test_solid *a, test_solid *b, rng *r)
{
    double scale = pow(10, solid_between(r, -6, 6)), far = rng_next(r) % 2 ? 0 : 64 * scale, q[4], x[3];
    random_solid(a, r);
    do
        random_solid(b, r);
    while (a->part.kind == MO_PART_PLANE && b->part.kind == MO_PART_PLANE);
    solid_scale(a, scale);
    solid_scale(b, scale);
    random_rotation(r, q);
    solid_place(a, far, -far, far, q);
    double turn[4];
    random_rotation(r, turn);
    if (rng_next(r) % 2)
        quat_multiply(q, turn, turn);
    double reach = (double[]){0.1, 1, 2, 0}[rng_next(r) % 4];
    for (int i = 0; i < 3; i++)
        x[i] = scale * (rng_next(r) % 4 ? solid_between(r, -reach, reach) : 0);
    solid_place(b, far + x[0], -far + x[1], far + x[2], turn);
    if (rng_next(r) % 2)
        turn_frame(a, r);
    if (rng_next(r) % 2)
        turn_frame(b, r);
    return scale;
}

static void shift(test_solid *t, const double n[3], double by)
{
    vec3_add_scaled(t->placed.p, by, n, t->placed.p);
}

/* ---- the proof
 * --------------------------------------------------------------------------------------------- */

static void show(const test_solid *t)
{
    fprintf(stderr, "kind %d n %u r %.17g p %.17g %.17g %.17g\n", (int)t->part.kind, t->part.vertex_count,
            t->part.radius, t->placed.p[0], t->placed.p[1], t->placed.p[2]);
    for (int i = 0; i < 3; i++)
        fprintf(stderr, "   R %.17g %.17g %.17g\n", t->placed.R[3 * i], t->placed.R[3 * i + 1],
                t->placed.R[3 * i + 2]);
}

static long failures;

static void expect(bool ok, const char *what, double found, double wanted, double tol, const test_solid *a,
                   const test_solid *b)
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
static real search_around(const searched *p, r3 n, real step, rng *r, int tries)
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
static r3 beside(const slow_solid *s, r3 n, rng *r)
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
static real search_sphere(const slow_solid *a, const slow_solid *b, r3 n, rng *r)
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

static bool polytope(const test_solid *t)
{
    return t->part.kind != MO_PART_CYLINDER && t->part.kind != MO_PART_PLANE;
}

static void check_apart(const slow_solid *sa, const slow_solid *sb, const manifold3 *m, double tol)
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

static void check_pair(const test_solid *a, const test_solid *b, double size, rng *r)
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

static void distances_are_exact(void **state)
{
    (void)state;
    test_solid a, b;
    long found[2] = {0};
    for (long i = first_pair; i < first_pair + pairs_wanted; i++) {
        rng r = rng_of_pair(3, i);
        double size = random_pair(&a, &b, &r);
        check_pair(&a, &b, size, &r);
        manifold3 m;
        collide_solids(&a.placed, &b.placed, HUGE_VAL, &m);
        if (m.count == 0)
            continue;
        double d = solid_least_gap(&m);
        found[d > 0 ? 0 : 1]++;
        /* bring them to touch, or nearly */
        static const double by[] = {0, 1e-15, -1e-15, 1e-12, -1e-12, 1e-9, -1e-9, 1e-6, -1e-6, 1e-3, -1e-3};
        shift(&a, m.normal, by[rng_next(&r) % 11] * size - d);
        check_pair(&a, &b, size, &r);
    }
    assert_true(pairs_wanted < 100 || (found[0] > pairs_wanted / 10 && found[1] > pairs_wanted / 10));
    assert_int_equal(failures, 0);
}

/* a cylinder that stands with a small tilt across the rim or an edge of a cylinder, box or prism, in slight
   overlap: caps, faces, rims and edges nearly tie, and several directions are tops */
static void tilted_caps(void **state)
{
    (void)state;
    test_solid a, b;
    failures = 0;
    for (long i = first_pair / 6; i < (first_pair + pairs_wanted) / 6; i++) {
        rng r = rng_of_pair(11, i);
        double radius = solid_between(&r, 0.1, 1), tilt = pow(10, solid_between(&r, -7, -1)), turn[3], q[4];
        solid_cylinder(&a, radius, solid_between(&r, 0.05, 2));
        if (i % 3 == 0)
            solid_cylinder(&b, solid_between(&r, 0.1, 1), 1);
        else if (i % 3 == 1)
            solid_box(&b, solid_between(&r, 0.2, 1.5), pow(10, solid_between(&r, -3, 0)), 1);
        else
            solid_prism(&b, 3 + rng_next(&r) % 4, 0.7, 1);
        for (int d = 0; d < 3; d++)
            turn[d] = d == 2 ? solid_between(&r, -3, 3) : tilt * solid_between(&r, -1, 1);
        quat_exp(turn, q);
        double lift = 0.5 - a.v[2];
        solid_place(&b, 0, 0, 0, NONE);
        solid_place(&a, solid_between(&r, -1, 1), solid_between(&r, -1, 1), lift, q);
        manifold3 m = collide(&a, &b, HUGE_VAL);
        shift(&a, m.normal, -solid_least_gap(&m) - tilt * pow(10, solid_between(&r, -4, 0)));
        check_pair(&a, &b, 1, &r);
    }
    assert_int_equal(failures, 0);
}

/* ---- pairs that were missed
 * ---------------------------------------------------------------------------------- */

/* both moved together, and their frames turned */
static void move_both(test_solid *a, test_solid *b, rng *r)
{
    double R[9], by[3];
    random_turn(r, R);
    for (int i = 0; i < 3; i++)
        by[i] = solid_between(r, -1, 1);
    for (int k = 0; k < 2; k++) {
        test_solid *t = k == 0 ? a : b;
        for (int j = 0; j < 3; j++) {
            double column[3] = {t->placed.R[j], t->placed.R[3 + j], t->placed.R[6 + j]};
            mat3_apply(R, column, column);
            for (int i = 0; i < 3; i++)
                t->placed.R[3 * i + j] = column[i];
        }
        mat3_apply(R, t->placed.p, t->placed.p);
        vec3_add(t->placed.p, by, t->placed.p);
        turn_frame(t, r);
    }
}

/*
 * A box beside a cylinder, with an edge that leans toward it by a tilt of 1e-8 or less: the edge goes on
 * below the cylinder and comes nearer to the axis there, so that it is nearest at the lower rim, at x - r.
 * Across the axis and toward the edge's lower end the parts are less apart, by the tilt times what is below.
 * That used to be believed where a face beside the edge shows: a line of the side that was beside the face by
 * 1e-10 or less counted as over it, at the height of the face's plane, which goes on falling beyond the edge.
 */
static void edges_lean_toward_a_rim(void **state)
{
    (void)state;
    test_solid a, b;
    failures = 0;
    for (long i = 0; i < 600; i++) {
        rng r = rng_of_pair(21, i);
        double tilt = pow(10, solid_between(&r, -13, -8)), x = solid_between(&r, 0.6, 1.5);
        double toward = solid_between(&r, 0.02, 0.3), aside = solid_between(&r, -1.5, 1.5), about_z[4],
               lean[4], q[4], foot[3] = {-0.5, -0.5, 0};
        solid_cylinder(&a, 0.5, 1);
        solid_box(&b, 1, 1, 4);
        /* the edge through -1/2, -1/2 turned toward the axis, then its lower end toward it */
        quat_about(about_z, 0, 0, 1, -toward);
        quat_about(lean, sin(aside), cos(aside), 0, tilt);
        quat_multiply(lean, about_z, q);
        solid_place(&b, 0, 0, 0, q);
        mat3_apply(b.placed.R, foot, foot);
        /* the middle of that edge to x at the height of the lower rim */
        vec3_set(b.placed.p, x - foot[0], -foot[1], -0.5 - foot[2]);
        move_both(&a, &b, &r);
        manifold3 m = collide(&a, &b, HUGE_VAL);
        assert_close(solid_least_gap(&m), x - 0.5, 1e-12);
        check_pair(&a, &b, 1, &r);
    }
    assert_int_equal(failures, 0);
}

/*
 * Two boxes on end, edge on edge, with edges of length 1 that cross in the middle at a small angle and
 * overlap by a tenth of what that makes of their ends: pulling them apart straight is shortest, and the depth
 * is what they were lowered by.  The direction across both edges, their cross product, is turned by rounding
 * along them as above.
 */
static void edges_cross_at_small_angles(void **state)
{
    (void)state;
    test_solid a, b;
    failures = 0;
    for (long i = 0; i < 600; i++) {
        rng r = rng_of_pair(22, i);
        double angle = pow(10, solid_between(&r, -12, -2)), depth = 0.1 * angle, on_end[4], turn[4], q[4];
        solid_box(&a, 1, 1, 1);
        solid_box(&b, 1, 1, 1);
        quat_about(on_end, 1, 0, 0, PI / 4);
        quat_about(turn, 0, 0, 1, angle);
        quat_multiply(turn, on_end, q);
        solid_place(&a, 0, 0, sqrt(2) - depth, on_end);
        solid_place(&b, 0, 0, 0, q);
        move_both(&a, &b, &r);
        manifold3 m = collide(&a, &b, HUGE_VAL);
        assert_close(solid_least_gap(&m), -depth, 1e-13);
        check_pair(&a, &b, 1, &r);
    }
    assert_int_equal(failures, 0);
}

/*
 * A tilted disc over a needle that points along the disc's slope: the lowest point of the rim is beside the
 * needle by little, and the nearest one further along the rim.  The separation along the needle's face, the
 * direction of that lowest point, is less by rounding only; taken for the normal it put the needle's end of
 * the contact beside the needle.  The nearest ends are known far better than the normal follows from F.
 */
static void rims_beside_needles(void **state)
{
    (void)state;
    test_solid a, b;
    failures = 0;
    for (long i = 0; i < 600; i++) {
        rng r = rng_of_pair(23, i);
        double width = pow(10, solid_between(&r, -6, -2)), gap = pow(10, solid_between(&r, -6, -1));
        double beside = pow(10, solid_between(&r, -10, -3)), tilt = solid_between(&r, 0.01, 1), q[4];
        solid_cylinder(&a, 1, 0.01);
        solid_box(&b, 2, width, width);
        quat_about(q, 0, 1, 0, tilt);
        /* the lowest point of the rim, at x = 1 before it is turned, over the needle's middle */
        double low[3] = {1, 0, -0.005}, R[9];
        quat_to_matrix(q, R);
        mat3_apply(R, low, low);
        solid_place(&a, -low[0], 0.5 * width + beside, gap + 0.5 * width - low[2], q);
        solid_place(&b, 0, 0, 0, NONE);
        move_both(&a, &b, &r);
        manifold3 m = collide(&a, &b, HUGE_VAL);
        slow_solid sa = slow_make(&a, a.placed.p), sb = slow_make(&b, a.placed.p);
        check_pair(&a, &b, 1, &r);
        /* within 11 degrees the cap shows, and a corner beside it by the root of rounding counts as on it */
        if (tilt > 0.21)
            check_apart(&sa, &sb, &m, 1e-11);
    }
    assert_int_equal(failures, 0);
}

/*
 * A cylinder and a capsule on one axis, which no axis of their frames is along.  What their middles have
 * across the axis is rounding, most of which may be along it; that used to be taken for a direction across
 * the axis, and the depth for that of a cap.
 */
static void rods_on_one_axis(void **state)
{
    (void)state;
    test_solid a, b;
    failures = 0;
    for (long i = 0; i < 200; i++) {
        rng r = rng_of_pair(24, i);
        double r1 = solid_between(&r, 0.1, 0.5), r2 = solid_between(&r, 0.1, 0.5);
        solid_cylinder(&a, r1, 2);
        if (i % 2)
            solid_cylinder(&b, r2, 2);
        else
            solid_capsule(&b, r2, 2);
        solid_place(&a, 0, 0, 0.1, NONE);
        solid_place(&b, 0, 0, 0, NONE);
        move_both(&a, &b, &r);
        manifold3 m = collide(&a, &b, HUGE_VAL);
        assert_close(solid_least_gap(&m), -(r1 + r2), 1e-14);
        check_pair(&a, &b, 1, &r);
    }
    assert_int_equal(failures, 0);
}

/*
 * The tip of a tetrahedron pressed into the face of a needle of width w, not in its middle: the depth is what
 * it was lowered by.  The face's normal, from cross products of its sides and diagonal, is turned along the
 * needle by rounding over w.
 */
static void tips_on_needles(void **state)
{
    (void)state;
    static const double points[12] = {0, 0, 0, 1, 0, 1, -0.5, 0.8, 1.1, -0.5, -0.8, 1.3};
    test_solid a, b;
    failures = 0;
    for (long i = 0; i < 300; i++) {
        rng r = rng_of_pair(25, i);
        double width = pow(10, solid_between(&r, -7, -2)), depth = 0.1 * width;
        solid_hull(&a, 4, points);
        solid_box(&b, 2, width, width);
        solid_place(&a, solid_between(&r, -0.9, 0.9), 0, 0.5 * width - depth, NONE);
        solid_place(&b, 0, 0, 0, NONE);
        move_both(&a, &b, &r);
        manifold3 m = collide(&a, &b, HUGE_VAL);
        assert_close(solid_least_gap(&m), -depth, 1e-13);
        check_pair(&a, &b, 1, &r);
    }
    assert_int_equal(failures, 0);
}

/*
 * Two boxes on end, edge over edge, apart by little, the edges parallel but for rounding and a little more,
 * so that they are nearest at an end.  The vector between the nearest points is known to rounding over its
 * length; it was made to be across both edges, and with it all but a rest was removed where the edges part
 * along it.  The distance was right, the separation along the normal less by 1e-8 of the length.
 */
static void edges_all_but_parallel(void **state)
{
    (void)state;
    test_solid a, b;
    failures = 0;
    for (long i = 0; i < 600; i++) {
        rng r = rng_of_pair(26, i);
        double gap = pow(10, solid_between(&r, -8, -5)), tilt = pow(10, solid_between(&r, -14, -11));
        double turn = pow(10, solid_between(&r, -14, -11)), on_end[4], by[4], q[4],
               small[3] = {0, tilt, turn};
        solid_box(&a, 1, 1, 1);
        solid_box(&b, 1, 1, 1);
        quat_about(on_end, 1, 0, 0, PI / 4);
        quat_exp(small, by);
        quat_multiply(by, on_end, q);
        solid_place(&a, 0, 0, sqrt(2) + gap, on_end);
        solid_place(&b, 0, 0, 0, q);
        move_both(&a, &b, &r);
        manifold3 m = collide(&a, &b, HUGE_VAL);
        assert_close(solid_least_gap(&m), gap - 0.5 * tilt, 1e-13);
        check_pair(&a, &b, 1, &r);
    }
    assert_int_equal(failures, 0);
}

/* with arguments: so many pairs, another seed, the number of the first pair */
int main(int argc, char **argv)
{
    if (argc > 1)
        pairs_wanted = atol(argv[1]);
    if (argc > 2)
        seed = strtoull(argv[2], NULL, 10);
    if (argc > 3)
        first_pair = atol(argv[3]);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_exact),     cmocka_unit_test(tilted_caps),
        cmocka_unit_test(edges_lean_toward_a_rim), cmocka_unit_test(edges_cross_at_small_angles),
        cmocka_unit_test(rims_beside_needles),     cmocka_unit_test(rods_on_one_axis),
        cmocka_unit_test(tips_on_needles),         cmocka_unit_test(edges_all_but_parallel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
