/*
 * A periodic cell that deforms under stresses, in the step problem (docs/theory/periodic.md): components of
 * its velocity gradient L are unknowns like the velocities of a body,
 *
 *   L   = L_free + M⁻¹ Σ P_α ⊗ l_α         on the components under a stress, 0 on the others here
 *   U_α = G_α u + base_α + axes_α L l_α
 *
 * P_α impulse on the first body of row α in world axes, l_α from the centre of its second body to that of the
 * first, M inertia of L.  L is brought up to date after every sweep and written into the rows' shifts, so
 * that kernels know nothing of it; the sweeps converge when M is above Σ l²/(1/m1 + 1/m2).
 */
#ifndef PROBLEM_STEP_CELL_H
#define PROBLEM_STEP_CELL_H

#include "core/parallel.h"
#include "problem/step_problem.h"

typedef struct step_cell {
    bool by_stress[9]; /* components of L, row by row */
    double L_free[9];  /* 1/s */
    double L[9];       /* 1/s, belongs to S after refresh_velocities */
    double inv_mass;   /* 1/(kg m²) */
    double *l;         /* [dim contacts] m */
    double *base;      /* [dim contacts] m/s, shifts without L */
    double (*sum)[9];  /* [chunks] scratch */
} step_cell;

/* Numbers of `sum`. */
size_t step_cell_chunks(size_t contacts);
/* Adds what the cell makes of impulses of row j at row i to the block B of W, [dim][dim]. */
void step_cell_block(const step_problem *p, size_t i, size_t j, double *B);
/* q := the shift of row i without impulses, [dim]. */
void step_cell_free(const step_problem *p, size_t i, double *q);
/* L from S, and the shifts from L. */
void step_cell_refresh(const step_problem *p, pool *threads);

#endif
