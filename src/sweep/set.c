/* Moving sets: makers, checks, the public functions of gaps. */
#include <math.h>

#include "core/fail.h"
#include "math/vec.h"
#include "sweep/internal.h"

mo_moving_set mo_moving_ball(size_t dim, mo_timed centre, mo_timed radius)
{
    return (mo_moving_set){.kind = MO_MOVING_BALL, .dim = dim, .a = centre, .b = radius};
}

mo_moving_set mo_moving_box(size_t dim, mo_timed centre, mo_timed radius)
{
    return (mo_moving_set){.kind = MO_MOVING_BOX, .dim = dim, .a = centre, .b = radius};
}

mo_moving_set mo_moving_polyhedron(size_t dim, size_t rows, mo_timed A, mo_timed b)
{
    return (mo_moving_set){.kind = MO_MOVING_POLYHEDRON, .dim = dim, .rows = rows, .a = A, .b = b};
}

mo_moving_set mo_moving_gaps(size_t dim, size_t rows, mo_gap_function gaps, void *data)
{
    return (mo_moving_set){.kind = MO_MOVING_GAPS, .dim = dim, .rows = rows, .gaps = gaps, .data = data};
}

mo_moving_set mo_moving_discs(size_t discs, const double *radius, size_t wall_count, const double *walls)
{
    return (mo_moving_set){.kind = MO_MOVING_DISCS,
                           .dim = 2 * discs,
                           .radius = radius,
                           .walls = walls,
                           .wall_count = wall_count};
}

mo_moving_set mo_moving_convex(const mo_set *set)
{
    return (mo_moving_set){.kind = MO_MOVING_CONVEX, .dim = set->dim, .convex = set};
}

mo_moving_set mo_moving_translate(const mo_moving_set *child, mo_timed by)
{
    return (mo_moving_set){
        .kind = MO_MOVING_TRANSLATE, .dim = child->dim, .a = by, .children = child, .child_count = 1};
}

mo_moving_set mo_moving_intersection(size_t child_count, const mo_moving_set *children)
{
    return (mo_moving_set){.kind = MO_MOVING_INTERSECTION,
                           .dim = child_count > 0 ? children[0].dim : 0,
                           .children = children,
                           .child_count = child_count};
}

static mo_status check_finite(const mo_timed *values, size_t count, const char *key, mo_error *err)
{
    for (size_t i = 0; values->function == NULL && values->value != NULL && i < count; i++)
        if (!isfinite(values->value[i]))
            return fail(err, MO_BAD_INPUT, key, "number %zu of %zu is %g, expected a finite number", i + 1,
                        count, values->value[i]);
    return MO_OK;
}

static mo_status check_radius(const mo_timed *values, size_t count, mo_error *err)
{
    mo_status status = check_finite(values, count, "radius", err);
    for (size_t i = 0; status == MO_OK && values->function == NULL && values->value != NULL && i < count; i++)
        if (values->value[i] < 0)
            return fail(err, MO_BAD_INPUT, "radius", "number %zu of %zu is %g, expected 0 or more", i + 1,
                        count, values->value[i]);
    return status;
}

static mo_status check_discs(const mo_moving_set *set, mo_error *err)
{
    if (set->dim % 2 != 0)
        return fail(err, MO_BAD_INPUT, "dim", "%zu unknowns for discs, expected 2 for each", set->dim);
    if (set->radius == NULL)
        return fail(err, MO_BAD_INPUT, "radius", "none given, expected %zu", set->dim / 2);
    for (size_t i = 0; i < set->dim / 2; i++)
        if (!(set->radius[i] > 0) || !isfinite(set->radius[i]))
            return fail(err, MO_BAD_INPUT, "radius", "disc %zu has radius %g, expected a number > 0", i + 1,
                        set->radius[i]);
    if (set->walls == NULL && set->wall_count > 0)
        return fail(err, MO_BAD_INPUT, "walls", "none given, expected %zu", set->wall_count);
    if (set->wall_count > INT32_MAX)
        return fail(err, MO_BAD_INPUT, "walls", "%zu walls, expected at most %d", set->wall_count, INT32_MAX);
    for (size_t i = 0; i < 4 * set->wall_count; i++)
        if (!isfinite(set->walls[i]))
            return fail(err, MO_BAD_INPUT, "walls", "wall %zu is not finite", i / 4 + 1);
    return MO_OK;
}

static mo_status check_rows(const mo_moving_set *set, mo_error *err)
{
    if (set->rows == 0 || set->rows > INT32_MAX / set->dim)
        return fail(err, MO_BAD_INPUT, "rows", "%zu gaps in %zu unknowns, expected 1 to %zu", set->rows,
                    set->dim, INT32_MAX / set->dim);
    if (set->kind == MO_MOVING_GAPS)
        return set->gaps != NULL ? MO_OK : fail(err, MO_BAD_INPUT, "gaps", "no function given");
    mo_status status = check_finite(&set->a, set->rows * set->dim, "a", err);
    return status == MO_OK ? check_finite(&set->b, set->rows, "b", err) : status;
}

