/*
 * What a scene may use.  The program runs with the defaults; tests and fuzzers tighten them.
 */
#ifndef SCENE_LIMITS_H
#define SCENE_LIMITS_H

#include "scene/scene.h"

typedef struct scene_limits {
    size_t memory;        /* bytes of Lua data */
    size_t string;        /* bytes of one string */
    int64_t chunk_count;  /* instructions of the chunk */
    int64_t call_count;   /* instructions of one call of a scene's function */
    double chunk_seconds; /* processor time of the chunk */
    double call_seconds;  /* processor time of one call */
    double press_seconds; /* more of it for a text or call that compresses samples */
    size_t points;        /* vertices of all bodies ever made, discs counting as one */
    size_t mesh_bytes;    /* of all mesh files read together */
    size_t report;        /* bytes of what is reported */
    int64_t max_steps;    /* steps of a run; < 0: any */
} scene_limits;

scene_limits scene_default_limits(void);

/* scene_run and scene_list_params with other limits. */
mo_status scene_run_limited(const scene_options *options, const scene_limits *limits, scene_result *out,
                            mo_error *err);
mo_status scene_list_params_limited(const scene_options *options, const scene_limits *limits,
                                    scene_params *out, mo_error *err);

#endif
