/*
 * What happened in a trial.  Gaps outside J are looked at along the dense output: the quartic through five
 * points is searched for places below zero, also between the ends, and more points say whether it can be
 * trusted; where not, the trial is made shorter.  Multipliers of J are looked at along the slope of the dense
 * output.  Roots are those of the functions themselves along the dense output.
 */
#include "math/root.h"
#include "math/vec.h"
#include "system/event_driven.h"

enum { GRID = 32 };

/* where gaps are looked at: at those with even numbers, and between them where it is needed */
static const double AT[FLIGHT_SAMPLES] = {0,     1. / 16, 0.125,    3. / 16, 0.25,     0.375, 0.5,
                                          0.625, 0.75,    13. / 16, 0.875,   15. / 16, 1};
/* the points of the quartic */
static const size_t NODE[5] = {0, 4, 6, 8, 12};

/* ---- the quartic -------------------------------------------------------------------------------- */

typedef struct quartic {
    double d[5]; /* differences of the values at 0, 1/4, ..., 1 */
} quartic;

static quartic quartic_through(const double v[5])
{
    quartic p;
    for (int i = 0; i < 5; i++)
        p.d[i] = v[i];
    for (int order = 1; order < 5; order++)
        for (int i = 4; i >= order; i--)
            p.d[i] = (p.d[i] - p.d[i - 1]) / order;
    return p;
}

static double quartic_at(const quartic *p, double theta)
{
    double x = 4 * theta;
    return p->d[0] + x * (p->d[1] + (x - 1) * (p->d[2] + (x - 2) * (p->d[3] + (x - 3) * p->d[4])));
}

// first place where it is below -near: on the grid, or at a minimum between its points; > 1: none
static double first_below(const quartic *p, double near)
{
    double left = quartic_at(p, 0), middle = left;
    for (int i = 1; i <= GRID; i++) {
        double right = quartic_at(p, (double)i / GRID);
        double bend = left - 2 * middle + right;
        if (i > 1 && left >= middle && middle <= right && bend > 0) {
            double theta = (i - 1 + 0.5 * (left - right) / bend) / GRID;
            if (quartic_at(p, theta) < -near)
                return theta;
        }
        if (right < -near)
            return (double)i / GRID;
        left = middle;
        middle = right;
    }
    return 2;
}

// last place of the grid before theta where it is above near; negative: none
static double last_above(const quartic *p, double near, double theta)
{
    for (int i = (int)ceil(theta * GRID) - 1; i >= 0; i--)
        if (quartic_at(p, (double)i / GRID) > near)
            return (double)i / GRID;
    return -1;
}

/* ---- gaps --------------------------------------------------------------------------------------- */

static mo_status gaps_at(flight *f, double delta, double theta, double *g)
{
    const double *y = f->point;
    if (theta == 0)
        y = f->y;
    else if (theta == 1)
        y = f->end;
    else
        flight_dense(f, delta, theta, f->point);
    mo_status status = system_gaps(f->s, f->t + theta * delta, y, g, f->err);
    vec_add(f->m, 1, f->shift, g);
    return status;
}

// theta of the root of gap a + shift between a place above and a place below; *found false: none is there
static mo_status gap_root(flight *f, double delta, size_t a, double shift, double above, double below,
                          double *theta, bool *found)
{
    double *g = f->push;
    mo_status status = gaps_at(f, delta, above, g);
    double f_above = g[a] + shift;
    if (status == MO_OK)
        status = gaps_at(f, delta, below, g);
    double f_below = g[a] + shift;
    *found = status == MO_OK && f_above >= 0 && f_below < 0;
    if (!*found)
        return status;
    root r = root_between(above, f_above, below, f_below);
    double value = f_above;
    while (status == MO_OK && root_width(&r) > 1e-15 && fabs(value) > 0.05 * f->round[a]) {
        *theta = root_next(&r);
        status = gaps_at(f, delta, *theta, g);
        value = g[a] + shift;
        root_tell(&r, *theta, value);
    }
    *theta = fabs(value) > 0.05 * f->round[a] ? r.high : *theta;
    return status;
}

