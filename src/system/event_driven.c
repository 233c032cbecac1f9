/*
 * The event-driven scheme (M99 8.4): between events the motion with a set J of closed gaps held is integrated
 * to rounding; events are gaps that close (impact, by the law of impact) and multipliers that vanish (J is
 * decided anew), located to rounding.  Impacts that pile up end in a held gap; what cannot be resolved
 * otherwise is passed by a step of contact dynamics (M99 8.3), and said.
 *
 * Kept from step to step: the length of the integrator's steps.
 */
#include "system/event_driven.h"

#include "core/fail.h"
#include "math/vec.h"

/* trials in one step; advances without time passing, plus ten per gap */
enum { MOST_TRIALS = 1000000, MOST_AT_ONCE = 100 };

/* ---- passing what cannot be resolved ------------------------------------------------------------ */

// books the impulses of a step of contact dynamics that changed the velocity `before` to u
static void book_pass(flight *f, double rest)
{
    mo_system *s = f->s;
    size_t n = f->n;
    double *u = f->y + n;
    for (size_t i = 0; i < n; i++)
        f->before[i] += u[i];
    for (size_t k = 0; k < s->J_count; k++) {
        size_t a = s->J[k];
        double S = s->lambda_next[a], rates = gap_rate(s, a, f->before) + 2 * s->gt[a];
        u[n + a] += S;
        f->loss -= 0.5 * rates * S;
        f->y[f->N - 1] -= s->gt[a] * S;
    }
    // work of F - C u at the mean velocity, as free and p know them
    f->y[f->N - 1] += 0.5 * rest * vec_dot(n, f->p, f->before);
}

// the rest of the step by contact dynamics, gaps that touch staying closed
static mo_status pass(flight *f)
{
    mo_system *s = f->s;
    size_t n = f->n;
    double rest = s->t_f - f->t, t = f->t + 0.5 * rest, *q = f->y, *u = f->y + n, before = 0, after = 0;
    mo_status status = system_kinetic(s, f->t, q, u, &before, f->err);
    vec_add(n, 0.5 * rest, u, q);
    if (status == MO_OK)
        status = system_rows(s, t, q, f->err);
    if (status == MO_OK)
        status = active_set(s, 0, u);
    if (status == MO_OK)
        status = system_mass(s, t, q, f->err);
    if (status == MO_OK)
        status = system_force(s, t, q, u, f->p, NULL, NULL, f->err);
    if (status != MO_OK)
        return status;
    vec_copy(n, u, f->before);
    symmetric_add(&s->C, n, -1, u, f->p);
    vec_copy(n, f->p, f->free);
    symmetric_add(&s->K, n, -1, q, f->free);
    inertia_solve(&s->M, f->free);
    vec_add(n, rest, f->free, u);
    for (size_t k = 0; k < s->J_count; k++)
        s->bound[s->J[k]] = -s->gt[s->J[k]];
    status = velocity_project(s, &s->M, u, f->err);
    double held = kinetic_at_hand(s, u) - kinetic_at_hand(s, f->before);
    book_pass(f, rest);
    vec_add(n, 0.5 * rest, u, q);
    f->t = s->t_f;
    // the work of a mass that changes, as in energy.c
    if (status == MO_OK)
        status = system_kinetic(s, s->t_f, q, u, &after, f->err);
    f->y[f->N - 1] += s->mass_constant ? 0 : after - before - held;
    return status;
}

static mo_status pass_events(flight *f)
{
    mo_system *s = f->s;
    s->accumulations_next++;
    mo_status status = events_add_gaps(s, f->t, MO_EVENT_ACCUMULATION, 0, NULL, 0, f->err);
    return status == MO_OK ? pass(f) : status;
}

static mo_status pass_stuck(flight *f)
{
    double t = f->t;
    mo_status status = pass(f);
    if (status == MO_OK)
        status = system_trouble(f->s, MO_SYSTEM_NOT_CONVERGED,
                                "motion not found at t = %.17g; the rest of the step by contact dynamics", t);
    return status;
}

/* ---- trials ------------------------------------------------------------------------------------- */

// factor for the length of the next trial
static double growth(const flight *f)
{
    return f->error > 1e-4 ? fmin(5, fmax(0.1, 0.9 * pow(f->error, -0.2))) : 5;
}

static void accept(flight *f, double t_end)
{
    vec_copy(f->N, f->end, f->y);
    f->worst = fmax(f->worst, 0.01 * f->s->def.tol * f->error);
    f->t = t_end;
}

