/*
 * Bodies of a world: making, removing, reading, setting.
 */
#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "world/world.h"

mo_body_def mo_default_body_def(void)
{
    return (mo_body_def){.kind = MO_BODY_DYNAMIC, .free = MO_FREE_ALL_2D};
}

static mo_status check_finite(const char *key, const double *v, size_t n, mo_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(v[i]))
            return fail(err, MO_BAD_INPUT, key, "found %g, expected a finite number", v[i]);
    return MO_OK;
}

static mo_status check_state(const double position[2], double angle, const double velocity[2], double spin,
                             const double force[2], double torque, mo_error *err)
{
    mo_status s = check_finite("position", position, 2, err);
    if (s == MO_OK)
        s = check_finite("angle", &angle, 1, err);
    if (s == MO_OK)
        s = check_finite("velocity", velocity, 2, err);
    if (s == MO_OK)
        s = check_finite("spin", &spin, 1, err);
    if (s == MO_OK)
        s = check_finite("applied_force", force, 2, err);
    return s != MO_OK ? s : check_finite("applied_torque", &torque, 1, err);
}

static mo_status check_free(unsigned free, const double velocity[2], double spin, mo_error *err)
{
    const double u[3] = {velocity[0], velocity[1], spin};
    for (int k = 0; k < 3; k++)
        if (!(free >> k & 1) && u[k] != 0)
            return fail(err, MO_BAD_INPUT, k < 2 ? "velocity" : "spin",
                        "found %g along a freedom that is not free, expected 0", u[k]);
    return MO_OK;
}

static mo_status check_mass(const mo_body_def *def, const shape *s, mo_error *err)
{
    bool by_density = def->density != 0, by_mass = def->mass != 0;
    if (by_density == by_mass)
        return fail(err, MO_BAD_INPUT, "density", "found %s, expected exactly one of density and mass",
                    by_mass ? "both density and mass" : "neither density nor mass");
    if (!(by_mass ? def->mass > 0 && isfinite(def->mass) : def->density > 0 && isfinite(def->density)))
        return fail(err, MO_BAD_INPUT, by_mass ? "mass" : "density", "found %g, expected a number > 0",
                    by_mass ? def->mass : def->density);
    if (!(def->inertia >= 0) || !isfinite(def->inertia))
        return fail(err, MO_BAD_INPUT, "inertia", "found %g, expected a number > 0", def->inertia);
    if (!by_mass && !(s->area > 0))
        return fail(err, MO_BAD_INPUT, "density", "the shape has no area: give its mass");
    if (isinf(s->radius))
        return fail(err, MO_BAD_INPUT, "shape", "a half-plane must be fixed or have a prescribed motion");
    return MO_OK;
}

static mo_status check_kind(const mo_body_def *def, mo_error *err)
{
    if (def->kind != MO_BODY_DYNAMIC && def->kind != MO_BODY_FIXED && def->kind != MO_BODY_MOVED)
        return fail(err, MO_BAD_INPUT, "kind", "found kind number %d, expected one of mo_body_kind",
                    (int)def->kind);
    if (def->kind != MO_BODY_DYNAMIC && (def->density != 0 || def->mass != 0 || def->inertia != 0))
        return fail(err, MO_BAD_INPUT, def->density != 0 ? "density" : "mass",
                    "found a mass on a fixed or moved body, expected none");
    if ((def->kind == MO_BODY_MOVED) != (def->motion != NULL))
        return fail(err, MO_BAD_INPUT, "motion", "a motion belongs to moved bodies and only to them");
    if (def->kind != MO_BODY_DYNAMIC && def->load != NULL)
        return fail(err, MO_BAD_INPUT, "applied_force",
                    "found a load on a fixed or moved body, expected none");
    if (def->free > MO_FREE_ALL_2D)
        return fail(err, MO_BAD_INPUT, "free", "found unknown freedoms, expected x, y and angle");
    if (def->radius != NULL && def->shape.kind != MO_SHAPE_DISC)
        return fail(err, MO_BAD_INPUT, "radius", "a radius that depends on time belongs to a disc");
    return MO_OK;
}

