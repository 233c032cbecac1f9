/*
 * Inside of the sweeping processes: a moving set made ready for evaluation and projection, the process, and
 * what its methods share.
 *
 * Letters: n unknowns, x point, z point to project, g gaps, gt their derivatives by t, u_i and u_f the
 * process at the beginning and the end of a step [t_i, t_f] of length h, f the field, lambda multipliers.
 */
#ifndef SWEEP_INTERNAL_H
#define SWEEP_INTERNAL_H

#include <moreau/sweep.h>

#include "convex/metric.h"
#include "core/arena.h"

/*
 * Private status of a step that was not made for a numerical reason: outcome and message are in the moving
 * set (moving_trouble).  mo_sweep_step and the public functions of sets turn it into their own words.
 */
#define STEP_NOT_MADE ((mo_status)1000)

enum { MOVING_DEPTH = 16 }; /* of nested translations and intersections */

/* ---- a moving set made ready ------------------------------------------------------------------ */

/* A set without children, under the translations above it. */
typedef struct moving_leaf {
    const mo_moving_set *set;
    size_t gap_first, gap_count;     /* its multipliers */
    bool shifted;                    /* there are translations above it */
    double *shift, *shift_rate;      /* [n] their sum at time t */
    double *a, *a_rate, *b, *b_rate; /* values of set->a and set->b at time t */
    size_t a_count, b_count;
} moving_leaf;

/*
 * Gaps linearised at a point: g + A (y - x).  Rows rise by (leaf, first, second), the names of mo_sweep_hold:
 * first = gap and second = SIZE_MAX, or for discs the pair gap_first + i, gap_first + j (walls: gap_first +
 * discs + wall).  A is dense [count n] when start is NULL.
 */
typedef struct gap_rows {
    size_t count;
    size_t *first, *second;
    uint32_t *leaf;
    double *g, *gt; /* gt only after moving_set_time(..., true) */
    double *norm;   /* |row of A| */
    double *lambda; /* multipliers of the last projection: x - z = A^T lambda; 0 after linearising */
    double *b;      /* right sides of the last polyhedron */
    double *A;
    size_t *start;
    uint32_t *column;
    double t; /* time of the gradients; NaN when unknown */
    size_t capacity, entry_capacity;
} gap_rows;

typedef struct disc_grid disc_grid; /* discs.c */

/* Gaps that hold the point, in the order of rows. */
typedef struct hold_list {
    mo_sweep_hold *items;
    uint32_t *leaf; /* [count] */
    size_t count, capacity;
} hold_list;

typedef struct moving {
    const mo_moving_set *set;
    size_t n, gap_count, leaf_count;
    moving_leaf *leaves;
    bool sparse;  /* rows are sparse */
    bool linear;  /* all gaps are linear in x */
    bool flat;    /* the same, and none is a function of the user's */
    bool convex;  /* all gaps are concave in x: linearisations contain the set */
    bool discs;   /* some leaf is of discs: rows are those within a margin */
    bool by_prox; /* MO_MOVING_CONVEX: no gaps */
    bool moves;   /* something depends on time */
    double t;
    bool rates;    /* derivatives by t are there */
    gap_rows rows; /* of the last linearisation */
    double tol;    /* of projections */
    int max_iter;
    /* what is known of the last projection */
    mo_sweep_outcome outcome;
    char message[200];
    int iterations;
    mo_projector *projector;
    mo_set_workspace *workspace;
    disc_grid *grid;
    double *memory;        /* the arrays of the leaves */
    double *shift_stack;   /* [2 n MOVING_DEPTH] */
    double *point;         /* [n] scratch of the evaluator */
    gap_rows spare;        /* a second list of rows: certificates, tangent spaces */
    double usual;          /* distance |x - z| up to which the curvature need not be looked at */
    const hold_list *warm; /* names of rows that may be active in the next projections; may be NULL */
    double warm_span;      /* time that makes their rates multipliers of the projection */
    size_t *guess;         /* the same as numbers of rows */
    size_t guess_count, guess_capacity;
    bool large;           /* the last linear projection was done by the method for large problems */
    metric_factor newton; /* Hessian of the Lagrangian (newton.c) */
    arena work; /* scratch of whoever runs; take a mark first (arena_here), go back to it (arena_back) */
    struct excess_memory *excess; /* made on first use; moving_destroy calls excess_memory_free */
} moving;

/* The set must be checked.  Starts at no time: call moving_set_time first. */
mo_status moving_create(const mo_moving_set *set, moving **out, mo_error *err);
void moving_destroy(moving *m);

/* Evaluates every function of time; with rates also the derivatives.  Nothing is done when t is the time
   already.  STEP_NOT_MADE when a value is not finite. */
mo_status moving_set_time(moving *m, double t, bool rates, mo_error *err);
/* Values of all gaps at x [gap_count]; for discs the smallest gap of each disc. */
mo_status moving_gaps(moving *m, const double *x, double *g, mo_error *err);
/* m->rows := gaps at x with their gradients (and gt when there are rates), all of them, of discs those with
   gap <= margin. */
mo_status moving_linearise(moving *m, const double *x, double margin, mo_error *err);
/* The same rows at another point or time; lambda stays. */
mo_status moving_relinearise(moving *m, const double *x, mo_error *err);
/* The two above into another list than m->rows. */
mo_status linearise_into(moving *m, gap_rows *rows, const double *x, double margin, mo_error *err);
mo_status relinearise_into(moving *m, gap_rows *rows, const double *x, mo_error *err);
/* Forgets the rows with g > limit |grad g|. */
void rows_keep_near(gap_rows *rows, size_t n, double limit);
/* {y : A y >= b}, A the rows, b [count]. */
mo_polyhedron rows_polyhedron(const gap_rows *rows, size_t n, const double *b);
/* row i times y; y += s times row i */
double row_dot(const gap_rows *rows, size_t n, size_t i, const double *y);
void row_add(const gap_rows *rows, size_t n, size_t i, double s, double *y);
/* For a pair of discs the second disc's multiplier, else SIZE_MAX. */
size_t row_partner(const moving *m, uint32_t leaf, size_t second);

