/*
 * Sweeping processes: a point u caught by a moving set C(t) of R^n,
 *
 *     -du + f(t, u) dt  in  N_{C(t)}(u),        u(0) = x,
 *
 * du the differential measure of u, N the normal cone, f a perturbation (none: Moreau's own process).  Sets
 * are given by gaps g_alpha(t, x) >= 0; then du = f dt + sum of grad g_alpha dlambda_alpha with
 * dlambda_alpha >= 0 and zero where g_alpha > 0 (M99 (16)).  The mathematics, the methods and what is proved
 * about them are in docs/theory/sweeping.md.
 *
 * Numerical outcomes (an empty set, a projection that did not converge) are in mo_sweep_info, never silent.
 */
#ifndef MOREAU_SWEEP_H
#define MOREAU_SWEEP_H

#include <moreau/base.h>
#include <moreau/convex.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- moving sets ------------------------------------------------------------------------------ */

/* Numbers that may depend on time.  The function writes the values and, unless rate is NULL, their
   derivatives to the right; a status other than MO_OK ends the step with it. */
typedef struct mo_timed {
    const double *value; /* constant; NULL: zeros.  Not read when there is a function */
    mo_status (*function)(void *data, double t, double *value, double *rate, mo_error *err);
    void *data;
} mo_timed;

/* Gaps by the user: g [m], and unless NULL gx [m n] the gradients, gt [m] the derivatives by t. */
typedef mo_status (*mo_gap_function)(void *data, double t, const double *x, double *g, double *gx, double *gt,
                                     mo_error *err);

typedef enum mo_moving_kind {
    MO_MOVING_BALL,       /* |x - a| <= b; a [n], b [1].  One gap, b - |x - a| */
    MO_MOVING_BOX,        /* |x_i - a_i| <= b_i.  2 n gaps: x_1 - a_1 + b_1, a_1 + b_1 - x_1, x_2 ... */
    MO_MOVING_POLYHEDRON, /* a x >= b; a [rows n], b [rows].  Gaps a x - b, not normalised; rows = 1 is a
                             half-space */
    MO_MOVING_GAPS,       /* gap function, rows gaps; smooth, need not be convex: any prox-regular set */
    MO_MOVING_DISCS,      /* x = (x_1, y_1, x_2, ...): discs in the plane that overlap neither each other nor
                             walls */
    MO_MOVING_CONVEX,     /* a set of convex.h; alone or under translations.  No gaps, no multipliers */
    MO_MOVING_TRANSLATE,  /* the child + a, a [n] */
    MO_MOVING_INTERSECTION, /* of the children; their gaps one after the other */
} mo_moving_kind;

/* By value.  Arrays, functions and children belong to the caller and must outlive every use. */
typedef struct mo_moving_set mo_moving_set;
struct mo_moving_set {
    mo_moving_kind kind;
    size_t dim;    /* n */
    size_t rows;   /* polyhedron, gaps */
    mo_timed a, b; /* see the kinds */
    mo_gap_function gaps;
    void *data;  /* of gaps */
    bool linear; /* gaps: linear in x at every t, so that one projection is exact */
    const mo_set *convex;
    const double *radius; /* discs: [dim / 2], > 0 */
    const double *walls;  /* discs: [4 wall_count], segments x1 y1 x2 y2, touched from both sides */
    size_t wall_count;
    const mo_moving_set *children;
    size_t child_count;
};

mo_moving_set mo_moving_ball(size_t dim, mo_timed centre, mo_timed radius);
mo_moving_set mo_moving_box(size_t dim, mo_timed centre, mo_timed radius);
mo_moving_set mo_moving_polyhedron(size_t dim, size_t rows, mo_timed A, mo_timed b);
mo_moving_set mo_moving_gaps(size_t dim, size_t rows, mo_gap_function gaps, void *data);
mo_moving_set mo_moving_discs(size_t discs, const double *radius, size_t wall_count, const double *walls);
mo_moving_set mo_moving_convex(const mo_set *set);
mo_moving_set mo_moving_translate(const mo_moving_set *child, mo_timed by);
mo_moving_set mo_moving_intersection(size_t child_count, const mo_moving_set *children);

