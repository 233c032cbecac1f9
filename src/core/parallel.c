/*
 * A generation counter announces work; every thread takes chunks tid, tid + T, tid + 2T, ...; the caller
 * waits for a counter of finished threads.  Threads spin for a while before they sleep: a colour of a sweep
 * is done in microseconds, and a sleep costs more than that.
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
    struct worker *workers;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    atomic_uint generation;
    atomic_int pending, sleeping;
    bool stop;
    // the work announced
    size_t count, chunk_size;
    chunk_fn fn;
    void *data;
};

struct worker {
    pool *owner;
    int tid;
};

static void do_chunks(const pool *p, int tid)
{
    size_t chunks = chunk_count(p->count, p->chunk_size);
    for (size_t c = (size_t)tid; c < chunks; c += (size_t)p->threads) {
        size_t begin = c * p->chunk_size, end = begin + p->chunk_size;
        p->fn(p->data, c, begin, end < p->count ? end : p->count);
    }
}

static inline void spin_pause(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

// waits until the generation differs from `seen`; spins first, then sleeps
static unsigned await_work(pool *p, unsigned seen)
{
    for (int i = 0; i < SPINS; i++) {
        unsigned now = atomic_load_explicit(&p->generation, memory_order_acquire);
        if (now != seen)
            return now;
        spin_pause();
    }
    pthread_mutex_lock(&p->mutex);
    atomic_fetch_add(&p->sleeping, 1);
    while (atomic_load(&p->generation) == seen)
        pthread_cond_wait(&p->wake, &p->mutex);
    atomic_fetch_sub(&p->sleeping, 1);
    pthread_mutex_unlock(&p->mutex);
    return atomic_load(&p->generation);
}

static void *work(void *argument)
{
    struct worker *w = argument;
    pool *p = w->owner;
    unsigned seen = 0;
    for (;;) {
        seen = await_work(p, seen);
        if (p->stop)
            return NULL;
        do_chunks(p, w->tid);
        atomic_fetch_sub_explicit(&p->pending, 1, memory_order_release);
    }
}

static void announce(pool *p)
{
    atomic_store(&p->pending, p->threads - 1);
    atomic_fetch_add(&p->generation, 1);
    if (atomic_load(&p->sleeping) == 0)
        return;
    pthread_mutex_lock(&p->mutex);
    pthread_cond_broadcast(&p->wake);
    pthread_mutex_unlock(&p->mutex);
}

static void await_workers(pool *p)
{
    int spins = 0;
    while (atomic_load_explicit(&p->pending, memory_order_acquire) > 0) {
        spin_pause();
        // more threads than processors: let the others finish
        if (++spins > SPINS)
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
    p->count = count;
    p->chunk_size = chunk_size;
    p->fn = fn;
    p->data = data;
    announce(p);
    do_chunks(p, 0);
    await_workers(p);
}

static bool start_workers(pool *p)
{
    for (int i = 1; i < p->threads; i++) {
        p->workers[i - 1] = (struct worker){p, i};
        if (pthread_create(&p->handle[i - 1], NULL, work, &p->workers[i - 1]) != 0) {
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
    p->workers = calloc((size_t)threads, sizeof *p->workers);
    pthread_mutex_init(&p->mutex, NULL);
    pthread_cond_init(&p->wake, NULL);
    if (p->handle == NULL || p->workers == NULL) {
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
    p->stop = true;
    pthread_mutex_lock(&p->mutex);
    atomic_fetch_add(&p->generation, 1);
    pthread_cond_broadcast(&p->wake);
    pthread_mutex_unlock(&p->mutex);
    for (int i = 1; i < p->threads; i++)
        pthread_join(p->handle[i - 1], NULL);
    pthread_cond_destroy(&p->wake);
    pthread_mutex_destroy(&p->mutex);
    free(p->handle);
    free(p->workers);
    free(p);
}

int pool_threads(const pool *p)
{
    return p == NULL ? 1 : p->threads;
}
