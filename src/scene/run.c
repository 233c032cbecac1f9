/*
 * The run loop: N = round(t_end / h) steps, t_k = k h; frames and rows of the time series at t = 0, at the
 * ends of steps when they are due, and at the end of the run.  What steps and is recorded is an engine
 * (engine.h).
 *
 * Frame j is due at the first end of step with t >= j every - h/2.
 */
#define _XOPEN_SOURCE 700 /* realpath */
#include "scene/session.h"

#include "core/fail.h"
#include "core/timer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- recording -------------------------------------------------------------------------------- */

static double index_after(double t, double h, double every)
{
    return floor((t + 0.5 * h) / every) + 1;
}

static bool is_due(const run_loop *r, double t, double index, double every)
{
    return t >= index * every - 0.5 * r->s->h;
}

static mo_status write_row(run_loop *r, double t, mo_error *err)
{
    mo_status status = scene_run_observers(r->s, t, r->row, err);
    if (status != MO_OK || r->recorder == NULL)
        return status;
    double start = seconds_now();
    status = r->s->engine->record_row(r->s, r->recorder, t, r->row, err);
    r->record_seconds += seconds_now() - start;
    return status;
}

mo_status engine_extra(scene *s, mo_frame_extra *out, char **text, mo_error *err)
{
    mo_status status = scene_write_state(s, text, err);
    if (status == MO_OK)
        json_array_clear(s->live_new);
    *out = (mo_frame_extra){{s->random.state, s->random.stream}, *text, NULL};
    return status;
}

/* due: a run that goes on through this time has the frame too */
static mo_status write_frame(run_loop *r, bool due, mo_error *err)
{
    if (r->recorder == NULL || r->last_frame == r->step)
        return MO_OK;
    double start = seconds_now();
    const rng before = r->s->random;
    mo_status status = r->s->engine->record_frame(r->s, r->recorder, due, err);
    if (!due)
        r->s->random = before;
    if (status == MO_OK)
        r->last_frame = r->step;
    r->record_seconds += seconds_now() - start;
    return status;
}

static mo_status write_step(run_loop *r, mo_error *err)
{
    if (r->recorder == NULL)
        return MO_OK;
    double start = seconds_now();
    mo_status status = r->s->engine->record_step(r->s, r->recorder, err);
    r->record_seconds += seconds_now() - start;
    return status;
}

static mo_status settle(run_loop *r, bool must, mo_error *err)
{
    if (r->recorder == NULL)
        return MO_OK;
    double start = seconds_now();
    mo_status status = r->s->engine->settle(r->s, r->recorder, must, err);
    r->record_seconds += seconds_now() - start;
    return status;
}

/* What is due at the end of a step; the end of the run counts, an interruption may ask for the frame alone.
   The row of an end between two rows comes after what a resumed run goes on from, which has neither the row
   nor what the observers did for it, as one that was never stopped. */
static mo_status record_due(run_loop *r, double t, bool end, mo_error *err)
{
    scene *s = r->s;
    mo_status status = MO_OK;
    const bool row_due = is_due(r, t, r->next_row, s->series_every),
               frame_due = is_due(r, t, r->next_frame, s->every),
               asked = end || (r->interrupted && s->engine->frame_at_interruption);
    if (row_due) {
        status = write_row(r, t, err);
        r->next_row = index_after(t, s->h, s->series_every);
    }
    if (status == MO_OK && (frame_due || asked)) {
        status = write_frame(r, frame_due, err);
        r->next_frame = index_after(t, s->h, s->every);
    }
    if (status == MO_OK)
        status = settle(r, end || r->interrupted, err);
    return status == MO_OK && end && !row_due ? write_row(r, t, err) : status;
}

/* ---- stepping ----------------------------------------------------------------------------------- */

