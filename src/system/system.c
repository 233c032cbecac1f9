/* Making, looking at and destroying a system. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/fail.h"
#include "core/hash.h"
#include "math/vec.h"
#include "system/internal.h"

/* by mo_system_scheme */
static const scheme_ops *const SCHEMES[] = {&moreau_ops,
                                            &moreau_jean_ops,
                                            &paoli_schatzman_ops,
                                            &mabrouk_ops,
                                            &bernicot_lefebvre_ops,
                                            &event_driven_ops,
                                            &compliant_ops,
                                            &alpha_ops};

const char *mo_system_scheme_name(mo_system_scheme scheme)
{
    static const char *const names[] = {
        "moreau",    "moreau-jean", "paoli-schatzman", "mabrouk", "bernicot-lefebvre", "event-driven",
        "compliant", "alpha"};
    return (size_t)scheme < sizeof names / sizeof *names ? names[scheme] : NULL;
}

mo_system_def mo_default_system_def(void)
{
    return (mo_system_def){.h = 1e-3,
                           .scheme = MO_SYSTEM_SCHEME_MOREAU,
                           .force_depends_on_velocity = true,
                           .theta = 0.5,
                           .rho_infinity = 0.8,
                           .contact_tolerance = 1e-12,
                           .tol = 1e-13,
                           .max_iter = 50};
}

static double *take(double **memory, size_t count)
{
    double *p = *memory;
    *memory += count;
    return p;
}

// all arrays of numbers in one block; called with memory NULL it only counts
static size_t lay_out(mo_system *s, double *memory)
{
    size_t n = s->n, m = s->m, history = s->ops->history * n, rows = s->def.friction != NULL ? 2 * m : m;
    double **arrays_n[] = {
        &s->q,          &s->u,          &s->q_next,     &s->u_next,     &s->q_star,     &s->u_star,
        &s->F,          &s->free,       &s->y,          &s->base,       &s->unit,       &s->unit_inverse,
        &s->scratch[0], &s->scratch[1], &s->scratch[2], &s->scratch[3], &s->scratch[4], &s->scratch[5]};
    double **arrays_m[] = {&s->lambda,    &s->lambda_t, &s->gaps, &s->lambda_next, &s->lambda_t_next,
                           &s->gaps_next, &s->g,        &s->gt,   &s->e,           &s->bound};
    size_t count_n = sizeof arrays_n / sizeof *arrays_n, count_m = sizeof arrays_m / sizeof *arrays_m;
    size_t tables = s->def.friction != NULL ? 2 : 1;
    if (memory != NULL) {
        double *next = memory;
        for (size_t i = 0; i < count_n; i++)
            *arrays_n[i] = take(&next, n);
        for (size_t i = 0; i < count_m; i++)
            *arrays_m[i] = take(&next, m);
        s->d = take(&next, rows);
        s->push = take(&next, rows);
        s->history = take(&next, history);
        s->history_next = take(&next, history);
        s->G = take(&next, m * n);
        s->T = tables == 2 ? take(&next, m * n) : NULL;
    }
    return count_n * n + count_m * m + 2 * rows + 2 * history + tables * m * n;
}

static bool keep_gradients(inertia *A, size_t n, size_t m)
{
    A->Y = malloc((m * n + 1) * sizeof *A->Y);
    A->ready = calloc(m + 1, sizeof *A->ready);
    return A->Y != NULL && A->ready != NULL;
}

static bool allocate(mo_system *s)
{
    size_t rows = s->def.friction != NULL ? 2 * s->m : s->m;
    s->memory = calloc(lay_out(s, NULL), sizeof *s->memory);
    s->J = calloc(s->m + 1, sizeof *s->J);
    s->G_begin = calloc(s->m + 1, sizeof *s->G_begin);
    s->G_end = calloc(s->m + 1, sizeof *s->G_end);
    s->work_set = calloc(s->m + 1, sizeof *s->work_set);
    s->guess = calloc(s->m + 1, sizeof *s->guess);
    s->in_work = calloc(s->m + 1, sizeof *s->in_work);
    s->Y = calloc(rows + 1, sizeof *s->Y);
    if (s->memory == NULL || s->J == NULL || s->work_set == NULL || s->guess == NULL || s->in_work == NULL ||
        s->Y == NULL || s->G_begin == NULL || s->G_end == NULL)
        return false;
    lay_out(s, s->memory);
    return metric_copy(&s->def.stiffness, s->n, &s->K, &s->K_entries) &&
           metric_copy(&s->def.damping, s->n, &s->C, &s->C_entries);
}

