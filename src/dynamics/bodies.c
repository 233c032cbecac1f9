#include "dynamics/bodies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/buffer.h"
#include "core/fail.h"
#include "core/search.h"
#include "math/quat.h"

enum { BODY_COLUMNS = 29 };

#define COLUMN(field, n)                                                                                     \
    {                                                                                                        \
        (void **)&b->field, (n) * sizeof *b->field                                                           \
    }

// every array with an entry per body
static void body_columns(bodies *b, column out[BODY_COLUMNS])
{
    const column all[BODY_COLUMNS] = {
        COLUMN(id, 1),
        COLUMN(q, b->nq),
        COLUMN(u, b->nu),
        COLUMN(inv, 3),
        COLUMN(mass, 1),
        COLUMN(inertia, b->ni),
        COLUMN(axes, b->dim == 3 ? 4 : 0),
        COLUMN(load, b->load != NULL ? b->nu : 0),
        COLUMN(force, b->nu),
        COLUMN(origin, b->dim),
        COLUMN(area, 1),
        COLUMN(radius, 1),
        COLUMN(thickness, 1),
        COLUMN(size, 1),
        COLUMN(touches, 1),
        COLUMN(part_first, 1),
        COLUMN(part_count, 1),
        COLUMN(name, 1),
        COLUMN(kind, 1),
        COLUMN(group, 1),
        COLUMN(free, 1),
        COLUMN(limited, 1),
        COLUMN(lone, 1),
        COLUMN(vertex_first, 1),
        COLUMN(vertex_count, 1),
        COLUMN(face_first, b->dim == 3 ? 1 : 0),
        COLUMN(face_length, b->dim == 3 ? 1 : 0),
        COLUMN(oriented, b->dim == 3 ? 1 : 0),
        COLUMN(rest, 1),
    };
    memcpy(out, all, sizeof all);
}

static mo_status no_memory(mo_error *err)
{
    return fail(err, MO_NO_MEMORY, NULL, "out of memory for bodies");
}

void bodies_init(bodies *b, int dim)
{
    *b = dim == 2 ? (bodies){.dim = 2, .nq = 3, .nu = 3, .ni = 1}
                  : (bodies){.dim = 3, .nq = 7, .nu = 6, .ni = 3};
}

// room for one more body with its parts, vertices, faces, name and functions
static bool reserve(bodies *b, size_t parts, size_t vertices, size_t faces, size_t name_bytes)
{
    column body[BODY_COLUMNS];
    body_columns(b, body);
    column part[] = {COLUMN(parts, 1)};
    column vertex[] = {COLUMN(vertices, b->dim)}, face[] = {COLUMN(faces, 1)};
    column name[] = {COLUMN(names, 1)}, function[] = {COLUMN(functions, 1)};
    return columns_reserve(body, BODY_COLUMNS, &b->capacity, b->count + 1) &&
           columns_reserve(part, 1, &b->part_capacity, b->part_total + parts) &&
           columns_reserve(vertex, 1, &b->vertex_capacity, b->vertex_total + vertices) &&
           columns_reserve(face, 1, &b->face_capacity, b->face_total + faces) &&
           columns_reserve(name, 1, &b->name_capacity, b->name_total + name_bytes + 2) &&
           columns_reserve(function, 1, &b->function_capacity, b->function_count + 1);
}

// a single disc or sphere about the centre of mass
static bool is_lone(const bodies *b, const mo_part *parts, size_t part_count, const double *vertices)
{
    if (part_count != 1 || (parts[0].kind != MO_PART_DISC && parts[0].kind != MO_PART_SPHERE))
        return false;
    for (size_t k = 0; k < b->dim; k++)
        if (vertices[k] != 0)
            return false;
    return true;
}

// vertices of a body; those of the body before, as spheres have them, are shared with it
static void append_vertices(bodies *b, size_t slot, const built_shape *s)
{
    const size_t n = s->vertex_count, bytes = b->dim * n * sizeof *s->vertices;
    const bool shared = slot > 0 && n > 0 && b->vertex_count[slot - 1] == n &&
                        memcmp(b->vertices + b->dim * b->vertex_first[slot - 1], s->vertices, bytes) == 0;
    b->vertex_first[slot] = shared ? b->vertex_first[slot - 1] : (uint32_t)b->vertex_total;
    b->vertex_count[slot] = (uint32_t)n;
    if (shared || n == 0)
        return;
    memcpy(b->vertices + b->dim * b->vertex_total, s->vertices, bytes);
    b->vertex_total += n;
}

