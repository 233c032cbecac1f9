/* Warm steps allocate nothing, whatever the scheme. */
#include "simple.h"
#include "support/count_allocations.h"

static mo_status drag(void *data, double t, const double *q, const double *u, double *F, double *Fq,
                      double *Fu, mo_error *err)
{
    const planes *p = data;
    (void)t, (void)q, (void)Fq, (void)Fu, (void)err;
    for (size_t i = 0; i < p->n; i++)
        F[i] = p->force[i] - 30 * u[i] * fabs(u[i]);
    return MO_OK;
}

static mo_status wave_mass(void *data, double t, const double *q, double *M, mo_error *err)
{
    const planes *p = data;
    (void)t, (void)err;
    memset(M, 0, p->n * p->n * sizeof *M);
    for (size_t i = 0; i < p->n; i++)
        M[i * p->n + i] = 2 + sin(q[i]);
    return MO_OK;
}

static mo_status axis(void *data, double t, const double *q, double *T, mo_error *err)
{
    const planes *p = data;
    (void)t, (void)q, (void)err;
    for (size_t a = 0; a < p->m; a++)
        T[a * p->n] = 1;
    return MO_OK;
}

static void run_warm(const mo_system_def *def)
{
    mo_system *s = make_system(def);
    for (int i = 0; i < 2000; i++)
        take_step(s);
    calls = 0;
    for (int i = 0; i < 500; i++)
        take_step(s);
    assert_int_equal(calls, 0);
    mo_system_destroy(s);
}

/* Masses on a grid joined by springs and tied down by others, with a floor under every one. */
enum { SIDE = 12, GRID = SIDE * SIDE };

static mo_status grid_floor(void *data, double t, const double *q, double *g, double *gx, double *gt,
                            mo_error *err)
{
    (void)data, (void)t, (void)gt, (void)err;
    for (size_t a = 0; a < GRID; a++) {
        g[a] = q[a] + 0.002;
        if (gx != NULL)
            gx[a * GRID + a] = 1;
    }
    return MO_OK;
}

static mo_status press(void *data, double t, const double *q, const double *u, double *F, double *Fq,
                       double *Fu, mo_error *err)
{
    (void)data, (void)t, (void)q, (void)u, (void)Fq, (void)Fu, (void)err;
    for (size_t i = 0; i < GRID; i++)
        F[i] = -50;
    return MO_OK;
}

// sparse matrices: bounces of some, and all at rest on the floor
static void test_warm_sparse_steps_do_not_allocate(void **state)
{
    (void)state;
    static double q[GRID], u[GRID], e[GRID], mass[3 * GRID], springs[3 * GRID];
    static size_t start[GRID + 1];
    static uint32_t column[3 * GRID];
    size_t used = 0;
    for (uint32_t i = 0; i < GRID; i++) {
        u[i] = -1 - 0.001 * sin(i), e[i] = 1;
        if (i >= SIDE)
            column[used] = i - SIDE, springs[used] = -50, mass[used++] = 0.1;
        if (i % SIDE > 0)
            column[used] = i - 1, springs[used] = -50, mass[used++] = 0.1;
        column[used] = i, springs[used] = 210, mass[used++] = 1;
        start[i + 1] = used;
    }
    for (int choice = 0; choice < 2 * (MO_SYSTEM_SCHEME_ALPHA + 1); choice++) {
        bool rest = choice % 2;
        mo_system_def def = mo_default_system_def();
        def.n = def.gaps = GRID;
        def.q = q;
        def.u = u;
        def.h = 0.01;
        def.scheme = (mo_system_scheme)(choice / 2);
        def.gap = grid_floor;
        def.linear = true;
        def.restitution = rest ? NULL : e;
        def.force = rest ? press : NULL;
        def.force_depends_on_velocity = false;
        def.mass = (mo_metric){.kind = MO_METRIC_SPARSE, .entries = mass, .start = start, .column = column};
        def.stiffness =
            (mo_metric){.kind = MO_METRIC_SPARSE, .entries = springs, .start = start, .column = column};
        mo_system *s = make_system(&def);
        for (int i = 0; i < 100; i++)
            take_step(s);
        calls = 0;
        size_t most = 0;
        for (int i = 0; i < 20; i++) {
            take_step(s);
            most = mo_system_info_get(s)->active > most ? mo_system_info_get(s)->active : most;
        }
        assert_int_equal(calls, 0);
        assert_true(most > (rest ? GRID - 1 : 0));
        mo_system_destroy(s);
    }
}

static void test_warm_steps_do_not_allocate(void **state)
{
    (void)state;
    planes p = {.n = 3, .m = 6, .force = {1, -5, 2}};
    double q[3] = {0.1, 0.2, 0.3}, u[3] = {1, -2, 3}, e[6] = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5};
    double K[3] = {10, 20, 30}, mu[6] = {0.3, 0.3, 0.3, 0.3, 0.3, 0.3};
    for (size_t i = 0; i < 3; i++) {
        p.G[6 * i + i] = 1;
        p.G[6 * i + 3 + i] = -1;
        p.offset[2 * i] = p.offset[2 * i + 1] = 1;
    }
    for (int scheme = 0; scheme <= MO_SYSTEM_SCHEME_ALPHA; scheme++) {
        mo_system_def def = planes_def(&p, q, u, 0.01, (mo_system_scheme)scheme);
        def.restitution = e;
        run_warm(&def);
        def.linear = false;
        def.force = drag;
        def.force_depends_on_velocity = true;
        run_warm(&def);
        def.stiffness = (mo_metric){.kind = MO_METRIC_DIAGONAL, .entries = K};
        run_warm(&def);
        def.mass_function = wave_mass;
        run_warm(&def);
        if (scheme > MO_SYSTEM_SCHEME_MOREAU_JEAN)
            continue;
        def.friction = mu;
        def.tangent = axis;
        run_warm(&def);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_warm_steps_do_not_allocate),
                                       cmocka_unit_test(test_warm_sparse_steps_do_not_allocate)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
