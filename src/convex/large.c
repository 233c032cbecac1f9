/*
 * Nearest point of a large sparse polyhedron: see large.h for the letters.
 *
 * Rounds of the proximal method of multipliers (Rockafellar, Math. Oper. Res. 1 (1976) 97-116): v minimises
 *     phi(v) = v.M v / 2 + sum of (lambda_i + rho s_i)+^2 / (2 rho),   s = d - G v,
 * then lambda_i := (lambda_i + rho s_i)+, without the + for equalities.  phi is convex with pieces of second
 * degree; Newton's steps with the matrix M + rho G_J^T G_J, J the rows with lambda_i + rho s_i > 0, and an
 * exact search along each end after finitely many (Li, Sun & Toh, SIAM J. Optim. 28 (2018) 433-458).  Rows
 * may depend on each other: the matrix is definite all the same.  Without a start worth the name an interior
 * point (interior.c) comes first, because from afar Newton's steps on phi are many and short.  For an empty
 * set v tends to the nearest point of the least shifted set and the increments of lambda to rho times the
 * shift, which is Farkas' proof (Chiche & Gilbert, SIAM J. Optim. 26 (2016) 2728-2757).
 */
#include "convex/large.h"

#include <string.h>

#include "math/vec.h"

/* relative residuals aimed at; GOOD is enough when rounding stands in the way */
static const double AIM = 1e-12, GOOD = 1e-11;
/* rho at first: from a start given, from an interior point, from nothing; its factor of growth; the end of it
 */
static const double RHO_WARM = 1e6, RHO_INSIDE = 1e5, RHO_COLD = 1e3, RHO_GROWTH = 300, RHO_LAST = 1e10;
/* systems solved after which a start given is given up, and all is */
enum { WARM_SOLVES = 8, COLD_SOLVES = 600 };
enum { ROUNDS = 100, INNER = 100, SEARCH = 60, PROOFS = 8 };

void large_rows_times(const large *p, const double *x, double *out)
{
    for (size_t i = 0; i < p->rows; i++) {
        double sum = 0;
        for (size_t k = p->start[i]; k < p->start[i + 1]; k++)
            sum += p->g[k] * x[p->column[k]];
        out[i] = sum;
    }
}

void large_rows_sum(const large *p, const double *weight, double *out)
{
    vec_zero(p->n, out);
    for (size_t i = 0; i < p->rows; i++) {
        if (weight[i] == 0)
            continue;
        for (size_t k = p->start[i]; k < p->start[i + 1]; k++)
            out[p->column[k]] += weight[i] * p->g[k];
    }
}

// what row i pushes with at the present v: lambda_i + rho s_i, cut off at zero for inequalities
static double push(const large *p, size_t i)
{
    double w = p->lambda[i] + p->rho * p->s[i];
    return i < p->equalities || w > 0 ? w : 0;
}

static void find_slack(large *p)
{
    large_rows_times(p, p->v, p->s);
    for (size_t i = 0; i < p->rows; i++)
        p->s[i] = p->d[i] - p->s[i];
}

// gradient of phi, the rows that push and the sum of what they push with; returns its length
static double find_gradient(large *p, const metric_factor *m)
{
    double *w = p->along;
    p->total = 0;
    for (size_t i = 0; i < p->rows; i++) {
        w[i] = push(p, i);
        p->on[i] = i < p->equalities || w[i] > 0;
        p->total += fabs(w[i]);
    }
    large_rows_sum(p, w, p->gradient);
    for (size_t j = 0; j < p->n; j++)
        p->gradient[j] = p->side[j] = p->Mv[j] - p->gradient[j];
    metric_solve_lower(m, p->side);
    return vec_norm(p->n, p->side);
}

bool large_factor(large *p, const metric_factor *m)
{
    double *L = p->factor.L;
    const uint32_t *slot = p->slot;
    sparse_cholesky_clear(&p->factor);
    for (size_t j = 0; m->identity && j < p->n; j++)
        L[p->metric_slot[j]] += 1;
    for (size_t k = 0; !m->identity && k < m->length; k++)
        L[p->metric_slot[k]] += m->M[k];
    for (size_t i = 0; i < p->rows; i++) {
        size_t begin = p->start[i], count = p->start[i + 1] - begin;
        const double *g = p->g + begin;
        for (size_t k = 0; p->weight[i] != 0 && k < count; k++)
            for (size_t l = 0; l <= k; l++)
                L[slot[k * (k + 1) / 2 + l]] += p->weight[i] * g[k] * g[l];
        slot += count * (count + 1) / 2;
    }
    return sparse_cholesky_factor(&p->factor);
}

