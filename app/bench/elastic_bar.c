/*
 * An elastic bar hits a rigid wall: it stays while a wave runs through it and back, 2 L / c = 2/3 s, pushed
 * by rho c v = 300 N, and leaves with its speed reversed.  Linear elements with lumped masses, refined with
 * the step.
 */
#include "situations.h"

#include <math.h>

static const double length = 10, modulus = 900, density = 1, speed = 10, distance = 1;

enum { DURATION, FORCE, RETURN, ENERGY, VIOLATION };

// c h / element = 1/2
static size_t elements_of(size_t steps)
{
    return steps / 6;
}

static void define(bench_problem *p, size_t variant, size_t steps)
{
    (void)variant;
    size_t n = elements_of(steps) + 1;
    n = n > BENCH_N ? BENCH_N : n;
    const double l = length / (double)(n - 1);
    bench_size(p, n, 1, 0);
    p->t_end = 1;
    for (size_t i = 0; i < n; i++) {
        const double part = i == 0 || i == n - 1 ? 0.5 : 1;
        p->u[i] = -speed;
        p->mass[i] = part * density * l;
        p->stiffness[2 * i] = i > 0 ? -modulus / l : 0;
        p->stiffness[2 * i + 1] = part * 2 * modulus / l;
    }
    p->def.mass = (mo_metric){.kind = MO_METRIC_DIAGONAL, .entries = p->mass};
    p->def.stiffness = (mo_metric){.kind = MO_METRIC_BANDED, .width = 1, .entries = p->stiffness};
    p->G[0] = 1;
    p->offset[0] = distance;
    bench_set_planes(p);
}

/* What is seen of the contact. */
typedef struct contact {
    double first, last, impulse, momentum, energy, violation;
} contact;

static mo_status look(void *data, const bench_problem *p, const mo_system *system, mo_error *err)
{
    contact *c = data;
    (void)err;
    const mo_system_info *info = mo_system_info_get(system);
    const double push = mo_system_lambda(system)[0], *u = mo_system_u(system);
    c->impulse += push;
    if (push > 0) {
        c->first = fmin(c->first, info->time - p->def.h);
        c->last = info->time;
    }
    c->momentum = 0;
    for (size_t i = 0; i < p->def.n; i++)
        c->momentum += p->mass[i] * u[i];
    c->energy = info->energy.kinetic + info->energy.potential;
    c->violation = info->worst_violation;
    return MO_OK;
}

static mo_status measure(bench_problem *p, const double *numbers, bench_row *row, mo_error *err)
{
    contact c = {.first = HUGE_VAL};
    (void)numbers;
    const double wave = sqrt(modulus / density), lasts = 2 * length / wave, force = density * wave * speed;
    const double start = 0.5 * density * length * speed * speed;
    mo_status status = bench_steps(p, row->scheme, row->steps, look, &c, row, err);
    row->values[DURATION] = fabs((c.last - c.first) / lasts - 1);
    row->values[FORCE] = fabs(c.impulse / (c.last - c.first) / force - 1);
    row->values[RETURN] = fabs(c.momentum / (density * length * speed) - 1);
    row->values[ENERGY] = fabs(c.energy / start - 1);
    row->values[VIOLATION] = c.violation;
    return status;
}

const bench_situation bench_elastic_bar = {
    .name = "elastic-bar",
    .title = "an elastic bar hits a wall",
    .about = "An elastic bar (10 m, E = 900 Pa, 1 kg/m) hits a wall at 10 m/s, e = 0 at the node; elements "
             "are refined with the step, "
             "c h / element = 1/2.\n*duration*, *force*, *return*, *energy*: relative errors of the time in "
             "contact, of the mean force, of "
             "the speed of the centre afterwards and of the energy.",
    .reference = "waves in the continuous bar: contact for 0.6667 s with 300 N, speed reversed, no loss",
    .lesson = LESSON_ELASTIC_BAR,
    .schemes = BENCH_ALL,
    .steps = 60,
    .rungs = 4,
    .quick_rungs = 2,
    .columns = {"duration", "force", "return", "energy", "violation"},
    .define = define,
    .measure = measure,
};
