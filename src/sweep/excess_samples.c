/*
 * Lower bounds of the excess: the distance at points of the set near x to the set at the other time.
 */
#include "sweep/excess.h"

#include "math/vec.h"

#include <string.h>

enum { SAMPLE_AXES = 8, SAMPLES = 1 + 2 * SAMPLE_AXES };

/* Points of the set at one time; which of them were found. */
typedef struct samples {
    double *y; /* [SAMPLES n] */
    bool found[SAMPLES];
    bool empty;
} samples;

/* how far samples are from x, by the size of what is seen of the set there; of a convex set these find points
 * that lie far out, of others projections from far away mean little */
static double sample_distance(const moving *m, const double *x)
{
    double size = vec_max_abs(m->n, x);
    for (size_t i = 0; i < m->rows.count; i++)
        if (m->rows.norm[i] > 0 && isfinite(m->rows.g[i]))
            size = fmax(size, fabs(m->rows.g[i]) / m->rows.norm[i]);
    return size > 0 ? size * (m->convex ? 4 : 0.25) : 1;
}

/* prox of z to y; found false: none with certainty */
static mo_status sample_project(excess_pair *p, const double *z, double *y, bool *found, bool *empty)
{
    moving *m = p->m;
    mo_status status = moving_project(m, z, p->x, y, p->err);
    *found = status == MO_OK && m->outcome == MO_SWEEP_REACHED;
    if (status == STEP_NOT_MADE && m->convex && m->outcome == MO_SWEEP_EMPTY)
        *empty = true;
    return status == STEP_NOT_MADE ? MO_OK : status;
}

/* points of the set at the time of m: prox of x and of x +- delta along axes, spread over all of them */
static mo_status take_samples(excess_pair *p, double delta, samples *out)
{
    const size_t n = p->m->n, axes = n < SAMPLE_AXES ? n : SAMPLE_AXES;
    double *z = excess_push_copy(p, n, p->x);
    memset(out, 0, sizeof *out);
    out->y = excess_push(p, SAMPLES * n);
    if (z == NULL || out->y == NULL)
        return excess_no_memory(p->err);
    mo_status status = sample_project(p, z, out->y, &out->found[0], &out->empty);
    for (size_t k = 0; k < 2 * axes && status == MO_OK && !out->empty; k++) {
        const size_t axis = k / 2 * n / axes;
        z[axis] = p->x[axis] + (k % 2 == 0 ? delta : -delta);
        status = sample_project(p, z, out->y + (k + 1) * n, &out->found[k + 1], &out->empty);
        z[axis] = p->x[axis];
    }
    return status;
}

/* largest distance of the samples to the set at the time of m */
static mo_status measure_samples(excess_pair *p, const samples *from, double *excess)
{
    const size_t n = p->m->n;
    double *y = excess_push(p, n);
    if (y == NULL)
        return excess_no_memory(p->err);
    *excess = 0;
    for (size_t k = 0; k < SAMPLES; k++) {
        bool found = false, empty = false;
        if (!from->found[k])
            continue;
        mo_status status = sample_project(p, from->y + k * n, y, &found, &empty);
        if (status != MO_OK)
            return status;
        if (empty)
            *excess = HUGE_VAL;
        else if (found)
            *excess = fmax(*excess, vec_distance(n, from->y + k * n, y));
    }
    return MO_OK;
}

mo_status excess_sampled(excess_pair *p)
{
    moving *m = p->m;
    samples at_s, at_t;
    *p->exact = false;
    // at t now: where to look is decided here
    mo_status status = moving_linearise(m, p->x, 0, p->err);
    const double delta = status == MO_OK ? sample_distance(m, p->x) : 0;
    if (status == MO_OK)
        status = take_samples(p, delta, &at_t);
    if (status == MO_OK)
        status = moving_set_time(m, p->s, false, p->err);
    if (status == MO_OK)
        status = take_samples(p, delta, &at_s);
    if (status == MO_OK)
        status = measure_samples(p, &at_t, p->backward);
    if (status == MO_OK)
        status = moving_set_time(m, p->t, false, p->err);
    return status == MO_OK ? measure_samples(p, &at_s, p->forward) : status;
}
