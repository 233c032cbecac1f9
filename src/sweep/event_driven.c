/*
 * Event-driven method (M99 (15), 4.1): the flow with a fixed set J of gaps that hold the point is integrated
 * until a gap outside J closes or a multiplier of J vanishes; there J is decided anew.
 *
 * A trial step that ends beyond an event is repeated with other lengths until the event lies between two
 * lengths that differ by 1e-13 of the step.  Events inside a trial that are over at its end are seen by its
 * stages and by the cubic through values and rates of a gap at its ends; the trial is then made shorter.
 * Leaps of the set are looked for first, and crossed by u+ = prox(C+, u-).  Where switches pile up, one
 * catching-up step ends the step.
 */
#include "sweep/event_driven.h"

#include "math/vec.h"

enum {
    MOST_EVENTS = 200,   /* in a step, plus one per gap */
    MOST_AT_ONCE = 50,   /* events less than 1e-12 of the step apart, plus one per gap */
    SHRINKING = 8,       /* pairs of intervals between events, each shorter than the one before */
    MOST_TRIALS = 50000, /* in a step */
};

/* local error of a step, relative to the size of x and of the motion */
static const double TOLERANCE = 1e-13;

static double shortest_step(double h, double t)
{
    return fmax(1e-13 * h, 4 * 0x1p-52 * fabs(t));
}

/* ---- locating an event ---------------------------------------------------------------------------- */

/* where the secants of the event functions say that the first of them vanishes */
static double first_secant(const flow *f, double low, double high)
{
    double first = high;
    for (size_t i = 0; i < f->row_count; i++)
        if (f->high[i] < 0)
            first = fmin(first, low + (high - low) * (f->low[i] / (f->low[i] - f->high[i])));
    return first;
}

/* [*low, *high]: times between which an event lies, made to differ by no more than the shortest step */
static mo_status narrow(passage *p, double *low, double *high, bool *stuck)
{
    flow *f = &p->f;
    const double width = p->shortest;
    for (int k = 1; *high - *low > width; k++) {
        double t = k % 3 == 0 ? *low + (*high - *low) / 2 : first_secant(f, *low, *high);
        t = fmin(*high - width / 2, fmax(*low + width / 2, t));
        if (!(t > *low && t < *high))
            return MO_OK;
        mo_status status = flow_trial(f, t, stuck);
        p->trials++;
        if (status != MO_OK || *stuck)
            return status;
        const bool beyond = flow_has_event(f, f->now);
        vec_copy(f->row_count, f->now, beyond ? f->high : f->low);
        *(beyond ? high : low) = t;
    }
    return MO_OK;
}

/* whether a gap is farther below zero just after the event than its rate brings it in the width of the
 * bracket: the set has leapt */
static bool has_leapt(const flow *f, double width)
{
    const gap_rows *rows = &f->m->rows;
    const double *v = f->k[FLOW_STAGES - 1];
    for (size_t i = 0; i < f->row_count; i++) {
        if (f->place[i] != SIZE_MAX || rows->norm[i] == 0)
            continue;
        const double rate = fabs(rows->gt[i] + row_dot(rows, f->n, i, v)) / rows->norm[i];
        if (f->now[i] - f->shift[i] < -1e-9 * f->size - 10 * rate * width)
            return true;
    }
    return false;
}

/* contact and release take turns: an interval is compared with the last but one */
static void note_event(passage *p)
{
    const double interval = p->f.t - p->last_event;
    p->events++;
    p->at_once = interval < 1e-12 * p->s->def.h ? p->at_once + 1 : 0;
    p->shrinking = interval < 0.95 * p->interval_before ? p->shrinking + 1 : 0;
    p->interval_before = p->interval;
    p->interval = interval;
    p->last_event = p->f.t;
}

/* whether switches pile up: too many of them, or faster and faster down to what times can resolve */
static bool is_accumulation(const passage *p)
{
    const size_t gaps = p->f.m->gap_count;
    return p->events > MOST_EVENTS + gaps || p->at_once > MOST_AT_ONCE + gaps ||
           (p->shrinking >= SHRINKING && p->interval < 1e-9 * p->s->def.h);
}