static mo_status check_set(const mo_moving_set *set, size_t depth, bool in_intersection, mo_error *err);

static mo_status check_children(const mo_moving_set *set, size_t depth, bool in_intersection, mo_error *err)
{
    if (depth + 1 >= MOVING_DEPTH)
        return fail(err, MO_BAD_INPUT, "children", "sets nested deeper than %d", MOVING_DEPTH);
    if (set->child_count == 0 || set->children == NULL)
        return fail(err, MO_BAD_INPUT, "children", "no set given");
    if (set->kind == MO_MOVING_TRANSLATE && set->child_count != 1)
        return fail(err, MO_BAD_INPUT, "children", "%zu sets to translate, expected 1", set->child_count);
    for (size_t i = 0; i < set->child_count; i++) {
        if (set->children[i].dim != set->dim)
            return fail(err, MO_BAD_INPUT, "dim", "set %zu has %zu unknowns, expected %zu", i + 1,
                        set->children[i].dim, set->dim);
        bool together = in_intersection || set->kind == MO_MOVING_INTERSECTION;
        mo_status status = check_set(&set->children[i], depth + 1, together, err);
        if (status != MO_OK)
            return status;
    }
    return set->kind == MO_MOVING_TRANSLATE ? check_finite(&set->a, set->dim, "by", err) : MO_OK;
}

static mo_status check_convex(const mo_moving_set *set, bool in_intersection, mo_error *err)
{
    if (set->convex == NULL || set->convex->dim != set->dim)
        return fail(err, MO_BAD_INPUT, "convex", "no convex set of %zu unknowns", set->dim);
    if (in_intersection)
        return fail(
            err, MO_BAD_INPUT, "convex",
            "a convex set without gaps in an intersection: intersect convex sets first, or give gaps");
    return mo_set_check(set->convex, err);
}

static mo_status check_set(const mo_moving_set *set, size_t depth, bool in_intersection, mo_error *err)
{
    if (set->dim == 0 || set->dim > INT32_MAX / 128)
        return fail(err, MO_BAD_INPUT, "dim", "%zu unknowns, expected 1 to %d", set->dim, INT32_MAX / 128);
    mo_status status = MO_OK;
    switch (set->kind) {
    case MO_MOVING_BALL:
    case MO_MOVING_BOX:
        status = check_finite(&set->a, set->dim, "centre", err);
        if (status == MO_OK)
            status = check_radius(&set->b, set->kind == MO_MOVING_BALL ? 1 : set->dim, err);
        return status;
    case MO_MOVING_POLYHEDRON:
    case MO_MOVING_GAPS:
        return check_rows(set, err);
    case MO_MOVING_DISCS:
        return check_discs(set, err);
    case MO_MOVING_CONVEX:
        return check_convex(set, in_intersection, err);
    case MO_MOVING_TRANSLATE:
    case MO_MOVING_INTERSECTION:
        return check_children(set, depth, in_intersection, err);
    }
    return fail(err, MO_BAD_INPUT, "kind", "%d is no kind of moving set", (int)set->kind);
}

mo_status mo_moving_set_check(const mo_moving_set *set, mo_error *err)
{
    return check_set(set, 0, false, err);
}

size_t mo_moving_set_multipliers(const mo_moving_set *set)
{
    size_t sum = 0;
    switch (set->kind) {
    case MO_MOVING_BALL:
        return 1;
    case MO_MOVING_BOX:
        return 2 * set->dim;
    case MO_MOVING_POLYHEDRON:
    case MO_MOVING_GAPS:
        return set->rows;
    case MO_MOVING_DISCS:
        return set->dim / 2;
    case MO_MOVING_CONVEX:
        return 0;
    case MO_MOVING_TRANSLATE:
    case MO_MOVING_INTERSECTION:
        for (size_t i = 0; i < set->child_count; i++)
            sum += mo_moving_set_multipliers(&set->children[i]);
    }
    return sum;
}

mo_status mo_moving_set_gaps(const mo_moving_set *set, double t, const double *x, double *g, mo_error *err)
{
    moving *m = NULL;
    mo_status status = mo_moving_set_check(set, err);
    if (status == MO_OK)
        status = moving_create(set, &m, err);
    if (status == MO_OK)
        status = moving_set_time(m, t, false, err);
    if (status == MO_OK)
        status = moving_gaps(m, x, g, err);
    if (status == STEP_NOT_MADE)
        status = fail(err, MO_BAD_INPUT, "gaps", "%s", m->message);
    moving_destroy(m);
    return status;
}
