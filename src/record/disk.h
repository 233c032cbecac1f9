/*
 * The HDF5 file driver of run files and of foreign files: plain POSIX reads and writes, with two differences
 * from the driver that comes with HDF5.
 *
 * A write that fails (disk full, quota) is remembered in disk.error and from then on nothing reaches the
 * file any more, but HDF5 is told that all went well.  HDF5 1.10 cannot close a file whose dirty metadata
 * cannot be written: it crashes there or at exit.  With this driver it closes as usual, the file keeps what
 * the last complete write left, which the order of writes makes readable, and the recorder asks disk.error
 * after every flush.
 *
 * A file opened for reading only gives nothing past its end, and HDF5 1.10 does not collect its metadata in
 * one buffer: headers that lie about their size crash it there.
 *
 * The file stays locked (Linux: open file description lock) as long as it is open, so that two runs cannot
 * write to one file; readers take no lock.
 */
#ifndef RECORD_DISK_H
#define RECORD_DISK_H

#include <hdf5.h>
#include <stdbool.h>

#include <moreau/base.h>

typedef struct disk {
    int error;    /* errno of the first failed write, 0: none */
    hid_t driver; /* > 0: to be given back */
} disk;

/* Sets the driver in a file access list; `state` must outlive the file opened with it, which disk_end
   closes. */
bool disk_use(hid_t fapl, disk *state);
/* Closes a file, < 0: none, and gives its driver back, in this order: while it closes a file HDF5 1.10 still
   looks at a driver that nobody but the file holds, and that it has just freed.  state: all zero, or that of
   disk_use. */
bool disk_end(hid_t file, disk *state);

/* True when another open file holds the writer's lock on path. */
bool disk_is_locked(const char *path);

/* What a finished file may be renamed to so that it stands at `path`: links are followed, and what is there
   must be a regular file that may be written.  failure: how messages begin; *out is freed by the caller. */
mo_status disk_target(const char *path, const char *failure, char **out, mo_error *err);

#endif