static void append_parts(bodies *b, size_t slot, const built_shape *s)
{
    b->part_first[slot] = (uint32_t)b->part_total;
    b->part_count[slot] = (uint32_t)s->part_count;
    memcpy(b->parts + b->part_total, s->parts, s->part_count * sizeof *s->parts);
    append_vertices(b, slot, s);
    b->lone[slot] = is_lone(b, s->parts, s->part_count, s->vertices);
    b->part_total += s->part_count;
    if (b->dim == 2)
        return;
    b->face_first[slot] = (uint32_t)b->face_total;
    b->face_length[slot] = (uint32_t)s->face_length;
    if (s->face_length > 0)
        memcpy(b->faces + b->face_total, s->faces, s->face_length * sizeof *s->faces);
    b->face_total += s->face_length;
}

static void append_name(bodies *b, size_t slot, const char *name)
{
    if (b->name_total == 0)
        b->names[b->name_total++] = '\0';
    b->name[slot] = 0;
    if (name == NULL || name[0] == '\0')
        return;
    size_t bytes = strlen(name) + 1;
    b->name[slot] = (uint32_t)b->name_total;
    memcpy(b->names + b->name_total, name, bytes);
    b->name_total += bytes;
}

void body_set_inverse(bodies *b, size_t slot)
{
    bool dynamic = b->kind[slot] == MO_BODY_DYNAMIC;
    double inv_m = dynamic ? 1 / b->mass[slot] : 0, *inv = &b->inv[3 * slot];
    inv[0] = b->free[slot] & MO_FREE_X ? inv_m : 0;
    inv[1] = b->free[slot] & MO_FREE_Y ? inv_m : 0;
    if (b->dim == 3)
        inv[2] = b->free[slot] & MO_FREE_Z ? inv_m : 0;
    else
        inv[2] = dynamic && b->free[slot] & MO_FREE_ANGLE ? 1 / b->inertia[slot] : 0;
}

// the freedoms that there are in this dimension
static uint8_t known_freedoms(const bodies *b, unsigned free)
{
    const unsigned plane = MO_FREE_X | MO_FREE_Y | MO_FREE_ANGLE,
                   space = MO_FREE_ALL & ~(unsigned)MO_FREE_ANGLE;
    return (uint8_t)(free & (b->dim == 2 ? plane : space));
}

static size_t new_slot(bodies *b)
{
    size_t slot = b->count++;
    for (size_t k = 0; k < b->nq; k++)
        b->q[b->nq * slot + k] = 0;
    for (size_t k = b->nu * slot; k < b->nu * (slot + 1); k++)
        b->u[k] = b->force[k] = 0;
    for (size_t k = b->nu * slot; b->load != NULL && k < b->nu * (slot + 1); k++)
        b->load[k] = 0;
    if (b->dim == 3)
        b->q[b->nq * slot + 3] = 1;
    b->id[slot] = ++b->created;
    b->rest[slot] = 0;
    return slot;
}

static void set_state2(bodies *b, size_t slot, const mo_body_def *def)
{
    double *u = &b->u[3 * slot];
    b->q[3 * slot + 2] = def->angle;
    body_place_origin(b, slot, def->position);
    if (def->kind != MO_BODY_DYNAMIC)
        return;
    memcpy(u, def->velocity, 2 * sizeof *u);
    u[2] = def->spin;
}

static void set_state3(bodies *b, size_t slot, const mo_body_def *def)
{
    double *q = &b->q[7 * slot], *u = &b->u[6 * slot];
    memcpy(q + 3, def->orientation, sizeof def->orientation);
    quat_normalise(q + 3);
    body_place_origin(b, slot, def->position);
    if (def->kind != MO_BODY_DYNAMIC)
        return;
    memcpy(u, def->velocity, 3 * sizeof *u);
    body_spin_principal(b, slot, q, def->spin3, u + 3);
}

static void append_functions(bodies *b, size_t slot, const mo_body_def *def)
{
    if (def->motion == NULL && def->load == NULL && def->radius == NULL)
        return;
    b->functions[b->function_count++] = (body_functions){
        .slot = (uint32_t)slot,
        .motion = def->motion,
        .motion_data = def->motion_data,
        .load = def->load,
        .load_data = def->load_data,
        .radius = def->radius,
        .radius_data = def->radius_data,
    };
}

