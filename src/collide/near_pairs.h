/*
 * The pairs of a list of neighbours.
 */
#ifndef COLLIDE_NEAR_PAIRS_H
#define COLLIDE_NEAR_PAIRS_H

#include "collide/neighbours.h"

/* A margin is for the way in so many steps. */
#define MARGIN_STEPS 4.0

/*
 * Margins of bodies, and all pairs of parts that are within them of each other; v's positions are those of
 * the list.  moved, [bodies]: margins and pairs of these alone, the others' are there; not in a cell.  NULL:
 * of all.  false: no memory.
 */
bool near_pairs_find(neighbours *n, const detect_view *v, const uint8_t *moved, double h, arena *a,
                     pool *threads);

#endif
