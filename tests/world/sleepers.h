/*
 * What the tests of sleeping share: worlds, a heap, waiting, and the handing over of states.
 */
#ifndef WORLD_SLEEPERS_H
#define WORLD_SLEEPERS_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <moreau/problem.h>

#include "support/build.h"
#include "support/close.h"

/* With these a body rests below 4.905e-5 m/s, and sleeps after 100 such steps. */
static const double H = 5e-3, G = 9.81, REST = 1e-3 * 9.81 * 5e-3;
enum { STEPS = 100 };

static inline mo_world *make_sleeping(bool sleeping)
{
    mo_world_def def = tight_def(H, G);
    def.sleeping = sleeping;
    mo_world *w = make_world_def(&def);
    set_law(w, 0.5, 0, 0);
    return w;
}

static inline size_t asleep(const mo_world *w)
{
    return mo_world_info_get(w).asleep;
}

// steps until so many sleep
static inline void run_until_asleep(mo_world *w, size_t count)
{
    for (int i = 0; i < 4000 && asleep(w) != count; i++)
        run_steps(w, 1, true);
    assert_int_equal(asleep(w), count);
}

// 3 + 2 + 1 discs of radius 1 cm in a heap between two low walls; the first disc
static inline mo_body add_heap(mo_world *w, double x)
{
    const double r = 0.01, rise = r * sqrt(3);
    mo_body first = {0};
    add_segment(w, x - r, 0, x - r, r);
    add_segment(w, x + 5 * r, 0, x + 5 * r, r);
    for (int row = 0; row < 3; row++)
        for (int k = 0; k < 3 - row; k++) {
            mo_body b = add_disc(w, x + r * row + 2 * r * k, r + rise * row, r, 1000);
            first = first.id == 0 ? b : first;
        }
    return first;
}

static inline double mass_of_discs(int n)
{
    return n * 1000 * 3.14159265358979323846 * 1e-4;
}

// two heaps, of which one sleeps and one is being hit
static inline mo_world *make_half_asleep(int threads)
{
    mo_world_def def = tight_def(H, G);
    def.sleeping = true;
    def.threads = threads;
    mo_world *w = make_world_def(&def);
    set_law(w, 0.5, 0, 0);
    add_floor(w, 0);
    add_heap(w, 0);
    add_heap(w, 1);
    add_disc(w, 0.02, 4.5, 0.01, 1000);
    return w;
}

// `to` becomes what `from` is, but for its counters unless they go too; both have the same bodies
static inline void hand_over(const mo_world *from, mo_world *to, bool counters)
{
    mo_restart r = restart_of(from);
    r.rest = counters ? mo_world_rests(from) : NULL;
    mo_error err;
    assert_int_equal(mo_world_restore(to, &r, &err), MO_OK);
}

#endif
