/* The scenes are those that figures of other programs were measured on. */
#include "peers_support.h"

static const double R = 0.01, pi = 3.14159265358979323846;

static void check_grid(const peer_scene *s, size_t side)
{
    double least = 2, most = 0;
    for (size_t i = 0; i < s->body_count; i++) {
        const peer_body *b = &s->bodies[i];
        const size_t place[3] = {i % side, s->dim == 2 ? i / side : i / side % side, i / (side * side)};
        for (int k = 0; k < s->dim; k++)
            assert_true(fabs(b->x[k] - 2.5 * R * ((double)place[k] + 0.5)) <= 0.04 * R * (1 + 1e-9));
        least = fmin(least, b->radius / R);
        most = fmax(most, b->radius / R);
        const double size = s->dim == 2 ? pi * b->radius * b->radius : 4 * pi / 3 * pow(b->radius, 3);
        assert_close(b->mass, 2500 * size, 1e-12 * b->mass);
        assert_close(b->inertia[2], (s->dim == 2 ? 0.5 : 0.4) * b->mass * b->radius * b->radius,
                     1e-12 * b->inertia[2]);
    }
    // uniform in [0.8, 1.2]: of a thousand some within a hundredth of either end
    assert_true(least >= 0.8 && least < 0.81 && most <= 1.2 && most > 1.19);
}

static void test_discs(void **state)
{
    (void)state;
    peer_scene s = make_scene("A", 1000);
    assert_int_equal(s.body_count, 1000);
    assert_int_equal(s.dim, 2);
    assert_int_equal(s.settle, 2000);
    assert_int_equal(s.plane_count, 3);
    check_grid(&s, 45); // ceil(sqrt(2000))
    assert_close(s.planes[2].offset, -45 * 2.5 * R, 1e-15);
    assert_close(s.gravity[1], -9.81, 0);
    assert_close(s.friction, 0.5, 0);
    assert_close(s.h, 1e-3, 0);
    peer_scene_free(&s);
}

static void test_spheres(void **state)
{
    (void)state;
    // 1000 and 8000 are cubes of whole numbers, which the root must not overshoot
    const size_t n[3] = {1000, 8000, 1001}, side[3] = {10, 20, 11};
    for (int k = 0; k < 3; k++) {
        peer_scene s = make_scene("B", n[k]);
        check_grid(&s, side[k]);
        assert_int_equal(s.plane_count, 5);
        assert_close(s.planes[4].offset, -(double)side[k] * 2.5 * R, 1e-15);
        peer_scene_free(&s);
    }
}

static void test_nothing_overlaps_at_first(void **state)
{
    (void)state;
    for (size_t k = 0; peer_scene_name(k) != NULL; k++) {
        peer_scene s = make_scene(peer_scene_name(k), strcmp(peer_scene_name(k), "collapse") == 0 ? 500 : 0);
        peer_state *x = begin(&s);
        peer_overlaps found;
        mo_error err;
        assert_int_equal(peer_measure_overlaps(&s, x, &found, &err), MO_OK);
        assert_close(found.max, 0, 1e-14);
        assert_int_equal(found.lost, 0);
        free(x);
        peer_scene_free(&s);
    }
}

static void test_cubes(void **state)
{
    (void)state;
    peer_scene s = make_scene("pyramid", 0);
    assert_int_equal(s.body_count, 55);
    assert_close(s.bodies[54].x[0], 0, 1e-15);
    assert_close(s.bodies[54].x[2], 9.5, 0);
    peer_scene_free(&s);
    s = make_scene("slope-slide", 0);
    // 20 degrees: tan is between the two frictions
    assert_close(hypot(s.gravity[0], s.gravity[2]), 9.81, 1e-14);
    assert_close(-s.gravity[0] / s.gravity[2], tan(20 * pi / 180), 1e-15);
    assert_close(s.friction, 0.35, 0);
    peer_scene_free(&s);
}

static void test_unknown(void **state)
{
    (void)state;
    peer_scene s;
    mo_error err;
    assert_int_equal(peer_scene_make("D", &(peer_size){.n = 0}, false, &s, &err), MO_BAD_INPUT);
    assert_null(peer_scene_name(1000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_discs),
        cmocka_unit_test(test_spheres),
        cmocka_unit_test(test_nothing_overlaps_at_first),
        cmocka_unit_test(test_cubes),
        cmocka_unit_test(test_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
