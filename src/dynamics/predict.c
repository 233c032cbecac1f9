/*
 * predict: everything of the step that needs no contact (M99 §8.3 up to the choice of J).
 */
#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "dynamics/stage.h"

static mo_status call_load(const bodies *b, stage_data *d, const body_functions *f, double t, mo_error *err)
{
    double *a = &d->applied[3 * (size_t)f->slot];
    mo_status s = f->load(f->load_data, t, a, &a[2], err);
    if (s == MO_OK && !(isfinite(a[0]) && isfinite(a[1]) && isfinite(a[2])))
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
    memcpy(&d->q_mid[3 * i], m.q, sizeof m.q);
    memcpy(&d->u_free[3 * i], m.u, sizeof m.u);
    return MO_OK;
}

static mo_status call_radius(bodies *b, const stage_data *d, body_functions *f, double t, mo_error *err)
{
    double r, end_rate;
    mo_status s = body_radius_at(b, f, d->t_next, &f->end_radius, &end_rate, err);
    if (s == MO_OK)
        s = body_radius_at(b, f, t, &r, &f->rate, err);
    if (s == MO_OK)
        body_set_radius(b, f->slot, r);
    return s;
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

// q_mid = q_i + h/2 u_i
static void move_to_middle(const bodies *b, stage_data *d)
{
    for (size_t k = 0; k < 3 * b->count; k++)
        d->q_mid[k] = b->q[k] + 0.5 * d->h * b->u[k];
}

// u_free = u_i + h A⁻¹ F, F = gravity and loads at mid step
static void free_velocities(const bodies *b, stage_data *d)
{
    for (size_t i = 0; i < b->count; i++) {
        if (b->kind[i] != MO_BODY_DYNAMIC)
            continue;
        const double *inv = &b->inv[3 * i], *load = &d->applied[3 * i], *u = &b->u[3 * i];
        double *out = &d->u_free[3 * i], weight[3] = {d->gravity[0], d->gravity[1], 0};
        for (int k = 0; k < 3; k++) {
            double g = inv[k] > 0 ? weight[k] : 0;
            out[k] = u[k] + d->h * (g + inv[k] * load[k]);
        }
    }
}

mo_status predict(bodies *b, arena *a, stage_data *d, mo_error *err)
{
    size_t n = b->count;
    d->q_mid = arena_push(a, 3 * n, sizeof *d->q_mid);
    d->u_free = arena_push_zero(a, 3 * n, sizeof *d->u_free);
    // loads given by functions are written where the constant ones stand: they are loads of this step
    d->applied = b->load;
    if (d->q_mid == NULL || d->u_free == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "out of memory for the step");
    move_to_middle(b, d);
    for (size_t k = 0; k < b->function_count; k++) {
        mo_status s = call_functions(b, d, &b->functions[k], d->t + 0.5 * d->h, err);
        if (s != MO_OK)
            return s;
    }
    free_velocities(b, d);
    return MO_OK;
}

detect_view bodies_view(const bodies *b, const double *q)
{
    return (detect_view){
        .count = b->count,
        .id = b->id,
        .q = q,
        .u = b->u,
        .radius = b->radius,
        .size = b->size,
        .kind = b->kind,
        .group = b->group,
        .touches = b->touches,
        .lone = b->lone,
        .part_first = b->part_first,
        .part_count = b->part_count,
        .vertex_first = b->vertex_first,
        .parts = b->parts,
        .vertices = b->vertices,
    };
}
