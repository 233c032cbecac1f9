/* Scaled variables of first-order methods: see local_scale.h. */
#include "solver/local_scale.h"

#include <math.h>

#include "convex/cone.h"
#include "problem/block.h"

/* A direction that is smaller than that part of the other takes the size of the other. */
#define FLATTEST 1e-6

static void scale_contact(const local_work *w, const local_scale *s, size_t c)
{
    const mo_problem *p = w->p;
    size_t dim = (size_t)p->dim;
    double normal = 0, tangent = 0, *d = s->d + dim * c;
    if (w->diagonal[c] < p->start[p->contacts]) {
        const double *B = p->W + dim * dim * w->diagonal[c];
        normal = B[0];
        tangent = dim == 2 ? B[3] : block2_lambda_max((const double[4]){B[4], B[5], B[7], B[8]});
    }
    double largest = fmax(normal, tangent);
    normal = normal > FLATTEST * largest ? normal : largest;
    tangent = tangent > FLATTEST * largest ? tangent : largest;
    d[0] = 1 / sqrt(normal);
    d[1] = 1 / sqrt(tangent);
    // nothing moves it, or sizes beyond doubles
    if (!(largest > 0) || !isfinite(d[0]) || !isfinite(d[1]))
        d[0] = d[1] = 1;
    if (dim == 3)
        d[2] = d[1];
    s->mu[c] = p->mu[c] * d[0] / d[1];
}

bool local_scale_make(local_work *w, local_scale *out)
{
    out->d = arena_push(&w->memory, w->n, sizeof *out->d);
    out->mu = arena_push(&w->memory, w->p->contacts, sizeof *out->mu);
    if (out->d == NULL || out->mu == NULL)
        return false;
    for (size_t c = 0; c < w->p->contacts; c++)
        scale_contact(w, out, c);
    return true;
}

void local_scale_velocity(local_work *w, const local_scale *s, const double *x, double *r, double *y)
{
    for (size_t i = 0; i < w->n; i++)
        r[i] = s->d[i] * x[i];
    w->answer = -1;
    local_velocity(w->p, r, w->u);
    for (size_t i = 0; i < w->n; i++)
        y[i] = s->d[i] * w->u[i];
}

void local_scale_shift(const local_work *w, const local_scale *s, const double *y, double *shift)
{
    size_t dim = (size_t)w->p->dim;
    for (size_t c = 0; c < w->p->contacts; c++) {
        const double *t = y + dim * c;
        shift[c] = s->mu[c] * (dim == 2 ? fabs(t[1]) : sqrt(t[1] * t[1] + t[2] * t[2]));
    }
}

void local_scale_project(const local_work *w, const local_scale *s, const double *z, double step,
                         const double *y, const double *shift, double *out)
{
    size_t dim = (size_t)w->p->dim;
    for (size_t c = 0; c < w->p->contacts; c++) {
        size_t k = dim * c;
        double at[3] = {z[k] - step * (y[k] + (shift != NULL ? shift[c] : 0)), z[k + 1] - step * y[k + 1]};
        if (dim == 2) {
            cone2_prox(s->mu[c], at, out + k);
        } else {
            at[2] = z[k + 2] - step * y[k + 2];
            cone3_prox(s->mu[c], at, out + k);
        }
    }
}

double local_scale_residual(local_work *w, const local_scale *s, const double *x, const double *y, double *r)
{
    for (size_t i = 0; i < w->n; i++) {
        r[i] = s->d[i] * x[i];
        w->u[i] = y[i] / s->d[i];
    }
    w->answer = -1;
    return local_residual_of(w, r, w->u);
}
