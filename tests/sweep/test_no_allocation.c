/* A process allocates in its first steps and then never again, whatever the method and the set. */
#include "support/count_allocations.h"
#include "sweep/parts.h"

enum { DISCS = 40 };

static mo_status inwards(void *data, double t, const double *u, double *f, mo_error *err)
{
    (void)data, (void)t, (void)err;
    for (size_t k = 0; k < 2 * DISCS; k++)
        f[k] = -u[k];
    return MO_OK;
}

// several rounds of a periodic motion to warm up, then one more
static void check(const mo_sweep_def *def, int period)
{
    mo_sweep *p = create(def);
    for (int k = 0; k < 3 * period; k++)
        step(p);
    calls = 0;
    for (int k = 0; k < period; k++)
        step(p);
    assert_int_equal(calls, 0);
    assert_true(mo_sweep_info_get(p)->path_length > 0);
    mo_sweep_destroy(p);
}

static void check_methods(const mo_moving_set *set, const double *x, bool gaps)
{
    // h = 2 pi / 200
    for (int method = 0; method <= (gaps ? MO_SWEEP_EVENT_DRIVEN : MO_SWEEP_PENALTY); method++) {
        mo_sweep_def def = define(set, x, 0.031415926535897934, (mo_sweep_method)method);
        def.retraction = true;
        check(&def, 200);
    }
}

static void warm_steps(void **state)
{
    (void)state;
    const double size[2] = {1, 1}, phase[2] = {0, 1.5707963267948966}, x[2] = {0.1, 1}, R[2] = {0.5, 0.7},
                 zero[2] = {0, 0}, far[2] = {0.2, 0.1}, A[6] = {1, 0.3, -0.6, 1, -0.2, -1},
                 b[3] = {-0.5, -0.5, -0.5};
    waves w = {2, 1, size, phase};
    mo_moving_set ball = mo_moving_ball(2, constant(zero), constant(R));
    mo_moving_set box = mo_moving_box(2, constant(zero), constant(R));
    mo_moving_set polygon = mo_moving_polyhedron(2, 3, constant(A), constant(b));
    mo_moving_set both[2] = {ball, mo_moving_ball(2, constant(far), constant(R + 1))};
    mo_moving_set lens = mo_moving_intersection(2, both);
    mo_set disc = mo_set_ball(2, zero, 0.5);
    mo_moving_set convex = mo_moving_convex(&disc);
    const mo_moving_set *all[] = {&ball, &box, &polygon, &lens, &convex};
    for (size_t k = 0; k < 5; k++) {
        mo_moving_set moved = mo_moving_translate(all[k], waving(&w));
        check_methods(&moved, x, k < 4);
    }
}

static void warm_crowd(void **state)
{
    (void)state;
    double radius[DISCS], x[2 * DISCS];
    const double wall[4] = {-3, -0.2, 3, -0.1};
    rng r = rng_seed(71, 1);
    for (size_t i = 0; i < DISCS; i++) {
        radius[i] = 0.2 + 0.1 * rng_uniform(&r);
        x[2 * i] = 0.8 * (double)(i % 8) - 2.8;
        x[2 * i + 1] = 0.8 * (double)(i / 8) + 0.4;
    }
    mo_moving_set set = mo_moving_discs(DISCS, radius, 1, wall);
    for (int method = 0; method <= MO_SWEEP_LAZY; method++) {
        mo_sweep_def def = define(&set, x, 0.02, (mo_sweep_method)method);
        def.field = inwards;
        check(&def, 150);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(warm_steps), cmocka_unit_test(warm_crowd)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
