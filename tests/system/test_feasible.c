/* Bernicot and Lefebvre's scheme: Proposition 2.1, the bound (2.1), the constant of (A6). */
#include "simple.h"

/* Discs to stay out of, with centres that move: g = |q - c(t)| - r, convex in q. */
typedef struct discs {
    size_t m;
    double centre[2 * MOST_M], speed[2 * MOST_M], radius[MOST_M], force[2], swing;
} discs;

static mo_status discs_gap(void *data, double t, const double *q, double *g, double *gx, double *gt,
                           mo_error *err)
{
    const discs *d = data;
    (void)err;
    for (size_t a = 0; a < d->m; a++) {
        double x = q[0] - d->centre[2 * a] - d->speed[2 * a] * sin(t);
        double y = q[1] - d->centre[2 * a + 1] - d->speed[2 * a + 1] * sin(t);
        double distance = hypot(x, y);
        g[a] = distance - d->radius[a];
        if (gx != NULL)
            gx[2 * a] = x / distance, gx[2 * a + 1] = y / distance;
        if (gt != NULL)
            gt[a] = -(x * d->speed[2 * a] + y * d->speed[2 * a + 1]) * cos(t) / distance;
    }
    return MO_OK;
}

static mo_status swinging_force(void *data, double t, const double *q, const double *u, double *F, double *Fq,
                                double *Fu, mo_error *err)
{
    const discs *d = data;
    (void)q, (void)u, (void)Fq, (void)Fu, (void)err;
    F[0] = d->force[0] * cos(d->swing * t);
    F[1] = d->force[1] * sin(d->swing * t);
    return MO_OK;
}

// discs on a ring around the start, which they never quite reach
static discs random_ring(rng *r)
{
    discs d = {.m = 8, .force = {uniform(r, -30, 30), uniform(r, -30, 30)}, .swing = uniform(r, 0.5, 3)};
    for (size_t a = 0; a < d.m; a++) {
        double angle = 6.283185307179586 * ((double)a + uniform(r, -0.2, 0.2)) / (double)d.m;
        d.centre[2 * a] = 2 * cos(angle);
        d.centre[2 * a + 1] = 2 * sin(angle);
        d.radius[a] = uniform(r, 0.5, 1);
        d.speed[2 * a] = uniform(r, -0.1, 0.1);
        d.speed[2 * a + 1] = uniform(r, -0.1, 0.1);
    }
    return d;
}

static mo_system_def discs_def(discs *d, const double *q, const double *u, double h, mo_system_scheme scheme)
{
    mo_system_def def = mo_default_system_def();
    def.n = 2;
    def.gaps = d->m;
    def.q = q;
    def.u = u;
    def.h = h;
    def.scheme = scheme;
    def.gap = discs_gap;
    def.force = swinging_force;
    def.force_depends_on_velocity = false;
    def.data = d;
    return def;
}

// (2.1): between q^n and q^{n+1} the piecewise linear path is within c_0 h of Q(t), c_0 the speed of the gaps
static void check_between(const discs *d, const double *from, const double *to, double t, double h)
{
    for (int k = 1; k < 8; k++) {
        double part = k / 8.0, g[MOST_M];
        double q[2] = {from[0] + part * (to[0] - from[0]), from[1] + part * (to[1] - from[1])};
        discs_gap((void *)(uintptr_t)d, t + part * h, q, g, NULL, NULL, NULL);
        for (size_t a = 0; a < d->m; a++)
            assert_true(-g[a] <= hypot(d->speed[2 * a], d->speed[2 * a + 1]) * h + 1e-12);
    }
}

