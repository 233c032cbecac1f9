/*
 * Counts the library's calls of the C library's allocator: include in the one file of a test that is linked
 * with -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=aligned_alloc, and read `calls`.
 */
#ifndef SUPPORT_COUNT_ALLOCATIONS_H
#define SUPPORT_COUNT_ALLOCATIONS_H

#include <stddef.h>

// the linker sends every call of the library here (-Wl,--wrap)
void *__real_malloc(size_t size);
void *__real_calloc(size_t n, size_t size);
void *__real_realloc(void *p, size_t size);
void *__real_aligned_alloc(size_t align, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_realloc(void *p, size_t size);
void *__wrap_aligned_alloc(size_t align, size_t size);

static int calls;

void *__wrap_malloc(size_t size)
{
    calls++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t n, size_t size)
{
    calls++;
    return __real_calloc(n, size);
}

void *__wrap_realloc(void *p, size_t size)
{
    calls++;
    return __real_realloc(p, size);
}

void *__wrap_aligned_alloc(size_t align, size_t size)
{
    calls++;
    return __real_aligned_alloc(align, size);
}

#endif
