/*
 * A system as bytes: a head of numbers, then q, u, impulses, gaps and what the scheme keeps, and a hash of
 * all before.  Everything that later steps depend on is here.
 */
#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "core/hash.h"
#include "math/vec.h"
#include "system/internal.h"

static const uint64_t MAGIC = 0x00014d4554535953; /* "SYSTEM", version 1 */

/* All members have 8 bytes or a multiple of it: no padding. */
typedef struct state_head {
    uint64_t magic, size, n, m, definition;
    double time, violation, residual, worst_violation, worst_residual, largest_gain, independence;
    double kinetic, potential, work, loss, step_loss, balance_error, start_energy, episode;
    int64_t steps, outcome, iterations, linear_solves, active, unconverged_steps, impacts, accumulations,
        in_episode;
    char message[200];
} state_head;

static size_t number_count(const mo_system *s)
{
    return 2 * s->n + 3 * s->m + s->ops->history * s->n;
}

size_t mo_system_state_size(const mo_system *s)
{
    return sizeof(state_head) + number_count(s) * sizeof(double) + sizeof(uint64_t);
}

static uint64_t hash_definition(const mo_system *s)
{
    const mo_system_def *d = &s->def;
    double numbers[] = {d->h,
                        (double)d->scheme,
                        d->theta,
                        d->rho_infinity,
                        d->stiffness_contact,
                        d->contact_tolerance,
                        d->tol,
                        (double)d->max_iter,
                        d->backward_velocity,
                        d->linear,
                        d->force_depends_on_velocity,
                        d->friction != NULL};
    return hash_bytes(numbers, sizeof numbers, 2);
}

static state_head head_of(const mo_system *s)
{
    const mo_system_info *i = &s->info;
    const mo_system_energy *e = &i->energy;
    state_head head = {.magic = MAGIC,
                       .size = mo_system_state_size(s),
                       .n = s->n,
                       .m = s->m,
                       .definition = hash_definition(s),
                       .time = i->time,
                       .violation = i->violation,
                       .residual = i->residual,
                       .worst_violation = i->worst_violation,
                       .worst_residual = i->worst_residual,
                       .largest_gain = i->largest_gain,
                       .independence = i->independence,
                       .kinetic = e->kinetic,
                       .potential = e->potential,
                       .work = e->work,
                       .loss = e->loss,
                       .step_loss = e->step_loss,
                       .balance_error = e->balance_error,
                       .start_energy = s->start_energy,
                       .episode = s->episode,
                       .steps = i->steps,
                       .outcome = i->outcome,
                       .iterations = i->iterations,
                       .linear_solves = i->linear_solves,
                       .active = (int64_t)i->active,
                       .unconverged_steps = i->unconverged_steps,
                       .impacts = i->impacts,
                       .accumulations = i->accumulations,
                       .in_episode = s->in_episode};
    memcpy(head.message, i->message, strlen(i->message) + 1);
    return head;
}

// the arrays of the state one after the other: copied out of bytes or into them
static void move_arrays(const mo_system *s, double *const arrays[6], unsigned char *bytes, bool out)
{
    size_t counts[6] = {s->n, s->n, s->m, s->m, s->m, s->ops->history * s->n};
    for (int k = 0; k < 6; k++) {
        size_t size = counts[k] * sizeof(double);
        if (size > 0 && out)
            memcpy(bytes, arrays[k], size);
        else if (size > 0)
            memcpy(arrays[k], bytes, size);
        bytes += size;
    }
}

void mo_system_save(const mo_system *s, void *bytes)
{
    state_head head = head_of(s);
    unsigned char *to = bytes;
    double *const arrays[6] = {s->q, s->u, s->lambda, s->lambda_t, s->gaps, s->history};
    memcpy(to, &head, sizeof head);
    move_arrays(s, arrays, to + sizeof head, true);
    uint64_t hash = hash_bytes(bytes, (size_t)head.size - sizeof hash, 0);
    memcpy(to + head.size - sizeof hash, &hash, sizeof hash);
}

static mo_status refuse(mo_error *err, const char *why)
{
    return fail(err, MO_BAD_INPUT, "state", "%s", why);
}

