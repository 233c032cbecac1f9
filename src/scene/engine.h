/*
 * What the run loop needs of the thing that runs: a world, or the process of a sweep or system.  The loop
 * (run.c) knows times, callbacks and when something is to be recorded; an engine knows how to step and what
 * to record.
 */
#ifndef SCENE_ENGINE_H
#define SCENE_ENGINE_H

#include "scene/internal.h"

typedef struct scene_engine {
    const char *kind; /* of the run file and the result */
    /* Counts what the chunk built; NULL: nothing to do. */
    void (*begin)(scene *s);
    /* Brings what the chunk built to where the run stopped. */
    mo_status (*resume)(scene *s, mo_run *run, const char *path, mo_error *err);
    /* Steps done. */
    int64_t (*steps)(const scene *s);
    mo_status (*open_recorder)(scene *s, const char *path, const mo_recorder_def *def, bool append,
                               mo_recorder **out, mo_error *err);
    /* One step; *sound false: the run ends here, why_ended says why. */
    mo_status (*step)(scene *s, bool *sound, mo_error *err);
    /* contacts, iterations and residual of the last step */
    void (*progress)(const scene *s, scene_progress *p);
    /* What every step leaves in the file, a row of the time series, the present state. */
    mo_status (*record_step)(scene *s, mo_recorder *rec, mo_error *err);
    mo_status (*record_row)(scene *s, mo_recorder *rec, double t, const double *values, mo_error *err);
    /* due false: the frame is there because the run ends or begins here, and what observers change for it is
       not in it. */
    mo_status (*record_frame)(scene *s, mo_recorder *rec, bool due, mo_error *err);
    /* Called after what a step recorded; must: at the beginning, the end and an interruption. */
    mo_status (*settle)(scene *s, mo_recorder *rec, bool must, mo_error *err);
    /* What is added to the file of a run that is over; NULL: nothing. */
    mo_status (*record_after)(scene *s, mo_recorder *rec, mo_error *err);
    /* Whether a file made by an interruption needs the present state as a frame. */
    bool frame_at_interruption;
    /* Pushes what at_end is called with and returns how many; may raise. */
    int (*push_end)(lua_State *L);
    /* Why an unsound step ended the run. */
    void (*why_ended)(const scene *s, char *text, size_t size);
    /* Whether the run missed its tolerance somewhere, and how. */
    bool (*missed)(const scene *s, char *text, size_t size);
    /* As much as there is to tell. */
    void (*fill)(scene *s, scene_result *out);
} scene_engine;

extern const scene_engine world_engine, sweep_engine, system_engine;

/* The text and random state that a frame or checkpoint keeps; state_text is the caller's to free. */
mo_status engine_extra(scene *s, mo_frame_extra *out, char **text, mo_error *err);

#endif
