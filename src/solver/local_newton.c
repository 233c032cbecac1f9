/*
 * Semismooth Newton on the function of Alart and Curnier (Comput. Methods Appl. Mech. Engrg. 92 (1991)
 * 353-375), in the scaled variables of local_linear.h.  With z = x - rho y (rho about 1 there),
 *
 *   F_N = x_N - (z_N)+,    F_T = x_T - P(z_T, mu (z_N)+),    P(., g): nearest point of the disc of radius g,
 *
 * and F = 0 exactly at the solutions.  Steps solve (A + B (Ws + alpha I)) dx = -F, A = dF/dx, B = dF/dy, with
 * a small multiple of the identity added to Ws where W may lack rank; lengths by backtracking on |F| against
 * the largest of the last few values (Grippo, Lampariello & Lucidi, SIAM J. Numer. Anal. 23 (1986) 707-716).
 */
#include "solver/local_newton.h"

#include <math.h>
#include <string.h>

#include "math/vec.h"

/* memory of the line search; its shortest step; added to Ws: at least and at most, else a share of |F| */
enum { MEMORY = 4, HALVINGS = 12 };
static const double LEAST_SHIFT = 1e-11, LARGEST_SHIFT = 1e-4, SHIFT = 1e-3, MORE = 30;

typedef struct newton_state {
    double *x, *y, *F;  /* [n] point, Ws x + D q + alpha (x - centre), function */
    double *dx, *trial; /* [n] */
    double *r, *u;      /* [n] in the problem's units */
    double merit, size; /* |F|; |D q| */
    double length;      /* max(|x|, |D q|) */
    double recent[MEMORY];
} newton_state;

// F, dF/dx and dF/dy of one contact, by rows; the last two unless A is NULL
static inline void alart_curnier(size_t dim, double mu, double rho, const double *x, const double *y0,
                                 double *F, double *A, double *B)
{
    double y[3] = {rho * y0[0], rho * y0[1], dim == 3 ? rho * y0[2] : 0};
    double z[3] = {x[0] - y[0], x[1] - y[1], dim == 3 ? x[2] - y[2] : 0};
    double slip = dim == 3 ? sqrt(z[1] * z[1] + z[2] * z[2]) : fabs(z[1]);
    bool closed = z[0] > 0;
    double g = closed ? mu * z[0] : 0;
    bool stick = slip <= g && closed;
    F[0] = closed ? y[0] : x[0];
    for (size_t i = 1; i < dim; i++)
        F[i] = stick ? y[i] : x[i] - (closed && slip > 0 ? g / slip * z[i] : 0);
    if (A == NULL)
        return;
    memset(A, 0, dim * dim * sizeof *A);
    memset(B, 0, dim * dim * sizeof *B);
    A[0] = closed ? 0 : 1;
    B[0] = closed ? 1 : 0;
    for (size_t i = 1; i < dim; i++) {
        if (stick) {
            B[dim * i + i] = 1;
            continue;
        }
        A[dim * i + i] = 1;
        if (!closed || !(slip > 0))
            continue;
        double ti = z[i] / slip;
        A[dim * i] = -mu * ti;
        B[dim * i] = mu * ti;
        for (size_t j = 1; j < dim; j++) {
            double turn = g / slip * ((i == j ? 1 : 0) - ti * z[j] / slip);
            A[dim * i + j] -= turn;
            B[dim * i + j] += turn;
        }
    }
    for (size_t i = 0; i < dim * dim; i++)
        B[i] *= rho;
}

// F at x, where y is known; dF/dx and dF/dy with `slopes`
static void apply_law(local_work *w, const newton_run *run, newton_state *s, const double *x, bool slopes)
{
    const mo_problem *p = w->p;
    double *A = slopes ? w->linear->A : NULL, *B = w->linear->B;
    for (size_t c = 0; p->dim == 2 && c < p->contacts; c++)
        alart_curnier(2, p->mu[c], run->rho, x + 2 * c, s->y + 2 * c, s->F + 2 * c, slopes ? A + 4 * c : NULL,
                      B + 4 * c);
    for (size_t c = 0; p->dim == 3 && c < p->contacts; c++)
        alart_curnier(3, p->mu[c], run->rho, x + 3 * c, s->y + 3 * c, s->F + 3 * c, slopes ? A + 9 * c : NULL,
                      B + 9 * c);
}

// F and its size at x, y being that of the problem without the proximal term
static void finish(local_work *w, const newton_run *run, newton_state *s, const double *x)
{
    if (run->centre != NULL)
        for (size_t i = 0; i < w->n; i++)
            s->y[i] += run->alpha * (x[i] - run->centre[i]);
    apply_law(w, run, s, x, false);
    s->merit = sqrt(vec_dot(w->n, s->F, s->F));
    if (!isfinite(s->merit))
        s->merit = HUGE_VAL;
}