/* goes to the first event before t_end, where the last trial ended beyond one */
static mo_status go_to_event(passage *p, double t_end, bool *stuck)
{
    flow *f = &p->f;
    const double begin = f->t;
    double low = f->t, high = t_end;
    vec_copy(f->row_count, f->begin, f->low);
    vec_copy(f->row_count, f->now, f->high);
    mo_status status = narrow(p, &low, &high, stuck);
    if (status == MO_OK && !*stuck)
        status = flow_trial(f, high, stuck);
    if (status != MO_OK || *stuck)
        return status;
    const bool leapt = has_leapt(f, high - low);
    if (high - begin > 2 * p->shortest)
        status = passage_tell_change(p, begin);
    if (status == MO_OK && leapt && low > begin)
        status = flow_trial(f, low, stuck);
    if (status != MO_OK)
        return status;
    if (!leapt || low > begin) {
        vec_copy(f->n, f->end, f->x);
        p->s->way += f->way;
    }
    f->t = leapt ? low : high;
    f->delta = t_end - begin;
    note_event(p);
    p->after_jump = false;
    return leapt ? passage_jump(p, high) : MO_OK;
}

/* ---- one trial ------------------------------------------------------------------------------------ */

/* factor for the length of the next trial, from the error of this one */
static double growth(const flow *f)
{
    const double wanted = TOLERANCE * f->size;
    if (!(f->error > wanted * 3e-4))
        return 5;
    return fmin(5, fmax(0.1, 0.9 * pow(wanted / f->error, 0.2)));
}

/* marks in place the rows that touch, are not in J, did not move away and are violated now; false: none */
static bool mark_ties(flow *f)
{
    bool any = false;
    for (size_t k = 0; k < f->touching_count; k++) {
        const size_t i = f->touching[k];
        if (f->place[i] == SIZE_MAX && f->now[i] < 0 && fabs(f->gap_rate[i]) <= 1e-10 * f->speed)
            any = true, f->place[i] = 0;
    }
    return any;
}

/* whether J + ties holds: no multiplier is negative at the end */
static bool all_push(const flow *f)
{
    for (size_t k = 0; k < f->held_count; k++)
        if (f->now[f->held[k]] < 0)
            return false;
    return true;
}

/*
 * Gaps that touch without moving are held by nobody until the motion bends towards them: with rates alone
 * this is a tie.  When the trial violates some, they join J from the beginning if they push from then on,
 * else all is as before.  *joined: the trial was made anew.
 */
static mo_status join_ties(passage *p, double t_end, bool *joined, bool *stuck)
{
    flow *f = &p->f;
    *joined = false;
    if (!mark_ties(f))
        return MO_OK;
    mo_status status = flow_hold_marked(f, stuck);
    if (status == MO_OK && !*stuck)
        status = flow_trial(f, t_end, stuck);
    if (status != MO_OK)
        return status;
    *joined = !*stuck && all_push(f);
    if (*joined)
        return MO_OK;
    *stuck = false;
    status = flow_decide(f, stuck);
    return status == MO_OK && !*stuck ? flow_trial(f, t_end, stuck) : status;
}

/* how far the trial has to be shortened: 1, it stays */
static double shortened(const passage *p, bool stuck)
{
    const flow *f = &p->f;
    if (stuck)
        return 0.1;
    if (f->error > TOLERANCE * f->size)
        return fmin(0.9, growth(f));
    return f->safe;
}

/* discs: whether the trial went so far that rows may be missing */
static bool went_too_far(flow *f)
{
    const double moved = vec_distance(f->n, f->x, f->end);
    if (!f->m->discs || 3 * moved <= fmax(f->margin, 6 * f->delta * f->speed))
        return false;
    f->margin = 6 * moved;
    return true;
}

static mo_status arrive(passage *p, double t_end)
{
    flow *f = &p->f;
    mo_status status = passage_tell_change(p, f->t);
    vec_copy(f->n, f->end, f->x);
    p->s->way += f->way;
    f->t = t_end;
    f->delta *= growth(f);
    p->after_jump = false;
    return status;
}

/* from a decision to the end of a trial or to an event, not beyond `limit` */
static mo_status advance(passage *p, double limit, bool *stuck)
{
    flow *f = &p->f;
    bool ties = true;
    for (;;) {
        const bool last = f->delta >= limit - f->t;
        const double t_end = last ? limit : f->t + f->delta;
        f->delta = t_end - f->t;
        mo_status status = flow_trial(f, t_end, stuck);
        if (status != MO_OK || p->trials++ > MOST_TRIALS)
            return status;
        const double part = shortened(p, *stuck);
        // times are rounded: a trial of the shortest length may come out a little longer
        if (part < 1 && f->delta > 2 * p->shortest) {
            f->delta = fmax(p->shortest, part * f->delta);
            continue;
        }
        if (*stuck || went_too_far(f))
            return MO_OK;
        if (!flow_has_event(f, f->now))
            return arrive(p, t_end);
        bool joined = false;
        if (ties)
            status = join_ties(p, t_end, &joined, stuck);
        if (status != MO_OK || *stuck)
            return status;
        ties = false;
        if (!joined)
            return go_to_event(p, t_end, stuck);
    }
}

