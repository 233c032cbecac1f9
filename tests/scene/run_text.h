/*
 * Running a scene given as text, with everything it says kept for the test to look at.
 */
#ifndef TESTS_SCENE_RUN_TEXT_H
#define TESTS_SCENE_RUN_TEXT_H

#include "scene/limits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

typedef struct outcome {
    mo_status status;
    scene_result result;
    mo_error err;
    char said[8192]; /* messages, one per line */
} outcome;

static inline void keep_message(void *data, const char *text)
{
    outcome *o = data;
    size_t n = strlen(o->said);
    snprintf(o->said + n, sizeof o->said - n, "%s\n", text);
}

static inline scene_options text_options(const char *text, outcome *o)
{
    scene_options options = {.path = "test.lua",
                             .text = text,
                             .text_length = strlen(text),
                             .name = "test",
                             .seed = 1,
                             .threads = 1,
                             .until = -1,
                             .steps = -1,
                             .message = keep_message,
                             .data = o};
    return options;
}

static inline void run_options(const scene_options *options, outcome *o)
{
    o->said[0] = '\0';
    memset(&o->err, 0, sizeof o->err);
    o->status = scene_run(options, &o->result, &o->err);
}

static inline void run_text(const char *text, outcome *o)
{
    scene_options options = text_options(text, o);
    run_options(&options, o);
}

static inline void expect_reached(const outcome *o)
{
    if (o->status != MO_OK || strcmp(o->result.status, "ok") != 0)
        print_error("%s:%d: [%s] %s | %s\n%s", o->err.file, o->err.line, o->err.key, o->err.message,
                    o->result.status, o->said);
    assert_int_equal(o->status, MO_OK);
    assert_string_equal(o->result.status, "ok");
    assert_true(o->result.reached);
}

static inline void outcome_free(outcome *o)
{
    scene_result_free(&o->result);
}

/* a world without gravity: ten steps of 0.1 s, recorded at every one */
#define TEN_STEPS "world { dim = 2, h = 0.1, t_end = 1, record = { every = 0.1 } }\n"

#endif
