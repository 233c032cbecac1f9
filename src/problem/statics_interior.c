/*
 * Interior points for the statics of contacts.
 *
 * Unknowns in units where cones are round: x = (mu S_N, S_T) in L = {x_0 >= |x_T|}, without friction x = S_N;
 * b = A^-1/2 G* in these units, f = -A^-1/2 F.  Least forces and least deviation are both
 *
 *   D x - b* y - z = 0,   b x + R y = f,   x, z in L,  x o z = 0,
 *
 * with D = |S|²/|x|² and R = 0, and with D = 0, R = 1, y = -A^1/2 u.  Newton's steps for x o z = gap e in the
 * scaling of Nesterov & Todd (SIAM J. Optim. 8 (1998) 324-364), with Mehrotra's correction (SIAM J. Optim. 2
 * (1992) 575-601; Vandenberghe, The CVXOPT linear and quadratic cone program solvers, 2010, §5):
 *
 *   W = W*, W z = W^-1 x = l;  l o (W^-1 dx + W dz) = r;  M = (D + W^-2)^-1;  (R + b M b*) dy = ...
 *
 * The last matrix has the pattern of bodies that touch.
 */
#include "problem/statics_interior.h"

#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "math/sparse_cholesky.h"
#include "math/vec.h"
#include "problem/statics_cuts.h"

enum { MOST_STEPS = 80, PATIENCE = 12, MEND = 3 };

/* Shares: of the way to the edge of the cones; gap and residual, relative, that end it; of the largest
   diagonal entry, added to a matrix that may be singular. */
static const double WAY = 0.99, GAP = 1e-13, REST = 1e-14, RIDGE = 1e-14;

/* A contact's cone: k numbers from `at` on. */
typedef struct cone {
    size_t at;
    int k;
} cone;

/* The scaling of one cone. */
typedef struct scaling {
    double eta, w[3]; /* W² = eta² (2 w w* - J), w_0² - |w_T|² = 1 */
    double M[9];      /* (D + W^-2)^-1 */
} scaling;

typedef struct interior {
    const statics *p;
    size_t n, m; /* entries of x; freedoms */
    double R;
    cone *cones;       /* [contacts] */
    scaling *scale;    /* [contacts] */
    double *b;         /* [start[contacts]][3] columns of b* */
    double *D, *f;     /* [n], [m] */
    double *x, *z, *y; /* [n], [n], [m] */
    double *best_x, *best_y;
    double *dx, *dz, *dy;   /* the step */
    double *l, *r;          /* [n] W z; right side of the complementarity, then W^-1 (l \ r) */
    double *rd, *rp;        /* [n], [m] */
    double *a, *t, *s, *e;  /* scratch [n], [m], [m], [m] */
    uint32_t *slot;         /* where products of a contact's columns go, by contacts */
    sparse_cholesky factor; /* of R + b M b* */
} interior;

/* ---- round cones -----------------------------------------------------------------------------------------
 */

static double det(int k, const double *x)
{
    double t = 0;
    for (int i = 1; i < k; i++)
        t = hypot(t, x[i]);
    return (x[0] - t) * (x[0] + t);
}

// out := W^power v for power = 1, -1
static void apply_scaling(const scaling *s, int k, int power, const double *v, double *out)
{
    double w[3] = {s->w[0], power * s->w[1], power * s->w[2]}, eta = power > 0 ? s->eta : 1 / s->eta;
    double along = 0, first = w[0] * v[0];
    for (int i = 1; i < k; i++)
        along += w[i] * v[i];
    first += along;
    double more = v[0] + along / (1 + w[0]);
    for (int i = 1; i < k; i++)
        out[i] = eta * (v[i] + more * w[i]);
    out[0] = eta * first;
}

// v o w
static void arrow(int k, const double *v, const double *w, double *out)
{
    double first = 0;
    for (int i = 0; i < k; i++)
        first += v[i] * w[i];
    for (int i = 1; i < k; i++)
        out[i] = v[0] * w[i] + w[0] * v[i];
    out[0] = first;
}

