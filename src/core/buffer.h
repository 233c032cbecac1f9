/*
 * Growing arrays: capacity only ever rises, so that a warm step allocates nothing.
 */
#ifndef CORE_BUFFER_H
#define CORE_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

/*
 * One of the parallel arrays of a table: where its pointer lives and the size of one entry.
 * All columns of a table share one capacity.
 */
typedef struct column {
    void **array;
    size_t entry; /* bytes; 0: a column that this table does without */
} column;

/*
 * Makes room for `need` entries in every column.  Old contents stay.  false: no memory; whatever was there
 * before is still there and *capacity is unchanged.
 */
bool columns_reserve(const column *columns, size_t column_count, size_t *capacity, size_t need);

/* Frees every column and sets the pointers to NULL. */
void columns_free(const column *columns, size_t column_count);

/* Bytes held by the columns. */
size_t columns_bytes(const column *columns, size_t column_count, size_t capacity);

#endif
