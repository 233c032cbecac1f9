#include "dynamics/bodies.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/buffer.h"
#include "core/fail.h"
#include "core/search.h"

enum { BODY_COLUMNS = 24 };

#define COLUMN(field, n)                                                                                     \
    {                                                                                                        \
        (void **)&b->field, (n) * sizeof *b->field                                                           \
    }

// every array with an entry per body
static void body_columns(bodies *b, column out[BODY_COLUMNS])
{
    const column all[BODY_COLUMNS] = {
        COLUMN(id, 1),
        COLUMN(q, 3),
        COLUMN(u, 3),
        COLUMN(inv, 3),
        COLUMN(mass, 1),
        COLUMN(inertia, 1),
        COLUMN(load, 3),
        COLUMN(force, 3),
        COLUMN(origin, 2),
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
    };
    memcpy(out, all, sizeof all);
}

static mo_status no_memory(mo_error *err)
{
    return fail(err, MO_NO_MEMORY, NULL, "out of memory for bodies");
}

// room for one more body with its parts, vertices, name and functions
static bool reserve(bodies *b, size_t parts, size_t vertices, size_t name_bytes)
{
    column body[BODY_COLUMNS];
    body_columns(b, body);
    column part[] = {COLUMN(parts, 1)};
    column vertex[] = {COLUMN(vertices, 2)}, name[] = {COLUMN(names, 1)}, function[] = {COLUMN(functions, 1)};
    return columns_reserve(body, BODY_COLUMNS, &b->capacity, b->count + 1) &&
           columns_reserve(part, 1, &b->part_capacity, b->part_total + parts) &&
           columns_reserve(vertex, 1, &b->vertex_capacity, b->vertex_total + vertices) &&
           columns_reserve(name, 1, &b->name_capacity, b->name_total + name_bytes + 2) &&
           columns_reserve(function, 1, &b->function_capacity, b->function_count + 1);
}

