/* Making and checking sets; workspaces. */
#include "convex/set.h"

#include <math.h>
#include <stdlib.h>

#include "core/fail.h"
#include "math/vec.h"

mo_set mo_set_halfspace(size_t dim, const double *normal, double offset)
{
    return (mo_set){.kind = MO_SET_HALFSPACE, .dim = dim, .vector = normal, .offset = offset};
}

mo_set mo_set_affine(size_t dim, size_t row_count, const double *rows, const double *rhs)
{
    return (mo_set){.kind = MO_SET_AFFINE, .dim = dim, .rows = rows, .rhs = rhs, .row_count = row_count};
}

mo_set mo_set_ball(size_t dim, const double *centre, double radius)
{
    return (mo_set){.kind = MO_SET_BALL, .dim = dim, .vector = centre, .radius = radius};
}

mo_set mo_set_box(size_t dim, const double *lower, const double *upper)
{
    return (mo_set){.kind = MO_SET_BOX, .dim = dim, .lower = lower, .upper = upper};
}

mo_set mo_set_polyhedron(size_t dim, size_t row_count, const double *rows, const double *rhs)
{
    return (mo_set){.kind = MO_SET_POLYHEDRON, .dim = dim, .rows = rows, .rhs = rhs, .row_count = row_count};
}

mo_set mo_set_coulomb(size_t dim, double friction, mo_cone_side side)
{
    return (mo_set){.kind = MO_SET_COULOMB, .dim = dim, .friction = friction, .side = side};
}

mo_set mo_set_elliptic(double axis2, double axis3, mo_cone_side side)
{
    return (mo_set){.kind = MO_SET_ELLIPTIC, .dim = 3, .axes = {axis2, axis3}, .side = side};
}

mo_set mo_set_cylinder(size_t dim, double radius)
{
    return (mo_set){.kind = MO_SET_CYLINDER, .dim = dim, .radius = radius};
}

mo_set mo_set_disc(size_t dim, double normal_force, double radius)
{
    return (mo_set){.kind = MO_SET_DISC, .dim = dim, .offset = normal_force, .radius = radius};
}

mo_set mo_set_translate(const mo_set *child, const double *by)
{
    return (mo_set){
        .kind = MO_SET_TRANSLATE, .dim = child->dim, .vector = by, .children = child, .child_count = 1};
}

mo_set mo_set_scaled(const mo_set *child, double factor)
{
    return (mo_set){
        .kind = MO_SET_SCALED, .dim = child->dim, .factor = factor, .children = child, .child_count = 1};
}

mo_set mo_set_product(size_t child_count, const mo_set *children)
{
    size_t dim = 0;
    for (size_t i = 0; i < child_count; i++)
        dim += children[i].dim;
    return (mo_set){.kind = MO_SET_PRODUCT, .dim = dim, .children = children, .child_count = child_count};
}

mo_set mo_set_intersection(size_t child_count, const mo_set *children)
{
    return (mo_set){.kind = MO_SET_INTERSECTION,
                    .dim = child_count > 0 ? children[0].dim : 0,
                    .children = children,
                    .child_count = child_count};
}

mo_set mo_set_polar(const mo_set *cone)
{
    return (mo_set){.kind = MO_SET_POLAR, .dim = cone->dim, .children = cone, .child_count = 1};
}

static mo_status check_vector(const double *x, size_t count, const char *name, mo_error *err)
{
    if (x == NULL)
        return fail(err, MO_BAD_INPUT, name, "NULL, expected %zu numbers", count);
    if (!vec_finite(count, x))
        return fail(err, MO_BAD_INPUT, name, "not finite");
    return MO_OK;
}

static mo_status check_size(double x, const char *name, mo_error *err)
{
    if (!(x >= 0) || isinf(x))
        return fail(err, MO_BAD_INPUT, name, "%g, expected a finite number >= 0", x);
    return MO_OK;
}

static mo_status check_rows(const mo_set *s, mo_error *err)
{
    mo_status status = MO_OK;
    if (s->row_count > 0)
        status = check_vector(s->rows, s->row_count * s->dim, "rows", err);
    if (status == MO_OK && s->rhs != NULL)
        status = check_vector(s->rhs, s->row_count, "rhs", err);
    return status;
}

