/* Sorting of 64-bit keys by bytes: linear, stable, no comparison. */
#ifndef CORE_SORT_H
#define CORE_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Sorts keys[count] in place; scratch[count] is overwritten. */
void sort_u64(uint64_t *keys, uint64_t *scratch, size_t count);

/* The same by the bits from number `shift` < 64 on alone: those that agree there stay in their order. */
void sort_u64_from(uint64_t *keys, uint64_t *scratch, size_t count, unsigned shift);

#endif
