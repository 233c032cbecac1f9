/*
 * Worlds: making them, their laws, and what they tell.
 */
#include "world/world.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/fail.h"
#include "core/hash.h"

mo_world_def mo_default_world_def(void)
{
    return (mo_world_def){
        .dim = 2,
        .h = 1e-3,
        .scheme = MO_SCHEME_MOREAU,
        .theta = 0.5,
        .solver = mo_default_solver_settings(),
        .contact_tolerance = -1,
        .overlap = MO_OVERLAP_REPORT,
        .threads = 1,
    };
}

static mo_status check_solver(const mo_solver_settings *s, int dim, mo_error *err)
{
    const char *name = mo_solver_name_text(s->name);
    if (name == NULL)
        return fail(err, MO_BAD_INPUT, "solver", "found solver number %d, expected one of mo_solver_name",
                    (int)s->name);
    if (!mo_solver_suits(name, dim))
        return fail(err, MO_BAD_INPUT, "solver", "found %s in %dD, expected another one", name, dim);
    if (!(s->tol >= 0) || !isfinite(s->tol))
        return fail(err, MO_BAD_INPUT, "tol", "found %g, expected a number >= 0", s->tol);
    if (s->max_iter < 1)
        return fail(err, MO_BAD_INPUT, "max_iter", "found %d, expected at least 1", s->max_iter);
    if (!(s->max_seconds >= 0))
        return fail(err, MO_BAD_INPUT, "max_seconds", "found %g, expected a number >= 0", s->max_seconds);
    return MO_OK;
}

static mo_status check_def(const mo_world_def *d, mo_error *err)
{
    if (d->dim != 2 && d->dim != 3)
        return fail(err, MO_BAD_INPUT, "dim", "found %d, expected 2 or 3", d->dim);
    if (!(d->h > 0) || !isfinite(d->h))
        return fail(err, MO_BAD_INPUT, "h", "found %g, expected a time step > 0", d->h);
    if (!isfinite(d->gravity[0]) || !isfinite(d->gravity[1]) || !isfinite(d->gravity[2]))
        return fail(err, MO_BAD_INPUT, "gravity", "found a component that is not finite");
    if (d->scheme != MO_SCHEME_MOREAU && d->scheme != MO_SCHEME_MOREAU_JEAN &&
        d->scheme != MO_SCHEME_BERNICOT_LEFEBVRE)
        return fail(err, MO_BAD_INPUT, "scheme", "found scheme number %d, expected one of mo_scheme",
                    (int)d->scheme);
    if (!(d->theta >= 0.5 && d->theta <= 1))
        return fail(err, MO_BAD_INPUT, "theta", "found %g, expected a number in [0.5, 1]", d->theta);
    if (isnan(d->contact_tolerance) || isinf(d->contact_tolerance))
        return fail(err, MO_BAD_INPUT, "contact_tolerance", "found %g, expected a length",
                    d->contact_tolerance);
    if (d->overlap != MO_OVERLAP_REPORT && d->overlap != MO_OVERLAP_RESOLVE &&
        d->overlap != MO_OVERLAP_REFUSE)
        return fail(err, MO_BAD_INPUT, "overlap", "found number %d, expected one of mo_overlap",
                    (int)d->overlap);
    if (d->threads < 1 || d->threads > 1024)
        return fail(err, MO_BAD_INPUT, "threads", "found %d, expected 1 to 1024", d->threads);
    return check_solver(&d->solver, d->dim, err);
}

mo_status mo_world_create(const mo_world_def *def, mo_world **out, mo_error *err)
{
    mo_status s = check_def(def, err);
    if (s != MO_OK)
        return s;
    mo_world *w = calloc(1, sizeof *w);
    if (w == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "out of memory for a world");
    w->def = *def;
    bodies_init(&w->bodies, def->dim);
    w->neighbours.share = def->position_projection ? HOLD_SHARE : 0;
    w->contacts.dim = w->aside.dim = w->scratch.dim = w->sleepers.part.dim = (size_t)def->dim;
    w->solver = (mo_solver_info){.converged = true, .finite = true};
    s = world_make_cell(w, err);
    if (s != MO_OK) {
        free(w);
        return s;
    }
    if (!laws_init(&w->laws)) {
        mo_world_destroy(w);
        return fail(err, MO_NO_MEMORY, NULL, "out of memory for a world");
    }
    if (def->threads > 1) {
        w->threads = pool_create(def->threads);
        if (w->threads == NULL) {
            mo_world_destroy(w);
            return fail(err, MO_NO_MEMORY, "threads", "could not start %d threads", def->threads);
        }
    }
    *out = w;
    return MO_OK;
}

