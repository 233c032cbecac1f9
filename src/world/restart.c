/*
 * Restart: a world's state as data, out and in, so that a resumed run gives the same bits.
 */
#include <string.h>

#include "core/fail.h"
#include "core/search.h"
#include "math/vec3.h"
#include "world/world.h"

mo_world_totals mo_world_totals_get(const mo_world *w)
{
    mo_world_totals t = w->totals;
    if (!w->balanced)
        t.energy_initial = world_energy(w);
    return t;
}

const double *mo_world_loads(const mo_world *w)
{
    // who asks gets an array, also where nothing was loaded so far
    return bodies_loads((bodies *)&w->bodies);
}

const double *mo_world_forces(const mo_world *w)
{
    return w->bodies.force;
}

const uint32_t *mo_world_rests(const mo_world *w)
{
    return w->def.sleeping ? w->bodies.rest : NULL;
}

void mo_body_raw_get(const mo_world *w, size_t slot, mo_body_raw *out)
{
    const bodies *b = &w->bodies;
    bool in_space = b->dim == 3;
    *out = (mo_body_raw){
        .id = b->id[slot],
        .kind = (mo_body_kind)b->kind[slot],
        .group = w->laws.names[b->group[slot]],
        .name = mo_world_body_name(w, slot),
        .mass = b->mass[slot],
        .inertia = in_space ? 0 : b->inertia[slot],
        .area = b->area[slot],
        .free = b->free[slot],
        .limited = b->limited[slot],
        .collides_groups = b->touches[slot],
        .part_count = b->part_count[slot],
        .parts = &b->parts[b->part_first[slot]],
        .vertices = b->vertices != NULL ? b->vertices + b->dim * b->vertex_first[slot] : NULL,
        .vertex_count = b->vertex_count[slot],
        .faces = in_space && b->faces != NULL ? b->faces + b->face_first[slot] : NULL,
        .face_length = in_space ? b->face_length[slot] : 0,
        .oriented = in_space && b->oriented[slot],
        .has_functions = bodies_functions(b, slot) != NULL,
    };
    memcpy(out->origin, &b->origin[b->dim * slot], b->dim * sizeof *out->origin);
    if (!in_space)
        return;
    memcpy(out->inertia3, &b->inertia[3 * slot], sizeof out->inertia3);
    memcpy(out->axes, &b->axes[4 * slot], sizeof out->axes);
    vec3_set(out->extent, b->radius[slot], b->thickness[slot], b->size[slot]);
}

mo_status mo_body_restore(mo_world *w, const mo_body_raw *raw, mo_error *err)
{
    uint8_t group;
    size_t slot, groups = w->laws.group_count;
    mo_status s = laws_group(&w->laws, raw->group, &group, err);
    if (s == MO_OK)
        s = bodies_add_raw(&w->bodies, raw, group, &slot, err);
    if (s == MO_OK)
        w->neighbours.valid = false;
    else
        w->laws.group_count = groups; // a refused body leaves no group behind
    return s;
}

static bool listed(const mo_restart *r, uint32_t id)
{
    return search_u32(r->id, r->body_count, id) != SIZE_MAX;
}

// whether row i of the file has a radius that its body may take
static bool may_grow(const bodies *b, const mo_restart *r, size_t i)
{
    const body_functions *f = bodies_functions(b, bodies_slot(b, r->id[i]));
    return r->radius == NULL || f == NULL || f->radius == NULL ||
           (r->radius[i] > 0 && isfinite(r->radius[i]));
}

static mo_status check_restart(const mo_world *w, const mo_restart *r, mo_error *err)
{
    for (size_t i = 0; i < r->body_count; i++) {
        if (i > 0 && r->id[i] <= r->id[i - 1])
            return fail(err, MO_BAD_INPUT, "id", "body ids must ascend");
        if (bodies_slot(&w->bodies, r->id[i]) == SIZE_MAX)
            return fail(err, MO_BAD_INPUT, "id", "body %u of the file is not in the world",
                        (unsigned)r->id[i]);
        if (!may_grow(&w->bodies, r, i))
            return fail(err, MO_BAD_INPUT, "radius", "body %u: found %g, expected a radius > 0",
                        (unsigned)r->id[i], r->radius[i]);
    }
    for (size_t i = 0; i < r->contact_count; i++)
        if (r->id1[i] >= r->id2[i] || !listed(r, r->id1[i]) || !listed(r, r->id2[i]))
            return fail(err, MO_BAD_INPUT, "contact",
                        "contact %zu names bodies %u and %u, which are not a pair of the frame", i,
                        (unsigned)r->id1[i], (unsigned)r->id2[i]);
    if (r->totals.steps < 0)
        return fail(err, MO_BAD_INPUT, "steps", "found %lld steps", (long long)r->totals.steps);
    return MO_OK;
}