static mo_status group_mask(mo_world *w, const mo_body_def *def, uint64_t *out, mo_error *err)
{
    *out = def->collides_with == NULL ? UINT64_MAX : 0;
    for (size_t i = 0; def->collides_with != NULL && i < def->collides_with_count; i++) {
        uint8_t g;
        mo_status s = laws_group(&w->laws, def->collides_with[i], &g, err);
        if (s != MO_OK)
            return s;
        *out |= 1ull << g;
    }
    return MO_OK;
}

// where a moved body is now, and how large a growing one
static mo_status start_functions(mo_world *w, size_t slot, mo_error *err)
{
    const body_functions *f = bodies_functions(&w->bodies, slot);
    double t = (double)w->totals.steps * w->def.h, radius, rate;
    mo_motion m;
    mo_status s = MO_OK;
    if (f != NULL && f->motion != NULL && (s = body_motion_at(&w->bodies, f, t, &m, err)) == MO_OK) {
        memcpy(&w->bodies.q[3 * slot], m.q, sizeof m.q);
        memcpy(&w->bodies.u[3 * slot], m.u, sizeof m.u);
    }
    if (s == MO_OK && f != NULL && f->radius != NULL &&
        (s = body_radius_at(&w->bodies, f, t, &radius, &rate, err)) == MO_OK)
        body_set_radius(&w->bodies, slot, radius);
    return s;
}

static double body_energy(const mo_world *w, size_t slot)
{
    if (w->bodies.kind[slot] != MO_BODY_DYNAMIC)
        return 0;
    return body_kinetic(&w->bodies, slot) + body_potential(&w->bodies, slot, w->def.gravity);
}

// energy that a body brings along once the balance has begun
static void count_energy(mo_world *w, double change)
{
    if (w->started)
        w->totals.work_external += change;
}

static mo_status add_body(mo_world *w, const mo_body_def *def, const shape *s, mo_body *out, mo_error *err)
{
    uint8_t group;
    uint64_t touches;
    size_t slot;
    mo_status st = def->kind == MO_BODY_DYNAMIC ? check_mass(def, s, err) : MO_OK;
    if (st == MO_OK && s->part_count >= 1u << 20)
        st = fail(err, MO_BAD_INPUT, "shape", "found %zu parts, expected fewer than 2^20", s->part_count);
    if (st == MO_OK)
        st = laws_group(&w->laws, def->group, &group, err);
    if (st == MO_OK)
        st = group_mask(w, def, &touches, err);
    if (st == MO_OK)
        st = bodies_add(&w->bodies, def, s, group, touches, &slot, err);
    if (st != MO_OK)
        return st;
    if ((st = start_functions(w, slot, err)) != MO_OK) {
        bodies_remove(&w->bodies, slot);
        w->bodies.created--;
        return st;
    }
    w->neighbours.valid = false;
    count_energy(w, body_energy(w, slot));
    out->id = w->bodies.id[slot];
    return MO_OK;
}

mo_status mo_body_create(mo_world *w, const mo_body_def *def, mo_body *out, mo_error *err)
{
    mo_status st = check_kind(def, err);
    if (st == MO_OK)
        st = check_state(def->position, def->angle, def->velocity, def->spin, def->applied_force,
                         def->applied_torque, err);
    if (st == MO_OK && def->kind == MO_BODY_DYNAMIC)
        st = check_free(def->free, def->velocity, def->spin, err);
    if (st != MO_OK)
        return st;
    shape s;
    st = shape_build(&def->shape, def->kind == MO_BODY_DYNAMIC, &s, err);
    if (st != MO_OK)
        return st;
    size_t groups = w->laws.group_count;
    st = add_body(w, def, &s, out, err);
    shape_free(&s);
    // a refused body leaves no group behind
    if (st != MO_OK)
        w->laws.group_count = groups;
    return st;
}

static size_t slot_or_fail(const mo_world *w, mo_body body, mo_error *err)
{
    size_t slot = bodies_slot(&w->bodies, body.id);
    if (slot == SIZE_MAX)
        fail(err, MO_USAGE, "body", "body %u is not in the world", (unsigned)body.id);
    return slot;
}

static bool without_slot(const contact_set *c, size_t i, const void *data)
{
    uint32_t slot = *(const uint32_t *)data;
    return c->slot1[i] != slot && c->slot2[i] != slot;
}

