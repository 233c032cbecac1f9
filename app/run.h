/*
 * A run's outcome for people and for programs.
 */
#ifndef APP_RUN_H
#define APP_RUN_H

#include "app.h"
#include "scene/scene.h"

/* What was asked, as far as the outcome mentions it. */
typedef struct run_facts {
    const char *output; /* run file, NULL: none */
    const char *dump;   /* folder of problem files, NULL: none */
    uint64_t seed;
    int threads;
    json_t *messages; /* array of texts: warnings and the scene's print */
} run_facts;

/* How far the run got, s and steps, whatever its kind. */
double run_time(const scene_result *result);
int64_t run_steps(const scene_result *result);

/* The object of `run --json`; status as given. */
json_t *run_json(const scene_result *result, const run_facts *facts, const char *status);
void run_print_summary(const scene_result *result, const run_facts *facts);

#endif
