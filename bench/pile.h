/* What the pile benchmarks share: error exit and bodies in few words. */
#ifndef BENCH_PILE_H
#define BENCH_PILE_H

#include <moreau/moreau.h>
#include <stdio.h>
#include <stdlib.h>

static inline void must(mo_status status, const mo_error *err)
{
    if (status == MO_OK)
        return;
    fprintf(stderr, "bench: %s: %s\n", err->key, err->message);
    exit(1);
}

static inline mo_body add_fixed(mo_world *w, const mo_shape_def *shape)
{
    mo_error err;
    mo_body body;
    mo_body_def def = mo_default_body_def();
    def.kind = MO_BODY_FIXED;
    def.shape = *shape;
    must(mo_body_create(w, &def, &body, &err), &err);
    return body;
}

static inline mo_body add_segment(mo_world *w, double x0, double y0, double x1, double y1)
{
    double points[4] = {x0, y0, x1, y1};
    return add_fixed(w, &(mo_shape_def){.kind = MO_SHAPE_SEGMENT, .points = points, .point_count = 2});
}

static inline mo_body add_dynamic(mo_world *w, const mo_shape_def *shape, double x, double y, double density)
{
    mo_error err;
    mo_body body;
    mo_body_def def = mo_default_body_def();
    def.shape = *shape;
    def.density = density;
    def.position[0] = x;
    def.position[1] = y;
    must(mo_body_create(w, &def, &body, &err), &err);
    return body;
}

static inline mo_body add_disc(mo_world *w, double x, double y, double r, double density)
{
    return add_dynamic(w, &(mo_shape_def){.kind = MO_SHAPE_DISC, .radius = r}, x, y, density);
}

/* A square of inner radius r. */
static inline mo_body add_square(mo_world *w, double x, double y, double r, double density)
{
    const double points[8] = {-r, -r, r, -r, r, r, -r, r};
    const mo_shape_def shape = {.kind = MO_SHAPE_POLYGON, .points = points, .point_count = 4};
    return add_dynamic(w, &shape, x, y, density);
}

static inline void step(mo_world *w)
{
    mo_error err;
    must(mo_world_step(w, &err), &err);
}

static inline int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Sorts v and takes the one in the middle. */
static inline double median(double *v, int n)
{
    qsort(v, (size_t)n, sizeof *v, by_value);
    return v[n / 2];
}

#endif
