/*
 * What the run file needs of HDF5, in few calls: columns (extendable datasets of one or two dimensions), text
 * and number attributes, files opened for reading while they are written.  Nothing here prints.
 */
#ifndef RECORD_HDF_H
#define RECORD_HDF_H

#include "record/disk.h"
#include "record/layout.h"

#include <hdf5.h>
#include <moreau/base.h>
#include <stdbool.h>
#include <stdint.h>

/* HDF5 prints its errors by default: off between begin and end, back to what the caller had after.  Every
   call of HDF5 stands between these two, one thread at a time: HDF5 need not be built for threads, and a
   writer may be at work.  A pair may stand within another. */
typedef struct quiet {
    H5E_auto2_t function;
    void *data;
} quiet;
quiet quiet_begin(void);
void quiet_end(quiet q);

/* A column in an open file.  One that is not there has no bytes in a row; it has no rows either, unless it is
   missing because its width is 0: then it has all rows that are asked for. */
typedef struct hdf_column {
    hid_t dataset;
    uint64_t rows;
    unsigned width;
    size_t row_bytes;
    uint64_t chunk_rows;
    uint64_t stored; /* bytes of file space */
    bool filtered;   /* compressed: a chunk is written once, so rows start at chunks */
} hdf_column;

hid_t hdf_memory_type(column_type type);

/* Creates an empty column; chunk_rows >= 1. false: HDF5 refused. */
bool hdf_column_create(hid_t file, column_id column, unsigned width, uint64_t chunk_rows, bool compress);

static inline bool hdf_column_is_there(const hdf_column *c)
{
    return c->row_bytes > 0;
}

/* Opens a column of a run of this shape and checks everything it is; MO_BAD_FILE when it is not what the
   format says. */
mo_status hdf_column_open(hid_t file, column_id column, const run_shape *shape, hdf_column *out,
                          mo_error *err);
/* Closes and marks closed; fine when it is not open. */
void hdf_column_close(hdf_column *c);

bool hdf_column_write(hdf_column *c, column_id column, uint64_t first, uint64_t count, const void *data);
/* first + count <= rows is the caller's duty. */
bool hdf_column_read(const hdf_column *c, column_id column, uint64_t first, uint64_t count, void *data);
bool hdf_column_resize(hdf_column *c, uint64_t rows);
/* Rows of a compressed column that start at a chunk.  false: it could not be done this way, and HDF5 may try.
 */
bool hdf_write_chunks(const hdf_column *c, column_id column, uint64_t first, uint64_t count,
                      const void *data);

/* Rows that the file can really hold: a hostile extent must not decide how much is allocated. */
uint64_t hdf_column_usable(const hdf_column *c);

/* Groups that hold the columns of a run. */
bool hdf_groups_create(hid_t file, const run_shape *shape);

bool hdf_put_text(hid_t file, const char *name, const char *value);
bool hdf_put_i64(hid_t file, const char *name, int64_t value);
bool hdf_put_u64(hid_t file, const char *name, uint64_t value);
bool hdf_put_f64(hid_t file, const char *name, const double *values, size_t count);

/* value: freed by the caller. */
mo_status hdf_get_text(hid_t file, const char *name, char **value, mo_error *err);
mo_status hdf_get_i64(hid_t file, const char *name, int64_t *value, mo_error *err);
mo_status hdf_get_u64(hid_t file, const char *name, uint64_t *value, mo_error *err);
mo_status hdf_get_f64(hid_t file, const char *name, double *values, size_t count, mo_error *err);

/* Opens for reading, also while a writer has it open or after one was killed; disk_end closes it. */
mo_status hdf_open_read(const char *path, disk *state, hid_t *file, mo_error *err);
/* Opens for reading a file that nobody writes and that may be hostile.  what: "problem file", for messages;
   disk_end closes it; *file is -1 before. */
mo_status hdf_open_foreign(const char *path, const char *what, disk *state, hid_t *file, mo_error *err);

/* ---- what makes a foreign dataset safe to read ------------------------------------------------------- */

#define MAX_CHUNK_BYTES (1u << 28) /* a reader holds one chunk in memory */

/* Only plain links are followed: no other file may come in through this one.  path of less than 64 bytes. */
bool hdf_is_hard_link(hid_t file, const char *path);
/* How many filters a dataset has, -1 when one of them is not shuffle or deflate. */
int hdf_filters(hid_t plist);
/* Bytes of the dataset in the file, at most the file's size. */
uint64_t hdf_stored(hid_t dataset);
/* Rows that so many bytes can give. */
uint64_t hdf_most_rows(uint64_t stored, bool filtered, size_t row_bytes);

#endif