void mo_world_destroy(mo_world *w)
{
    if (w == NULL)
        return;
    pool_destroy(w->threads);
    laws_free(&w->laws);
    bodies_free(&w->bodies);
    joints_free(&w->joints);
    neighbours_free(&w->neighbours);
    contacts_free(&w->contacts);
    contacts_free(&w->aside);
    contacts_free(&w->scratch);
    order_free(&w->order);
    sleepers_free(&w->sleepers);
    arena_free(&w->arena);
    world_drop_problem(w);
    free(w);
}

const mo_world_def *world_def(const mo_world *w)
{
    return &w->def;
}

// q_f = q_i + h((1 - theta) u_i + theta u_f)
static double theta_of(const mo_world_def *def)
{
    switch (def->scheme) {
    case MO_SCHEME_MOREAU_JEAN:
        return def->theta;
    case MO_SCHEME_BERNICOT_LEFEBVRE:
        return 1;
    default:
        return 0.5;
    }
}

// with the other scheme impulses belong to gaps that bodies are on the way to; in a flow nothing rests
static bool world_sleeps(const mo_world *w)
{
    return w->def.sleeping && w->def.scheme != MO_SCHEME_BERNICOT_LEFEBVRE &&
           !(w->has_cell && world_cell_deforms(w));
}

stage_data world_stage(const mo_world *w)
{
    double tolerance = w->def.contact_tolerance;
    const double *g = w->def.gravity;
    return (stage_data){
        .h = w->def.h,
        .t = (double)w->totals.steps * w->def.h,
        .t_next = (double)(w->totals.steps + 1) * w->def.h,
        .theta = theta_of(&w->def),
        .ahead = w->def.scheme == MO_SCHEME_BERNICOT_LEFEBVRE,
        .gravity = {g[0], g[1], w->def.dim == 3 ? g[2] : 0},
        .reach = tolerance >= 0 ? tolerance : 1e-8,
        .threads = pool_threads(w->threads) < OWNERS_MAX ? pool_threads(w->threads) : OWNERS_MAX,
        .sleeping = world_sleeps(w),
        .joints = w->joints.count > 0 ? (joints *)&w->joints : NULL,
        .order = (kept_order *)&w->order,
    };
}

// contacts begin to remember, with nothing, when a law asks for it
static mo_status note_memory(mo_world *w, mo_error *err)
{
    if (contacts_remember(&w->contacts, w->laws.remembers))
        return MO_OK;
    // without room they are forgotten, so that the law can be what it is
    contacts_free(&w->contacts);
    (void)contacts_remember(&w->contacts, w->laws.remembers);
    return fail(err, MO_NO_MEMORY, NULL, "out of memory for what contacts remember");
}

void world_wake(mo_world *w)
{
    for (size_t i = 0; i < w->bodies.count; i++)
        w->bodies.rest[i] = 0;
}

mo_status mo_world_set_default_law(mo_world *w, const mo_law *law, mo_error *err)
{
    mo_status s = laws_check(law, w->def.dim, err);
    if (s == MO_OK) {
        laws_put(&w->laws, 0, law);
        world_wake(w);
        s = note_memory(w, err);
    }
    return s;
}

mo_law mo_world_default_law(const mo_world *w)
{
    return w->laws.list[0];
}

mo_status mo_world_set_law(mo_world *w, const char *group1, const char *group2, const mo_law *law,
                           mo_error *err)
{
    uint8_t a, b;
    size_t groups = w->laws.group_count;
    mo_status s = laws_check(law, w->def.dim, err);
    if (s == MO_OK)
        s = laws_group(&w->laws, group1, &a, err);
    if (s == MO_OK)
        s = laws_group(&w->laws, group2, &b, err);
    if (s == MO_OK)
        s = laws_set(&w->laws, a, b, law, err);
    // a refused law leaves no group behind
    if (s != MO_OK)
        w->laws.group_count = groups;
    if (s == MO_OK) {
        world_wake(w);
        s = note_memory(w, err);
    }
    return s;
}

mo_law mo_world_law(const mo_world *w, uint16_t number)
{
    return w->laws.list[number < w->laws.law_count ? number : 0];
}

size_t mo_world_group_count(const mo_world *w)
{
    return w->laws.group_count;
}

const char *mo_world_group_name(const mo_world *w, size_t group)
{
    return group < w->laws.group_count ? w->laws.names[group] : "";
}

double world_energy(const mo_world *w)
{
    double e = joints_potential(&w->joints, &w->bodies);
    for (size_t i = 0; i < w->bodies.count; i++)
        if (w->bodies.kind[i] == MO_BODY_DYNAMIC)
            e += body_kinetic(&w->bodies, i) + body_potential(&w->bodies, i, w->def.gravity);
    return e;
}

