/* See digest.h. */
#include "serve/digest.h"

#include <stdint.h>
#include <string.h>

enum { BLOCK = 64 };

static uint32_t turned(uint32_t x, int bits)
{
    return x << bits | x >> (32 - bits);
}

/* FIPS 180-4, 6.1.2: one block of 64 bytes */
static void mix(uint32_t state[5], const unsigned char block[BLOCK])
{
    uint32_t w[80], a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
    for (int t = 0; t < 16; t++)
        w[t] = (uint32_t)block[4 * t] << 24 | (uint32_t)block[4 * t + 1] << 16 |
               (uint32_t)block[4 * t + 2] << 8 | block[4 * t + 3];
    for (int t = 16; t < 80; t++)
        w[t] = turned(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
    for (int t = 0; t < 80; t++) {
        static const uint32_t constants[4] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};
        const uint32_t f = t < 20              ? ((b & c) | (~b & d))
                           : t >= 40 && t < 60 ? ((b & c) | (b & d) | (c & d))
                                               : (b ^ c ^ d);
        const uint32_t next = turned(a, 5) + f + e + constants[t / 20] + w[t];
        e = d;
        d = c;
        c = turned(b, 30);
        b = a;
        a = next;
    }
    state[0] += a;
    state[1] += b;
    state[2] += c;
    state[3] += d;
    state[4] += e;
}

void sha1(const void *bytes, size_t count, unsigned char out[SHA1_BYTES])
{
    uint32_t state[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
    const unsigned char *at = bytes;
    const uint64_t bits = 8 * (uint64_t)count;
    for (; count >= BLOCK; count -= BLOCK, at += BLOCK)
        mix(state, at);
    // the rest, a one bit, zeros and the length: one block or two
    unsigned char rest[2 * BLOCK] = {0};
    memcpy(rest, at, count);
    rest[count] = 0x80;
    const size_t size = count + 9 <= BLOCK ? BLOCK : 2 * BLOCK;
    for (size_t i = 0; i < 8; i++)
        rest[size - 1 - i] = (unsigned char)(bits >> 8 * i);
    mix(state, rest);
    if (size > BLOCK)
        mix(state, rest + BLOCK);
    for (size_t i = 0; i < SHA1_BYTES; i++)
        out[i] = (unsigned char)(state[i / 4] >> 8 * (3 - i % 4));
}

size_t base64(const unsigned char *bytes, size_t count, char *out)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    size_t n = 0;
    for (size_t i = 0; i < count; i += 3) {
        const size_t left = count - i;
        const uint32_t three = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                               (left > 2 ? (uint32_t)bytes[i + 2] : 0);
        out[n++] = digits[three >> 18];
        out[n++] = digits[three >> 12 & 63];
        out[n++] = left > 1 ? digits[three >> 6 & 63] : '=';
        out[n++] = left > 2 ? digits[three & 63] : '=';
    }
    return n;
}