/* ---- the step ------------------------------------------------------------------------------------- */

/* integrates to `limit` unless the step ends otherwise */
static mo_status run_to(passage *p, double limit, ending *end)
{
    flow *f = &p->f;
    while (f->t < limit && *end == GOING) {
        bool stuck = false;
        if (is_accumulation(p))
            return passage_give_up_events(p, end);
        mo_status status = flow_decide(f, &stuck);
        if (status == MO_OK && !stuck)
            status = advance(p, limit, &stuck);
        if (status != MO_OK)
            return status;
        if (stuck)
            return passage_give_up_flow(p, "no velocity found, the set may close", end);
        if (p->trials > MOST_TRIALS)
            return passage_give_up_flow(p, "motion too stiff for the integrator", end);
    }
    return MO_OK;
}

/* whether x is farther outside the set than `length`, by the rows at hand */
static bool is_outside(const flow *f, double length)
{
    const gap_rows *rows = &f->m->rows;
    for (size_t i = 0; i < rows->count; i++)
        if (rows->g[i] < -length * rows->norm[i])
            return true;
    return false;
}

/* a start outside the set, or what is left of rounding: the nearest point */
static mo_status enter(passage *p)
{
    flow *f = &p->f;
    mo_status status = moving_set_time(f->m, f->t, true, f->err);
    if (status == MO_OK)
        status = moving_linearise(f->m, f->x, 0, f->err);
    if (status != MO_OK || !is_outside(f, 64 * 0x1p-52 * vec_max_abs(f->n, f->x)))
        return status;
    vec_copy(f->n, f->x, f->scratch);
    return passage_project(p, f->t, f->scratch);
}

/* point and multipliers at the end of the step */
static mo_status leave(passage *p)
{
    flow *f = &p->f;
    bool stuck = false;
    mo_status status = MO_OK;
    if (p->after_jump)
        status = flow_decide(f, &stuck);
    if (status == STEP_NOT_MADE) {
        // the set closes right after: this step is made, the next one will tell
        f->row_count = f->m->rows.count = 0;
        status = MO_OK;
    }
    if (status == MO_OK)
        status = passage_list_held(f, false);
    if (status != MO_OK || !is_outside(f, 1e-10 * f->size))
        return status;
    // nothing was seen on the way, and yet the end is outside
    vec_copy(f->n, f->x, f->scratch);
    status = passage_project(p, f->t, f->scratch);
    moving_trouble(f->m, MO_SWEEP_NOT_CONVERGED, "the way to t = %.17g ended %g outside", f->t,
                   vec_distance(f->n, f->x, f->scratch));
    sweep_note_projection(p->s);
    return status == MO_OK ? holds_from_rows(p->s, 1 / p->s->def.h, f->err) : status;
}

mo_status event_driven_step(mo_sweep *s, mo_error *err)
{
    passage p = {.s = s, .shortest = shortest_step(s->def.h, s->t_f), .last_event = s->t_i};
    flow *f = &p.f;
    ending end = GOING;
    p.interval = p.interval_before = HUGE_VAL;
    s->way = 0;
    s->m->outcome = MO_SWEEP_REACHED;
    s->m->message[0] = 0;
    mo_status status = flow_begin(f, s, err);
    f->delta = s->t_f - s->t_i;
    f->speed = vec_norm(s->n, s->f);
    if (status == MO_OK)
        status = passage_copy_holds(&f->memory->held, &s->holds, err);
    if (status == MO_OK)
        status = enter(&p);
    while (status == MO_OK && f->t < s->t_f && end == GOING) {
        leap ahead;
        status = set_leap_find(s, f->t, s->t_f, f->x, false, &ahead, err);
        if (status == MO_OK)
            status = run_to(&p, ahead.found ? ahead.before : s->t_f, &end);
        if (status == MO_OK && ahead.found && end == GOING)
            status = passage_jump(&p, ahead.after);
    }
    if (status == MO_OK && end == GOING)
        status = leave(&p);
    // what lets go right at the end, or was found by catching-up
    if (status == MO_OK)
        status = events_of_change(s, s->t_f, &f->memory->held, &s->next_holds, err);
    vec_copy(s->n, f->x != NULL ? f->x : s->x, s->next);
    s->next_info.iterations += (int)p.trials;
    return status;
}
