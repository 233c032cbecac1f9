/* What comparing worlds and comparing paths share. */
#ifndef RECORD_COMPARE_H
#define RECORD_COMPARE_H

#include <moreau/record.h>

#include <math.h>
#include <string.h>

/* what is not a number stays in the maximum: a run that broke must not look near */
static inline void keep_largest(double *most, double value)
{
    if (!isnan(*most) && !(value <= *most))
        *most = value;
}

static inline bool same_bytes(const void *a, const void *b, size_t bytes)
{
    return bytes == 0 || memcmp(a, b, bytes) == 0;
}

/* Squares of distances and how many. */
typedef struct pair_sums {
    double square;
    size_t count;
} pair_sums;

/* Moves i and j to the next frames of the same time, from where they are on; false: there are none. */
bool compare_next(const mo_run *a, size_t *i, const mo_run *b, size_t *j);

/* Two runs of points. */
mo_status compare_paths(mo_run *a, mo_run *b, mo_comparison *out, mo_error *err);

#endif
