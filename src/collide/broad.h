/*
 * Broad phase: pairs of boxes that overlap, in time linear in the number of boxes for any mix of sizes.
 *
 * A hierarchy of grids: a box whose larger side is in [2^(L-1), 2^L) is filed at level L by the cell of its
 * centre; cells are as wide as the widest box of their level.  Two overlapping boxes of one level: their
 * cells are neighbours.  Of two levels: the centre of the larger lies in the smaller one widened by half a
 * cell of its level, which meets at most 3 x 3 cells, 3 x 3 x 3 in 3D.
 *
 * Boxes are sorted by level and cell, row after row, so that those of cells in a row follow each other: what
 * a box of the same level can overlap, and comes after it, is in 2 ranges of boxes, 5 in 3D, which move on as
 * the box does.  On each coarser level in use at most 3 or 9 ranges are looked up.
 */
#ifndef COLLIDE_BROAD_H
#define COLLIDE_BROAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/arena.h"
#include "core/parallel.h"

/* In 2D the third numbers are not looked at. */
typedef struct bounds {
    double min[3], max[3]; /* m */
} bounds;

/* Pairs (i << 32 | j), i < j. */
typedef struct pair_list {
    uint64_t *pair; /* [count] */
    size_t count, capacity;
} pair_list;

/* Whether boxes i < j may be a pair at all; several threads ask. */
typedef bool (*broad_filter)(const void *data, uint32_t i, uint32_t j);

/*
 * Puts all pairs of overlapping boxes that the filter lets through into `out`, in no particular order.  The
 * grid lives in the arena.  false: no memory.  Boxes must be finite.  What `out` held before tells how much
 * room there should be.
 */
bool broad_search(pair_list *out, int dim, const bounds *boxes, size_t count, broad_filter filter,
                  const void *data, arena *a, pool *threads);

/* Adds those of which one box at least is wanted, [count]. */
bool broad_search_some(pair_list *out, int dim, const bounds *boxes, size_t count, const uint8_t *wanted,
                       broad_filter filter, const void *data, arena *a);

/* Adds a pair; false: no memory. */
bool pairs_add(pair_list *p, uint32_t i, uint32_t j);
/* Sorts the pairs, ascending; false: no memory in the arena. */
bool pairs_sort(pair_list *p, arena *a);
void pairs_free(pair_list *p);

#endif
