/*
 * Moreau's midpoint contact dynamics (M99 8.3): q_m = q_i + h u_i / 2, gaps, mass and force at (t_m, q_m,
 * u_i), u_f nearest to u_i + h M^-1 F under the gaps that are active there, q_f = q_m + h u_f / 2.  Explicit
 * in stiffness and damping.
 */
#include "system/internal.h"

static mo_status moreau_step(mo_system *s, mo_error *err)
{
    double t_m = s->t_i + 0.5 * s->h, *q_m = s->q_next;
    advance(s->n, s->q, 0.5 * s->h, s->u, q_m);
    stage_set(s, t_m, q_m, 0, 0);
    mo_status status = system_rows(s, t_m, q_m, err);
    if (status == MO_OK)
        status = active_set(s, 0, s->u);
    if (status == MO_OK && s->J_count > 0)
        status = system_restitution(s, t_m, q_m, err);
    if (status == MO_OK && s->J_count > 0)
        status = system_tangents(s, t_m, q_m, err);
    if (status == MO_OK)
        status = system_mass(s, t_m, q_m, err);
    if (status != MO_OK)
        return status;
    bound_impact(s, s->u);
    status = system_solve(s, NULL, err);
    // q_m must stay for the certificate: it is rebuilt there as q_star
    advance(s->n, s->q_star, 0.5 * s->h, s->u_next, s->q_next);
    s->stage.q_base = s->q_star;
    return status;
}

const scheme_ops moreau_ops = {.name = "moreau", .friction = true, .step = moreau_step};
