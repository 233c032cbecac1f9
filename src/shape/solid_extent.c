/*
 * How far a solid reaches: from its frame's origin, and along its principal axes.
 */
#include <float.h>
#include <math.h>

#include "math/quat.h"
#include "shape/solid_parts.h"

/* unit direction from one end of a part to the other */
static void axis_of(const double *v, double u[3])
{
    vec3_sub(v + 3, v, u);
    vec3_unit(u, u);
}

/* farthest point of a disc about c, of radius r, across the unit vector u */
static double disc_reach(const double c[3], double r, const double u[3])
{
    double along = vec3_dot(c, u), across[3];
    vec3_add_scaled(c, -along, u, across);
    return hypot(vec3_norm(across) + r, along);
}

/* vertices that are the part's own: a triangle's neighbours do not count */
static uint32_t own_vertices(const mo_part *part)
{
    return part->kind == MO_PART_TRIANGLE ? 3 : part->vertex_count;
}

static double part_reach(const mo_part *part, const double *v)
{
    double reach = 0, u[3];
    if (part->kind == MO_PART_PLANE)
        return HUGE_VAL;
    if (part->kind == MO_PART_CYLINDER)
        axis_of(v, u);
    for (uint32_t i = 0; i < own_vertices(part); i++, v += 3)
        reach = fmax(reach, part->kind == MO_PART_CYLINDER ? disc_reach(v, part->radius, u)
                                                           : vec3_norm(v) + part->radius);
    return reach;
}

/* axes: the columns are the directions to measure along */
static void widen(const mo_part *part, const double *v, const double axes[9], double low[3], double high[3])
{
    double r[3] = {part->radius, part->radius, part->radius}, u[3], x[3];
    if (part->kind == MO_PART_PLANE)
        vec3_set(low, -HUGE_VAL, -HUGE_VAL, -HUGE_VAL), vec3_set(high, HUGE_VAL, HUGE_VAL, HUGE_VAL);
    if (part->kind == MO_PART_CYLINDER) {
        // a disc across u reaches r sin(angle between u and the axis) along an axis
        axis_of(v, u);
        mat3_apply_transposed(axes, u, u);
        vec3_set(r, r[0] * hypot(u[1], u[2]), r[1] * hypot(u[2], u[0]), r[2] * hypot(u[0], u[1]));
    }
    for (uint32_t i = 0; i < own_vertices(part); i++, v += 3) {
        mat3_apply_transposed(axes, v, x);
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], x[k] - r[k]);
            high[k] = fmax(high[k], x[k] + r[k]);
        }
    }
}

void solid_extent(solid *s)
{
    double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
    double axes[9];
    quat_to_matrix(s->axes, axes);
    s->radius = 0;
    for (size_t i = 0; i < s->part_count; i++) {
        const double *v = s->vertices + 3 * (size_t)s->parts[i].vertex_first;
        s->radius = fmax(s->radius, part_reach(&s->parts[i], v));
        widen(&s->parts[i], v, axes, low, high);
    }
    // what is flat and was turned is flat to rounding only
    double flat = 16 * DBL_EPSILON * s->radius;
    s->size = HUGE_VAL;
    for (int k = 0; k < 3; k++)
        if (high[k] - low[k] > flat || s->radius == HUGE_VAL)
            s->size = fmin(s->size, high[k] - low[k]);
}
