/*
 * Groups and the law of every pair of groups.
 */
#ifndef DYNAMICS_LAWS_H
#define DYNAMICS_LAWS_H

#include <moreau/world.h>

enum { GROUP_MAX = 64, GROUP_NAME = 64 };

typedef struct law_table {
    mo_law standard;    /* the default pair */
    size_t group_count; /* group 0 is "default" */
    char names[GROUP_MAX][GROUP_NAME];
    mo_law pair[GROUP_MAX][GROUP_MAX]; /* symmetric; valid where given */
    bool given[GROUP_MAX][GROUP_MAX];
} law_table;

void laws_init(law_table *t);
/* Number of a group, made when new. MO_BAD_INPUT when the name is empty or too long or there are too many
 * groups. */
mo_status laws_group(law_table *t, const char *name, uint8_t *out, mo_error *err);
mo_status laws_check(const mo_law *law, mo_error *err);

static inline const mo_law *laws_of(const law_table *t, uint8_t g1, uint8_t g2)
{
    return t->given[g1][g2] ? &t->pair[g1][g2] : &t->standard;
}

#endif
