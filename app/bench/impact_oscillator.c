/* A forced oscillator with a stop in chaotic motion: statistics of its attractor (P01 6). */
#include "statistics.h"

#include <math.h>

static const double pi = 3.14159265358979323846, rate = 2.8; /* rad/s, of the force */

enum { REFERENCE = 64 /* steps a period of the reference */, BEFORE = 50 /* periods that do not count */ };
enum { MEAN, RMS, HISTOGRAM, IMPACTS };

static double period(void)
{
    return 2 * pi / rate;
}

static size_t periods(const bench_problem *p)
{
    return p->quick ? 100 : 4000;
}

static mo_status drive(void *data, double t, const double *q, const double *u, double *F, double *Fq,
                       double *Fu, mo_error *err)
{
    (void)data, (void)u, (void)err;
    F[0] = cos(rate * t) - q[0];
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

static void define(bench_problem *p, size_t variant, size_t steps)
{
    (void)variant, (void)steps;
    bench_size(p, 1, 1, 0.8);
    p->t_end = (double)periods(p) * period();
    p->q[0] = -0.5;
    p->G[0] = -1;
    bench_set_planes(p);
    bench_set_force(p, drive);
    p->def.force_depends_on_velocity = false;
    p->def.potential = spring;
}

static mo_status look(void *data, const bench_problem *p, const mo_system *system, mo_error *err)
{
    statistics *s = data;
    (void)p, (void)err;
    const mo_system_info *info = mo_system_info_get(system);
    const mo_sweep_events events = mo_system_events_get(system);
    if (info->time <= s->begin)
        return MO_OK;
    for (size_t k = 0; k < events.count; k++)
        s->events += events.items[k].type == MO_EVENT_IMPACT;
    statistics_add(s, mo_system_q(system)[0], false);
    return MO_OK;
}

// steps have no common multiple with the period: else paths are caught by cycles
static double step_of(size_t steps)
{
    return period() / (1.0193 * (double)steps);
}

static mo_status gather(bench_problem *p, size_t steps, size_t count, bench_row *row, double *numbers,
                        mo_error *err)
{
    statistics s = {.low = -4, .high = 0, .begin = BEFORE * period()};
    const double h = step_of(steps), total = floor((double)count * period() / h);
    p->t_end = total * h;
    mo_status status = bench_steps(p, row->scheme, (size_t)total, look, &s, row, err);
    statistics_numbers(&s, p->t_end / period() - BEFORE, numbers);
    return status;
}

// three times as long as the runs, from another start
static mo_status prepare(bench_problem *p, double *numbers, mo_error *err)
{
    bench_row row = {.scheme = MO_SYSTEM_SCHEME_EVENT_DRIVEN};
    p->q[0] = -0.3;
    return gather(p, REFERENCE, 3 * periods(p), &row, numbers, err);
}

static mo_status measure(bench_problem *p, const double *numbers, bench_row *row, mo_error *err)
{
    double found[BENCH_NUMBERS];
    mo_status status = gather(p, row->steps, periods(p), row, found, err);
    row->h = step_of(row->steps);
    row->values[MEAN] = fabs(found[STATISTICS_MEAN] / numbers[STATISTICS_MEAN] - 1);
    row->values[RMS] = fabs(found[STATISTICS_RMS] / numbers[STATISTICS_RMS] - 1);
    row->values[HISTOGRAM] = statistics_distance(found, numbers);
    row->values[IMPACTS] = found[STATISTICS_EVENTS] > 0
                               ? fabs(found[STATISTICS_EVENTS] / numbers[STATISTICS_EVENTS] - 1)
                               : (double)NAN;
    return status;
}

const bench_situation bench_impact_oscillator = {
    .name = "impact-oscillator",
    .title = "a chaotic attractor: statistics",
    .about = "q'' + q = cos 2.8t, q <= 0, e = 0.8: the motion is chaotic, and no scheme can follow it for "
             "long. 4000 periods of the "
             "force, the first 50 left out; *steps* are about those of a period, and have\nno common "
             "multiple with it.\n*mean*, *rms*, *impacts*: relative errors of the mean and "
             "of the root mean square of q and of the impacts a period; *histogram*: half the sum of the "
             "differences of the "
             "histograms of q.",
    .reference = "12000 periods by the event-driven scheme from another start; its own row shows what is "
                 "left to chance",
    .lesson = LESSON_IMPACT_OSCILLATOR,
    .schemes = BENCH_ALL,
    .steps = 32,
    .rungs = 4,
    .quick_rungs = 2,
    .columns = {"mean", "rms", "histogram", "impacts"},
    .define = define,
    .prepare = prepare,
    .measure = measure,
};
