/*
 * Inside of the excess of a moving set at two times: what its parts share.
 */
#ifndef SWEEP_EXCESS_H
#define SWEEP_EXCESS_H

#include "core/arena.h"
#include "sweep/faces.h"
#include "sweep/internal.h"

struct excess_memory {
    arena work; /* empty between calls */
    face_list faces;
};

/* Values of one leaf at one time. */
typedef struct leaf_values {
    double *shift, *a, *b;
} leaf_values;

/* Rows A (y - x) >= b of a set at one time. */
typedef struct dense_rows {
    size_t count;
    double *A, *b;
} dense_rows;

/* Both times. */
typedef struct excess_pair {
    moving *m;
    struct excess_memory *memory;
    const double *x;
    double s, t;
    leaf_values *before; /* at s; at t they are in the leaves */
    double *d;           /* [n] C(s) = C(t) + d, for translates */
    dense_rows rows_s, rows_t;
    double *forward, *backward;
    bool *exact;
    mo_error *err;
} excess_pair;

/* Doubles that live until the call ends; NULL when there are none. */
double *excess_push(excess_pair *p, size_t count);
double *excess_push_copy(excess_pair *p, size_t count, const double *from);
mo_status excess_no_memory(mo_error *err);

/* Polyhedra rows_s and rows_t; *done: false when they are too large. */
mo_status excess_polyhedra(excess_pair *p, bool *done);
/* Lower bounds at sample points near x; m is at time t before and after. */
mo_status excess_sampled(excess_pair *p);

#endif
