/*
 * Scenes with a system that must end well, and what they report.
 */
#ifndef TESTS_SCENE_RUN_SYSTEM_H
#define TESTS_SCENE_RUN_SYSTEM_H

#include "scene/run_text.h"

#include <stdlib.h>

static inline void run_ok(const char *text, outcome *o)
{
    run_text(text, o);
    expect_reached(o);
    assert_string_equal(o->result.kind, "system");
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
