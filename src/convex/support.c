/*
 * Support functions, and the public calls on sets.
 *
 * A cone's support function is 0 on its polar and infinite elsewhere.  That of a polyhedron is a linear
 * programme: x := prox(C, x + t v) stops at a maximiser of v.x after finitely many steps
 * (docs/theory/convex.md §8).
 */
#include "convex/set.h"

#include <math.h>

#include "core/fail.h"
#include "math/vec.h"

/* Something that can be projected onto: rows, or a set when rows is NULL. */
typedef struct target {
    const mo_polyhedron *rows;
    const mo_set *set;
    size_t n;
} target;

static mo_status target_prox(set_context *c, const target *t, const double *z, double *x)
{
    return t->rows != NULL ? set_prox_rows(c, t->rows, z, x, NULL) : set_prox(c, t->set, z, x);
}

// climbs along v by proximal steps; value -HUGE_VAL when empty, HUGE_VAL when it runs away
static mo_status climb(set_context *c, const target *t, const double *v, double exactness, double *value)
{
    size_t n = t->n;
    double *x, *y, *z, speed = vec_norm(n, v);
    mo_status status = set_push(c, n, &x);
    if (status == MO_OK)
        status = set_push(c, n, &y);
    if (status == MO_OK)
        status = set_push(c, n, &z);
    if (status != MO_OK)
        return status;
    vec_zero(n, z);
    status = target_prox(c, t, z, x);
    double step = vec_norm(n, x) + 1, far = 1e12 * step;
    bool done = speed == 0;
    for (int k = 0; k < 200 && !done && !c->info.empty && status == MO_OK; k++) {
        for (size_t j = 0; j < n; j++)
            z[j] = x[j] + step * (v[j] / speed);
        arena_mark mark = arena_here(&c->workspace->memory);
        status = target_prox(c, t, z, y);
        arena_back(&c->workspace->memory, mark);
        done = vec_distance(n, x, y) <= exactness * (step + vec_norm(n, y));
        vec_copy(n, y, x);
        // longer steps until nothing moves, but not so long that x drowns in rounding
        if (step < 4 * (1 + vec_norm(n, x)))
            step *= 2;
        if (vec_norm(n, x) > far)
            break;
    }
    c->info.converged = c->info.converged && done;
    *value = c->info.empty ? -HUGE_VAL : vec_norm(n, x) > far ? HUGE_VAL : vec_dot(n, v, x);
    return status;
}

// {x : A x >= b}: unbounded unless v is in the polar of {d : A d >= 0}
static mo_status rows_support(set_context *c, const mo_polyhedron *rows, const double *v, double tol,
                              double *value)
{
    double *away, size = vec_norm(rows->n, v);
    mo_polyhedron recession = *rows;
    recession.b = NULL;
    mo_status status = set_push(c, rows->n, &away);
    if (status == MO_OK)
        status = set_prox_rows(c, &recession, v, away, NULL);
    if (status != MO_OK)
        return status;
    bool bounded = vec_norm(rows->n, away) <= tol * size;
    for (size_t j = 0; j < rows->n; j++)
        away[j] = bounded ? v[j] - away[j] : 0;
    target t = {.rows = rows, .n = rows->n};
    status = climb(c, &t, away, 1e-13, value);
    // emptiness comes before unboundedness
    if (!bounded && !c->info.empty)
        *value = HUGE_VAL;
    return status;
}

// sum of v_j times the bound it points to
static double box_support(const mo_set *s, const double *v, double tol)
{
    double sum = 0, size = vec_norm(s->dim, v);
    for (size_t j = 0; j < s->dim; j++) {
        double bound = v[j] > 0 ? s->upper[j] : s->lower[j];
        if (isinf(bound) && fabs(v[j]) > tol * size)
            return HUGE_VAL;
        if (!isinf(bound))
            sum += v[j] * bound;
    }
    return sum;
}

static mo_status set_support(set_context *c, const mo_set *s, const double *v, double tol, double *value);

static mo_status cone_support(set_context *c, const mo_set *s, const double *v, double tol, double *value)
{
    double *x;
    mo_status status = set_push(c, s->dim, &x);
    if (status == MO_OK)
        status = set_prox(c, s, v, x);
    if (status == MO_OK)
        *value = vec_norm(s->dim, x) <= tol * vec_norm(s->dim, v) ? 0 : HUGE_VAL;
    return status;
}

