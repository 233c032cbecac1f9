/* The situations, one file each, and what their tables show. */
#ifndef APP_BENCH_SITUATIONS_H
#define APP_BENCH_SITUATIONS_H

#include "bench.h"
#include "lessons.h"

extern const bench_situation bench_single_impact, bench_bouncing_ball, bench_grazing, bench_corner_60,
    bench_corner_90, bench_corner_120, bench_rocking_block, bench_rocking_smooth, bench_double_pendulum,
    bench_impact_oscillator, bench_newton_cradle, bench_cradle_apart, bench_elastic_bar, bench_guided_pipe,
    bench_slider_crank, bench_moving_wall;

/* Fills the error and returns MO_NO_MEMORY. */
mo_status bench_no_memory(mo_error *err);

#endif
