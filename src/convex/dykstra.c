/*
 * Dykstra's alternating projections: Boyle & Dykstra 1986.
 *
 * Each member keeps p_i = (what was projected) - x_i, normal to it at x_i, and z - x = sum p_i throughout. By
 * weak duality |x - x*|^2 / 2 <= P* - D with D = |z - x|^2 / 2 - sum p_i.(x_i - x) (docs/theory/convex.md
 * §6).
 */
#include "convex/set.h"

#include <math.h>

#include "convex/dense.h"

static const double TOLERANCE = 1e-10;
enum { MAX_ROUNDS = 100000 };

// one round over the members
static mo_status sweep(set_context *c, const dykstra *d, double *p, double *xs, double *y, double *x)
{
    for (size_t i = 0; i < d->count; i++) {
        double *pi = p + i * d->n, *xi = xs + i * d->n;
        for (size_t j = 0; j < d->n; j++)
            y[j] = x[j] + pi[j];
        mo_status status = d->prox(c, d->data, i, y, xi);
        if (status != MO_OK)
            return status;
        for (size_t j = 0; j < d->n; j++)
            pi[j] = y[j] - xi[j];
        vec_copy(d->n, xi, x);
    }
    return MO_OK;
}

// distance to the members and duality gap of the present x
static void measure(const dykstra *d, const double *p, const double *xs, const double *x, double *violation,
                    double *gap)
{
    *violation = *gap = 0;
    for (size_t i = 0; i < d->count; i++) {
        const double *xi = xs + i * d->n;
        *violation = fmax(*violation, vec_distance(d->n, x, xi));
        for (size_t j = 0; j < d->n; j++)
            *gap += p[i * d->n + j] * (xi[j] - x[j]);
    }
}

mo_status dykstra_prox(set_context *c, const dykstra *d, const double *z, double *x)
{
    double *p, *xs, *y, violation = 0, gap = 0;
    mo_status status = set_push(c, d->count * d->n, &p);
    if (status == MO_OK)
        status = set_push(c, d->count * d->n, &xs);
    if (status == MO_OK)
        status = set_push(c, d->n, &y);
    if (status != MO_OK)
        return status;
    vec_zero(d->count * d->n, p);
    vec_copy(d->n, z, x);
    bool converged = false;
    int rounds = 0;
    while (!converged && !c->info.empty && rounds < MAX_ROUNDS) {
        arena_mark mark = arena_here(&c->workspace->memory);
        status = sweep(c, d, p, xs, y, x);
        if (status != MO_OK)
            return status;
        arena_back(&c->workspace->memory, mark);
        rounds++;
        measure(d, p, xs, x, &violation, &gap);
        double size = vec_norm(d->n, x) + vec_distance(d->n, x, z);
        converged = violation <= TOLERANCE * size && fabs(gap) <= TOLERANCE * size * size;
    }
    c->info.converged = c->info.converged && converged;
    c->info.iterations += rounds;
    c->info.violation = fmax(c->info.violation, violation);
    c->info.gap += gap;
    return MO_OK;
}
