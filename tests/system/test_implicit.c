/* Stiffness, damping, forces that depend on the velocity, masses that depend on the position. */
#include "simple.h"

enum { N = 8 };

/* Chain of N unit springs, as a banded matrix. */
static void chain(double k, double *band)
{
    for (size_t i = 0; i < N; i++) {
        band[2 * i] = i > 0 ? -k : 0;
        band[2 * i + 1] = 2 * k;
    }
}

static double quadratic(const double *band, const double *x)
{
    double sum = 0;
    for (size_t i = 0; i < N; i++)
        sum += 0.5 * band[2 * i + 1] * x[i] * x[i] + (i > 0 ? band[2 * i] * x[i] * x[i - 1] : 0);
    return sum;
}

static mo_system *chain_system(const double *K, const double *C, double h, mo_system_scheme scheme)
{
    static planes none = {.n = N};
    double q[N], u[N];
    for (size_t i = 0; i < N; i++)
        q[i] = 0.1 * sin(1.0 + (double)i), u[i] = cos(2.0 * (double)i);
    mo_system_def def = planes_def(&none, q, u, h, scheme);
    def.force = NULL;
    def.stiffness = (mo_metric){.kind = MO_METRIC_BANDED, .width = 1, .entries = K};
    if (C != NULL)
        def.damping = (mo_metric){.kind = MO_METRIC_BANDED, .width = 1, .entries = C};
    return make_system(&def);
}

// theta = 1/2 conserves a quadratic energy for any step; energies come out of the library
static void test_theta_scheme_conserves(void **state)
{
    (void)state;
    double K[2 * N];
    chain(1e6, K);
    mo_system *s = chain_system(K, NULL, 0.1, MO_SYSTEM_SCHEME_MOREAU_JEAN);
    double start = mo_system_info_get(s)->energy.kinetic + mo_system_info_get(s)->energy.potential;
    for (int i = 0; i < 1000; i++)
        good_step(s);
    const mo_system_energy *e = &mo_system_info_get(s)->energy;
    assert_close(e->kinetic + e->potential, start, 1e-10 * start);
    assert_close(quadratic(K, mo_system_q(s)), e->potential, 1e-12 * start);
    mo_system_destroy(s);
}

// P01 3(c): Newmark's scheme keeps u.u/2 + a.K a/2, a the mean of two positions, for any step
static void test_newmark_form_conserves(void **state)
{
    (void)state;
    double K[2 * N], a[N], before[N], first = 0;
    chain(1e6, K);
    mo_system *s = chain_system(K, NULL, 0.1, MO_SYSTEM_SCHEME_PAOLI_SCHATZMAN);
    double start = mo_system_info_get(s)->energy.kinetic + mo_system_info_get(s)->energy.potential;
    for (int i = 0; i < 1000; i++) {
        memcpy(before, mo_system_q(s), sizeof before);
        good_step(s);
        for (size_t k = 0; k < N; k++)
            a[k] = 0.5 * (before[k] + mo_system_q(s)[k]);
        double now = mo_system_info_get(s)->energy.kinetic + quadratic(K, a);
        if (i == 0)
            first = now;
        assert_close(now, first, 1e-10 * first);
        assert_int_equal(mo_system_info_get(s)->linear_solves, 1);
    }
    // h is 200 times the shortest period: the first step must not kick
    assert_true(first < start);
    mo_system_destroy(s);
}

// implicit schemes lose energy to damping at any step, and the balance knows where it went
static void test_damping_only_takes(void **state)
{
    (void)state;
    double K[2 * N], C[2 * N];
    chain(100, K);
    chain(5, C);
    mo_system *s = chain_system(K, C, 0.05, MO_SYSTEM_SCHEME_MOREAU_JEAN);
    double last = mo_system_info_get(s)->energy.kinetic + mo_system_info_get(s)->energy.potential;
    for (int i = 0; i < 300; i++) {
        good_step(s);
        const mo_system_energy *e = &mo_system_info_get(s)->energy;
        assert_true(e->kinetic + e->potential <= last * (1 + 1e-13));
        assert_true(e->work <= 0);
        assert_close(e->balance_error, 0, 1e-11);
        last = e->kinetic + e->potential;
    }
    assert_true(last < 0.05);
    mo_system_destroy(s);
}

