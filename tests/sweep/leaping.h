/* A motion with a jump, shared by tests. */
#ifndef SWEEP_LEAPING_H
#define SWEEP_LEAPING_H

#include "parts.h"

/* (t, 0), and `by` more in both from `at` on */
typedef struct leaping {
    double at, by;
} leaping;

static inline mo_status read_leaping(void *data, double t, double *value, double *rate, mo_error *err)
{
    (void)err;
    const leaping *l = data;
    value[0] = t + (t >= l->at ? l->by : 0);
    value[1] = t >= l->at ? l->by : 0;
    if (rate != NULL) {
        rate[0] = 1;
        rate[1] = 0;
    }
    return MO_OK;
}

static inline mo_timed leaps(leaping *l)
{
    return (mo_timed){.function = read_leaping, .data = l};
}

#endif
