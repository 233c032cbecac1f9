/*
 * Projection onto large sparse polyhedra: proximal method of multipliers with semismooth Newton steps.
 *
 * Coordinates v = x - z; rows made unit, g_i = a_i / |a_i| in the norm of M^-1, d_i = (b_i - a_i.z) / |a_i|:
 * least v.M v / 2 with g_i.v >= d_i, M v = sum of lambda_i g_i.  See docs/theory/convex.md §5.
 */
#ifndef CONVEX_LARGE_H
#define CONVEX_LARGE_H

#include "convex/metric.h"
#include "math/sparse_cholesky.h"

/* Zero it before the first use; it grows with the largest problem seen. */
typedef struct large {
    size_t n, rows, equalities;
    /* pattern of the last problem: what the factor and the slots are for */
    bool analysed;
    mo_metric_kind metric_kind;
    size_t metric_width, metric_pattern;
    size_t *start;    /* [rows + 1] */
    uint32_t *column; /* [entries] */
    sparse_cholesky factor;
    uint32_t *slot;        /* of the products of entries of a row: (k, l), l <= k, row after row */
    uint32_t *metric_slot; /* of the entries of the metric; identity: of the diagonal */
    /* scratch of the analysis: row_of[row_at[j]] ... are the rows with unknown j, near[near_at[j]] ... the
       unknowns that share a row or an entry of the metric with it */
    size_t *row_at, *near_at; /* [n + 2] */
    uint32_t *row_of, *near;
    /* the problem */
    double *g;                    /* [entries] unit rows */
    double *d, *inverse, *scale;  /* [rows] as in mo_projector */
    unsigned char *on, *factored; /* [rows] rows that push: now, in the factor */
    /* the iterate */
    double *v, *Mv, *kept;                   /* [n] kept: a copy of v */
    double *lambda;                          /* [rows] of unit rows */
    double *s;                               /* [rows] d - G v, followed step by step */
    double *before;                          /* [rows] lambda of the round before */
    double *gradient, *step, *M_step, *side; /* [n] */
    double *along;                           /* [rows] G step */
    double *weight;                          /* [rows] of the rows in the Newton matrix */
    double *dl, *second;                     /* [rows] scratch */
    double *y;                               /* [rows] proof that the set is empty */
    size_t *active;                          /* [rows] */
    size_t active_count;
    double rho, length; /* length: |v| in the metric */
    double total;       /* sum of the multipliers' sizes */
    double error;       /* |M v - G^T lambda| / total when last looked at */
    bool has_factor;
    double aim; /* residuals with which the caller is content, 0: none said */
    int solves, cap;
    size_t room_n, room_rows, room_entries, room_slots, room_metric, room_near; /* entries allocated */
} large;

void large_free(large *p);

/* Whether a polyhedron with sparse rows goes here: big enough, and its products sparse. */
bool large_suits(const mo_polyhedron *set, const metric_factor *m);

/* Room, pattern, unit rows.  MO_BAD_INPUT names what is not finite. */
mo_status large_load(large *p, const mo_polyhedron *set, const metric_factor *m, const double *z,
                     mo_error *err);

/* Finds v and lambda, or y; the start is lambda of the unit rows and the rows that are on. */
mo_projection_outcome large_run(large *p, const metric_factor *m);

/* The whole of mo_projector_project; first: multipliers to begin with, or NULL. */
mo_status large_project(large *p, const mo_polyhedron *set, const metric_factor *m, const double *z,
                        const double *first, const size_t *guess, size_t guess_count, double *x,
                        double *lambda, mo_projection_info *info, mo_error *err);

/* Factors M + sum of weight_i g_i g_i^T; false: not definite to rounding. */
bool large_factor(large *p, const metric_factor *m);

/*
 * An interior point: lambda > 0 and rows that nearly hold, from nothing, in few steps whatever the number of
 * rows.  Leaves in lambda the multipliers of the rows that push, in on these rows.  false: none was found.
 */
bool large_interior(large *p, const metric_factor *m);

/* Moves v to where phi (large.c) is least, until its gradient is below tol of the multipliers or rounding
   stops it; false: no factor.  Then the multipliers there, the rows that have one, and |v|. */
bool large_minimise(large *p, const metric_factor *m, double tol);
void large_update(large *p);

/* Whether the candidate, purified, proves that the set is empty; tried where |G^T y| is at most near, for a
   sum of |y_i| of 1.  The proof is left in y with that sum. */
bool large_proof(large *p, const metric_factor *m, const double *candidate, double near);

/* out := G x, and out := sum of weight_i g_i. */
void large_rows_times(const large *p, const double *x, double *out);
void large_rows_sum(const large *p, const double *weight, double *out);

#endif
