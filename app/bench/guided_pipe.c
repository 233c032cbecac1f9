/*
 * The guided tube of P01 3(c): clamped at one end, free at the other, by finite differences, two stops at one
 * node and a shaker at another.  Its motion is irregular: statistics are compared.
 */
#include "statistics.h"

#include <math.h>

enum { NODES = 20, STOP = 11, SHAKER = 5 };
enum { PUSH, RMS, CONTACT, HISTOGRAM };

/* length 1 m, k^2 = E I / (rho S) = 1 m4/s2: the lowest mode has 3.5 rad/s, the highest 1600 */
static const double clearance = 0.01, amplitude = 1200, rate = 9.5, mass_damping = 0.6,
                    stiffness_damping = 1e-4;

static mo_status shake(void *data, double t, const double *q, const double *u, double *F, double *Fq,
                       double *Fu, mo_error *err)
{
    (void)q, (void)u, (void)err;
    for (size_t i = 0; i < NODES; i++)
        F[i] = 0;
    F[SHAKER] = amplitude * sin(rate * t);
    bench_zero(data, Fq, Fu);
    return MO_OK;
}

// the matrix of P01 (3.9): 6 -4 1 inside, 5 -2 and 1 at the free end
static void fill_stiffness(double *K)
{
    const double scale = pow(NODES, 4);
    for (size_t i = 0; i < NODES; i++) {
        const bool last = i == NODES - 1;
        K[3 * i] = i >= 2 ? scale : 0;
        K[3 * i + 1] = i >= 1 ? scale * (last ? -2 : -4) : 0;
        K[3 * i + 2] = scale * (last ? 1 : i == NODES - 2 ? 5 : 6);
    }
}

static void define(bench_problem *p, size_t variant, size_t steps)
{
    (void)variant, (void)steps;
    bench_size(p, NODES, 2, 0.3);
    p->t_end = p->quick ? 1 : 40;
    fill_stiffness(p->stiffness);
    for (size_t i = 0; i < 3 * NODES; i++)
        p->damping[i] = stiffness_damping * p->stiffness[i] + (i % 3 == 2 ? mass_damping : 0);
    p->def.stiffness = (mo_metric){.kind = MO_METRIC_BANDED, .width = 2, .entries = p->stiffness};
    p->def.damping = (mo_metric){.kind = MO_METRIC_BANDED, .width = 2, .entries = p->damping};
    p->G[STOP] = 1;
    p->G[NODES + STOP] = -1;
    p->offset[0] = p->offset[1] = clearance;
    bench_set_planes(p);
    bench_set_force(p, shake);
    p->def.force_depends_on_velocity = false;
}

static mo_status look(void *data, const bench_problem *p, const mo_system *system, mo_error *err)
{
    statistics *s = data;
    (void)p, (void)err;
    const double *push = mo_system_lambda(system), *gaps = mo_system_gaps(system);
    if (mo_system_info_get(system)->time <= s->begin)
        return MO_OK;
    s->events += push[0] + push[1];
    if (++s->step % s->every == 0)
        statistics_add(s, mo_system_q(system)[NODES - 1], fmin(gaps[0], gaps[1]) < 0.02 * clearance);
    return MO_OK;
}

// 500 samples a second
static mo_status gather(bench_problem *p, size_t steps, bench_row *row, double *numbers, mo_error *err)
{
    statistics s = {.low = -0.1, .high = 0.1, .begin = p->quick ? 0.5 : 10, .every = steps / 500};
    mo_status status = bench_steps(p, row->scheme, (size_t)(p->t_end + 0.5) * steps, look, &s, row, err);
    statistics_numbers(&s, p->t_end - s.begin, numbers);
    return status;
}

// three times as long as the runs
static mo_status prepare(bench_problem *p, double *numbers, mo_error *err)
{
    bench_row row = {.scheme = MO_SYSTEM_SCHEME_EVENT_DRIVEN};
    p->t_end *= 3;
    return gather(p, 500, &row, numbers, err);
}

static mo_status measure(bench_problem *p, const double *numbers, bench_row *row, mo_error *err)
{
    double found[BENCH_NUMBERS];
    mo_status status = gather(p, row->steps, row, found, err);
    row->h = 1 / (double)row->steps;
    row->values[PUSH] = fabs(found[STATISTICS_EVENTS] / numbers[STATISTICS_EVENTS] - 1);
    row->values[RMS] = fabs(found[STATISTICS_RMS] / numbers[STATISTICS_RMS] - 1);
    row->values[CONTACT] = fabs(found[STATISTICS_NEAR] - numbers[STATISTICS_NEAR]);
    row->values[HISTOGRAM] = statistics_distance(found, numbers);
    return status;
}

const bench_situation bench_guided_pipe = {
    .name = "guided-pipe",
    .title = "a clamped tube between stops, shaken: statistics",
    .about = "The tube of P01 3(c) with 20 nodes, EI / rho S = 1, stops 1 cm away at node 12, e = 0.3, a "
             "shaker at node 6 with 9.5 rad/s, "
             "light damping; 40 s, the first 10 s left out; *steps* are those of a second.\n*push*, *rms*: "
             "relative errors of the mean "
             "contact force and of the root mean square at the free end; *contact*: error of the share of "
             "time within 0.2 mm of a "
             "stop; *histogram*: of the free end.",
    .reference = "120 s by the event-driven scheme; its own row shows what is left to chance",
    .lesson = LESSON_GUIDED_PIPE,
    .schemes = BENCH_ALL,
    .steps = 500,
    .rungs = 4,
    .quick_rungs = 2,
    .columns = {"push", "rms", "contact", "histogram"},
    .define = define,
    .prepare = prepare,
    .measure = measure,
};
