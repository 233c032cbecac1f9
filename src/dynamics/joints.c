/*
 * The table of joints: making, finding, dropping.
 */
#include "dynamics/joints.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/buffer.h"
#include "core/search.h"
#include "math/quat.h"

enum { COLUMNS = 4 };

static void joint_columns(joints *js, column out[COLUMNS])
{
    const column all[COLUMNS] = {{(void **)&js->list, sizeof *js->list},
                                 {(void **)&js->ids, sizeof *js->ids},
                                 {(void **)&js->owner, JOINT_BOXES * sizeof *js->owner},
                                 {(void **)&js->apart, sizeof *js->apart}};
    memcpy(out, all, sizeof all);
}

// a point of the world in the frame of a body, in a cell of the image of it that is nearest
static void to_body(const bodies *b, uint32_t slot, const double point[3], double out[3])
{
    const double *q = &b->q[b->nq * slot];
    double d[3] = {point[0] - q[0], point[1] - q[1], b->dim == 3 ? point[2] - q[2] : 0};
    double away[3] = {0, 0, 0};
    if (b->cell != NULL)
        cell_nearest(b->cell, d, away);
    vec3_sub(d, away, d);
    if (b->dim == 3) {
        quat_rotate_back(q + 3, d, out);
        return;
    }
    const double c = cos(q[2]), s = sin(q[2]);
    vec3_set(out, c * d[0] + s * d[1], c * d[1] - s * d[0], 0);
}

// the joint's axes, axis first, as a rotation of the world's
static void frame_of(size_t dim, const mo_joint_def *def, double out[4])
{
    double R[9], axis[3], t[3], s[3];
    quat_set(out, 1, 0, 0, 0);
    if (!(def->axis[0] != 0 || def->axis[1] != 0 || (dim == 3 && def->axis[2] != 0)))
        return;
    if (dim == 2) {
        double angle = atan2(def->axis[1], def->axis[0]);
        quat_set(out, cos(angle / 2), 0, 0, sin(angle / 2));
        return;
    }
    vec3_unit(def->axis, axis);
    contact_frame(axis, t, s);
    for (int k = 0; k < 3; k++)
        vec3_set(R + 3 * k, axis[k], t[k], s[k]);
    quat_from_matrix(R, out);
}

// the same seen from a body
static void frame_on(const bodies *b, uint32_t slot, const double frame[4], double out[4])
{
    const double *q = &b->q[b->nq * slot];
    double turn[4];
    if (b->dim == 3)
        memcpy(turn, q + 3, sizeof turn);
    else
        quat_set(turn, cos(q[2] / 2), 0, 0, sin(q[2] / 2));
    quat_conjugate(turn, turn);
    quat_multiply(turn, frame, out);
}

static joint make_joint(const bodies *b, const mo_joint_def *def)
{
    joint k = {.def = *def, .block = NO_BODY};
    double frame[4];
    bool two_points = def->kind == MO_JOINT_DISTANCE || def->kind == MO_JOINT_SPRING;
    frame_of(b->dim, def, frame);
    for (int side = 0; side < 2; side++) {
        uint32_t id = side == 0 ? def->body1.id : def->body2.id;
        const double *given = side == 1 && two_points ? def->at2 : def->at;
        const double point[3] = {given[0], given[1], b->dim == 3 ? given[2] : 0};
        k.slot[side] = id == 0 ? NO_BODY : (uint32_t)bodies_slot(b, id);
        vec3_copy(point, k.anchor[side]);
        memcpy(k.frame[side], frame, sizeof frame);
        if (id == 0)
            continue;
        to_body(b, k.slot[side], point, k.anchor[side]);
        frame_on(b, k.slot[side], frame, k.frame[side]);
        k.reach = fmax(k.reach, fmax(vec3_norm(k.anchor[side]),
                                     is_dynamic(b, k.slot[side]) ? b->size[k.slot[side]] : 0));
        if (b->dim == 2)
            k.angle += (side == 0 ? 1 : -1) * b->q[3 * k.slot[side] + 2];
    }
    if (two_points && !(def->length >= 0))
        k.def.length = joint_value(b, &k, b->q);
    return k;
}

bool joints_add(joints *js, const bodies *b, const mo_joint_def *def, uint32_t *id)
{
    column all[COLUMNS];
    joint_columns(js, all);
    if (!columns_reserve(all, COLUMNS, &js->capacity, js->count + 1) ||
        !joined_reserve(&js->system, js->count + 1))
        return false;
    joint k = make_joint(b, def);
    *id = ++js->created;
    js->ids[js->count] = *id;
    js->list[js->count++] = k;
    js->changed = true;
    return true;
}

size_t joints_blocked(const joints *js, const bodies *b, double h)
{
    for (size_t k = 0; k < js->count; k++) {
        const mo_joint_def *def = &js->list[k].def;
        if (!def->driven || !def->limited || def->speed == 0 || isfinite(def->max_load))
            continue;
        const double limit = def->limits[def->speed > 0], value = joint_value(b, &js->list[k], b->q);
        if (def->speed > 0 ? value >= limit - h * def->speed : value <= limit - h * def->speed)
            return k;
    }
    return SIZE_MAX;
}

size_t joints_find(const joints *js, uint32_t id)
{
    return search_u32(js->ids, js->count, id);
}

