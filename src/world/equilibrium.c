/*
 * Equilibrium of a world at rest: contacts at the present positions, their forces or a mechanism
 * (problem/statics.h), a certificate from positions alone, and Coulomb's problem from rest.
 * docs/theory/equilibrium.md; letters as there.
 */
#include <moreau/equilibrium.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collide/detect.h"
#include "core/fail.h"
#include "dynamics/special.h"
#include "math/vec.h"
#include "math/vec3.h"
#include "problem/apply.h"
#include "problem/statics.h"
#include "solver/accelerations.h"
#include "world/world.h"

/* The acceleration, relative to that without contacts, that is motion. */
static const double MOTION = 1e-3;

/* Coulomb's problem is not tried beyond this many contacts: it may take much longer than the question. */
enum { MOST_STEP_CONTACTS_2D = 2000, MOST_STEP_CONTACTS_3D = 500 };

static mo_status no_memory(mo_error *err)
{
    return fail(err, MO_NO_MEMORY, NULL, "out of memory for the equilibrium of contacts");
}

void mo_equilibrium_free(mo_equilibrium *e)
{
    if (e == NULL)
        return;
    void *arrays[] = {e->id1, e->id2, e->point, e->normal, e->gap, e->friction, e->force, e->id, e->velocity};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    *e = (mo_equilibrium){0};
}

/* ---- the problem -----------------------------------------------------------------------------------------
 */

/* One unknown velocity: the motion of a body when it is 1, in world axes; (vx, vy, spin) in 2D. */
typedef struct freedom {
    double motion[6];
} freedom;

/* What the functions below work on. */
typedef struct job {
    mo_world *w;
    size_t dim, nq, nu;
    stage_data d;
    statics p;
    freedom *freedom; /* [p.freedoms] */
    size_t *first;    /* [bodies + 1] where those of a body begin; boundaries have none */
    double *u;        /* [freedoms] */
    statics_info info;
    mo_equilibrium *out;
} job;

// positions, loads and radii of the present time: a step of length 0
static mo_status look_at_contacts(job *j, mo_error *err)
{
    mo_world *w = j->w;
    j->d = world_stage(w);
    j->d.h = 0;
    j->d.t_next = j->d.t;
    mo_status s = predict(&w->bodies, &w->arena, w->threads, &j->d, err);
    if (s != MO_OK)
        return s;
    const detect_view view = bodies_view(&w->bodies, j->d.q_mid);
    w->neighbours.valid = false;
    if (!neighbours_update(&w->neighbours, &view, 0, j->d.reach, &w->arena, w->threads) ||
        !detect(&w->neighbours, &view, contact_reach(w->def.contact_tolerance), NULL, &w->scratch, &w->arena,
                w->threads))
        return no_memory(err);
    clear_normals(&w->bodies, &w->scratch);
    w->neighbours.valid = false;
    return MO_OK;
}

// force and torque on a body without contacts, world axes
static void load_of(const job *j, size_t slot, double out[6])
{
    const bodies *b = &j->w->bodies;
    for (size_t k = 0; k < j->nu; k++)
        out[k] = body_load(b, slot)[k] + (k < j->dim ? b->mass[slot] * j->d.gravity[k] : 0);
}

static void add_freedom(job *j, size_t slot, double A, const double motion[6])
{
    statics *p = &j->p;
    double load[6], F = 0;
    load_of(j, slot, load);
    for (size_t k = 0; k < j->nu; k++)
        F += load[k] * motion[k];
    memcpy(j->freedom[p->freedoms].motion, motion, sizeof j->freedom->motion);
    p->A[p->freedoms] = A;
    p->F[p->freedoms] = F;
    p->body[p->freedoms++] = (uint32_t)slot;
}