// one freedom against a wall with a spring: M + h theta C + h^2 theta^2 K by hand
static void test_theta_step_by_hand(void **state)
{
    (void)state;
    double k = 50, c = 3, m = 2, h = 0.1, theta = 0.7, q = 0.4, u = -1, f = 1.5;
    planes p = {.n = 1, .force = {1.5}};
    mo_system_def def = planes_def(&p, &q, &u, h, MO_SYSTEM_SCHEME_MOREAU_JEAN);
    def.mass = (mo_metric){.kind = MO_METRIC_DIAGONAL, .entries = &m};
    def.stiffness = (mo_metric){.kind = MO_METRIC_DIAGONAL, .entries = &k};
    def.damping = (mo_metric){.kind = MO_METRIC_DENSE, .entries = &c};
    def.theta = theta;
    mo_system *s = make_system(&def);
    good_step(s);
    double after =
        u + h * (f - c * u - k * (q + theta * h * u)) / (m + h * theta * c + h * h * theta * theta * k);
    assert_close(mo_system_u(s)[0], after, 1e-15);
    assert_close(mo_system_q(s)[0], q + h * (theta * after + (1 - theta) * u), 1e-15);
    mo_system_destroy(s);
}

// P01 Lemma 3.2: u_j0 = P((M^-1 X)_j0), the other rows of M u = X hold; at most two solves
static void test_pipe_step_is_lemma_3_2(void **state)
{
    (void)state;
    planes p = {.n = N, .m = 2, .offset = {0.05, 0.05}};
    double K[2 * N], q[N] = {0}, u[N] = {0}, h = 0.01, e[2] = {0.2, 0.2}, before[N], speed[N];
    size_t j0 = 5;
    p.G[j0] = 1;
    p.G[N + j0] = -1;
    p.force[N - 1] = 40;
    chain(200, K);
    mo_system_def def = planes_def(&p, q, u, h, MO_SYSTEM_SCHEME_PAOLI_SCHATZMAN);
    def.stiffness = (mo_metric){.kind = MO_METRIC_BANDED, .width = 1, .entries = K};
    def.restitution = e;
    mo_system *s = make_system(&def);
    int hits = 0;
    for (int i = 0; i < 400; i++) {
        memcpy(before, mo_system_q(s), sizeof before);
        memcpy(speed, mo_system_u(s), sizeof speed);
        good_step(s);
        const double *now = mo_system_u(s);
        assert_true(mo_system_info_get(s)->linear_solves <= 2);
        double wall = before[j0] + h * (now[j0] - e[0] * speed[j0]) / (1 + e[0]);
        if (i > 0)
            assert_true(fabs(wall) <= 0.05 + 1e-14);
        // rows of the inclusion: all but j0 balance, and row j0 does up to the reaction
        for (size_t k = 0; i > 0 && k < N; k++) {
            double left = now[k] - speed[k], mean[3] = {0};
            for (size_t d = 0; d < 3; d++)
                if (k + d >= 1 && k + d <= N)
                    mean[d] = before[k + d - 1] + 0.25 * h * (now[k + d - 1] - speed[k + d - 1]);
            double force = p.force[k] + 200 * (mean[0] - 2 * mean[1] + mean[2]);
            double push = k == j0 ? mo_system_lambda(s)[0] - mo_system_lambda(s)[1] : 0;
            assert_close(left, h * force + push, 1e-12);
        }
        hits += mo_system_info_get(s)->active > 0;
    }
    assert_true(hits > 20);
    mo_system_destroy(s);
}

/* The same symmetric matrix of bandwidth 1 in blocks of 2 in every kind that can hold it. */
static mo_metric in_kind(int kind, const double *full, double *entries)
{
    memset(entries, 0, N * N * sizeof *entries);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j <= i; j++) {
            double x = full[i * N + j];
            if (kind == MO_METRIC_DENSE)
                entries[i * N + j] = x;
            else if (kind == MO_METRIC_BANDED && i - j <= 3)
                entries[i * 4 + 3 - (i - j)] = x;
            else if (kind == MO_METRIC_BLOCKS && i / 2 == j / 2)
                entries[i * 2 + j % 2] = x;
        }
    size_t width = kind == MO_METRIC_BANDED ? 3 : kind == MO_METRIC_BLOCKS ? 2 : 0;
    return (mo_metric){.kind = (mo_metric_kind)kind, .width = width, .entries = entries};
}

