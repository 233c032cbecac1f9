/*
 * Borders of the set for pictures of a run that is over: of the cavity {(t, x) : x in C(t)} on the line, of
 * C(t) at some times in the plane.
 *
 * Functions of the scene are called for it, so nothing here may harm the run: time is bounded, and what fails
 * is left out with a message.
 */
#include "scene/process.h"

#include "core/fail.h"
#include "core/timer.h"
#include "sweep/outline.h"

#include <math.h>

enum { TIMES = 6, FIRST_TIMES = 3 };

static const double most_seconds = 5, call_seconds = 1;

void process_widen(process *p, const double *x)
{
    for (size_t i = 0; i < 2 && i < p->n; i++) {
        p->sweep.low[i] = fmin(p->sweep.low[i], x[i]);
        p->sweep.high[i] = fmax(p->sweep.high[i], x[i]);
    }
}

typedef struct outline_task {
    process *p;
    mo_recorder *rec; /* NULL: only the extent is wanted */
    double t;
    double low[2], high[2]; /* extent of the lines so far, in coordinates of x */
} outline_task;

static mo_status take_line(void *data, const double *points, size_t count, mo_error *err)
{
    outline_task *task = data;
    size_t first = task->p->n == 1; /* points are (t, x) */
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < task->p->n; i++) {
            double x = points[2 * k + first + i];
            task->low[i] = fmin(task->low[i], x);
            task->high[i] = fmax(task->high[i], x);
        }
    return task->rec != NULL ? mo_recorder_outline(task->rec, task->t, points, count, err) : MO_OK;
}

static mo_status draw(outline_task *task, const double low[2], const double high[2], mo_error *err)
{
    const process *p = task->p;
    double t0 = p->sweep.first_t, t1 = mo_sweep_info_get(p->sweep.process)->time;
    task->t = t1;
    if (p->n == 1)
        return cavity_outline(p->sweep.set, t0, t1, low[0], high[0], take_line, task, err);
    mo_status status = MO_OK;
    int times = task->rec != NULL ? TIMES : FIRST_TIMES;
    for (int k = 0; k < times && status == MO_OK; k++) {
        task->t = t0 + (t1 - t0) * k / (times - 1);
        status = set_outline(p->sweep.set, task->t, low, high, take_line, task, err);
    }
    return status;
}

/* the way across the path, or another length where it does not move */
static double width_of(const process *p)
{
    double w = 0;
    for (size_t i = 0; i < p->n; i++)
        w = fmax(w, p->sweep.high[i] - p->sweep.low[i]);
    if (w > 0)
        return w;
    return fmax(1, 0.1 * fmax(fabs(p->sweep.low[0]), fabs(p->sweep.high[0])));
}

/* what is looked at: the path, and borders that are near; a border that leads out of a wide look is cut off
   beside the path */
static void choose_window(const process *p, const outline_task *wide, double reach, double low[2],
                          double high[2])
{
    double w = width_of(p);
    for (size_t i = 0; i < p->n; i++) {
        bool below = wide->low[i] > p->sweep.low[i] - 0.99 * reach,
             above = wide->high[i] < p->sweep.high[i] + 0.99 * reach;
        low[i] = below ? fmin(p->sweep.low[i], wide->low[i]) : p->sweep.low[i] - w;
        high[i] = above ? fmax(p->sweep.high[i], wide->high[i]) : p->sweep.high[i] + w;
        double margin = 0.15 * fmax(high[i] - low[i], 1e-3 * w);
        low[i] -= margin;
        high[i] += margin;
    }
}

static mo_status draw_all(process *p, mo_recorder *rec, mo_error *err)
{
    double low[2], high[2], reach = 3 * width_of(p);
    outline_task wide = {.p = p, .low = {HUGE_VAL, HUGE_VAL}, .high = {-HUGE_VAL, -HUGE_VAL}}, task = wide;
    for (size_t i = 0; i < p->n; i++) {
        low[i] = p->sweep.low[i] - reach;
        high[i] = p->sweep.high[i] + reach;
    }
    mo_status status = draw(&wide, low, high, err);
    if (status != MO_OK)
        return status;
    choose_window(p, &wide, reach, low, high);
    task.rec = rec;
    return draw(&task, low, high, err);
}

mo_status process_outlines(process *p, mo_recorder *rec, mo_error *err)
{
    scene *s = p->s;
    if (p->n > 2 || p->m == 0 || p->sweep.set->kind == MO_MOVING_DISCS ||
        !(mo_sweep_info_get(p->sweep.process)->time > p->sweep.first_t))
        return MO_OK;
    mo_error own = {0};
    double before = s->limits.call_seconds;
    s->limits.call_seconds = fmin(before, call_seconds);
    p->sweep.deadline = seconds_now() + most_seconds;
    s->in_step = true;
    mo_status status = draw_all(p, rec, &own);
    s->in_step = false;
    p->sweep.deadline = 0;
    s->limits.call_seconds = before;
    if (status == MO_IO || status == MO_NO_MEMORY) {
        *err = own;
        return status;
    }
    if (status != MO_OK)
        scene_say(s, "warning: the border of the set is left out of pictures: %.400s", own.message);
    return MO_OK;
}

/* A clean end is asked for inside a step of the run that has taken a while: the end of most is worth waiting
   for, but nobody knows when this one ends. */
static bool step_is_given_up(const process *p)
{
    const double patience = 1; /* s */
    return p == p->s->process && p->s->in_step && seconds_now() - p->step_start > patience &&
           scene_interrupted(p->s->options);
}

mo_status process_in_time(const process *p, mo_error *err)
{
    if (step_is_given_up(p))
        return fail(err, MO_STOPPED, NULL, "interrupted inside a step");
    if (p->sweep.deadline == 0 || seconds_now() < p->sweep.deadline)
        return MO_OK;
    return fail(err, MO_STOPPED, NULL, "it takes more than %g seconds", most_seconds);
}
