/*
 * After a step: what it left of drift is taken out by changes of least kinetic norm,
 *
 *   positions    min ½ Δq.A Δq with g(q) + G Δq = 0, and for limits g + G Δq >= 0: Newton's rule
 *   velocities   min ½ Δu.A Δu with G u = w at the end of the step, and G u >= w at all limits that are
 *                reached
 *
 * Both are step problems without contacts and have the same matrix.  Contacts near the joints take part in
 * the first as limits do (joint_hold.c).  docs/theory/joints.md §4.
 */
#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "dynamics/assemble.h"
#include "dynamics/joint_settle.h"
#include "problem/apply.h"
#include "problem/certificate.h"
#include "solver/extra_sweep.h"
#include "solver/nlgs.h"
#include "solver/solve.h"

/* Newton's rule: misses below SMALL need one step only, in which nothing is run into; below NONE none; ROUNDS
   at most. */
static const double SMALL = 1e-8, NONE = 1e-15;
enum { ROUNDS = 6, SWEEPS = 100, MORE_SWEEPS = 1000 };

/* Sweeps are good enough up to this residual; other methods, where sweeps are not, go to the tolerance. */
static const double SWEPT = 1e-9, TOLERANCE = 1e-12;

/* Limits take part from that many times the worst miss before them on. */
static const double NEAR = 4;

static mo_status no_memory(mo_error *err)
{
    return fail(err, MO_NO_MEMORY, NULL, "out of memory for joints");
}

// springs hold nothing here: a row without bodies
static void leave_out(row_block *r)
{
    memset(r->G, 0, sizeof r->G);
    r->shift[0] = 0;
    r->compliance[0] = 1;
}

// by how much the value of a joint is past each of its limits, in units of its reach or rad
static void past_limits(const joint *k, double value, double deep[2])
{
    const double scale = k->def.kind == MO_JOINT_HINGE ? 1 : k->reach;
    deep[0] = (k->def.limits[0] - value) / scale;
    deep[1] = (value - k->def.limits[1]) / scale;
}

// the farthest that a limit was passed
static double worst_limit(const joints *js, const bodies *b)
{
    double worst = 0, deep[2], G[2][6];
    for (size_t n = 0; n < js->count; n++) {
        const joint *k = &js->list[n];
        if (!k->def.limited)
            continue;
        past_limits(k, joint_free_row(b, k, b->q, G), deep);
        worst = fmax(worst, fmax(deep[0], deep[1]));
    }
    return worst;
}

// limit of joint n as a box, which knows its owner as in a step
static void add_limit(const settling *t, size_t n, int side, double G[2][6], double shift)
{
    step_extra *e = t->d->problem.extra;
    const joint *k = &t->d->joints->list[n];
    t->d->joints->owner[e->boxes] = (box_owner){(uint32_t)n, false};
    box_row *r = &e->box[e->boxes++];
    *r = (box_row){.shift = shift, .low = side == 0 ? 0 : -HUGE_VAL, .high = side == 0 ? HUGE_VAL : 0};
    memcpy(r->G, G, sizeof r->G);
    joint_bodies(t->b, k, r->body);
}

// limits of joint n that were passed, or are near where some were
static void add_limits(const settling *t, size_t n, double worst)
{
    const joint *k = &t->d->joints->list[n];
    double G[2][6], deep[2], value = joint_free_row(t->b, k, t->b->q, G);
    past_limits(k, value, deep);
    for (int side = 0; side < 2; side++) {
        if (deep[side] > -NEAR * worst)
            add_limit(t, n, side, G, value - k->def.limits[side]);
    }
}

// rows at the present positions with what they miss in the place of velocities; the worst relative miss
static double fill_misses(settling *t)
{
    joints *js = t->d->joints;
    const bodies *b = t->b;
    step_extra *e = t->d->problem.extra;
    double limit = worst_limit(js, b), worst = limit, value[BLOCK_ROWS];
    e->boxes = 0;
    for (size_t n = 0; n < js->count; n++) {
        const joint *k = &js->list[n];
        if (k->def.limited && limit > 0)
            add_limits(t, n, limit);
        if (k->block == NO_BODY)
            continue;
        row_block *r = &js->system.block[k->block];
        joint_fill(b, k, b->q, r->G, value);
        for (uint32_t i = 0; i < r->rows; i++) {
            bool turns = true;
            for (size_t c = 0; c < b->dim; c++)
                turns = turns && r->G[0][i][c] == 0;
            r->compliance[i] = 0;
            r->shift[i] = value[i];
            if (k->def.kind != MO_JOINT_SPRING)
                worst = fmax(worst, fabs(value[i]) / (turns ? 1 : k->reach));
        }
        if (k->def.kind == MO_JOINT_SPRING)
            leave_out(r);
    }
    return worst;
}

bool push_boxes(arena *a, size_t boxes, step_problem *p)
{
    box_row *box = arena_push(a, boxes, sizeof *box);
    p->S = arena_push(a, boxes, sizeof *p->S);
    p->scratch = arena_push(a, boxes, sizeof *p->scratch);
    if (box == NULL || p->S == NULL || p->scratch == NULL)
        return false;
    if (p->extra->boxes > 0)
        memcpy(box, p->extra->box, p->extra->boxes * sizeof *box);
    p->extra->box = box;
    return true;
}

