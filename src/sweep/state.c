/*
 * A process as bytes: a head of numbers, the point, what holds it, and a hash of all before.  Everything that
 * later steps depend on is here, the start of the projections included; the multipliers are sums over what
 * holds.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/fail.h"
#include "core/hash.h"
#include "math/vec.h"
#include "sweep/process.h"

static const uint64_t MAGIC = 0x0001504545575345; /* "ESWEEP", version 1 */

/* All members have 8 bytes: no padding. */
typedef struct state_head {
    uint64_t magic, size, n, gap_count, hold_count;
    uint64_t definition; /* hash of the numbers of the definition */
    double time, violation, stationarity, complementarity, worst_violation, path_length, retraction,
        variation, largest_jump, reach, moved;
    int64_t steps, iterations, unconverged_steps, jumps, accumulations, outcome, retraction_exact;
    char message[200];
} state_head;

typedef struct state_hold {
    uint64_t leaf, first, second;
    double gap, lambda;
} state_hold;

static size_t size_for(const mo_sweep *s, size_t hold_count)
{
    return sizeof(state_head) + s->n * sizeof(double) + hold_count * sizeof(state_hold) + sizeof(uint64_t);
}

size_t mo_sweep_state_size(const mo_sweep *s)
{
    return size_for(s, s->holds.count);
}

static uint64_t hash_definition(const mo_sweep *s)
{
    const mo_sweep_def *d = &s->def;
    double numbers[] = {d->h,   (double)d->method,   d->theta,     d->lambda,
                        d->tol, (double)d->max_iter, d->retraction};
    return hash_bytes(numbers, sizeof numbers, 1);
}

static state_head head_of(const mo_sweep *s)
{
    const mo_sweep_info *i = &s->info;
    state_head head = {
        .magic = MAGIC,
        .size = mo_sweep_state_size(s),
        .n = s->n,
        .gap_count = s->m->gap_count,
        .hold_count = s->holds.count,
        .definition = hash_definition(s),
        .time = i->time,
        .violation = i->violation,
        .stationarity = i->stationarity,
        .complementarity = i->complementarity,
        .worst_violation = i->worst_violation,
        .path_length = i->path_length,
        .retraction = i->retraction,
        .variation = i->variation,
        .largest_jump = i->largest_jump,
        .reach = s->reach,
        .moved = s->moved,
        .steps = i->steps,
        .iterations = i->iterations,
        .unconverged_steps = i->unconverged_steps,
        .jumps = i->jumps,
        .accumulations = i->accumulations,
        .outcome = i->outcome,
        .retraction_exact = i->retraction_exact,
    };
    snprintf(head.message, sizeof head.message, "%s", i->message);
    return head;
}

static unsigned char *put(unsigned char *to, const void *from, size_t bytes)
{
    if (bytes > 0)
        memcpy(to, from, bytes);
    return to + bytes;
}

void mo_sweep_save(const mo_sweep *s, void *bytes)
{
    state_head head = head_of(s);
    unsigned char *to = put(bytes, &head, sizeof head);
    to = put(to, s->x, s->n * sizeof *s->x);
    for (size_t k = 0; k < s->holds.count; k++) {
        const mo_sweep_hold *h = &s->holds.items[k];
        state_hold hold = {s->holds.leaf[k], h->first, h->second, h->gap, h->lambda};
        to = put(to, &hold, sizeof hold);
    }
    uint64_t hash = hash_bytes(bytes, (size_t)head.size - sizeof hash, 0);
    put(to, &hash, sizeof hash);
}

static mo_status refuse_state(mo_error *err, const char *why)
{
    return fail(err, MO_BAD_INPUT, "state", "%s", why);
}

static mo_status check_head(const mo_sweep *s, const state_head *head, const void *bytes, size_t size,
                            mo_error *err)
{
    uint64_t hash;
    if (head->magic != MAGIC)
        return refuse_state(err, "not the state of a sweep, or of another version");
    if (head->n != s->n || head->gap_count != s->m->gap_count)
        return fail(err, MO_BAD_INPUT, "state", "of %llu unknowns and %llu gaps, expected %zu and %zu",
                    (unsigned long long)head->n, (unsigned long long)head->gap_count, s->n, s->m->gap_count);
    if (head->size != size || head->hold_count > size / sizeof(state_hold) ||
        size_for(s, (size_t)head->hold_count) != size)
        return refuse_state(err, "its size does not fit what it says it holds");
    memcpy(&hash, (const unsigned char *)bytes + size - sizeof hash, sizeof hash);
    if (hash != hash_bytes(bytes, size - sizeof hash, 0))
        return refuse_state(err, "damaged: its hash does not fit its bytes");
    if (head->definition != hash_definition(s))
        return refuse_state(err, "of another definition: step, method or settings differ");
    return MO_OK;
}

