/*
 * Settings and outcome of a step problem's solution.
 *
 * The step problem: find velocities U and impulses S with U = W S + q and the contact law
 * at every contact (M99 §9, MJ96 §4).  W is never formed here; see docs/theory/contact.md.
 */
#ifndef MOREAU_SOLVER_H
#define MOREAU_SOLVER_H

#include <moreau/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mo_solver_name {
    MO_SOLVER_AUTO, /* the best there is: nlgs, and others where it crawls */
    MO_SOLVER_NLGS, /* nonlinear Gauss-Seidel, exact at each contact */
    /* the methods of include/moreau/problem.h on the step problem in local form, from the warm start */
    MO_SOLVER_NEWTON,
    MO_SOLVER_IPM,
    MO_SOLVER_PROX,
    MO_SOLVER_APGD,
    MO_SOLVER_ADMM,
    MO_SOLVER_LEMKE, /* in 2D */
    MO_SOLVER_COUNT
} mo_solver_name;

/* "auto", "nlgs", ...; NULL when out of range. */
const char *mo_solver_name_text(mo_solver_name name);

/* Whether the method of that name is for problems in dim dimensions: all are but lemke, which is for 2D. */
bool mo_solver_suits(const char *name, int dim);

typedef struct mo_solver_settings {
    mo_solver_name name;
    double tol;         /* on the unit-free residual, >= 0 */
    int max_iter;       /* sweeps over all contacts per solve, >= 1 */
    double max_seconds; /* wall-clock cap per solve; 0: none (a cap makes runs irreproducible) */
    /* Asked often inside a solve, on the thread that called it: true, and true ever after, ends it where it
       stands.  NULL: never asked. */
    bool (*stop)(void *stop_data);
    void *stop_data;
} mo_solver_settings;

/* tol 1e-8, at most 10000 iterations, no time cap. */
mo_solver_settings mo_default_solver_settings(void);

/*
 * How well the answer satisfies the law, recomputed from the problem and S alone.
 * Relative quantities are divided by max(|S|, |rho q|) (impulse) or max(|U|, |q|) (velocity).
 */
typedef struct mo_certificate {
    double residual;                /* |S - P_K(S - rho u~)| / max(|S|, |rho q|), unit-free */
    double complementarity;         /* sum |S_N U_N|, J (per metre of depth in 2D) */
    double cone_violation_force;    /* max distance of S to the Coulomb cone, N s */
    double cone_violation_velocity; /* max of (-U_N)+, m/s */
    double bipotential_gap;         /* sum of U.S + mu |U_T| S_N on the shifted velocity, J */
    double balance;                 /* |A(u_F - u_I) - h F - G* S| / (|A u_F| + |A u_I| + h |F|) */
} mo_certificate;

typedef struct mo_solver_info {
    int iterations;   /* sweeps done, and steps of other methods */
    bool converged;   /* residual <= tol, or stagnated below 1e-13 */
    bool finite;      /* no NaN or infinity met */
    bool capped_time; /* stopped by max_seconds */
    bool stopped;     /* by the settings' stop, before it was done, though it may have converged */
    mo_certificate certificate;
    int extrapolated; /* of the iterations: sweeps with extrapolation or momentum (auto) */
    int handed_over;  /* of the iterations: steps of the methods of include/moreau/problem.h */
} mo_solver_info;

#ifdef __cplusplus
}
#endif
#endif
