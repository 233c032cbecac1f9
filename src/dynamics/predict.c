/*
 * predict: everything of the step that needs no contact (M99 §8.3 up to the choice of J).
 */
#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "dynamics/stage.h"

static bool finite3(const double v[3])
{
    return isfinite(v[0]) && isfinite(v[1]) && isfinite(v[2]);
}

// loads, boundary velocities and radii at mid step; boundary positions go to q_mid
static mo_status call_functions(bodies *b, stage_data *d, const body_functions *f, double t, mo_error *err)
{
    size_t i = f->slot;
    if (f->load != NULL) {
        double *a = &d->applied[3 * i];
        mo_status s = f->load(f->load_data, t, a, &a[2], err);
        if (s != MO_OK)
            return s;
        if (!finite3(a))
            return fail(err, MO_BAD_INPUT, "applied_force",
                        "body %u at t = %g: found a load that is not finite", (unsigned)b->id[i], t);
    }
    if (f->motion != NULL) {
        mo_motion m = {{0}, {0}};
        mo_status s = f->motion(f->motion_data, t, &m, err);
        if (s != MO_OK)
            return s;
        if (!finite3(m.q) || !finite3(m.u))
            return fail(err, MO_BAD_INPUT, "motion",
                        "body %u at t = %g: found a position or velocity that is not finite",
                        (unsigned)b->id[i], t);
        memcpy(&d->q_mid[3 * i], m.q, sizeof m.q);
        memcpy(&d->u_free[3 * i], m.u, sizeof m.u);
    }
    if (f->radius != NULL) {
        double r = 0, rate = 0;
        mo_status s = f->radius(f->radius_data, t, &r, &rate, err);
        if (s != MO_OK)
            return s;
        if (!(r > 0) || !isfinite(r) || !isfinite(rate))
            return fail(err, MO_BAD_INPUT, "radius", "body %u at t = %g: found %g, expected a radius > 0",
                        (unsigned)b->id[i], t, r);
        for (uint32_t k = b->part_first[i]; k < b->part_first[i] + b->part_count[i]; k++) {
            if (b->parts[k].kind != MO_PART_DISC)
                continue;
            b->parts[k].radius = r;
            b->radius_rate[k] = rate;
        }
        b->radius[i] = b->thickness[i] = r;
        b->size[i] = 2 * r;
    }
    return MO_OK;
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
        .part_first = b->part_first,
        .part_count = b->part_count,
        .vertex_first = b->vertex_first,
        .parts = b->parts,
        .vertices = b->vertices,
    };
}
