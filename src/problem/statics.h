/*
 * Contact forces of a body assembly at rest: S in Coulomb's cones with F + G* S = 0, or a motion u that
 * proves that there are none (MJ96 end of §4; docs/theory/equilibrium.md, whose letters these are).
 */
#ifndef PROBLEM_STATICS_H
#define PROBLEM_STATICS_H

#include <moreau/base.h>

/* The data; every array belongs to the caller. */
typedef struct statics {
    int dim; /* 2 or 3: rows of G per contact, the normal one first */
    size_t freedoms, contacts;
    double *A;        /* [freedoms] diagonal of the inertia, > 0 */
    double *F;        /* [freedoms] loads */
    uint32_t *body;   /* [freedoms] whose freedom it is; those of a body stand together */
    size_t *start;    /* [contacts + 1] */
    uint32_t *column; /* [start[contacts]] the freedoms that a contact acts on, rising */
    double *G;        /* [start[contacts]][dim] their columns of the contact's rows */
    double *mu;       /* [contacts] */
} statics;

/* |u| in the metric A. */
double statics_norm(const statics *p, const double *u);

typedef enum statics_outcome { STATICS_BALANCED, STATICS_MECHANISM, STATICS_UNDECIDED } statics_outcome;

/* What was found, recomputed from the data and the answer. */
typedef struct statics_info {
    statics_outcome outcome;         /* the worst group: a mechanism, else undecided, else balanced */
    size_t groups, balanced, moving; /* of bodies that touch each other; the rest is undecided */
    double imbalance;   /* least |F + G* S| / |F| in A^-1, largest over groups: what a mechanism proves,
                                          otherwise what the best S found leaves */
    double balance;     /* |F + G* S| / (|F| + |G*||S|) of a body, in A^-1, largest */
    double power;       /* F.u, W */
    double violation;   /* max (mu |U_T| - U_N)+ of u, m/s */
    double force_bound; /* sum of S_N below which u excludes balance, N; HUGE_VAL: at all */
    int rounds;         /* projections, largest over groups */
} statics_info;

/*
 * S [dim contacts]: forces, N, inside the cones; those of groups that balance are the least ones.  u
 * [freedoms]: the mechanism, of kinetic norm 1 in each group that has one and 0 in the others.  MO_NO_MEMORY
 * only.
 */
mo_status statics_solve(const statics *problem, double *S, double *u, statics_info *info, mo_error *err);

#endif
