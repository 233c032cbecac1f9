/*
 * One step: field, method, certificate, jumps, events, sums, commit.  Until the commit nothing of the process
 * is changed but the events.
 */
#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "math/vec.h"
#include "sweep/process.h"

mo_status sweep_field(mo_sweep *s, double t, const double *u, double *f, mo_error *err)
{
    if (s->def.field == NULL)
        return MO_OK;
    mo_status status = s->def.field(s->def.data, t, u, f, err);
    for (size_t j = 0; status == MO_OK && j < s->n; j++)
        if (!isfinite(f[j]))
            return moving_trouble(s->m, MO_SWEEP_NOT_FINITE, "field: number %zu of %zu is %g at t = %.17g",
                                  j + 1, s->n, f[j], t);
    return status;
}

void sweep_note_projection(mo_sweep *s)
{
    mo_sweep_info *info = &s->next_info;
    info->iterations += s->m->iterations;
    if (s->m->outcome <= info->outcome)
        return;
    info->outcome = s->m->outcome;
    memcpy(info->message, s->m->message, sizeof info->message);
}

mo_status sweep_projected(mo_sweep *s, double span, double rate, mo_error *err)
{
    s->span = span;
    sweep_note_projection(s);
    return holds_from_rows(s, rate, err);
}

void lambda_from_holds(mo_sweep *s)
{
    vec_zero(s->m->gap_count, s->lambda);
    for (size_t k = 0; k < s->holds.count; k++) {
        const mo_sweep_hold *hold = &s->holds.items[k];
        size_t partner = row_partner(s->m, s->holds.leaf[k], hold->second);
        s->lambda[hold->first] += hold->lambda;
        if (partner != SIZE_MAX)
            s->lambda[partner] += hold->lambda;
    }
}

// a numerical outcome of something on the side leaves the step alone
static mo_status on_the_side(mo_status status)
{
    return status == STEP_NOT_MADE ? MO_OK : status;
}

// the event of a start outside C(0), from where the first step leaps
static mo_status look_outside(mo_sweep *s, bool *leapt, mo_error *err)
{
    mo_status status = moving_set_time(s->m, 0, false, err);
    if (status == MO_OK)
        status = moving_project(s->m, s->x, NULL, s->point, err);
    if (status != MO_OK)
        return on_the_side(status);
    double distance = vec_distance(s->n, s->point, s->x);
    if (!(distance > 1e-12 * vec_norm(s->n, s->point)))
        return MO_OK;
    *leapt = true;
    return event_add(s, 0, MO_EVENT_OUTSIDE, distance, NULL, 0, err);
}

// whether gaps at x have fallen in the step by more than their rates explain
static mo_status leaps(mo_sweep *s, bool *leap, mo_error *err)
{
    moving *m = s->m;
    double h = s->def.h;
    mo_status status = moving_set_time(m, s->t_f, true, err);
    if (status == MO_OK)
        status = moving_linearise(m, s->x, 0, err);
    if (status != MO_OK)
        return status;
    size_t count = m->rows.count;
    arena_mark mark = arena_here(&m->work);
    double *g = arena_push(&m->work, 2 * count + 1, sizeof *g), *gt = g + count;
    if (g == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "no memory to look for jumps");
    vec_copy(count, m->rows.g, g);
    vec_copy(count, m->rows.gt, gt);
    status = moving_set_time(m, s->t_i, true, err);
    if (status == MO_OK)
        status = moving_relinearise(m, s->x, err);
    *leap = status == MO_OK && m->by_prox;
    for (size_t i = 0; status == MO_OK && i < count; i++) {
        double fall = m->rows.g[i] - g[i], rate = fmax(fabs(gt[i]), fabs(m->rows.gt[i]));
        *leap = *leap || (g[i] < 0 && fall > 4 * h * rate);
    }
    arena_back(&m->work, mark);
    return status;
}

// the jump of the step, when there is one; the point was pushed farther than usual
static mo_status look_for_jump(mo_sweep *s, bool *leapt, mo_error *err)
{
    double t = 0;
    bool found = false;
    mo_status status = leaps(s, &found, err);
    if (status == MO_OK && found)
        status = jump_find(s, s->t_i, s->t_f, s->x, &found, &t, err);
    if (status == MO_OK && found)
        status = moving_set_time(s->m, t, false, err);
    if (status == MO_OK && found)
        status = moving_project(s->m, s->x, NULL, s->point, err);
    if (status != MO_OK || !found)
        return on_the_side(status);
    double size = vec_distance(s->n, s->point, s->x);
    s->next_info.jumps++;
    s->next_info.largest_jump = fmax(s->next_info.largest_jump, size);
    *leapt = true;
    return event_add(s, t, MO_EVENT_JUMP, size, NULL, 0, err);
}

static mo_status add_retraction(mo_sweep *s, mo_error *err)
{
    mo_sweep_info *info = &s->next_info;
    double forward = 0, backward = 0;
    bool exact = true;
    if (!s->def.retraction || !s->m->moves)
        return MO_OK;
    mo_status status = excess_between(s->m, s->t_i, s->t_f, s->x, &forward, &backward, &exact, err);
    info->retraction_exact = info->retraction_exact && exact && status == MO_OK;
    // points that only the sampling looks at may be outside a function's domain
    if (status == MO_BAD_INPUT)
        return MO_OK;
    info->retraction += forward;
    info->variation += fmax(forward, backward);
    return on_the_side(status);
}