// values of all gaps at point i of the trial, once
static mo_status sample(flight *f, double delta, size_t i, bool done[FLIGHT_SAMPLES])
{
    if (done[i])
        return MO_OK;
    done[i] = true;
    return gaps_at(f, delta, AT[i], f->sample[i]);
}

/*
 * Whether the quartic tells the truth about gap a.  Between two points where the gap is g and g', d apart, it
 * cannot reach zero with slopes up to (g + g') / d.  Where it could, the quartic has to be right at the point
 * between them, and at those that it does not go through.
 */
static mo_status is_trusted(flight *f, double delta, size_t a, const quartic *p, bool done[FLIGHT_SAMPLES],
                            bool *yes)
{
    mo_status status = MO_OK;
    double slope = delta * f->steep[a];
    bool doubt = false;
    for (size_t i = 2; i < FLIGHT_SAMPLES; i += 2)
        slope = fmax(slope, fabs(f->sample[i][a] - f->sample[i - 2][a]) / (AT[i] - AT[i - 2]));
    slope *= 1.5;
    *yes = true;
    for (size_t i = 1; status == MO_OK && *yes && i < FLIGHT_SAMPLES; i += 2) {
        double part = slope * (AT[i + 1] - AT[i - 1]);
        if (f->sample[i - 1][a] + f->sample[i + 1][a] > part)
            continue;
        doubt = true;
        status = sample(f, delta, i, done);
        *yes = fabs(f->sample[i][a] - quartic_at(p, AT[i])) <= 1e-3 * part + f->near[a];
    }
    for (size_t i = 2; doubt && i < FLIGHT_SAMPLES; i += 2)
        *yes = *yes && fabs(f->sample[i][a] - quartic_at(p, AT[i])) <= 1e-3 * slope / 8 + f->near[a];
    return status;
}

static void see_event(sighting *seen, double theta, size_t gap, bool release)
{
    if (theta < seen->theta)
        *seen = (sighting){seen->safe, theta, gap, release, seen->ties};
}

// one gap outside J
static mo_status watch_gap(flight *f, double delta, size_t a, bool tied, bool done[FLIGHT_SAMPLES],
                           sighting *seen)
{
    double v[5], low = HUGE_VAL, high = -HUGE_VAL;
    const double near = f->near[a];
    bool left = f->rate[a] > f->rest[a], trusted = true, found;
    for (size_t i = 0; i < 5; i++) {
        v[i] = f->sample[NODE[i]][a];
        low = fmin(low, v[i]);
        high = fmax(high, v[i]);
    }
    const quartic p = quartic_through(v);
    mo_status status = f->s->def.linear ? MO_OK : is_trusted(f, delta, a, &p, done, &trusted);
    seen->safe = trusted ? seen->safe : fmin(seen->safe, 0.5);
    if (status != MO_OK || !trusted || low > high - low)
        return status;
    double below = first_below(&p, near), theta = below;
    if (below > seen->theta + 1.0 / GRID || below > 1 || seen->safe < 1)
        return MO_OK;
    double above = last_above(&p, near, below);
    if (above < 0 && f->resting[a] && !tied) {
        seen->ties = f->join[a] = true;
        return MO_OK;
    }
    // left and met again between two points of the grid
    if (above < 0 && left && v[0] <= near) {
        seen->safe = fmin(seen->safe, 0.125);
        return MO_OK;
    }
    status = gap_root(f, delta, a, above < 0 && v[0] <= 0 ? near : 0, fmax(above, 0), below, &theta, &found);
    if (found)
        see_event(seen, theta, a, false);
    else if (above < 0 && below < 1)
        seen->safe = fmin(seen->safe, 0.5);
    return status;
}

