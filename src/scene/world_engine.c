/*
 * A world as the engine of a run: frames of bodies and contacts, a record of the solver for every step.
 */
#include "scene/engine.h"

#include "core/fail.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void begin(scene *s)
{
    s->built = mo_world_bodies(s->world).created;
    // what callbacks do before the first step is told as work, like what they do later
    mo_world_begin(s->world);
}

/* a frame that stands before the first step begins the balance too */
static mo_status resume(scene *s, mo_run *run, const char *path, mo_error *err)
{
    mo_status status = scene_resume(s, run, path, err);
    if (status == MO_OK)
        mo_world_begin(s->world);
    return status;
}

static int64_t steps(const scene *s)
{
    return mo_world_info_get(s->world).steps;
}

static mo_status open_recorder(scene *s, const char *path, const mo_recorder_def *def, bool append,
                               mo_recorder **out, mo_error *err)
{
    return append ? mo_recorder_resume(path, def, s->world, out, err)
                  : mo_recorder_create(path, def, s->world, out, err);
}

static void warn_overlap(scene *s, const mo_world_info *info)
{
    if (info->steps != 1 || !(info->start_overlap > 1e-12))
        return;
    const bool resolve = s->world_def.overlap == MO_OVERLAP_RESOLVE;
    if (resolve && info->overlap_left > 0)
        scene_say(
            s,
            "warning: bodies overlap at the start, by up to %.3g m; they were moved, and still overlap by "
            "up to %.3g m",
            info->start_overlap, info->overlap_left);
    else
        scene_say(s, "warning: bodies overlap at the start, by up to %.3g m; %s", info->start_overlap,
                  resolve ? "they were moved apart first"
                          : "overlaps = \"resolve\" in world{...} moves them apart first");
}

static mo_status step(scene *s, bool *sound, mo_error *err)
{
    scene_dump_before(s);
    mo_status status = scene_run_servos(s, err);
    if (status == MO_OK)
        status = scene_run_cell(s, err);
    if (status != MO_OK)
        return status;
    s->in_step = true;
    status = mo_world_step(s->world, err);
    s->in_step = false;
    if (status != MO_OK)
        return status;
    mo_world_info info = mo_world_info_get(s->world);
    warn_overlap(s, &info);
    *sound = info.solver.finite && isfinite(info.energy.kinetic) && isfinite(info.energy.potential);
    return scene_dump_after(s, err);
}

static void progress(const scene *s, scene_progress *p)
{
    mo_world_info info = mo_world_info_get(s->world);
    p->contacts = info.contacts;
    p->iterations = info.solver.iterations;
    p->residual = info.solver.certificate.residual;
}

static mo_status record_step(scene *s, mo_recorder *rec, mo_error *err)
{
    return mo_recorder_step(rec, s->world, err);
}

static mo_status record_row(scene *s, mo_recorder *rec, double t, const double *values, mo_error *err)
{
    (void)t;
    return mo_recorder_series(rec, s->world, values, err);
}

static mo_status record_frame(scene *s, mo_recorder *rec, bool due, mo_error *err)
{
    mo_frame_extra extra;
    char *text = NULL;
    const size_t columns = s->body_observers.count;
    double *observed = malloc((columns * mo_world_bodies(s->world).count + 1) * sizeof *observed);
    mo_status status =
        observed != NULL ? MO_OK : fail(err, MO_NO_MEMORY, NULL, "out of memory for columns of bodies");
    if (status == MO_OK && !due)
        status = engine_extra(s, &extra, &text, err);
    if (status == MO_OK)
        status = scene_run_body_observers(s, observed, err);
    if (status == MO_OK && due)
        status = engine_extra(s, &extra, &text, err);
    if (status == MO_OK) {
        extra.observed = columns > 0 ? observed : NULL;
        status = mo_recorder_frame(rec, s->world, &extra, err);
    }
    free(observed);
    free(text);
    return status;
}

