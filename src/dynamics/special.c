#include "dynamics/special.h"

#include <math.h>
#include <string.h>

#include "dynamics/assemble.h"
#include "dynamics/contact_place.h"
#include "math/quat.h"
#include "problem/apply.h"
#include "problem/certificate.h"
#include "solver/contact2d.h"
#include "solver/contact3d.h"

/* An axis nearer to the normal than this has no direction in the tangent plane. */
static const double UPRIGHT = 1e-8;

/*
 * A contact slides at its static friction when it is on the edge of the cone up to EDGE, and its slip would
 * need SLIP of its friction to be stopped, and LEFT times what the solver left of the law elsewhere.
 */
static const double EDGE = 1e-6, SLIP = 1e-7, LEFT = 10;

static const mo_law *law_of(const contact_set *c, size_t i, const stage_data *d)
{
    return &d->special->list[c->law[i]];
}

bool special_push(const contact_set *c, arena *a, stage_data *d)
{
    step_problem *p = &d->problem;
    bool others = false;
    d->pull = arena_push(a, c->count, sizeof *d->pull);
    for (size_t i = 0; i < c->count; i++)
        others = others || laws_other(d->special, c->law[i]);
    d->laws = others ? arena_push(a, c->count, sizeof *d->laws) : NULL;
    p->law = d->laws;
    // steps in subspaces know Coulomb's cone only
    if (others)
        p->spare = NULL;
    return d->pull != NULL && (!others || d->laws != NULL);
}

double special_mu(const mo_law *law, bool slid)
{
    double mu = law_is_turned(law) ? fmax(law->friction, law->friction2) : law->friction;
    if (slid || !(law->static_friction > law->friction))
        return mu;
    return law_is_turned(law) ? mu * (law->static_friction / law->friction) : law->static_friction;
}

double special_tangent(const bodies *b, const mo_law *law, const contact_set *c, size_t i,
                       const double *q_mid, double t[3])
{
    const double *n = &c->normal[3 * i];
    bool second = is_dynamic(b, c->slot1[i]) && !is_dynamic(b, c->slot2[i]);
    uint32_t owner = second ? c->slot2[i] : c->slot1[i];
    double axis[3];
    vec3_unit(law->axis, axis);
    quat_rotate(&q_mid[7 * (size_t)owner + 3], axis, axis);
    vec3_add_scaled(axis, -vec3_dot(axis, n), n, t);
    if (!(vec3_norm(t) > UPRIGHT))
        tangent_of(n, t);
    vec3_unit(t, t);
    // the larger friction comes first
    if (law->friction2 > law->friction)
        vec3_cross(n, t, t);
    return law_ratio(law);
}

// the impulse S of a contact in the axes of its row
static void to_row(const bodies *b, const contact_set *c, size_t i, const stage_data *d, const double *S,
                   double *out)
{
    if (!law_is_turned(law_of(c, i, d))) {
        turn_impulse(b->dim, is_turned(b, c, i), S, out);
        return;
    }
    const contact_row3 *row = &d->problem.row3[d->row[i]];
    double P[3], s[3];
    contact_to_world(3, &c->normal[3 * i], S, P);
    vec3_scale(is_turned(b, c, i) ? -1 : 1, P, P);
    vec3_cross(row->n, row->t, s);
    vec3_set(out, vec3_dot(row->n, P), vec3_dot(row->t, P), row->ratio > 0 ? vec3_dot(s, P) / row->ratio : 0);
}

// and back
static void from_row(const bodies *b, const contact_set *c, size_t i, const stage_data *d, const double *R,
                     double *out)
{
    if (!law_is_turned(law_of(c, i, d))) {
        turn_impulse(b->dim, is_turned(b, c, i), R, out);
        return;
    }
    const contact_row3 *row = &d->problem.row3[d->row[i]];
    const double *n = &c->normal[3 * i], sign = is_turned(b, c, i) ? -1 : 1;
    double P[3], t[3], s[3];
    vec3_cross(row->n, row->t, s);
    for (int k = 0; k < 3; k++)
        P[k] = sign * (row->t[k] * R[1] + row->ratio * s[k] * R[2]);
    contact_frame(n, t, s);
    vec3_set(out, R[0], vec3_dot(t, P), vec3_dot(s, P));
}

// the block of a row
static void row_block(const step_problem *p, size_t r, double H[9])
{
    if (p->dim == 2) {
        const contact2 *c = &p->contact[r];
        H[0] = c->H[0], H[1] = H[2] = c->H[1], H[3] = c->H[2];
    } else {
        memcpy(H, p->block3[r].H, 9 * sizeof *H);
    }
}

// what a contact's own law is told
static void fill_law(const contact_set *c, size_t i, stage_data *d)
{
    const mo_law *law = law_of(c, i, d);
    row_law *l = &d->laws[d->row[i]];
    *l = (row_law){.ops = d->special->ops[c->law[i]],
                   .limit = law->threshold > 0 ? d->h * law->threshold : -1,
                   .law = law,
                   .h = d->h,
                   .share = 1};
    if (l->ops == NULL)
        return;
    l->memory = c->remembers ? c->memory[i] : 0;
    row_block(&d->problem, d->row[i], l->H);
}

