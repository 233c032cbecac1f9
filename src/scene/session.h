/*
 * A run in steps that the caller asks for: open, step while it goes on, end, conclude, close.  scene_run does
 * all of it.
 */
#ifndef SCENE_SESSION_H
#define SCENE_SESSION_H

#include "scene/engine.h"

typedef struct run_loop {
    scene *s;
    mo_recorder *recorder; /* NULL: nothing is recorded */
    double record_seconds;
    int64_t step, last;          /* steps done; steps when the run ends */
    int64_t last_frame;          /* step of the last frame in the file, -1: none */
    double next_frame, next_row; /* index of what is due next */
    double *row;                 /* [observers.count] */
    bool resumed, interrupted;
    bool dropped; /* the interruption came inside a step, which has not happened */
    bool sound;   /* false: the last step ended the run */
} run_loop;

/* Not to be moved while it is open. */
typedef struct scene_session {
    scene s;
    run_loop loop;
    mo_run *resumed; /* the run to go on from, while it is open */
    double start;    /* s, on the wall */
} scene_session;

/* Runs the chunk and records the start.  Whatever comes back, session_close is to be called. */
mo_status session_open(scene_session *session, const scene_options *options, const scene_limits *limits,
                       mo_error *err);
bool session_goes_on(const scene_session *session);
mo_status session_step(scene_session *session, mo_error *err);
/* at_end of the scene, once there are no more steps. */
mo_status session_end(scene_session *session, mo_error *err);
/* Ends the run with what the calls before said, in status and err, finishes its file and says how it went.
   Returns status, or what closing the file said.  What ran can still be looked at. */
mo_status session_conclude(scene_session *session, mo_status status, scene_result *out, mo_error *err);
/* Frees everything; a run that was not concluded leaves an unfinished file. */
void session_close(scene_session *session);

#endif