// mass and inertia of a body that moves freely; inertias given are about the axes of the shape
static void set_mass(bodies *b, size_t slot, const mo_body_def *def, const built_shape *s)
{
    bool dynamic = def->kind == MO_BODY_DYNAMIC;
    double *I = &b->inertia[b->ni * slot];
    b->mass[slot] = !dynamic ? 0 : def->mass > 0 ? def->mass : def->density * s->area;
    if (b->dim == 2) {
        I[0] = !dynamic ? 0 : def->inertia > 0 ? def->inertia : b->mass[slot] * s->gyration[0];
        return;
    }
    bool given = def->inertia3[0] > 0;
    for (size_t k = 0; k < 3; k++)
        I[k] = !dynamic ? 0 : given ? def->inertia3[k] : b->mass[slot] * s->gyration[k];
    if (given || !dynamic)
        quat_set(&b->axes[4 * slot], 1, 0, 0, 0);
    else
        memcpy(&b->axes[4 * slot], s->axes, sizeof s->axes);
}

mo_status bodies_add(bodies *b, const mo_body_def *def, const built_shape *s, uint8_t group, uint64_t touches,
                     size_t *slot, mo_error *err)
{
    size_t name_bytes = def->name != NULL ? strlen(def->name) + 1 : 0;
    double load[6];
    body_first_load(b, def, load);
    if (!reserve(b, s->part_count, s->vertex_count, s->face_length, name_bytes) ||
        !bodies_reserve_load(b, load, def->load != NULL))
        return no_memory(err);
    bool dynamic = def->kind == MO_BODY_DYNAMIC;
    size_t i = new_slot(b);
    b->kind[i] = (uint8_t)def->kind;
    b->group[i] = group;
    b->touches[i] = touches;
    b->limited[i] = def->collides_with != NULL;
    b->free[i] = known_freedoms(b, def->free);
    b->area[i] = s->area;
    b->radius[i] = s->radius;
    b->thickness[i] = s->thickness;
    b->size[i] = s->size;
    // with keep_origin the points were centred all the same, and the origin is remembered
    for (size_t k = 0; k < b->dim; k++)
        b->origin[b->dim * i + k] = dynamic && def->keep_origin ? -s->com[k] : 0;
    append_parts(b, i, s);
    append_name(b, i, def->name);
    append_functions(b, i, def);
    set_mass(b, i, def, s);
    body_set_inverse(b, i);
    if (b->dim == 2) {
        set_state2(b, i, def);
    } else {
        b->oriented[i] = !body_is_round(b, i);
        set_state3(b, i, def);
    }
    // for which there is room
    (void)body_set_load(b, i, load);
    *slot = i;
    return MO_OK;
}

// the box around a body's parts, its farthest point, its thickest round part: for bodies from a file
static void bounds_from_parts(bodies *b, size_t slot, const mo_body_raw *raw)
{
    double radius = 0, thickness = 0;
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (size_t i = 0; i < raw->part_count; i++) {
        const mo_part *p = &raw->parts[i];
        if (p->kind == MO_PART_HALFPLANE || p->kind == MO_PART_PLANE)
            radius = INFINITY;
        thickness = fmax(thickness, p->radius);
        uint32_t own = p->kind == MO_PART_TRIANGLE ? 3 : p->vertex_count;
        for (uint32_t k = 0; k < own; k++) {
            const double *v = &raw->vertices[b->dim * (p->vertex_first + k)];
            double away = b->dim == 2 ? hypot(v[0], v[1]) : vec3_norm(v);
            radius = fmax(radius, away + p->radius);
            for (size_t d = 0; d < b->dim; d++) {
                low[d] = fmin(low[d], v[d] - p->radius);
                high[d] = fmax(high[d], v[d] + p->radius);
            }
        }
    }
    b->radius[slot] = radius;
    b->thickness[slot] = thickness;
    // the least extent that is not 0
    double size = INFINITY;
    for (size_t d = 0; d < b->dim; d++)
        if (high[d] - low[d] > 0)
            size = fmin(size, high[d] - low[d]);
    b->size[slot] = size;
}

// a unit quaternion keeps its bits
static void set_axes(double axes[4], const double given[4])
{
    memcpy(axes, given, 4 * sizeof *axes);
    double square = axes[0] * axes[0] + axes[1] * axes[1] + axes[2] * axes[2] + axes[3] * axes[3];
    if (!(fabs(square - 1) <= 1e-9))
        quat_normalise(axes);
}

