/*
 * Scenes with a system that must end well, and what they report.
 */
#ifndef TESTS_SCENE_RUN_SYSTEM_H
#define TESTS_SCENE_RUN_SYSTEM_H

#include "scene/run_text.h"

#include <stdlib.h>

static inline void expect_ok(const char *text, const outcome *o)
{
    if (o->status != MO_OK || strcmp(o->result.status, "ok") != 0)
        print_error("%s\n%s:%d: [%s] %s | %s\n%s", text, o->err.file, o->err.line, o->err.key, o->err.message,
                    o->result.status, o->said);
    assert_int_equal(o->status, MO_OK);
    assert_string_equal(o->result.status, "ok");
    assert_true(o->result.reached);
    assert_string_equal(o->result.kind, "system");
}

static inline void run_ok(const char *text, outcome *o)
{
    run_text(text, o);
    expect_ok(text, o);
}

/* a number that the scene reported */
static inline double reported(const outcome *o, const char *name)
{
    char key[40];
    snprintf(key, sizeof key, "\"%s\":", name);
    const char *at = strstr(o->result.report_json, key);
    assert_non_null(at);
    return strtod(at + strlen(key), NULL);
}

#endif