// numbers that no process can have
static mo_status check_numbers(const mo_sweep *s, const state_head *head, mo_error *err)
{
    double sums[] = {
        head->time,        head->violation, head->stationarity, head->complementarity, head->worst_violation,
        head->path_length, head->reach,     head->moved,        head->largest_jump};
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        if (!(sums[i] >= 0))
            return refuse_state(err, "a length or time is negative or NaN");
    if (!(head->retraction >= 0) || !(head->variation >= 0))
        return refuse_state(err, "retraction or variation is negative or NaN");
    if (head->steps < 0 || head->iterations < 0 || head->iterations > INT32_MAX ||
        head->unconverged_steps < 0 || head->jumps < 0 || head->accumulations < 0)
        return refuse_state(err, "a count is negative or too large");
    if (head->time != (double)head->steps * s->def.h)
        return refuse_state(err, "its time is not that of its steps");
    if (head->outcome < MO_SWEEP_REACHED || head->outcome > MO_SWEEP_NOT_FINITE ||
        head->retraction_exact < 0 || head->retraction_exact > 1 || head->message[199] != 0)
        return refuse_state(err, "outcome or message makes no sense");
    return MO_OK;
}

// a hold must name a gap of the leaf, or a pair of it, and come after the one before
static bool hold_fits(const mo_sweep *s, const state_hold *hold, const state_hold *before)
{
    if (hold->leaf >= s->m->leaf_count || !isfinite(hold->gap) || !(hold->lambda > 0) || isinf(hold->lambda))
        return false;
    const moving_leaf *leaf = &s->m->leaves[hold->leaf];
    bool discs = leaf->set->kind == MO_MOVING_DISCS;
    if (hold->first < leaf->gap_first || hold->first - leaf->gap_first >= leaf->gap_count)
        return false;
    if (!discs && hold->second != SIZE_MAX)
        return false;
    if (discs && (hold->second <= hold->first ||
                  hold->second - leaf->gap_first >= leaf->gap_count + leaf->set->wall_count))
        return false;
    return before == NULL || before->first < hold->first ||
           (before->first == hold->first && before->second < hold->second);
}

static mo_status read_holds(mo_sweep *s, const unsigned char *from, size_t count, mo_error *err)
{
    state_hold before, hold;
    mo_status status = holds_reserve(&s->next_holds, count, err);
    for (size_t k = 0; status == MO_OK && k < count; k++, before = hold) {
        memcpy(&hold, from + k * sizeof hold, sizeof hold);
        if (!hold_fits(s, &hold, k > 0 ? &before : NULL))
            return fail(err, MO_BAD_INPUT, "state", "what holds the point, entry %zu, makes no sense", k + 1);
        s->next_holds.leaf[k] = (uint32_t)hold.leaf;
        s->next_holds.items[k] =
            (mo_sweep_hold){(size_t)hold.first, (size_t)hold.second, hold.gap, hold.lambda};
    }
    s->next_holds.count = status == MO_OK ? count : 0;
    return status;
}

static void take_info(mo_sweep *s, const state_head *head)
{
    mo_sweep_info *i = &s->info;
    *i = (mo_sweep_info){.time = head->time,
                         .steps = head->steps,
                         .outcome = (mo_sweep_outcome)head->outcome,
                         .iterations = (int)head->iterations,
                         .active = s->holds.count,
                         .violation = head->violation,
                         .stationarity = head->stationarity,
                         .complementarity = head->complementarity,
                         .unconverged_steps = head->unconverged_steps,
                         .worst_violation = head->worst_violation,
                         .path_length = head->path_length,
                         .retraction = head->retraction,
                         .variation = head->variation,
                         .retraction_exact = head->retraction_exact != 0,
                         .jumps = head->jumps,
                         .largest_jump = head->largest_jump,
                         .accumulations = head->accumulations};
    memcpy(i->message, head->message, sizeof i->message);
    s->reach = head->reach;
    s->moved = head->moved;
}

mo_status mo_sweep_restore(mo_sweep *s, const void *bytes, size_t size, mo_error *err)
{
    state_head head;
    if (size < size_for(s, 0))
        return fail(err, MO_BAD_INPUT, "state", "%zu bytes, expected at least %zu", size, size_for(s, 0));
    memcpy(&head, bytes, sizeof head);
    mo_status status = check_head(s, &head, bytes, size, err);
    if (status == MO_OK)
        status = check_numbers(s, &head, err);
    if (status != MO_OK)
        return status;
    // numbers may stand anywhere in the bytes: copied before they are read
    const unsigned char *from = (const unsigned char *)bytes + sizeof head;
    memcpy(s->next, from, s->n * sizeof *s->next);
    if (!vec_finite(s->n, s->next))
        return refuse_state(err, "the point is not finite");
    from += s->n * sizeof(double);
    status = read_holds(s, from, (size_t)head.hold_count, err);
    if (status != MO_OK)
        return status;
    hold_list holds = s->holds;
    s->holds = s->next_holds;
    s->next_holds = holds;
    vec_copy(s->n, s->next, s->x);
    lambda_from_holds(s);
    take_info(s, &head);
    s->event_count = s->event_gap_count = 0;
    return MO_OK;
}
