/*
 * Dense packings of spheres under gravity in a box, and the frictional contact problem of one time step from
 * rest: u = W r + q, q = h g seen at the contacts, gaps zero, no restitution.
 *
 * A lattice: layers of m x m and (m - 1) x (m - 1) spheres, one in the hollows of the other, radii and
 * positions perturbed.  A deposit: spheres of random radii dropped one by one at random places, each rolling
 * down to where those below hold it.  Both are then relaxed as soft spheres without friction until forces
 * balance: what overlaps touches, a little over three contacts per sphere, and friction finds the packing at
 * rest.
 */
#ifndef BENCH_PACKING_H
#define BENCH_PACKING_H

#include <stdint.h>

#include <moreau/problem.h>

typedef enum packing_kind { PACKING_LATTICE, PACKING_DEPOSIT } packing_kind;

/* A touches b, or a wall. */
typedef struct packing_contact {
    uint32_t a, b;    /* b PACKING_WALL: the box */
    double normal[3]; /* towards a */
} packing_contact;

#define PACKING_WALL UINT32_MAX

typedef struct packing {
    size_t spheres, contacts, room;
    double width, height;     /* of the box, m; height: of the spheres' highest centre */
    double *centre;           /* [3 spheres] m, z up */
    double *radius;           /* [spheres] m */
    packing_contact *contact; /* [contacts] */
} packing;

/* About that many contacts, a tenth or two more.  false: no memory. */
bool packing_make(packing_kind kind, size_t contacts, uint64_t seed, packing *out);
/* The problem of a step of h seconds; mu at every contact between those given, at random. */
bool packing_problem(const packing *p, double h, double mu_least, double mu_most, uint64_t seed,
                     mo_problem *out);
void packing_free(packing *p);

/* How a cost grows with the contacts: the slope of its logarithm over theirs, fitted to all sizes. */
double growth_exponent(size_t count, const double *contacts, const double *cost);

#endif
