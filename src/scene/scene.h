/*
 * Scenes: Lua 5.4 chunks in a sandbox -> definitions -> the public API, and the run loop.
 * INTERFACE of the scene language: docs/guide/scenes.md.
 */
#ifndef SCENE_SCENE_H
#define SCENE_SCENE_H

#include <moreau/moreau.h>
#include <signal.h>

/* Where a run stands; handed to the progress callback after every step. */
typedef struct scene_progress {
    double time, t_end;
    int64_t step, steps;
    size_t contacts;
    int iterations;
    double residual;
    size_t frames;      /* in the run file for good, or rows of a path; 0 without a file */
    int64_t frame_step; /* of the last one that was recorded, -1: none */
} scene_progress;

struct scene_params;

/* Someone who looks on while a scene runs, may hold it, and may change its live parameters.  All of it is
   called by the thread that runs the scene, between steps. */
typedef struct scene_watch {
    /* The chunk has run and the run file, if any, is open: the scene's parameters, and their values as a JSON
       object.  Anything but MO_OK ends the run. */
    mo_status (*begin)(void *data, const struct scene_params *params, const char *values_json, mo_error *err);
    /* Before every step: where the run stands.  true: it holds here, with all it recorded
       in the file, and looks again after `wait`. */
    bool (*look)(void *data, const scene_progress *p);
    void (*wait)(void *data); /* some milliseconds, or until there is something new */
    /* The next change of a live parameter: its name, and its value as for --set; false: there is none. */
    bool (*change)(void *data, const char **name, const char **value);
    void *data;
} scene_watch;

typedef struct scene_options {
    const char *path; /* scene file, used in messages */
    const char *text; /* the chunk; not owned */
    size_t text_length;
    const char *name;        /* scene name for the run file */
    const char *const *sets; /* "NAME=VALUE" */
    size_t set_count;
    uint64_t seed;
    bool seed_given; /* the seed holds for a resumed run too, which otherwise has that of its file */
    int threads;
    double until;               /* s; < 0: the scene's t_end */
    int64_t steps;              /* < 0: from t_end */
    const char *output;         /* run file to write, NULL: none */
    const char *resume;         /* run file to go on from, NULL: none */
    const char *dump;           /* folder for the contact problems of a world's steps, NULL: none */
    int64_t dump_every;         /* only steps that this divides; 0: all */
    int64_t dump_from, dump_to; /* only steps between these, both included, counted from 1; 0: no bound */
    bool foreground;            /* frames are written by the thread that steps, not behind its back */
    const volatile sig_atomic_t *interrupt;                /* non-zero: stop cleanly; may be NULL */
    bool (*stop)(void *data);                              /* true: likewise; may be NULL */
    void (*progress)(void *data, const scene_progress *p); /* may be NULL */
    void (*message)(void *data, const char *text);         /* warnings and the scene's print; may be NULL */
    void *data;
    const scene_watch *watch; /* may be NULL */
} scene_options;

typedef struct scene_result {
    char status[512]; /* "ok" or what went wrong */
    bool reached;     /* false: exit status 1 */
    bool interrupted;
    char kind[16];        /* "world", "sweep" or "system" */
    mo_world_info info;   /* of a sweep or system: time, steps and h alone */
    char solver_name[24]; /* or method, or scheme */
    uint64_t hash;
    double wall_seconds, record_seconds;
    size_t frames;     /* of the run file, or rows of a path */
    int64_t dumped;    /* problem files written */
    char *report_json; /* object; owned, free with scene_result_free */
    char *live_json;   /* array of [step, name, value]: live parameters that were changed; owned */
    /* sweeps and systems */
    mo_sweep_info sweep;
    mo_system_info system;
    size_t coordinates, multipliers;
    double *q, *u, *lambda; /* final, [coordinates] (u NULL in a sweep), [multipliers]; owned */
    char *events_json;      /* array of {"t", "type", "gaps", "size"}, gaps from 1; owned */
    double h;
} scene_result;

/*
 * Runs a scene to its end.  MO_OK: look at `reached`.  MO_USAGE: a --set that does not fit, or an end that
 * the run to resume is past.  MO_BAD_INPUT: the scene is wrong (file, line, key in err).  MO_BAD_FILE, MO_IO,
 * MO_NO_MEMORY as they say.  `out` is filled as far as the run got also when a status other than MO_OK comes
 * back, so that --json has something to say.
 */
mo_status scene_run(const scene_options *options, scene_result *out, mo_error *err);
void scene_result_free(scene_result *result);

/* The equilibrium of the world that the chunk builds, and the names of its dynamic bodies. */
typedef struct scene_statics {
    mo_equilibrium equilibrium;
    char **name; /* [equilibrium.bodies], "" where there is none; owned */
} scene_statics;

/* MO_BAD_INPUT also when the scene is not a world. */
mo_status scene_equilibrium(const scene_options *options, scene_statics *out, mo_error *err);
void scene_statics_free(scene_statics *statics);

/* The scene's parameters, found by running the chunk without simulating. */
typedef struct scene_param {
    char *name, *value, *type, *doc; /* default as text; type "number", "string", "boolean" or "table" */
    bool whole;                      /* the default is an integer */
    bool set;                        /* the value comes from --set */
    bool live;                       /* of live(...): may change while the scene runs */
} scene_param;
typedef struct scene_params {
    size_t count;
    scene_param *items;
} scene_params;
mo_status scene_list_params(const scene_options *options, scene_params *out, mo_error *err);
void scene_params_free(scene_params *params);

#endif