static mo_status settle(scene *s, mo_recorder *rec, bool must, mo_error *err)
{
    (void)s, (void)rec, (void)must, (void)err;
    return MO_OK;
}

static int push_end(lua_State *L)
{
    (void)L;
    return 0;
}

/* The largest of some numbers by size, one that is no finite number before all others. */
typedef struct largest {
    double size; /* HUGE_VAL: no finite number; 0: there are none but zeros */
    size_t place;
} largest;

static largest largest_of(size_t count, size_t width, const double *numbers)
{
    largest found = {0, 0};
    for (size_t i = 0; i < width * count; i++) {
        const double size = isfinite(numbers[i]) ? fabs(numbers[i]) : HUGE_VAL;
        if (size > found.size)
            found = (largest){size, i / width};
    }
    return found;
}

/* where to look for what grew beyond bounds: the body or the contact with the largest number; nothing when
   there is none to be seen */
static void where_large(const scene *s, char *text, size_t size)
{
    const mo_bodies b = mo_world_bodies(s->world);
    const mo_contacts c = mo_world_contacts(s->world);
    const size_t dim = (size_t)s->world_def.dim, nu = dim == 2 ? 3 : 6;
    const largest speed = largest_of(b.count, nu, b.u), mass = largest_of(b.count, 1, b.mass),
                  impulse = largest_of(c.count, dim, c.impulse);
    const double most = fmax(speed.size, fmax(mass.size, impulse.size));
    text[0] = '\0';
    if (most == 0)
        return;
    if (isinf(speed.size))
        snprintf(text, size, ": body %u has a velocity that is no finite number", b.id[speed.place]);
    else if (isinf(impulse.size))
        snprintf(text, size, ": the contact of bodies %u and %u has an impulse that is no finite number",
                 c.id1[impulse.place], c.id2[impulse.place]);
    else if (speed.size == most)
        snprintf(text, size, ": numbers are too large; body %u moves or turns fastest, at %.3g",
                 b.id[speed.place], most);
    else if (mass.size == most)
        snprintf(text, size, ": numbers are too large; body %u has the largest mass, %.3g kg",
                 b.id[mass.place], most);
    else
        snprintf(text, size,
                 ": numbers are too large; the contact of bodies %u and %u has the largest impulse, %.3g N s",
                 c.id1[impulse.place], c.id2[impulse.place], most);
}

static void why_ended(const scene *s, char *text, size_t size)
{
    char where[120];
    where_large(s, where, sizeof where);
    snprintf(text, size, "NaN at step %lld%s", (long long)steps(s), where);
}

static bool missed(const scene *s, char *text, size_t size)
{
    mo_world_info info = mo_world_info_get(s->world);
    if (info.unconverged_steps == 0)
        return false;
    char joints[64] = "";
    if (info.joints_apart > 0)
        snprintf(joints, sizeof joints, ", joints off by up to %.3g", info.joints_apart);
    snprintf(text, size, "%lld of %lld steps did not reach the tolerance%s (worst residual %.3g%s)",
             (long long)info.unconverged_steps, (long long)info.steps,
             info.joints_apart > 0 ? " or left joints apart" : "", info.worst_residual, joints);
    return true;
}

static void warn_fast(scene *s, const mo_world_info *info)
{
    if (info->fast_bodies == 0)
        return;
    // a resumed run knows how often it happened before, not where
    char first[96] = "";
    if (info->fast_body1.id != 0)
        snprintf(first, sizeof first, ", %s bodies %u and %u at t = %.6g s",
                 s->resuming ? "since resuming first" : "first", info->fast_body1.id, info->fast_body2.id,
                 info->fast_time);
    scene_say(s,
              "warning: %lld times a body was fast enough to pass through another in one step%s; a smaller h "
              "helps",
              (long long)info->fast_bodies, first);
}

