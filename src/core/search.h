/* Looking a number up in an ascending array. */
#ifndef CORE_SEARCH_H
#define CORE_SEARCH_H

#include <stddef.h>
#include <stdint.h>

/* Index of key in sorted[count], or SIZE_MAX. */
static inline size_t search_u32(const uint32_t *sorted, size_t count, uint32_t key)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (sorted[mid] < key)
            low = mid + 1;
        else
            high = mid;
    }
    return low < count && sorted[low] == key ? low : SIZE_MAX;
}

/* The same for longer numbers. */
static inline size_t search_u64(const uint64_t *sorted, size_t count, uint64_t key)
{
    size_t low = 0, high = count;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (sorted[mid] < key)
            low = mid + 1;
        else
            high = mid;
    }
    return low < count && sorted[low] == key ? low : SIZE_MAX;
}

#endif
