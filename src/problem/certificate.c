/*
 * residual = |S - P_K(S - rho u~)| / max(|S|, |rho q|),   u~ = U + mu |U_T| n (de Saxcé's change of
 * variable), rho_α = 1/λ_max(H_α), which makes every term an impulse.  bipotential: Σ U.S + mu |U_T| S_N,
 * zero exactly at a solution with U_N >= 0 and S in K (M05 slide 42).
 */
#include "problem/certificate.h"

#include <math.h>

#include "convex/cone.h"
#include "problem/apply.h"

enum { CHUNK = 1024 };

// partial results of one chunk of contacts
typedef struct chunk_sums {
    double error2, S2, q2;            /* squares, (N s)² */
    double complementarity, gap;      /* J */
    double cone_force, cone_velocity; /* maxima */
} chunk_sums;

typedef struct job {
    const step_problem *p;
    chunk_sums *sums; /* [chunks] */
} job;

size_t certificate_scratch(size_t contacts)
{
    return (chunk_count(contacts, CHUNK) + 1) * (sizeof(chunk_sums) / sizeof(double));
}

// 1/λ_max of the contact's block, 1 where that is 0
static double scale(const double H[3])
{
    double mean = 0.5 * (H[0] + H[2]), half = 0.5 * (H[0] - H[2]);
    double largest = mean + sqrt(half * half + H[1] * H[1]);
    // a block that overflows must not pass for a solved one
    if (!isfinite(largest))
        return (double)NAN;
    return largest > 0 ? 1 / largest : 1;
}

// q = G u_free + shift of one contact
static void free_velocity(const step_problem *p, size_t i, bool two, double q[2])
{
    const contact2 *c = &p->contact[i];
    const double *a = &p->u_free[3 * (size_t)c->body[0]];
    double ux = a[0], uy = a[1], un = c->arm[0] * a[2], ut = c->arm[1] * a[2];
    if (two) {
        const double *b = &p->u_free[3 * (size_t)c->body[1]];
        ux -= b[0];
        uy -= b[1];
        un -= c->arm[2] * b[2];
        ut -= c->arm[3] * b[2];
    }
    q[0] = c->n[0] * ux + c->n[1] * uy + un + c->shift[0];
    q[1] = c->n[0] * uy - c->n[1] * ux + ut + c->shift[1];
}

static void add_contact(const step_problem *p, size_t i, bool two, chunk_sums *sum)
{
    const contact2 *c = &p->contact[i];
    const double *S = &p->S[2 * i], mu = p->mu[i], rho = scale(c->H);
    double U[2], q[2], P[2];
    local_velocity(c, p->velocity, two, U);
    free_velocity(p, i, two, q);
    double moved[2] = {S[0] - rho * (U[0] + mu * fabs(U[1])), S[1] - rho * U[1]};
    cone2_prox(mu, moved, P);
    double e0 = S[0] - P[0], e1 = S[1] - P[1];
    sum->error2 += e0 * e0 + e1 * e1;
    sum->S2 += S[0] * S[0] + S[1] * S[1];
    sum->q2 += rho * rho * (q[0] * q[0] + q[1] * q[1]);
    sum->complementarity += fabs(S[0] * U[0]);
    sum->gap += U[0] * S[0] + U[1] * S[1] + mu * fabs(U[1]) * S[0];
    sum->cone_force = fmax(sum->cone_force, cone2_distance(mu, S));
    sum->cone_velocity = fmax(sum->cone_velocity, -U[0]);
}

static void sum_chunk(void *data, size_t chunk, size_t begin, size_t end)
{
    job *j = data;
    chunk_sums sum = {0};
    for (size_t i = begin; i < end; i++)
        add_contact(j->p, i, has_two(j->p, i), &sum);
    j->sums[chunk] = sum;
}

// adds the chunks in their order
static chunk_sums total(const chunk_sums *sums, size_t chunks)
{
    chunk_sums t = {0};
    for (size_t k = 0; k < chunks; k++) {
        t.error2 += sums[k].error2;
        t.S2 += sums[k].S2;
        t.q2 += sums[k].q2;
        t.complementarity += sums[k].complementarity;
        t.gap += sums[k].gap;
        t.cone_force = fmax(t.cone_force, sums[k].cone_force);
        t.cone_velocity = fmax(t.cone_velocity, sums[k].cone_velocity);
    }
    return t;
}

void certify(const step_problem *p, pool *threads, double *sums, mo_certificate *out)
{
    refresh_velocities(p, threads);
    job j = {p, (chunk_sums *)(void *)sums};
    parallel_for(threads, p->contacts, CHUNK, sum_chunk, &j);
    chunk_sums t = total(j.sums, chunk_count(p->contacts, CHUNK));
    double size = sqrt(fmax(t.S2, t.q2)), residual = size > 0 ? sqrt(t.error2) / size : sqrt(t.error2);
    *out = (mo_certificate){
        .residual = isfinite(size) ? residual : (double)NAN,
        .complementarity = t.complementarity,
        .cone_violation_force = t.cone_force,
        .cone_violation_velocity = t.cone_velocity,
        .bipotential_gap = t.gap,
    };
}
