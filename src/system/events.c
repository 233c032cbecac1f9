/*
 * Events of a step.  A gap begins to push (contact), ceases to (release), or begins to push against a
 * velocity that the forces of this one step cannot have made (impact).
 */
#include <math.h>

#include "core/buffer.h"
#include "core/fail.h"
#include "math/vec.h"
#include "system/internal.h"

mo_status events_add_gaps(mo_system *s, double t, mo_event_type type, double size, const size_t *gaps,
                          size_t count, mo_error *err)
{
    event_list *list = &s->events;
    column items = {(void **)&list->items, sizeof(mo_event)},
           numbers = {(void **)&list->gaps, sizeof(size_t)};
    if (!columns_reserve(&items, 1, &list->capacity, list->count + 1) ||
        !columns_reserve(&numbers, 1, &list->gap_capacity, list->gap_count + count))
        return fail(err, MO_NO_MEMORY, NULL, "no memory for events");
    list->items[list->count++] = (mo_event){t, type, size, list->gap_count, count};
    for (size_t k = 0; k < count; k++)
        list->gaps[list->gap_count++] = gaps[k];
    return MO_OK;
}

// whether gap a, which begins to push, does so against more than the forces of the step
static bool is_impact(const mo_system *s, size_t a)
{
    const double *G = s->G + a * s->n;
    double approach = -s->gt[a], smooth = 0, size = 0;
    for (size_t i = s->G_begin[a]; i < s->G_end[a]; i++) {
        approach -= G[i] * s->u[i];
        smooth += G[i] * (s->free[i] - s->u[i]);
        size += fabs(G[i] * s->u[i]);
    }
    return approach > 2 * fabs(smooth) + 1e-12 * size;
}

static double jump_size(mo_system *s)
{
    double *jump = s->scratch[4];
    for (size_t i = 0; i < s->n; i++)
        jump[i] = s->u_next[i] - s->free[i];
    return speed_kinetic(s, jump);
}

static mo_status add_impact(mo_system *s, size_t contacts, mo_error *err)
{
    size_t count = 0;
    // the gaps that begin to push are in work_set; those that are hit go to its front
    for (size_t k = 0; k < contacts; k++)
        if (is_impact(s, s->work_set[k]))
            s->work_set[count++] = s->work_set[k];
    if (count == 0)
        return MO_OK;
    s->impacts_next++;
    return events_add_gaps(s, s->t_f, MO_EVENT_IMPACT, jump_size(s), s->work_set, count, err);
}

mo_status events_of_step(mo_system *s, mo_error *err)
{
    mo_status status = MO_OK;
    size_t count = 0;
    for (size_t a = 0; a < s->m; a++)
        if (s->lambda[a] > 0 && !(s->lambda_next[a] > 0))
            s->work_set[count++] = a;
    if (count > 0)
        status = events_add_gaps(s, s->t_f, MO_EVENT_RELEASE, 0, s->work_set, count, err);
    count = 0;
    for (size_t a = 0; a < s->m; a++)
        if (s->lambda_next[a] > 0 && !(s->lambda[a] > 0))
            s->work_set[count++] = a;
    if (count == 0 || status != MO_OK)
        return status;
    status = events_add_gaps(s, s->t_f, MO_EVENT_CONTACT, 0, s->work_set, count, err);
    if (status == MO_OK && !s->stage.no_impacts)
        status = add_impact(s, count, err);
    return status;
}
