/*
 * Unknown: a change y of the impulses with U + W E y = 0 in the free components.  E lets a sliding contact
 * follow the edge of its cone, S_T = ±mu S_N, which makes the system unsymmetric: BiCGStab (van der Vorst
 * 1992).  Where it is singular (a hyperstatic assembly) it is consistent, and the iteration finds a solution
 * all the same.
 */
#include "solver/subspace.h"

#include <math.h>
#include <string.h>

#include "convex/cone.h"
#include "math/vec.h"
#include "problem/apply.h"

// how many components of contact i may change: 0, 1 (normal, the edge of the cone followed) or all
static int freedoms(const step_problem *p, size_t i)
{
    const double *S = &p->S[(size_t)p->dim * i], mu = row_mu(p, i);
    if (!(S[0] > 0))
        return 0;
    return mu > 0 && tangential_size(p->dim, S) < mu * S[0] * (1 - 1e-9) ? p->dim : 1;
}

// clears the components that are held
static void mask(const step_problem *p, double *x)
{
    for (size_t i = 0; i < p->contacts; i++)
        for (int k = freedoms(p, i); k < p->dim; k++)
            x[(size_t)p->dim * i + (size_t)k] = 0;
}

// impulse of contact i for the unknowns y
static void expand(const step_problem *p, size_t i, const double *y, double *out)
{
    const size_t dim = (size_t)p->dim;
    const double *S = &p->S[dim * i];
    bool slides = freedoms(p, i) == 1;
    double size = tangential_size(p->dim, S);
    y += dim * i;
    out[0] = y[0];
    for (size_t k = 1; k < dim; k++)
        out[k] = !slides    ? y[k]
                 : dim == 2 ? copysign(row_mu(p, i), S[1]) * y[0]
                 : size > 0 ? row_mu(p, i) * (S[k] / size) * y[0]
                            : 0;
}

// out = W E y in the free components, through the bodies' velocities
static void product(const step_problem *p, const double *y, double *out)
{
    const double none[3] = {0, 0, 0};
    for (uint32_t b = 0; b < p->bodies; b++)
        memset(body_velocity(p, b), 0, (p->dim == 2 ? 3 : 6) * sizeof(double));
    for (size_t i = 0; i < p->contacts; i++) {
        double x[3];
        expand(p, i, y, x);
        apply_impulse(p->dim, p, i, has_two(p, i), x);
    }
    for (size_t i = 0; i < p->contacts; i++)
        shifted_velocity(p->dim, p, i, has_two(p, i), none, &out[(size_t)p->dim * i]);
    mask(p, out);
}

// y += BiCGStab steps on (W E) y = r; r holds the right-hand side, work: 4 n doubles
static void bicgstab(const step_problem *p, int max_iter, double *y, double *r, double *work)
{
    size_t n = (size_t)p->dim * p->contacts;
    double *shadow = work, *d = work + n, *Ad = d + n, *Ar = Ad + n;
    double rho = vec_dot_in_order(n, r, r), enough = 1e-26 * rho, rr = rho;
    memcpy(shadow, r, n * sizeof *r);
    memcpy(d, r, n * sizeof *r);
    for (int k = 0; k < max_iter && rr > enough; k++) {
        product(p, d, Ad);
        double alpha = rho / vec_dot_in_order(n, shadow, Ad);
        if (!isfinite(alpha))
            return;
        vec_add(n, alpha, d, y);
        vec_add(n, -alpha, Ad, r);
        product(p, r, Ar);
        double omega = vec_dot_in_order(n, Ar, r) / vec_dot_in_order(n, Ar, Ar);
        if (!isfinite(omega) || omega == 0)
            return;
        vec_add(n, omega, r, y);
        vec_add(n, -omega, Ar, r);
        double next = vec_dot_in_order(n, shadow, r), beta = next / rho * alpha / omega;
        rr = vec_dot_in_order(n, r, r);
        rho = next;
        for (size_t i = 0; i < n; i++)
            d[i] = r[i] + beta * (d[i] - omega * Ad[i]);
    }
}

void subspace_step(step_problem *p, int max_iter)
{
    const size_t dim = (size_t)p->dim, n = dim * p->contacts;
    double *y = p->spare, *r = y + n, *work = r + n;
    for (size_t i = 0; i < p->contacts; i++)
        contact_velocity(p->dim, p, i, has_two(p, i), &r[dim * i]);
    for (size_t i = 0; i < n; i++)
        r[i] = -r[i];
    mask(p, r);
    memset(y, 0, n * sizeof *y);
    bicgstab(p, max_iter, y, r, work);
    for (size_t i = 0; i < p->contacts; i++) {
        double x[3], *S = &p->S[dim * i];
        expand(p, i, y, x);
        for (size_t k = 0; k < dim; k++)
            x[k] += S[k];
        if (dim == 2)
            cone2_prox(row_mu(p, i), x, S);
        else
            cone3_prox(row_mu(p, i), x, S);
    }
}
