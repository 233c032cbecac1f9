/*
 * Memory of one step: pushed during the step, released all at once at its end.  While a step needs more than
 * ever before the arena grows by blocks; the next reset joins them, so that a warm step allocates nothing.
 */
#ifndef CORE_ARENA_H
#define CORE_ARENA_H

#include <stddef.h>

typedef struct arena_block arena_block;

typedef struct arena {
    arena_block *blocks; /* newest first */
    size_t used, peak;   /* bytes pushed since the last reset: now and at most */
} arena;

/*
 * An empty arena whose first block is memory that somebody lends until arena_free: small work then asks for
 * none.
 */
arena arena_lend(void *memory, size_t bytes);

/* 64-byte aligned memory, not cleared; NULL when there is none. Zero bytes give a valid pointer. */
void *arena_push(arena *a, size_t count, size_t entry);
/* The same, cleared. */
void *arena_push_zero(arena *a, size_t count, size_t entry);
/* A place to go back to. */
typedef struct arena_mark {
    arena_block *block;
    size_t block_used, used;
} arena_mark;

arena_mark arena_here(const arena *a);
/* Releases what was pushed since the mark, where that is in the newest block; the rest stays until reset. */
void arena_back(arena *a, arena_mark mark);

/* Releases everything pushed. */
void arena_reset(arena *a);
void arena_free(arena *a);
size_t arena_bytes(const arena *a);

#endif
