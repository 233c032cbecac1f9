/*
 * Inside of the finite-freedom systems: the system, its evaluators, the velocity problem that all
 * time-stepping schemes share, and what a scheme tells about its step.
 *
 * Letters: n freedoms, m gaps, q positions, u velocities, M mass, F force without -K q - C u, g gaps, G their
 * gradients (rows), gt their derivatives by t, e restitution, lambda impulses; _i and _f (next) at the
 * beginning and the end of a step [t_i, t_f] of length h.
 *
 * Every scheme but event-driven and compliant is the same problem with other data (docs/theory/schemes.md):
 *
 *     M (u_f - u_i) = w (F(t*, q*, u*) - K q* - C u*) + sum over J of G_a lambda_a,
 *     G_a u_f >= bound_a,   lambda_a >= 0,   lambda_a (G_a u_f - bound_a) = 0,
 *     q* = q_base + along (u_f - u_i),   u* = u_i + blend (u_f - u_i),
 *
 * so that u_f is the point nearest in the metric A = M + w blend C + w along K to the velocity without gaps.
 */
#ifndef SYSTEM_INTERNAL_H
#define SYSTEM_INTERNAL_H

#include <moreau/system.h>

#include "convex/metric.h"
#include "math/vec.h"

/* Private status of a step that was not made for a numerical reason: outcome and message are in the system
   (system_trouble). */
#define NOT_MADE ((mo_status)1000)

/* ---- matrices --------------------------------------------------------------------------------- */

typedef struct gap_rows gap_rows; /* many_gaps.c */

/* A symmetric positive definite matrix with its factor and, while it stays the same, L^-1 G_a of gaps. */
typedef struct inertia {
    mo_metric matrix; /* entries NULL: the identity */
    double *entries;  /* those of matrix, owned */
    metric_factor factor;
    double *Y;      /* [m n] L^-1 G_a of the gaps marked in ready; NULL: not kept */
    bool *ready;    /* [m] */
    gap_rows *rows; /* sparse: of projections onto many gaps; NULL: none yet */
} inertia;

/* Entries M(i, *begin) ... M(i, i) of a row, of kinds that are not sparse. */
const double *metric_row(const mo_metric *matrix, size_t n, size_t i, size_t *begin);
/* M(i, i); M the identity for entries NULL */
double metric_diagonal(const mo_metric *matrix, size_t n, size_t i);
/* the first i with M(i, i) not above zero; n: none */
size_t metric_not_positive(const mo_metric *matrix, size_t n);
/* D [n n] += M, on the diagonal and left of it */
void metric_add_dense(const mo_metric *matrix, size_t n, double *D);
/* y := M x, M the identity for entries NULL; y := y + c M x, M zero for entries NULL */
void symmetric_multiply(const mo_metric *matrix, size_t n, const double *x, double *y);
void symmetric_add(const mo_metric *matrix, size_t n, double c, const double *x, double *y);
/* y := y + c |diagonal of M| |x|: the size of what symmetric_add adds up */
void symmetric_add_size(const mo_metric *matrix, size_t n, double c, const double *x, double *y);
/* Copies a matrix of the definition; false: no memory. */
bool metric_copy(const mo_metric *from, size_t n, mo_metric *to, double **entries);
/* sum := M + c C + k K factored, with the tightest kind that holds all three (those without entries count as
   zero).  MO_BAD_INPUT: not positive definite. */
mo_status inertia_sum(inertia *sum, size_t n, const mo_metric *M, double c, const mo_metric *C, double k,
                      const mo_metric *K, mo_error *err);
/* x := A^-1 x */
void inertia_solve(const inertia *A, double *x);
void inertia_free(inertia *A);

/* ---- the system ------------------------------------------------------------------------------- */

/*
 * What a scheme says about the step it made, for energies, certificate and events in step.c.  system_solve
 * fills F and free; schemes that integrate by themselves (own) fill work, loss and residual instead.
 */
typedef struct stage {
    const double *q_base; /* [n] */
    double along, blend;  /* see above */
    double weight;        /* w, s; h but for the first step of paoli-schatzman */
    bool follow;          /* F at q* too; false: F at q_base */
    bool fixed_rows;      /* the rows do not depend on the iterate, only the bounds on `free` */
    size_t times;         /* F is the mean over these times */
    double t[3], share[3];
    double *F;    /* [n] F used, mean over the times */
    double *free; /* [n] the velocity without gaps that was projected last */
    bool own;     /* the fields below are the scheme's own */
    double work, loss, residual;
    bool no_impacts; /* the scheme reports impacts itself (events_add_gaps), or knows none */
    bool own_events; /* the scheme reports all events itself, and gain: J, largest at one impact */
    double gain;
} stage;

