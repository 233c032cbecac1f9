/*
 * Compliant gaps (P01 2, approach 2): a unilateral spring k and a dashpot at every gap,
 *
 *     f = max(0, -k g - c (G u + gt)) where g < 0, else 0,   c = 2 zeta sqrt(k m),   m = 1 / (G M^-1 G^T),
 *
 * zeta from e = exp(-pi zeta / sqrt(1 - zeta^2)), and M u' = F - K q - C u + G^T f by the classical method of
 * Runge and Kutta in substeps of at most 0.1 sqrt(m / k).  Explicit, since the substeps resolve the springs
 * anyway, and of fourth order, so that what differs from the other schemes is the model and not the
 * integration; a symplectic method would gain nothing where dashpots dissipate.
 */
#include <math.h>
#include <stdlib.h>

#include "core/fail.h"
#include "math/vec.h"
#include "system/internal.h"

static const double PI = 3.14159265358979323846;
enum { MOST_SUBSTEPS = 100000000 };

typedef struct compliant_memory {
    double *stiffness, *dashpot; /* [m] */
    double *inverse;             /* [m] G M^-1 G^T */
    bool known;                  /* it is there to stay */
    double *f;                   /* [m] at the last point */
    double *q, *u, *a, *p;       /* [n] point of a stage; its acceleration, and force M a */
    double *force;               /* [n] F there */
    double *dq, *du, *dp;        /* [n] sums over the stages; dp over the whole step */
    double work, loss;           /* rates at the last point */
} compliant_memory;

