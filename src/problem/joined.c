/*
 * Joints: numbers.  Patterns and islands are in joined_connect.c.
 */
#include "problem/joined.h"

#include <math.h>
#include <string.h>

#include "math/vec.h"
#include "problem/rows.h"

/* Share of its diagonal that is added to K, and rounds of improvement at most. */
static const double REGULAR = 1e-10;
enum { ROUNDS = 6 };

static inline size_t freedoms_of(const step_problem *p)
{
    return p->dim == 2 ? 3 : 6;
}

// G A⁻¹ of every row
static void fill_inverse(row_block *k, const step_problem *p)
{
    for (int side = 0; side < 2; side++)
        for (uint32_t r = 0; r < k->rows && k->body[side] != NO_BODY; r++)
            row_times_inverse(p, k->body[side], k->G[side][r], k->GA[side][r]);
}

// (G A⁻¹ G*) between row r of a and row s of b
static double coupling(const row_block *a, const row_block *b, uint32_t r, uint32_t s, size_t nu)
{
    double sum = 0;
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 2; k++)
            if (a->body[i] != NO_BODY && a->body[i] == b->body[k])
                sum += vec_dot_in_order(nu, a->GA[i][r], b->G[k][s]);
    return sum;
}

static void add_pair(joined *j, island *of, const block_pair *pair, size_t nu)
{
    const row_block *a = &j->block[pair->a], *b = &j->block[pair->b];
    double *L = of->factor.L;
    for (uint32_t r = 0; r < a->rows; r++)
        for (uint32_t s = 0; s < (pair->a == pair->b ? r + 1 : b->rows); s++) {
            double value = coupling(a, b, r, s, nu);
            if (pair->a == pair->b && r == s) {
                value += a->compliance[r];
                j->diagonal[a->first + r] = value;
                value = value > 0 ? value * (1 + REGULAR) : 1;
            }
            L[j->slot[pair->slots + r * b->rows + s]] += value;
        }
}

void joined_factor(joined *j, const step_problem *p)
{
    for (size_t k = 0; k < j->blocks; k++)
        fill_inverse(&j->block[k], p);
    for (size_t i = 0; i < j->islands; i++) {
        island *of = &j->island[i];
        sparse_cholesky_clear(&of->factor);
        for (size_t k = of->pair_first; k < of->pair_end; k++)
            add_pair(j, of, &j->pair[k], freedoms_of(p));
        of->sound = sparse_cholesky_factor(&of->factor);
    }
}

// G u of row r
static double row_velocity(const step_problem *p, const row_block *k, uint32_t r)
{
    double sum = 0;
    for (int side = 0; side < 2; side++)
        if (k->body[side] != NO_BODY)
            sum += vec_dot_in_order(freedoms_of(p), k->G[side][r], body_velocity(p, k->body[side]));
    return sum;
}

// G u + shift + C T of row r
static double row_miss(const joined *j, const step_problem *p, const row_block *k, uint32_t r)
{
    double pull = k->compliance[r] * j->T[k->first + r];
    double sum = k->shift[r] + pull, terms = fabs(k->shift[r]) + fabs(pull);
    for (int side = 0; side < 2; side++)
        for (size_t c = 0; k->body[side] != NO_BODY && c < freedoms_of(p); c++) {
            double term = k->G[side][r][c] * body_velocity(p, k->body[side])[c];
            sum += term;
            terms += fabs(term);
        }
    return beyond_rounding(sum, terms);
}

// -(G u + shift + C T) of an island's rows, in the order of its factor; returns its square in the norm of K⁻¹
static double rest_of(const joined *j, const step_problem *p, const island *of, double *out)
{
    double sum = 0;
    for (size_t n = of->block_first; n < of->block_end; n++) {
        const row_block *k = &j->block[j->order[n]];
        for (uint32_t r = 0; r < k->rows; r++) {
            double d = j->diagonal[k->first + r];
            double U = row_velocity(p, k, r) + k->shift[r] + k->compliance[r] * j->T[k->first + r];
            out[j->local[j->order[n]] + r] = d > 0 ? -U : 0;
            sum += d > 0 ? U * U / d : 0;
        }
    }
    return sum;
}

