/* A forced oscillator that touches a stop with zero velocity. */
#include "situations.h"

#include <math.h>

static const double rate = 2; /* rad/s, of the force */

// q'' + q = (1 - rate^2) sin(rate t + phase), one solution of which is sin(rate t + phase)
static mo_status drive(void *data, double t, const double *q, const double *u, double *F, double *Fq,
                       double *Fu, mo_error *err)
{
    const bench_problem *p = data;
    (void)u, (void)err;
    F[0] = (1 - rate * rate) * sin(rate * t + p->a[0]) - q[0];
    if (Fq != NULL)
        Fq[0] = -1;
    if (Fu != NULL)
        Fu[0] = 0;
    return MO_OK;
}

static mo_status spring(void *data, double t, const double *q, double *V, mo_error *err)
{
    (void)data, (void)t, (void)err;
    *V = 0.5 * q[0] * q[0];
    return MO_OK;
}

static void motion(const bench_problem *p, double t, bool left, double *q, double *u)
{
    (void)left;
    q[0] = sin(rate * t + p->a[0]);
    u[0] = rate * cos(rate * t + p->a[0]);
}

static void define(bench_problem *p, size_t variant, size_t steps)
{
    (void)steps;
    bench_size(p, 1, 1, 0.8);
    p->t_end = 4;
    p->a[0] = -1 - 0.0137 * (double)variant;
    motion(p, 0, false, p->q, p->u);
    p->G[0] = -1;
    p->offset[0] = 1;
    bench_set_planes(p);
    bench_set_force(p, drive);
    p->def.force_depends_on_velocity = false;
    p->def.potential = spring;
}

static mo_status path(bench_problem *p, size_t steps, bench_path *out, mo_error *err)
{
    return bench_path_closed(p, steps, motion, 0, NULL, out, err);
}

const bench_situation bench_grazing = {
    .name = "grazing",
    .title = "a stop touched with zero velocity",
    .about = "A forced oscillator, q'' + q = -3 sin(2t + phase), moves as sin(2t + phase) and touches the "
             "stop q <= 1 with zero "
             "velocity, once or twice; e = 0.8; worst of 8 phases.",
    .reference = "closed form",
    .lesson = LESSON_GRAZING,
    .schemes = BENCH_ALL,
    .steps = 80,
    .rungs = 7,
    .quick_rungs = 3,
    .variants = 8,
    .rate = 2,
    .define = define,
    .path = path,
};
