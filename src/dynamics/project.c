/*
 * Position projection: min ½ Δq.A Δq with g_α + G_N Δq >= -left_α is the frictionless step problem with
 * u_free = 0 and shift = gap + left, so that sweeps over the rows of a step find it.  Only positions change:
 * kinetic energy stays.
 *
 * After a step the rows are those of the step itself, with the gaps at its end to first order (gap_after):
 * what that misses, and pairs that were no contacts, the next step sees.
 */
#include <math.h>
#include <string.h>

#include "collide/detect.h"
#include "core/fail.h"
#include "dynamics/contact_place.h"
#include "dynamics/joints.h"
#include "dynamics/rotate.h"
#include "dynamics/sleep.h"
#include "math/least.h"
#include "problem/apply.h"
#include "solver/press.h"

static mo_status no_memory(mo_error *err)
{
    return fail(err, MO_NO_MEMORY, NULL, "out of memory for position projection");
}

static bool is_movable(const bodies *b, const sleepers *sleep, uint32_t slot)
{
    return is_dynamic(b, slot) && !(sleep != NULL && sleep_has(sleep, b, slot));
}

static double pair_size(const bodies *b, const contact_set *c, size_t i)
{
    return fmin(b->size[c->slot1[i]], b->size[c->slot2[i]]);
}

// whether one of the contacts [begin, end) overlaps by more than `least`
static bool some_deeper(const bodies *b, const contact_set *c, const stage_data *d, size_t begin, size_t end,
                        double least)
{
    unsigned deeper = 0;
    for (size_t i = begin; i < end; i++)
        deeper |= -gap_after(b, c, i, d) > least;
    return deeper;
}

// whether some overlap is more than `share` of the smaller body's size
static bool is_deeper(const bodies *b, const contact_set *c, const stage_data *d, double share)
{
    enum { MANY = 64 };
    const double least = share * least_of(b->size, b->count);
    for (size_t begin = 0; begin < c->count; begin += MANY) {
        const size_t end = begin + MANY < c->count ? begin + MANY : c->count;
        // most need no look at their own bodies
        if (!some_deeper(b, c, d, begin, end, least))
            continue;
        for (size_t i = begin; i < end; i++)
            if (-gap_after(b, c, i, d) > share * pair_size(b, c, i))
                return true;
    }
    return false;
}

void displace_body(bodies *b, size_t slot, const double *by)
{
    double *q = &b->q[b->nq * slot];
    for (size_t k = 0; k < 3; k++)
        q[k] += by[k];
    if (b->dim == 3)
        rotate_by(by + 3, q + 3);
}

// what springs hold
static double sprung(const bodies *b, const stage_data *d)
{
    return d->joints != NULL ? joints_potential(d->joints, b) : 0;
}

static double move(bodies *b, const sleepers *sleep, const stage_data *d)
{
    double work = -sprung(b, d);
    for (size_t i = 0; i < b->count; i++) {
        if (!is_movable(b, sleep, (uint32_t)i))
            continue;
        double before = body_potential(b, i, d->gravity);
        displace_body(b, i, body_velocity(&d->problem, (uint32_t)i));
        work += body_potential(b, i, d->gravity) - before;
    }
    return work + sprung(b, d);
}

// pushes apart what overlaps; *moved: whether it could
static mo_status push_apart(bodies *b, const sleepers *sleep, const project_settings *settings,
                            const contact_set *c, stage_data *d, arena *a, pool *threads, double *work,
                            bool *moved, mo_error *err)
{
    d->problem.press = arena_push(a, c->count, sizeof *d->problem.press);
    if (d->problem.press == NULL)
        return no_memory(err);
    for (size_t i = 0; i < c->count; i++) {
        // the overlap that may stay
        double gap = gap_after(b, c, i, d),
               left = fmax(settings->target * pair_size(b, c, i), -(1 - settings->step) * gap);
        set_normal_shift(&d->problem, d->row[i], gap + (gap < 0 ? left : 0));
    }
    // a displacement that is not finite would spoil everything: leave the overlap, it is reported
    *moved = press_apart(&d->problem, settings->max_iter, threads);
    if (*moved)
        *work += move(b, sleep, d);
    return MO_OK;
}

mo_status project_positions(bodies *b, const project_settings *settings, const sleepers *sleep,
                            const contact_set *c, stage_data *d, arena *a, pool *threads, double *work,
                            mo_error *err)
{
    bool moved;
    return is_deeper(b, c, d, settings->start)
               ? push_apart(b, sleep, settings, c, d, a, threads, work, &moved, err)
               : MO_OK;
}

// contacts at q within `reach` of the smaller body's size, without impulses and velocities
static mo_status near_contacts(const bodies *b, neighbours *n, const stage_data *d, double reach,
                               contact_set *c, arena *a, pool *threads, mo_error *err)
{
    detect_view v = bodies_view(b, b->q);
    detect_reach r = {.absolute = -1, .relative = reach, .at_most = INFINITY};
    if (!neighbours_update(n, &v, d->h, d->reach, a, threads) || !detect(n, &v, r, NULL, c, a, threads))
        return no_memory(err);
    for (size_t i = 0; i < b->dim * c->count; i++)
        c->S[i] = c->U[i] = 0;
    return MO_OK;
}

// rows for contacts at q, frictionless
static mo_status gap_rows(const bodies *b, contact_set *c, arena *a, stage_data *d, pool *threads,
                          mo_error *err)
{
    mo_law none = {0};
    law_table *frictionless = arena_push_zero(a, 1, sizeof *frictionless);
    d->u_free = arena_push_zero(a, b->nu * b->count, sizeof *d->u_free);
    if (frictionless == NULL || d->u_free == NULL)
        return no_memory(err);
    d->u_start = d->u_free;
    frictionless->list = &none;
    return assemble(b, frictionless, c, a, d, threads, err);
}

mo_status resolve_overlaps(bodies *b, neighbours *n, const project_settings *settings, const stage_data *d,
                           contact_set *c, arena *a, pool *threads, double *work, mo_error *err)
{
    for (int round = 0; round < settings->rounds; round++) {
        arena_mark mark = arena_here(a);
        stage_data gaps = {.h = d->h, .theta = 0.5, .q_mid = b->q, .threads = d->threads, .order = d->order};
        memcpy(gaps.gravity, d->gravity, sizeof gaps.gravity);
        mo_status s = near_contacts(b, n, d, settings->reach, c, a, threads, err);
        if (s != MO_OK)
            return s;
        if (!is_deeper(b, c, &gaps, settings->start))
            return MO_OK;
        s = gap_rows(b, c, a, &gaps, threads, err);
        if (s != MO_OK)
            return s;
        bool moved;
        s = push_apart(b, NULL, settings, c, &gaps, a, threads, work, &moved, err);
        if (s != MO_OK || !moved)
            return s;
        arena_back(a, mark);
    }
    return MO_OK;
}

mo_status deepest_overlap(const bodies *b, neighbours *n, const stage_data *d, contact_set *c, arena *a,
                          double *depth, uint32_t pair[2], mo_error *err)
{
    mo_status s = near_contacts(b, n, d, 0, c, a, NULL, err);
    if (s != MO_OK)
        return s;
    *depth = 0;
    for (size_t i = 0; i < c->count; i++) {
        if (-c->gap[i] <= *depth)
            continue;
        *depth = -c->gap[i];
        if (pair != NULL) {
            pair[0] = c->slot1[i];
            pair[1] = c->slot2[i];
        }
    }
    return MO_OK;
}
