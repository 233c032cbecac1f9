/*
 * A chunk of numbers packed as HDF5's filters shuffle and deflate would have it, so that every reader of HDF5
 * unpacks it, in a quarter of the time that HDF5 takes at deflate's lowest level and to the same size.
 *
 * Shuffled, a chunk is planes: all first bytes of the numbers, all second bytes, ...  The low planes of
 * measured reals are as good as random.  Deflate searches them in vain for most of its time; here they are
 * stored.  In the other planes of reals it looks for runs alone, whole numbers get its full search.
 */
#ifndef RECORD_PACK_H
#define RECORD_PACK_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes that packing so many can need. */
size_t pack_room(size_t bytes);

/* Packs `count` numbers of `size` bytes each; real: floating point.  planes: [count * size] scratch; out:
   [pack_room(count * size)].  The packed size; 0: zlib refused. */
size_t pack_numbers(const void *data, size_t count, size_t size, bool real, void *planes, void *out);

#endif
