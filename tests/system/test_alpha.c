/*
 * Nonsmooth generalised-alpha: order 2, its spectral radius at infinity, dissipation, and constraints on
 * positions and velocities at the end of every step.
 */
#include "system/simple.h"

static mo_status pendulum_force(void *data, double t, const double *q, const double *u, double *F, double *Fq,
                                double *Fu, mo_error *err)
{
    const double *drag = data;
    (void)t, (void)err;
    F[0] = -sin(q[0]) - *drag * u[0];
    if (Fq != NULL)
        Fq[0] = -cos(q[0]), Fu[0] = -*drag;
    return MO_OK;
}

static mo_status pendulum_potential(void *data, double t, const double *q, double *V, mo_error *err)
{
    (void)data, (void)t, (void)err;
    *V = 1 - cos(q[0]);
    return MO_OK;
}

static mo_system_def alpha_def(double *q, double *u, double h, double rho)
{
    mo_system_def def = mo_default_system_def();
    def.n = 1, def.q = q, def.u = u, def.h = h, def.rho_infinity = rho;
    def.scheme = MO_SYSTEM_SCHEME_ALPHA;
    return def;
}

// q and u of the pendulum at t = 2 by the classical method of Runge and Kutta with small steps
static void pendulum_at_two(double drag, double *q, double *u)
{
    int count = 20000;
    double h = 2.0 / count;
    for (int i = 0; i < count; i++) {
        double k[4], l[4], x = *q, v = *u;
        for (int s = 0; s < 4; s++) {
            k[s] = v;
            l[s] = -sin(x) - drag * v;
            double c = s == 2 ? h : 0.5 * h;
            x = *q + c * k[s];
            v = *u + c * l[s];
        }
        *q += h * (k[0] + 2 * k[1] + 2 * k[2] + k[3]) / 6;
        *u += h * (l[0] + 2 * l[1] + 2 * l[2] + l[3]) / 6;
    }
}

static void smooth_motion_is_of_order_two(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        double rho = 0.5 * i, drag = 0.3, exact_q = 1, exact_u = 0.5, h[4], error_q[4], error_u[4];
        pendulum_at_two(drag, &exact_q, &exact_u);
        for (int k = 0; k < 4; k++) {
            double q = 1, u = 0.5;
            h[k] = 0.05 / (1 << k);
            mo_system_def def = alpha_def(&q, &u, h[k], rho);
            def.force = pendulum_force;
            def.data = &drag;
            mo_system *s = make_system(&def);
            while (mo_system_info_get(s)->time < 2 - 1e-9)
                good_step(s);
            error_q[k] = fabs(mo_system_q(s)[0] - exact_q);
            error_u[k] = fabs(mo_system_u(s)[0] - exact_u);
            mo_system_destroy(s);
        }
        assert_close(fitted_order(4, h, error_q), 2, 0.15);
        assert_close(fitted_order(4, h, error_u), 2, 0.15);
    }
}

// two equal roots -rho at infinity: q_n grows like n rho^n
static void spectral_radius_at_infinity_is_as_asked_for(void **state)
{
    (void)state;
    for (int i = 1; i <= 9; i++) {
        double rho = 0.1 * i, q = 1, u = 0, K = 1e12, at[2] = {0, 0};
        mo_system_def def = alpha_def(&q, &u, 1, rho);
        def.stiffness = (mo_metric){.kind = MO_METRIC_DIAGONAL, .entries = &K};
        mo_system *s = make_system(&def);
        int count = 80;
        for (int k = 1; k <= 2 * count; k++) {
            take_step(s);
            if (k % count == 0)
                at[k / count - 1] = fabs(mo_system_q(s)[0]);
        }
        assert_close(pow(0.5 * at[1] / at[0], 1.0 / count), rho, 0.02 * rho);
        mo_system_destroy(s);
    }
}

static double oscillator_energy(double rho, double omega_h, int steps)
{
    double q = 1, u = 0, K = 1;
    mo_system_def def = alpha_def(&q, &u, omega_h, rho);
    def.stiffness = (mo_metric){.kind = MO_METRIC_DIAGONAL, .entries = &K};
    mo_system *s = make_system(&def);
    double most = 0.5, last = 0;
    for (int k = 0; k < steps; k++) {
        good_step(s);
        const mo_system_energy *e = &mo_system_info_get(s)->energy;
        last = e->kinetic + e->potential;
        assert_true(last <= most * (1 + 0.5 * omega_h * omega_h));
    }
    mo_system_destroy(s);
    return last;
}

static void energy_decays_unless_rho_is_one(void **state)
{
    (void)state;
    double before = 0.5;
    // rho = 1: the energy of the trapezoidal rule is kept
    assert_close(oscillator_energy(1, 0.5, 2000), 0.5, 1e-10);
    for (int i = 4; i >= 0; i--) {
        double left = oscillator_energy(0.2 * i, 0.5, 400);
        assert_true(left < before);
        before = left;
    }
    // the rate of the decay is of third order in h
    double coarse = log(0.5 / oscillator_energy(0.5, 0.2, 2000)),
           fine = log(0.5 / oscillator_energy(0.5, 0.1, 4000));
    assert_close(coarse / fine, 8, 0.5);
}

