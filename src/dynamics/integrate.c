/*
 * integrate: the end of the step.  q_f = q_i + h((1 - theta) u_i + theta u_f), which for theta = 1/2 is
 * q_f = q_mid + h/2 u_f (M99 §8.3).
 *
 * Energy: u_f - u_i = A⁻¹(h F + Σ G* S) gives exactly
 *   ΔK = h F.ū + Σ S.(Ū - w),   ū, Ū means of start and end;
 * -Ū.S is the loss (M99 (48)), -w.S the work of boundaries.  In 3D start and end are those of the middle of
 * the step, where loads and contacts act; the free halves keep K.
 */
#include <math.h>
#include <string.h>

#include "dynamics/assemble.h"
#include "dynamics/joints.h"
#include "math/vec3.h"
#include "problem/apply.h"

// velocities of one contact, without shift
typedef struct contact_velocities {
    double U_I[3], U_F[3]; /* at the start and at the end of the step */
    double w[3];           /* the part that boundaries and radii give */
} contact_velocities;

// numbers in q and in u
static inline size_t nq_of(size_t dim)
{
    return dim == 2 ? 3 : 7;
}

static inline size_t nu_of(size_t dim)
{
    return dim == 2 ? 3 : 6;
}

// adds the velocity of a body at the lever arm r, in the contact's axes n, t (and n x t)
static inline void add_velocity(size_t dim, const double *axes, const double *r, const double *u, double sign,
                                double *U)
{
    if (dim == 2) {
        double vx = u[0] - u[2] * r[1], vy = u[1] + u[2] * r[0];
        U[0] += sign * (axes[0] * vx + axes[1] * vy);
        U[1] += sign * (axes[0] * vy - axes[1] * vx);
        return;
    }
    double V[3] = {0, 0, 0}, out[3];
    add_point_velocity(u, r, sign, V);
    mat3_apply(axes, V, out);
    vec3_add(U, out, U);
}

// axes: those of contact i, one after the other; in 2D the normal is enough
static inline contact_velocities velocities_of(size_t dim, const bodies *b, const contact_set *c, size_t i,
                                               const stage_data *d, const double *u_f, const double *axes)
{
    const double *p = &c->point[dim * i], rate = radius_rate(b, c, i);
    contact_velocities v = {{rate}, {rate}, {rate}};
    for (int k = 0; k < 2; k++) {
        uint32_t slot = k == 0 ? c->slot1[i] : c->slot2[i];
        const double *q = &d->q_mid[nq_of(dim) * slot], *u = &u_f[nu_of(dim) * slot];
        double sign = k == 0 ? 1 : -1, r[3];
        bool dynamic = is_dynamic(b, slot);
        for (size_t a = 0; a < dim; a++)
            r[a] = p[a] - q[a];
        add_velocity(dim, axes, r, u, sign, v.U_F);
        add_velocity(dim, axes, r, dynamic ? &d->u_start[nu_of(dim) * slot] : u, sign, v.U_I);
        if (!dynamic)
            add_velocity(dim, axes, r, u, sign, v.w);
    }
    return v;
}

// impulse P in world axes and its torque on both bodies of contact i, summed into force
static inline void add_force(size_t dim, bodies *b, const contact_set *c, size_t i, const stage_data *d,
                             const double *P)
{
    const double *p = &c->point[dim * i];
    for (int k = 0; k < 2; k++) {
        uint32_t slot = k == 0 ? c->slot1[i] : c->slot2[i];
        const double *q = &d->q_mid[nq_of(dim) * slot], sign = k == 0 ? 1 : -1;
        double *f = &b->force[nu_of(dim) * slot], r[3], torque[3];
        for (size_t a = 0; a < dim; a++) {
            f[a] += sign * P[a];
            r[a] = p[a] - q[a];
        }
        if (dim == 2) {
            f[2] += sign * (r[0] * P[1] - r[1] * P[0]);
        } else {
            vec3_cross(r, P, torque);
            vec3_add_scaled(f + 3, sign, torque, f + 3);
        }
    }
}

