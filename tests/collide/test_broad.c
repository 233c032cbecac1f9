/*
 * The broad phase finds exactly the overlapping boxes that trying all pairs finds, for any mix of sizes.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#include <cmocka.h>

#include "collide/broad.h"
#include "core/rng.h"

static bool any_pair(const void *data, uint32_t i, uint32_t j)
{
    (void)data;
    assert_true(i < j);
    return true;
}

static bool overlap(const bounds *a, const bounds *b, int dim)
{
    bool all = true;
    for (int d = 0; d < dim; d++)
        all = all && a->min[d] <= b->max[d] && b->min[d] <= a->max[d];
    return all;
}

// boxes with sides from 1e-3 to 1 times `size`, long ones among them, about an offset
static void random_boxes(rng *r, int dim, bounds *b, size_t n, double size, double spread, double offset)
{
    for (size_t i = 0; i < n; i++)
        for (int d = 0; d < dim; d++) {
            double side = size * pow(10, -3 * rng_uniform(r)), x = offset + spread * (2 * rng_uniform(r) - 1);
            b[i].min[d] = x - 0.5 * side;
            b[i].max[d] = x + 0.5 * side;
        }
}

// of the pairs found, those with a wanted box are what a search for these finds; by several threads as by one
static void check_some(int dim, const bounds *boxes, size_t n, const pair_list *all)
{
    arena a = {0};
    pair_list some = {0}, threaded = {0};
    pool *threads = pool_create(3);
    assert_non_null(threads);
    assert_true(broad_search(&threaded, dim, boxes, n, any_pair, NULL, &a, threads));
    assert_true(pairs_sort(&threaded, &a));
    assert_int_equal(threaded.count, all->count);
    for (size_t every = 1; every < 60; every = 4 * every + 1) {
        uint8_t *wanted = arena_push_zero(&a, n, 1);
        size_t k = 0;
        for (size_t i = 0; i < n; i += every)
            wanted[i] = 1;
        some.count = 0;
        assert_true(broad_search_some(&some, dim, boxes, n, wanted, any_pair, NULL, &a));
        assert_true(pairs_sort(&some, &a));
        for (size_t i = 0; i < all->count; i++) {
            assert_int_equal(threaded.pair[i], all->pair[i]);
            if (!wanted[all->pair[i] >> 32] && !wanted[all->pair[i] & UINT32_MAX])
                continue;
            assert_true(k < some.count);
            assert_int_equal(some.pair[k++], all->pair[i]);
        }
        assert_int_equal(k, some.count);
    }
    pool_destroy(threads);
    pairs_free(&some);
    pairs_free(&threaded);
    arena_free(&a);
}

static void check_all(int dim, const bounds *boxes, size_t n)
{
    arena a = {0};
    pair_list pairs = {0};
    assert_true(broad_search(&pairs, dim, boxes, n, any_pair, NULL, &a, NULL));
    assert_true(pairs_sort(&pairs, &a));
    size_t k = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = i + 1; j < n; j++)
            if (overlap(&boxes[i], &boxes[j], dim)) {
                assert_true(k < pairs.count);
                assert_int_equal(pairs.pair[k], (uint64_t)i << 32 | j);
                k++;
            }
    assert_int_equal(k, pairs.count);
    check_some(dim, boxes, n, &pairs);
    pairs_free(&pairs);
    arena_free(&a);
}

// more than a thread looks at at a time, and more pairs than there is room for at first
static void many_boxes(void **state)
{
    (void)state;
    enum { MANY = 3000 };
    static bounds boxes[MANY];
    rng r = rng_seed(14, 1);
    for (int dim = 2; dim <= 3; dim++) {
        random_boxes(&r, dim, boxes, MANY, 1, dim == 2 ? 5 : 2, 0);
        check_all(dim, boxes, MANY);
        // some very far away, which must not spoil the grid for the others
        for (int i = 0; i < 5; i++)
            boxes[600 * i].min[i % dim] += 1e15, boxes[600 * i].max[i % dim] += 1e15;
        check_all(dim, boxes, MANY);
    }
}

static void finds_what_trying_all_finds(void **state)
{
    (void)state;
    static const double sizes[] = {1, 1e-6, 1e6, 1e-15, 1e30}, offsets[] = {0, 1e3, -1e9};
    rng r = rng_seed(11, 1);
    bounds boxes[300];
    for (int s = 0; s < 5; s++)
        for (int o = 0; o < 3; o++)
            for (int round = 0; round < 4; round++) {
                random_boxes(&r, 2, boxes, 300, sizes[s], (round + 1) * sizes[s], offsets[o] * sizes[s]);
                check_all(2, boxes, 300);
            }
}

static void finds_them_in_3d(void **state)
{
    (void)state;
    static const double sizes[] = {1, 1e-6, 1e6, 1e-15, 1e30}, offsets[] = {0, 1e3, -1e9};
    rng r = rng_seed(13, 1);
    bounds boxes[300];
    size_t found = 0;
    for (int s = 0; s < 5; s++)
        for (int o = 0; o < 3; o++)
            for (int round = 0; round < 4; round++) {
                double spread = 0.1 * (round + 1) * sizes[s];
                random_boxes(&r, 3, boxes, 300, sizes[s], spread, offsets[o] * sizes[s]);
                check_all(3, boxes, 300);
                for (size_t i = 1; i < 300; i++)
                    found += overlap(&boxes[i - 1], &boxes[i], 3);
            }
    assert_true(found > 100);
}

// one box over very many rows of small cells, of which few hold any: what is looked for is in no relation to
// them
static void wide_among_small(void **state)
{
    (void)state;
    enum { SMALL = 200 };
    bounds boxes[SMALL + 1];
    rng r = rng_seed(15, 1);
    random_boxes(&r, 3, boxes, SMALL, 1e-6, 1, 0);
    boxes[SMALL] = (bounds){{-0.01, -1, -1}, {0.01, 1, 1}};
    check_all(3, boxes, SMALL + 1);
}

// cells over one another are different cells: each box of a column touches the next one only
static void columns_in_3d(void **state)
{
    (void)state;
    bounds boxes[200];
    for (int i = 0; i < 200; i++)
        boxes[i] = (bounds){{0, 0, i}, {1, 1, i + 1}};
    check_all(3, boxes, 200);
}

// a body at 1e200 m/s has a box wider than any cell one would count: it must not take for ever
static void enormous_boxes_end(void **state)
{
    (void)state;
    bounds boxes[4] = {
        {{-1e199, -1e199}, {1e199, 1e199}}, {{0, 0}, {1, 1}}, {{1e308, 0}, {1.7e308, 1}}, {{-1, -1}, {0, 0}}};
    check_all(2, boxes, 4);
    for (int i = 0; i < 4; i++) {
        boxes[i].min[2] = boxes[i].min[0];
        boxes[i].max[2] = boxes[i].max[0];
    }
    check_all(3, boxes, 4);
}

static double seconds_for(size_t n)
{
    rng r = rng_seed(12, 1);
    bounds *boxes = malloc(n * sizeof *boxes);
    assert_non_null(boxes);
    // as many boxes per area whatever their number, sizes 1 : 1000
    random_boxes(&r, 2, boxes, n, 1, 0.5 * sqrt((double)n), 0);
    arena a = {0};
    pair_list pairs = {0};
    double best = HUGE_VAL;
    for (int k = 0; k < 10; k++) {
        arena_reset(&a);
        clock_t start = clock();
        assert_true(broad_search(&pairs, 2, boxes, n, any_pair, NULL, &a, NULL));
        best = fmin(best, (double)(clock() - start) / CLOCKS_PER_SEC);
    }
    pairs_free(&pairs);
    arena_free(&a);
    free(boxes);
    return best;
}

// 16 times as many boxes take about 16 times as long: well below 256 times, and 8 leaves room for the caches
// and for others who use them
static void cost_is_linear(void **state)
{
    (void)state;
    assert_true(seconds_for(160000) < 16 * 8 * seconds_for(10000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_what_trying_all_finds),
        cmocka_unit_test(finds_them_in_3d),
        cmocka_unit_test(many_boxes),
        cmocka_unit_test(wide_among_small),
        cmocka_unit_test(columns_in_3d),
        cmocka_unit_test(enormous_boxes_end),
        cmocka_unit_test(cost_is_linear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
