/* The law of impact P01 (5.3), per-gap restitution, start velocities, friction. */
#include "simple.h"
#include "system/pivoting.h"

// gaps through the start with random normals, all closed
static planes random_corner(rng *r, size_t n, size_t m)
{
    planes p = {.n = n, .m = m};
    for (size_t i = 0; i < m * n; i++)
        p.G[i] = uniform(r, -1, 1);
    return p;
}

typedef struct impact {
    size_t n, m;
    double M[MOST_N * MOST_N], u[MOST_N], after[MOST_N], e[MOST_M], lambda[MOST_M];
    planes p;
} impact;

// one random impact at a corner, by the start of a system
static impact strike(rng *r, bool one_e)
{
    impact c = {.n = 1 + rng_next(r) % 6, .m = 1 + rng_next(r) % 8};
    // unequal restitutions can contradict each other at dependent gaps
    c.m = one_e || c.m <= c.n ? c.m : c.n;
    double q[MOST_N] = {0}, e = uniform(r, 0, 1);
    c.p = random_corner(r, c.n, c.m);
    random_mass(r, c.n, c.M);
    for (size_t i = 0; i < c.n; i++)
        c.u[i] = uniform(r, -1, 1);
    for (size_t a = 0; a < c.m; a++)
        c.e[a] = one_e ? e : uniform(r, 0, 1);
    mo_system_def def = planes_def(&c.p, q, c.u, 1e-3, MO_SYSTEM_SCHEME_MOREAU);
    def.mass = (mo_metric){.kind = MO_METRIC_DENSE, .entries = c.M};
    def.restitution = c.e;
    mo_system *s = make_system(&def);
    memcpy(c.after, mo_system_u(s), c.n * sizeof *c.after);
    mo_system_destroy(s);
    return c;
}

// u+ = u- - (1 + e) Proj(N, u-): with P = Proj(T, u-) by the convex kernel, u+ = P - e (u- - P)
static void test_one_restitution_is_law_5_3(void **state)
{
    (void)state;
    rng r = rng_seed(53, 1);
    for (int trial = 0; trial < 300; trial++) {
        impact c = strike(&r, true);
        double P[MOST_N];
        mo_error err;
        mo_polyhedron cone = {.n = c.n, .rows = c.m, .A = c.p.G};
        mo_metric metric = {.kind = MO_METRIC_DENSE, .entries = c.M};
        assert_int_equal(mo_polyhedron_project(&cone, &metric, c.u, P, NULL, NULL, &err), MO_OK);
        for (size_t i = 0; i < c.n; i++)
            assert_close(c.after[i], P[i] - c.e[0] * (c.u[i] - P[i]), 1e-11);
        assert_true(energy_of(c.n, c.M, c.after) <= energy_of(c.n, c.M, c.u) * (1 + 1e-12));
    }
}

// with unequal restitutions G u+ >= -e G u- still holds, and energy may grow (Kane): it is then reported
static void test_unequal_restitution_can_gain_and_says_so(void **state)
{
    (void)state;
    rng r = rng_seed(54, 1);
    int gains = 0;
    for (int trial = 0; trial < 300; trial++) {
        impact c = strike(&r, false);
        for (size_t a = 0; a < c.m; a++) {
            double before = 0, after = 0;
            for (size_t i = 0; i < c.n; i++) {
                before += c.p.G[a * c.n + i] * c.u[i];
                after += c.p.G[a * c.n + i] * c.after[i];
            }
            assert_true(after >= -c.e[a] * before - 1e-11);
        }
        double gain = energy_of(c.n, c.M, c.after) - energy_of(c.n, c.M, c.u), q[MOST_N] = {0};
        mo_system_def def = planes_def(&c.p, q, c.u, 1e-3, MO_SYSTEM_SCHEME_MOREAU);
        def.mass = (mo_metric){.kind = MO_METRIC_DENSE, .entries = c.M};
        def.restitution = c.e;
        mo_system *s = make_system(&def);
        assert_close(mo_system_info_get(s)->energy.loss, -gain, 1e-11);
        assert_close(mo_system_info_get(s)->largest_gain, fmax(gain, 0), 1e-11);
        gains += gain > 1e-6;
        mo_system_destroy(s);
    }
    assert_true(gains > 0);
}