// 3D: spins L e_k with I⁻¹ = L L*, I⁻¹ of the free spins alone, so that their inertia is 1
static void add_spins(job *j, size_t slot)
{
    double I[6], L[3][3] = {{0}};
    body_inverse_inertia(&j->w->bodies, slot, &j->d.q_mid[j->nq * slot], I);
    const double full[3][3] = {{I[0], I[1], I[2]}, {I[1], I[3], I[4]}, {I[2], I[4], I[5]}};
    for (size_t k = 0; k < 3; k++) {
        double pivot = full[k][k], motion[6] = {0};
        for (size_t m = 0; m < k; m++)
            pivot -= L[k][m] * L[k][m];
        // no spin of its own
        if (!(pivot > 1e-14 * full[k][k]))
            continue;
        L[k][k] = sqrt(pivot);
        for (size_t i = k + 1; i < 3; i++) {
            L[i][k] = full[i][k];
            for (size_t m = 0; m < k; m++)
                L[i][k] -= L[i][m] * L[k][m];
            L[i][k] /= L[k][k];
        }
        for (size_t i = k; i < 3; i++)
            motion[3 + i] = L[i][k];
        add_freedom(j, slot, 1, motion);
    }
}

// unknowns: what is free, body by body, with inertia and load
static void number_freedoms(job *j)
{
    const bodies *b = &j->w->bodies;
    for (size_t i = 0; i < b->count; i++) {
        j->first[i] = j->p.freedoms;
        for (size_t k = 0; is_dynamic(b, (uint32_t)i) && k < 3; k++) {
            double motion[6] = {0};
            motion[k] = 1;
            if (b->inv[3 * i + k] > 0)
                add_freedom(j, i, k < j->dim ? b->mass[i] : b->inertia[i], motion);
        }
        if (is_dynamic(b, (uint32_t)i) && j->dim == 3)
            add_spins(j, i);
    }
    j->first[b->count] = j->p.freedoms;
}

// axes of a contact: normal and tangents
static void axes_of(const job *j, size_t i, double axes[3][3])
{
    const double *n = &j->w->scratch.normal[j->dim * i];
    memset(axes, 0, 9 * sizeof **axes);
    memcpy(axes[0], n, j->dim * sizeof *n);
    if (j->dim == 3) {
        contact_frame(n, axes[1], axes[2]);
        return;
    }
    axes[1][0] = -n[1];
    axes[1][1] = n[0];
}

// V += sign times the velocity of a body at contact i under a motion of it; sign: -1 for the second body
static void add_velocity_at(const job *j, size_t slot, size_t i, const double motion[6], double sign,
                            double V[3])
{
    double r[3];
    contact_arm(&j->w->scratch, j->dim, i, sign < 0, &j->d.q_mid[j->nq * slot], r);
    if (j->dim == 2) {
        V[0] += sign * (motion[0] - motion[2] * r[1]);
        V[1] += sign * (motion[1] + motion[2] * r[0]);
        return;
    }
    add_point_velocity(motion, r, sign, V);
}

// columns of G for one body of contact i
static void add_columns(job *j, size_t i, uint32_t slot, double sign, size_t *at)
{
    double axes[3][3];
    axes_of(j, i, axes);
    for (size_t f = j->first[slot]; f < j->first[slot + 1]; f++, ++*at) {
        double V[3] = {0};
        add_velocity_at(j, slot, i, j->freedom[f].motion, sign, V);
        j->p.column[*at] = (uint32_t)f;
        for (size_t k = 0; k < j->dim; k++)
            j->p.G[j->dim * *at + k] = axes[k][0] * V[0] + axes[k][1] * V[1] + axes[k][2] * V[2];
    }
}

static void fill_contacts(job *j)
{
    const contact_set *c = &j->w->scratch;
    const law_table *laws = &j->w->laws;
    const uint8_t *group = j->w->bodies.group;
    size_t at = 0;
    for (size_t i = 0; i < c->count; i++) {
        const uint32_t s1 = c->slot1[i], s2 = c->slot2[i];
        // columns rise with the slot
        add_columns(j, i, s1 < s2 ? s1 : s2, s1 < s2 ? 1 : -1, &at);
        add_columns(j, i, s1 < s2 ? s2 : s1, s1 < s2 ? -1 : 1, &at);
        j->p.start[i + 1] = at;
        // at rest friction is the static one
        j->p.mu[i] = special_mu(&laws->list[laws->pair[group[s1]][group[s2]]], false);
    }
}

