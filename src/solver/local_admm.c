/*
 * Alternating directions (Gabay & Mercier, Comput. Math. Appl. 2 (1976) 17-40): r free of cones, its copy in
 * them.  In the scaled variables of local_scale.h, x = z with z in the cones, multiplier rho l,
 *
 *   x := (D W D + rho I)^-1 (rho (z - l) - D q - s n),   z := P_K(a x + (1 - a) z + l),
 *   l := l + a x + (1 - a) z_before - z,
 *
 * a = 1.6 (over-relaxation: Eckstein & Bertsekas, Math. Program. 55 (1992) 293-318).  The velocity of x is
 * D W D x + D q = rho (z - l - x) - s n, so that no product with W is needed; the shift s = mu' |y_T| is
 * taken from it anew at each step.
 *
 * The penalty rho follows the geometric mean of the curvatures of both halves, estimated from differences of
 * points and multipliers (Xu, Figueiredo & Goldstein, AISTATS 2017, PMLR 54, 718-727), where the distance of
 * the copies and their restlessness ask for the same direction.  The factors are made anew only where it has
 * changed by enough: Cholesky of W + rho D^-2 where W is symmetric, L U where it is not or a pivot is not
 * positive.
 */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "math/sparse_cholesky.h"
#include "solver/local_linear.h"
#include "solver/local_scale.h"

/* Over-relaxation; bounds and first value of the penalty; it changes by more than CHANGE or not at all; least
 * correlation of differences that says something; blocks are equal to that share of W_cc */
static const double RELAX = 1.6, LEAST_RHO = 1e-4, LARGEST_RHO = 0.5, FIRST_RHO = 0.3, CHANGE = 2,
                    CORRELATED = 0.2, EQUAL = 1e-12;
enum { ARRAYS = 12, SPELL = 8 };

typedef struct admm {
    local_work *w;
    local_scale scale;
    bool symmetric;
    sparse_cholesky factor; /* of W + rho D^-2 where symmetric */
    uint32_t *slot;         /* [entries on and below the diagonal] of W, in the order of its blocks */
    double *x, *z, *l;      /* [n] */
    double *y, *shift;      /* [n] velocity of x; [contacts] */
    double *at, *rhs;       /* [n] what is projected; right-hand side */
    double *r, *best;       /* [n] in the problem's units */
    double *x0, *y0;        /* [n] at the last look at the penalty: x, y + s n */
    double *z0, *l0;        /* [n] the same: z, rho l */
    double rho, best_residual;
    double apart, moved; /* |x - z|², |z - z_before|² of the last step */
    int spell, since;    /* steps between looks at the penalty, since the last one */
} admm;

// block (c, d) of W, NULL: none
static const double *find_block(const mo_problem *p, size_t c, size_t d)
{
    size_t low = p->start[c], high = p->start[c + 1];
    while (low < high) {
        size_t k = low + (high - low) / 2;
        if (p->column[k] < d)
            low = k + 1;
        else
            high = k;
    }
    return low < p->start[c + 1] && p->column[low] == d ? p->W + (size_t)(p->dim * p->dim) * low : NULL;
}

static bool is_symmetric(const local_work *w)
{
    const mo_problem *p = w->p;
    size_t dim = (size_t)p->dim;
    for (size_t c = 0; c < p->contacts; c++)
        for (size_t k = p->start[c]; k < p->start[c + 1]; k++) {
            const double *B = p->W + dim * dim * k, *T = find_block(p, p->column[k], c);
            double size = EQUAL / sqrt(w->rho[c] * w->rho[p->column[k]]);
            for (size_t i = 0; T != NULL && i < dim * dim; i++)
                if (!(fabs(B[i] - T[i % dim * dim + i / dim]) <= size))
                    return false;
            if (T == NULL)
                return false;
        }
    return true;
}