// the step of `moreau` and `mabrouk` from a closed corner without force is the same law
static void test_steps_apply_the_law(void **state)
{
    (void)state;
    rng r = rng_seed(55, 1);
    const mo_system_scheme schemes[] = {MO_SYSTEM_SCHEME_MOREAU, MO_SYSTEM_SCHEME_MOREAU_JEAN,
                                        MO_SYSTEM_SCHEME_MABROUK};
    for (int trial = 0; trial < 60; trial++) {
        impact c = strike(&r, true);
        // start a little before the impact, so that all gaps close within the first step
        double q[MOST_N];
        for (size_t a = 0; a < c.m; a++) {
            double speed = 0;
            for (size_t i = 0; i < c.n; i++)
                speed += c.p.G[a * c.n + i] * c.u[i];
            c.p.offset[a] = speed < 0 ? 1e-9 : 10;
        }
        memset(q, 0, sizeof q);
        planes closing = c.p;
        // only gaps that approach take part; the law with those alone
        size_t kept = 0;
        for (size_t a = 0; a < c.m; a++)
            if (c.p.offset[a] < 1) {
                memmove(closing.G + kept * c.n, c.p.G + a * c.n, c.n * sizeof(double));
                closing.offset[kept++] = 1e-9;
            }
        closing.m = kept;
        if (kept == 0)
            continue;
        double P[MOST_N];
        mo_error err;
        mo_polyhedron cone = {.n = c.n, .rows = kept, .A = closing.G};
        mo_metric metric = {.kind = MO_METRIC_DENSE, .entries = c.M};
        mo_polyhedron_project(&cone, &metric, c.u, P, NULL, NULL, &err);
        for (size_t k = 0; k < 3; k++) {
            mo_system_def def = planes_def(&closing, q, c.u, 1, schemes[k]);
            def.mass = metric;
            def.restitution = c.e;
            mo_system *s = make_system(&def);
            good_step(s);
            for (size_t i = 0; i < c.n; i++)
                assert_close(mo_system_u(s)[i], P[i] - c.e[0] * (c.u[i] - P[i]), 1e-11);
            mo_system_destroy(s);
        }
    }
}

static void test_start_velocity_becomes_admissible(void **state)
{
    (void)state;
    planes p = {.n = 2, .m = 2, .G = {1, 0, 0, 1}, .offset = {0, 5}};
    double q[2] = {0, 0}, u[2] = {-2, -1}, e[2] = {0.5, 0.5};
    mo_system_def def = planes_def(&p, q, u, 0.01, MO_SYSTEM_SCHEME_MOREAU);
    def.restitution = e;
    mo_system *s = make_system(&def);
    assert_close(mo_system_u(s)[0], 1, 0);
    assert_close(mo_system_u(s)[1], -1, 0);
    mo_sweep_events events = mo_system_events_get(s);
    assert_int_equal(events.count, 1);
    assert_int_equal(events.items[0].type, MO_EVENT_IMPACT);
    assert_close(events.items[0].t, 0, 0);
    assert_close(events.items[0].size, 3, 1e-15);
    assert_int_equal(events.gaps[events.items[0].gap_first], 0);
    // also among the events of the first step, and of no other
    good_step(s);
    assert_int_equal(mo_system_events_get(s).count, 1);
    good_step(s);
    assert_int_equal(mo_system_events_get(s).count, 0);
    assert_close(mo_system_info_get(s)->energy.loss, 1.5, 1e-15);
    assert_close(mo_system_info_get(s)->energy.balance_error, 0, 1e-15);
    mo_system_destroy(s);
}

