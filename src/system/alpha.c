/*
 * Nonsmooth generalised-alpha (Q. Z. Chen, V. Acary, G. Virlez, O. Bruels, Int. J. Numer. Meth. Engng 96
 * (2013); position and velocity constraints at once after O. Bruels, V. Acary, A. Cardona, Comput. Methods
 * Appl. Mech. Engrg. 281 (2014), here decoupled).  Kept: w, the acceleration by smooth forces, and a, a
 * weighted mean of it (J. Chung, G. M. Hulbert, J. Appl. Mech. 60 (1993)).  With rho = rho_infinity
 *
 *     am = (2 rho - 1) / (rho + 1),  af = rho / (rho + 1),  gamma = 1/2 + af - am,  beta = (gamma + 1/2)^2 /
 * 4,
 *
 * a step is, 1. smooth motion without gaps,
 *
 *     M w_f = F(t_f, q~, u~) - K q~ - C u~,     (1 - am) a_f + am a_i = (1 - af) w_f + af w_i,
 *     q~ = q_i + h u_i + h^2 ((1/2 - beta) a_i + beta a_f),   u~ = u_i + h ((1 - gamma) a_i + gamma a_f),
 *
 * 2. q_f nearest to q~ with g(t_f, q_f) >= 0, 3. u_f nearest to u~ with G u_f + gt >= e max(0, -G u_i - gt)
 * for the gaps with g(t_f, q_f) <= tolerance, both in the kinetic metric: multipliers of position only move
 * the point, impulses only turn the velocity, and both constraints hold at the end of the step.
 *
 * With d = h w_f the first part is the problem of system_solve for the velocity v + d, where
 *
 *     a_f = ((1 - af) d / h - b) / (1 - am),   b = am a_i - af w_i,
 *     q~ = q* = q_base + along d,   along = h beta (1 - af) / (1 - am),
 *     u~ = v + blend d,             blend = gamma (1 - af) / (1 - am).
 */
#include "math/vec.h"
#include "system/internal.h"

typedef struct weights {
    double am, af, gamma, beta;
} weights;

static weights weights_of(double rho)
{
    weights w = {.am = (2 * rho - 1) / (rho + 1), .af = rho / (rho + 1)};
    w.gamma = 0.5 + w.af - w.am;
    w.beta = 0.25 * (w.gamma + 0.5) * (w.gamma + 0.5);
    return w;
}

// a = w = M^-1 (F - K q - C u) at the start
static mo_status alpha_begin(mo_system *s, mo_error *err)
{
    double *a = s->history, *w = a + s->n;
    mo_status status = system_mass(s, 0, s->q, err);
    if (status == MO_OK)
        status = system_full_force(s, 0, s->q, s->u, w, err);
    inertia_solve(&s->M, w);
    vec_copy(s->n, w, a);
    return status;
}

// the problem of the smooth part: stage, and v in place of u_i
static mo_status place_smooth(mo_system *s, const weights *p, double *v, mo_error *err)
{
    const double *a = s->history, *w = a + s->n, h = s->h, part = 1 / (1 - p->am);
    double blend = p->gamma * (1 - p->af) * part, along = h * p->beta * (1 - p->af) * part;
    for (size_t i = 0; i < s->n; i++) {
        double b = part * (p->am * a[i] - p->af * w[i]);
        v[i] = s->u[i] + h * ((1 - p->gamma) * a[i] - p->gamma * b);
        s->base[i] = s->q[i] + h * s->u[i] + h * h * ((0.5 - p->beta) * a[i] - p->beta * b);
        s->q_next[i] = s->q[i] + h * s->u[i] + 0.5 * h * h * a[i];
    }
    stage_set(s, s->t_f, s->base, along, blend);
    s->stage.follow = true;
    // the mass is that of the point expected, which differs from q~ by the third power of h
    mo_status status = system_mass(s, s->t_f, s->q_next, err);
    return status == MO_OK ? scheme_metric(s, h * blend, h * along, err) : status;
}

// q~, u~ (in s->free), a and w at the end; the residual of the first part
static mo_status smooth_motion(mo_system *s, double *residual, mo_error *err)
{
    const weights p = weights_of(s->def.rho_infinity);
    const double *a = s->history, *w = a + s->n;
    double *a_next = s->history_next, *w_next = a_next + s->n, *v = w_next, *kept = s->u;
    mo_status status = place_smooth(s, &p, v, err);
    s->J_count = 0;
    if (status != MO_OK)
        return status;
    s->u = v;
    status = system_solve(s, NULL, err);
    if (status == MO_OK)
        status = system_residual(s, residual, err);
    stage_place(s, s->u_next);
    vec_copy(s->n, s->q_star, s->q_next);
    vec_copy(s->n, s->u_star, s->free);
    s->u = kept;
    for (size_t i = 0; i < s->n; i++) {
        w_next[i] = (s->u_next[i] - v[i]) / s->h;
        a_next[i] = ((1 - p.af) * w_next[i] + p.af * w[i] - p.am * a[i]) / (1 - p.am);
    }
    return status;
}

/* ---- positions ------------------------------------------------------------------------------------- */

// bounds of linearised gaps at q: g + G (x - q) >= 0; the largest violation
static double bound_positions(mo_system *s, const double *q)
{
    double violation = 0;
    all_gaps(s);
    for (size_t a = 0; a < s->m; a++) {
        s->bound[a] = gap_rate(s, a, q) - s->g[a];
        violation = fmax(violation, -s->g[a]);
    }
    return violation;
}

