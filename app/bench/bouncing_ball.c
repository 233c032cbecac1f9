/* A ball that bounces infinitely often in a finite time, and rests. */
#include "situations.h"

#include <math.h>

enum { MOST_BOUNCES = 40 };

static const double gravity = 2;

static mo_status weight(void *data, double t, const double *q, const double *u, double *F, double *Fq,
                        double *Fu, mo_error *err)
{
    (void)t, (void)q, (void)u, (void)err;
    F[0] = -gravity;
    bench_zero(data, Fq, Fu);
    return MO_OK;
}

static mo_status height_energy(void *data, double t, const double *q, double *V, mo_error *err)
{
    (void)data, (void)t, (void)err;
    *V = gravity * q[0];
    return MO_OK;
}

static void define(bench_problem *p, size_t variant, size_t steps)
{
    (void)steps;
    bench_size(p, 1, 1, 0.5);
    p->t_end = 4;
    p->q[0] = 1 + 0.0137 * (double)variant;
    p->G[0] = 1;
    bench_set_planes(p);
    bench_set_force(p, weight);
    p->def.force_depends_on_velocity = false;
    p->def.potential = height_energy;
}

// times of the bounces that are apart in doubles; the last is that of rest
static size_t bounces(const bench_problem *p, double *t)
{
    const double e = p->e[0], first = sqrt(2 * p->q[0] / gravity);
    double flight = 2 * first * e;
    t[0] = first;
    for (size_t k = 1; k < MOST_BOUNCES; k++, flight *= e)
        t[k] = t[k - 1] + flight;
    return MOST_BOUNCES;
}

static void motion(const bench_problem *p, double t, bool left, double *q, double *u)
{
    double bounce[MOST_BOUNCES], speed = 0;
    const size_t count = bounces(p, bounce);
    size_t k = 0;
    while (k < count && (left ? bounce[k] < t : bounce[k] <= t))
        k++;
    if (k == 0) {
        q[0] = p->q[0] - 0.5 * gravity * t * t;
        u[0] = -gravity * t;
        return;
    }
    if (k < count)
        speed = gravity * bounce[0] * pow(p->e[0], (double)k);
    const double s = t - bounce[k - 1];
    q[0] = speed > 0 ? speed * s - 0.5 * gravity * s * s : 0;
    u[0] = speed > 0 ? speed - gravity * s : 0;
}

static mo_status path(bench_problem *p, size_t steps, bench_path *out, mo_error *err)
{
    double bounce[MOST_BOUNCES];
    const size_t count = bounces(p, bounce);
    return bench_path_closed(p, steps, motion, count, bounce, out, err);
}

const bench_situation bench_bouncing_ball = {
    .name = "bouncing-ball",
    .title = "bounces that accumulate, then rest",
    .about = "A ball falls from 1 m under gravity 2 m/s2 with e = 0.5, bounces infinitely often until t = 3 "
             "s and rests; worst "
             "of 4 starts.",
    .reference = "closed form (the first 40 bounces; the next would last 1e-12 s)",
    .lesson = LESSON_BOUNCING_BALL,
    .schemes = BENCH_ALL,
    .steps = 80,
    .rungs = 7,
    .quick_rungs = 3,
    .variants = 4,
    .rate = 2,
    .define = define,
    .path = path,
};