// neighbours 0.01 apart, walls at both ends
static mo_status row_gaps(void *data, double t, const double *q, double *g, double *gx, double *gt,
                          mo_error *err)
{
    enum { BLOCKS = 40 };
    (void)data, (void)t, (void)gt, (void)err;
    for (size_t a = 0; a <= BLOCKS; a++) {
        g[a] = (a < BLOCKS ? q[a] : 0) - (a > 0 ? q[a - 1] : 0) + 0.01;
        if (gx != NULL && a < BLOCKS)
            gx[a * BLOCKS + a] = 1;
        if (gx != NULL && a > 0)
            gx[a * BLOCKS + a - 1] = -1;
    }
    return MO_OK;
}

static mo_status turned_normals(void *data, double t, const double *q, double *T, mo_error *err)
{
    const planes *p = data;
    (void)t, (void)q, (void)err;
    for (size_t a = 0; a < p->m; a++)
        T[2 * a] = -p->G[2 * a + 1], T[2 * a + 1] = p->G[2 * a];
    return MO_OK;
}

static mo_status sliding(void *data, double t, const double *q, double *T, mo_error *err)
{
    (void)data, (void)t, (void)q, (void)err;
    T[0] = 1;
    T[1] = 0;
    return MO_OK;
}

// a block thrown along a rough floor: u(t) = u_0 - mu g t until it stops, for good
static void test_block_slides_and_stops(void **state)
{
    (void)state;
    for (int scheme = MO_SYSTEM_SCHEME_MOREAU; scheme <= MO_SYSTEM_SCHEME_MOREAU_JEAN; scheme++) {
        planes p = {.n = 2, .m = 1, .G = {0, 1}, .force = {0, -2 * 9.81}};
        double q[2] = {0, 0}, u[2] = {1, 0}, mu = 0.3, mass[2] = {2, 2}, h = 1e-3;
        mo_system_def def = planes_def(&p, q, u, h, (mo_system_scheme)scheme);
        def.mass = (mo_metric){.kind = MO_METRIC_DIAGONAL, .entries = mass};
        def.friction = &mu;
        def.tangent = sliding;
        mo_system *s = make_system(&def);
        for (int i = 1; i <= 500; i++) {
            good_step(s);
            assert_close(mo_system_u(s)[0], fmax(1 - mu * 9.81 * i * h, 0), 1e-12);
            assert_close(mo_system_u(s)[1], 0, 1e-15);
            assert_close(mo_system_lambda(s)[0], 2 * 9.81 * h, 1e-14);
        }
        // all of the kinetic energy went into friction
        assert_close(mo_system_info_get(s)->energy.loss, 1, 1e-12);
        assert_close(mo_system_info_get(s)->energy.balance_error, 0, 1e-12);
        mo_system_destroy(s);
    }
}

// a rod that touches with both ends: friction couples the two contacts; Coulomb's law holds at each
static void test_coupled_friction_is_certified(void **state)
{
    (void)state;
    rng r = rng_seed(56, 1);
    for (int trial = 0; trial < 100; trial++) {
        planes p = {.n = 2, .m = 3};
        double q[2] = {0, 0}, u[2], mu[3], M[MOST_N * MOST_N], e[3] = {uniform(&r, 0, 1)};
        for (size_t a = 0; a < 3; a++) {
            double angle = uniform(&r, 0.2, 2.9);
            p.G[2 * a] = cos(angle), p.G[2 * a + 1] = sin(angle);
            mu[a] = uniform(&r, 0, 0.4);
            e[a] = e[0];
        }
        u[0] = uniform(&r, -0.2, 0.2), u[1] = uniform(&r, 0.1, 1);
        p.force[0] = uniform(&r, -20, 20), p.force[1] = -300;
        random_mass(&r, 2, M);
        mo_system_def def = planes_def(&p, q, u, 0.01, MO_SYSTEM_SCHEME_MOREAU);
        mo_metric metric = {.kind = MO_METRIC_DENSE, .entries = M};
        def.mass = metric;
        def.friction = mu;
        def.restitution = e;
        def.tangent = turned_normals;
        mo_system *s = make_system(&def);
        for (int i = 0; i < 20; i++)
            good_step(s);
        mo_system_destroy(s);
    }
}

