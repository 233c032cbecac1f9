/* A particle that slides on a moving disc and leaves it: the complement of a moving disc is prox-regular. */
#include "situations.h"

#include <math.h>

static const double gravity = 2, swing = 0.2, rate = 3; /* of the disc's centre: swing sin(rate t) */

static mo_status gap(void *data, double t, const double *q, double *g, double *gx, double *gt, mo_error *err)
{
    (void)data, (void)err;
    const double x = q[0] - swing * sin(rate * t), y = q[1], r = hypot(x, y);
    g[0] = r - 1;
    if (gx != NULL) {
        gx[0] = x / r;
        gx[1] = y / r;
    }
    if (gt != NULL)
        gt[0] = -x / r * swing * rate * cos(rate * t);
    return MO_OK;
}

static mo_status weight(void *data, double t, const double *q, const double *u, double *F, double *Fq,
                        double *Fu, mo_error *err)
{
    (void)t, (void)q, (void)u, (void)err;
    F[0] = 0;
    F[1] = -gravity;
    bench_zero(data, Fq, Fu);
    return MO_OK;
}

static mo_status height_energy(void *data, double t, const double *q, double *V, mo_error *err)
{
    (void)data, (void)t, (void)err;
    *V = gravity * q[1];
    return MO_OK;
}

static void define(bench_problem *p, size_t variant, size_t steps)
{
    (void)steps;
    const double angle = -0.4 - 0.0131 * (double)variant;
    bench_size(p, 2, 1, 0);
    p->t_end = 1.5;
    // at rest on the disc, above its left side
    p->q[0] = sin(angle);
    p->q[1] = cos(angle);
    p->u[0] = swing * rate;
    p->def.gap = gap;
    bench_set_force(p, weight);
    p->def.force_depends_on_velocity = false;
    p->def.potential = height_energy;
}

const bench_situation bench_moving_wall = {
    .name = "moving-wall",
    .title = "sliding on a moving disc, and leaving it",
    .about = "A particle slides down a disc (radius 1 m) whose centre moves as 0.2 sin 3t m, and leaves it; "
             "e = 0, gravity 2 m/s2. "
             "The feasible set is the complement of the disc: not convex, prox-regular; worst of 4 starts.",
    .reference = "the event-driven scheme, checked with half its steps",
    .lesson = LESSON_MOVING_WALL,
    .schemes = BENCH_ALL,
    .steps = 75,
    .rungs = 7,
    .quick_rungs = 3,
    .variants = 4,
    .rate = 2,
    .define = define,
};
