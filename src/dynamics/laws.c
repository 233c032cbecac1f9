#include "dynamics/laws.h"

#include <math.h>
#include <string.h>

#include "core/fail.h"

void laws_init(law_table *t)
{
    *t = (law_table){.group_count = 1};
    memcpy(t->names[0], "default", sizeof "default");
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
