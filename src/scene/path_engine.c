/*
 * A process as the engine of a run: rows of the path, events, and checkpoints to go on from.
 */
#include "scene/engine.h"
#include "scene/process.h"

#include "core/fail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static process_facts facts_of(const scene *s)
{
    return s->process->ops->facts(s->process);
}

static int64_t steps(const scene *s)
{
    return facts_of(s).steps;
}

/* ---- stepping ------------------------------------------------------------------------------------- */

static void warn_outside(scene *s, const mo_sweep_events *events)
{
    for (size_t i = 0; i < events->count; i++)
        if (events->items[i].type == MO_EVENT_OUTSIDE)
            scene_say(s, "warning: the start lies outside the set, by %.3g; it is projected first",
                      events->items[i].size);
}

static mo_status step(scene *s, bool *sound, mo_error *err)
{
    process *p = s->process;
    mo_status status = process_step(p, err);
    if (status == MO_BAD_INPUT)
        fail_at(err, s->options->path, s->engine_line);
    if (status != MO_OK)
        return status;
    *sound = facts_of(s).sound;
    mo_sweep_events events = p->ops->events(p);
    warn_outside(s, &events);
    return process_take_events(p) ? MO_OK : fail(err, MO_NO_MEMORY, "events", "out of memory");
}

static void progress(const scene *s, scene_progress *p)
{
    process_facts now = facts_of(s);
    p->contacts = now.active;
    p->iterations = now.iterations;
    p->residual = now.residual;
}

static int push_end(lua_State *L)
{
    const process *p = scene_of(L)->process;
    process_facts now = p->ops->facts(p);
    scene_push_numbers(L, now.x, p->n);
    if (now.u == NULL)
        return 1;
    scene_push_numbers(L, now.u, p->n);
    return 2;
}

/* ---- recording ------------------------------------------------------------------------------------- */

static mo_status open_recorder(scene *s, const char *path, const mo_recorder_def *def, bool append,
                               mo_recorder **out, mo_error *err)
{
    process *p = s->process;
    mo_path_def path_def = {.kind = p->ops->kind,
                            .method = s->solver_name,
                            .h = s->h,
                            .coordinates = p->n,
                            .velocities = facts_of(s).u != NULL,
                            .multipliers = p->m};
    if (p->ops->describe != NULL)
        p->ops->describe(p, &path_def, append);
    return append ? mo_recorder_resume_path(path, def, &path_def, out, err)
                  : mo_recorder_create_path(path, def, &path_def, out, err);
}

static mo_status record_step(scene *s, mo_recorder *rec, mo_error *err)
{
    mo_sweep_events events = s->process->ops->events(s->process);
    mo_status status = MO_OK;
    for (size_t i = 0; i < events.count && status == MO_OK; i++) {
        mo_path_event event = process_event(&events, i);
        status = mo_recorder_path_event(rec, &event, err);
    }
    return status;
}

static mo_status record_row(scene *s, mo_recorder *rec, double t, const double *values, mo_error *err)
{
    (void)s;
    return mo_recorder_path_series(rec, t, values, err);
}

static mo_status record_frame(scene *s, mo_recorder *rec, bool due, mo_error *err)
{
    (void)due;
    process *p = s->process;
    process_facts now = facts_of(s);
    mo_path_row row = {
        .t = now.time, .step = now.steps, .x = now.x, .u = now.u, .lambda = now.lambda, .gap = now.gap};
    mo_status status = p->ops->fill_row != NULL ? p->ops->fill_row(p, &row, err) : MO_OK;
    return status == MO_OK ? mo_recorder_path_row(rec, &row, err) : status;
}

static mo_status settle(scene *s, mo_recorder *rec, bool must, mo_error *err)
{
    if (!must && !mo_recorder_checkpoint_due(rec))
        return MO_OK;
    process *p = s->process;
    process_facts now = facts_of(s);
    /* the size changes with what holds the point */
    size_t size = p->ops->state_size(p);
    void *saved = malloc(size + 1);
    if (saved == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "out of memory");
    p->ops->save(p, saved);
    mo_checkpoint c = {.t = now.time, .step = now.steps, .state = saved, .state_size = size};
    char *text = NULL;
    mo_status status = engine_extra(s, &c.extra, &text, err);
    if (status == MO_OK)
        status = mo_recorder_checkpoint(rec, &c, err);
    free(text);
    free(saved);
    return status;
}

static mo_status record_after(scene *s, mo_recorder *rec, mo_error *err)
{
    const process_ops *ops = s->process->ops;
    return ops->after != NULL ? ops->after(s->process, rec, err) : MO_OK;
}

/* ---- going on ---------------------------------------------------------------------------------------- */

