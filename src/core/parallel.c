/*
 * Chunks are handed out one by one from a counter; the caller takes chunks like everybody else, so that a
 * thread which is not scheduled delays nothing: only chunks already begun are waited for.  Who does a chunk
 * has no influence on its result.
 *
 * The counter holds the chunks not yet handed out and doubles as the announcement: a thread that wins a chunk
 * by compare and exchange knows that the job cannot end, nor its description change, before it has reported
 * that chunk done. Threads spin for a while before they sleep: a colour of a sweep is done in microseconds,
 * and waking costs more.
 */
#include "core/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

enum { SPINS = 4000 };

struct pool {
    int threads;
    pthread_t *handle; /* [threads - 1] */
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    atomic_size_t left; /* chunks not handed out */
    atomic_size_t done; /* chunks finished */
    atomic_int sleeping;
    atomic_bool stop;
    // the job: written while left is 0
    size_t count, chunk_size;
    chunk_fn fn;
    void *data;
};

// takes a chunk and does it; false when there is none
static bool do_chunk(pool *p)
{
    size_t left = atomic_load_explicit(&p->left, memory_order_acquire);
    do {
        if (left == 0)
            return false;
    } while (!atomic_compare_exchange_weak_explicit(&p->left, &left, left - 1, memory_order_acq_rel,
                                                    memory_order_acquire));
    size_t chunk = left - 1, begin = chunk * p->chunk_size, end = begin + p->chunk_size;
    p->fn(p->data, chunk, begin, end < p->count ? end : p->count);
    atomic_fetch_add_explicit(&p->done, 1, memory_order_release);
    return true;
}

static inline void spin_pause(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

// waits until there is a chunk to take or the pool stops; spins first, then sleeps
static void await_work(pool *p)
{
    for (int i = 0; i < SPINS; i++) {
        if (atomic_load_explicit(&p->left, memory_order_relaxed) > 0 || atomic_load(&p->stop))
            return;
        spin_pause();
    }
    pthread_mutex_lock(&p->mutex);
    atomic_fetch_add(&p->sleeping, 1);
    while (atomic_load(&p->left) == 0 && !atomic_load(&p->stop))
        pthread_cond_wait(&p->wake, &p->mutex);
    atomic_fetch_sub(&p->sleeping, 1);
    pthread_mutex_unlock(&p->mutex);
}

static void *work(void *argument)
{
    pool *p = argument;
    while (!atomic_load(&p->stop)) {
        await_work(p);
        while (do_chunk(p))
            ;
    }
    return NULL;
}

static void wake_sleepers(pool *p)
{
    if (atomic_load(&p->sleeping) == 0)
        return;
    pthread_mutex_lock(&p->mutex);
    pthread_cond_broadcast(&p->wake);
    pthread_mutex_unlock(&p->mutex);
}

static void await_done(pool *p, size_t chunks)
{
    for (int spins = 0; atomic_load_explicit(&p->done, memory_order_acquire) < chunks; spins++) {
        spin_pause();
        // a thread was interrupted within its chunk: let it go on
        if (spins > SPINS)
            sched_yield();
    }
}

void parallel_for(pool *p, size_t count, size_t chunk_size, chunk_fn fn, void *data)
{
    if (p == NULL || p->threads == 1 || count <= chunk_size) {
        for (size_t begin = 0, c = 0; begin < count; begin += chunk_size, c++)
            fn(data, c, begin, begin + chunk_size < count ? begin + chunk_size : count);
        return;
    }
    size_t chunks = chunk_count(count, chunk_size);
    p->count = count;
    p->chunk_size = chunk_size;
    p->fn = fn;
    p->data = data;
    atomic_store(&p->done, 0);
    atomic_store(&p->left, chunks);
    wake_sleepers(p);
    while (do_chunk(p))
        ;
    await_done(p, chunks);
}

static bool start_workers(pool *p)
{
    for (int i = 1; i < p->threads; i++) {
        if (pthread_create(&p->handle[i - 1], NULL, work, p) != 0) {
            p->threads = i; // only those that run are stopped
            return false;
        }
    }
    return true;
}

pool *pool_create(int threads)
{
    pool *p = calloc(1, sizeof *p);
    if (p == NULL)
        return NULL;
    p->threads = threads;
    p->handle = calloc((size_t)threads, sizeof *p->handle);
    pthread_mutex_init(&p->mutex, NULL);
    pthread_cond_init(&p->wake, NULL);
    if (p->handle == NULL) {
        p->threads = 1;
        pool_destroy(p);
        return NULL;
    }
    if (!start_workers(p)) {
        pool_destroy(p);
        return NULL;
    }
    return p;
}

void pool_destroy(pool *p)
{
    if (p == NULL)
        return;
    atomic_store(&p->stop, true);
    pthread_mutex_lock(&p->mutex);
    pthread_cond_broadcast(&p->wake);
    pthread_mutex_unlock(&p->mutex);
    for (int i = 1; i < p->threads; i++)
        pthread_join(p->handle[i - 1], NULL);
    pthread_cond_destroy(&p->wake);
    pthread_mutex_destroy(&p->mutex);
    free(p->handle);
    free(p);
}

int pool_threads(const pool *p)
{
    return p == NULL ? 1 : p->threads;
}
