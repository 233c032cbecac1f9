#if defined(__linux__)
#define _DEFAULT_SOURCE // for madvise
#endif
#include "core/arena.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif

/* From LARGE bytes on memory is asked for in pages of PAGE bytes: sweeps jump through it. */
enum { ALIGN = 64, SMALLEST = 1 << 16, SPARE = 1 << 14, PAGE = 1 << 21, LARGE = 4 * PAGE };

struct arena_block {
    arena_block *next;
    size_t size, used; /* bytes of data after the header */
    bool lent;         /* not ours to free */
};

static char *block_data(arena_block *b)
{
    return (char *)b + ALIGN;
}

static void *allocate(size_t bytes)
{
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (bytes >= LARGE && bytes <= SIZE_MAX - PAGE) {
        void *p = aligned_alloc(PAGE, (bytes + PAGE - 1) / PAGE * PAGE);
        // where there are no such pages the others do
        if (p != NULL)
            (void)madvise(p, bytes, MADV_HUGEPAGE);
        return p;
    }
#endif
    return aligned_alloc(ALIGN, bytes);
}

static arena_block *block_new(arena *a, size_t size)
{
    if (size > SIZE_MAX - 2 * ALIGN)
        return NULL;
    arena_block *b = allocate(size + ALIGN);
    if (b == NULL)
        return NULL;
    *b = (arena_block){.next = a->blocks, .size = size};
    a->blocks = b;
    return b;
}

arena arena_lend(void *memory, size_t bytes)
{
    size_t skip = (ALIGN - (uintptr_t)memory % ALIGN) % ALIGN;
    if (bytes < skip + 2 * ALIGN)
        return (arena){0};
    arena_block *b = (arena_block *)(void *)((char *)memory + skip);
    *b = (arena_block){.size = (bytes - skip) / ALIGN * ALIGN - ALIGN, .lent = true};
    return (arena){.blocks = b};
}

void *arena_push(arena *a, size_t count, size_t entry)
{
    if (entry != 0 && count > (SIZE_MAX - 4 * ALIGN) / entry)
        return NULL;
    size_t bytes = (count * entry + ALIGN - 1) / ALIGN * ALIGN;
    arena_block *b = a->blocks;
    if (b == NULL || b->size - b->used < bytes)
        b = block_new(a, bytes > SMALLEST ? bytes : SMALLEST);
    if (b == NULL)
        return NULL;
    void *p = block_data(b) + b->used;
    b->used += bytes;
    a->used += bytes;
    a->peak = a->used > a->peak ? a->used : a->peak;
    return p;
}

void *arena_push_zero(arena *a, size_t count, size_t entry)
{
    void *p = arena_push(a, count, entry);
    if (p != NULL)
        memset(p, 0, count * entry);
    return p;
}

arena_mark arena_here(const arena *a)
{
    return (arena_mark){a->blocks, a->blocks != NULL ? a->blocks->used : 0, a->used};
}

void arena_back(arena *a, arena_mark mark)
{
    // blocks opened since the mark stay as they are: a growing arena is joined at the next reset, into one of
    // the size that was needed at a time
    if (a->blocks != NULL && a->blocks == mark.block)
        a->blocks->used = mark.block_used;
    a->used = mark.used;
}

void arena_reset(arena *a)
{
    size_t used = a->peak;
    a->used = a->peak = 0;
    if (a->blocks == NULL)
        return;
    if (a->blocks->next == NULL) {
        a->blocks->used = 0;
        return;
    }
    // several blocks: replace them by one with a little to spare
    arena_free(a);
    block_new(a, (used + used / 64 + SPARE) / ALIGN * ALIGN);
}

void arena_free(arena *a)
{
    for (arena_block *b = a->blocks, *next; b != NULL; b = next) {
        next = b->next;
        if (!b->lent)
            free(b);
    }
    *a = (arena){0};
}

size_t arena_bytes(const arena *a)
{
    size_t bytes = 0;
    for (const arena_block *b = a->blocks; b != NULL; b = b->next)
        bytes += b->size + ALIGN;
    return bytes;
}