static mo_status build(job *j, mo_error *err)
{
    const size_t n = j->w->bodies.count, contacts = j->w->scratch.count, entries = 2 * j->nu * contacts;
    arena *a = &j->w->arena;
    statics *p = &j->p;
    *p = (statics){.dim = (int)j->dim,
                   .contacts = contacts,
                   .A = arena_push(a, j->nu * n, sizeof *p->A),
                   .F = arena_push(a, j->nu * n, sizeof *p->F),
                   .body = arena_push(a, j->nu * n, sizeof *p->body),
                   .start = arena_push_zero(a, contacts + 1, sizeof *p->start),
                   .column = arena_push(a, entries, sizeof *p->column),
                   .G = arena_push(a, j->dim * entries, sizeof *p->G),
                   .mu = arena_push(a, contacts, sizeof *p->mu)};
    j->freedom = arena_push(a, j->nu * n, sizeof *j->freedom);
    j->first = arena_push(a, n + 1, sizeof *j->first);
    j->u = arena_push_zero(a, j->nu * n, sizeof *j->u);
    if (p->A == NULL || p->F == NULL || p->body == NULL || p->start == NULL || p->column == NULL ||
        p->G == NULL || p->mu == NULL || j->freedom == NULL || j->first == NULL || j->u == NULL)
        return no_memory(err);
    number_freedoms(j);
    fill_contacts(j);
    return MO_OK;
}

/* ---- the answer ------------------------------------------------------------------------------------------
 */

static mo_status reserve_answer(job *j, mo_error *err)
{
    mo_equilibrium *e = j->out;
    const bodies *b = &j->w->bodies;
    const size_t n = j->w->scratch.count;
    *e = (mo_equilibrium){.dim = (int)j->dim, .contacts = n};
    for (uint32_t i = 0; i < b->count; i++)
        e->bodies += is_dynamic(b, i);
    e->id1 = calloc(n + 1, sizeof *e->id1);
    e->id2 = calloc(n + 1, sizeof *e->id2);
    e->point = calloc(n + 1, j->dim * sizeof *e->point);
    e->normal = calloc(n + 1, j->dim * sizeof *e->normal);
    e->gap = calloc(n + 1, sizeof *e->gap);
    e->friction = calloc(n + 1, sizeof *e->friction);
    e->force = calloc(n + 1, j->dim * sizeof *e->force);
    e->id = calloc(e->bodies + 1, sizeof *e->id);
    e->velocity = calloc(e->bodies + 1, j->nu * sizeof *e->velocity);
    const bool ok = e->id1 != NULL && e->id2 != NULL && e->point != NULL && e->normal != NULL &&
                    e->gap != NULL && e->friction != NULL && e->force != NULL && e->id != NULL &&
                    e->velocity != NULL;
    return ok ? MO_OK : no_memory(err);
}

static void copy_contacts(const job *j)
{
    mo_equilibrium *e = j->out;
    const contact_set *c = &j->w->scratch;
    for (size_t i = 0; i < c->count; i++) {
        e->id1[i] = j->w->bodies.id[c->slot1[i]];
        e->id2[i] = j->w->bodies.id[c->slot2[i]];
        memcpy(&e->point[j->dim * i], &c->point[j->dim * i], j->dim * sizeof *e->point);
        memcpy(&e->normal[j->dim * i], &c->normal[j->dim * i], j->dim * sizeof *e->normal);
        e->gap[i] = c->gap[i];
        e->overlap = fmax(e->overlap, -c->gap[i]);
        e->friction[i] = j->p.mu[i];
    }
}

// a body's motion in the mechanism, world axes
static void motion_of(const job *j, size_t slot, double out[6])
{
    memset(out, 0, 6 * sizeof *out);
    for (size_t f = j->first[slot]; f < j->first[slot + 1]; f++)
        for (size_t k = 0; k < j->nu; k++)
            out[k] += j->u[f] * j->freedom[f].motion[k];
}

// velocities of the mechanism, the fastest point at 1 m/s
static void copy_motion(const job *j)
{
    mo_equilibrium *e = j->out;
    const bodies *b = &j->w->bodies;
    double fastest = 0, v[6];
    for (size_t i = 0; i < b->count; i++) {
        motion_of(j, i, v);
        const double spin = vec_norm_in_order(j->nu - j->dim, v + j->dim);
        fastest = fmax(fastest, vec_norm_in_order(j->dim, v) + (spin > 0 ? spin * b->radius[i] : 0));
    }
    for (size_t f = 0; fastest > 0 && f < j->p.freedoms; f++)
        j->u[f] /= fastest;
    for (size_t i = 0, at = 0; i < b->count; i++) {
        if (!is_dynamic(b, (uint32_t)i))
            continue;
        motion_of(j, i, v);
        memcpy(&e->velocity[j->nu * at], v, j->nu * sizeof *v);
        e->id[at++] = b->id[i];
    }
}