// r := d with l o d = r
static void arrow_divide(int k, const double *l, double *r)
{
    double first = l[0] * r[0];
    for (int i = 1; i < k; i++)
        first -= l[i] * r[i];
    first /= det(k, l);
    for (int i = 1; i < k; i++)
        r[i] = (r[i] - first * l[i]) / l[0];
    r[0] = first;
}

// longest a <= 1/WAY with x + a d in the cone
static double longest(int k, const double *x, const double *d)
{
    double A = d[0] * d[0], B = x[0] * d[0], C = det(k, x), most = 1 / WAY;
    for (int i = 1; i < k; i++) {
        A -= d[i] * d[i];
        B -= x[i] * d[i];
    }
    if (d[0] < 0)
        most = fmin(most, -x[0] / d[0]);
    // first positive root of A a² + 2 B a + C, C > 0
    double under = B * B - A * C;
    if (under < 0 || (A >= 0 && B >= 0))
        return most;
    double root = B < 0 ? C / (-B + sqrt(under)) : (-B - sqrt(under)) / A;
    return root > 0 ? fmin(most, root) : most;
}

// out := (diagonal + H)^-1 for k numbers, H = W^-2
static void invert(const scaling *s, int k, const double *D, double *out)
{
    double w[3] = {s->w[0], -s->w[1], -s->w[2]}, h = 1 / (s->eta * s->eta), L[9], inverse[9] = {0};
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++)
            L[3 * i + j] = h * (2 * w[i] * w[j] - (i != j ? 0 : i == 0 ? 1 : -1)) + (i == j ? D[i] : 0);
    for (int j = 0; j < k; j++) {
        for (int i = j; i < k; i++) {
            double sum = L[3 * i + j];
            for (int q = 0; q < j; q++)
                sum -= L[3 * i + q] * L[3 * j + q];
            L[3 * i + j] = i == j ? sqrt(fmax(sum, 1e-300)) : sum / L[3 * j + j];
        }
    }
    // columns of L^-1, then their products
    for (int j = 0; j < k; j++)
        for (int i = j; i < k; i++) {
            double sum = i == j ? 1 : 0;
            for (int q = j; q < i; q++)
                sum -= L[3 * i + q] * inverse[3 * q + j];
            inverse[3 * i + j] = sum / L[3 * i + i];
        }
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++) {
            out[3 * i + j] = 0;
            for (int q = i > j ? i : j; q < k; q++)
                out[3 * i + j] += inverse[3 * q + i] * inverse[3 * q + j];
        }
}

// W of x and z, and M
static void make_scaling(const interior *t, size_t c)
{
    const int k = t->cones[c].k;
    const double *x = t->x + t->cones[c].at, *z = t->z + t->cones[c].at;
    scaling *s = &t->scale[c];
    double dx = sqrt(det(k, x)), dz = sqrt(det(k, z)), product = 0;
    for (int i = 0; i < k; i++)
        product += x[i] / dx * (z[i] / dz);
    double gamma = sqrt((1 + product) / 2);
    s->eta = sqrt(dx / dz);
    s->w[1] = s->w[2] = 0;
    for (int i = 0; i < k; i++)
        s->w[i] = (x[i] / dx + (i == 0 ? 1 : -1) * z[i] / dz) / (2 * gamma);
    if (t->R == 0) {
        invert(s, k, t->D + t->cones[c].at, s->M);
        return;
    }
    for (int i = 0; i < k; i++)
        for (int j = 0; j < k; j++)
            s->M[3 * i + j] = s->eta * s->eta * (2 * s->w[i] * s->w[j] - (i != j ? 0 : i == 0 ? 1 : -1));
}

/* ---- products --------------------------------------------------------------------------------------------
 */

// out += b v
static void add_b(const interior *t, const double *v, double *out)
{
    const statics *p = t->p;
    for (size_t c = 0; c < p->contacts; c++)
        for (size_t e = p->start[c]; e < p->start[c + 1]; e++)
            for (int i = 0; i < t->cones[c].k; i++)
                out[p->column[e]] += t->b[3 * e + (size_t)i] * v[t->cones[c].at + (size_t)i];
}