// J with the gaps marked in join, or without them; k[0] anew
static mo_status hold_joined(flight *f, bool hold, bool *stuck)
{
    for (size_t a = 0; a < f->m; a++)
        if (f->join[a])
            f->held[a] = hold;
    flight_list_held(f);
    return flight_slope(f, f->t, f->y, f->k[0], stuck);
}

// whether a gap that joined is not pushed at the end of the trial
static bool joined_in_vain(const flight *f)
{
    const double *mu = f->k[DP_STAGES - 1] + 2 * f->n;
    for (size_t a = 0; a < f->m; a++)
        if (f->join[a] && f->held[a] && mu[a] < -f->floor[a])
            return true;
    return false;
}

/* a trial on its way */
typedef struct attempt {
    double delta;
    bool tied;   /* gaps at rest were tried */
    bool joined; /* and are held now */
} attempt;

/*
 * Gaps that touch at rest and are neither pushed nor left are a tie until the motion bends.  When a trial
 * leaves through some, they join J from the beginning if they are pushed from then on, else all is as before.
 */
static mo_status try_ties(flight *f, attempt *now, bool *stuck)
{
    now->tied = true;
    now->joined = !now->joined;
    *stuck = false;
    return hold_joined(f, now->joined, stuck);
}

// makes trials shorter until one is understood; *seen: what happened in it
static mo_status attempt_trial(flight *f, attempt *now, sighting *seen, bool *stuck)
{
    double limit = f->s->t_f;
    for (;;) {
        double t_end = now->delta >= limit - f->t ? limit : f->t + now->delta;
        now->delta = t_end - f->t;
        mo_status status = flight_trial(f, t_end, stuck);
        if (status != MO_OK || f->trials > MOST_TRIALS)
            return status;
        bool shortest = now->delta <= f->shortest;
        if (now->joined && (*stuck || joined_in_vain(f))) {
            status = try_ties(f, now, stuck);
        } else if (*stuck || (f->error > 1 && !shortest)) {
            if (*stuck && shortest)
                return MO_OK;
            f->delta = now->delta = fmax(f->shortest, (*stuck ? 0.1 : growth(f)) * now->delta);
            *stuck = false;
        } else {
            status = flight_watch(f, now->delta, now->tied, seen);
            if (status != MO_OK || (!(seen->safe < 1 && !shortest) && !seen->ties))
                return status;
            if (seen->safe < 1 && !shortest)
                now->delta = fmax(f->shortest, seen->safe * now->delta);
            else
                status = try_ties(f, now, stuck);
        }
        if (status != MO_OK)
            return status;
    }
}

/* ---- events ------------------------------------------------------------------------------------- */

// the end of the trial goes to where gap a closes, by Newton's method on the trial itself
static mo_status close_gap(flight *f, size_t a, double *t_end, double limit, bool *stuck)
{
    mo_system *s = f->s;
    mo_status status = MO_OK;
    for (int i = 0; status == MO_OK && i < 4; i++) {
        status = system_rows(s, *t_end, f->end, f->err);
        double rate = gap_rate(s, a, f->end + f->n) + s->gt[a];
        double next = *t_end - s->g[a] / rate;
        if (status != MO_OK || fabs(s->g[a]) <= 0.1 * f->round[a] || !(rate < -f->rest[a]) ||
            !(next > f->t && next <= limit) || next == *t_end)
            return status;
        *t_end = next;
        status = flight_trial(f, next, stuck);
        if (*stuck)
            return status;
    }
    return status;
}

static mo_status go_to_event(flight *f, const sighting *seen, double delta, bool *stuck)
{
    double t_end = f->t + seen->theta * delta;
    (seen->release ? f->dropped : f->due)[seen->gap] = true;
    if (t_end - f->t < f->shortest)
        return MO_OK;
    mo_status status = flight_trial(f, t_end, stuck);
    if (status == MO_OK && !*stuck && !seen->release)
        status = close_gap(f, seen->gap, &t_end, f->t + delta, stuck);
    if (status == MO_OK && !*stuck)
        accept(f, t_end);
    return status;
}

