/*
 * Inside of the event-driven method: the flow between events, with a fixed set J of gaps that hold the point.
 *
 * Letters: J rows held, mu their multipliers (rates), v = u' velocity, f field.
 */
#ifndef SWEEP_EVENT_DRIVEN_H
#define SWEEP_EVENT_DRIVEN_H

#include "core/arena.h"
#include "math/dormand_prince.h"
#include "sweep/internal.h"
#include "sweep/leap.h"

enum { FLOW_STAGES = DP_STAGES, FLOW_INNER = DP_INNER };

/* Some of the rows of a set, copied one after the other for a projection. */
typedef struct row_subset {
    double *A;
    uint32_t *column;
    size_t *start;
    size_t entry_capacity, start_capacity;
} row_subset;

struct event_memory {
    arena work; /* of one step; empty between steps */
    row_subset subset;
    hold_list held; /* as the events know it */
};

/*
 * The point on its way through a step.  Rows are those of m, evaluated at the last point looked at; which
 * ones there are changes only in flow_decide.
 */
typedef struct flow {
    mo_sweep *s;
    moving *m;
    struct event_memory *memory;
    size_t n;
    double t;               /* time of x */
    double *x;              /* [n] */
    double size;            /* lengths below 1e-16 of this are nothing */
    double near;            /* gaps up to this length touch */
    double delta;           /* length of the next trial */
    double margin;          /* discs: rows are those with a gap up to this */
    double speed;           /* |v| of the last decision or trial */
    double *f, *scratch;    /* [n] */
    arena_mark after_begin; /* where the arrays of a decision begin */
    /* of a decision, [rows] */
    size_t row_count;
    size_t *held, held_count; /* J: rows, rising */
    size_t *place;            /* of a row in held, SIZE_MAX: not there */
    size_t *touching;         /* rows with gap <= near, rising */
    size_t touching_count;
    double *gap, *gap_rate; /* g / |grad g| and its rate along the motion at the beginning */
    double *mu;             /* [held_count], by place */
    double *lambda, *b;     /* of a projection */
    double *shift;          /* what is added to event functions so that they are positive at the beginning */
    double *begin;          /* event functions at the beginning */
    double *low, *high, *now;  /* event functions at the ends of a bracket and at the last point */
    double *inner[FLOW_INNER]; /* event functions at the stages inside a trial */
    double off[FLOW_INNER]; /* how far these stages are from g_J = 0, which gaps like those of J may be too */
    /* of a trial */
    double *k[FLOW_STAGES]; /* [n] velocities; k[0] at (t, x) */
    double *end;            /* [n] where the trial ends */
    double error;           /* estimate, a length */
    double way;             /* length of the way to the end */
    double safe; /* part of the trial that shows no event or is to be looked at again; 1: all of it */
    mo_error *err;
} flow;

/* Room for a step that begins at x. */
mo_status flow_begin(flow *f, mo_sweep *s, mo_error *err);

/*
 * J and v = k[0] at (t, x): the velocity nearest to f that leads out of no touching gap (M99 (15)).
 * STEP_NOT_MADE when there is none.  *stuck: neither found nor disproved.
 */
mo_status flow_decide(flow *f, bool *stuck);
/* J := the rows marked in place (not SIZE_MAX), velocity at the beginning anew. */
mo_status flow_hold_marked(flow *f, bool *stuck);
/* One Runge-Kutta step to t_end with J held, brought back to g_J = 0: end, error, safe, and rows, mu and
   event functions (now) at the end. */
mo_status flow_trial(flow *f, double t_end, bool *stuck);
/* Whether an event function is negative.  They are mu on J, gaps as lengths elsewhere, plus shift. */
bool flow_has_event(const flow *f, const double *values);

/* y := the point nearest to z with A y >= f->b (or =) for the rows of a list; multipliers to f->lambda */
mo_status flow_project(flow *f, const size_t *list, size_t count, bool equal, const double *z, double *y,
                       mo_projection_info *info);
/* v and mu at a point with J held; rows are left there. */
mo_status flow_velocity(flow *f, double t, const double *x, double *v, bool *stuck);

/* ---- a step on its way ---------------------------------------------------------------------------- */

typedef enum ending { GOING, FINISHED } ending;

/* A step on its way. */
typedef struct passage {
    flow f;
    mo_sweep *s;
    double shortest; /* no trial is shorter */
    size_t events, at_once, trials;
    double last_event, interval, interval_before; /* time of the last event, since the one before, ... */
    size_t shrinking;
    bool after_jump; /* nothing was integrated since a jump */
} passage;

/* A list of what holds, copied. */
mo_status passage_copy_holds(hold_list *to, const hold_list *from, mo_error *err);
/* next_holds := J; multipliers as they are, or 1 for those not positive when all are wanted. */
mo_status passage_list_held(flow *f, bool all);
/* Events of what J has become at time t, when J has lasted for a while. */
mo_status passage_tell_change(passage *p, double t);
/* x := prox(C(t), z); rows and multipliers of the projection are left in m. */
mo_status passage_project(passage *p, double t, const double *z);
/* u+ = prox(C(t), u-); a set that leaps away from the point leaves it where it is. */
mo_status passage_jump(passage *p, double t);
/* Switches pile up: the rest of the step by catching-up. */
mo_status passage_give_up_events(passage *p, ending *end);
/* The integrator cannot go on: the same, not converged. */
mo_status passage_give_up_flow(passage *p, const char *why, ending *end);

/* First leap of a gap at the fixed point x in (t_i, t_f]; below: only where the gap falls below zero. */
mo_status set_leap_find(mo_sweep *s, double t_i, double t_f, const double *x, bool below, leap *out,
                        mo_error *err);

/* The memory of event-driven steps and of jump_find. */
mo_status event_memory_get(mo_sweep *s, struct event_memory **out, mo_error *err);

#endif
