/*
 * Projection onto linearised gaps.  Sparse rows touch few unknowns where few discs are near each other: the
 * problem is put to the projector in the unknowns that occur, the others stay where they are.
 */
#include <math.h>

#include "core/fail.h"
#include "math/vec.h"
#include "sweep/project.h"

/* The problem in the unknowns that occur. */
typedef struct packed {
    uint32_t *number; /* [n] new number + 1 of an unknown, 0: does not occur */
    uint32_t *column; /* [entries] */
    double *point;    /* [count] */
    size_t count;
} packed;

static bool pack(moving *m, const gap_rows *r, const double *from, packed *out)
{
    size_t entries = r->start[r->count];
    out->number = arena_push_zero(&m->work, m->n, sizeof *out->number);
    out->column = arena_push(&m->work, entries, sizeof *out->column);
    out->point = arena_push(&m->work, m->n, sizeof *out->point);
    if (out->number == NULL || out->column == NULL || out->point == NULL)
        return false;
    for (size_t k = 0; k < entries; k++)
        out->number[r->column[k]] = 1;
    // the order of the unknowns stays, so that columns rise within a row
    for (size_t j = 0; j < m->n; j++) {
        if (out->number[j] == 0)
            continue;
        out->point[out->count++] = from[j];
        out->number[j] = (uint32_t)out->count;
    }
    for (size_t k = 0; k < entries; k++)
        out->column[k] = out->number[r->column[k]] - 1;
    return true;
}

// multipliers to start with, unless there are none
static mo_status set_start(moving *m, const gap_rows *r, const double *lambda, mo_error *err)
{
    bool known = lambda != NULL && vec_max_abs(r->count, lambda) > 0;
    return mo_projector_set_start(m->projector, known ? lambda : NULL, known ? r->count : 0, err);
}

static mo_status nearest_sparse(moving *m, const gap_rows *r, bool equal, const double *from, double *p,
                                double *lambda, mo_projection_info *info, mo_error *err)
{
    arena_mark mark = arena_here(&m->work);
    packed small = {0};
    if (!pack(m, r, from, &small))
        return fail(err, MO_NO_MEMORY, NULL, "no memory for a projection of %zu gaps", r->count);
    mo_polyhedron set = {.n = small.count,
                         .rows = r->count,
                         .equalities = equal ? r->count : 0,
                         .A = r->A,
                         .b = r->b,
                         .start = r->start,
                         .column = small.column};
    mo_status status = set_start(m, r, lambda, err);
    if (status == MO_OK)
        status =
            mo_projector_project(m->projector, &set, small.point, NULL, 0, small.point, lambda, info, err);
    for (size_t j = 0; status == MO_OK && j < m->n; j++)
        p[j] = small.number[j] > 0 ? small.point[small.number[j] - 1] : from[j];
    arena_back(&m->work, mark);
    return status;
}

mo_status rows_nearest(moving *m, const gap_rows *r, bool equal, const double *from, double *p,
                       double *lambda, mo_projection_info *info, mo_error *err)
{
    // rows without entries (gaps without gradient that are met) and no rows at all ask for nothing
    bool empty = r->count == 0 || (r->start != NULL && r->start[r->count] == 0);
    if (empty) {
        *info = (mo_projection_info){.outcome = MO_PROJECTION_SOLVED};
        for (size_t j = 0; j < m->n; j++)
            p[j] = from[j];
        return MO_OK;
    }
    if (r->start != NULL)
        return nearest_sparse(m, r, equal, from, p, lambda, info, err);
    mo_polyhedron set = rows_polyhedron(r, m->n, r->b);
    set.equalities = equal ? set.rows : 0;
    bool guess = r == &m->rows && !equal;
    return mo_projector_project(m->projector, &set, from, guess ? m->guess : NULL, guess ? m->guess_count : 0,
                                p, lambda, info, err);
}
