/*
 * Scenes that must fail: with what is told, and in time.
 */
#ifndef TESTS_SCENE_MISTAKES_H
#define TESTS_SCENE_MISTAKES_H

#include <time.h>

#include "core/timer.h"
#include "scene/run_text.h"

typedef struct mistake {
    const char *text;
    int line;
    const char *key, *message; /* message: a part of it; "" and no key: any */
} mistake;

static inline void expect_mistakes(const mistake *mistakes, size_t count)
{
    int wrong = 0;
    for (const mistake *m = mistakes; m < mistakes + count; m++) {
        outcome o;
        run_text(m->text, &o);
        bool told = strcmp(o.err.key, m->key) == 0 && strstr(o.err.message, m->message) != NULL &&
                    strcmp(o.err.file, "test.lua") == 0;
        bool right = o.status == MO_BAD_INPUT && o.err.line == m->line && (told || m->message[0] == '\0');
        if (!right)
            print_error("%s\n  gave status %d, %s:%d: [%s] %s\n  expected line %d [%s] ...%s...\n", m->text,
                        o.status, o.err.file, o.err.line, o.err.key, o.err.message, m->line, m->key,
                        m->message);
        wrong += !right;
        assert_false(o.result.reached);
        assert_true(o.result.status[0] != '\0' && strcmp(o.result.status, "ok") != 0);
        assert_non_null(o.result.report_json);
        outcome_free(&o);
    }
    assert_int_equal(wrong, 0);
}

typedef struct bomb {
    const char *text, *message; /* a part of it */
} bomb;

static inline scene_limits small_limits(void)
{
    scene_limits limits = scene_default_limits();
    limits.memory = (size_t)64 << 20;
    limits.chunk_count = 5000000;
    limits.call_count = 100000;
    limits.chunk_seconds = limits.call_seconds = limits.press_seconds = 0.5;
    limits.points = 1000;
    limits.report = 1 << 20;
    return limits;
}

/* each bomb after the text that comes before all */
static inline void expect_bombs(const char *before, const bomb *bombs, size_t count,
                                const scene_limits *limits)
{
    for (const bomb *b = bombs; b < bombs + count; b++) {
        char text[1000];
        outcome o = {.said = ""};
        snprintf(text, sizeof text, "%s%s", before, b->text);
        scene_options options = text_options(text, &o);
        const clock_t start = clock();
        o.status = scene_run_limited(&options, limits, &o.result, &o.err);
        const double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
        if (o.status != MO_BAD_INPUT || strstr(o.err.message, b->message) == NULL || seconds > 20)
            print_error("%s: %s after %g s\n", b->text, o.err.message, seconds);
        assert_int_equal(o.status, MO_BAD_INPUT);
        assert_non_null(strstr(o.err.message, b->message));
        /* half a second of work, many times slowed down by sanitizers; of the processor, which may be busy */
        assert_true(seconds < 20);
        outcome_free(&o);
    }
}

#endif
