/*
 * Solving frictional contact problems in local form: the table of methods, the fast residual.
 *
 * Methods work to nine tenths of the tolerance: mo_problem_certify, which has the last word, sums in another
 * order and with more digits.
 */
#include "solver/local.h"

#include <math.h>
#include <string.h>

#include "convex/cone.h"
#include "core/fail.h"
#include "core/timer.h"
#include "problem/block.h"

static const struct {
    const char *name;
    local_method *solve;
} METHODS[] = {
    {"auto", local_auto}, {"nlgs", local_nlgs}, {"newton", local_newton_solve},
    {"ipm", local_ipm},   {"prox", local_prox},
};
/* below this FCLIB's residual is not divided */
#define SMALLEST_DIVISOR 2.2e-16
/* share of the load that may still push bodies into each other at what counts as a solution of any tolerance
 */
#define MOST_INWARD 0.1
/* |r| / |rho q| up to which the residual may be divided by |r| */
#define LARGEST_IMPULSE 1e3
enum { METHOD_COUNT = sizeof METHODS / sizeof METHODS[0] };

const char *mo_problem_solver_name(size_t i)
{
    return i < METHOD_COUNT ? METHODS[i].name : NULL;
}

static void velocity2(const mo_problem *p, const double *r, double *u)
{
    for (size_t c = 0; c < p->contacts; c++) {
        double u0 = p->q[2 * c], u1 = p->q[2 * c + 1];
        for (size_t k = p->start[c]; k < p->start[c + 1]; k++) {
            const double *B = p->W + 4 * k, *s = r + 2 * (size_t)p->column[k];
            u0 += B[0] * s[0] + B[1] * s[1];
            u1 += B[2] * s[0] + B[3] * s[1];
        }
        u[2 * c] = u0;
        u[2 * c + 1] = u1;
    }
}

static void velocity3(const mo_problem *p, const double *r, double *u)
{
    for (size_t c = 0; c < p->contacts; c++) {
        double u0 = p->q[3 * c], u1 = p->q[3 * c + 1], u2 = p->q[3 * c + 2];
        for (size_t k = p->start[c]; k < p->start[c + 1]; k++) {
            const double *B = p->W + 9 * k, *s = r + 3 * (size_t)p->column[k];
            u0 += B[0] * s[0] + B[1] * s[1] + B[2] * s[2];
            u1 += B[3] * s[0] + B[4] * s[1] + B[5] * s[2];
            u2 += B[6] * s[0] + B[7] * s[1] + B[8] * s[2];
        }
        u[3 * c] = u0;
        u[3 * c + 1] = u1;
        u[3 * c + 2] = u2;
    }
}

void local_velocity(const mo_problem *p, const double *r, double *u)
{
    if (p->dim == 2)
        velocity2(p, r, u);
    else
        velocity3(p, r, u);
}

// |r_c - P(r_c - rho u~_c)|^2
static double miss(int dim, double mu, double rho, const double *r, const double *u)
{
    double z[3] = {0}, p[3] = {0}, sum = 0;
    double slip = dim == 2 ? fabs(u[1]) : sqrt(u[1] * u[1] + u[2] * u[2]);
    z[0] = r[0] - rho * (u[0] + mu * slip);
    for (int i = 1; i < dim; i++)
        z[i] = r[i] - rho * u[i];
    if (dim == 2)
        cone2_prox(mu, z, p);
    else
        cone3_prox(mu, z, p);
    for (int i = 0; i < dim; i++)
        sum += (r[i] - p[i]) * (r[i] - p[i]);
    return sum;
}

double local_residual_of(const local_work *w, const double *r, const double *u)
{
    const mo_problem *p = w->p;
    size_t dim = (size_t)p->dim;
    double scaled = 0, plain = 0, rr = 0, uu = 0, inward = 0;
    for (size_t c = 0; c < p->contacts; c++) {
        const double *rc = r + dim * c, *uc = u + dim * c;
        scaled += miss(p->dim, p->mu[c], w->rho[c], rc, uc);
        plain += miss(p->dim, p->mu[c], 1, rc, uc);
        inward += uc[0] < 0 ? w->rho[c] * uc[0] * (w->rho[c] * uc[0]) : 0;
        for (size_t i = 0; i < dim; i++) {
            rr += rc[i] * rc[i];
            uu += uc[i] * uc[i];
        }
    }
    rr = sqrt(rr);
    uu = sqrt(uu);
    double size = fmax(rr, w->norm_rho_q), size_fclib = fmax(fmax(rr, uu), w->norm_q);
    double free_of_units = size > 0 ? sqrt(scaled) / size : 0;
    double fclib = size_fclib > SMALLEST_DIVISOR ? sqrt(plain) / size_fclib : sqrt(plain);
    double worse = fmax(free_of_units, fclib), stay = sqrt(inward);
    // divided by an r that grows without bound anything is small: measured by the load as well, r counts up
    // to a size, and what pushes in must have been stopped
    if (w->norm_rho_q > 0)
        worse = fmax(worse, sqrt(scaled) / (LARGEST_IMPULSE * w->norm_rho_q));
    if (stay > MOST_INWARD * w->norm_rho_q)
        worse = fmax(worse, stay / w->norm_rho_q);
    return isfinite(rr) && isfinite(uu) && isfinite(scaled) && isfinite(plain) ? worse : HUGE_VAL;
}

double local_residual(local_work *w, const double *r)
{
    local_velocity(w->p, r, w->u);
    return local_residual_of(w, r, w->u);
}

bool local_late(const local_work *w)
{
    return w->until > 0 && seconds_now() >= w->until;
}

