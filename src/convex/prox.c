/*
 * Nearest points of every kind of set (M99 §2; the formulas are in docs/theory/convex.md §2-§5).
 */
#include "convex/set.h"

#include <math.h>

#include "convex/projector.h"
#include "core/fail.h"
#include "math/vec.h"

wedge wedge_of(const mo_set *coulomb)
{
    double mu = coulomb->friction, h = hypot(1, mu);
    if (coulomb->side == MO_CONE_SELF)
        return (wedge){mu / h, 1 / h, 1};
    return (wedge){1 / h, mu / h, coulomb->side == MO_CONE_DUAL ? 1 : -1};
}

static void coulomb_prox(const mo_set *set, const double *z, double *x)
{
    wedge w = wedge_of(set);
    double normal = w.sign * z[0], tangent = vec_norm(set->dim - 1, z + 1);
    if (normal >= 0 && w.beta * tangent <= w.alpha * normal) {
        vec_copy(set->dim, z, x);
        return;
    }
    // on the edge (beta, alpha), or at the apex when the edge is behind
    double s = fmax(w.beta * normal + w.alpha * tangent, 0);
    x[0] = w.sign * w.beta * s;
    double ratio = tangent > 0 ? w.alpha * s / tangent : 0;
    for (size_t j = 1; j < set->dim; j++)
        x[j] = ratio * z[j];
}

// x_T moved into the disc of the given radius
static void tangent_prox(size_t dim, double radius, const double *z, double *x)
{
    double length = vec_norm(dim - 1, z + 1), ratio = length > radius ? radius / length : 1;
    for (size_t j = 1; j < dim; j++)
        x[j] = ratio * z[j];
}

// x_1 of the point with multiplier m, g(m) of the theory page; tangents left in x
static double elliptic_point(const double axes[2], const double z[3], double m, double x[3])
{
    double w[2];
    for (int k = 0; k < 2; k++) {
        double a = axes[k];
        w[k] = a > 0 ? z[k + 1] * (a / (a * a + m)) : 0;
        x[k + 1] = a * w[k];
    }
    x[0] = hypot(w[0], w[1]);
    return x[0];
}

void elliptic_prox(const double axes[2], const double z[3], double x[3])
{
    double polar = hypot(axes[0] * z[1], axes[1] * z[2]);
    bool flat = (axes[0] == 0 && z[1] != 0) || (axes[1] == 0 && z[2] != 0);
    if (!flat && z[0] >= 0 && elliptic_point(axes, z, 0, x) <= z[0]) {
        vec_copy(3, z, x);
        return;
    }
    if (polar <= -z[0]) {
        vec_zero(3, x);
        return;
    }
    // (1 - m) g(m) = z_1 has one root m > 0, the left side falls: bracket it, then halve in the exponent
    double low = 1, high = 1;
    while ((1 - low) * elliptic_point(axes, z, low, x) <= z[0] && low > 1e-300)
        low *= 0x1p-8;
    while ((1 - high) * elliptic_point(axes, z, high, x) > z[0] && high < 1e300)
        high *= 0x1p8;
    for (int k = 0; k < 200 && high > low; k++) {
        double middle = high > 2 * low ? sqrt(low) * sqrt(high) : low + (high - low) / 2;
        if (!(middle > low && middle < high))
            break;
        if ((1 - middle) * elliptic_point(axes, z, middle, x) > z[0])
            low = middle;
        else
            high = middle;
    }
    // a flat cone may leave z_1 > 0 with no tangent at all: then the axis is nearest
    double g = elliptic_point(axes, z, high, x);
    if (g == 0 || (1 - high) * g < z[0])
        x[0] = fmax(x[0], z[0]);
}

static void elliptic_side_prox(const mo_set *set, const double *z, double *x)
{
    if (set->side == MO_CONE_SELF) {
        elliptic_prox(set->axes, z, x);
        return;
    }
    // Moreau's decomposition: polar part of z, or minus that of -z
    double s = set->side == MO_CONE_DUAL ? -1 : 1, y[3] = {s * z[0], s * z[1], s * z[2]};
    elliptic_prox(set->axes, y, x);
    for (int j = 0; j < 3; j++)
        x[j] = s * (y[j] - x[j]);
}

static void halfspace_prox(const mo_set *set, const double *z, double *x)
{
    double length = vec_norm(set->dim, set->vector), s = -set->offset / length;
    for (size_t j = 0; j < set->dim; j++)
        s += set->vector[j] / length * z[j];
    for (size_t j = 0; j < set->dim; j++)
        x[j] = z[j] - fmin(s, 0) * (set->vector[j] / length);
}

static void ball_prox(const mo_set *set, const double *z, double *x)
{
    for (size_t j = 0; j < set->dim; j++)
        x[j] = z[j] - (set->vector != NULL ? set->vector[j] : 0);
    double length = vec_norm(set->dim, x);
    if (!(length > set->radius)) {
        vec_copy(set->dim, z, x);
        return;
    }
    for (size_t j = 0; j < set->dim; j++)
        x[j] = x[j] * (set->radius / length) + (set->vector != NULL ? set->vector[j] : 0);
}

