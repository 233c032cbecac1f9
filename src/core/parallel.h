/*
 * Loops over fixed chunks on a few threads.  Which chunk a range belongs to does not depend on the number of
 * threads, so that sums taken per chunk and added in chunk order have the same bits for any number of them.
 */
#ifndef CORE_PARALLEL_H
#define CORE_PARALLEL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct pool pool;

/* A pool of `threads` (>= 1), the caller being one of them. NULL when threads cannot be had. */
pool *pool_create(int threads);
void pool_destroy(pool *p);
int pool_threads(const pool *p);

/* Handles items [begin, end) of chunk `chunk`. Must not touch what another chunk writes. */
typedef void (*chunk_fn)(void *data, size_t chunk, size_t begin, size_t end);

/* Calls fn for every chunk of [0, count); returns when all are done. p may be NULL: the caller does all. */
void parallel_for(pool *p, size_t count, size_t chunk_size, chunk_fn fn, void *data);

/*
 * The same, chunks begun in order, and `after` called for each of them, in order and one at a time, while
 * others go on with fn: for what depends on the order.  fn of a chunk begins when `after` of the chunk
 * pool_window(p) before it has ended, so that so many places do for what fn leaves to `after`.
 */
void parallel_in_order(pool *p, size_t count, size_t chunk_size, chunk_fn fn, chunk_fn after, void *data);
size_t pool_window(const pool *p);

/* For a thread that waits for others, at the given round of looking: soon it lets others run. */
void pause_thread(int round);

static inline size_t chunk_count(size_t count, size_t chunk_size)
{
    return (count + chunk_size - 1) / chunk_size;
}

#endif
