/*
 * Groups and the law of every pair of groups.
 */
#ifndef DYNAMICS_LAWS_H
#define DYNAMICS_LAWS_H

#include <moreau/world.h>

enum { GROUP_MAX = 64, GROUP_NAME = 64 };

typedef struct law_table {
    size_t group_count; /* group 0 is "default" */
    char names[GROUP_MAX][GROUP_NAME];
    mo_law *list; /* [law_count], owned; list[0] is the default pair */
    size_t law_count, law_capacity;
    uint16_t pair[GROUP_MAX][GROUP_MAX]; /* symmetric; number of the pair's law in the list */
} law_table;

/* false: no memory. */
bool laws_init(law_table *t);
void laws_free(law_table *t);
/* Number of a group, made when new. MO_BAD_INPUT when the name is empty or too long or there are too many
 * groups. */
mo_status laws_group(law_table *t, const char *name, uint8_t *out, mo_error *err);
mo_status laws_check(const mo_law *law, mo_error *err);

/* Sets the law of a pair of groups. */
mo_status laws_set(law_table *t, uint8_t g1, uint8_t g2, const mo_law *law, mo_error *err);

#endif
