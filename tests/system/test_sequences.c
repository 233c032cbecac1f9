/* Sequences that the papers work out by hand. */
#include "simple.h"

static planes ball(void)
{
    return (planes){.n = 1, .m = 1, .G = {1}};
}

// P01 3(a): q^i = 1 - i h up to q^p, p the greatest number with 2 q^i - (1 - e) q^{i-1} >= 0 for all i < p,
// then q^{p+1} = -e q^{p-1}, q^{p+2} = -e q^p and q^{i+1} = q^i + e h; this is (3.4) without its rounding
static double reversed_position(int i, int p, double e, double h)
{
    if (i <= p)
        return 1 - i * h;
    if (i == p + 1)
        return -e * (1 - (p - 1) * h);
    return -e * (1 - p * h) + e * h * (i - p - 2);
}

static void check_two_step_reversal(double e, double h)
{
    planes b = ball();
    double start = 1, speed = -1;
    mo_system_def def = planes_def(&b, &start, &speed, h, MO_SYSTEM_SCHEME_PAOLI_SCHATZMAN);
    def.restitution = &e;
    mo_system *s = make_system(&def);
    int p = 1, outside = 0;
    while (2 * (1 - p * h) - (1 - e) * (1 - (p - 1) * h) >= 1e-13)
        p++;
    for (int i = 1; i < (int)(2 / h); i++) {
        good_step(s);
        assert_close(mo_system_q(s)[0], reversed_position(i, p, e, h), 1e-14);
        // an iterate on the border to rounding is not outside
        outside += mo_system_q(s)[0] < -1e-13;
        if (i <= p || i >= p + 2)
            assert_close(mo_system_u(s)[0], i <= p ? -1 : e, 1e-12);
    }
    assert_true(outside <= 2);
    assert_true(p * h > 1 - (1 - e) / (1 + e) * h - 1e-12 && p * h <= 1 + 2 * e * h / (1 + e) + 1e-12);
    assert_int_equal(mo_system_info_get(s)->impacts, 1);
    mo_system_destroy(s);
}

static void test_paoli_schatzman_reverses_in_two_steps(void **state)
{
    (void)state;
    check_two_step_reversal(0.3, 0.1);
    check_two_step_reversal(0.3, 0.07);
    check_two_step_reversal(0.9, 0.013);
    check_two_step_reversal(0, 0.03);
    check_two_step_reversal(1, 0.0331);
}

static void check_reversal_at_once(double e, double h)
{
    planes p = ball();
    double start = 1, speed = -1, q = 1, v = -1;
    mo_system_def def = planes_def(&p, &start, &speed, h, MO_SYSTEM_SCHEME_MABROUK);
    def.restitution = &e;
    mo_system *s = make_system(&def);
    double reversed = 0;
    for (int i = 0; i < (int)(2 / h); i++) {
        q += h * v;
        // the library counts a gap up to 1e-12 as closed
        v = q <= 1e-12 && v < 0 ? -e * v : v;
        good_step(s);
        if (reversed == 0 && v > -1)
            reversed = (i + 1) * h;
        assert_close(mo_system_q(s)[0], q, 1e-14);
        assert_close(mo_system_u(s)[0], v, 1e-15);
    }
    assert_true(reversed >= 1 - 1e-12 && reversed <= 1 + h);
    mo_system_destroy(s);
}

static void test_mabrouk_reverses_at_once(void **state)
{
    (void)state;
    check_reversal_at_once(0.3, 0.1);
    check_reversal_at_once(0.3, 0.07);
    check_reversal_at_once(1, 0.013);
    check_reversal_at_once(0, 0.03);
}

// P01 5: of two motions that conserve energy only the one that comes back along the x-axis obeys (5.3)
static void test_corner_has_one_motion(void **state)
{
    (void)state;
    const mo_system_scheme schemes[] = {MO_SYSTEM_SCHEME_MOREAU, MO_SYSTEM_SCHEME_MOREAU_JEAN,
                                        MO_SYSTEM_SCHEME_PAOLI_SCHATZMAN, MO_SYSTEM_SCHEME_MABROUK,
                                        MO_SYSTEM_SCHEME_BERNICOT_LEFEBVRE};
    planes p = {.n = 2, .m = 2, .G = {-1, 0, 0, 1}};
    double q[2] = {-1, 0}, u[2] = {1, 0}, e[2] = {1, 1}, h = 0.01;
    for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++) {
        mo_system_def def = planes_def(&p, q, u, h, schemes[k]);
        def.restitution = e;
        mo_system *s = make_system(&def);
        for (int i = 0; i < 200; i++) {
            good_step(s);
            assert_close(mo_system_q(s)[1], 0, 0);
        }
        assert_close(mo_system_u(s)[0], -1, 1e-12);
        // 1 - t after the impact, to within the step over which it happens
        assert_close(mo_system_q(s)[0], -1, 2 * h + 1e-12);
        assert_close(mo_system_info_get(s)->energy.kinetic, 0.5, 1e-12);
        mo_system_destroy(s);
    }
}

