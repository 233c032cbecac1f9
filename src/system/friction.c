/*
 * Coulomb friction along one direction per gap: U = b + W S over the rows G_a, T_a of the active gaps, W
 * dense, with the laws of normal and tangential restitution on the shifted velocity
 *
 *     U_N = G u_f + gt + rho (G u_i + gt),   U_T = T u_f + tau T u_i.
 *
 * Gauss-Seidel over the gaps, each solved exactly (solver/contact2d.h).  Where the sweeps run into a cycle
 * the same problem is solved as a linear complementarity problem with S_T = b+ - b- and the sliding speed c,
 *
 *     0 <= U_N  _|_  S_N >= 0,   0 <= c + U_T  _|_  b+ >= 0,   0 <= c - U_T  _|_  b- >= 0,
 *     0 <= mu S_N - b+ - b-  _|_  c >= 0.
 */
#include <math.h>

#include "core/buffer.h"
#include "core/fail.h"
#include "math/vec.h"
#include "solver/contact2d.h"
#include "system/internal.h"
#include "system/pivoting.h"

/* PIVOT_MOST: gaps for which the complementarity problem is tried */
enum { SWEEPS = 20000, WINDOW = 50, FEW_SWEEPS = 500, PIVOT_MOST = 64 };
static const double TOLERANCE = 1e-13, ACCEPTED = 1e-9;

// rows of the gaps of J in the metric: normal ones at even, tangential ones at odd places
static mo_status load(mo_system *s, inertia *A, mo_error *err)
{
    size_t n = s->n, rows = 2 * s->J_count;
    column memory = {(void **)&s->Y_work, sizeof(double)};
    column square = {(void **)&s->square, sizeof(double)};
    if (!columns_reserve(&memory, 1, &s->Y_room, rows * n) ||
        !columns_reserve(&square, 1, &s->square_room, rows * rows))
        return fail(err, MO_NO_MEMORY, NULL, "no memory for %zu gaps with friction", s->J_count);
    for (size_t j = 0; j < rows; j++) {
        double *Y = s->Y_work + j * n;
        vec_copy(n, (j % 2 == 0 ? s->G : s->T) + s->J[j / 2] * n, Y);
        metric_solve_lower(&A->factor, Y);
        for (size_t i = 0; i <= j; i++)
            s->square[j * rows + i] = s->square[i * rows + j] = vec_dot(n, Y, s->Y_work + i * n);
    }
    return MO_OK;
}

// velocities without impulses, and the impulses of the step before to begin with; false: nothing touches
static bool begin(mo_system *s, const double *u, const double *y)
{
    size_t n = s->n;
    bool touches = false;
    for (size_t k = 0; k < s->J_count; k++) {
        size_t a = s->J[k];
        const double *T = s->T + a * n;
        double tau = s->def.tangential_restitution != NULL ? s->def.tangential_restitution[a] : 0;
        s->d[2 * k] = gap_rate(s, a, y) - s->bound[a];
        s->d[2 * k + 1] = vec_dot(n, T, y) + (tau > 0 ? tau * vec_dot(n, T, u) : 0);
        s->push[2 * k] = s->lambda[a];
        s->push[2 * k + 1] = s->lambda_t[a];
        touches = touches || s->d[2 * k] < 0;
    }
    return touches;
}

// goes the part `share` of the way to the solution of gap k with the others held; the largest change of its
// velocities on the whole way
static double relax(mo_system *s, size_t k, double share)
{
    size_t rows = 2 * s->J_count;
    const double *WN = s->square + 2 * k * rows, *WT = WN + rows;
    double *S = s->push + 2 * k, SN, ST;
    contact2 c = {.H = {WN[2 * k], WN[2 * k + 1], WT[2 * k + 1]}};
    contact2_prepare(&c, s->def.friction[s->J[k]]);
    double bN = s->d[2 * k] + vec_dot(rows, WN, s->push) - (c.H[0] * S[0] + c.H[1] * S[1]);
    double bT = s->d[2 * k + 1] + vec_dot(rows, WT, s->push) - (c.H[1] * S[0] + c.H[2] * S[1]);
    contact2_solve(&c, bN, bT, &SN, &ST);
    double dN = SN - S[0], dT = ST - S[1];
    S[0] += share * dN;
    S[1] += share * dT;
    return fmax(fabs(c.H[0] * dN + c.H[1] * dT), fabs(c.H[1] * dN + c.H[2] * dT));
}

static double sweep_once(mo_system *s, double share)
{
    double change = 0;
    for (size_t k = 0; k < s->J_count; k++)
        change = fmax(change, relax(s, k, share));
    s->iterations++;
    return change;
}

// sweeps until nothing changes; a cycle is left by going ever shorter parts of the way
static double sweep_long(mo_system *s, int most, double goal)
{
    double change = HUGE_VAL, least = HUGE_VAL, last = HUGE_VAL, share = 1;
    for (int sweep = 1; sweep <= most && change > goal; sweep++) {
        change = sweep_once(s, share);
        least = fmin(least, change);
        if (sweep % WINDOW != 0)
            continue;
        share = least > 0.9 * last ? fmax(0.7 * share, 0.02) : share;
        last = least;
        least = HUGE_VAL;
    }
    // impulses that only shrank by parts become zero
    return share < 1 ? sweep_once(s, 1) : change;
}

