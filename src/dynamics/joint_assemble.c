/*
 * What joints and contacts that resist rolling give to the step problem, and what its answer means to them.
 *
 * Rigid joints: (1 - theta) U_I + theta U_F = 0 at q_mid, so that positions, which move with this mean, stay
 * on the joint to third order and, for theta = 1/2, its impulses do no work.  Springs: the force at the mean
 * of lengths and velocities, an implicit rule of second order.  docs/theory/joints.md §2, §5, §6.
 */
#include <math.h>
#include <string.h>

#include "dynamics/assemble.h"
#include "dynamics/joints.h"
#include "math/vec.h"
#include "math/vec3.h"
#include "problem/apply.h"
#include "solver/extra_sweep.h"

/* A stop acts from this far before it on, rad; lengths: the reach of contacts. */
static const double STOP_REACH = 1e-8;

// what the flow of a cell gives along a row; with joints all its rates are given, and the same before and
// after
static double flow_along(const bodies *b, const joint *k, const stage_data *d, const double *g1)
{
    return d->cell != NULL ? joint_flow(b, k, d->q_mid, d->cell->after, g1) : 0;
}

void joint_start(const bodies *b, const joint *k, const stage_data *d, const double *g1, const double *g2,
                 double *U_I, double *w)
{
    *U_I = *w = flow_along(b, k, d, g1);
    for (int side = 0; side < 2; side++) {
        if (k->slot[side] == NO_BODY)
            continue;
        const double *u = start_velocity(b, d, k->slot[side]), *g = side == 0 ? g1 : g2;
        const double along = vec_dot_in_order(b->nu, g, u);
        *U_I += along;
        *w += is_dynamic(b, k->slot[side]) ? 0 : along;
    }
}

// the row of a spring: U_F + w + T/e + rest/e = 0
static void fill_spring(const joint *k, const stage_data *d, row_block *out, double stretch, double U_I,
                        double w)
{
    const double h = d->h, theta = d->theta, stiff = k->def.stiffness, damp = k->def.damping;
    double e = h * (stiff * theta * theta * h + damp * theta);
    // stretch is that of q_mid, half a step ahead; or that of bodies at the start and boundaries at the end
    double start = stretch - h * (d->ahead ? w : 0.5 * U_I);
    double rest = h * (stiff * (start + theta * (1 - theta) * h * U_I) + damp * (1 - theta) * U_I);
    out->compliance[0] = 1 / e;
    out->shift[0] = w + rest / e;
}

void joint_bodies(const bodies *b, const joint *k, uint32_t body[2])
{
    for (int side = 0; side < 2; side++)
        body[side] = k->slot[side] != NO_BODY && is_dynamic(b, k->slot[side]) ? k->slot[side] : NO_BODY;
}

static void fill_block(const bodies *b, const joint *k, const stage_data *d, row_block *out)
{
    double value[BLOCK_ROWS], U_I, w, ratio = (1 - d->theta) / d->theta;
    joint_fill(b, k, d->q_mid, out->G, value);
    for (uint32_t r = 0; r < out->rows; r++) {
        joint_start(b, k, d, out->G[0][r], out->G[1][r], &U_I, &w);
        out->compliance[r] = 0;
        out->shift[r] = w + ratio * U_I;
        if (k->def.kind == MO_JOINT_SPRING)
            fill_spring(k, d, out, value[r], U_I, w);
    }
}

// a box of joint number n along its free row
static void add_box(const bodies *b, joints *js, size_t n, step_extra *e, double G[2][6],
                    const double range[2], double shift, bool motor)
{
    box_row *r = &e->box[e->boxes];
    *r = (box_row){.shift = shift, .low = range[0], .high = range[1]};
    memcpy(r->G, G, sizeof r->G);
    joint_bodies(b, &js->list[n], r->body);
    js->owner[e->boxes++] = (box_owner){(uint32_t)n, motor};
}

static void add_boxes(const bodies *b, joints *js, size_t n, const stage_data *d, step_extra *e)
{
    const joint *k = &js->list[n];
    double G[2][6], U_I, w, value = joint_free_row(b, k, d->q_mid, G);
    double reach = k->def.kind == MO_JOINT_HINGE ? STOP_REACH : d->reach;
    joint_start(b, k, d, G[0], G[1], &U_I, &w);
    for (int side = 0; side < 2 && k->def.limited; side++) {
        static const double BOUNDS[2][2] = {{0, HUGE_VAL}, {-HUGE_VAL, 0}};
        double past = value - k->def.limits[side], open = side == 0 ? past : -past;
        // as contacts: held where it is reached, or ahead of time, when boundaries stand at the end already
        if (isfinite(past) && (d->ahead || open <= reach))
            add_box(b, js, n, e, G, BOUNDS[side], d->ahead ? past / d->h : w, false);
    }
    const double load[2] = {-d->h * k->def.max_load, d->h * k->def.max_load};
    if (k->def.driven)
        add_box(b, js, n, e, G, load, w - k->def.speed, true);
}

