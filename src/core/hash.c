#include "core/hash.h"

#include <xxhash.h>

uint64_t hash_bytes(const void *data, size_t bytes, uint64_t seed)
{
    return XXH64(data, bytes, seed);
}
