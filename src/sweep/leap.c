/*
 * Leaps of functions by bisection.
 *
 * For a function v with rate v' the change over [a, b] differs from the trapezoid (b - a)(v'_a + v'_b)/2 by
 * at most (b - a) |v'_b - v'_a| / 2 where v' is monotone.  More than that, and more than a tenth of what the
 * rates amount to, is suspect: the half in which the suspicion stays is halved again.  A continuous function
 * is cleared as soon as the pieces resolve it; at a leap the residual stays the same down to pieces of 1e-12.
 * Whether it did is asked over the last ten halvings: a steep ramp would have lost a factor 1000 there.
 */
#include "sweep/leap.h"

#include <math.h>

enum {
    PIECES = 4,      /* looked at separately to begin with */
    DEPTH = 42,      /* 2^-40 < 1e-12, from a piece of a quarter */
    PERSISTENT = 10, /* halvings over which the residual must stay */
    READINGS = 1000, /* per function: a noisy one is given up */
};

typedef struct reading {
    double t, value, rate;
} reading;

typedef struct search {
    const leap_probe *probe;
    size_t which;
    double shortest;
    double *value, *rate; /* [count] scratch */
    int readings;
    double residual[DEPTH + 1]; /* of the piece at each depth that holds the piece at hand */
    mo_error *err;
} search;

size_t leap_scratch(size_t count)
{
    return 2 * (PIECES + 2) * count;
}

static double residual_of(const reading *a, const reading *b)
{
    return fabs(b->value - a->value - (b->t - a->t) * (a->rate / 2 + b->rate / 2));
}

static bool is_suspect(const reading *a, const reading *b, double least)
{
    const double explained =
        (b->t - a->t) * (fabs(b->rate - a->rate) + 0.1 * (fabs(a->rate) + fabs(b->rate)));
    const double residual = residual_of(a, b);
    return isfinite(residual) && residual > explained + least;
}

/* whether the piece, which cannot be halved any more, has kept the residual of those that it is part of */
static bool is_leap(const search *s, const reading *a, const reading *b, int depth)
{
    if (s->probe->below && !(b->value < -s->probe->least && b->value < a->value))
        return false;
    const int above = depth > PERSISTENT ? depth - PERSISTENT : 0;
    return s->residual[depth] >= 0.5 * s->residual[above];
}

/* first leap in the piece (a, b], which is suspect */
static mo_status halve(search *s, reading a, reading b, int depth, leap *out)
{
    s->residual[depth] = residual_of(&a, &b);
    const double middle = a.t + (b.t - a.t) / 2;
    if (b.t - a.t <= s->shortest || !(middle > a.t && middle < b.t) || depth == DEPTH) {
        if (is_leap(s, &a, &b, depth))
            *out = (leap){true, a.t, b.t, s->which};
        return MO_OK;
    }
    if (s->readings++ >= READINGS)
        return MO_OK;
    mo_status status = s->probe->read(s->probe->data, middle, s->value, s->rate, s->err);
    if (status != MO_OK)
        return status;
    const reading m = {middle, s->value[s->which], s->rate[s->which]};
    if (is_suspect(&a, &m, s->probe->least))
        status = halve(s, a, m, depth + 1, out);
    if (status == MO_OK && !out->found && is_suspect(&m, &b, s->probe->least))
        status = halve(s, m, b, depth + 1, out);
    return status;
}

/* first leap of one function, given at the ends of the pieces; an earlier one of another function wins */
static mo_status search_one(search *s, const double *values, const double *rates, double t0, double t1,
                            leap *out)
{
    const size_t n = s->probe->count;
    for (size_t k = 0; k < PIECES; k++) {
        const double ta = t0 + (t1 - t0) * (double)k / PIECES;
        const double tb = k + 1 == PIECES ? t1 : t0 + (t1 - t0) * (double)(k + 1) / PIECES;
        const reading a = {ta, values[k * n + s->which], rates[k * n + s->which]};
        const reading b = {tb, values[(k + 1) * n + s->which], rates[(k + 1) * n + s->which]};
        if (out->found && out->after <= ta)
            break;
        if (!is_suspect(&a, &b, s->probe->least))
            continue;
        leap here = {false, 0, 0, 0};
        mo_status status = halve(s, a, b, 0, &here);
        if (status != MO_OK)
            return status;
        if (here.found) {
            if (!out->found || here.after < out->after)
                *out = here;
            break;
        }
    }
    return MO_OK;
}

mo_status leap_find(const leap_probe *probe, double t0, double t1, double *scratch, leap *out, mo_error *err)
{
    const size_t n = probe->count;
    double *values = scratch, *rates = values + (PIECES + 1) * n;
    search s = {.probe = probe, .shortest = 1e-12 * (t1 - t0), .value = rates + (PIECES + 1) * n, .err = err};
    s.rate = s.value + n;
    for (size_t k = 0; k <= PIECES; k++) {
        const double t = k == PIECES ? t1 : t0 + (t1 - t0) * (double)k / PIECES;
        mo_status status = probe->read(probe->data, t, values + k * n, rates + k * n, err);
        if (status != MO_OK)
            return status;
    }
    leap first = {false, 0, 0, 0};
    for (s.which = 0; s.which < n; s.which++) {
        s.readings = 0;
        mo_status status = search_one(&s, values, rates, t0, t1, &first);
        if (status != MO_OK)
            return status;
    }
    *out = first;
    return MO_OK;
}