static mo_status check_run(const scene *s, const mo_run_info *info, mo_error *err)
{
    const process *p = s->process;
    if (strcmp(info->kind, p->ops->kind) != 0)
        return scene_differs(s, err, "it is the run of a %s", info->kind);
    if (info->h != s->h)
        return scene_differs(s, err, "h is %.17g in the scene and %.17g in the file", s->h, info->h);
    if (info->coordinates != p->n || info->multipliers != p->m)
        return scene_differs(s, err, "%zu coordinates and %zu gaps in the scene, %zu and %zu in the file",
                             p->n, p->m, info->coordinates, info->multipliers);
    if (strcmp(info->solver, s->solver_name) != 0)
        return scene_differs(s, err, "the %s is %s in the scene and %s in the file", p->ops->by,
                             s->solver_name, info->solver);
    return MO_OK;
}

/* events up to the checkpoint, for the list of the whole run; a run that met an error may hold later ones */
static mo_status take_events(process *p, mo_run *run, const mo_checkpoint *c, mo_error *err)
{
    mo_run_events events;
    mo_status status = mo_run_events_get(run, &events, err);
    if (c->step == 0)
        return status;
    for (size_t i = 0; status == MO_OK && i < events.count && events.t[i] <= c->t; i++) {
        size_t first = events.gap_first[i];
        mo_path_event event = {.t = events.t[i],
                               .size = events.size[i],
                               .type = events.type[i],
                               .gap_count = events.gap_first[i + 1] - first,
                               .gaps = events.gaps + first};
        if (!process_add_event(p, &event))
            status = fail(err, MO_BAD_FILE, "events", "the events of the file cannot be read");
    }
    return status;
}

/* rows of before, for the range of the path */
static mo_status take_rows(process *p, mo_run *run, mo_error *err)
{
    mo_run_path path;
    if (p->ops->take_row == NULL)
        return MO_OK;
    mo_status status = mo_run_path_get(run, &path, err);
    for (size_t k = 0; status == MO_OK && k < path.rows; k++)
        p->ops->take_row(p, path.x + k * p->n);
    return status;
}

static mo_status resume(scene *s, mo_run *run, const char *path, mo_error *err)
{
    process *p = s->process;
    mo_checkpoint c;
    uint32_t created = 0;
    mo_status status = check_run(s, mo_run_info_get(run), err);
    if (status == MO_OK)
        status = mo_run_checkpoint(run, &c, err);
    if (status == MO_OK)
        status = scene_read_state(s, c.extra.state_text, &created, err);
    /* what the chunk builds is the state at t = 0, with the events of the start still to come */
    if (status == MO_OK && c.step > 0)
        status = p->ops->restore(p, c.state, c.state_size, err);
    if (status == MO_OK)
        status = take_events(p, run, &c, err);
    if (status == MO_OK)
        status = take_rows(p, run, err);
    if (status != MO_OK) {
        fail_at(err, path, 0);
        return status;
    }
    s->random = (rng){c.extra.random[0], c.extra.random[1]};
    scene_skip_timed(s, c.step);
    return MO_OK;
}

/* ---- the outcome --------------------------------------------------------------------------------------- */

static void why_ended(const scene *s, char *text, size_t size)
{
    snprintf(text, size, "%s", facts_of(s).message);
}

static bool missed(const scene *s, char *text, size_t size)
{
    process_facts now = facts_of(s);
    if (now.unconverged_steps == 0)
        return false;
    const char *first = s->process->trouble;
    snprintf(text, size, "%lld of %lld steps did not reach the tolerance (worst violation %.3g)%s%s",
             (long long)now.unconverged_steps, (long long)now.steps, now.worst_violation,
             first[0] != '\0' ? "; first: " : "", first);
    return true;
}

static double *copy(const double *x, size_t n)
{
    double *out = x != NULL ? malloc((n + 1) * sizeof *out) : NULL;
    if (out != NULL && n > 0)
        memcpy(out, x, n * sizeof *out);
    return out;
}

static void fill(scene *s, scene_result *out)
{
    const process *p = s->process;
    process_facts now = facts_of(s);
    p->ops->fill(p, out);
    out->coordinates = p->n;
    out->multipliers = p->m;
    out->q = copy(now.x, p->n);
    out->u = copy(now.u, p->n);
    out->lambda = copy(now.lambda, p->m);
    out->events_json = json_dumps(p->events, JSON_COMPACT | JSON_REAL_PRECISION(17));
    /* what every kind of run has */
    out->info.time = now.time;
    out->info.steps = now.steps;
    out->info.h = s->h;
    if (p->events_lost)
        scene_say(s, "warning: of the events only the first %zu are listed", json_array_size(p->events));
}

/* the two kinds differ in what is behind process_ops alone */
#define PATH_ENGINE(name)                                                                                    \
    {                                                                                                        \
        .kind = (name), .resume = resume, .steps = steps, .open_recorder = open_recorder, .step = step,      \
        .progress = progress, .record_step = record_step, .record_row = record_row,                          \
        .record_frame = record_frame, .settle = settle, .record_after = record_after, .push_end = push_end,  \
        .why_ended = why_ended, .missed = missed, .fill = fill                                               \
    }

const scene_engine sweep_engine = PATH_ENGINE("sweep");
const scene_engine system_engine = PATH_ENGINE("system");