// M99 8.3 Remark 1: exact in uniform gravity; with dyadic numbers nothing is rounded, so that not a bit is
// off
static void test_moreau_is_exact_in_free_flight(void **state)
{
    (void)state;
    planes p = {.n = 3, .m = 1, .G = {0, 1, 0}, .offset = {1000}, .force = {0.5, -9.75, 2}};
    double q[3] = {1, 2, 3}, u[3] = {4, 5, -6}, mass[3] = {1, 4, 16}, h = 1.0 / 128;
    mo_system_def def = planes_def(&p, q, u, h, MO_SYSTEM_SCHEME_MOREAU);
    def.mass = (mo_metric){.kind = MO_METRIC_DIAGONAL, .entries = mass};
    mo_system *s = make_system(&def);
    for (int i = 1; i <= 1024; i++) {
        double t = i * h;
        good_step(s);
        for (int k = 0; k < 3; k++) {
            double a = p.force[k] / mass[k];
            assert_close(mo_system_q(s)[k], q[k] + u[k] * t + 0.5 * a * t * t, 0);
            assert_close(mo_system_u(s)[k], u[k] + a * t, 0);
        }
        assert_close(mo_system_info_get(s)->energy.balance_error, 0, 1e-11);
    }
    mo_system_destroy(s);
}

typedef struct drive {
    double amplitude, rate, bias;
} drive;

static mo_status drive_force(void *data, double t, const double *q, const double *u, double *F, double *Fq,
                             double *Fu, mo_error *err)
{
    const drive *d = data;
    (void)q, (void)u, (void)Fq, (void)Fu, (void)err;
    F[0] = d->bias + d->amplitude * sin(d->rate * t);
    return MO_OK;
}

static mo_status floor_gap(void *data, double t, const double *q, double *g, double *gx, double *gt,
                           mo_error *err)
{
    (void)data, (void)t, (void)err;
    g[0] = q[0];
    if (gx != NULL)
        gx[0] = 1, gt[0] = 0;
    return MO_OK;
}

// P01 Lemma 3.1, whose lambda^i is at most |F^i| in one dimension, since max(., 0) does not expand
static void test_velocities_are_bounded_by_lemma_3_1(void **state)
{
    (void)state;
    rng r = rng_seed(31, 1);
    for (int trial = 0; trial < 50; trial++) {
        drive d = {uniform(&r, 0, 5), uniform(&r, 1, 40), uniform(&r, -10, 0)};
        double e = uniform(&r, 0, 1), q = uniform(&r, 0, 1), u = uniform(&r, -2, 2),
               h = uniform(&r, 0.001, 0.05);
        mo_system_def def = mo_default_system_def();
        def.n = def.gaps = 1;
        def.q = &q;
        def.u = &u;
        def.h = h;
        def.scheme = MO_SYSTEM_SCHEME_PAOLI_SCHATZMAN;
        def.gap = floor_gap;
        def.force = drive_force;
        def.restitution = &e;
        def.data = &d;
        mo_system *s = make_system(&def);
        double eta[3] = {0}, F[3] = {0};
        for (int i = 0; i < 400; i++) {
            drive_force(&d, i * h, NULL, NULL, &F[2], NULL, NULL, NULL);
            good_step(s);
            eta[2] = fabs(mo_system_u(s)[0]);
            if (i >= 2)
                assert_true(eta[2] <= fmax(eta[1], e * eta[0]) + h * (fabs(F[2]) + fabs(F[1])) + 1e-12);
            eta[0] = eta[1], eta[1] = eta[2], F[1] = F[2];
        }
        mo_system_destroy(s);
    }
}

// the scheme looks the same from a frame that moves with the wall
static void test_moving_wall_is_a_resting_one(void **state)
{
    (void)state;
    for (int scheme = 0; scheme <= MO_SYSTEM_SCHEME_MABROUK; scheme++) {
        double e = 0.6, q = 1, u = -1, w = 0.5, h = 0.013, relative = u - w;
        planes rest = {.n = 1, .m = 1, .G = {1}, .force = {-2}}, moving = rest;
        moving.rate[0] = -w;
        mo_system_def a = planes_def(&rest, &q, &relative, h, (mo_system_scheme)scheme);
        mo_system_def b = planes_def(&moving, &q, &u, h, (mo_system_scheme)scheme);
        a.restitution = b.restitution = &e;
        mo_system *s = make_system(&a), *t = make_system(&b);
        for (int i = 1; i <= 300; i++) {
            good_step(s);
            good_step(t);
            assert_close(mo_system_q(t)[0] - w * i * h, mo_system_q(s)[0], 1e-12);
            assert_close(mo_system_u(t)[0] - w, mo_system_u(s)[0], 1e-11);
        }
        assert_true(mo_system_info_get(s)->impacts > 1);
        assert_close(mo_system_info_get(t)->energy.loss, mo_system_info_get(s)->energy.loss, 1e-10);
        mo_system_destroy(s);
        mo_system_destroy(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paoli_schatzman_reverses_in_two_steps),
        cmocka_unit_test(test_mabrouk_reverses_at_once),
        cmocka_unit_test(test_corner_has_one_motion),
        cmocka_unit_test(test_moreau_is_exact_in_free_flight),
        cmocka_unit_test(test_velocities_are_bounded_by_lemma_3_1),
        cmocka_unit_test(test_moving_wall_is_a_resting_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
