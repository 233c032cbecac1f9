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
 *
 * In order all chunks are in the caller's share.  Whoever has done a chunk, or waits for room, does what
 * comes `after` those whose turn it is, unless somebody is at it; what nobody saw come is left to the caller.
 */
#include "core/parallel.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

/* of looking; chunks under way for each thread, in order */
enum { SPINS = 4000, UNDER_WAY = 4 };

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
    // in order: `after` has been done of `next` chunks; chunk k has been done when ready[k % window] is k + 1
    atomic_flag at_it;
    atomic_size_t next, *ready;
    atomic_int sleeping;
    atomic_bool stop;
    // the job: written while nothing is left
    size_t count, chunk_size, chunks;
    chunk_fn fn, after; /* after: NULL but in order */
    void *data;
};

// first chunk of a share
static size_t share_begin(const pool *p, int number)
{
    if (p->after != NULL)
        return number == 0 ? 0 : p->chunks;
    return p->chunks * (size_t)number / (size_t)p->threads;
}

static void call(const pool *p, chunk_fn fn, size_t chunk)
{
    const size_t begin = chunk * p->chunk_size, end = begin + p->chunk_size;
    fn(p->data, chunk, begin, end < p->count ? end : p->count);
}

// what comes after the chunks whose turn it is
static void do_after(pool *p)
{
    if (atomic_flag_test_and_set_explicit(&p->at_it, memory_order_acquire))
        return;
    size_t next = atomic_load_explicit(&p->next, memory_order_relaxed);
    while (atomic_load_explicit(&p->ready[next % pool_window(p)], memory_order_acquire) == next + 1) {
        call(p, p->after, next);
        atomic_store_explicit(&p->next, ++next, memory_order_release);
    }
    atomic_flag_clear_explicit(&p->at_it, memory_order_release);
}

static void await_room(pool *p, size_t chunk)
{
    for (int round = 0; atomic_load_explicit(&p->next, memory_order_acquire) + pool_window(p) <= chunk;) {
        do_after(p);
        pause_thread(round);
        round += round <= SPINS;
    }
}

static void do_in_order(pool *p, size_t chunk)
{
    await_room(p, chunk);
    call(p, p->fn, chunk);
    atomic_store_explicit(&p->ready[chunk % pool_window(p)], chunk + 1, memory_order_release);
    do_after(p);
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
    const size_t chunk = share_begin(p, number + 1) - left;
    if (p->after != NULL)
        do_in_order(p, chunk);
    else
        call(p, p->fn, chunk);
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

// by all threads; returns when all chunks are done
static void do_job(pool *p, size_t count, size_t chunk_size, chunk_fn fn, chunk_fn after, void *data)
{
    const size_t chunks = chunk_count(count, chunk_size);
    p->count = count;
    p->chunk_size = chunk_size;
    p->fn = fn;
    p->after = after;
    p->data = data;
    p->chunks = chunks;
    for (size_t k = 0; after != NULL && k < pool_window(p); k++)
        atomic_store(&p->ready[k], 0);
    atomic_store(&p->next, 0);
    atomic_store(&p->done, 0);
    for (int k = 0; k < p->threads; k++)
        atomic_store(&p->share[k].left, share_begin(p, k + 1) - share_begin(p, k));
    wake_sleepers(p);
    do_chunks(p, 0);
    await_done(p, chunks);
    if (after != NULL)
        do_after(p);
}

// after: NULL but in order
static void do_all(pool *p, size_t count, size_t chunk_size, chunk_fn fn, chunk_fn after, void *data)
{
    if (pool_threads(p) > 1 && count > chunk_size) {
        do_job(p, count, chunk_size, fn, after, data);
        return;
    }
    for (size_t begin = 0, c = 0; begin < count; begin += chunk_size, c++) {
        const size_t end = begin + chunk_size < count ? begin + chunk_size : count;
        fn(data, c, begin, end);
        if (after != NULL)
            after(data, c, begin, end);
    }
}

void parallel_for(pool *p, size_t count, size_t chunk_size, chunk_fn fn, void *data)
{
    do_all(p, count, chunk_size, fn, NULL, data);
}

void parallel_in_order(pool *p, size_t count, size_t chunk_size, chunk_fn fn, chunk_fn after, void *data)
{
    do_all(p, count, chunk_size, fn, after, data);
}

size_t pool_window(const pool *p)
{
    return pool_threads(p) > 1 ? (size_t)UNDER_WAY * (size_t)p->threads : 1;
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
    p->ready = calloc(UNDER_WAY * count, sizeof *p->ready);
    atomic_flag_clear(&p->at_it);
    pthread_mutex_init(&p->mutex, NULL);
    pthread_cond_init(&p->wake, NULL);
    for (size_t k = 0; p->share != NULL && k < count; k++)
        atomic_init(&p->share[k].left, 0);
    if (p->handle == NULL || p->worker == NULL || p->share == NULL || p->ready == NULL || !start_workers(p)) {
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
    free(p->ready);
    free(p);
}

int pool_threads(const pool *p)
{
    return p == NULL ? 1 : p->threads;
}
