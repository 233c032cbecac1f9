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
 * Printed: median time per contact and iteration of the solve stage, of the whole step, the other stages in
 * units of one iteration, and of these how much each is; the residual reached, penetration, memory.
 */
#include <math.h>
#include <string.h>

#include "core/rng.h"
#include "core/timer.h"
#include "pile.h"

static const double R = 0.01;

typedef struct options {
    int sizes[16], size_count, iterations, settle, timed, threads, boxes;
} options;

static void add_plane(mo_world *w, double nx, double ny, double nz, double offset)
{
    add_fixed(w, &(mo_shape_def){.kind = MO_SHAPE_PLANE, .normal = {nx, ny, nz}, .offset = offset});
}

static void add_bodies(mo_world *w, int n, int side, bool boxes)
{
    rng random = rng_seed(1, 1);
    mo_error err;
    mo_body body;
    for (int i = 0; i < n; i++) {
        mo_body_def def = mo_default_body_def();
        int place[3] = {i % side, i / side % side, i / (side * side)};
        for (int k = 0; k < 3; k++)
            def.position[k] = (place[k] + 0.5) * 2.5 * R + (2 * rng_uniform(&random) - 1) * 0.04 * R;
        double r = R * (0.8 + 0.4 * rng_uniform(&random));
        def.shape = boxes ? (mo_shape_def){.kind = MO_SHAPE_BOX, .size = {2 * r, 2 * r, 2 * r}}
                          : (mo_shape_def){.kind = MO_SHAPE_SPHERE, .radius = r};
        def.density = 2500;
        must(mo_body_create(w, &def, &body, &err), &err);
    }
}

static mo_world *make_box(int n, const options *o)
{
    mo_world_def def = mo_default_world_def();
    mo_error err;
    mo_world *w;
    int side = (int)ceil(cbrt((double)n) - 1e-9);
    double width = side * 2.5 * R;
    def.dim = 3;
    def.gravity[2] = -9.81;
    def.solver = (mo_solver_settings){.name = MO_SOLVER_NLGS, .tol = 0, .max_iter = o->iterations};
    def.threads = o->threads;
    must(mo_world_create(&def, &w, &err), &err);
    mo_law law = {.friction = 0.5};
    must(mo_world_set_default_law(w, &law, &err), &err);
    add_plane(w, 0, 0, 1, 0);
    for (int k = 0; k < 2; k++) {
        add_plane(w, k == 0, k == 1, 0, 0);
        add_plane(w, -(k == 0), -(k == 1), 0, -width);
    }
    add_bodies(w, n, side, o->boxes != 0);
    return w;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double median(double *v, int n)
{
    qsort(v, (size_t)n, sizeof *v, by_value);
    return v[n / 2];
}

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
    mo_world *w = make_box(n, o);
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
    const double least = ns[0][0] / o->iterations;
    for (int k = 0; k < STAGES; k++)
        free(ns[k]);
    mo_world_info info = mo_world_info_get(w);
    double sweep = m[0] / o->iterations, other = m[1] + m[2] + m[3];
    printf("%7d %8.0f %5d %9.2f %9.2f %10.2f %7.2f %7.2f %7.2f %7.2f %9.2e %10.2e %9.2e %8.0f %7.0f\n", n,
           contacts, o->iterations, sweep, least, sweep + other / o->iterations, other / sweep, m[1] / sweep,
           m[2] / sweep, m[3] / sweep, info.solver.certificate.residual, info.penetration / R,
           info.energy.kinetic, (double)info.bytes / n, settled);
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
    printf("%7s %8s %5s %9s %9s %10s %7s %7s %7s %7s %9s %10s %9s %8s %7s\n", "spheres", "contacts", "iter",
           "solve", "least", "whole step", "other", "detect", "assem.", "integr.", "residual", "max pen.",
           "kinetic", "B/sphere", "settled");
    printf("%7s %8s %5s %9s %9s %10s %7s %7s %7s %7s %9s %10s %9s %8s %7s\n", "", "", "", "ns/c/it",
           "ns/c/it", "ns/c/it", "sweeps", "sweeps", "sweeps", "sweeps", "", "/ r", "J", "", "in s");
    for (int i = 0; i < o.size_count; i++)
        run_size(o.sizes[i], &o);
    return 0;
}
