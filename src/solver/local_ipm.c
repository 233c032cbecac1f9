/*
 * Interior points, in the scaled variables of local_linear.h.  Per contact, with y = Ws x + D q,
 *
 *   X = (mu x_N, x_T),   Y = (y_N / mu + |y_T|, y_T),   X, Y in the second-order cone L, X.Y = 0,
 *
 * is the law with de Saxce's shift.  Iterates keep X and Y inside L, Y on its own with the remainder
 * rest = M y + |Y_T| e_0 - Y, M = diag(1/mu, 1, 1).  A step linearises all of it, the shift with it, and the
 * complementarity in the scaling of Nesterov and Todd (SIAM J. Optim. 8 (1998) 324-364), where
 *
 *   P² = eta² (2 w w' - J),   P² X = Y,   P² dX + dY = sigma gap X⁻¹ - Y,   dY = E (M Ws dx + rest),
 *   E = [1 t'; 0 I], t = Y_T / |Y_T|,
 *
 * that is (M⁻¹ P² M⁻¹ + M⁻¹ E M Ws) dx = M⁻¹ (sigma gap X⁻¹ - Y - E rest).  A contact with mu = 0 is the
 * half line x_N >= 0, x_T = 0.  There is no proof: the law is nonassociated.  Below about 1e-9 the systems
 * are too ill-conditioned; what is left is for Newton's method.
 */
#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "math/vec.h"
#include "solver/local_newton.h"

/* part of the way to the boundary; least centring; added to Ws; looks without progress before giving up */
static const double WAY = 0.8, LEAST_SIGMA = 0.05, SHIFT = 1e-12, SHORTEST = 1e-7;
enum { PATIENCE = 15, POLISH = 20 };

typedef struct ipm_state {
    local_work *w;
    size_t dim;
    double *x, *y;               /* [n] impulse and Ws x + D q */
    double *X, *Y;               /* [n] in the cones */
    double *rest;                /* [n] M y + |Y_T| e_0 - Y */
    double *dx, *dX, *dY;        /* [n] */
    double *b, *r, *best;        /* [n] right-hand side; answer now and at best, in the problem's units */
    double gap;                  /* mean of X.Y */
    double best_residual, least; /* with the start given to the method, and without */
} ipm_state;

static double slip(const ipm_state *s, const double *Y)
{
    return vec_norm_in_order(s->dim - 1, Y + 1);
}

// X_0² - |X_T|² without loss of digits
static double det(const ipm_state *s, const double *X)
{
    double t = slip(s, X);
    return (X[0] - t) * (X[0] + t);
}

static bool reserve(ipm_state *s)
{
    double **arrays[] = {&s->x,  &s->y,  &s->X, &s->Y, &s->rest, &s->dx,
                         &s->dX, &s->dY, &s->b, &s->r, &s->best};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++)
        if ((*arrays[k] = arena_push_zero(&s->w->memory, s->w->n, sizeof **arrays[k])) == NULL)
            return false;
    return true;
}

// on the axes of the cones, as large as the load; the mean would do where loads are alike
static void start(ipm_state *s)
{
    const mo_problem *p = &s->w->linear->scaled;
    const double size = vec_max_abs(s->w->n, p->q);
    for (size_t c = 0; c < p->contacts; c++) {
        double mu = p->mu[c];
        s->X[s->dim * c] = s->Y[s->dim * c] = size;
        s->x[s->dim * c] = mu > 0 ? size / mu : size;
    }
}

// y, the remainder and the gap of the present point
static void measure(ipm_state *s)
{
    const mo_problem *p = &s->w->linear->scaled;
    s->gap = vec_dot_in_order(s->w->n, s->X, s->Y) / (double)p->contacts;
    local_linear_velocity(s->w, s->x, s->y);
    for (size_t c = 0; c < p->contacts; c++) {
        const double *y = s->y + s->dim * c, *Y = s->Y + s->dim * c;
        double *rest = s->rest + s->dim * c, mu = p->mu[c];
        memset(rest, 0, s->dim * sizeof *rest);
        rest[0] = mu > 0 ? y[0] / mu + slip(s, Y) - Y[0] : y[0] - Y[0];
        for (size_t i = 1; mu > 0 && i < s->dim; i++)
            rest[i] = y[i] - Y[i];
    }
}