static bool connect(joints *js, const bodies *b)
{
    js->system.blocks = 0;
    for (size_t k = 0; k < js->count; k++) {
        joint *j = &js->list[k];
        uint32_t rows = joint_row_count(&j->def, b->dim);
        j->block = rows > 0 ? (uint32_t)js->system.blocks : NO_BODY;
        if (rows == 0)
            continue;
        row_block *out = &js->system.block[js->system.blocks++];
        *out = (row_block){.rows = rows};
        joint_bodies(b, j, out->body);
    }
    js->changed = !joined_connect(&js->system, b->count);
    return !js->changed;
}

// whether some contact resists rolling or spinning
static bool resists(const law_table *laws, const contact_set *c)
{
    bool some = laws->law_count == 0;
    for (size_t k = 0; k < laws->law_count && !some; k++)
        some = laws->list[k].rolling > 0 || laws->list[k].spinning > 0;
    if (!some)
        return false;
    for (size_t i = 0; i < c->count; i++)
        if (laws->list[c->law[i]].rolling > 0 || laws->list[c->law[i]].spinning > 0)
            return true;
    return false;
}

static bool push_turns(const contact_set *c, arena *a, step_extra *e)
{
    e->turns = c->dim == 2 ? 1 : 3;
    e->length = arena_push(a, c->count, sizeof *e->length);
    e->turn_shift = arena_push_zero(a, e->turns * c->count, sizeof *e->turn_shift);
    e->J = arena_push(a, c->count, sizeof *e->J);
    return e->length != NULL && e->turn_shift != NULL && e->J != NULL;
}

bool joints_assemble(const bodies *b, const law_table *laws, const contact_set *c, arena *a, stage_data *d)
{
    joints *js = d->joints;
    bool turns = resists(laws, c), some = js != NULL && js->count > 0;
    d->problem.extra = NULL;
    if (!turns && !some)
        return true;
    step_extra *e = arena_push_zero(a, 1, sizeof *e);
    if (e == NULL || (turns && !push_turns(c, a, e)))
        return false;
    d->problem.extra = e;
    if (!some)
        return true;
    e->box = arena_push(a, JOINT_BOXES * js->count, sizeof *e->box);
    if (e->box == NULL || (js->changed && !connect(js, b)))
        return false;
    e->joints = js->system.rows > 0 ? &js->system : NULL;
    for (size_t k = 0; k < js->count; k++) {
        const joint *j = &js->list[k];
        if (j->block != NO_BODY)
            fill_block(b, j, d, &js->system.block[j->block]);
        if (j->def.limited || j->def.driven)
            add_boxes(b, js, k, d, e);
    }
    return true;
}

// resistance of contact i, and what a boundary's spin gives
static void fill_turn(const bodies *b, const mo_law *law, const contact_set *c, size_t i, const stage_data *d)
{
    step_extra *e = d->problem.extra;
    const uint32_t r = d->row[i];
    uint32_t other = is_turned(b, c, i) ? c->slot1[i] : c->slot2[i];
    double *shift = &e->turn_shift[e->turns * r], s[3];
    e->length[r][0] = law->rolling;
    e->length[r][1] = law->spinning;
    if (is_dynamic(b, other))
        return;
    const double *u = &d->u_free[b->nu * other];
    if (b->dim == 2) {
        shift[0] = -u[2];
        return;
    }
    const contact_row3 *row = &d->problem.row3[r];
    vec3_cross(row->n, row->t, s);
    vec3_set(shift, -vec3_dot(row->n, u + 3), -vec3_dot(row->t, u + 3), -vec3_dot(s, u + 3));
}

bool joints_assemble_end(const bodies *b, const law_table *laws, const contact_set *c, arena *a,
                         stage_data *d)
{
    step_problem *p = &d->problem;
    step_extra *e = p->extra;
    e->R = p->S + b->dim * c->count;
    e->T = e->R + e->turns * c->count;
    memset(e->R, 0, (e->turns * c->count + e->boxes) * sizeof *e->R);
    for (size_t i = 0; e->turns > 0 && i < c->count; i++)
        fill_turn(b, &laws->list[c->law[i]], c, i, d);
    return extra_prepare(p, contact_feel, a);
}

/* ---- the answer ------------------------------------------------------------------------------------------
 */

