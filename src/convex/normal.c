/*
 * Nearest points of normal cones.  N(x) is the polar of the tangent cone T(x): dist(v, N(x)) = |prox(T(x),
 * v)|, and for intersections T is the intersection of the members' tangent cones (docs/theory/convex.md §7).
 */
#include "convex/set.h"

#include <math.h>

#include "math/vec.h"

// p := nearest point to v on the ray of d (any length > 0)
static void ray_prox(size_t n, const double *d, const double *v, double *p)
{
    double length = vec_norm(n, d), s = 0;
    for (size_t j = 0; j < n; j++)
        s += d[j] / length * v[j];
    for (size_t j = 0; j < n; j++)
        p[j] = fmax(s, 0) * (d[j] / length);
}

// normal cone of the ball of the given radius about 0
static void round_normal(size_t n, double radius, const double *x, double tol, const double *v, double *p)
{
    double length = vec_norm(n, x);
    if (radius == 0)
        vec_copy(n, v, p);
    else if (length >= radius - tol && length > 0)
        ray_prox(n, x, v, p);
    else
        vec_zero(n, p);
}

static void halfspace_normal(const mo_set *s, const double *x, double tol, const double *v, double *p)
{
    double length = vec_norm(s->dim, s->vector), slack = -s->offset / length;
    for (size_t j = 0; j < s->dim; j++) {
        slack += s->vector[j] / length * x[j];
        p[j] = -v[j];
    }
    if (slack > tol) {
        vec_zero(s->dim, p);
        return;
    }
    ray_prox(s->dim, s->vector, p, p);
    for (size_t j = 0; j < s->dim; j++)
        p[j] = -p[j];
}

static void box_normal(const mo_set *s, const double *x, double tol, const double *v, double *p)
{
    for (size_t j = 0; j < s->dim; j++) {
        double low = x[j] - s->lower[j] <= tol ? -HUGE_VAL : 0,
               high = s->upper[j] - x[j] <= tol ? HUGE_VAL : 0;
        p[j] = fmin(fmax(v[j], low), high);
    }
}

static void coulomb_normal(const mo_set *s, const double *x, double tol, const double *v, double *p)
{
    wedge w = wedge_of(s);
    size_t n = s->dim;
    double size = vec_norm(n, x), tangent = vec_norm(n - 1, x + 1), normal = w.sign * x[0];
    if (w.alpha * size <= tol && size > tol) {
        // thinner than tol: a half-line along the axis
        vec_copy(n, v, p);
        p[0] = 0;
        return;
    }
    vec_zero(n, p);
    if (w.alpha * normal - w.beta * tangent > tol)
        return;
    // outward normal of the edge (beta, alpha) through x
    double s_out = 0, ratio = tangent > 0 ? w.beta / tangent : 0;
    for (size_t j = 1; j < n; j++)
        s_out += ratio * x[j] * v[j];
    s_out = fmax(s_out - w.sign * w.alpha * v[0], 0);
    p[0] = -w.sign * w.alpha * s_out;
    for (size_t j = 1; j < n; j++)
        p[j] = ratio * x[j] * s_out;
}

static void elliptic_normal(const mo_set *s, const double *x, double tol, const double *v, double *p)
{
    // |(c_1 x_2, c_2 x_3)| <= sign x_1
    double sign = s->side == MO_CONE_POLAR ? -1 : 1, c[2], out[3] = {-sign, 0, 0};
    for (int k = 0; k < 2; k++)
        c[k] = s->side == MO_CONE_SELF ? 1 / s->axes[k] : s->axes[k];
    double q = hypot(c[0] * x[1], c[1] * x[2]);
    for (int k = 0; k < 2 && q > 0; k++)
        out[k + 1] = c[k] * (c[k] * x[k + 1] / q);
    vec_zero(3, p);
    if (sign * x[0] - q <= tol * vec_norm(3, out))
        ray_prox(3, out, v, p);
}

// rows that hold x, as a cone of directions: equalities and active rows
static mo_status rows_normal(set_context *c, const mo_polyhedron *rows, const double *x, double tol,
                             const double *v, double *p)
{
    size_t n = rows->n;
    double *A;
    mo_polyhedron tangent = {.n = n, .rows = rows->equalities, .equalities = rows->equalities};
    mo_status status = set_push(c, rows->rows * n, &A);
    if (status != MO_OK)
        return status;
    vec_copy(rows->equalities * n, rows->A, A);
    for (size_t i = rows->equalities; i < rows->rows; i++) {
        const double *a = rows->A + i * n;
        double slack = vec_dot(n, a, x) - (rows->b != NULL ? rows->b[i] : 0);
        if (slack <= tol * vec_norm(n, a))
            vec_copy(n, a, A + n * tangent.rows++);
    }
    tangent.A = A;
    status = set_prox_rows(c, &tangent, v, p, NULL);
    for (size_t j = 0; j < n; j++)
        p[j] = v[j] - p[j];
    return status;
}