mo_status bodies_add_raw(bodies *b, const mo_body_raw *raw, uint8_t group, size_t *slot, mo_error *err)
{
    bool dynamic = raw->kind == MO_BODY_DYNAMIC;
    if (raw->has_functions || raw->kind == MO_BODY_MOVED)
        return fail(err, MO_BAD_INPUT, "body",
                    "body %u was given by functions, which a file cannot bring back", (unsigned)raw->id);
    if (raw->id <= b->created)
        return fail(err, MO_BAD_INPUT, "id", "body id %u is taken: ids only ever rise", (unsigned)raw->id);
    double inertia =
        b->dim == 2 ? raw->inertia : fmin(raw->inertia3[0], fmin(raw->inertia3[1], raw->inertia3[2]));
    if (raw->part_count == 0 || (dynamic && !(raw->mass > 0 && inertia > 0)))
        return fail(err, MO_BAD_INPUT, "body", "body %u has no parts or no mass", (unsigned)raw->id);
    const size_t name_bytes = raw->name != NULL ? strlen(raw->name) + 1 : 0;
    if (!reserve(b, raw->part_count, raw->vertex_count, raw->face_length, name_bytes))
        return no_memory(err);
    b->created = raw->id - 1;
    size_t i = new_slot(b);
    b->kind[i] = (uint8_t)raw->kind;
    b->group[i] = group;
    b->touches[i] = raw->collides_groups;
    b->limited[i] = raw->limited;
    b->free[i] = known_freedoms(b, raw->free);
    b->mass[i] = raw->mass;
    if (b->dim == 2) {
        b->inertia[i] = raw->inertia;
    } else {
        memcpy(&b->inertia[3 * i], raw->inertia3, sizeof raw->inertia3);
        set_axes(&b->axes[4 * i], raw->axes);
        b->oriented[i] = raw->oriented;
    }
    b->area[i] = raw->area;
    memcpy(&b->origin[b->dim * i], raw->origin, b->dim * sizeof *raw->origin);
    const built_shape parts = {.parts = raw->parts,
                               .part_count = raw->part_count,
                               .vertices = raw->vertices,
                               .vertex_count = raw->vertex_count,
                               .faces = raw->faces,
                               .face_length = raw->face_length};
    append_parts(b, i, &parts);
    append_name(b, i, raw->name);
    // as they were when the body was made, where they are known: bounds decide which bits contacts have
    if (b->dim == 3 && raw->extent[0] > 0) {
        b->radius[i] = raw->extent[0];
        b->thickness[i] = raw->extent[1];
        b->size[i] = raw->extent[2];
    } else {
        bounds_from_parts(b, i, raw);
    }
    body_set_inverse(b, i);
    *slot = i;
    return MO_OK;
}

// whether the body next to another has the same vertices
static bool shares_with(const bodies *b, size_t slot, size_t other)
{
    return other < b->count && b->vertex_count[slot] > 0 && b->vertex_count[other] > 0 &&
           b->vertex_first[other] == b->vertex_first[slot];
}

// closes the hole that a body's parts, vertices and faces leave
static void remove_parts(bodies *b, size_t slot)
{
    size_t first = b->part_first[slot], n = b->part_count[slot], after = b->part_total - first - n;
    // vertices that others have too stay
    bool shared = shares_with(b, slot, slot + 1) || (slot > 0 && shares_with(b, slot, slot - 1));
    size_t v = b->vertex_first[slot], m = shared ? 0 : b->vertex_count[slot], rest = b->vertex_total - v - m;
    memmove(b->parts + first, b->parts + first + n, after * sizeof *b->parts);
    if (m > 0)
        memmove(b->vertices + b->dim * v, b->vertices + b->dim * (v + m),
                b->dim * rest * sizeof *b->vertices);
    b->part_total -= n;
    b->vertex_total -= m;
    for (size_t i = slot + 1; i < b->count; i++) {
        b->part_first[i] -= (uint32_t)n;
        b->vertex_first[i] -= (uint32_t)m;
    }
    if (b->dim == 2 || b->face_length[slot] == 0)
        return;
    size_t f = b->face_first[slot], l = b->face_length[slot];
    memmove(b->faces + f, b->faces + f + l, (b->face_total - f - l) * sizeof *b->faces);
    b->face_total -= l;
    for (size_t i = slot + 1; i < b->count; i++)
        b->face_first[i] -= (uint32_t)l;
}