static void random_blocks(rng *r, double diagonal, double *full)
{
    memset(full, 0, N * N * sizeof *full);
    for (size_t i = 0; i < N; i++) {
        full[i * N + i] = diagonal * uniform(r, 1, 2);
        if (i % 2 == 1)
            full[i * N + i - 1] = full[(i - 1) * N + i] = diagonal * uniform(r, -0.5, 0.5);
    }
}

// how M, K and C are stored does not matter
static void test_kinds_of_matrices_agree(void **state)
{
    (void)state;
    rng r = rng_seed(91, 1);
    const int kinds[3] = {MO_METRIC_DENSE, MO_METRIC_BANDED, MO_METRIC_BLOCKS};
    double full[3][N * N], entries[3][N * N], q[N], u[N], e[2] = {0.5, 0.5};
    planes p = {.n = N, .m = 2, .offset = {0.1, 0.2}};
    random_blocks(&r, 1, full[0]);
    random_blocks(&r, 300, full[1]);
    random_blocks(&r, 2, full[2]);
    for (size_t i = 0; i < N; i++)
        q[i] = 0, u[i] = uniform(&r, -1, 1), p.G[i] = uniform(&r, -1, 1), p.G[N + i] = uniform(&r, -1, 1);
    for (int scheme = 0; scheme <= MO_SYSTEM_SCHEME_ALPHA; scheme++) {
        double expected[N] = {0};
        for (int choice = 0; choice < 27; choice++) {
            mo_system_def def = planes_def(&p, q, u, 0.002, (mo_system_scheme)scheme);
            def.mass = in_kind(kinds[choice % 3], full[0], entries[0]);
            def.stiffness = in_kind(kinds[choice / 3 % 3], full[1], entries[1]);
            def.damping = in_kind(kinds[choice / 9], full[2], entries[2]);
            def.restitution = e;
            mo_system *s = make_system(&def);
            for (int i = 0; i < 150; i++)
                good_step(s);
            for (size_t i = 0; i < N; i++) {
                expected[i] = choice == 0 ? mo_system_q(s)[i] : expected[i];
                assert_close(mo_system_q(s)[i], expected[i], 1e-11);
            }
            assert_true(mo_system_info_get(s)->impacts > 0 || scheme == MO_SYSTEM_SCHEME_COMPLIANT);
            mo_system_destroy(s);
        }
    }
}

typedef struct drag {
    double k;
    bool tells;
} drag;

// F = -k |u|^2 u - 2 on two freedoms, with or without its derivatives
static mo_status cubic_drag(void *data, double t, const double *q, const double *u, double *F, double *Fq,
                            double *Fu, mo_error *err)
{
    const drag *d = data;
    double square = u[0] * u[0] + u[1] * u[1];
    (void)t, (void)q, (void)err;
    F[0] = -d->k * square * u[0];
    F[1] = -d->k * square * u[1] - 2;
    if (Fu == NULL || !d->tells)
        return MO_OK;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            Fq[2 * i + j] = 0;
            Fu[2 * i + j] = -d->k * (2 * u[i] * u[j] + (i == j ? square : 0));
        }
    return MO_OK;
}

static mo_status ground(void *data, double t, const double *q, double *g, double *gx, double *gt,
                        mo_error *err)
{
    (void)data, (void)t, (void)err;
    g[0] = q[1];
    if (gx != NULL)
        gx[0] = 0, gx[1] = 1;
    if (gt != NULL)
        gt[0] = 0;
    return MO_OK;
}

// strong drag over a large step is solved by Newton's method; the residual is recomputed at every step
static void test_implicit_drag_is_solved(void **state)
{
    (void)state;
    const mo_system_scheme schemes[] = {MO_SYSTEM_SCHEME_MABROUK, MO_SYSTEM_SCHEME_MOREAU_JEAN,
                                        MO_SYSTEM_SCHEME_PAOLI_SCHATZMAN};
    for (size_t k = 0; k < 3; k++)
        for (int tells = 0; tells < 2; tells++)
            for (int strength = 0; strength < 4; strength++) {
                drag d = {pow(10, strength - 1), tells == 1};
                double q[2] = {0, 0.3}, u[2] = {1, -1}, e = 0.5;
                mo_system_def def = mo_default_system_def();
                def.n = 2;
                def.gaps = 1;
                def.q = q;
                def.u = u;
                def.h = 0.01;
                def.scheme = schemes[k];
                def.force = cubic_drag;
                def.gap = ground;
                def.linear = true;
                def.restitution = &e;
                def.theta = 1;
                def.data = &d;
                // the very first step of paoli-schatzman is explicit: it needs k |u|^2 h < 1
                if (schemes[k] == MO_SYSTEM_SCHEME_PAOLI_SCHATZMAN && strength > 1)
                    continue;
                mo_system *s = make_system(&def);
                for (int i = 0; i < 200; i++)
                    good_step(s);
                assert_true(mo_system_info_get(s)->worst_residual < 1e-12);
                mo_system_destroy(s);
            }
}

