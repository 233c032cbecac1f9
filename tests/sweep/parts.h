/* Motions and short words shared by the tests of sweeping processes. */
#ifndef SWEEP_PARTS_H
#define SWEEP_PARTS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>
#include <math.h>

#include <moreau/sweep.h>

#include "core/rng.h"
#include "support/close.h"

static inline double spread(rng *r)
{
    return 2 * rng_uniform(r) - 1;
}

static inline mo_timed constant(const double *value)
{
    return (mo_timed){.value = value};
}

/* value[i] = from[i] + t rate[i] */
typedef struct straight {
    size_t count;
    const double *from, *rate;
} straight;

static inline mo_status go_straight(void *data, double t, double *value, double *rate, mo_error *err)
{
    (void)err;
    const straight *s = data;
    for (size_t i = 0; i < s->count; i++) {
        value[i] = s->from[i] + t * s->rate[i];
        if (rate != NULL)
            rate[i] = s->rate[i];
    }
    return MO_OK;
}

static inline mo_timed along(straight *s)
{
    return (mo_timed){.function = go_straight, .data = s};
}

/* value[i] = size[i] sin(speed t + phase[i]) */
typedef struct waves {
    size_t count;
    double speed;
    const double *size, *phase;
} waves;

static inline mo_status go_waves(void *data, double t, double *value, double *rate, mo_error *err)
{
    (void)err;
    const waves *w = data;
    for (size_t i = 0; i < w->count; i++) {
        value[i] = w->size[i] * sin(w->speed * t + w->phase[i]);
        if (rate != NULL)
            rate[i] = w->size[i] * w->speed * cos(w->speed * t + w->phase[i]);
    }
    return MO_OK;
}

static inline mo_timed waving(waves *w)
{
    return (mo_timed){.function = go_waves, .data = w};
}

static inline mo_sweep_def define(const mo_moving_set *set, const double *x, double h, mo_sweep_method method)
{
    mo_sweep_def d = mo_default_sweep_def();
    d.set = set;
    d.x = x;
    d.h = h;
    d.method = method;
    d.retraction = false;
    return d;
}

static inline mo_sweep *create(const mo_sweep_def *def)
{
    mo_sweep *s = NULL;
    mo_error err;
    mo_status status = mo_sweep_create(def, &s, &err);
    if (status != MO_OK)
        print_error("%s: %s\n", err.key, err.message);
    assert_int_equal(status, MO_OK);
    return s;
}

static inline void step(mo_sweep *s)
{
    mo_error err;
    mo_status status = mo_sweep_step(s, &err);
    if (status != MO_OK)
        print_error("%s: %s\n", err.key, err.message);
    assert_int_equal(status, MO_OK);
}

/* A step that must be reached. */
static inline void good_step(mo_sweep *s)
{
    step(s);
    const mo_sweep_info *info = mo_sweep_info_get(s);
    if (info->outcome != MO_SWEEP_REACHED)
        print_error("t = %g: %s\n", info->time, info->message);
    assert_int_equal(info->outcome, MO_SWEEP_REACHED);
}

static inline void good_steps(mo_sweep *s, int count)
{
    for (int k = 0; k < count; k++)
        good_step(s);
}

static inline double distance(size_t n, const double *a, const double *b)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

#endif