// out += b* v
static void add_transposed(const interior *t, const double *v, double *out)
{
    const statics *p = t->p;
    for (size_t c = 0; c < p->contacts; c++)
        for (size_t e = p->start[c]; e < p->start[c + 1]; e++)
            for (int i = 0; i < t->cones[c].k; i++)
                out[t->cones[c].at + (size_t)i] += t->b[3 * e + (size_t)i] * v[p->column[e]];
}

// v := M v
static void multiply_M(const interior *t, double *v)
{
    for (size_t c = 0; c < t->p->contacts; c++) {
        double *x = v + t->cones[c].at, old[3] = {0};
        memcpy(old, x, (size_t)t->cones[c].k * sizeof *old);
        for (int i = 0; i < t->cones[c].k; i++) {
            x[i] = 0;
            for (int j = 0; j < t->cones[c].k; j++)
                x[i] += t->scale[c].M[3 * i + j] * old[j];
        }
    }
}

/* ---- the matrix ------------------------------------------------------------------------------------------
 */

// adds the products of a contact's columns
static void add_contact(interior *t, size_t c, const uint32_t *slot)
{
    const statics *p = t->p;
    const int k = t->cones[c].k;
    for (size_t e = p->start[c]; e < p->start[c + 1]; e++) {
        double v[3] = {0};
        for (int i = 0; i < k; i++)
            for (int j = 0; j < k; j++)
                v[i] += t->scale[c].M[3 * i + j] * t->b[3 * e + (size_t)j];
        for (size_t g = p->start[c]; g <= e; g++, slot++)
            t->factor.L[*slot] += vec_dot_in_order((size_t)k, v, t->b + 3 * g);
    }
}

static size_t products(const statics *p, size_t c)
{
    const size_t k = p->start[c + 1] - p->start[c];
    return k * (k + 1) / 2;
}

// R + b M b* and its factors; a ridge where it is needed; false: not even so
static bool make_factors(interior *t)
{
    for (double ridge = RIDGE; ridge < 1e-4; ridge *= 100) {
        double most = 0;
        const uint32_t *slot = t->slot;
        sparse_cholesky_clear(&t->factor);
        for (size_t c = 0; c < t->p->contacts; c++) {
            add_contact(t, c, slot);
            slot += products(t->p, c);
        }
        for (size_t i = 0; i < t->m; i++)
            most = fmax(most, t->factor.L[sparse_cholesky_slot(&t->factor, (uint32_t)i, (uint32_t)i)]);
        for (size_t i = 0; i < t->m; i++)
            t->factor.L[sparse_cholesky_slot(&t->factor, (uint32_t)i, (uint32_t)i)] +=
                t->R + (t->R > 0 ? 0 : ridge * fmax(most, 1e-300));
        if (sparse_cholesky_factor(&t->factor))
            return true;
    }
    return false;
}

// t->dy := solution for the right side t->s, mended
static void solve_normal(interior *t)
{
    memset(t->dy, 0, t->m * sizeof *t->dy);
    memcpy(t->t, t->s, t->m * sizeof *t->t);
    double before = HUGE_VAL;
    for (int round = 0; round < MEND; round++) {
        double now = vec_dot_in_order(t->m, t->t, t->t);
        if (!(now < 0.25 * before) || now == 0)
            return;
        before = now;
        sparse_cholesky_solve(&t->factor, t->t);
        for (size_t i = 0; i < t->m; i++)
            t->dy[i] += t->t[i];
        // what is left: s - (R + b M b*) dy
        memset(t->a, 0, t->n * sizeof *t->a);
        memset(t->e, 0, t->m * sizeof *t->e);
        add_transposed(t, t->dy, t->a);
        multiply_M(t, t->a);
        add_b(t, t->a, t->e);
        for (size_t i = 0; i < t->m; i++)
            t->t[i] = t->s[i] - t->R * t->dy[i] - t->e[i];
    }
}

/* ---- steps -----------------------------------------------------------------------------------------------
 */

// rd = D x - b* y - z, rp = f - b x - R y
static void residuals(interior *t)
{
    for (size_t i = 0; i < t->n; i++)
        t->rd[i] = 0;
    add_transposed(t, t->y, t->rd);
    for (size_t i = 0; i < t->n; i++)
        t->rd[i] = t->D[i] * t->x[i] - t->rd[i] - t->z[i];
    for (size_t i = 0; i < t->m; i++)
        t->rp[i] = 0;
    add_b(t, t->x, t->rp);
    for (size_t i = 0; i < t->m; i++)
        t->rp[i] = t->f[i] - t->rp[i] - t->R * t->y[i];
}

