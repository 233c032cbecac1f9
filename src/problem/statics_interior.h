/*
 * The two convex problems of docs/theory/equilibrium.md §3 with Coulomb's cones as they are, by interior
 * points: a few dozen sparse factorisations whatever the number of contacts.
 */
#ifndef PROBLEM_STATICS_INTERIOR_H
#define PROBLEM_STATICS_INTERIOR_H

#include "core/arena.h"
#include "problem/statics.h"

typedef enum interior_goal {
    INTERIOR_LEAST_FORCES,    /* min |S|² with F + G* S = 0, S in K; u is of no use */
    INTERIOR_LEAST_DEVIATION, /* min |F + G* S|² in A^-1 with S in K; A u = F + G* S */
} interior_goal;

/* S [dim contacts], u [freedoms]: as far as it got, which the caller judges.  *rounds grows by the steps.
   MO_NO_MEMORY only. */
mo_status interior_solve(const statics *p, interior_goal goal, arena *memory, double *S, double *u,
                         int *rounds, mo_error *err);

#endif
