/*
 * Inside of the solvers of frictional contact problems in local form (include/moreau/problem.h):
 * what the methods share.
 *
 * A method improves r [dim contacts] in place until local_residual is at or below its tolerance, its
 * iterations are used up, or it sees that it gets nowhere; it leaves the best r that it met.  It fails
 * (status other than MO_OK) only for lack of memory.
 */
#ifndef SOLVER_LOCAL_H
#define SOLVER_LOCAL_H

#include <moreau/problem.h>

#include <math.h>

#include "core/arena.h"
#include "problem/delassus_root.h"

typedef struct local_linear local_linear;

typedef struct local_work {
    const mo_problem *p;
    const delassus_root *root; /* W = R R*; NULL: not known */
    size_t n;                  /* dim contacts */
    double *rho;      /* [contacts] 1 / lambda_max of the symmetric part of W_cc, 1 where that is 0 */
    size_t *diagonal; /* [contacts] where W_cc is among the blocks; start[contacts]: no such block */
    double *u;        /* [n] W r + q of the last local_residual */
    double *asked;    /* [n] its r */
    double answer;    /* what it returned; negative: u has been used for something else */
    double norm_q, norm_rho_q;
    double known;         /* local_residual of the r that a method left, where it sets it; else HUGE_VAL */
    double until;         /* seconds_now() at which to stop; 0: never */
    bool (*stop)(void *); /* of the settings, NULL: never asked */
    void *stop_data;
    arena memory;         /* scratch: arena_here, arena_push, arena_back */
    local_linear *linear; /* factors kept between calls, made when first needed */
    mo_problem_witness witness;
    bool explained; /* a witness has been looked for */
    char *story;    /* [story_room] or NULL: what auto did */
    size_t story_room;
} local_work;

/* mo_problem_solve for a step of a world: root, W = R R* for all contacts of the problem, may be NULL; why
 * there is no solution is asked by auto alone, which then stops. */
mo_status local_problem_solve(const mo_problem *problem, const delassus_root *root, const char *solver,
                              const mo_solver_settings *settings, double *r, mo_problem_info *info,
                              mo_error *err);

/* |r| / |rho q| up to which the residual may be divided by |r| */
#define LARGEST_IMPULSE 1e3

/* u := W r + q */
void local_velocity(const mo_problem *p, const double *r, double *u);

/*
 * The larger of the two residuals of mo_problem_residual in plain double; leaves u = W r + q in w->u.
 * HUGE_VAL where something is not finite.  Asked for the same r again it has it.  It is larger than either
 * where impulses run away (local_runaway).
 */
double local_residual(local_work *w, const double *r);
/* The same with u = W r + q given. */
double local_residual_of(const local_work *w, const double *r, const double *u);

/*
 * Divided by an r that grows without bound anything is small.  What residuals are at least on account of
 * that: with size = |r|, miss = |r - P_K(r - rho u~)| and inward = |rho (u_N)-|, the miss divided by a
 * thousand times the load |rho q|, unless it is the rounding of an r that is not beyond all measure, and
 * inward / |rho q| where that is more than a tenth: what pushes in must have been stopped.
 */
double local_runaway(const local_work *w, double size, double miss, double inward);

/* Whether max_seconds are over, or the caller wants no more. */
bool local_late(const local_work *w);

typedef mo_status local_method(local_work *w, const mo_solver_settings *s, int max_iter, double tol,
                               double *r, int *iterations, mo_error *err);

local_method local_auto, local_nlgs, local_newton_solve, local_ipm, local_prox, local_apgd, local_admm,
    local_lemke;

/*
 * Looks for a witness where some u_N of r is still negative or r is far larger than the load: w->witness,
 * w->explained.  Leaves u in w->u.
 */
mo_status local_explain(local_work *w, const double *r, mo_error *err);

/* mo_problem_find_witness. */
mo_status local_witness(local_work *w, double *z, mo_problem_witness *out, mo_error *err);

/* Frees w->linear. */
void local_linear_free(local_work *w);

#endif