// q_next := the nearest point to q_next (q~) with g >= 0, multipliers in lambda_next
static mo_status project_position(mo_system *s, mo_error *err)
{
    size_t n = s->n;
    double *q = s->q_next, *x = s->y, *start = s->base, change = HUGE_VAL;
    vec_copy(n, q, start);
    for (int i = 0; i <= s->def.max_iter; i++) {
        mo_status status = system_rows(s, s->t_f, q, err);
        if (status != MO_OK)
            return status;
        double violation = bound_positions(s, q), before = change;
        if ((i == 0 && violation == 0) || (i > 0 && change == 0) || (i > 0 && s->def.linear))
            return MO_OK;
        vec_copy(n, start, x);
        status = velocity_project(s, &s->M, x, err);
        change = 0;
        for (size_t k = 0; k < n; k++)
            change = fmax(change, s->unit[k] * fabs(x[k] - q[k]));
        vec_copy(n, x, q);
        double size = speed_norm(s, q);
        if (status != MO_OK || change <= 1e-15 * size ||
            (change >= 0.5 * before && change <= s->def.tol * size))
            return status == MO_OK ? system_rows(s, s->t_f, q, err) : status;
        s->iterations++;
    }
    return system_trouble(s, MO_SYSTEM_NOT_CONVERGED, "positions still change by %.3g after %d projections",
                          change, s->def.max_iter);
}

/* ---- velocities -------------------------------------------------------------------------------------- */

// J := gaps that are closed at the end, or pushed the point there
static mo_status close_gaps(mo_system *s)
{
    s->J_count = 0;
    for (size_t a = 0; a < s->m; a++) {
        bool pushed = s->lambda_next[a] > 0;
        s->lambda_next[a] = 0;
        const bool closed = pushed || s->g[a] <= s->def.contact_tolerance;
        const mo_status status = closed ? activate(s, a) : MO_OK;
        if (status != MO_OK)
            return status;
    }
    return MO_OK;
}

// G u + gt >= e times the speed of approach: never below zero, so that the velocity is admissible at the end
static void bound_velocities(mo_system *s)
{
    bound_impact(s, s->u);
    for (size_t k = 0; k < s->J_count; k++)
        s->bound[s->J[k]] = fmax(s->bound[s->J[k]], -s->gt[s->J[k]]);
}

static mo_status turn_velocity(mo_system *s, mo_error *err)
{
    vec_copy(s->n, s->free, s->u_next);
    mo_status status = close_gaps(s);
    if (status != MO_OK || s->J_count == 0)
        return status;
    status = system_restitution(s, s->t_f, s->q_next, err);
    if (status != MO_OK)
        return status;
    bound_velocities(s);
    return velocity_project(s, &s->M, s->u_next, err);
}

/* ---- energies ---------------------------------------------------------------------------------------- */

// loss, and the work of walls that move
static void book_impulses(mo_system *s)
{
    for (size_t k = 0; k < s->J_count; k++) {
        size_t a = s->J[k];
        double S = s->lambda_next[a], rates = 2 * s->gt[a] + gap_rate(s, a, s->u) + gap_rate(s, a, s->u_next);
        s->stage.loss -= 0.5 * rates * S;
        s->stage.work -= s->gt[a] * S;
    }
}

// work of F - C u in the middle of the step along the mean velocity, less what the potential accounts for
static mo_status book_work(mo_system *s, mo_error *err)
{
    double *q = s->q_star, *u = s->u_star, V = 0;
    for (size_t i = 0; i < s->n; i++) {
        q[i] = 0.5 * (s->q[i] + s->q_next[i]);
        u[i] = 0.5 * (s->u[i] + s->u_next[i]);
    }
    mo_status status = system_force(s, 0.5 * (s->t_i + s->t_f), q, u, s->F, NULL, NULL, err);
    symmetric_add(&s->C, s->n, -1, u, s->F);
    s->stage.work += s->h * vec_dot(s->n, s->F, u);
    for (int side = -1; status == MO_OK && s->def.potential != NULL && side <= 1; side += 2) {
        advance(s->n, q, 0.5 * side * s->h, u, s->base);
        status = s->def.potential(s->def.data, side < 0 ? s->t_i : s->t_f, s->base, &V, err);
        s->stage.work += side * V;
    }
    return status;
}

// work of a mass that changes from M_i to M_f: the mean of u.(M_f - M_i) u / 2 at both velocities
static mo_status book_mass(mo_system *s, mo_error *err)
{
    const double *u[2] = {s->u, s->u_next};
    mo_status status = MO_OK;
    for (int k = 0; status == MO_OK && !s->mass_constant && k < 2; k++) {
        double before = 0, after = 0;
        status = system_kinetic(s, s->t_i, s->q, u[k], &before, err);
        if (status == MO_OK)
            status = system_kinetic(s, s->t_f, s->q_next, u[k], &after, err);
        s->stage.work += 0.5 * (after - before);
    }
    return status;
}

static double velocity_residual(const mo_system *s)
{
    double worst = 0, fast = speed_norm(s, s->u_next) + speed_norm(s, s->free);
    for (size_t k = 0; k < s->J_count; k++)
        worst = fmax(worst, gap_residual(s, s->J[k], fast));
    return worst;
}

static mo_status alpha_step(mo_system *s, mo_error *err)
{
    double residual = 0;
    mo_status status = smooth_motion(s, &residual, err);
    if (status == MO_OK)
        status = project_position(s, err);
    if (status == MO_OK)
        status = turn_velocity(s, err);
    if (status != MO_OK)
        return status;
    s->stage = (stage){.own = true, .residual = fmax(residual, velocity_residual(s))};
    book_impulses(s);
    status = book_work(s, err);
    return status == MO_OK ? book_mass(s, err) : status;
}

const scheme_ops alpha_ops = {.name = "alpha", .history = 2, .begin = alpha_begin, .step = alpha_step};
