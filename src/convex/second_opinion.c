/*
 * Small problems that the active-set method leaves undecided: rows at the edge of contradiction, where its
 * active rows are so nearly dependent that rounding decides.  The method for large sparse problems knows no
 * active rows while it looks for an answer or a proof; what it finds counts if the residuals are as small as
 * the active-set method's own.
 */
#include "convex/projector.h"
#include "core/buffer.h"
#include "math/vec.h"

/* products of entries of rows beyond which it is not asked */
enum { MOST_PRODUCTS = 2000000 };

static bool reserve(second_opinion *s, const mo_polyhedron *set)
{
    column entries = {(void **)&s->column, sizeof(uint32_t)};
    column rows[] = {{(void **)&s->start, sizeof(size_t)}, {(void **)&s->lambda, sizeof(double)}};
    column unknowns = {(void **)&s->x, sizeof(double)};
    return columns_reserve(&entries, 1, &s->room_entries, set->n * set->rows) &&
           columns_reserve(rows, 2, &s->room_rows, set->rows + 1) &&
           columns_reserve(&unknowns, 1, &s->room_n, set->n);
}

// the same rows with all their entries listed
static mo_polyhedron as_sparse(const second_opinion *s, const mo_polyhedron *set)
{
    mo_polyhedron out = *set;
    for (size_t i = 0; i < set->rows; i++) {
        s->start[i] = i * set->n;
        for (size_t j = 0; j < set->n; j++)
            s->column[i * set->n + j] = (uint32_t)j;
    }
    s->start[set->rows] = set->rows * set->n;
    out.start = s->start;
    out.column = s->column;
    return out;
}

bool projector_ask_again(mo_projector *p, const mo_polyhedron *set, const double *z, double tolerance,
                         double *x, double *lambda, mo_projection_info *info)
{
    second_opinion *s = &p->second;
    mo_projection_info found;
    if ((!p->metric.identity && p->metric.kind == MO_METRIC_DENSE) ||
        set->rows > MOST_PRODUCTS / set->n / set->n || !reserve(s, set))
        return false;
    mo_polyhedron sparse = as_sparse(s, set);
    if (large_project(&p->large, &sparse, &p->metric, z, NULL, NULL, 0, s->x, s->lambda, &found, NULL) !=
        MO_OK)
        return false;
    bool empty = found.outcome == MO_PROJECTION_EMPTY;
    double worst =
        empty ? found.farkas_residual : fmax(fmax(found.violation, found.slack), found.stationarity);
    if (found.outcome == MO_PROJECTION_UNDECIDED || !(worst <= tolerance))
        return false;
    vec_copy(set->n, s->x, x);
    if (lambda != NULL)
        vec_copy(set->rows, s->lambda, lambda);
    found.iterations += info->iterations;
    *info = found;
    return true;
}
