/*
 * Hausdorff distance of completed graphs (M99 end of 6): of a function with jumps, the values at one time say
 * little about another function that jumps a little later; their graphs with the jumps filled by segments
 * are near each other.
 */
#include "sweep/graph.h"

#include "core/fail.h"

#include <math.h>
#include <moreau/sweep.h>
#include <stdbool.h>

/* The time that two graphs have in common, and the norm. */
typedef struct common_time {
    double rate, begin, end;
} common_time;

/* A point of a graph: from + s (to - from). */
typedef struct graph_point {
    double t, s;
    const double *from, *to; /* [dim] */
} graph_point;

static double entry_of(const graph_point *p, size_t i)
{
    return p->from[i] + p->s * (p->to[i] - p->from[i]);
}

/* largest entry of what separates the point from the segment a, b, and of the segment */
static double largest_entry(const graph_point *p, size_t dim, const double *a, const double *b, double time)
{
    double largest = time;
    for (size_t i = 0; i < dim; i++)
        largest = fmax(largest, fmax(fabs(b[i] - a[i]), fabs(entry_of(p, i) - a[i])));
    return largest;
}

/* distance of the point to the part [low, high] of the segment from a to b, all lengths over `scale`; the
 * time from a to b is T, to the point E, both times the rate.  *fits: no square overflowed or vanished */
static double scaled_distance(const graph_point *p, size_t dim, const double *a, const double *b, double T,
                              double E, double low, double high, double scale, bool *fits)
{
    const double f = 1 / scale;
    double dd = (f * T) * (f * T), de = (f * T) * (f * E), rr = 0;
    for (size_t i = 0; i < dim; i++) {
        const double d = f * (b[i] - a[i]), e = f * (entry_of(p, i) - a[i]);
        dd += d * d;
        de += d * e;
    }
    const double s = fmin(high, fmax(low, dd > 0 ? de / dd : 0));
    const double time = f * (E - s * T);
    rr = time * time;
    for (size_t i = 0; i < dim; i++) {
        const double r = f * (entry_of(p, i) - a[i] - s * (b[i] - a[i]));
        rr += r * r;
    }
    *fits = dd > 1e-280 && dd < 1e280 && rr > 1e-280 && rr < 1e280;
    return isnan(dd) ? (double)NAN : scale * sqrt(rr);
}

static bool is_missing(size_t dim, const double *u)
{
    double sum = 0;
    for (size_t i = 0; i < dim; i++)
        sum += 0 * u[i];
    return isnan(sum);
}

/* distance to the part of the segment between samples k and l in the common time; where one is missing, to
 * the other; infinite when nothing is left */
static double to_segment(const common_time *w, const graph_point *p, const graph_samples *g, size_t k,
                         size_t l)
{
    const double *a = g->u + k * g->dim, *b = g->u + l * g->dim;
    const double T = g->t[l] - g->t[k];
    const double low = T > 0 ? fmax(0, (w->begin - g->t[k]) / T) : 0;
    const double high = T > 0 ? fmin(1, (w->end - g->t[k]) / T) : 1;
    if (low > high || g->t[k] > w->end || g->t[l] < w->begin)
        return HUGE_VAL;
    const double time = w->rate * T, offset = w->rate * (p->t - g->t[k]);
    bool fits;
    double r = scaled_distance(p, g->dim, a, b, time, offset, low, high, 1, &fits);
    if (!fits && !isnan(r)) {
        const double scale = largest_entry(p, g->dim, a, b, fmax(time, fabs(offset)));
        if (scale > 0 && isfinite(1 / scale))
            r = scaled_distance(p, g->dim, a, b, time, offset, low, high, scale, &fits);
    }
    if (!isnan(r))
        return r;
    const bool no_a = is_missing(g->dim, a), no_b = is_missing(g->dim, b);
    return no_a == no_b ? HUGE_VAL : to_segment(w, p, g, no_a ? l : k, no_a ? l : k);
}

