/*
 * Lazy selector (M05 10, 20): the point moves as little as it may.  Of the right velocities that the gaps J
 * in touch allow, {v : g_t + grad g.v >= 0 for J}, the one nearest to f; explicit, no position is projected.
 *
 * A step along a tangent leaves curved sets by O(h^2): gaps that are negative ask for -g / h on top, which
 * brings the point back.  What stays outside by more is looked at once: the set may have become empty, of
 * which velocities along gradients that are nearly opposite say nothing.
 */
#include <math.h>
#include <stdio.h>

#include "math/vec.h"
#include "sweep/process.h"
#include "sweep/rows.h"

/* A gap is in touch within this part of the last step's length, and this part of |x|. */
static const double TOUCH_MOVED = 0.05, TOUCH_SIZE = 1e-10;

// right sides of the velocities; a gap in touch without a gradient allows none or all
static mo_status ask(moving *m, double h)
{
    gap_rows *r = &m->rows;
    for (size_t i = 0; i < r->count; i++) {
        r->b[i] = -r->gt[i] - fmin(r->g[i], 0) / h;
        if (r->norm[i] == 0 && r->b[i] > 0)
            return moving_trouble(m, MO_SWEEP_NO_GRADIENT, "gap %zu in touch has gradient 0 at t = %.17g",
                                  r->first[i] + 1, m->t);
    }
    return MO_OK;
}

mo_status lazy_step(mo_sweep *s, mo_error *err)
{
    moving *m = s->m;
    double h = s->def.h, touch = TOUCH_MOVED * s->moved + TOUCH_SIZE * vec_norm(s->n, s->x);
    m->outcome = MO_SWEEP_REACHED;
    m->message[0] = 0;
    m->iterations = 1;
    mo_status status = moving_set_time(m, s->t_i, true, err);
    if (status == MO_OK)
        status = moving_linearise(m, s->x, touch, err);
    if (status != MO_OK)
        return status;
    rows_keep_near(&m->rows, s->n, touch);
    status = ask(m, h);
    if (status == MO_OK)
        status = rows_guess(m, err);
    if (status == MO_OK)
        status = rows_project(m, s->f, s->point, err);
    // gaps in touch that close on each other, at whatever rate, allow no velocity: whether the set has a
    // point at the end of the step, and which, is for the projection to say
    if (status == STEP_NOT_MADE && m->outcome == MO_SWEEP_EMPTY)
        return catching_up_step(s, err);
    if (status != MO_OK)
        return status;
    vec_copy(s->n, s->f, s->z);
    vec_copy(s->n, s->x, s->next);
    vec_add(s->n, h, s->point, s->next);
    return sweep_projected(s, 1, 1, err);
}

// largest violation, a length, of the gaps that the step reckoned with: along the tangents it would be 0
static double left_outside(const moving *m)
{
    const gap_rows *r = &m->spare;
    double largest = 0;
    for (size_t i = 0; i < r->count; i++)
        if (r->g[i] < 0 && rows_find(&m->rows, r->leaf[i], r->first[i], r->second[i]) != SIZE_MAX)
            largest = fmax(largest, r->norm[i] > 0 ? -r->g[i] / r->norm[i] : -r->g[i]);
    return largest;
}

// the point is outside, and neither a point of the set nor a proof that there is none was found
static void note_unknown(mo_sweep *s)
{
    mo_sweep_info *info = &s->next_info;
    if (info->outcome >= MO_SWEEP_NOT_CONVERGED)
        return;
    info->outcome = MO_SWEEP_NOT_CONVERGED;
    snprintf(info->message, sizeof info->message,
             "outside by %g at t = %.17g, and no nearest point was found: the set may be empty",
             info->violation, s->t_f);
}

mo_status lazy_look_empty(mo_sweep *s, mo_error *err)
{
    moving *m = s->m;
    double moved = vec_distance(s->n, s->next, s->x);
    // of second order beside the step, or on the way back: what the curvature lets through
    double usual = fmax(TOUCH_MOVED * moved, 0.5 * s->info.violation);
    if (!(s->next_info.violation > usual) || !(left_outside(m) > usual))
        return MO_OK;
    // as catching-up would: its answer is not used, only whether there is one
    vec_copy(s->n, s->x, s->point);
    vec_add(s->n, s->def.h, s->f, s->point);
    mo_status status = moving_project(m, s->point, s->x, s->point, err);
    if (status == MO_NO_MEMORY || (status == STEP_NOT_MADE && m->outcome == MO_SWEEP_EMPTY && m->convex))
        return status;
    if (status != MO_OK || m->outcome == MO_SWEEP_NOT_CONVERGED)
        note_unknown(s);
    return MO_OK;
}