static mo_status moved_support(set_context *c, const mo_set *s, const double *v, double tol, double *value)
{
    double *w, f = s->kind == MO_SET_SCALED ? s->factor : 1;
    mo_status status = set_push(c, s->dim, &w);
    if (status != MO_OK)
        return status;
    for (size_t j = 0; j < s->dim; j++)
        w[j] = f * v[j];
    status = set_support(c, s->children, w, tol, value);
    if (status == MO_OK && s->kind == MO_SET_TRANSLATE)
        *value += vec_dot(s->dim, v, s->vector);
    return status;
}

static mo_status product_support(set_context *c, const mo_set *s, const double *v, double tol, double *value)
{
    mo_status status = MO_OK;
    double sum = 0, part = 0, size = vec_norm(s->dim, v);
    bool empty = false;
    size_t at = 0;
    for (size_t i = 0; i < s->child_count && status == MO_OK; i++) {
        // the tolerance is on the whole of v
        size_t dim = s->children[i].dim;
        double own = vec_norm(dim, v + at);
        status = set_support(c, &s->children[i], v + at, own > 0 ? fmin(tol * size / own, 1) : tol, &part);
        empty = empty || part == -HUGE_VAL;
        sum += part;
        at += dim;
    }
    *value = empty ? -HUGE_VAL : sum;
    return status;
}

static mo_status curved_support(set_context *c, const mo_set *s, const double *v, double *value)
{
    target t = {.set = s, .n = s->dim};
    return climb(c, &t, v, 1e-9, value);
}

static mo_status polyhedral_support(set_context *c, const mo_set *s, const double *v, double tol,
                                    double *value)
{
    mo_polyhedron rows;
    mo_status status = set_rows(c, s->dim, 1, s, &rows);
    return status == MO_OK ? rows_support(c, &rows, v, tol, value) : status;
}

static mo_status set_support(set_context *c, const mo_set *s, const double *v, double tol, double *value)
{
    size_t n = s->dim;
    if (mo_set_is_cone(s))
        return cone_support(c, s, v, tol, value);
    switch (s->kind) {
    case MO_SET_BALL:
        *value = s->radius * vec_norm(n, v) + (s->vector != NULL ? vec_dot(n, s->vector, v) : 0);
        return MO_OK;
    case MO_SET_BOX:
        *value = box_support(s, v, tol);
        return MO_OK;
    case MO_SET_CYLINDER:
        *value = fabs(v[0]) > tol * vec_norm(n, v) ? HUGE_VAL : s->radius * vec_norm(n - 1, v + 1);
        return MO_OK;
    case MO_SET_DISC:
        *value = s->offset * v[0] + s->radius * vec_norm(n - 1, v + 1);
        return MO_OK;
    case MO_SET_TRANSLATE:
    case MO_SET_SCALED:
        return moved_support(c, s, v, tol, value);
    case MO_SET_PRODUCT:
        return product_support(c, s, v, tol, value);
    default:
        return mo_set_is_polyhedral(s) ? polyhedral_support(c, s, v, tol, value)
                                       : curved_support(c, s, v, value);
    }
}

// what every public call begins with
static mo_status begin(set_context *c, const mo_set *set, const double *z, mo_set_workspace *workspace,
                       mo_error *err)
{
    *c = (set_context){.workspace = workspace, .err = err, .info.converged = true};
    arena_reset(&workspace->memory);
    mo_status status = mo_set_check(set, err);
    if (status == MO_OK && !vec_finite(set->dim, z))
        return fail(err, MO_BAD_INPUT, "z", "not finite");
    return status;
}

static mo_status check_tol(double tol, mo_error *err)
{
    if (!(tol >= 0) || isinf(tol))
        return fail(err, MO_BAD_INPUT, "tol", "%g, expected a finite number >= 0", tol);
    return MO_OK;
}

// nearest point in memory of the workspace
static mo_status nearest(set_context *c, const mo_set *set, const double *z, mo_set_workspace *workspace,
                         double **x, mo_set_info *info, mo_error *err)
{
    mo_status status = begin(c, set, z, workspace, err);
    if (status == MO_OK)
        status = set_push(c, set->dim, x);
    if (status == MO_OK)
        status = set_prox(c, set, z, *x);
    if (status == MO_OK && info != NULL)
        *info = c->info;
    return status;
}

mo_status mo_set_prox(const mo_set *set, const double *z, double *x, mo_set_workspace *workspace,
                      mo_set_info *info, mo_error *err)
{
    set_context c;
    double *y;
    mo_status status = nearest(&c, set, z, workspace, &y, info, err);
    if (status == MO_OK)
        vec_copy(set->dim, y, x);
    return status;
}

