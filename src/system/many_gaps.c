/*
 * Projections onto many gaps in a sparse metric A.
 *
 * In the span of L^-1 G (velocity.c) k rows of n entries cost k^2 n, whatever they look like.  Where A and
 * the rows are sparse, the method of convex.h for large sparse problems costs some factors of A + rho G^T G
 * instead, which are about as sparse as those of A.
 */
#include <stdlib.h>

#include "core/buffer.h"
#include "core/fail.h"
#include "system/internal.h"

/* rows from which it is worth while: k^2 n against the time of a few factors */
enum { FEW = 80 };

/* The rows of the problem at hand, made from G. */
struct gap_rows {
    mo_projector *projector; /* in the metric */
    size_t *start;           /* [k + 1] */
    uint32_t *column;
    double *A;
    size_t room_start, room_entries;
};

void gap_rows_free(gap_rows *r)
{
    if (r == NULL)
        return;
    mo_projector_destroy(r->projector);
    free(r->start);
    free(r->column);
    free(r->A);
    free(r);
}

bool gaps_are_many(const mo_system *s, const inertia *A, size_t count, const size_t *gaps)
{
    size_t products = 0;
    if (A->factor.identity || A->factor.kind != MO_METRIC_SPARSE || count < FEW)
        return false;
    for (size_t k = 0; k < count; k++) {
        size_t width = s->G_end[gaps[k]] - s->G_begin[gaps[k]];
        products += width * (width + 1) / 2;
    }
    return products <= s->n * count / 16;
}

static mo_status no_memory(size_t count, mo_error *err)
{
    return fail(err, MO_NO_MEMORY, NULL, "no memory for %zu gaps that push", count);
}

// the metric of an inertia does not change while it is sparse: it is set once
static mo_status prepare(const mo_system *s, inertia *A, mo_error *err)
{
    if (A->rows != NULL)
        return MO_OK;
    A->rows = calloc(1, sizeof *A->rows);
    if (A->rows == NULL)
        return no_memory(s->m, err);
    mo_status status = mo_projector_create(&A->rows->projector, err);
    return status == MO_OK ? mo_projector_set_metric(A->rows->projector, s->n, &A->matrix, err) : status;
}

static bool load(const mo_system *s, gap_rows *r, size_t count, const size_t *gaps, const double *factor)
{
    size_t most = 0, used = 0;
    for (size_t k = 0; k < count; k++)
        most += s->G_end[gaps[k]] - s->G_begin[gaps[k]];
    column start = {(void **)&r->start, sizeof *r->start};
    column entries[] = {{(void **)&r->column, sizeof *r->column}, {(void **)&r->A, sizeof *r->A}};
    if (!columns_reserve(&start, 1, &r->room_start, s->m + 1) ||
        !columns_reserve(entries, 2, &r->room_entries, most))
        return false;
    for (size_t k = 0; k < count; k++) {
        const double *G = s->G + gaps[k] * s->n;
        r->start[k] = used;
        for (size_t i = s->G_begin[gaps[k]]; i < s->G_end[gaps[k]]; i++) {
            r->A[used] = factor != NULL ? factor[k] * G[i] : G[i];
            r->column[used] = (uint32_t)i;
            used += G[i] != 0;
        }
    }
    r->start[count] = used;
    return true;
}

mo_status nearest_by_gaps(mo_system *s, inertia *A, const gap_problem *p, double *x, double *lambda,
                          mo_projection_outcome *outcome, mo_error *err)
{
    mo_projection_info info = {.iterations = 0};
    mo_status status = prepare(s, A, err);
    if (status == MO_OK && !load(s, A->rows, p->count, p->gaps, p->factor))
        status = no_memory(p->count, err);
    if (status != MO_OK)
        return status;
    gap_rows *r = A->rows;
    mo_polyhedron set = {.n = s->n,
                         .rows = p->count,
                         .equalities = p->equalities,
                         .A = r->A,
                         .b = p->bound,
                         .start = r->start,
                         .column = r->column};
    if (p->first != NULL)
        status = mo_projector_set_start(r->projector, p->first, p->count, err);
    if (status == MO_OK)
        status = mo_projector_project(r->projector, &set, p->from, NULL, 0, x, lambda, &info, err);
    s->iterations += info.iterations;
    *outcome = info.outcome;
    return status == MO_BAD_INPUT ? numbers_out_of_range(s) : status;
}