/* ---- the certificate: from points, normals and answers ---------------------------------------------------
 */

// force and torque of contact i on a body, world axes
static void wrench_of(const job *j, size_t i, size_t slot, double sign, double out[6])
{
    const mo_equilibrium *e = j->out;
    double f[3] = {0}, r[3] = {0};
    contact_to_world(j->dim, &e->normal[j->dim * i], &e->force[j->dim * i], f);
    contact_arm(&j->w->scratch, j->dim, i, sign < 0, &j->d.q_mid[j->nq * slot], r);
    for (size_t k = 0; k < j->dim; k++)
        out[k] += sign * f[k];
    if (j->dim == 2) {
        out[2] += sign * (r[0] * f[1] - r[1] * f[0]);
        return;
    }
    double torque[3];
    vec3_cross(r, f, torque);
    vec3_add_scaled(out + 3, sign, torque, out + 3);
}

// what is left of load and contact forces along what is free; rest [6 bodies], zero
static void certify_balance(const job *j, double *rest)
{
    mo_equilibrium *e = j->out;
    const contact_set *c = &j->w->scratch;
    for (size_t i = 0; i < j->w->bodies.count; i++)
        load_of(j, i, &rest[6 * i]);
    for (size_t i = 0; i < e->contacts; i++) {
        wrench_of(j, i, c->slot1[i], 1, &rest[6 * (size_t)c->slot1[i]]);
        wrench_of(j, i, c->slot2[i], -1, &rest[6 * (size_t)c->slot2[i]]);
    }
    for (size_t i = 0; i < j->w->bodies.count; i++) {
        double force = 0, torque = 0;
        for (size_t f = j->first[i]; f < j->first[i + 1]; f++) {
            const double *motion = j->freedom[f].motion,
                         spin = vec_norm_in_order(j->nu - j->dim, motion + j->dim);
            double along = 0;
            for (size_t k = 0; k < j->nu; k++)
                along += rest[6 * i + k] * motion[k];
            if (spin > 0)
                torque = hypot(torque, along / spin);
            else
                force = hypot(force, along);
        }
        e->balance_force = fmax(e->balance_force, force);
        e->balance_torque = fmax(e->balance_torque, torque);
    }
}

static void certify_cones(const job *j)
{
    mo_equilibrium *e = j->out;
    for (size_t i = 0; i < e->contacts; i++) {
        const double *S = &e->force[j->dim * i], mu = e->friction[i],
                     T = vec_norm_in_order(j->dim - 1, S + 1);
        // beyond the edge, or (behind the polar cone) the distance to the tip
        const double out = S[0] + mu * T <= 0 ? hypot(S[0], T) : (T - mu * S[0]) / hypot(1, mu);
        e->cone_violation = fmax(e->cone_violation, out);
    }
}

static void certify_motion(const job *j)
{
    mo_equilibrium *e = j->out;
    const contact_set *c = &j->w->scratch;
    for (size_t f = 0; f < j->p.freedoms; f++)
        e->power += j->p.F[f] * j->u[f];
    for (size_t i = 0; i < e->contacts; i++) {
        const double *n = &e->normal[j->dim * i];
        double motion[6], V[3] = {0}, N = 0;
        motion_of(j, c->slot1[i], motion);
        add_velocity_at(j, c->slot1[i], i, motion, 1, V);
        motion_of(j, c->slot2[i], motion);
        add_velocity_at(j, c->slot2[i], i, motion, -1, V);
        for (size_t k = 0; k < j->dim; k++)
            N += n[k] * V[k];
        for (size_t k = 0; k < j->dim; k++)
            V[k] -= N * n[k];
        e->motion_violation = fmax(e->motion_violation, e->friction[i] * vec_norm_in_order(j->dim, V) - N);
    }
    e->force_bound = e->motion_violation > 0 ? e->power / e->motion_violation : HUGE_VAL;
    if (j->info.moving == 0)
        e->force_bound = 0;
}

/* ---- Coulomb's problem from rest -------------------------------------------------------------------------
 */

