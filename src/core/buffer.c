#include "core/buffer.h"

#include <stdint.h>
#include <stdlib.h>

/* grows by a 64th: memory per body is bounded, and growth still costs amortised constant time */
static size_t next_capacity(size_t capacity, size_t need)
{
    size_t grown = capacity + capacity / 64 + 8;
    return grown > need ? grown : need;
}

bool columns_reserve(const column *columns, size_t column_count, size_t *capacity, size_t need)
{
    if (need <= *capacity)
        return true;
    size_t wanted = next_capacity(*capacity, need);
    for (size_t i = 0; i < column_count; i++) {
        if (columns[i].entry == 0)
            continue;
        if (wanted > SIZE_MAX / columns[i].entry)
            return false;
        void *p = realloc(*columns[i].array, wanted * columns[i].entry);
        if (p == NULL)
            return false;
        *columns[i].array = p;
    }
    *capacity = wanted;
    return true;
}

void columns_free(const column *columns, size_t column_count)
{
    for (size_t i = 0; i < column_count; i++) {
        free(*columns[i].array);
        *columns[i].array = NULL;
    }
}

size_t columns_bytes(const column *columns, size_t column_count, size_t capacity)
{
    size_t bytes = 0;
    for (size_t i = 0; i < column_count; i++)
        bytes += columns[i].entry * capacity;
    return bytes;
}
