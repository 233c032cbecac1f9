/*
 * What happens at one instant.  Gaps that touch and are approached: the law of impact.  Then, of the gaps
 * that touch at rest, Gauss' principle of least deviation (M99 8.4) says which are held: a is nearest to M^-1
 * F in the kinetic metric with G a + c >= 0.  Deciding all gaps at once is what makes contacts break
 * correctly: the one to break need not be the one whose force gets the wrong sign when all are held
 * (Delassus).
 */
#include "math/vec.h"
#include "system/event_driven.h"

/* impacts at one instant, plus two per gap, until they are taken for endless */
enum { MOST_IMPACTS = 30 };

static const double EPS = 0x1p-52;

/* ---- looking around ----------------------------------------------------------------------------- */

// what rounding, falling from `near` and a look at gap a say
static void judge_gap(flight *f, size_t a, double pull)
{
    mo_system *s = f->s;
    size_t n = f->n;
    const double *G = s->G + a * n, *q = f->y, *u = f->y + n;
    double size = 0, speed = 0;
    for (size_t i = 0; i < n; i++) {
        size += fabs(G[i] * q[i]);
        speed += fabs(G[i] * u[i]);
    }
    f->g[a] = s->g[a];
    f->rate[a] = vec_dot(n, G, u) + s->gt[a];
    f->bend[a] = f->c[a] + vec_dot(n, G, f->free);
    f->round[a] = 64 * EPS * (size + fabs(s->gt[a] * f->t)) + 4 * EPS * fabs(f->t) * speed;
    f->near[a] = fmax(f->round[a], s->def.contact_tolerance);
    f->rest[a] = 0;
    f->steep[a] = vec_norm(n, G) * vec_norm(n, u) + fabs(s->gt[a]);
    if (!(f->g[a] <= f->near[a]))
        return;
    vec_copy(n, G, f->p);
    metric_solve_lower(&s->M.factor, f->p);
    double most = fabs(f->c[a]) + vec_norm(n, f->p) * pull;
    f->still[a] = 1e-13 * (speed + fabs(s->gt[a]));
    f->rest[a] = fmax(f->still[a], sqrt(2 * f->near[a] * most));
}

// everything at (t, y) without J: k[0], free, gaps
static mo_status look(flight *f)
{
    mo_system *s = f->s;
    bool stuck = false;
    f->count = 0;
    mo_status status = flight_slope(f, f->t, f->y, f->k[0], &stuck);
    vec_copy(f->n, f->k[0] + f->n, f->free);
    if (status == MO_OK && f->m > 0)
        status = system_curvature(s, f->t, f->y, f->y + f->n, f->c, f->err);
    if (status == MO_OK)
        status = system_rows(s, f->t, f->y, f->err);
    if (status != MO_OK)
        return status;
    double pull = speed_kinetic(s, f->free);
    for (size_t a = 0; a < f->m; a++)
        judge_gap(f, a, pull);
    return MO_OK;
}

static bool is_approached(const flight *f, size_t a)
{
    return (f->due[a] || f->g[a] <= f->round[a]) && f->g[a] <= f->near[a] && f->rate[a] < -f->rest[a];
}

/* ---- impacts ------------------------------------------------------------------------------------ */

// books the impulses that changed the velocity `before`; rows: the gaps that pushed, *count of them
static void book_impulses(flight *f, size_t *count)
{
    mo_system *s = f->s;
    size_t n = f->n;
    double *u = f->y + n, *impulse = u + n, loss = 0;
    *count = 0;
    for (size_t k = 0; k < s->J_count; k++) {
        size_t a = s->J[k];
        double S = s->lambda_next[a], after = gap_rate(s, a, u) + s->gt[a];
        if (!(S > 0))
            continue;
        loss -= 0.5 * (f->rate[a] + after) * S;
        impulse[a] += S;
        f->y[f->N - 1] -= s->gt[a] * S;
        f->hit[a] = f->rate[a] < -f->rest[a] ? after : 0;
        f->rows[(*count)++] = a;
    }
    f->loss += loss;
    f->gain = fmax(f->gain, -loss);
}

