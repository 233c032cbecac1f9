/*
 * Lemke's method for w = M z + q, w >= 0, z >= 0, w.z = 0: exact, by pivots in a dense tableau.  For
 * copositive M it ends with a solution whenever q allows one (Cottle, Pang & Stone, The linear
 * complementarity problem, 4.4.13).
 */
#ifndef SYSTEM_PIVOTING_H
#define SYSTEM_PIVOTING_H

#include <stdbool.h>
#include <stddef.h>

/* Numbers in the tableau of `size` unknowns. */
static inline size_t lemke_room(size_t size)
{
    return size * (2 * size + 2);
}

/* M [size size] and q [size] of the problem, in units in which they are of order 1; z [size] out.  tableau:
   lemke_room(size) numbers, basis [size].  false: a ray was met, or the cap of pivots. */
bool lemke_solve(size_t size, const double *M, const double *q, double *tableau, size_t *basis, double *z);

#endif
