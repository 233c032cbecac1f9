/*
 * How well r solves a local problem, from the problem and r alone: no solver's state and no solver's code.
 *
 *     u = W r + q,  u~ = u + mu |u_T| n,  rho_c = 1 / lambda_max((W_cc + W_cc^T) / 2), 1 where that is 0
 *     residual       = |r - P_K(r - rho u~)| / max(|r|, |rho q|)
 *     residual_fclib = |r - P_K(r - u~)| / max(|q|, |r|, |u|)
 *
 * No division where the denominator is at most 2.2e-16.  Everything in long double but rho, whose eigenvalue
 * is good to a few units of double; a value that is not a number makes the residuals not a number.  The
 * bipotential's gap: M05 slide 42.
 */
#include <moreau/problem.h>

#include <math.h>

#include "core/fail.h"
#include "problem/block.h"
#include "problem/local.h"

#define SMALLEST_DIVISOR 2.2e-16

typedef long double real;

/* Sums of squares and of works over the contacts; maxima. */
typedef struct sums {
    real error2, error_fclib2, r2, q2, scaled_q2, u2, Wr2, imbalance2;
    real complementarity, gap, cone_force, cone_velocity;
} sums;

/* a maximum that a NaN takes part in is a NaN */
static real larger(real a, real b)
{
    return a > b || isnan(a) ? a : b;
}

/* ---- one contact -------------------------------------------------------------------------------------- */

/* A contact: what its answer is judged by. */
typedef struct judged {
    real mu, edge;    /* edge: 1 / (1 + mu²) */
    const double *r;  /* [3], [2] is 0 in 2D */
    real u[3], shift; /* mu |u_T| */
} judged;

static real square(real x)
{
    return x * x;
}

/* z is 0 in 2D. */
static inline real square3(int dim, real x, real y, real z)
{
    return dim == 2 ? x * x + y * y : x * x + y * y + z * z;
}

static inline real length2(int dim, real y, real z)
{
    return dim == 2 ? fabsl(y) : sqrtl(y * y + z * z);
}

/* |r - P_K(r - rho u~)|^2; rho 0: |r - P_K(r)|^2.  Inside K the point is its own nearest one; infinity is
 * not. */
static inline real error2(int dim, const judged *j, real rho)
{
    const real mu = j->mu, r0 = (real)j->r[0], r1 = (real)j->r[1], r2 = (real)j->r[2];
    const real d0 = rho * (j->u[0] + j->shift), d1 = rho * j->u[1], d2 = rho * j->u[2];
    const real z0 = r0 - d0, z1 = r1 - d1, z2 = r2 - d2, zt = length2(dim, z1, z2);
    if (z0 >= 0 && zt <= mu * z0)
        return square3(dim, d0, d1, d2) + 0 * z0;
    if (!(mu * zt > -z0) && !isnan(zt + z0))
        return square3(dim, r0, r1, r2);
    const real along = (z0 + mu * zt) * j->edge, across = zt > 0 ? mu * along / zt : 0;
    return square3(dim, r0 - along, r1 - z1 * across, r2 - z2 * across);
}

/* (W r)_c; returns the place of the diagonal block, that of the first block after the last row if there is
 * none */
static inline size_t multiply_row(int dim, const mo_problem *p, size_t c, const double *r, real out[3])
{
    size_t diagonal = p->start[p->contacts];
    real a = 0, b = 0, d = 0;
    for (size_t k = p->start[c]; k < p->start[c + 1]; k++) {
        const size_t at = p->column[k];
        diagonal = at == c ? k : diagonal;
        if (dim == 2) {
            const double *B = p->W + 4 * k;
            const real x = (real)r[2 * at], y = (real)r[2 * at + 1];
            a += (real)B[0] * x + (real)B[1] * y;
            b += (real)B[2] * x + (real)B[3] * y;
        } else {
            const double *B = p->W + 9 * k;
            const real x = (real)r[3 * at], y = (real)r[3 * at + 1], z = (real)r[3 * at + 2];
            a += (real)B[0] * x + (real)B[1] * y + (real)B[2] * z;
            b += (real)B[3] * x + (real)B[4] * y + (real)B[5] * z;
            d += (real)B[6] * x + (real)B[7] * y + (real)B[8] * z;
        }
    }
    out[0] = a;
    out[1] = b;
    out[2] = d;
    return diagonal;
}

