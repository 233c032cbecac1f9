/*
 * Gaps of a moving set at a point: values, gradients, derivatives by time.
 *
 * A set under a translation by s(t) has the gaps g(t, x - s), so that their derivatives by t are g_t - grad
 * g.s'.  A function of gaps is called once for a point; its gradients stand in the leaf's a, its gaps in b.
 */
#include <math.h>

#include "core/fail.h"
#include "math/vec.h"
#include "sweep/discs.h"
#include "sweep/rows.h"

// x without the translations above the leaf
static const double *local_point(moving *m, const moving_leaf *leaf, const double *x)
{
    if (!leaf->shifted)
        return x;
    for (size_t i = 0; i < m->n; i++)
        m->point[i] = x[i] - leaf->shift[i];
    return m->point;
}

static void ball_row(const moving *m, gap_rows *r, const moving_leaf *leaf, const double *y)
{
    size_t n = m->n, i = r->count - 1;
    double distance = vec_distance(n, y, leaf->a);
    r->g[i] = leaf->b[0] - distance;
    r->gt[i] = leaf->b_rate[0];
    for (size_t j = 0; j < n; j++) {
        double slope = distance > 0 ? (y[j] - leaf->a[j]) / distance : 0;
        row_entry(r, n, j, -slope);
        r->gt[i] += slope * leaf->a_rate[j];
    }
}

static void box_row(const moving *m, gap_rows *r, const moving_leaf *leaf, size_t k, const double *y)
{
    size_t i = r->count - 1, j = k / 2;
    double sign = k % 2 == 0 ? 1 : -1;
    r->g[i] = sign * (y[j] - leaf->a[j]) + leaf->b[j];
    r->gt[i] = leaf->b_rate[j] - sign * leaf->a_rate[j];
    row_entry(r, m->n, j, sign);
}

// polyhedra and functions: gradients in a
static void put_gradient(const moving *m, gap_rows *r, const double *a)
{
    if (r->start == NULL) {
        vec_copy(m->n, a, r->A + (r->count - 1) * m->n);
        return;
    }
    for (size_t j = 0; j < m->n; j++)
        if (a[j] != 0)
            row_entry(r, m->n, j, a[j]);
}

static void polyhedron_row(const moving *m, gap_rows *r, const moving_leaf *leaf, size_t k, const double *y)
{
    size_t i = r->count - 1, n = m->n;
    put_gradient(m, r, leaf->a + k * n);
    r->g[i] = vec_dot(n, leaf->a + k * n, y) - leaf->b[k];
    r->gt[i] = m->rates ? vec_dot(n, leaf->a_rate + k * n, y) - leaf->b_rate[k] : 0;
}

static void function_row(const moving *m, gap_rows *r, const moving_leaf *leaf, size_t k)
{
    size_t i = r->count - 1;
    put_gradient(m, r, leaf->a + k * m->n);
    r->g[i] = leaf->b[k];
    r->gt[i] = m->rates ? leaf->b_rate[k] : 0;
}

// calls a leaf's function at y
static mo_status call_gaps(moving *m, const moving_leaf *leaf, const double *y, bool gradients, mo_error *err)
{
    const mo_moving_set *set = leaf->set;
    if (set->kind != MO_MOVING_GAPS)
        return MO_OK;
    return set->gaps(set->data, m->t, y, leaf->b, gradients ? leaf->a : NULL,
                     gradients && m->rates ? leaf->b_rate : NULL, err);
}

static mo_status tell_not_finite(moving *m, const gap_rows *r, size_t i)
{
    const char *what = !isfinite(r->g[i]) ? "value" : !isfinite(r->norm[i]) ? "gradient" : "derivative by t";
    double bad = !isfinite(r->g[i]) ? r->g[i] : !isfinite(r->norm[i]) ? r->norm[i] : r->gt[i];
    return moving_trouble(m, MO_SWEEP_NOT_FINITE, "gap %zu of %zu: %s %g at t = %.17g", r->first[i] + 1,
                          m->gap_count, what, bad, m->t);
}

// length, translation and finiteness of the last row
static mo_status close_row(moving *m, gap_rows *r, const moving_leaf *leaf)
{
    size_t i = r->count - 1, n = m->n;
    const double *a = r->start != NULL ? r->A + r->start[i] : r->A + i * n;
    r->norm[i] = vec_norm(r->start != NULL ? r->start[i + 1] - r->start[i] : n, a);
    if (leaf->shifted && m->rates)
        r->gt[i] -= row_dot(r, n, i, leaf->shift_rate);
    return isfinite(r->g[i] + r->norm[i]) && isfinite(r->gt[i]) ? MO_OK : tell_not_finite(m, r, i);
}

// appends the row with these names
static mo_status append(moving *m, gap_rows *r, uint32_t number, size_t first, size_t second, const double *y)
{
    const moving_leaf *leaf = &m->leaves[number];
    size_t k = first - leaf->gap_first;
    row_open(r, m->n, number, first, second);
    switch (leaf->set->kind) {
    case MO_MOVING_BALL:
        ball_row(m, r, leaf, y);
        break;
    case MO_MOVING_BOX:
        box_row(m, r, leaf, k, y);
        break;
    case MO_MOVING_POLYHEDRON:
        polyhedron_row(m, r, leaf, k, y);
        break;
    case MO_MOVING_GAPS:
        function_row(m, r, leaf, k);
        break;
    default:
        discs_row(m, r, leaf, second, y);
    }
    return close_row(m, r, leaf);
}

