/* 64-bit hashes of bytes, chained: the hash of what came before is the seed of what follows. */
#ifndef CORE_HASH_H
#define CORE_HASH_H

#include <stddef.h>
#include <stdint.h>

uint64_t hash_bytes(const void *data, size_t bytes, uint64_t seed);

#endif
