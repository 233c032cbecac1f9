/*
 * Projection onto a polyhedron in a metric: set-up of the rows, refinement, residuals.
 *
 * With M = L L^T and y = L^T (x - z) the problem is: least |y| with g_i.y >= d_i, g_i = L^-1 a_i / |L^-1
 * a_i|, d_i = (b_i - a_i.z) / |L^-1 a_i|.  Then M(x - z) = L y = A^T lambda, lambda_i = (multiplier of g_i) /
 * |L^-1 a_i|.
 */
#include <assert.h>

#include "convex/projector.h"

#include <stdint.h>
#include <stdlib.h>

#include "core/buffer.h"
#include "core/fail.h"
#include "math/vec.h"

/* residuals of an answer; ordinary problems reach 1e-15 */
static const double GOOD = 1e-12;

enum { UNIT_COLUMNS = 9, ROW_COLUMNS = 4 };

mo_status mo_projector_create(mo_projector **out, mo_error *err)
{
    mo_projector *p = calloc(1, sizeof *p);
    if (p == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for a projector");
    p->metric.identity = true;
    *out = p;
    return MO_OK;
}

// the arrays by what they grow with
static void unit_columns(mo_projector *p, column out[UNIT_COLUMNS])
{
    double **arrays[] = {&p->f.lambda, &p->y, &p->dv, &p->r, &p->step, &p->side, &p->farkas};
    for (size_t i = 0; i < 7; i++)
        out[i] = (column){(void **)arrays[i], sizeof(double)};
    out[7] = (column){(void **)&p->f.rows, sizeof(size_t)};
    out[8] = (column){(void **)&p->guess, sizeof(size_t)};
}

static void row_columns(mo_projector *p, column out[ROW_COLUMNS])
{
    out[0] = (column){(void **)&p->d, sizeof(double)};
    out[1] = (column){(void **)&p->inverse, sizeof(double)};
    out[2] = (column){(void **)&p->scale, sizeof(double)};
    out[3] = (column){(void **)&p->state, 1};
}

bool projector_reserve(mo_projector *p, size_t n, size_t rows)
{
    column unit[UNIT_COLUMNS], row[ROW_COLUMNS];
    column square[] = {{(void **)&p->f.Q, sizeof(double)}, {(void **)&p->f.R, sizeof(double)}};
    column G[] = {{(void **)&p->G, sizeof(double)}};
    if (n >= INT32_MAX / 128 || rows >= INT32_MAX / 128)
        return false;
    unit_columns(p, unit);
    row_columns(p, row);
    return columns_reserve(unit, UNIT_COLUMNS, &p->room_n, n + 1) &&
           columns_reserve(square, 2, &p->room_square, n * n) &&
           columns_reserve(row, ROW_COLUMNS, &p->room_rows, rows) &&
           columns_reserve(G, 1, &p->room_G, n * rows);
}

void mo_projector_destroy(mo_projector *p)
{
    if (p == NULL)
        return;
    column unit[UNIT_COLUMNS], row[ROW_COLUMNS];
    unit_columns(p, unit);
    row_columns(p, row);
    columns_free(unit, UNIT_COLUMNS);
    columns_free(row, ROW_COLUMNS);
    free(p->f.Q);
    free(p->f.R);
    free(p->G);
    free(p->expanded);
    free(p->first);
    free(p->second.z);
    free(p->second.x);
    free(p->second.lambda);
    free(p->second.start);
    free(p->second.column);
    large_free(&p->large);
    metric_free(&p->metric);
    free(p);
}

mo_status mo_projector_set_metric(mo_projector *p, size_t n, const mo_metric *metric, mo_error *err)
{
    return metric_set(&p->metric, n, metric, err);
}

// g := L^-1 a
static void to_metric(const mo_projector *p, const double *a, double *g)
{
    const metric_factor *m = &p->metric;
    if (!m->identity && m->diagonal) {
        for (size_t j = 0; j < p->n; j++)
            g[j] = a[j] * m->inverse[j];
        return;
    }
    vec_copy(p->n, a, g);
    metric_solve_lower(m, g);
}

// row i made unit where its square would overflow or vanish; false: not finite
static bool load_extreme_row(mo_projector *p, size_t i, const double *a, double b, const double *z)
{
    size_t n = p->n;
    double *g = p->G + i * n, largest = vec_max_abs(n, a), length;
    p->d[i] = b;
    p->inverse[i] = 0;
    p->scale[i] = fabs(b);
    p->state[i] = ROW_ASIDE;
    vec_zero(n, g);
    if (!vec_finite(n, a) || !isfinite(b))
        return false;
    if (largest == 0)
        return true;
    for (size_t j = 0; j < n; j++)
        p->side[j] = a[j] / largest;
    to_metric(p, p->side, g);
    length = vec_norm(n, g);
    p->d[i] = b / largest / length;
    p->scale[i] = fabs(p->d[i]);
    p->inverse[i] = 1 / largest / length;
    p->state[i] = ROW_FREE;
    for (size_t j = 0; j < n; j++) {
        p->d[i] -= p->side[j] * z[j] / length;
        p->scale[i] += fabs(p->side[j] * z[j]) / length;
        g[j] /= length;
    }
    return isfinite(p->scale[i]) && isfinite(p->inverse[i]) && p->inverse[i] > 0 && vec_finite(n, g);
}

static bool load_row(mo_projector *p, size_t i, const double *a, double b, const double *z)
{
    size_t n = p->n;
    double *g = p->G + i * n, az = 0, size = fabs(b);
    for (size_t j = 0; j < n; j++) {
        double term = a[j] * z[j];
        az += term;
        size += fabs(term);
    }
    to_metric(p, a, g);
    double square = vec_dot(n, g, g);
    if (!(square > 1e-200 && square < 1e200 && size < 1e200))
        return load_extreme_row(p, i, a, b, z);
    double inverse = 1 / sqrt(square);
    for (size_t j = 0; j < n; j++)
        g[j] *= inverse;
    p->d[i] = (b - az) * inverse;
    p->scale[i] = size * inverse;
    p->inverse[i] = inverse;
    p->state[i] = ROW_FREE;
    return true;
}

mo_status projector_load(mo_projector *p, const mo_polyhedron *set, const double *z, mo_error *err)
{
    p->n = set->n;
    p->rows = set->rows;
    p->equalities = set->equalities;
    p->tol = 0x1p-52 * (double)(16 + set->n);
    p->cap = 200 + 50 * (int)(set->rows + set->n);
    if (!vec_finite(set->n, z))
        return fail(err, MO_BAD_INPUT, "z", "not finite");
    for (size_t i = 0; i < set->rows; i++)
        if (!load_row(p, i, set->A + i * set->n, set->b != NULL ? set->b[i] : 0, z))
            return fail(err, MO_BAD_INPUT, "A", "row %zu of %zu is not finite, or out of range in the metric",
                        i + 1, set->rows);
    return MO_OK;
}

// b_i - a_i.x in the units of g_i.y
static double shortfall(const mo_projector *p, const mo_polyhedron *set, size_t i, const double *x)
{
    double b = set->b != NULL ? set->b[i] : 0;
    return (b - vec_dot(p->n, set->A + i * p->n, x)) * p->inverse[i];
}

// largest relative |b_i - a_i.x| over the active rows, left in side[]
static double active_shortfall(mo_projector *p, const mo_polyhedron *set, const double *x, double length)
{
    double largest = 0;
    for (size_t j = 0; j < p->f.q; j++) {
        size_t i = p->f.rows[j];
        p->side[j] = shortfall(p, set, i, x);
        double scale = p->scale[i] + length;
        if (fabs(p->side[j]) > largest * scale)
            largest = fabs(p->side[j]) / scale;
    }
    return largest;
}

// x from y; one correction from the residual of the active rows in the data given, when it is worth it
static double refine(mo_projector *p, const mo_polyhedron *set, const double *z, double *x)
{
    double length = vec_norm(p->n, p->y);
    vec_copy(p->n, p->y, p->step);
    metric_solve_upper(&p->metric, p->step);
    for (size_t j = 0; j < p->n; j++)
        x[j] = z[j] + p->step[j];
    double slack = active_shortfall(p, set, x, length);
    if (slack <= 4 * 0x1p-52)
        return slack;
    factors_solve(&p->f, p->side, p->dv, p->r);
    vec_add(p->n, 1, p->dv, p->y);
    for (size_t j = 0; j < p->f.q; j++) {
        p->f.lambda[j] += p->r[j];
        if (j >= p->fixed)
            p->f.lambda[j] = fmax(p->f.lambda[j], 0);
    }
    metric_solve_upper(&p->metric, p->dv);
    vec_add(p->n, 1, p->dv, x);
    return active_shortfall(p, set, x, length);
}

static void solved_info(mo_projector *p, const mo_polyhedron *set, const double *x, mo_projection_info *info)
{
    double length = vec_norm(p->n, p->y), total = 0;
    for (size_t i = 0; i < p->rows; i++) {
        double miss = shortfall(p, set, i, x), scale = p->scale[i] + length;
        if (i < p->equalities)
            miss = fabs(miss);
        if (miss > info->violation * scale)
            info->violation = miss / scale;
    }
    vec_copy(p->n, p->y, p->dv);
    for (size_t j = 0; j < p->f.q; j++) {
        vec_add(p->n, -p->f.lambda[j], p->G + p->f.rows[j] * p->n, p->dv);
        total += fabs(p->f.lambda[j]);
    }
    info->stationarity = total > 0 ? vec_norm(p->n, p->dv) / total : 0;
    info->active = p->f.rows;
    info->active_count = p->f.q;
    // the residuals decide, not the way that led here
    bool good = info->violation <= GOOD && info->slack <= GOOD && info->stationarity <= GOOD;
    info->outcome = good ? MO_PROJECTION_SOLVED : MO_PROJECTION_UNDECIDED;
}

// scales the proof to a sum of 1 and measures it; false: it proves nothing
static bool empty_info(mo_projector *p, mo_projection_info *info)
{
    double total = 0, gap = 0;
    size_t q = p->f.q;
    for (size_t j = 0; j <= q; j++)
        total += fabs(p->farkas[j]);
    vec_zero(p->n, p->dv);
    for (size_t j = 0; j <= q; j++) {
        size_t row = j < q ? p->f.rows[j] : p->farkas_row;
        p->farkas[j] /= total;
        gap += p->farkas[j] * p->d[row];
        vec_add(p->n, p->farkas[j], p->G + row * p->n, p->dv);
    }
    double residual = vec_norm(p->n, p->dv);
    info->farkas_gap = gap;
    info->farkas_residual = residual;
    info->empty_radius = residual > 0 ? gap / residual : HUGE_VAL;
    return gap > 0 && residual <= GOOD;
}

// lambda of the rows as given: multipliers, or the proof of emptiness
static void write_multipliers(const mo_projector *p, bool empty, double *lambda)
{
    vec_zero(p->rows, lambda);
    for (size_t j = 0; j < p->f.q; j++)
        lambda[p->f.rows[j]] = (empty ? p->farkas[j] : p->f.lambda[j]) * p->inverse[p->f.rows[j]];
    if (empty) {
        double unit = p->inverse[p->farkas_row];
        lambda[p->farkas_row] = p->farkas[p->f.q] * (unit > 0 ? unit : 1);
    }
}

static mo_status check_sparse(const mo_polyhedron *set, mo_error *err)
{
    if (set->column == NULL && set->rows > 0 && set->start[set->rows] > 0)
        return fail(err, MO_BAD_INPUT, "column", "NULL, expected %zu columns", set->start[set->rows]);
    if (set->start[0] != 0)
        return fail(err, MO_BAD_INPUT, "start", "begins with %zu, expected 0", set->start[0]);
    for (size_t i = 0; i < set->rows; i++) {
        if (set->start[i + 1] < set->start[i])
            return fail(err, MO_BAD_INPUT, "start", "falls from %zu to %zu at row %zu of %zu", set->start[i],
                        set->start[i + 1], i + 1, set->rows);
        for (size_t k = set->start[i]; k < set->start[i + 1]; k++)
            if (set->column[k] >= set->n || (k > set->start[i] && set->column[k] <= set->column[k - 1]))
                return fail(err, MO_BAD_INPUT, "column",
                            "%u in row %zu, expected columns that rise within the row and are below n = %zu",
                            (unsigned)set->column[k], i + 1, set->n);
    }
    return MO_OK;
}

static mo_status check_problem(const mo_projector *p, const mo_polyhedron *set, mo_error *err)
{
    if (set->n == 0)
        return fail(err, MO_BAD_INPUT, "n", "0 unknowns, expected at least 1");
    if (set->equalities > set->rows)
        return fail(err, MO_BAD_INPUT, "equalities", "%zu of %zu rows", set->equalities, set->rows);
    if (set->A == NULL && set->rows > 0 && (set->start == NULL || set->start[set->rows] > 0))
        return fail(err, MO_BAD_INPUT, "A", "NULL, expected %zu rows", set->rows);
    if (!p->metric.identity && p->metric.n != set->n)
        return fail(err, MO_BAD_INPUT, "n", "%zu unknowns, but the metric has %zu", set->n, p->metric.n);
    return set->start != NULL ? check_sparse(set, err) : MO_OK;
}

mo_status mo_projector_set_start(mo_projector *p, const double *lambda, size_t rows, mo_error *err)
{
    column first = {(void **)&p->first, sizeof(double)};
    p->first_count = 0;
    if (rows == 0 || lambda == NULL)
        return MO_OK;
    if (!vec_finite(rows, lambda))
        return fail(err, MO_BAD_INPUT, "lambda", "not finite");
    if (!columns_reserve(&first, 1, &p->room_first, rows))
        return fail(err, MO_NO_MEMORY, NULL, "no memory for %zu multipliers", rows);
    vec_copy(rows, lambda, p->first);
    p->first_count = rows;
    return MO_OK;
}

void mo_projector_set_aim(mo_projector *p, double aim)
{
    assert(aim >= 0 && aim <= 1e-3);
    p->aim = aim;
}

static mo_status project_dense(mo_projector *p, const mo_polyhedron *set, const double *z,
                               const size_t *guess, size_t guess_count, bool start, double *x, double *lambda,
                               mo_projection_info *out, mo_error *err)
{
    // the guess may be our own list of active rows, which moves and is overwritten
    bool own = guess != NULL && guess == p->f.rows;
    for (size_t k = 0; own && k < guess_count; k++)
        p->guess[k] = guess[k];
    column z_kept = {(void **)&p->second.z, sizeof(double)};
    if (!projector_reserve(p, set->n, set->rows) || !columns_reserve(&z_kept, 1, &p->second.room_z, set->n))
        return fail(err, MO_NO_MEMORY, NULL, "no memory for %zu rows in %zu unknowns", set->rows, set->n);
    guess = own ? p->guess : guess;
    mo_status status = projector_load(p, set, z, err);
    if (status != MO_OK)
        return status;
    if (z != p->second.z)
        vec_copy(set->n, z, p->second.z);
    // rows that pushed in the multipliers to begin with
    for (size_t i = guess_count = start ? 0 : guess_count; start && i < set->rows && guess_count < set->n;
         i++)
        if (p->first[i] > 0)
            p->guess[guess_count++] = i;
    guess = start ? p->guess : guess;
    *out = (mo_projection_info){.outcome = projector_run(p, guess, guess != NULL ? guess_count : 0)};
    out->iterations = p->iterations;
    bool empty = out->outcome == MO_PROJECTION_EMPTY;
    if (empty && !empty_info(p, out))
        out->outcome = MO_PROJECTION_UNDECIDED;
    out->slack = refine(p, set, z, x);
    if (!empty)
        solved_info(p, set, x, out);
    if (lambda != NULL)
        write_multipliers(p, empty, lambda);
    if (out->outcome == MO_PROJECTION_UNDECIDED)
        projector_ask_again(p, set, p->second.z, GOOD, x, lambda, out);
    return MO_OK;
}

// sparse rows as dense ones
static bool expand(mo_projector *p, const mo_polyhedron *set, mo_polyhedron *out)
{
    column expanded = {(void **)&p->expanded, sizeof(double)};
    if (set->rows > SIZE_MAX / sizeof(double) / set->n ||
        !columns_reserve(&expanded, 1, &p->room_expanded, set->n * set->rows))
        return false;
    vec_zero(set->n * set->rows, p->expanded);
    for (size_t i = 0; i < set->rows; i++)
        for (size_t k = set->start[i]; k < set->start[i + 1]; k++)
            p->expanded[i * set->n + set->column[k]] = set->A[k];
    *out = (mo_polyhedron){set->n, set->rows, set->equalities, p->expanded, set->b, NULL, NULL};
    return true;
}

// by the method for large problems; what it leaves undecided goes to the exact one where that is affordable
static mo_status project_large(mo_projector *p, const mo_polyhedron *set, const double *z, bool start,
                               const size_t *guess, size_t guess_count, double *x, double *lambda,
                               mo_projection_info *out, mo_error *err)
{
    enum { MOST_ENTRIES = 4000000 };
    column z_kept = {(void **)&p->second.z, sizeof(double)};
    if (!columns_reserve(&z_kept, 1, &p->second.room_z, set->n))
        return fail(err, MO_NO_MEMORY, NULL, "no memory for %zu unknowns", set->n);
    vec_copy(set->n, z, p->second.z);
    mo_status status = large_project(&p->large, set, &p->metric, z, start ? p->first : NULL, guess,
                                     guess_count, x, lambda, out, err);
    mo_polyhedron dense = *set;
    if (status != MO_OK || out->outcome != MO_PROJECTION_UNDECIDED || set->rows > MOST_ENTRIES / set->n ||
        !expand(p, set, &dense))
        return status;
    status = project_dense(p, &dense, p->second.z, p->large.active, p->large.active_count, false, x, lambda,
                           out, err);
    if (status != MO_OK || out->outcome != MO_PROJECTION_UNDECIDED)
        return status;
    return large_project(&p->large, set, &p->metric, p->second.z, NULL, NULL, 0, x, lambda, out, err);
}

mo_status mo_projector_project(mo_projector *p, const mo_polyhedron *set, const double *z,
                               const size_t *guess, size_t guess_count, double *x, double *lambda,
                               mo_projection_info *info, mo_error *err)
{
    mo_projection_info unused, *out = info != NULL ? info : &unused;
    mo_polyhedron dense = *set;
    // multipliers to begin with serve one call
    bool start = p->first_count > 0 && p->first_count == set->rows;
    p->first_count = 0;
    p->large.aim = p->aim;
    p->aim = 0;
    mo_status status = check_problem(p, set, err);
    if (status != MO_OK)
        return status;
    if (large_suits(set, &p->metric))
        return project_large(p, set, z, start, guess, guess_count, x, lambda, out, err);
    if (set->start != NULL && !expand(p, set, &dense))
        return fail(err, MO_NO_MEMORY, NULL, "no memory for %zu rows in %zu unknowns", set->rows, set->n);
    return project_dense(p, &dense, z, guess, guess_count, start, x, lambda, out, err);
}

mo_status mo_polyhedron_project(const mo_polyhedron *set, const mo_metric *metric, const double *z, double *x,
                                double *lambda, mo_projection_info *info, mo_error *err)
{
    mo_projector *p = NULL;
    mo_status status = mo_projector_create(&p, err);
    if (status == MO_OK)
        status = mo_projector_set_metric(p, set->n, metric, err);
    if (status == MO_OK)
        status = mo_projector_project(p, set, z, NULL, 0, x, lambda, info, err);
    if (status == MO_OK && info != NULL)
        info->active = NULL;
    mo_projector_destroy(p);
    return status;
}