// J of the velocity problem := the gaps that touch, or those of them at rest
static void take_touching(flight *f, bool resting)
{
    mo_system *s = f->s;
    s->J_count = 0;
    for (size_t a = 0; a < f->m; a++)
        if (f->g[a] <= f->near[a] && (!resting || f->resting[a]))
            s->J[s->J_count++] = a;
}

// the law of impact (C2) on all gaps that touch
static mo_status impact(flight *f)
{
    mo_system *s = f->s;
    size_t count, n = f->n;
    double *u = f->y + n;
    take_touching(f, false);
    mo_status status = system_restitution(s, f->t, f->y, f->err);
    if (status != MO_OK)
        return status;
    bound_impact(s, u);
    vec_copy(n, u, f->before);
    status = velocity_project(s, &s->M, u, f->err);
    if (status != MO_OK)
        return status;
    book_impulses(f, &count);
    s->impacts_next++;
    for (size_t i = 0; i < n; i++)
        f->before[i] = u[i] - f->before[i];
    return events_add_gaps(s, f->t, MO_EVENT_IMPACT, speed_kinetic(s, f->before), f->rows, count, f->err);
}

// no rebound: the velocity nearest to u that leads out of no gap that touches (or that touches at rest)
static mo_status calm(flight *f, bool resting)
{
    mo_system *s = f->s;
    size_t count;
    take_touching(f, resting);
    for (size_t k = 0; k < s->J_count; k++)
        s->bound[s->J[k]] = -s->gt[s->J[k]];
    mo_status status = velocity_project(s, &s->M, f->y + f->n, f->err);
    if (status == MO_OK)
        book_impulses(f, &count);
    return status;
}

// impacts at one instant without end, as between walls that both touch: the limit of many is one without
// rebound
static mo_status end_impacts(flight *f)
{
    f->s->accumulations_next++;
    mo_status status = calm(f, false);
    for (size_t a = 0; a < f->m; a++)
        f->hit[a] = 0;
    return status == MO_OK
               ? events_add_gaps(f->s, f->t, MO_EVENT_ACCUMULATION, 0, f->s->J, f->s->J_count, f->err)
               : status;
}

/* ---- Gauss' principle --------------------------------------------------------------------------- */

// J := the gaps at rest whose multiplier push_j, of row j of the problem, is more than nothing
static void take_held(flight *f, size_t count, double pull)
{
    for (size_t j = 0; j < count; j++)
        pull = fmax(pull, fabs(f->d[j]) / vec_norm(f->n, f->Y[j]));
    for (size_t j = 0; j < count; j++) {
        size_t a = f->rows[j];
        f->floor[a] = (f->dropped[a] ? 1e-8 : 1e-12) * pull / vec_norm(f->n, f->Y[j]);
        f->held[a] = f->push[j] > f->floor[a];
    }
    flight_list_held(f);
}

// marks gaps that touch at rest; whether one of them is approached.  A rebound that is rest to rounding would
// come back as rest, and its accumulation would not be told: it is rest already
static bool find_resting(flight *f)
{
    bool approached = false;
    for (size_t a = 0; a < f->m; a++) {
        f->held[a] = false;
        f->resting[a] =
            f->g[a] <= f->near[a] && f->rate[a] >= -f->rest[a] && f->rate[a] <= (1 + 1e-6) * f->rest[a];
        approached = approached || (f->resting[a] && f->rate[a] < -f->still[a]);
    }
    return approached;
}

// what is left of an approach slower than rest is taken away
static mo_status come_to_rest(flight *f)
{
    if (!find_resting(f))
        return MO_OK;
    mo_status status = calm(f, true);
    if (status == MO_OK)
        status = look(f);
    find_resting(f);
    return status;
}