/* ---- multipliers -------------------------------------------------------------------------------- */

static mo_status multiplier_at(flight *f, double delta, double theta, size_t a, double *mu)
{
    bool stuck = false;
    flight_dense(f, delta, theta, f->point);
    mo_status status = flight_slope(f, f->t + theta * delta, f->point, f->spare, &stuck);
    *mu = f->spare[2 * f->n + a];
    return status;
}

// where the multiplier of gap a is below zero, as far as the slope of the dense output knows; > 1: nowhere
static double multiplier_below(const flight *f, size_t a)
{
    size_t place = 2 * f->n + a;
    for (int i = 1; i < 8; i++) {
        double w[DP_STAGES], mu = 0;
        dp_dense_slope(i / 8.0, w);
        for (size_t j = 0; j < DP_STAGES; j++)
            mu += w[j] * f->k[j][place];
        if (mu < -f->floor[a])
            return i / 8.0;
    }
    return f->k[DP_STAGES - 1][place] < -f->floor[a] ? 1 : 2;
}

// one gap of J
static mo_status watch_multiplier(flight *f, double delta, size_t a, sighting *seen)
{
    double mu, below = multiplier_below(f, a), start = f->k[0][2 * f->n + a];
    if (below > 1)
        return MO_OK;
    mo_status status = multiplier_at(f, delta, below, a, &mu);
    if (status != MO_OK || !(mu < -f->floor[a]))
        return status;
    if (!(start > 0)) {
        see_event(seen, 0, a, true);
        return MO_OK;
    }
    root r = root_between(0, start, below, mu);
    while (status == MO_OK && root_width(&r) > 1e-14 && fabs(mu) > 0.01 * f->floor[a]) {
        double theta = root_next(&r);
        status = multiplier_at(f, delta, theta, a, &mu);
        root_tell(&r, theta, mu);
    }
    see_event(seen, r.side > 0 ? r.low : r.high, a, true);
    return status;
}

// whether gaps outside J are so far that the trial cannot reach them: weights of the dense output add up to
// less than 3, and the gradients of linear gaps are constant
static bool all_far(const flight *f, double delta)
{
    const mo_system *s = f->s;
    double fast = 0;
    for (size_t j = 0; j < DP_STAGES; j++)
        fast = fmax(fast, vec_norm(f->n, f->k[j]));
    for (size_t a = 0; a < f->m; a++) {
        double slope = vec_norm(f->n, s->G + a * f->n) * fast + fabs(s->gt[a]);
        if (!f->held[a] && !(f->g[a] > f->near[a] + 3 * delta * slope))
            return false;
    }
    return s->def.linear;
}

mo_status flight_watch(flight *f, double delta, bool tied, sighting *seen)
{
    mo_status status = MO_OK;
    bool done[FLIGHT_SAMPLES] = {false};
    *seen = (sighting){.safe = 1, .theta = 2};
    for (size_t j = 0; status == MO_OK && j < f->count; j++)
        status = watch_multiplier(f, delta, f->list[j], seen);
    if (status != MO_OK || f->count == f->m || all_far(f, delta))
        return status;
    // what is outside already is watched from where it is
    vec_zero(f->m, f->shift);
    status = sample(f, delta, 0, done);
    for (size_t a = 0; status == MO_OK && a < f->m; a++) {
        f->shift[a] = fmax(0, -f->sample[0][a] - f->near[a]);
        f->sample[0][a] += f->shift[a];
    }
    // linear gaps are quartics along the dense output
    for (size_t i = 0; status == MO_OK && i < FLIGHT_SAMPLES; i += 2)
        if (!f->s->def.linear || (i != 2 && i != 10))
            status = sample(f, delta, i, done);
    for (size_t a = 0; status == MO_OK && a < f->m; a++) {
        f->join[a] = f->join[a] && tied;
        if (!f->held[a])
            status = watch_gap(f, delta, a, tied, done, seen);
    }
    return status;
}
