/* Inside of mo_projector: rows made unit in the metric, factors of the active ones, the dual iterate. */
#ifndef CONVEX_PROJECTOR_H
#define CONVEX_PROJECTOR_H

#include "convex/factors.h"
#include "convex/large.h"
#include "convex/metric.h"

typedef enum row_state { ROW_FREE, ROW_ACTIVE, ROW_ASIDE } row_state;

/* Room to ask the method for large sparse problems, and z as it was: x may take its place. */
typedef struct second_opinion {
    double *z, *x;                                  /* [n] */
    double *lambda;                                 /* [rows] */
    size_t *start;                                  /* [rows + 1] */
    uint32_t *column;                               /* [rows n] */
    size_t room_z, room_n, room_rows, room_entries; /* entries allocated */
} second_opinion;

/* Coordinates y = L^T (x - z), so that the metric is Euclidean and z the origin. */
struct mo_projector {
    metric_factor metric;
    size_t room_n, room_square, room_rows, room_G; /* entries allocated */
    size_t n, rows, equalities;                    /* of the problem at hand */
    double tol;                                    /* what counts as rounding, unit-free */
    double *G;                                     /* [rows n] unit rows L^-1 a_i / |L^-1 a_i| */
    double *d;                                     /* [rows] g_i.y >= d_i */
    double *inverse;                               /* [rows] 1 / |L^-1 a_i|, 0 for a zero row */
    double *scale;                                 /* [rows] size of the terms that cancel in d_i */
    unsigned char *state;                          /* [rows] row_state */
    factors f;
    size_t fixed;                 /* active equalities: the first ones among f.rows, never dropped */
    double *y;                    /* [n] */
    double *dv, *r, *step, *side; /* [n] scratch */
    double *farkas;               /* [n + 1] multipliers of the active rows and of row `farkas_row` */
    size_t farkas_row;
    size_t *guess; /* [n] copy of a guess that is f.rows itself */
    int iterations, cap;
    int aside_since;    /* iterations when a row was last set aside; -1: none is */
    double *expanded;   /* sparse rows made dense */
    double *first;      /* multipliers to begin the next call with */
    size_t first_count; /* 0: none */
    double aim;         /* of the next call, 0: none given */
    size_t room_expanded, room_first;
    large large;
    second_opinion second;
};

/* Room for a problem; false: no memory, all as before. */
bool projector_reserve(mo_projector *p, size_t n, size_t rows);

/* Fills G, d, inverse, scale and state. MO_BAD_INPUT names what is not finite. */
mo_status projector_load(mo_projector *p, const mo_polyhedron *set, const double *z, mo_error *err);

/* Runs the dual method from the given guess; leaves y, f and its multipliers. */
mo_projection_outcome projector_run(mo_projector *p, const size_t *guess, size_t guess_count);

/* Tries the method for large sparse problems on one left undecided; true: it has an answer or a proof with
   residuals up to the tolerance, and x, lambda (may be NULL) and info are its. */
bool projector_ask_again(mo_projector *p, const mo_polyhedron *set, const double *z, double tolerance,
                         double *x, double *lambda, mo_projection_info *info);

#endif
