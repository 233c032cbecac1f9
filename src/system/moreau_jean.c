/*
 * The theta-scheme (MJ96, Jean's version of M99 8.3): with v = theta u_f + (1 - theta) u_i,
 *
 *     q_f = q_i + h v,   M (u_f - u_i) = h (F(t_a, q_a, v) - K q_a - C v) + G^T lambda,
 *     t_a = t_i + theta h,   q_a = theta q_f + (1 - theta) q_i = q_i + theta h v,
 *
 * implicit in F, K and C.  Gaps are active when g + h/2 (G u_i + gt) <= tolerance at (t_i, q_i); M, G and e
 * are those of the middle (t_i + h/2, q_i + h u_i / 2): with those of q_i a body would creep out of the
 * inside of a curved wall whatever e is.
 */
#include "system/internal.h"

// everything of the middle, the active gaps being known
static mo_status middle(mo_system *s, mo_error *err)
{
    double t_m = s->t_i + 0.5 * s->h, *q_m = s->q_next;
    mo_status status = MO_OK;
    advance(s->n, s->q, 0.5 * s->h, s->u, q_m);
    if (s->J_count > 0 && !s->rows_known)
        status = system_rows(s, t_m, q_m, err);
    if (status == MO_OK && s->J_count > 0)
        status = system_restitution(s, t_m, q_m, err);
    if (status == MO_OK && s->J_count > 0)
        status = system_tangents(s, t_m, q_m, err);
    return status == MO_OK ? system_mass(s, t_m, q_m, err) : status;
}

static mo_status moreau_jean_step(mo_system *s, mo_error *err)
{
    double theta = s->def.theta, h = s->h;
    double *base = s->base;
    advance(s->n, s->q, theta * h, s->u, base);
    stage_set(s, s->t_i + theta * h, base, theta * theta * h, theta);
    s->stage.follow = true;
    mo_status status = system_rows(s, s->t_i, s->q, err);
    if (status == MO_OK)
        status = active_set(s, 0.5 * h, s->u);
    if (status == MO_OK)
        status = middle(s, err);
    if (status == MO_OK)
        status = scheme_metric(s, h * theta, h * h * theta * theta, err);
    if (status != MO_OK)
        return status;
    bound_impact(s, s->u);
    status = system_solve(s, NULL, err);
    for (size_t i = 0; i < s->n; i++)
        s->q_next[i] = s->q[i] + h * (theta * s->u_next[i] + (1 - theta) * s->u[i]);
    return status;
}

const scheme_ops moreau_jean_ops = {.name = "moreau-jean", .friction = true, .step = moreau_jean_step};