void special_row(const bodies *b, const contact_set *c, size_t i, stage_data *d)
{
    const mo_law *law = law_of(c, i, d);
    double glue = glue_of(law, c->memory, i), *S = &d->problem.S[b->dim * d->row[i]];
    // what only might touch is not held together; ahead, gaps are those of boundaries at the end of the step
    bool touches = !d->ahead || glue < 0 || c->gap[i] - d->h * boundary_speed(b, c, i, d) <= d->reach;
    d->pull[i] = (touches ? d->h * law->cohesion : 0) - glue;
    if (d->laws != NULL)
        fill_law(c, i, d);
    to_row(b, c, i, d, &c->S[b->dim * i], S);
    S[0] += d->pull[i];
}

void special_free(const bodies *b, const contact_set *c, stage_data *d)
{
    step_problem *p = &d->problem;
    bool any = false;
    for (size_t i = 0; i < c->count; i++) {
        const double pull[3] = {-d->pull[i], 0, 0};
        if (d->pull[i] == 0)
            continue;
        apply_impulse(p->dim, p, d->row[i], has_two(p, d->row[i]), pull);
        any = true;
    }
    for (size_t k = 0; any && k < b->count; k++)
        memcpy(&d->u_pulled[b->nu * k], b->dim == 2 ? p->velocity[k].u : p->velocity3[k].u,
               b->nu * sizeof *d->u_pulled);
    if (any)
        p->u_free = d->u_pulled;
}

// whether the slip of a contact would need more than this impulse to be stopped, and more than solvers leave
static bool slips(const stage_data *d, size_t r, double impulse)
{
    const step_problem *p = &d->problem;
    const double left = LEFT * certificate_size(p, d->sums).miss;
    double U[3] = {0, 0, 0};
    contact_velocity(p->dim, p, r, has_two(p, r), U);
    return contact_rho(p, r) * tangential_size(p->dim, U) > fmax(SLIP * impulse, left);
}

// whether a contact is on the edge of its cone and slips
static bool slides(const stage_data *d, size_t r)
{
    const step_problem *p = &d->problem;
    const double *S = &p->S[(size_t)p->dim * r], size = tangential_size(p->dim, S);
    return S[0] > 0 && size >= p->mu[r] * S[0] * (1 - EDGE) && slips(d, r, size);
}

// sticky: whether it slid decides on its friction in the next step
static mo_contact_status status_of_row(const stage_data *d, size_t r, bool sticky)
{
    const step_problem *p = &d->problem;
    const double *S = &p->S[(size_t)p->dim * r], size = tangential_size(p->dim, S);
    if (!(S[0] > 0))
        return MO_CONTACT_OPEN;
    if (sticky)
        return slides(d, r) ? MO_CONTACT_SLIDE : MO_CONTACT_STICK;
    if (p->law == NULL || is_coulomb(&p->law[r]))
        return cone_status(p->dim, S, p->mu[r]);
    if (p->law[r].ops == NULL && size >= p->law[r].limit * (1 - 1e-12))
        return MO_CONTACT_SLIDE;
    return slips(d, r, S[0] + size) ? MO_CONTACT_SLIDE : MO_CONTACT_STICK;
}

// what the contact keeps, S being its impulse
static double memory_after(const contact_set *c, size_t i, const stage_data *d, double S_N)
{
    const mo_law *law = law_of(c, i, d);
    const step_problem *p = &d->problem;
    const size_t r = d->row[i];
    if (law->gluey)
        return fmin(0, glue_of(law, c->memory, i) - S_N);
    if (p->law == NULL || p->law[r].ops == NULL || p->law[r].ops->remember == NULL)
        return 0;
    double U[3] = {0, 0, 0};
    const mo_law_contact told = law_contact(p->dim, &p->law[r]);
    contact_velocity(p->dim, p, r, has_two(p, r), U);
    return p->law[r].ops->remember(&told, U, &p->S[c->dim * r], p->law[r].ops->data);
}

void special_finish(const bodies *b, contact_set *c, size_t i, const stage_data *d)
{
    double *S = &c->S[c->dim * i];
    from_row(b, c, i, d, &d->problem.S[c->dim * d->row[i]], S);
    S[0] -= d->pull[i];
    c->status[i] = (uint8_t)status_of_row(d, d->row[i], laws_sticky(d->special, c->law[i]));
    if (c->remembers)
        c->memory[i] = memory_after(c, i, d, S[0]);
}

static void set_mu(step_problem *p, size_t r, double mu)
{
    p->mu[r] = mu;
    if (p->dim == 2)
        contact2_prepare(&p->contact[r], mu);
    else
        p->block3[r].mu = mu;
}

size_t release_sliding(contact_set *c, stage_data *d)
{
    size_t released = 0;
    for (size_t i = 0; i < c->count; i++) {
        const mo_law *law = law_of(c, i, d);
        if (!laws_sticky(d->special, c->law[i]) || c->status[i] == MO_CONTACT_SLIDE || !slides(d, d->row[i]))
            continue;
        c->status[i] = MO_CONTACT_SLIDE;
        set_mu(&d->problem, d->row[i], special_mu(law, true));
        released++;
    }
    return released;
}
