/*
 * Finite-freedom systems with unilateral constraints (M99 §7-§8, P01, BL10):
 *
 *     M(t, q) du = F(t, q, u) dt + sum of grad g_alpha dlambda_alpha,      dq = u dt,
 *     g_alpha(t, q) >= 0,   dlambda_alpha >= 0 and zero where g_alpha > 0,   an impact law,
 *
 * with every time-stepping scheme of the papers behind one interface.  F is all of the force: no Coriolis
 * term is added.  The schemes, what is proved for each and when to use it: docs/theory/schemes.md.
 *
 * Numerical outcomes are in mo_system_info, never silent.
 */
#ifndef MOREAU_SYSTEM_H
#define MOREAU_SYSTEM_H

#include <moreau/base.h>
#include <moreau/convex.h>
#include <moreau/sweep.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum mo_system_scheme {
    MO_SYSTEM_SCHEME_MOREAU,            /* midpoint contact dynamics, M99 8.3 */
    MO_SYSTEM_SCHEME_MOREAU_JEAN,       /* theta-scheme, implicit in stiffness and damping */
    MO_SYSTEM_SCHEME_PAOLI_SCHATZMAN,   /* positions only, P01 (3.1)-(3.3) */
    MO_SYSTEM_SCHEME_MABROUK,           /* velocities, P01 (4.10)-(4.15) */
    MO_SYSTEM_SCHEME_BERNICOT_LEFEBVRE, /* gaps inside the constraint, BL10 (1.11)-(1.15) */
    MO_SYSTEM_SCHEME_EVENT_DRIVEN,      /* accelerations by Gauss' principle, events located, M99 8.4 */
    MO_SYSTEM_SCHEME_COMPLIANT,         /* spring and dashpot at each gap, P01 2 approach 2 */
    MO_SYSTEM_SCHEME_ALPHA,             /* nonsmooth generalised-alpha, position and velocity constraints */
} mo_system_scheme;

/* Name in scenes, e.g. "paoli-schatzman"; NULL when out of range. */
const char *mo_system_scheme_name(mo_system_scheme scheme);

/* All functions get `data` of the definition.  A status other than MO_OK ends the step with it. */
typedef struct mo_system_def {
    size_t n;            /* freedoms */
    size_t gaps;         /* m */
    const double *q, *u; /* [n] start; copied */
    double h;            /* s, > 0 */
    mo_system_scheme scheme;

    /* mass: the function when given, else the constant matrix; entries NULL: the identity */
    mo_metric mass;
    mo_status (*mass_function)(void *data, double t, const double *q, double *M, mo_error *err); /* [n n] */
    /* F [n]; NULL: none.  Fq, Fu [n n], row by row, are derivatives, NULL when not wanted; left untouched
       where the function does not know them: then differences are used */
    mo_status (*force)(void *data, double t, const double *q, const double *u, double *F, double *Fq,
                       double *Fu, mo_error *err);
    bool force_depends_on_velocity; /* true unless set otherwise; false saves the implicit solves */
    /* constant and symmetric, entries NULL: none; F does not contain -K q - C u then */
    mo_metric stiffness, damping;
    /* V(t, q) of the forces in F, for the energies; NULL: none.  1/2 q.K q is added */
    mo_status (*potential)(void *data, double t, const double *q, double *V, mo_error *err);

    /* gaps g [m], gradients gx [m n], gt [m] as in sweep.h; linear: gx and gt are constant */
    mo_gap_function gap;
    bool linear;
    /* second derivatives of the gaps along (1, u), [m]; NULL: differences of the gradients */
    mo_status (*gap_curvature)(void *data, double t, const double *q, const double *u, double *c,
                               mo_error *err);
    /* normal restitution in [0, 1] per gap; the function when given, else the array, NULL: 0 */
    const double *restitution;
    mo_status (*restitution_function)(void *data, double t, const double *q, double *e, mo_error *err);
    /* Coulomb friction along one direction per gap: coefficients [m] (NULL: none), directions T [m n] such
       that the sliding velocity is T_alpha.u, and tangential restitution (NULL: 0).  moreau and moreau-jean
     */
    const double *friction;
    mo_status (*tangent)(void *data, double t, const double *q, double *T, mo_error *err);
    const double *tangential_restitution;

    double theta;             /* moreau-jean, [1/2, 1]; 1/2 */
    double rho_infinity;      /* alpha, [0, 1]; 0.8 */
    double stiffness_contact; /* compliant, N/m, > 0; 0: such that a contact lasts 20 h; a step takes at most
                                 1e8 substeps */
    double contact_tolerance; /* a gap is active when <= this; 1e-12 */
    double tol;               /* of implicit solves and projections, relative; 1e-13 */
    int max_iter;             /* of implicit solves; 50 */
    bool backward_velocity;   /* paoli-schatzman: F at (q^{i+1} - q^i)/h instead of the centred velocity, P01
                                 Remark 4.4; false */
    void *data;
} mo_system_def;