// a bead of mass 1 on the parabola y = x^2 / 2 in the coordinate x: M = 1 + x^2, F = -x x' ^2 - g x
static mo_status bead_mass(void *data, double t, const double *q, double *M, mo_error *err)
{
    (void)data, (void)t, (void)err;
    M[0] = 1 + q[0] * q[0];
    return MO_OK;
}

static mo_status bead_force(void *data, double t, const double *q, const double *u, double *F, double *Fq,
                            double *Fu, mo_error *err)
{
    (void)data, (void)t, (void)Fq, (void)Fu, (void)err;
    F[0] = -q[0] * u[0] * u[0] - 9.81 * q[0];
    return MO_OK;
}

static mo_status bead_height(void *data, double t, const double *q, double *V, mo_error *err)
{
    (void)data, (void)t, (void)err;
    *V = 9.81 * 0.5 * q[0] * q[0];
    return MO_OK;
}

static double bead_drift(mo_system_scheme scheme, int steps)
{
    double q = 1, u = 0, worst = 0;
    mo_system_def def = mo_default_system_def();
    def.n = 1;
    def.q = &q;
    def.u = &u;
    def.h = 4.0 / steps;
    def.scheme = scheme;
    def.mass_function = bead_mass;
    def.force = bead_force;
    def.potential = bead_height;
    mo_system *s = make_system(&def);
    for (int i = 0; i < steps; i++) {
        good_step(s);
        const mo_system_energy *e = &mo_system_info_get(s)->energy;
        worst = fmax(worst, fabs(e->kinetic + e->potential - 0.5 * 9.81));
    }
    mo_system_destroy(s);
    return worst;
}

static void test_varying_mass(void **state)
{
    (void)state;
    for (int scheme = 0; scheme <= MO_SYSTEM_SCHEME_ALPHA; scheme++) {
        double coarse = bead_drift((mo_system_scheme)scheme, 2000),
               fine = bead_drift((mo_system_scheme)scheme, 4000);
        assert_true(coarse < 0.2);
        // at least of first order
        assert_true(fine < 0.6 * coarse || fine < 1e-9);
    }
}

// the same bead without weight: (1 + x^2) x'^2 is kept, since the work of its force and that of its mass
// cancel
static mo_status light_bead_force(void *data, double t, const double *q, const double *u, double *F,
                                  double *Fq, double *Fu, mo_error *err)
{
    (void)data, (void)t, (void)Fq, (void)Fu, (void)err;
    F[0] = -q[0] * u[0] * u[0];
    return MO_OK;
}

// x <= 1/2
static mo_status bead_wall(void *data, double t, const double *q, double *g, double *gx, double *gt,
                           mo_error *err)
{
    (void)data, (void)t, (void)err;
    g[0] = 0.5 - q[0];
    if (gx != NULL)
        gx[0] = -1;
    if (gt != NULL)
        gt[0] = 0;
    return MO_OK;
}

static mo_system_energy light_bead(mo_system_scheme scheme, int steps, bool wall)
{
    double q = -1, u = 1, e = 0.7;
    mo_system_def def = mo_default_system_def();
    def.n = 1, def.q = &q, def.u = &u, def.h = 2.0 / steps, def.scheme = scheme;
    def.mass_function = bead_mass, def.force = light_bead_force;
    if (wall)
        def.gaps = 1, def.gap = bead_wall, def.linear = true, def.restitution = &e;
    mo_system *s = make_system(&def);
    for (int i = 0; i < steps; i++)
        good_step(s);
    mo_system_energy energy = mo_system_info_get(s)->energy;
    mo_system_destroy(s);
    return energy;
}