static void test_every_position_is_feasible(void **state)
{
    (void)state;
    rng r = rng_seed(21, 1);
    int touches = 0;
    for (int trial = 0; trial < 40; trial++) {
        discs d = random_ring(&r);
        double q[2] = {0, 0}, u[2] = {uniform(&r, -3, 3), uniform(&r, -3, 3)}, h = uniform(&r, 0.002, 0.05);
        mo_system_def def = discs_def(&d, q, u, h, MO_SYSTEM_SCHEME_BERNICOT_LEFEBVRE);
        mo_system *s = make_system(&def);
        for (int i = 0; i < 200; i++) {
            double before[2] = {mo_system_q(s)[0], mo_system_q(s)[1]}, t = mo_system_info_get(s)->time;
            good_step(s);
            assert_true(mo_system_info_get(s)->violation <= 1e-14);
            check_between(&d, before, mo_system_q(s), t, h);
            touches += mo_system_info_get(s)->active > 0;
        }
        mo_system_destroy(s);
    }
    assert_true(touches > 1000);
}

// in a wedge of opening 2 b the unit normals have the hull's nearest point to 0 at sin b... = cos of half
// their angle: gamma = 1 / cos(angle / 2)
static void test_independence_of_two_planes(void **state)
{
    (void)state;
    for (int degrees = 20; degrees <= 160; degrees += 35) {
        double half = degrees * 3.141592653589793 / 360;
        planes p = {.n = 2, .m = 2, .G = {cos(half), sin(half), -cos(half), sin(half)}, .force = {0, -1}};
        // normals at +-(90 - half) from the vertical: the angle between them is 180 - degrees
        double q[2] = {0, 0.3}, u[2] = {0, 0};
        mo_system_def def = planes_def(&p, q, u, 0.01, MO_SYSTEM_SCHEME_BERNICOT_LEFEBVRE);
        mo_system *s = make_system(&def);
        for (int i = 0; i < 300; i++)
            good_step(s);
        assert_close(mo_system_info_get(s)->independence, 1 / sin(half), 1e-12 / sin(half));
        mo_system_destroy(s);
    }
}

// gradients that cancel: no constant
static void test_opposite_planes_have_no_constant(void **state)
{
    (void)state;
    planes p = {.n = 1, .m = 2, .G = {1, -1}, .offset = {0, 1e-3}, .force = {1}};
    double q = 0, u = 0;
    mo_system_def def = planes_def(&p, &q, &u, 0.1, MO_SYSTEM_SCHEME_BERNICOT_LEFEBVRE);
    mo_system *s = make_system(&def);
    for (int i = 0; i < 3; i++)
        good_step(s);
    assert_true(isinf(mo_system_info_get(s)->independence));
    mo_system_destroy(s);
}

// u+ = P - e (u~ - P) as written in the paper's extension
static void test_restitution_is_given_back(void **state)
{
    (void)state;
    rng r = rng_seed(22, 1);
    for (int trial = 0; trial < 100; trial++) {
        planes p = {.n = 3, .m = 4};
        double q[3] = {0}, u[3], M[MOST_N * MOST_N], e[4], h = 0.1, free[3], P[3], b[4];
        for (size_t i = 0; i < 12; i++)
            p.G[i] = uniform(&r, -1, 1);
        for (size_t a = 0; a < 4; a++)
            p.offset[a] = uniform(&r, 1e-6, 0.1), e[a] = 0.1 * trial / 10;
        for (size_t i = 0; i < 3; i++)
            u[i] = uniform(&r, -1, 1);
        random_mass(&r, 3, M);
        mo_metric metric = {.kind = MO_METRIC_DENSE, .entries = M};
        mo_system_def def = planes_def(&p, q, u, h, MO_SYSTEM_SCHEME_BERNICOT_LEFEBVRE);
        def.mass = metric;
        def.restitution = e;
        mo_error err;
        mo_polyhedron set = {.n = 3, .rows = 4, .A = p.G, .b = b};
        for (size_t a = 0; a < 4; a++)
            b[a] = -p.offset[a] / h;
        memcpy(free, u, sizeof free);
        assert_int_equal(mo_polyhedron_project(&set, &metric, free, P, NULL, NULL, &err), MO_OK);
        mo_system *s = make_system(&def);
        good_step(s);
        for (size_t i = 0; i < 3; i++)
            assert_close(mo_system_u(s)[i], P[i] - e[0] * (free[i] - P[i]), 1e-11);
        mo_system_destroy(s);
    }
}

