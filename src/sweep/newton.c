/* The Hessian of the Lagrangian |x - z|^2 / 2 - lambda.g as the metric of the quadratic problems. */
#include <math.h>

#include "core/fail.h"
#include "math/vec.h"
#include "sweep/project.h"

enum { SHIFTS = 8 };

// H := 1 - K, symmetric; columns one after the other
static mo_status fill_hessian(moving *m, const double *x, double step, double *H, double *scratch,
                              mo_error *err)
{
    size_t n = m->n;
    double *unit = scratch, *moved = scratch + n;
    mo_status status = MO_OK;
    vec_zero(n, unit);
    for (size_t k = 0; status == MO_OK && k < n; k++) {
        unit[k] = 1;
        status = curvature_apply(m, x, step, unit, moved, H + k * n, err);
        unit[k] = 0;
    }
    for (size_t i = 0; status == MO_OK && i < n; i++) {
        for (size_t j = 0; j <= i; j++)
            H[i * n + j] = H[j * n + i] = (i == j) - 0.5 * (H[i * n + j] + H[j * n + i]);
    }
    return status;
}

// adds to the diagonal until H is positive definite
static bool factor(moving *m, double *H)
{
    size_t n = m->n;
    double size = vec_max_abs(n * n, H), shift = 1e-3 * size;
    mo_metric metric = {.kind = MO_METRIC_DENSE, .entries = H};
    for (int k = 0; k < SHIFTS; k++, shift *= 8) {
        if (metric_set(&m->newton, n, &metric, NULL) == MO_OK)
            return mo_projector_set_metric(m->projector, n, &metric, NULL) == MO_OK;
        for (size_t i = 0; i < n; i++)
            H[i * n + i] += shift;
    }
    return false;
}

mo_status newton_metric(moving *m, const double *x, double distance, bool *done, mo_error *err)
{
    size_t n = m->n;
    arena_mark mark = arena_here(&m->work);
    double *H = arena_push(&m->work, n * n + 2 * n, sizeof *H);
    if (H == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for a Hessian of %zu unknowns", n);
    mo_status status = fill_hessian(m, x, curvature_step(m, x, distance), H, H + n * n, err);
    if (status == MO_OK)
        status = moving_relinearise(m, x, err);
    *done = status == MO_OK && vec_finite(n * n, H) && factor(m, H);
    arena_back(&m->work, mark);
    return status;
}