static mo_status linearise_leaf(moving *m, gap_rows *r, uint32_t number, const double *x, double margin,
                                mo_error *err)
{
    const moving_leaf *leaf = &m->leaves[number];
    const double *y = local_point(m, leaf, x);
    const uint64_t *pairs = NULL;
    size_t count = leaf->gap_count;
    mo_status status = call_gaps(m, leaf, y, true, err);
    if (leaf->set->kind == MO_MOVING_DISCS) {
        status = discs_near(m, leaf, y, margin, &pairs, &count, err);
        if (status == MO_OK && !rows_reserve(r, r->count + count, r->start[r->count] + 4 * count))
            status = fail(err, MO_NO_MEMORY, NULL, "no memory for %zu pairs of discs", count);
    }
    for (size_t k = 0; status == MO_OK && k < count; k++) {
        size_t first = pairs != NULL ? (size_t)(pairs[k] >> 32) : k;
        size_t second = pairs != NULL ? leaf->gap_first + (size_t)(pairs[k] & UINT32_MAX) : SIZE_MAX;
        status = append(m, r, number, leaf->gap_first + first, second, y);
    }
    return status;
}

mo_status linearise_into(moving *m, gap_rows *r, const double *x, double margin, mo_error *err)
{
    mo_status status = MO_OK;
    r->count = 0;
    for (uint32_t i = 0; status == MO_OK && i < m->leaf_count; i++)
        status = linearise_leaf(m, r, i, x, margin, err);
    vec_zero(r->count, r->lambda);
    r->t = status == MO_OK ? m->t : (double)NAN;
    return status;
}

// gaps that are linear in x, at the time of the rows: the values alone are new
static mo_status revalue(moving *m, gap_rows *r, const double *x)
{
    const double *y = x;
    for (size_t i = 0; i < r->count; i++) {
        const moving_leaf *leaf = &m->leaves[r->leaf[i]];
        size_t k = r->first[i] - leaf->gap_first;
        if (i == 0 || r->leaf[i] != r->leaf[i - 1])
            y = local_point(m, leaf, x);
        if (leaf->set->kind == MO_MOVING_POLYHEDRON)
            r->g[i] = vec_dot(m->n, leaf->a + k * m->n, y) - leaf->b[k];
        else
            r->g[i] = (k % 2 == 0 ? 1 : -1) * (y[k / 2] - leaf->a[k / 2]) + leaf->b[k / 2];
        if (!isfinite(r->g[i]))
            return tell_not_finite(m, r, i);
    }
    return MO_OK;
}

mo_status relinearise_into(moving *m, gap_rows *r, const double *x, mo_error *err)
{
    size_t count = r->count;
    const double *y = x;
    mo_status status = MO_OK;
    if (m->flat && !m->rates && r->t == m->t)
        return revalue(m, r, x);
    r->count = 0;
    for (size_t i = 0; status == MO_OK && i < count; i++) {
        uint32_t number = r->leaf[i];
        if (i == 0 || number != r->leaf[i - 1]) {
            y = local_point(m, &m->leaves[number], x);
            status = call_gaps(m, &m->leaves[number], y, true, err);
        }
        if (status == MO_OK)
            status = append(m, r, number, r->first[i], r->second[i], y);
    }
    r->t = status == MO_OK ? m->t : (double)NAN;
    return status;
}

mo_status moving_linearise(moving *m, const double *x, double margin, mo_error *err)
{
    return linearise_into(m, &m->rows, x, margin, err);
}

mo_status moving_relinearise(moving *m, const double *x, mo_error *err)
{
    return relinearise_into(m, &m->rows, x, err);
}

static mo_status leaf_values(moving *m, const moving_leaf *leaf, const double *y, double *g, mo_error *err)
{
    size_t n = m->n;
    switch (leaf->set->kind) {
    case MO_MOVING_BALL:
        g[0] = leaf->b[0] - vec_distance(n, y, leaf->a);
        return MO_OK;
    case MO_MOVING_BOX:
        for (size_t j = 0; j < n; j++) {
            g[2 * j] = (y[j] - leaf->a[j]) + leaf->b[j];
            g[2 * j + 1] = -(y[j] - leaf->a[j]) + leaf->b[j];
        }
        return MO_OK;
    case MO_MOVING_POLYHEDRON:
        for (size_t k = 0; k < leaf->gap_count; k++)
            g[k] = vec_dot(n, leaf->a + k * n, y) - leaf->b[k];
        return MO_OK;
    case MO_MOVING_GAPS: {
        mo_status status = call_gaps(m, leaf, y, false, err);
        vec_copy(leaf->gap_count, leaf->b, g);
        return status;
    }
    case MO_MOVING_DISCS:
        return discs_gaps(m, leaf, y, g, err);
    default:
        return MO_OK;
    }
}

mo_status moving_gaps(moving *m, const double *x, double *g, mo_error *err)
{
    for (size_t i = 0; i < m->leaf_count; i++) {
        const moving_leaf *leaf = &m->leaves[i];
        mo_status status = leaf_values(m, leaf, local_point(m, leaf, x), g + leaf->gap_first, err);
        if (status != MO_OK)
            return status;
    }
    // a disc that is alone has an infinite gap; nothing else may have
    for (size_t k = 0; k < m->gap_count; k++)
        if (isnan(g[k]) || (isinf(g[k]) && !(m->discs && g[k] > 0)))
            return moving_trouble(m, MO_SWEEP_NOT_FINITE, "gap %zu of %zu: value %g at t = %.17g", k + 1,
                                  m->gap_count, g[k], m->t);
    return MO_OK;
}