// results of contact i: impulse, velocity, status, force on the bodies (still as impulse), loss, boundary
// work
static inline void finish_contact(size_t dim, bodies *b, contact_set *c, size_t i, const stage_data *d,
                                  const double *u_f, step_energy *out)
{
    const double *axes = &c->normal[dim * i];
    double frame[9], P[3], *S = &c->S[dim * i];
    if (dim == 3) {
        vec3_copy(axes, frame);
        contact_frame(axes, frame + 3, frame + 6);
        axes = frame;
    }
    contact_velocities v = velocities_of(dim, b, c, i, d, u_f, axes);
    memcpy(&c->U[dim * i], v.U_F, dim * sizeof *v.U_F);
    if (d->special != NULL) {
        special_finish(b, c, i, d);
    } else {
        turn_impulse(dim, is_turned(b, c, i), row_impulse(&d->problem, d->row[i]), S);
        c->status[i] = (uint8_t)cone_status((int)dim, S, row_mu(&d->problem, d->row[i]));
    }
    if (dim == 2)
        contact_to_world2(axes, S, P);
    else
        mat3_apply_transposed(axes, S, P);
    add_force(dim, b, c, i, d, P);
    if (d->ahead)
        out->depth = fmax(out->depth, -(c->gap[i] + d->h * (v.U_F[0] - v.w[0])));
    out->impact -= 0.5 * (v.U_I[0] + v.U_F[0]) * S[0];
    out->work -= v.w[0] * S[0];
    for (size_t k = 1; k < dim; k++) {
        out->friction -= 0.5 * (v.U_I[k] + v.U_F[k]) * S[k];
        out->work -= v.w[k] * S[k];
    }
}

static void finish_contacts(bodies *b, contact_set *c, const stage_data *d, const double *u_f,
                            step_energy *out)
{
    for (size_t k = 0; k < b->nu * b->count; k++)
        b->force[k] = 0;
    // the dimension is a constant in each loop, so that each is compiled on its own
    if (b->dim == 2)
        for (size_t i = 0; i < c->count; i++)
            finish_contact(2, b, c, i, d, u_f, out);
    else
        for (size_t i = 0; i < c->count; i++)
            finish_contact(3, b, c, i, d, u_f, out);
}

// A v of a body: momentum, and moment of momentum in world axes
static inline void momentum(size_t dim, const bodies *b, const stage_data *d, size_t i, const double *v,
                            double *out)
{
    if (dim == 2) {
        out[0] = b->mass[i] * v[0];
        out[1] = b->mass[i] * v[1];
        out[2] = b->inertia[i] * v[2];
        return;
    }
    double w[3];
    const double *q = &d->q_mid[7 * i], *I = &b->inertia[3 * i];
    vec3_scale(b->mass[i], v, out);
    body_spin_principal(b, i, q, v + 3, w);
    vec3_set(w, I[0] * w[0], I[1] * w[1], I[2] * w[2]);
    body_spin_world(b, i, q, w, out + 3);
}

// A⁻¹ weight that a component of momentum has in the balance; 0 along freedoms that are not free
static inline double inverse_of(const bodies *b, const stage_data *d, size_t i, size_t k)
{
    static const size_t DIAGONAL[3] = {0, 3, 5};
    if (k < 3)
        return b->inv[3 * i + k];
    return d->problem.ball != NULL ? d->problem.ball[i].inv_I
                                   : d->problem.velocity3[i].inv_I[DIAGONAL[k - 3]];
}

// squares of A(u_F - u_I) - h F - G* S and of its terms in the norm of A⁻¹
typedef struct imbalance {
    double error, size;
} imbalance;

// work of the loads on body i, and its balance
static inline void finish_body(size_t dim, const bodies *b, const stage_data *d, size_t i, const double *u_f,
                               imbalance *sum, step_energy *out)
{
    size_t nu = nu_of(dim);
    const double *u = &d->u_start[nu * i], *v = &u_f[nu * i], *load = &d->applied[nu * i];
    double before[6], after[6];
    momentum(dim, b, d, i, u, before);
    momentum(dim, b, d, i, v, after);
    for (size_t k = 0; k < nu; k++) {
        double inv = inverse_of(b, d, i, k);
        out->work += d->h * load[k] * 0.5 * (u[k] + v[k]);
        if (inv == 0)
            continue;
        double hF = d->h * ((k < dim ? b->mass[i] * d->gravity[k] : 0) + load[k]), P = b->force[nu * i + k];
        double e = after[k] - before[k] - hF - P, p = fabs(after[k]) + fabs(before[k]) + fabs(hF) + fabs(P);
        sum->error += inv * e * e;
        sum->size += inv * p * p;
    }
}

