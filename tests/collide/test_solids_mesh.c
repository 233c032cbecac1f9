/*
 * Triangles of a mesh feel like one surface: no contact twice, no normal that the surface does not have.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collide/solids.h"
#include "support/close.h"

/* the square [-2, 2]^2 as two triangles that share the diagonal, the second folded by `fold` about it */
static void two_triangles(test_solid *s, test_solid *t, double fold)
{
    double d = 2 * sqrt(2.0), c = d * cos(fold) / sqrt(2.0), z = -d * sin(fold);
    const double A[3] = {-2, -2, 0}, B[3] = {2, 2, 0}, C[3] = {-2, 2, 0}, D[3] = {c, -c, z};
    const double *first[6] = {B, C, A, A, A, D}, *second[6] = {A, D, B, B, B, C};
    double v[18];
    for (int i = 0; i < 18; i++)
        v[i] = first[i / 3][i % 3];
    solid_set(s, MO_PART_TRIANGLE, 6, v, 0);
    for (int i = 0; i < 18; i++)
        v[i] = second[i / 3][i % 3];
    solid_set(t, MO_PART_TRIANGLE, 6, v, 0);
    s->part.link.neighbours = t->part.link.neighbours = 4;
}

/* contacts of both triangles with a solid; every normal straight up or down, no place twice */
static int flat_contacts(const test_solid *s, const test_solid *t, const test_solid *x, double max_gap)
{
    manifold3 m[2] = {collide(x, s, max_gap), collide(x, t, max_gap)};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < m[k].count; i++)
            assert_close(fabs(m[k].normal[2]), 1, 1e-14);
    for (int i = 0; i < m[0].count; i++)
        for (int j = 0; j < m[1].count; j++)
            assert_true(vec3_distance(m[0].points[i].point, m[1].points[j].point) > 1e-9);
    return m[0].count + m[1].count;
}

static void flat_meshes_feel_like_one_face(void **state)
{
    (void)state;
    test_solid s, t, x;
    rng r = rng_seed(9, 1);
    two_triangles(&s, &t, 0);
    for (int i = 0; i < 3000; i++) {
        double q[4], side = i % 2 ? 1 : -1, deep = (i % 3) * 0.01,
                     place = i % 5 ? solid_between(&r, -1, 1) : 0;
        quat_about(q, 0, 0, 1, i % 7 ? solid_between(&r, -PI, PI) : 0);
        solid_box(&x, 0.8, 0.6, 0.5);
        solid_place(&x, place, i % 4 ? solid_between(&r, -1, 1) : place, side * (0.25 - deep), q);
        assert_int_equal(flat_contacts(&s, &t, &x, 1e-8), 4);
        solid_sphere(&x, 0.3);
        solid_place(&x, place, i % 4 ? solid_between(&r, -1, 1) : place, side * (0.3 - deep), NONE);
        assert_int_equal(flat_contacts(&s, &t, &x, 1e-8), 1);
    }
}

/* a convex edge is touched once, with a normal between those of its triangles; a concave one from both sides
 */
static void folded_meshes(void **state)
{
    (void)state;
    test_solid s, t, x;
    double f = 0.5, d = sqrt(0.5);
    two_triangles(&s, &t, f);
    solid_sphere(&x, 0.3);
    double n[3] = {d * sin(f / 2), -d * sin(f / 2), cos(f / 2)};
    solid_place(&x, 0.3 * n[0] + 0.5, 0.3 * n[1] + 0.5, 0.3 * n[2], NONE);
    manifold3 m = collide(&x, &s, 1e-8), o = collide(&x, &t, 1e-8);
    assert_int_equal(m.count + o.count, 1);
    const manifold3 *one = m.count ? &m : &o;
    for (int i = 0; i < 3; i++)
        assert_close(one->normal[i], n[i], 1e-9);
    two_triangles(&s, &t, -f);
    double h = 0.3 / cos(f / 2);
    solid_place(&x, -h * d * sin(f / 2) + 0.5, h * d * sin(f / 2) + 0.5, h * cos(f / 2), NONE);
    m = collide(&x, &s, 1e-8);
    o = collide(&x, &t, 1e-8);
    assert_int_equal(m.count, 1);
    assert_int_equal(o.count, 1);
    assert_close(m.normal[2], 1, 1e-14);
    assert_close(o.normal[2], cos(f), 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flat_meshes_feel_like_one_face),
        cmocka_unit_test(folded_meshes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
