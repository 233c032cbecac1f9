/* N spheres on a jittered grid above the floor of an open box that they span; what the benchmarks in space
   drop. */
#ifndef BENCH_SPHERES_H
#define BENCH_SPHERES_H

#include <math.h>

#include "core/rng.h"
#include "pile.h"

#define SPHERE_RADIUS 0.01 /* m, the mean */

static inline void add_plane(mo_world *w, double nx, double ny, double nz, double offset)
{
    add_fixed(w, &(mo_shape_def){.kind = MO_SHAPE_PLANE, .normal = {nx, ny, nz}, .offset = offset});
}

/* boxes: cubes instead, of these inner radii */
static inline void add_spheres(mo_world *w, int n, int side, bool boxes)
{
    rng random = rng_seed(1, 1);
    mo_error err;
    mo_body body;
    for (int i = 0; i < n; i++) {
        mo_body_def def = mo_default_body_def();
        int place[3] = {i % side, i / side % side, i / (side * side)};
        for (int k = 0; k < 3; k++)
            def.position[k] = (place[k] + 0.5) * 2.5 * SPHERE_RADIUS +
                              (2 * rng_uniform(&random) - 1) * 0.04 * SPHERE_RADIUS;
        double r = SPHERE_RADIUS * (0.8 + 0.4 * rng_uniform(&random));
        def.shape = boxes ? (mo_shape_def){.kind = MO_SHAPE_BOX, .size = {2 * r, 2 * r, 2 * r}}
                          : (mo_shape_def){.kind = MO_SHAPE_SPHERE, .radius = r};
        def.density = 2500;
        must(mo_body_create(w, &def, &body, &err), &err);
    }
}

static inline mo_world *make_box(int n, const mo_solver_settings *solver, int threads, bool boxes)
{
    mo_world_def def = mo_default_world_def();
    mo_error err;
    mo_world *w;
    int side = (int)ceil(cbrt((double)n) - 1e-9);
    double width = side * 2.5 * SPHERE_RADIUS;
    def.dim = 3;
    def.gravity[2] = -9.81;
    def.solver = *solver;
    def.threads = threads;
    must(mo_world_create(&def, &w, &err), &err);
    mo_law law = {.friction = 0.5};
    must(mo_world_set_default_law(w, &law, &err), &err);
    add_plane(w, 0, 0, 1, 0);
    for (int k = 0; k < 2; k++) {
        add_plane(w, k == 0, k == 1, 0, 0);
        add_plane(w, -(k == 0), -(k == 1), 0, -width);
    }
    add_spheres(w, n, side, boxes);
    return w;
}

#endif