static mo_status polyhedral_normal(set_context *c, const mo_set *s, const double *x, double tol,
                                   const double *v, double *p)
{
    mo_polyhedron rows;
    mo_status status = set_rows(c, s->dim, 1, s, &rows);
    return status == MO_OK ? rows_normal(c, &rows, x, tol, v, p) : status;
}

static mo_status moved_normal(set_context *c, const mo_set *s, const double *x, double tol, const double *v,
                              double *p)
{
    bool scaled = s->kind == MO_SET_SCALED;
    double *y, *w, f = scaled ? s->factor : 1, sign = f > 0 ? 1 : -1;
    mo_status status = set_push(c, s->dim, &y);
    if (status == MO_OK)
        status = set_push(c, s->dim, &w);
    if (status != MO_OK)
        return status;
    for (size_t j = 0; j < s->dim; j++) {
        y[j] = scaled ? x[j] / f : x[j] - s->vector[j];
        w[j] = sign * v[j];
    }
    status = set_normal_prox(c, s->children, y, tol / fabs(f), w, p);
    for (size_t j = 0; j < s->dim; j++)
        p[j] *= sign;
    return status;
}

/* What the members' tangent cones depend on. */
typedef struct tangents {
    const mo_set *children;
    const double *x;
    double tol;
} tangents;

static mo_status tangent_prox(set_context *c, const void *data, size_t i, const double *z, double *d)
{
    const tangents *t = data;
    double before = c->info.violation;
    mo_status status = set_normal_prox(c, &t->children[i], t->x, t->tol, z, d);
    c->info.violation = before;
    for (size_t j = 0; j < t->children[i].dim; j++)
        d[j] = z[j] - d[j];
    return status;
}

static mo_status intersection_normal(set_context *c, const mo_set *s, const double *x, double tol,
                                     const double *v, double *p)
{
    if (mo_set_is_polyhedral(s))
        return polyhedral_normal(c, s, x, tol, v, p);
    tangents t = {s->children, x, tol};
    dykstra d = {.n = s->dim, .count = s->child_count, .prox = tangent_prox, .data = &t};
    mo_status status = dykstra_prox(c, &d, v, p);
    for (size_t j = 0; j < s->dim; j++)
        p[j] = v[j] - p[j];
    return status;
}

// of a product, or of its polar, which is the product of the polars
static mo_status product_normal(set_context *c, const mo_set *s, bool polars, const double *x, double tol,
                                const double *v, double *p)
{
    mo_status status = MO_OK;
    size_t at = 0;
    for (size_t i = 0; i < s->child_count && status == MO_OK; i++) {
        mo_set factor = polars ? mo_set_polar(&s->children[i]) : s->children[i];
        status = set_normal_prox(c, &factor, x + at, tol, v + at, p + at);
        at += factor.dim;
    }
    return status;
}

// K given by rows: N at x in the polar is {d in K : x.d = 0}, the rows that make up x becoming equalities
static mo_status polar_rows_normal(set_context *c, const mo_set *cone, const double *x, double tol,
                                   const double *v, double *p)
{
    mo_polyhedron rows;
    double *A, *lambda;
    size_t n = cone->dim;
    mo_status status = set_rows(c, n, 1, cone, &rows);
    if (status == MO_OK)
        status = set_push(c, rows.rows * n, &A);
    if (status == MO_OK)
        status = set_push(c, rows.rows, &lambda);
    if (status == MO_OK)
        status = set_prox_rows(c, &rows, x, p, lambda);
    if (status != MO_OK)
        return status;
    mo_polyhedron face = {.n = n, .A = A};
    for (int pass = 0; pass < 2; pass++) {
        for (size_t i = 0; i < rows.rows; i++) {
            const double *a = rows.A + i * n;
            bool equality = i < rows.equalities || lambda[i] * vec_norm(n, a) > tol;
            if (equality == (pass == 0))
                vec_copy(n, a, A + n * face.rows++);
        }
        if (pass == 0)
            face.equalities = face.rows;
    }
    return set_prox_rows(c, &face, v, p, NULL);
}

// the polar of a cone as another kind of set, mirrored when sign is -1; false: there is none
static bool known_polar(const mo_set *cone, mo_set *polar, double *sign)
{
    *sign = 1;
    if (cone->kind == MO_SET_COULOMB || cone->kind == MO_SET_ELLIPTIC) {
        *polar = *cone;
        polar->side = cone->side == MO_CONE_SELF ? MO_CONE_POLAR : MO_CONE_SELF;
        *sign = cone->side == MO_CONE_DUAL ? -1 : 1;
    } else if (cone->kind == MO_SET_POLAR) {
        *polar = *cone->children;
    } else if (cone->kind == MO_SET_SCALED) {
        *polar = mo_set_polar(cone->children);
        *sign = cone->factor > 0 ? 1 : -1;
    } else {
        return false;
    }
    return true;
}