// pattern of W by scalars, its analysis, and where entries go; false: no memory or too much fill
static bool analyse(admm *s)
{
    const mo_problem *p = s->w->p;
    size_t dim = (size_t)p->dim, blocks = p->start[p->contacts], at = 0, slots = 0;
    arena_mark mark = arena_here(&s->w->memory);
    size_t *start = arena_push(&s->w->memory, s->w->n + 1, sizeof *start);
    uint32_t *index = arena_push(&s->w->memory, dim * dim * blocks, sizeof *index);
    if (start == NULL || index == NULL)
        return false;
    for (size_t i = 0; i < s->w->n; i++) {
        start[i] = at;
        for (size_t k = p->start[i / dim]; k < p->start[i / dim + 1]; k++)
            for (size_t j = 0; j < dim; j++)
                index[at++] = (uint32_t)(dim * p->column[k] + j);
    }
    start[s->w->n] = at;
    s->factor.stop = s->w->stop != NULL || s->w->until > 0 ? local_linear_stop : NULL;
    s->factor.stop_data = s->w;
    bool ok = sparse_cholesky_analyse(&s->factor, (uint32_t)s->w->n, start, index);
    for (size_t i = 0; ok && i < s->w->n; i++)
        for (size_t k = start[i]; k < start[i + 1]; k++)
            if (index[k] <= i)
                s->slot[slots++] = sparse_cholesky_slot(&s->factor, (uint32_t)i, index[k]);
    arena_back(&s->w->memory, mark);
    return ok;
}

// W + rho D^-2
static bool factor_symmetric(admm *s)
{
    const mo_problem *p = s->w->p;
    size_t dim = (size_t)p->dim, slots = 0;
    if (!sparse_cholesky_clear(&s->factor))
        return false;
    for (size_t i = 0; i < s->w->n; i++) {
        for (size_t k = p->start[i / dim]; k < p->start[i / dim + 1]; k++)
            for (size_t j = 0; j < dim && dim * p->column[k] + j <= i; j++)
                s->factor.L[s->slot[slots++]] += p->W[dim * dim * k + dim * (i % dim) + j];
        s->factor.L[sparse_cholesky_slot(&s->factor, (uint32_t)i, (uint32_t)i)] +=
            s->rho / (s->scale.d[i] * s->scale.d[i]);
    }
    return sparse_cholesky_factor(&s->factor);
}

// the same in the scaled variables of local_linear.h, d' (W + rho D^-2) d'
static bool factor_unsymmetric(admm *s)
{
    local_linear *t = s->w->linear;
    size_t dim = (size_t)s->w->p->dim;
    for (size_t i = 0; i < s->w->n; i++)
        for (size_t j = 0; j < dim; j++) {
            double d = t->d[i / dim] / s->scale.d[i];
            t->A[dim * i + j] = i % dim == j ? s->rho * d * d : 0;
            t->B[dim * i + j] = i % dim == j ? 1 : 0;
        }
    return local_linear_factor(s->w, 0);
}

// factors for the penalty of now; *ok: they are finite
static mo_status make_factors(admm *s, bool *ok, mo_error *err)
{
    *ok = s->symmetric && factor_symmetric(s);
    if (*ok || local_late(s->w))
        return MO_OK;
    s->symmetric = false;
    mo_status status = local_linear_prepare(s->w, err);
    if (status == MO_OK)
        *ok = factor_unsymmetric(s);
    return status;
}

// x from the right-hand side in scaled units
static void solve(admm *s)
{
    size_t n = s->w->n, dim = (size_t)s->w->p->dim;
    if (s->symmetric) {
        for (size_t i = 0; i < n; i++)
            s->x[i] = s->rhs[i] / s->scale.d[i];
        sparse_cholesky_solve(&s->factor, s->x);
        for (size_t i = 0; i < n; i++)
            s->x[i] /= s->scale.d[i];
        return;
    }
    const double *d = s->w->linear->d;
    for (size_t i = 0; i < n; i++)
        s->rhs[i] *= d[i / dim] / s->scale.d[i];
    local_linear_solve(s->w, s->rhs, 1, s->x);
    for (size_t i = 0; i < n; i++)
        s->x[i] *= d[i / dim] / s->scale.d[i];
}