// t->r := what l o (W^-1 dx + W dz) is to be; corrected: with the product of the step that stands in dx, dz
static void aim(interior *t, double centre, bool corrected)
{
    for (size_t c = 0; c < t->p->contacts; c++) {
        const int k = t->cones[c].k;
        const size_t at = t->cones[c].at;
        double *r = t->r + at, a[3], b[3], product[3];
        arrow(k, t->l + at, t->l + at, r);
        for (int i = 0; i < k; i++)
            r[i] = (i == 0 ? centre : 0) - r[i];
        if (!corrected)
            continue;
        apply_scaling(&t->scale[c], k, -1, t->dx + at, a);
        apply_scaling(&t->scale[c], k, 1, t->dz + at, b);
        arrow(k, a, b, product);
        for (int i = 0; i < k; i++)
            r[i] -= product[i];
    }
}

// dx, dy, dz for the r that stands
static void direction(interior *t)
{
    for (size_t c = 0; c < t->p->contacts; c++) {
        double *r = t->r + t->cones[c].at, d[3];
        arrow_divide(t->cones[c].k, t->l + t->cones[c].at, r);
        memcpy(d, r, (size_t)t->cones[c].k * sizeof *d);
        apply_scaling(&t->scale[c], t->cones[c].k, -1, d, r);
    }
    // s = rp - b M (W^-1 (l \ r) - rd)
    for (size_t i = 0; i < t->n; i++)
        t->a[i] = t->rd[i] - t->r[i];
    multiply_M(t, t->a);
    memcpy(t->s, t->rp, t->m * sizeof *t->s);
    add_b(t, t->a, t->s);
    solve_normal(t);
    for (size_t i = 0; i < t->n; i++)
        t->dx[i] = t->r[i] - t->rd[i];
    add_transposed(t, t->dy, t->dx);
    multiply_M(t, t->dx);
    // dz = D dx - b* dy + rd: what is linear stays exact, and rounding goes where the next step mends it
    memset(t->dz, 0, t->n * sizeof *t->dz);
    add_transposed(t, t->dy, t->dz);
    for (size_t i = 0; i < t->n; i++)
        t->dz[i] = t->D[i] * t->dx[i] - t->dz[i] + t->rd[i];
}

static double longest_of_all(const interior *t)
{
    double most = 1 / WAY;
    for (size_t c = 0; c < t->p->contacts; c++) {
        const size_t at = t->cones[c].at;
        most = fmin(most, longest(t->cones[c].k, t->x + at, t->dx + at));
        most = fmin(most, longest(t->cones[c].k, t->z + at, t->dz + at));
    }
    return most;
}

static void advance(interior *t, double length)
{
    for (size_t i = 0; i < t->n; i++) {
        t->x[i] += length * t->dx[i];
        t->z[i] += length * t->dz[i];
    }
    for (size_t i = 0; i < t->m; i++)
        t->y[i] += length * t->dy[i];
}

// one step; false: there is no way on
static bool step(interior *t)
{
    const double gap = vec_dot_in_order(t->n, t->x, t->z) / (double)t->p->contacts;
    for (size_t c = 0; c < t->p->contacts; c++) {
        make_scaling(t, c);
        apply_scaling(&t->scale[c], t->cones[c].k, 1, t->z + t->cones[c].at, t->l + t->cones[c].at);
    }
    if (!isfinite(gap) || !make_factors(t))
        return false;
    aim(t, 0, false);
    direction(t);
    const double missing = fmax(1 - WAY * longest_of_all(t), 0);
    aim(t, fmax(missing * missing * missing, 1e-6) * gap, true);
    direction(t);
    const double length = WAY * longest_of_all(t);
    if (!(length > 1e-6))
        return false;
    advance(t, length);
    return true;
}

