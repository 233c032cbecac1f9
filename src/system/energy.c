/*
 * Energies and the certificate of a step, both from the stage that the scheme left.
 *
 * With v = (u_i + u_f) / 2 the kinetic energy changes by v.M(u_f - u_i) = w v.(F - K q* - C u*) + v.G^T
 * lambda exactly; the last is -loss - gt.lambda, loss = -(U_I + U_F).lambda / 2 over gaps with U = G u + gt,
 * and -gt.lambda the work of walls that move.  A mass that changes from M_i to M_f, M being that of the step,
 * adds u_f.(M_f - M) u_f / 2 + u_i.(M - M_i) u_i / 2 to the change: its work.
 */
#include <math.h>

#include "math/vec.h"
#include "system/internal.h"

// w times the derivative of V along (1, v) at the point of the force: what V accounts for of the work of F
static mo_status potential_share(mo_system *s, const double *v, double *share, mo_error *err)
{
    const stage *st = &s->stage;
    const double *q = st->follow ? s->q_star : st->q_base;
    double d = s->h / 16, t = st->times == 3 ? st->t[1] : st->t[0], V[4] = {0}, *point = s->scratch[5];
    mo_status status = MO_OK;
    for (int k = 0; status == MO_OK && k < 4; k++) {
        advance(s->n, q, four_points[k] * d, v, point);
        status = s->def.potential(s->def.data, t + four_points[k] * d, point, &V[k], err);
    }
    *share = st->weight * slope_of_four(V, d);
    if (status == MO_OK && !isfinite(*share))
        return system_trouble(s, MO_SYSTEM_NOT_FINITE, "potential: %g near t = %.17g", *share, t);
    return status;
}

// loss in the gaps, and the work of walls that move
static double normal_loss(const mo_system *s, double *walls)
{
    double loss = 0;
    for (size_t k = 0; k < s->J_count; k++) {
        size_t a = s->J[k];
        double S = s->lambda_next[a];
        if (S == 0)
            continue;
        loss -= 0.5 * (gap_rate(s, a, s->u) + gap_rate(s, a, s->u_next) + 2 * s->gt[a]) * S;
        *walls -= s->gt[a] * S;
    }
    return loss;
}

static double sliding_loss(const mo_system *s)
{
    size_t n = s->n;
    double loss = 0;
    for (size_t k = 0; k < s->J_count; k++) {
        size_t a = s->J[k];
        double S = s->lambda_t_next[a];
        const double *T = s->T + a * n;
        if (S != 0)
            loss -= 0.5 * (vec_dot(n, T, s->u) + vec_dot(n, T, s->u_next)) * S;
    }
    return loss;
}

static mo_status work_and_loss(mo_system *s, double *work, double *loss, mo_error *err)
{
    const stage *st = &s->stage;
    size_t n = s->n;
    double *v = s->scratch[4], *damping = s->scratch[3], share = 0;
    *loss = normal_loss(s, work);
    if (s->T != NULL)
        *loss += sliding_loss(s);
    if (s->def.force == NULL && s->C.entries == NULL && s->def.potential == NULL)
        return MO_OK;
    for (size_t i = 0; i < n; i++)
        v[i] = 0.5 * (s->u[i] + s->u_next[i]);
    *work += st->weight * vec_dot(n, st->F, v);
    if (s->C.entries != NULL) {
        vec_zero(n, damping);
        symmetric_add(&s->C, n, st->weight, s->u_star, damping);
        *work -= vec_dot(n, damping, v);
    }
    mo_status status = MO_OK;
    if (s->def.potential != NULL)
        status = potential_share(s, v, &share, err);
    *work += share;
    return status;
}

mo_status system_energies(mo_system *s, double t_f, mo_system_energy *energy, mo_error *err)
{
    double work = s->stage.work, loss = s->stage.loss, held = 0, before = s->info.energy.kinetic;
    bool own = s->stage.own, varies = !own && !s->mass_constant;
    mo_status status = own ? MO_OK : work_and_loss(s, &work, &loss, err);
    // the mass of the step is still at hand
    if (varies)
        held = kinetic_at_hand(s, s->u_next) - kinetic_at_hand(s, s->u);
    if (status == MO_OK)
        status = system_kinetic(s, t_f, s->q_next, s->u_next, &energy->kinetic, err);
    work += varies ? energy->kinetic - before - held : 0;
    if (status == MO_OK)
        status = system_potential(s, t_f, s->q_next, &energy->potential, err);
    energy->work = s->info.energy.work + work;
    energy->loss = s->info.energy.loss + loss;
    energy->step_loss = loss;
    energy->balance_error =
        energy->kinetic + energy->potential + energy->loss - energy->work - s->start_energy;
    return status;
}

