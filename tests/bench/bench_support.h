/* References of situations by name. */
#ifndef TESTS_BENCH_SUPPORT_H
#define TESTS_BENCH_SUPPORT_H

// clang-format off
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench.h"
#include "support/close.h"

static inline const bench_situation *situation_of(const char *name)
{
    const bench_situation *s = bench_find(name);
    if (s == NULL)
        fail_msg("no situation %s", name);
    return s;
}

static inline bench_problem *make_problem(const char *name, size_t variant, size_t steps)
{
    bench_problem *p = bench_problem_new(situation_of(name), variant, steps, false);
    assert_non_null(p);
    return p;
}

/* The reference of a start at the multiples of t_end / steps; free with bench_path_free. */
static inline bench_path make_reference(const char *name, size_t variant, size_t steps)
{
    const bench_situation *s = situation_of(name);
    bench_problem *p = make_problem(name, variant, steps);
    bench_path path = {.n = p->def.n};
    mo_error err = {0};
    if ((s->path != NULL ? s->path : bench_reference_run)(p, steps, &path, &err) != MO_OK)
        fail_msg("%s: %s", name, err.message);
    assert_int_equal(path.nodes, steps + 1);
    free(p);
    return path;
}

/* Positions and velocities at node k. */
static inline const double *node_q(const bench_path *path, size_t k)
{
    return path->q + path->node[k] * path->n;
}

static inline const double *node_u(const bench_path *path, size_t k)
{
    return path->u + path->node[k] * path->n;
}

#endif
