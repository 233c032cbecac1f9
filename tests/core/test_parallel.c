/* Loops over chunks on several threads: every item once; in order what comes after is done in order. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "core/parallel.h"

enum { CHUNK = 7, CHUNKS_MOST = 400, MOST = CHUNK * CHUNKS_MOST, THREADS_MOST = 5 };

typedef struct loop {
    int times[MOST]; /* how often an item was handled */
    size_t window;
    size_t place[64][CHUNK]; /* what fn leaves to after: items of the chunks under way */
    double sum;              /* depends on the order */
    size_t next;             /* chunk whose turn it is */
    bool good;
    bool slow; /* chunks take very different times */
} loop;

static double term(size_t i)
{
    return 1 / (1 + (double)(i % 97));
}

// takes as long as the chunk says
static void dawdle(const loop *l, size_t chunk)
{
    for (volatile size_t k = l->slow ? (chunk * 2654435761u) % 20000 : 0; k > 0;)
        k = k - 1;
}

static void count_chunk(void *data, size_t chunk, size_t begin, size_t end)
{
    loop *l = data;
    dawdle(l, chunk);
    for (size_t i = begin; i < end; i++) {
        l->times[i]++;
        if (l->window > 0)
            l->place[chunk % l->window][i - begin] = i;
    }
}

// not atomic: one at a time
static void after_chunk(void *data, size_t chunk, size_t begin, size_t end)
{
    loop *l = data;
    dawdle(l, chunk + 1);
    l->good &= chunk == l->next++ && begin == CHUNK * chunk;
    for (size_t i = begin; i < end; i++) {
        // nobody has written there since
        l->good &= l->place[chunk % l->window][i - begin] == i;
        l->sum = 0.75 * l->sum + term(i);
    }
}

static bool all_once(const loop *l, size_t count)
{
    for (size_t i = 0; i < MOST; i++)
        if (l->times[i] != (i < count ? 1 : 0))
            return false;
    return true;
}

static void check(pool *threads, size_t count, bool slow, bool in_order)
{
    loop *l = calloc(1, sizeof *l);
    double sum = 0;
    assert_non_null(l);
    for (size_t i = 0; i < count; i++)
        sum = 0.75 * sum + term(i);
    l->good = true;
    l->slow = slow;
    l->window = in_order ? pool_window(threads) : 0;
    assert_true(l->window <= sizeof l->place / sizeof *l->place);
    if (in_order)
        parallel_in_order(threads, count, CHUNK, count_chunk, after_chunk, l);
    else
        parallel_for(threads, count, CHUNK, count_chunk, l);
    assert_true(all_once(l, count));
    if (in_order)
        assert_true(l->good && l->next == chunk_count(count, CHUNK) && l->sum == sum);
    free(l);
}

// both kinds in turn on one pool, for no item, one, some and many, with chunks alike and not
static void loops(void **state)
{
    (void)state;
    static const size_t counts[] = {0, 1, CHUNK, CHUNK + 1, 20 * CHUNK - 1, MOST};
    for (int n = 0; n <= THREADS_MOST; n++) {
        pool *threads = n > 0 ? pool_create(n) : NULL;
        assert_true(n == 0 || threads != NULL);
        for (int again = 0; again < 20; again++)
            for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
                check(threads, counts[k], again % 2 == 1, true);
                check(threads, counts[k], again % 2 == 1, false);
            }
        pool_destroy(threads);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(loops)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
