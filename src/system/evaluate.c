/*
 * The functions of the definition, called at a point and looked through: a NaN or an infinity ends the step
 * with a message that says where it came from.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "math/vec.h"
#include "system/internal.h"

mo_status system_trouble(mo_system *s, mo_system_outcome outcome, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    s->outcome = outcome;
    vsnprintf(s->message, sizeof s->message, format, arguments);
    va_end(arguments);
    return outcome >= MO_SYSTEM_INFEASIBLE ? NOT_MADE : MO_OK;
}

static mo_status finite(mo_system *s, const char *what, size_t count, const double *x, double t)
{
    if (vec_finite(count, x))
        return MO_OK;
    size_t i = 0;
    while (isfinite(x[i]))
        i++;
    return system_trouble(s, MO_SYSTEM_NOT_FINITE, "%s: number %zu of %zu is %g at t = %.17g", what, i + 1,
                          count, x[i], t);
}

// column j of both derivatives by differences
static mo_status difference_column(mo_system *s, double t, double *q, double *u, size_t j, bool by_u,
                                   const double *F, double *D, mo_error *err)
{
    size_t n = s->n;
    double *x = by_u ? u : q, *moved = s->scratch[5], kept = x[j];
    double scale = fmax(fabs(kept), by_u ? 1e-3 * vec_max_abs(n, u) : 1e-3 * vec_max_abs(n, q));
    double d = 0x1p-26 * (scale > 0 ? scale : 1);
    x[j] = kept + d;
    d = x[j] - kept;
    mo_status status = s->def.force(s->def.data, t, q, u, moved, NULL, NULL, err);
    x[j] = kept;
    for (size_t i = 0; status == MO_OK && i < n; i++)
        D[i * n + j] = (moved[i] - F[i]) / d;
    return status;
}

// derivatives that the function left untouched
static mo_status differences(mo_system *s, double t, const double *q, const double *u, const double *F,
                             double *D, bool by_u, mo_error *err)
{
    size_t n = s->n;
    double *q_moved = s->scratch[3], *u_moved = s->scratch[4];
    mo_status status = MO_OK;
    vec_copy(n, q, q_moved);
    vec_copy(n, u, u_moved);
    for (size_t j = 0; status == MO_OK && j < n; j++)
        status = difference_column(s, t, q_moved, u_moved, j, by_u, F, D, err);
    return status;
}

mo_status system_force(mo_system *s, double t, const double *q, const double *u, double *F, double *Fq,
                       double *Fu, mo_error *err)
{
    size_t n = s->n;
    vec_zero(n, F);
    if (Fq != NULL)
        for (size_t i = 0; i < n * n; i++)
            Fq[i] = Fu[i] = NAN;
    if (s->def.force == NULL) {
        for (size_t i = 0; Fq != NULL && i < n * n; i++)
            Fq[i] = Fu[i] = 0;
        return MO_OK;
    }
    mo_status status = s->def.force(s->def.data, t, q, u, F, Fq, Fu, err);
    if (status == MO_OK)
        status = finite(s, "force", n, F, t);
    if (Fq == NULL)
        return status;
    if (status == MO_OK && !vec_finite(n * n, Fq))
        status = differences(s, t, q, u, F, Fq, false, err);
    if (status == MO_OK && !vec_finite(n * n, Fu))
        status = differences(s, t, q, u, F, Fu, true, err);
    return status;
}

mo_status system_full_force(mo_system *s, double t, const double *q, const double *u, double *F,
                            mo_error *err)
{
    mo_status status = system_force(s, t, q, u, F, NULL, NULL, err);
    symmetric_add(&s->K, s->n, -1, q, F);
    symmetric_add(&s->C, s->n, -1, u, F);
    return status;
}

static mo_status call_mass(mo_system *s, double t, const double *q, mo_error *err)
{
    mo_status status = s->def.mass_function(s->def.data, t, q, s->M.entries, err);
    return status == MO_OK ? finite(s, "mass", s->n * s->n, s->M.entries, t) : status;
}

static mo_status singular_mass(mo_system *s, double t)
{
    size_t n = s->n, i = metric_not_positive(&s->M.matrix, n);
    if (i == n)
        return system_trouble(s, MO_SYSTEM_SINGULAR_MASS,
                              "the mass matrix is not positive definite at t = %.17g", t);
    return system_trouble(s, MO_SYSTEM_SINGULAR_MASS,
                          "the mass matrix is not positive definite at t = %.17g: entry (%zu, %zu) is %g", t,
                          i + 1, i + 1, metric_diagonal(&s->M.matrix, n, i));
}

mo_status system_mass(mo_system *s, double t, const double *q, mo_error *err)
{
    if (s->mass_constant)
        return MO_OK;
    mo_error why;
    mo_status status = call_mass(s, t, q, err);
    if (status != MO_OK)
        return status;
    status = metric_set(&s->M.factor, s->n, &s->M.matrix, &why);
    if (status == MO_BAD_INPUT)
        return singular_mass(s, t);
    if (status != MO_OK && err != NULL)
        *err = why;
    return status;
}

double kinetic_at_hand(mo_system *s, const double *u)
{
    symmetric_multiply(&s->M.matrix, s->n, u, s->scratch[3]);
    return 0.5 * vec_dot(s->n, u, s->scratch[3]);
}

mo_status system_kinetic(mo_system *s, double t, const double *q, const double *u, double *kinetic,
                         mo_error *err)
{
    mo_status status = s->mass_constant ? MO_OK : call_mass(s, t, q, err);
    *kinetic = kinetic_at_hand(s, u);
    return status;
}

mo_status system_inertial_power(mo_system *s, double t, const double *q, const double *u, double d,
                                double *power, mo_error *err)
{
    double kinetic[4], *point = s->scratch[5];
    mo_status status = MO_OK;
    *power = 0;
    if (s->mass_constant)
        return MO_OK;
    for (int k = 0; status == MO_OK && k < 4; k++) {
        advance(s->n, q, four_points[k] * d, u, point);
        status = system_kinetic(s, t + four_points[k] * d, point, u, &kinetic[k], err);
    }
    if (status == MO_OK)
        *power = slope_of_four(kinetic, d);
    return status;
}

mo_status system_potential(mo_system *s, double t, const double *q, double *V, mo_error *err)
{
    mo_status status = MO_OK;
    *V = 0;
    if (s->def.potential != NULL)
        status = s->def.potential(s->def.data, t, q, V, err);
    if (status == MO_OK)
        status = finite(s, "potential", 1, V, t);
    if (s->K.entries != NULL) {
        vec_zero(s->n, s->scratch[3]);
        symmetric_add(&s->K, s->n, 0.5, q, s->scratch[3]);
        *V += vec_dot(s->n, q, s->scratch[3]);
    }
    return status;
}

mo_status system_gaps(mo_system *s, double t, const double *q, double *g, mo_error *err)
{
    if (s->m == 0)
        return MO_OK;
    mo_status status = s->def.gap(s->def.data, t, q, g, NULL, NULL, err);
    return status == MO_OK ? finite(s, "gaps", s->m, g, t) : status;
}

void rows_find_ends(mo_system *s)
{
    for (size_t a = 0; a < s->m; a++) {
        const double *G = s->G + a * s->n;
        size_t begin = 0, end = s->n;
        while (begin < end && G[begin] == 0)
            begin++;
        while (end > begin && G[end - 1] == 0)
            end--;
        s->G_begin[a] = begin;
        s->G_end[a] = end;
    }
}

mo_status system_rows(mo_system *s, double t, const double *q, mo_error *err)
{
    if (s->rows_known || s->m == 0)
        return system_gaps(s, t, q, s->g, err);
    // functions need not write entries that are zero
    vec_zero(s->m * s->n, s->G);
    vec_zero(s->m, s->gt);
    mo_status status = s->def.gap(s->def.data, t, q, s->g, s->G, s->gt, err);
    if (status == MO_OK)
        status = finite(s, "gaps", s->m, s->g, t);
    if (status == MO_OK)
        status = finite(s, "gradients of the gaps", s->m * s->n, s->G, t);
    if (status == MO_OK)
        status = finite(s, "derivatives of the gaps by t", s->m, s->gt, t);
    rows_find_ends(s);
    s->rows_known = status == MO_OK && s->def.linear;
    return status;
}

mo_status system_curvature(mo_system *s, double t, const double *q, const double *u, double *c, mo_error *err)
{
    size_t n = s->n;
    double size = vec_norm(n, q), speed = vec_norm(n, u), *at = s->scratch[5];
    vec_zero(s->m, c);
    if (s->def.linear || s->m == 0)
        return MO_OK;
    if (s->def.gap_curvature != NULL) {
        mo_status status = s->def.gap_curvature(s->def.data, t, q, u, c, err);
        return status == MO_OK ? finite(s, "curvature of the gaps", s->m, c, t) : status;
    }
    // central differences of G u + gt along (1, u), over a small part of a step or of what q itself says
    double d = 0x1p-17 * (s->h + (speed > 0 ? fmin(size / speed, 1000 * s->h) : 0));
    for (int side = -1; side <= 1; side += 2) {
        advance(n, q, side * d, u, at);
        mo_status status = system_rows(s, t + side * d, at, err);
        if (status != MO_OK)
            return status;
        for (size_t a = 0; a < s->m; a++)
            c[a] += side * (gap_rate(s, a, u) + s->gt[a]) / (2 * d);
    }
    return MO_OK;
}

mo_status system_restitution(mo_system *s, double t, const double *q, mo_error *err)
{
    if (s->def.restitution_function == NULL || s->m == 0)
        return MO_OK;
    mo_status status = s->def.restitution_function(s->def.data, t, q, s->e, err);
    for (size_t a = 0; status == MO_OK && a < s->m; a++)
        if (!(s->e[a] >= 0 && s->e[a] <= 1))
            return system_trouble(s, MO_SYSTEM_NOT_FINITE,
                                  "restitution of gap %zu is %g at t = %.17g, expected 0 to 1", a + 1,
                                  s->e[a], t);
    return status;
}

mo_status system_tangents(mo_system *s, double t, const double *q, mo_error *err)
{
    if (s->T == NULL)
        return MO_OK;
    vec_zero(s->m * s->n, s->T);
    mo_status status = s->def.tangent(s->def.data, t, q, s->T, err);
    return status == MO_OK ? finite(s, "tangents", s->m * s->n, s->T, t) : status;
}

void advance(size_t n, const double *base, double c, const double *u, double *q)
{
    for (size_t i = 0; i < n; i++)
        q[i] = base[i] + c * u[i];
}
