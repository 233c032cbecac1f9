/*
 * Pairs whose distance or ends were missed, each made to be as bad as it can: what was wrong is told beside
 * them. The proofs are those of proof.h, beside closed forms.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "collide/proof.h"
#include "support/close.h"

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

/*
 * A cylinder that stands with a tilt of some 1e-8 beside a long box, its side reaching into the face by less
 * than 1e-10, its lower rim above the face's upper edge by less than that: they are apart.  A point of the
 * face's plane that was beside the face by a tie was within the cylinder and passed for proof of an overlap,
 * so that edges out of reach of that were left out, among them the one that parts the two.
 */
static void rims_over_an_edge_by_a_tie(void **state)
{
    (void)state;
    test_solid a, b;
    failures = 0;
    for (long i = 0; i < 300; i++) {
        rng r = rng_of_pair(27, i);
        double into = solid_between(&r, 0, 1e-10), over = solid_between(&r, 0, 1e-10), width = 0.01;
        double radius = solid_between(&r, 0.1, 0.4), h = solid_between(&r, 0.3, 1), small[3] = {0, 0, 0},
               q[4];
        for (int d = 0; d < 2; d++)
            small[d] = solid_between(&r, -1e-7, 1e-7);
        quat_exp(small, q);
        solid_cylinder(&a, radius, 2 * h);
        solid_box(&b, 2, width, 1);
        solid_place(&b, 0, 0, 0, NONE);
        solid_place(&a, 0, 0, 0, q);
        /* the point of the lower rim that is farthest toward the box, and where it is to be */
        const double *R = a.placed.R, axis[3] = {R[2], R[5], R[8]};
        double out[3] = {R[5] * axis[0], R[5] * axis[1] - 1, R[5] * axis[2]};
        vec3_unit(out, out);
        vec3_set(a.placed.p, 0, 0.5 * width - into, 0.5 + over);
        vec3_add_scaled(a.placed.p, -radius, out, a.placed.p);
        vec3_add_scaled(a.placed.p, h, axis, a.placed.p);
        check_pair(&a, &b, 1, &r);
    }
    assert_int_equal(failures, 0);
}

/* with an argument: another seed */
int main(int argc, char **argv)
{
    if (argc > 1)
        seed = strtoull(argv[1], NULL, 10);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edges_lean_toward_a_rim),
        cmocka_unit_test(edges_cross_at_small_angles),
        cmocka_unit_test(rims_beside_needles),
        cmocka_unit_test(rods_on_one_axis),
        cmocka_unit_test(tips_on_needles),
        cmocka_unit_test(edges_all_but_parallel),
        cmocka_unit_test(rims_over_an_edge_by_a_tie),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