static real scale_of(const mo_problem *p, size_t diagonal)
{
    if (diagonal == p->start[p->contacts])
        return 1;
    const double largest = block_lambda_max(p->dim, p->W + diagonal * (size_t)(p->dim * p->dim));
    return largest > 0 ? 1 / (real)largest : 1;
}

static inline void add_work(int dim, const judged *j, real sliding, sums *t)
{
    const real r0 = (real)j->r[0], r1 = (real)j->r[1], r2 = (real)j->r[2];
    t->complementarity += fabsl(r0 * j->u[0]);
    t->gap += j->mu * sliding * r0 + r0 * j->u[0] + r1 * j->u[1] + r2 * j->u[2];
    t->cone_velocity = larger(t->cone_velocity, -j->u[0]);
    if (!(r0 >= 0 && r0 < HUGE_VALL && square3(dim, 0, r1, r2) <= square(j->mu * r0)))
        t->cone_force = larger(t->cone_force, sqrtl(error2(dim, j, 0)));
}

/* given: the velocities to be judged, or NULL */
static inline void add_contact(int dim, const mo_problem *p, size_t c, const double *r_all,
                               const double *given, sums *t)
{
    const size_t at = (size_t)dim * c;
    const double *q = p->q + at, r[3] = {r_all[at], r_all[at + 1], dim == 3 ? r_all[at + 2] : 0};
    judged j = {.mu = (real)p->mu[c], .r = r};
    real Wr[3];
    const real rho = scale_of(p, multiply_row(dim, p, c, r_all, Wr));
    const double q2 = dim == 3 ? q[2] : 0;
    j.u[0] = Wr[0] + (real)q[0];
    j.u[1] = Wr[1] + (real)q[1];
    j.u[2] = Wr[2] + (real)q2;
    if (given != NULL) {
        t->imbalance2 += square3(dim, (real)given[at] - j.u[0], (real)given[at + 1] - j.u[1],
                                 dim == 3 ? (real)given[at + 2] - j.u[2] : 0);
        t->Wr2 += square3(dim, Wr[0], Wr[1], Wr[2]);
    }
    const real load = square3(dim, (real)q[0], (real)q[1], (real)q2);
    t->r2 += square3(dim, (real)r[0], (real)r[1], (real)r[2]);
    t->q2 += load;
    t->scaled_q2 += rho * load * rho;
    t->u2 += square3(dim, j.u[0], j.u[1], j.u[2]);
    const real sliding = length2(dim, j.u[1], j.u[2]);
    j.edge = 1 / (1 + j.mu * j.mu);
    j.shift = j.mu * sliding;
    t->error2 += error2(dim, &j, rho);
    t->error_fclib2 += error2(dim, &j, 1);
    add_work(dim, &j, sliding, t);
}

static double divided(real value, real by)
{
    return (double)((double)by > SMALLEST_DIVISOR || isnan(by) ? value / by : value);
}

void problem_certify(const mo_problem *problem, const double *r, const double *u, mo_problem_residual *out)
{
    sums t = {0};
    for (size_t c = 0; c < problem->contacts; c++)
        if (problem->dim == 2)
            add_contact(2, problem, c, r, u, &t);
        else
            add_contact(3, problem, c, r, u, &t);
    const real size = sqrtl(larger(t.r2, t.scaled_q2));
    const real size_fclib = sqrtl(larger(t.q2, larger(t.r2, t.u2)));
    out->residual = divided(sqrtl(t.error2), size);
    out->residual_fclib = divided(sqrtl(t.error_fclib2), size_fclib);
    out->certificate = (mo_certificate){
        .residual = out->residual,
        .complementarity = (double)t.complementarity,
        .cone_violation_force = (double)t.cone_force,
        .cone_violation_velocity = (double)t.cone_velocity,
        .bipotential_gap = (double)t.gap,
        .balance = divided(sqrtl(t.imbalance2), sqrtl(t.Wr2) + sqrtl(t.q2)),
    };
}

mo_status mo_problem_certify(const mo_problem *problem, const double *r, const double *u,
                             mo_problem_residual *out, mo_error *err)
{
    const mo_status status = mo_problem_check(problem, err);
    if (status != MO_OK)
        return status;
    if (r == NULL && problem->contacts > 0)
        return fail(err, MO_BAD_INPUT, "r", "is missing");
    problem_certify(problem, r, u, out);
    return MO_OK;
}