static mo_status decide(flight *f, bool *stuck)
{
    mo_system *s = f->s;
    size_t count = 0;
    bool pressed = false;
    for (size_t a = 0; a < f->m; a++) {
        if (!f->resting[a])
            continue;
        f->d[count] = -f->bend[a];
        f->push[count] = 0;
        f->rows[count++] = a;
        pressed = pressed || f->bend[a] < 0;
    }
    f->count = 0;
    mo_projection_outcome outcome = MO_PROJECTION_SOLVED;
    mo_status status = count > 0 ? flight_rows(f, f->rows, count) : MO_OK;
    if (status == MO_OK && pressed)
        status = nearest_by_rows(s, count, f->Y, f->d, NULL, 0, f->push, &outcome, f->err);
    if (status != MO_OK)
        return status;
    if (outcome == MO_PROJECTION_EMPTY)
        return system_trouble(s, MO_SYSTEM_INFEASIBLE,
                              "no acceleration satisfies %zu closed gaps at once at t = %.17g", count, f->t);
    *stuck = *stuck || outcome == MO_PROJECTION_UNDECIDED;
    take_held(f, count, speed_kinetic(s, f->free));
    return MO_OK;
}

// a gap that is held after it bounced: its impacts accumulate, flights being shorter by e each time
static mo_status tell_accumulations(flight *f)
{
    mo_system *s = f->s;
    mo_status status = MO_OK;
    for (size_t j = 0; status == MO_OK && j < f->count; j++) {
        size_t a = f->list[j];
        if (!(f->hit[a] > 0 && s->e[a] > 0 && s->e[a] < 1 && f->bend[a] < 0))
            continue;
        double t = f->t - 2 * f->hit[a] / (f->bend[a] * (1 - s->e[a]));
        t = fmin(t, s->t_f);
        s->accumulations_next++;
        status = events_add_gaps(s, t, MO_EVENT_ACCUMULATION, 0, &a, 1, f->err);
        if (status == MO_OK && !f->told[a])
            status = events_add_gaps(s, t, MO_EVENT_CONTACT, 0, &a, 1, f->err);
        f->told[a] = true;
    }
    return status;
}

// impacts until no gap that touches is approached
static mo_status make_impacts(flight *f)
{
    mo_status status = MO_OK;
    bool approached = true;
    vec_zero(f->m, f->hit);
    for (size_t i = 0; status == MO_OK && approached; i++) {
        status = look(f);
        approached = false;
        for (size_t a = 0; status == MO_OK && a < f->m; a++)
            approached = approached || is_approached(f, a);
        if (status == MO_OK && approached && i > MOST_IMPACTS + 2 * f->m) {
            status = end_impacts(f);
            return status == MO_OK ? look(f) : status;
        }
        if (status == MO_OK && approached)
            status = impact(f);
    }
    return status;
}

mo_status flight_settle(flight *f, bool *stuck)
{
    mo_status status = make_impacts(f);
    if (status == MO_OK)
        status = come_to_rest(f);
    if (status == MO_OK)
        status = decide(f, stuck);
    if (status == MO_OK)
        status = tell_accumulations(f);
    if (status == MO_OK && !*stuck)
        status = flight_return(f, stuck);
    if (status == MO_OK && !*stuck && f->count > 0)
        status = flight_slope(f, f->t, f->y, f->k[0], stuck);
    for (size_t a = 0; a < f->m; a++) {
        f->due[a] = f->dropped[a] = false;
        f->bend[a] = f->c[a] + gap_rate(f->s, a, f->k[0] + f->n);
    }
    return status;
}

double flight_hop(const flight *f)
{
    double hop = HUGE_VAL;
    for (size_t a = 0; a < f->m; a++)
        if (!f->held[a] && f->g[a] <= f->near[a] && f->rate[a] > f->rest[a] && f->bend[a] < 0)
            hop = fmin(hop, -3 * f->rate[a] / f->bend[a]);
    return hop;
}

/* ---- events of J -------------------------------------------------------------------------------- */

static mo_status tell(flight *f, double t, mo_event_type type, const bool *now, const bool *before)
{
    size_t count = 0;
    for (size_t a = 0; a < f->m; a++)
        if (now[a] && !before[a])
            f->rows[count++] = a;
    return count > 0 ? events_add_gaps(f->s, t, type, 0, f->rows, count, f->err) : MO_OK;
}

mo_status flight_tell(flight *f, double t)
{
    mo_status status = tell(f, t, MO_EVENT_RELEASE, f->told, f->held);
    if (status == MO_OK)
        status = tell(f, t, MO_EVENT_CONTACT, f->held, f->told);
    for (size_t a = 0; a < f->m; a++)
        f->told[a] = f->held[a];
    return status;
}
