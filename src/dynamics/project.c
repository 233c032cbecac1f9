/*
 * Position projection: min ½ Δq.A Δq with g_α + G_N Δq >= -target is the frictionless step problem with
 * u_free = 0 and shift = gap + target, so the same solver finds it.  Only positions change: kinetic energy
 * stays.
 */
#include <math.h>
#include <string.h>

#include "collide/detect.h"
#include "core/fail.h"
#include "dynamics/rotate.h"
#include "dynamics/sleep.h"
#include "problem/apply.h"
#include "solver/nlgs.h"

static mo_status no_memory(mo_error *err)
{
    return fail(err, MO_NO_MEMORY, NULL, "out of memory for position projection");
}

static bool is_movable(const bodies *b, const sleepers *sleep, uint32_t slot)
{
    return is_dynamic(b, slot) && !(sleep != NULL && sleep_has(sleep, b, slot));
}

// [bodies] which stay where they are; false: no memory
static bool find_unmoved(const bodies *b, const sleepers *sleep, arena *a, const uint8_t **out)
{
    uint8_t *unmoved = arena_push(a, b->count, 1);
    for (size_t i = 0; unmoved != NULL && i < b->count; i++)
        unmoved[i] = !is_movable(b, sleep, (uint32_t)i);
    *out = unmoved;
    return unmoved != NULL;
}

// contacts at q within `reach` of the smaller body's size, guesses cleared; sleep: not between those
static mo_status near_contacts(const bodies *b, neighbours *n, const sleepers *sleep, const stage_data *d,
                               double reach, contact_set *c, arena *a, pool *threads, mo_error *err)
{
    detect_view v = bodies_view(b, b->q);
    if (sleep != NULL && sleep->asleep > 0 && !find_unmoved(b, sleep, a, &v.still))
        return no_memory(err);
    detect_reach r = {.absolute = -1, .relative = reach, .at_most = INFINITY};
    if (!neighbours_update(n, &v, d->h, d->reach, a, threads) || !detect(n, &v, r, c, a, threads))
        return no_memory(err);
    for (size_t i = 0; i < b->dim * c->count; i++)
        c->S[i] = 0;
    return MO_OK;
}

static double pair_size(const bodies *b, const contact_set *c, size_t i)
{
    return fmin(b->size[c->slot1[i]], b->size[c->slot2[i]]);
}

// deepest overlap as a share of the smaller body's size
static double worst_share(const bodies *b, const contact_set *c)
{
    double worst = 0;
    for (size_t i = 0; i < c->count; i++)
        worst = fmax(worst, -c->gap[i] / pair_size(b, c, i));
    return worst;
}

// the linearised projection problem, from zero velocities with gaps in the place of velocities
static mo_status gap_problem(const bodies *b, contact_set *c, const project_settings *settings, arena *a,
                             stage_data *d, mo_error *err)
{
    mo_law none = {0};
    law_table *frictionless = arena_push_zero(a, 1, sizeof *frictionless);
    d->u_free = arena_push_zero(a, b->nu * b->count, sizeof *d->u_free);
    if (frictionless == NULL || d->u_free == NULL)
        return no_memory(err);
    d->u_start = d->u_free;
    frictionless->list = &none;
    mo_status s = assemble(b, frictionless, c, a, d, err);
    for (size_t i = 0; s == MO_OK && i < c->count; i++) {
        // the overlap that may stay
        double left = fmax(settings->target * pair_size(b, c, i), -(1 - settings->step) * c->gap[i]);
        set_normal_shift(&d->problem, d->row[i], c->gap[i] + (c->gap[i] < 0 ? left : 0));
    }
    return s;
}

void displace_body(bodies *b, size_t slot, const double *by)
{
    double *q = &b->q[b->nq * slot];
    for (size_t k = 0; k < 3; k++)
        q[k] += by[k];
    if (b->dim == 3 && b->oriented[slot])
        rotate_by(by + 3, q + 3);
}

static double move(bodies *b, const sleepers *sleep, const stage_data *d)
{
    double work = 0;
    for (size_t i = 0; i < b->count; i++) {
        if (!is_movable(b, sleep, (uint32_t)i))
            continue;
        double before = body_potential(b, i, d->gravity);
        displace_body(b, i, body_velocity(&d->problem, (uint32_t)i));
        work += body_potential(b, i, d->gravity) - before;
    }
    return work;
}

mo_status project_positions(bodies *b, neighbours *n, const project_settings *settings, const sleepers *sleep,
                            const stage_data *d, contact_set *c, arena *a, pool *threads, double *work,
                            mo_error *err)
{
    mo_solver_settings solver = mo_default_solver_settings();
    solver.tol = 0;
    solver.max_iter = settings->max_iter;
    for (int round = 0; round < settings->rounds; round++) {
        arena_mark mark = arena_here(a);
        stage_data gaps = {.h = d->h, .theta = 0.5, .q_mid = b->q, .threads = d->threads};
        memcpy(gaps.gravity, d->gravity, sizeof gaps.gravity);
        mo_status s = near_contacts(b, n, sleep, d, settings->reach, c, a, threads, err);
        if (s != MO_OK)
            return s;
        if (worst_share(b, c) <= settings->start)
            return MO_OK;
        s = gap_problem(b, c, settings, a, &gaps, err);
        if (s != MO_OK)
            return s;
        mo_solver_info info;
        nlgs_solve(&gaps.problem, &solver, threads, gaps.sums, &info);
        // a displacement that is not finite would spoil everything: leave the overlap, it is reported
        if (!info.finite)
            return MO_OK;
        *work += move(b, sleep, &gaps);
        arena_back(a, mark);
    }
    return MO_OK;
}

mo_status deepest_overlap(const bodies *b, neighbours *n, const stage_data *d, contact_set *c, arena *a,
                          double *depth, uint32_t pair[2], mo_error *err)
{
    mo_status s = near_contacts(b, n, NULL, d, 0, c, a, NULL, err);
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