/* MO_BAD_INPUT when a constant parameter makes no sense, naming it. */
mo_status mo_moving_set_check(const mo_moving_set *set, mo_error *err);
/* Multipliers of the set: one per gap; for discs one per disc, the sum over what touches it. */
size_t mo_moving_set_multipliers(const mo_moving_set *set);
/* All gaps at (t, x), [mo_moving_set_multipliers]; for discs the smallest gap of each disc. */
mo_status mo_moving_set_gaps(const mo_moving_set *set, double t, const double *x, double *g, mo_error *err);

/*
 * Excess e(C(s), C(t)) = sup {d(x, C(t)) : x in C(s)} (M99 (20)).  Exact for balls, boxes, bounded polyhedra
 * of up to 6 unknowns and 64 rows, and translates of one of these or of a convex set; else a lower bound
 * taken at sample points of C(s) near x.  HUGE_VAL when C(t) is empty and C(s) is not.
 */
mo_status mo_moving_set_excess(const mo_moving_set *set, double s, double t, const double *x, double *excess,
                               bool *exact, mo_error *err);

/* ---- the process ------------------------------------------------------------------------------ */

typedef enum mo_sweep_method {
    MO_SWEEP_CATCHING_UP,  /* u_f = prox(C(t_f), u_i + h f) (M99 (19)) */
    MO_SWEEP_THETA,        /* u_f = (1 - 1/theta) u_i + (1/theta) prox(C(t_a), u_i + theta h f), M99 4.3 */
    MO_SWEEP_PENALTY,      /* du/dt = f + lambda (prox(C, u) - u) by implicit Euler (M99 (18)) */
    MO_SWEEP_LAZY,         /* u_f = u_i + h times the admissible right velocity nearest to f (M05 10, 20) */
    MO_SWEEP_EVENT_DRIVEN, /* u' from (M99 (15)), switches of the active set located in time */
} mo_sweep_method;

/* Name in scenes, e.g. "catching-up"; NULL when out of range. */
const char *mo_sweep_method_name(mo_sweep_method method);

typedef struct mo_sweep_def {
    const mo_moving_set *set; /* must outlive the process */
    const double *x;          /* [n] start; copied */
    double h;                 /* time step, > 0 */
    mo_sweep_method method;
    double theta;    /* [1/2, 1]; 1/2 */
    double lambda;   /* penalty, 1/s, > 0; 0: 10 / h */
    double tol;      /* of projections, relative to the motion in a step and the size of x; 1e-12 */
    int max_iter;    /* linearisations of one projection; 100 */
    bool retraction; /* add up retraction and variation of the set over the steps; true */
    /* f(t, u) [n]; NULL: none */
    mo_status (*field)(void *data, double t, const double *u, double *f, mo_error *err);
    void *data;
} mo_sweep_def;

mo_sweep_def mo_default_sweep_def(void);

typedef enum mo_sweep_outcome {
    MO_SWEEP_REACHED,
    MO_SWEEP_NOT_CONVERGED, /* the projection or the integrator missed its tolerance; the run can go on */
    MO_SWEEP_NOT_UNIQUE,    /* the point is farther from the set than its curvature allows: a nearest point
                               was found, but another one may be as near; the run can go on */
    MO_SWEEP_EMPTY,         /* C(t) is empty, or its linearisation is: the step was not made */
    MO_SWEEP_NO_GRADIENT,   /* a gap that holds the point has gradient zero: the step was not made */
    MO_SWEEP_NOT_FINITE,    /* a function gave NaN or infinity: the step was not made */
} mo_sweep_outcome;

/* Of the last step, then of the run.  Residuals are recomputed from the set at the end of the step. */
typedef struct mo_sweep_info {
    double time;
    int64_t steps;
    mo_sweep_outcome outcome;
    char message[200];   /* what is behind the outcome: gap, time, numbers; "" when reached */
    int iterations;      /* linearisations, or steps of the integrator */
    size_t active;       /* gaps that hold the point (lambda > 0) */
    double violation;    /* largest -g_alpha / |grad g_alpha| over gaps, a length; 0 when inside */
    double stationarity; /* |u_f - z - sum of grad g_alpha lambda_alpha h| / h: how far du is from the normal
                            cone, a velocity; methods that project */
    double complementarity; /* largest lambda_alpha g_alpha h over gaps */
    /* over the run */
    int64_t unconverged_steps; /* outcome other than reached */
    double worst_violation;
    double path_length; /* sum of |u_f - u_i|; event-driven: of the way itself */
    double retraction,
        variation;         /* sums of e(C_i, C_f) and of max(e(C_i, C_f), e(C_f, C_i)) over the steps */
    bool retraction_exact; /* false: lower bounds */
    int64_t jumps;
    double largest_jump;
    int64_t accumulations; /* event-driven */
} mo_sweep_info;