static void evaluate(local_work *w, const newton_run *run, newton_state *s, const double *x)
{
    local_linear_velocity(w, x, s->y);
    finish(w, run, s, x);
}

// the same at the first point
static void begin(local_work *w, const newton_run *run, newton_state *s)
{
    if (run->u == NULL) {
        evaluate(w, run, s, s->x);
        return;
    }
    local_linear_unscale(w, run->u, s->y);
    finish(w, run, s, s->x);
}

// what run->tol is about, at x with its y and F
static double reached(local_work *w, const newton_run *run, newton_state *s, const double *x)
{
    s->length = fmax(sqrt(vec_dot(w->n, x, x)), s->size);
    double relative = s->merit / s->length;
    if (run->alpha > 0)
        return relative;
    local_linear_unscale(w, x, s->r);
    local_linear_scale(w, s->y, s->u);
    return local_residual_of(w, s->r, s->u);
}

static void place(const local_work *w, newton_state *s)
{
    double **arrays[NEWTON_ARRAYS] = {&s->x, &s->y, &s->F, &s->dx, &s->trial, &s->r, &s->u};
    for (size_t k = 0; k < NEWTON_ARRAYS; k++)
        *arrays[k] = w->linear->newton + k * w->n;
}

// moves s->x along s->dx; false: no length will do
static bool search(local_work *w, const newton_run *run, newton_state *s)
{
    double bound = s->recent[0], t = 1;
    for (int k = 1; k < MEMORY; k++)
        bound = fmax(bound, s->recent[k]);
    for (int k = 0; k <= HALVINGS; k++, t *= 0.5) {
        for (size_t i = 0; i < w->n; i++)
            s->trial[i] = s->x[i] + t * s->dx[i];
        evaluate(w, run, s, s->trial);
        if (s->merit <= (1 - 1e-4 * t) * bound) {
            memcpy(s->x, s->trial, w->n * sizeof *s->x);
            return true;
        }
    }
    return false;
}

// s->dx: the step from s->x, which was evaluated last, with `shift` added to Ws; false: not finite
static bool direction(local_work *w, const newton_run *run, newton_state *s, double shift)
{
    apply_law(w, run, s, s->x, true);
    if (!local_linear_factor(w, run->alpha + shift))
        return false;
    for (size_t i = 0; i < w->n; i++)
        s->trial[i] = -s->F[i];
    local_linear_solve(w, s->trial, 2, s->dx);
    return true;
}

// steps until the tolerance; where none leads down, shorter ones with more added to Ws
static void iterate(local_work *w, newton_run *run, newton_state *s, double *best)
{
    double more = 1;
    begin(w, run, s);
    run->reached = reached(w, run, s, s->x);
    for (int k = 0; k < MEMORY; k++)
        s->recent[k] = s->merit;
    for (run->iterations = 0; run->iterations < run->max_iter && run->reached > run->tol; run->iterations++) {
        double shift = SHIFT * s->merit / s->length;
        shift = fmin(more * fmin(fmax(shift, LEAST_SHIFT), LARGEST_SHIFT), 1);
        if (local_late(w) || !direction(w, run, s, shift))
            return;
        if (!search(w, run, s)) {
            // with a proximal term it is the caller's turn
            more *= MORE;
            if (run->alpha > 0 || shift >= 1)
                return;
            evaluate(w, run, s, s->x);
            continue;
        }
        more = fmax(more / MORE, 1);
        s->recent[run->iterations % MEMORY] = s->merit;
        double now = reached(w, run, s, s->x);
        if (now < run->reached) {
            run->reached = now;
            memcpy(best, s->x, w->n * sizeof *best);
        }
    }
}

mo_status local_newton_run(local_work *w, newton_run *run, double *x, mo_error *err)
{
    mo_status status = local_linear_prepare(w, err);
    if (status != MO_OK)
        return status;
    newton_state s = {0};
    place(w, &s);
    memcpy(s.x, x, w->n * sizeof *x);
    s.size = sqrt(vec_dot(w->n, w->linear->scaled.q, w->linear->scaled.q));
    iterate(w, run, &s, x);
    run->arrived = run->reached <= run->tol;
    return MO_OK;
}

mo_status local_newton_solve(local_work *w, const mo_solver_settings *settings, int max_iter, double tol,
                             double *r, int *iterations, mo_error *err)
{
    (void)settings;
    newton_run run = {.rho = 1, .tol = tol, .max_iter = max_iter};
    mo_status status = local_linear_prepare(w, err);
    if (status != MO_OK)
        return status;
    local_linear_scale(w, r, r);
    status = local_newton_run(w, &run, r, err);
    local_linear_unscale(w, r, r);
    *iterations = run.iterations;
    return status;
}
