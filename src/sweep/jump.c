/*
 * Leaps of a moving set over a point (M99 6: u+ = prox(C+, u-)), seen in its gaps at that point; a convex set
 * under translations has no gaps, its translation is looked at.
 */
#include "core/fail.h"
#include "math/vec.h"
#include "sweep/event_driven.h"
#include "sweep/leap.h"

#include <math.h>

/* The set at a fixed point. */
typedef struct fixed_point {
    moving *m;
    const double *x;
    double *weight; /* [rows] 1 / |grad g|, which makes gaps lengths */
} fixed_point;

static mo_status read_gaps(void *data, double t, double *value, double *rate, mo_error *err)
{
    const fixed_point *p = data;
    mo_status status = moving_set_time(p->m, t, true, err);
    if (status == MO_OK)
        status = moving_relinearise(p->m, p->x, err);
    for (size_t i = 0; status == MO_OK && i < p->m->rows.count; i++) {
        value[i] = p->weight[i] * p->m->rows.g[i];
        rate[i] = p->weight[i] * p->m->rows.gt[i];
    }
    return status;
}

static mo_status read_shift(void *data, double t, double *value, double *rate, mo_error *err)
{
    const fixed_point *p = data;
    mo_status status = moving_set_time(p->m, t, true, err);
    if (status == MO_OK) {
        vec_copy(p->m->n, p->m->leaves[0].shift, value);
        vec_copy(p->m->n, p->m->leaves[0].shift_rate, rate);
    }
    return status;
}

static mo_status no_memory(mo_error *err)
{
    return fail(err, MO_NO_MEMORY, NULL, "no memory to look for jumps");
}

static mo_status find_gap_leap(moving *m, arena *work, double t_i, double t_f, const double *x, bool below,
                               leap *out, mo_error *err)
{
    // discs: rows that are violated afterwards
    mo_status status = moving_set_time(m, t_f, true, err);
    if (status == MO_OK)
        status = moving_linearise(m, x, 0, err);
    if (status != MO_OK)
        return status;
    const size_t count = m->rows.count;
    double *weight = arena_push(work, count, sizeof *weight);
    double *scratch = arena_push(work, leap_scratch(count), sizeof *scratch);
    if (weight == NULL || scratch == NULL)
        return no_memory(err);
    double size = vec_max_abs(m->n, x);
    for (size_t i = 0; i < count; i++) {
        weight[i] = m->rows.norm[i] > 0 ? 1 / m->rows.norm[i] : 1;
        size = fmax(size, fabs(weight[i] * m->rows.g[i]));
    }
    fixed_point point = {m, x, weight};
    const leap_probe probe = {count, read_gaps, &point, 1e-10 * size, below};
    return leap_find(&probe, t_i, t_f, scratch, out, err);
}

/* a translation that leaps away from x is none over x */
static mo_status find_shift_leap(moving *m, arena *work, double t_i, double t_f, const double *x, leap *out,
                                 mo_error *err)
{
    double *y = arena_push(work, m->n, sizeof *y);
    double *scratch = arena_push(work, leap_scratch(m->n), sizeof *scratch);
    if (y == NULL || scratch == NULL)
        return no_memory(err);
    fixed_point point = {m, x, NULL};
    const leap_probe probe = {m->n, read_shift, &point, 1e-10 * vec_max_abs(m->n, x), false};
    mo_status status = leap_find(&probe, t_i, t_f, scratch, out, err);
    if (status != MO_OK || !out->found)
        return status;
    status = moving_set_time(m, out->after, false, err);
    if (status == MO_OK)
        status = moving_project(m, x, NULL, y, err);
    if (status == MO_OK)
        out->found = vec_distance(m->n, x, y) > probe.least;
    return status;
}

mo_status set_leap_find(mo_sweep *s, double t_i, double t_f, const double *x, bool below, leap *out,
                        mo_error *err)
{
    struct event_memory *memory;
    *out = (leap){false, 0, 0, 0};
    if (!s->m->moves)
        return MO_OK;
    mo_status status = event_memory_get(s, &memory, err);
    if (status != MO_OK)
        return status;
    const arena_mark mark = arena_here(&memory->work);
    status = s->m->by_prox ? find_shift_leap(s->m, &memory->work, t_i, t_f, x, out, err)
                           : find_gap_leap(s->m, &memory->work, t_i, t_f, x, below, out, err);
    // blocks are joined where nobody else uses the memory
    if (mark.used == 0)
        arena_reset(&memory->work);
    else
        arena_back(&memory->work, mark);
    return status;
}

mo_status jump_find(mo_sweep *s, double t_i, double t_f, const double *x, bool *found, double *t_jump,
                    mo_error *err)
{
    leap out;
    mo_status status = set_leap_find(s, t_i, t_f, x, true, &out, err);
    if (status == MO_OK) {
        *found = out.found;
        *t_jump = out.after;
    }
    return status;
}
