/*
 * residual = |S - P_K(S - rho u~)| / max(|S|, |rho q|),   u~ = U + mu |U_T| n (de Saxcé's change of
 * variable), rho_α = 1/λ_max(H_α), which makes every term an impulse.  bipotential: Σ U.S + mu |U_T| S_N,
 * zero exactly at a solution with U_N >= 0 and S in K (M05 slide 42).
 */
#include "problem/certificate.h"

#include <float.h>
#include <math.h>

#include "problem/apply.h"
#include "problem/extra.h"
#include "problem/kernels.h"
#include "problem/law.h"

enum { CHUNK = 1024 };

/* of velocities that a contact's own is made of, each by half of DBL_EPSILON or less */
static const double ROUNDINGS = 8;

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
static double scale2(const double H[3])
{
    double mean = 0.5 * (H[0] + H[2]), half = 0.5 * (H[0] - H[2]);
    double largest = mean + sqrt(half * half + H[1] * H[1]);
    // a block that overflows must not pass for a solved one
    if (!isfinite(largest))
        return (double)NAN;
    return largest > 0 ? 1 / largest : 1;
}

static double scale_round(const step_problem *p, size_t i)
{
    double H[2];
    round_block(p, &p->round[i], H);
    return isfinite(H[1]) ? 1 / H[1] : (double)NAN;
}

double contact_rho(const step_problem *p, size_t i)
{
    return p->round != NULL ? scale_round(p, i) : p->dim == 2 ? scale2(p->contact[i].H) : p->row3[i].rho;
}

// q = G u_free + shift of one contact
static void free_velocity2(const step_problem *p, size_t i, bool two, double q[2])
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

static void free_velocity3(const step_problem *p, size_t i, bool two, double q[3])
{
    const contact_row3 *c = &p->row3[i];
    const double *a = &p->u_free[6 * (size_t)c->body[0]];
    row3_velocity(c, a, two ? &p->u_free[6 * (size_t)c->body[1]] : NULL, two, c->shift, q);
}

// a contact whose law is not Coulomb's
static void add_other(const step_problem *p, size_t i, chunk_sums *sum)
{
    const row_law *l = &p->law[i];
    const int dim = p->dim;
    const double *S = &p->S[(size_t)dim * i], rho = contact_rho(p, i);
    double U[3], q[3], miss[3], US = 0;
    contact_velocity(dim, p, i, has_two(p, i), U);
    if (dim == 2)
        free_velocity2(p, i, has_two(p, i), q);
    else
        free_velocity3(p, i, has_two(p, i), q);
    law_miss(dim, l, rho, U, S, miss);
    for (int k = 0; k < dim; k++) {
        sum->error2 += miss[k] * miss[k];
        sum->S2 += S[k] * S[k];
        sum->q2 += rho * q[k] * (rho * q[k]);
        US += U[k] * S[k];
    }
    sum->complementarity += fabs(S[0] * U[0]);
    // of a contact that only grazes less is asked
    double T = tangential_size(dim, S), limit = S[0] > 1e-12 * T ? l->limit : fmin(l->limit, T);
    if (l->ops == NULL)
        sum->gap += US + limit * tangential_size(dim, U);
    sum->cone_force = fmax(sum->cone_force, law_distance(dim, l, S));
    sum->cone_velocity = fmax(sum->cone_velocity, -U[0]);
}

// Coulomb's law, contact after contact where there are others among them
static void judge_laws(const step_problem *p, size_t begin, size_t end, double sum[JUDGE_SUMS][LANES],
                       chunk_sums *others)
{
    for (size_t i = begin; i < end; i++)
        if (is_coulomb(&p->law[i]))
            kernels_for(p, false)->judge[p->dim - 2](&(contact_range){.p = p, .begin = i, .end = i + 1}, sum);
        else
            add_other(p, i, others);
}

static void judge_all(const step_problem *p, size_t begin, size_t end, double sum[JUDGE_SUMS][LANES])
{
    const size_t groups = begin + (end - begin) / LANES * LANES;
    kernels_for(p, true)->judge[p->dim - 2](&(contact_range){.p = p, .begin = begin, .end = groups}, sum);
    kernels_for(p, false)->judge[p->dim - 2](&(contact_range){.p = p, .begin = groups, .end = end}, sum);
}

