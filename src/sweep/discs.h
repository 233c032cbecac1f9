/* Gaps between discs in the plane and between discs and walls; neighbours by a grid of cells. */
#ifndef SWEEP_DISCS_H
#define SWEEP_DISCS_H

#include "sweep/internal.h"

bool grid_create(disc_grid **out);
void grid_destroy(disc_grid *grid);

/*
 * Pairs with gap <= margin at y (translations taken off): i << 32 | j for discs i < j, i << 32 | discs + w
 * for disc i and wall w, rising.  The list lives until the next call.
 */
mo_status discs_near(moving *m, const moving_leaf *leaf, const double *y, double margin,
                     const uint64_t **pairs, size_t *count, mo_error *err);
/* Gap and gradient of the last row of the list, opened with its names. */
void discs_row(const moving *m, gap_rows *rows, const moving_leaf *leaf, size_t second, const double *y);
/* Smallest gap of each disc [dim / 2]; HUGE_VAL for one that is alone. */
mo_status discs_gaps(moving *m, const moving_leaf *leaf, const double *y, double *g, mo_error *err);

#endif