static mo_status polar_normal(set_context *c, const mo_set *s, const double *x, double tol, const double *v,
                              double *p)
{
    const mo_set *cone = s->children;
    double sign;
    mo_set polar;
    if (known_polar(cone, &polar, &sign)) {
        mo_set mirrored = mo_set_scaled(&polar, sign);
        return set_normal_prox(c, &mirrored, x, tol, v, p);
    }
    if (cone->kind == MO_SET_PRODUCT)
        return product_normal(c, cone, true, x, tol, v, p);
    if (mo_set_is_polyhedral(cone))
        return polar_rows_normal(c, cone, x, tol, v, p);
    if (vec_norm(s->dim, x) <= tol)
        return set_prox(c, cone, v, p);
    // {d in K : x.d = 0}
    mo_set both[2] = {*cone, mo_set_affine(s->dim, 1, x, NULL)}, face = mo_set_intersection(2, both);
    return set_prox(c, &face, v, p);
}

static mo_status cone_normal(set_context *c, const mo_set *s, const double *x, double tol, const double *v,
                             double *p);

// a half axis 0: that component must vanish and takes any normal, or is free in the dual and polar and takes
// none; the others are a Coulomb cone of the plane, whose apex is a whole edge there
static mo_status flat_elliptic_normal(set_context *c, const mo_set *s, const double *x, double tol,
                                      const double *v, double *p)
{
    int k = s->axes[0] == 0 ? 1 : 0;
    mo_set plane = mo_set_coulomb(2, s->axes[k], s->side);
    double flat_x[2] = {x[0], x[k + 1]}, flat_v[2] = {v[0], v[k + 1]}, flat_p[2];
    mo_status status = cone_normal(c, &plane, flat_x, tol, flat_v, flat_p);
    p[0] = flat_p[0];
    p[k + 1] = flat_p[1];
    p[2 - k] = s->side == MO_CONE_SELF ? v[2 - k] : 0;
    return status;
}

static mo_status cone_normal(set_context *c, const mo_set *s, const double *x, double tol, const double *v,
                             double *p)
{
    if (vec_norm(s->dim, x) <= tol) {
        // at the apex: the polar cone
        mo_status status = set_prox(c, s, v, p);
        for (size_t j = 0; j < s->dim; j++)
            p[j] = v[j] - p[j];
        return status;
    }
    if (s->kind == MO_SET_COULOMB)
        coulomb_normal(s, x, tol, v, p);
    else if (s->axes[0] == 0 || s->axes[1] == 0)
        return flat_elliptic_normal(c, s, x, tol, v, p);
    else
        elliptic_normal(s, x, tol, v, p);
    return MO_OK;
}

static mo_status ball_normal(set_context *c, const mo_set *s, const double *x, double tol, const double *v,
                             double *p)
{
    double *y;
    mo_status status = set_push(c, s->dim, &y);
    if (status != MO_OK)
        return status;
    for (size_t j = 0; j < s->dim; j++)
        y[j] = x[j] - (s->vector != NULL ? s->vector[j] : 0);
    round_normal(s->dim, s->radius, y, tol, v, p);
    return MO_OK;
}

mo_status set_normal_prox(set_context *c, const mo_set *s, const double *x, double tol, const double *v,
                          double *p)
{
    switch (s->kind) {
    case MO_SET_HALFSPACE:
        halfspace_normal(s, x, tol, v, p);
        return MO_OK;
    case MO_SET_BOX:
        box_normal(s, x, tol, v, p);
        return MO_OK;
    case MO_SET_AFFINE:
    case MO_SET_POLYHEDRON:
        return polyhedral_normal(c, s, x, tol, v, p);
    case MO_SET_BALL:
        return ball_normal(c, s, x, tol, v, p);
    case MO_SET_COULOMB:
    case MO_SET_ELLIPTIC:
        return cone_normal(c, s, x, tol, v, p);
    case MO_SET_CYLINDER:
    case MO_SET_DISC:
        p[0] = s->kind == MO_SET_DISC ? v[0] : 0;
        round_normal(s->dim - 1, s->radius, x + 1, tol, v + 1, p + 1);
        return MO_OK;
    case MO_SET_TRANSLATE:
    case MO_SET_SCALED:
        return moved_normal(c, s, x, tol, v, p);
    case MO_SET_PRODUCT:
        return product_normal(c, s, false, x, tol, v, p);
    case MO_SET_INTERSECTION:
        return intersection_normal(c, s, x, tol, v, p);
    case MO_SET_POLAR:
        return polar_normal(c, s, x, tol, v, p);
    }
    return MO_OK;
}