static void step(admm *s)
{
    const mo_problem *p = s->w->p;
    size_t n = s->w->n, dim = (size_t)p->dim;
    for (size_t i = 0; i < n; i++)
        s->rhs[i] = s->rho * (s->z[i] - s->l[i]) - s->scale.d[i] * p->q[i];
    for (size_t c = 0; c < p->contacts; c++)
        s->rhs[dim * c] -= s->shift[c];
    solve(s);
    for (size_t i = 0; i < n; i++) {
        s->y[i] = s->rho * (s->z[i] - s->l[i] - s->x[i]) - (i % dim == 0 ? s->shift[i / dim] : 0);
        s->at[i] = RELAX * s->x[i] + (1 - RELAX) * s->z[i] + s->l[i];
    }
    memcpy(s->rhs, s->z, n * sizeof *s->z);
    local_scale_project(s->w, &s->scale, s->at, 0, s->y, NULL, s->z);
    s->apart = s->moved = 0;
    for (size_t i = 0; i < n; i++) {
        s->l[i] = s->at[i] - s->z[i];
        s->apart += (s->x[i] - s->z[i]) * (s->x[i] - s->z[i]);
        s->moved += (s->z[i] - s->rhs[i]) * (s->z[i] - s->rhs[i]);
    }
    local_scale_shift(s->w, &s->scale, s->y, s->shift);
}

/* Differences of a point and its multiplier: how they hang together. */
typedef struct curvature {
    double vv, gg, vg;
} curvature;

// after Xu et al.: steepest descent or minimum gradient; 0: says nothing
static double estimate(const curvature *c)
{
    if (!(c->vg > CORRELATED * sqrt(c->vv * c->gg)) || !(c->vg > 0))
        return 0;
    double descent = c->gg / c->vg, gradient = c->vg / c->vv;
    return 2 * gradient > descent ? gradient : descent - 0.5 * gradient;
}

// the penalty that the last spell suggests: from changes of (x, y + s) and of (z, -rho l)
static double suggest(admm *s)
{
    size_t n = s->w->n, dim = (size_t)s->w->p->dim;
    curvature f = {0, 0, 0}, g = {0, 0, 0};
    double zz = 0, ll = 0;
    for (size_t i = 0; i < n; i++) {
        double dx = s->x[i] - s->x0[i], dy = s->y[i] + (i % dim == 0 ? s->shift[i / dim] : 0) - s->y0[i];
        double dz = s->z[i] - s->z0[i], dl = s->rho * s->l[i] - s->l0[i];
        f.vv += dx * dx, f.gg += dy * dy, f.vg += dx * dy;
        g.vv += dz * dz, g.gg += dl * dl, g.vg += dz * dl;
        zz += s->z[i] * s->z[i];
        ll += s->l[i] * s->l[i];
    }
    double a = estimate(&f), b = estimate(&g);
    double rho = a > 0 && b > 0 ? sqrt(a * b) : a > 0 ? a : b > 0 ? b : s->rho;
    // copies too far apart ask for a larger one, restless ones for a smaller one
    double unbalance = sqrt(s->apart * ll) - sqrt(s->moved * zz);
    if (!isfinite(rho) || (rho - s->rho) * unbalance <= 0)
        return s->rho;
    return fmin(fmax(sqrt(rho * s->rho), LEAST_RHO), LARGEST_RHO);
}

static void remember(admm *s)
{
    size_t n = s->w->n, dim = (size_t)s->w->p->dim;
    memcpy(s->x0, s->x, n * sizeof *s->x);
    memcpy(s->z0, s->z, n * sizeof *s->z);
    for (size_t i = 0; i < n; i++) {
        s->y0[i] = s->y[i] + (i % dim == 0 ? s->shift[i / dim] : 0);
        s->l0[i] = s->rho * s->l[i];
    }
}

