/*
 * The box around the dynamic bodies of a world, exact for all shapes.
 */
#include <math.h>
#include <string.h>

#include "collide/detect.h"
#include "math/vec3.h"
#include "world/world.h"

// how far a part reaches from its corners along the axes
static void part_reach(const bodies *b, const mo_part *p, double ends[2][3], double r[3])
{
    double u[3];
    vec3_set(r, p->radius, p->radius, p->radius);
    if (b->dim == 2 || p->kind != MO_PART_CYLINDER)
        return;
    // a disc across u reaches r sin(angle between u and the axis) along an axis
    vec3_sub(ends[1], ends[0], u);
    vec3_unit(u, u);
    vec3_set(r, r[0] * hypot(u[1], u[2]), r[1] * hypot(u[2], u[0]), r[2] * hypot(u[0], u[1]));
}

void part_bounds(const bodies *b, size_t slot, const mo_part *p, double min[3], double max[3])
{
    const double *x = b->vertices + b->dim * (b->vertex_first[slot] + p->vertex_first);
    // what follows a triangle's own three vertices are its neighbours'
    const uint32_t own = p->kind == MO_PART_TRIANGLE ? 3 : p->vertex_count;
    vec3_set(min, HUGE_VAL, HUGE_VAL, HUGE_VAL);
    vec3_set(max, -HUGE_VAL, -HUGE_VAL, -HUGE_VAL);
    for (size_t k = 0; k < b->dim * own; k++) {
        min[k % b->dim] = fmin(min[k % b->dim], x[k]);
        max[k % b->dim] = fmax(max[k % b->dim], x[k]);
    }
}

static void corner_of(const detect_view *v, size_t slot, const double turn[9], const double *X, double x[3])
{
    const double *q = &v->q[v->nq * slot];
    if (v->dim == 2)
        vec3_set(x, q[0] + (turn[0] * X[0] - turn[1] * X[1]), q[1] + (turn[1] * X[0] + turn[0] * X[1]), 0);
    else {
        mat3_apply(turn, X, x);
        vec3_add(q, x, x);
    }
}

static void widen_by_part(const detect_view *v, const bodies *b, size_t slot, const mo_part *p, double min[3],
                          double max[3])
{
    const double *X = b->vertices + b->dim * (b->vertex_first[slot] + p->vertex_first);
    double turn[9], x[3], r[3], ends[2][3];
    body_turn(v, slot, turn);
    for (uint32_t k = 0; k < 2; k++)
        corner_of(v, slot, turn, X + b->dim * (k < p->vertex_count ? k : 0), ends[k]);
    part_reach(b, p, ends, r);
    for (uint32_t k = 0; k < p->vertex_count; k++) {
        corner_of(v, slot, turn, X + b->dim * k, x);
        for (size_t e = 0; e < b->dim; e++) {
            min[e] = fmin(min[e], x[e] - r[e]);
            max[e] = fmax(max[e], x[e] + r[e]);
        }
    }
}

void world_part_image(const mo_world *w, size_t slot, size_t part, const double *point, double *s)
{
    const bodies *b = &w->bodies;
    const mo_part *p = &b->parts[b->part_first[slot] + (part < b->part_count[slot] ? part : 0)];
    const detect_view v = bodies_view(b, b->q);
    double turn[9], min[3], max[3], middle[3], d[3];
    memset(s, 0, b->dim * sizeof *s);
    if (p->vertex_count == 0)
        return;
    // as neighbours.c takes the middle of a part: that of its box in the body's frame
    part_bounds(b, slot, p, min, max);
    vec3_set(d, 0.5 * (min[0] + max[0]), 0.5 * (min[1] + max[1]), b->dim == 3 ? 0.5 * (min[2] + max[2]) : 0);
    body_turn(&v, slot, turn);
    corner_of(&v, slot, turn, d, middle);
    for (size_t k = 0; k < b->dim; k++)
        d[k] = point[k] - middle[k];
    cell_nearest(&w->cell, d, s);
}

bool world_free_box(const mo_world *w, const double *q, double min[3], double max[3])
{
    const bodies *b = &w->bodies;
    const detect_view v = bodies_view(b, q);
    bool some = false;
    vec3_set(min, HUGE_VAL, HUGE_VAL, HUGE_VAL);
    vec3_set(max, -HUGE_VAL, -HUGE_VAL, -HUGE_VAL);
    for (size_t i = 0; i < b->count; i++) {
        if (b->kind[i] != MO_BODY_DYNAMIC)
            continue;
        some = true;
        for (uint32_t k = 0; k < b->part_count[i]; k++)
            widen_by_part(&v, b, i, &b->parts[b->part_first[i] + k], min, max);
    }
    return some;
}
