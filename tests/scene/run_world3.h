/*
 * Scenes with a world in 3D that must end well, and what they report.
 */
#ifndef TESTS_SCENE_RUN_WORLD3_H
#define TESTS_SCENE_RUN_WORLD3_H

#include "scene/run_text.h"
#include "support/close.h"

#include <stdlib.h>

#define FLOOR "body { shape = plane { normal = {0, 0, 1} }, fixed = true, group = 'floor' }\n"

static inline void run_ok(const char *text, outcome *o)
{
    run_text(text, o);
    expect_reached(o);
}

/* the numbers that the scene reported as an array, or as one; exactly as many */
static inline void reported(const outcome *o, const char *name, size_t count, double *out)
{
    char key[40];
    snprintf(key, sizeof key, "\"%s\":", name);
    const char *at = strstr(o->result.report_json, key);
    if (at == NULL)
        print_error("no %s in %s\n", name, o->result.report_json);
    assert_non_null(at);
    at += strlen(key);
    for (size_t i = 0; i < count; i++) {
        char *end;
        at += strchr("[,", *at) != NULL;
        out[i] = strtod(at, &end);
        assert_true(end > at);
        at = end;
    }
    /* a lone number ends with its entry, an array with its bracket */
    assert_true(count == 1 || *at == ']');
}

static inline double reported_number(const outcome *o, const char *name)
{
    double x;
    reported(o, name, 1, &x);
    return x;
}

static inline void expect_vector(const outcome *o, const char *name, size_t count, const double *expected,
                                 double tol)
{
    double x[4];
    reported(o, name, count, x);
    for (size_t i = 0; i < count; i++)
        assert_close(x[i], expected[i], tol);
}

#endif