// how far the set has pushed the point
static double pushed(const mo_sweep *s)
{
    double square = 0, h = s->def.h;
    for (size_t j = 0; j < s->n; j++) {
        double d = s->next[j] - s->x[j] - h * s->f[j];
        square += d * d;
    }
    return sqrt(square);
}

// a length that is larger than usual where the set has leapt in the step
static double suspicion(const mo_sweep *s)
{
    double violation = s->next_info.violation;
    switch (s->def.method) {
    // the lazy selector feels a jump in the step after it; what it sees at once is being outside
    case MO_SWEEP_LAZY:
        return violation;
    // so does theta where the jump comes after t_a
    case MO_SWEEP_THETA:
        return fmax(pushed(s), violation);
    default:
        return pushed(s);
    }
}

// over a jump, or from a start outside, u+ = prox(C+, u-): theta has overshot it, or not seen it, so that the
// step is made again
static mo_status catch_up(mo_sweep *s, mo_error *err)
{
    mo_status status = catching_up_step(s, err);
    return status == MO_OK ? sweep_certify(s, err) : status;
}

// everything after the method: residuals, jumps, events, sums
static mo_status finish(mo_sweep *s, double *push, bool *leapt, mo_error *err)
{
    bool grid = s->def.method != MO_SWEEP_EVENT_DRIVEN;
    mo_status status = sweep_certify(s, err);
    *push = suspicion(s);
    if (status == MO_OK && s->def.method == MO_SWEEP_LAZY)
        status = lazy_look_empty(s, err);
    if (status == MO_OK && grid && s->m->moves && *push > 2 * s->reach)
        status = look_for_jump(s, leapt, err);
    if (status == MO_OK && *leapt && s->def.method == MO_SWEEP_THETA)
        status = catch_up(s, err);
    if (status == MO_OK && grid)
        status = events_of_change(s, s->t_f, &s->holds, &s->next_holds, err);
    return status == MO_OK ? add_retraction(s, err) : status;
}

static void commit(mo_sweep *s, double push, bool leapt)
{
    mo_sweep_info *info = &s->next_info;
    s->moved = vec_distance(s->n, s->next, s->x);
    s->reach = leapt ? s->reach : push;
    info->time = s->t_f;
    info->steps++;
    info->unconverged_steps += info->outcome != MO_SWEEP_REACHED;
    info->worst_violation = fmax(info->worst_violation, info->violation);
    info->path_length += s->way >= 0 ? s->way : s->moved;
    s->info = *info;
    double *x = s->x;
    s->x = s->next;
    s->next = x;
    hold_list holds = s->holds;
    s->holds = s->next_holds;
    s->next_holds = holds;
    lambda_from_holds(s);
}

// the step was not made: the reason is told, the rest is as before
static void refuse(mo_sweep *s)
{
    s->info.outcome = s->m->outcome;
    memcpy(s->info.message, s->m->message, sizeof s->info.message);
    s->info.iterations = s->m->iterations;
    s->info.unconverged_steps++;
    s->event_count = s->event_gap_count = 0;
}

// clears what the step will fill
static void prepare(mo_sweep *s)
{
    s->event_count = s->event_gap_count = 0;
    s->way = -1;
    s->t_i = s->info.time;
    s->t_f = (double)(s->info.steps + 1) * s->def.h;
    s->next_info = s->info;
    s->next_info.outcome = MO_SWEEP_REACHED;
    s->next_info.message[0] = 0;
    s->next_info.iterations = 0;
    s->next_info.active = 0;
    s->next_info.violation = s->next_info.stationarity = s->next_info.complementarity = 0;
    s->next_holds.count = 0;
    s->span = 0;
    // the curvature is looked at now and then in any case: it may have grown little by little
    s->m->usual = s->info.steps % 32 == 0 ? 0 : s->reach;
    s->m->warm = &s->holds;
    s->m->warm_span = s->def.method == MO_SWEEP_THETA  ? s->def.theta * s->def.h
                      : s->def.method == MO_SWEEP_LAZY ? 1
                                                       : s->def.h;
}

mo_status mo_sweep_step(mo_sweep *s, mo_error *err)
{
    bool leapt = false;
    double push = 0;
    mo_status status = MO_OK;
    arena_reset(&s->m->work);
    prepare(s);
    if (s->info.steps == 0)
        status = look_outside(s, &leapt, err);
    if (status == MO_OK)
        status = sweep_field(s, s->t_i, s->x, s->f, err);
    if (status == MO_OK)
        status = s->step(s, err);
    if (status == MO_OK)
        status = finish(s, &push, &leapt, err);
    if (status == STEP_NOT_MADE) {
        refuse(s);
        return MO_OK;
    }
    if (status == MO_OK)
        commit(s, push, leapt);
    else
        s->event_count = s->event_gap_count = 0;
    return status;
}
