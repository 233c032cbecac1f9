/* Sets inside: the context that every function on them takes, and what the files of this folder share. */
#ifndef CONVEX_SET_H
#define CONVEX_SET_H

#include <moreau/convex.h>

#include "core/arena.h"

struct mo_set_workspace {
    arena memory;
    mo_projector *projector; /* used by one polyhedron at a time; answers are copied out at once */
};

typedef struct set_context {
    mo_set_workspace *workspace;
    mo_set_info info; /* worst of all parts so far */
    mo_error *err;
} set_context;

/* Doubles that live until the public call ends; MO_NO_MEMORY when there are none. */
mo_status set_push(set_context *c, size_t count, double **out);

/* Nearest point; x and z are different arrays. */
mo_status set_prox(set_context *c, const mo_set *set, const double *z, double *x);

/* Nearest point of a polyhedron given by rows; lambda may be NULL. */
mo_status set_prox_rows(set_context *c, const mo_polyhedron *rows, const double *z, double *x,
                        double *lambda);

/* Nearest point of the normal cone at x to v; tol as in mo_set_normal_distance. */
mo_status set_normal_prox(set_context *c, const mo_set *set, const double *x, double tol, const double *v,
                          double *p);

/* The polyhedral ones among `count` sets of dimension n as one list of rows. */
mo_status set_rows(set_context *c, size_t n, size_t count, const mo_set *sets, mo_polyhedron *out);

/* Coulomb cones reduced to a half-plane: {sign alpha x_1 >= beta |x_T|, sign x_1 >= 0}, alpha^2 + beta^2 = 1.
 */
typedef struct wedge {
    double alpha, beta, sign;
} wedge;

wedge wedge_of(const mo_set *coulomb);

/* Nearest point of the elliptic cone itself (side MO_CONE_SELF) with the given half axes. */
void elliptic_prox(const double axes[2], const double z[3], double x[3]);

/* Dykstra's method for the intersection of `count` sets of dimension n, the one numbered i by prox(c, data,
 * i, z, x). */
typedef struct dykstra {
    size_t n, count;
    mo_status (*prox)(set_context *c, const void *data, size_t i, const double *z, double *x);
    const void *data;
} dykstra;

mo_status dykstra_prox(set_context *c, const dykstra *d, const double *z, double *x);

#endif