static bool push_problem(const bodies *b, arena *a, stage_data *d)
{
    step_problem *p = &d->problem;
    const size_t n = b->count;
    *p = (step_problem){.dim = (int)b->dim, .bodies = n};
    p->extra = arena_push_zero(a, 1, sizeof *p->extra);
    if (b->dim == 2)
        p->velocity = arena_push(a, n, sizeof *p->velocity);
    else
        p->velocity3 = arena_push(a, n, sizeof *p->velocity3);
    d->u_free = arena_push_zero(a, b->nu * n, sizeof *d->u_free);
    p->u_free = d->u_free;
    d->sums = arena_push(a, certificate_scratch(0), sizeof *d->sums);
    if (p->extra == NULL || (p->velocity == NULL && p->velocity3 == NULL) || d->u_free == NULL ||
        d->sums == NULL)
        return false;
    p->extra->joints = d->joints->system.rows > 0 ? &d->joints->system : NULL;
    return push_boxes(a, JOINT_BOXES * d->joints->count, p);
}

// one step of Newton's rule, by sweeps and where they do not do by what does; false: no memory
static bool find_changes(const settling *t, mo_solver_info *info)
{
    step_problem *p = &t->d->problem;
    arena_mark mark = arena_here(t->memory);
    mo_solver_settings settings = mo_default_solver_settings();
    settings.tol = 1e-13;
    settings.max_iter = SWEEPS;
    p->extra->R = p->extra->T = p->S;
    memset(p->S, 0, p->extra->boxes * sizeof *p->S);
    if (!extra_prepare(p, contact_feel, t->memory))
        return false;
    nlgs_solve(p, &settings, t->threads, t->d->sums, info);
    if (!(info->certificate.residual <= SWEPT)) {
        settings.tol = TOLERANCE;
        settings.max_iter = MORE_SWEEPS;
        solve_step(p, &settings, t->threads, t->d->sums, t->memory, info);
    }
    arena_back(t->memory, mark);
    return true;
}

// the same with the contacts held, and without them where they contradict the joints
static bool find_changes_held(settling *t, mo_solver_info *info)
{
    step_extra *e = t->d->problem.extra;
    const size_t boxes = e->boxes;
    if (!add_helds(t) || !find_changes(t, info))
        return false;
    if (t->helds == 0 || info->certificate.residual <= SWEPT)
        return true;
    e->boxes = boxes;
    fill_velocities(t->b, t->d, t->threads);
    return find_changes(t, info);
}

static void move_all(settling *t)
{
    const step_problem *p = &t->d->problem;
    for (size_t i = 0; i < t->b->count; i++)
        if (is_dynamic(t->b, (uint32_t)i))
            displace_body(t->b, i, body_velocity(p, (uint32_t)i));
    move_helds(t);
}

static double potential_of(const bodies *b, const stage_data *d)
{
    double sum = joints_potential(d->joints, b);
    for (size_t i = 0; i < b->count; i++)
        if (is_dynamic(b, (uint32_t)i))
            sum += body_potential(b, i, d->gravity);
    return sum;
}

static bool settle_positions(settling *t, step_energy *out)
{
    bool moved = false;
    double before = 0;
    for (int round = 0; round < ROUNDS; round++) {
        mo_solver_info info;
        double worst = fill_misses(t);
        if (!(worst > NONE))
            break;
        if (!moved)
            before = potential_of(t->b, t->d);
        moved = true;
        fill_velocities(t->b, t->d, t->threads);
        if (!(worst > SMALL ? find_changes_held(t, &info) : find_changes(t, &info)))
            return false;
        if (isfinite(info.certificate.residual))
            move_all(t);
        if (worst <= SMALL)
            break;
    }
    // a change of place is work of whoever holds the joints
    if (moved)
        out->work += potential_of(t->b, t->d) - before;
    return true;
}

// what boundaries and a flow give along a row
static double row_motion(const bodies *b, const stage_data *d, const joint *k, const double *g1,
                         const double *g2)
{
    return joint_velocity(b, k, g1, g2, d->u_free, true) +
           (d->cell != NULL ? joint_flow(b, k, b->q, d->cell->after, g1) : 0);
}

// velocities in world axes, and the part of boundaries and of a flow as shift
static void take_velocities(const bodies *b, stage_data *d)
{
    joints *js = d->joints;
    memcpy(d->u_free, b->u, b->nu * b->count * sizeof *b->u);
    for (size_t i = 0; b->dim == 3 && i < b->count; i++)
        body_spin_world(b, i, &b->q[7 * i], &b->u[6 * i + 3], &d->u_free[6 * i + 3]);
    for (size_t n = 0; n < js->count; n++) {
        const joint *k = &js->list[n];
        if (k->block == NO_BODY || k->def.kind == MO_JOINT_SPRING)
            continue;
        row_block *r = &js->system.block[k->block];
        for (uint32_t i = 0; i < r->rows; i++)
            r->shift[i] = row_motion(b, d, k, r->G[0][i], r->G[1][i]);
    }
}