static void finish_balance(const bodies *b, const stage_data *d, const double *u_f, step_energy *out)
{
    imbalance sum = {0, 0};
    for (uint32_t i = 0; i < b->count; i++) {
        if (!is_dynamic(b, i))
            continue;
        if (b->dim == 2)
            finish_body(2, b, d, i, u_f, &sum, out);
        else
            finish_body(3, b, d, i, u_f, &sum, out);
    }
    out->balance = sum.size > 0 ? sqrt(sum.error / sum.size) : 0;
}

// boundaries and radii at the end of the step, as predict found them
static void end_functions(bodies *b)
{
    for (size_t k = 0; k < b->function_count; k++) {
        const body_functions *f = &b->functions[k];
        if (f->motion != NULL) {
            memcpy(&b->q[b->nq * f->slot], f->end.q, b->nq * sizeof *f->end.q);
            memcpy(&b->u[b->nu * f->slot], f->end.u, b->nu * sizeof *f->end.u);
        }
        if (f->radius != NULL)
            body_set_radius(b, f->slot, f->end_radius);
    }
}

// q_f and u_f of a dynamic body in 2D
static void move_body2(bodies *b, const stage_data *d, size_t i, const double *v)
{
    for (size_t k = 3 * i; k < 3 * i + 3; k++, v++) {
        if (d->theta == 0.5)
            b->q[k] = d->q_mid[k] + 0.5 * d->h * *v;
        else
            b->q[k] += d->h * ((1 - d->theta) * b->u[k] + d->theta * *v);
        b->u[k] = *v;
    }
}

// the same in 3D: from where contacts act on, the rest of the free motion; with another theta the body is
// moved and turned on by what the velocities changed there, h (theta - 1/2) of it
static void move_body3(bodies *b, const stage_data *d, size_t i, const double *v)
{
    double *q = &b->q[7 * i], *u = &b->u[6 * i], w[3], turn[3];
    const double *mid = &d->q_mid[7 * i], *start = &d->u_start[6 * i];
    // bernicot-lefebvre looks for contacts before any motion
    const double rest = d->ahead ? d->h : 0.5 * d->h, more = d->ahead ? 0 : (d->theta - 0.5) * d->h;
    body_spin_principal(b, i, mid, v + 3, w);
    vec3_add_scaled(mid, rest, v, q);
    memcpy(q + 3, mid + 3, 4 * sizeof *q);
    if (more != 0) {
        vec3_add_scaled(q, more, v, q);
        vec3_add_scaled(q, -more, start, q);
        vec3_sub(v + 3, start + 3, turn);
        vec3_scale(more, turn, turn);
        body_turn_by(b, i, turn, q, w);
    }
    body_rotate(b, i, rest, q, w);
    memcpy(u, v, 3 * sizeof *u);
    memcpy(u + 3, w, sizeof w);
}

void integrate(bodies *b, contact_set *c, const stage_data *d, step_energy *out)
{
    // the free velocities of dynamic bodies are no longer needed: their place takes the final ones
    double *u_f = d->u_free;
    *out = (step_energy){0};
    for (uint32_t i = 0; i < b->count; i++)
        if (is_dynamic(b, i))
            memcpy(&u_f[b->nu * i], body_velocity(&d->problem, i), b->nu * sizeof *u_f);
    finish_contacts(b, c, d, u_f, out);
    joints_finish(b, c, d, u_f, out);
    finish_balance(b, d, u_f, out);
    for (size_t k = 0; k < b->nu * b->count; k++)
        b->force[k] /= d->h;
    for (uint32_t i = 0; i < b->count; i++) {
        if (!is_dynamic(b, i))
            continue;
        if (b->dim == 2)
            move_body2(b, d, i, &u_f[3 * (size_t)i]);
        else
            move_body3(b, d, i, &u_f[6 * (size_t)i]);
    }
    end_functions(b);
}