static scene_progress present(const run_loop *r)
{
    const scene *s = r->s;
    scene_progress p = {.time = (double)r->step * s->h,
                        .t_end = (double)r->last * s->h,
                        .step = r->step,
                        .steps = r->last,
                        .frame_step = r->last_frame,
                        .frames = r->recorder != NULL ? mo_recorder_frames(r->recorder) : 0};
    if (r->step > 0)
        s->engine->progress(s, &p);
    return p;
}

static void tell_progress(const run_loop *r)
{
    const scene_options *o = r->s->options;
    if (o->progress == NULL)
        return;
    scene_progress p = present(r);
    o->progress(o->data, &p);
}

/* what the watcher changed since it was last asked */
static void take_changes(run_loop *r, const scene_watch *w)
{
    const char *name, *text;
    while (w->change(w->data, &name, &text))
        scene_set_live(r->s, r->step, name, text);
}

/* lets the watcher see where the run stands, change it and hold it; a held run has all it recorded in its
 * file */
static mo_status attend(run_loop *r, mo_error *err)
{
    const scene_watch *w = r->s->options->watch;
    if (w == NULL)
        return MO_OK;
    mo_status status = MO_OK;
    scene_progress p = present(r);
    bool held = w->look(w->data, &p), settled = false;
    while (held && !scene_interrupted(r->s->options)) {
        if (!settled && r->recorder != NULL) {
            status = settle(r, true, err);
            if (status == MO_OK)
                status = mo_recorder_wait(r->recorder, err);
            if (status != MO_OK)
                return status;
            p = present(r);
        } else {
            w->wait(w->data);
        }
        settled = true;
        take_changes(r, w);
        held = w->look(w->data, &p);
    }
    take_changes(r, w);
    return MO_OK;
}

static mo_status advance(run_loop *r, mo_error *err)
{
    scene *s = r->s;
    mo_status status = s->engine->step(s, &r->sound, err);
    if (status == MO_STOPPED && scene_interrupted(s->options)) {
        r->interrupted = r->dropped = true;
        return MO_OK;
    }
    if (status != MO_OK)
        return status;
    r->step = s->engine->steps(s);
    tell_progress(r);
    return write_step(r, err);
}

static mo_status one_step(run_loop *r, mo_error *err)
{
    scene *s = r->s;
    double t = (double)r->step * s->h;
    mo_status status = attend(r, err);
    if (status == MO_OK)
        status = scene_fire_timed(s, t, err);
    if (status == MO_OK)
        status = scene_run_on_step(s, t, err);
    if (status == MO_OK)
        status = advance(r, err);
    if (status != MO_OK || !r->sound || r->dropped)
        return status;
    t = (double)r->step * s->h;
    status = scene_run_stop_when(s, t, &s->stopped, err);
    if (status != MO_OK)
        return status;
    bool end = s->stopped || r->step >= r->last;
    r->interrupted = !end && scene_interrupted(s->options);
    return record_due(r, t, end, err);
}

static bool goes_on(const run_loop *r)
{
    return r->step < r->last && !r->s->stopped && !r->interrupted && r->sound;
}

/* whether a resumed run that makes no step lacks the row of its end */
static bool lacks_row(const run_loop *r, double t)
{
    const scene *s = r->s;
    return r->resumed && !goes_on(r) && r->step > 0 &&
           !is_due(r, t, index_after(t - s->h, s->h, s->series_every), s->series_every);
}

/* what is recorded before the first step; a file that is continued has it */
static mo_status record_start(run_loop *r, double t, mo_error *err)
{
    scene *s = r->s;
    mo_status status = MO_OK;
    bool taken_over = r->last_frame == r->step;
    if (!r->resumed)
        status = write_row(r, t, err);
    if (status == MO_OK)
        status = write_frame(r, !r->resumed, err);
    r->next_frame = index_after(t, s->h, s->every);
    r->next_row = index_after(t, s->h, s->series_every);
    if (status == MO_OK && !taken_over)
        status = settle(r, true, err);
    return status == MO_OK && lacks_row(r, t) ? write_row(r, t, err) : status;
}

