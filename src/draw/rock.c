/*
 * What is inside, from lines of the border and a path.
 *
 * Along a level of time C(t) and its complement alternate at the crossings, so that one bit per level is
 * unknown: whether C(t) is at the left end.  Three things speak for it: a point of the path lies in C(t) (not
 * when it is on the wall, where either side is as near); a point on the wall was pushed away from the rock;
 * and neighbouring levels look alike, which carries what is known over where lines leave the picture.  The
 * bits that contradict these least are found exactly, level by level (Viterbi's algorithm).
 */
#include "draw/rock.h"

#include "core/fail.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { most_crossings = 8000000 };
static const double likeness = 20.0;  /* cost of neighbours that differ, against 1 of a point in the rock */
static const double push = 0.2;       /* cost of a push against the rock */
static const double near_wall = 0.01; /* of the picture's width: nearer points say less, or from half of it on
                                         nothing */

double rock_time(const rock *r, size_t level)
{
    return r->time.lo + ((double)level + 0.5) / (double)r->levels * (r->time.hi - r->time.lo);
}

/* ---- crossings --------------------------------------------------------------------------------------- */

/* levels [*from, *to) that the segment between two times meets, its lower end included */
static void levels_between(const rock *r, double t0, double t1, size_t *from, size_t *to)
{
    double scale = (double)r->levels / (r->time.hi - r->time.lo), n = (double)r->levels;
    double a = ceil((fmin(t0, t1) - r->time.lo) * scale - 0.5);
    double b = ceil((fmax(t0, t1) - r->time.lo) * scale - 0.5);
    *from = (size_t)fmin(fmax(a, 0.0), n);
    *to = (size_t)fmin(fmax(b, 0.0), n);
}

/* adds the crossings of a segment, or counts them in first[level + 1] when `count` */
static void add_segment(rock *r, const double *p, const double *q, bool count)
{
    size_t from, to;
    for (int k = 0; k < 2; k++)
        if (!(fabs(p[k]) < 1e150) || !(fabs(q[k]) < 1e150))
            return;
    levels_between(r, p[0], q[0], &from, &to);
    for (size_t level = from; level < to; level++) {
        double s = (rock_time(r, level) - p[0]) / (q[0] - p[0]);
        if (count)
            r->first[level + 1]++;
        else
            r->x[r->first[level]++] = p[1] + fmin(fmax(s, 0.0), 1.0) * (q[1] - p[1]);
    }
}

static void each_segment(rock *r, const mo_run_outlines *border, bool count)
{
    for (size_t i = 0; i < border->count; i++)
        for (size_t k = border->first[i]; k + 1 < border->first[i + 1]; k++)
            add_segment(r, border->points + 2 * k, border->points + 2 * k + 2, count);
}

