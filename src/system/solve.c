/*
 * The step of a scheme: forces at the point that the scheme names, solved for when they depend on the new
 * velocity, then projected.  Every iterate u_k of u_f gives
 *
 *     r = w (F* - K q* - C u*) - M (u_k - u_i),   u_{k+1} = nearest to u_k + A^-1 r under the gaps,
 *
 * whose fixed points are solutions whatever A is; with A = M + w blend C + w along K nothing is left to
 * iterate where F does not depend on the new velocity.  Where that converges slowly, A takes the symmetric
 * part of the derivatives of F into account: Newton's method for symmetric derivatives.
 */
#include <math.h>
#include <stdlib.h>

#include "core/fail.h"
#include "math/vec.h"
#include "system/internal.h"

enum { NEWTON_MOST = 2000 }; /* freedoms for which derivatives are formed */

void stage_set(mo_system *s, double t, const double *q_base, double along, double blend)
{
    s->stage = (stage){.q_base = q_base,
                       .along = along,
                       .blend = blend,
                       .weight = s->h,
                       .times = 1,
                       .t = {t},
                       .share = {1},
                       .F = s->F,
                       .free = s->free};
}

mo_status scheme_metric(mo_system *s, double c, double k, mo_error *err)
{
    mo_error why;
    bool stiff = s->K.entries != NULL || s->C.entries != NULL;
    if (!stiff || (s->has_A && s->mass_constant))
        return MO_OK;
    s->has_A = true;
    mo_status status = inertia_sum(&s->A, s->n, &s->M.matrix, c, &s->C, k, &s->K, &why);
    if (status == MO_BAD_INPUT)
        return system_trouble(s, MO_SYSTEM_SINGULAR_MASS,
                              "mass with damping and stiffness of the step is not positive definite");
    return status == MO_OK ? MO_OK : fail(err, status, why.key, "%s", why.message);
}

bool stage_implicit(const mo_system *s)
{
    const stage *st = &s->stage;
    bool velocity = st->blend != 0 && s->def.force_depends_on_velocity;
    return s->def.force != NULL && (velocity || (st->follow && st->along != 0));
}

void stage_place(mo_system *s, const double *u_f)
{
    const stage *st = &s->stage;
    for (size_t i = 0; i < s->n; i++) {
        double change = u_f[i] - s->u[i];
        s->q_star[i] = st->q_base[i] + st->along * change;
        s->u_star[i] = s->u[i] + st->blend * change;
    }
}

mo_status stage_force(mo_system *s, const double *u_f, double *F, mo_error *err)
{
    const stage *st = &s->stage;
    stage_place(s, u_f);
    if (s->def.force == NULL) {
        vec_zero(s->n, F);
        return MO_OK;
    }
    const double *q = st->follow ? s->q_star : st->q_base;
    if (st->times == 1)
        return system_force(s, st->t[0], q, s->u_star, F, NULL, NULL, err);
    double *one = s->scratch[2];
    mo_status status = MO_OK;
    vec_zero(s->n, F);
    for (size_t k = 0; status == MO_OK && k < st->times; k++) {
        status = system_force(s, st->t[k], q, s->u_star, one, NULL, NULL, err);
        vec_add(s->n, st->share[k], one, F);
    }
    return status;
}

void stage_push(mo_system *s, const double *u_f, const double *F, double *r)
{
    const stage *st = &s->stage;
    size_t n = s->n;
    for (size_t i = 0; i < n; i++)
        r[i] = st->weight * F[i];
    symmetric_add(&s->K, n, -st->weight, s->q_star, r);
    symmetric_add(&s->C, n, -st->weight, s->u_star, r);
    if (u_f == s->u)
        return;
    double *change = s->scratch[1], *product = s->scratch[2];
    for (size_t i = 0; i < n; i++)
        change[i] = u_f[i] - s->u[i];
    symmetric_multiply(&s->M.matrix, n, change, product);
    vec_add(n, -1, product, r);
}

double speed_norm(const mo_system *s, const double *u)
{
    if (s->n == 1)
        return fabs(s->unit[0] * u[0]);
    double sum = 0;
    for (size_t i = 0; i < s->n; i++)
        sum += s->unit[i] * u[i] * (s->unit[i] * u[i]);
    return sqrt(sum);
}

double speed_kinetic(mo_system *s, const double *u)
{
    symmetric_multiply(&s->M.matrix, s->n, u, s->scratch[3]);
    return sqrt(fmax(vec_dot(s->n, u, s->scratch[3]), 0));
}

static bool make_dense(mo_system *s)
{
    for (int k = 0; k < 3; k++) {
        if (s->dense[k] == NULL)
            s->dense[k] = calloc(s->n * s->n, sizeof(double));
        if (s->dense[k] == NULL)
            return false;
    }
    return true;
}

