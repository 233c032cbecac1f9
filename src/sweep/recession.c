/*
 * Recession cones {r : y + r in C for every y in C} of closed convex sets: right sides become 0, bounded
 * members {0}, cones stay; products and intersections that are not empty are taken member by member
 * (R. T. Rockafellar, Convex Analysis (1970), section 8).
 */
#include "sweep/recession.h"

#include <math.h>

static mo_set only_zero(size_t dim)
{
    return mo_set_ball(dim, NULL, 0);
}

/* a finite bound holds every direction, an infinite one none */
static double *free_bounds(arena *work, size_t dim, const double *bound)
{
    double *out = arena_push(work, dim, sizeof *out);
    for (size_t i = 0; i < dim && out != NULL; i++)
        out[i] = isinf(bound[i]) ? bound[i] : 0;
    return out;
}

static bool box_recession(arena *work, const mo_set *set, mo_set *out)
{
    double *lower = free_bounds(work, set->dim, set->lower), *upper = free_bounds(work, set->dim, set->upper);
    if (lower == NULL || upper == NULL)
        return false;
    *out = mo_set_box(set->dim, lower, upper);
    return true;
}

/* the same node over the recession cones of its children */
static bool children_recession(arena *work, const mo_set *set, mo_set *out)
{
    mo_set *children = arena_push(work, set->child_count, sizeof *children);
    if (children == NULL)
        return false;
    for (size_t i = 0; i < set->child_count; i++)
        if (!recession_cone(work, &set->children[i], &children[i]))
            return false;
    *out = *set;
    out->children = children;
    return true;
}

bool recession_cone(arena *work, const mo_set *set, mo_set *out)
{
    switch (set->kind) {
    case MO_SET_BALL:
    case MO_SET_DISC:
        *out = only_zero(set->dim);
        return true;
    case MO_SET_BOX:
        return box_recession(work, set, out);
    case MO_SET_TRANSLATE:
        return recession_cone(work, &set->children[0], out);
    case MO_SET_SCALED:
    case MO_SET_PRODUCT:
    case MO_SET_INTERSECTION:
        return children_recession(work, set, out);
    default:
        // half-spaces, rows, cylinders; cones stay as they are
        *out = *set;
        out->offset = out->radius = 0;
        out->rhs = NULL;
        return true;
    }
}
