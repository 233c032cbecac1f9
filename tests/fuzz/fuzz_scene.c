/*
 * Fuzz target: any bytes as a scene.  The sandbox is tight and the run a few steps long, so that each input
 * takes milliseconds; whatever comes back must be a status with a message, never a crash, a leak or a hang.
 */
#include "scene/limits.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool condition)
{
    if (!condition)
        abort();
}

static scene_limits tight_limits(void)
{
    scene_limits limits = scene_default_limits();
    limits.memory = (size_t)8 << 20;
    limits.string = (size_t)1 << 20;
    limits.chunk_count = 200000;
    limits.call_count = 20000;
    limits.chunk_seconds = limits.call_seconds = limits.press_seconds = 0.2;
    limits.points = 2000;
    limits.report = (size_t)1 << 16;
    limits.max_steps = 4;
    return limits;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    scene_limits limits = tight_limits();
    scene_options options = {.path = "fuzz.lua",
                             .text = (const char *)data,
                             .text_length = size,
                             .name = "fuzz",
                             .seed = 1,
                             .threads = 1,
                             .until = -1,
                             .steps = -1};
    scene_result result;
    mo_error err = {0};
    mo_status status = scene_run_limited(&options, &limits, &result, &err);
    check(status == MO_OK || (err.status == status && err.message[0] != '\0'));
    check(status != MO_OK || result.status[0] != '\0');
    check(result.report_json != NULL && result.info.steps <= limits.max_steps);
    scene_result_free(&result);

    scene_params params;
    if (scene_list_params_limited(&options, &limits, &params, &err) == MO_OK)
        scene_params_free(&params);
    return 0;
}
