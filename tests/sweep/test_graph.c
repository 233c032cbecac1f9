/* Distance of completed graphs: steps that jump at different times, clipping to the common time, cost. */
#include "core/rng.h"
#include "core/timer.h"
#include "support/close.h"

#include <math.h>
#include <moreau/sweep.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

static double distance(size_t dim, double rate, size_t n1, const double *t1, const double *u1, size_t n2,
                       const double *t2, const double *u2)
{
    double d = -1, back = -1;
    assert_int_equal(mo_graph_distance(dim, rate, n1, t1, u1, n2, t2, u2, &d, NULL), MO_OK);
    assert_int_equal(mo_graph_distance(dim, rate, n2, t2, u2, n1, t1, u1, &back, NULL), MO_OK);
    assert_true(d == back);
    return d;
}

/* Two unit steps, one delayed by d: the ends of the jumps are d apart in time, the jumps are parallel. */
static void delayed_step(void **state)
{
    (void)state;
    const double u[] = {0, 0, 1, 1};
    for (double delay = 0; delay < 0.5; delay += 0.0625)
        for (double rate = 0.25; rate <= 4; rate *= 2) {
            const double t1[] = {0, 0.25, 0.25, 1}, t2[] = {0, 0.25 + delay, 0.25 + delay, 1};
            // the corner (0.25, 1) is rate delay from (0.25 + delay, 1), or up to 1 from (0.25, 0)
            assert_close(distance(1, rate, 4, t1, u, 4, t2, u), fmin(1, rate * delay), 1e-15);
        }
}

/* The same line in the plane sampled at other times: distance 0; a parallel one: by Pythagoras. */
static void lines(void **state)
{
    (void)state;
    const double t1[] = {0, 1}, u1[] = {0, 0, 4, 2};
    const double t2[] = {0, 0.25, 0.5, 0.75, 1}, u2[] = {0, 0, 1, 0.5, 2, 1, 3, 1.5, 4, 2};
    assert_close(distance(2, 1, 2, t1, u1, 5, t2, u2), 0, 1e-15);
    // moved by (0, 1): (1, 4, 3) is past the end of the other line, 1 away from it; all others are nearer
    double shifted[10];
    for (size_t i = 0; i < 10; i++)
        shifted[i] = u2[i] + (double)(i % 2);
    for (double rate = 0.5; rate <= 2; rate *= 2)
        assert_close(distance(2, rate, 2, t1, u1, 5, t2, shifted), 1, 1e-15);
}

/* Over the common time: what lies outside it does not count, the ends of it do. */
static void common_time(void **state)
{
    (void)state;
    const double t1[] = {0, 1}, u1[] = {0, 1}, t2[] = {0, 0.5}, u2[] = {0, 0};
    // graph 1 is cut at (0.5, 0.5), whose nearest point of graph 2 is (0.5, 0)
    assert_close(distance(1, 1, 2, t1, u1, 2, t2, u2), 0.5, 1e-15);
    // far away beyond the common time
    const double t3[] = {0, 0.5, 1}, u3[] = {0, 0, 1000};
    assert_close(distance(1, 1, 3, t3, u3, 2, t2, u2), 0, 0);
    // the common time is one instant, at which graph 4 is within a jump
    const double t4[] = {0.5, 0.5, 2}, u4[] = {-3, 2, 7};
    assert_close(distance(1, 1, 3, t4, u4, 2, t2, u2), 3, 0);
    const double one = 0.25, point = 0.75;
    // a single sample is compared at its time only, where graph 1 is at 0.25
    assert_close(distance(1, 1, 1, &one, &point, 2, t1, u1), 0.5, 1e-15);
}

/* Reference: every sample against every segment, by sampling the segments finely. */
static double brute_force(double rate, size_t n, const double *t1, const double *u1, const double *t2,
                          const double *u2)
{
    double most = 0;
    for (size_t k = 0; k < n; k++) {
        double best = HUGE_VAL;
        for (size_t j = 0; j + 1 < n; j++)
            for (int i = 0; i <= 400; i++) {
                const double s = i / 400.0;
                double sum = pow(rate * (t1[k] - t2[j] - s * (t2[j + 1] - t2[j])), 2);
                for (size_t c = 0; c < 3; c++)
                    sum += pow(u1[3 * k + c] - u2[3 * j + c] - s * (u2[3 * j + 3 + c] - u2[3 * j + c]), 2);
                best = fmin(best, sqrt(sum));
            }
        most = fmax(most, best);
    }
    return most;
}