/* first sample at or after t */
static size_t sample_at(const graph_samples *g, double t)
{
    size_t low = 0, high = g->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (g->t[middle] < t)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* walks away from the point in time both ways and stops where time alone is farther than the best, or where
 * the best is at most `enough`: it then cannot raise the largest distance */
static double to_graph(const common_time *w, const graph_point *p, const graph_samples *g, double enough)
{
    if (g->count == 1)
        return to_segment(w, p, g, 0, 0);
    const size_t at = sample_at(g, p->t);
    size_t right = at > 0 ? at : 1, left = right;
    double best = HUGE_VAL;
    while (best > enough) {
        const bool go_right = right < g->count && !(w->rate * (g->t[right - 1] - p->t) > best);
        const bool go_left = left > 1 && !(w->rate * (p->t - g->t[left - 1]) > best);
        if (!go_right && !go_left)
            break;
        if (go_right) {
            best = fmin(best, to_segment(w, p, g, right - 1, right));
            right++;
        }
        if (go_left) {
            left--;
            best = fmin(best, to_segment(w, p, g, left - 1, left));
        }
    }
    return best;
}

static void keep_point(const common_time *w, const graph_point *p, const graph_samples *g, double *most)
{
    if (is_missing(g->dim, p->from) || is_missing(g->dim, p->to))
        return;
    const double distance = to_graph(w, p, g, *most);
    if (isfinite(distance))
        *most = fmax(*most, distance);
}

/* the point of the graph at time t when no sample is there */
static void keep_between(const common_time *w, double t, const graph_samples *a, const graph_samples *b,
                         double *most)
{
    const size_t k = sample_at(a, t);
    if (k == 0 || k == a->count || a->t[k] == t)
        return;
    const double s = (t - a->t[k - 1]) / (a->t[k] - a->t[k - 1]);
    const graph_point p = {t, s, a->u + (k - 1) * a->dim, a->u + k * a->dim};
    keep_point(w, &p, b, most);
}

/* points of a in the common time against b */
static void directed(const common_time *w, const graph_samples *a, const graph_samples *b, double *most)
{
    keep_between(w, w->begin, a, b, most);
    keep_between(w, w->end, a, b, most);
    for (size_t k = sample_at(a, w->begin); k < a->count && a->t[k] <= w->end; k++) {
        const graph_point p = {a->t[k], 0, a->u + k * a->dim, a->u + k * a->dim};
        keep_point(w, &p, b, most);
    }
}

double graph_distance(double rate, const graph_samples *a, const graph_samples *b)
{
    double most = 0;
    if (a->count == 0 || b->count == 0)
        return most;
    const common_time w = {rate, fmax(a->t[0], b->t[0]), fmin(a->t[a->count - 1], b->t[b->count - 1])};
    directed(&w, a, b, &most);
    directed(&w, b, a, &most);
    return most;
}

/* ---- public --------------------------------------------------------------------------------------- */

static mo_status check_samples(const graph_samples *g, int which, mo_error *err)
{
    if (g->count == 0)
        return fail(err, MO_BAD_INPUT, "count", "graph %d has no points, expected at least one", which);
    for (size_t k = 0; k < g->count; k++) {
        if (!isfinite(g->t[k]) || (k > 0 && g->t[k] < g->t[k - 1]))
            return fail(err, MO_BAD_INPUT, "t",
                        "time %zu of graph %d is %g, expected finite and not before %g", k, which, g->t[k],
                        k > 0 ? g->t[k - 1] : -HUGE_VAL);
        if (is_missing(g->dim, g->u + k * g->dim))
            return fail(err, MO_BAD_INPUT, "u", "point %zu of graph %d at time %g is not finite", k, which,
                        g->t[k]);
    }
    return MO_OK;
}

mo_status mo_graph_distance(size_t dim, double rate, size_t count1, const double *t1, const double *u1,
                            size_t count2, const double *t2, const double *u2, double *distance,
                            mo_error *err)
{
    const graph_samples a = {dim, count1, t1, u1}, b = {dim, count2, t2, u2};
    if (dim == 0 || !(rate >= 0 && isfinite(rate)))
        return fail(err, MO_BAD_INPUT, dim == 0 ? "dim" : "rate",
                    "dimension %zu and rate %g, expected at least 1 and a finite number >= 0", dim, rate);
    mo_status status = check_samples(&a, 1, err);
    if (status == MO_OK)
        status = check_samples(&b, 2, err);
    if (status != MO_OK)
        return status;
    if (t1[0] > t2[count2 - 1] || t2[0] > t1[count1 - 1])
        return fail(err, MO_BAD_INPUT, "t", "graphs over [%g, %g] and [%g, %g] have no time in common", t1[0],
                    t1[count1 - 1], t2[0], t2[count2 - 1]);
    *distance = graph_distance(rate, &a, &b);
    return MO_OK;
}
