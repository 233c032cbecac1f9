/*
 * Sweeping processes: steps per second with the residuals reached.
 *
 *   bench_sweep [DISCS] [--seconds T]
 *
 * First ten half-spaces in three dimensions whose sides turn and move with time, by catching-up; then DISCS
 * (300) discs in a box, drawn towards its middle, h = 0.01, for T (4) seconds of the process's time.
 *
 * Printed: steps per second, gaps that hold, linearisations per step, worst violation (half-spaces: a length;
 * discs: over the smallest radius), largest stationarity (a velocity) and complementarity of a step.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <moreau/sweep.h>

#include "core/rng.h"
#include "core/timer.h"

enum { ROWS = 10, STEPS = 500000 };

static void need(mo_status status, const mo_error *err)
{
    if (status == MO_OK)
        return;
    fprintf(stderr, "%s: %s\n", err->key, err->message);
    exit(1);
}

/* Worst of the steps of a run. */
typedef struct tally {
    double stationarity, complementarity, active, iterations;
    int64_t steps, unconverged;
} tally;

static void count(tally *all, const mo_sweep *s)
{
    const mo_sweep_info *i = mo_sweep_info_get(s);
    all->stationarity = fmax(all->stationarity, i->stationarity);
    all->complementarity = fmax(all->complementarity, i->complementarity);
    all->active += (double)i->active;
    all->iterations += i->iterations;
    all->steps++;
    all->unconverged += i->outcome != MO_SWEEP_REACHED;
}

static void print(const char *name, const tally *all, const mo_sweep *s, double unit, double seconds)
{
    double steps = (double)all->steps;
    printf("%-14s %9.0f steps/s  holding %6.1f  linearisations %5.2f  violation %.1e  stationarity %.1e  "
           "complementarity %.1e  unconverged %lld\n",
           name, steps / seconds, all->active / steps, all->iterations / steps,
           mo_sweep_info_get(s)->worst_violation / unit, all->stationarity, all->complementarity,
           (long long)all->unconverged);
}

/* Sides about a centre that goes round; unit normals that turn with time. */
typedef struct sides {
    double normal[3 * ROWS], phase[ROWS];
} sides;

// the normals turn about the third axis
static mo_status turn_normals(void *data, double t, double *value, double *rate, mo_error *err)
{
    (void)err;
    const sides *s = data;
    double c = cos(0.3 * t), q = sin(0.3 * t);
    for (size_t i = 0; i < ROWS; i++) {
        const double *n = s->normal + 3 * i;
        double *v = value + 3 * i;
        v[0] = c * n[0] - q * n[1];
        v[1] = q * n[0] + c * n[1];
        v[2] = n[2];
        if (rate == NULL)
            continue;
        rate[3 * i] = -0.3 * v[1];
        rate[3 * i + 1] = 0.3 * v[0];
        rate[3 * i + 2] = 0;
    }
    return MO_OK;
}

static mo_status move_offsets(void *data, double t, double *value, double *rate, mo_error *err)
{
    const sides *s = data;
    double normals[3 * ROWS], rates[3 * ROWS];
    const double centre[] = {cos(t), sin(t), 0.5 * sin(2 * t)}, speed[] = {-sin(t), cos(t), cos(2 * t)};
    mo_status status = turn_normals(data, t, normals, rates, err);
    for (size_t i = 0; i < ROWS; i++) {
        value[i] = -0.3 - 0.1 * sin(t + s->phase[i]);
        for (size_t j = 0; j < 3; j++)
            value[i] += normals[3 * i + j] * centre[j];
        if (rate == NULL)
            continue;
        rate[i] = -0.1 * cos(t + s->phase[i]);
        for (size_t j = 0; j < 3; j++)
            rate[i] += rates[3 * i + j] * centre[j] + normals[3 * i + j] * speed[j];
    }
    return status;
}

