/*
 * Solving frictional contact problems in local form: the table of methods, the fast residual.
 *
 * Methods work to nine tenths of the tolerance: mo_problem_certify, which has the last word, sums in another
 * order and with more digits.
 */
#include "solver/local.h"

#include <math.h>
#include <stdalign.h>
#include <string.h>

#include "convex/cone.h"
#include "core/fail.h"
#include "core/timer.h"
#include "math/vec.h"
#include "problem/block.h"
#include "problem/local.h"

static const struct {
    const char *name;
    local_method *solve;
} METHODS[] = {
    {"auto", local_auto}, {"nlgs", local_nlgs}, {"newton", local_newton_solve}, {"ipm", local_ipm},
    {"prox", local_prox}, {"apgd", local_apgd}, {"admm", local_admm},           {"lemke", local_lemke},
};
/* share of the load below which what pushes in says nothing */
#define LEAST_INWARD 1e-8
enum { METHOD_COUNT = sizeof METHODS / sizeof METHODS[0], SMALL_WORK = 24 << 10, MOST_FACTORED = 3000 };

const char *mo_problem_solver_name(size_t i)
{
    return i < METHOD_COUNT ? METHODS[i].name : NULL;
}

bool local_late(const local_work *w)
{
    return (w->stop != NULL && w->stop(w->stop_data)) || (w->until > 0 && seconds_now() >= w->until);
}

// scales of contacts and of the load
static void prepare_scales(local_work *w)
{
    const mo_problem *p = w->p;
    size_t dim = (size_t)p->dim;
    double qq = 0, rho_qq = 0;
    for (size_t c = 0; c < p->contacts; c++) {
        size_t k = p->start[c];
        while (k < p->start[c + 1] && p->column[k] < c)
            k++;
        bool there = k < p->start[c + 1] && p->column[k] == c;
        w->diagonal[c] = there ? k : p->start[p->contacts];
        w->rho[c] = there ? block_rho(p->dim, p->W + dim * dim * k) : 1;
        for (size_t i = 0; i < dim; i++) {
            double q = p->q[dim * c + i];
            qq += q * q;
            rho_qq += (w->rho[c] * q) * (w->rho[c] * q);
        }
    }
    w->norm_q = sqrt(qq);
    w->norm_rho_q = sqrt(rho_qq);
}