// the velocities found, and the kinetic energy they take away
static double give_velocities(bodies *b, const stage_data *d)
{
    double lost = 0;
    for (size_t i = 0; i < b->count; i++) {
        double *u = &b->u[b->nu * i];
        const double *found = body_velocity(&d->problem, (uint32_t)i);
        if (!is_dynamic(b, (uint32_t)i) || memcmp(found, &d->u_free[b->nu * i], b->nu * sizeof *u) == 0)
            continue;
        lost += body_kinetic(b, i);
        memcpy(u, found, b->nu * sizeof *u);
        if (b->dim == 3)
            body_spin_principal(b, i, &b->q[7 * i], u + 3, u + 3);
        lost -= body_kinetic(b, i);
    }
    return lost;
}

// impulse T along a row of joint k belongs to the step's, but not to the force of contacts on its bodies; its
// work on boundaries
static double give_impulse(const bodies *b, const stage_data *d, joint *k, const double *g1, double shift,
                           double T)
{
    joint_add_load(b, k, b->q, g1, T / d->h);
    return -shift * T;
}

static double give_impulses(const bodies *b, const stage_data *d)
{
    double work = 0;
    joints *js = d->joints;
    for (size_t n = 0; n < js->count; n++) {
        joint *k = &js->list[n];
        if (k->block == NO_BODY)
            continue;
        const row_block *r = &js->system.block[k->block];
        for (uint32_t i = 0; i < r->rows; i++)
            work += give_impulse(b, d, k, r->G[0][i], r->shift[i], js->system.T[r->first + i]);
    }
    return work;
}

static double give_stop_impulses(const settling *t)
{
    const step_extra *e = t->d->problem.extra;
    double work = 0;
    for (size_t i = 0; i < e->boxes; i++) {
        const box_row *r = &e->box[i];
        joint *k = &t->d->joints->list[t->d->joints->owner[i].joint];
        work += give_impulse(t->b, t->d, k, r->G[0], r->shift, e->T[i]);
    }
    return work;
}

// all limits that are reached, at velocity level: what joints ask for may not turn a body into its stop
static void add_stops(const settling *t)
{
    const stage_data *d = t->d;
    d->problem.extra->boxes = 0;
    for (size_t n = 0; n < d->joints->count; n++) {
        const joint *k = &d->joints->list[n];
        double G[2][6], deep[2];
        if (!k->def.limited)
            continue;
        past_limits(k, joint_free_row(t->b, k, t->b->q, G), deep);
        for (int side = 0; side < 2; side++)
            if (deep[side] > -SMALL)
                add_limit(t, n, side, G, row_motion(t->b, d, k, G[0], G[1]));
    }
}

// false: no memory
static bool find_velocities(const settling *t)
{
    step_problem *p = &t->d->problem;
    mo_solver_info info;
    if (p->extra->boxes > 0)
        return find_changes(t, &info);
    joined_factor(&t->d->joints->system, p);
    refresh_velocities(p, t->threads);
    return true;
}

static bool is_finite(const settling *t)
{
    const step_problem *p = &t->d->problem;
    double size = 0;
    for (size_t r = 0; r < t->d->joints->system.rows; r++)
        size += fabs(t->d->joints->system.T[r]);
    for (size_t k = 0; k < p->extra->boxes; k++)
        size += fabs(p->extra->T[k]);
    return isfinite(size);
}

// false: no memory
static bool settle_velocities(settling *t, step_energy *out)
{
    out->apart = fill_misses(t);
    take_velocities(t->b, t->d);
    add_stops(t);
    if (t->d->joints->system.rows == 0 && t->d->problem.extra->boxes == 0)
        return true;
    fill_velocities(t->b, t->d, t->threads);
    if (!find_velocities(t))
        return false;
    if (!is_finite(t))
        return true;
    const double lost = give_velocities(t->b, t->d);
    const double work = give_impulses(t->b, t->d) + give_stop_impulses(t);
    out->work += work;
    out->impact += lost + work;
    return true;
}

mo_status joints_settle(bodies *b, const contact_set *c, const sleepers *sleep, const stage_data *d, arena *a,
                        pool *threads, step_energy *out, mo_error *err)
{
    if (d->joints == NULL || d->joints->count == 0)
        return MO_OK;
    arena_mark mark = arena_here(a);
    stage_data end = {.h = d->h, .theta = 0.5, .q_mid = b->q, .joints = d->joints, .cell = d->cell};
    settling t = {.b = b, .d = &end, .memory = a, .threads = threads, .step = d, .c = c, .sleep = sleep};
    memcpy(end.gravity, d->gravity, sizeof end.gravity);
    if (!push_problem(b, a, &end) || !settle_positions(&t, out) || !settle_velocities(&t, out))
        return no_memory(err);
    arena_back(a, mark);
    return MO_OK;
}