static mo_status check_head(const mo_system *s, const state_head *head, const void *bytes, size_t size,
                            mo_error *err)
{
    uint64_t hash;
    if (head->magic != MAGIC)
        return refuse(err, "not the state of a system, or of another version");
    if (head->n != s->n || head->m != s->m)
        return fail(err, MO_BAD_INPUT, "state", "of %llu freedoms and %llu gaps, expected %zu and %zu",
                    (unsigned long long)head->n, (unsigned long long)head->m, s->n, s->m);
    memcpy(&hash, (const unsigned char *)bytes + size - sizeof hash, sizeof hash);
    if (hash != hash_bytes(bytes, size - sizeof hash, 0))
        return refuse(err, "damaged: its hash does not fit its bytes");
    if (head->definition != hash_definition(s))
        return refuse(err, "of another definition: step, scheme or settings differ");
    return MO_OK;
}

static mo_status check_values(const mo_system *s, const state_head *head, mo_error *err)
{
    const double *numbers = &head->time;
    size_t count = (size_t)(&head->episode - &head->time) + 1;
    for (size_t i = 0; i < count; i++)
        if (isnan(numbers[i]))
            return refuse(err, "a number is NaN");
    if (head->steps < 0 || head->iterations < 0 || head->iterations > INT32_MAX || head->linear_solves < 0 ||
        head->linear_solves > INT32_MAX || head->active < 0 || (uint64_t)head->active > s->m ||
        head->unconverged_steps < 0 || head->impacts < 0 || head->accumulations < 0)
        return refuse(err, "a count is negative or too large");
    if (head->time != (double)head->steps * s->h)
        return refuse(err, "its time is not that of its steps");
    if (head->outcome < MO_SYSTEM_REACHED || head->outcome > MO_SYSTEM_NOT_FINITE || head->message[199] != 0)
        return refuse(err, "outcome or message makes no sense");
    return MO_OK;
}

static void take_info(mo_system *s, const state_head *head)
{
    s->info = (mo_system_info){.time = head->time,
                               .steps = head->steps,
                               .outcome = (mo_system_outcome)head->outcome,
                               .iterations = (int)head->iterations,
                               .linear_solves = (int)head->linear_solves,
                               .active = (size_t)head->active,
                               .violation = head->violation,
                               .residual = head->residual,
                               .unconverged_steps = head->unconverged_steps,
                               .worst_violation = head->worst_violation,
                               .worst_residual = head->worst_residual,
                               .impacts = head->impacts,
                               .accumulations = head->accumulations,
                               .largest_gain = head->largest_gain,
                               .energy = {head->kinetic, head->potential, head->work, head->loss,
                                          head->step_loss, head->balance_error},
                               .independence = head->independence};
    memcpy(s->info.message, head->message, sizeof s->info.message);
    s->start_energy = head->start_energy;
    s->episode = head->episode;
    s->in_episode = head->in_episode != 0;
}

mo_status mo_system_restore(mo_system *s, const void *bytes, size_t size, mo_error *err)
{
    state_head head;
    if (size != mo_system_state_size(s))
        return fail(err, MO_BAD_INPUT, "state", "%zu bytes, expected %zu", size, mo_system_state_size(s));
    memcpy(&head, bytes, sizeof head);
    mo_status status = check_head(s, &head, bytes, size, err);
    if (status == MO_OK)
        status = check_values(s, &head, err);
    if (status != MO_OK)
        return status;
    double *const next[6] = {s->q_next,        s->u_next,    s->lambda_next,
                             s->lambda_t_next, s->gaps_next, s->history_next};
    double *const now[6] = {s->q, s->u, s->lambda, s->lambda_t, s->gaps, s->history};
    size_t counts[6] = {s->n, s->n, s->m, s->m, s->m, s->ops->history * s->n};
    // bytes may be read-only and unaligned: looked at in the arrays of the next step
    unsigned char *from = (unsigned char *)(uintptr_t)bytes + sizeof head;
    move_arrays(s, next, from, false);
    for (int k = 0; k < 6; k++)
        if (!vec_finite(counts[k], next[k]))
            return refuse(err, "positions, velocities or impulses are not finite");
    for (int k = 0; k < 6; k++)
        vec_copy(counts[k], next[k], now[k]);
    take_info(s, &head);
    s->events.count = s->events.gap_count = 0;
    s->start_events = false;
    return MO_OK;
}