// takes a body's contacts out of the last step's list; slots above it move down
static void forget_contacts(contact_set *c, uint32_t slot)
{
    contacts_filter(c, without_slot, &slot);
    for (size_t i = 0; i < c->count; i++) {
        c->slot1[i] -= c->slot1[i] > slot ? 1 : 0;
        c->slot2[i] -= c->slot2[i] > slot ? 1 : 0;
    }
}

mo_status mo_body_remove(mo_world *w, mo_body body, mo_error *err)
{
    size_t slot = slot_or_fail(w, body, err);
    if (slot == SIZE_MAX)
        return MO_USAGE;
    count_energy(w, -body_energy(w, slot));
    forget_contacts(&w->contacts, (uint32_t)slot);
    bodies_remove(&w->bodies, slot);
    w->neighbours.valid = false;
    return memory_keep(&w->memory, &w->contacts, w->bodies.id)
               ? MO_OK
               : fail(err, MO_NO_MEMORY, NULL, "out of memory");
}

bool mo_body_exists(const mo_world *w, mo_body body)
{
    return bodies_slot(&w->bodies, body.id) != SIZE_MAX;
}

mo_status mo_body_get(const mo_world *w, mo_body body, mo_body_state *out, mo_error *err)
{
    size_t i = slot_or_fail(w, body, err);
    if (i == SIZE_MAX)
        return MO_USAGE;
    const bodies *b = &w->bodies;
    const double *u = &b->u[3 * i], *load = &b->load[3 * i], *force = &b->force[3 * i];
    *out = (mo_body_state){
        .kind = (mo_body_kind)b->kind[i],
        .angle = b->q[3 * i + 2],
        .velocity = {u[0], u[1]},
        .spin = u[2],
        .mass = b->mass[i],
        .inertia = b->inertia[i],
        .applied_force = {load[0], load[1]},
        .applied_torque = load[2],
        .force = {force[0], force[1]},
        .torque = force[2],
        .group = w->laws.names[b->group[i]],
        .name = mo_world_body_name(w, i),
    };
    body_origin(b, i, out->position);
    return MO_OK;
}

mo_status mo_body_set(mo_world *w, mo_body body, const mo_body_state *state, mo_error *err)
{
    size_t i = slot_or_fail(w, body, err);
    if (i == SIZE_MAX)
        return MO_USAGE;
    bodies *b = &w->bodies;
    if (b->kind[i] != MO_BODY_DYNAMIC)
        return fail(err, MO_USAGE, "body", "body %u is fixed or moved: its state cannot be set",
                    (unsigned)body.id);
    mo_status s = check_state(state->position, state->angle, state->velocity, state->spin,
                              state->applied_force, state->applied_torque, err);
    if (s == MO_OK)
        s = check_free(b->free[i], state->velocity, state->spin, err);
    if (s != MO_OK)
        return s;
    double before = body_energy(w, i);
    b->q[3 * i + 2] = state->angle;
    body_place_origin(b, i, state->position);
    memcpy(&b->u[3 * i], state->velocity, sizeof state->velocity);
    b->u[3 * i + 2] = state->spin;
    memcpy(&b->load[3 * i], state->applied_force, sizeof state->applied_force);
    b->load[3 * i + 2] = state->applied_torque;
    count_energy(w, body_energy(w, i) - before);
    return MO_OK;
}

mo_bodies mo_world_bodies(const mo_world *w)
{
    const bodies *b = &w->bodies;
    return (mo_bodies){
        .count = b->count,
        .id = b->id,
        .q = b->q,
        .u = b->u,
        .mass = b->mass,
        .inertia = b->inertia,
        .origin = b->origin,
        .area = b->area,
        .kind = b->kind,
        .group = b->group,
        .part_first = b->part_first,
        .part_count = b->part_count,
        .vertex_first = b->vertex_first,
        .parts = b->parts,
        .vertices = b->vertices,
        .created = b->created,
    };
}

size_t mo_world_slot(const mo_world *w, mo_body body)
{
    return bodies_slot(&w->bodies, body.id);
}

const char *mo_world_body_name(const mo_world *w, size_t slot)
{
    return w->bodies.name[slot] == 0 ? "" : w->bodies.names + w->bodies.name[slot];
}