static mo_status check_box(const mo_set *s, mo_error *err)
{
    if (s->lower == NULL || s->upper == NULL)
        return fail(err, MO_BAD_INPUT, "lower", "NULL, expected lower and upper bounds");
    for (size_t i = 0; i < s->dim; i++)
        if (!(s->lower[i] <= s->upper[i]) || s->lower[i] == HUGE_VAL || s->upper[i] == -HUGE_VAL)
            return fail(err, MO_BAD_INPUT, "lower",
                        "component %zu: bounds %g and %g, expected lower <= upper", i + 1, s->lower[i],
                        s->upper[i]);
    return MO_OK;
}

static mo_status check_halfspace(const mo_set *s, mo_error *err)
{
    mo_status status = check_vector(s->vector, s->dim, "vector", err);
    if (status == MO_OK && vec_max_abs(s->dim, s->vector) == 0)
        return fail(err, MO_BAD_INPUT, "vector", "a half-space with normal 0");
    if (status == MO_OK && !isfinite(s->offset))
        return fail(err, MO_BAD_INPUT, "offset", "%g, expected a finite number", s->offset);
    return status;
}

static mo_status check_cone(const mo_set *s, mo_error *err)
{
    if (s->side > MO_CONE_POLAR)
        return fail(err, MO_BAD_INPUT, "side", "%d is no side of a cone", (int)s->side);
    if (s->kind == MO_SET_ELLIPTIC && s->dim != 3)
        return fail(err, MO_BAD_INPUT, "dim", "%zu, expected 3 for an elliptic cone", s->dim);
    if (s->dim < 2)
        return fail(err, MO_BAD_INPUT, "dim", "%zu, expected at least 2 for a cone with an axis", s->dim);
    if (s->kind == MO_SET_COULOMB)
        return check_size(s->friction, "friction", err);
    mo_status status = check_size(s->axes[0], "axes", err);
    return status == MO_OK ? check_size(s->axes[1], "axes", err) : status;
}

static mo_status check_round(const mo_set *s, mo_error *err)
{
    if (s->kind != MO_SET_BALL && s->dim < 2)
        return fail(err, MO_BAD_INPUT, "dim", "%zu, expected at least 2 for a set with an axis", s->dim);
    if (s->kind == MO_SET_DISC && !isfinite(s->offset))
        return fail(err, MO_BAD_INPUT, "offset", "%g, expected a finite number", s->offset);
    mo_status status = check_size(s->radius, "radius", err);
    if (status == MO_OK && s->kind == MO_SET_BALL && s->vector != NULL)
        return check_vector(s->vector, s->dim, "vector", err);
    return status;
}

static mo_status check_tree(const mo_set *s, int depth, mo_error *err);

static mo_status check_children(const mo_set *s, int depth, mo_error *err)
{
    size_t sum = 0;
    if (s->children == NULL || s->child_count == 0)
        return fail(err, MO_BAD_INPUT, "children", "none, expected at least one");
    for (size_t i = 0; i < s->child_count; i++) {
        const mo_set *child = &s->children[i];
        sum += child->dim;
        if (s->kind != MO_SET_PRODUCT && child->dim != s->dim)
            return fail(err, MO_BAD_INPUT, "dim", "%zu, but child %zu has %zu", s->dim, i + 1, child->dim);
        mo_status status = check_tree(child, depth + 1, err);
        if (status != MO_OK)
            return status;
    }
    if (s->kind == MO_SET_PRODUCT && sum != s->dim)
        return fail(err, MO_BAD_INPUT, "dim", "%zu, but the factors have %zu together", s->dim, sum);
    if (s->kind == MO_SET_SCALED && (!isfinite(s->factor) || s->factor == 0))
        return fail(err, MO_BAD_INPUT, "factor", "%g, expected a finite number other than 0", s->factor);
    if (s->kind == MO_SET_POLAR && !mo_set_is_cone(s->children))
        return fail(err, MO_BAD_INPUT, "children", "the polar of a set that is not given as a cone");
    return s->kind == MO_SET_TRANSLATE ? check_vector(s->vector, s->dim, "vector", err) : MO_OK;
}

