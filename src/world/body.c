/*
 * Bodies of a world: making, removing, reading, setting.
 */
#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "math/quat.h"
#include "world/world.h"

mo_body_def mo_default_body_def(void)
{
    return (mo_body_def){.kind = MO_BODY_DYNAMIC, .free = MO_FREE_ALL};
}

static mo_status check_finite(const char *key, const double *v, size_t n, mo_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(v[i]))
            return fail(err, MO_BAD_INPUT, key, "found %g, expected a finite number", v[i]);
    return MO_OK;
}

// what a state and a definition have in common
typedef struct given_state {
    const double *position, *velocity, *orientation, *spin3, *force, *torque3;
    double angle, spin, torque;
} given_state;

static mo_status check_state(size_t dim, const given_state *g, mo_error *err)
{
    mo_status s = check_finite("position", g->position, dim, err);
    if (s == MO_OK)
        s = check_finite("velocity", g->velocity, dim, err);
    if (s == MO_OK)
        s = check_finite("applied_force", g->force, dim, err);
    if (s == MO_OK)
        s = dim == 2 ? check_finite("angle", &g->angle, 1, err)
                     : check_finite("orientation", g->orientation, 4, err);
    if (s == MO_OK)
        s = dim == 2 ? check_finite("spin", &g->spin, 1, err) : check_finite("spin", g->spin3, 3, err);
    if (s == MO_OK)
        s = dim == 2 ? check_finite("applied_torque", &g->torque, 1, err)
                     : check_finite("applied_torque", g->torque3, 3, err);
    return s;
}

// now: velocity that the body has along what is not free, [3] or [6]; spins in world axes, which are zero to
// rounding only once the body has turned
static mo_status check_free(size_t dim, unsigned free, const given_state *g, const double *now, mo_error *err)
{
    static const unsigned BIT[2][6] = {{MO_FREE_X, MO_FREE_Y, MO_FREE_ANGLE},
                                       {MO_FREE_X, MO_FREE_Y, MO_FREE_Z, MO_FREE_WX, MO_FREE_WY, MO_FREE_WZ}};
    double u[6] = {0};
    memcpy(u, g->velocity, dim * sizeof *u);
    if (dim == 2)
        u[2] = g->spin;
    else
        memcpy(u + 3, g->spin3, 3 * sizeof *u);
    for (size_t k = 0; k < (dim == 2 ? 3 : 6); k++)
        if (!(free & BIT[dim - 2][k]) && u[k] != now[k] && (k < dim || u[k] != 0))
            return fail(err, MO_BAD_INPUT, k < dim ? "velocity" : "spin",
                        "found %g along a freedom that is not free, expected %g", u[k], k < dim ? now[k] : 0);
    return MO_OK;
}

static mo_status check_inertia3(const double I[3], mo_error *err)
{
    if (I[0] == 0 && I[1] == 0 && I[2] == 0)
        return MO_OK;
    for (int k = 0; k < 3; k++)
        if (!(I[k] > 0) || !isfinite(I[k]))
            return fail(err, MO_BAD_INPUT, "inertia", "found %g, expected three numbers > 0", I[k]);
    // no distribution of mass has one inertia above the sum of the others
    double most = fmax(I[0], fmax(I[1], I[2]));
    if (2 * most > (I[0] + I[1] + I[2]) * (1 + 1e-12))
        return fail(err, MO_BAD_INPUT, "inertia",
                    "found %g, %g, %g, expected each at most the sum of the others", I[0], I[1], I[2]);
    return MO_OK;
}

// whether a mass or an inertia and its inverse are numbers
static bool is_usable(double m)
{
    return m > 0 && isfinite(m) && isfinite(1 / m);
}

// a mass and a shape that are numbers may make a mass or an inertia that is none
static mo_status check_range(const mo_body_def *def, size_t dim, const built_shape *s, mo_error *err)
{
    const double mass = def->mass != 0 ? def->mass : def->density * s->area;
    const double *given = dim == 2 ? &def->inertia : def->inertia3;
    if (!is_usable(mass))
        return fail(err, MO_BAD_INPUT, def->mass != 0 ? "mass" : "density",
                    "the mass is %g kg, too large or too small to compute with", mass);
    for (size_t k = 0; k < (dim == 2 ? 1 : 3); k++) {
        const double inertia = given[k] > 0 ? given[k] : mass * s->gyration[k];
        if (!is_usable(inertia))
            return fail(err, MO_BAD_INPUT, "inertia",
                        "the inertia is %g kg m^2, too large or too small to compute with", inertia);
    }
    return MO_OK;
}

