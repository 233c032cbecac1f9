/* All situations, in the order of the page. */
#include "situations.h"

#include <string.h>

const bench_situation *const bench_situations[] = {
    &bench_single_impact,
    &bench_bouncing_ball,
    &bench_grazing,
    &bench_corner_60,
    &bench_corner_90,
    &bench_corner_120,
    &bench_rocking_block,
    &bench_rocking_smooth,
    &bench_double_pendulum,
    &bench_slider_crank,
    &bench_newton_cradle,
    &bench_cradle_apart,
    &bench_moving_wall,
    &bench_elastic_bar,
    &bench_impact_oscillator,
    &bench_guided_pipe,
    NULL,
};

const bench_situation *bench_find(const char *name)
{
    for (size_t k = 0; bench_situations[k] != NULL; k++)
        if (strcmp(bench_situations[k]->name, name) == 0)
            return bench_situations[k];
    return NULL;
}
