/*
 * What spares the narrow phase work must not change its answers: boxes that tell pairs apart, and sides of
 * polyhedra that are known beforehand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "collide/apart.h"
#include "collide/detect.h"
#include "collide/pair3.h"
#include "solids.h"

/* two solids as a view for detection has them */
typedef struct two_solids {
    mo_part part[2];
    double vertices[6 * SOLID_VERTICES], q[14], radius[2], size[2];
    uint32_t first[2], count[2], vertex_first[2];
    uint8_t lone[2];
    detect_view view;
    double turn[2][9];
} two_solids;

static void view_of(const test_solid *s[2], two_solids *out)
{
    *out = (two_solids){.first = {0, 1}, .count = {1, 1}, .vertex_first = {0, SOLID_VERTICES}};
    for (int k = 0; k < 2; k++) {
        out->part[k] = s[k]->part;
        memcpy(&out->vertices[3 * k * SOLID_VERTICES], s[k]->v, sizeof s[k]->v);
        memcpy(&out->q[7 * k], s[k]->placed.p, 3 * sizeof *out->q);
        memcpy(out->turn[k], s[k]->placed.R, sizeof out->turn[k]);
        for (uint32_t j = 0; j < s[k]->part.vertex_count; j++)
            out->radius[k] = fmax(out->radius[k], vec3_norm(&s[k]->v[3 * j]) + s[k]->part.radius);
        if (s[k]->part.kind == MO_PART_PLANE)
            out->radius[k] = HUGE_VAL;
        out->lone[k] = s[k]->part.kind == MO_PART_SPHERE;
    }
    out->view = (detect_view){.dim = 3,
                              .nq = 7,
                              .nu = 6,
                              .count = 2,
                              .q = out->q,
                              .radius = out->radius,
                              .lone = out->lone,
                              .part_first = out->first,
                              .part_count = out->count,
                              .vertex_first = out->vertex_first,
                              .parts = out->part,
                              .vertices = out->vertices};
}

static bool apart(const test_solid *a, const test_solid *b, double max_gap)
{
    static const uint32_t both[2] = {0, 1};
    two_solids two;
    part_boxes boxes;
    arena memory = {0};
    view_of((const test_solid *[]){a, b}, &two);
    assert_true(boxes_reserve(&boxes, &two.view, boxes_of(&two.view, 0) + boxes_of(&two.view, 1), &memory));
    for (size_t k = 0; k < 2; k++)
        if (!two.lone[k])
            boxes_place(&boxes, &two.view, k, two.turn[k]);
    const double *const turn[2] = {two.turn[0], two.turn[1]};
    bool yes = parts_apart(&boxes, &two.view, both, both, turn, max_gap);
    arena_free(&memory);
    return yes;
}

static void random_solid(test_solid *t, rng *r)
{
    const double a = solid_between(r, 0.2, 1), b = solid_between(r, 0.2, 1), c = solid_between(r, 0.2, 1);
    switch (rng_next(r) % 7) {
    case 0:
    case 1:
        solid_box(t, a, b, c);
        break;
    case 2:
        solid_random_hull(t, r, 12, a, b, c);
        break;
    case 3:
        solid_prism(t, 3 + rng_next(r) % 5, a, b);
        break;
    case 4:
        solid_capsule(t, 0.5 * a, b);
        break;
    case 5:
        solid_cylinder(t, 0.5 * a, b);
        break;
    default:
        solid_sphere(t, 0.5 * a);
    }
}

static void random_place(test_solid *t, rng *r, double far)
{
    double q[4], x[3];
    for (int i = 0; i < 4; i++)
        q[i] = rng_next(r) % 3 == 0 ? i == 0 : solid_between(r, -1, 1);
    for (int i = 0; i < 3; i++)
        x[i] = far + solid_between(r, -1, 1);
    solid_place(t, x[0], x[1], x[2], q);
}

static void boxes_never_lose_a_contact(void **state)
{
    (void)state;
    rng r = rng_seed(5, 1);
    test_solid a, b;
    int told = 0, met = 0;
    for (int i = 0; i < 20000; i++) {
        const double far = i % 4 == 0 ? 1e4 : 0, most = i % 3 == 0 ? 1e-8 : solid_between(&r, 0, 0.2);
        random_solid(&a, &r);
        random_place(&a, &r, far);
        if (i % 5 == 0)
            solid_plane(&b, solid_between(&r, -1, 1), solid_between(&r, -1, 1), 0.3, 3 * far);
        else
            random_solid(&b, &r);
        random_place(&b, &r, i % 5 == 0 ? 0 : far);
        // either of them may come first
        const bool swap = rng_next(&r) % 2;
        const bool here = swap ? apart(&b, &a, most) : apart(&a, &b, most);
        const manifold3 m = collide(&a, &b, most);
        assert_false(here && m.count > 0);
        told += here;
        met += m.count > 0;
    }
    assert_true(told > 4000 && met > 4000);
}

/* boxes along the axes are their own boxes: apart just where the gap says so */
static void boxes_along_the_axes_are_told_apart(void **state)
{
    (void)state;
    rng r = rng_seed(6, 1);
    test_solid a, b, floor;
    solid_plane(&floor, 0, 0, 1, 0.25);
    for (int i = 0; i < 300; i++) {
        const double most = solid_between(&r, 0, 0.1), off = i % 2 == 0 ? 1e-9 : -1e-9;
        double x[3] = {0.1, -0.2, 0.3};
        solid_box(&a, 1, 0.6, 0.4);
        solid_box(&b, 0.5, 0.8, 1.2);
        x[i % 3] = (i % 6 < 3 ? 1 : -1) * ((double[]){0.75, 0.7, 0.8}[i % 3] + most + off);
        solid_place(&b, x[0], x[1], x[2], NONE);
        assert_int_equal(apart(&a, &b, most), off > 0);
        assert_int_equal(collide(&a, &b, most).count == 0, off > 0);
        solid_place(&a, 3, 4, 0.45 + most + off, NONE);
        assert_int_equal(apart(&a, &floor, most), off > 0);
        assert_int_equal(apart(&floor, &a, most), off > 0);
    }
}

static void known_sides_change_no_bit(void **state)
{
    (void)state;
    rng r = rng_seed(7, 1);
    test_solid s[2];
    double sides[2][SIDES_NORMAL + 3 * VIEW_FACES];
    int met = 0;
    for (int i = 0; i < 6000; i++) {
        for (int k = 0; k < 2; k++) {
            random_solid(&s[k], &r);
            random_place(&s[k], &r, 0);
        }
        const manifold3 plain = collide(&s[0], &s[1], 0.05);
        for (int k = 0; k < 2; k++) {
            if (sides_numbers(&s[k].part) == 0)
                continue;
            sides_fill(&s[k].placed, sides[k]);
            s[k].placed.sides = sides[k];
        }
        const manifold3 known = collide(&s[0], &s[1], 0.05);
        assert_int_equal(plain.count, known.count);
        met += plain.count > 0;
        if (plain.count > 0)
            assert_memory_equal(plain.normal, known.normal, sizeof plain.normal);
        for (int p = 0; p < plain.count; p++) {
            assert_memory_equal(plain.points[p].point, known.points[p].point, sizeof plain.points[p].point);
            assert_true(plain.points[p].gap == known.points[p].gap);
            assert_int_equal(plain.points[p].feature, known.points[p].feature);
        }
    }
    assert_true(met > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_never_lose_a_contact),
        cmocka_unit_test(boxes_along_the_axes_are_told_apart),
        cmocka_unit_test(known_sides_change_no_bit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
