/*
 * Scene A: N discs dropped into an open box and left to settle; then the settled pile is timed at a fixed
 * number of Gauss-Seidel iterations on one thread.
 *
 *   bench_pile [N...] [--iterations K] [--settle STEPS] [--threads T] [--boxes 1] [--csv FILE]
 *
 * Radii uniform in [0.8, 1.2] r, r = 0.01 m, density 2500, on a grid of spacing 2.5 r with jitter 0.04 r and
 * ceil(sqrt(2 N)) columns that span the box; friction 0.5, restitution 0, g = 9.81, h = 1 ms.  With
 * --boxes 1 every second body is a square of this inner radius.
 *
 * Printed: median time per contact and iteration of the solve stage, of the whole step, the other stages in
 * units of one iteration, bytes and flops that an iteration moves per contact, the residual reached,
 * penetration, memory.
 */
#include <math.h>
#include <string.h>

#include "core/rng.h"
#include "pile.h"

/* bytes a sweep touches per contact of two discs: a row of 64, 16 of impulse and two bodies of 64 read and
 * written */
static const double BYTES = 64 + 2 * 16 + 2 * 2 * 64;
/* additions, multiplications, divisions, comparisons of problem/round_kernel.h for two discs: block,
   velocity, law, change of velocities */
static const double FLOPS = 7 + 13 + 13 + 22;

typedef struct options {
    int sizes[16], size_count, iterations, settle, timed, threads, boxes;
    const char *csv;
} options;

static void add_bodies(mo_world *w, int n, double r, int columns, bool boxes)
{
    rng random = rng_seed(1, 1);
    for (int i = 0; i < n; i++) {
        double jx = (2 * rng_uniform(&random) - 1) * 0.04 * r, jy = (2 * rng_uniform(&random) - 1) * 0.04 * r;
        double x = (i % columns + 0.5) * 2.5 * r + jx, y = (i / columns + 0.5) * 2.5 * r + jy,
               size = r * (0.8 + 0.4 * rng_uniform(&random));
        if (boxes && i % 2 == 1)
            add_square(w, x, y, size, 2500);
        else
            add_disc(w, x, y, size, 2500);
    }
}

static mo_world *make_pile(int n, const options *o)
{
    const double r = 0.01;
    int columns = (int)ceil(sqrt(2.0 * n));
    double width = columns * 2.5 * r, height = 2 * width;
    mo_world_def def = mo_default_world_def();
    mo_error err;
    mo_world *w;
    def.gravity[1] = -9.81;
    def.solver = (mo_solver_settings){.name = MO_SOLVER_NLGS, .tol = 0, .max_iter = o->iterations};
    def.threads = o->threads;
    must(mo_world_create(&def, &w, &err), &err);
    mo_law law = {.friction = 0.5};
    mo_world_set_default_law(w, &law, &err);
    add_segment(w, 0, 0, width, 0);
    add_segment(w, 0, 0, 0, height);
    add_segment(w, width, 0, width, height);
    add_bodies(w, n, r, columns, o->boxes != 0);
    return w;
}

static void run_size(int n, const options *o, FILE *csv)
{
    mo_world *w = make_pile(n, o);
    for (int i = 0; i < o->settle; i++)
        step(w);
    double *solve = calloc((size_t)o->timed, sizeof *solve), *rest = calloc((size_t)o->timed, sizeof *rest);
    double contacts = 0;
    for (int i = 0; i < o->timed; i++) {
        mo_stage_seconds a = mo_world_info_get(w).seconds;
        step(w);
        mo_world_info info = mo_world_info_get(w);
        double per = 1e9 / ((double)info.contacts * o->iterations);
        mo_stage_seconds b = info.seconds;
        solve[i] = (b.solve - a.solve) * per;
        rest[i] = (b.detect - a.detect + b.assemble - a.assemble + b.integrate - a.integrate) * per;
        contacts += (double)info.contacts / o->timed;
    }
    mo_world_info info = mo_world_info_get(w);
    double s = median(solve, o->timed), q = median(rest, o->timed) * o->iterations;
    printf("%7d %8.0f %5d %9.2f %10.2f %10.2f %7.0f %6.0f %8.1f %9.2e %10.2e %8.0f\n", n, contacts,
           o->iterations, s, s + q / o->iterations, q / s, BYTES, FLOPS, BYTES / s,
           info.solver.certificate.residual, info.penetration / 0.01, (double)info.bytes / n);
    if (csv != NULL)
        fprintf(csv, "%d,%.0f,%d,%d,%.3f,%.3f,%.3f,%.3e,%.3e,%.0f\n", n, contacts, o->iterations, o->threads,
                s, s + q / o->iterations, q / s, info.solver.certificate.residual, info.penetration,
                (double)info.bytes / n);
    free(solve);
    free(rest);
    mo_world_destroy(w);
}

static options read_options(int argc, char **argv)
{
    options o = {.iterations = 50, .settle = 2000, .timed = 200, .threads = 1};
    for (int i = 1; i < argc; i++) {
        const char *next = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(argv[i], "--iterations") == 0)
            o.iterations = atoi(next), i++;
        else if (strcmp(argv[i], "--settle") == 0)
            o.settle = atoi(next), i++;
        else if (strcmp(argv[i], "--timed") == 0)
            o.timed = atoi(next), i++;
        else if (strcmp(argv[i], "--threads") == 0)
            o.threads = atoi(next), i++;
        else if (strcmp(argv[i], "--boxes") == 0)
            o.boxes = atoi(next), i++;
        else if (strcmp(argv[i], "--csv") == 0)
            o.csv = next, i++;
        else if (o.size_count < 16)
            o.sizes[o.size_count++] = atoi(argv[i]);
    }
    if (o.size_count == 0) {
        const int standard[] = {1000, 10000, 50000};
        memcpy(o.sizes, standard, sizeof standard);
        o.size_count = 3;
    }
    return o;
}

int main(int argc, char **argv)
{
    options o = read_options(argc, argv);
    FILE *csv = o.csv != NULL ? fopen(o.csv, "w") : NULL;
    if (csv != NULL)
        fprintf(csv, "discs,contacts,iterations,threads,solve_ns,step_ns,other_iterations,residual,"
                     "penetration_m,bytes\n");
    printf("%7s %8s %5s %9s %10s %10s %7s %6s %8s %9s %10s %8s\n", "discs", "contacts", "iter", "solve",
           "whole step", "other", "bytes", "flops", "GB/s", "residual", "max pen.", "B/disc");
    printf("%7s %8s %5s %9s %10s %10s %7s %6s %8s %9s %10s %8s\n", "", "", "", "ns/c/it", "ns/c/it", "sweeps",
           "/c/it", "/c/it", "", "", "/ r", "");
    for (int i = 0; i < o.size_count; i++)
        run_size(o.sizes[i], &o, csv);
    return csv != NULL && fclose(csv) != 0;
}
