/* One projector for all tests of a file. */
#ifndef TESTS_CONVEX_ONE_PROJECTOR_H
#define TESTS_CONVEX_ONE_PROJECTOR_H

#include <moreau/convex.h>

static mo_projector *projector;

static inline int set_up(void **state)
{
    (void)state;
    return mo_projector_create(&projector, NULL) == MO_OK ? 0 : -1;
}

static inline int tear_down(void **state)
{
    (void)state;
    mo_projector_destroy(projector);
    return 0;
}

#endif
