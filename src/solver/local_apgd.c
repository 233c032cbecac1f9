/*
 * Accelerated projected gradients with restart, in the scaled variables of local_scale.h.  With the shift
 * s = mu' |y_T| n held and W symmetric the problem is
 *
 *   min x.(D W D) x / 2 + (D q + s).x   over the cones,
 *
 * steps x+ = P_K(z - (y(z) + s) / L) from z = x + beta (x - x_before), beta after Nesterov (Soviet Math.
 * Dokl. 27 (1983) 372-376).  Momentum is dropped where it points uphill (O'Donoghue & Candes, Found. Comput.
 * Math. 15 (2015) 715-732, §3.2).  L by backtracking, |D W D d|² <= L d.(D W D) d for the step d just made:
 * where that holds steps of 1 / L do not expand, W symmetric or not.  y(z) is known from y(x) and
 * y(x_before): one product with W a step.
 *
 * The shift is taken anew at every step.  Where the residual stops falling it is held instead, each time
 * until the steps are a tenth of what they were (the fixed point of Acary, Cadoux, Lemarechal & Malick, ZAMM
 * 91 (2011) 155-175), and the other way round.
 */
#include <math.h>
#include <string.h>

#include "core/fail.h"
#include "math/vec.h"
#include "solver/local_scale.h"

/* L grows when too small and shrinks at every step; the residual is looked at every LOOK steps, and PATIENCE
 * looks without progress change the treatment of the shift; a held one is kept for at most HELD steps */
static const double GROW = 1.3, EASE = 0.98, PROGRESS = 0.9, LARGEST_L = 1e12;
enum { LOOK = 4, PATIENCE = 40, HELD = 300, ARRAYS = 8 };

typedef struct apgd {
    local_work *w;
    local_scale scale;
    double *x, *y;       /* [n] point, and D (W D x + q) */
    double *old, *y_old; /* [n] the one before */
    double *z, *y_z;     /* [n] where the step starts, where it ends */
    double *r, *best;    /* [n] in the problem's units */
    double *shift;       /* [contacts] */
    double L, t;         /* 1 / step; Nesterov's t, 1: no momentum */
    bool hold;
    int held;           /* steps with this shift */
    double first, last; /* length of the step just after the shift was taken, of the last one */
    double best_residual, mark;
    int idle; /* looks since the residual was below PROGRESS times mark */
} apgd;

// whether L does for the step from z to x, with y at both; a larger one if not
static bool long_enough(apgd *s)
{
    double dd = 0, dw = 0, ww = 0;
    for (size_t i = 0; i < s->w->n; i++) {
        double d = s->x[i] - s->z[i], g = s->y[i] - s->y_z[i];
        dd += d * d;
        dw += d * g;
        ww += g * g;
    }
    s->last = sqrt(dd);
    // rounding in y when steps are tiny is no reason
    double noise = 1e-14 * vec_norm_in_order(s->w->n, s->y);
    bool bounded = ww <= s->L * s->L * dd, even = dw <= 0 || ww <= s->L * dw;
    if (!isfinite(ww) || s->L > LARGEST_L)
        return true;
    if ((bounded && even) || sqrt(ww) <= noise)
        return true;
    s->L *= GROW;
    return false;
}

// z and y at z, momentum beta
static void look_ahead(apgd *s, double beta)
{
    for (size_t i = 0; i < s->w->n; i++) {
        s->z[i] = s->x[i] + beta * (s->x[i] - s->old[i]);
        s->y_z[i] = s->y[i] + beta * (s->y[i] - s->y_old[i]);
    }
}

static void take_shift(apgd *s)
{
    bool fresh = !s->hold || s->held == 0 || s->last < 0.1 * s->first || s->held >= HELD;
    if (fresh) {
        local_scale_shift(s->w, &s->scale, s->y_z, s->shift);
        s->held = 0;
    }
}

static void swap(double **a, double **b)
{
    double *c = *a;
    *a = *b;
    *b = c;
}

// one accelerated step of at most so many products with W, which are counted
static int step(apgd *s, int most)
{
    double t = 0.5 * (1 + sqrt(1 + 4 * s->t * s->t)), uphill = 0;
    int products = 0;
    look_ahead(s, (s->t - 1) / t);
    take_shift(s);
    s->t = t;
    swap(&s->x, &s->old);
    swap(&s->y, &s->y_old);
    do {
        local_scale_project(s->w, &s->scale, s->z, 1 / s->L, s->y_z, s->shift, s->x);
        local_scale_velocity(s->w, &s->scale, s->x, s->r, s->y);
        products++;
    } while (!long_enough(s) && products < most);
    s->L *= EASE;
    if (s->held++ == 0)
        s->first = s->last;
    for (size_t i = 0; i < s->w->n; i++)
        uphill += (s->z[i] - s->x[i]) * (s->x[i] - s->old[i]);
    if (uphill > 0)
        s->t = 1;
    return products;
}

// keeps the best; a change of ways where there is no progress
static double look(apgd *s)
{
    double residual = local_scale_residual(s->w, &s->scale, s->x, s->y, s->r);
    if (residual < s->best_residual) {
        s->best_residual = residual;
        memcpy(s->best, s->r, s->w->n * sizeof *s->r);
    }
    s->idle++;
    if (residual < PROGRESS * s->mark) {
        s->mark = residual;
        s->idle = 0;
    } else if (s->idle > (s->hold ? 4 : 1) * PATIENCE) {
        s->hold = !s->hold;
        s->idle = s->held = 0;
        s->t = 1;
        s->mark = residual;
    }
    return residual;
}

static bool reserve(local_work *w, apgd *s)
{
    double **arrays[ARRAYS] = {&s->x, &s->y, &s->old, &s->y_old, &s->z, &s->y_z, &s->r, &s->best};
    *s = (apgd){.w = w, .L = 1, .t = 1};
    double *room = arena_push(&w->memory, ARRAYS * w->n, sizeof *room);
    s->shift = arena_push_zero(&w->memory, w->p->contacts, sizeof *s->shift);
    for (size_t k = 0; k < ARRAYS && room != NULL; k++)
        *arrays[k] = room + k * w->n;
    return room != NULL && s->shift != NULL && local_scale_make(w, &s->scale);
}

// starts at r; returns its residual
static double start(apgd *s, const double *r)
{
    size_t n = s->w->n;
    for (size_t i = 0; i < n; i++)
        s->x[i] = r[i] / s->scale.d[i];
    local_scale_velocity(s->w, &s->scale, s->x, s->r, s->y);
    memcpy(s->old, s->x, n * sizeof *s->x);
    memcpy(s->y_old, s->y, n * sizeof *s->y);
    memcpy(s->best, r, n * sizeof *r);
    return s->mark = s->best_residual = local_residual_of(s->w, r, s->w->u);
}

mo_status local_apgd(local_work *w, const mo_solver_settings *settings, int max_iter, double tol, double *r,
                     int *iterations, mo_error *err)
{
    (void)settings;
    apgd s;
    arena_mark mark = arena_here(&w->memory);
    if (!reserve(w, &s))
        return fail(err, MO_NO_MEMORY, NULL, "no memory for %zu contacts", w->p->contacts);
    double residual = start(&s, r);
    *iterations = 0;
    while (residual > tol && *iterations < max_iter && isfinite(s.last) && !local_late(w)) {
        *iterations += step(&s, max_iter - *iterations);
        residual = *iterations % LOOK == 0 || *iterations >= max_iter ? look(&s) : residual;
    }
    memcpy(r, s.best, w->n * sizeof *r);
    arena_back(&w->memory, mark);
    return MO_OK;
}
