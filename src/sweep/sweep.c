/* The process: definition, creation, what can be asked. */
#include "sweep/process.h"

#include <math.h>
#include <stdlib.h>

#include "core/fail.h"
#include "core/hash.h"
#include "math/vec.h"

typedef struct method {
    const char *name;
    mo_status (*step)(mo_sweep *s, mo_error *err);
    bool needs_gaps;
} method;

static const method methods[] = {
    [MO_SWEEP_CATCHING_UP] = {"catching-up", catching_up_step, false},
    [MO_SWEEP_THETA] = {"theta", theta_step, false},
    [MO_SWEEP_PENALTY] = {"penalty", penalty_step, false},
    [MO_SWEEP_LAZY] = {"lazy", lazy_step, true},
    [MO_SWEEP_EVENT_DRIVEN] = {"event-driven", event_driven_step, true},
};

enum { METHODS = sizeof methods / sizeof *methods };

const char *mo_sweep_method_name(mo_sweep_method number)
{
    return (size_t)number < METHODS ? methods[number].name : NULL;
}

mo_sweep_def mo_default_sweep_def(void)
{
    return (mo_sweep_def){.theta = 0.5, .tol = 1e-12, .max_iter = 100, .retraction = true};
}

static mo_status check_numbers(const mo_sweep_def *d, mo_error *err)
{
    if (!(d->h > 0) || !isfinite(d->h))
        return fail(err, MO_BAD_INPUT, "h", "%g, expected a number > 0", d->h);
    if ((size_t)d->method >= METHODS)
        return fail(err, MO_BAD_INPUT, "method", "%d is no method", (int)d->method);
    if (!(d->theta >= 0.5 && d->theta <= 1))
        return fail(err, MO_BAD_INPUT, "theta", "%g, expected 1/2 to 1", d->theta);
    if (!(d->lambda >= 0) || !isfinite(d->lambda))
        return fail(err, MO_BAD_INPUT, "lambda", "%g, expected a number > 0, or 0 for 10 / h", d->lambda);
    if (!(d->tol > 0 && d->tol <= 1e-2))
        return fail(err, MO_BAD_INPUT, "tol", "%g, expected more than 0, at most 0.01", d->tol);
    if (d->max_iter < 1)
        return fail(err, MO_BAD_INPUT, "max_iter", "%d, expected 1 or more", d->max_iter);
    return MO_OK;
}

static bool has_gaps(const mo_moving_set *set)
{
    return mo_moving_set_multipliers(set) > 0;
}

static mo_status check_def(const mo_sweep_def *d, mo_error *err)
{
    mo_status status = check_numbers(d, err);
    if (status != MO_OK)
        return status;
    if (d->set == NULL)
        return fail(err, MO_BAD_INPUT, "set", "none given");
    status = mo_moving_set_check(d->set, err);
    if (status != MO_OK)
        return status;
    if (d->x == NULL)
        return fail(err, MO_BAD_INPUT, "x", "none given, expected %zu numbers", d->set->dim);
    for (size_t i = 0; i < d->set->dim; i++)
        if (!isfinite(d->x[i]))
            return fail(err, MO_BAD_INPUT, "x", "number %zu is %g, expected a finite number", i + 1, d->x[i]);
    if (methods[d->method].needs_gaps && !has_gaps(d->set))
        return fail(err, MO_BAD_INPUT, "method",
                    "\"%s\" needs a set with gaps; expected catching-up, theta or penalty",
                    methods[d->method].name);
    return MO_OK;
}

static bool give_memory(mo_sweep *s)
{
    size_t n = s->n, gaps = s->m->gap_count;
    double *next = s->memory = calloc(10 * n + gaps, sizeof *next);
    if (next == NULL)
        return false;
    double **arrays[] = {&s->x, &s->f, &s->z, &s->point, &s->next, &s->spare_f};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        *arrays[i] = next + i * n;
    s->scratch = next + 6 * n;
    s->lambda = next + 10 * n;
    // lists for as much as can hold the point, so that steps need not make room
    size_t held = s->m->discs ? 4 * gaps : gaps;
    return holds_reserve(&s->holds, held, NULL) == MO_OK &&
           holds_reserve(&s->next_holds, held, NULL) == MO_OK && events_reserve(s, 8, 4 * held);
}

mo_status mo_sweep_create(const mo_sweep_def *def, mo_sweep **out, mo_error *err)
{
    mo_status status = check_def(def, err);
    if (status != MO_OK)
        return status;
    mo_sweep *s = calloc(1, sizeof *s);
    if (s == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for a sweep");
    s->def = *def;
    s->def.lambda = def->lambda > 0 ? def->lambda : 10 / def->h;
    s->n = def->set->dim;
    s->step = methods[def->method].step;
    s->info.retraction_exact = true;
    status = moving_create(def->set, &s->m, err);
    if (status == MO_OK && !give_memory(s))
        status = fail(err, MO_NO_MEMORY, NULL, "no memory for a sweep of %zu unknowns", s->n);
    if (status != MO_OK) {
        mo_sweep_destroy(s);
        return status;
    }
    s->m->tol = def->tol;
    s->m->max_iter = def->max_iter;
    vec_copy(s->n, def->x, s->x);
    s->def.x = NULL;
    *out = s;
    return MO_OK;
}

void mo_sweep_destroy(mo_sweep *s)
{
    if (s == NULL)
        return;
    moving_destroy(s->m);
    event_memory_free(s);
    free(s->memory);
    free(s->holds.items);
    free(s->holds.leaf);
    free(s->next_holds.items);
    free(s->next_holds.leaf);
    free(s->events);
    free(s->event_gaps);
    free(s);
}

const mo_sweep_info *mo_sweep_info_get(const mo_sweep *s)
{
    return &s->info;
}

const double *mo_sweep_x(const mo_sweep *s)
{
    return s->x;
}

const double *mo_sweep_lambda(const mo_sweep *s)
{
    return s->lambda;
}

const mo_sweep_hold *mo_sweep_holds(const mo_sweep *s, size_t *count)
{
    *count = s->holds.count;
    return s->holds.items;
}

mo_sweep_events mo_sweep_events_get(const mo_sweep *s)
{
    return (mo_sweep_events){s->event_count, s->events, s->event_gaps};
}

uint64_t mo_sweep_hash(const mo_sweep *s)
{
    uint64_t hash = hash_bytes(&s->info.steps, sizeof s->info.steps, 0);
    hash = hash_bytes(&s->info.time, sizeof s->info.time, hash);
    hash = hash_bytes(s->x, s->n * sizeof *s->x, hash);
    return hash_bytes(s->lambda, s->m->gap_count * sizeof *s->lambda, hash);
}
