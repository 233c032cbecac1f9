/*
 * Coulomb's cones by half-spaces, and the two projections of docs/theory/equilibrium.md §3 on them.
 *
 * A cut is a unit direction d of a contact's tangent plane: U_N - mu d.U_T >= 0 for velocities,
 * mu S_N - d.S_T >= 0 for forces.  In the plane two cuts per contact are the cone; in space cuts are added
 * where the answer asks for them.
 */
#ifndef PROBLEM_STATICS_CUTS_H
#define PROBLEM_STATICS_CUTS_H

#include <moreau/convex.h>

#include "core/arena.h"
#include "problem/statics.h"

typedef struct cone_cut {
    uint32_t contact;
    double d[2]; /* d[1] is 0 in the plane; both are without friction */
} cone_cut;

typedef struct cut_list {
    cone_cut *items;
    size_t count, capacity;
} cut_list;

/* Those to begin with; room for all that will come.  false: no memory. */
bool cuts_begin(const statics *p, arena *a, cut_list *out);
/* Back to those. */
void cuts_reset(const statics *p, cut_list *cuts);

/* x := the point nearest to z in the metric A with G x in K*, up to cuts; S: its multipliers, in K. */
mo_status project_velocity(mo_projector *projector, const statics *p, cut_list *cuts, arena *a,
                           const double *z, double *x, double *S, int *rounds, mo_error *err);

/* S := the least S in K, up to cuts, with F + G* S = 0; *found false: the projection did not succeed. */
mo_status least_forces(mo_projector *projector, const statics *p, cut_list *cuts, arena *a, double *S,
                       bool *found, mo_error *err);

/* Entries of G by freedoms, rising: those of f are entry[first[f]] ..., of contact[first[f]] ...
   false: no memory. */
bool statics_by_freedom(const statics *p, arena *a, size_t **first, size_t **entry, uint32_t **contact);

/* U := G u of contact c. */
void contact_motion(const statics *p, size_t c, const double *u, double U[3]);
/* |x_T| of a force or velocity. */
double tangent_length(int dim, const double *x);

#endif
