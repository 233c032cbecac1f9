/*
 * A sweeping process as the engine of a run: rows of the path, events, and checkpoints to go on from.
 */
#include "scene/engine.h"
#include "scene/process.h"

#include "core/fail.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int64_t steps(const scene *s)
{
    return mo_sweep_info_get(s->process->sweep)->steps;
}

static bool is_discs(const process *p)
{
    return p->set->kind == MO_MOVING_DISCS;
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
    if (status != MO_OK)
        return status;
    *sound = process_sound(p);
    mo_sweep_events events = mo_sweep_events_get(p->sweep);
    warn_outside(s, &events);
    return process_take_events(p) ? MO_OK : fail(err, MO_NO_MEMORY, "events", "out of memory");
}

static void progress(const scene *s, scene_progress *p)
{
    const mo_sweep_info *info = mo_sweep_info_get(s->process->sweep);
    p->contacts = info->active;
    p->iterations = info->iterations;
    p->residual = info->violation;
}

static int push_end(lua_State *L)
{
    process_push_field(L, scene_of(L)->process, "x");
    return 1;
}

/* ---- recording ------------------------------------------------------------------------------------- */

static mo_status open_recorder(scene *s, const char *path, const mo_recorder_def *def, bool append,
                               mo_recorder **out, mo_error *err)
{
    process *p = s->process;
    p->first_t = append ? 0 : mo_sweep_info_get(p->sweep)->time;
    mo_path_def path_def = {
        .kind = "sweep", .method = s->solver_name, .h = s->h, .coordinates = p->n, .multipliers = p->m};
    if (is_discs(p)) {
        path_def.disc_count = p->n / 2;
        path_def.radius = p->set->radius;
        path_def.wall_count = p->set->wall_count;
        path_def.walls = p->set->walls;
    }
    return append ? mo_recorder_resume_path(path, def, &path_def, out, err)
                  : mo_recorder_create_path(path, def, &path_def, out, err);
}

