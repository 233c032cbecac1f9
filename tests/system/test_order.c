/* Orders of convergence, fitted: a smooth problem, and one impact. */
#include "simple.h"

static double pull = 0; /* of the damping below; 0: conservative */

static mo_status pendulum(void *data, double t, const double *q, const double *u, double *F, double *Fq,
                          double *Fu, mo_error *err)
{
    (void)data, (void)err;
    F[0] = -sin(q[0]) - pull * u[0] + 0.3 * cos(2 * t);
    if (Fq != NULL)
        Fq[0] = -cos(q[0]), Fu[0] = -pull;
    return MO_OK;
}

// classical Runge-Kutta with many steps
static double reference(double q, double u, double end)
{
    int steps = 20000;
    double h = end / steps;
    for (int i = 0; i < steps; i++) {
        double k[4], l[4], t = i * h, x = q, v = u;
        for (int s = 0; s < 4; s++) {
            double c = s == 3 ? 1 : 0.5;
            pendulum(NULL, t + (s == 0 ? 0 : c * h), &x, &v, &l[s], NULL, NULL, NULL);
            k[s] = v;
            double next = s == 2 ? 1 : 0.5;
            x = q + next * h * k[s];
            v = u + next * h * l[s];
        }
        q += h * (k[0] + 2 * k[1] + 2 * k[2] + k[3]) / 6;
        u += h * (l[0] + 2 * l[1] + 2 * l[2] + l[3]) / 6;
    }
    return q;
}

static double smooth_order(mo_system_scheme scheme, double theta)
{
    double h[4], error[4], q = 0.5, u = 1, exact = reference(q, u, 3);
    for (int k = 0; k < 4; k++) {
        int steps = 40 << k;
        mo_system_def def = mo_default_system_def();
        h[k] = def.h = 3.0 / steps;
        def.n = 1;
        def.q = &q;
        def.u = &u;
        def.scheme = scheme;
        def.force = pendulum;
        def.theta = theta;
        mo_system *s = make_system(&def);
        for (int i = 0; i < steps; i++)
            good_step(s);
        error[k] = fabs(mo_system_q(s)[0] - exact);
        mo_system_destroy(s);
    }
    return fitted_order(4, h, error);
}

static void test_orders_of_a_smooth_motion(void **state)
{
    (void)state;
    pull = 0;
    assert_close(smooth_order(MO_SYSTEM_SCHEME_MOREAU, 0.5), 2, 0.1);
    assert_close(smooth_order(MO_SYSTEM_SCHEME_MOREAU_JEAN, 0.5), 2, 0.1);
    assert_close(smooth_order(MO_SYSTEM_SCHEME_MOREAU_JEAN, 1), 1, 0.15);
    assert_close(smooth_order(MO_SYSTEM_SCHEME_PAOLI_SCHATZMAN, 0.5), 2, 0.1);
    assert_close(smooth_order(MO_SYSTEM_SCHEME_MABROUK, 0.5), 1, 0.15);
    assert_close(smooth_order(MO_SYSTEM_SCHEME_BERNICOT_LEFEBVRE, 0.5), 1, 0.15);
    // forces that depend on the velocity: explicit in moreau, centred in paoli-schatzman and moreau-jean
    pull = 0.4;
    assert_close(smooth_order(MO_SYSTEM_SCHEME_MOREAU, 0.5), 1, 0.15);
    assert_close(smooth_order(MO_SYSTEM_SCHEME_MOREAU_JEAN, 0.5), 2, 0.1);
    assert_close(smooth_order(MO_SYSTEM_SCHEME_PAOLI_SCHATZMAN, 0.5), 2, 0.1);
    assert_close(smooth_order(MO_SYSTEM_SCHEME_COMPLIANT, 0.5), 4, 0.2);
}

// largest error at the end over starts that put the impact at different places within a step
static double impact_error(mo_system_scheme scheme, int steps)
{
    double worst = 0, e = 0.7, g = 2;
    for (int k = 0; k < 16; k++) {
        planes p = {.n = 1, .m = 1, .G = {1}, .force = {-g}};
        double q = 1 + 0.01 * k, u = 0.1, end = 1.6;
        double hit = (u + sqrt(u * u + 2 * g * q)) / g, speed = e * (g * hit - u), left = end - hit;
        mo_system_def def = planes_def(&p, &q, &u, end / steps, scheme);
        def.restitution = &e;
        mo_system *s = make_system(&def);
        for (int i = 0; i < steps; i++)
            good_step(s);
        worst = fmax(worst, fabs(mo_system_q(s)[0] - (speed * left - 0.5 * g * left * left)));
        mo_system_destroy(s);
    }
    return worst;
}