// T += x and what that does to velocities
static void take_step(joined *j, const step_problem *p, const island *of, const double *x)
{
    const size_t nu = freedoms_of(p);
    for (size_t n = of->block_first; n < of->block_end; n++) {
        const row_block *k = &j->block[j->order[n]];
        for (uint32_t r = 0; r < k->rows; r++) {
            double step = x[j->local[j->order[n]] + r];
            j->T[k->first + r] += step;
            for (int side = 0; side < 2; side++)
                for (size_t c = 0; k->body[side] != NO_BODY && c < nu; c++)
                    body_velocity(p, k->body[side])[c] += k->GA[side][r][c] * step;
        }
    }
}

static void improve(joined *j, const step_problem *p, int rounds)
{
    for (size_t i = 0; i < j->islands; i++) {
        island *of = &j->island[i];
        double first = 0, before = HUGE_VAL;
        for (int round = 0; round < rounds && of->sound; round++) {
            double now = rest_of(j, p, of, j->rest);
            first = round == 0 ? now : first;
            // all that rounding leaves, or rows that contradict each other
            if (!(now > 1e-31 * first) || !(now < 0.25 * before))
                break;
            before = now;
            sparse_cholesky_solve(&of->factor, j->rest);
            take_step(j, p, of, j->rest);
        }
    }
}

void joined_solve(joined *j, const step_problem *p)
{
    for (size_t r = 0; r < j->rows; r++)
        j->T[r] = 0;
    improve(j, p, ROUNDS);
}

void joined_correct(joined *j, const step_problem *p)
{
    improve(j, p, 1);
}

/* ---- responses --------------------------------------------------------------------------------------- */

static size_t island_freedoms(const joined *j, const step_problem *p, uint32_t i)
{
    return freedoms_of(p) * (j->island[i].body_end - j->island[i].body_first);
}

// the islands of the two bodies, each once
static void islands_of(const joined *j, const uint32_t body[2], uint32_t out[2])
{
    out[0] = j->island_of[body[0]];
    out[1] = body[1] != NO_BODY ? j->island_of[body[1]] : NO_BODY;
    if (out[0] == out[1])
        out[1] = NO_BODY;
}

size_t response_room(const joined *j, const step_problem *p, const uint32_t body[2])
{
    uint32_t i[2];
    islands_of(j, body, i);
    return (i[0] != NO_BODY ? island_freedoms(j, p, i[0]) : 0) +
           (i[1] != NO_BODY ? island_freedoms(j, p, i[1]) : 0);
}

// rest = -G A⁻¹ g of the rows of an island for a push g on the bodies
static void push_rows(const joined *j, const island *of, const uint32_t body[2], double *const g[2],
                      size_t nu, double *rest)
{
    for (size_t n = of->block_first; n < of->block_end; n++) {
        const row_block *k = &j->block[j->order[n]];
        for (uint32_t r = 0; r < k->rows; r++) {
            double sum = 0;
            for (int side = 0; side < 2; side++)
                for (int s = 0; s < 2; s++)
                    if (k->body[side] != NO_BODY && k->body[side] == body[s])
                        sum += vec_dot_in_order(nu, k->GA[side][r], g[s]);
            rest[j->local[j->order[n]] + r] = j->diagonal[k->first + r] > 0 ? -sum : 0;
        }
    }
}

// Z = A⁻¹ G* x over the bodies of an island
static void spread(const joined *j, const island *of, const double *x, size_t nu, double *Z)
{
    memset(Z, 0, nu * (of->body_end - of->body_first) * sizeof *Z);
    for (size_t n = of->block_first; n < of->block_end; n++) {
        const row_block *k = &j->block[j->order[n]];
        for (uint32_t r = 0; r < k->rows; r++)
            for (int side = 0; side < 2; side++)
                for (size_t c = 0; k->body[side] != NO_BODY && c < nu; c++)
                    Z[nu * j->place[k->body[side]] + c] += k->GA[side][r][c] * x[j->local[j->order[n]] + r];
    }
}

// rest -= K x, Z = A⁻¹ G* x
static void leave(const joined *j, const island *of, const double *x, const double *Z, size_t nu,
                  double *rest)
{
    for (size_t n = of->block_first; n < of->block_end; n++) {
        const row_block *k = &j->block[j->order[n]];
        for (uint32_t r = 0; r < k->rows; r++) {
            uint32_t at = j->local[j->order[n]] + r;
            double sum = k->compliance[r] * x[at];
            for (int side = 0; side < 2; side++)
                if (k->body[side] != NO_BODY)
                    sum += vec_dot_in_order(nu, k->G[side][r], &Z[nu * j->place[k->body[side]]]);
            rest[at] -= j->diagonal[k->first + r] > 0 ? sum : 0;
        }
    }
}