static mo_status check_mass(const mo_body_def *def, size_t dim, const built_shape *s, mo_error *err)
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
    if (isinf(s->radius))
        return fail(err, MO_BAD_INPUT, "shape", "a %s must be fixed or have a prescribed motion",
                    dim == 2 ? "half-plane" : "plane");
    if (dim == 3 && s->parts[0].kind == MO_PART_TRIANGLE)
        return fail(err, MO_BAD_INPUT, "shape", "a mesh must be fixed or have a prescribed motion");
    if (!by_mass && !(s->area > 0))
        return fail(err, MO_BAD_INPUT, "density", "the shape has no %s: give its mass",
                    dim == 2 ? "area" : "volume");
    mo_status st = dim == 3 ? check_inertia3(def->inertia3, err) : MO_OK;
    return st == MO_OK ? check_range(def, dim, s, err) : st;
}

static mo_status check_kind(const mo_body_def *def, size_t dim, mo_error *err)
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
    if (def->free > MO_FREE_ALL)
        return fail(err, MO_BAD_INPUT, "free", "found unknown freedoms, expected x, y and angle");
    if (def->radius != NULL && def->shape.kind != MO_SHAPE_DISC && def->shape.kind != MO_SHAPE_SPHERE)
        return fail(err, MO_BAD_INPUT, "radius", "a radius that depends on time belongs to a %s",
                    dim == 2 ? "disc" : "sphere");
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
        memcpy(&w->bodies.q[w->bodies.nq * slot], m.q, w->bodies.nq * sizeof *m.q);
        memcpy(&w->bodies.u[w->bodies.nu * slot], m.u, w->bodies.nu * sizeof *m.u);
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
    if (w->balanced)
        w->totals.work_external += change;
}

/* a body that has got its state is taken in, or taken out again */
static mo_status settle_body(mo_world *w, size_t slot, mo_status st, mo_body *out, mo_error *err)
{
    if (st == MO_OK)
        st = world_check_cell(w, slot, err);
    if (st != MO_OK) {
        bodies_remove(&w->bodies, slot);
        w->bodies.created--;
        return st;
    }
    world_wrap_body(w, slot);
    world_body_came(w);
    count_energy(w, body_energy(w, slot));
    out->id = w->bodies.id[slot];
    return MO_OK;
}

static mo_status add_body(mo_world *w, const mo_body_def *def, const built_shape *s, mo_body *out,
                          mo_error *err)
{
    uint8_t group;
    uint64_t touches;
    size_t slot;
    mo_status st = def->kind == MO_BODY_DYNAMIC ? check_mass(def, w->bodies.dim, s, err) : MO_OK;
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
    return settle_body(w, slot, start_functions(w, slot, err), out, err);
}

static mo_status create2(mo_world *w, const mo_body_def *def, mo_body *out, mo_error *err)
{
    shape s;
    mo_status st = shape_build(&def->shape, def->kind == MO_BODY_DYNAMIC, &s, err);
    if (st != MO_OK)
        return st;
    const built_shape built = {.parts = s.parts,
                               .part_count = s.part_count,
                               .vertices = s.vertices,
                               .vertex_count = s.vertex_count,
                               .com = {s.com[0], s.com[1]},
                               .area = s.area,
                               .gyration = {s.gyration2},
                               .radius = s.radius,
                               .thickness = s.thickness,
                               .size = s.size};
    st = add_body(w, def, &built, out, err);
    shape_free(&s);
    return st;
}

static mo_status create3(mo_world *w, const mo_body_def *def, mo_body *out, mo_error *err)
{
    solid s;
    mo_status st = solid_build(&def->shape, def->kind == MO_BODY_DYNAMIC, &s, NULL, err);
    if (st != MO_OK)
        return st;
    built_shape built = {.parts = s.parts,
                         .part_count = s.part_count,
                         .vertices = s.vertices,
                         .vertex_count = s.vertex_count,
                         .faces = s.faces,
                         .face_length = s.face_length,
                         .area = s.volume,
                         .radius = s.radius,
                         .thickness = s.thickness,
                         .size = s.size};
    memcpy(built.com, s.com, sizeof built.com);
    memcpy(built.axes, s.axes, sizeof built.axes);
    memcpy(built.gyration, s.gyration, sizeof built.gyration);
    st = add_body(w, def, &built, out, err);
    solid_free(&s);
    return st;
}

