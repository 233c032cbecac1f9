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
#include "problem/extra.h"
#include "solver/local.h"
#include "solver/nlgs.h"

/* Tolerances below this cannot be met by methods that judge themselves in double precision. */
static const double FINEST = 1e-15;

/* What a tolerance is multiplied by in the next round. */
static const double FINER = 1e-2;

/* Room of one call. */
typedef struct attempt {
    mo_problem m;          /* scaled */
    delassus_root root;    /* of m; without bodies: not known */
    double *d;             /* [m.contacts] */
    double *x;             /* [dim m.contacts] S' */
    double *kept;          /* the S that was there, all of it */
    extra_entries entries; /* where there is more than contacts */
} attempt;

// W' and q'; false: something is not finite
static bool rescale(const step_problem *p, attempt *t)
{
    const size_t dim = (size_t)p->dim, square = dim * dim;
    mo_problem *m = &t->m;
    for (size_t c = 0; c < m->contacts; c++) {
        t->d[c] = sqrt(p->extra == NULL ? contact_rho(p, c) : extra_rho(p, &t->entries, c));
        if (!isfinite(t->d[c]))
            return false;
    }
    for (size_t c = 0; c < m->contacts; c++) {
        for (size_t k = m->start[c]; k < m->start[c + 1]; k++)
            for (size_t e = 0; e < square; e++)
                m->W[square * k + e] *= t->d[c] * t->d[m->column[k]];
        for (size_t i = 0; i < dim; i++)
            m->q[dim * c + i] *= t->d[c];
        for (size_t i = 0; i < t->root.length; i++)
            t->root.R[t->root.length * c + i] *= t->d[c];
    }
    return true;
}

static bool make_attempt(const solve_job *j, attempt *t)
{
    const size_t dim = (size_t)j->p->dim;
    bool made = j->p->extra == NULL ? delassus(j->p, j->memory, &t->m)
                                    : delassus_extra(j->p, j->memory, &t->m, &t->entries);
    const bool rooted = delassus_root_pays(j->p, delassus_root_bodies(j->p, j->memory));
    t->root = (delassus_root){0};
    if (!made || (rooted && !delassus_root_make(j->p, j->memory, &t->root)))
        return false;
    t->kept = arena_push(j->memory, problem_unknowns(j->p), sizeof *t->kept);
    t->x = arena_push(j->memory, dim * t->m.contacts, sizeof *t->x);
    t->d = arena_push(j->memory, t->m.contacts, sizeof *t->d);
    return t->kept != NULL && t->x != NULL && t->d != NULL && rescale(j->p, t);
}

// S to the method's own order and scale, and back
static void take(const step_problem *p, const attempt *t)
{
    const size_t dim = (size_t)p->dim, n = dim * t->m.contacts;
    if (p->extra == NULL)
        memcpy(t->x, p->S, n * sizeof *t->x);
    else
        extra_gather(p, &t->entries, t->x);
    for (size_t i = 0; i < n; i++)
        t->x[i] /= t->d[i / dim];
}

static void give(const step_problem *p, const attempt *t)
{
    const size_t dim = (size_t)p->dim, n = dim * t->m.contacts;
    for (size_t i = 0; i < n; i++)
        t->x[i] *= t->d[i / dim];
    if (p->extra == NULL)
        memcpy(p->S, t->x, n * sizeof *t->x);
    else
        extra_scatter(p, &t->entries, t->x);
}

// S from the method with tolerance tol, what was there in kept; false: it could not begin
static bool hand_over(const solve_job *j, const local_limits *limits, double tol, const attempt *t,
                      bool *solved, mo_solver_info *info)
{
    mo_solver_settings s = *j->settings;
    mo_problem_info done;
    mo_error err;
    s.tol = tol;
    s.max_seconds = j->until > 0 ? fmax(j->until - seconds_now(), 1e-9) : 0;
    s.max_iter = least_int(limits->max_iter, j->settings->max_iter - info->iterations);
    memcpy(t->kept, j->p->S, problem_unknowns(j->p) * sizeof *t->kept);
    take(j->p, t);
    const delassus_root *root = t->root.bodies > 0 ? &t->root : NULL;
    if (local_problem_solve(&t->m, root, limits->name, &s, t->x, &done, &err) != MO_OK)
        return false;
    give(j->p, t);
    info->iterations += done.iterations;
    info->handed_over += done.iterations;
    *solved = done.solved;
    return true;
}

// certifies S; what was there before comes back unless the residual has fallen
static bool better_or_back(const solve_job *j, const attempt *t, double residual, solution_size before,
                           mo_solver_info *info)
{
    nlgs_look(j->p, j->settings, j->threads, j->sums, HUGE_VAL, info);
    info->capped_time = job_late(j);
    if (info->certificate.residual < residual && honest_since(j->p, j->sums, before))
        return true;
    memcpy(j->p->S, t->kept, problem_unknowns(j->p) * sizeof *t->kept);
    nlgs_look(j->p, j->settings, j->threads, j->sums, HUGE_VAL, info);
    return false;
}

// one round with tolerance tol; true: better than before, and the method is content: a finer one may help
static bool try_round(const solve_job *j, const local_limits *limits, double tol, const attempt *t,
                      mo_solver_info *info)
{
    double residual = info->certificate.residual;
    solution_size before = certificate_size(j->p, j->sums);
    bool solved = false;
    return hand_over(j, limits, tol, t, &solved, info) && better_or_back(j, t, residual, before, info) &&
           solved;
}

bool local_solve(const solve_job *j, const local_limits *limits, mo_solver_info *info)
{
    // they know contacts with Coulomb's law only; with a cell, nothing else beside them, and not too many
    if (j->p->law != NULL || (j->p->cell != NULL && (j->p->extra != NULL || j->p->contacts > DELASSUS_MOST)))
        return false;
    arena_mark mark = arena_here(j->memory);
    attempt t;
    double tol = fmax(limits->aim * j->settings->tol, FINEST);
    bool ready = make_attempt(j, &t), again = ready;
    for (int round = 0; again && round < limits->rounds && !job_over(j, info); round++) {
        again = try_round(j, limits, tol, &t, info);
        tol = fmax(FINER * tol, FINEST);
    }
    arena_back(j->memory, mark);
    return ready;
}