static mo_status compliant_begin(mo_system *s, mo_error *err)
{
    size_t n = s->n, m = s->m;
    compliant_memory *c = calloc(1, sizeof *c + (8 * n + 4 * m) * sizeof(double));
    if (c == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for %zu compliant gaps", m);
    s->own = c;
    double *next = (double *)(c + 1);
    double **arrays[] = {&c->q, &c->u, &c->a, &c->p, &c->force, &c->dq, &c->du, &c->dp};
    for (size_t i = 0; i < 8; i++, next += n)
        *arrays[i] = next;
    c->stiffness = next;
    c->dashpot = next + m;
    c->f = next + 2 * m;
    c->inverse = next + 3 * m;
    return MO_OK;
}

static void compliant_release(mo_system *s)
{
    free(s->own);
}

static double damping_ratio(double e)
{
    if (!(e > 0))
        return 1;
    double ln = log(e);
    return -ln / sqrt(PI * PI + ln * ln);
}

static void inverse_masses(mo_system *s, compliant_memory *c)
{
    size_t n = s->n;
    double *row = s->scratch[0];
    for (size_t a = 0; a < s->m; a++) {
        vec_copy(n, s->G + a * n, row);
        metric_solve_lower(&s->M.factor, row);
        c->inverse[a] = vec_dot(n, row, row);
    }
    c->known = s->rows_known && s->mass_constant;
}

// springs of the step; the number of substeps
static mo_status springs(mo_system *s, compliant_memory *c, long *substeps, mo_error *err)
{
    double shortest = HUGE_VAL;
    mo_status status = system_rows(s, s->t_i, s->q, err);
    if (status == MO_OK)
        status = system_restitution(s, s->t_i, s->q, err);
    if (status == MO_OK)
        status = system_mass(s, s->t_i, s->q, err);
    if (status == MO_OK && !c->known)
        inverse_masses(s, c);
    for (size_t a = 0; status == MO_OK && a < s->m; a++) {
        double inverse = c->inverse[a], rate = PI / (20 * s->h);
        c->stiffness[a] = c->dashpot[a] = 0;
        if (!(inverse > 0))
            continue;
        double k = s->def.stiffness_contact > 0 ? s->def.stiffness_contact : rate * rate / inverse;
        c->stiffness[a] = k;
        c->dashpot[a] = 2 * damping_ratio(s->e[a]) * sqrt(k / inverse);
        shortest = fmin(shortest, 0.1 / sqrt(k * inverse));
    }
    double count = ceil(s->h / shortest);
    if (status == MO_OK && count > MOST_SUBSTEPS)
        return fail(err, MO_BAD_INPUT, "stiffness_contact",
                    "%g N/m take %.3g substeps of 0.1 sqrt(m / k) in a step, expected at most %d: a softer "
                    "contact or "
                    "a smaller h",
                    s->def.stiffness_contact, count, MOST_SUBSTEPS);
    *substeps = count > 1 ? (long)count : 1;
    return status;
}

// forces of the gaps at (t, c->q, c->u) in a substep h, and everything that goes with the point
static mo_status evaluate(mo_system *s, compliant_memory *c, double t, double h, mo_error *err)
{
    size_t n = s->n;
    double inertial = 0;
    mo_status status = system_rows(s, t, c->q, err);
    if (status == MO_OK)
        status = system_inertial_power(s, t, c->q, c->u, 1e-3 * h, &inertial, err);
    if (status == MO_OK)
        status = system_mass(s, t, c->q, err);
    if (status == MO_OK)
        status = system_force(s, t, c->q, c->u, c->force, NULL, NULL, err);
    if (status != MO_OK)
        return status;
    c->loss = 0;
    vec_copy(n, c->force, c->p);
    symmetric_add(&s->C, n, -1, c->u, c->p);
    c->work = vec_dot(n, c->p, c->u) + inertial;
    symmetric_add(&s->K, n, -1, c->q, c->p);
    for (size_t a = 0; a < s->m; a++) {
        c->f[a] = 0;
        if (!(s->g[a] < 0))
            continue;
        double speed = gap_rate(s, a, c->u) + s->gt[a];
        c->f[a] = fmax(0, -c->stiffness[a] * s->g[a] - c->dashpot[a] * speed);
        c->loss -= c->f[a] * speed;
        c->work -= c->f[a] * s->gt[a];
        gap_push(s, a, c->f[a], c->p);
    }
    vec_copy(n, c->p, c->a);
    inertia_solve(&s->M, c->a);
    return MO_OK;
}

// one substep from (t, q_next, u_next)
static mo_status substep(mo_system *s, compliant_memory *c, double t, double h, mo_error *err)
{
    static const double at[4] = {0, 0.5, 0.5, 1}, share[4] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    size_t n = s->n;
    mo_status status = MO_OK;
    vec_zero(n, c->dq);
    vec_zero(n, c->du);
    for (int k = 0; status == MO_OK && k < 4; k++) {
        // the velocity and acceleration of the stage before lead to this one
        for (size_t i = 0; i < n; i++) {
            c->q[i] = s->q_next[i] + (k > 0 ? at[k] * h * c->u[i] : 0);
            c->u[i] = s->u_next[i] + (k > 0 ? at[k] * h * c->a[i] : 0);
        }
        status = evaluate(s, c, t + at[k] * h, h, err);
        if (status != MO_OK)
            return status;
        vec_add(n, share[k] * h, c->u, c->dq);
        vec_add(n, share[k] * h, c->a, c->du);
        vec_add(n, share[k] * h, c->p, c->dp);
        vec_add(s->m, share[k] * h, c->f, s->lambda_next);
        s->stage.work += share[k] * h * c->work;
        s->stage.loss += share[k] * h * c->loss;
    }
    vec_add(n, 1, c->dq, s->q_next);
    vec_add(n, 1, c->du, s->u_next);
    return status;
}

// what the potential of F accounts for is no work, and the sum of the forces must be the change of momentum
static mo_status finish(mo_system *s, compliant_memory *c, mo_error *err)
{
    size_t n = s->n;
    double before = 0, after = 0;
    mo_status status = MO_OK;
    if (s->def.potential != NULL) {
        status = s->def.potential(s->def.data, s->t_i, s->q, &before, err);
        if (status == MO_OK)
            status = s->def.potential(s->def.data, s->t_f, s->q_next, &after, err);
    }
    s->stage.work += after - before;
    if (!s->mass_constant)
        return status;
    for (size_t i = 0; i < n; i++)
        c->du[i] = s->u_next[i] - s->u[i];
    symmetric_multiply(&s->M.matrix, n, c->du, c->a);
    for (size_t i = 0; i < n; i++)
        c->du[i] = (c->a[i] - c->dp[i]) / (s->unit[i] * s->unit[i]);
    double scale = speed_norm(s, s->u) + speed_norm(s, s->u_next);
    s->stage.residual = scale > 0 ? speed_norm(s, c->du) / scale : 0;
    return status;
}

static mo_status compliant_step(mo_system *s, mo_error *err)
{
    compliant_memory *c = s->own;
    long substeps = 1;
    mo_status status = springs(s, c, &substeps, err);
    s->stage = (stage){.own = true, .no_impacts = true};
    vec_copy(s->n, s->q, s->q_next);
    vec_copy(s->n, s->u, s->u_next);
    vec_zero(s->n, c->dp);
    double h = s->h / (double)substeps;
    for (long k = 0; status == MO_OK && k < substeps; k++)
        status = substep(s, c, s->t_i + (double)k * h, h, err);
    s->iterations = (int)fmin((double)substeps, 2e9);
    s->linear_solves = s->iterations;
    return status == MO_OK ? finish(s, c, err) : status;
}

const scheme_ops compliant_ops = {
    .name = "compliant", .begin = compliant_begin, .step = compliant_step, .release = compliant_release};