static void random_against_all_pairs(void **state)
{
    (void)state;
    enum { N = 12 };
    rng r = rng_seed(5, 1);
    for (int trial = 0; trial < 30; trial++) {
        double t[2][N], u[2][3 * N];
        const double rate = pow(10, 2 * rng_uniform(&r) - 1);
        for (size_t g = 0; g < 2; g++) {
            for (size_t k = 0; k < N; k++) {
                t[g][k] = k == 0 ? 0 : t[g][k - 1] + (rng_uniform(&r) < 0.3 ? 0 : rng_uniform(&r));
                for (size_t c = 0; c < 3; c++)
                    u[g][3 * k + c] = rng_uniform(&r);
            }
            // the same end, so that nothing is cut off
            t[g][N - 1] = 12;
        }
        const double expected =
            fmax(brute_force(rate, N, t[0], u[0], t[1], u[1]), brute_force(rate, N, t[1], u[1], t[0], u[0]));
        // sampled segments are off by at most half a spacing: a segment is no longer than 12 rate + sqrt 3
        const double d = distance(3, rate, N, t[0], u[0], N, t[1], u[1]);
        assert_true(d <= expected + 1e-12);
        assert_close(d, expected, (12 * rate + sqrt(3)) / 800);
    }
}

/* Huge and tiny units give the same picture. */
static void scales(void **state)
{
    (void)state;
    for (int e = -300; e <= 300; e += 20) {
        const double f = pow(10, e), t1[] = {0, 1}, u1[] = {0, f}, t2[] = {0, 0.5, 1}, u2[] = {f, f, 2 * f};
        // in units of f: the diagonal of the unit square and a line above it that ends at (1, 2)
        assert_close(distance(1, f, 2, t1, u1, 3, t2, u2) / f, 1, 1e-14);
    }
}

/* 200 000 samples of each of two near graphs: all pairs would be 4e10 distances. */
static void many_samples(void **state)
{
    (void)state;
    enum { N = 200000 };
    double *t = malloc(sizeof *t * N), *u = malloc(sizeof *u * N), *v = malloc(sizeof *v * N);
    assert_true(t != NULL && u != NULL && v != NULL);
    for (size_t k = 0; k < N; k++) {
        t[k] = (double)k * 1e-4;
        u[k] = sin(t[k]);
        v[k] = u[k] + 0.01;
    }
    const double start = seconds_now();
    const double d = distance(1, 1, N, t, u, N, t, v);
    // vertical distance 0.01, at the crests of the sine also the distance
    assert_close(d, 0.01, 1e-6);
    assert_true(seconds_now() - start < 20);
    free(t);
    free(u);
    free(v);
}

static void bad_input(void **state)
{
    (void)state;
    const double t[] = {0, 1}, back[] = {1, 0}, late[] = {2, 3}, u[] = {0, 0}, nan[] = {0, (double)NAN};
    double d = 7;
    mo_error err = {0};
    assert_int_equal(mo_graph_distance(1, 1, 0, t, u, 2, t, u, &d, &err), MO_BAD_INPUT);
    assert_int_equal(mo_graph_distance(1, 1, 2, t, u, 2, back, u, &d, &err), MO_BAD_INPUT);
    assert_string_equal(err.key, "t");
    assert_int_equal(mo_graph_distance(1, 1, 2, t, u, 2, late, u, &d, &err), MO_BAD_INPUT);
    assert_int_equal(mo_graph_distance(1, 1, 2, t, u, 2, t, nan, &d, &err), MO_BAD_INPUT);
    assert_string_equal(err.key, "u");
    assert_int_equal(mo_graph_distance(1, -1, 2, t, u, 2, t, u, &d, &err), MO_BAD_INPUT);
    assert_int_equal(mo_graph_distance(0, 1, 2, t, u, 2, t, u, &d, &err), MO_BAD_INPUT);
    assert_true(d == 7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(delayed_step), cmocka_unit_test(lines),
        cmocka_unit_test(common_time),  cmocka_unit_test(random_against_all_pairs),
        cmocka_unit_test(scales),       cmocka_unit_test(many_samples),
        cmocka_unit_test(bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