// from one instant to the next; *event: there is one
static mo_status advance_flight(flight *f, bool *event, bool *stuck)
{
    attempt now = {.delta = fmin(f->delta, fmax(f->shortest, flight_hop(f)))};
    sighting seen = {.theta = 2};
    double begin = f->t;
    mo_status status = attempt_trial(f, &now, &seen, stuck);
    if (status != MO_OK || *stuck || f->trials > MOST_TRIALS)
        return status;
    status = flight_tell(f, begin);
    *event = seen.theta <= 1;
    if (status == MO_OK && *event)
        return go_to_event(f, &seen, now.delta, stuck);
    double t_end = begin + now.delta;
    accept(f, now.delta >= f->s->t_f - begin ? f->s->t_f : t_end);
    f->delta = fmax(f->delta, growth(f) * now.delta);
    return status;
}

/* ---- the step ----------------------------------------------------------------------------------- */

static void begin(flight *f, mo_error *err)
{
    mo_system *s = f->s;
    f->err = err;
    f->t = s->t_i;
    f->shortest = fmax(4 * 0x1p-52 * s->t_f, 1e-14 * s->h);
    f->delta = s->history[0] > 0 ? s->history[0] : s->h;
    f->loss = f->gain = f->worst = 0;
    f->trials = 0;
    vec_zero(f->N, f->y);
    vec_copy(f->n, s->q, f->y);
    vec_copy(f->n, s->u, f->y + f->n);
    for (size_t a = 0; a < f->m; a++)
        f->held[a] = f->told[a] = f->due[a] = f->dropped[a] = f->join[a] = false;
}

// integrates to the end of the step
static mo_status run(flight *f)
{
    mo_system *s = f->s;
    bool stuck = false, event = false;
    long at_once = 0, events = 0; // advances without time passing, and events among them
    mo_status status = flight_settle(f, &stuck);
    // what held at the end of the step before is known
    for (size_t a = 0; s->info.steps > 0 && a < f->m; a++)
        f->told[a] = f->held[a];
    while (status == MO_OK && f->t < s->t_f) {
        double before = f->t;
        if (!stuck)
            status = advance_flight(f, &event, &stuck);
        if (status != MO_OK)
            return status;
        if (stuck || f->trials > MOST_TRIALS)
            return pass_stuck(f);
        at_once = f->t - before > 4 * f->shortest ? 0 : at_once + 1;
        events = at_once > 0 ? events + event : 0;
        // without events it is the integrator that does not come on: a force that has no integral
        if (at_once > MOST_AT_ONCE + 10 * (long)f->m)
            return events > 0 ? pass_events(f) : pass_stuck(f);
        status = flight_settle(f, &stuck);
    }
    // what comes after the end is a matter of the next step
    if (status == NOT_MADE && f->t >= s->t_f) {
        s->outcome = MO_SYSTEM_REACHED;
        s->message[0] = 0;
        status = MO_OK;
    }
    return status == MO_OK ? flight_tell(f, s->t_f) : status;
}

// accumulations are told in advance: brings the events of the step into the order of time
static void sort_events(mo_event *items, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        mo_event event = items[i];
        size_t j = i;
        for (; j > 0 && items[j - 1].t > event.t; j--)
            items[j] = items[j - 1];
        items[j] = event;
    }
}

// what the potential of F accounts for is no work
static mo_status finish(flight *f)
{
    mo_system *s = f->s;
    double V[2] = {0, 0};
    mo_status status = MO_OK;
    vec_copy(f->n, f->y, s->q_next);
    vec_copy(f->n, f->y + f->n, s->u_next);
    for (size_t a = 0; a < f->m; a++)
        s->lambda_next[a] = fmax(f->y[2 * f->n + a], 0);
    for (int i = 0; s->def.potential != NULL && status == MO_OK && i < 2; i++)
        status =
            s->def.potential(s->def.data, i == 0 ? s->t_i : s->t_f, i == 0 ? s->q : s->q_next, &V[i], f->err);
    s->stage = (stage){.own = true,
                       .no_impacts = true,
                       .own_events = true,
                       .work = f->y[f->N - 1] + V[1] - V[0],
                       .loss = f->loss,
                       .residual = f->worst,
                       .gain = f->gain};
    sort_events(s->events.items, s->events.count);
    s->history_next[0] = f->delta;
    s->iterations = (int)f->trials;
    return status;
}

static mo_status event_driven_step(mo_system *s, mo_error *err)
{
    flight *f = s->own;
    begin(f, err);
    mo_status status = run(f);
    return status == MO_OK ? finish(f) : status;
}

const scheme_ops event_driven_ops = {.name = "event-driven",
                                     .history = 1,
                                     .begin = flight_create,
                                     .step = event_driven_step,
                                     .release = flight_release};
