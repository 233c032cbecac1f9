/* What is wrong with a definition, before anything is evaluated. */
#include <math.h>

#include "core/fail.h"
#include "math/vec.h"
#include "system/internal.h"

/* n and gaps up to this, and n gaps and n n entries up to a gigabyte-sized table each, are taken */
static const size_t MOST = (size_t)1 << 27;

static mo_status check_numbers(const char *key, size_t count, const double *x, double low, double high,
                               mo_error *err)
{
    for (size_t i = 0; x != NULL && i < count; i++)
        if (!(x[i] >= low && x[i] <= high) || !isfinite(x[i])) {
            if (isinf(high) && isinf(low))
                return fail(err, MO_BAD_INPUT, key, "number %zu of %zu is %g, expected a finite number",
                            i + 1, count, x[i]);
            return fail(err, MO_BAD_INPUT, key, "number %zu of %zu is %g, expected %g to %g", i + 1, count,
                        x[i], low, high);
        }
    return MO_OK;
}

static mo_status check_rows(const char *key, const mo_metric *m, size_t n, mo_error *err)
{
    mo_error why = {0};
    mo_status status = metric_check_rows(n, m, &why);
    if (status == MO_OK && m->start[n] > MOST)
        return fail(err, MO_BAD_INPUT, key, "%zu entries, expected at most %zu", m->start[n], MOST);
    return status == MO_OK ? MO_OK : fail(err, status, key, "%s: %s", why.key, why.message);
}

static mo_status check_matrix(const char *key, const mo_metric *m, size_t n, mo_error *err)
{
    if (m->kind > MO_METRIC_SPARSE)
        return fail(err, MO_BAD_INPUT, key, "%d is no kind of matrix", (int)m->kind);
    if (m->entries == NULL || m->kind == MO_METRIC_IDENTITY)
        return MO_OK;
    if (m->kind == MO_METRIC_BLOCKS && (m->width == 0 || n % m->width != 0))
        return fail(err, MO_BAD_INPUT, key, "blocks of %zu, expected a divisor of n = %zu", m->width, n);
    if (m->kind == MO_METRIC_DENSE && n > MOST / n)
        return fail(err, MO_BAD_INPUT, key, "%zu freedoms are too many for a dense matrix", n);
    if (m->kind == MO_METRIC_BANDED && (m->width >= n || m->width + 1 > MOST / n))
        return fail(err, MO_BAD_INPUT, key, "band of %zu entries left of the diagonal for n = %zu", m->width,
                    n);
    if (m->kind == MO_METRIC_SPARSE)
        return check_rows(key, m, n, err);
    for (size_t i = 0; i < n; i++) {
        size_t begin;
        const double *row = metric_row(m, n, i, &begin);
        if (!vec_finite(i - begin + 1, row))
            return fail(err, MO_BAD_INPUT, key, "row %zu of %zu is not finite", i + 1, n);
    }
    return MO_OK;
}

static mo_status check_sizes(const mo_system_def *d, mo_error *err)
{
    if (d->n == 0 || d->n > MOST)
        return fail(err, MO_BAD_INPUT, "n", "%zu freedoms, expected at least 1 and at most %zu", d->n, MOST);
    if (d->gaps > MOST / d->n)
        return fail(err, MO_BAD_INPUT, "gaps", "%zu gaps of %zu freedoms are too many", d->gaps, d->n);
    if (d->mass_function != NULL && d->n > MOST / d->n)
        return fail(err, MO_BAD_INPUT, "n", "%zu freedoms are too many for a mass function", d->n);
    if (d->gaps > 0 && d->gap == NULL)
        return fail(err, MO_BAD_INPUT, "gap", "NULL, expected a function of %zu gaps", d->gaps);
    if (d->q == NULL || d->u == NULL)
        return fail(err, MO_BAD_INPUT, d->q == NULL ? "q" : "u", "NULL, expected %zu numbers", d->n);
    return MO_OK;
}

static mo_status check_parameters(const mo_system_def *d, mo_error *err)
{
    if (!(d->h > 0) || isinf(d->h))
        return fail(err, MO_BAD_INPUT, "h", "%g, expected a time step > 0", d->h);
    if (!(d->theta >= 0.5 && d->theta <= 1))
        return fail(err, MO_BAD_INPUT, "theta", "%g, expected 1/2 to 1", d->theta);
    if (!(d->rho_infinity >= 0 && d->rho_infinity <= 1))
        return fail(err, MO_BAD_INPUT, "rho_infinity", "%g, expected 0 to 1", d->rho_infinity);
    if (!(d->stiffness_contact >= 0) || isinf(d->stiffness_contact))
        return fail(err, MO_BAD_INPUT, "stiffness_contact",
                    "%g, expected a stiffness > 0, or 0 for a default", d->stiffness_contact);
    if (!(d->contact_tolerance >= 0) || isinf(d->contact_tolerance))
        return fail(err, MO_BAD_INPUT, "contact_tolerance", "%g, expected a length >= 0",
                    d->contact_tolerance);
    if (!(d->tol > 0 && d->tol < 1))
        return fail(err, MO_BAD_INPUT, "tol", "%g, expected a number between 0 and 1", d->tol);
    if (d->max_iter < 1)
        return fail(err, MO_BAD_INPUT, "max_iter", "%d, expected at least 1", d->max_iter);
    return MO_OK;
}

static mo_status check_friction(const mo_system_def *d, mo_error *err)
{
    if (d->friction == NULL)
        return MO_OK;
    if (d->tangent == NULL && d->gaps > 0)
        return fail(err, MO_BAD_INPUT, "tangent", "NULL, expected a function for the friction of %zu gaps",
                    d->gaps);
    mo_status status = check_numbers("friction", d->gaps, d->friction, 0, HUGE_VAL, err);
    if (status == MO_OK)
        status = check_numbers("tangential_restitution", d->gaps, d->tangential_restitution, 0, 1, err);
    return status;
}

mo_status system_check(const mo_system_def *d, mo_error *err)
{
    if (mo_system_scheme_name(d->scheme) == NULL)
        return fail(err, MO_BAD_INPUT, "scheme", "%d is no scheme", (int)d->scheme);
    mo_status status = check_sizes(d, err);
    if (status == MO_OK)
        status = check_parameters(d, err);
    if (status == MO_OK)
        status = check_numbers("q", d->n, d->q, -HUGE_VAL, HUGE_VAL, err);
    if (status == MO_OK)
        status = check_numbers("u", d->n, d->u, -HUGE_VAL, HUGE_VAL, err);
    if (status == MO_OK)
        status = check_matrix("mass", &d->mass, d->n, err);
    if (status == MO_OK)
        status = check_matrix("stiffness", &d->stiffness, d->n, err);
    if (status == MO_OK)
        status = check_matrix("damping", &d->damping, d->n, err);
    if (status == MO_OK && d->restitution_function == NULL)
        status = check_numbers("restitution", d->gaps, d->restitution, 0, 1, err);
    return status == MO_OK ? check_friction(d, err) : status;
}
