/*
 * N spheres dropped into an open box and left to settle; then the settled pile is timed at a fixed number of
 * Gauss-Seidel iterations on one thread.
 *
 *   bench_space [N...] [--iterations K] [--settle STEPS] [--timed STEPS] [--threads T] [--boxes 1]
 *
 * Radii uniform in [0.8, 1.2] r, r = 0.01 m, density 2500, on a grid of spacing 2.5 r with jitter 0.04 r and
 * ceil(cbrt(N)) columns either way that span the box; friction 0.5, restitution 0, g = 9.81, h = 1 ms.  With
 * --boxes 1 cubes of these inner radii.
 *
 * Printed: time per contact and iteration of the solve stage, median and least, of the whole step; the other
 * stages, sum of the least time per contact of each, in units of one iteration (medians), and of these how
 * much each is; the residual reached, penetration, memory.
 */
#include <string.h>

#include "core/timer.h"
#include "spheres.h"

typedef struct options {
    int sizes[16], size_count, iterations, settle, timed, threads, boxes;
} options;

enum { STAGES = 4 };

static void stages(const mo_world *w, double out[STAGES])
{
    mo_stage_seconds s = mo_world_info_get(w).seconds;
    double v[STAGES] = {s.solve, s.detect, s.assemble, s.integrate};
    memcpy(out, v, sizeof v);
}

static void run_size(int n, const options *o)
{
    double began = seconds_now();
    const mo_solver_settings solver = {.name = MO_SOLVER_NLGS, .tol = 0, .max_iter = o->iterations};
    mo_world *w = make_box(n, &solver, o->threads, o->boxes != 0);
    for (int i = 0; i < o->settle; i++)
        step(w);
    double settled = seconds_now() - began, contacts = 0, m[STAGES];
    double *ns[STAGES];
    for (int k = 0; k < STAGES; k++)
        if ((ns[k] = calloc((size_t)o->timed, sizeof *ns[k])) == NULL)
            exit(1);
    for (int i = 0; i < o->timed; i++) {
        double before[STAGES], after[STAGES];
        stages(w, before);
        step(w);
        stages(w, after);
        double count = (double)mo_world_info_get(w).contacts;
        for (int k = 0; k < STAGES; k++)
            ns[k][i] = 1e9 * (after[k] - before[k]) / count;
        contacts += count / o->timed;
    }
    for (int k = 0; k < STAGES; k++)
        m[k] = median(ns[k], o->timed);
    // sorted by now: the least is what the machine does when nothing disturbs it
    const double least = ns[0][0] / o->iterations, least_other = ns[1][0] + ns[2][0] + ns[3][0];
    for (int k = 0; k < STAGES; k++)
        free(ns[k]);
    mo_world_info info = mo_world_info_get(w);
    double sweep = m[0] / o->iterations, other = m[1] + m[2] + m[3];
    printf("%7d %8.0f %5d %9.2f %9.2f %10.2f %8.2f %7.2f %7.2f %7.2f %7.2f %9.2e %10.2e %9.2e %8.0f %7.0f\n",
           n, contacts, o->iterations, sweep, least, sweep + other / o->iterations, least_other,
           other / sweep, m[1] / sweep, m[2] / sweep, m[3] / sweep, info.solver.certificate.residual,
           info.penetration / SPHERE_RADIUS, info.energy.kinetic, (double)info.bytes / n, settled);
    fflush(stdout);
    mo_world_destroy(w);
}

static options read_options(int argc, char **argv)
{
    options o = {.iterations = 50, .settle = 1000, .timed = 100, .threads = 1};
    const struct {
        const char *name;
        int *value;
    } known[] = {{"--iterations", &o.iterations},
                 {"--settle", &o.settle},
                 {"--timed", &o.timed},
                 {"--threads", &o.threads},
                 {"--boxes", &o.boxes}};
    const size_t count = sizeof known / sizeof *known;
    for (int i = 1; i < argc; i++) {
        size_t k = 0;
        while (k < count && strcmp(argv[i], known[k].name) != 0)
            k++;
        if (k < count && i + 1 < argc)
            *known[k].value = atoi(argv[++i]);
        else if (o.size_count < 16)
            o.sizes[o.size_count++] = atoi(argv[i]);
    }
    if (o.size_count == 0) {
        o.sizes[0] = 8000;
        o.sizes[1] = 64000;
        o.size_count = 2;
    }
    return o;
}

int main(int argc, char **argv)
{
    options o = read_options(argc, argv);
    printf("%7s %8s %5s %9s %9s %10s %8s %7s %7s %7s %7s %9s %10s %9s %8s %7s\n", "spheres", "contacts",
           "iter", "solve", "least", "whole step", "others", "other", "detect", "assem.", "integr.",
           "residual", "max pen.", "kinetic", "B/sphere", "settled");
    printf("%7s %8s %5s %9s %9s %10s %8s %7s %7s %7s %7s %9s %10s %9s %8s %7s\n", "", "", "", "ns/c/it",
           "ns/c/it", "ns/c", "sweeps", "sweeps", "sweeps", "sweeps", "sweeps", "", "/ r", "J", "", "in s");
    for (int i = 0; i < o.size_count; i++)
        run_size(o.sizes[i], &o);
    return 0;
}