static mo_status restore_contacts(mo_world *w, const mo_restart *r, mo_error *err)
{
    contact_set *c = &w->contacts;
    if (!contacts_reserve(c, r->contact_count))
        return fail(err, MO_NO_MEMORY, NULL, "out of memory for %zu contacts", r->contact_count);
    c->count = r->contact_count;
    for (size_t i = 0; i < c->count; i++) {
        c->slot1[i] = (uint32_t)bodies_slot(&w->bodies, r->id1[i]);
        c->slot2[i] = (uint32_t)bodies_slot(&w->bodies, r->id2[i]);
        c->id1[i] = r->id1[i];
        c->id2[i] = r->id2[i];
        c->feature[i] = r->feature[i];
        c->gap[i] = r->gap[i];
        c->status[i] = r->status[i];
        if (c->remembers)
            c->memory[i] = r->memory != NULL ? r->memory[i] : 0;
        c->law[i] = w->laws.pair[w->bodies.group[c->slot1[i]]][w->bodies.group[c->slot2[i]]];
    }
    if (c->count == 0)
        return MO_OK;
    memcpy(c->point, r->point, c->dim * c->count * sizeof *c->point);
    memcpy(c->normal, r->normal, c->dim * c->count * sizeof *c->normal);
    memcpy(c->S, r->impulse, c->dim * c->count * sizeof *c->S);
    memcpy(c->U, r->velocity, c->dim * c->count * sizeof *c->U);
    for (size_t i = 0; w->has_cell && i < c->count; i++)
        world_part_image(w, c->slot2[i], c->feature[i] >> 24 & 0xfffff, &c->point[c->dim * i],
                         &c->image[c->dim * i]);
    return MO_OK;
}

static bool is_loaded(const double *load, size_t numbers)
{
    for (size_t k = 0; k < numbers; k++)
        if (load[k] != 0)
            return true;
    return false;
}

// as large as bodies were that grow; slots and rows agree
static void restore_radii(bodies *b, const double *radius)
{
    for (size_t i = 0; radius != NULL && i < b->function_count; i++)
        if (b->functions[i].radius != NULL)
            body_set_radius(b, b->functions[i].slot, radius[b->functions[i].slot]);
}

// a world that has made steps is then as one that was just built
static void forget_last_step(mo_world *w)
{
    w->solver = (mo_solver_info){.converged = true, .finite = true};
    w->sleepers.asleep = 0;
    w->fast_body1.id = w->fast_body2.id = 0;
    w->fast_time = 0;
    w->overlap_left = w->largest_gain = w->gain_time = w->joints_apart = w->apart_time = 0;
    w->unheld_steps = 0;
    w->unheld_share = w->unheld_time = w->leap = w->leap_time = 0;
    w->blocked_time = 0;
    w->leap_body.id = w->blocked_joint.id = 0;
    joints_forget_loads(&w->joints);
    world_drop_problem(w);
}

mo_status mo_world_restore(mo_world *w, const mo_restart *r, mo_error *err)
{
    bodies *b = &w->bodies;
    mo_status s = check_restart(w, r, err);
    if (s != MO_OK)
        return s;
    if (is_loaded(r->load, b->nu * r->body_count) && bodies_loads(b) == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "out of memory for %zu bodies", r->body_count);
    s = world_restore_cell(w, r, err);
    if (s != MO_OK)
        return s;
    for (size_t i = b->count; i-- > 0;)
        if (!listed(r, b->id[i]))
            bodies_remove(b, i);
    if (b->count > 0) {
        // slots and rows of the file now agree
        memcpy(b->q, r->q, b->nq * b->count * sizeof *b->q);
        memcpy(b->u, r->u, b->nu * b->count * sizeof *b->u);
        if (b->load != NULL)
            memcpy(b->load, r->load, b->nu * b->count * sizeof *b->load);
        memcpy(b->force, r->force, b->nu * b->count * sizeof *b->force);
    }
    for (size_t i = 0; i < b->count; i++)
        b->rest[i] = r->rest != NULL && w->def.sleeping ? r->rest[i] : 0;
    restore_radii(b, r->radius);
    world_bind_joints(w);
    w->totals = r->totals;
    w->started = w->balanced = r->totals.steps > 0;
    forget_last_step(w);
    return restore_contacts(w, r, err);
}