// what `auto` makes of the first instant
static mo_status first_instant(job *j, mo_error *err)
{
    const statics *p = &j->p;
    mo_equilibrium_step *step = &j->out->step;
    mo_problem_info info;
    double *v = arena_push_zero(&j->w->arena, p->freedoms, sizeof *v);
    double *v_free = arena_push_zero(&j->w->arena, p->freedoms, sizeof *v_free);
    if (v == NULL || v_free == NULL)
        return no_memory(err);
    const mo_status status = accelerations(p, &j->w->def.solver, v, &info, err);
    if (status != MO_OK)
        return status;
    for (size_t f = 0; f < p->freedoms; f++)
        v_free[f] = p->F[f] / p->A[f];
    const double load = statics_norm(p, v_free);
    step->solved = info.solved;
    step->residual = fmax(info.reached.residual, info.reached.residual_fclib);
    step->rate = load > 0 ? statics_norm(p, v) / load : 0;
    step->moves = step->rate > MOTION;
    return MO_OK;
}

/* ---- all of it -------------------------------------------------------------------------------------------
 */

static mo_equilibrium_outcome outcome_of(statics_outcome o)
{
    return o == STATICS_BALANCED    ? MO_EQUILIBRIUM_POSSIBLE
           : o == STATICS_MECHANISM ? MO_EQUILIBRIUM_NONE
                                    : MO_EQUILIBRIUM_UNDECIDED;
}

static mo_status find_equilibrium(job *j, mo_error *err)
{
    mo_status s = j->w->started ? MO_OK : world_treat_overlaps(j->w, err);
    arena_reset(&j->w->arena);
    if (s == MO_OK)
        s = look_at_contacts(j, err);
    if (s == MO_OK)
        s = build(j, err);
    if (s == MO_OK)
        s = reserve_answer(j, err);
    if (s == MO_OK)
        s = statics_solve(&j->p, j->out->force, j->u, &j->info, err);
    if (s != MO_OK)
        return s;
    double *rest = arena_push_zero(&j->w->arena, 6 * j->w->bodies.count, sizeof *rest);
    if (rest == NULL)
        return no_memory(err);
    j->out->outcome = outcome_of(j->info.outcome);
    j->out->groups = j->info.groups;
    j->out->imbalance = j->info.imbalance;
    j->out->balance = j->info.balance;
    copy_contacts(j);
    copy_motion(j);
    certify_balance(j, rest);
    certify_cones(j);
    certify_motion(j);
    // without equilibrium every solution moves
    j->out->step.moves = j->out->outcome == MO_EQUILIBRIUM_NONE;
    const size_t most = j->dim == 2 ? MOST_STEP_CONTACTS_2D : MOST_STEP_CONTACTS_3D;
    j->out->step.tried = !j->out->step.moves && j->p.contacts <= most;
    return j->out->step.tried ? first_instant(j, err) : MO_OK;
}

// forces are looked for in Coulomb's cones with one friction
static mo_status check_laws(const law_table *laws, mo_error *err)
{
    for (size_t i = 0; i < laws->law_count; i++) {
        const mo_law *l = &laws->list[i];
        const char *key = l->cohesion > 0    ? "cohesion"
                          : l->threshold > 0 ? "threshold"
                          : l->name != NULL  ? "name"
                          : law_is_turned(l) ? "friction2"
                          : l->rolling > 0   ? "rolling"
                          : l->spinning > 0  ? "spinning"
                                             : NULL;
        if (key != NULL)
            return fail(err, MO_BAD_INPUT, key, "equilibrium knows no law with %s, only friction", key);
    }
    return MO_OK;
}

mo_status mo_world_equilibrium(mo_world *w, mo_equilibrium *out, mo_error *err)
{
    mo_equilibrium found = {0};
    mo_status known = w->joints.count > 0 ? fail(err, MO_BAD_INPUT, "joint", "equilibrium knows no joints")
                                          : check_laws(&w->laws, err);
    if (known != MO_OK)
        return known;
    job j = {.w = w, .dim = w->bodies.dim, .nq = w->bodies.nq, .nu = w->bodies.nu, .out = &found};
    mo_status s = find_equilibrium(&j, err);
    arena_reset(&w->arena);
    if (s == MO_OK)
        *out = found;
    else
        mo_equilibrium_free(&found);
    return s;
}
