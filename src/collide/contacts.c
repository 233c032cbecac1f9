#include "collide/contacts.h"

#include <string.h>

#include "core/buffer.h"
#include "math/vec3.h"

#define COLUMN(p, field, n)                                                                                  \
    {                                                                                                        \
        (void **)&(p)->field, (n) * sizeof *(p)->field                                                       \
    }

enum { CONTACT_COLUMNS = 11, MEMORY_COLUMNS = 6 };

static void contact_columns(contact_set *c, column out[CONTACT_COLUMNS])
{
    const column all[CONTACT_COLUMNS] = {
        COLUMN(c, slot1, 1),       COLUMN(c, slot2, 1),  COLUMN(c, feature, 1), COLUMN(c, point, c->dim),
        COLUMN(c, normal, c->dim), COLUMN(c, gap, 1),    COLUMN(c, S, c->dim),  COLUMN(c, U, c->dim),
        COLUMN(c, law, 1),         COLUMN(c, status, 1), COLUMN(c, memory, 1)};
    memcpy(out, all, sizeof all);
}

static void memory_columns(contact_memory *m, column out[MEMORY_COLUMNS])
{
    const column all[MEMORY_COLUMNS] = {COLUMN(m, id1, 1),    COLUMN(m, id2, 1),    COLUMN(m, feature, 1),
                                        COLUMN(m, S, m->dim), COLUMN(m, status, 1), COLUMN(m, memory, 1)};
    memcpy(out, all, sizeof all);
}

bool contacts_reserve(contact_set *c, size_t need)
{
    column all[CONTACT_COLUMNS];
    contact_columns(c, all);
    return columns_reserve(all, CONTACT_COLUMNS, &c->capacity, need);
}

void contacts_filter(contact_set *c, bool (*keep)(const contact_set *c, size_t i, const void *data),
                     const void *data)
{
    column all[CONTACT_COLUMNS];
    contact_columns(c, all);
    size_t kept = 0;
    for (size_t i = 0; i < c->count; i++) {
        if (!keep(c, i, data))
            continue;
        for (size_t k = 0; k < CONTACT_COLUMNS && kept < i; k++) {
            char *array = *all[k].array;
            memcpy(array + kept * all[k].entry, array + i * all[k].entry, all[k].entry);
        }
        kept++;
    }
    c->count = kept;
}

void contacts_free(contact_set *c)
{
    column all[CONTACT_COLUMNS];
    contact_columns(c, all);
    columns_free(all, CONTACT_COLUMNS);
    *c = (contact_set){.dim = c->dim, .remembers = c->remembers};
}

size_t contacts_bytes(const contact_set *c)
{
    column all[CONTACT_COLUMNS];
    contact_columns((contact_set *)c, all);
    return columns_bytes(all, CONTACT_COLUMNS, c->capacity);
}

bool memory_keep(contact_memory *m, const contact_set *c, const uint32_t *id)
{
    column all[MEMORY_COLUMNS];
    memory_columns(m, all);
    if (!columns_reserve(all, MEMORY_COLUMNS, &m->capacity, c->capacity))
        return false;
    m->count = c->count;
    m->remembers = c->remembers;
    if (c->count == 0)
        return true;
    for (size_t i = 0; i < c->count; i++) {
        m->id1[i] = id[c->slot1[i]];
        m->id2[i] = id[c->slot2[i]];
    }
    memcpy(m->feature, c->feature, c->count * sizeof *m->feature);
    memcpy(m->status, c->status, c->count * sizeof *m->status);
    if (c->remembers)
        memcpy(m->memory, c->memory, c->count * sizeof *m->memory);
    if (c->dim == 2)
        memcpy(m->S, c->S, 2 * c->count * sizeof *m->S);
    else
        for (size_t i = 0; i < c->count; i++)
            contact_to_world(3, &c->normal[3 * i], &c->S[3 * i], &m->S[3 * i]);
    return true;
}

void tangent_of(const double n[3], double t[3])
{
    double x = fabs(n[0]), y = fabs(n[1]), z = fabs(n[2]), axis[3] = {0, 0, 0};
    axis[x <= y && x <= z ? 0 : y <= z ? 1 : 2] = 1;
    vec3_cross(axis, n, t);
    vec3_unit(t, t);
}

void contact_frame(const double n[3], double t[3], double s[3])
{
    tangent_of(n, t);
    vec3_cross(n, t, s);
}

void contact_to_world(size_t dim, const double *n, const double *S, double *out)
{
    if (dim == 2) {
        contact_to_world2(n, S, out);
        return;
    }
    double t[3], s[3];
    contact_frame(n, t, s);
    for (int k = 0; k < 3; k++)
        out[k] = n[k] * S[0] + t[k] * S[1] + s[k] * S[2];
}

// the remembered impulse in the axes of contact j
static void recall_impulse(const contact_memory *m, size_t i, contact_set *c, size_t j)
{
    double *S = &c->S[c->dim * j];
    const double *P = &m->S[c->dim * i];
    if (c->dim == 2) {
        S[0] = P[0];
        S[1] = P[1];
        return;
    }
    double t[3], s[3];
    const double *n = &c->normal[3 * j];
    contact_frame(n, t, s);
    vec3_set(S, vec3_dot(P, n), vec3_dot(P, t), vec3_dot(P, s));
}

// order of the key of m's entry i relative to that of c's entry j, which belongs to id1 and id2: the order in
// which detection meets pairs of parts
static int key_order(const contact_memory *m, size_t i, const contact_set *c, size_t j, uint32_t id1,
                     uint32_t id2)
{
    if (m->id1[i] != id1)
        return m->id1[i] < id1 ? -1 : 1;
    uint64_t part_m = m->feature[i] >> 44, part_c = c->feature[j] >> 44;
    if (part_m != part_c)
        return part_m < part_c ? -1 : 1;
    if (m->id2[i] != id2)
        return m->id2[i] < id2 ? -1 : 1;
    if (m->feature[i] != c->feature[j])
        return m->feature[i] < c->feature[j] ? -1 : 1;
    return 0;
}

void memory_recall(const contact_memory *m, contact_set *c, const uint32_t *id)
{
    size_t i = 0;
    for (size_t j = 0; j < c->count; j++) {
        uint32_t id1 = id[c->slot1[j]], id2 = id[c->slot2[j]];
        int order = -1;
        while (i < m->count && (order = key_order(m, i, c, j, id1, id2)) < 0)
            i++;
        bool known = i < m->count && order == 0;
        if (known)
            recall_impulse(m, i, c, j);
        else
            memset(&c->S[c->dim * j], 0, c->dim * sizeof *c->S);
        c->status[j] = known ? m->status[i] : 0;
        if (c->remembers)
            c->memory[j] = known && m->remembers ? m->memory[i] : 0;
    }
}

void memory_free(contact_memory *m)
{
    column all[MEMORY_COLUMNS];
    memory_columns(m, all);
    columns_free(all, MEMORY_COLUMNS);
    *m = (contact_memory){.dim = m->dim};
}

size_t memory_bytes(const contact_memory *m)
{
    column all[MEMORY_COLUMNS];
    memory_columns((contact_memory *)m, all);
    return columns_bytes(all, MEMORY_COLUMNS, m->capacity);
}