// M and q of the complementarity problem in units of the speed `scale` and of the largest entry of W
static void complementarity(const mo_system *s, double scale, double largest, double *M, double *q)
{
    size_t k = s->J_count, rows = 2 * k, size = 4 * k;
    vec_zero(size * size, M);
    vec_zero(size, q);
    for (size_t i = 0; i < k; i++) {
        // unknowns S_N, b+, b-, c of gap i at i, k + i, 2 k + i, 3 k + i
        double *N = M + i * size, *plus = N + k * size, *minus = plus + k * size, *bound = minus + k * size;
        for (size_t j = 0; j < k; j++) {
            const double *WN = s->square + 2 * i * rows + 2 * j, *WT = WN + rows;
            N[j] = WN[0] / largest;
            N[k + j] = WN[1] / largest;
            N[2 * k + j] = -N[k + j];
            plus[j] = WT[0] / largest;
            plus[k + j] = WT[1] / largest;
            plus[2 * k + j] = -plus[k + j];
        }
        for (size_t j = 0; j < 3 * k; j++)
            minus[j] = -plus[j];
        plus[3 * k + i] = minus[3 * k + i] = 1;
        bound[i] = s->def.friction[s->J[i]];
        bound[k + i] = bound[2 * k + i] = -1;
        q[i] = s->d[2 * i] / scale;
        q[k + i] = s->d[2 * i + 1] / scale;
        q[2 * k + i] = -q[k + i];
    }
}

// largest of -w, and of z and w where both are positive, w = M z + q
static double complementarity_residual(size_t size, const double *M, const double *q, const double *z)
{
    double worst = 0;
    for (size_t i = 0; i < size; i++) {
        double w = q[i] + vec_dot(size, M + i * size, z);
        worst = fmax(worst, w < 0 ? -w : fmin(w, z[i]));
    }
    return worst;
}

// the complementarity problem; impulses stay when it gives none
static mo_status solve_by_pivots(mo_system *s, double scale, bool *solved, mo_error *err)
{
    size_t k = s->J_count, rows = 2 * k, size = 4 * k;
    column memory = {(void **)&s->tableau, sizeof(double)}, numbers = {(void **)&s->basis, sizeof(size_t)};
    if (!columns_reserve(&memory, 1, &s->tableau_room, lemke_room(size) + size * size + 2 * size) ||
        !columns_reserve(&numbers, 1, &s->basis_room, size))
        return fail(err, MO_NO_MEMORY, NULL, "no memory for %zu gaps with friction", k);
    double *M = s->tableau + lemke_room(size), *q = M + size * size, *z = q + size;
    double largest = vec_max_abs(rows * rows, s->square);
    complementarity(s, scale, largest, M, q);
    *solved = lemke_solve(size, M, q, s->tableau, s->basis, z) &&
              complementarity_residual(size, M, q, z) <= ACCEPTED;
    for (size_t i = 0; *solved && i < k; i++) {
        s->push[2 * i] = z[i] * scale / largest;
        s->push[2 * i + 1] = (z[k + i] - z[2 * k + i]) * scale / largest;
    }
    return MO_OK;
}

// few sweeps, then pivots
static mo_status solve_gaps(mo_system *s, bool *solved, mo_error *err)
{
    double scale = vec_max_abs(2 * s->J_count, s->d);
    *solved = sweep_long(s, FEW_SWEEPS, TOLERANCE * scale) <= TOLERANCE * scale;
    // where a gap alone has several solutions, sweeps would leave the one that the pivots find: they come
    // last
    if (*solved || s->J_count > PIVOT_MOST)
        return MO_OK;
    return solve_by_pivots(s, scale, solved, err);
}

// neither led anywhere: there may be no velocity at all, also without friction, or a jam that restitution or
// moving walls forbid (the pivots met a ray); many sweeps where no pivots were tried
static mo_status insist(mo_system *s, inertia *A, const double *u, const double *y, mo_error *err)
{
    double *trial = s->scratch[2];
    vec_copy(s->n, y, trial);
    mo_status status = velocity_project(s, A, trial, err);
    if (status == MO_OK)
        status = load(s, A, err);
    if (status != MO_OK)
        return status;
    begin(s, u, y);
    int most = s->J_count > PIVOT_MOST ? SWEEPS : FEW_SWEEPS;
    double scale = vec_max_abs(2 * s->J_count, s->d), change = sweep_long(s, most, TOLERANCE * scale);
    if (change <= ACCEPTED * scale)
        return MO_OK;
    return system_trouble(s, MO_SYSTEM_NOT_CONVERGED,
                          "no impulses found for Coulomb's law at %zu gaps: velocities still change by %.3g",
                          s->J_count, change);
}

mo_status velocity_friction(mo_system *s, inertia *A, const double *u, double *y, mo_error *err)
{
    size_t n = s->n;
    double *sum = s->scratch[1];
    bool solved = false;
    for (size_t k = 0; k < s->J_count; k++)
        s->lambda_next[s->J[k]] = s->lambda_t_next[s->J[k]] = 0;
    if (s->J_count == 0 || !begin(s, u, y))
        return MO_OK;
    mo_status status = load(s, A, err);
    if (status == MO_OK)
        status = solve_gaps(s, &solved, err);
    if (status == MO_OK && !solved)
        status = insist(s, A, u, y, err);
    if (status != MO_OK)
        return status;
    vec_zero(n, sum);
    for (size_t k = 0; k < s->J_count; k++) {
        s->lambda_next[s->J[k]] = s->push[2 * k];
        s->lambda_t_next[s->J[k]] = s->push[2 * k + 1];
    }
    for (size_t j = 0; j < 2 * s->J_count; j++)
        vec_add(n, s->push[j], s->Y_work + j * n, sum);
    metric_solve_upper(&A->factor, sum);
    s->linear_solves++;
    vec_add(n, 1, sum, y);
    return MO_OK;
}
