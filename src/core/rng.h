/*
 * PCG32 random numbers (O'Neill 2014, pcg-random.org, XSH-RR 64/32): small, explicit state, the same on every
 * machine.
 */
#ifndef CORE_RNG_H
#define CORE_RNG_H

#include <stdint.h>

typedef struct rng {
    uint64_t state, stream;
} rng;

static inline uint32_t rng_next(rng *r)
{
    uint64_t old = r->state;
    r->state = old * 6364136223846793005ULL + (r->stream | 1u);
    uint32_t x = (uint32_t)(((old >> 18) ^ old) >> 27);
    uint32_t rot = (uint32_t)(old >> 59);
    return (x >> rot) | (x << ((32u - rot) & 31u));
}

static inline rng rng_seed(uint64_t seed, uint64_t stream)
{
    rng r = {0, (stream << 1) | 1u};
    rng_next(&r);
    r.state += seed;
    rng_next(&r);
    return r;
}

/* Uniform in [0, 1) with 53 bits. */
static inline double rng_uniform(rng *r)
{
    uint64_t hi = rng_next(r) >> 5, lo = rng_next(r) >> 6;
    return (double)((hi << 26) | lo) * 0x1p-53;
}

#endif
