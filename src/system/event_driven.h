/*
 * Inside of the event-driven scheme: a flight between events, with a fixed set J of gaps that are held
 * closed.
 *
 * Letters: y = (q, u, P, W) with the impulses P of the gaps and the work W since the beginning of the step,
 * so that the integrator adds them up; a = u' acceleration, mu = P' multipliers (forces); rate = G u + gt; c
 * second derivative of a gap along (1, u).  A gap touches when it is at most `near`.  What falls from the
 * height `near` is at rest: rates up to `rest`, sqrt(2 near |g''|), are zero for a gap that touches.
 */
#ifndef SYSTEM_EVENT_DRIVEN_H
#define SYSTEM_EVENT_DRIVEN_H

#include "math/dormand_prince.h"
#include "system/internal.h"

enum { FLIGHT_SAMPLES = 13 /* points of a trial where gaps are looked at */ };

typedef struct flight {
    mo_system *s;
    size_t n, m, N; /* N = 2 n + m + 1, length of y */
    double t;       /* time of y */
    double delta;   /* length of the next trial as errors have it */
    double shortest;
    double loss, gain; /* J, of the step; largest gain at one impact */
    double worst;      /* largest residual of the step */
    double error;      /* of the last trial, over what is allowed */
    double pull;       /* largest acceleration without gaps in the last trial (speed_norm) */
    long trials;
    double *y, *end, *point, *spare; /* [N] now, end of a trial, scratch */
    double *k[DP_STAGES];            /* [N] slopes; k[0] at (t, y) */
    double *free, *before, *p;       /* [n] acceleration without gaps; scratch */
    /* by gap, [m] */
    double *c, *g, *rate, *bend; /* at the last settle; bend: g'' without gaps, then g'' with J */
    double *round, *near, *rest; /* what rounding makes of a gap; see above */
    double *still;               /* rates up to this are rounding */
    double *floor;               /* multipliers up to this are nothing */
    double *steep;               /* |G| |u| + |gt|: a rate that no direction of u exceeds */
    double *shift;               /* what gaps far below zero are lifted by when they are watched */
    double *hit;                 /* rate after an impact at this time that it was approached in; 0: none */
    double *sample[FLIGHT_SAMPLES];
    bool *held, *told;    /* in J; in J as the events know it */
    bool *resting, *join; /* touches at rest; is to be held too */
    bool *due, *dropped;  /* its root was just found; its multiplier just vanished */
    /* J and the problem with its rows */
    size_t *list, count;          /* J, rising */
    size_t *rows;                 /* gaps of a problem or an event */
    metric_factor W;              /* Delassus' matrix Y Y^T of J */
    size_t *kept, kept_count;     /* the J that Y and W are for where neither mass nor rows change; 0: none */
    double *W_entries, *Y_memory; /* [J J], [J n] */
    size_t W_room, Y_room;
    const double **Y; /* [m] L^-1 G of J */
    double *d, *push; /* [m] right sides and multipliers of J */
    mo_error *err;
} flight;

mo_status flight_create(mo_system *s, mo_error *err);
void flight_release(mo_system *s);

/* ---- event_driven_flow.c ------------------------------------------------------------------------ */

/* J := the gaps marked in held */
void flight_list_held(flight *f);
/* y' at a point with J held: G a + c = 0.  *stuck: the rows of J depend on each other. */
mo_status flight_slope(flight *f, double t, const double *y, double *k, bool *stuck);
/* Y := L^-1 G of the gaps of a list, from the rows at hand.  NOT_MADE when a gradient is zero. */
mo_status flight_rows(flight *f, const size_t *list, size_t count);
/* One step of the pair to t_end: k, end, error. */
mo_status flight_trial(flight *f, double t_end, bool *stuck);
/* y(theta) of the last trial, whose length was delta. */
void flight_dense(const flight *f, double delta, double theta, double *y);
/* y := the nearest point with g = 0, then the nearest velocity with g' = 0 on J, counted as loss. */
mo_status flight_return(flight *f, bool *stuck);

/* ---- event_driven_settle.c ---------------------------------------------------------------------- */

/*
 * Impacts at (t, y) until no gap that touches is approached, then J by Gauss' principle (M99 8.4) and k[0].
 * *stuck: neither found nor disproved.
 */
mo_status flight_settle(flight *f, bool *stuck);
/* Contact and release events of what J has become, at time t. */
mo_status flight_tell(flight *f, double t);
/* Length of a trial after which the gaps just left may be met again. */
double flight_hop(const flight *f);

/* ---- event_driven_watch.c ----------------------------------------------------------------------- */

typedef struct sighting {
    double safe;  /* part of the trial to try instead; 1: all of it is understood */
    double theta; /* first event; > 1: none */
    size_t gap;   /* of the event */
    bool release; /* the multiplier of the gap vanishes; else the gap closes */
    bool ties;    /* gaps at rest outside J (marked in join) are left through: they may have to be held */
} sighting;

/* What happened in the last trial, from (t, y) over delta.  tied: gaps at rest are no ties any more. */
mo_status flight_watch(flight *f, double delta, bool tied, sighting *seen);

#endif
