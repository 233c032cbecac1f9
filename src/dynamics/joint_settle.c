/*
 * After a step: what it left of drift is taken out by changes of least kinetic norm,
 *
 *   positions    min ½ Δq.A Δq with g(q) + G Δq = 0, and limits that were passed g + G Δq >= 0: Newton's rule
 *   velocities   min ½ Δu.A Δu with G u = w at the end of the step
 *
 * Both are step problems without contacts and have the same matrix.  docs/theory/joints.md §4.
 */
#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "dynamics/assemble.h"
#include "dynamics/joints.h"
#include "math/vec3.h"
#include "problem/apply.h"
#include "problem/certificate.h"
#include "solver/extra_sweep.h"
#include "solver/nlgs.h"

/* Newton's rule: misses below SMALL need one step only; below NONE none; ROUNDS at most. */
static const double SMALL = 1e-8, NONE = 1e-15;
enum { ROUNDS = 6, SWEEPS = 100 };

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

// a limit that was passed
static void add_passed(const bodies *b, const joint *k, step_extra *e, double *worst)
{
    double G[2][6], value = joint_free_row(b, k, b->q, G), scale = k->reach;
    if (k->def.kind == MO_JOINT_HINGE)
        scale = 1;
    for (int side = 0; side < 2; side++) {
        double past = value - k->def.limits[side], deep = side == 0 ? -past : past;
        if (!(deep > 0))
            continue;
        box_row *r = &e->box[e->boxes++];
        *r = (box_row){.shift = past, .low = side == 0 ? 0 : -HUGE_VAL, .high = side == 0 ? HUGE_VAL : 0};
        memcpy(r->G, G, sizeof r->G);
        for (int s = 0; s < 2; s++)
            r->body[s] = k->slot[s] != NO_BODY && is_dynamic(b, k->slot[s]) ? k->slot[s] : NO_BODY;
        *worst = fmax(*worst, deep / scale);
    }
}

// rows at the present positions with what they miss in the place of velocities; the worst relative miss
static double fill_misses(joints *js, const bodies *b, step_extra *e)
{
    double worst = 0, value[BLOCK_ROWS];
    e->boxes = 0;
    for (size_t n = 0; n < js->count; n++) {
        const joint *k = &js->list[n];
        if (k->def.limited)
            add_passed(b, k, e, &worst);
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
    p->S = arena_push(a, JOINT_BOXES * d->joints->count, sizeof *p->S);
    p->scratch = arena_push(a, JOINT_BOXES * d->joints->count, sizeof *p->scratch);
    d->u_free = arena_push_zero(a, b->nu * n, sizeof *d->u_free);
    p->u_free = d->u_free;
    d->sums = arena_push(a, certificate_scratch(0), sizeof *d->sums);
    if (p->extra == NULL || (p->velocity == NULL && p->velocity3 == NULL) || p->S == NULL ||
        p->scratch == NULL || d->u_free == NULL || d->sums == NULL)
        return false;
    p->extra->box = arena_push(a, JOINT_BOXES * d->joints->count, sizeof *p->extra->box);
    p->extra->joints = d->joints->system.rows > 0 ? &d->joints->system : NULL;
    return p->extra->box != NULL;
}

// one step of Newton's rule; false: no memory
static bool move_onto(bodies *b, stage_data *d, arena *a, pool *threads)
{
    step_problem *p = &d->problem;
    arena_mark mark = arena_here(a);
    mo_solver_settings settings = mo_default_solver_settings();
    mo_solver_info info;
    settings.tol = 1e-13;
    settings.max_iter = SWEEPS;
    p->extra->R = p->extra->T = p->S;
    memset(p->S, 0, p->extra->boxes * sizeof *p->S);
    if (!extra_prepare(p, contact_feel, a))
        return false;
    nlgs_solve(p, &settings, threads, d->sums, &info);
    arena_back(a, mark);
    for (size_t i = 0; i < b->count && isfinite(info.certificate.residual); i++)
        if (is_dynamic(b, (uint32_t)i))
            displace_body(b, i, body_velocity(p, (uint32_t)i));
    return true;
}

static double potential_of(const bodies *b, const stage_data *d)
{
    double sum = joints_potential(d->joints, b);
    for (size_t i = 0; i < b->count; i++)
        if (is_dynamic(b, (uint32_t)i))
            sum += body_potential(b, i, d->gravity);
    return sum;
}

static bool settle_positions(bodies *b, stage_data *d, arena *a, pool *threads, step_energy *out)
{
    joints *js = d->joints;
    bool moved = false;
    double before = 0;
    for (int round = 0; round < ROUNDS; round++) {
        double worst = fill_misses(js, b, d->problem.extra);
        if (!(worst > NONE))
            break;
        if (!moved)
            before = potential_of(b, d);
        moved = true;
        fill_velocities(b, d);
        if (!move_onto(b, d, a, threads))
            return false;
        if (worst <= SMALL)
            break;
    }
    // a change of place is work of whoever holds the joints
    if (moved)
        out->work += potential_of(b, d) - before;
    return true;
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
            r->shift[i] = joint_velocity(b, k, r->G[0][i], r->G[1][i], d->u_free, true) +
                          (d->cell != NULL ? joint_flow(b, k, b->q, d->cell->after, r->G[0][i]) : 0);
    }
}

