/* The contact problem of a step and its residual: closed forms, and steps of this library's own. */
#include "peers_support.h"

/* One body that touches the floor below it. */
typedef struct lone {
    peer_scene scene;
    peer_state before;
    peer_contact touch;
    peer_result result;
} lone;

static void set_lone(lone *l, const char *name)
{
    l->scene = make_scene(name, 1);
    const peer_body *b = &l->scene.bodies[0];
    const int up = l->scene.dim - 1;
    l->before = (peer_state){.q = {1}};
    l->before.x[up] = b->radius;
    l->touch = (peer_contact){.body1 = 0, .body2 = 1};
    l->touch.normal[up] = 1;
    l->touch.impulse[up] = b->mass * 9.81 * l->scene.h;
    l->result = (peer_result){.before = &l->before, .touch = &l->touch, .touch_count = 1, .body_count = 1};
}

static mo_problem problem_of(const lone *l, bool with_targets, double **r)
{
    mo_problem p;
    mo_error err;
    assert_int_equal(peer_problem(&l->scene, &l->result, with_targets, &p, r, &err), MO_OK);
    assert_int_equal(mo_problem_check(&p, &err), MO_OK);
    return p;
}

static double residual_of(const lone *l, bool with_targets)
{
    double *r;
    mo_error err;
    mo_problem_residual found;
    mo_problem p = problem_of(l, with_targets, &r);
    assert_int_equal(mo_problem_certify(&p, r, NULL, &found, &err), MO_OK);
    mo_problem_free(&p);
    free(r);
    return found.residual;
}

static void test_disc_at_rest(void **state)
{
    (void)state;
    lone l;
    double *r;
    set_lone(&l, "A");
    const double m = l.scene.bodies[0].mass, radius = l.scene.bodies[0].radius;
    l.before.v[0] = 0.3;
    l.before.w[2] = 2;
    mo_problem p = problem_of(&l, false, &r);
    // a disc: 1/m along n, 1/m + r^2/(m r^2/2) along t = (-1, 0); the spin carries the lowest point to the
    // right
    const double W[4] = {1 / m, 0, 0, 3 / m};
    for (int k = 0; k < 4; k++)
        assert_close(p.W[k], W[k], 1e-14 * W[3]);
    assert_close(p.q[0], -9.81e-3, 1e-17);
    assert_close(p.q[1], -0.3 - 2 * radius, 1e-15);
    assert_close(r[0], m * 9.81e-3, 1e-15);
    assert_close(p.mu[0], 0.5, 0);
    mo_problem_free(&p);
    free(r);
    // at rest the weight w is the answer; 2 w leaves u = g h, rho = m / 3, and w / 3 of 2 w
    l.before = (peer_state){.x = {0, radius}, .q = {1}};
    assert_close(residual_of(&l, false), 0, 1e-15);
    l.touch.impulse[1] *= 2;
    assert_close(residual_of(&l, false), 1.0 / 6, 1e-12);
    peer_scene_free(&l.scene);
}

static void test_sphere(void **state)
{
    (void)state;
    lone l;
    double *r;
    set_lone(&l, "B");
    const double m = l.scene.bodies[0].mass;
    mo_problem p = problem_of(&l, false, &r);
    // 1/m along n, 1/m + r^2/(0.4 m r^2) along both tangents
    for (int k = 0; k < 9; k++)
        assert_close(p.W[k], k == 0 ? 1 / m : k % 4 == 0 ? 3.5 / m : 0, 1e-13 / m);
    mo_problem_free(&p);
    free(r);
    assert_close(residual_of(&l, false), 0, 1e-15);
    peer_scene_free(&l.scene);
}

// what is asked of a contact moves the answer: to leave with speed v takes m v more, to close a gap less
static void test_targets(void **state)
{
    (void)state;
    lone l;
    set_lone(&l, "A");
    const double m = l.scene.bodies[0].mass, weight = l.touch.impulse[1];
    l.touch.target = 0.02;
    l.touch.impulse[1] = weight + m * 0.02;
    assert_close(residual_of(&l, true), 0, 1e-15);
    assert_true(residual_of(&l, false) > 0.1);
    l.touch.target = (double)NAN;
    l.touch.gap = 1e-6;
    l.touch.impulse[1] = weight - m * 1e-6 / l.scene.h;
    assert_close(residual_of(&l, false), 0, 1e-15);
    peer_scene_free(&l.scene);
}

// steps that this library says are solved to 1e-6 are so by the analyser, which knows nothing of its solver
static void test_own_steps(void **state)
{
    (void)state;
    const char *names[3] = {"A", "B", "pyramid"};
    for (int k = 0; k < 6; k++) {
        peer_scene s = make_scene(names[k / 2], k / 2 == 2 ? 3 : 40);
        s.settle = k / 2 == 2 ? 0 : 120; // falling on each other
        s.steps = 5;
        const peer_setting how = {"test", "", MO_SOLVER_AUTO, 1e-6, 10000, k % 2 == 1};
        peer_result result;
        peer_analysis found;
        mo_error err;
        assert_int_equal(peer_run_own(&s, &how, &result, &err), MO_OK);
        assert_true(result.touch_count > 10);
        assert_int_equal(peer_analyse(&s, &result, &found, &err), MO_OK);
        assert_true(found.residual <= 1.001e-6);
        // an impulse changed by a tenth shows
        result.touch[0].impulse[2] *= 1.1;
        result.touch[0].impulse[1] *= 1.1;
        result.touch[0].impulse[0] = result.touch[0].impulse[0] * 1.1 + 1e-3;
        assert_int_equal(peer_analyse(&s, &result, &found, &err), MO_OK);
        assert_true(found.residual > 1e-5);
        peer_result_free(&result);
        peer_scene_free(&s);
    }
}

// from rest down a slope: half (g sin - mu g cos) t^2 after t, up to one step's worth
static void test_slope(void **state)
{
    (void)state;
    peer_scene s = make_scene("slope-slide", 0);
    peer_result result;
    peer_analysis found;
    mo_error err;
    s.steps = 200;
    assert_int_equal(peer_run_own(&s, peer_own_setting(&s, 0), &result, &err), MO_OK);
    assert_int_equal(peer_analyse(&s, &result, &found, &err), MO_OK);
    const double angle = 3.14159265358979323846 / 9;
    assert_close(found.expected, 0.5 * 9.81 * (sin(angle) - 0.35 * cos(angle)) * 0.04, 1e-15);
    assert_close(found.reached, found.expected, 1.1 * s.h / 0.2 * found.expected);
    assert_close(found.drift, found.reached / s.size, 1e-9);
    peer_result_free(&result);
    peer_scene_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_disc_at_rest), cmocka_unit_test(test_sphere),
                                       cmocka_unit_test(test_targets), cmocka_unit_test(test_own_steps),
                                       cmocka_unit_test(test_slope)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
