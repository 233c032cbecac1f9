/*
 * Systems in one word for tests: constant force, gaps that are planes moving at constant speed.
 */
#ifndef TESTS_SYSTEM_SIMPLE_H
#define TESTS_SYSTEM_SIMPLE_H

// clang-format off
#include <stdarg.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
// clang-format on

#include <math.h>
#include <moreau/system.h>
#include <stdlib.h>
#include <string.h>

#include "core/rng.h"
#include "support/close.h"

enum { MOST_N = 12, MOST_M = 24 };

/* g = G q + offset + rate t, F = force. */
typedef struct planes {
    size_t n, m;
    double G[MOST_M * MOST_N], offset[MOST_M], rate[MOST_M], force[MOST_N];
} planes;

static inline mo_status planes_gap(void *data, double t, const double *q, double *g, double *gx, double *gt,
                                   mo_error *err)
{
    const planes *p = data;
    (void)err;
    for (size_t a = 0; a < p->m; a++) {
        g[a] = p->offset[a] + p->rate[a] * t;
        for (size_t i = 0; i < p->n; i++)
            g[a] += p->G[a * p->n + i] * q[i];
    }
    if (gx != NULL)
        memcpy(gx, p->G, p->m * p->n * sizeof *gx);
    if (gt != NULL)
        memcpy(gt, p->rate, p->m * sizeof *gt);
    return MO_OK;
}

static inline mo_status planes_force(void *data, double t, const double *q, const double *u, double *F,
                                     double *Fq, double *Fu, mo_error *err)
{
    const planes *p = data;
    (void)t, (void)q, (void)u, (void)err;
    memcpy(F, p->force, p->n * sizeof *F);
    if (Fq != NULL)
        memset(Fq, 0, p->n * p->n * sizeof *Fq);
    if (Fu != NULL)
        memset(Fu, 0, p->n * p->n * sizeof *Fu);
    return MO_OK;
}

static inline mo_system_def planes_def(planes *p, const double *q, const double *u, double h,
                                       mo_system_scheme scheme)
{
    mo_system_def def = mo_default_system_def();
    def.n = p->n;
    def.gaps = p->m;
    def.q = q;
    def.u = u;
    def.h = h;
    def.scheme = scheme;
    def.gap = p->m > 0 ? planes_gap : NULL;
    def.linear = true;
    def.force = planes_force;
    def.force_depends_on_velocity = false;
    def.data = p;
    return def;
}

static inline mo_system *make_system(const mo_system_def *def)
{
    mo_error err = {0};
    mo_system *s = NULL;
    if (mo_system_create(def, &s, &err) != MO_OK)
        fail_msg("%s: %s", err.key, err.message);
    return s;
}

static inline void take_step(mo_system *s)
{
    mo_error err = {0};
    if (mo_system_step(s, &err) != MO_OK)
        fail_msg("%s: %s", err.key, err.message);
}

/* A step that is made and converges. */
static inline void good_step(mo_system *s)
{
    take_step(s);
    const mo_system_info *info = mo_system_info_get(s);
    if (info->outcome != MO_SYSTEM_REACHED)
        fail_msg("outcome %d at t = %g: %s", (int)info->outcome, info->time, info->message);
    if (!(info->residual < 1e-11))
        fail_msg("residual %g at t = %g", info->residual, info->time);
}

static inline double uniform(rng *r, double low, double high)
{
    return low + (high - low) * rng_uniform(r);
}

/* Random symmetric positive definite matrix [n n] with eigenvalues of about 0.2 to n. */
static inline void random_mass(rng *r, size_t n, double *M)
{
    double B[MOST_N * MOST_N];
    for (size_t i = 0; i < n * n; i++)
        B[i] = uniform(r, -1, 1);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            M[i * n + j] = i == j ? 0.2 : 0;
            for (size_t k = 0; k < n; k++)
                M[i * n + j] += B[i * n + k] * B[j * n + k];
        }
}

/* x.M x / 2 */
static inline double energy_of(size_t n, const double *M, const double *x)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            sum += 0.5 * x[i] * M[i * n + j] * x[j];
    return sum;
}

/* Slope of log(error) against log(h) by least squares. */
static inline double fitted_order(int count, const double *h, const double *error)
{
    double sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int i = 0; i < count; i++) {
        double x = log(h[i]), y = log(error[i]);
        sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
    return (count * sxy - sx * sy) / (count * sxx - sx * sx);
}

#endif
