/* Reference solutions of the situations against known answers, conservation laws, and themselves refined. */
#include "bench_support.h"

#include "bench/statistics.h"

static const double pi = 3.14159265358979323846;

static double worst_gap(const char *name, const bench_path *path)
{
    bench_problem *p = make_problem(name, 0, 60);
    double g[BENCH_GAPS], worst = 0;
    for (size_t k = 0; k < path->count; k++) {
        assert_int_equal(p->def.gap(p, path->t[k], path->q + k * path->n, g, NULL, NULL, NULL), MO_OK);
        for (size_t a = 0; a < p->def.gaps; a++)
            worst = fmax(worst, -g[a]);
    }
    free(p);
    return worst;
}

static void test_single_impact(void **state)
{
    (void)state;
    bench_path path = make_reference("single-impact", 0, 8);
    // P01 3(a): 1 - t, then 0.3 (t - 1); both sides of the jump, and the node at the jump is after it
    assert_int_equal(path.count, 11);
    assert_close(node_q(&path, 2)[0], 0.5, 0);
    assert_close(node_q(&path, 8)[0], 0.3, 1e-16);
    assert_close(path.t[4], 1, 0);
    assert_close(path.u[4], -1, 0);
    assert_close(path.u[5], 0.3, 0);
    assert_close(node_u(&path, 4)[0], 0.3, 0);
    assert_close(path.energy, 0.045, 1e-17);
    bench_path_free(&path);
}

static void test_bouncing_ball(void **state)
{
    (void)state;
    bench_path path = make_reference("bouncing-ball", 0, 16);
    // falls for 1 s, rises to a quarter of the height, again for half the time..., rests from t = 3 on
    assert_close(node_q(&path, 2)[0], 0.75, 1e-15);
    assert_close(node_q(&path, 6)[0], 0.25, 1e-15);
    assert_close(node_u(&path, 6)[0], 0, 1e-15);
    assert_close(node_q(&path, 9)[0], 0.0625, 1e-15);
    for (size_t k = 12; k <= 16; k++)
        assert_close(fabs(node_q(&path, k)[0]) + fabs(node_u(&path, k)[0]), 0, 1e-11);
    assert_close(worst_gap("bouncing-ball", &path), 0, 1e-15);
    bench_path_free(&path);
}

static void test_grazing(void **state)
{
    (void)state;
    const size_t steps = 4000;
    bench_path path = make_reference("grazing", 3, steps);
    bench_problem *p = make_problem("grazing", 3, steps);
    const double h = p->t_end / (double)steps;
    double most = 0, residual = 0;
    for (size_t k = 1; k < steps; k++) {
        double F;
        const double *q = node_q(&path, k), before = node_q(&path, k - 1)[0], after = node_q(&path, k + 1)[0];
        p->def.force(p, path.t[path.node[k]], q, node_u(&path, k), &F, NULL, NULL, NULL);
        residual = fmax(residual, fabs((after - 2 * q[0] + before) / (h * h) - F));
        most = fmax(most, q[0]);
    }
    // fourth derivative 16, so 16 / 12 h^2, and rounding 1e-15 / h^2; touches the stop and stays inside
    assert_true(residual < 1.4 * h * h + 1e-15 / (h * h));
    assert_close(most, 1, 1e-6);
    assert_true(most <= 1);
    free(p);
    bench_path_free(&path);
}

static void check_way_out(const char *name, double degrees)
{
    bench_path path = make_reference(name, 1, 50);
    const double *u = node_u(&path, 50);
    assert_close(u[0], cos(degrees * pi / 180), 1e-14);
    assert_close(u[1], sin(degrees * pi / 180), 1e-14);
    assert_close(worst_gap(name, &path), 0, 1e-14);
    bench_path_free(&path);
}

// in at 190 degrees; reflections at lines of angle a and -a take the angle x to 2 a - x and -2 a - x
static void test_corners(void **state)
{
    (void)state;
    check_way_out("corner-90", 10);
    check_way_out("corner-60", -10);
    check_way_out("corner-120", 50);
}

static void check_line(const char *name, const double *after)
{
    bench_path path = make_reference(name, 2, 100);
    for (size_t k = 0; k < path.count; k++) {
        double momentum = 0, energy = 0;
        for (size_t i = 0; i < 5; i++) {
            momentum += path.u[5 * k + i];
            energy += path.u[5 * k + i] * path.u[5 * k + i];
        }
        assert_close(momentum, 1, 1e-15);
        assert_close(energy, 1, 1e-15);
    }
    for (size_t i = 0; i < 5; i++)
        assert_close(node_u(&path, 100)[i], after[i], 1e-15);
    assert_close(worst_gap(name, &path), 0, 1e-15);
    bench_path_free(&path);
}

