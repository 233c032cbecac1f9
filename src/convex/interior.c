/*
 * A first answer to large sparse projections by an interior point: see large.h for the letters.
 *
 * Mehrotra's predictor and corrector (SIAM J. Optim. 2 (1992) 575-601) for
 *     M v = G^T lambda,   G v + lambda / ELASTIC - t = d,   lambda_i t_i = mu -> 0,   lambda, t > 0,
 * t = 0 and lambda of any sign for equalities.  The term in lambda lets rows give way a little, so that there
 * is an answer also where the set is empty: lambda / ELASTIC is then nearly the least shift that makes it not
 * empty.  Every step solves with M + G^T (t / lambda + 1 / ELASTIC)^-1 G, definite whatever the rows.  It
 * stops where the rows that push are told from the others; the method of multipliers goes on from there.
 */
#include "convex/large.h"
#include "math/vec.h"

enum { STEPS = 80 };
static const double ENOUGH = 1e-10, ELASTIC = 1e8;

/* names for arrays of large that the method of multipliers does not need meanwhile */
typedef struct interior {
    large *p;
    const metric_factor *m;
    double *t;       /* [rows] slack, > 0 */
    double *dt, *dl; /* [rows] steps of t and lambda */
    double *second;  /* [rows] products of the steps of the predictor */
    double mu, size; /* mean of lambda t; of the violations at the start */
} interior;

// slack and multipliers to begin with, as large as the largest violation
static void start(interior *q)
{
    large *p = q->p;
    q->size = 0;
    for (size_t i = 0; i < p->rows; i++)
        q->size = fmax(q->size, i < p->equalities ? fabs(p->d[i]) : p->d[i]);
    vec_zero(p->n, p->v);
    vec_zero(p->n, p->Mv);
    for (size_t i = 0; i < p->rows; i++) {
        q->t[i] = fmax(-p->d[i], q->size);
        p->lambda[i] = i < p->equalities ? 0 : q->size;
    }
}

// mean of lambda t after a part of the steps
static double mean_product(const interior *q, double step)
{
    const large *p = q->p;
    double sum = 0;
    for (size_t i = p->equalities; i < p->rows; i++)
        sum += (p->lambda[i] + step * q->dl[i]) * (q->t[i] + step * q->dt[i]);
    return sum / (double)(p->rows - p->equalities);
}

// the steps that lead to lambda t = target - second; p->s holds G v + lambda / ELASTIC - t - d
static void solve(interior *q, double target, bool corrector)
{
    large *p = q->p;
    for (size_t i = 0; i < p->rows; i++) {
        double miss = p->s[i], aim = target - (corrector ? q->second[i] : 0) - p->lambda[i] * q->t[i];
        if (i < p->equalities)
            q->dl[i] = -ELASTIC * miss;
        else
            q->dl[i] = (aim - p->lambda[i] * miss) / (q->t[i] + p->lambda[i] / ELASTIC);
        // M v - G^T (lambda + dl) is what the step has to undo
        p->along[i] = p->lambda[i] + q->dl[i];
    }
    large_rows_sum(p, p->along, p->step);
    vec_add(p->n, -1, p->Mv, p->step);
    sparse_cholesky_solve(&p->factor, p->step);
    p->solves++;
    large_rows_times(p, p->step, p->along);
    for (size_t i = 0; i < p->rows; i++) {
        q->dl[i] -= p->weight[i] * p->along[i];
        q->dt[i] = p->along[i] + q->dl[i] / ELASTIC + p->s[i];
    }
}

// the longest step up to 1 that keeps lambda and t positive
static double longest(const interior *q)
{
    double step = 1;
    for (size_t i = q->p->equalities; i < q->p->rows; i++) {
        if (q->dt[i] < 0)
            step = fmin(step, -q->t[i] / q->dt[i]);
        if (q->dl[i] < 0)
            step = fmin(step, -q->p->lambda[i] / q->dl[i]);
    }
    return step;
}

// predictor, corrector, step; false: no factor
static bool advance(interior *q)
{
    large *p = q->p;
    for (size_t i = 0; i < p->rows; i++)
        p->weight[i] = i < p->equalities ? ELASTIC : p->lambda[i] / (q->t[i] + p->lambda[i] / ELASTIC);
    if (!large_factor(p, q->m))
        return false;
    solve(q, 0, false);
    double step = longest(q), left = mean_product(q, step) / q->mu;
    for (size_t i = 0; i < p->rows; i++)
        q->second[i] = q->dl[i] * q->dt[i];
    solve(q, q->mu * left * left * left, true);
    step = fmin(1, 0.99 * longest(q));
    vec_add(p->n, step, p->step, p->v);
    metric_multiply(q->m, p->n, p->v, p->Mv);
    for (size_t i = 0; i < p->rows; i++) {
        p->lambda[i] += step * q->dl[i];
        q->t[i] += i < p->equalities ? 0 : step * q->dt[i];
    }
    return vec_finite(p->n, p->v) && vec_finite(p->rows, p->lambda);
}

// G v + lambda / ELASTIC - t - d in s; returns the largest
static double find_misses(interior *q)
{
    large *p = q->p;
    large_rows_times(p, p->v, p->s);
    for (size_t i = 0; i < p->rows; i++)
        p->s[i] += p->lambda[i] / ELASTIC - p->d[i] - (i < p->equalities ? 0 : q->t[i]);
    return vec_max_abs(p->rows, p->s);
}

// keeps lambda where it is larger than the slack: the rows that push
static void keep_pushing(interior *q, bool done)
{
    large *p = q->p;
    for (size_t i = 0; i < p->rows; i++) {
        bool pushes = i < p->equalities || p->lambda[i] > q->t[i];
        p->on[i] = i < p->equalities || (done && pushes);
        p->lambda[i] = done && pushes ? p->lambda[i] : 0;
    }
}

bool large_interior(large *p, const metric_factor *m)
{
    interior q = {.p = p, .m = m, .t = p->before, .dt = p->y, .dl = p->dl, .second = p->second};
    start(&q);
    vec_zero(p->rows, q.dt);
    vec_zero(p->rows, q.dl);
    bool done = !(q.size > 0), fine = p->rows > p->equalities;
    for (int k = 0; fine && !done && k < STEPS; k++) {
        double worst = find_misses(&q);
        q.mu = mean_product(&q, 0);
        done = q.mu <= ENOUGH * q.size * (q.size + vec_max_abs(p->rows, p->lambda)) && worst <= 1e-6 * q.size;
        fine = done || advance(&q);
    }
    keep_pushing(&q, done);
    return done;
}
