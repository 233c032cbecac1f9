/* A path with nothing but its rows. */
#ifndef DRAW_SMALL_PATH2D_H
#define DRAW_SMALL_PATH2D_H

#include "draw/path.h"

static inline path2d path_of(size_t n, size_t rows, const double *t, const double *x)
{
    path2d s = {.n = n};
    s.path = (mo_run_path){.rows = rows, .t = t, .x = x};
    return s;
}

#endif
