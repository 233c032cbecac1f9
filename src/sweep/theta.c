/*
 * Theta-catching-up (M99 4.3): t_a = t_i + theta h, u_a = prox(C(t_a), u_i + theta h f), u_f = u_i + (u_a -
 * u_i) / theta.  For convex sets and theta >= 1/2 two solutions do not come apart.  Over a jump of the set,
 * which the last formula would overshoot, step.c catches up instead.
 */
#include "math/vec.h"
#include "sweep/internal.h"

mo_status theta_step(mo_sweep *s, mo_error *err)
{
    double theta = s->def.theta, span = theta * s->def.h;
    vec_copy(s->n, s->x, s->z);
    vec_add(s->n, span, s->f, s->z);
    mo_status status = moving_set_time(s->m, s->t_i + theta * (s->t_f - s->t_i), false, err);
    if (status == MO_OK)
        status = moving_project(s->m, s->z, s->x, s->point, err);
    if (status != MO_OK)
        return status;
    for (size_t j = 0; j < s->n; j++)
        s->next[j] = s->x[j] + (s->point[j] - s->x[j]) / theta;
    return sweep_projected(s, span, 1 / span, err);
}
