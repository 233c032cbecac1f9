/*
 * Broad phase: pairs of boxes that overlap, in time linear in the number of boxes for any mix of sizes.
 *
 * A hierarchy of grids: a box whose larger side is in (2^(L-1), 2^L] is filed at level L by the cell (of side
 * 2^L) of its centre.  Two overlapping boxes, the smaller filed at level a <= b: the centre of the larger
 * lies in the smaller one widened by 2^b/2, which meets at most 3 x 3 cells of level b, 3 x 3 x 3 in 3D.  So
 * every box looks into at most 9 or 27 cells on its own level and on each coarser level that is in use.
 */
#ifndef COLLIDE_BROAD_H
#define COLLIDE_BROAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"

/* In 2D the third numbers are not looked at. */
typedef struct bounds {
    double min[3], max[3]; /* m */
} bounds;

/* Pairs (i << 32 | j), i < j. */
typedef struct pair_list {
    uint64_t *pair; /* [count] */
    size_t count, capacity;
} pair_list;

/* Whether boxes i < j may be a pair at all. */
typedef bool (*broad_filter)(const void *data, uint32_t i, uint32_t j);

/*
 * Puts all pairs of overlapping boxes that the filter lets through into `out`, in no particular order.  The
 * grid lives in the arena.  false: no memory.  Boxes must be finite.
 */
bool broad_search(pair_list *out, int dim, const bounds *boxes, size_t count, broad_filter filter,
                  const void *data, arena *a);

/* Adds a pair; false: no memory. */
bool pairs_add(pair_list *p, uint32_t i, uint32_t j);
/* Sorts the pairs, ascending; false: no memory in the arena. */
bool pairs_sort(pair_list *p, arena *a);
void pairs_free(pair_list *p);

#endif