static void warn_apart(scene *s, const mo_world_info *info)
{
    if (info->joints_apart > 0)
        scene_say(s,
                  "warning: joints or their limits were off by up to %.3g of their size (or rad), first at "
                  "t = %.6g s; a smaller h helps",
                  info->joints_apart, info->apart_time);
}

static void warn_blocked(scene *s, const mo_world_info *info)
{
    if (info->blocked_joint.id != 0)
        scene_say(
            s,
            "warning: the motor of joint %u runs against its limit, first at t = %.6g s, and nothing bounds "
            "its load: no step can hold both; give it a max_torque or max_force",
            info->blocked_joint.id, info->blocked_time);
}

static void warn_leap(scene *s, const mo_world_info *info)
{
    if (info->leap > 0)
        scene_say(
            s,
            "warning: the motion of body %u leaps by up to %.3g m in a step, first at t = %.6g s, where "
            "its derivative says that it stands: what it touches is not taken along; join its values by "
            "lines or curves",
            info->leap_body.id, info->leap, info->leap_time);
}

static void warn_unheld(scene *s, const mo_world_info *info)
{
    if (info->unheld_steps > 0)
        scene_say(s,
                  "warning: in %lld steps, first at t = %.6g s, contacts closed whatever the impulses, which "
                  "only grew until the residual, relative to them, met the tolerance: boundaries that leave "
                  "bodies no room? or a tolerance too large",
                  (long long)info->unheld_steps, info->unheld_time);
}

/* slots of the lightest and the heaviest dynamic body with a contact in the last step; none: false */
static bool mass_range(const scene *s, const mo_bodies *b, size_t *light, size_t *heavy)
{
    const mo_contacts c = mo_world_contacts(s->world);
    *light = *heavy = SIZE_MAX;
    for (size_t i = 0; i < 2 * c.count; i++) {
        const size_t k = mo_world_slot(s->world, (mo_body){i % 2 == 0 ? c.id1[i / 2] : c.id2[i / 2]});
        if (k == SIZE_MAX || b->kind[k] != MO_BODY_DYNAMIC)
            continue;
        if (*light == SIZE_MAX || b->mass[k] < b->mass[*light])
            *light = k;
        if (*heavy == SIZE_MAX || b->mass[k] > b->mass[*heavy])
            *heavy = k;
    }
    return *light != SIZE_MAX;
}

/* The residual is relative to the impulses of all contacts: tol of those of the heaviest body is tol times
   the ratio of the masses of what the lightest needs. */
static void warn_masses(scene *s)
{
    const double tol = s->world_def.solver.tol;
    const mo_bodies b = mo_world_bodies(s->world);
    size_t light, heavy;
    if (!mass_range(s, &b, &light, &heavy) || !(tol * b.mass[heavy] > 0.1 * b.mass[light]))
        return;
    scene_say(
        s,
        "warning: bodies %u and %u of the contacts at the end have masses of %.3g kg and %.3g kg: above a "
        "ratio of 0.1/tol = %.3g the residual says little of the lighter; a smaller tol helps",
        b.id[light], b.id[heavy], b.mass[light], b.mass[heavy], 0.1 / tol);
}

static void fill(scene *s, scene_result *out)
{
    out->info = mo_world_info_get(s->world);
    out->hash = mo_world_hash(s->world);
    warn_fast(s, &out->info);
    warn_apart(s, &out->info);
    warn_blocked(s, &out->info);
    warn_leap(s, &out->info);
    warn_unheld(s, &out->info);
    warn_masses(s);
}

const scene_engine world_engine = {.kind = "world",
                                   .begin = begin,
                                   .resume = resume,
                                   .steps = steps,
                                   .open_recorder = open_recorder,
                                   .step = step,
                                   .progress = progress,
                                   .record_step = record_step,
                                   .record_row = record_row,
                                   .record_frame = record_frame,
                                   .settle = settle,
                                   .frame_at_interruption = true,
                                   .push_end = push_end,
                                   .why_ended = why_ended,
                                   .missed = missed,
                                   .fill = fill};