mo_system_def mo_default_system_def(void);

typedef enum mo_system_outcome {
    MO_SYSTEM_REACHED,
    MO_SYSTEM_NOT_CONVERGED, /* an implicit solve or projection missed its tolerance; the run can go on */
    MO_SYSTEM_INFEASIBLE,    /* no admissible velocity or position: the step was not made */
    MO_SYSTEM_NO_GRADIENT,   /* an active gap has gradient zero: the step was not made */
    MO_SYSTEM_SINGULAR_MASS, /* M(t, q) is not positive definite: the step was not made */
    MO_SYSTEM_NOT_FINITE,    /* a function gave NaN or infinity: the step was not made */
} mo_system_outcome;

typedef struct mo_system_energy {
    double kinetic, potential;
    double work;          /* of what of F has no potential, and of a mass that changes, since the start */
    double loss;          /* at impacts and in contacts, since the start: -1/2 (U_I + U_F).S summed */
    double step_loss;     /* of the last step; negative: the impact law added energy (Kane's paradox) */
    double balance_error; /* kinetic + potential + loss - work - initial */
} mo_system_energy;

typedef struct mo_system_info {
    double time;
    int64_t steps;
    mo_system_outcome outcome;
    char message[200];
    int iterations;    /* of implicit solves and projections in the last step, or steps of the integrator */
    int linear_solves; /* with M or M + theta... in the last step */
    size_t active;     /* gaps with lambda > 0 */
    double violation;  /* largest -g_alpha(t, q) at the end of the step, 0 when feasible */
    double residual;   /* of the step's inclusion: dynamics and complementarity, relative, recomputed */
    int64_t unconverged_steps;
    double worst_violation, worst_residual;
    int64_t impacts, accumulations;
    double largest_gain; /* J, of kinetic energy at one impact; 0 when none grew */
    mo_system_energy energy;
    double independence; /* bernicot-lefebvre: constant of the reverse triangle inequality (A6) met so far,
                            >= 1; 0 when no two gaps were near */
} mo_system_info;

typedef struct mo_system mo_system;

/* MO_BAD_INPUT: sizes, parameters out of range, a start outside the feasible set by more than the tolerance,
   a mass matrix that is not positive definite, a scheme that cannot do what is asked (friction...).  A start
   velocity that points out of an active gap is made admissible by the impact law, as the papers do, and
   reported as an event at t = 0. */
mo_status mo_system_create(const mo_system_def *def, mo_system **out, mo_error *err);
void mo_system_destroy(mo_system *system);
mo_status mo_system_step(mo_system *system, mo_error *err);

const mo_system_info *mo_system_info_get(const mo_system *system);
const double *mo_system_q(const mo_system *system);
const double *mo_system_u(const mo_system *system);
/* Impulses of the last step, [m] (of each gap, M(u_f - u_i) = h F + sum of grad g_alpha lambda_alpha). */
const double *mo_system_lambda(const mo_system *system);
/* Gaps at the end of the last step, [m]. */
const double *mo_system_gaps(const mo_system *system);
/* Of the last step: impact (size = velocity jump in the kinetic norm), contact, release, accumulation. */
mo_sweep_events mo_system_events_get(const mo_system *system);
uint64_t mo_system_hash(const mo_system *system);

size_t mo_system_state_size(const mo_system *system);
void mo_system_save(const mo_system *system, void *bytes);
mo_status mo_system_restore(mo_system *system, const void *bytes, size_t size, mo_error *err);

#ifdef __cplusplus
}
#endif
#endif
