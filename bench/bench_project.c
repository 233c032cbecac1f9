/*
 * Projections of a crowd of discs that walks to a point and jams: time, systems solved and the residual
 * reached, with and without the multipliers of the projection before.
 *
 * Usage: bench_project [discs [steps [h]]]; speeds are 1, radii 0.2 to 0.3.
 */
#include <stdio.h>
#include <string.h>

#include "../tests/convex/crowd.h"
#include "core/timer.h"

enum { LINEARISATIONS = 4 };

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* What a run has met. */
typedef struct tally {
    double *seconds; /* of every call */
    size_t calls, rows, active;
    long solves;
    double residual;
    int missed;
} tally;

static void project(mo_projector *p, crowd *c, bool start, tally *t)
{
    mo_polyhedron set = crowd_set(c);
    mo_projection_info info;
    double begin = seconds_now();
    if (start)
        mo_projector_set_start(p, c->lambda, c->rows, NULL);
    if (mo_projector_project(p, &set, c->z, NULL, 0, c->x, c->lambda, &info, NULL) != MO_OK)
        abort();
    t->seconds[t->calls++] = seconds_now() - begin;
    t->rows = c->rows;
    t->active = info.active_count;
    t->solves += info.iterations;
    t->residual = fmax(t->residual, fmax(fmax(info.violation, info.slack), info.stationarity));
    t->missed += info.outcome != MO_PROJECTION_SOLVED;
}

static void run(size_t discs, size_t steps, double h, bool start)
{
    crowd c = crowd_create(discs, 1);
    mo_projector *p;
    tally t = {.seconds = crowd_array(LINEARISATIONS * steps, sizeof(double))};
    if (mo_projector_create(&p, NULL) != MO_OK)
        abort();
    for (size_t s = 0; s < steps; s++) {
        crowd_walk(&c, h);
        for (int k = 0; k < LINEARISATIONS; k++) {
            crowd_rows(&c, 0.12);
            project(p, &c, start, &t);
        }
        memcpy(c.q, c.x, 2 * discs * sizeof *c.q);
    }
    // the second half of the run: the jam
    size_t half = t.calls / 2;
    qsort(t.seconds + half, t.calls - half, sizeof(double), by_value);
    printf("%-8s %6zu %7zu %7zu %9.1f %10.1e %10.3f %10.3f %6d\n", start ? "start" : "none", discs, t.rows,
           t.active, (double)t.solves / (double)t.calls, t.residual,
           1e3 * t.seconds[half + (t.calls - half) / 2], 1e3 * t.seconds[t.calls - 1], t.missed);
    free(t.seconds);
    mo_projector_destroy(p);
    crowd_destroy(&c);
}

int main(int argc, char **argv)
{
    size_t discs = argc > 1 ? (size_t)atol(argv[1]) : 300, steps = argc > 2 ? (size_t)atol(argv[2]) : 200;
    double h = argc > 3 ? atof(argv[3]) : 0.02;
    printf("%-8s %6s %7s %7s %9s %10s %10s %10s %6s\n", "given", "discs", "rows", "active", "solves",
           "residual", "median ms", "worst ms", "missed");
    run(discs, steps, h, true);
    run(discs, steps, h, false);
    return 0;
}