// what impulse T along a row did
static void finish_row(bodies *b, joint *k, const stage_data *d, const double *u_f, double (*const g)[6],
                       double T, bool motor, bool spring, step_energy *out)
{
    double U_I, w, U_F = joint_velocity(b, k, g[0], g[1], u_f, false) + flow_along(b, k, d, g[0]);
    joint_start(b, k, d, g[0], g[1], &U_I, &w);
    double mean = 0.5 * (U_I + U_F);
    for (int side = 0; side < 2; side++)
        for (size_t c = 0; k->slot[side] != NO_BODY && c < b->nu; c++)
            b->force[b->nu * k->slot[side] + c] += g[side][c] * T;
    joint_add_load(b, k, d->q_mid, g[0], T / d->h);
    out->work -= w * T;
    if (motor)
        out->work += mean * T;
    else if (spring) // the dashpot pulls with the rate of fill_spring
        out->friction += d->h * k->def.damping * ((1 - d->theta) * U_I + d->theta * U_F) * mean;
    else
        out->impact -= mean * T;
}

static void finish_joints(joints *js, bodies *b, const stage_data *d, const double *u_f, step_energy *out)
{
    const step_extra *e = d->problem.extra;
    joints_forget_loads(js);
    for (size_t n = 0; n < js->count; n++) {
        joint *k = &js->list[n];
        if (k->block == NO_BODY)
            continue;
        const row_block *r = &js->system.block[k->block];
        for (uint32_t i = 0; i < r->rows; i++) {
            double g[2][6];
            memcpy(g[0], r->G[0][i], sizeof g[0]);
            memcpy(g[1], r->G[1][i], sizeof g[1]);
            finish_row(b, k, d, u_f, g, js->system.T[r->first + i], false, k->def.kind == MO_JOINT_SPRING,
                       out);
        }
    }
    for (size_t i = 0; i < e->boxes; i++) {
        joint *k = &js->list[js->owner[i].joint];
        finish_row(b, k, d, u_f, e->box[i].G, e->T[i], js->owner[i].motor, false, out);
        k->motor += js->owner[i].motor ? e->T[i] / d->h : 0;
    }
}

// spin of a body along the axes of row r, of dynamic bodies before or after, of boundaries at mid step
static void spin_along(const bodies *b, const stage_data *d, uint32_t r, const double *u, double *out)
{
    if (b->dim == 2) {
        out[0] = u[2];
        return;
    }
    const contact_row3 *row = &d->problem.row3[r];
    double s[3];
    vec3_cross(row->n, row->t, s);
    vec3_set(out, vec3_dot(row->n, u + 3), vec3_dot(row->t, u + 3), vec3_dot(s, u + 3));
}

static void finish_turn(bodies *b, const contact_set *c, size_t i, const stage_data *d, const double *u_f,
                        step_energy *out)
{
    const step_extra *e = d->problem.extra;
    const uint32_t r = d->row[i];
    const double *R = &e->R[e->turns * r];
    bool turned = is_turned(b, c, i);
    for (int side = 0; side < 2; side++) {
        uint32_t slot = (side == 0) == turned ? c->slot2[i] : c->slot1[i];
        double before[3], after[3], sign = side == 0 ? 1 : -1, axes[3][3];
        spin_along(b, d, r, start_velocity(b, d, slot), before);
        spin_along(b, d, r, &u_f[b->nu * slot], after);
        for (size_t k = 0; k < e->turns; k++) {
            double power = sign * 0.5 * (before[k] + after[k]) * R[k];
            out->friction -= power;
            // a boundary's share of it is what the boundary takes away
            out->work -= is_dynamic(b, slot) ? 0 : power;
        }
        if (b->dim == 2) {
            b->force[3 * slot + 2] += sign * R[0];
            continue;
        }
        vec3_copy(d->problem.row3[r].n, axes[0]);
        vec3_copy(d->problem.row3[r].t, axes[1]);
        vec3_cross(axes[0], axes[1], axes[2]);
        for (int k = 0; k < 3; k++)
            vec3_add_scaled(&b->force[6 * slot + 3], sign * R[k], axes[k], &b->force[6 * slot + 3]);
    }
}

void turns_finish(bodies *b, const contact_set *c, const stage_data *d, const double *u_f, step_energy *out)
{
    for (size_t i = 0; d->problem.extra != NULL && d->problem.extra->turns > 0 && i < c->count; i++)
        finish_turn(b, c, i, d, u_f, out);
}

void joints_finish(bodies *b, const stage_data *d, const double *u_f, step_energy *out)
{
    if (d->problem.extra != NULL && d->joints != NULL && d->joints->count > 0)
        finish_joints(d->joints, b, d, u_f, out);
}