// jacobian := A - w blend Fu - w along Fq, symmetric part, at the last iterate; false: A stays
static mo_status form_jacobian(mo_system *s, const inertia *A, bool *formed, mo_error *err)
{
    const stage *st = &s->stage;
    size_t n = s->n;
    *formed = false;
    if (n > NEWTON_MOST)
        return MO_OK;
    if (!make_dense(s))
        return fail(err, MO_NO_MEMORY, NULL, "no memory for derivatives of %zu freedoms", n);
    double *Fq = s->dense[0], *Fu = s->dense[1], *D = s->dense[2];
    double wu = st->weight * st->blend, wq = st->follow ? st->weight * st->along : 0;
    const double *q = st->follow ? s->q_star : st->q_base;
    mo_status status = system_force(s, st->t[0], q, s->u_star, s->scratch[1], Fq, Fu, err);
    if (status != MO_OK)
        return status;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++) {
            size_t ij = i * n + j, ji = j * n + i;
            D[ij] = -0.5 * (wu * (Fu[ij] + Fu[ji]) + wq * (Fq[ij] + Fq[ji]));
        }
    metric_add_dense(&A->matrix, n, D);
    s->jacobian.matrix = (mo_metric){.kind = MO_METRIC_DENSE, .entries = D};
    *formed = metric_set(&s->jacobian.factor, n, &s->jacobian.matrix, NULL) == MO_OK;
    return MO_OK;
}

typedef struct iteration {
    inertia *A; /* metric of the iteration */
    bool first, once, implicit, newton, tried;
    double change, before; /* |u_{k+1} - u_k|, of the iterate before */
} iteration;

// one iterate: u_next is renewed
static mo_status iterate(mo_system *s, iteration *it, relinearise_fn relinearise, mo_error *err)
{
    size_t n = s->n;
    double *free = s->free, *y = s->y;
    stage_push(s, it->first ? s->u : s->u_next, s->stage.F, free);
    inertia_solve(it->A, free);
    vec_add(n, 1, s->u_next, free);
    s->linear_solves++;
    it->first = false;
    mo_status status = relinearise != NULL ? relinearise(s, s->u_next, err) : MO_OK;
    if (status != MO_OK)
        return status;
    vec_copy(n, free, y);
    status = s->T != NULL ? velocity_friction(s, it->A, s->u, y, err) : velocity_project(s, it->A, y, err);
    if (!it->once) {
        for (size_t i = 0; i < n; i++)
            s->u_next[i] = y[i] - s->u_next[i];
        it->before = it->change;
        it->change = speed_norm(s, s->u_next);
    }
    vec_copy(n, y, s->u_next);
    return status;
}

// slow: derivatives of the force come in, from the beginning
static mo_status speed_up(mo_system *s, iteration *it, mo_error *err)
{
    bool formed = false;
    mo_status status = MO_OK;
    if (!it->newton && it->tried)
        return MO_OK;
    if (!it->tried) {
        vec_copy(s->n, s->u, s->u_next);
        status = stage_force(s, s->u_next, s->stage.F, err);
    }
    it->tried = true;
    if (status == MO_OK)
        status = form_jacobian(s, it->A == &s->jacobian ? (s->has_A ? &s->A : &s->M) : it->A, &formed, err);
    it->newton = formed;
    it->A = formed ? &s->jacobian : s->has_A ? &s->A : &s->M;
    return status;
}

static bool settled(const mo_system *s, const iteration *it)
{
    double scale = speed_norm(s, s->u) + speed_norm(s, s->u_next) + speed_norm(s, s->free);
    // positions are differences of the size of q over h
    double rounding = 4 * 0x1p-52 * speed_norm(s, s->q) / s->h;
    // what no longer falls at this size is rounding
    return it->change <= s->def.tol * scale + rounding ||
           (it->change >= 0.5 * it->before && it->change <= 10 * s->def.tol * scale);
}

static bool same_force(size_t n, const double *a, const double *b)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return false;
    return true;
}

static mo_status go_on(mo_system *s, iteration *it, relinearise_fn relinearise, mo_error *err)
{
    mo_status status = MO_OK;
    double *old = s->scratch[0];
    for (int k = 1; k <= s->def.max_iter; k++) {
        if (it->implicit) {
            vec_copy(s->n, s->stage.F, old);
            status = stage_force(s, s->u_next, s->stage.F, err);
            if (status != MO_OK || (relinearise == NULL && same_force(s->n, old, s->stage.F)))
                return status;
            bool slow = k >= 3 && it->change > 0.05 * it->before;
            if (it->newton || slow)
                status = speed_up(s, it, err);
        } else {
            stage_place(s, s->u_next);
        }
        s->iterations++;
        if (status == MO_OK)
            status = iterate(s, it, relinearise, err);
        if (status != MO_OK || settled(s, it))
            return status;
    }
    return system_trouble(s, MO_SYSTEM_NOT_CONVERGED,
                          "the velocity still changes by %.3g of itself after %d iterations",
                          it->change / (speed_norm(s, s->u_next) + 1e-300), s->def.max_iter);
}

mo_status system_solve(mo_system *s, relinearise_fn relinearise, mo_error *err)
{
    bool implicit = stage_implicit(s), again = relinearise != NULL && !s->def.linear && !s->stage.fixed_rows;
    iteration it = {
        .A = s->has_A ? &s->A : &s->M, .first = true, .once = !implicit && !again, .implicit = implicit};
    vec_copy(s->n, s->u, s->u_next);
    mo_status status = stage_force(s, s->u, s->stage.F, err);
    if (status == MO_OK)
        status = iterate(s, &it, relinearise, err);
    return status == MO_OK && !it.once ? go_on(s, &it, relinearise, err) : status;
}
