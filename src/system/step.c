/*
 * One step: the scheme, then gaps at the end, certificate, events, energies, commit.  Until the commit
 * nothing of the system is changed but the events.
 */
#include <math.h>
#include <string.h>

#include "math/vec.h"
#include "system/internal.h"

static void begin_step(mo_system *s)
{
    s->t_i = s->info.time;
    s->t_f = (double)(s->info.steps + 1) * s->h;
    s->outcome = MO_SYSTEM_REACHED;
    s->message[0] = 0;
    s->iterations = s->linear_solves = 0;
    s->impacts_next = s->accumulations_next = 0;
    s->independence = s->info.independence;
    s->J_count = 0;
    if (!s->start_events)
        s->events.count = s->events.gap_count = 0;
    vec_zero(s->m, s->lambda_next);
    if (s->T != NULL)
        vec_zero(s->m, s->lambda_t_next);
    vec_copy(s->ops->history * s->n, s->history, s->history_next);
}

// a step that was not made leaves its reason
static mo_status not_made(mo_system *s, size_t events, size_t gaps)
{
    mo_system_info *info = &s->info;
    s->events.count = events;
    s->events.gap_count = gaps;
    info->outcome = s->outcome;
    memcpy(info->message, s->message, sizeof info->message);
    info->unconverged_steps++;
    return MO_OK;
}

static void swap(double **a, double **b)
{
    double *kept = *a;
    *a = *b;
    *b = kept;
}

// gain of kinetic energy at the impact of one step, or for paoli-schatzman of the steps it is spread over
static void note_gain(mo_system *s, double loss, double kinetic)
{
    mo_system_info *info = &s->info;
    bool spread = s->ops == &paoli_schatzman_ops && s->in_episode;
    s->in_episode = info->active > 0 && (s->impacts_next > 0 || spread);
    s->episode = spread ? s->episode + loss : loss;
    // rounding is no gain
    if (s->in_episode && -s->episode > info->largest_gain && -s->episode > 1e-12 * kinetic)
        info->largest_gain = -s->episode;
}

static void commit(mo_system *s, const mo_system_energy *energy, double residual)
{
    mo_system_info *info = &s->info;
    double violation = 0;
    size_t active = 0;
    for (size_t a = 0; a < s->m; a++) {
        violation = fmax(violation, -s->gaps_next[a]);
        active += s->lambda_next[a] > 0;
    }
    swap(&s->q, &s->q_next);
    swap(&s->u, &s->u_next);
    swap(&s->lambda, &s->lambda_next);
    swap(&s->lambda_t, &s->lambda_t_next);
    swap(&s->gaps, &s->gaps_next);
    swap(&s->history, &s->history_next);
    info->time = s->t_f;
    info->steps++;
    // a message only where there is one: it is long
    if (info->outcome != MO_SYSTEM_REACHED || s->outcome != MO_SYSTEM_REACHED)
        memcpy(info->message, s->message, sizeof info->message);
    info->outcome = s->outcome;
    info->unconverged_steps += s->outcome != MO_SYSTEM_REACHED;
    info->iterations = s->iterations;
    info->linear_solves = s->linear_solves;
    info->active = active;
    info->violation = violation;
    info->residual = residual;
    info->worst_violation = fmax(info->worst_violation, violation);
    info->worst_residual = fmax(info->worst_residual, residual);
    info->impacts += s->impacts_next;
    info->accumulations += s->accumulations_next;
    info->independence = s->independence;
    info->energy = *energy;
    note_gain(s, s->stage.own_events ? -s->stage.gain : energy->step_loss,
              energy->kinetic + fabs(energy->step_loss));
    s->start_events = false;
}

// whether an impulse acts or acted: else there is nothing to report
static bool touched(const mo_system *s)
{
    for (size_t a = 0; a < s->m; a++)
        if (s->lambda[a] > 0 || s->lambda_next[a] > 0)
            return true;
    return false;
}

/* A residual above this is not what a solve should leave. */
static const double CERTIFIED = 1e-8;

static mo_status certify(mo_system *s, double *residual, mo_error *err)
{
    mo_status status = system_residual(s, residual, err);
    if (status == MO_OK && s->outcome == MO_SYSTEM_REACHED && *residual > CERTIFIED)
        return system_trouble(s, MO_SYSTEM_NOT_CONVERGED,
                              "dynamics or complementarity are missed by %.3g of their terms", *residual);
    return status;
}

mo_status mo_system_step(mo_system *s, mo_error *err)
{
    mo_system_energy energy = s->info.energy;
    double residual = 0;
    begin_step(s);
    size_t events = s->events.count, gaps = s->events.gap_count;
    mo_status status = s->ops->step(s, err);
    if (status == MO_OK)
        status = system_gaps(s, s->t_f, s->q_next, s->gaps_next, err);
    if (status == MO_OK)
        status = certify(s, &residual, err);
    if (status == MO_OK && !s->stage.own_events && touched(s))
        status = events_of_step(s, err);
    if (status == MO_OK)
        status = system_energies(s, s->t_f, &energy, err);
    if (status == MO_OK && !isfinite(energy.kinetic + energy.loss + energy.work + residual))
        status = system_trouble(s, MO_SYSTEM_NOT_FINITE,
                                "numbers out of range: kinetic energy %g, loss %g, work %g at t = %.17g",
                                energy.kinetic, energy.loss, energy.work, s->t_f);
    if (status == NOT_MADE)
        return not_made(s, events, gaps);
    if (status != MO_OK) {
        s->events.count = events;
        s->events.gap_count = gaps;
        return status;
    }
    commit(s, &energy, residual);
    return MO_OK;
}
