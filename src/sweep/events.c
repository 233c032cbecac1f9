/* What holds the point, and the events of a step. */
#include "core/buffer.h"
#include "core/fail.h"
#include "sweep/process.h"

const char *mo_event_type_name(mo_event_type type)
{
    static const char *const names[] = {"contact", "release", "jump", "outside", "accumulation", "impact"};
    return (size_t)type < sizeof names / sizeof *names ? names[type] : NULL;
}

mo_status holds_reserve(hold_list *list, size_t count, mo_error *err)
{
    column columns[] = {{(void **)&list->items, sizeof(mo_sweep_hold)},
                        {(void **)&list->leaf, sizeof(uint32_t)}};
    if (!columns_reserve(columns, 2, &list->capacity, count))
        return fail(err, MO_NO_MEMORY, NULL, "no memory for %zu gaps that hold", count);
    return MO_OK;
}

mo_status holds_from_rows(mo_sweep *s, double rate, mo_error *err)
{
    const gap_rows *r = &s->m->rows;
    hold_list *list = &s->next_holds;
    size_t count = 0;
    list->count = 0;
    for (size_t i = 0; i < r->count; i++)
        count += r->lambda[i] > 0;
    mo_status status = holds_reserve(list, count, err);
    for (size_t i = 0; status == MO_OK && i < r->count; i++) {
        if (!(r->lambda[i] > 0))
            continue;
        list->leaf[list->count] = r->leaf[i];
        list->items[list->count++] = (mo_sweep_hold){r->first[i], r->second[i], r->g[i], r->lambda[i] * rate};
    }
    return status;
}

bool events_reserve(mo_sweep *s, size_t count, size_t gap_count)
{
    column events[] = {{(void **)&s->events, sizeof(mo_event)}};
    column gaps[] = {{(void **)&s->event_gaps, sizeof(size_t)}};
    return columns_reserve(events, 1, &s->event_capacity, count) &&
           columns_reserve(gaps, 1, &s->event_gap_capacity, gap_count);
}

mo_status event_add(mo_sweep *s, double t, mo_event_type type, double size, const size_t *gaps,
                    size_t gap_count, mo_error *err)
{
    if (!events_reserve(s, s->event_count + 1, s->event_gap_count + gap_count))
        return fail(err, MO_NO_MEMORY, NULL, "no memory for events");
    s->events[s->event_count++] = (mo_event){t, type, size, s->event_gap_count, gap_count};
    for (size_t k = 0; k < gap_count; k++)
        s->event_gaps[s->event_gap_count++] = gaps[k];
    return MO_OK;
}

// order of two entries: -1, 0, 1
static int compare(const hold_list *a, size_t i, const hold_list *b, size_t j)
{
    const mo_sweep_hold *p = &a->items[i], *q = &b->items[j];
    if (a->leaf[i] != b->leaf[j])
        return a->leaf[i] < b->leaf[j] ? -1 : 1;
    if (p->first != q->first)
        return p->first < q->first ? -1 : 1;
    return p->second == q->second ? 0 : p->second < q->second ? -1 : 1;
}

// one more gap for the last event
static mo_status add_gap(mo_sweep *s, size_t gap, mo_error *err)
{
    if (!events_reserve(s, s->event_count, s->event_gap_count + 1))
        return fail(err, MO_NO_MEMORY, NULL, "no memory for events");
    s->event_gaps[s->event_gap_count++] = gap;
    s->events[s->event_count - 1].gap_count++;
    return MO_OK;
}

// the event of what is in list but not in other
static mo_status add_difference(mo_sweep *s, double t, mo_event_type type, const hold_list *list,
                                const hold_list *other, mo_error *err)
{
    bool opened = false;
    mo_status status = MO_OK;
    for (size_t i = 0, j = 0; status == MO_OK && i < list->count; i++) {
        while (j < other->count && compare(other, j, list, i) < 0)
            j++;
        if (j < other->count && compare(other, j, list, i) == 0)
            continue;
        if (!opened)
            status = event_add(s, t, type, 0, NULL, 0, err);
        opened = true;
        size_t partner = row_partner(s->m, list->leaf[i], list->items[i].second);
        if (status == MO_OK)
            status = add_gap(s, list->items[i].first, err);
        if (status == MO_OK && partner != SIZE_MAX)
            status = add_gap(s, partner, err);
    }
    return status;
}

mo_status events_of_change(mo_sweep *s, double t, const hold_list *before, const hold_list *after,
                           mo_error *err)
{
    mo_status status = add_difference(s, t, MO_EVENT_RELEASE, before, after, err);
    return status == MO_OK ? add_difference(s, t, MO_EVENT_CONTACT, after, before, err) : status;
}
