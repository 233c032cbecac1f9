/* Packing of chunks: see pack.h. */
#include "record/pack.h"

#include <limits.h>
#include <stdint.h>
#include <zlib.h>

#define SAMPLE 4096u

size_t pack_room(size_t bytes)
{
    return bytes + bytes / 8 + 4096;
}

static void shuffle(const uint8_t *data, size_t count, size_t size, uint8_t *planes)
{
    for (size_t b = 0; b < size; b++)
        for (size_t i = 0; i < count; i++)
            planes[b * count + i] = data[i * size + b];
}

/*
 * Whether the bytes of a plane look evenly spread: of the pairs in a sample fewer than twice as many are
 * equal as of random bytes, where it is one in 256.
 */
static bool looks_random(const uint8_t *plane, size_t count)
{
    const size_t n = count < SAMPLE ? count : SAMPLE, apart = count / n;
    uint64_t seen[256] = {0}, equal = 0;
    for (size_t i = 0; i < n; i++)
        equal += seen[plane[i * apart]]++;
    return 256 * equal < (uint64_t)n * (n - 1);
}

/* how the next plane is packed */
static bool set_plane(z_stream *z, const uint8_t *plane, size_t count, bool real)
{
    if (!real)
        return true;
    const int level = looks_random(plane, count) ? Z_NO_COMPRESSION : Z_BEST_SPEED;
    return deflateParams(z, level, Z_RLE) == Z_OK;
}

static bool deflate_planes(z_stream *z, uint8_t *planes, size_t count, size_t size, bool real)
{
    for (size_t b = 0; b < size; b++) {
        uint8_t *plane = planes + b * count;
        if (!set_plane(z, plane, count, real))
            return false;
        const bool last = b + 1 == size;
        z->next_in = plane;
        z->avail_in = (uInt)count;
        if (deflate(z, last ? Z_FINISH : Z_NO_FLUSH) != (last ? Z_STREAM_END : Z_OK) || z->avail_in > 0)
            return false;
    }
    return true;
}

size_t pack_numbers(const void *data, size_t count, size_t size, bool real, void *planes, void *out)
{
    const size_t room = pack_room(count * size);
    z_stream z = {.next_out = out, .avail_out = (uInt)room};
    if (count == 0 || room > UINT_MAX || deflateInit(&z, Z_BEST_SPEED) != Z_OK)
        return 0;
    shuffle(data, count, size, planes);
    const bool ok = deflate_planes(&z, planes, count, size, real);
    const size_t packed = room - z.avail_out;
    deflateEnd(&z);
    return ok ? packed : 0;
}