static mo_status check_tree(const mo_set *s, int depth, mo_error *err)
{
    if (depth > 32)
        return fail(err, MO_BAD_INPUT, "children", "nested more than 32 deep");
    if (s->dim == 0)
        return fail(err, MO_BAD_INPUT, "dim", "0, expected at least 1");
    switch (s->kind) {
    case MO_SET_HALFSPACE:
        return check_halfspace(s, err);
    case MO_SET_AFFINE:
    case MO_SET_POLYHEDRON:
        return check_rows(s, err);
    case MO_SET_BOX:
        return check_box(s, err);
    case MO_SET_COULOMB:
    case MO_SET_ELLIPTIC:
        return check_cone(s, err);
    case MO_SET_BALL:
    case MO_SET_CYLINDER:
    case MO_SET_DISC:
        return check_round(s, err);
    case MO_SET_TRANSLATE:
    case MO_SET_SCALED:
    case MO_SET_PRODUCT:
    case MO_SET_INTERSECTION:
    case MO_SET_POLAR:
        return check_children(s, depth, err);
    }
    return fail(err, MO_BAD_INPUT, "kind", "%d is no kind of set", (int)s->kind);
}

mo_status mo_set_check(const mo_set *set, mo_error *err)
{
    return check_tree(set, 0, err);
}

static bool all_children(const mo_set *s, bool (*test)(const mo_set *))
{
    for (size_t i = 0; i < s->child_count; i++)
        if (!test(&s->children[i]))
            return false;
    return true;
}

static bool box_is_cone(const mo_set *s)
{
    for (size_t i = 0; i < s->dim; i++)
        if ((s->lower[i] != 0 && !isinf(s->lower[i])) || (s->upper[i] != 0 && !isinf(s->upper[i])))
            return false;
    return true;
}

bool mo_set_is_cone(const mo_set *set)
{
    switch (set->kind) {
    case MO_SET_HALFSPACE:
        return set->offset == 0;
    case MO_SET_AFFINE:
    case MO_SET_POLYHEDRON:
        return set->rhs == NULL || vec_max_abs(set->row_count, set->rhs) == 0;
    case MO_SET_BOX:
        return box_is_cone(set);
    case MO_SET_COULOMB:
    case MO_SET_ELLIPTIC:
    case MO_SET_POLAR:
        return true;
    case MO_SET_SCALED:
    case MO_SET_PRODUCT:
    case MO_SET_INTERSECTION:
        return all_children(set, mo_set_is_cone);
    default:
        return false;
    }
}

bool mo_set_is_polyhedral(const mo_set *set)
{
    switch (set->kind) {
    case MO_SET_HALFSPACE:
    case MO_SET_AFFINE:
    case MO_SET_BOX:
    case MO_SET_POLYHEDRON:
        return true;
    case MO_SET_COULOMB:
        return set->dim == 2;
    case MO_SET_TRANSLATE:
    case MO_SET_SCALED:
    case MO_SET_PRODUCT:
    case MO_SET_INTERSECTION:
        return all_children(set, mo_set_is_polyhedral);
    default:
        return false;
    }
}

mo_status mo_set_workspace_create(mo_set_workspace **out, mo_error *err)
{
    mo_set_workspace *w = calloc(1, sizeof *w);
    if (w == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for a workspace");
    mo_status status = mo_projector_create(&w->projector, err);
    if (status == MO_OK)
        *out = w;
    else
        free(w);
    return status;
}

void mo_set_workspace_destroy(mo_set_workspace *workspace)
{
    if (workspace == NULL)
        return;
    arena_free(&workspace->memory);
    mo_projector_destroy(workspace->projector);
    free(workspace);
}

mo_status set_push(set_context *c, size_t count, double **out)
{
    *out = arena_push(&c->workspace->memory, count, sizeof **out);
    if (*out == NULL)
        return fail(c->err, MO_NO_MEMORY, NULL, "no memory for %zu numbers", count);
    return MO_OK;
}