// A and B of one contact with friction
static void cone_blocks(const ipm_state *s, double mu, const double *X, const double *Y, double *A, double *B)
{
    size_t dim = s->dim;
    double dX = sqrt(det(s, X)), dY = sqrt(det(s, Y)), w[3], t = slip(s, Y);
    double gamma = sqrt(0.5 * (1 + vec_dot_in_order(dim, X, Y) / (dX * dY)));
    for (size_t i = 0; i < dim; i++)
        w[i] = (Y[i] / dY + (i == 0 ? X[i] : -X[i]) / dX) / (2 * gamma);
    for (size_t i = 0; i < dim; i++)
        for (size_t j = 0; j < dim; j++) {
            double J = i != j ? 0 : i == 0 ? 1 : -1;
            double scale = (i == 0 ? mu : 1) * (j == 0 ? mu : 1);
            A[dim * i + j] = scale * dY / dX * (2 * w[i] * w[j] - J);
            B[dim * i + j] = i == j ? 1 : i == 0 && t > 0 ? mu * Y[j] / t : 0;
        }
}

static void fill_blocks(ipm_state *s)
{
    const mo_problem *p = s->w->p;
    size_t dim = s->dim, square = dim * dim;
    for (size_t c = 0; c < p->contacts; c++) {
        double *A = s->w->linear->A + square * c, *B = s->w->linear->B + square * c;
        const double *X = s->X + dim * c, *Y = s->Y + dim * c;
        if (p->mu[c] > 0) {
            cone_blocks(s, p->mu[c], X, Y, A, B);
            continue;
        }
        memset(A, 0, square * sizeof *A);
        memset(B, 0, square * sizeof *B);
        A[0] = Y[0] / X[0];
        B[0] = 1;
        for (size_t i = 1; i < dim; i++)
            A[dim * i + i] = 1;
    }
}

// dx, dX, dY towards the centre of gap `aim`
static void direction(ipm_state *s, double aim)
{
    const mo_problem *p = s->w->p;
    size_t dim = s->dim;
    for (size_t c = 0; c < p->contacts; c++) {
        const double *X = s->X + dim * c, *Y = s->Y + dim * c, *rest = s->rest + dim * c;
        double *b = s->b + dim * c, mu = p->mu[c], t = slip(s, Y);
        for (size_t i = 0; i < dim; i++)
            b[i] = mu > 0 ? aim / det(s, X) * (i == 0 ? X[i] : -X[i]) - Y[i] - rest[i] : -s->x[dim * c + i];
        if (mu > 0)
            b[0] = mu * (b[0] - (t > 0 ? vec_dot_in_order(dim - 1, Y + 1, rest + 1) / t : 0));
        else
            b[0] = aim / X[0] - Y[0] - rest[0];
    }
    local_linear_solve(s->w, s->b, 2, s->dx);
    local_linear_product(s->w, s->dx, s->dY);
    for (size_t c = 0; c < p->contacts; c++) {
        const double *Y = s->Y + dim * c, *rest = s->rest + dim * c, *dx = s->dx + dim * c;
        double *dX = s->dX + dim * c, *dY = s->dY + dim * c, mu = p->mu[c], t = slip(s, Y);
        memcpy(dX, dx, dim * sizeof *dX);
        dX[0] *= mu > 0 ? mu : 1;
        dY[0] = dY[0] / (mu > 0 ? mu : 1) + rest[0];
        for (size_t i = 1; i < dim; i++) {
            dX[i] = mu > 0 ? dX[i] : 0;
            dY[i] = mu > 0 ? dY[i] + rest[i] : 0;
        }
        if (mu > 0 && t > 0)
            dY[0] += vec_dot_in_order(dim - 1, Y + 1, dY + 1) / t;
    }
}

