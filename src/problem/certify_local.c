/*
 * How well r solves a local problem, from the problem and r alone: no solver's state and no solver's code.
 *
 *     u = W r + q,  u~ = u + mu |u_T| n,  rho_c = 1 / lambda_max((W_cc + W_cc^T) / 2), 1 where that is 0
 *     residual       = |r - P_K(r - rho u~)| / max(|r|, |rho q|)
 *     residual_fclib = |r - P_K(r - u~)| / max(|q|, |r|, |u|)
 *
 * No division where the denominator is at most 2.2e-16.  Everything in long double; a value that is not a
 * number makes the residuals not a number.  The bipotential's gap: M05 slide 42.
 */
#include <moreau/problem.h>

#include <math.h>

#include "core/fail.h"

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

static real norm(const real *x, int count)
{
    real sum = 0;
    for (int i = 0; i < count; i++)
        sum += x[i] * x[i];
    return sqrtl(sum);
}

/* ---- the largest eigenvalue of a symmetric matrix: Jacobi's rotations --------------------------------- */

/* makes A[i][j] vanish, unless it is below rounding: it then moves eigenvalues by less than itself */
static void rotate(real A[3][3], int dim, int i, int j)
{
    if (fabsl(A[i][j]) <= 0x1p-68L * (fabsl(A[i][i]) + fabsl(A[j][j])))
        return;
    const real theta = (A[j][j] - A[i][i]) / (2 * A[i][j]);
    const real t = (theta >= 0 ? 1 : -1) / (fabsl(theta) + sqrtl(theta * theta + 1));
    const real c = 1 / sqrtl(t * t + 1), s = t * c;
    for (int k = 0; k < dim; k++) {
        const real a = A[k][i], b = A[k][j];
        A[k][i] = c * a - s * b;
        A[k][j] = s * a + c * b;
    }
    for (int k = 0; k < dim; k++) {
        const real a = A[i][k], b = A[j][k];
        A[i][k] = c * a - s * b;
        A[j][k] = s * a + c * b;
    }
}

/* of the symmetric part of a block; convergence is quadratic, ten rounds are more than it needs */
static real largest_eigenvalue(const double *block, int dim)
{
    real A[3][3] = {{0}};
    for (int i = 0; i < dim; i++)
        for (int j = 0; j < dim; j++)
            A[i][j] = ((real)block[dim * i + j] + (real)block[dim * j + i]) / 2;
    for (int round = 0; round < 10; round++)
        for (int i = 0; i < dim; i++)
            for (int j = i + 1; j < dim; j++)
                rotate(A, dim, i, j);
    real largest = A[0][0];
    for (int i = 1; i < dim; i++)
        largest = larger(largest, A[i][i]);
    return largest;
}

static real scale_of(const mo_problem *p, size_t c)
{
    const size_t block = (size_t)(p->dim * p->dim);
    for (size_t k = p->start[c]; k < p->start[c + 1]; k++) {
        if (p->column[k] != c)
            continue;
        const real largest = largest_eigenvalue(&p->W[k * block], p->dim);
        return largest > 0 ? 1 / largest : 1;
    }
    return 1;
}

/* ---- one contact -------------------------------------------------------------------------------------- */

/* nearest point to z of {|z_T| <= mu z_N} */
static void project(real mu, const real *z, int dim, real *out)
{
    const real zt = norm(z + 1, dim - 1);
    real along = 0, across = 0; // normal part and length of the tangential one
    if (z[0] >= 0 && zt <= mu * z[0]) {
        along = z[0];
        across = zt;
    } else if (mu * zt > -z[0]) {
        along = (z[0] + mu * zt) / (1 + mu * mu);
        across = mu * along;
    } else if (isnan(zt + z[0])) {
        along = zt + z[0];
    }
    out[0] = along;
    for (int i = 1; i < dim; i++)
        out[i] = zt > 0 ? z[i] * (across / zt) : 0;
}

/* |r - P_K(r - rho u~)|^2; rho 0: |r - P_K(r)|^2 */
static real error2(real mu, const double *r, const real *u, real rho, int dim)
{
    real z[3] = {0}, nearest[3] = {0}, sum = 0;
    const real shift = mu * norm(u + 1, dim - 1);
    for (int i = 0; i < dim; i++)
        z[i] = (real)r[i] - rho * (u[i] + (i == 0 ? shift : 0));
    project(mu, z, dim, nearest);
    for (int i = 0; i < dim; i++)
        sum += ((real)r[i] - nearest[i]) * ((real)r[i] - nearest[i]);
    return sum;
}

/* (W r)_c */
static void multiply_row(const mo_problem *p, size_t c, const double *r, real out[3])
{
    const size_t dim = (size_t)p->dim;
    out[0] = out[1] = out[2] = 0;
    for (size_t k = p->start[c]; k < p->start[c + 1]; k++)
        for (size_t i = 0; i < dim; i++)
            for (size_t j = 0; j < dim; j++)
                out[i] += (real)p->W[(k * dim + i) * dim + j] * (real)r[p->column[k] * dim + j];
}

static void add_work(real mu, const double *r, const real *u, int dim, sums *t)
{
    const real sliding = norm(u + 1, dim - 1);
    t->complementarity += fabsl((real)r[0] * u[0]);
    t->gap += mu * sliding * (real)r[0];
    for (int i = 0; i < dim; i++)
        t->gap += (real)r[i] * u[i];
    t->cone_force = larger(t->cone_force, sqrtl(error2(mu, r, u, 0, dim)));
    t->cone_velocity = larger(t->cone_velocity, -u[0]);
}

/* given: the velocities to be judged, or NULL */
static void add_contact(const mo_problem *p, size_t c, const double *r_all, const double *given, sums *t)
{
    const int dim = p->dim;
    const size_t at = (size_t)dim * c;
    const double *r = r_all + at, *q = p->q + at;
    const real mu = (real)p->mu[c], rho = scale_of(p, c);
    real Wr[3], u[3] = {0};
    multiply_row(p, c, r_all, Wr);
    for (int i = 0; i < dim; i++) {
        u[i] = Wr[i] + (real)q[i];
        const real off = given != NULL ? (real)given[at + (size_t)i] - u[i] : 0;
        t->imbalance2 += off * off;
        t->r2 += (real)r[i] * (real)r[i];
        t->q2 += (real)q[i] * (real)q[i];
        t->scaled_q2 += rho * (real)q[i] * (rho * (real)q[i]);
        t->u2 += u[i] * u[i];
        t->Wr2 += Wr[i] * Wr[i];
    }
    t->error2 += error2(mu, r, u, rho, dim);
    t->error_fclib2 += error2(mu, r, u, 1, dim);
    add_work(mu, r, u, dim, t);
}

static double divided(real value, real by)
{
    return (double)((double)by > SMALLEST_DIVISOR || isnan(by) ? value / by : value);
}

mo_status mo_problem_certify(const mo_problem *problem, const double *r, const double *u,
                             mo_problem_residual *out, mo_error *err)
{
    const mo_status status = mo_problem_check(problem, err);
    if (status != MO_OK)
        return status;
    if (r == NULL && problem->contacts > 0)
        return fail(err, MO_BAD_INPUT, "r", "is missing");
    sums t = {0};
    for (size_t c = 0; c < problem->contacts; c++)
        add_contact(problem, c, r, u, &t);
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
    return MO_OK;
}