/* Inside of a circle, above a floor that moves, outside of a small disc. */
static mo_status yard_gap(void *data, double t, const double *q, double *g, double *gx, double *gt,
                          mo_error *err)
{
    double r = hypot(q[0], q[1]);
    (void)data, (void)err;
    g[0] = 1 - r;
    g[1] = q[1] + 0.9 - 0.05 * sin(3 * t);
    g[2] = hypot(q[0] - 0.3, q[1]) - 0.2;
    if (gx != NULL) {
        gx[0] = -q[0] / r, gx[1] = -q[1] / r;
        gx[2] = 0, gx[3] = 1;
        gx[4] = (q[0] - 0.3) / (g[2] + 0.2), gx[5] = q[1] / (g[2] + 0.2);
    }
    if (gt != NULL)
        gt[0] = gt[2] = 0, gt[1] = -0.15 * cos(3 * t);
    return MO_OK;
}

static mo_status fall(void *data, double t, const double *q, const double *u, double *F, double *Fq,
                      double *Fu, mo_error *err)
{
    (void)data, (void)t, (void)q, (void)u, (void)Fq, (void)Fu, (void)err;
    F[0] = 0.2, F[1] = -2;
    return MO_OK;
}

static void constraints_hold_on_both_levels(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        double q[2] = {-0.1, 0.5}, u[2] = {1.5, 0}, e[3] = {0.4, 0.4, 0.4}, g[3], G[6], gt[3];
        mo_system_def def = alpha_def(q, u, 0.01, 0.5 * i);
        def.n = 2, def.gaps = 3, def.gap = yard_gap, def.force = fall, def.restitution = e;
        mo_system *s = make_system(&def);
        int closed = 0;
        for (int k = 0; k < 800; k++) {
            good_step(s);
            const double *x = mo_system_q(s), *v = mo_system_u(s);
            yard_gap(NULL, mo_system_info_get(s)->time, x, g, G, gt, NULL);
            for (int a = 0; a < 3; a++) {
                assert_true(g[a] >= -1e-12);
                assert_true(mo_system_lambda(s)[a] >= 0);
                if (g[a] > 1e-12) {
                    assert_true(mo_system_lambda(s)[a] == 0);
                    continue;
                }
                closed++;
                assert_true(G[2 * a] * v[0] + G[2 * a + 1] * v[1] + gt[a] >= -1e-12);
            }
        }
        assert_true(closed > 200);
        assert_true(mo_system_info_get(s)->impacts > 2);
        mo_system_destroy(s);
    }
}

// each bounce has e times the speed before, to the first order in h; at the end it rests
static void a_ball_bounces_and_comes_to_rest(void **state)
{
    (void)state;
    planes p = {.n = 1, .m = 1, .G = {1}, .force = {-10}};
    double h[4], error[4];
    for (int k = 0; k < 4; k++) {
        double q = 1, u = 0, e = 0.5, fastest = 0;
        h[k] = 0.01 / (1 << (2 * k));
        mo_system_def def = planes_def(&p, &q, &u, h[k], MO_SYSTEM_SCHEME_ALPHA);
        def.restitution = &e;
        mo_system *s = make_system(&def);
        while (mo_system_info_get(s)->impacts < 1) {
            good_step(s);
            assert_true(mo_system_q(s)[0] >= 0);
            fastest = fmax(fastest, mo_system_u(s)[0]);
        }
        error[k] = fabs(mo_system_u(s)[0] - 0.5 * sqrt(20));
        assert_true(error[k] <= 10 * h[k]);
        while (mo_system_info_get(s)->time < 2)
            good_step(s);
        assert_close(mo_system_q(s)[0], 0, 1e-13);
        assert_close(mo_system_u(s)[0], 0, 1e-13);
        assert_close(mo_system_lambda(s)[0], 10 * h[k], 1e-11 * h[k]);
        // the balance misses what the shifts at the impacts are worth
        const mo_system_energy *energy = &mo_system_info_get(s)->energy;
        assert_close(energy->kinetic, 0, 1e-13);
        mo_system_destroy(s);
    }
}

// balance of the energies: of second order for a smooth motion with rho = 1
static void energies_balance(void **state)
{
    (void)state;
    double h[4], error[4], drag = 0.3;
    for (int k = 0; k < 4; k++) {
        double q = 1, u = 0.5;
        h[k] = 0.1 / (1 << k);
        mo_system_def def = alpha_def(&q, &u, h[k], 1);
        def.force = pendulum_force;
        def.potential = pendulum_potential;
        def.data = &drag;
        mo_system *s = make_system(&def);
        while (mo_system_info_get(s)->time < 4 - 1e-9)
            good_step(s);
        const mo_system_energy *e = &mo_system_info_get(s)->energy;
        assert_true(e->work < -0.1);
        error[k] = fabs(e->balance_error);
        mo_system_destroy(s);
    }
    assert_close(fitted_order(4, h, error), 2, 0.3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(smooth_motion_is_of_order_two),
        cmocka_unit_test(spectral_radius_at_infinity_is_as_asked_for),
        cmocka_unit_test(energy_decays_unless_rho_is_one),
        cmocka_unit_test(constraints_hold_on_both_levels),
        cmocka_unit_test(a_ball_bounces_and_comes_to_rest),
        cmocka_unit_test(energies_balance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
