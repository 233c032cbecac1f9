/*
 * Nearest point of a polyhedron by the dual active-set method.
 *
 * Goldfarb & Idnani, Math. Programming 27 (1983) 1-33, for the Hessian 1: in the coordinates y of projector.h
 * find the y of least length with g_i.y >= d_i.  Every iterate is the answer for its active rows, with
 * multipliers
 * >= 0, and the most violated row comes next; |y| grows, so no active set comes twice.  Rounding is the one
 * thing that could break this: what is violated by no more than rounding is set aside, after a count of
 * iterations that no exact run needs rows are taken by their number (Bland), and then there is a cap.
 */
#include "convex/projector.h"

#include <stdint.h>

#include "math/vec.h"

// puts a row among the active ones unless it depends on them; its multiplier is set later
static void add_if_independent(mo_projector *p, size_t row)
{
    double sum, square = factors_split(&p->f, p->G + row * p->n, p->dv, p->r, &sum);
    if (sqrt(square) <= 16 * p->tol * (1 + sum))
        return;
    factors_free_part(&p->f, p->dv, p->step);
    factors_add(&p->f, row, 0, p->dv, p->step);
    p->state[row] = ROW_ACTIVE;
}

static void drop(mo_projector *p, size_t k)
{
    p->state[p->f.rows[k]] = ROW_FREE;
    factors_drop(&p->f, k);
    p->iterations++;
}

// position of the most negative multiplier beyond rounding, the others made >= 0; SIZE_MAX: none
static size_t pulling(mo_projector *p)
{
    size_t worst = SIZE_MAX;
    double largest = vec_max_abs(p->f.q, p->f.lambda), lowest = -p->tol * largest;
    for (size_t j = p->fixed; j < p->f.q; j++) {
        if (p->f.lambda[j] < lowest) {
            lowest = p->f.lambda[j];
            worst = j;
        }
    }
    for (size_t j = p->fixed; worst == SIZE_MAX && j < p->f.q; j++)
        p->f.lambda[j] = fmax(p->f.lambda[j], 0);
    return worst;
}

// y and multipliers afresh from the factors; rows that would pull are dropped, the strongest first
static void settle(mo_projector *p)
{
    for (;;) {
        for (size_t j = 0; j < p->f.q; j++)
            p->side[j] = p->d[p->f.rows[j]];
        factors_solve(&p->f, p->side, p->y, p->f.lambda);
        size_t worst = pulling(p);
        if (worst == SIZE_MAX)
            return;
        drop(p, worst);
    }
}

// most violated row, or the first one when by_number; SIZE_MAX when there is none
static size_t choose(const mo_projector *p, bool by_number)
{
    size_t best = SIZE_MAX, n = p->n;
    double length = sqrt(vec_dot(n, p->y, p->y)), lowest = 0;
    for (size_t i = p->equalities; i < p->rows; i++) {
        double s = vec_dot(n, p->G + i * n, p->y) - p->d[i];
        if (s < lowest && p->state[i] == ROW_FREE && s < -p->tol * (p->scale[i] + length)) {
            best = i;
            lowest = s;
            if (by_number)
                break;
        }
    }
    return best;
}

// keeps g_p = sum r_j g_j as a proof that row p cannot be met; sign -1: an equality violated from above
static void keep_farkas(mo_projector *p, size_t row, double sign)
{
    for (size_t j = 0; j < p->f.q; j++) {
        double m = -sign * p->r[j];
        p->farkas[j] = j < p->fixed ? m : fmax(m, 0);
    }
    p->farkas[p->f.q] = sign;
    p->farkas_row = row;
}

// active row whose multiplier vanishes first along the step, and where; SIZE_MAX: none
static size_t blocking(const mo_projector *p, double r_sum, bool by_number, double *t)
{
    size_t k = SIZE_MAX;
    *t = HUGE_VAL;
    for (size_t j = p->fixed; j < p->f.q; j++) {
        if (p->r[j] <= 0x1p-52 * (1 + r_sum))
            continue;
        double at = p->f.lambda[j] / p->r[j];
        if (at < *t || (by_number && at == *t && k != SIZE_MAX && p->f.rows[j] < p->f.rows[k])) {
            k = j;
            *t = at;
        }
    }
    return k;
}

// moves along the step that row g needs, whole or until a multiplier vanishes
static void advance(mo_projector *p, double t, bool dependent)
{
    for (size_t j = 0; j < p->f.q; j++) {
        p->f.lambda[j] -= t * p->r[j];
        if (j >= p->fixed)
            p->f.lambda[j] = fmax(p->f.lambda[j], 0);
    }
    if (dependent)
        return;
    factors_free_part(&p->f, p->dv, p->step);
    vec_add(p->n, t, p->step, p->y);
}