mo_status mo_set_distance(const mo_set *set, const double *z, double *distance, mo_set_workspace *workspace,
                          mo_set_info *info, mo_error *err)
{
    set_context c;
    double *y;
    mo_status status = nearest(&c, set, z, workspace, &y, info, err);
    if (status == MO_OK)
        *distance = c.info.empty ? HUGE_VAL : vec_distance(set->dim, z, y);
    return status;
}

mo_status mo_set_contains(const mo_set *set, const double *x, double tol, bool *inside,
                          mo_set_workspace *workspace, mo_error *err)
{
    double distance;
    mo_status status = check_tol(tol, err);
    if (status == MO_OK)
        status = mo_set_distance(set, x, &distance, workspace, NULL, err);
    if (status == MO_OK)
        *inside = distance <= tol;
    return status;
}

mo_status mo_set_support(const mo_set *set, const double *v, double tol, double *value,
                         mo_set_workspace *workspace, mo_set_info *info, mo_error *err)
{
    set_context c;
    double result;
    mo_status status = check_tol(tol, err);
    if (status == MO_OK)
        status = begin(&c, set, v, workspace, err);
    if (status == MO_OK)
        status = set_support(&c, set, v, tol, &result);
    if (status != MO_OK)
        return status;
    *value = result;
    if (info != NULL)
        *info = c.info;
    return MO_OK;
}

mo_status mo_set_normal_distance(const mo_set *set, const double *x, const double *v, double tol,
                                 double *distance, mo_set_workspace *workspace, mo_set_info *info,
                                 mo_error *err)
{
    set_context c;
    double *y, *p;
    mo_status status = check_tol(tol, err);
    if (status == MO_OK && !vec_finite(set->dim, v))
        return fail(err, MO_BAD_INPUT, "v", "not finite");
    if (status == MO_OK)
        status = nearest(&c, set, x, workspace, &y, NULL, err);
    if (status == MO_OK)
        status = set_push(&c, set->dim, &p);
    bool outside = status == MO_OK && (c.info.empty || vec_distance(set->dim, x, y) > tol);
    if (status == MO_OK && !outside) {
        c.info = (mo_set_info){.converged = true};
        status = set_normal_prox(&c, set, x, tol, v, p);
    }
    if (status != MO_OK)
        return status;
    *distance = outside ? HUGE_VAL : vec_distance(set->dim, v, p);
    if (info != NULL)
        *info = c.info;
    return MO_OK;
}

// {S : (1, S) in cone} by rows; support function at -T
static mo_status section_support(set_context *c, const mo_set *cone, const double *T, double *phi)
{
    mo_polyhedron rows;
    double *A, *b, *v;
    size_t n = cone->dim - 1;
    mo_status status = set_rows(c, n + 1, 1, cone, &rows);
    if (status == MO_OK)
        status = set_push(c, rows.rows * n, &A);
    if (status == MO_OK)
        status = set_push(c, rows.rows, &b);
    if (status == MO_OK)
        status = set_push(c, n, &v);
    if (status != MO_OK)
        return status;
    for (size_t i = 0; i < rows.rows; i++) {
        b[i] = rows.b[i] - rows.A[i * (n + 1)];
        vec_copy(n, rows.A + i * (n + 1) + 1, A + i * n);
    }
    for (size_t j = 0; j < n; j++)
        v[j] = -T[j];
    mo_polyhedron section = {.n = n, .rows = rows.rows, .equalities = rows.equalities, .A = A, .b = b};
    return rows_support(c, &section, v, 1e-12, phi);
}

mo_status mo_cone_dissipation(const mo_set *cone, const double *T, double *phi, mo_set_workspace *workspace,
                              mo_error *err)
{
    set_context c = {.workspace = workspace, .err = err, .info.converged = true};
    mo_status status = mo_set_check(cone, err);
    if (status != MO_OK)
        return status;
    arena_reset(&workspace->memory);
    if (cone->dim < 2 || !mo_set_is_cone(cone))
        return fail(err, MO_BAD_INPUT, "kind", "dissipation of a set that is no cone with an axis");
    if (!vec_finite(cone->dim - 1, T))
        return fail(err, MO_BAD_INPUT, "T", "not finite");
    bool self = cone->side == MO_CONE_SELF;
    if (cone->kind == MO_SET_COULOMB && self)
        *phi = cone->friction * vec_norm(cone->dim - 1, T);
    else if (cone->kind == MO_SET_ELLIPTIC && self)
        *phi = hypot(cone->axes[0] * T[0], cone->axes[1] * T[1]);
    else if (mo_set_is_polyhedral(cone))
        return section_support(&c, cone, T, phi);
    else
        return fail(err, MO_BAD_INPUT, "kind",
                    "dissipation of a cone neither Coulomb, elliptic nor polyhedral");
    return MO_OK;
}
