/* The analyser of overlaps on configurations with known ones. */
#include "peers_support.h"

#include "core/rng.h"

static peer_overlaps measure(const peer_scene *s, const peer_state *x)
{
    peer_overlaps found;
    mo_error err;
    assert_int_equal(peer_measure_overlaps(s, x, &found, &err), MO_OK);
    return found;
}

static void test_known(void **state)
{
    (void)state;
    peer_scene s = make_scene("A", 3);
    peer_state *x = begin(&s);
    for (size_t i = 0; i < 3; i++)
        s.bodies[i].radius = 0.01;
    // two overlap by 0.1 r along a 3-4-5 triangle, one is 0.05 r deep in the floor
    x[0] = (peer_state){.x = {0.03, 0.03}};
    x[1] = (peer_state){.x = {0.03 + 0.6 * 0.019, 0.03 + 0.8 * 0.019}};
    x[2] = (peer_state){.x = {0.06, 0.0095}};
    peer_overlaps found = measure(&s, x);
    assert_int_equal(found.count, 2);
    assert_close(found.max, 0.1, 1e-13);
    assert_close(found.mean, 0.075, 1e-13);
    assert_int_equal(found.lost, 0);
    // touching is no overlap worth a name; far away and nowhere are no trouble
    x[1].x[0] = 0.03 + 0.6 * 0.02;
    x[1].x[1] = 0.03 + 0.8 * 0.02;
    x[2].x[1] = 1e6;
    assert_close(measure(&s, x).max, 0, 1e-13);
    x[2].x[1] = (double)NAN;
    found = measure(&s, x);
    assert_close(found.max, 0, 1e-13);
    assert_int_equal(found.lost, 1);
    // behind the floor
    x[2].x[1] = -1;
    assert_int_equal(measure(&s, x).lost, 1);
    assert_close(measure(&s, x).max, 101, 1e-12);
    free(x);
    peer_scene_free(&s);
}

// every pair looked at
static void check_all_pairs(const peer_scene *s, const peer_state *x)
{
    double most = 0, sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < s->body_count; i++) {
        for (size_t j = 0; j < i; j++) {
            const double d = sqrt(pow(x[i].x[0] - x[j].x[0], 2) + pow(x[i].x[1] - x[j].x[1], 2) +
                                  pow(x[i].x[2] - x[j].x[2], 2)),
                         overlap = s->bodies[i].radius + s->bodies[j].radius - d;
            if (overlap > 0)
                most = fmax(most, overlap), sum += overlap, count++;
        }
    }
    const peer_overlaps found = measure(s, x);
    assert_true(count > 100);
    assert_int_equal(found.count, count);
    assert_close(found.max, most / s->size, 1e-12);
    assert_close(found.mean, sum / (double)count / s->size, 1e-12);
}

static void test_random(void **state)
{
    (void)state;
    rng random = rng_seed(3, 3);
    const char *names[2] = {"A", "B"};
    for (int k = 0; k < 2; k++) {
        peer_scene s = make_scene(names[k], 400);
        peer_state *x = begin(&s);
        s.plane_count = 0;
        for (size_t i = 0; i < s.body_count; i++)
            for (int c = 0; c < s.dim; c++)
                x[i].x[c] = (rng_uniform(&random) - 0.5) * (k == 0 ? 0.5 : 0.15);
        check_all_pairs(&s, x);
        // one far away makes cells large
        x[7].x[0] = 1e5;
        check_all_pairs(&s, x);
        free(x);
        peer_scene_free(&s);
    }
}

static void test_boxes(void **state)
{
    (void)state;
    peer_scene s = make_scene("stack", 3);
    peer_state *x = begin(&s);
    x[1].x[2] -= 0.01;
    assert_close(measure(&s, x).max, 0.01, 1e-12);
    x[0].x[2] -= 0.03; // in the floor
    assert_close(measure(&s, x).max, 0.03, 1e-12);
    free(x);
    peer_scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_known), cmocka_unit_test(test_random),
                                       cmocka_unit_test(test_boxes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