mo_status mo_body_create(mo_world *w, const mo_body_def *def, mo_body *out, mo_error *err)
{
    const given_state given = {def->position, def->velocity,      def->orientation,
                               def->spin3,    def->applied_force, def->applied_torque3,
                               def->angle,    def->spin,          def->applied_torque};
    size_t dim = w->bodies.dim, groups = w->laws.group_count;
    mo_status st = check_kind(def, dim, err);
    if (st == MO_OK)
        st = check_state(dim, &given, err);
    if (st == MO_OK && def->kind == MO_BODY_DYNAMIC)
        st = check_free(dim, def->free, &given, (const double[6]){0}, err);
    if (st == MO_OK)
        st = dim == 2 ? create2(w, def, out, err) : create3(w, def, out, err);
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

/* the groups that a body of another world can touch, by their numbers here */
static mo_status copy_mask(mo_world *w, const mo_world *from, mo_body_raw *raw, mo_error *err)
{
    uint64_t theirs = raw->collides_groups;
    raw->collides_groups = raw->limited ? 0 : UINT64_MAX;
    for (size_t g = 0; raw->limited && g < from->laws.group_count; g++) {
        uint8_t here;
        if ((theirs >> g & 1) == 0)
            continue;
        mo_status st = laws_group(&w->laws, from->laws.names[g], &here, err);
        if (st != MO_OK)
            return st;
        raw->collides_groups |= 1ull << here;
    }
    return MO_OK;
}

mo_status mo_body_copy(mo_world *w, const mo_world *from, mo_body body, mo_body *out, mo_error *err)
{
    const bodies *f = &from->bodies;
    bodies *b = &w->bodies;
    uint8_t group;
    mo_body_raw raw;
    size_t i, groups = w->laws.group_count, slot = slot_or_fail(from, body, err);
    if (slot == SIZE_MAX)
        return MO_USAGE;
    if (w == from || b->dim != f->dim)
        return fail(err, MO_BAD_INPUT, "from", "expected another world in %zuD", (size_t)b->dim);
    mo_body_raw_get(from, slot, &raw);
    raw.id = (uint32_t)b->created + 1;
    mo_status st = laws_group(&w->laws, raw.group, &group, err);
    if (st == MO_OK)
        st = copy_mask(w, from, &raw, err);
    if (st == MO_OK)
        st = bodies_add_raw(b, &raw, group, &i, err);
    if (st == MO_OK) {
        memcpy(&b->q[b->nq * i], &f->q[f->nq * slot], b->nq * sizeof *b->q);
        memcpy(&b->u[b->nu * i], &f->u[f->nu * slot], b->nu * sizeof *b->u);
        w->neighbours.valid = false;
        if (!body_set_load(b, i, body_load(f, slot)))
            st = fail(err, MO_NO_MEMORY, "applied_force", "out of memory for loads");
        st = settle_body(w, i, st, out, err);
    }
    if (st != MO_OK)
        w->laws.group_count = groups;
    return st;
}

static bool without_slot(const contact_set *c, size_t i, const void *data)
{
    uint32_t slot = *(const uint32_t *)data;
    return c->slot1[i] != slot && c->slot2[i] != slot;
}

// takes a body's contacts out of the last step's list, and wakes what it touched; slots above it move down
static void forget_contacts(bodies *b, contact_set *c, uint32_t slot)
{
    for (size_t i = 0; i < c->count; i++)
        if (c->slot1[i] == slot || c->slot2[i] == slot)
            b->rest[c->slot1[i]] = b->rest[c->slot2[i]] = 0;
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
    const double springs = world_springs(w);
    forget_contacts(&w->bodies, &w->contacts, (uint32_t)slot);
    bodies_remove(&w->bodies, slot);
    world_body_gone(w, slot, springs);
    return MO_OK;
}

bool mo_body_exists(const mo_world *w, mo_body body)
{
    return bodies_slot(&w->bodies, body.id) != SIZE_MAX;
}

// what is there in 2D and in 3D
static void get_motion(const bodies *b, size_t i, mo_body_state *out)
{
    const double *q = &b->q[b->nq * i], *u = &b->u[b->nu * i], *load = body_load(b, i);
    const double *force = &b->force[b->nu * i];
    memcpy(out->velocity, u, b->dim * sizeof *u);
    memcpy(out->applied_force, load, b->dim * sizeof *u);
    memcpy(out->force, force, b->dim * sizeof *u);
    body_origin(b, i, out->position);
    if (b->dim == 2) {
        out->angle = q[2];
        out->spin = u[2];
        out->inertia = b->inertia[i];
        out->applied_torque = load[2];
        out->torque = force[2];
        return;
    }
    memcpy(out->orientation, q + 3, sizeof out->orientation);
    body_spin_world(b, i, q, u + 3, out->spin3);
    memcpy(out->inertia3, &b->inertia[3 * i], sizeof out->inertia3);
    memcpy(out->applied_torque3, load + 3, sizeof out->applied_torque3);
    memcpy(out->torque3, force + 3, sizeof out->torque3);
}

mo_status mo_body_get(const mo_world *w, mo_body body, mo_body_state *out, mo_error *err)
{
    size_t i = slot_or_fail(w, body, err);
    if (i == SIZE_MAX)
        return MO_USAGE;
    const bodies *b = &w->bodies;
    *out = (mo_body_state){
        .kind = (mo_body_kind)b->kind[i],
        .mass = b->mass[i],
        .group = w->laws.names[b->group[i]],
        .name = mo_world_body_name(w, i),
    };
    get_motion(b, i, out);
    return MO_OK;
}

// slot of a dynamic body; SIZE_MAX: there is none
static size_t dynamic_or_fail(const mo_world *w, mo_body body, mo_error *err)
{
    size_t i = slot_or_fail(w, body, err);
    if (i != SIZE_MAX && w->bodies.kind[i] != MO_BODY_DYNAMIC) {
        fail(err, MO_USAGE, "body", "body %u is fixed or moved: its state cannot be set", (unsigned)body.id);
        return SIZE_MAX;
    }
    return i;
}

static mo_status no_load_memory(mo_error *err)
{
    return fail(err, MO_NO_MEMORY, "applied_force", "out of memory for loads");
}

// another load wakes; false: no memory
static bool change_load(bodies *b, size_t i, const double *load)
{
    if (memcmp(body_load(b, i), load, b->nu * sizeof *load) != 0)
        b->rest[i] = 0;
    return body_set_load(b, i, load);
}

// velocity and spin in world axes, [nu]
static void velocity_of(const bodies *b, size_t i, double *out)
{
    const double *u = &b->u[b->nu * i];
    memcpy(out, u, b->nu * sizeof *u);
    if (b->dim == 3)
        body_spin_world(b, i, &b->q[7 * i], u + 3, out + 3);
}

static void put_motion(bodies *b, size_t i, const mo_body_state *state)
{
    static const unsigned SPIN[3] = {MO_FREE_WX, MO_FREE_WY, MO_FREE_WZ};
    double *q = &b->q[b->nq * i], *u = &b->u[b->nu * i], spin[3];
    if (b->dim == 2)
        q[2] = state->angle;
    else {
        memcpy(q + 3, state->orientation, sizeof state->orientation);
        quat_normalise(q + 3);
    }
    body_place_origin(b, i, state->position);
    memcpy(u, state->velocity, b->dim * sizeof *u);
    if (b->dim == 2) {
        u[2] = state->spin;
        return;
    }
    // spins that are held are none, but for rounding
    for (size_t k = 0; k < 3; k++)
        spin[k] = b->free[i] & SPIN[k] ? state->spin3[k] : 0;
    body_spin_principal(b, i, q, spin, u + 3);
}

// the load of a state; false: no memory
static bool set_state_load(bodies *b, size_t i, const mo_body_state *state)
{
    double load[6];
    memcpy(load, state->applied_force, b->dim * sizeof *load);
    if (b->dim == 2)
        load[2] = state->applied_torque;
    else
        memcpy(load + 3, state->applied_torque3, sizeof state->applied_torque3);
    return change_load(b, i, load);
}

// whether something is other than before
static bool set_motion(bodies *b, size_t i, const mo_body_state *state)
{
    double *now[2] = {&b->q[b->nq * i], &b->u[b->nu * i]}, before[2][7];
    const size_t bytes[2] = {b->nq * sizeof **now, b->nu * sizeof **now};
    bool changed = false;
    for (int k = 0; k < 2; k++)
        memcpy(before[k], now[k], bytes[k]);
    put_motion(b, i, state);
    for (int k = 0; k < 2; k++)
        changed = changed || memcmp(before[k], now[k], bytes[k]) != 0;
    return changed;
}

mo_status mo_body_set(mo_world *w, mo_body body, const mo_body_state *state, mo_error *err)
{
    size_t i = dynamic_or_fail(w, body, err);
    if (i == SIZE_MAX)
        return MO_USAGE;
    bodies *b = &w->bodies;
    const given_state given = {state->position, state->velocity,      state->orientation,
                               state->spin3,    state->applied_force, state->applied_torque3,
                               state->angle,    state->spin,          state->applied_torque};
    double now[6];
    velocity_of(b, i, now);
    mo_status s = check_state(b->dim, &given, err);
    if (s == MO_OK)
        s = check_free(b->dim, b->free[i], &given, now, err);
    if (s != MO_OK)
        return s;
    if (!set_state_load(b, i, state))
        return no_load_memory(err);
    double before = body_energy(w, i) + joints_potential(&w->joints, b);
    if (set_motion(b, i, state))
        b->rest[i] = 0;
    world_wrap_body(w, i);
    count_energy(w, body_energy(w, i) + joints_potential(&w->joints, b) - before);
    return MO_OK;
}

mo_status mo_body_set_load(mo_world *w, mo_body body, const double *load, mo_error *err)
{
    bodies *b = &w->bodies;
    size_t i = dynamic_or_fail(w, body, err);
    if (i == SIZE_MAX)
        return MO_USAGE;
    for (size_t k = 0; k < b->nu; k++)
        if (!isfinite(load[k]))
            return fail(err, MO_BAD_INPUT, "applied_force", "found a load that is not finite");
    return change_load(b, i, load) ? MO_OK : no_load_memory(err);
}

mo_status mo_body_set_load_function(mo_world *w, mo_body body, mo_load_fn load, void *data, mo_error *err)
{
    size_t i = dynamic_or_fail(w, body, err);
    if (i == SIZE_MAX)
        return MO_USAGE;
    if (!bodies_set_load_function(&w->bodies, i, load, data))
        return fail(err, MO_NO_MEMORY, "applied_force", "out of memory for a load given by a function");
    return MO_OK;
}

mo_status mo_body_set_free(mo_world *w, mo_body body, unsigned free, const double *velocity, mo_error *err)
{
    static const unsigned BIT[3] = {MO_FREE_X, MO_FREE_Y, MO_FREE_Z};
    const unsigned ways = MO_FREE_X | MO_FREE_Y | (w->bodies.dim == 3 ? MO_FREE_Z : 0);
    bodies *b = &w->bodies;
    size_t i = dynamic_or_fail(w, body, err);
    if (i == SIZE_MAX)
        return MO_USAGE;
    for (size_t k = 0; k < b->dim; k++)
        if (!isfinite(velocity[k]))
            return fail(err, MO_BAD_INPUT, "velocity", "found a velocity that is not finite");
    double before = body_energy(w, i);
    b->rest[i] = 0;
    b->free[i] = (uint8_t)((b->free[i] & ~ways) | (free & ways));
    body_set_inverse(b, i);
    for (size_t k = 0; k < b->dim; k++)
        if (!(free & BIT[k]))
            b->u[b->nu * i + k] = velocity[k];
    count_energy(w, body_energy(w, i) - before);
    return MO_OK;
}

mo_bodies mo_world_bodies(const mo_world *w)
{
    const bodies *b = &w->bodies;
    return (mo_bodies){
        .dim = (int)b->dim,
        .count = b->count,
        .id = b->id,
        .q = b->q,
        .u = b->u,
        .mass = b->mass,
        .inertia = b->inertia,
        .axes = b->axes,
        .origin = b->origin,
        .area = b->area,
        .kind = b->kind,
        .group = b->group,
        .part_first = b->part_first,
        .part_count = b->part_count,
        .vertex_first = b->vertex_first,
        .face_first = b->face_first,
        .parts = b->parts,
        .vertices = b->vertices,
        .faces = b->faces,
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
