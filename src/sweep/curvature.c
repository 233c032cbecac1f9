/*
 * Curvature of the Lagrangian |x - z|^2 / 2 - lambda.g at a nearest point: 1 - K with K = sum of lambda_i
 * Hess g_i.  Where K has an eigenvalue >= 1 on the tangent space of the gaps that hold, x is no nearest
 * point: z lies beyond the radius of prox-regularity.
 *
 * Largest eigenvalue of K by Lanczos' method with products K v from differences of gradients; exact in
 * tangent spaces of up to LANCZOS dimensions, a lower bound in larger ones.  1 - T, T the tridiagonal matrix
 * of the method, is positive definite when its pivots are positive.
 */
#include <math.h>

#include "core/fail.h"
#include "core/rng.h"
#include "math/vec.h"
#include "sweep/project.h"

enum { LANCZOS = 16 };

static const double ZERO = 1e-6; /* a pivot that counts as none */

typedef struct curvature {
    const double *x;
    double step;   /* of the differences, a length */
    double *basis; /* [n (LANCZOS + 1)] orthonormal vectors */
    double *moved; /* [n] */
    bool tangent;  /* on the tangent space, or everywhere */
    double weight; /* of the unit gradients taken off K */
    double ritz;   /* largest diagonal entry of T so far */
} curvature;

// v := its part in the tangent space of the rows in m->spare, when that is asked for
static mo_status to_tangent(moving *m, const curvature *c, double *v, mo_error *err)
{
    if (!c->tangent)
        return MO_OK;
    mo_projection_info info;
    // a sign is wanted, not digits
    mo_projector_set_aim(m->projector, 1e-7);
    return rows_nearest(m, &m->spare, true, v, v, NULL, &info, err);
}

double curvature_step(const moving *m, const double *x, double distance)
{
    return 1e-5 * (distance + 1e-3 * vec_norm(m->n, x));
}

mo_status curvature_apply(moving *m, const double *x, double step, const double *v, double *moved,
                          double *out, mo_error *err)
{
    size_t n = m->n;
    vec_zero(n, out);
    for (int side = -1; side <= 1; side += 2) {
        for (size_t j = 0; j < n; j++)
            moved[j] = x[j] + side * step * v[j];
        mo_status status = moving_relinearise(m, moved, err);
        if (status != MO_OK)
            return status;
        for (size_t i = 0; i < m->rows.count; i++)
            if (m->rows.lambda[i] > 0)
                row_add(&m->rows, n, i, side * m->rows.lambda[i] / (2 * step), out);
    }
    return MO_OK;
}

// out := the tangent part of (K - weight sum of unit gradients n n^T) v
static mo_status apply(moving *m, const curvature *c, const double *v, double *out, mo_error *err)
{
    const gap_rows *r = &m->spare;
    mo_status status = curvature_apply(m, c->x, c->step, v, c->moved, out, err);
    for (size_t i = 0; c->weight > 0 && i < r->count; i++)
        row_add(r, m->n, i, -c->weight * row_dot(r, m->n, i, v) / (r->norm[i] * r->norm[i]), out);
    return status == MO_OK ? to_tangent(m, c, out, err) : status;
}

// a fixed direction of the tangent space; false: there is none
static mo_status first_direction(moving *m, const curvature *c, bool *exists, mo_error *err)
{
    rng random = rng_seed(7, 1);
    for (size_t j = 0; j < m->n; j++)
        c->basis[j] = 2 * rng_uniform(&random) - 1;
    double before = vec_norm(m->n, c->basis);
    mo_status status = to_tangent(m, c, c->basis, err);
    double length = vec_norm(m->n, c->basis);
    *exists = length > 1e-9 * before;
    for (size_t j = 0; *exists && j < m->n; j++)
        c->basis[j] /= length;
    return status;
}

// next vector of the basis from w = K v_k; returns what is left of it after all before are taken off
static double orthogonalise(size_t n, const curvature *c, int k, double *w)
{
    for (int round = 0; round < 2; round++)
        for (int i = 0; i <= k; i++)
            vec_add(n, -vec_dot(n, w, c->basis + (size_t)i * n), c->basis + (size_t)i * n, w);
    double length = vec_norm(n, w);
    for (size_t j = 0; length > 0 && j < n; j++)
        w[j] /= length;
    return length;
}