bool session_goes_on(const scene_session *session)
{
    return goes_on(&session->loop);
}

mo_status session_step(scene_session *session, mo_error *err)
{
    return one_step(&session->loop, err);
}

/* What is due at the scene's own end: after the last frame, so that a run resumed from there meets it again
   before its first step, as one that was never stopped does. */
static mo_status fire_last(run_loop *r, mo_error *err)
{
    scene *s = r->s;
    if (s->stopped || r->step < (int64_t)round(s->t_end / s->h))
        return MO_OK;
    mo_status status = scene_fire_timed(s, (double)r->step * s->h, err);
    if (status == MO_OK && s->timed_next < s->timed_count && s->timed[s->timed_next].time <= s->t_end)
        scene_say(s, "warning: at(%g, ...) was not called: it is due after the last step's end",
                  s->timed[s->timed_next].time);
    return status;
}

mo_status session_end(scene_session *session, mo_error *err)
{
    run_loop *r = &session->loop;
    scene *s = r->s;
    if (r->interrupted || !r->sound)
        return MO_OK;
    mo_status status = fire_last(r, err);
    s->phase = PHASE_END;
    return status == MO_OK ? scene_run_at_end(s, err) : status;
}

/* ---- beginning ---------------------------------------------------------------------------------- */

static bool same_file(const char *a, const char *b)
{
    struct stat sa, sb;
    if (strcmp(a, b) == 0)
        return true;
    return stat(a, &sa) == 0 && stat(b, &sb) == 0 && sa.st_dev == sb.st_dev && sa.st_ino == sb.st_ino;
}

/* absolute, where files named in the scene are looked for; NULL: it cannot be told */
static char *folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash != NULL ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    char *absolute = folder != NULL ? realpath(folder, NULL) : NULL;
    free(folder);
    return absolute;
}

static mo_status open_recorder(run_loop *r, mo_error *err)
{
    scene *s = r->s;
    const scene_options *o = s->options;
    if (o->output == NULL && o->resume == NULL)
        return MO_OK;
    char *text = malloc(o->text_length + 1);
    char *params = json_dumps(s->param_values, JSON_COMPACT | JSON_REAL_PRECISION(17));
    if (text == NULL || params == NULL) {
        free(text);
        free(params);
        return fail(err, MO_NO_MEMORY, NULL, "out of memory");
    }
    memcpy(text, o->text, o->text_length);
    text[o->text_length] = '\0';
    char *folder = folder_of(o->path);
    mo_recorder_def def = {.scene_name = o->name != NULL ? o->name : "",
                           .scene_text = text,
                           .scene_folder = folder,
                           .params_json = params,
                           .seed = s->seed,
                           .t_end = (double)r->last * s->h,
                           .every = s->every,
                           .solver = s->solver_name,
                           .series = (const char *const *)s->observed,
                           .series_count = s->observers.count,
                           .observed = (const char *const *)s->body_observed,
                           .observed_count = s->body_observers.count,
                           // a scene that never says the word makes none, neither now nor later
                           .joints = strstr(text, "joint") != NULL,
                           .background = !o->foreground};
    bool append = o->resume != NULL && (o->output == NULL || same_file(o->output, o->resume));
    double start = seconds_now();
    mo_status status =
        s->engine->open_recorder(s, append ? o->resume : o->output, &def, append, &r->recorder, err);
    r->record_seconds += seconds_now() - start;
    if (status == MO_OK && append)
        r->last_frame = r->step;
    free(folder);
    free(text);
    free(params);
    return status;
}

