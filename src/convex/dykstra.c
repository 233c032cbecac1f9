/*
 * Dykstra's alternating projections (Boyle & Dykstra 1986), extrapolated.
 *
 * Each member keeps p_i = (what was projected) - x_i, normal to it at x_i, and z - x = sum p_i throughout. By
 * weak duality |x - x*|^2 / 2 <= P* - D with D = |z - x|^2 / 2 - sum p_i.(x_i - x) (docs/theory/convex.md
 * §6).  A round is one pass of coordinate ascent on D from any p; between rounds p is extrapolated from the
 * last ones (anderson.h), or prolonged, and where that does not raise D the plain round goes on instead.
 */
#include "convex/set.h"

#include <math.h>

#include "convex/anderson.h"
#include "math/vec.h"

/* relative; AIM where rounding lets it, else TOLERANCE is enough; LARGEST: |p| of an extrapolation */
static const double TOLERANCE = 1e-10, AIM = 1e-13, LARGEST = 1e4;
enum { MAX_ROUNDS = 100000, PATIENCE = 40 };

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

/* What the rounds work on. */
typedef struct alternation {
    const dykstra *d;
    const double *z;
    double *p, *xs, *y, *x;
    double *plain; /* p after the last round that was kept */
    anderson memory;
    int rounds;
    double violation, gap, size; /* size: |x| + |x - z| */
} alternation;

static mo_status reserve(set_context *c, alternation *a)
{
    size_t all = a->d->count * a->d->n;
    double **arrays[] = {&a->p, &a->xs, &a->plain};
    mo_status status = set_push(c, a->d->n, &a->y);
    for (size_t k = 0; k < 3 && status == MO_OK; k++)
        status = set_push(c, all, arrays[k]);
    return status == MO_OK ? anderson_create(c, all, &a->memory) : status;
}

// a round from the present p; D afterwards in *dual
static mo_status run_round(set_context *c, alternation *a, double *dual)
{
    size_t n = a->d->n;
    vec_copy(n, a->z, a->x);
    for (size_t i = 0; i < a->d->count; i++)
        vec_add(n, -1, a->p + i * n, a->x);
    arena_mark mark = arena_here(&c->workspace->memory);
    mo_status status = sweep(c, a->d, a->p, a->xs, a->y, a->x);
    arena_back(&c->workspace->memory, mark);
    measure(a->d, a->p, a->xs, a->x, &a->violation, &a->gap);
    double moved = vec_distance(n, a->x, a->z);
    a->size = vec_norm(n, a->x) + moved;
    a->rounds++;
    *dual = moved * moved / 2 - a->gap;
    return status;
}

static bool reached(const alternation *a, double tolerance)
{
    return a->violation <= tolerance * a->size && fabs(a->gap) <= tolerance * a->size * a->size;
}

// a step along the last round, `stretch` times as long as it
static void step_along(alternation *a, double stretch)
{
    for (size_t j = 0; j < a->d->count * a->d->n; j++) {
        double change = a->p[j] - a->plain[j];
        a->plain[j] = a->p[j];
        a->p[j] += stretch * change;
    }
    anderson_start(&a->memory, a->p);
}

/*
 * Rounds until AIM, or TOLERANCE and no better for a while.  After an extrapolation that did not raise D the
 * next round is followed by a step along it, longer each time that this raises D: the normals of a member
 * that x hardly leaves wane by next to nothing in a round, always alike, which least squares make nothing of.
 */
static mo_status alternate(set_context *c, alternation *a, bool *converged)
{
    double best = -HUGE_VAL, least = HUGE_VAL, stretch = 1, dual;
    size_t all = a->d->count * a->d->n;
    enum { PLAIN, EXTRAPOLATED, ALONG } start = PLAIN;
    bool failed = false; // the last extrapolation, and there was no step along a round since
    int since = 0;
    mo_status status = MO_OK;
    while (status == MO_OK && !c->info.empty && a->rounds < MAX_ROUNDS) {
        status = run_round(c, a, &dual);
        since = a->violation < 0.5 * least ? 0 : since + 1;
        least = fmin(least, a->violation);
        *converged = reached(a, AIM) || (since > PATIENCE && reached(a, TOLERANCE));
        if (*converged)
            break;
        // with normals far larger than z - x both x and D drown in rounding
        bool kept = start == PLAIN ||
                    (vec_norm(all, a->p) <= LARGEST * a->size && dual >= best - 1e-15 * a->size * a->size);
        if (start == ALONG)
            stretch = kept ? 4 * stretch : 1;
        if (!kept) {
            failed = start == EXTRAPOLATED;
            vec_copy(all, a->plain, a->p);
            anderson_start(&a->memory, a->p);
            start = PLAIN;
            continue;
        }
        best = fmax(best, dual);
        if (failed) {
            step_along(a, stretch);
            failed = false;
            start = ALONG;
        } else {
            vec_copy(all, a->p, a->plain);
            start = anderson_next(&a->memory, a->p) ? EXTRAPOLATED : PLAIN;
        }
    }
    return status;
}

mo_status dykstra_prox(set_context *c, const dykstra *d, const double *z, double *x)
{
    alternation a = {.d = d, .z = z, .x = x};
    bool converged = false;
    mo_status status = reserve(c, &a);
    if (status != MO_OK)
        return status;
    vec_zero(d->count * d->n, a.p);
    anderson_start(&a.memory, a.p);
    status = alternate(c, &a, &converged);
    c->info.converged = c->info.converged && converged;
    c->info.iterations += a.rounds;
    c->info.violation = fmax(c->info.violation, a.violation);
    c->info.gap += a.gap;
    return status;
}
