/* Runs of processes with all their events kept, for the tests of the event-driven method. */
#ifndef SWEEP_TOLD_H
#define SWEEP_TOLD_H

#include "parts.h"

enum { TOLD_MOST = 2000, TOLD_GAPS = 8 };

/* Events of a run, copied. */
typedef struct told {
    size_t count;
    mo_event items[TOLD_MOST];
    size_t gaps[TOLD_MOST][TOLD_GAPS];
} told;

static told all;

static inline mo_timed by_function(mo_status (*function)(void *, double, double *, double *, mo_error *),
                                   void *data)
{
    return (mo_timed){.function = function, .data = data};
}

static inline mo_sweep *started(const mo_moving_set *set, const double *x, double h, mo_sweep_method method)
{
    const mo_sweep_def def = define(set, x, h, method);
    all.count = 0;
    return create(&def);
}

static inline void told_step(mo_sweep *s)
{
    step(s);
    const mo_sweep_events e = mo_sweep_events_get(s);
    for (size_t i = 0; i < e.count && all.count < TOLD_MOST; i++) {
        all.items[all.count] = e.items[i];
        for (size_t k = 0; k < e.items[i].gap_count && k < TOLD_GAPS; k++)
            all.gaps[all.count][k] = e.gaps[e.items[i].gap_first + k];
        all.count++;
    }
}

/* Steps that must be reached. */
static inline void told_steps(mo_sweep *s, int steps)
{
    for (int k = 0; k < steps; k++) {
        told_step(s);
        if (mo_sweep_info_get(s)->outcome != MO_SWEEP_REACHED)
            fail_msg("step %d: %s", k, mo_sweep_info_get(s)->message);
    }
}

static inline void expect_event(size_t i, mo_event_type type, double t, double tolerance, size_t gap)
{
    assert_true(i < all.count);
    assert_int_equal(all.items[i].type, type);
    assert_close(all.items[i].t, t, tolerance);
    assert_int_equal(all.items[i].gap_count, 1);
    assert_int_equal(all.gaps[i][0], gap);
}

/* (t, 0) */
static const double drive_from[] = {0, 0}, drive_rate[] = {1, 0};
static straight drive = {2, drive_from, drive_rate};

#endif