// memory: lent for what is small
static mo_status prepare(local_work *w, const mo_problem *p, const mo_solver_settings *s, arena memory,
                         mo_error *err)
{
    *w = (local_work){
        .p = p, .n = (size_t)p->dim * p->contacts, .memory = memory, .answer = -1, .known = HUGE_VAL};
    w->until = s->max_seconds > 0 ? seconds_now() + s->max_seconds : 0;
    w->stop = s->stop;
    w->stop_data = s->stop_data;
    w->rho = arena_push(&w->memory, p->contacts, sizeof *w->rho);
    w->diagonal = arena_push(&w->memory, p->contacts, sizeof *w->diagonal);
    w->u = arena_push(&w->memory, w->n, sizeof *w->u);
    w->asked = arena_push(&w->memory, w->n, sizeof *w->asked);
    if (w->rho == NULL || w->diagonal == NULL || w->u == NULL || w->asked == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for %zu contacts", p->contacts);
    prepare_scales(w);
    return MO_OK;
}

static void release(local_work *w)
{
    local_linear_free(w);
    arena_free(&w->memory);
}

static mo_status find_method(const char *name, size_t *out, mo_error *err)
{
    *out = 0;
    for (size_t i = 0; name != NULL && i < METHOD_COUNT; i++)
        if (strcmp(name, METHODS[i].name) == 0) {
            *out = i;
            return MO_OK;
        }
    if (name == NULL)
        return MO_OK;
    return fail(err, MO_BAD_INPUT, "solver",
                "found \"%.40s\", expected auto, nlgs, newton, ipm, prox, apgd, admm or lemke", name);
}

static mo_status check(const mo_problem *p, const mo_solver_settings *s, const double *r, mo_error *err)
{
    if (!(s->tol >= 0))
        return fail(err, MO_BAD_INPUT, "tol", "found %g, expected a number >= 0", s->tol);
    if (s->max_iter < 1)
        return fail(err, MO_BAD_INPUT, "max_iter", "found %d, expected at least 1", s->max_iter);
    if (!(s->max_seconds >= 0))
        return fail(err, MO_BAD_INPUT, "max_seconds", "found %g, expected a number >= 0", s->max_seconds);
    mo_status status = mo_problem_check(p, err);
    return status == MO_OK ? problem_check_finite(r, (size_t)p->dim * p->contacts, "r", err) : status;
}

// |rho (u_N)-| with u = w->u
static double inward(const local_work *w)
{
    size_t dim = (size_t)w->p->dim;
    double sum = 0;
    for (size_t c = 0; c < w->p->contacts; c++)
        sum += w->u[dim * c] < 0 ? w->rho[c] * w->u[dim * c] * (w->rho[c] * w->u[dim * c]) : 0;
    return sqrt(sum);
}

// whether the relative residuals are small only because impulses ran away, as where no impulse can do;
// *doubtful: what is missed counts as rounding; w->u: of r
static bool runs_away(const local_work *w, const double *r, const mo_problem_residual *reached, double tol,
                      bool *doubtful)
{
    double size = vec_norm_in_order(w->n, r), miss = reached->residual * fmax(size, w->norm_rho_q);
    *doubtful = miss > LARGEST_IMPULSE * tol * w->norm_rho_q;
    return local_runaway(w, size, miss, inward(w)) > tol;
}

mo_status local_explain(local_work *w, const double *r, mo_error *err)
{
    w->explained = true;
    local_residual(w, r);
    // factors of many contacts in 3D are not to be made for this alone
    if (w->linear == NULL && w->p->dim == 3 && w->p->contacts > MOST_FACTORED)
        return MO_OK;
    if (!(inward(w) > LEAST_INWARD * w->norm_rho_q) &&
        !(vec_norm_in_order(w->n, r) > LARGEST_IMPULSE * w->norm_rho_q))
        return MO_OK;
    double *z = arena_push(&w->memory, w->p->contacts, sizeof *z);
    if (z == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for %zu contacts", w->p->contacts);
    return local_witness(w, z, &w->witness, err);
}

static void cone_prox(size_t dim, double mu, const double *z, double *out)
{
    if (dim == 2)
        cone2_prox(mu, z, out);
    else
        cone3_prox(mu, z, out);
}

// out := r within the cones, and zero where r - rho u~ says that the contact opens; u = w->u
static void tidy(const local_work *w, const double *r, double *out)
{
    const size_t dim = (size_t)w->p->dim;
    for (size_t c = 0; c < w->p->contacts; c++) {
        const double mu = w->p->mu[c], rho = w->rho[c], *u = w->u + dim * c, *x = r + dim * c;
        const double shift = mu * (dim == 2 ? fabs(u[1]) : sqrt(u[1] * u[1] + u[2] * u[2]));
        double z[3] = {0, 0, 0}, law[3] = {0, 0, 0};
        for (size_t i = 0; i < dim; i++)
            z[i] = x[i] - rho * (u[i] + (i == 0 ? shift : 0));
        cone_prox(dim, mu, z, law);
        cone_prox(dim, mu, vec_all_zero(dim, law) ? law : x, out + dim * c);
    }
}

/*
 * What iterates shrink by, or have not yet lost, is no impulse: a contact that opens would count as one that
 * holds.  Such impulses become zero, and those beside their cones go onto them, unless that spoils the
 * residual.
 */
static mo_status drop_remains(local_work *w, double tol, double *r, mo_error *err)
{
    arena_mark mark = arena_here(&w->memory);
    double *out = arena_push(&w->memory, w->n, sizeof *out);
    if (out == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for %zu contacts", w->p->contacts);
    double before = local_residual(w, r);
    tidy(w, r, out);
    if (memcmp(out, r, w->n * sizeof *r) != 0 && local_residual(w, out) <= fmax(1.01 * before, tol))
        memcpy(r, out, w->n * sizeof *r);
    arena_back(&w->memory, mark);
    return MO_OK;
}

// runs the method on a copy of r, then certifies and hands over
static mo_status run(local_work *w, size_t method, const mo_solver_settings *s, double *r, double *u,
                     mo_problem_info *info, mo_error *err)
{
    double *x = arena_push(&w->memory, w->n, sizeof *x);
    if (x == NULL)
        return fail(err, MO_NO_MEMORY, NULL, "no memory for %zu contacts", w->p->contacts);
    memcpy(x, r, w->n * sizeof *x);
    w->story = info->story;
    w->story_room = sizeof info->story;
    strncpy(info->solver, METHODS[method].name, sizeof info->solver - 1);
    mo_status status = METHODS[method].solve(w, s, s->max_iter, 0.9 * s->tol, x, &info->iterations, err);
    // an answer that was given and is good stays as it is
    if (status == MO_OK && info->iterations > 0)
        status = drop_remains(w, 0.9 * s->tol, x, err);
    if (status != MO_OK)
        return status;
    // of the velocities that are handed over, too
    local_residual(w, x);
    problem_certify(w->p, x, w->u, &info->reached);
    bool doubtful = false;
    info->solved = info->reached.residual <= s->tol && info->reached.residual_fclib <= s->tol &&
                   !runs_away(w, x, &info->reached, s->tol, &doubtful);
    if ((!info->solved || doubtful) && !w->explained && !local_late(w))
        status = local_explain(w, x, err);
    if (status != MO_OK)
        return status;
    info->solved = info->solved && !(doubtful && w->witness.proves);
    if (!info->solved)
        info->witness = w->witness;
    memcpy(r, x, w->n * sizeof *x);
    if (u != NULL)
        memcpy(u, w->u, w->n * sizeof *u);
    return MO_OK;
}

// root may be NULL; explain: a witness is looked for where there is no solution, which auto does in any case
static mo_status solve_problem(const mo_problem *problem, const delassus_root *root, bool explain,
                               const char *solver, const mo_solver_settings *settings, double *r, double *u,
                               mo_problem_info *info, mo_error *err)
{
    alignas(64) char lent[SMALL_WORK];
    mo_problem_info out = {0};
    local_work w;
    size_t method;
    double begin = seconds_now();
    mo_status status = find_method(solver, &method, err);
    if (status == MO_OK)
        status = check(problem, settings, r, err);
    if (status != MO_OK)
        return status;
    if (!mo_solver_suits(METHODS[method].name, problem->dim))
        return fail(err, MO_BAD_INPUT, "solver", "found %s for a problem in %dD, expected another one",
                    METHODS[method].name, problem->dim);
    status = prepare(&w, problem, settings, arena_lend(lent, sizeof lent), err);
    w.root = root;
    w.explained = !explain && METHODS[method].solve != local_auto;
    if (status == MO_OK)
        status = run(&w, method, settings, r, u, &out, err);
    release(&w);
    out.seconds = seconds_now() - begin;
    if (status == MO_OK)
        *info = out;
    return status;
}

mo_status mo_problem_solve(const mo_problem *problem, const char *solver, const mo_solver_settings *settings,
                           double *r, double *u, mo_problem_info *info, mo_error *err)
{
    return solve_problem(problem, NULL, true, solver, settings, r, u, info, err);
}

mo_status local_problem_solve(const mo_problem *problem, const delassus_root *root, const char *solver,
                              const mo_solver_settings *settings, double *r, mo_problem_info *info,
                              mo_error *err)
{
    return solve_problem(problem, root, false, solver, settings, r, NULL, info, err);
}

mo_status mo_problem_find_witness(const mo_problem *problem, double *z, mo_problem_witness *out,
                                  mo_error *err)
{
    local_work w;
    mo_status status = mo_problem_check(problem, err);
    if (status != MO_OK)
        return status;
    status = prepare(&w, problem, &(mo_solver_settings){0}, (arena){0}, err);
    if (status == MO_OK)
        status = local_witness(&w, z, out, err);
    release(&w);
    return status;
}