typedef struct event_list {
    mo_event *items;
    size_t *gaps;
    size_t count, capacity, gap_count, gap_capacity;
} event_list;

/* What belongs to one scheme. */
typedef struct scheme_ops {
    const char *name;
    size_t
        history;   /* numbers per freedom that it keeps from step to step in s->history, saved and restored */
    bool friction; /* can do friction */
    /* before the first step, the start being admissible; may be NULL */
    mo_status (*begin)(mo_system *s, mo_error *err);
    /*
     * Reads q, u, lambda (of the step before), t_i, t_f; writes q_next, u_next, lambda_next (zero before),
     * stage, and may change history_next (a copy of history before).  Leaves rows G, gt and the list J of the
     * gaps that it looked at as they were used, for the certificate.
     */
    mo_status (*step)(mo_system *s, mo_error *err);
    void (*release)(mo_system *s); /* frees s->own; may be NULL */
} scheme_ops;

struct mo_system {
    mo_system_def def; /* matrices and arrays point to copies */
    const scheme_ops *ops;
    size_t n, m;
    double h, t_i, t_f;
    mo_system_info info;
    /* state: saved, restored */
    double *q, *u;             /* [n] */
    double *lambda, *lambda_t; /* [m] normal and tangential impulses of the last step */
    double *gaps;              /* [m] at the end of the last step */
    double *history;           /* [ops->history n] */
    double episode;            /* J lost at the last impact, */
    bool in_episode;           /* which is still going on: paoli-schatzman */
    /* the step being made; committed by step.c */
    double *q_next, *u_next, *lambda_next, *lambda_t_next, *gaps_next, *history_next;
    stage stage;
    mo_system_outcome outcome;
    char message[200];
    int iterations, linear_solves;
    int64_t impacts_next, accumulations_next; /* of this step */
    double independence;
    /* mass */
    inertia M; /* constant, or of the last system_mass */
    bool mass_constant;
    inertia A; /* M + ... of the scheme (scheme_metric); not used when has_A is false */
    bool has_A;
    mo_metric K, C; /* entries NULL: none */
    double *K_entries, *C_entries;
    /* gaps at the point of the last system_rows */
    double *g, *G, *gt;      /* [m], [m n], [m] */
    size_t *G_begin, *G_end; /* [m] entries of a row of G before and from these are zero */
    bool rows_known;         /* linear gaps: G and gt stay */
    double *e;               /* [m] restitution of the last system_restitution */
    double *T;               /* [m n] tangents of the last system_tangents; NULL without friction */
    /* velocity problem */
    size_t *J, J_count; /* gaps that take part, rising; [m] */
    double *bound;      /* [m] by gap */
    size_t *work_set;   /* [m] gaps that may push, a part of J */
    bool *in_work;      /* [m] */
    mo_projector *projector;
    double *square;   /* growing memory of the reduced problem */
    double *Y_work;   /* the same of rows L^-1 G that are not kept */
    const double **Y; /* [m] or [2 m] with friction: rows of the problem at hand */
    double *d, *push; /* the same lengths: right sides and multipliers */
    size_t square_room, Y_room;
    size_t *guess;        /* [m] */
    double *unit;         /* [n] square roots of the diagonal of M at the start: makes freedoms comparable */
    double *unit_inverse; /* [n] 1 / that diagonal */
    double *dense[3];     /* [n n] Fq, Fu, Jacobian; made on first use */
    inertia jacobian;     /* its factor */
    double *scratch[6];   /* [n] each: 0-2 of the velocity problem, 3-5 of evaluators, energies, residual */
    double *q_star, *u_star; /* [n] point of the force */
    double *F, *free, *y;    /* [n] behind stage.F and stage.free; the iterate */
    double *base;            /* [n] of schemes, for stage.q_base */
    event_list events;
    bool start_events; /* events of the start were not yet part of a step */
    double start_energy;
    void *own;       /* memory of the scheme */
    double *memory;  /* all arrays of known length */
    double *tableau; /* growing memory of pivoting.h, and its basis */
    size_t *basis, tableau_room, basis_room;
    double *coefficients; /* [2 m] copies of friction and tangential restitution; NULL without friction */
};

extern const scheme_ops moreau_ops, moreau_jean_ops, paoli_schatzman_ops, mabrouk_ops, bernicot_lefebvre_ops,
    compliant_ops, event_driven_ops, alpha_ops;