mo_status set_prox_rows(set_context *c, const mo_polyhedron *rows, const double *z, double *x, double *lambda)
{
    mo_projection_info info;
    mo_projector *p = c->workspace->projector;
    mo_status status = mo_projector_project(p, rows, z, NULL, 0, x, lambda, &info, c->err);
    if (status != MO_OK)
        return status;
    c->info.converged = c->info.converged && info.outcome == MO_PROJECTION_SOLVED;
    c->info.empty = c->info.empty || info.outcome == MO_PROJECTION_EMPTY;
    for (size_t i = 0; i < rows->rows; i++) {
        double b = rows->b != NULL ? rows->b[i] : 0;
        double miss = (b - vec_dot(rows->n, rows->A + i * rows->n, x)) * p->inverse[i];
        c->info.violation = fmax(c->info.violation, i < rows->equalities ? fabs(miss) : miss);
    }
    return MO_OK;
}

static mo_status moved_prox(set_context *c, const mo_set *set, const double *z, double *x)
{
    double *y, f = set->kind == MO_SET_SCALED ? set->factor : 1;
    mo_status status = set_push(c, set->dim, &y);
    if (status != MO_OK)
        return status;
    for (size_t j = 0; j < set->dim; j++)
        y[j] = (z[j] - (set->kind == MO_SET_TRANSLATE ? set->vector[j] : 0)) / f;
    status = set_prox(c, set->children, y, x);
    for (size_t j = 0; j < set->dim && status == MO_OK; j++) {
        // what was inside stays as it is, to the last bit
        if (x[j] == y[j])
            x[j] = z[j];
        else
            x[j] = f * x[j] + (set->kind == MO_SET_TRANSLATE ? set->vector[j] : 0);
    }
    return status;
}

static mo_status product_prox(set_context *c, const mo_set *set, const double *z, double *x)
{
    mo_status status = MO_OK;
    size_t at = 0;
    for (size_t i = 0; i < set->child_count && status == MO_OK; i++) {
        status = set_prox(c, &set->children[i], z + at, x + at);
        at += set->children[i].dim;
    }
    return status;
}

static mo_status polar_prox(set_context *c, const mo_set *set, const double *z, double *x)
{
    mo_status status = set_prox(c, set->children, z, x);
    for (size_t j = 0; j < set->dim; j++)
        x[j] = z[j] - x[j];
    return status;
}

/* Members of an intersection: the polyhedral ones together, then each curved one. */
typedef struct members {
    mo_polyhedron rows;
    bool has_rows;
    const mo_set *children;
    const size_t *curved; /* positions among children */
} members;

static mo_status member_prox(set_context *c, const void *data, size_t i, const double *z, double *x)
{
    const members *m = data;
    mo_status status;
    // violations of single members are measured by the caller
    double before = c->info.violation;
    if (m->has_rows && i == 0)
        status = set_prox_rows(c, &m->rows, z, x, NULL);
    else
        status = set_prox(c, &m->children[m->curved[i - m->has_rows]], z, x);
    c->info.violation = before;
    return status;
}

static mo_status intersection_prox(set_context *c, const mo_set *set, const double *z, double *x)
{
    members m = {.children = set->children};
    size_t curved = 0, *list = arena_push(&c->workspace->memory, set->child_count, sizeof *list);
    if (list == NULL)
        return fail(c->err, MO_NO_MEMORY, NULL, "no memory for %zu sets", set->child_count);
    for (size_t i = 0; i < set->child_count; i++)
        if (!mo_set_is_polyhedral(&set->children[i]))
            list[curved++] = i;
    m.curved = list;
    m.has_rows = curved < set->child_count;
    mo_status status = MO_OK;
    if (m.has_rows)
        status = set_rows(c, set->dim, set->child_count, set->children, &m.rows);
    if (status != MO_OK)
        return status;
    if (curved == 0)
        return set_prox_rows(c, &m.rows, z, x, NULL);
    dykstra d = {.n = set->dim, .count = curved + m.has_rows, .prox = member_prox, .data = &m};
    return dykstra_prox(c, &d, z, x);
}

mo_status set_prox(set_context *c, const mo_set *set, const double *z, double *x)
{
    switch (set->kind) {
    case MO_SET_HALFSPACE:
        halfspace_prox(set, z, x);
        return MO_OK;
    case MO_SET_AFFINE:
    case MO_SET_POLYHEDRON: {
        mo_polyhedron rows = {.n = set->dim,
                              .rows = set->row_count,
                              .equalities = set->kind == MO_SET_AFFINE ? set->row_count : 0,
                              .A = set->rows,
                              .b = set->rhs};
        return set_prox_rows(c, &rows, z, x, NULL);
    }
    case MO_SET_BALL:
        ball_prox(set, z, x);
        return MO_OK;
    case MO_SET_BOX:
        for (size_t j = 0; j < set->dim; j++)
            x[j] = fmin(fmax(z[j], set->lower[j]), set->upper[j]);
        return MO_OK;
    case MO_SET_COULOMB:
        coulomb_prox(set, z, x);
        return MO_OK;
    case MO_SET_ELLIPTIC:
        elliptic_side_prox(set, z, x);
        return MO_OK;
    case MO_SET_CYLINDER:
    case MO_SET_DISC:
        x[0] = set->kind == MO_SET_DISC ? set->offset : z[0];
        tangent_prox(set->dim, set->radius, z, x);
        return MO_OK;
    case MO_SET_TRANSLATE:
    case MO_SET_SCALED:
        return moved_prox(c, set, z, x);
    case MO_SET_PRODUCT:
        return product_prox(c, set, z, x);
    case MO_SET_INTERSECTION:
        return intersection_prox(c, set, z, x);
    case MO_SET_POLAR:
        return polar_prox(c, set, z, x);
    }
    return fail(c->err, MO_BAD_INPUT, "kind", "%d is no kind of set", (int)set->kind);
}
