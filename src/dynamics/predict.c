/*
 * predict: everything of the step that needs no contact (M99 §8.3 up to the choice of J).
 */
#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "dynamics/rotate.h"
#include "dynamics/stage.h"
#include "math/vec3.h"
#include "problem/rows.h"

static mo_status call_load(const bodies *b, stage_data *d, const body_functions *f, double t, mo_error *err)
{
    double *a = &d->applied[b->nu * f->slot], sum = 0, before[6];
    memcpy(before, a, b->nu * sizeof *a);
    mo_status s = f->load(f->load_data, t, a, err);
    for (size_t k = 0; k < b->nu; k++) {
        sum += fabs(a[k]);
        // a load that changes wakes
        if (a[k] != before[k])
            b->rest[f->slot] = 0;
    }
    if (s == MO_OK && !isfinite(sum))
        return fail(err, MO_BAD_INPUT, "applied_force", "body %u at t = %g: found a load that is not finite",
                    (unsigned)b->id[f->slot], t);
    return s;
}

// position and velocity of a moved body at the middle of the step, and where it will be at the end
static mo_status call_motion(const bodies *b, stage_data *d, body_functions *f, double t, mo_error *err)
{
    size_t i = f->slot;
    mo_motion m;
    mo_status s = body_motion_at(b, f, t, &m, err);
    if (s == MO_OK)
        s = body_motion_at(b, f, d->t_next, &f->end, err);
    if (s != MO_OK)
        return s;
    memcpy(&d->q_mid[b->nq * i], d->ahead ? f->end.q : m.q, b->nq * sizeof *m.q);
    memcpy(&d->u_free[b->nu * i], m.u, b->nu * sizeof *m.u);
    if (b->dim == 3)
        body_spin_world(b, i, m.q, m.u + 3, &d->u_free[6 * i + 3]);
    return MO_OK;
}

static mo_status call_radius(bodies *b, const stage_data *d, body_functions *f, double t, mo_error *err)
{
    double r, end_rate;
    mo_status s = body_radius_at(b, f, d->t_next, &f->end_radius, &end_rate, err);
    if (s == MO_OK)
        s = body_radius_at(b, f, t, &r, &f->rate, err);
    if (s != MO_OK)
        return s;
    // one that jumps between two steps wakes too
    if (b->radius[f->slot] != r)
        b->rest[f->slot] = 0;
    body_set_radius(b, f->slot, d->ahead ? f->end_radius : r);
    return MO_OK;
}

// everything that users give as functions of time
static mo_status call_functions(bodies *b, stage_data *d, body_functions *f, double t, mo_error *err)
{
    mo_status s = MO_OK;
    if (f->load != NULL)
        s = call_load(b, d, f, t, err);
    if (s == MO_OK && f->motion != NULL)
        s = call_motion(b, d, f, t, err);
    if (s == MO_OK && f->radius != NULL)
        s = call_radius(b, d, f, t, err);
    return s;
}

// how long bodies move freely before contacts are looked for
static double free_time(const stage_data *d)
{
    return d->ahead ? 0 : 0.5 * d->h;
}

/* bodies of a chunk */
enum { BODIES = 1024 };

typedef struct prediction {
    const bodies *b;
    stage_data *d;
    double *start; /* velocities at the end of the first free half, spins in world axes; NULL: u itself */
} prediction;

// q_mid = q_i + h/2 u_i
static void move_chunk2(void *data, size_t chunk, size_t begin, size_t end)
{
    const prediction *p = data;
    const double t = free_time(p->d), *q = p->b->q, *u = p->b->u;
    double *out = p->d->q_mid;
    (void)chunk;
    if (p->start != NULL)
        memcpy(&p->start[3 * begin], &u[3 * begin], 3 * (end - begin) * sizeof *u);
    for (size_t k = 3 * begin; k < 3 * end; k++)
        out[k] = q[k] + t * u[k];
}

// the first free half of the step for at most ROTATE_BLOCK bodies
static void move_block3(const prediction *p, size_t begin, size_t end)
{
    const bodies *b = p->b;
    const double t = free_time(p->d);
    uint32_t ball[ROTATE_BLOCK];
    size_t balls = 0;
    for (size_t i = begin; i < end; i++) {
        double *q = &p->d->q_mid[7 * i];
        if (b->kind[i] != MO_BODY_DYNAMIC)
            continue;
        vec3_add_scaled(q, t, &b->u[6 * i], q);
        // the rotation by nothing may turn the last bit
        if (p->d->sleeping && !turns(&b->u[6 * i + 3]))
            continue;
        if (!b->oriented[i]) {
            ball[balls++] = (uint32_t)i;
            continue;
        }
        double *u = &p->start[6 * i];
        body_rotate(b, i, t, q, u + 3);
        body_spin_world(b, i, q, u + 3, u + 3);
    }
    rotate_balls(ball, balls, t, b->u, p->d->q_mid);
}