static void append_parts(bodies *b, size_t slot, const mo_part *parts, size_t part_count,
                         const double *vertices, size_t vertex_count)
{
    b->part_first[slot] = (uint32_t)b->part_total;
    b->part_count[slot] = (uint32_t)part_count;
    b->vertex_first[slot] = (uint32_t)b->vertex_total;
    b->vertex_count[slot] = (uint32_t)vertex_count;
    memcpy(b->parts + b->part_total, parts, part_count * sizeof *parts);
    if (vertex_count > 0)
        memcpy(b->vertices + 2 * b->vertex_total, vertices, 2 * vertex_count * sizeof *vertices);
    b->lone[slot] = part_count == 1 && parts[0].kind == MO_PART_DISC && vertices[0] == 0 && vertices[1] == 0;
    b->part_total += part_count;
    b->vertex_total += vertex_count;
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

static void set_inverse(bodies *b, size_t slot)
{
    bool dynamic = b->kind[slot] == MO_BODY_DYNAMIC;
    double inv_m = dynamic ? 1 / b->mass[slot] : 0, inv_i = dynamic ? 1 / b->inertia[slot] : 0;
    double *inv = &b->inv[3 * slot];
    inv[0] = b->free[slot] & MO_FREE_X ? inv_m : 0;
    inv[1] = b->free[slot] & MO_FREE_Y ? inv_m : 0;
    inv[2] = b->free[slot] & MO_FREE_ANGLE ? inv_i : 0;
}

static size_t new_slot(bodies *b)
{
    size_t slot = b->count++;
    for (size_t k = 3 * slot; k < 3 * slot + 3; k++)
        b->q[k] = b->u[k] = b->load[k] = b->force[k] = 0;
    b->id[slot] = ++b->created;
    return slot;
}

static void set_state(bodies *b, size_t slot, const mo_body_def *def)
{
    double *u = &b->u[3 * slot];
    b->q[3 * slot + 2] = def->angle;
    body_place_origin(b, slot, def->position);
    if (def->kind != MO_BODY_DYNAMIC)
        return;
    u[0] = def->velocity[0];
    u[1] = def->velocity[1];
    u[2] = def->spin;
    b->load[3 * slot] = def->applied_force[0];
    b->load[3 * slot + 1] = def->applied_force[1];
    b->load[3 * slot + 2] = def->applied_torque;
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

mo_status bodies_add(bodies *b, const mo_body_def *def, const shape *s, uint8_t group, uint64_t touches,
                     size_t *slot, mo_error *err)
{
    if (!reserve(b, s->part_count, s->vertex_count, def->name != NULL ? strlen(def->name) + 1 : 0))
        return no_memory(err);
    bool dynamic = def->kind == MO_BODY_DYNAMIC;
    size_t i = new_slot(b);
    b->kind[i] = (uint8_t)def->kind;
    b->group[i] = group;
    b->touches[i] = touches;
    b->limited[i] = def->collides_with != NULL;
    b->free[i] = (uint8_t)def->free;
    b->mass[i] = !dynamic ? 0 : def->mass > 0 ? def->mass : def->density * s->area;
    b->inertia[i] = !dynamic ? 0 : def->inertia > 0 ? def->inertia : b->mass[i] * s->gyration2;
    b->area[i] = s->area;
    b->radius[i] = s->radius;
    b->thickness[i] = s->thickness;
    b->size[i] = s->size;
    // with keep_origin the points were centred all the same, and the origin is remembered
    b->origin[2 * i] = dynamic && def->keep_origin ? -s->com[0] : 0;
    b->origin[2 * i + 1] = dynamic && def->keep_origin ? -s->com[1] : 0;
    append_parts(b, i, s->parts, s->part_count, s->vertices, s->vertex_count);
    append_name(b, i, def->name);
    append_functions(b, i, def);
    set_inverse(b, i);
    set_state(b, i, def);
    *slot = i;
    return MO_OK;
}

// farthest vertex and thickest disc, for bodies that come back from a file
static void bounds_from_parts(bodies *b, size_t slot, const mo_body_raw *raw)
{
    double radius = 0, thickness = 0, low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (size_t i = 0; i < raw->part_count; i++) {
        const mo_part *p = &raw->parts[i];
        if (p->kind == MO_PART_HALFPLANE)
            radius = INFINITY;
        thickness = fmax(thickness, p->radius);
        for (uint32_t k = 0; k < p->vertex_count; k++) {
            const double *v = &raw->vertices[2 * (p->vertex_first + k)];
            radius = fmax(radius, hypot(v[0], v[1]) + p->radius);
            for (int d = 0; d < 2; d++) {
                low[d] = fmin(low[d], v[d] - p->radius);
                high[d] = fmax(high[d], v[d] + p->radius);
            }
        }
    }
    double w = high[0] - low[0], h = high[1] - low[1], least = fmin(w, h);
    b->radius[slot] = radius;
    b->thickness[slot] = thickness;
    b->size[slot] = least > 0 ? least : fmax(w, h);
}

mo_status bodies_add_raw(bodies *b, const mo_body_raw *raw, uint8_t group, size_t *slot, mo_error *err)
{
    bool dynamic = raw->kind == MO_BODY_DYNAMIC;
    if (raw->has_functions || raw->kind == MO_BODY_MOVED)
        return fail(err, MO_BAD_INPUT, "body",
                    "body %u was given by functions, which a file cannot bring back", (unsigned)raw->id);
    if (raw->id <= b->created)
        return fail(err, MO_BAD_INPUT, "id", "body id %u is taken: ids only ever rise", (unsigned)raw->id);
    if (raw->part_count == 0 || (dynamic && !(raw->mass > 0 && raw->inertia > 0)))
        return fail(err, MO_BAD_INPUT, "body", "body %u has no parts or no mass", (unsigned)raw->id);
    if (!reserve(b, raw->part_count, raw->vertex_count, strlen(raw->name) + 1))
        return no_memory(err);
    b->created = raw->id - 1;
    size_t i = new_slot(b);
    b->kind[i] = (uint8_t)raw->kind;
    b->group[i] = group;
    b->touches[i] = raw->collides_groups;
    b->limited[i] = raw->limited;
    b->free[i] = (uint8_t)raw->free;
    b->mass[i] = raw->mass;
    b->inertia[i] = raw->inertia;
    b->area[i] = raw->area;
    memcpy(&b->origin[2 * i], raw->origin, sizeof raw->origin);
    append_parts(b, i, raw->parts, raw->part_count, raw->vertices, raw->vertex_count);
    append_name(b, i, raw->name);
    bounds_from_parts(b, i, raw);
    set_inverse(b, i);
    *slot = i;
    return MO_OK;
}

// closes the hole that a body's parts and vertices leave
static void remove_parts(bodies *b, size_t slot)
{
    size_t first = b->part_first[slot], n = b->part_count[slot], after = b->part_total - first - n;
    size_t v = b->vertex_first[slot], m = b->vertex_count[slot], rest = b->vertex_total - v - m;
    memmove(b->parts + first, b->parts + first + n, after * sizeof *b->parts);
    memmove(b->vertices + 2 * v, b->vertices + 2 * (v + m), 2 * rest * sizeof *b->vertices);
    b->part_total -= n;
    b->vertex_total -= m;
    for (size_t i = slot + 1; i < b->count; i++) {
        b->part_first[i] -= (uint32_t)n;
        b->vertex_first[i] -= (uint32_t)m;
    }
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

void bodies_remove(bodies *b, size_t slot)
{
    column body[BODY_COLUMNS];
    body_columns(b, body);
    remove_parts(b, slot);
    remove_functions(b, slot);
    for (size_t i = 0; i < BODY_COLUMNS; i++) {
        char *array = *body[i].array;
        size_t e = body[i].entry;
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

void body_set_radius(bodies *b, size_t slot, double r)
{
    // only lone discs have a radius that depends on time
    b->parts[b->part_first[slot]].radius = r;
    b->radius[slot] = b->thickness[slot] = r;
    b->size[slot] = 2 * r;
}

mo_status body_motion_at(const bodies *b, const body_functions *f, double t, mo_motion *out, mo_error *err)
{
    mo_motion m = {{0}, {0}};
    mo_status s = f->motion(f->motion_data, t, &m, err);
    for (int k = 0; s == MO_OK && k < 3; k++)
        if (!isfinite(m.q[k]) || !isfinite(m.u[k]))
            s = fail(err, MO_BAD_INPUT, "motion",
                     "body %u at t = %g: found a position or velocity that is not finite",
                     (unsigned)b->id[f->slot], t);
    if (s == MO_OK)
        *out = m;
    return s;
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

void bodies_free(bodies *b)
{
    column body[BODY_COLUMNS];
    body_columns(b, body);
    columns_free(body, BODY_COLUMNS);
    free(b->parts);
    free(b->vertices);
    free(b->names);
    free(b->functions);
    *b = (bodies){0};
}

size_t bodies_bytes(const bodies *b)
{
    column body[BODY_COLUMNS];
    body_columns((bodies *)b, body);
    return columns_bytes(body, BODY_COLUMNS, b->capacity) + b->part_capacity * sizeof *b->parts +
           b->vertex_capacity * 2 * sizeof *b->vertices + b->name_capacity +
           b->function_capacity * sizeof *b->functions;
}

double body_kinetic(const bodies *b, size_t slot)
{
    const double *u = &b->u[3 * slot];
    return 0.5 * b->mass[slot] * (u[0] * u[0] + u[1] * u[1]) + 0.5 * b->inertia[slot] * u[2] * u[2];
}

double body_potential(const bodies *b, size_t slot, const double gravity[2])
{
    const double *q = &b->q[3 * slot];
    return -b->mass[slot] * (gravity[0] * q[0] + gravity[1] * q[1]);
}

void body_origin(const bodies *b, size_t slot, double out[2])
{
    const double *q = &b->q[3 * slot], *o = &b->origin[2 * slot];
    double c = cos(q[2]), s = sin(q[2]);
    out[0] = q[0] + (c * o[0] - s * o[1]);
    out[1] = q[1] + (s * o[0] + c * o[1]);
}

void body_place_origin(bodies *b, size_t slot, const double p[2])
{
    double *q = &b->q[3 * slot], *o = &b->origin[2 * slot];
    double c = cos(q[2]), s = sin(q[2]);
    q[0] = p[0] - (c * o[0] - s * o[1]);
    q[1] = p[1] - (s * o[0] + c * o[1]);
}
