/*
 * Proofs that a large sparse polyhedron is empty: see large.h for the letters.
 *
 * Farkas: y >= 0 (of any sign for equalities) with G^T y = 0 and d.y > 0.  Multipliers that grow without
 * bound point along such a y, up to what is left of them.  That is taken off by rounds of the method of
 * multipliers for d = 0, whose answer is v = 0: they lead from any multipliers to some with G^T y = M v = 0,
 * near to them.
 */
#include "convex/large.h"
#include "math/vec.h"

static const double RHO = 1e9;
enum { ROUNDS = 4, SOLVES = 80 };

/* |G^T y| in the norm of M^-1 that counts as 0, for a sum of |y_i| of 1; gaps must be well above it */
static const double ZERO = 1e-11, LEAST_GAP = 1e-10;

// |G^T y|
static double find_error(large *p, const metric_factor *m, const double *y)
{
    large_rows_sum(p, y, p->side);
    metric_solve_lower(m, p->side);
    return vec_norm(p->n, p->side);
}

// lambda := the candidate with a sum of 1, less what a proof cannot have; false: it is far from one
static bool load_candidate(large *p, const metric_factor *m, const double *candidate, double near)
{
    double total = 0, gap = 0;
    for (size_t i = 0; i < p->rows; i++) {
        p->lambda[i] = i < p->equalities ? candidate[i] : fmax(candidate[i], 0);
        total += fabs(p->lambda[i]);
    }
    if (!(total > 0) || !isfinite(total))
        return false;
    for (size_t i = 0; i < p->rows; i++) {
        p->lambda[i] /= total;
        p->on[i] = i < p->equalities || p->lambda[i] > 0;
        gap += p->lambda[i] * p->d[i];
    }
    return gap > 0 && find_error(p, m, p->lambda) <= near;
}

// rounds for d = 0
static void purify(large *p, const metric_factor *m)
{
    double *d = p->d, rho = p->rho;
    int cap = p->cap, solves = p->solves;
    p->d = p->second;
    vec_zero(p->rows, p->d);
    vec_zero(p->n, p->v);
    p->rho = RHO;
    p->has_factor = false;
    p->cap = p->solves + SOLVES;
    for (int k = 0; k < ROUNDS && large_minimise(p, m, 1e-15); k++) {
        large_update(p);
        if (p->length <= 1e-14 * p->total)
            break;
    }
    p->d = d;
    p->rho = rho;
    // what this took is not taken from the rest
    p->cap = cap + (p->solves - solves);
    p->has_factor = false;
}

// y := lambda with a sum of 1, and whether it is a proof
static bool proves(large *p, const metric_factor *m)
{
    double gap = 0, noise = 0, total = 0;
    for (size_t i = 0; i < p->rows; i++)
        total += fabs(p->lambda[i]);
    // hardly anything left of the candidate: only rounding
    if (!(total > 1e-6) || !isfinite(total))
        return false;
    for (size_t i = 0; i < p->rows; i++) {
        p->y[i] = p->lambda[i] / total;
        gap += p->y[i] * p->d[i];
        noise += fabs(p->y[i]) * p->scale[i];
    }
    return find_error(p, m, p->y) <= ZERO && gap > LEAST_GAP * noise;
}

bool large_proof(large *p, const metric_factor *m, const double *candidate, double near)
{
    double length = p->length;
    vec_copy(p->rows, p->lambda, p->dl);
    vec_copy(p->n, p->v, p->kept);
    bool proof = load_candidate(p, m, candidate, near);
    if (proof) {
        purify(p, m);
        proof = proves(p, m);
    }
    vec_copy(p->rows, p->dl, p->lambda);
    vec_copy(p->n, p->kept, p->v);
    p->length = length;
    for (size_t i = 0; i < p->rows; i++)
        p->on[i] = i < p->equalities || p->lambda[i] > 0;
    return proof;
}