// what of a constant mass is not positive
static mo_status refuse_mass(const mo_system *s, const mo_error *why, mo_error *err)
{
    const mo_metric *M = &s->M.matrix;
    size_t n = s->n, i = metric_not_positive(M, n);
    if (i == n)
        return fail(err, MO_BAD_INPUT, "mass", "%s, expected a positive definite matrix", why->message);
    double found = metric_diagonal(M, n, i);
    if (M->kind == MO_METRIC_DIAGONAL)
        return fail(err, MO_BAD_INPUT, "mass", "number %zu of %zu is %g, expected a positive mass", i + 1, n,
                    found);
    return fail(err, MO_BAD_INPUT, "mass", "%s; entry (%zu, %zu) is %g, expected a positive definite matrix",
                why->message, i + 1, i + 1, found);
}

// a constant mass is factored for good; that of a function gets room and is made at (0, q)
static mo_status prepare_mass(mo_system *s, mo_error *err)
{
    size_t n = s->n;
    s->mass_constant = s->def.mass_function == NULL;
    if (!s->mass_constant) {
        s->M.entries = calloc(n * n, sizeof *s->M.entries);
        s->M.matrix = (mo_metric){.kind = MO_METRIC_DENSE, .entries = s->M.entries};
        if (s->M.entries == NULL)
            return fail(err, MO_NO_MEMORY, NULL, "no memory for a mass matrix of %zu freedoms", n);
        return system_mass(s, 0, s->q, err);
    }
    bool fits = metric_copy(&s->def.mass, n, &s->M.matrix, &s->M.entries);
    if (fits && s->def.linear)
        fits = keep_gradients(&s->M, n, s->m) && keep_gradients(&s->A, n, s->m);
    if (!fits)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for a mass matrix of %zu freedoms", n);
    mo_error why;
    mo_status status = metric_set(&s->M.factor, n, &s->M.matrix, &why);
    if (status == MO_BAD_INPUT)
        return refuse_mass(s, &why, err);
    return status == MO_OK ? status : fail(err, status, "mass", "%s", why.message);
}

static void copy_numbers(mo_system *s)
{
    const mo_system_def *d = &s->def;
    vec_copy(s->n, d->q, s->q);
    vec_copy(s->n, d->u, s->u);
    for (size_t a = 0; a < s->m; a++)
        s->e[a] = d->restitution != NULL && d->restitution_function == NULL ? d->restitution[a] : 0;
    for (size_t i = 0; i < s->n; i++) {
        double diagonal = metric_diagonal(&s->M.matrix, s->n, i);
        s->unit[i] = sqrt(diagonal);
        s->unit_inverse[i] = 1 / diagonal;
    }
}

