/*
 * Steps per second of finite-freedom systems on one core.
 *
 *   bench_system [--steps N]
 *
 * ball: one freedom, one gap, gravity, e = 1, dropped from 1 m; bar 5 million steps/s for moreau,
 * paoli-schatzman and mabrouk.  pipe: the guided tube of P01 3(c) by finite differences with 200 nodes, two
 * stops at one node, shaker force at another, scheme paoli-schatzman; bar 50 000 steps/s.  Medians of five
 * runs in processor time; every row carries the worst residual and the share of the steps with a gap in
 * contact.
 */
#include <math.h>
#include <moreau/system.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// processor time: other load on the machine does not count
static double seconds_used(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void must(mo_status status, const mo_error *err)
{
    if (status == MO_OK)
        return;
    fprintf(stderr, "%s: %s\n", err->key, err->message);
    exit(1);
}

static mo_status floor_gap(void *data, double t, const double *q, double *g, double *gx, double *gt,
                           mo_error *err)
{
    (void)data, (void)t, (void)err;
    g[0] = q[0];
    if (gx != NULL)
        gx[0] = 1;
    if (gt != NULL)
        gt[0] = 0;
    return MO_OK;
}

static mo_status gravity(void *data, double t, const double *q, const double *u, double *F, double *Fq,
                         double *Fu, mo_error *err)
{
    (void)data, (void)t, (void)q, (void)u, (void)Fq, (void)Fu, (void)err;
    F[0] = -9.81;
    return MO_OK;
}

enum { NODES = 200, STOP = 120, SHAKER = 60 };

typedef struct pipe {
    double amplitude, rate, clearance;
} pipe_data;

static mo_status stops(void *data, double t, const double *q, double *g, double *gx, double *gt,
                       mo_error *err)
{
    const pipe_data *p = data;
    (void)t, (void)err;
    g[0] = q[STOP] + p->clearance;
    g[1] = p->clearance - q[STOP];
    if (gx != NULL)
        gx[STOP] = 1, gx[NODES + STOP] = -1;
    if (gt != NULL)
        gt[0] = gt[1] = 0;
    return MO_OK;
}

static mo_status shaker(void *data, double t, const double *q, const double *u, double *F, double *Fq,
                        double *Fu, mo_error *err)
{
    const pipe_data *p = data;
    (void)q, (void)u, (void)Fq, (void)Fu, (void)err;
    F[SHAKER] = p->amplitude * sin(p->rate * t);
    return MO_OK;
}

// the matrix printed in P01 3(c), times k^2 / dx^4, left of the diagonal
static void pipe_stiffness(double scale, double *K)
{
    for (size_t i = 0; i < NODES; i++) {
        K[3 * i] = i >= 2 ? scale : 0;
        K[3 * i + 1] = i >= 1 ? -4 * scale : 0;
        K[3 * i + 2] = 6 * scale;
    }
    K[3 * (NODES - 1) + 2] = scale;
    K[3 * (NODES - 1) + 1] = -2 * scale;
    K[3 * (NODES - 2) + 2] = 5 * scale;
}

static void time_steps(const char *name, const mo_system_def *def, long steps)
{
    mo_error err = {0};
    mo_system *s;
    long contact = 0;
    must(mo_system_create(def, &s, &err), &err);
    // median of five runs
    double rate[5];
    for (int k = 0; k < 5; k++) {
        double begin = seconds_used();
        for (long i = 0; i < steps; i++) {
            must(mo_system_step(s, &err), &err);
            contact += mo_system_info_get(s)->active > 0;
        }
        rate[k] = (double)steps / (seconds_used() - begin);
    }
    for (int i = 0; i < 5; i++)
        for (int j = i + 1; j < 5; j++)
            if (rate[j] < rate[i]) {
                double kept = rate[i];
                rate[i] = rate[j];
                rate[j] = kept;
            }
    const mo_system_info *info = mo_system_info_get(s);
    printf("%-26s %12.0f steps/s   residual %.1e   in contact %4.1f %%   impacts %lld   unconverged %lld\n",
           name, rate[2], info->worst_residual, 100 * (double)contact / (5 * (double)steps),
           (long long)info->impacts, (long long)info->unconverged_steps);
    mo_system_destroy(s);
}

static void bench_ball(mo_system_scheme scheme, long steps)
{
    // e = 1: bounces for ever
    double q = 1, u = 0, e = 1;
    char name[64];
    mo_system_def def = mo_default_system_def();
    def.n = def.gaps = 1;
    def.q = &q;
    def.u = &u;
    def.scheme = scheme;
    def.gap = floor_gap;
    def.linear = true;
    def.force = gravity;
    def.force_depends_on_velocity = false;
    def.restitution = &e;
    snprintf(name, sizeof name, "ball %s", mo_system_scheme_name(scheme));
    time_steps(name, &def, steps);
}

static void bench_pipe(long steps)
{
    double K[3 * NODES], q[NODES] = {0}, u[NODES] = {0}, e[2] = {0.2, 0.2}, dx = 1.0 / NODES;
    pipe_data p = {.amplitude = 30000, .rate = 120, .clearance = 1e-3};
    mo_system_def def = mo_default_system_def();
    pipe_stiffness(400 / (dx * dx * dx * dx), K);
    def.n = NODES;
    def.gaps = 2;
    def.q = q;
    def.u = u;
    def.h = 1e-4;
    def.scheme = MO_SYSTEM_SCHEME_PAOLI_SCHATZMAN;
    def.gap = stops;
    def.linear = true;
    def.force = shaker;
    def.force_depends_on_velocity = false;
    def.stiffness = (mo_metric){.kind = MO_METRIC_BANDED, .width = 2, .entries = K};
    def.restitution = e;
    def.data = &p;
    time_steps("pipe of 200 nodes", &def, steps);
}

int main(int argc, char **argv)
{
    long steps = argc == 3 && strcmp(argv[1], "--steps") == 0 ? atol(argv[2]) : 1000000;
    const mo_system_scheme schemes[] = {
        MO_SYSTEM_SCHEME_MOREAU,  MO_SYSTEM_SCHEME_MOREAU_JEAN,       MO_SYSTEM_SCHEME_PAOLI_SCHATZMAN,
        MO_SYSTEM_SCHEME_MABROUK, MO_SYSTEM_SCHEME_BERNICOT_LEFEBVRE, MO_SYSTEM_SCHEME_COMPLIANT};
    for (size_t k = 0; k < sizeof schemes / sizeof *schemes; k++)
        bench_ball(schemes[k], schemes[k] == MO_SYSTEM_SCHEME_COMPLIANT ? steps / 10 : steps);
    bench_pipe(steps / 100);
    return 0;
}
