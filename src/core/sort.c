#include "core/sort.h"

#include <string.h>

// distributes by the byte at `shift`; false when all keys share it and nothing was moved
static int pass(const uint64_t *from, uint64_t *to, size_t count, unsigned shift)
{
    size_t start[256] = {0};
    for (size_t i = 0; i < count; i++)
        start[(from[i] >> shift) & 255]++;
    if (start[(from[0] >> shift) & 255] == count)
        return 0;
    for (size_t b = 0, sum = 0; b < 256; b++) {
        size_t n = start[b];
        start[b] = sum;
        sum += n;
    }
    for (size_t i = 0; i < count; i++)
        to[start[(from[i] >> shift) & 255]++] = from[i];
    return 1;
}

void sort_u64_from(uint64_t *keys, uint64_t *scratch, size_t count, unsigned shift)
{
    if (count < 2)
        return;
    uint64_t *from = keys, *to = scratch;
    for (; shift < 64; shift += 8) {
        if (!pass(from, to, count, shift))
            continue;
        uint64_t *other = from;
        from = to;
        to = other;
    }
    if (from != keys)
        memcpy(keys, from, count * sizeof *keys);
}

void sort_u64(uint64_t *keys, uint64_t *scratch, size_t count)
{
    sort_u64_from(keys, scratch, count, 0);
}