// Z of one island for one push, with one round of improvement
static void respond(joined *j, island *of, const uint32_t body[2], double *const g[2], size_t nu, double *Z)
{
    double *rest = j->rest, *x = j->x;
    push_rows(j, of, body, g, nu, rest);
    memcpy(x, rest, of->rows * sizeof *x);
    sparse_cholesky_solve(&of->factor, x);
    spread(j, of, x, nu, Z);
    leave(j, of, x, Z, nu, rest);
    sparse_cholesky_solve(&of->factor, rest);
    for (uint32_t r = 0; r < of->rows; r++)
        x[r] += rest[r];
    spread(j, of, x, nu, Z);
}

bool joined_respond(joined *j, const step_problem *p, const uint32_t body[2], uint32_t columns,
                    double (*const G[2])[6], arena *a, response *out)
{
    *out = (response){.columns = columns};
    islands_of(j, body, out->island);
    for (int k = 0; k < 2; k++) {
        uint32_t i = out->island[k];
        if (i == NO_BODY || !j->island[i].sound) {
            out->island[k] = NO_BODY;
            continue;
        }
        size_t n = island_freedoms(j, p, i);
        out->Z[k] = arena_push(a, n * columns, sizeof *out->Z[k]);
        if (out->Z[k] == NULL)
            return false;
        for (uint32_t c = 0; c < columns; c++) {
            double *const g[2] = {G[0][c], G[1][c]};
            respond(j, &j->island[i], body, g, freedoms_of(p), out->Z[k] + n * c);
        }
    }
    return true;
}

void response_push(const joined *j, const step_problem *p, const response *r, const double *dS)
{
    const size_t nu = freedoms_of(p);
    for (int k = 0; k < 2; k++) {
        if (r->island[k] == NO_BODY)
            continue;
        const island *of = &j->island[r->island[k]];
        const size_t n = nu * (of->body_end - of->body_first);
        for (size_t b = of->body_first; b < of->body_end; b++) {
            double *u = body_velocity(p, j->body[b]);
            const double *Z = r->Z[k] + nu * (b - of->body_first);
            for (uint32_t c = 0; c < r->columns; c++)
                for (size_t f = 0; f < nu; f++)
                    u[f] += Z[n * c + f] * dS[c];
        }
    }
}

double response_along(const joined *j, const step_problem *p, const response *r, const uint32_t body[2],
                      uint32_t column, const double *g1, const double *g2)
{
    const size_t nu = freedoms_of(p);
    double sum = 0;
    for (int side = 0; side < 2; side++)
        for (int k = 0; k < 2; k++) {
            if (body[side] == NO_BODY || r->island[k] == NO_BODY || j->island_of[body[side]] != r->island[k])
                continue;
            const double *Z = r->Z[k] + island_freedoms(j, p, r->island[k]) * column;
            sum += vec_dot_in_order(nu, &Z[nu * j->place[body[side]]], side == 0 ? g1 : g2);
        }
    return sum;
}

/* ---- certificate ----------------------------------------------------------------------------------------
 */

bool joined_miss(const joined *j, const step_problem *p, double *miss, double *T2, double *q2)
{
    const size_t nu = freedoms_of(p);
    bool still = false;
    for (size_t n = 0; n < j->blocks; n++) {
        const row_block *k = &j->block[n];
        for (uint32_t r = 0; r < k->rows; r++) {
            double d = j->diagonal[k->first + r], T = j->T[k->first + r], q = k->shift[r];
            double U = row_miss(j, p, k, r);
            for (int side = 0; side < 2; side++)
                if (k->body[side] != NO_BODY)
                    q += vec_dot_in_order(nu, k->G[side][r], &p->u_free[nu * k->body[side]]);
            // NaN has to be told
            still = still || (d == 0 && U != 0 && !isnan(U));
            *miss += d > 0 ? U * U / d : isnan(U) ? U : 0;
            *T2 += d * T * T;
            *q2 += d > 0 ? q * q / d : 0;
        }
    }
    return still;
}