// the smallest pivot of 1 - T; <= 0: K has an eigenvalue of 1 or more
static mo_status smallest_pivot(moving *m, curvature *c, double *smallest, mo_error *err)
{
    size_t n = m->n;
    double pivot = 1, beta = 0;
    bool exists;
    mo_status status = first_direction(m, c, &exists, err);
    *smallest = 1;
    for (int k = 0; status == MO_OK && exists && k < LANCZOS; k++) {
        double *v = c->basis + (size_t)k * n, *w = v + n;
        status = apply(m, c, v, w, err);
        double alpha = vec_dot(n, v, w);
        c->ritz = fmax(c->ritz, alpha);
        pivot = 1 - alpha - (k > 0 ? beta * beta / pivot : 0);
        *smallest = fmin(*smallest, pivot);
        beta = orthogonalise(n, c, k, w);
        exists = pivot > 0 && beta > 1e-6;
    }
    return status;
}

static mo_status run_check(moving *m, const double *z, const double *x, mo_error *err)
{
    size_t n = m->n;
    double smallest, distance = vec_distance(n, x, z);
    curvature c = {.x = x, .step = curvature_step(m, x, distance)};
    c.basis = arena_push(&m->work, n * (LANCZOS + 1), sizeof(double));
    c.moved = arena_push(&m->work, n, sizeof(double));
    if (c.basis == NULL || c.moved == NULL || !rows_copy_active(&m->rows, n, &m->spare))
        return fail(err, MO_NO_MEMORY, NULL, "no memory for a test of curvature");
    vec_zero(m->spare.count, m->spare.b);
    // no eigenvalue of 1 anywhere, or none with the gradients made stiff: none on the tangent space, and no
    // need of the projections onto it, which cost much for large sets
    mo_status status = smallest_pivot(m, &c, &smallest, err);
    if (status == MO_OK && smallest <= ZERO && m->sparse) {
        c.weight = 4 * (1 + c.ritz);
        status = smallest_pivot(m, &c, &smallest, err);
        c.weight = 0;
    }
    c.tangent = true;
    if (status == MO_OK && smallest <= ZERO)
        status = smallest_pivot(m, &c, &smallest, err);
    if (status == MO_OK)
        status = moving_relinearise(m, x, err);
    if (status == MO_OK && smallest <= ZERO)
        moving_trouble(m, MO_SWEEP_NOT_UNIQUE,
                       "at t = %.17g the point is %g from the set, beyond its radius of curvature", m->t,
                       distance);
    return status;
}

/*
 * Of pairs of discs at distance d, K v.v = sum of lambda / d (t.(v_i - v_j))^2 <= sum over discs of |v_i|^2
 * times its sum of 2 lambda / d; a wall's end adds lambda / d.  Below 1 the answer is unique.  Balls and
 * sides only help. *known false: there are functions of gaps, about which nothing is known.
 */
static mo_status bound_discs(moving *m, double *bound, bool *known, mo_error *err)
{
    const gap_rows *r = &m->rows;
    arena_mark mark = arena_here(&m->work);
    double *sum = arena_push_zero(&m->work, m->gap_count, sizeof *sum);
    if (sum == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for a test of curvature");
    *bound = 0;
    *known = true;
    for (size_t i = 0; i < r->count; i++) {
        const moving_leaf *leaf = &m->leaves[r->leaf[i]];
        const mo_moving_set *set = leaf->set;
        *known = *known && (set->kind != MO_MOVING_GAPS || set->linear);
        if (set->kind != MO_MOVING_DISCS || !(r->lambda[i] > 0))
            continue;
        size_t partner = row_partner(m, r->leaf[i], r->second[i]);
        double apart = set->radius[r->first[i] - leaf->gap_first];
        if (partner != SIZE_MAX) {
            apart += set->radius[partner - leaf->gap_first];
            sum[partner] += 2 * r->lambda[i] / (r->g[i] + apart);
        }
        sum[r->first[i]] += (partner != SIZE_MAX ? 2 : 1) * r->lambda[i] / (r->g[i] + apart);
    }
    for (size_t k = 0; k < m->gap_count; k++)
        *bound = fmax(*bound, sum[k]);
    arena_back(&m->work, mark);
    return MO_OK;
}

mo_status curvature_check(moving *m, const double *z, const double *x, mo_error *err)
{
    double bound = 0;
    bool known = false, near = m->iterations <= 4 && vec_distance(m->n, x, z) <= 2 * m->usual;
    mo_status status = bound_discs(m, &bound, &known, err);
    // few linearisations at a usual distance: the gaps of functions are nearly straight
    if (status != MO_OK || (known && bound < 1) || (!known && bound < 1 && near))
        return status;
    size_t guess_count = m->guess_count;
    arena_mark mark = arena_here(&m->work);
    status = run_check(m, z, x, err);
    arena_back(&m->work, mark);
    m->guess_count = guess_count;
    return status;
}
