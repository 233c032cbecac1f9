/*
 * Run files of tests: a folder of three, recording into them, stopping and going on from them.
 */
#ifndef TESTS_SCENE_RUN_FILES_H
#define TESTS_SCENE_RUN_FILES_H

#include "scene/run_text.h"

#include <stdlib.h>
#include <unistd.h>

static char folder[] = "/tmp/scene-runs-XXXXXX";
static const char *const files[] = {"whole.h5",   "parts.h5",   "other.h5",
                                    "whole.xdmf", "parts.xdmf", "other.xdmf"};

enum { WHOLE, PARTS, OTHER };

static inline const char *path_of(int file)
{
    static char paths[3][100];
    snprintf(paths[file], sizeof paths[file], "%s/%s", folder, files[file]);
    return paths[file];
}

static inline int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) == NULL;
}

static inline int remove_folder(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char path[100];
        snprintf(path, sizeof path, "%s/%s", folder, files[i]);
        unlink(path);
    }
    return rmdir(folder);
}

/* a progress callback that interrupts after this step */
static volatile sig_atomic_t interrupt_flag;
static int64_t interrupt_at;
static inline void interrupt_later(void *data, const scene_progress *p)
{
    (void)data;
    interrupt_flag = p->step == interrupt_at;
}

static inline void run_until_interrupt(const char *text, int64_t step, int output, outcome *o)
{
    scene_options options = text_options(text, o);
    options.output = path_of(output);
    options.progress = interrupt_later;
    options.interrupt = &interrupt_flag;
    interrupt_at = step;
    run_options(&options, o);
    interrupt_flag = 0;
    assert_int_equal(o->status, MO_OK);
    assert_true(o->result.interrupted);
    assert_string_equal(o->result.status, "interrupted");
    assert_int_equal(o->result.info.steps, step);
}

/* a piece of a run of this text, whose parameter `name` is `value`, until then (-1: its end); files as in
 * WHOLE, or -1 for none */
static inline void run_piece(const char *text, const char *name, const char *value, double until, int output,
                             int resume, outcome *o)
{
    char set[60];
    const char *sets[] = {set};
    snprintf(set, sizeof set, "%s=%s", name, value);
    scene_options options = text_options(text, o);
    options.until = until;
    options.output = output >= 0 ? path_of(output) : NULL;
    options.resume = resume >= 0 ? path_of(resume) : NULL;
    options.sets = sets;
    /* the parameter comes from the file */
    options.set_count = resume >= 0 ? 0 : 1;
    run_options(&options, o);
    if (o->status != MO_OK || strcmp(o->result.status, "ok") != 0)
        print_error("%s: %s %s %s | %s\n", value, o->err.file, o->err.key, o->err.message, o->result.status);
    assert_int_equal(o->status, MO_OK);
    assert_string_equal(o->result.status, "ok");
}

/* what the runs of a point in the plane have in common */
static inline void expect_same_point(const outcome *a, const outcome *b)
{
    assert_int_equal(a->result.hash, b->result.hash);
    assert_string_equal(a->result.report_json, b->result.report_json);
    assert_string_equal(a->result.events_json, b->result.events_json);
    assert_memory_equal(a->result.q, b->result.q, 2 * sizeof(double));
    assert_memory_equal(a->result.lambda, b->result.lambda, 2 * sizeof(double));
}

/* both opened; the same bits in their series */
static inline void open_same_series(int a, int b, mo_run **ra, mo_run **rb)
{
    mo_error err;
    assert_int_equal(mo_run_open(path_of(a), ra, &err), MO_OK);
    assert_int_equal(mo_run_open(path_of(b), rb, &err), MO_OK);
    const double *ta, *va, *tb, *vb;
    const mo_run_info *ia = mo_run_info_get(*ra), *ib = mo_run_info_get(*rb);
    assert_int_equal(ia->series_rows, ib->series_rows);
    assert_int_equal(mo_run_series(*ra, &ta, &va, &err), MO_OK);
    assert_int_equal(mo_run_series(*rb, &tb, &vb, &err), MO_OK);
    assert_memory_equal(ta, tb, ia->series_rows * sizeof *ta);
    assert_memory_equal(va, vb, ia->series_rows * ia->series_count * sizeof *va);
}

static inline void expect_same_series(int a, int b)
{
    mo_run *ra, *rb;
    open_same_series(a, b, &ra, &rb);
    mo_run_close(ra);
    mo_run_close(rb);
}

/* both opened; the same bits in their frames, series and numbers of rows */
static inline void open_same_files(int a, int b, mo_run **ra, mo_run **rb)
{
    mo_error err;
    mo_comparison c;
    open_same_series(a, b, ra, rb);
    assert_int_equal(mo_run_compare(*ra, *rb, &c, &err), MO_OK);
    assert_true(c.identical);
    assert_int_equal(mo_run_info_get(*ra)->frames, mo_run_info_get(*rb)->frames);
}

/* the same with the events and plots that runs of a point have */
static inline void expect_same_paths(int a, int b)
{
    mo_run *ra, *rb;
    mo_error err;
    open_same_files(a, b, &ra, &rb);
    const mo_run_info *ia = mo_run_info_get(ra), *ib = mo_run_info_get(rb);
    assert_int_equal(ia->events, ib->events);
    assert_string_equal(ia->plots_json, ib->plots_json);
    assert_string_not_equal(ia->plots_json, "[]");
    mo_run_events ea, eb;
    assert_int_equal(mo_run_events_get(ra, &ea, &err), MO_OK);
    assert_int_equal(mo_run_events_get(rb, &eb, &err), MO_OK);
    assert_true(ea.count > 3);
    assert_memory_equal(ea.t, eb.t, ea.count * sizeof *ea.t);
    mo_run_close(ra);
    mo_run_close(rb);
}

/* a scene that is recorded for five steps, and another that must not go on from there */
static inline void expect_refusal(const char *first, const char *second, const char *message)
{
    outcome o;
    scene_options options = text_options(first, &o);
    options.output = path_of(WHOLE);
    options.steps = 5;
    run_options(&options, &o);
    assert_int_equal(o.status, MO_OK);
    outcome_free(&o);
    options = text_options(second, &o);
    options.resume = path_of(WHOLE);
    run_options(&options, &o);
    if (o.status != MO_BAD_INPUT || strstr(o.err.message, message) == NULL)
        print_error("expected ...%s..., got %d %s\n", message, o.status, o.err.message);
    assert_int_equal(o.status, MO_BAD_INPUT);
    assert_non_null(strstr(o.err.message, message));
    outcome_free(&o);
}

#endif
