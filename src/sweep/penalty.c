/*
 * Penalty (M99 (17)(18)): u' = f + lambda (prox(C, u) - u) by implicit Euler, f at the beginning of the step.
 *
 * With v = u_i + h f the step asks for u_f - v = h lambda (prox(u_f) - u_f).  u_f on the segment from v to
 * prox(v) has the same nearest point as v, so that u_f = v + c (prox(v) - v), c = h lambda / (1 + h lambda):
 * stable for every h lambda.
 */
#include "math/vec.h"
#include "sweep/internal.h"

mo_status penalty_step(mo_sweep *s, mo_error *err)
{
    double h = s->def.h, product = h * s->def.lambda;
    double part = product / (1 + product);
    vec_copy(s->n, s->x, s->z);
    vec_add(s->n, h, s->f, s->z);
    mo_status status = moving_set_time(s->m, s->t_f, false, err);
    if (status == MO_OK)
        status = moving_project(s->m, s->z, s->x, s->point, err);
    if (status != MO_OK)
        return status;
    for (size_t j = 0; j < s->n; j++)
        s->next[j] = s->z[j] + part * (s->point[j] - s->z[j]);
    return sweep_projected(s, h, part / h, err);
}