static mo_status cross(rock *r, const mo_run_outlines *border, mo_error *err)
{
    each_segment(r, border, true);
    for (size_t k = 0; k < r->levels; k++)
        r->first[k + 1] += r->first[k];
    if (r->first[r->levels] > most_crossings)
        return fail(err, MO_BAD_FILE, "outlines", "the border of the set crosses the picture %zu times",
                    r->first[r->levels]);
    r->x = calloc(r->first[r->levels] + 1, sizeof *r->x);
    if (r->x == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for the border of the set");
    each_segment(r, border, false);
    /* filling moved every start to the next one's place */
    memmove(r->first + 1, r->first, r->levels * sizeof *r->first);
    r->first[0] = 0;
    for (size_t k = 0; k < r->levels; k++)
        sort_doubles(r->x + r->first[k], r->first[k + 1] - r->first[k]);
    return MO_OK;
}

/* ---- inside ------------------------------------------------------------------------------------------ */

/* number of crossings of a level to the left of x */
static size_t left_of(const rock *r, size_t level, double x)
{
    size_t j = r->first[level];
    while (j < r->first[level + 1] && r->x[j] < x)
        j++;
    return j - r->first[level];
}

/* what a point says: cost[b] of C(t) reaching to the left end (b = 1) or not */
static void hear_point(const rock *r, size_t level, double u, double before, double width, double cost[2])
{
    size_t j = left_of(r, level, u), count = r->first[level + 1] - r->first[level];
    const double *x = r->x + r->first[level];
    double left = j > 0 ? u - x[j - 1] : HUGE_VAL, right = j < count ? x[j] - u : HUGE_VAL;
    double away = fmin(left, right) / (near_wall * width);
    /* in the j-th interval; C(t) is there when it reaches to the left end and j is even, or neither */
    cost[j % 2 == 0 ? 0 : 1] += fmin(fmax(2.0 * away - 1.0, 0.0), 1.0);
    if (away < 1.0 && fabs(u - before) > 0.0) {
        size_t nearest = left < right ? j - 1 : j, interval = u > before ? nearest + 1 : nearest;
        cost[interval % 2 == 0 ? 0 : 1] += push * fmin(fabs(u - before) / (near_wall * width), 1.0);
    }
}

/* share of [x.lo, x.hi] where two levels have the same parity of crossings to the left */
static double alike(const rock *r, size_t a, size_t b, range x)
{
    size_t i = r->first[a], j = r->first[b];
    double same = 0.0, at = x.lo;
    bool equal = true;
    while (at < x.hi) {
        double xi = i < r->first[a + 1] ? r->x[i] : HUGE_VAL, xj = j < r->first[b + 1] ? r->x[j] : HUGE_VAL;
        double next = fmin(fmin(xi, xj), x.hi);
        if (next > at && equal)
            same += next - at;
        at = fmax(at, next);
        if (next >= x.hi)
            break;
        equal = !equal;
        i += xi <= xj ? 1 : 0;
        j += xi <= xj ? 0 : 1;
    }
    return same / (x.hi - x.lo);
}

/* cost[2 levels] on entry what the points say, on return the least cost up to each level; then backwards */
static void decide(rock *r, range x, double *cost, unsigned char *from)
{
    for (size_t k = 1; k < r->levels; k++) {
        double same = alike(r, k - 1, k, x);
        for (int b = 0; b < 2; b++) {
            double stay = cost[2 * (k - 1) + (size_t)b] + likeness * (1.0 - same);
            double turn = cost[2 * (k - 1) + (size_t)(1 - b)] + likeness * same;
            from[2 * k + (size_t)b] = (unsigned char)(stay <= turn ? b : 1 - b);
            cost[2 * k + (size_t)b] += fmin(stay, turn);
        }
    }
    size_t last = r->levels - 1;
    r->open[last] = cost[2 * last + 1] < cost[2 * last];
    for (size_t k = last; k > 0; k--)
        r->open[k - 1] = from[2 * k + r->open[k]] == 1;
}

static mo_status choose_sides(rock *r, range x, size_t points, const double *t, const double *u,
                              mo_error *err)
{
    double *cost = calloc(2 * r->levels, sizeof *cost);
    unsigned char *from = calloc(2 * r->levels, 1);
    if (cost == NULL || from == NULL) {
        free(cost);
        free(from);
        return fail(err, MO_NO_MEMORY, NULL, "no memory for the border of the set");
    }
    for (size_t i = 0; i < points; i++) {
        double s = (t[i] - r->time.lo) / (r->time.hi - r->time.lo);
        if (!(fabs(u[i]) < 1e150) || !(s >= 0.0 && s <= 1.0))
            continue;
        /* the last point of a level speaks for it */
        size_t level = (size_t)fmin(s * (double)r->levels, (double)(r->levels - 1));
        cost[2 * level] = cost[2 * level + 1] = 0.0;
        hear_point(r, level, u[i], i > 0 && fabs(u[i - 1]) < 1e150 ? u[i - 1] : u[i], x.hi - x.lo,
                   cost + 2 * level);
    }
    decide(r, x, cost, from);
    free(cost);
    free(from);
    return MO_OK;
}

bool rock_solid(const rock *r, size_t level, size_t j)
{
    return r->open[level] == (j % 2 == 1);
}

mo_status rock_make(rock *out, size_t levels, range time, range x, const mo_run_outlines *border,
                    size_t points, const double *t, const double *u, mo_error *err)
{
    *out = (rock){.levels = levels, .time = time};
    out->first = calloc(levels + 1, sizeof *out->first);
    out->open = calloc(levels, sizeof *out->open);
    if (out->first == NULL || out->open == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for the border of the set");
    mo_status status = cross(out, border, err);
    return status == MO_OK ? choose_sides(out, x, points, t, u, err) : status;
}

void rock_free(rock *r)
{
    free(r->first);
    free(r->x);
    free(r->open);
    *r = (rock){0};
}