static mo_energy energy_of(const mo_world *w)
{
    const mo_world_totals *t = &w->totals;
    mo_energy e = {.work_external = t->work_external,
                   .dissipated_friction = t->dissipated_friction,
                   .dissipated_impact = t->dissipated_impact};
    for (size_t i = 0; i < w->bodies.count; i++) {
        if (w->bodies.kind[i] != MO_BODY_DYNAMIC)
            continue;
        e.kinetic += body_kinetic(&w->bodies, i);
        e.potential += body_potential(&w->bodies, i, w->def.gravity);
    }
    e.potential += joints_potential(&w->joints, &w->bodies);
    double initial = w->balanced ? t->energy_initial : e.kinetic + e.potential;
    e.balance_error =
        e.kinetic + e.potential + t->dissipated_friction + t->dissipated_impact - t->work_external - initial;
    return e;
}

static size_t bytes_of(const mo_world *w)
{
    return sizeof *w + bodies_bytes(&w->bodies) + neighbours_bytes(&w->neighbours) +
           contacts_bytes(&w->contacts) + contacts_bytes(&w->aside) + contacts_bytes(&w->scratch) +
           order_bytes(&w->order) + sleepers_bytes(&w->sleepers) + joints_bytes(&w->joints) +
           arena_bytes(&w->arena);
}

mo_world_info mo_world_info_get(const mo_world *w)
{
    const mo_world_totals *t = &w->totals;
    const bool unheld = w->unheld_share > 1e-3;
    return (mo_world_info){
        .time = (double)t->steps * w->def.h,
        .steps = t->steps,
        .h = w->def.h,
        .bodies = w->bodies.count,
        .contacts = w->contacts.count,
        .asleep = w->sleepers.asleep,
        .solver = w->solver,
        .iterations_total = t->iterations_total,
        .contact_iterations_total = t->contact_iterations_total,
        .unconverged_steps = t->unconverged_steps,
        .worst_residual = t->worst_residual,
        .penetration = t->penetration,
        .max_penetration = t->max_penetration,
        .start_overlap = t->start_overlap,
        .overlap_left = w->overlap_left,
        .fast_bodies = t->fast_bodies,
        .fast_body1 = w->fast_body1,
        .fast_body2 = w->fast_body2,
        .fast_time = w->fast_time,
        .largest_gain = w->largest_gain,
        .gain_time = w->gain_time,
        .joints_apart = w->joints_apart,
        .apart_time = w->apart_time,
        .unheld_steps = unheld ? w->unheld_steps : 0,
        .unheld_time = unheld ? w->unheld_time : 0,
        .leap = w->leap,
        .leap_body = w->leap_body,
        .leap_time = w->leap_time,
        .blocked_joint = w->blocked_joint,
        .blocked_time = w->blocked_time,
        .energy = energy_of(w),
        .seconds = w->seconds,
        .bytes = bytes_of(w),
    };
}

mo_contacts mo_world_contacts(const mo_world *w)
{
    const contact_set *c = &w->contacts;
    return (mo_contacts){
        .count = c->count,
        .id1 = c->id1,
        .id2 = c->id2,
        .slot1 = c->slot1,
        .slot2 = c->slot2,
        .feature = c->feature,
        .point = c->point,
        .normal = c->normal,
        .gap = c->gap,
        .impulse = c->S,
        .velocity = c->U,
        .status = c->status,
        .law = c->law,
        .memory = c->remembers ? c->memory : NULL,
    };
}

void mo_tangent(const double normal[3], double tangent[3])
{
    tangent_of(normal, tangent);
}

uint64_t mo_world_hash(const mo_world *w)
{
    const bodies *b = &w->bodies;
    const contact_set *m = &w->contacts;
    uint64_t h = hash_bytes(&w->totals.steps, sizeof w->totals.steps, 0);
    h = hash_bytes(b->id, b->count * sizeof *b->id, h);
    h = hash_bytes(b->q, b->nq * b->count * sizeof *b->q, h);
    h = hash_bytes(b->u, b->nu * b->count * sizeof *b->u, h);
    h = hash_bytes(m->id1, m->count * sizeof *m->id1, h);
    h = hash_bytes(m->id2, m->count * sizeof *m->id2, h);
    h = hash_bytes(m->feature, m->count * sizeof *m->feature, h);
    h = hash_bytes(m->S, m->dim * m->count * sizeof *m->S, h);
    if (w->def.sleeping)
        h = hash_bytes(b->rest, b->count * sizeof *b->rest, h);
    return m->remembers ? hash_bytes(m->memory, m->count * sizeof *m->memory, h) : h;
}
