/* Large sparse projections from call to answer: start, residuals recomputed from the data, proofs. */
#include "convex/large.h"
#include "math/vec.h"

/* residuals of an answer, and of a proof that there is none */
static const double GOOD = 1e-10;

// multipliers of unit rows from those given, or the rows that are guessed to push
static void load_start(large *p, const double *first, const size_t *guess, size_t guess_count)
{
    for (size_t i = 0; i < p->rows; i++) {
        double lambda = first != NULL && p->inverse[i] > 0 ? first[i] / p->inverse[i] : 0;
        p->lambda[i] = (i < p->equalities || lambda > 0) && isfinite(lambda) ? lambda : 0;
        p->on[i] = i < p->equalities || p->lambda[i] > 0;
    }
    for (size_t k = 0; first == NULL && guess != NULL && k < guess_count; k++)
        if (guess[k] < p->rows)
            p->on[guess[k]] = 1;
}

// b_i - a_i.x in the units of g_i.v
static double shortfall(const large *p, const mo_polyhedron *set, size_t i, const double *x)
{
    double sum = set->b != NULL ? set->b[i] : 0;
    for (size_t k = set->start[i]; k < set->start[i + 1]; k++)
        sum -= set->A[k] * x[set->column[k]];
    return sum * p->inverse[i];
}

// A^T lambda from the rows as given, in the norm of M^-1 minus `force`; left in side
static double force_error(large *p, const mo_polyhedron *set, const metric_factor *m, const double *unit,
                          const double *force)
{
    vec_copy(p->n, force, p->side);
    for (size_t i = 0; i < p->rows; i++) {
        double lambda = unit[i] * p->inverse[i];
        for (size_t k = set->start[i]; lambda != 0 && k < set->start[i + 1]; k++)
            p->side[set->column[k]] -= lambda * set->A[k];
    }
    metric_solve_lower(m, p->side);
    return vec_norm(p->n, p->side);
}

static void solved_info(large *p, const mo_polyhedron *set, const metric_factor *m, const double *x,
                        mo_projection_info *info)
{
    double total = 0;
    p->active_count = 0;
    for (size_t i = 0; i < p->rows; i++) {
        double miss = shortfall(p, set, i, x), scale = p->scale[i] + p->length;
        if (p->lambda[i] != 0) {
            p->active[p->active_count++] = i;
            total += fabs(p->lambda[i]);
            if (fabs(miss) > info->slack * scale)
                info->slack = fabs(miss) / scale;
        }
        if (i < p->equalities)
            miss = fabs(miss);
        if (miss > info->violation * scale)
            info->violation = miss / scale;
    }
    metric_multiply(m, p->n, p->v, p->Mv);
    double error = force_error(p, set, m, p->lambda, p->Mv);
    info->stationarity = total > 0 ? error / total : 0;
    info->active = p->active;
    info->active_count = p->active_count;
    double worst = fmax(fmax(info->violation, info->slack), info->stationarity);
    bool good = worst <= fmax(GOOD, 10 * p->aim);
    info->outcome = good ? MO_PROJECTION_SOLVED : MO_PROJECTION_UNDECIDED;
}

static void empty_info(large *p, const mo_polyhedron *set, const metric_factor *m, const double *z,
                       mo_projection_info *info)
{
    double gap = 0;
    for (size_t i = 0; i < p->rows; i++)
        gap += p->y[i] * (p->inverse[i] > 0 ? shortfall(p, set, i, z) : p->d[i]);
    vec_zero(p->n, p->Mv);
    double error = force_error(p, set, m, p->y, p->Mv);
    info->farkas_gap = gap;
    info->farkas_residual = error;
    info->empty_radius = error > 0 ? gap / error : HUGE_VAL;
    info->outcome = gap > 0 && error <= GOOD ? MO_PROJECTION_EMPTY : MO_PROJECTION_UNDECIDED;
}

mo_status large_project(large *p, const mo_polyhedron *set, const metric_factor *m, const double *z,
                        const double *first, const size_t *guess, size_t guess_count, double *x,
                        double *lambda, mo_projection_info *info, mo_error *err)
{
    // the guess may be our own list of active rows, which may move
    bool own = guess != NULL && guess == p->active;
    mo_status status = large_load(p, set, m, z, err);
    if (status != MO_OK)
        return status;
    load_start(p, first, own ? p->active : guess, guess_count);
    bool empty = large_run(p, m) == MO_PROJECTION_EMPTY;
    *info = (mo_projection_info){.iterations = p->solves, .large = true};
    if (empty)
        empty_info(p, set, m, z, info);
    for (size_t j = 0; j < p->n; j++)
        x[j] = z[j] + p->v[j];
    if (!empty)
        solved_info(p, set, m, x, info);
    const double *unit = empty ? p->y : p->lambda;
    for (size_t i = 0; lambda != NULL && i < p->rows; i++)
        lambda[i] = unit[i] * (p->inverse[i] > 0 ? p->inverse[i] : 1);
    return MO_OK;
}