// sliding velocities of the two ends of a rod of half-length 1, tilted by 0.002
static mo_status rod_slip(void *data, double t, const double *q, double *T, mo_error *err)
{
    (void)data, (void)t, (void)q, (void)err;
    for (size_t a = 0; a < 2; a++)
        T[3 * a] = 1, T[3 * a + 1] = 0, T[3 * a + 2] = a == 0 ? sin(0.002) : -sin(0.002);
    return MO_OK;
}

// a rod at rest on both ends: nothing moves along the floor but rounding, which is no missed tolerance
static void test_rod_that_rests_is_certified(void **state)
{
    (void)state;
    double c = cos(0.002), h = 1e-3, mass[3] = {1, 1, 1.0 / 3}, mu[2] = {0.5, 0.5};
    planes p = {.n = 3, .m = 2, .G = {0, 1, -c, 0, 1, c}, .force = {0, -9.81, 0}};
    for (int k = 0; k < 20; k++) {
        double q[3] = {0, 0, 0}, u[3] = {-0.6 + 0.06 * k, -2, -2};
        mo_system_def def = planes_def(&p, q, u, h, MO_SYSTEM_SCHEME_MOREAU);
        def.mass = (mo_metric){.kind = MO_METRIC_DIAGONAL, .entries = mass};
        def.friction = mu;
        def.tangent = rod_slip;
        mo_system *s = make_system(&def);
        for (int i = 0; i < 1000; i++)
            good_step(s);
        const double *lambda = mo_system_lambda(s), *v = mo_system_u(s);
        assert_close(lambda[0] + lambda[1], 9.81 * h, 1e-15);
        assert_close(fabs(v[0]) + fabs(v[1]) + fabs(v[2]), 0, 1e-15);
        mo_system_destroy(s);
    }
}

// normal along y, sliding velocity x' - R spin of a ball of radius R
static mo_status ball_slip(void *data, double t, const double *q, double *T, mo_error *err)
{
    (void)data, (void)t, (void)q, (void)err;
    T[1] = 1;
    T[2] = -0.5;
    return MO_OK;
}

// rho = tau = 1 and friction enough to hold: normal and sliding velocity are reversed, nothing is lost
static void test_superball(void **state)
{
    (void)state;
    planes p = {.n = 3, .m = 1, .G = {1, 0, 0}};
    double q[3] = {0, 0, 0}, u[3] = {-2, 1, 3}, e = 1, mu = 5, mass[3] = {2, 2, 0.2};
    q[0] = 1e-3;
    mo_system_def def = planes_def(&p, q, u, 0.01, MO_SYSTEM_SCHEME_MOREAU);
    def.mass = (mo_metric){.kind = MO_METRIC_DIAGONAL, .entries = mass};
    def.restitution = def.tangential_restitution = &e;
    def.friction = &mu;
    def.tangent = ball_slip;
    mo_system *s = make_system(&def);
    good_step(s);
    const double *v = mo_system_u(s);
    assert_close(v[0], 2, 1e-14);
    assert_close(v[1] - 0.5 * v[2], -(u[1] - 0.5 * u[2]), 1e-14);
    assert_close(mo_system_info_get(s)->energy.kinetic, 0.5 * (2 * 4 + 2 * 1 + 0.2 * 9), 1e-13);
    assert_close(mo_system_info_get(s)->energy.step_loss, 0, 1e-14);
    mo_system_destroy(s);
}

