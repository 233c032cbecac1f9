/*
 * The progress bar of a run: one line on a terminal, redrawn at most ten times a second.
 */
#ifndef APP_PROGRESS_H
#define APP_PROGRESS_H

#include "scene/scene.h"

typedef struct progress {
    bool shown;         /* standard error is a terminal and the bar is wanted */
    bool begun;         /* a first step was seen */
    int64_t base_step;  /* the first step seen: a resumed run does not start at 0 */
    double start, last; /* s, clock at that step and at the last drawing */
    int drawn;          /* columns on the line now */
} progress;

void progress_start(progress *bar, bool wanted);
void progress_update(progress *bar, const scene_progress *p);
/* The same for `done` of `all` runs, some of which failed. */
void progress_update_count(progress *bar, size_t done, size_t all, size_t failed);
/* Takes the line away, so that something else can be printed; the next update draws it again. */
void progress_clear(progress *bar);

#endif