static chunk_sums sums_of(const step_problem *p, size_t begin, size_t end)
{
    double sum[JUDGE_SUMS][LANES] = {{0}};
    chunk_sums t = {0};
    if (p->law != NULL)
        judge_laws(p, begin, end, sum, &t);
    else
        judge_all(p, begin, end, sum);
    // the lanes in their order
    for (int l = 0; l < LANES; l++) {
        t.error2 += sum[SUM_ERROR2][l];
        t.S2 += sum[SUM_S2][l];
        t.q2 += sum[SUM_Q2][l];
        t.complementarity += sum[SUM_COMPLEMENTARITY][l];
        t.gap += sum[SUM_GAP][l];
        t.cone_force = fmax(t.cone_force, sqrt(sum[MOST_FORCE2][l]));
        t.cone_velocity = fmax(t.cone_velocity, sum[MOST_VELOCITY][l]);
    }
    return t;
}

static void sum_chunk(void *data, size_t chunk, size_t begin, size_t end)
{
    const job *j = data;
    j->sums[chunk] = sums_of(j->p, begin, end);
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

static double residual_of(const chunk_sums *t)
{
    const double size = sqrt(fmax(t->S2, t->q2)), error = sqrt(t->error2);
    return !isfinite(size) ? (double)NAN : size > 0 ? error / size : error;
}

// |rho V|, V the speeds of a contact's bodies, whose difference the free velocity is: what it can be known by
static double size_of_speeds(const step_problem *p)
{
    const size_t dim = (size_t)p->dim, freedoms = dim == 2 ? 3 : 6;
    double sum = 0;
    for (size_t i = 0; i < p->contacts; i++) {
        const uint32_t *body = row_bodies(p, i);
        double V = 0;
        for (int k = 0; k < (has_two(p, i) ? 2 : 1); k++) {
            const double *u = &p->u_free[freedoms * body[k]];
            V += dim == 2 ? sqrt(u[0] * u[0] + u[1] * u[1]) : vec3_norm(u);
        }
        const double size = contact_rho(p, i) * V;
        sum += size * size;
    }
    return sqrt(sum);
}

/*
 * Bodies that touch in free flight have q and S of the size of rounding, or of what the last step's tolerance
 * left, and nothing is missed by the law that could be seen.  So what is below the rounding of the speeds is
 * measured by them.
 */
static double residual_by_speeds(step_problem *p, const chunk_sums *t)
{
    const double error = sqrt(t->error2);
    // the same at every look
    if (p->speeds == 0)
        p->speeds = size_of_speeds(p);
    return error <= ROUNDINGS * DBL_EPSILON * p->speeds ? error / p->speeds : residual_of(t);
}

double residual_of_some(const step_problem *p)
{
    enum { SOME = 64, EVERY = 16 };
    chunk_sums all = {0};
    for (size_t begin = 0; begin < p->contacts; begin += EVERY * SOME) {
        const chunk_sums t = sums_of(p, begin, begin + SOME < p->contacts ? begin + SOME : p->contacts);
        all.error2 += t.error2;
        all.S2 += t.S2;
        all.q2 += t.q2;
    }
    return residual_of(&all);
}

void certify(step_problem *p, double enough, pool *threads, double *sums, mo_certificate *out)
{
    refresh_velocities(p, threads);
    job j = {p, (chunk_sums *)(void *)sums};
    parallel_for(threads, p->contacts, CHUNK, sum_chunk, &j);
    size_t chunks = chunk_count(p->contacts, CHUNK);
    chunk_sums t = total(j.sums, chunks);
    j.sums[chunks] = t;
    double residual = residual_of(&t);
    if (residual > enough && t.error2 > 0)
        residual = residual_by_speeds(p, &t);
    // what else there is has a residual of its own
    const double others = p->extra != NULL ? extra_residual(p) : 0;
    *out = (mo_certificate){
        .residual = isnan(residual) ? residual : fmax(residual, others),
        .complementarity = t.complementarity,
        .cone_violation_force = t.cone_force,
        .cone_violation_velocity = t.cone_velocity,
        .bipotential_gap = t.gap,
    };
}

solution_size certificate_size(const step_problem *p, const double *sums)
{
    const chunk_sums *t = (const chunk_sums *)(const void *)sums + chunk_count(p->contacts, CHUNK);
    return (solution_size){.miss = sqrt(t->error2), .S = sqrt(t->S2), .q = sqrt(t->q2)};
}