static void remove_functions(bodies *b, size_t slot)
{
    size_t kept = 0;
    for (size_t i = 0; i < b->function_count; i++) {
        body_functions f = b->functions[i];
        if (f.slot == slot)
            continue;
        f.slot -= f.slot > slot ? 1 : 0;
        b->functions[kept++] = f;
    }
    b->function_count = kept;
}

// names lie in the order of slots
static void remove_name(bodies *b, size_t slot)
{
    const size_t at = b->name[slot], bytes = at > 0 ? strlen(b->names + at) + 1 : 0;
    if (bytes == 0)
        return;
    memmove(b->names + at, b->names + at + bytes, b->name_total - at - bytes);
    b->name_total -= bytes;
    for (size_t i = slot + 1; i < b->count; i++)
        b->name[i] -= b->name[i] > 0 ? (uint32_t)bytes : 0;
}

void bodies_remove(bodies *b, size_t slot)
{
    column body[BODY_COLUMNS];
    body_columns(b, body);
    remove_parts(b, slot);
    remove_name(b, slot);
    remove_functions(b, slot);
    for (size_t i = 0; i < BODY_COLUMNS; i++) {
        char *array = *body[i].array;
        size_t e = body[i].entry;
        if (e == 0)
            continue;
        memmove(array + slot * e, array + (slot + 1) * e, (b->count - slot - 1) * e);
    }
    b->count--;
}

size_t bodies_slot(const bodies *b, uint32_t id)
{
    return search_u32(b->id, b->count, id);
}

body_functions *bodies_functions(const bodies *b, size_t slot)
{
    size_t low = 0, high = b->function_count;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (b->functions[mid].slot < slot)
            low = mid + 1;
        else
            high = mid;
    }
    return low < b->function_count && b->functions[low].slot == slot ? &b->functions[low] : NULL;
}

// a body without a function is one like those that never had any
static void drop_empty(bodies *b, body_functions *f)
{
    if (f->motion != NULL || f->load != NULL || f->radius != NULL)
        return;
    const size_t after = (size_t)(b->functions + b->function_count - f) - 1;
    memmove(f, f + 1, after * sizeof *f);
    b->function_count--;
}

bool bodies_set_load_function(bodies *b, size_t slot, mo_load_fn load, void *data)
{
    body_functions *f = bodies_functions(b, slot);
    if (load != NULL && bodies_loads(b) == NULL)
        return false;
    if (f == NULL && load != NULL) {
        column function[] = {COLUMN(functions, 1)};
        if (!columns_reserve(function, 1, &b->function_capacity, b->function_count + 1))
            return false;
        // in the order of slots
        size_t at = b->function_count++;
        for (; at > 0 && b->functions[at - 1].slot > slot; at--)
            b->functions[at] = b->functions[at - 1];
        f = &b->functions[at];
        *f = (body_functions){.slot = (uint32_t)slot};
    }
    if (f != NULL) {
        f->load = load;
        f->load_data = data;
        drop_empty(b, f);
    }
    return true;
}

void body_set_radius(bodies *b, size_t slot, double r)
{
    // only lone discs and spheres have a radius that depends on time
    b->parts[b->part_first[slot]].radius = r;
    b->radius[slot] = b->thickness[slot] = r;
    b->size[slot] = 2 * r;
}

mo_status body_motion_at(const bodies *b, const body_functions *f, double t, mo_motion *out, mo_error *err)
{
    mo_motion m = {{0}, {0}};
    mo_status s = f->motion(f->motion_data, t, &m, err);
    if (s != MO_OK)
        return s;
    double sum = 0;
    for (size_t k = 0; k < b->nq; k++)
        sum += fabs(m.q[k]);
    for (size_t k = 0; k < b->nu; k++)
        sum += fabs(m.u[k]);
    if (!isfinite(sum))
        return fail(err, MO_BAD_INPUT, "motion",
                    "body %u at t = %g: found a position or velocity that is not finite",
                    (unsigned)b->id[f->slot], t);
    if (b->dim == 3) {
        // boundaries keep the axes they are given in: principal axes are those of q
        double world[3] = {m.u[3], m.u[4], m.u[5]};
        quat_normalise(m.q + 3);
        body_spin_principal(b, f->slot, m.q, world, m.u + 3);
    }
    *out = m;
    return MO_OK;
}

mo_status body_radius_at(const bodies *b, const body_functions *f, double t, double *radius, double *rate,
                         mo_error *err)
{
    mo_status s = f->radius(f->radius_data, t, radius, rate, err);
    if (s == MO_OK && (!(*radius > 0) || !isfinite(*radius) || !isfinite(*rate)))
        return fail(err, MO_BAD_INPUT, "radius", "body %u at t = %g: found %g, expected a radius > 0",
                    (unsigned)b->id[f->slot], t, *radius);
    return s;
}