// a row that depends on active ones which cannot give way: a contradiction (false), or rounding
static bool set_aside(mo_projector *p, size_t row, double s, double r_sum)
{
    double noise = 4 * p->tol * (1 + r_sum) * (p->scale[row] + vec_norm(p->n, p->y));
    if (-s > noise) {
        keep_farkas(p, row, 1);
        return false;
    }
    p->state[row] = ROW_ASIDE;
    settle(p);
    p->aside_since = p->iterations;
    return true;
}

// rows set aside count again once the active ones have changed; false: nothing to look at anew
static bool recall(mo_projector *p)
{
    if (p->aside_since < 0 || p->aside_since == p->iterations)
        return false;
    for (size_t i = p->equalities; i < p->rows; i++)
        if (p->state[i] == ROW_ASIDE && p->inverse[i] != 0)
            p->state[i] = ROW_FREE;
    p->aside_since = -1;
    p->iterations++;
    return true;
}

// makes a violated row active, dropping others on the way; false: it contradicts the active ones
static bool satisfy(mo_projector *p, size_t row, bool by_number)
{
    const double *g = p->G + row * p->n;
    double multiplier = 0, s = vec_dot(p->n, g, p->y) - p->d[row];
    for (;;) {
        double r_sum, t, square = factors_split(&p->f, g, p->dv, p->r, &r_sum);
        bool dependent = p->f.q == p->n || sqrt(square) <= 16 * p->tol * (1 + r_sum);
        size_t k = blocking(p, r_sum, by_number, &t);
        if (dependent && k == SIZE_MAX)
            return set_aside(p, row, s, r_sum);
        bool full = !dependent && -s <= t * square;
        if (full)
            t = -s / square;
        advance(p, t, dependent);
        multiplier += t;
        if (full) {
            factors_add(&p->f, row, multiplier, p->dv, p->step);
            p->state[row] = ROW_ACTIVE;
            p->iterations++;
            return true;
        }
        s += dependent ? 0 : t * square;
        drop(p, k);
    }
}

// equalities first; a dependent one must agree with the others
static bool start_equalities(mo_projector *p)
{
    for (size_t i = 0; i < p->equalities; i++)
        if (p->state[i] == ROW_FREE)
            add_if_independent(p, i);
    p->fixed = p->f.q;
    settle(p);
    double length = vec_norm(p->n, p->y);
    for (size_t i = 0; i < p->equalities; i++) {
        if (p->state[i] != ROW_FREE)
            continue;
        double sum, s = vec_dot(p->n, p->G + i * p->n, p->y) - p->d[i];
        factors_split(&p->f, p->G + i * p->n, p->dv, p->r, &sum);
        if (fabs(s) > 16 * p->tol * (1 + sum) * (p->scale[i] + length)) {
            keep_farkas(p, i, s < 0 ? 1 : -1);
            return false;
        }
        p->state[i] = ROW_ASIDE;
    }
    return true;
}

// a zero row that asks for something
static bool impossible_row(mo_projector *p)
{
    for (size_t i = 0; i < p->rows; i++) {
        if (p->inverse[i] != 0 || p->d[i] == 0 || (p->d[i] < 0 && i >= p->equalities))
            continue;
        keep_farkas(p, i, p->d[i] > 0 ? 1 : -1);
        return true;
    }
    return false;
}

mo_projection_outcome projector_run(mo_projector *p, const size_t *guess, size_t guess_count)
{
    int patience = 20 + 4 * (int)(p->rows + p->n);
    factors_reset(&p->f, p->n);
    vec_zero(p->n, p->y);
    p->iterations = 0;
    p->fixed = 0;
    p->aside_since = -1;
    if (impossible_row(p))
        return MO_PROJECTION_EMPTY;
    if (p->equalities > 0 && !start_equalities(p))
        return MO_PROJECTION_EMPTY;
    for (size_t k = 0; k < guess_count; k++)
        if (guess[k] < p->rows && p->state[guess[k]] == ROW_FREE)
            add_if_independent(p, guess[k]);
    if (guess_count > 0)
        settle(p);
    bool settled = false;
    while (p->iterations < p->cap) {
        bool by_number = p->iterations > patience;
        size_t row = choose(p, by_number);
        if (row == SIZE_MAX && settled && !recall(p))
            return MO_PROJECTION_SOLVED;
        // rounding that the steps have left goes before the last look
        settled = row == SIZE_MAX;
        if (settled) {
            settle(p);
            p->iterations += p->iterations > patience;
        } else if (!satisfy(p, row, by_number)) {
            return MO_PROJECTION_EMPTY;
        }
    }
    return MO_PROJECTION_UNDECIDED;
}
