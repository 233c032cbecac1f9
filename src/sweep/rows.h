/* Lists of rows: memory and writing.  Used by the evaluator of gaps (rows.c, discs.c). */
#ifndef SWEEP_ROWS_H
#define SWEEP_ROWS_H

#include "sweep/internal.h"

/* Room for the gaps of every leaf, and for as many pairs of discs as can touch; false: no memory. */
bool rows_create(const moving *m, gap_rows *rows);
void rows_free(gap_rows *rows);
/* Room for `count` rows with `entries` entries in all; false: no memory, all as before. */
bool rows_reserve(gap_rows *rows, size_t count, size_t entries);

/* Appends a row without entries. */
void row_open(gap_rows *rows, size_t n, uint32_t leaf, size_t first, size_t second);
/* Entries of the last row, unknowns rising. */
void row_entry(gap_rows *rows, size_t n, size_t unknown, double value);

/* Number of the row with these names, or SIZE_MAX. */
size_t rows_find(const gap_rows *rows, uint32_t leaf, size_t first, size_t second);
/* to := the rows of `from` with lambda > 0.  false: no memory. */
bool rows_copy_active(const gap_rows *from, size_t n, gap_rows *to);

#endif