static void run_halfspaces(void)
{
    sides sides_of;
    rng r = rng_seed(1, 1);
    for (size_t i = 0; i < ROWS; i++) {
        double *n = sides_of.normal + 3 * i, length;
        for (size_t j = 0; j < 3; j++)
            n[j] = 2 * rng_uniform(&r) - 1;
        length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]);
        for (size_t j = 0; j < 3; j++)
            n[j] /= length;
        sides_of.phase[i] = 6 * rng_uniform(&r);
    }
    mo_moving_set set = mo_moving_polyhedron(3, ROWS, (mo_timed){.function = turn_normals, .data = &sides_of},
                                             (mo_timed){.function = move_offsets, .data = &sides_of});
    mo_sweep_def def = mo_default_sweep_def();
    double x[3] = {1, 0, 0};
    def.set = &set;
    def.x = x;
    def.h = 1e-4;
    def.retraction = false;
    mo_sweep *s;
    mo_error err;
    tally all = {0};
    need(mo_sweep_create(&def, &s, &err), &err);
    double started = seconds_now();
    for (int k = 0; k < STEPS; k++) {
        need(mo_sweep_step(s, &err), &err);
        count(&all, s);
    }
    print("10 half-spaces", &all, s, 1, seconds_now() - started);
    mo_sweep_destroy(s);
}

// everyone walks towards the origin
static mo_status inwards(void *data, double t, const double *u, double *f, mo_error *err)
{
    (void)t, (void)err;
    size_t discs = *(const size_t *)data;
    for (size_t i = 0; i < discs; i++) {
        double length = hypot(u[2 * i], u[2 * i + 1]);
        f[2 * i] = length > 0 ? -u[2 * i] / length : 0;
        f[2 * i + 1] = length > 0 ? -u[2 * i + 1] / length : 0;
    }
    return MO_OK;
}

static void run_discs(size_t discs, double seconds)
{
    double *x = malloc(2 * discs * sizeof *x), *radius = malloc(discs * sizeof *radius);
    rng r = rng_seed(2, 1);
    size_t side = (size_t)ceil(sqrt((double)discs));
    if (x == NULL || radius == NULL)
        exit(1);
    double half = 0.6 * (double)side + 0.4, smallest = 1;
    const double walls[] = {-half, -half, half,  -half, half,  -half, half,  half,
                            half,  half,  -half, half,  -half, half,  -half, -half};
    for (size_t i = 0; i < discs; i++) {
        x[2 * i] = 1.2 * ((double)(i % side) - 0.5 * (double)(side - 1));
        x[2 * i + 1] = 1.2 * ((double)(i / side) - 0.5 * (double)(side - 1));
        radius[i] = 0.3 + 0.2 * rng_uniform(&r);
        smallest = fmin(smallest, radius[i]);
    }
    mo_moving_set set = mo_moving_discs(discs, radius, 4, walls);
    mo_sweep_def def = mo_default_sweep_def();
    def.set = &set;
    def.x = x;
    def.h = 0.01;
    def.field = inwards;
    def.data = &discs;
    mo_sweep *s;
    mo_error err;
    tally all = {0};
    need(mo_sweep_create(&def, &s, &err), &err);
    double started = seconds_now();
    for (int k = 1; k * def.h <= seconds + 0.5 * def.h; k++) {
        need(mo_sweep_step(s, &err), &err);
        count(&all, s);
    }
    char name[32];
    snprintf(name, sizeof name, "%zu discs", discs);
    print(name, &all, s, smallest, seconds_now() - started);
    mo_sweep_destroy(s);
    free(x);
    free(radius);
}

int main(int argc, char **argv)
{
    size_t discs = 300;
    double seconds = 4;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--seconds") == 0 && i + 1 < argc)
            seconds = atof(argv[++i]);
        else
            discs = (size_t)atoi(argv[i]);
    }
    run_halfspaces();
    run_discs(discs, seconds);
    return 0;
}