static void test_cradles(void **state)
{
    (void)state;
    check_line("newton-cradle", (const double[]){-0.6, 0.4, 0.4, 0.4, 0.4});
    check_line("cradle-apart", (const double[]){0, 0, 0, 0, 1});
}

// MJ96 5: the ratio of angular speeds at every impact, the pivot on the floor, and energy between impacts
static void test_rocking_block(void **state)
{
    (void)state;
    const double alpha = 0.3, ratio = 1 - 1.5 * sin(alpha) * sin(alpha);
    bench_path path = make_reference("rocking-block", 0, 4000);
    double energy = 0;
    int impacts = 0;
    for (size_t k = 0; k < path.count; k++) {
        const double *q = path.q + 3 * k, *u = path.u + 3 * k;
        const double now = 0.5 * (u[0] * u[0] + u[1] * u[1] + u[2] * u[2] / 3) + 9.81 * q[1];
        if (k > 0 && path.t[k] == path.t[k - 1]) {
            // both sides are on lines through samples 5e-4 s apart
            assert_close(u[2] / u[-1], ratio, 1e-5);
            impacts++;
        } else if (k > 0 && path.t[k] > path.t[k - 1] && path.u[3 * (k - 1) + 2] * u[2] > 0 && k > 1 &&
                   path.t[k - 1] > path.t[k - 2]) {
            assert_close(now, energy, 1e-4);
        }
        energy = now;
        const double low = q[1] - cos(q[2]) * cos(alpha) - fabs(sin(q[2])) * sin(alpha);
        assert_close(low, 0, 1e-6);
    }
    assert_true(impacts >= 2);
    bench_path_free(&path);
}

// every reference by the event-driven scheme, with half the steps
static void test_refined_references(void **state)
{
    (void)state;
    for (size_t i = 0; bench_situations[i] != NULL; i++) {
        const bench_situation *s = bench_situations[i];
        if (s->path != NULL || s->measure != NULL)
            continue;
        const size_t steps = s->steps << (s->rungs - 1);
        bench_path coarse = make_reference(s->name, 0, steps), fine = make_reference(s->name, 0, 2 * steps);
        double worst = 0, size = 0;
        for (size_t k = 0; k <= steps; k++)
            for (size_t j = 0; j < coarse.n; j++) {
                worst = fmax(worst, fabs(node_q(&coarse, k)[j] - node_q(&fine, 2 * k)[j]));
                size = fmax(size, fabs(node_q(&fine, 2 * k)[j]));
            }
        if (!(worst < 1e-9 * size))
            fail_msg("%s: references differ by %g", s->name, worst);
        bench_path_free(&coarse);
        bench_path_free(&fine);
    }
}

static void test_statistics(void **state)
{
    (void)state;
    statistics a = {.low = 0, .high = 4, .events = 6}, b = a;
    double x[BENCH_NUMBERS], y[BENCH_NUMBERS];
    for (int k = 0; k < 4; k++) {
        statistics_add(&a, k, k < 1);
        statistics_add(&b, k + 0.5, true);
    }
    statistics_numbers(&a, 3, x);
    statistics_numbers(&b, 3, y);
    assert_close(x[STATISTICS_MEAN], 1.5, 0);
    assert_close(x[STATISTICS_RMS], sqrt(3.5), 1e-15);
    assert_close(x[STATISTICS_NEAR], 0.25, 0);
    assert_close(x[STATISTICS_EVENTS], 2, 0);
    assert_close(statistics_distance(x, x), 0, 0);
    assert_close(statistics_distance(x, y), 1, 1e-15);
    // outside of the range: in the first and last bin; not finite: in none
    statistics_add(&a, -1, false);
    statistics_add(&a, 9, false);
    statistics_add(&a, (double)NAN, false);
    assert_close(a.bins[0] + a.bins[STATISTICS_BINS - 1], 3, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_single_impact),
        cmocka_unit_test(test_bouncing_ball),
        cmocka_unit_test(test_grazing),
        cmocka_unit_test(test_corners),
        cmocka_unit_test(test_cradles),
        cmocka_unit_test(test_rocking_block),
        cmocka_unit_test(test_refined_references),
        cmocka_unit_test(test_statistics),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