// factors M + rho G_J^T G_J for the rows that are on, unless that is the factor at hand
static bool find_factor(large *p, const metric_factor *m)
{
    if (p->has_factor && memcmp(p->on, p->factored, p->rows) == 0)
        return true;
    for (size_t i = 0; i < p->rows; i++) {
        p->weight[i] = p->on[i] ? p->rho : 0;
        p->factored[i] = p->on[i];
    }
    p->has_factor = large_factor(p, m);
    return p->has_factor;
}

// derivative of phi at v + t step, by differences from t = 0 so that nothing cancels; and its slope
static double derivative(const large *p, double at_zero, double curvature, double t, double *slope)
{
    double sum = 0, inside = 0;
    for (size_t i = 0; i < p->rows; i++) {
        double q = p->along[i], w = p->lambda[i] + p->rho * p->s[i], moved = w - t * p->rho * q;
        if (i < p->equalities || (w > 0 && moved > 0)) {
            inside += q * q;
            sum += t * p->rho * q * q;
        } else if (moved > 0) {
            inside += q * q;
            sum -= q * moved;
        } else if (w > 0) {
            sum += q * w;
        }
    }
    *slope = curvature + p->rho * inside;
    return at_zero + t * curvature + sum;
}

// the t >= 0 where phi is least along the step: the derivative rises, its pieces are straight
static double search(const large *p, double at_zero, double curvature)
{
    double low = 0, high = HUGE_VAL, t = 1;
    for (int k = 0; k < SEARCH; k++) {
        double slope, h = derivative(p, at_zero, curvature, t, &slope);
        if (fabs(h) <= -1e-3 * at_zero)
            break;
        if (h > 0)
            high = t;
        else
            low = t;
        double newton = t - h / slope;
        if (newton > low && newton < high)
            t = newton;
        else
            t = high < HUGE_VAL ? low + (high - low) / 2 : 2 * t;
    }
    return t;
}

// step := (M + rho G_J^T G_J)^-1 step, and what it does to the rows; false: not definite to rounding
static bool find_step(large *p, const metric_factor *m)
{
    if (!find_factor(p, m))
        return false;
    sparse_cholesky_solve(&p->factor, p->step);
    p->solves++;
    metric_multiply(m, p->n, p->step, p->M_step);
    large_rows_times(p, p->step, p->along);
    return vec_finite(p->n, p->step);
}

static void move(large *p, double t)
{
    vec_add(p->n, t, p->step, p->v);
    vec_add(p->n, t, p->M_step, p->Mv);
    vec_add(p->rows, -t, p->along, p->s);
}

// one Newton step; false: no way down is left
static bool newton(large *p, const metric_factor *m)
{
    for (size_t j = 0; j < p->n; j++)
        p->step[j] = -p->gradient[j];
    if (!find_step(p, m))
        return false;
    double down = vec_dot(p->n, p->gradient, p->step), curvature = vec_dot(p->n, p->step, p->M_step);
    if (!(down < 0) || !isfinite(down))
        return false;
    move(p, search(p, down, curvature));
    return true;
}

// goes to where phi would be least if the rows that are on pushed or pulled and no others: nearly the answer
// once they are the right ones, and a place to start from in any case
static bool predict(large *p, const metric_factor *m)
{
    bool any = false;
    for (size_t i = 0; i < p->rows; i++) {
        p->along[i] = p->on[i] ? p->lambda[i] + p->rho * p->s[i] : 0;
        any = any || p->on[i];
    }
    if (!any)
        return true;
    large_rows_sum(p, p->along, p->step);
    vec_add(p->n, -1, p->Mv, p->step);
    if (!find_step(p, m))
        return false;
    move(p, 1);
    return true;
}

