#include "dynamics/laws.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/buffer.h"
#include "core/fail.h"

static bool reserve(law_table *t)
{
    column all[] = {{(void **)&t->list, sizeof *t->list}};
    return columns_reserve(all, 1, &t->law_capacity, t->law_count + 1);
}

bool laws_init(law_table *t)
{
    *t = (law_table){.group_count = 1};
    if (!reserve(t))
        return false;
    t->list[t->law_count++] = (mo_law){0};
    memcpy(t->names[0], "default", sizeof "default");
    return true;
}

void laws_free(law_table *t)
{
    free(t->list);
    t->list = NULL;
}

mo_status laws_set(law_table *t, uint8_t g1, uint8_t g2, const mo_law *law, mo_error *err)
{
    // a pair that has its own law already keeps its place
    if (t->pair[g1][g2] == 0) {
        if (!reserve(t))
            return fail(err, MO_NO_MEMORY, NULL, "out of memory for laws");
        t->pair[g1][g2] = t->pair[g2][g1] = (uint16_t)t->law_count++;
    }
    t->list[t->pair[g1][g2]] = *law;
    return MO_OK;
}

mo_status laws_group(law_table *t, const char *name, uint8_t *out, mo_error *err)
{
    if (name == NULL)
        name = "default";
    size_t length = strlen(name);
    if (length == 0 || length >= GROUP_NAME)
        return fail(err, MO_BAD_INPUT, "group", "found a group name of %zu characters, expected 1 to %d",
                    length, GROUP_NAME - 1);
    for (size_t g = 0; g < t->group_count; g++)
        if (strcmp(t->names[g], name) == 0) {
            *out = (uint8_t)g;
            return MO_OK;
        }
    if (t->group_count == GROUP_MAX)
        return fail(err, MO_BAD_INPUT, "group", "group '%s' is one too many: at most %d groups", name,
                    GROUP_MAX);
    memcpy(t->names[t->group_count], name, length + 1);
    *out = (uint8_t)t->group_count++;
    return MO_OK;
}

static mo_status check_range(const char *key, double value, double low, double high, mo_error *err)
{
    if (value >= low && value <= high && isfinite(value))
        return MO_OK;
    if (isinf(high))
        return fail(err, MO_BAD_INPUT, key, "found %g, expected a number >= %g", value, low);
    return fail(err, MO_BAD_INPUT, key, "found %g, expected a number in [%g, %g]", value, low, high);
}

mo_status laws_check(const mo_law *law, mo_error *err)
{
    mo_status s = check_range("friction", law->friction, 0, INFINITY, err);
    if (s == MO_OK)
        s = check_range("restitution", law->restitution, 0, 1, err);
    if (s == MO_OK)
        s = check_range("tangential_restitution", law->tangential_restitution, -1, 1, err);
    return s;
}