/* an end that the file is past: going on cannot lead there, and the file would then tell a false one */
static mo_status refuse_past(const run_loop *r, const char *key, mo_error *err)
{
    const double h = r->s->h;
    return fail(err, MO_USAGE, key,
                "asks for t = %.10g s (%lld steps), but the run file has reached t = %.10g s (%lld steps): "
                "expected an end that is not before",
                (double)r->last * h, (long long)r->last, (double)r->step * h, (long long)r->step);
}

static mo_status count_steps(run_loop *r, mo_error *err)
{
    const scene *s = r->s;
    const scene_options *o = s->options;
    const char *key = o->steps >= 0 ? "--steps" : o->until >= 0 ? "--until" : "t_end";
    double n = o->steps >= 0 ? (double)o->steps : round((o->until >= 0 ? o->until : s->t_end) / s->h);
    if (!(n <= 1e15))
        return fail(err, MO_USAGE, key, "expected at most 1e15 steps, got %.3g", n);
    r->last = (int64_t)n;
    if (r->last < r->step)
        return refuse_past(r, key, err);
    if (s->limits.max_steps >= 0 && r->last > r->step + s->limits.max_steps)
        r->last = r->step + s->limits.max_steps;
    return MO_OK;
}

/* opens the run to resume, whose seed and parameters the chunk needs */
static mo_status open_resumed(scene *s, const scene_options *options, mo_run **run, mo_error *err)
{
    mo_status status = mo_run_open(options->resume, run, err);
    if (status != MO_OK)
        return status;
    const mo_run_info *info = mo_run_info_get(*run);
    if (info->frames == 0) {
        fail(err, MO_BAD_FILE, NULL, "the run holds no complete frame to go on from");
        fail_at(err, options->resume, 0);
        return MO_BAD_FILE;
    }
    s->resuming = true;
    if (!options->seed_given)
        s->seed = info->seed;
    s->param_saved = json_loads(info->params_json, JSON_REJECT_DUPLICATES, NULL);
    return MO_OK;
}

mo_status scene_check_chunk(scene *s, mo_error *err)
{
    mo_status status = scene_check_sets(s, err);
    if (status != MO_OK || s->engine != NULL)
        return status;
    fail(err, MO_BAD_INPUT, "world", "the scene has no world{...}, system{...} or sweep{...}");
    fail_at(err, s->options->path, 0);
    return MO_BAD_INPUT;
}

/* brings what the chunk built to where the run of the file stopped, and closes it */
static mo_status resume(run_loop *r, mo_run **run, mo_error *err)
{
    scene *s = r->s;
    const char *text = mo_run_info_get(*run)->scene_text;
    if (strlen(text) != s->options->text_length || memcmp(text, s->options->text, strlen(text)) != 0)
        scene_say(s, "warning: the scene's text is not the one %s was made with", s->options->resume);
    mo_status status = s->engine->resume(s, *run, s->options->resume, err);
    /* closed before the recorder opens the same file for writing */
    mo_run_close(*run);
    *run = NULL;
    r->resumed = true;
    r->step = s->engine->steps(s);
    return status;
}

static mo_status begin_watch(scene *s, mo_error *err)
{
    const scene_watch *w = s->options->watch;
    if (w == NULL)
        return MO_OK;
    const scene_params params = {s->param_count, s->params};
    char *values = json_dumps(s->param_values, JSON_COMPACT | JSON_REAL_PRECISION(17));
    mo_status status = values != NULL ? w->begin(w->data, &params, values, err)
                                      : fail(err, MO_NO_MEMORY, NULL, "out of memory");
    free(values);
    return status;
}

/* A run that stop_when ended is over while it holds.  Only such a run asks before its first step: what the
   function counts would be counted twice otherwise, and pieces of a run would not be the whole. */
static mo_status ask_again(run_loop *r, mo_error *err)
{
    scene *s = r->s;
    const double t = (double)r->step * s->h;
    if (!s->stopped)
        return MO_OK;
    s->stopped = false;
    mo_status status = scene_run_stop_when(s, t, &s->stopped, err);
    if (s->stopped)
        scene_say(s, "stop_when, which ended the run at t = %.10g s, still holds: no step is made", t);
    return status;
}

