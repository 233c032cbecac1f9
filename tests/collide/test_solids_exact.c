/*
 * The signed distance of every pair of kinds is exact to 1e-12 of the size, on random and degenerate pairs,
 * by the proofs of proof.h.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "collide/proof.h"

static long pairs_wanted = 6000, first_pair = 0;

/* ---- random pairs
 * ------------------------------------------------------------------------------------------ */

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
        cmocka_unit_test(distances_are_exact),
        cmocka_unit_test(tilted_caps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
