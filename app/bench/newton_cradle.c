/* Newton's cradle of five balls on a line: touching, and slightly apart. */
#include "situations.h"

enum { BALLS = 5 };

// balls of diameter 1 with `apart` between the last four; the first comes from `way` before
static void place(bench_problem *p, double way, double apart)
{
    bench_size(p, BALLS, BALLS - 1, 1);
    p->t_end = 1;
    p->a[0] = way;
    p->a[1] = apart;
    for (size_t i = 0; i < BALLS; i++)
        p->q[i] = (double)i + (i > 0 ? apart * (double)(i - 1) : -way);
    p->u[0] = 1;
    for (size_t k = 0; k + 1 < BALLS; k++) {
        p->G[k * BALLS + k] = -1;
        p->G[k * BALLS + k + 1] = 1;
        p->offset[k] = -1;
    }
    bench_set_planes(p);
}

/* ---- touching ----------------------------------------------------------------------------------------- */

static void define_touching(bench_problem *p, size_t variant, size_t steps)
{
    (void)steps;
    place(p, 0.5 + 0.0137 * (double)variant, 0);
}

// u+ = 2 Proj(T, u-) - u-; T is the velocities that rise along the line, the nearest one their mean, 1/5
static void motion_touching(const bench_problem *p, double t, bool left, double *q, double *u)
{
    const double hit = p->a[0];
    const bool before = left ? t <= hit : t < hit;
    for (size_t i = 0; i < BALLS; i++) {
        const double then = i == 0 ? 1 : 0, after = 2.0 / BALLS - then;
        u[i] = before ? then : after;
        q[i] = p->q[i] + (before ? then * t : then * hit + after * (t - hit));
    }
}

static mo_status path_touching(bench_problem *p, size_t steps, bench_path *out, mo_error *err)
{
    return bench_path_closed(p, steps, motion_touching, 1, &p->a[0], out, err);
}

const bench_situation bench_newton_cradle = {
    .name = "newton-cradle",
    .title = "five balls in a line, touching",
    .about = "Five equal balls in a line, the last four at rest and touching, e = 1. The law (5.3) of P01 "
             "takes all contacts at once "
             "and gives the velocities\n(-0.6, 0.4, 0.4, 0.4, 0.4): energy and momentum are kept, but this "
             "is not the classical "
             "(0, 0, 0, 0, 1). Worst of 4 starts.",
    .reference = "closed form of the law (5.3)",
    .lesson = LESSON_NEWTON_CRADLE,
    .schemes = BENCH_ALL,
    .steps = 50,
    .rungs = 7,
    .quick_rungs = 3,
    .variants = 4,
    .rate = 1,
    .define = define_touching,
    .path = path_touching,
};

/* ---- apart -------------------------------------------------------------------------------------------- */

static void define_apart(bench_problem *p, size_t variant, size_t steps)
{
    (void)steps;
    place(p, 0.3 + 0.0137 * (double)variant, 0.05);
}

static double hit_time(const bench_problem *p, size_t k)
{
    return p->a[0] + (double)k * p->a[1];
}

// ball k moves from the impact k - 1 to the impact k
static void motion_apart(const bench_problem *p, double t, bool left, double *q, double *u)
{
    for (size_t i = 0; i < BALLS; i++) {
        const double begin = i > 0 ? hit_time(p, i - 1) : 0,
                     end = i + 1 < BALLS ? hit_time(p, i) : p->t_end + 1;
        const bool begun = i == 0 || (left ? begin < t : begin <= t), ended = left ? end < t : end <= t;
        u[i] = begun && !ended ? 1 : 0;
        q[i] = p->q[i] + (!begun ? 0 : ended ? end - begin : t - begin);
    }
}

static mo_status path_apart(bench_problem *p, size_t steps, bench_path *out, mo_error *err)
{
    double hits[BALLS - 1];
    for (size_t k = 0; k + 1 < BALLS; k++)
        hits[k] = hit_time(p, k);
    return bench_path_closed(p, steps, motion_apart, BALLS - 1, hits, out, err);
}

const bench_situation bench_cradle_apart = {
    .name = "cradle-apart",
    .title = "five balls in a line, 5 cm apart",
    .about = "The same balls 5 cm apart: impacts one after another, and the classical outcome, the last ball "
             "alone goes on. The limit "
             "of no distance is not the motion of the touching balls: the motion does not depend "
             "continuously on the start (P01 "
             "5). Worst of 4 starts.",
    .reference = "closed form",
    .lesson = LESSON_CRADLE_APART,
    .schemes = BENCH_ALL,
    .steps = 50,
    .rungs = 7,
    .quick_rungs = 3,
    .variants = 4,
    .rate = 1,
    .define = define_apart,
    .path = path_apart,
};
