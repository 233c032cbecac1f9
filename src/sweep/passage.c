/*
 * What an event-driven step tells, and how it goes on where the flow cannot: jumps u+ = prox(C+, u-) (M99 6)
 * and catching-up to the end of the step (M99 (19)).
 */
#include "sweep/event_driven.h"

#include "core/fail.h"
#include "math/vec.h"
#include "sweep/process.h"

#include <string.h>

/* ---- what is told --------------------------------------------------------------------------------- */

mo_status passage_copy_holds(hold_list *to, const hold_list *from, mo_error *err)
{
    mo_status status = holds_reserve(to, from->count, err);
    if (status != MO_OK)
        return status;
    to->count = from->count;
    if (from->count > 0) {
        memcpy(to->items, from->items, from->count * sizeof *to->items);
        memcpy(to->leaf, from->leaf, from->count * sizeof *to->leaf);
    }
    return MO_OK;
}

mo_status passage_list_held(flow *f, bool all)
{
    gap_rows *rows = &f->m->rows;
    for (size_t i = 0; i < f->row_count; i++) {
        const bool held = f->place[i] != SIZE_MAX;
        rows->lambda[i] = held ? f->mu[f->place[i]] : 0;
        if (held && all && !(rows->lambda[i] > 0))
            rows->lambda[i] = 1;
    }
    return holds_from_rows(f->s, 1, f->err);
}

mo_status passage_tell_change(passage *p, double t)
{
    flow *f = &p->f;
    mo_status status = passage_list_held(f, true);
    if (status == MO_OK)
        status = events_of_change(p->s, t, &f->memory->held, &p->s->next_holds, f->err);
    return status == MO_OK ? passage_copy_holds(&f->memory->held, &p->s->next_holds, f->err) : status;
}

/* ---- jumps and other ways to go on by projection -------------------------------------------------- */

mo_status passage_project(passage *p, double t, const double *z)
{
    flow *f = &p->f;
    mo_status status = moving_set_time(f->m, t, true, f->err);
    if (status == MO_OK)
        status = moving_project(f->m, z, f->x, f->end, f->err);
    if (status != MO_OK)
        return status;
    sweep_note_projection(p->s);
    p->s->way += vec_distance(f->n, f->x, f->end);
    vec_copy(f->n, f->end, f->x);
    f->t = t;
    return MO_OK;
}

/* gaps that push in the last projection, as an event */
static mo_status add_projection_event(passage *p, mo_event_type type, double size)
{
    flow *f = &p->f;
    const gap_rows *rows = &f->m->rows;
    size_t *gaps = arena_push(&f->memory->work, rows->count, sizeof *gaps), count = 0;
    if (gaps == NULL)
        return fail(f->err, MO_NO_MEMORY, NULL, "no memory for events");
    for (size_t i = 0; i < rows->count; i++)
        if (rows->lambda[i] > 0 && (count == 0 || gaps[count - 1] != rows->first[i]))
            gaps[count++] = rows->first[i];
    return event_add(p->s, f->t, type, size, gaps, count, f->err);
}

mo_status passage_jump(passage *p, double t)
{
    flow *f = &p->f;
    vec_copy(f->n, f->x, f->scratch);
    mo_status status = passage_project(p, t, f->scratch);
    if (status != MO_OK)
        return status;
    const double size = vec_distance(f->n, f->x, f->scratch);
    p->after_jump = true;
    p->events++;
    if (!(size > fmax(f->near, 64 * 0x1p-52 * vec_max_abs(f->n, f->x))))
        return MO_OK;
    p->s->next_info.jumps++;
    p->s->next_info.largest_jump = fmax(p->s->next_info.largest_jump, size);
    return add_projection_event(p, MO_EVENT_JUMP, size);
}

/* the rest of the step by catching-up, multipliers as rates */
static mo_status catch_up(passage *p, ending *end)
{
    flow *f = &p->f;
    const double rest = p->s->t_f - f->t;
    mo_status status = sweep_field(p->s, f->t, f->x, f->f, f->err);
    if (status != MO_OK)
        return status;
    vec_copy(f->n, f->x, f->scratch);
    vec_add(f->n, rest, f->f, f->scratch);
    *end = FINISHED;
    status = passage_project(p, p->s->t_f, f->scratch);
    return status == MO_OK ? holds_from_rows(p->s, 1 / rest, f->err) : status;
}

mo_status passage_give_up_events(passage *p, ending *end)
{
    p->s->next_info.accumulations++;
    mo_status status = event_add(p->s, p->f.t, MO_EVENT_ACCUMULATION, 0, NULL, 0, p->f.err);
    return status == MO_OK ? catch_up(p, end) : status;
}

mo_status passage_give_up_flow(passage *p, const char *why, ending *end)
{
    moving *m = p->f.m;
    const double t = p->f.t;
    mo_status status = catch_up(p, end);
    if (status != MO_OK)
        return status;
    moving_trouble(m, MO_SWEEP_NOT_CONVERGED, "%s at t = %.17g; caught up to the end of the step", why, t);
    m->iterations = 0;
    sweep_note_projection(p->s);
    return MO_OK;
}