static void joints_drop(joints *js, size_t k)
{
    memmove(&js->list[k], &js->list[k + 1], (js->count - k - 1) * sizeof *js->list);
    memmove(&js->ids[k], &js->ids[k + 1], (js->count - k - 1) * sizeof *js->ids);
    js->count--;
    js->changed = true;
}

static bool rebind(const bodies *b, joint *k)
{
    for (int side = 0; side < 2; side++) {
        uint32_t id = side == 0 ? k->def.body1.id : k->def.body2.id;
        size_t slot = id == 0 ? SIZE_MAX : bodies_slot(b, id);
        if (id != 0 && slot == SIZE_MAX)
            return false;
        k->slot[side] = id == 0 ? NO_BODY : (uint32_t)slot;
    }
    return true;
}

static int rising(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

// whether the bodies of the joint do not collide: their slots in one number
static bool keeps_apart(const joint *j, uint64_t *pair)
{
    if (j->slot[1] == NO_BODY || j->def.collide)
        return false;
    uint32_t low = j->slot[0] < j->slot[1] ? j->slot[0] : j->slot[1];
    uint32_t high = j->slot[0] < j->slot[1] ? j->slot[1] : j->slot[0];
    *pair = (uint64_t)low << 32 | high;
    return true;
}

// the bodies see the pairs, which may have moved in memory
static void lend_pairs(joints *js, bodies *b)
{
    b->apart = js->apart;
    b->apart_count = js->apart_count;
    js->changed = true;
}

void joints_bind_last(joints *js, bodies *b)
{
    uint64_t pair;
    if (keeps_apart(&js->list[js->count - 1], &pair)) {
        size_t k = js->apart_count++;
        for (; k > 0 && js->apart[k - 1] > pair; k--)
            js->apart[k] = js->apart[k - 1];
        js->apart[k] = pair;
    }
    lend_pairs(js, b);
}

void joints_remove(joints *js, bodies *b, size_t k)
{
    uint64_t pair;
    if (keeps_apart(&js->list[k], &pair)) {
        const size_t at = search_u64(js->apart, js->apart_count--, pair);
        memmove(&js->apart[at], &js->apart[at + 1], (js->apart_count - at) * sizeof *js->apart);
    }
    joints_drop(js, k);
    lend_pairs(js, b);
}

// the slot that was this one before another was taken out; that of the world stays
static uint32_t moved_down(uint32_t slot, uint32_t gone)
{
    return slot != NO_BODY && slot > gone ? slot - 1 : slot;
}

// the order of the pairs stays: all slots above move alike
static void move_pairs_down(joints *js, uint32_t gone)
{
    size_t kept = 0;
    for (size_t k = 0; k < js->apart_count; k++) {
        const uint32_t low = (uint32_t)(js->apart[k] >> 32), high = (uint32_t)js->apart[k];
        if (low != gone && high != gone)
            js->apart[kept++] = (uint64_t)moved_down(low, gone) << 32 | moved_down(high, gone);
    }
    js->apart_count = kept;
}

void joints_body_gone(joints *js, bodies *b, uint32_t gone)
{
    size_t kept = 0;
    for (size_t k = 0; k < js->count; k++) {
        joint *j = &js->list[k];
        if (j->slot[0] == gone || j->slot[1] == gone)
            continue;
        for (int side = 0; side < 2; side++)
            j->slot[side] = moved_down(j->slot[side], gone);
        if (kept < k) {
            js->list[kept] = *j;
            js->ids[kept] = js->ids[k];
        }
        kept++;
    }
    js->count = kept;
    move_pairs_down(js, gone);
    lend_pairs(js, b);
}

void joints_bind(joints *js, bodies *b)
{
    for (size_t k = js->count; k-- > 0;)
        if (!rebind(b, &js->list[k]))
            joints_drop(js, k);
    js->apart_count = 0;
    for (size_t k = 0; k < js->count; k++) {
        uint64_t pair;
        if (keeps_apart(&js->list[k], &pair))
            js->apart[js->apart_count++] = pair;
    }
    if (js->apart_count > 0)
        qsort(js->apart, js->apart_count, sizeof *js->apart, rising);
    lend_pairs(js, b);
}

void joints_forget_loads(joints *js)
{
    for (size_t n = 0; n < js->count; n++) {
        joint *k = &js->list[n];
        vec3_set(k->force, 0, 0, 0);
        vec3_set(k->torque, 0, 0, 0);
        k->motor = 0;
    }
}

void joints_free(joints *js)
{
    column all[COLUMNS];
    joint_columns(js, all);
    columns_free(all, COLUMNS);
    joined_free(&js->system);
    *js = (joints){0};
}

size_t joints_bytes(const joints *js)
{
    column all[COLUMNS];
    joint_columns((joints *)js, all);
    return columns_bytes(all, COLUMNS, js->capacity) + joined_bytes(&js->system);
}

double joints_potential(const joints *js, const bodies *b)
{
    double sum = 0;
    for (size_t k = 0; k < js->count; k++) {
        const mo_joint_def *def = &js->list[k].def;
        if (def->kind != MO_JOINT_SPRING)
            continue;
        double stretch = joint_value(b, &js->list[k], b->q) - def->length;
        sum += 0.5 * def->stiffness * stretch * stretch;
    }
    return sum;
}