static void check_order(mo_system_scheme scheme, double (*run)(mo_system_scheme, int))
{
    double h[5], error[5];
    for (int k = 0; k < 5; k++) {
        h[k] = 1.0 / (50 << k);
        error[k] = run(scheme, 50 << k);
    }
    // exact: paoli-schatzman on a plane without restitution
    if (error[4] < 1e-13)
        return;
    assert_close(fitted_order(5, h, error), 1, 0.25);
    assert_true(error[4] < 0.01);
}

static void test_orders_through_one_impact(void **state)
{
    (void)state;
    for (int scheme = 0; scheme <= MO_SYSTEM_SCHEME_MABROUK; scheme++)
        check_order((mo_system_scheme)scheme, impact_error);
}

// a fall onto a slope of 45 degrees without restitution: what was along the slope stays, and slides on
static double landing_error(mo_system_scheme scheme, int steps)
{
    double worst = 0, g = 2, r = sqrt(0.5);
    for (int k = 0; k < 16; k++) {
        planes p = {.n = 2, .m = 1, .G = {r, r}, .force = {0, -g}};
        double height = 0.7 + 0.01 * k, q[2] = {0, height}, u[2] = {0, 0}, end = 1.6;
        double hit = sqrt(2 * height / g), left = end - hit, along = g * hit * r;
        double slid = along * left + 0.5 * g * r * left * left;
        mo_system_def def = planes_def(&p, q, u, end / steps, scheme);
        mo_system *s = make_system(&def);
        for (int i = 0; i < steps; i++)
            good_step(s);
        worst = fmax(worst, hypot(mo_system_q(s)[0] - slid * r, mo_system_q(s)[1] + slid * r));
        mo_system_destroy(s);
    }
    return worst;
}

static void test_orders_through_one_landing(void **state)
{
    (void)state;
    for (int scheme = 0; scheme <= MO_SYSTEM_SCHEME_BERNICOT_LEFEBVRE; scheme++)
        check_order((mo_system_scheme)scheme, landing_error);
}

// restitution of the compliant model: that of the spring without pulling, which the integration resolves.
// Free of gravity x'' + 2 zeta x' + x = 0, x(0) = 0, x'(0) = -1 until the force x + 2 zeta x' falls to zero.
static double compliant_restitution(double e)
{
    double zeta = -log(e) / sqrt(3.141592653589793 * 3.141592653589793 + log(e) * log(e));
    double w = sqrt(1 - zeta * zeta), release = atan2(2 * zeta * w, 2 * zeta * zeta - 1) / w;
    // v(t) = -exp(-zeta t) (cos w t - zeta / w sin w t)
    return -exp(-zeta * release) * (cos(w * release) - zeta / w * sin(w * release));
}

static void test_compliant_bounce(void **state)
{
    (void)state;
    for (int k = 1; k <= 9; k++) {
        planes p = {.n = 1, .m = 1, .G = {1}};
        double q = 0.0123, u = -1, e = k / 10.0, worst = 0;
        mo_system_def def = planes_def(&p, &q, &u, 1e-3, MO_SYSTEM_SCHEME_COMPLIANT);
        def.restitution = &e;
        def.stiffness_contact = 1e6;
        mo_system *s = make_system(&def);
        for (int i = 0; i < 40; i++) {
            good_step(s);
            worst = fmax(worst, fabs(mo_system_info_get(s)->energy.balance_error));
        }
        double got = mo_system_u(s)[0];
        assert_close(got, compliant_restitution(e), 0.01);
        assert_true(worst < 0.01);
        mo_system_destroy(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_orders_of_a_smooth_motion),
        cmocka_unit_test(test_orders_through_one_impact),
        cmocka_unit_test(test_orders_through_one_landing),
        cmocka_unit_test(test_compliant_bounce),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
