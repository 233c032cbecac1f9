/*
 * integrate: the end of the step.  q_f = q_i + h((1 - theta) u_i + theta u_f), which for theta = 1/2 is
 * q_f = q_mid + h/2 u_f (M99 §8.3).
 *
 * Energy: u_f - u_i = A⁻¹(h F + Σ G* S) gives exactly
 *   ΔK = h F.ū + Σ S.(Ū - w),   ū, Ū means of start and end;
 * -Ū.S is the loss (M99 (48)), -w.S the work of boundaries.
 */
#include <math.h>
#include <string.h>

#include "dynamics/stage.h"
#include "problem/apply.h"

// velocities of one contact, without shift
typedef struct contact_velocities {
    double U_I[2], U_F[2]; /* at the start and at the end of the step */
    double w[2];           /* the part that boundaries and radii give */
} contact_velocities;

static void add_velocity(const double n[2], double rx, double ry, const double u[3], double sign, double U[2])
{
    double vx = u[0] - u[2] * ry, vy = u[1] + u[2] * rx;
    U[0] += sign * (n[0] * vx + n[1] * vy);
    U[1] += sign * (n[0] * vy - n[1] * vx);
}

static contact_velocities velocities_of(const bodies *b, const contact_set *c, size_t i, const stage_data *d,
                                        const double *u_f)
{
    const double *n = &c->normal[2 * i], *p = &c->point[2 * i], rate = radius_rate(b, c, i);
    contact_velocities v = {{rate, 0}, {rate, 0}, {rate, 0}};
    for (int k = 0; k < 2; k++) {
        size_t slot = k == 0 ? c->slot1[i] : c->slot2[i];
        const double *q = &d->q_mid[3 * slot], *u = &u_f[3 * slot];
        double rx = p[0] - q[0], ry = p[1] - q[1], sign = k == 0 ? 1 : -1;
        bool dynamic = is_dynamic(b, (uint32_t)slot);
        add_velocity(n, rx, ry, u, sign, v.U_F);
        add_velocity(n, rx, ry, dynamic ? &b->u[3 * slot] : u, sign, v.U_I);
        if (!dynamic)
            add_velocity(n, rx, ry, u, sign, v.w);
    }
    return v;
}

static mo_contact_status status_of(const double S[2], double mu)
{
    if (!(S[0] > 0))
        return MO_CONTACT_OPEN;
    // at the edge of the cone up to rounding
    return fabs(S[1]) >= mu * S[0] * (1 - 1e-12) ? MO_CONTACT_SLIDE : MO_CONTACT_STICK;
}

// impulse and torque of contact i on both bodies, summed into force
static void add_force(bodies *b, const contact_set *c, size_t i, const stage_data *d)
{
    const double *n = &c->normal[2 * i], *p = &c->point[2 * i], *S = &c->S[2 * i];
    double px = n[0] * S[0] - n[1] * S[1], py = n[1] * S[0] + n[0] * S[1];
    for (int k = 0; k < 2; k++) {
        uint32_t slot = k == 0 ? c->slot1[i] : c->slot2[i];
        const double *q = &d->q_mid[3 * (size_t)slot];
        double sign = k == 0 ? 1 : -1, *f = &b->force[3 * (size_t)slot];
        f[0] += sign * px;
        f[1] += sign * py;
        f[2] += sign * ((p[0] - q[0]) * py - (p[1] - q[1]) * px);
    }
}

// contact results: impulse, velocity, status, force on the bodies (still as impulse), loss, boundary work
static void finish_contacts(bodies *b, contact_set *c, const stage_data *d, const double *u_f,
                            step_energy *out)
{
    for (size_t k = 0; k < 3 * b->count; k++)
        b->force[k] = 0;
    for (size_t i = 0; i < c->count; i++) {
        contact_velocities v = velocities_of(b, c, i, d, u_f);
        double *S = &c->S[2 * i];
        memcpy(S, &d->problem.S[2 * (size_t)d->row[i]], 2 * sizeof *S);
        memcpy(&c->U[2 * i], v.U_F, sizeof v.U_F);
        c->status[i] = (uint8_t)status_of(S, d->problem.mu[d->row[i]]);
        add_force(b, c, i, d);
        out->impact -= 0.5 * (v.U_I[0] + v.U_F[0]) * S[0];
        out->friction -= 0.5 * (v.U_I[1] + v.U_F[1]) * S[1];
        out->work -= v.w[0] * S[0] + v.w[1] * S[1];
    }
}

// work of loads, and A(u_F - u_I) - h F - G* S in the norm of A⁻¹, relative
static void finish_balance(const bodies *b, const stage_data *d, const double *u_f, step_energy *out)
{
    double error = 0, size = 0;
    for (size_t i = 0; i < b->count; i++) {
        if (b->kind[i] != MO_BODY_DYNAMIC)
            continue;
        double A[3] = {b->mass[i], b->mass[i], b->inertia[i]}, g[3] = {d->gravity[0], d->gravity[1], 0};
        for (size_t k = 0; k < 3; k++) {
            double inv = b->inv[3 * i + k], u = b->u[3 * i + k], v = u_f[3 * i + k];
            out->work += d->h * d->applied[3 * i + k] * 0.5 * (u + v);
            if (inv == 0)
                continue;
            double hF = d->h * (A[k] * g[k] + d->applied[3 * i + k]), P = b->force[3 * i + k];
            double e = A[k] * (v - u) - hF - P, p = fabs(A[k] * v) + fabs(A[k] * u) + fabs(hF) + fabs(P);
            error += inv * e * e;
            size += inv * p * p;
        }
    }
    out->balance = size > 0 ? sqrt(error / size) : 0;
}

// boundaries and radii at the end of the step, as predict found them
static void end_functions(bodies *b)
{
    for (size_t k = 0; k < b->function_count; k++) {
        const body_functions *f = &b->functions[k];
        if (f->motion != NULL) {
            memcpy(&b->q[3 * (size_t)f->slot], f->end.q, sizeof f->end.q);
            memcpy(&b->u[3 * (size_t)f->slot], f->end.u, sizeof f->end.u);
        }
        if (f->radius != NULL)
            body_set_radius(b, f->slot, f->end_radius);
    }
}

// q_f and u_f of dynamic bodies
static void move_bodies(bodies *b, const stage_data *d)
{
    for (size_t i = 0; i < b->count; i++) {
        if (b->kind[i] != MO_BODY_DYNAMIC)
            continue;
        for (size_t k = 3 * i; k < 3 * i + 3; k++) {
            double v = d->problem.velocity[i].u[k - 3 * i];
            if (d->theta == 0.5)
                b->q[k] = d->q_mid[k] + 0.5 * d->h * v;
            else
                b->q[k] += d->h * ((1 - d->theta) * b->u[k] + d->theta * v);
            b->u[k] = v;
        }
    }
}

void integrate(bodies *b, contact_set *c, const stage_data *d, step_energy *out)
{
    // the free velocities of dynamic bodies are no longer needed: their place takes the final ones
    double *u_f = d->u_free;
    *out = (step_energy){0};
    for (uint32_t i = 0; i < b->count; i++)
        if (is_dynamic(b, i))
            memcpy(&u_f[3 * (size_t)i], d->problem.velocity[i].u, 3 * sizeof *u_f);
    finish_contacts(b, c, d, u_f, out);
    finish_balance(b, d, u_f, out);
    for (size_t k = 0; k < 3 * b->count; k++)
        b->force[k] /= d->h;
    move_bodies(b, d);
    end_functions(b);
}
