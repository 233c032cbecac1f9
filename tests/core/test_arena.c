/* Memory of a step: aligned, kept apart, lent by somebody for the beginning. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/arena.h"

static bool aligned(const void *p)
{
    return (uintptr_t)p % 64 == 0;
}

// what fits lies in the memory lent, wherever that begins, and what does not is found elsewhere
static void lent_memory(void **state)
{
    (void)state;
    char memory[2048 + 128];
    for (size_t from = 0; from < 64; from += 7) {
        memset(memory, 7, sizeof memory);
        arena a = arena_lend(memory + from, 2048);
        char *inside = arena_push(&a, 100, 10), *outside = arena_push(&a, 2000, 1);
        assert_true(aligned(inside) && aligned(outside));
        assert_true(inside >= memory + from && inside + 1000 <= memory + from + 2048);
        assert_false(outside >= memory && outside < memory + sizeof memory);
        memset(inside, 1, 1000);
        memset(outside, 2, 2000);
        for (size_t i = 0; i < 1000; i++)
            assert_int_equal(inside[i], 1);
        arena_free(&a);
        // nothing before or behind was touched
        for (size_t i = 0; i < from; i++)
            assert_int_equal(memory[i], 7);
        for (size_t i = from + 2048; i < sizeof memory; i++)
            assert_int_equal(memory[i], 7);
    }
}

static void too_little_lent(void **state)
{
    (void)state;
    char memory[100];
    for (size_t bytes = 0; bytes <= sizeof memory; bytes += 20) {
        arena a = arena_lend(memory, bytes);
        double *x = arena_push_zero(&a, 1000, sizeof *x);
        assert_non_null(x);
        for (size_t i = 0; i < 1000; i++)
            assert_true(x[i] == 0);
        arena_free(&a);
    }
}

// what was pushed since a mark is given back, also in memory lent; after a reset one block holds all
static void marks_and_resets(void **state)
{
    (void)state;
    char memory[4096];
    arena a = arena_lend(memory, sizeof memory);
    arena_mark mark = arena_here(&a);
    void *first = arena_push(&a, 500, 1);
    arena_back(&a, mark);
    assert_ptr_equal(arena_push(&a, 300, 1), first);
    assert_non_null(arena_push(&a, 100000, 1));
    arena_reset(&a);
    char *x = arena_push(&a, 100300, 1);
    assert_true(aligned(x));
    memset(x, 3, 100300);
    arena_free(&a);
    assert_null(arena_push(&a, SIZE_MAX / 2, 3));
    arena_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lent_memory),
        cmocka_unit_test(too_little_lent),
        cmocka_unit_test(marks_and_resets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
