/*
 * How the sweeps that a step of a packing needs grow with its size, from nothing and from the step before.
 *
 *   bench_packed [tolerance] [contacts ...]
 *
 * The packings of bench_large as worlds: spheres in a box at rest, friction 0.4, h = 1 ms, solver auto.  The
 * first step starts from zero impulses, those after it from the impulses of the one before.  Printed for each
 * step: contacts, iterations, of these extrapolated and handed over, residual, milliseconds of the solve; of
 * the first step the median of several worlds, and how it grows with the contacts, fitted to all sizes.
 */
#include "packing.h"
#include "pile.h"

enum { STEPS = 4, WORLDS = 5, MOST_SIZES = 16 };

static void add_plane(mo_world *w, double nx, double ny, double nz, double offset)
{
    add_fixed(w, &(mo_shape_def){.kind = MO_SHAPE_PLANE, .normal = {nx, ny, nz}, .offset = offset});
}

static mo_world *make_world(const packing *p, double tol)
{
    mo_world_def def = mo_default_world_def();
    mo_error err;
    mo_world *w;
    mo_body body;
    def.dim = 3;
    def.gravity[2] = -9.81;
    def.h = 1e-3;
    def.solver.tol = tol;
    must(mo_world_create(&def, &w, &err), &err);
    must(mo_world_set_default_law(w, &(mo_law){.friction = 0.4}, &err), &err);
    add_plane(w, 0, 0, 1, 0);
    for (int k = 0; k < 2; k++) {
        add_plane(w, k == 0, k == 1, 0, 0);
        add_plane(w, -(k == 0), -(k == 1), 0, -p->width);
    }
    for (size_t i = 0; i < p->spheres; i++) {
        mo_body_def sphere = mo_default_body_def();
        for (size_t k = 0; k < 3; k++)
            sphere.position[k] = p->centre[3 * i + k];
        sphere.shape = (mo_shape_def){.kind = MO_SHAPE_SPHERE, .radius = p->radius[i]};
        sphere.density = 2500;
        must(mo_body_create(w, &sphere, &body, &err), &err);
    }
    return w;
}

static double solve_seconds(const mo_world *w)
{
    return mo_world_info_get(w).seconds.solve;
}

// seconds of the solve of a first step
static double first_solve(const packing *p, double tol)
{
    mo_world *w = make_world(p, tol);
    step(w);
    double seconds = solve_seconds(w);
    mo_world_destroy(w);
    return seconds;
}

static void print_steps(const packing *p, const char *name, double tol)
{
    mo_world *w = make_world(p, tol);
    double before = 0;
    for (int k = 1; k <= STEPS; k++) {
        step(w);
        mo_world_info i = mo_world_info_get(w);
        printf(
            "%-8s step %d %8zu contacts %6d iterations, %5d extrapolated, %4d handed over %8.1e %9.2f ms\n",
            name, k, i.contacts, i.solver.iterations, i.solver.extrapolated, i.solver.handed_over,
            i.solver.certificate.residual, 1e3 * (solve_seconds(w) - before));
        fflush(stdout);
        before = solve_seconds(w);
    }
    mo_world_destroy(w);
}

// contacts and seconds of the first step
static void run(packing_kind kind, size_t about, double tol, double *contacts, double *seconds)
{
    packing p;
    double first[WORLDS];
    if (!packing_make(kind, about, 1, &p)) {
        fprintf(stderr, "no memory for %zu contacts\n", about);
        exit(1);
    }
    print_steps(&p, kind == PACKING_LATTICE ? "lattice" : "deposit", tol);
    for (size_t k = 0; k < WORLDS; k++)
        first[k] = first_solve(&p, tol);
    *contacts = (double)p.contacts;
    *seconds = median(first, WORLDS);
    packing_free(&p);
}

int main(int argc, char **argv)
{
    size_t sizes[MOST_SIZES] = {1000, 10000, 100000}, count = 3;
    double tol = argc > 1 ? atof(argv[1]) : 1e-6, contacts[MOST_SIZES], seconds[MOST_SIZES];
    if (argc > 2)
        for (count = 0; count < MOST_SIZES && (int)count + 2 < argc; count++)
            sizes[count] = (size_t)atof(argv[count + 2]);
    for (int kind = PACKING_LATTICE; kind <= PACKING_DEPOSIT; kind++) {
        for (size_t k = 0; k < count; k++)
            run((packing_kind)kind, sizes[k], tol, &contacts[k], &seconds[k]);
        for (size_t k = 0; k < count; k++)
            printf("%.0f contacts, first step: %.2f ms\n", contacts[k], 1e3 * seconds[k]);
        if (count > 1)
            printf("time grows like contacts^%.2f\n", growth_exponent(count, contacts, seconds));
    }
    return 0;
}
