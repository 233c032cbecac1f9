/*
 * Groups and the law of every pair of groups.
 */
#ifndef DYNAMICS_LAWS_H
#define DYNAMICS_LAWS_H

#include <moreau/world.h>

#include "problem/law.h"

enum { GROUP_MAX = 64, GROUP_NAME = 64 };

typedef struct law_table {
    size_t group_count; /* group 0 is "default" */
    char names[GROUP_MAX][GROUP_NAME];
    mo_law *list;           /* [law_count], owned; list[0] is the default pair */
    const mo_law_ops **ops; /* [law_count], owned; NULL: no registered law */
    size_t law_count, law_capacity;
    uint16_t pair[GROUP_MAX][GROUP_MAX]; /* symmetric; number of the pair's law in the list */

    /* whether some law ... */
    bool special;   /* ... is not Coulomb's with one friction */
    bool sticky;    /* ... has static friction */
    bool gluey;     /* ... is gluey */
    bool remembers; /* ... has a memory */
    bool turned;    /* ... has friction that depends on the direction */
} law_table;

static inline bool law_has_axis(const mo_law *law)
{
    return law->axis[0] != 0 || law->axis[1] != 0 || law->axis[2] != 0;
}

/* Whether friction depends on the direction; what stands in the place of friction does not. */
static inline bool law_is_turned(const mo_law *law)
{
    return law_has_axis(law) && !(law->threshold > 0) && law->name == NULL;
}

/* Of such a law: the smaller friction as a share of the larger one. */
double law_ratio(const mo_law *law);

/* Whether law `number` is another than Coulomb's, and whether it has static friction. */
bool laws_other(const law_table *t, size_t number);
bool laws_sticky(const law_table *t, size_t number);

/* false: no memory. */
bool laws_init(law_table *t);
void laws_free(law_table *t);
/* Number of a group, made when new. MO_BAD_INPUT when the name is empty or too long or there are too many
 * groups. */
mo_status laws_group(law_table *t, const char *name, uint8_t *out, mo_error *err);
/* Whether the numbers make a law in 2D or 3D; MO_BAD_INPUT names the key. */
mo_status laws_check(const mo_law *law, int dim, mo_error *err);

/* Sets law `number` of the list, which laws_check has passed. */
void laws_put(law_table *t, size_t number, const mo_law *law);

/* Sets the law of a pair of groups. */
mo_status laws_set(law_table *t, uint8_t g1, uint8_t g2, const mo_law *law, mo_error *err);

#endif
