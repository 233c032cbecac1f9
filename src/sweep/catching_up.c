/* Catching-up: u_f = prox(C(t_f), u_i + h f) (M99 (19)). */
#include "math/vec.h"
#include "sweep/internal.h"

mo_status catching_up_step(mo_sweep *s, mo_error *err)
{
    double h = s->def.h;
    vec_copy(s->n, s->x, s->z);
    vec_add(s->n, h, s->f, s->z);
    mo_status status = moving_set_time(s->m, s->t_f, false, err);
    if (status == MO_OK)
        status = moving_project(s->m, s->z, s->x, s->next, err);
    if (status != MO_OK)
        return status;
    vec_copy(s->n, s->next, s->point);
    return sweep_projected(s, h, 1 / h, err);
}
