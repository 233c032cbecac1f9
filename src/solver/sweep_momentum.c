/* Sweeps with momentum: see sweep_momentum.h. */
#include "solver/sweep_momentum.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/wide.h"

/* CHUNK: numbers that a thread takes; SUMS: sums side by side. */
enum { CHUNK = 1 << 14, SUMS = 8 };

/* It begins anew when a change is that many times the least one: a sweep forth is not symmetric, and momentum
   can make it swing. */
static const double STRAYED = 3;

momentum_rule momentum_begin(void)
{
    return (momentum_rule){.t = 1, .least = HUGE_VAL};
}

double momentum_next(momentum_rule *rule, double along, double change)
{
    const bool back = !(along >= 0), grows = !(change <= STRAYED * STRAYED * rule->least),
               astray = back || grows;
    rule->swings += grows ? 1 : 0;
    rule->least = astray ? change : fmin(rule->least, change);
    const double t = rule->t;
    rule->t = astray ? 1 : (1 + sqrt(1 + 4 * t * t)) / 2;
    return astray ? 0 : (t - 1) / rule->t;
}

size_t sweep_momentum_room(size_t length)
{
    return 2 * length + 2 * chunk_count(length, CHUNK);
}

void sweep_momentum_place(sweep_momentum *m, size_t length, const double *weight, double *room, pool *threads)
{
    *m = (sweep_momentum){.length = length, .weight = weight, .threads = threads};
    m->from = room;
    m->before = room + length;
    m->products = room + 2 * length;
}

void sweep_momentum_start(sweep_momentum *m, const double *r)
{
    memcpy(m->from, r, m->length * sizeof *r);
    memcpy(m->before, r, m->length * sizeof *r);
    m->rule = momentum_begin();
}

typedef struct work {
    const sweep_momentum *m;
    double *r, beta;
} work;

// what the sweep changed, along the way that numbers have gone and squared, in the metric; sums side by side
static inline __attribute__((always_inline)) void add_change(size_t n, const sweep_momentum *m,
                                                             const double *r, size_t at, double sum[2][SUMS])
{
    for (size_t k = 0; k < n; k++) {
        const size_t i = at + k;
        const double change = r[i] - m->from[i], weighted = m->weight[i] * change;
        sum[0][k] += weighted * (r[i] - m->before[i]);
        sum[1][k] += weighted * change;
    }
}

WIDE static void look_chunk(void *data, size_t chunk, size_t begin, size_t end)
{
    const work *w = data;
    double sum[2][SUMS] = {{0}};
    size_t at = begin;
    for (; at + SUMS <= end; at += SUMS)
        add_change(SUMS, w->m, w->r, at, sum);
    add_change(end - at, w->m, w->r, at, sum);
    for (int k = 0; k < 2; k++)
        w->m->products[2 * chunk + (size_t)k] = ((sum[k][0] + sum[k][1]) + (sum[k][2] + sum[k][3])) +
                                                ((sum[k][4] + sum[k][5]) + (sum[k][6] + sum[k][7]));
}

WIDE static void move(size_t n, double beta, double *restrict from, double *restrict before,
                      double *restrict r)
{
    for (size_t k = 0; k < n; k++) {
        const double next = r[k] + beta * (r[k] - before[k]);
        before[k] = r[k];
        from[k] = next;
        r[k] = next;
    }
}

static void move_chunk(void *data, size_t chunk, size_t begin, size_t end)
{
    (void)chunk;
    const work *w = data;
    move(end - begin, w->beta, w->m->from + begin, w->m->before + begin, w->r + begin);
}

double sweep_momentum_next(sweep_momentum *m, double *r)
{
    double along = 0, change = 0;
    parallel_for(m->threads, m->length, CHUNK, look_chunk, &(work){m, r, 0});
    for (size_t c = 0; c < chunk_count(m->length, CHUNK); c++) {
        along += m->products[2 * c];
        change += m->products[2 * c + 1];
    }
    const double beta = momentum_next(&m->rule, along, change);
    parallel_for(m->threads, m->length, CHUNK, move_chunk, &(work){m, r, beta});
    return beta;
}
