/* A moving set made ready at t = 0, for tests that look inside. */
#ifndef SWEEP_READY_H
#define SWEEP_READY_H

#include "sweep/internal.h"
#include "sweep/parts.h"

static inline moving *ready(const mo_moving_set *set)
{
    moving *m = NULL;
    assert_int_equal(mo_moving_set_check(set, NULL), MO_OK);
    assert_int_equal(moving_create(set, &m, NULL), MO_OK);
    assert_int_equal(moving_set_time(m, 0, false, NULL), MO_OK);
    return m;
}

#endif
