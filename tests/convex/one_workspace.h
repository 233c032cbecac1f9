/* One workspace for all tests of a file, and what they reckon with. */
#ifndef TESTS_CONVEX_ONE_WORKSPACE_H
#define TESTS_CONVEX_ONE_WORKSPACE_H

#include <moreau/convex.h>

#include "core/rng.h"

static mo_set_workspace *workspace;

static inline int set_up(void **state)
{
    (void)state;
    return mo_set_workspace_create(&workspace, NULL) == MO_OK ? 0 : -1;
}

static inline int tear_down(void **state)
{
    (void)state;
    mo_set_workspace_destroy(workspace);
    return 0;
}

// between -1 and 1
static inline double spread(rng *r)
{
    return 2 * rng_uniform(r) - 1;
}

static inline double dot(size_t n, const double *a, const double *b)
{
    double s = 0;
    for (size_t i = 0; i < n; i++)
        s += a[i] * b[i];
    return s;
}

#endif
