/*
 * A job: writes to the columns of one file and flushes, in order, with the data in the job's own memory.  A
 * frame or checkpoint is one.  Whoever steps fills it without touching HDF5; whoever writes does it later.
 */
#ifndef RECORD_JOB_H
#define RECORD_JOB_H

#include "record/layout.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define JOB_NO_DATA SIZE_MAX

typedef struct job_part {
    column_id column; /* COLUMN_COUNT: hand all before to the operating system */
    uint64_t first, count;
    size_t at; /* of the data in bytes; JOB_NO_DATA: rows that are never written and read as zeros */
} job_part;

/* Capacities only rise: a warm frame allocates nothing. */
typedef struct file_job {
    job_part *parts;
    size_t part_count, part_room;
    char *bytes;
    size_t size, room;
    uint64_t frames; /* of the file, or rows of a path, once the job is written */
} file_job;

/* Rows [first, first + count) of a column, size bytes of data (NULL: zeros).  false: no memory, and the job
   is as before. */
bool job_rows(file_job *job, column_id id, uint64_t first, uint64_t count, const void *data, size_t size);
bool job_flush(file_job *job);
void job_clear(file_job *job);
/* Frees what the job holds and empties it. */
void job_free(file_job *job);

#endif