// thrown against a rough floor it stands on: at t = 0 friction takes mu (1 + e) |u_N|, or all that slides
static void test_start_has_friction(void **state)
{
    (void)state;
    static const struct {
        double slip, e, tau, after;
    } cases[] = {{2, 0, 0, 1.7}, {-2, 0.5, 0, -1.55}, {0.2, 0, 0, 0}, {0.2, 0.5, 1, -0.2}};
    const double mu = 0.3;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int scheme = MO_SYSTEM_SCHEME_MOREAU; scheme <= MO_SYSTEM_SCHEME_MOREAU_JEAN; scheme++) {
            planes p = {.n = 2, .m = 1, .G = {0, 1}};
            double q[2] = {0, 0}, u[2] = {cases[k].slip, -1}, mass[2] = {3, 3};
            mo_system_def def = planes_def(&p, q, u, 1e-3, (mo_system_scheme)scheme);
            def.mass = (mo_metric){.kind = MO_METRIC_DIAGONAL, .entries = mass};
            def.restitution = &cases[k].e;
            def.tangential_restitution = &cases[k].tau;
            def.friction = &mu;
            def.tangent = sliding;
            mo_system *s = make_system(&def);
            assert_close(mo_system_u(s)[0], cases[k].after, 1e-15);
            assert_close(mo_system_u(s)[1], cases[k].e, 1e-15);
            const double before = 1.5 * (cases[k].slip * cases[k].slip + 1),
                         after = 1.5 * (cases[k].after * cases[k].after + cases[k].e * cases[k].e);
            good_step(s);
            assert_close(mo_system_info_get(s)->energy.loss, before - after, 1e-14);
            assert_close(mo_system_info_get(s)->energy.balance_error, 0, 1e-14);
            mo_system_destroy(s);
        }
}

// a ball thrown without spin against a rough wall rolls off it: friction turns it, and both of its rows count
static void test_start_with_friction_turns(void **state)
{
    (void)state;
    planes p = {.n = 3, .m = 1, .G = {1, 0, 0}};
    double q[3] = {0, 0, 0}, u[3] = {-2, 1, 0}, mu = 5, mass[3] = {2, 2, 0.2};
    mo_system_def def = planes_def(&p, q, u, 0.01, MO_SYSTEM_SCHEME_MOREAU);
    def.mass = (mo_metric){.kind = MO_METRIC_DIAGONAL, .entries = mass};
    def.friction = &mu;
    def.tangent = ball_slip;
    mo_system *s = make_system(&def);
    // S = -m_T u_T with 1/m_T = 1/2 + 0.5²/0.2
    const double S = -1 / (1 / 2.0 + 0.25 / 0.2);
    assert_close(mo_system_u(s)[0], 0, 1e-15);
    assert_close(mo_system_u(s)[1], 1 + S / 2, 1e-15);
    assert_close(mo_system_u(s)[2], -0.5 * S / 0.2, 1e-14);
    mo_system_destroy(s);
}

static mo_status softer_with_time(void *data, double t, const double *q, double *e, mo_error *err)
{
    (void)data, (void)q, (void)err;
    e[0] = exp(-t);
    return MO_OK;
}

// e(t, q) as Ballard allows: each impact takes the value of its own time
static void test_restitution_that_depends_on_time(void **state)
{
    (void)state;
    planes p = {.n = 1, .m = 2, .G = {1, -1}, .offset = {0, 1}};
    double q = 0.5, u = -1, speed = 1;
    mo_system_def def = planes_def(&p, &q, &u, 1e-3, MO_SYSTEM_SCHEME_MABROUK);
    def.restitution_function = softer_with_time;
    mo_system *s = make_system(&def);
    for (int i = 0; i < 5000; i++) {
        double before = mo_system_u(s)[0];
        good_step(s);
        double after = mo_system_u(s)[0], t = mo_system_info_get(s)->time;
        if (before * after < 0)
            assert_close(fabs(after), before < 0 ? exp(-t) * speed : 0, 1e-12);
        speed = fabs(after);
    }
    // the first wall gives back exp(-0.5), the second nothing
    assert_close(speed, 0, 1e-12);
    assert_int_equal(mo_system_info_get(s)->impacts, 2);
    mo_system_destroy(s);
}