// friction: copies, so that the caller's arrays need not live on
static mo_status copy_friction(mo_system *s, mo_error *err)
{
    const double *from[2] = {s->def.friction, s->def.tangential_restitution};
    if (from[0] == NULL)
        return MO_OK;
    s->coefficients = calloc(2 * s->m + 1, sizeof *s->coefficients);
    if (s->coefficients == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for %zu gaps", s->m);
    for (int k = 0; k < 2; k++)
        if (from[k] != NULL)
            vec_copy(s->m, from[k], s->coefficients + (size_t)k * s->m);
    s->def.friction = s->coefficients;
    s->def.tangential_restitution = s->coefficients + s->m;
    return MO_OK;
}

static mo_status start_inside(mo_system *s, mo_error *err)
{
    mo_status status = system_rows(s, 0, s->q, err);
    if (status != MO_OK)
        return status;
    for (size_t a = 0; a < s->m; a++)
        if (s->g[a] < -s->def.contact_tolerance)
            return fail(err, MO_BAD_INPUT, "q", "gap %zu is %g at the start, expected at least %g", a + 1,
                        s->g[a], -s->def.contact_tolerance);
    vec_copy(s->m, s->g, s->gaps);
    return MO_OK;
}

// takes what a stage at t = 0 made of the velocity
static mo_status take_start(mo_system *s, mo_error *err)
{
    mo_status status = system_energies(s, 0, &s->info.energy, err);
    vec_copy(s->n, s->u_next, s->u);
    vec_copy(s->m, s->lambda_next, s->lambda);
    s->info.largest_gain = fmax(s->info.largest_gain, -s->info.energy.step_loss);
    return status;
}

// the law of impact makes the start admissible
static mo_status start_velocity(mo_system *s, mo_error *err)
{
    bool changed;
    vec_copy(s->n, s->q, s->q_next);
    vec_copy(s->n, s->u, s->u_next);
    mo_status status = impact_apply(s, 0, s->q, s->u_next, &changed, err);
    if (status != MO_OK || !changed)
        return status;
    stage_set(s, 0, s->q, 0, 0);
    s->stage.weight = 0;
    vec_copy(s->n, s->u, s->free);
    size_t count = 0;
    for (size_t a = 0; a < s->m; a++)
        if (s->lambda_next[a] > 0)
            s->work_set[count++] = a;
    for (size_t i = 0; i < s->n; i++)
        s->y[i] = s->u_next[i] - s->u[i];
    status = events_add_gaps(s, 0, MO_EVENT_IMPACT, speed_kinetic(s, s->y), s->work_set, count, err);
    s->start_events = true;
    s->info.impacts = 1;
    vec_zero(s->n, s->F);
    vec_copy(s->n, s->q, s->q_star);
    vec_copy(s->n, s->u, s->u_star);
    return status == MO_OK ? take_start(s, err) : status;
}

static mo_status start(mo_system *s, mo_error *err)
{
    mo_system_energy *energy = &s->info.energy;
    mo_status status = start_inside(s, err);
    if (status == MO_OK)
        status = system_kinetic(s, 0, s->q, s->u, &energy->kinetic, err);
    if (status == MO_OK)
        status = system_potential(s, 0, s->q, &energy->potential, err);
    s->start_energy = energy->kinetic + energy->potential;
    if (status == MO_OK)
        status = start_velocity(s, err);
    s->stage = (stage){.q_base = NULL};
    if (status == MO_OK && s->ops->begin != NULL)
        status = s->ops->begin(s, err);
    if (status == MO_OK && s->stage.q_base != NULL)
        status = take_start(s, err);
    vec_zero(s->m, s->lambda);
    return status;
}

static mo_status build(mo_system *s, mo_error *err)
{
    mo_status status = mo_projector_create(&s->projector, err);
    if (status == MO_OK && !allocate(s))
        status = fail(err, MO_NO_MEMORY, NULL, "no memory for %zu freedoms and %zu gaps", s->n, s->m);
    if (status != MO_OK)
        return status;
    vec_copy(s->n, s->def.q, s->q);
    status = copy_friction(s, err);
    if (status == MO_OK)
        status = prepare_mass(s, err);
    if (status == MO_OK) {
        copy_numbers(s);
        status = start(s, err);
    }
    // what would stop a step stops the start
    if (status == NOT_MADE)
        status = fail(err, MO_BAD_INPUT, NULL, "at the start: %s", s->message);
    return status;
}

mo_status mo_system_create(const mo_system_def *def, mo_system **out, mo_error *err)
{
    mo_status status = system_check(def, err);
    if (status != MO_OK)
        return status;
    if (def->friction != NULL && !SCHEMES[def->scheme]->friction)
        return fail(err, MO_BAD_INPUT, "friction", "not for the scheme %s, expected moreau or moreau-jean",
                    mo_system_scheme_name(def->scheme));
    mo_system *s = calloc(1, sizeof *s);
    if (s == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for a system");
    s->def = *def;
    s->ops = SCHEMES[def->scheme];
    s->n = def->n;
    s->m = def->gaps;
    s->h = def->h;
    status = build(s, err);
    if (status != MO_OK) {
        mo_system_destroy(s);
        return status;
    }
    // what was copied; the caller's arrays need not live on
    s->def.q = s->def.u = s->def.restitution = NULL;
    s->def.mass = s->M.matrix;
    s->def.stiffness = s->K;
    s->def.damping = s->C;
    *out = s;
    return MO_OK;
}

void mo_system_destroy(mo_system *s)
{
    if (s == NULL)
        return;
    if (s->ops->release != NULL)
        s->ops->release(s);
    inertia_free(&s->M);
    inertia_free(&s->A);
    metric_free(&s->jacobian.factor);
    mo_projector_destroy(s->projector);
    void *all[] = {s->K_entries, s->C_entries, s->coefficients, s->square,       s->Y_work,
                   s->dense[0],  s->dense[1],  s->dense[2],     s->events.items, s->events.gaps,
                   s->J,         s->work_set,  s->guess,        s->in_work,      (void *)s->Y,
                   s->G_begin,   s->G_end,     s->memory,       s->tableau,      s->basis};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]);
    free(s);
}

const mo_system_info *mo_system_info_get(const mo_system *s)
{
    return &s->info;
}

const double *mo_system_q(const mo_system *s)
{
    return s->q;
}

const double *mo_system_u(const mo_system *s)
{
    return s->u;
}

const double *mo_system_lambda(const mo_system *s)
{
    return s->lambda;
}

const double *mo_system_gaps(const mo_system *s)
{
    return s->gaps;
}

mo_sweep_events mo_system_events_get(const mo_system *s)
{
    return (mo_sweep_events){s->events.count, s->events.items, s->events.gaps};
}

uint64_t mo_system_hash(const mo_system *s)
{
    uint64_t hash = hash_bytes(&s->info.time, sizeof s->info.time, 0);
    hash = hash_bytes(s->q, s->n * sizeof *s->q, hash);
    hash = hash_bytes(s->u, s->n * sizeof *s->u, hash);
    hash = hash_bytes(s->lambda, s->m * sizeof *s->lambda, hash);
    hash = hash_bytes(s->lambda_t, s->m * sizeof *s->lambda_t, hash);
    return hash_bytes(s->history, s->ops->history * s->n * sizeof *s->history, hash);
}
