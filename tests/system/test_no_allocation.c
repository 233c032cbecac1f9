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
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_warm_steps_do_not_allocate)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