// what the loads lack of balance, relative; residuals are those of the point
static double imbalance(const interior *t)
{
    return sqrt(vec_dot_in_order(t->m, t->rp, t->rp) / vec_dot_in_order(t->m, t->f, t->f));
}

// how far the point is from one that may be left, in units of that; residuals are those of the point
static double distance(const interior *t)
{
    const double load = vec_norm_in_order(t->m, t->f), rest = imbalance(t);
    double size = t->R > 0 ? load * load : 0;
    for (size_t i = 0; i < t->n; i++)
        size += t->D[i] * t->x[i] * t->x[i];
    const double gap = vec_dot_in_order(t->n, t->x, t->z) / size;
    const double dual = sqrt(vec_dot_in_order(t->n, t->rd, t->rd) / vec_dot_in_order(t->n, t->z, t->z));
    // least deviation is after u, whose motion is z; how well S goes with it does not matter
    const double worst = fmax(gap / GAP, t->R > 0 ? dual / GAP : rest / REST);
    return isfinite(gap + rest + dual) ? worst : HUGE_VAL;
}

// steps until that is 1, or stays where it is; the best point is kept.  From a start with forces that are far
// too small the gap grows as long as they do (a thrust that many blocks hand on): less imbalance is a way on
// too
static int iterate(interior *t)
{
    double best = HUGE_VAL, least = HUGE_VAL;
    int steps = 0;
    for (int waiting = 0; best > 1 && steps < MOST_STEPS && waiting < PATIENCE; steps++) {
        residuals(t);
        const double now = distance(t), rest = imbalance(t);
        waiting = now < 0.9 * best || rest < 0.9 * least ? 0 : waiting + 1;
        least = fmin(least, rest);
        if (now < best) {
            best = now;
            memcpy(t->best_x, t->x, t->n * sizeof *t->x);
            memcpy(t->best_y, t->y, t->m * sizeof *t->y);
        }
        if (!(now < HUGE_VAL) || (best > 1 && !step(t)))
            break;
    }
    return steps;
}

/* ---- beginning -------------------------------------------------------------------------------------------
 */

static bool reserve(interior *t, arena *a)
{
    const statics *p = t->p;
    double **longs[] = {&t->D, &t->x, &t->z, &t->dx, &t->dz, &t->l, &t->r, &t->rd, &t->a, &t->best_x};
    double **shorts[] = {&t->f, &t->y, &t->dy, &t->rp, &t->t, &t->s, &t->e, &t->best_y};
    size_t slots = 0;
    for (size_t c = 0; c < p->contacts; c++)
        slots += products(p, c);
    t->cones = arena_push(a, p->contacts, sizeof *t->cones);
    t->scale = arena_push(a, p->contacts, sizeof *t->scale);
    t->b = arena_push_zero(a, 3 * p->start[p->contacts], sizeof *t->b);
    t->slot = arena_push(a, slots, sizeof *t->slot);
    bool ok = t->cones != NULL && t->scale != NULL && t->b != NULL && t->slot != NULL;
    for (size_t k = 0; k < sizeof longs / sizeof *longs; k++)
        ok = (*longs[k] = arena_push_zero(a, 3 * p->contacts, sizeof **longs[k])) != NULL && ok;
    for (size_t k = 0; k < sizeof shorts / sizeof *shorts; k++)
        ok = (*shorts[k] = arena_push_zero(a, p->freedoms, sizeof **shorts[k])) != NULL && ok;
    return ok;
}

// cones, b, f, D
static void fill(interior *t)
{
    const statics *p = t->p;
    const size_t dim = (size_t)p->dim;
    for (size_t c = 0; c < p->contacts; c++) {
        const double mu = p->mu[c];
        t->cones[c] = (cone){t->n, mu > 0 ? p->dim : 1};
        for (int i = 0; i < t->cones[c].k; i++)
            t->D[t->n + (size_t)i] = t->R > 0 ? 0 : i == 0 && mu > 0 ? 1 / (mu * mu) : 1;
        t->n += (size_t)t->cones[c].k;
        for (size_t e = p->start[c]; e < p->start[c + 1]; e++)
            for (int i = 0; i < t->cones[c].k; i++)
                t->b[3 * e + (size_t)i] =
                    p->G[dim * e + (size_t)i] / sqrt(p->A[p->column[e]]) / (i == 0 && mu > 0 ? mu : 1);
    }
    for (size_t f = 0; f < p->freedoms; f++)
        t->f[f] = -p->F[f] / sqrt(p->A[f]);
}

