/* The queue of jobs and its thread: see writer.h. */
#include "record/writer.h"

#include <signal.h>

/* of a thread that calls HDF5 and its filters, whose buffers are on the heap */
#define STACK_BYTES ((size_t)1 << 20)

void writer_init(writer *w, write_job write, void *data)
{
    w->write = write;
    w->data = data;
    pthread_mutex_init(&w->mutex, NULL);
    pthread_cond_init(&w->changed, NULL);
}

/* the oldest job, without the lock: nobody else touches it while it counts */
static void write_oldest(writer *w)
{
    file_job *job = &w->jobs[w->first];
    bool ok = !w->failed;
    pthread_mutex_unlock(&w->mutex);
    ok = ok && w->write(w->data, job);
    pthread_mutex_lock(&w->mutex);
    w->failed = !ok;
    if (ok)
        w->frames = job->frames;
    w->first = (w->first + 1) % WRITER_JOBS;
    w->count--;
    pthread_cond_broadcast(&w->changed);
}

static void *work(void *argument)
{
    writer *w = argument;
    pthread_mutex_lock(&w->mutex);
    while (w->count > 0 || !w->stop) {
        if (w->count > 0)
            write_oldest(w);
        else
            pthread_cond_wait(&w->changed, &w->mutex);
    }
    pthread_mutex_unlock(&w->mutex);
    return NULL;
}

void writer_start(writer *w)
{
    pthread_attr_t attributes;
    sigset_t all, before;
    if (pthread_attr_init(&attributes) != 0)
        return;
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    // signals are for the threads of the program
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    w->threaded = pthread_create(&w->thread, &attributes, work, w) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
}

void writer_end(writer *w)
{
    if (w->threaded) {
        pthread_mutex_lock(&w->mutex);
        w->stop = true;
        pthread_cond_broadcast(&w->changed);
        pthread_mutex_unlock(&w->mutex);
        pthread_join(w->thread, NULL);
    }
    for (int i = 0; i < WRITER_JOBS; i++)
        job_free(&w->jobs[i]);
    pthread_cond_destroy(&w->changed);
    pthread_mutex_destroy(&w->mutex);
}

/* room for one more; a large one goes alone */
static bool is_full(const writer *w)
{
    return w->count == WRITER_JOBS || (w->count > 0 && w->jobs[w->first].size > WRITER_BYTES);
}

file_job *writer_take(writer *w)
{
    pthread_mutex_lock(&w->mutex);
    while (is_full(w))
        pthread_cond_wait(&w->changed, &w->mutex);
    // as long as the writer keeps up, one job's memory is enough
    if (w->count == 0)
        w->first = 0;
    file_job *job = &w->jobs[(w->first + w->count) % WRITER_JOBS];
    pthread_mutex_unlock(&w->mutex);
    job_clear(job);
    return job;
}

void writer_give(writer *w)
{
    pthread_mutex_lock(&w->mutex);
    w->count++;
    if (w->threaded)
        pthread_cond_broadcast(&w->changed);
    else
        write_oldest(w);
    pthread_mutex_unlock(&w->mutex);
}

void writer_wait(writer *w)
{
    pthread_mutex_lock(&w->mutex);
    while (w->count > 0)
        pthread_cond_wait(&w->changed, &w->mutex);
    pthread_mutex_unlock(&w->mutex);
}

uint64_t writer_frames(writer *w)
{
    pthread_mutex_lock(&w->mutex);
    const uint64_t frames = w->frames;
    pthread_mutex_unlock(&w->mutex);
    return frames;
}

bool writer_failed(writer *w)
{
    pthread_mutex_lock(&w->mutex);
    const bool failed = w->failed;
    pthread_mutex_unlock(&w->mutex);
    return failed;
}