static mo_status record_step(scene *s, mo_recorder *rec, mo_error *err)
{
    mo_sweep_events events = mo_sweep_events_get(s->process->sweep);
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

static mo_status grow_holds(process *p, size_t count, mo_error *err)
{
    if (count <= p->hold_capacity)
        return MO_OK;
    size_t capacity = 2 * count;
    uint32_t *pairs = realloc(p->hold_pair, 2 * capacity * sizeof *pairs);
    if (pairs != NULL)
        p->hold_pair = pairs;
    double *lambda = realloc(p->hold_lambda, capacity * sizeof *lambda);
    if (lambda != NULL)
        p->hold_lambda = lambda;
    if (pairs == NULL || lambda == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "out of memory");
    p->hold_capacity = capacity;
    return MO_OK;
}

/* what touches what, for pictures of discs */
static mo_status fill_holds(process *p, mo_path_row *row, mo_error *err)
{
    size_t count;
    const mo_sweep_hold *holds = mo_sweep_holds(p->sweep, &count);
    mo_status status = grow_holds(p, count, err);
    if (status != MO_OK)
        return status;
    for (size_t i = 0; i < count; i++) {
        p->hold_pair[2 * i] = (uint32_t)holds[i].first;
        p->hold_pair[2 * i + 1] = (uint32_t)holds[i].second;
        p->hold_lambda[i] = holds[i].lambda;
    }
    row->hold_count = count;
    row->hold_pair = p->hold_pair;
    row->hold_lambda = p->hold_lambda;
    return MO_OK;
}

static mo_status record_frame(scene *s, mo_recorder *rec, mo_error *err)
{
    process *p = s->process;
    const mo_sweep_info *info = mo_sweep_info_get(p->sweep);
    mo_path_row row = {
        .t = info->time, .step = info->steps, .x = mo_sweep_x(p->sweep), .lambda = mo_sweep_lambda(p->sweep)};
    mo_status status = is_discs(p) ? fill_holds(p, &row, err) : MO_OK;
    return status == MO_OK ? mo_recorder_path_row(rec, &row, err) : status;
}

static mo_status settle(scene *s, mo_recorder *rec, bool must, mo_error *err)
{
    if (!must && !mo_recorder_checkpoint_due(rec))
        return MO_OK;
    process *p = s->process;
    const mo_sweep_info *info = mo_sweep_info_get(p->sweep);
    /* the size changes with what holds the point */
    size_t size = mo_sweep_state_size(p->sweep);
    void *saved = malloc(size + 1);
    if (saved == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "out of memory");
    mo_sweep_save(p->sweep, saved);
    mo_checkpoint c = {.t = info->time, .step = info->steps, .state = saved, .state_size = size};
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
    return process_outlines(s->process, rec, err);
}

/* ---- going on ---------------------------------------------------------------------------------------- */

static mo_status check_run(const scene *s, const mo_run_info *info, mo_error *err)
{
    const process *p = s->process;
    if (strcmp(info->kind, "sweep") != 0)
        return scene_differs(s, err, "it is the run of a %s", info->kind);
    if (info->h != s->h)
        return scene_differs(s, err, "h is %.17g in the scene and %.17g in the file", s->h, info->h);
    if (info->coordinates != p->n || info->multipliers != p->m)
        return scene_differs(s, err, "%zu coordinates and %zu gaps in the scene, %zu and %zu in the file",
                             p->n, p->m, info->coordinates, info->multipliers);
    if (strcmp(info->solver, s->solver_name) != 0)
        return scene_differs(s, err, "the method is %s in the scene and %s in the file", s->solver_name,
                             info->solver);
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
static mo_status take_range(process *p, mo_run *run, mo_error *err)
{
    mo_run_path path;
    mo_status status = mo_run_path_get(run, &path, err);
    for (size_t k = 0; status == MO_OK && k < path.rows; k++)
        process_widen(p, path.x + k * p->n);
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
    if (status == MO_OK)
        status = mo_sweep_restore(p->sweep, c.state, c.state_size, err);
    if (status == MO_OK)
        status = take_events(p, run, &c, err);
    if (status == MO_OK)
        status = take_range(p, run, err);
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
    snprintf(text, size, "%s", mo_sweep_info_get(s->process->sweep)->message);
}

static bool missed(const scene *s, char *text, size_t size)
{
    const mo_sweep_info *info = mo_sweep_info_get(s->process->sweep);
    if (info->unconverged_steps == 0)
        return false;
    const char *first = s->process->trouble;
    snprintf(text, size, "%lld of %lld steps did not reach the tolerance (worst violation %.3g)%s%s",
             (long long)info->unconverged_steps, (long long)info->steps, info->worst_violation,
             first[0] != '\0' ? "; first: " : "", first);
    return true;
}

static double *copy(const double *x, size_t n)
{
    double *out = malloc((n + 1) * sizeof *out);
    if (out != NULL && n > 0)
        memcpy(out, x, n * sizeof *out);
    return out;
}

static void fill(scene *s, scene_result *out)
{
    const process *p = s->process;
    out->sweep = *mo_sweep_info_get(p->sweep);
    out->hash = mo_sweep_hash(p->sweep);
    out->coordinates = p->n;
    out->multipliers = p->m;
    out->q = copy(mo_sweep_x(p->sweep), p->n);
    out->lambda = copy(mo_sweep_lambda(p->sweep), p->m);
    out->events_json = json_dumps(p->events, JSON_COMPACT | JSON_REAL_PRECISION(17));
    /* what every kind of run has */
    out->info.time = out->sweep.time;
    out->info.steps = out->sweep.steps;
    out->info.h = s->h;
    if (p->events_lost)
        scene_say(s, "warning: of the events only the first %zu are listed", json_array_size(p->events));
}

const scene_engine sweep_engine = {.kind = "sweep",
                                   .resume = resume,
                                   .steps = steps,
                                   .open_recorder = open_recorder,
                                   .step = step,
                                   .progress = progress,
                                   .record_step = record_step,
                                   .record_row = record_row,
                                   .record_frame = record_frame,
                                   .settle = settle,
                                   .record_after = record_after,
                                   .push_end = push_end,
                                   .why_ended = why_ended,
                                   .missed = missed,
                                   .fill = fill};