// Euclidean length of momenta, or of a row, from freedom `begin` to `end`, each weighed by its own mass
static double momentum_norm_part(const mo_system *s, const double *p, size_t begin, size_t end)
{
    double sum = 0;
    for (size_t i = begin; i < end; i++)
        sum += p[i] * p[i] * s->unit_inverse[i];
    return sqrt(sum);
}

static double momentum_norm(const mo_system *s, const double *p)
{
    return momentum_norm_part(s, p, 0, s->n);
}

// |M (u_f - u_i) - w (F - K q* - C u*) - G^T lambda - T^T lambda_t| over the sizes of its terms
static mo_status dynamics_residual(mo_system *s, double *residual, mo_error *err)
{
    size_t n = s->n;
    double *r = s->scratch[4], *F = s->scratch[5], *terms = s->scratch[3];
    if (stage_implicit(s)) {
        mo_status status = stage_force(s, s->u_next, F, err);
        if (status != MO_OK)
            return status;
    } else {
        F = s->stage.F;
        stage_place(s, s->u_next);
    }
    stage_push(s, s->u_next, F, r);
    for (size_t k = 0; k < s->J_count; k++) {
        size_t a = s->J[k];
        if (s->lambda_next[a] != 0)
            gap_push(s, a, s->lambda_next[a], r);
        if (s->T != NULL && s->lambda_t_next[a] != 0)
            vec_add(n, s->lambda_t_next[a], s->T + a * n, r);
    }
    *residual = momentum_norm(s, r);
    if (*residual == 0)
        return MO_OK;
    for (size_t i = 0; i < n; i++)
        terms[i] = s->stage.weight * fabs(F[i]);
    symmetric_add_size(&s->K, n, s->stage.weight, s->q_star, terms);
    symmetric_add_size(&s->C, n, s->stage.weight, s->u_star, terms);
    symmetric_add_size(&s->M.matrix, n, 1, s->u_next, terms);
    symmetric_add_size(&s->M.matrix, n, 1, s->u, terms);
    *residual /= momentum_norm(s, terms) + speed_norm(s, s->u_next) + speed_norm(s, s->u);
    return MO_OK;
}

double gap_residual(const mo_system *s, size_t a, double fast)
{
    double miss = s->bound[a] - gap_rate(s, a, s->u_next);
    if (s->lambda_next[a] < 0)
        return 1;
    double row = momentum_norm_part(s, s->G + a * s->n, s->G_begin[a], s->G_end[a]);
    double size = fabs(s->bound[a]) + row * fast;
    miss = s->lambda_next[a] > 0 ? fabs(miss) : fmax(miss, 0);
    return size > 0 ? miss / size : miss > 0;
}

// Coulomb's law between the sliding velocity and the tangential impulse of gap a; largest: normal impulse of
// all; the size of a velocity is that of all freedoms, as in gap_residual: what sticks may have none of its
// own
static double slip_residual(const mo_system *s, size_t a, double fast, double largest)
{
    const double *T = s->T + a * s->n;
    double tau = s->def.tangential_restitution != NULL ? s->def.tangential_restitution[a] : 0;
    double most = s->def.friction[a] * s->lambda_next[a], S = s->lambda_t_next[a];
    double slip = vec_dot(s->n, T, s->u_next) + tau * vec_dot(s->n, T, s->u);
    double size = momentum_norm(s, T) * (fast + tau * speed_norm(s, s->u));
    double beyond = fmax(fabs(S) - most, 0), stuck = size > 0 ? fabs(slip) / size : 0;
    // sliding: the impulse is at its bound against the velocity
    double below = fabs(S + copysign(most, slip));
    return largest > 0 ? fmax(beyond / largest, fmin(stuck, below / largest)) : S != 0;
}

mo_status system_residual(mo_system *s, double *residual, mo_error *err)
{
    *residual = s->stage.residual;
    if (s->stage.own)
        return MO_OK;
    double largest = s->T != NULL ? vec_max_abs(s->m, s->lambda_next) : 0;
    double fast = speed_norm(s, s->u_next) + speed_norm(s, s->free);
    mo_status status = dynamics_residual(s, residual, err);
    for (size_t k = 0; k < s->J_count; k++) {
        *residual = fmax(*residual, gap_residual(s, s->J[k], fast));
        if (s->T != NULL)
            *residual = fmax(*residual, slip_residual(s, s->J[k], fast, largest));
    }
    return status;
}