typedef enum mo_event_type {
    MO_EVENT_CONTACT,      /* gaps that begin to hold the point */
    MO_EVENT_RELEASE,      /* gaps that cease to */
    MO_EVENT_JUMP,         /* the set leapt over the point; size = |u+ - u-| */
    MO_EVENT_OUTSIDE,      /* the start lies outside C(0); size = distance */
    MO_EVENT_ACCUMULATION, /* event-driven: switches pile up; a catching-up step was made over them */
    MO_EVENT_IMPACT,       /* of systems: gaps that begin to push against a velocity; size = its jump */
} mo_event_type;

const char *mo_event_type_name(mo_event_type type); /* "contact", ... */

/* Times are located to 1e-12 of the step by the event-driven method (and jumps by all), else ends of steps.
 */
typedef struct mo_event {
    double t;
    mo_event_type type;
    double size;
    size_t gap_first, gap_count; /* in mo_sweep_events.gaps */
} mo_event;

typedef struct mo_sweep_events {
    size_t count;
    const mo_event *items;
    const size_t *gaps; /* numbers of gaps, from 0 */
} mo_sweep_events;

/* What holds the point, by rising gap; for discs pairs of discs, or disc and wall (second = discs + wall). */
typedef struct mo_sweep_hold {
    size_t first, second; /* gap and SIZE_MAX, or the pair */
    double gap, lambda;
} mo_sweep_hold;

typedef struct mo_sweep mo_sweep;

mo_status mo_sweep_create(const mo_sweep_def *def, mo_sweep **out, mo_error *err);
void mo_sweep_destroy(mo_sweep *sweep);
/* One step of h.  MO_OK also when the step was not made: look at the info.  Other statuses come from the
   functions of the set and the field, and from memory; the process is then as before the step. */
mo_status mo_sweep_step(mo_sweep *sweep, mo_error *err);

/* Pointers live until the next step. */
const mo_sweep_info *mo_sweep_info_get(const mo_sweep *sweep);
const double *mo_sweep_x(const mo_sweep *sweep);
/* lambda_alpha of the last step as rates: u_f - u_i = h (f + sum of lambda_alpha grad g_alpha); event-driven:
   at the end of the step, jumps apart. */
const double *mo_sweep_lambda(const mo_sweep *sweep);
const mo_sweep_hold *mo_sweep_holds(const mo_sweep *sweep, size_t *count);
/* Events of the last step, in the order of time. */
mo_sweep_events mo_sweep_events_get(const mo_sweep *sweep);
uint64_t mo_sweep_hash(const mo_sweep *sweep);

/* Everything a process needs to go on with the same bits: bytes of mo_sweep_state_size, for a process made
   from the same definition.  MO_BAD_INPUT when the bytes do not fit. */
size_t mo_sweep_state_size(const mo_sweep *sweep);
void mo_sweep_save(const mo_sweep *sweep, void *bytes);
mo_status mo_sweep_restore(mo_sweep *sweep, const void *bytes, size_t size, mo_error *err);

/* ---- comparison of solutions -------------------------------------------------------------------- */

/*
 * Hausdorff distance of the completed graphs of two functions given at points: (t_k, u_k) joined by segments,
 * jumps included, in the norm sqrt((rate dt)^2 + |du|^2), over the common time (M99 end of 6).  Times do not
 * fall.  Largest over the points of one against the segments of the other, both ways.
 */
mo_status mo_graph_distance(size_t dim, double rate, size_t count1, const double *t1, const double *u1,
                            size_t count2, const double *t2, const double *u2, double *distance,
                            mo_error *err);

#ifdef __cplusplus
}
#endif
#endif