// kinetic energy of the bodies that joints hold
static double kinetic_of(const bodies *b, const joined *system)
{
    double sum = 0;
    for (size_t i = 0; i < system->bodies; i++)
        sum += body_kinetic(b, system->body[i]);
    return sum;
}

static void give_velocities(bodies *b, const stage_data *d)
{
    const joined *system = &d->joints->system;
    for (size_t i = 0; i < system->bodies; i++) {
        uint32_t slot = system->body[i];
        double *u = &b->u[b->nu * slot];
        memcpy(u, body_velocity(&d->problem, slot), b->nu * sizeof *u);
        if (b->dim == 3)
            body_spin_principal(b, slot, &b->q[7 * slot], u + 3, u + 3);
    }
}

// impulses of the correction belong to the step's; their work on boundaries
static double give_impulses(bodies *b, const stage_data *d)
{
    double work = 0;
    joints *js = d->joints;
    for (size_t n = 0; n < js->count; n++) {
        joint *k = &js->list[n];
        if (k->block == NO_BODY)
            continue;
        const row_block *r = &js->system.block[k->block];
        for (uint32_t i = 0; i < r->rows; i++) {
            double T = js->system.T[r->first + i], F = T / d->h;
            work -= r->shift[i] * T;
            for (int side = 0; side < 2; side++)
                for (size_t c = 0; k->slot[side] != NO_BODY && c < b->nu; c++)
                    b->force[b->nu * k->slot[side] + c] += r->G[side][i][c] * F;
            joint_add_load(b, k, b->q, r->G[0][i], F);
        }
    }
    return work;
}

static void settle_velocities(bodies *b, stage_data *d, pool *threads, step_energy *out)
{
    joined *system = &d->joints->system;
    step_problem *p = &d->problem;
    out->apart = fill_misses(d->joints, b, p->extra);
    fill_velocities(b, d);
    joined_factor(system, p);
    take_velocities(b, d);
    p->extra->boxes = 0;
    refresh_velocities(p, threads);
    double size = 0;
    for (size_t r = 0; r < system->rows; r++)
        size += fabs(system->T[r]);
    if (!isfinite(size))
        return;
    double before = kinetic_of(b, system);
    give_velocities(b, d);
    double work = give_impulses(b, d);
    out->work += work;
    out->impact += before + work - kinetic_of(b, system);
}

mo_status joints_settle(bodies *b, const stage_data *d, arena *a, pool *threads, step_energy *out,
                        mo_error *err)
{
    if (d->joints == NULL || d->joints->count == 0)
        return MO_OK;
    arena_mark mark = arena_here(a);
    stage_data end = {.h = d->h, .theta = 0.5, .q_mid = b->q, .joints = d->joints, .cell = d->cell};
    memcpy(end.gravity, d->gravity, sizeof end.gravity);
    if (!push_problem(b, a, &end) || !settle_positions(b, &end, a, threads, out))
        return no_memory(err);
    if (d->joints->system.rows > 0)
        settle_velocities(b, &end, threads, out);
    arena_back(a, mark);
    return MO_OK;
}