/*
 * x := the point of C(t) nearest to z, t that of moving_set_time; near: a point near the set, tried when
 * linearising at z leads nowhere, may be NULL; x may be z.  Leaves m->rows at x with multipliers, outcome,
 * message and iterations.  STEP_NOT_MADE for the outcomes that leave no point.
 */
mo_status moving_project(moving *m, const double *z, const double *near, double *x, mo_error *err);

/*
 * p := the point of {A p >= b} nearest to `from`, A and b those of m->rows, rows.lambda its multipliers;
 * starts from m->guess (sparse rows: from rows.lambda) and leaves the active rows there.  STEP_NOT_MADE when
 * it is empty.
 */
mo_status rows_project(moving *m, const double *from, double *p, mo_error *err);
/* m->guess := the rows named in m->warm, and their multipliers to start with. */
mo_status rows_guess(moving *m, mo_error *err);

/* Sets outcome and message; returns STEP_NOT_MADE when the outcome says so, else MO_OK. */
mo_status moving_trouble(moving *m, mo_sweep_outcome outcome, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- the process ------------------------------------------------------------------------------ */

struct mo_sweep {
    mo_sweep_def def;
    moving *m;
    mo_status (*step)(mo_sweep *s, mo_error *err);
    size_t n;
    double *memory;    /* of the arrays of numbers */
    double t_i, t_f;   /* of the step being made */
    double *x;         /* [n] u_i; after the step u_f */
    double *f;         /* [n] field at (t_i, u_i), 0 when there is none */
    double *z, *point; /* [n] what was projected, and the projection, with m->rows there: certificate */
    double span;       /* |point - z - A^T lambda| / span is the stationarity; 0: leave next_info's */
    double *next;      /* [n] u_f, written by the method */
    double *spare_f;   /* [n] fields at other points */
    double *scratch;   /* [4 n] of the methods */
    double *lambda;    /* [gap_count] rates of the last step */
    hold_list holds, next_holds; /* of the step before, and written by the method */
    mo_event *events;
    size_t *event_gaps;
    size_t event_count, event_capacity, event_gap_count, event_gap_capacity;
    mo_sweep_info info;
    mo_sweep_info next_info; /* filled by the method: outcome, message, iterations, jumps, accumulations */
    double reach; /* what step.c looks at to suspect a jump, of the last step without one: what is usual */
    double moved; /* |u_f - u_i| of the last step */
    double way;   /* length of the way from u_i to u_f by a method that knows it, else negative: straight */
    struct event_memory *event_memory; /* event_driven.c and jump.c; made on first use, mo_sweep_destroy calls
                                          event_memory_free */
};

/*
 * Methods.  Each reads x, t_i, t_f and writes next, next_holds (with rates), next_info (of the step, and the
 * counts of jumps and accumulations on top of those of info) and events; x, info, holds stay as they are.
 * The certificate, sums and the commit follow in step.c.
 */
mo_status catching_up_step(mo_sweep *s, mo_error *err);
mo_status theta_step(mo_sweep *s, mo_error *err);
mo_status penalty_step(mo_sweep *s, mo_error *err);
mo_status lazy_step(mo_sweep *s, mo_error *err);
mo_status event_driven_step(mo_sweep *s, mo_error *err); /* event_driven.c */
void event_memory_free(mo_sweep *s);                     /* event_driven.c */

/* s->f := f(t, u), zeros without a field. */
mo_status sweep_field(mo_sweep *s, double t, const double *u, double *f, mo_error *err);
/* next_holds := the rows of s->m with lambda > 0, their multipliers times rate (1 / h after a projection). */
mo_status holds_from_rows(mo_sweep *s, double rate, mo_error *err);
/* Takes outcome, message and iterations of the last projection into next_info; the worst outcome stays. */
void sweep_note_projection(mo_sweep *s);
/* Ends of methods that project: point, span and holds from m->rows, multipliers times rate. */
mo_status sweep_projected(mo_sweep *s, double span, double rate, mo_error *err);
/* Events of the step.  Gaps are copied. */
mo_status event_add(mo_sweep *s, double t, mo_event_type type, double size, const size_t *gaps,
                    size_t gap_count, mo_error *err);
/* Contact and release events at t from the difference of two lists. */
mo_status events_of_change(mo_sweep *s, double t, const hold_list *before, const hold_list *after,
                           mo_error *err);

/* ---- jumps and excess --------------------------------------------------------------------------- */

/*
 * Whether the set leaps over x in (t_i, t_f]: a gap at x falls by more than its rate can explain at every
 * scale down to 1e-12 of the step.  t_jump is the right end of the last bracket, so that C(t_jump) is the set
 * after the jump.  (jump.c)
 */
mo_status jump_find(mo_sweep *s, double t_i, double t_f, const double *x, bool *found, double *t_jump,
                    mo_error *err);

/*
 * e(C(s), C(t)) and e(C(t), C(s)) with the memory of m; allocates only while m is new.  exact is set to false
 * for lower bounds, else left alone.  (excess.c; mo_moving_set_excess makes a moving of its own)
 */
mo_status excess_between(moving *m, double s, double t, const double *x, double *forward, double *backward,
                         bool *exact, mo_error *err);
void excess_memory_free(moving *m);

#endif
