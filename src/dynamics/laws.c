#include "dynamics/laws.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/buffer.h"
#include "core/fail.h"

static bool reserve(law_table *t)
{
    column all[] = {{(void **)&t->list, sizeof *t->list}, {(void **)&t->ops, sizeof *t->ops}};
    return columns_reserve(all, 2, &t->law_capacity, t->law_count + 1);
}

bool laws_init(law_table *t)
{
    *t = (law_table){.group_count = 1};
    if (!reserve(t))
        return false;
    t->law_count = 1;
    laws_put(t, 0, &(mo_law){0});
    memcpy(t->names[0], "default", sizeof "default");
    return true;
}

void laws_free(law_table *t)
{
    free(t->list);
    free(t->ops);
    t->list = NULL;
    t->ops = NULL;
}

double law_ratio(const mo_law *law)
{
    double most = fmax(law->friction, law->friction2);
    return most > 0 ? fmin(law->friction, law->friction2) / most : 1;
}

bool laws_other(const law_table *t, size_t number)
{
    return t->ops[number] != NULL || t->list[number].threshold > 0;
}

bool laws_sticky(const law_table *t, size_t number)
{
    return t->list[number].static_friction > t->list[number].friction && !laws_other(t, number);
}

// what the laws of the list ask of a step
static void note_kinds(law_table *t)
{
    t->special = t->sticky = t->gluey = t->remembers = t->turned = false;
    for (size_t i = 0; i < t->law_count; i++) {
        const mo_law *l = &t->list[i];
        bool other = laws_other(t, i), sticky = laws_sticky(t, i), turned = law_is_turned(l);
        t->special = t->special || turned || other || sticky || l->gluey || l->cohesion > 0;
        t->turned = t->turned || turned;
        t->sticky = t->sticky || sticky;
        t->gluey = t->gluey || l->gluey;
        t->remembers = t->remembers || l->gluey || (t->ops[i] != NULL && t->ops[i]->remember != NULL);
    }
}

void laws_put(law_table *t, size_t number, const mo_law *law)
{
    mo_law *to = &t->list[number];
    *to = *law;
    // the caller's name may not live as long as the law
    t->ops[number] = law->name != NULL ? law_find(law->name, &to->name) : NULL;
    note_kinds(t);
}

mo_status laws_set(law_table *t, uint8_t g1, uint8_t g2, const mo_law *law, mo_error *err)
{
    // a pair that has its own law already keeps its place
    if (t->pair[g1][g2] == 0) {
        if (!reserve(t))
            return fail(err, MO_NO_MEMORY, NULL, "out of memory for laws");
        t->pair[g1][g2] = t->pair[g2][g1] = (uint16_t)t->law_count++;
    }
    laws_put(t, t->pair[g1][g2], law);
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

// friction that depends on the direction or on what went before
static mo_status check_friction(const mo_law *law, int dim, mo_error *err)
{
    const double *a = law->axis;
    bool turned = law_has_axis(law);
    if (law->static_friction != 0 && !(law->static_friction >= law->friction))
        return fail(err, MO_BAD_INPUT, "static_friction", "found %g, expected a number >= friction = %g",
                    law->static_friction, law->friction);
    if (!isfinite(a[0]) || !isfinite(a[1]) || !isfinite(a[2]))
        return fail(err, MO_BAD_INPUT, "axis", "found {%g, %g, %g}, expected a direction", a[0], a[1], a[2]);
    if (dim == 2 && (turned || law->friction2 != 0))
        return fail(err, MO_BAD_INPUT, turned ? "axis" : "friction2",
                    "friction that depends on the direction is for worlds in 3D");
    if (!turned && law->friction2 != 0)
        return fail(err, MO_BAD_INPUT, "axis", "friction2 = %g needs an axis that is not zero",
                    law->friction2);
    if (turned && law->static_friction != 0 && law->friction == 0)
        return fail(err, MO_BAD_INPUT, "static_friction",
                    "with friction2 it multiplies both by static_friction/friction, but friction is 0");
    return MO_OK;
}

static mo_status check_name(const mo_law *law, mo_error *err)
{
    char known[256];
    if (law->name == NULL)
        return MO_OK;
    law_names(known, sizeof known);
    if (law_find(law->name, NULL) == NULL)
        return fail(err, MO_BAD_INPUT, "name", "no law '%.63s' is registered; %s%s", law->name,
                    known[0] != '\0' ? "known: " : "none is", known);
    if (law->gluey)
        return fail(err, MO_BAD_INPUT, "gluey", "law '%s' has the contact's memory for itself", law->name);
    return MO_OK;
}

mo_status laws_check(const mo_law *law, int dim, mo_error *err)
{
    const struct {
        const char *key;
        double value, low, high;
    } all[] = {
        {"friction", law->friction, 0, HUGE_VAL},
        {"restitution", law->restitution, 0, 1},
        {"tangential_restitution", law->tangential_restitution, -1, 1},
        {"static_friction", law->static_friction, 0, HUGE_VAL},
        {"friction2", law->friction2, 0, HUGE_VAL},
        {"cohesion", law->cohesion, 0, HUGE_VAL},
        {"threshold", law->threshold, 0, HUGE_VAL},
        {"rolling", law->rolling, 0, HUGE_VAL},
        {"spinning", law->spinning, 0, HUGE_VAL},
    };
    mo_status s = MO_OK;
    for (size_t i = 0; s == MO_OK && i < sizeof all / sizeof *all; i++)
        s = check_range(all[i].key, all[i].value, all[i].low, all[i].high, err);
    if (s == MO_OK)
        s = check_friction(law, dim, err);
    return s == MO_OK ? check_name(law, err) : s;
}