static void move_chunk3(void *data, size_t chunk, size_t begin, size_t end)
{
    const prediction *p = data;
    const bodies *b = p->b;
    (void)chunk;
    memcpy(&p->d->q_mid[7 * begin], &b->q[7 * begin], 7 * (end - begin) * sizeof *b->q);
    if (p->start != NULL)
        memcpy(&p->start[6 * begin], &b->u[6 * begin], 6 * (end - begin) * sizeof *b->u);
    for (size_t i = begin; i < end; i += ROTATE_BLOCK)
        move_block3(p, i, i + ROTATE_BLOCK < end ? i + ROTATE_BLOCK : end);
}

// out := u + h A⁻¹ load for the spin of a body in 3D
static inline void free_spin(const bodies *b, const stage_data *d, size_t i, const double *u,
                             const double *load, double *out)
{
    memcpy(out, u, 3 * sizeof *out);
    // most bodies have no such load, and the inverse takes long
    if (load[0] == 0 && load[1] == 0 && load[2] == 0)
        return;
    double inverse[6], change[3];
    body_inverse_inertia(b, i, &d->q_mid[7 * i], inverse);
    symmetric3_times(inverse, load, change);
    vec3_add_scaled(u, d->h, change, out);
}

// u_free = u_start + h A⁻¹ F, F = gravity and loads at mid step
static void free_chunk(void *data, size_t chunk, size_t begin, size_t end)
{
    const prediction *p = data;
    const bodies *b = p->b;
    const stage_data *d = p->d;
    (void)chunk;
    for (size_t i = begin; i < end; i++) {
        if (b->kind[i] != MO_BODY_DYNAMIC)
            continue;
        const double *inv = &b->inv[3 * i], *load = body_load(b, i), *u = &d->u_start[b->nu * i];
        double *out = &d->u_free[b->nu * i];
        for (size_t k = 0; k < 3; k++) {
            double g = inv[k] > 0 && k < b->dim ? d->gravity[k] : 0;
            out[k] = u[k] + d->h * (g + inv[k] * load[k]);
        }
        if (b->dim == 3)
            free_spin(b, d, i, u + 3, load + 3, out + 3);
    }
}

// whether some spin changes, or is not in world axes
static bool some_turn(const bodies *b)
{
    for (size_t i = 0; b->dim == 3 && i < b->count; i++)
        if (b->oriented[i] && b->kind[i] == MO_BODY_DYNAMIC)
            return true;
    return false;
}

mo_status predict(bodies *b, arena *a, pool *threads, stage_data *d, mo_error *err)
{
    const size_t n = b->count;
    // with another theta u_i is asked for when u is u_f already (gap_after)
    const bool turn = some_turn(b), copy = turn || d->theta != 0.5;
    prediction p = {b, d, copy ? arena_push(a, b->nu * n, sizeof *p.start) : NULL};
    d->q_mid = arena_push(a, b->nq * n, sizeof *d->q_mid);
    d->u_free = arena_push_zero(a, b->nu * n, sizeof *d->u_free);
    // loads given by functions are written where the constant ones stand: they are loads of this step
    d->applied = b->load;
    if ((copy && p.start == NULL) || d->q_mid == NULL || d->u_free == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "out of memory for the step");
    d->u_start = copy ? p.start : b->u;
    parallel_for(threads, n, BODIES, b->dim == 2 ? move_chunk2 : move_chunk3, &p);
    for (size_t k = 0; k < b->function_count; k++) {
        mo_status s = call_functions(b, d, &b->functions[k], d->t + 0.5 * d->h, err);
        if (s != MO_OK)
            return s;
    }
    parallel_for(threads, n, BODIES, free_chunk, &p);
    return MO_OK;
}

detect_view bodies_view(const bodies *b, const double *q)
{
    return (detect_view){
        .dim = b->dim,
        .nq = b->nq,
        .nu = b->nu,
        .count = b->count,
        .id = b->id,
        .q = q,
        .u = b->u,
        .radius = b->radius,
        .size = b->size,
        .kind = b->kind,
        .group = b->group,
        .touches = b->touches,
        .apart = b->apart,
        .apart_count = b->apart_count,
        .lone = b->lone,
        .part_first = b->part_first,
        .part_count = b->part_count,
        .vertex_first = b->vertex_first,
        .parts = b->parts,
        .vertices = b->vertices,
        .face_first = b->face_first,
        .faces = b->faces,
        .cell = b->cell,
    };
}
