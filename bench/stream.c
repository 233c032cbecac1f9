/* Bandwidth and peak: see stream.h. */
#include "stream.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

enum { MOST_THREADS = 64, RUNS = 5, CHAINS = 32 };

/* One thread's part of the arrays. */
typedef struct part {
    double *a, *b, *c;
    size_t n, rounds;
    pthread_barrier_t *barrier;
    double seconds;
} part;

static void triad(double *restrict a, const double *restrict b, const double *restrict c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        a[i] = b[i] + 3 * c[i];
}

// of the thread: what else runs on the machine takes less from it
static double own_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// each thread touches its part first, so that it lies near
static void *run_part(void *data)
{
    part *p = data;
    for (size_t i = 0; i < p->n; i++)
        p->a[i] = 0, p->b[i] = 1, p->c[i] = 2;
    p->seconds = HUGE_VAL;
    for (int run = 0; run < RUNS; run++) {
        pthread_barrier_wait(p->barrier);
        const double began = own_seconds();
        for (size_t k = 0; k < p->rounds; k++) {
            triad(p->a, p->b, p->c, p->n);
            // the compiler must not see that all rounds are the same
            __asm__ volatile("" : : "r"(p->a) : "memory");
        }
        p->seconds = fmin(p->seconds, own_seconds() - began);
    }
    return NULL;
}

double stream_triad(size_t bytes, int threads)
{
    pthread_t ids[MOST_THREADS];
    part parts[MOST_THREADS];
    pthread_barrier_t barrier;
    const size_t n = bytes / 24 / (size_t)threads, rounds = 1 + (size_t)2e8 / (bytes + 1);
    double *memory = threads <= MOST_THREADS ? malloc((size_t)threads * 3 * (n + 8) * sizeof *memory) : NULL;
    if (memory == NULL || pthread_barrier_init(&barrier, NULL, (unsigned)threads) != 0) {
        free(memory);
        return 0;
    }
    for (int t = 0; t < threads; t++) {
        double *mine = memory + (size_t)t * 3 * (n + 8);
        parts[t] = (part){.a = mine,
                          .b = mine + n + 8,
                          .c = mine + 2 * (n + 8),
                          .n = n,
                          .rounds = rounds,
                          .barrier = &barrier};
    }
    for (int t = 1; t < threads; t++)
        if (pthread_create(&ids[t], NULL, run_part, &parts[t]) != 0)
            abort(); // the others would wait for ever
    run_part(&parts[0]);
    double slowest = parts[0].seconds;
    for (int t = 1; t < threads; t++) {
        pthread_join(ids[t], NULL);
        slowest = fmax(slowest, parts[t].seconds);
    }
    pthread_barrier_destroy(&barrier);
    free(memory);
    return 24.0 * (double)(n * (size_t)threads * rounds) / slowest;
}

double stream_flops(void)
{
    double x[CHAINS], best = 0;
    const size_t rounds = 4000000;
    for (int k = 0; k < CHAINS; k++)
        x[k] = 1 + 1e-3 * k;
    for (int run = 0; run < RUNS; run++) {
        const double began = own_seconds();
        for (size_t i = 0; i < rounds; i++)
            for (int k = 0; k < CHAINS; k++)
                x[k] = x[k] * 0.999999 + 1e-6;
        const double seconds = own_seconds() - began;
        best = fmax(best, 2.0 * CHAINS * (double)rounds / seconds);
        __asm__ volatile("" : : "r"(x) : "memory");
    }
    return best;
}
