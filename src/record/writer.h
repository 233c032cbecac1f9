/*
 * Jobs on their way to the file, and the thread that writes them.
 *
 * Two jobs at most are in memory: the one that is being written and one that waits, or is being filled.  When
 * both are taken, or what is not written yet has more than WRITER_BYTES, whoever steps waits: nothing is lost
 * and memory is bounded by two frames, of which the second is begun only if the first is no larger than that.
 *
 * Without a thread a job is written where it is handed over.
 *
 * After a failed write nothing more reaches the file: half a frame is there, and nothing may follow it.
 */
#ifndef RECORD_WRITER_H
#define RECORD_WRITER_H

#include "record/job.h"

#include <pthread.h>

enum { WRITER_JOBS = 2 };
#define WRITER_BYTES ((size_t)1 << 28)

/* Writes a job; false: failed. */
typedef bool (*write_job)(void *data, const file_job *job);

typedef struct writer {
    write_job write;
    void *data;
    bool threaded;
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed; /* of what follows, which the mutex guards */
    file_job jobs[WRITER_JOBS];
    size_t first, count; /* a ring: jobs handed over and not yet written */
    bool stop, failed;
    uint64_t frames; /* of the last job that was written */
} writer;

/* A writer without a thread; *w is all zeros before. */
void writer_init(writer *w, write_job write, void *data);
/* Gives it a thread, where the system has one to give. */
void writer_start(writer *w);
/* Writes all that was handed over, then ends the thread and frees. */
void writer_end(writer *w);

/* The job to fill, empty; waits until there is one. */
file_job *writer_take(writer *w);
/* Hands over the job that was taken. */
void writer_give(writer *w);
/* Waits until all that was handed over is written, or failed to be. */
void writer_wait(writer *w);
/* Whether a write has failed. */
bool writer_failed(writer *w);
/* Frames that the file holds for good. */
uint64_t writer_frames(writer *w);

#endif