// problems made from their solution: M semidefinite, z and w complementary
static void test_pivoting_solves_made_problems(void **state)
{
    (void)state;
    rng r = rng_seed(57, 1);
    for (int trial = 0; trial < 300; trial++) {
        size_t size = 1 + rng_next(&r) % 12, rank = 1 + rng_next(&r) % size, basis[12];
        double B[144], M[144], q[12], z[12], w[12], tableau[12 * 26];
        for (size_t i = 0; i < size * rank; i++)
            B[i] = uniform(&r, -1, 1);
        for (size_t i = 0; i < size; i++) {
            z[i] = rng_next(&r) % 2 ? uniform(&r, 0, 1) : 0;
            w[i] = z[i] > 0 ? 0 : uniform(&r, 0, 1);
            for (size_t j = 0; j < size; j++) {
                M[i * size + j] = 0;
                for (size_t k = 0; k < rank; k++)
                    M[i * size + j] += B[i * rank + k] * B[j * rank + k];
            }
        }
        for (size_t i = 0; i < size; i++) {
            q[i] = w[i];
            for (size_t j = 0; j < size; j++)
                q[i] -= M[i * size + j] * z[j];
        }
        assert_true(lemke_solve(size, M, q, tableau, basis, z));
        for (size_t i = 0; i < size; i++) {
            double slack = q[i];
            for (size_t j = 0; j < size; j++)
                slack += M[i * size + j] * z[j];
            assert_true(z[i] >= 0 && slack >= -1e-9 && fmin(z[i], fabs(slack)) < 1e-9);
        }
    }
    // w = -1 - z has no solution
    double M = -1, q = -1, z, tableau[4];
    size_t basis;
    assert_false(lemke_solve(1, &M, &q, tableau, &basis, &z));
}

// blocks between two walls: 40 freedoms in a row with 41 gaps, struck at one end; momentum goes through the
// row, and every step is certified
static void test_row_of_blocks(void **state)
{
    (void)state;
    enum { BLOCKS = 40 };
    for (int scheme = 0; scheme <= MO_SYSTEM_SCHEME_BERNICOT_LEFEBVRE; scheme++) {
        double q[BLOCKS], u[BLOCKS] = {0}, mass[BLOCKS], e[BLOCKS + 1];
        for (int i = 0; i < BLOCKS; i++)
            q[i] = i % 3 == 0 ? 1e-3 : 0, mass[i] = 1 + i % 5;
        for (int i = 0; i <= BLOCKS; i++)
            e[i] = 0.5;
        u[0] = 5;
        mo_system_def def = mo_default_system_def();
        def.n = BLOCKS;
        def.gaps = BLOCKS + 1;
        def.q = q;
        def.u = u;
        def.h = 1e-3;
        def.scheme = (mo_system_scheme)scheme;
        def.gap = row_gaps;
        def.linear = true;
        def.mass = (mo_metric){.kind = MO_METRIC_DIAGONAL, .entries = mass};
        def.restitution = e;
        mo_system *s = make_system(&def);
        for (int i = 0; i < 500; i++)
            good_step(s);
        assert_true(mo_system_info_get(s)->energy.kinetic < 12.5);
        assert_close(mo_system_info_get(s)->energy.balance_error, 0, 1e-11);
        assert_true(mo_system_info_get(s)->impacts > 3);
        mo_system_destroy(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_restitution_is_law_5_3),
        cmocka_unit_test(test_unequal_restitution_can_gain_and_says_so),
        cmocka_unit_test(test_steps_apply_the_law),
        cmocka_unit_test(test_start_velocity_becomes_admissible),
        cmocka_unit_test(test_block_slides_and_stops),
        cmocka_unit_test(test_coupled_friction_is_certified),
        cmocka_unit_test(test_rod_that_rests_is_certified),
        cmocka_unit_test(test_superball),
        cmocka_unit_test(test_start_has_friction),
        cmocka_unit_test(test_start_with_friction_turns),
        cmocka_unit_test(test_restitution_that_depends_on_time),
        cmocka_unit_test(test_pivoting_solves_made_problems),
        cmocka_unit_test(test_row_of_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