// fitted orders of the work, which is 0, and of what does not add up
static void light_bead_orders(mo_system_scheme scheme, double *work, double *balance)
{
    double h[4], w[4], b[4];
    for (int k = 0; k < 4; k++) {
        mo_system_energy energy = light_bead(scheme, 50 << k, false);
        h[k] = 2.0 / (50 << k);
        w[k] = fabs(energy.work);
        b[k] = fabs(energy.balance_error);
    }
    *work = fitted_order(4, h, w);
    *balance = fitted_order(4, h, b);
}

// the scheme's own forces and mass do the work: it tends to 0 with the order of the energy (the velocity of
// paoli-schatzman lags by half a step), and all of it is accounted for
static void test_work_of_a_varying_mass(void **state)
{
    (void)state;
    static const struct {
        mo_system_scheme scheme;
        double order;
    } exact[] = {{MO_SYSTEM_SCHEME_MOREAU, 1},
                 {MO_SYSTEM_SCHEME_MOREAU_JEAN, 2},
                 {MO_SYSTEM_SCHEME_PAOLI_SCHATZMAN, 1},
                 {MO_SYSTEM_SCHEME_MABROUK, 1},
                 {MO_SYSTEM_SCHEME_BERNICOT_LEFEBVRE, 1}};
    double work, balance;
    for (size_t i = 0; i < sizeof exact / sizeof *exact; i++) {
        light_bead_orders(exact[i].scheme, &work, &balance);
        assert_close(work, exact[i].order, 0.1);
        // sums over 400 steps of numbers of about 1, with and without a wall
        for (int wall = 0; wall < 2; wall++)
            assert_close(light_bead(exact[i].scheme, 400, wall).balance_error, 0, 400 * 0x1p-52);
    }
    light_bead_orders(MO_SYSTEM_SCHEME_ALPHA, &work, &balance);
    assert_close(work, 2, 0.1);
    assert_close(balance, 2, 0.1);
    // compliant is of fourth order, h^4 = 1.6e-7 with 100 steps, and far below that here
    assert_close(light_bead(MO_SYSTEM_SCHEME_COMPLIANT, 100, false).balance_error, 0, 1e-8);
    // at the wall u = 1.26: the mean velocity of alpha misses up to h q u^3 = h of the work of the force in
    // the step of the impact, and half as much of that of the mass
    for (int steps = 100; steps <= 800; steps *= 2)
        assert_close(light_bead(MO_SYSTEM_SCHEME_ALPHA, steps, true).balance_error, 0, 2 * 2.0 / steps);
}

// work of what has no potential: a force 3 along a path, with gravity in the potential
static mo_status pushed(void *data, double t, const double *q, const double *u, double *F, double *Fq,
                        double *Fu, mo_error *err)
{
    (void)data, (void)t, (void)q, (void)u, (void)Fq, (void)Fu, (void)err;
    F[0] = 3 - 9.81;
    return MO_OK;
}

static mo_status weight(void *data, double t, const double *q, double *V, mo_error *err)
{
    (void)data, (void)t, (void)err;
    *V = 9.81 * q[0];
    return MO_OK;
}

static void test_work_is_what_has_no_potential(void **state)
{
    (void)state;
    double q = 2, u = 1;
    mo_system_def def = mo_default_system_def();
    def.n = 1;
    def.q = &q;
    def.u = &u;
    def.h = 0.01;
    def.force = pushed;
    def.potential = weight;
    mo_system *s = make_system(&def);
    for (int i = 0; i < 100; i++) {
        good_step(s);
        const mo_system_energy *e = &mo_system_info_get(s)->energy;
        assert_close(e->work, 3 * (mo_system_q(s)[0] - 2), 1e-11);
        assert_close(e->balance_error, 0, 1e-11);
    }
    mo_system_destroy(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_theta_scheme_conserves),  cmocka_unit_test(test_newmark_form_conserves),
        cmocka_unit_test(test_damping_only_takes),      cmocka_unit_test(test_theta_step_by_hand),
        cmocka_unit_test(test_pipe_step_is_lemma_3_2),  cmocka_unit_test(test_kinds_of_matrices_agree),
        cmocka_unit_test(test_implicit_drag_is_solved), cmocka_unit_test(test_varying_mass),
        cmocka_unit_test(test_work_of_a_varying_mass),  cmocka_unit_test(test_work_is_what_has_no_potential),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