// a new penalty where it would be a good deal different; looks get rarer with each
static mo_status adapt(admm *s, bool *ok, mo_error *err)
{
    *ok = true;
    if (++s->since < s->spell)
        return MO_OK;
    double rho = suggest(s), ratio = rho / s->rho;
    s->since = 0;
    remember(s);
    if (ratio < CHANGE && ratio > 1 / CHANGE)
        return MO_OK;
    for (size_t i = 0; i < s->w->n; i++)
        s->l[i] /= ratio;
    s->rho = rho;
    s->spell *= s->spell < INT_MAX / 2 ? 2 : 1;
    return make_factors(s, ok, err);
}

// residual of z, the point in the cones; the best is kept
static double look(admm *s)
{
    for (size_t i = 0; i < s->w->n; i++)
        s->r[i] = s->scale.d[i] * s->z[i];
    double residual = local_residual(s->w, s->r);
    if (residual < s->best_residual) {
        s->best_residual = residual;
        memcpy(s->best, s->r, s->w->n * sizeof *s->r);
    }
    return residual;
}

static bool reserve(local_work *w, admm *s)
{
    double **arrays[ARRAYS] = {&s->x, &s->z,    &s->l,  &s->y,  &s->at, &s->rhs,
                               &s->r, &s->best, &s->x0, &s->y0, &s->z0, &s->l0};
    size_t dim = (size_t)w->p->dim;
    *s = (admm){.w = w, .rho = FIRST_RHO, .spell = SPELL, .symmetric = is_symmetric(w)};
    double *room = arena_push(&w->memory, ARRAYS * w->n, sizeof *room);
    s->shift = arena_push(&w->memory, w->p->contacts, sizeof *s->shift);
    s->slot =
        arena_push(&w->memory, s->symmetric ? dim * dim * w->p->start[w->p->contacts] : 0, sizeof *s->slot);
    for (size_t k = 0; k < ARRAYS && room != NULL; k++)
        *arrays[k] = room + k * w->n;
    return room != NULL && s->shift != NULL && s->slot != NULL && local_scale_make(w, &s->scale) &&
           (!s->symmetric || analyse(s));
}

// from r: copies equal, the multiplier that of its velocity
static double start(admm *s, const double *r)
{
    size_t n = s->w->n, dim = (size_t)s->w->p->dim;
    for (size_t i = 0; i < n; i++)
        s->x[i] = s->z[i] = r[i] / s->scale.d[i];
    local_scale_velocity(s->w, &s->scale, s->x, s->r, s->y);
    local_scale_shift(s->w, &s->scale, s->y, s->shift);
    for (size_t i = 0; i < n; i++)
        s->l[i] = -(s->y[i] + (i % dim == 0 ? s->shift[i / dim] : 0)) / s->rho;
    memcpy(s->best, r, n * sizeof *r);
    remember(s);
    return s->best_residual = local_residual_of(s->w, r, s->w->u);
}

mo_status local_admm(local_work *w, const mo_solver_settings *settings, int max_iter, double tol, double *r,
                     int *iterations, mo_error *err)
{
    (void)settings;
    admm s;
    bool ok;
    arena_mark mark = arena_here(&w->memory);
    *iterations = 0;
    mo_status status = reserve(w, &s)
                           ? make_factors(&s, &ok, err)
                           : fail(err, MO_NO_MEMORY, NULL, "no memory for %zu contacts", w->p->contacts);
    double residual = status == MO_OK ? start(&s, r) : 0;
    while (status == MO_OK && ok && residual > tol && *iterations < max_iter && !local_late(w)) {
        step(&s);
        ++*iterations;
        residual = look(&s);
        if (!isfinite(residual))
            break;
        status = adapt(&s, &ok, err);
    }
    if (status == MO_OK)
        memcpy(r, s.best, w->n * sizeof *r);
    sparse_cholesky_free(&s.factor);
    arena_back(&w->memory, mark);
    return status;
}
