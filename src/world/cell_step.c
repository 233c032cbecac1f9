/*
 * A step of the periodic cell of a world and of the bodies in its flow (docs/theory/periodic.md).
 *
 * Symbols: H edges, L velocity gradient of the flow, o origin; v velocities beside the flow, dx/dt = v + L (x
 * - o). The halves of a step, both with what is known at its middle (m):
 *
 *   v_m = (1 + h/2 L)⁻¹ v_i   x_m = x_i + h/2 (v_m + L (x_m - o))   H_m = H_i + h/2 L H_m      L: before
 *   v_f = (1 - h/2 L) v       x_f = x_m + h/2 (v + L (x_m - o))     H_f = H_m + h/2 L H_m      L: after
 *
 * With theta other than 1/2 (moreau-jean) places and edges at the end are moved on by h (theta - 1/2) times
 * what their velocities changed at the middle.
 */
#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "problem/step_cell.h"
#include "world/world.h"

static const double ONE[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

static void times(const double A[9], const double B[9], double out[9])
{
    double C[9] = {0};
    for (int i = 0; i < 9; i++)
        for (int k = 0; k < 3; k++)
            C[i] += A[3 * (i / 3) + k] * B[3 * k + i % 3];
    memcpy(out, C, sizeof C);
}

// out := 1 + k A
static void one_plus(double k, const double A[9], double out[9])
{
    for (int i = 0; i < 9; i++)
        out[i] = ONE[i] + k * A[i];
}

// out := A⁻¹; false: there is none
static bool inverse_of(const double A[9], double out[9])
{
    periodic_cell c = {.dim = 3};
    if (!cell_set(&c, A))
        return false;
    memcpy(out, c.inverse, sizeof c.inverse);
    return true;
}

// edges that are none stay what they are to the last bit
static void keep_others(const periodic_cell *c, double H[9])
{
    for (size_t j = 0; j < 3; j++)
        for (size_t i = 0; i < 3; i++)
            if (!c->along[j] || !c->along[i])
                H[3 * i + j] = ONE[3 * i + j];
}

// what the stress is over: the cell, and along axes without period the box around the bodies
static double stressed_volume(const mo_world *w)
{
    double volume = cell_volume(&w->cell_mid), min[3], max[3];
    bool all = true;
    for (size_t k = 0; k < w->bodies.dim; k++)
        all &= w->cell.along[k];
    if (all)
        return volume;
    if (!world_free_box(w, w->bodies.q, min, max))
        return 0;
    for (size_t k = 0; k < w->bodies.dim; k++)
        volume *= w->cell.along[k] ? 1 : max[k] - min[k];
    return volume;
}

// inertia of L when none is given: above what sweeps need to converge (problem/step_cell.h)
static double default_mass(const bodies *b)
{
    double sum = 0;
    for (size_t i = 0; i < b->count; i++)
        sum += b->kind[i] != MO_BODY_DYNAMIC ? 0 : 8 * b->mass[i] * b->radius[i] * b->radius[i];
    return sum;
}

// L at the end of a step in which nothing touches: M dL/dt = -V stress - damping M L
static void load_cell(mo_world *w, const stage_data *d)
{
    cell_motion *m = &w->motion;
    const double mass = w->control.mass > 0 ? w->control.mass : default_mass(&w->bodies);
    const double slow = 1 / (1 + d->h * w->control.damping), volume = stressed_volume(w);
    m->inv_mass = mass > 0 ? slow / mass : 0;
    m->some_stress = false;
    for (int k = 0; k < 9; k++) {
        m->by_stress[k] = w->control.by_stress[k];
        m->some_stress |= m->by_stress[k];
        m->free[k] = slow * m->before[k] - m->inv_mass * d->h * volume * w->control.stress[k];
        m->after[k] = m->by_stress[k] ? 0 : m->before[k];
    }
}

// the first half of the step for the edges
static mo_status deform_first(mo_world *w, const stage_data *d, mo_error *err)
{
    cell_motion *m = &w->motion;
    double back[9], H[9];
    for (int k = 0; k < 9; k++)
        m->before[k] = w->control.by_stress[k] ? w->rate[k] : w->control.rate[k];
    one_plus(-0.5 * d->h, m->before, back);
    m->work = 0;
    if (!inverse_of(back, m->half))
        return fail(err, MO_BAD_INPUT, "cell",
                    "the cell would double or vanish within a step: h is too large");
    times(m->half, w->cell.H, H);
    keep_others(&w->cell, H);
    w->cell_mid = w->cell;
    if (!cell_set(&w->cell_mid, H))
        return fail(err, MO_BAD_INPUT, "cell", "the cell has no volume left");
    w->bodies.cell = &w->cell_mid;
    load_cell(w, d);
    return MO_OK;
}

// springs and ropes may be drawn out
static mo_status check_joints(const mo_world *w, mo_error *err)
{
    for (size_t k = 0; k < w->joints.count; k++) {
        const mo_joint_kind kind = w->joints.list[k].def.kind;
        if ((kind == MO_JOINT_DISTANCE || kind == MO_JOINT_SPRING) &&
            joint_share(&w->bodies, &w->joints.list[k]) > 0.49)
            return fail(err, MO_BAD_INPUT, "cell",
                        "joint %u is drawn out over half of the cell, where its nearest image is another one",
                        (unsigned)w->joints.ids[k]);
    }
    return MO_OK;
}

mo_status world_cell_begin(mo_world *w, stage_data *d, mo_error *err)
{
    mo_status s = MO_OK;
    d->cell = NULL;
    if (!w->has_cell)
        return MO_OK;
    if (world_cell_deforms(w)) {
        s = deform_first(w, d, err);
        d->cell = &w->motion;
    }
    if (s == MO_OK)
        s = check_joints(w, err);
    // bodies may grow, and the cell may shrink
    const double width = cell_least_width(w->bodies.cell);
    for (size_t i = 0; s == MO_OK && i < w->bodies.count; i++)
        if (d->cell != NULL || bodies_functions(&w->bodies, i) != NULL)
            s = world_check_parts(w, i, width, err);
    return s;
}

mo_status world_cell_predict(mo_world *w, stage_data *d, mo_error *err)
{
    const bodies *b = &w->bodies;
    if (d->cell == NULL)
        return MO_OK;
    double *start = arena_push(&w->arena, b->nu * b->count, sizeof *start), slow[9], forward[9];
    one_plus(0.5 * d->h, w->motion.before, forward);
    if (start == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "out of memory for the step");
    if (!inverse_of(forward, slow))
        return fail(err, MO_BAD_INPUT, "cell",
                    "the cell would double or vanish within a step: h is too large");
    memcpy(start, d->u_start, b->nu * b->count * sizeof *start);
    for (size_t i = 0; i < b->count; i++) {
        if (!is_dynamic(b, (uint32_t)i))
            continue;
        double *v = &start[b->nu * i], *x = &d->q_mid[b->nq * i], *free = &d->u_free[b->nu * i];
        const double *before = &d->u_start[b->nu * i], *q = &b->q[b->nq * i];
        cell_apply(slow, v, b->dim, v);
        for (size_t k = 0; k < b->dim; k++) {
            free[k] += v[k] - before[k];
            w->motion.work += 0.5 * b->mass[i] * (v[k] * v[k] - before[k] * before[k]);
            x[k] = q[k] - w->cell.origin[k] + 0.5 * d->h * v[k];
        }
        cell_apply(w->motion.half, x, b->dim, x);
        for (size_t k = 0; k < b->dim; k++)
            x[k] += w->cell.origin[k];
    }
    d->u_start = start;
    return MO_OK;
}

void world_cell_solved(mo_world *w, const stage_data *d)
{
    cell_motion *m = &w->motion;
    for (int k = 0; d->cell != NULL && k < 9; k++)
        if (m->by_stress[k])
            m->after[k] = d->problem.cell != NULL ? d->problem.cell->L[k] : m->free[k];
}

// work of gravity along the flow, beside that along the bodies' own velocities
static double flow_potential(const mo_world *w, const stage_data *d, size_t i, const double *flow)
{
    const bodies *b = &w->bodies;
    double sum = 0;
    for (size_t k = 0; k < b->dim; k++)
        sum -= b->mass[i] * d->gravity[k] * flow[k];
    return sum;
}

// the second half of the step: the bodies' places and the way that the flow took them
static void flow_body(const mo_world *w, const stage_data *d, size_t i, double way[3])
{
    const bodies *b = &w->bodies;
    const double h2 = 0.5 * d->h, more = (d->theta - 0.5) * d->h, *u = &b->u[b->nu * i];
    const double *x_mid = &d->q_mid[b->nq * i], *start = &d->u_start[b->nu * i];
    double y[3] = {0}, first[3], second[3], *x = &b->q[b->nq * i];
    for (size_t k = 0; k < b->dim; k++)
        y[k] = x_mid[k] - w->cell.origin[k];
    cell_apply(w->motion.before, y, b->dim, first);
    cell_apply(w->motion.after, y, b->dim, second);
    for (size_t k = 0; k < b->dim; k++) {
        x[k] = x_mid[k] + h2 * u[k] + h2 * second[k];
        way[k] = h2 * (first[k] + second[k]);
        if (more != 0) {
            x[k] += more * (u[k] - start[k] + second[k] - first[k]);
            way[k] += more * (second[k] - first[k]);
        }
    }
}

// places and velocities at the end of the step; the work
static double deform_bodies(mo_world *w, const stage_data *d)
{
    bodies *b = &w->bodies;
    double work = w->motion.work, slow[9];
    one_plus(-0.5 * d->h, w->motion.after, slow);
    for (size_t i = 0; i < b->count; i++) {
        double *v = &b->u[b->nu * i], way[3];
        if (!is_dynamic(b, (uint32_t)i))
            continue;
        flow_body(w, d, i, way);
        for (size_t k = 0; k < b->dim; k++)
            work -= 0.5 * b->mass[i] * v[k] * v[k];
        work += flow_potential(w, d, i, way);
        cell_apply(slow, v, b->dim, v);
        for (size_t k = 0; k < b->dim; k++)
            work += 0.5 * b->mass[i] * v[k] * v[k];
    }
    return work;
}

// whether the flow L takes edge k along edge j, drift = H⁻¹ L H
static bool drifts_along(const double drift[9], size_t j, size_t k)
{
    double most = 0;
    for (int i = 0; i < 9; i++)
        most = fmax(most, fabs(drift[i]));
    return j != k && fabs(drift[3 * j + k]) > 1e-12 * most;
}

/* The same lattice with edges as near to right angles as they can be; whether they are others now.  An edge
   is exchanged along those only that the flow takes it along: in simple shear the edges across the gradient
   stay, and so do the planes through them that cuts follow.  c: at the middle of the step. */
static bool reduce_edges(const periodic_cell *c, const double L[9], double H[9])
{
    bool changed = false;
    double drift[9];
    times(L, c->H, drift);
    times(c->inverse, drift, drift);
    for (size_t j = 0; j < c->dim; j++)
        for (size_t k = 0; k < c->dim; k++) {
            double along = 0, square = 0;
            for (size_t i = 0; i < c->dim; i++) {
                along += H[3 * i + j] * H[3 * i + k];
                square += H[3 * i + j] * H[3 * i + j];
            }
            // a little more than a half, so that no edge goes back and forth
            const bool leans = fabs(along) > 0.51 * square && drifts_along(drift, j, k);
            const double times_edge = leans ? floor(along / square + 0.5) : 0;
            for (size_t i = 0; i < c->dim; i++)
                H[3 * i + k] -= times_edge * H[3 * i + j];
            changed |= times_edge != 0;
        }
    return changed;
}

static void deform_edges(mo_world *w, const stage_data *d)
{
    double forward[9], H[9];
    one_plus(0.5 * d->h, w->motion.after, forward);
    for (int k = 0; k < 9; k++)
        forward[k] += (d->theta - 0.5) * d->h * (w->motion.after[k] - w->motion.before[k]);
    times(forward, w->cell_mid.H, H);
    keep_others(&w->cell, H);
    if (reduce_edges(&w->cell_mid, w->motion.after, H))
        w->neighbours.valid = false;
    // a cell without volume is refused by the next step
    if (!cell_set(&w->cell, H))
        memcpy(w->cell.H, H, sizeof H);
    memcpy(w->rate, w->motion.after, sizeof w->rate);
}

void world_cell_end(mo_world *w, const stage_data *d)
{
    if (!w->has_cell)
        return;
    if (d->cell != NULL) {
        w->totals.work_external += deform_bodies(w, d);
        deform_edges(w, d);
    }
    w->bodies.cell = &w->cell;
}

void world_cell_wrap(mo_world *w, const stage_data *d)
{
    for (size_t i = 0; w->has_cell && i < w->bodies.count; i++) {
        if (!is_dynamic(&w->bodies, (uint32_t)i))
            continue;
        double before = body_potential(&w->bodies, i, d->gravity);
        world_wrap_body(w, i);
        w->totals.work_external += body_potential(&w->bodies, i, d->gravity) - before;
    }
}

void world_cell_back(mo_world *w)
{
    if (w->has_cell)
        w->bodies.cell = &w->cell;
}

bool world_cell_middle(const mo_world *w, cell_middle *out)
{
    double slow[9], forward[9], H[9];
    one_plus(-0.5 * w->def.h, w->rate, slow);
    one_plus(0.5 * w->def.h, w->rate, forward);
    out->cell = w->cell;
    if (!inverse_of(slow, out->faster) || !inverse_of(forward, out->back))
        return false;
    times(out->back, w->cell.H, H);
    keep_others(&w->cell, H);
    return cell_set(&out->cell, H);
}

void world_middle_place(const mo_world *w, const cell_middle *m, size_t slot, double *x)
{
    const bodies *b = &w->bodies;
    double v[3];
    cell_apply(m->faster, &b->u[b->nu * slot], b->dim, v);
    for (size_t k = 0; k < b->dim; k++)
        x[k] = b->q[b->nq * slot + k] - w->cell.origin[k] - 0.5 * w->def.h * v[k];
    cell_apply(m->back, x, b->dim, x);
    for (size_t k = 0; k < b->dim; k++)
        x[k] += w->cell.origin[k];
}