bool bodies_grow(const bodies *b)
{
    for (size_t i = 0; i < b->function_count; i++)
        if (b->functions[i].radius != NULL)
            return true;
    return false;
}

bool bodies_keep(const bodies *b, bool sleeping, arena *mem, bodies_before *out)
{
    const size_t row = b->nu + 1;
    out->rest = sleeping ? arena_push(mem, b->count, sizeof *out->rest) : NULL;
    out->given = arena_push(mem, row * b->function_count, sizeof *out->given);
    if ((sleeping && out->rest == NULL) || out->given == NULL)
        return false;
    if (sleeping && b->count > 0)
        memcpy(out->rest, b->rest, b->count * sizeof *b->rest);
    for (size_t i = 0; i < b->function_count; i++) {
        const size_t slot = b->functions[i].slot;
        memcpy(&out->given[row * i], body_load(b, slot), b->nu * sizeof *out->given);
        out->given[row * i + b->nu] = b->radius[slot];
    }
    return true;
}

void bodies_put_back(bodies *b, const bodies_before *before)
{
    const size_t row = b->nu + 1;
    if (before->rest != NULL && b->count > 0)
        memcpy(b->rest, before->rest, b->count * sizeof *b->rest);
    for (size_t i = 0; i < b->function_count; i++) {
        const body_functions *f = &b->functions[i];
        // where there are none, there were none
        if (b->load != NULL)
            memcpy(&b->load[b->nu * f->slot], &before->given[row * i], b->nu * sizeof *b->load);
        if (f->radius != NULL)
            body_set_radius(b, f->slot, before->given[row * i + b->nu]);
    }
}

void bodies_free(bodies *b)
{
    column body[BODY_COLUMNS];
    body_columns(b, body);
    columns_free(body, BODY_COLUMNS);
    free(b->parts);
    free(b->vertices);
    free(b->faces);
    free(b->names);
    free(b->functions);
    *b = (bodies){0};
}

size_t bodies_bytes(const bodies *b)
{
    column body[BODY_COLUMNS];
    body_columns((bodies *)b, body);
    return columns_bytes(body, BODY_COLUMNS, b->capacity) + b->part_capacity * sizeof *b->parts +
           b->vertex_capacity * b->dim * sizeof *b->vertices + b->face_capacity * sizeof *b->faces +
           b->name_capacity + b->function_capacity * sizeof *b->functions;
}

double body_kinetic(const bodies *b, size_t slot)
{
    const double *u = &b->u[b->nu * slot], *I = &b->inertia[b->ni * slot];
    if (b->dim == 2)
        return 0.5 * b->mass[slot] * (u[0] * u[0] + u[1] * u[1]) + 0.5 * I[0] * u[2] * u[2];
    return 0.5 * b->mass[slot] * vec3_dot(u, u) +
           0.5 * (I[0] * u[3] * u[3] + I[1] * u[4] * u[4] + I[2] * u[5] * u[5]);
}

double body_potential(const bodies *b, size_t slot, const double gravity[3])
{
    const double *q = &b->q[b->nq * slot];
    if (b->dim == 2)
        return -b->mass[slot] * (gravity[0] * q[0] + gravity[1] * q[1]);
    return -b->mass[slot] * vec3_dot(gravity, q);
}

// the body's origin as seen from its centre of mass, in world axes
static void origin_arm(const bodies *b, size_t slot, double out[3])
{
    const double *q = &b->q[b->nq * slot], *o = &b->origin[b->dim * slot];
    if (b->dim == 3) {
        quat_rotate(q + 3, o, out);
        return;
    }
    double c = cos(q[2]), s = sin(q[2]);
    out[0] = c * o[0] - s * o[1];
    out[1] = s * o[0] + c * o[1];
}

void body_origin(const bodies *b, size_t slot, double *out)
{
    double arm[3];
    origin_arm(b, slot, arm);
    for (size_t k = 0; k < b->dim; k++)
        out[k] = b->q[b->nq * slot + k] + arm[k];
}

void body_place_origin(bodies *b, size_t slot, const double *p)
{
    double arm[3];
    origin_arm(b, slot, arm);
    for (size_t k = 0; k < b->dim; k++)
        b->q[b->nq * slot + k] = p[k] - arm[k];
}
