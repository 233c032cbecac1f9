/* Compressed columns: chunks are packed here, not by HDF5 (pack.h), and written as they are. */
#include "record/hdf.h"
#include "record/pack.h"

#include <stdlib.h>
#include <string.h>

/* numbers in memory are as in the file */
static bool is_little_endian(void)
{
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    return first == 1;
}

/* memory for packing one chunk after the other */
typedef struct packing {
    uint8_t *padded, *planes, *out;
    size_t bytes; /* of a chunk */
} packing;

static bool packing_begin(packing *p, const hdf_column *c)
{
    p->bytes = (size_t)c->chunk_rows * c->row_bytes;
    p->padded = malloc(p->bytes);
    p->planes = malloc(p->bytes);
    p->out = malloc(pack_room(p->bytes));
    return p->padded != NULL && p->planes != NULL && p->out != NULL;
}

static void packing_end(packing *p)
{
    free(p->padded);
    free(p->planes);
    free(p->out);
}

/* rows after the last are zeros, as HDF5 would have them */
static bool write_chunk(const hdf_column *c, column_id column, uint64_t first, const uint8_t *data,
                        size_t bytes, packing *p)
{
    const size_t size = column_element_size(column);
    if (bytes < p->bytes) {
        memcpy(p->padded, data, bytes);
        memset(p->padded + bytes, 0, p->bytes - bytes);
        data = p->padded;
    }
    const bool real = column_defs[column].type == COLUMN_F64;
    const size_t packed = pack_numbers(data, p->bytes / size, size, real, p->planes, p->out);
    const hsize_t offset[2] = {first, 0};
    return packed > 0 && H5Dwrite_chunk(c->dataset, H5P_DEFAULT, 0, offset, packed, p->out) >= 0;
}

bool hdf_write_chunks(const hdf_column *c, column_id column, uint64_t first, uint64_t count, const void *data)
{
    packing p;
    if (first % c->chunk_rows != 0 || !is_little_endian())
        return false;
    bool ok = packing_begin(&p, c);
    const size_t bytes = (size_t)count * c->row_bytes;
    for (size_t at = 0; at < bytes && ok; at += p.bytes) {
        ok = write_chunk(c, column, first, (const uint8_t *)data + at,
                         bytes - at < p.bytes ? bytes - at : p.bytes, &p);
        first += c->chunk_rows;
    }
    packing_end(&p);
    return ok;
}