/* all that comes before the first step */
static mo_status prepare(run_loop *r, mo_run **run, mo_error *err)
{
    scene *s = r->s;
    mo_status status = scene_check_chunk(s, err);
    if (status != MO_OK)
        return status;
    if (s->engine->begin != NULL)
        s->engine->begin(s);
    if (*run != NULL)
        status = resume(r, run, err);
    if (status == MO_OK)
        status = count_steps(r, err);
    r->row = calloc(s->observers.count + 1, sizeof *r->row);
    if (status == MO_OK && r->row == NULL)
        status = fail(err, MO_NO_MEMORY, NULL, "out of memory");
    if (status == MO_OK)
        status = scene_dump_begin(s, err);
    if (status == MO_OK)
        status = open_recorder(r, err);
    if (status == MO_OK)
        status = begin_watch(s, err);
    s->phase = PHASE_RUN;
    if (status == MO_OK)
        status = ask_again(r, err);
    return status == MO_OK ? record_start(r, (double)r->step * s->h, err) : status;
}

/* ---- the outcome ----------------------------------------------------------------------------------- */

static void say_failed(const scene *s, scene_result *out)
{
    size_t n = json_array_size(s->failed);
    char more[40] = "";
    if (n > 1)
        snprintf(more, sizeof more, " (and %zu more)", n - 1);
    snprintf(out->status, sizeof out->status, "check failed: %.440s%s",
             json_string_value(json_array_get(s->failed, 0)), more);
}

/* how a run that met no error ended */
static void judge(const run_loop *r, scene_result *out)
{
    scene *s = r->s;
    out->reached = false;
    if (!r->sound) {
        s->engine->why_ended(s, out->status, sizeof out->status);
    } else if (r->interrupted) {
        out->interrupted = true;
        snprintf(out->status, sizeof out->status, "interrupted");
        // what the scene did before the step cannot be undone: the state of before it is not in the file
        if (r->dropped && r->recorder != NULL && !s->engine->frame_at_interruption)
            scene_say(s, "interrupted inside a step; the run can be resumed from its last checkpoint");
        else if (r->dropped && r->recorder != NULL && r->last_frame >= 0)
            scene_say(s, "interrupted inside a step; the run can be resumed from its last frame, t = %.10g s",
                      (double)r->last_frame * s->h);
    } else if (json_array_size(s->failed) > 0) {
        say_failed(s, out);
    } else if (s->engine->missed(s, out->status, sizeof out->status)) {
        scene_say(s, "warning: %s", out->status);
    } else {
        out->reached = true;
        snprintf(out->status, sizeof out->status, "ok");
    }
}

/* as much as there is to tell, whatever happened */
static void fill_result(run_loop *r, mo_status status, const mo_error *err, scene_result *out)
{
    scene *s = r->s;
    snprintf(out->kind, sizeof out->kind, "%s", s->engine != NULL ? s->engine->kind : "world");
    snprintf(out->solver_name, sizeof out->solver_name, "%s",
             s->solver_name != NULL ? s->solver_name : "auto");
    out->h = s->h;
    out->dumped = s->dumped;
    scene_dump_end(s);
    if (s->engine != NULL)
        s->engine->fill(s, out);
    if (status == MO_OK) {
        judge(r, out);
    } else {
        out->interrupted = status == MO_STOPPED;
        snprintf(out->status, sizeof out->status, "%.500s",
                 err->message[0] != '\0' ? err->message : mo_status_name(status));
    }
    out->report_json = json_dumps(s->report, JSON_COMPACT | JSON_REAL_PRECISION(17));
    out->live_json = json_dumps(s->live_changes, JSON_COMPACT | JSON_REAL_PRECISION(17));
}

