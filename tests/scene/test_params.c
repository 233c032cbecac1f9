/*
 * Parameters that are lists.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "scene/run_text.h"

#define LISTS                                                                                                \
    "local size, n = param('size', {0.5, 0.25}, 'sides'), param('n', {1, 2})\n"                              \
    "local words = param('words', {'a', 'b'})\n"                                                             \
    "world { dim = 2, h = 0.1, t_end = 1 }\n"                                                                \
    "report('size', size) report('n', n) report('words', words)"

static void expect_lists(const char *const *sets, size_t count, const char *report)
{
    outcome o;
    scene_options options = text_options(LISTS, &o);
    options.sets = sets;
    options.set_count = count;
    run_options(&options, &o);
    if (o.status != MO_OK)
        print_error("%s: %s\n", o.err.key, o.err.message);
    assert_int_equal(o.status, MO_OK);
    assert_string_equal(o.result.report_json, report);
    outcome_free(&o);
}

/* entries take the types of the default's, the last for all after it; braces and spaces may be there */
static void lists_are_set(void **state)
{
    (void)state;
    expect_lists(NULL, 0, "{\"size\":[0.5,0.25],\"n\":[1,2],\"words\":[\"a\",\"b\"]}");
    const char *sets[] = {"size=1,2", "n={ 3, 4e0 ,5 }", "words= x "};
    expect_lists(sets, 3, "{\"size\":[1.0,2.0],\"n\":[3,4,5],\"words\":[\"x\"]}");
}

static void wrong_lists_are_told(void **state)
{
    (void)state;
    static const char *const cases[][2] = {{"size=1,a", "expected a number"},
                                           {"size=", "entries between commas"},
                                           {"size={}", "entries between commas"},
                                           {"n=1,,2", "entries between commas"},
                                           {"n={1", "expected a number"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        outcome o;
        scene_options options = text_options(LISTS, &o);
        options.sets = &cases[i][0];
        options.set_count = 1;
        run_options(&options, &o);
        assert_int_equal(o.status, MO_USAGE);
        assert_non_null(strstr(o.err.message, cases[i][1]));
        outcome_free(&o);
    }
}

static void defaults_that_are_no_lists_are_refused(void **state)
{
    (void)state;
    static const char *const cases[] = {"param('a', {})", "param('a', {1, x = 2})", "param('a', {1, {2}})",
                                        "param('a', {1, 0 / 0})", "live('a', {1, 2})"};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        outcome o;
        run_text(cases[i], &o);
        assert_int_equal(o.status, MO_BAD_INPUT);
        assert_non_null(strstr(o.err.key, ".default"));
        assert_int_equal(o.err.line, 1);
        outcome_free(&o);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists_are_set),
        cmocka_unit_test(wrong_lists_are_told),
        cmocka_unit_test(defaults_that_are_no_lists_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
