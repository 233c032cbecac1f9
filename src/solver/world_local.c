/*
 * Methods of the local form are judged by a second residual, which sets impulses beside velocities
 * (docs/theory/solvers.md §1).  They are handed the scaled problem W' = D W D, q' = D q, S = D S' with
 * D_c = sqrt(rho_c), whose blocks on the diagonal have size 1: both residuals are one there, and the cones
 * are the same.  That residual weighs contacts of light bodies more than the step's own, and may be above it
 * or below: the step's own has the last word, and where it is not content the tolerance is lowered.
 */
#include "solver/world_local.h"

#include <math.h>
#include <string.h>

#include "problem/certificate.h"
#include "problem/delassus.h"
#include "solver/nlgs.h"

/* Tolerances below this cannot be met by methods that judge themselves in double precision. */
static const double FINEST = 1e-15;

/* Share of the tolerance aimed at: near a solution more digits cost little, and the next step begins there.
 */
static const double AIM = 1e-2;

/* Room of one call. */
typedef struct attempt {
    mo_problem m; /* scaled */
    double *d;    /* [contacts] */
    double *kept; /* [dim contacts] the S that was there */
} attempt;

// W' and q'; false: something is not finite
static bool rescale(const step_problem *p, attempt *t)
{
    const size_t dim = (size_t)p->dim, square = dim * dim;
    mo_problem *m = &t->m;
    for (size_t c = 0; c < m->contacts; c++) {
        t->d[c] = sqrt(contact_rho(p, c));
        if (!isfinite(t->d[c]))
            return false;
    }
    for (size_t c = 0; c < m->contacts; c++) {
        for (size_t k = m->start[c]; k < m->start[c + 1]; k++)
            for (size_t e = 0; e < square; e++)
                m->W[square * k + e] *= t->d[c] * t->d[m->column[k]];
        for (size_t i = 0; i < dim; i++)
            m->q[dim * c + i] *= t->d[c];
    }
    return true;
}

static bool make_attempt(const solve_job *j, attempt *t)
{
    t->kept = arena_push(j->memory, (size_t)j->p->dim * j->p->contacts, sizeof *t->kept);
    t->d = arena_push(j->memory, j->p->contacts, sizeof *t->d);
    return t->kept != NULL && t->d != NULL && delassus(j->p, j->memory, &t->m) && rescale(j->p, t);
}

// one round with tolerance tol; true: better than before, and the method is content: a finer one may help
static bool try_round(const solve_job *j, const local_limits *limits, double tol, const attempt *t,
                      mo_solver_info *info)
{
    const size_t dim = (size_t)j->p->dim, n = dim * j->p->contacts;
    mo_solver_settings s = *j->settings;
    mo_problem_info done;
    mo_error err;
    double residual = info->certificate.residual;
    solution_size before = certificate_size(j->p, j->sums);
    s.tol = tol;
    s.max_seconds = j->until > 0 ? fmax(j->until - seconds_now(), 1e-9) : 0;
    s.max_iter = least_int(limits->max_iter, j->settings->max_iter - info->iterations);
    memcpy(t->kept, j->p->S, n * sizeof *t->kept);
    for (size_t i = 0; i < n; i++)
        j->p->S[i] /= t->d[i / dim];
    mo_status status = mo_problem_solve(&t->m, limits->name, &s, j->p->S, NULL, &done, &err);
    for (size_t i = 0; i < n; i++)
        j->p->S[i] *= t->d[i / dim];
    if (status == MO_OK) {
        info->iterations += done.iterations;
        info->handed_over += done.iterations;
        nlgs_look(j->p, j->settings, j->threads, j->sums, HUGE_VAL, info);
    }
    info->capped_time = job_late(j);
    if (status == MO_OK && info->certificate.residual < residual && honest_since(j->p, j->sums, before))
        return done.solved;
    // as it was
    memcpy(j->p->S, t->kept, n * sizeof *t->kept);
    nlgs_look(j->p, j->settings, j->threads, j->sums, HUGE_VAL, info);
    return false;
}

bool local_solve(const solve_job *j, const local_limits *limits, mo_solver_info *info)
{
    arena_mark mark = arena_here(j->memory);
    attempt t;
    double tol = fmax(AIM * j->settings->tol, FINEST);
    bool ready = make_attempt(j, &t), again = ready;
    for (int round = 0; again && round < limits->rounds && !job_over(j, info); round++) {
        again = try_round(j, limits, tol, &t, info);
        tol = fmax(1e-3 * tol, FINEST);
    }
    arena_back(j->memory, mark);
    return ready;
}