// largest a <= 1 with X + a dX in the cone: the first root of the determinant, a quadratic in a
static double longest(const ipm_state *s, const double *X, const double *dX)
{
    double a = dX[0] * dX[0] - vec_dot_in_order(s->dim - 1, dX + 1, dX + 1);
    double b = X[0] * dX[0] - vec_dot_in_order(s->dim - 1, X + 1, dX + 1), c = det(s, X), most = 1;
    if (dX[0] < 0)
        most = fmin(most, -X[0] / dX[0]);
    double disc = b * b - a * c;
    if (disc >= 0) {
        // roots c / (-b ± sqrt(disc)) of a z² + 2 b z + c
        double root = -b + sqrt(disc), other = -b - sqrt(disc);
        if (root > 0)
            most = fmin(most, c / root);
        if (other > 0)
            most = fmin(most, c / other);
    }
    return most;
}

static double longest_of_all(const ipm_state *s)
{
    double most = 1;
    for (size_t c = 0; c < s->w->p->contacts; c++) {
        most = fmin(most, longest(s, s->X + s->dim * c, s->dX + s->dim * c));
        most = fmin(most, longest(s, s->Y + s->dim * c, s->dY + s->dim * c));
    }
    return isfinite(most) ? most : 0;
}

static void advance(ipm_state *s, double a)
{
    size_t dim = s->dim;
    for (size_t i = 0; i < s->w->n; i++) {
        s->x[i] += a * s->dx[i];
        s->Y[i] += a * s->dY[i];
        double mu = s->w->p->mu[i / dim];
        s->X[i] = i % dim == 0 ? (mu > 0 ? mu * s->x[i] : s->x[i]) : mu > 0 ? s->x[i] : 0;
    }
}

// residual of the present point; the best is kept; true: better than before by a tenth
static bool look(ipm_state *s)
{
    for (size_t i = 0; i < s->w->n; i++)
        s->r[i] = s->w->linear->d[i / s->dim] * s->x[i];
    double residual = local_residual(s->w, s->r), before = s->least;
    if (residual < s->best_residual) {
        s->best_residual = residual;
        memcpy(s->best, s->r, s->w->n * sizeof *s->r);
    }
    s->least = fmin(s->least, residual);
    return residual < 0.9 * before;
}

static int iterate(ipm_state *s, int max_iter, double tol)
{
    int waiting = 0, k = 0;
    for (; k < max_iter && s->best_residual > tol && waiting < PATIENCE && !local_late(s->w); k++) {
        measure(s);
        fill_blocks(s);
        if (!local_linear_factor(s->w, SHIFT))
            break;
        // how far one gets without centring says how much of it is needed
        direction(s, 0);
        double free = longest_of_all(s), sigma = fmax(LEAST_SIGMA, (1 - free) * (1 - free) * (1 - free));
        direction(s, sigma * s->gap);
        double a = WAY * longest_of_all(s);
        if (!(a > SHORTEST))
            break;
        advance(s, a);
        waiting = look(s) ? 0 : waiting + 1;
    }
    return k;
}

mo_status local_ipm(local_work *w, const mo_solver_settings *settings, int max_iter, double tol, double *r,
                    int *iterations, mo_error *err)
{
    mo_status status = local_linear_prepare(w, err);
    if (status != MO_OK)
        return status;
    ipm_state s = {.w = w, .dim = (size_t)w->p->dim};
    arena_mark mark = arena_here(&w->memory);
    if (!reserve(&s))
        return fail(err, MO_NO_MEMORY, NULL, "no memory for %zu contacts", w->p->contacts);
    memcpy(s.best, r, w->n * sizeof *r);
    s.best_residual = local_residual(w, r);
    s.least = HUGE_VAL;
    int polished = 0;
    start(&s);
    // factors over contacts cost more than the few steps that are left where those over bodies do not serve
    w->linear->rough = true;
    *iterations = iterate(&s, max_iter, tol);
    w->linear->rough = false;
    memcpy(r, s.best, w->n * sizeof *r);
    if (s.best_residual > tol && *iterations < max_iter)
        status =
            local_newton_solve(w, settings, max_iter - *iterations < POLISH ? max_iter - *iterations : POLISH,
                               tol, r, &polished, err);
    *iterations += polished;
    arena_back(&w->memory, mark);
    return status;
}