static mo_status write_plots(const run_loop *r, mo_error *err)
{
    if (json_array_size(r->s->plots) == 0)
        return MO_OK;
    char *text = json_dumps(r->s->plots, JSON_COMPACT | JSON_REAL_PRECISION(17));
    mo_status status = text != NULL ? mo_recorder_plots(r->recorder, text, err)
                                    : fail(err, MO_NO_MEMORY, NULL, "out of memory");
    free(text);
    return status;
}

/* what of a run that is over still goes to the file */
static mo_status finish_recorder(run_loop *r, bool over, scene_result *out, mo_error *err)
{
    if (r->recorder == NULL)
        return MO_OK;
    double start = seconds_now();
    const char *report = out->report_json != NULL ? out->report_json : "{}";
    mo_status status = write_plots(r, err);
    if (status == MO_OK && over && r->s->engine->record_after != NULL)
        status = r->s->engine->record_after(r->s, r->recorder, err);
    mo_error last = {0};
    mo_status finished = mo_recorder_finish(r->recorder, out->status, report, &last);
    if (status == MO_OK && finished != MO_OK) {
        status = finished;
        *err = last;
    }
    out->frames = mo_recorder_frames(r->recorder);
    mo_recorder_destroy(r->recorder);
    r->record_seconds += seconds_now() - start;
    return status;
}

mo_status session_open(scene_session *session, const scene_options *options, const scene_limits *limits,
                       mo_error *err)
{
    *session = (scene_session){.s = {.seed = options->seed, .options = options},
                               .loop = {.s = &session->s, .last_frame = -1, .sound = true},
                               .start = seconds_now()};
    mo_status status =
        options->resume != NULL ? open_resumed(&session->s, options, &session->resumed, err) : MO_OK;
    if (status == MO_OK)
        status = scene_begin(&session->s, options, limits, err);
    return status == MO_OK ? prepare(&session->loop, &session->resumed, err) : status;
}

mo_status session_conclude(scene_session *session, mo_status status, scene_result *out, mo_error *err)
{
    run_loop *r = &session->loop;
    memset(out, 0, sizeof *out);
    if (status == MO_BAD_INPUT)
        fail_at(err, session->s.options->path, 0);
    fill_result(r, status, err, out);
    mo_error closing = {0};
    mo_status closed = finish_recorder(r, status == MO_OK && !r->interrupted, out, &closing);
    if (status == MO_OK && closed != MO_OK) {
        status = closed;
        *err = closing;
        out->reached = false;
        snprintf(out->status, sizeof out->status, "%.500s", closing.message);
    }
    r->recorder = NULL;
    out->record_seconds = r->record_seconds;
    out->wall_seconds = seconds_now() - session->start;
    return status;
}

void session_close(scene_session *session)
{
    mo_recorder_destroy(session->loop.recorder);
    mo_run_close(session->resumed);
    scene_finish(&session->s);
    free(session->loop.row);
}

mo_status scene_run_limited(const scene_options *options, const scene_limits *limits, scene_result *out,
                            mo_error *err)
{
    scene_session session;
    mo_error local = {0};
    mo_status status = session_open(&session, options, limits, &local);
    while (status == MO_OK && session_goes_on(&session))
        status = session_step(&session, &local);
    if (status == MO_OK)
        status = session_end(&session, &local);
    status = session_conclude(&session, status, out, &local);
    session_close(&session);
    if (status != MO_OK && err != NULL)
        *err = local;
    return status;
}

mo_status scene_run(const scene_options *options, scene_result *out, mo_error *err)
{
    scene_limits limits = scene_default_limits();
    return scene_run_limited(options, &limits, out, err);
}

void scene_result_free(scene_result *result)
{
    free(result->report_json);
    free(result->live_json);
    free(result->q);
    free(result->u);
    free(result->lambda);
    free(result->events_json);
    result->report_json = result->live_json = result->events_json = NULL;
    result->q = result->u = result->lambda = NULL;
}