/* Sets outcome and message; NOT_MADE when the outcome says so, else MO_OK. */
mo_status system_trouble(mo_system *s, mo_system_outcome outcome, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* MO_BAD_INPUT names the first thing wrong with a definition (all but what needs evaluation). */
mo_status system_check(const mo_system_def *def, mo_error *err);

/* ---- rows of gaps ---------------------------------------------------------------------------------- */

/* G_a u */
static inline double gap_rate(const mo_system *s, size_t a, const double *u)
{
    size_t begin = s->G_begin[a];
    return vec_dot(s->G_end[a] - begin, s->G + a * s->n + begin, u + begin);
}

/* y := y + c G_a */
static inline void gap_push(const mo_system *s, size_t a, double c, double *y)
{
    size_t begin = s->G_begin[a];
    vec_add(s->G_end[a] - begin, c, s->G + a * s->n + begin, y + begin);
}

static inline bool gap_has_gradient(const mo_system *s, size_t a)
{
    return s->G_begin[a] < s->G_end[a];
}

/* G_begin and G_end after a change of G */
void rows_find_ends(mo_system *s);

/* ---- differences ---------------------------------------------------------------------------------- */

/* Derivative from the values at these points times d, of fourth order; equal values cancel to the bit. */
static const double four_points[4] = {-2, -1, 1, 2};
static inline double slope_of_four(const double value[4], double d)
{
    return (8 * (value[2] - value[1]) - (value[3] - value[0])) / (12 * d);
}

/* ---- evaluators: NOT_MADE when something is not finite ------------------------------------- */

/* F without K and C; zeros when there is none.  Fq, Fu [n n], both or none: by the user or by differences. */
mo_status system_force(mo_system *s, double t, const double *q, const double *u, double *F, double *Fq,
                       double *Fu, mo_error *err);
/* F - K q - C u */
mo_status system_full_force(mo_system *s, double t, const double *q, const double *u, double *F,
                            mo_error *err);
/* s->M := M(t, q), factored; nothing to do when it is constant. */
mo_status system_mass(mo_system *s, double t, const double *q, mo_error *err);
/* Values only, into g [m]. */
mo_status system_gaps(mo_system *s, double t, const double *q, double *g, mo_error *err);
/* s->g, s->G, s->gt at (t, q). */
mo_status system_rows(mo_system *s, double t, const double *q, mo_error *err);
/* Second derivatives of the gaps along (1, u), into c [m].  Overwrites s->g, s->G, s->gt unless linear. */
mo_status system_curvature(mo_system *s, double t, const double *q, const double *u, double *c,
                           mo_error *err);
mo_status system_restitution(mo_system *s, double t, const double *q, mo_error *err);
mo_status system_tangents(mo_system *s, double t, const double *q, mo_error *err);
/* 1/2 u.M(t, q)u; evaluates the mass when it is not constant. */
mo_status system_kinetic(mo_system *s, double t, const double *q, const double *u, double *kinetic,
                         mo_error *err);
/* 1/2 u.M u with the mass of the last evaluation */
double kinetic_at_hand(mo_system *s, const double *u);
/* 1/2 u.M'u, M' along (1, u): what a mass that changes adds to the kinetic energy besides u.M a.  By
   differences over 4 d; overwrites s->M unless it is constant, and scratch 3 and 5. */
mo_status system_inertial_power(mo_system *s, double t, const double *q, const double *u, double d,
                                double *power, mo_error *err);
/* V(t, q) + 1/2 q.K q */
mo_status system_potential(mo_system *s, double t, const double *q, double *V, mo_error *err);

/* ---- velocity problem --------------------------------------------------------------------------- */

/* Adds gap a to J; NOT_MADE when it has no gradient. */
mo_status activate(mo_system *s, size_t a);
/* J := the gaps with s->g + slope (G u + gt) <= contact_tolerance; slope 0: of the values alone.  NOT_MADE
   when one of them has no gradient. */
mo_status active_set(mo_system *s, double slope, const double *u);
/* J := all gaps */
void all_gaps(mo_system *s);
/* bound := - e (G u + gt) - gt for the gaps of J: the law of impact on the shifted velocity. */
void bound_impact(mo_system *s, const double *u);
/*
 * y := the velocity nearest to y in the metric A with G_a y >= bound_a for a in J; lambda_next of J.  Gaps
 * enter one by one as they are violated; none violated costs no projection.
 */
mo_status velocity_project(mo_system *s, inertia *A, double *y, mo_error *err);
/* The same with Coulomb friction along s->T; u: velocity before, for the tangential restitution. */
mo_status velocity_friction(mo_system *s, inertia *A, const double *u, double *y, mo_error *err);
/*
 * Nearest point to 0 of {x : Y_j.x >= d_j, j < k}, rows [k n] by pointers: lambda [k] with x = sum of
 * lambda_j Y_j.  guess: rows that may be active.
 */
mo_status nearest_by_rows(mo_system *s, size_t k, const double *const *Y, const double *d,
                          const size_t *guess, size_t guess_count, double *lambda,
                          mo_projection_outcome *outcome, mo_error *err);
/* Whether so many gaps are better projected onto by nearest_by_gaps: a sparse metric, sparse rows. */
bool gaps_are_many(const mo_system *s, const inertia *A, size_t count, const size_t *gaps);
typedef struct gap_problem {
    size_t count, equalities; /* the first so many with = */
    const size_t *gaps;       /* [count] */
    const double *factor;     /* [count] of the rows; NULL: 1 */
    const double *bound;      /* [count] */
    const double *from;       /* [n] */
    const double *first;      /* [count] multipliers to begin with; NULL: none */
} gap_problem;
/* x := nearest to `from` in the metric A with factor_k G_k x >= bound_k, and its multipliers. */
mo_status nearest_by_gaps(mo_system *s, inertia *A, const gap_problem *p, double *x, double *lambda,
                          mo_projection_outcome *outcome, mo_error *err);
void gap_rows_free(gap_rows *rows);
/* Trouble of a projection whose numbers came out of the step itself. */
mo_status numbers_out_of_range(mo_system *s);
/*
 * Solves the problem of the head of this file with s->stage as filled by the scheme, J and bound: u_next,
 * lambda_next, stage.F, stage.free.  relinearise: NULL, or called with every iterate of u_f (and
 * stage.free) to renew rows, J and bounds.
 */
typedef mo_status (*relinearise_fn)(mo_system *s, const double *u_f, mo_error *err);
mo_status system_solve(mo_system *s, relinearise_fn relinearise, mo_error *err);
/* s->A := M + c C + k K where there is K or C; once when M is constant, else call it after system_mass. */
mo_status scheme_metric(mo_system *s, double c, double k, mo_error *err);
/* Whether F depends on u_f through the stage. */
bool stage_implicit(const mo_system *s);
/* q_star and u_star for the velocity u_f. */
void stage_place(mo_system *s, const double *u_f);
/* q_star, u_star and F, the mean of the force over the times of the stage, for the velocity u_f. */
mo_status stage_force(mo_system *s, const double *u_f, double *F, mo_error *err);
/* r := w (F - K q* - C u*) - M (u_f - u_i), after stage_force. */
void stage_push(mo_system *s, const double *u_f, const double *F, double *r);
/* Length of a velocity with every freedom weighed by its own mass. */
double speed_norm(const mo_system *s, const double *u);
/* |u| in the kinetic norm of s->M; overwrites scratch 3. */
double speed_kinetic(mo_system *s, const double *u);
/* s->stage := force at (t, q_base) and velocity u_i + blend (u_f - u_i), weight h; the usual case. */
void stage_set(mo_system *s, double t, const double *q_base, double along, double blend);
/* The law of impact (C2) at (t, q): u is changed, J and lambda_next say by what; changed: whether it was not
   admissible. */
mo_status impact_apply(mo_system *s, double t, const double *q, double *u, bool *changed, mo_error *err);

/* ---- after the step ------------------------------------------------------------------------------- */

/* Adds an event with `count` gaps; they are copied. */
mo_status events_add_gaps(mo_system *s, double t, mo_event_type type, double size, const size_t *gaps,
                          size_t count, mo_error *err);
/* contact, impact, release of the step from lambda before and after. */
mo_status events_of_step(mo_system *s, mo_error *err);
/* How far u_next is from the bound of gap a, over the speeds that were added up: fast = speed_norm of u_next
   and of free. */
double gap_residual(const mo_system *s, size_t a, double fast);
/* Recomputed residual of the inclusion, from the stage. */
mo_status system_residual(mo_system *s, double *residual, mo_error *err);
/* Energies at the end of the stage: info.energy is advanced in `energy`. */
mo_status system_energies(mo_system *s, double t_f, mo_system_energy *energy, mo_error *err);

/* q := base + c u */
void advance(size_t n, const double *base, double c, const double *u, double *q);

#endif