// the projection of paoli-schatzman is onto the true set: w^i = q^i + h (u^{i+1} - e u^i) / (1 + e) is
// feasible to rounding, and where one disc pushes, the push is along the normal at w
static void test_paoli_schatzman_projects_onto_curved_gaps(void **state)
{
    (void)state;
    rng r = rng_seed(23, 1);
    int touches = 0;
    for (int trial = 0; trial < 20; trial++) {
        discs d = random_ring(&r);
        memset(d.speed, 0, sizeof d.speed);
        double q[2] = {0, 0}, u[2] = {uniform(&r, -3, 3), uniform(&r, -3, 3)}, h = 0.01, e[MOST_M];
        for (size_t a = 0; a < d.m; a++)
            e[a] = trial % 2 == 0 ? 0.5 : uniform(&r, 0, 1);
        mo_system_def def = discs_def(&d, q, u, h, MO_SYSTEM_SCHEME_PAOLI_SCHATZMAN);
        def.restitution = e;
        mo_system *s = make_system(&def);
        good_step(s);
        for (int i = 1; i < 300; i++) {
            double x[2] = {mo_system_q(s)[0], mo_system_q(s)[1]},
                   v[2] = {mo_system_u(s)[0], mo_system_u(s)[1]};
            good_step(s);
            for (size_t a = 0; a < d.m; a++) {
                double w[2], g[MOST_M];
                for (int k = 0; k < 2; k++)
                    w[k] = x[k] + h * (mo_system_u(s)[k] - e[a] * v[k]) / (1 + e[a]);
                discs_gap(&d, 0, w, g, NULL, NULL, NULL);
                assert_true(g[a] >= -1e-13);
                if (mo_system_lambda(s)[a] > 1e-9)
                    assert_close(g[a], 0, 1e-13);
                touches += mo_system_lambda(s)[a] > 0;
            }
        }
        mo_system_destroy(s);
    }
    assert_true(touches > 100);
}

// inside of the unit circle
static mo_status bowl(void *data, double t, const double *q, double *g, double *gx, double *gt, mo_error *err)
{
    double r = hypot(q[0], q[1]);
    (void)data, (void)t, (void)err;
    g[0] = 1 - r;
    if (gx != NULL)
        gx[0] = -q[0] / r, gx[1] = -q[1] / r;
    if (gt != NULL)
        gt[0] = 0;
    return MO_OK;
}

// a point that slides round and round in a bowl: where the constraint is on positions it stays; where it is
// on velocities every step of h leads out along the tangent by (h u)^2 / 2, with nothing to bring it back
static void test_sliding_inside_a_curve(void **state)
{
    (void)state;
    for (int scheme = 0; scheme <= MO_SYSTEM_SCHEME_BERNICOT_LEFEBVRE; scheme++) {
        double q[2] = {0, -1}, u[2] = {1, 0}, h = 0.01;
        mo_system_def def = mo_default_system_def();
        def.n = 2;
        def.gaps = 1;
        def.q = q;
        def.u = u;
        def.h = h;
        def.scheme = (mo_system_scheme)scheme;
        def.gap = bowl;
        mo_system *s = make_system(&def);
        for (int i = 0; i < 5000; i++)
            good_step(s);
        bool positions =
            scheme == MO_SYSTEM_SCHEME_PAOLI_SCHATZMAN || scheme == MO_SYSTEM_SCHEME_BERNICOT_LEFEBVRE;
        double creep = 0.5 * h * 50, most = positions ? h * h : creep;
        assert_true(mo_system_info_get(s)->worst_violation <= most);
        assert_true(positions || mo_system_info_get(s)->worst_violation > 0.5 * creep);
        mo_system_destroy(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_position_is_feasible),
        cmocka_unit_test(test_independence_of_two_planes),
        cmocka_unit_test(test_opposite_planes_have_no_constant),
        cmocka_unit_test(test_restitution_is_given_back),
        cmocka_unit_test(test_paoli_schatzman_projects_onto_curved_gaps),
        cmocka_unit_test(test_sliding_inside_a_curve),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
