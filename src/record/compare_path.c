/*
 * How far two runs of points are apart: at rows of the same time in R^n, and between the completed graphs
 * (t, x(t)) and, for systems, (t, u(t)) with jumps filled, at 1 per second (M99 end of 6).
 */
#include "record/compare.h"

#include "core/fail.h"

#include <moreau/sweep.h>

bool compare_next(const mo_run *a, size_t *i, const mo_run *b, size_t *j)
{
    const mo_run_info *ia = mo_run_info_get(a), *ib = mo_run_info_get(b);
    const double *ta = mo_run_times(a), *tb = mo_run_times(b);
    const double slack = 1e-6 * fmin(ia->h, ib->h);
    while (*i < ia->frames && *j < ib->frames) {
        if (fabs(ta[*i] - tb[*j]) <= slack)
            return true;
        if (ta[*i] < tb[*j])
            ++*i;
        else
            ++*j;
    }
    return false;
}

static double distance(const double *x, const double *y, size_t n)
{
    double square = 0;
    for (size_t i = 0; i < n; i++)
        square += (x[i] - y[i]) * (x[i] - y[i]);
    return sqrt(square);
}

static bool same_rows(const mo_run_path *a, const mo_run_path *b, size_t n, size_t ma, size_t mb)
{
    const size_t rows = a->rows, bytes = sizeof(double);
    if (rows != b->rows || ma != mb || (a->u == NULL) != (b->u == NULL))
        return false;
    return same_bytes(a->t, b->t, rows * bytes) && same_bytes(a->step, b->step, rows * sizeof *a->step) &&
           same_bytes(a->x, b->x, rows * n * bytes) && same_bytes(a->lambda, b->lambda, rows * ma * bytes) &&
           (a->u == NULL || same_bytes(a->u, b->u, rows * n * bytes));
}

static void compare_rows(mo_run *a, const mo_run_path *pa, mo_run *b, const mo_run_path *pb, size_t n,
                         mo_comparison *c)
{
    pair_sums sums = {0, 0};
    for (size_t i = 0, j = 0; compare_next(a, &i, b, &j); i++, j++) {
        const double d = distance(pa->x + n * i, pb->x + n * j, n);
        c->frames++;
        c->final_max_position = d;
        keep_largest(&c->max_position, d);
        sums.square += d * d;
        sums.count++;
        if (pa->u != NULL && pb->u != NULL)
            keep_largest(&c->max_velocity, distance(pa->u + n * i, pb->u + n * j, n));
    }
    c->rms_position = sums.count > 0 ? sqrt(sums.square / (double)sums.count) : 0;
}

static mo_status compare_graphs(const mo_run_path *a, const mo_run_path *b, size_t n, mo_comparison *c,
                                mo_error *err)
{
    if (a->rows == 0 || b->rows == 0 || n == 0)
        return MO_OK;
    mo_status status = mo_graph_distance(n, 1, a->rows, a->t, a->x, b->rows, b->t, b->x, &c->path_graph, err);
    if (status == MO_OK && a->u != NULL && b->u != NULL)
        status = mo_graph_distance(n, 1, a->rows, a->t, a->u, b->rows, b->t, b->u, &c->velocity_graph, err);
    return status;
}

mo_status compare_paths(mo_run *a, mo_run *b, mo_comparison *out, mo_error *err)
{
    const mo_run_info *ia = mo_run_info_get(a), *ib = mo_run_info_get(b);
    const size_t n = ia->coordinates;
    mo_run_path pa, pb;
    if (n != ib->coordinates)
        return fail(err, MO_BAD_INPUT, "coordinates",
                    "the points have %zu and %zu coordinates: expected as many", n, ib->coordinates);
    mo_status status = mo_run_path_get(a, &pa, err);
    if (status == MO_OK)
        status = mo_run_path_get(b, &pb, err);
    if (status != MO_OK)
        return status;
    compare_rows(a, &pa, b, &pb, n, out);
    out->identical = same_rows(&pa, &pb, n, ia->multipliers, ib->multipliers);
    return out->identical ? MO_OK : compare_graphs(&pa, &pb, n, out, err);
}