// scales of contacts and of the load
static void prepare_scales(local_work *w)
{
    const mo_problem *p = w->p;
    size_t dim = (size_t)p->dim;
    double qq = 0, rho_qq = 0;
    for (size_t c = 0; c < p->contacts; c++) {
        size_t k = p->start[c];
        while (k < p->start[c + 1] && p->column[k] < c)
            k++;
        bool there = k < p->start[c + 1] && p->column[k] == c;
        w->diagonal[c] = there ? k : p->start[p->contacts];
        w->rho[c] = there ? block_rho(p->dim, p->W + dim * dim * k) : 1;
        for (size_t i = 0; i < dim; i++) {
            double q = p->q[dim * c + i];
            qq += q * q;
            rho_qq += (w->rho[c] * q) * (w->rho[c] * q);
        }
    }
    w->norm_q = sqrt(qq);
    w->norm_rho_q = sqrt(rho_qq);
}

static mo_status prepare(local_work *w, const mo_problem *p, double seconds, mo_error *err)
{
    *w = (local_work){.p = p, .n = (size_t)p->dim * p->contacts};
    w->until = seconds > 0 ? seconds_now() + seconds : 0;
    w->rho = arena_push(&w->memory, p->contacts, sizeof *w->rho);
    w->diagonal = arena_push(&w->memory, p->contacts, sizeof *w->diagonal);
    w->u = arena_push(&w->memory, w->n, sizeof *w->u);
    if (w->rho == NULL || w->diagonal == NULL || w->u == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for %zu contacts", p->contacts);
    prepare_scales(w);
    return MO_OK;
}

static void release(local_work *w)
{
    local_linear_free(w);
    arena_free(&w->memory);
}

static mo_status find_method(const char *name, size_t *out, mo_error *err)
{
    *out = 0;
    for (size_t i = 0; name != NULL && i < METHOD_COUNT; i++)
        if (strcmp(name, METHODS[i].name) == 0) {
            *out = i;
            return MO_OK;
        }
    if (name == NULL)
        return MO_OK;
    return fail(err, MO_BAD_INPUT, "solver", "found \"%.40s\", expected auto, nlgs, newton, ipm or prox",
                name);
}

static mo_status check(const mo_problem *p, const mo_solver_settings *s, const double *r, mo_error *err)
{
    if (!(s->tol >= 0))
        return fail(err, MO_BAD_INPUT, "tol", "found %g, expected a number >= 0", s->tol);
    if (s->max_iter < 1)
        return fail(err, MO_BAD_INPUT, "max_iter", "found %d, expected at least 1", s->max_iter);
    if (!(s->max_seconds >= 0))
        return fail(err, MO_BAD_INPUT, "max_seconds", "found %g, expected a number >= 0", s->max_seconds);
    mo_status status = mo_problem_check(p, err);
    for (size_t i = 0; status == MO_OK && i < (size_t)p->dim * p->contacts; i++)
        if (!isfinite(r[i]))
            status = fail(err, MO_BAD_INPUT, "r", "found %g at %zu, expected finite numbers", r[i], i);
    return status;
}

// whether impulses ran away: relative residuals then get small although some normal velocity is wrong by a
// part of all that is added up for it, as where no impulse can mend it
static bool runs_away(const mo_problem *p, const double *r, const mo_problem_residual *reached)
{
    size_t d = (size_t)p->dim;
    double largest = 0;
    for (size_t c = 0; c < p->contacts; c++) {
        double sum = fabs(p->q[c * d]);
        for (size_t k = p->start[c]; k < p->start[c + 1]; k++)
            for (size_t j = 0; j < d; j++)
                sum += fabs(p->W[k * d * d + j] * r[p->column[k] * d + j]);
        largest = fmax(largest, sum);
    }
    return reached->certificate.cone_violation_velocity > 1e-2 * largest;
}

// runs the method on a copy of r, then certifies and hands over
static mo_status run(local_work *w, size_t method, const mo_solver_settings *s, double *r, double *u,
                     mo_problem_info *info, mo_error *err)
{
    double *x = arena_push(&w->memory, w->n, sizeof *x);
    if (x == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for %zu contacts", w->p->contacts);
    memcpy(x, r, w->n * sizeof *x);
    w->story = info->story;
    w->story_room = sizeof info->story;
    strncpy(info->solver, METHODS[method].name, sizeof info->solver - 1);
    mo_status status = METHODS[method].solve(w, s, s->max_iter, 0.9 * s->tol, x, &info->iterations, err);
    if (status == MO_OK)
        status = mo_problem_certify(w->p, x, NULL, &info->reached, err);
    if (status != MO_OK)
        return status;
    info->solved = info->reached.residual <= s->tol && info->reached.residual_fclib <= s->tol &&
                   !runs_away(w->p, x, &info->reached);
    memcpy(r, x, w->n * sizeof *x);
    if (u != NULL)
        local_velocity(w->p, r, u);
    return MO_OK;
}

mo_status mo_problem_solve(const mo_problem *problem, const char *solver, const mo_solver_settings *settings,
                           double *r, double *u, mo_problem_info *info, mo_error *err)
{
    mo_problem_info out = {0};
    local_work w;
    size_t method;
    double begin = seconds_now();
    mo_status status = find_method(solver, &method, err);
    if (status == MO_OK)
        status = check(problem, settings, r, err);
    if (status != MO_OK)
        return status;
    status = prepare(&w, problem, settings->max_seconds, err);
    if (status == MO_OK)
        status = run(&w, method, settings, r, u, &out, err);
    release(&w);
    out.seconds = seconds_now() - begin;
    if (status == MO_OK)
        *info = out;
    return status;
}
