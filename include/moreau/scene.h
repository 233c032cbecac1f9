/*
 * Scenes: Lua texts that build a world, a system or a sweep and say what to do while it runs.  The language
 * is described in docs/guide/scenes.md; `moreau run` does what is done here, to the same bits.
 */
#ifndef MOREAU_SCENE_H
#define MOREAU_SCENE_H

#include <moreau/base.h>
#include <moreau/world.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct mo_scene_def {
    const char *path; /* of the text, for messages and for files named relative to it */
    const char *text;
    size_t text_length;
    const char *name;        /* for the run file */
    const char *const *sets; /* "NAME=VALUE", parameters of the scene */
    size_t set_count;
    uint64_t seed;      /* a resumed run has that of its file */
    int threads;        /* >= 1; results do not depend on it */
    double until;       /* s; < 0: the scene's t_end */
    int64_t steps;      /* < 0: from t_end */
    const char *output; /* run file to write, by the thread that steps; NULL: none */
    const char *resume; /* run file to go on from, NULL: none */
    /* Asked often, also inside steps: true, and true ever after, ends the run cleanly.  NULL: never. */
    bool (*stop)(void *data);
    void (*message)(void *data, const char *text); /* warnings and the scene's print; may be NULL */
    void *data;
} mo_scene_def;

/* Seed 1, one thread, the scene's own end, no files. */
mo_scene_def mo_default_scene_def(void);

typedef struct mo_scene mo_scene;

/* Runs the text and records the start.  What the definition points to is copied.  MO_USAGE: a set that does
   not fit; MO_BAD_INPUT: the scene is wrong, with file, line and key. */
mo_status mo_scene_open(const mo_scene_def *def, mo_scene **out, mo_error *err);
void mo_scene_close(mo_scene *scene);

typedef struct mo_scene_progress {
    const char *kind; /* "world", "system" or "sweep" */
    double h, time, t_end;
    int64_t step, steps; /* done; when the run ends */
    bool over; /* no step is left: the end was reached, the scene stopped it, a stop was asked for or
                  the last step ended it */
} mo_scene_progress;

mo_scene_progress mo_scene_progress_get(const mo_scene *scene);
/* One step with the scene's callbacks and what is to be recorded; nothing when the run is over.  A status
   other than MO_OK ends the run. */
mo_status mo_scene_step(mo_scene *scene, mo_error *err);
/* The world that runs, owned by the scene and not to be changed; NULL: it is no world. */
mo_world *mo_scene_world(const mo_scene *scene);

/* How a run ended; strings and arrays live as long as the scene. */
typedef struct mo_scene_outcome {
    const char *status; /* "ok" or what went wrong */
    bool reached;       /* every step reached its tolerance and every check held */
    bool interrupted;
    uint64_t hash;           /* of the final state */
    const char *report_json; /* object: what the scene reported */
    const char *events_json; /* array, sweeps and systems; NULL in a world */
    size_t coordinates, multipliers;
    const double *q, *u, *lambda; /* final, sweeps and systems; u NULL in a sweep */
} mo_scene_outcome;

/* Calls at_end if the run came to its end, which is `interrupted` otherwise; finishes the run file.  A second
   call says the same again. */
mo_status mo_scene_finish(mo_scene *scene, mo_scene_outcome *out, mo_error *err);

/* A parameter: default as text; type "number", "string" or "boolean"; doc "" when there is none. */
typedef struct mo_scene_param {
    const char *name, *value, *type, *doc;
} mo_scene_param;

/* Runs the text of def without simulating, and hands each parameter to `take`. */
mo_status mo_scene_params(const mo_scene_def *def, void (*take)(void *data, const mo_scene_param *param),
                          void *data, mo_error *err);

#ifdef __cplusplus
}
#endif
#endif
