/*
 * The scheme of Monteiro Marques and Mabrouk (P01 (4.10)-(4.15)): v^i is the velocity of the step that
 * begins at t_i,
 *
 *     q^{i+1} = q^i + h v^i,
 *     v^{i+1} nearest to v^i + h M^-1 f(t_{i+1}, q^{i+1}, v^{i+1}) with G v^{i+1} >= -e G v^i on J(q^{i+1}),
 *
 * which is (4.15) written for v^{i+1} (docs/theory/schemes.md).  v^0 comes from v_0 in the same way at (t_0,
 * q_0), (4.14).  Implicit in C; K enters at the known q^{i+1}.
 */
#include "math/vec.h"
#include "system/internal.h"

// (4.15) at (t, q_next)
static mo_status velocity_at(mo_system *s, double t, mo_error *err)
{
    stage_set(s, t, s->q_next, 0, 1);
    mo_status status = system_rows(s, t, s->q_next, err);
    if (status == MO_OK)
        status = active_set(s, 0, s->u);
    if (status == MO_OK && s->J_count > 0)
        status = system_restitution(s, t, s->q_next, err);
    if (status == MO_OK)
        status = system_mass(s, t, s->q_next, err);
    if (status == MO_OK)
        status = scheme_metric(s, s->h, 0, err);
    if (status != MO_OK)
        return status;
    bound_impact(s, s->u);
    return system_solve(s, NULL, err);
}

static mo_status mabrouk_begin(mo_system *s, mo_error *err)
{
    vec_copy(s->n, s->q, s->q_next);
    return velocity_at(s, 0, err);
}

static mo_status mabrouk_step(mo_system *s, mo_error *err)
{
    advance(s->n, s->q, s->h, s->u, s->q_next);
    return velocity_at(s, s->t_f, err);
}

const scheme_ops mabrouk_ops = {.name = "mabrouk", .begin = mabrouk_begin, .step = mabrouk_step};
