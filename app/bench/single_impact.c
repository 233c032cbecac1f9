/* One impact without force: the test problem of P01 3(a), 4(c) and its Figure 6. */
#include "situations.h"

static void define(bench_problem *p, size_t variant, size_t steps)
{
    (void)steps;
    bench_size(p, 1, 1, 0.3);
    p->t_end = 2;
    p->q[0] = 1 + 0.0137 * (double)variant;
    p->u[0] = -1;
    p->G[0] = 1;
    bench_set_planes(p);
}

static void motion(const bench_problem *p, double t, bool left, double *q, double *u)
{
    const double hit = p->q[0], e = p->e[0];
    const bool before = left ? t <= hit : t < hit;
    q[0] = before ? hit - t : e * (t - hit);
    u[0] = before ? -1 : e;
}

static mo_status path(bench_problem *p, size_t steps, bench_path *out, mo_error *err)
{
    return bench_path_closed(p, steps, motion, 1, p->q, out, err);
}

const bench_situation bench_single_impact = {
    .name = "single-impact",
    .title = "one impact without force",
    .about = "A point without force hits a wall once: q0 = 1, v0 = -1, e = 0.3 (P01, Figure 6); worst of 8 "
             "starts up to "
             "0.1 farther away, so that the impact falls anywhere in a step.",
    .reference = "closed form",
    .lesson = LESSON_SINGLE_IMPACT,
    .schemes = BENCH_ALL,
    .steps = 40,
    .rungs = 7,
    .quick_rungs = 3,
    .variants = 8,
    .rate = 1,
    .define = define,
    .path = path,
};
