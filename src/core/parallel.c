/*
 * Every thread has a share of the chunks, the same ones whenever a loop of that length is done, so that what
 * they need stays in its cache; when they are done it takes from the shares of others.  The caller takes part
 * like everybody else, so that a thread which is not scheduled delays nothing: only chunks already begun are
 * waited for. Who does a chunk has no influence on its result.
 *
 * The counter of a share holds its chunks not yet handed out and doubles as the announcement: a thread that
 * wins a chunk by compare and exchange knows that the job cannot end, nor its description change, before it
 * has reported that chunk done. Threads spin for a while before they sleep: a wave of a sweep is done in
 * microseconds, and waking costs more.
 */
#include "core/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

enum { SPINS = 4000 };

/* A cache line of its own for every thread. */
typedef struct share {
    _Alignas(64) atomic_size_t left; /* chunks of the share that are not handed out */
} share;

/* What a thread starts with. */
typedef struct worker {
    struct pool *pool;
    int number; /* the caller's is 0 */
} worker;

struct pool {
    int threads;
    int started;       /* those that run, the caller among them */
    worker *worker;    /* [threads] */
    pthread_t *handle; /* [threads]; none for the caller */
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    share *share;       /* [threads] */
    atomic_size_t done; /* chunks finished */
    atomic_int sleeping;
    atomic_bool stop;
    // the job: written while nothing is left
    size_t count, chunk_size, chunks;
    chunk_fn fn;
    void *data;
};

// first chunk of a share
static size_t share_begin(const pool *p, int number)
{
    return p->chunks * (size_t)number / (size_t)p->threads;
}

// takes a chunk of a share and does it; false when there is none
static bool do_chunk_of(pool *p, int number)
{
    atomic_size_t *counter = &p->share[number].left;
    size_t left = atomic_load_explicit(counter, memory_order_acquire);
    do {
        if (left == 0)
            return false;
    } while (!atomic_compare_exchange_weak_explicit(counter, &left, left - 1, memory_order_acq_rel,
                                                    memory_order_acquire));
    size_t chunk = share_begin(p, number + 1) - left, begin = chunk * p->chunk_size,
           end = begin + p->chunk_size;
    p->fn(p->data, chunk, begin, end < p->count ? end : p->count);
    atomic_fetch_add_explicit(&p->done, 1, memory_order_release);
    return true;
}

// takes chunks until there is none, those of its own share first
static void do_chunks(pool *p, int number)
{
    for (int k = 0; k < p->threads; k++)
        while (do_chunk_of(p, (number + k) % p->threads))
            ;
}

static bool any_left(const pool *p)
{
    for (int k = 0; k < p->threads; k++)
        if (atomic_load(&p->share[k].left) > 0)
            return true;
    return false;
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
        if (any_left(p) || atomic_load(&p->stop))
            return;
        spin_pause();
    }
    pthread_mutex_lock(&p->mutex);
    atomic_fetch_add(&p->sleeping, 1);
    while (!any_left(p) && !atomic_load(&p->stop))
        pthread_cond_wait(&p->wake, &p->mutex);
    atomic_fetch_sub(&p->sleeping, 1);
    pthread_mutex_unlock(&p->mutex);
}

static void *work(void *argument)
{
    const worker *w = argument;
    while (!atomic_load(&w->pool->stop)) {
        await_work(w->pool);
        do_chunks(w->pool, w->number);
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

void pause_thread(int round)
{
    spin_pause();
    // a thread was interrupted at its work: let it go on
    if (round > SPINS)
        sched_yield();
}

static void await_done(pool *p, size_t chunks)
{
    for (int round = 0; atomic_load_explicit(&p->done, memory_order_acquire) < chunks;) {
        pause_thread(round);
        round += round <= SPINS;
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
    p->chunks = chunks;
    atomic_store(&p->done, 0);
    for (int k = 0; k < p->threads; k++)
        atomic_store(&p->share[k].left, share_begin(p, k + 1) - share_begin(p, k));
    wake_sleepers(p);
    do_chunks(p, 0);
    await_done(p, chunks);
}

static bool start_workers(pool *p)
{
    for (p->started = 1; p->started < p->threads; p->started++) {
        worker *w = &p->worker[p->started];
        *w = (worker){p, p->started};
        if (pthread_create(&p->handle[p->started], NULL, work, w) != 0)
            return false;
    }
    return true;
}

pool *pool_create(int threads)
{
    pool *p = calloc(1, sizeof *p);
    if (p == NULL)
        return NULL;
    const size_t count = (size_t)threads;
    p->threads = threads;
    p->started = 1;
    p->handle = calloc(count, sizeof *p->handle);
    p->worker = calloc(count, sizeof *p->worker);
    p->share = aligned_alloc(_Alignof(share), count * sizeof *p->share);
    pthread_mutex_init(&p->mutex, NULL);
    pthread_cond_init(&p->wake, NULL);
    for (size_t k = 0; p->share != NULL && k < count; k++)
        atomic_init(&p->share[k].left, 0);
    if (p->handle == NULL || p->worker == NULL || p->share == NULL || !start_workers(p)) {
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
    for (int i = 1; i < p->started; i++)
        pthread_join(p->handle[i], NULL);
    pthread_cond_destroy(&p->wake);
    pthread_mutex_destroy(&p->mutex);
    free(p->handle);
    free(p->worker);
    free(p->share);
    free(p);
}

int pool_threads(const pool *p)
{
    return p == NULL ? 1 : p->threads;
}