bool large_minimise(large *p, const metric_factor *m, double tol)
{
    double last = HUGE_VAL;
    int stalls = 0;
    p->error = HUGE_VAL;
    metric_multiply(m, p->n, p->v, p->Mv);
    find_slack(p);
    bool fine = predict(p, m);
    for (int k = 0; fine; k++) {
        double size = find_gradient(p, m);
        bool same = p->has_factor && memcmp(p->on, p->factored, p->rows) == 0;
        stalls = same && size > 0.5 * last ? stalls + 1 : 0;
        p->error = p->total > 0 ? size / p->total : size > 0;
        if (size <= tol * p->total || stalls > 2)
            return true;
        last = size;
        if (k == INNER || p->solves >= p->cap || !newton(p, m))
            return p->has_factor;
    }
    return fine;
}

void large_update(large *p)
{
    for (size_t i = 0; i < p->rows; i++) {
        p->before[i] = p->lambda[i];
        p->lambda[i] = push(p, i);
        p->on[i] = i < p->equalities || p->lambda[i] > 0;
    }
    p->length = sqrt(fmax(vec_dot(p->n, p->v, p->Mv), 0));
}

// largest relative violation, and slack of rows that push
static double residual(const large *p)
{
    double worst = 0;
    for (size_t i = 0; i < p->rows; i++) {
        bool counts = i < p->equalities || p->lambda[i] > 0 || p->s[i] > 0;
        double size = fabs(p->s[i]), scale = p->scale[i] + p->length;
        if (counts && size > worst * scale)
            worst = size / scale;
    }
    return worst;
}

// whether the last change of lambda proves that the set is empty
static bool find_proof(large *p, const metric_factor *m)
{
    for (size_t i = 0; i < p->rows; i++)
        p->before[i] = p->lambda[i] - p->before[i];
    return large_proof(p, m, p->before, 1e-3);
}

// a zero row that asks for something is a proof by itself
static bool impossible_row(large *p)
{
    for (size_t i = 0; i < p->rows; i++) {
        if (p->inverse[i] != 0 || p->d[i] == 0 || (p->d[i] < 0 && i >= p->equalities))
            continue;
        vec_zero(p->rows, p->y);
        p->y[i] = p->d[i] > 0 ? 1 : -1;
        return true;
    }
    return false;
}

// whether some inequality is taken to push
static bool has_idea(const large *p)
{
    for (size_t i = p->equalities; i < p->rows; i++)
        if (p->on[i])
            return true;
    return false;
}

// rounds from the lambda and the rows on at hand, until the answer or a proof, rounding, or the cap
static mo_projection_outcome run_rounds(large *p, const metric_factor *m, double rho)
{
    double now = HUGE_VAL, last = HUGE_VAL, best = HUGE_VAL, aim = fmax(AIM, p->aim),
           good = fmax(GOOD, p->aim);
    int stalls = 0, proofs = 0;
    bool fine = true;
    p->rho = rho;
    p->has_factor = false;
    vec_zero(p->n, p->v);
    for (int round = 0; fine && round < ROUNDS && p->solves < p->cap; round++) {
        fine = large_minimise(p, m, fmax(aim, fmin(1e-3 * last, 1e-3)));
        large_update(p);
        now = fmax(residual(p), p->error);
        stalls = now < 0.5 * best ? 0 : stalls + 1;
        if (now <= aim || (stalls > 0 && now <= good))
            return MO_PROJECTION_SOLVED;
        if (now > 0.5 * last && proofs++ < PROOFS && find_proof(p, m))
            return MO_PROJECTION_EMPTY;
        if (now > 0.05 * last && p->rho < RHO_LAST) {
            p->rho *= RHO_GROWTH;
            p->has_factor = false;
        }
        last = now;
        best = fmin(best, now);
    }
    return now <= good ? MO_PROJECTION_SOLVED : MO_PROJECTION_UNDECIDED;
}

mo_projection_outcome large_run(large *p, const metric_factor *m)
{
    mo_projection_outcome outcome;
    p->solves = 0;
    p->length = 0;
    vec_zero(p->n, p->v);
    if (impossible_row(p))
        return MO_PROJECTION_EMPTY;
    if (has_idea(p)) {
        p->cap = WARM_SOLVES;
        outcome = run_rounds(p, m, RHO_WARM);
        if (outcome != MO_PROJECTION_UNDECIDED)
            return outcome;
    }
    p->cap = p->solves + COLD_SOLVES;
    bool inside = large_interior(p, m);
    if (inside && large_proof(p, m, p->lambda, 1e-5))
        return MO_PROJECTION_EMPTY;
    return run_rounds(p, m, inside ? RHO_INSIDE : RHO_COLD);
}
