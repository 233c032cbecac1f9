/*
 * How the sweeps that a step of a packing needs grow with its size, from nothing and from the step before.
 *
 *   bench_packed [tolerance] [contacts ...]
 *
 * The packings of bench_large as worlds: spheres in a box at rest, friction 0.4, h = 1 ms, solver auto.  The
 * first step starts from zero impulses, those after it from the impulses of the one before.  Printed for each
 * step: contacts, iterations, of these extrapolated and handed over, residual, seconds of the solve.
 */
#include "packing.h"
#include "pile.h"

enum { STEPS = 4 };

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

static void run(packing_kind kind, size_t contacts, double tol)
{
    packing p;
    if (!packing_make(kind, contacts, 1, &p)) {
        fprintf(stderr, "no memory for %zu contacts\n", contacts);
        exit(1);
    }
    mo_world *w = make_world(&p, tol);
    double before = 0;
    for (int k = 1; k <= STEPS; k++) {
        step(w);
        mo_world_info i = mo_world_info_get(w);
        printf("%-8s step %d %8zu contacts %6d iterations, %5d extrapolated, %4d handed over %8.1e %9.3f s\n",
               kind == PACKING_LATTICE ? "lattice" : "deposit", k, i.contacts, i.solver.iterations,
               i.solver.extrapolated, i.solver.handed_over, i.solver.certificate.residual,
               i.seconds.solve - before);
        fflush(stdout);
        before = i.seconds.solve;
    }
    mo_world_destroy(w);
    packing_free(&p);
}

int main(int argc, char **argv)
{
    static const size_t SIZES[] = {1000, 10000, 100000};
    double tol = argc > 1 ? atof(argv[1]) : 1e-6;
    for (int kind = PACKING_LATTICE; kind <= PACKING_DEPOSIT; kind++) {
        for (int k = 2; k < argc; k++)
            run((packing_kind)kind, (size_t)atof(argv[k]), tol);
        for (size_t k = 0; argc <= 2 && k < sizeof SIZES / sizeof *SIZES; k++)
            run((packing_kind)kind, SIZES[k], tol);
    }
    return 0;
}
