/*
 * Steps per second of finite-freedom systems on one core.
 *
 *   bench_system [--steps N]
 *
 * ball: one freedom, one gap, gravity, e = 1, dropped from 1 m; bar 5 million steps/s for moreau,
 * paoli-schatzman and mabrouk.  pipe: the guided tube of P01 3(c) by finite differences with 200 nodes, two
 * stops at one node, shaker force at another, scheme paoli-schatzman; bar 50 000 steps/s.  membrane: a unit
 * square held at its edges, bilinear finite elements with 60 x 60 free nodes, mass and stiffness sparse,
 * shaken by an even pressure between stops at every tenth node each way or above a floor under every node.
 * Medians of five runs in processor time; every row carries the worst residual and the share of the steps
 * with a gap in contact, and how many pushed at most.
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
    size_t most = 0;
    must(mo_system_create(def, &s, &err), &err);
    // median of five runs
    double rate[5];
    for (int k = 0; k < 5; k++) {
        double begin = seconds_used();
        for (long i = 0; i < steps; i++) {
            must(mo_system_step(s, &err), &err);
            size_t active = mo_system_info_get(s)->active;
            contact += active > 0;
            most = active > most ? active : most;
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
    printf("%-26s %12.0f steps/s   residual %.1e   in contact %4.1f %% (at most %zu)   impacts %lld   "
           "unconverged %lld\n",
           name, rate[2], info->worst_residual, 100 * (double)contact / (5 * (double)steps), most,
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

enum { SIDE = 60, MEMBRANE = SIDE * SIDE, MOST_ENTRIES = 9 * MEMBRANE };

typedef struct membrane {
    size_t stops, every; /* stops at every so-maniest node each way */
    double clearance, pressure, rate;
    size_t start[MEMBRANE + 1];
    uint32_t column[MOST_ENTRIES];
    double mass[MOST_ENTRIES], stiffness[MOST_ENTRIES];
    double q[MEMBRANE], u[MEMBRANE];
} membrane;

// node of stop a
static size_t stop_node(const membrane *p, size_t a)
{
    size_t across = SIDE / p->every;
    return (a / across * p->every + p->every / 2) * SIDE + a % across * p->every + p->every / 2;
}

static mo_status membrane_stops(void *data, double t, const double *q, double *g, double *gx, double *gt,
                                mo_error *err)
{
    const membrane *p = data;
    (void)t, (void)err;
    for (size_t a = 0; a < p->stops; a++) {
        size_t i = stop_node(p, a);
        g[a] = q[i] + p->clearance;
        if (gx != NULL)
            gx[a * MEMBRANE + i] = 1;
        if (gt != NULL)
            gt[a] = 0;
    }
    return MO_OK;
}

static mo_status shaken(void *data, double t, const double *q, const double *u, double *F, double *Fq,
                        double *Fu, mo_error *err)
{
    const membrane *p = data;
    (void)q, (void)u, (void)Fq, (void)Fu, (void)err;
    double pressure = p->pressure * sin(p->rate * t);
    for (size_t i = 0; i < MEMBRANE; i++)
        F[i] = pressure;
    return MO_OK;
}

// bilinear elements: tensor products of the matrices of a bar, mass dx (1 4 1) / 6 and stiffness (-1 2 -1) /
// dx
static void membrane_matrices(membrane *p)
{
    const double dx = 1.0 / (SIDE + 1), mass[2] = {4 * dx / 6, dx / 6}, stiffness[2] = {2 / dx, -1 / dx};
    size_t used = 0;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            p->start[y * SIDE + x] = used;
            for (int b = y > 0 ? y - 1 : 0; b <= y + 1 && b < SIDE; b++)
                for (int a = x > 0 ? x - 1 : 0; a <= x + 1 && a < SIDE; a++) {
                    int i = abs(a - x), j = abs(b - y);
                    p->column[used] = (uint32_t)(b * SIDE + a);
                    p->mass[used] = mass[i] * mass[j];
                    p->stiffness[used++] = stiffness[i] * mass[j] + mass[i] * stiffness[j];
                }
        }
    p->start[MEMBRANE] = used;
}

static void bench_membrane(const char *name, size_t every, long steps)
{
    membrane *p = calloc(1, sizeof *p);
    if (p == NULL)
        exit(1);
    *p = (membrane){.stops = (SIDE / every) * (SIDE / every),
                    .every = every,
                    .clearance = 1e-3,
                    .pressure = 0.1 / (SIDE * SIDE),
                    .rate = 12};
    membrane_matrices(p);
    mo_system_def def = mo_default_system_def();
    def.n = MEMBRANE;
    def.gaps = p->stops;
    def.q = p->q;
    def.u = p->u;
    def.h = 0.01;
    def.scheme = MO_SYSTEM_SCHEME_MOREAU_JEAN;
    def.gap = membrane_stops;
    def.linear = true;
    def.force = shaken;
    def.force_depends_on_velocity = false;
    def.mass =
        (mo_metric){.kind = MO_METRIC_SPARSE, .entries = p->mass, .start = p->start, .column = p->column};
    def.stiffness = (mo_metric){
        .kind = MO_METRIC_SPARSE, .entries = p->stiffness, .start = p->start, .column = p->column};
    def.data = p;
    time_steps(name, &def, steps);
    free(p);
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
    bench_membrane("membrane, 36 stops", 10, steps / 2000);
    bench_membrane("membrane, 3600 stops", 1, steps / 20000);
    return 0;
}
