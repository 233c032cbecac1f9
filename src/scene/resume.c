/*
 * Going on from a run file: what the chunk built is compared with the file's body table, bodies made later
 * are brought back, and the last frame is put on.
 */
#include "scene/internal.h"

#include "core/fail.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

mo_status scene_differs(const scene *s, mo_error *err, const char *format, ...)
{
    char text[600];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fail(err, MO_BAD_INPUT, "resume", "the scene does not build what %s holds: %s", s->options->resume, text);
    fail_at(err, s->options->path, 0);
    return MO_BAD_INPUT;
}

/* what the file's own comparison found */
static mo_status told(const scene *s, mo_status status, mo_error *err)
{
    char found[sizeof err->message];
    if (status != MO_BAD_INPUT || strcmp(err->key, "resume") != 0)
        return status;
    snprintf(found, sizeof found, "%s", err->message);
    return scene_differs(s, err, "%s", found);
}

mo_status scene_resume(scene *s, mo_run *run, const char *path, mo_error *err)
{
    mo_status status = mo_run_match(run, s->world, err);
    if (status != MO_OK)
        return told(s, status, err);
    mo_frame frame;
    status = mo_run_frame(run, mo_run_info_get(run)->frames - 1, &frame, err);
    if (status != MO_OK)
        return status;
    uint32_t created = 0;
    status = scene_read_state(s, frame.state_text, &created, err);
    if (status == MO_OK)
        status = told(s, mo_run_restore(run, &frame, created, s->world, err), err);
    // bodies are compared with what they were at first, functions and all
    if (status == MO_OK)
        status = scene_restore_loads(s, &frame, err);
    if (status == MO_OK) {
        s->random = (rng){frame.random[0], frame.random[1]};
        scene_skip_timed(s, frame.step);
    }
    mo_frame_free(&frame);
    if (status != MO_OK)
        fail_at(err, path, 0);
    return status;
}