// the pattern of bodies that touch, its analysis, and where products go
static bool analyse(interior *t, arena *a)
{
    const statics *p = t->p;
    const size_t entries = p->start[p->contacts];
    arena_mark mark = arena_here(a);
    size_t *first, *entry, *start = arena_push_zero(a, t->m + 1, sizeof *start), length = 0;
    uint32_t *contact, *seen = arena_push(a, t->m, sizeof *seen), *index;
    if (start == NULL || seen == NULL || !statics_by_freedom(p, a, &first, &entry, &contact))
        return false;
    size_t most = 0;
    for (size_t c = 0; c < p->contacts; c++)
        most += 2 * products(p, c);
    index = arena_push(a, most, sizeof *index);
    if (index == NULL && most > 0)
        return false;
    memset(seen, 0xff, t->m * sizeof *seen);
    for (size_t f = 0; f < t->m; f++) {
        for (size_t k = first[f]; k < first[f + 1]; k++)
            for (size_t e = p->start[contact[k]]; e < p->start[contact[k] + 1]; e++)
                if (seen[p->column[e]] != (uint32_t)f) {
                    seen[p->column[e]] = (uint32_t)f;
                    index[length++] = p->column[e];
                }
        start[f + 1] = length;
    }
    bool ok = entries < UINT32_MAX && sparse_cholesky_analyse(&t->factor, (uint32_t)t->m, start, index);
    uint32_t *slot = t->slot;
    for (size_t c = 0; ok && c < p->contacts; c++)
        for (size_t e = p->start[c]; e < p->start[c + 1]; e++)
            for (size_t g = p->start[c]; g <= e; g++)
                *slot++ = sparse_cholesky_slot(&t->factor, p->column[e], p->column[g]);
    arena_back(a, mark);
    return ok;
}

// in the middle of the cones, as large as what stops the loads
static void start_point(interior *t)
{
    double row = 0, load = vec_norm_in_order(t->m, t->f);
    for (size_t c = 0; c < t->p->contacts; c++) {
        double sum = 0;
        for (size_t e = t->p->start[c]; e < t->p->start[c + 1]; e++)
            sum += t->b[3 * e] * t->b[3 * e];
        row = fmax(row, sqrt(sum));
    }
    for (size_t c = 0; c < t->p->contacts; c++) {
        const size_t at = t->cones[c].at;
        t->x[at] = load / row;
        t->z[at] = t->R > 0 ? load * row : t->D[at] * t->x[at];
    }
}

static void hand_out(const interior *t, double *S, double *u)
{
    const statics *p = t->p;
    memset(S, 0, (size_t)p->dim * p->contacts * sizeof *S);
    for (size_t c = 0; c < p->contacts; c++)
        for (int i = 0; i < t->cones[c].k; i++)
            S[(size_t)p->dim * c + (size_t)i] =
                t->best_x[t->cones[c].at + (size_t)i] / (i == 0 && p->mu[c] > 0 ? p->mu[c] : 1);
    for (size_t f = 0; f < p->freedoms; f++)
        u[f] = -t->best_y[f] / sqrt(p->A[f]);
}

mo_status interior_solve(const statics *p, interior_goal goal, arena *memory, double *S, double *u,
                         int *rounds, mo_error *err)
{
    interior t = {.p = p, .m = p->freedoms, .R = goal == INTERIOR_LEAST_DEVIATION ? 1 : 0};
    arena_mark mark = arena_here(memory);
    bool ok = reserve(&t, memory);
    if (ok) {
        fill(&t);
        ok = analyse(&t, memory);
    }
    if (ok) {
        start_point(&t);
        *rounds += iterate(&t);
        hand_out(&t, S, u);
    }
    sparse_cholesky_free(&t.factor);
    arena_back(memory, mark);
    return ok ? MO_OK : fail(err, MO_NO_MEMORY, NULL, "out of memory for the equilibrium of contacts");
}
